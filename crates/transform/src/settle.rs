//! Remainders that change nothing go.
//!
//! ```text
//! for i = 0 while i < n { B[i] = W[i mod (n + 1)]; }   becomes   for i = 0 while i < n { B[i] = W[i]; }
//! ```
//!
//! The idea: a remainder goes where its value is from 0 on and below the modulus, by what loops' counters are
//! ([`counters`](crate::counters)).
//!
//! Limit: conditions around a statement say nothing here.

use crate::counters::{Counter, is_between};
use polyfold_program::{Int, IntOp, Loop, Place, Program, Stmt};

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
        Int::Binary(IntOp::Remainder | IntOp::FloorModulo, value, modulus)
            if is_between(value, (0, modulus, -1), around) =>
        {
            settled(value, around)
        }
        Int::Binary(op, left, right) => Int::binary(*op, settled(left, around), settled(right, around)),
        other => other.clone(),
    }
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
        assert!(is_settled("i = 1 while i < n - 1 step 1", "i % (n <= 2 ? 2 : n - 1)"));
        assert!(is_settled("i = 1 while i < n - 1 step 1", "i % (n == 1 ? 1 : n - 1)"));
    }

    #[test]
    fn what_may_be_past_its_modulus_keeps_its_remainder() {
        assert!(!is_settled("i = 0 while i <= n step 1", "i % n"));
        assert!(!is_settled("i = 0 while i < n step 1", "i % (n <= 2 ? 1 : n)"));
        assert!(!is_settled("i = 0 while i < n step 1", "(i + j) % (n + 1)"));
        assert!(!is_settled("i = 0 while i < n step 1", "(i - j) mod (n + 1)"));
    }
}
