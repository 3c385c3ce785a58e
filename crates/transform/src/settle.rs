//! Remainders that change nothing go.
//!
//! ```text
//! for i = 0 while i < n { B[i] = W[i mod (n + 1)]; }   becomes   for i = 0 while i < n { B[i] = W[i]; }
//! ```
//!
//! The idea: a remainder goes where its value is from 0 on and below the modulus, by what loops' counters are
//! ([`counters`](crate::counters)). Multiples of a modulus that is a number go first:
//!
//! ```text
//! for c = 0 while c < 3 { B[c] = W[(3 * i + c) mod 3]; }   becomes   for c = 0 while c < 3 { B[c] = W[c]; }
//! ```
//!
//! Limit: conditions around a statement say nothing here.

use crate::counters::{Counter, is_between};
use polyfold_program::{Int, IntOp, Loop, Place, Program, Stmt, Sum};

/// The program without such remainders.
pub fn settle(program: &Program) -> Program {
    Program { body: list(&program.body, &mut Vec::new()), ..program.clone() }
}

fn list(body: &[Stmt], around: &mut Vec<Counter>) -> Vec<Stmt> {
    body.iter().map(|own| stmt(own, around)).collect()
}

fn stmt(own: &Stmt, around: &mut Vec<Counter>) -> Stmt {
    match own {
        Stmt::For(own) => {
            around.push(Counter::of(own));
            let body = list(&own.body, around);
            around.pop();
            Stmt::For(Loop { body, ..own.clone() })
        }
        Stmt::If { cond, then, other } => {
            let cond = cond.with_cells(&mut |place| in_place(place, around));
            Stmt::If { cond, then: list(then, around), other: list(other, around) }
        }
        Stmt::Assign(_) => own.with_cells(&mut |place| in_place(place, around)),
        other => other.clone(),
    }
}

fn in_place(place: Place, around: &[Counter]) -> Place {
    match place {
        Place::Cell { buffer, index } => {
            Place::Cell { buffer, index: index.iter().map(|e| settled(e, around)).collect() }
        }
        other => other,
    }
}

fn settled(e: &Int, around: &[Counter]) -> Int {
    match e {
        Int::Binary(op @ (IntOp::Remainder | IntOp::FloorModulo), value, modulus)
            if let Some(rest) = rest_of(*op, value, modulus, around) =>
        {
            rest
        }
        Int::Binary(op, left, right) => Int::binary(*op, settled(left, around), settled(right, around)),
        other => other.clone(),
    }
}

/// A remainder that is its value, or what is left of that without multiples of the modulus.
fn rest_of(op: IntOp, value: &Int, modulus: &Int, around: &[Counter]) -> Option<Int> {
    if is_between(value, (0, modulus, -1), around) {
        return Some(settled(value, around));
    }
    // C's own remainder of what is below 0 isn't the rest.
    let is_rest = op == IntOp::FloorModulo || is_between(value, (0, value, 0), around);
    let number = modulus.as_constant().filter(|number| *number > 0 && is_rest)?;
    let rest = Sum::of(value, 1).without_multiples(number)?.print(&[]);
    is_between(&rest, (0, modulus, -1), around).then_some(rest)
}
