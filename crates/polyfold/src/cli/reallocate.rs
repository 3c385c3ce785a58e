//! `--reallocate`: the arrays' names are forgotten, and storage is found for values.
//!
//! Every statement that writes a temporary gets an array of its own first.

use super::arguments::ProgramArguments;
use super::input::Input;
use super::{Failure, compiler, messages};
use polyfold_flow::{Grain, Model};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::{Context, Error, ErrorKind};
use polyfold_plan::grown;
use polyfold_scop::{Array, ArrayId, Code, Scop};
use std::collections::BTreeSet;

/// The program with all temporaries in single assignment that can be; the others stay.
///
/// # Errors
/// When isl fails.
pub(crate) fn reallocated(
    mut file: Input,
    program: &ProgramArguments,
    tell: &mut dyn FnMut(&str),
) -> Result<Input, Failure> {
    for place in 0..file.parsed.scops.len() {
        let temporaries: Vec<String> = own_temporaries(&file.parsed.scops[place]).collect();
        for name in temporaries {
            match with_own(&file, place, &name, program)? {
                Some(next) => file = next,
                None => {
                    let scop = &file.parsed.scops[place];
                    let array = scop.array_named(&name).map(|id| scop.array(id));
                    array.iter().for_each(|array| {
                        tell(&messages::render(&file.path, file.shown(), &keeps_its_name(&file, place, array)));
                    });
                }
            }
        }
    }
    Ok(file)
}

/// The program in which the values of some temporaries of one scop have arrays of their own, of those that can; `None`: none can.
///
/// # Errors
/// When isl fails.
pub(crate) fn renamed(
    file: &Input,
    place: usize,
    names: &BTreeSet<String>,
    program: &ProgramArguments,
) -> Result<Option<Input>, Failure> {
    let mut current = None;
    for name in own_temporaries(&file.parsed.scops[place]).filter(|name| names.contains(name)) {
        let next = with_own(current.as_ref().unwrap_or(file), place, &name, program)?;
        current = next.or(current);
    }
    Ok(current)
}

/// Those that last: what each iteration declares anew holds the values of one iteration only.
fn own_temporaries(scop: &Scop) -> impl Iterator<Item = String> + use<'_> {
    let lasts = |array: &Array| {
        array.is_temporary() && array.declaration.as_ref().is_none_or(|declaration| !declaration.inside_scop)
    };
    let ids = (0..scop.arrays.len()).map(ArrayId).filter(|id| !scop.is_gone(*id));
    ids.map(|id| scop.array(id)).filter(move |array| lasts(array)).map(|array| array.name.clone())
}

/// The program in which one temporary's values have arrays of their own; `None`: they can't, or it takes more work than the bound.
fn with_own(input: &Input, place: usize, name: &str, program: &ProgramArguments) -> Result<Option<Input>, Failure> {
    let scop = &input.parsed.scops[place];
    let Some(array) = scop.array_named(name) else { return Ok(None) };
    let (ctx, dialect) = (Context::new(), compiler::dialect(&input.path));
    let found = ctx.with_quota((program.max_ops / 10).max(1), || {
        let model = Model::build(&ctx, scop)?;
        if !model.known.is_subset(&model.context)? {
            return Ok(None);
        }
        grown(&input.source, &model, (array, Grain::Operations), dialect)
    });
    match found {
        Err(Error { kind: ErrorKind::Quota, .. }) => Ok(None),
        found => {
            let found = found.map_err(|error| Failure::input(format!("--reallocate: {error}")))?;
            Ok(found.map(|scop| input.with_scop(place, scop)))
        }
    }
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
