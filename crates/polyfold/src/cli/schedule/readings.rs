//! Other readings of a program, in which more of its loops may be fused.
//!
//! * *Own names*: where several blocks declare a variable of one name, each gets its own, so that declarations can move in front.
//! * *At values*: a constant that is a size, such as the radius of a filter, stands for all sizes, and a loop from −R to R may need what comes any
//!   number of iterations later. At its value it does not; the result asserts that value.
//!
//! Invariant: whoever takes a result of such a reading takes its text, too.

use super::super::Failure;
use super::super::arguments::ProgramArguments;
use super::super::compiler::{language, preprocess};
use super::super::input::{Input, reread, reread_at_values};
use polyfold_codegen::OwnNames;
use polyfold_scop::ParameterOrigin;

/// Larger constants are no radii: loops are not shifted by so many iterations.
const LARGEST: i64 = 16;

/// The program in which the variables of one scop have names of their own; `None`: they have.
///
/// # Errors
/// When there is no compiler, or it rejects the text.
pub(super) fn with_own_names(
    input: &Input,
    place: usize,
    program: &ProgramArguments,
) -> Result<Option<Input>, Failure> {
    let Some(named) = OwnNames::of(&input.source, &input.parsed.scops[place]) else { return Ok(None) };
    let flags = program.compiler.flags();
    let compiled = |text: &str| preprocess(text, &input.path, language(&input.path), &flags);
    if !named.differ_only(&compiled(&input.source)?, &compiled(&named.text)?) {
        return Ok(None);
    }
    reread(input, named.text, program)
}

/// The program with the small constants of one scop taken at their values; `None`: there are none.
///
/// # Errors
/// When the text is malformed.
pub(super) fn at_values(input: &Input, place: usize, program: &ProgramArguments) -> Result<Option<Input>, Failure> {
    let is_small = |origin: &ParameterOrigin| matches!(*origin, ParameterOrigin::Constant(value) if value <= LARGEST);
    let small = input.parsed.scops[place].parameters.iter().filter(|parameter| is_small(&parameter.origin));
    let small: Vec<String> = small.map(|parameter| parameter.name.clone()).collect();
    if small.is_empty() {
        return Ok(None);
    }
    let pinned = [input.pinned.clone(), small].concat();
    reread_at_values(input, input.source.clone(), pinned, program)
}
