//! The first term of a sum of integers moves into its loop: the inverse of loop peeling.
//!
//! ```text
//! S0(): let x = A[0];                                        S0(): let x = 0;
//! for k = 1 while k < n { S1(k): x = x + A[k]; }    =>       for k = 0 while k < n { S1(k): x = x + A[k]; }
//! ```
//!
//! The idea: a loop over n terms is what compilers make vectors of, and n - 1 leave a rest. `0 + e` is e for integers, and isn't for
//! a floating `-0.0`.
//!
//! Paper: Bacon, Graham, Sharp, "Compiler transformations for high-performance computing", 1994, 6.3.2 (loop peeling).
//!
//! Invariants: cells and order of the terms stay. That the loop has the iteration that comes is the validator's to show.

use polyfold_program::{Assign, Int, Loop, Place, Program, Stmt, Sum, Value};

/// The program with such sums in their loops.
pub fn unpeel(program: &Program) -> Program {
    Program { body: in_list(program, &program.body), ..program.clone() }
}

fn in_list(program: &Program, list: &[Stmt]) -> Vec<Stmt> {
    let mut now: Vec<Stmt> = list.iter().map(|stmt| inside(program, stmt)).collect();
    for at in 1..now.len() {
        if let Some(pair) = unpeeled(program, (&now[at - 1], &now[at])) {
            now.splice(at - 1..=at, pair);
        }
    }
    now
}

fn inside(program: &Program, stmt: &Stmt) -> Stmt {
    match stmt {
        Stmt::For(own) => Stmt::For(Loop { body: in_list(program, &own.body), ..own.clone() }),
        Stmt::If { cond, then, other } => {
            let [then, other] = [then, other].map(|list| in_list(program, list));
            Stmt::If { cond: cond.clone(), then, other }
        }
        other => other.clone(),
    }
}

/// A first term and the loop over the others, as 0 and a loop over all. `None`: they are something else.
fn unpeeled(program: &Program, (first, rest): (&Stmt, &Stmt)) -> Option<[Stmt; 2]> {
    let (Stmt::Assign(first), Stmt::For(own)) = (first, rest) else { return None };
    let Place::Cell { buffer: variable, .. } = first.target else { return None };
    let begin = Sum::of(own.first.as_ref()?, 1).plus(&Int::Constant(own.step?), -1).print(&[]);
    if !program.buffers[variable.0].element.is_integer() || own.term(variable, &begin)? != first.value {
        return None;
    }
    let zero = Assign { value: Value::number(0), ..first.clone() };
    Some([Stmt::Assign(zero), Stmt::For(Loop { first: Some(begin), ..own.clone() })])
}
