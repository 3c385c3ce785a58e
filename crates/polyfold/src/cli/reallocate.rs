//! `--reallocate`: the arrays' names are forgotten, and storage is found for values.
//!
//! Every statement that writes a temporary gets an array of its own first.

use super::arguments::ProgramArguments;
use super::input::Input;
use super::{Failure, messages};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_plan::{own_temporaries, with_own_array};
use polyfold_scop::{Array, Code};

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
        for name in own_temporaries(&file.parsed.scops[place]) {
            let scop = &file.parsed.scops[place];
            let next = with_own_array(&file.search_source(program), scop, &name);
            match next.map_err(|error| Failure::input(format!("--reallocate: {error}")))? {
                Some(next) => file.parsed.scops[place] = next,
                None => {
                    let array = scop.array_named(&name).map(|id| scop.array(id));
                    array.iter().for_each(|array| {
                        tell(&messages::render(&file.path, &file.source, &keeps_its_name(&file, place, array)));
                    });
                }
            }
        }
    }
    Ok(file)
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
