//! Conditions on a scop's sizes, in the user's words.
//!
//! Example: "for n >= 1".

use polyfold_codegen::SizesInC;
use polyfold_isl::{Error, Set};
use polyfold_scop::Scop;

/// Longer conditions are not printed.
const LONGEST_CONDITION: usize = 60;

/// Prints conditions on the parameters of a scop, of whose values nothing is known.
///
/// # Errors
/// Only after an earlier failure of isl.
pub fn sizes_to_read(like: &Set, parameters: &[String], scop: &Scop) -> Result<SizesInC, Error> {
    let anything = Set::read(like.context(), &format!("[{}] -> {{ : }}", parameters.join(", ")))?;
    SizesInC::to_read(&anything, parameters, scop)
}

/// `for n >= 1`, from a condition in C.
pub fn sizes_text(condition: &str) -> String {
    match condition {
        "1" => "for all sizes".to_string(),
        long if is_long(long) => "for some sizes".to_string(),
        condition => format!("for {condition}"),
    }
}

/// Whether a condition in C is more than one can take in.
pub(crate) fn is_long(condition: &str) -> bool {
    condition.len() > LONGEST_CONDITION
}
