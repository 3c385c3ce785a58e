//! `--reallocate`: the arrays' names are forgotten, and storage is found for values.
//!
//! Every statement that writes a temporary gets an array of its own first, as text; what follows reads that text like any
//! other program.

use super::arguments::ProgramArguments;
use super::input::{self, Input};
use super::{Failure, compiler, output};
use polyfold::grown::grown;
use polyfold_flow::{Grain, Model};
use polyfold_isl::{Context, Error, ErrorKind};

/// The program with all temporaries in single assignment that can be; the others stay.
///
/// # Errors
/// When the new text cannot be read.
pub(crate) fn reallocated(mut input: Input, program: &ProgramArguments) -> Result<Input, Failure> {
    for scop in 0..input.parsed.scops.len() {
        let temporaries = input.parsed.scops[scop].arrays.iter().filter(|array| array.is_temporary());
        for name in temporaries.map(|array| array.name.clone()).collect::<Vec<_>>() {
            let text = in_single_assignment(&input, scop, &name, program)?;
            match text.map(|text| input::reread(&input, text, program)).transpose()?.flatten() {
                Some(next) => input = next,
                None => output::tell(&format!("note: `{name}` keeps its name: its values cannot be told apart\n")),
            }
        }
    }
    Ok(input)
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
