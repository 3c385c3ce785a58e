//! Remainders that change nothing go.
//!
//! ```text
//! for i = 0 while i < n { B[i] = W[i mod (n + 1)]; }   becomes   for i = 0 while i < n { B[i] = W[i]; }
//! ```
//!
//! The idea: a counter lies between what its loop begins with and its bound. With these in its place a
//! sum has a least and a largest value. A remainder goes where the least one is a number from 0 on, and
//! the largest one is the modulus less a positive number.
//!
//! Limit: conditions around a statement say nothing here.

use crate::sum::Sum;
use polyfold_program::{Cond, Int, IntOp, LocalId, Loop, Place, Program, Relation, Stmt};

/// The program without such remainders.
pub fn settle(program: &Program) -> Program {
    Program { body: list(&program.body, &mut Vec::new()), ..program.clone() }
}

/// The values of a loop's counter.
struct Counter {
    local: LocalId,
    least: Option<Int>,
    most: Option<Int>,
}

impl Counter {
    fn of(own: &Loop) -> Counter {
        let mut counter = Counter { local: own.counter, least: None, most: None };
        let bound = match &own.test {
            Cond::Compare(relation, Int::Local(local), bound) if *local == own.counter => Some((*relation, bound)),
            _ => None,
        };
        let ends = |relation, by| bound.filter(|own| own.0 == relation).map(|(_, e)| plus(e, by));
        match own.step {
            Some(1..) => {
                counter.least = own.first.clone();
                counter.most = ends(Relation::Less, -1).or(ends(Relation::LessOrEqual, 0));
            }
            Some(_) => {
                counter.most = own.first.clone();
                counter.least = ends(Relation::Greater, 1).or(ends(Relation::GreaterOrEqual, 0));
            }
            None => {}
        }
        counter
    }
}

fn plus(e: &Int, by: i64) -> Int {
    Sum::of(e, 1).plus(&Int::Constant(by), 1).print(&[])
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
        Int::Binary(IntOp::Remainder | IntOp::FloorModulo, value, modulus) if is_below(value, modulus, around) => {
            settled(value, around)
        }
        Int::Binary(op, left, right) => Int::binary(*op, settled(left, around), settled(right, around)),
        other => other.clone(),
    }
}

/// Whether an integer is one of 0 up to a modulus.
fn is_below(e: &Int, modulus: &Int, around: &[Counter]) -> bool {
    let least = extreme(Sum::of(e, 1), false, around).and_then(|own| own.number());
    let most = extreme(Sum::of(e, 1).plus(modulus, -1), true, around).and_then(|own| own.number());
    least.is_some_and(|least| least >= 0) && most.is_some_and(|most| most < 0)
}

/// The largest or least value of a sum, with the counters' ends in their places, inner loops first.
fn extreme(sum: Sum, is_largest: bool, around: &[Counter]) -> Option<Sum> {
    around.iter().rev().try_fold(sum, |sum, counter| {
        let at = Int::Local(counter.local);
        let (factor, _) = sum.without(&at)?;
        let end = match (factor, (factor > 0) == is_largest) {
            (0, _) => return Some(sum),
            (_, true) => counter.most.as_ref()?,
            (_, false) => counter.least.as_ref()?,
        };
        Some(sum.plus(&at, factor.checked_neg()?).plus(end, factor))
    })
}

#[cfg(test)]
mod tests {
    use super::settle;
    use polyfold_program::Program;
    use polyfold_replay::terms::{agree, sizes_to_run};

    fn is_settled(head: &str, e: &str) -> bool {
        let text = format!(
            "program p(n) where n >= 1 {{ in A[n]; out B[n]; temporary W[n + 1];
               for j = 0 while j < n step 1 {{ for {head} {{ S0(j, i): W[{e}] = A[j]; S1(j, i): B[j] = W[{e}]; }} }} }}"
        );
        let program = Program::read(&text).expect("a program");
        let after = settle(&program);
        assert!(agree(&program, &after, &sizes_to_run(&program, &after), 100_000).is_ok());
        !after.to_string().contains(['%']) && !after.to_string().contains("mod")
    }

    #[test]
    fn what_lies_below_its_modulus_has_no_remainder() {
        assert!(is_settled("i = 0 while i < n step 1", "i % (n + 1)"));
        assert!(is_settled("i = n - 1 while i >= 0 step -1", "(n - i) mod (n + 1)"));
        assert!(is_settled("i = 0 while i <= j step 1", "(j - i) % n"));
    }

    #[test]
    fn what_may_be_past_its_modulus_keeps_its_remainder() {
        assert!(!is_settled("i = 0 while i <= n step 1", "i % n"));
        assert!(!is_settled("i = 0 while i < n step 1", "(i + j) % (n + 1)"));
        assert!(!is_settled("i = 0 while i < n step 1", "(i - j) mod (n + 1)"));
    }
}
