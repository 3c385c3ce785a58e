//! `--reallocate`: the arrays' names are forgotten, and storage is found for values.
//!
//! Every statement that writes a temporary gets an array of its own first, as text; what follows reads that text like any
//! other program.

use super::arguments::ProgramArguments;
use super::input::{self, Input};
use super::{Failure, compiler, messages};
use polyfold::grown::grown;
use polyfold_flow::{Grain, Model};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::{Context, Error, ErrorKind};
use polyfold_scop::Array;

/// The program with all temporaries in single assignment that can be; the others stay.
///
/// # Errors
/// When the new text cannot be read.
pub(crate) fn reallocated(
    file: Input,
    program: &ProgramArguments,
    tell: &mut dyn FnMut(&str),
) -> Result<Input, Failure> {
    let mut current = None;
    for place in 0..file.parsed.scops.len() {
        // What each iteration declares anew holds the values of one iteration only.
        let lasts = |array: &&Array| array.declaration.as_ref().is_none_or(|declaration| !declaration.inside_scop);
        let temporaries = file.parsed.scops[place].arrays.iter().filter(|array| array.is_temporary()).filter(lasts);
        for array in temporaries {
            let input = current.as_ref().unwrap_or(&file);
            let text = in_single_assignment(input, place, &array.name, program)?;
            match text.map(|text| input::reread(input, text, program)).transpose()?.flatten() {
                Some(next) => current = Some(next),
                None => tell(&messages::render(&file.path, file.shown(), &keeps_its_name(&file, place, array))),
            }
        }
    }
    Ok(match current {
        Some(renamed) => renamed.with_places_of(&file),
        None => file,
    })
}

fn keeps_its_name(file: &Input, place: usize, array: &Array) -> Diagnostic {
    let declared = array.declaration.as_ref().filter(|declaration| declaration.name.fragment.is_none());
    let start = file.parsed.scops[place].span.start;
    Diagnostic {
        severity: Severity::Note,
        message: format!(
            "`{}` stays one variable: `--reallocate` found no way to give its values arrays of their own",
            array.name
        ),
        span: declared.map_or(start..start, |declaration| declaration.name.span.clone()),
        about_options: false,
        label: "this one".to_string(),
        help: None,
    }
}

/// `None`: the array cannot be, or it takes more work than the bound.
fn in_single_assignment(
    input: &Input,
    scop: usize,
    name: &str,
    program: &ProgramArguments,
) -> Result<Option<String>, Failure> {
    let scop = &input.parsed.scops[scop];
    let Some(array) = scop.array_named(name) else { return Ok(None) };
    let (ctx, dialect) = (Context::new(), compiler::dialect(&input.path));
    let text = ctx.with_quota((program.max_ops / 10).max(1), || {
        let model = Model::build(&ctx, scop)?;
        if !model.known.is_subset(&model.context)? {
            return Ok(None);
        }
        Ok(grown(&input.source, &model, (array, Grain::Operations), dialect)?.map(|grown| grown.text))
    });
    match text {
        Err(Error { kind: ErrorKind::Quota, .. }) => Ok(None),
        text => text.map_err(|error| Failure::input(format!("--reallocate: {error}"))),
    }
}
