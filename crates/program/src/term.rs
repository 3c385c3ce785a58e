//! What loops add up.
//!
//! Example: `for k = 1 while k < n { x = x + A[k]; }` adds `A[0]` to x where k is 0.
//!
//! Where a counter goes, its type stays: with an `unsigned k` the term `A[k] * k` is `A[0] * (0 as u32)` where k is 0.

use crate::alike::means_the_same;
use crate::{BufferId, Int, IntType, Loop, Op, Place, Stmt, Value};

impl Loop {
    /// What is added to a variable when the counter is `at`, if the loop does nothing else. Another statement that computes the same
    /// computes it in the same types.
    pub fn term(&self, variable: BufferId, at: &Int) -> Option<Value> {
        let [stmt @ Stmt::Assign(own)] = &self.body[..] else { return None };
        let Value::Apply(Op::Add, operands) = &own.value else { return None };
        let sum = Place::Cell { buffer: variable, index: Vec::new() };
        let [Value::Read(before), term] = &operands[..] else { return None };
        let mut uses = 0;
        stmt.each_use(&mut |_, id| uses += usize::from(id == variable));
        let is_sum = own.target == sum && *before == sum && uses == 2 && is_known(term);
        let mut leaf = |leaf: &Int| if *leaf == Int::Local(self.counter) { at.clone() } else { leaf.clone() };
        is_sum.then(|| term.with_leaves(&mut leaf))
    }
}

/// Whether cells, integers and operations that mean the same everywhere are all that is in it.
fn is_known(value: &Value) -> bool {
    match value {
        Value::Read(Place::Cell { index, .. } | Place::Through { index, .. }) => !index.iter().any(Int::has_data),
        Value::Apply(op, operands) => means_the_same(op) && operands.iter().all(is_known),
        Value::Integer(e, held) => *held != IntType::Unknown && !e.has_data(),
        Value::Read(Place::Select(..)) | Value::Choice(..) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{BufferId, Int, IntType, Program, Stmt, Value};

    #[test]
    fn terms_are_those_of_sums_alone() {
        let term = |body: &str| {
            let text =
                format!("program p(n) {{ in A[n]; temporary x; for k: u32 = 1 while k < n step 1 {{ {body} }} }}");
            let program = Program::read(&text).expect("a program");
            let Stmt::For(own) = &program.body[0] else { panic!("{program}") };
            own.term(BufferId(1), &Int::Constant(0))
        };
        let integer = |term: Option<Value>| match term {
            Some(Value::Apply(_, operands)) => operands[1].clone(),
            term => panic!("{term:?}"),
        };
        assert_eq!(integer(term("S0(k): x = x + A[k] * k;")), Value::Integer(Int::Constant(0), IntType::Unsigned(32)));
        assert_eq!(integer(term("S0(k): x = x + A[k] * 2;")), Value::number(2));
        let term = |body: &str| term(body).is_some();
        assert!(term("S0(k): x = x + A[k];") && term("S0(k): x = x + A[n - k] * \"2u\"();"));
        assert!(!term("S0(k): x = x + A[k] * n;"), "nobody says in which type n is");
        assert!(!term("S0(k): x = x + A[k] * \"TWO\"();") && !term("S0(k): x = x + \"sizeof($0)\"(k);"));
        assert!(!term("S0(k): x = x + x;") && !term("S0(k): x = A[k] + x;") && !term("S0(k): x = x - A[k];"));
        assert!(!term("S0(k): x = x + A[k]; S1(k): x = x + 1;"));
    }
}
