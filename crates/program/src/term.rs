//! What loops add up.
//!
//! Example: `for k = 1 while k < n { x = x + A[k]; }` adds `A[0]` to x where k is 0.
//!
//! Nobody says in which type C computes an integer: of `x * 1` and `x * k` one may be an `int` and the other one `unsigned`. So terms
//! are made of cells, and counters stand in subscripts only.

use crate::alike::means_the_same;
use crate::{BufferId, Int, Loop, Op, Place, Stmt, Value};

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
        let is_sum = own.target == sum && *before == sum && uses == 2 && is_of_cells(term);
        let mut leaf = |leaf: &Int| if *leaf == Int::Local(self.counter) { at.clone() } else { leaf.clone() };
        is_sum.then(|| term.with_leaves(&mut leaf))
    }
}

fn is_of_cells(value: &Value) -> bool {
    match value {
        Value::Read(Place::Cell { index, .. } | Place::Through { index, .. }) => !index.iter().any(Int::has_data),
        Value::Apply(op, operands) => means_the_same(op) && operands.iter().all(is_of_cells),
        Value::Read(Place::Select(..)) | Value::Integer(_) | Value::Choice(..) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{BufferId, Int, Program, Stmt};

    #[test]
    fn terms_are_those_of_sums_alone() {
        let term = |body: &str| {
            let text = format!("program p(n) {{ in A[n]; temporary x; for k = 1 while k < n step 1 {{ {body} }} }}");
            let program = Program::read(&text).expect("a program");
            let Stmt::For(own) = &program.body[0] else { panic!("{program}") };
            own.term(BufferId(1), &Int::Constant(0)).is_some()
        };
        assert!(term("S0(k): x = x + A[k];") && term("S0(k): x = x + A[n - k] * \"2u\"();"));
        assert!(!term("S0(k): x = x + A[k] * k;") && !term("S0(k): x = x + A[k] * 2;"));
        assert!(!term("S0(k): x = x + A[k] * \"TWO\"();") && !term("S0(k): x = x + \"sizeof($0)\"(k);"));
        assert!(!term("S0(k): x = x + x;") && !term("S0(k): x = A[k] + x;") && !term("S0(k): x = x - A[k];"));
        assert!(!term("S0(k): x = x + A[k]; S1(k): x = x + 1;"));
    }
}
