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
use polyfold_scop::{Array, Code};
use std::collections::BTreeSet;

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
        let temporaries = file.parsed.scops[place].arrays.iter().filter(|array| may_have_own(array));
        for array in temporaries {
            match with_own(current.as_ref().unwrap_or(&file), place, &array.name, program)? {
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

/// The program in which the values of some temporaries of one scop have arrays of their own, of those that can; `None`: none can.
///
/// # Errors
/// When the new text cannot be read.
pub(crate) fn renamed(
    file: &Input,
    place: usize,
    names: &BTreeSet<String>,
    program: &ProgramArguments,
) -> Result<Option<Input>, Failure> {
    let mut current = None;
    for name in names {
        let input = current.as_ref().unwrap_or(file);
        let scop = &input.parsed.scops[place];
        if scop.array_named(name).is_some_and(|id| may_have_own(scop.array(id))) {
            let next = with_own(input, place, name, program)?;
            current = next.or(current);
        }
    }
    Ok(current)
}

/// Whether it lasts: what each iteration declares anew holds the values of one iteration only.
fn may_have_own(array: &Array) -> bool {
    array.is_temporary() && array.declaration.as_ref().is_none_or(|declaration| !declaration.inside_scop)
}

/// The program in which one temporary's values have arrays of their own; `None`: they can't.
fn with_own(input: &Input, place: usize, name: &str, program: &ProgramArguments) -> Result<Option<Input>, Failure> {
    let text = in_single_assignment(input, place, name, program)?;
    Ok(text.map(|text| input::reread(input, text, program)).transpose()?.flatten())
}

fn keeps_its_name(file: &Input, place: usize, array: &Array) -> Diagnostic {
    let declared = array.declaration.as_ref().filter(|declaration| declaration.name.fragment.is_none());
    let start = file.parsed.scops[place].span.start;
    Diagnostic {
        severity: Severity::Note,
        code: Code::StaysOne,
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
