//! Another reading of a program, in which more of its loops may be fused.
//!
//! A constant that is a size, such as the radius of a filter, stands for all sizes, and a loop from −R to R may need what comes any
//! number of iterations later. At its value it does not; the result asserts that value.

use super::super::Failure;
use super::super::arguments::ProgramArguments;
use super::super::input::{Input, reread_at_values};

/// The program with some constants taken at their values.
///
/// # Errors
/// When the text is malformed.
pub(super) fn at_values(input: &Input, names: &[String], program: &ProgramArguments) -> Result<Option<Input>, Failure> {
    reread_at_values(input, input.source.clone(), [&input.pinned, names].concat(), program)
}
