//! Rings as shift registers.
//!
//! A ring of a few cells takes a remainder for each access. Where it is proved to be a shift register
//! ([`ShiftRegister`]) its subscripts are numbers, which compilers keep in registers and hardware has as wires, and the values move on at the
//! end of each iteration:
//!
//! ```c
//! for (int j = 0; j < n; j++) {                  for (int j = 0; j < n; j++) {
//!   t[j % 3] = in[j];                              t[2] = in[j];
//!   out[j] = t[(j - 2) % 3] + t[j % 3];            out[j] = t[0] + t[2];
//! }                                                t[0] = t[1];
//!                                                  t[1] = t[2];
//!                                                }
//! ```
//!
//! Where a value goes round, the first cell's moves to the last one: `const double t_first = t[0]; t[0] = t[1]; t[1] = t_first;`. In storage of several
//! dimensions all rows move.

use crate::Decisions;
use polyfold_c::code::{is_type_declared, tokens, words};
use polyfold_prove::ShiftRegister;
use polyfold_scop::Scop;

/// The rings that are written so.
pub(crate) fn written<'a>(source: &str, decisions: &'a Decisions) -> Vec<&'a ShiftRegister> {
    let scop = decisions.scop;
    let can_move = |register: &&ShiftRegister| !register.goes_round() || keeps_its_type(source, scop, register);
    decisions.forms.registers.iter().filter(can_move).collect()
}

/// Whether the words of the elements' type say the same of a variable in the scop: they define no type, and none of them is declared again.
fn keeps_its_type(source: &str, scop: &Scop, register: &ShiftRegister) -> bool {
    let array = scop.array(register.array());
    let declared_at = array.declaration.as_ref().map_or(0, |declaration| declaration.statement.end);
    let behind = tokens(source, &(declared_at.min(scop.span.start)..scop.span.end));
    let mut names = words(&array.element).map(|(_, word)| word);
    let is_declared_again = |word: &str| (0..behind.len()).any(|at| is_type_declared(&behind, at, word));
    !array.element.contains('{') && !names.any(is_declared_again)
}
