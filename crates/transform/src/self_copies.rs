//! Assignments of a cell to itself go.
//!
//! They come of new storage: where `y[k]` and `y[k - 1]` share a cell, `y[k] = y[k - 1]` does nothing.
//!
//! Example: `y[(k - 1) % 2] = y[(k + 1) % 2]` is one, since no remainder here is negative.

use crate::sweep::kept;
use polyfold_program::{Assign, Int, IntOp, Place, Program, Stmt, Sum, Value};

/// The program without assignments of a cell to itself, and without what these leave empty.
pub fn without_self_copies(program: &Program) -> Program {
    let is_one = |own: &Assign| matches!(&own.value, Value::Read(place) if is_same(&own.target, place));
    let stays = |own: &Stmt| !matches!(own, Stmt::Assign(own) if is_one(own));
    Program { body: kept(&program.body, &stays), ..program.clone() }
}

fn is_same(one: &Place, other: &Place) -> bool {
    match (one, other) {
        (Place::Cell { buffer, index }, Place::Cell { buffer: other, index: there }) => {
            buffer == other && index.len() == there.len() && index.iter().zip(there).all(|(a, b)| is_equal(a, b))
        }
        _ => one == other,
    }
}

/// Subscripts of cells are never negative, so that their remainders are those of the sums.
fn is_equal(one: &Int, other: &Int) -> bool {
    match (one, other) {
        (Int::Binary(IntOp::Remainder, a, modulus), Int::Binary(IntOp::Remainder, b, other)) if modulus == other => {
            match (&**modulus, Sum::difference(a, b)) {
                (Int::Constant(modulus), Some(difference)) => difference.checked_rem(*modulus) == Some(0),
                (_, difference) => difference == Some(0),
            }
        }
        _ => Sum::difference(one, other) == Some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::without_self_copies;
    use polyfold_program::{Program, Use};

    #[test]
    fn cells_are_compared_not_their_texts() {
        let copies = |target: &str, value: &str| {
            let text = format!(
                "program p(n) {{ temporary y[4]; temporary z[4];
                   for k = 1 while k < n step 1 {{ S0(k): {target} = {value}; }} }}"
            );
            without_self_copies(&Program::read(&text).expect("a program")).used(Use::Write).is_empty()
        };
        assert!(copies("y[k]", "y[k]") && copies("y[(k - 1) % 2]", "y[(k + 3) % 2]") && copies("y[2 * k]", "y[k + k]"));
        assert!(!copies("y[k]", "z[k]") && !copies("y[(k - 1) % 3]", "y[(k + 1) % 3]") && !copies("y[k]", "-y[k]"));
        assert!(!copies("y[k]", "y[k - 1]") && !copies("y[k % 2]", "y[k % 3]"));
    }
}
