//! Whole problems in isl notation.

use crate::fault::Fault;
use crate::problem::Problem;
use polyfold_isl::Context;

/// a
pub fn write(problems: &[Problem]) -> Result<String, Fault> { let _ = problems; todo!() }
/// b
pub fn read(ctx: &Context, text: &str) -> Result<Vec<Problem>, Fault> { let _ = (ctx, text); todo!() }
