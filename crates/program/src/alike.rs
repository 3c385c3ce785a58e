//! Assignments that say the same, but for where cells are.
//!
//! Example: `P[i][j] = 2 * A[i][j];` and `Q[k][l] = 2 * A[k][0];`. Counters may stand in subscripts
//! only: elsewhere they have other values.
//!
//! A word may mean something else at each place, as an enumerator does. Only words of the language
//! are taken to be the same.
//!
//! Integers are alike if they have the same type. Where nobody knows it, they aren't.

use crate::{Assign, BufferId, Cond, Int, IntType, Op, Place, Program, StatementId, Stmt, Value};

/// Words that mean the same everywhere.
const OF_THE_LANGUAGE: [&str; 9] = ["char", "short", "int", "long", "float", "double", "signed", "unsigned", "const"];

impl Program {
    /// The assignment that a statement of the source is. `None`: it is something else, or stands
    /// several times.
    pub fn assignment(&self, statement: StatementId) -> Option<&Assign> {
        let (mut found, mut count) = (None, 0);
        let mut visit = |stmt| {
            if Stmt::instance(stmt).is_some_and(|(id, _)| id == statement) {
                count += 1;
                found = if let Stmt::Assign(own) = stmt { Some(own) } else { None };
            }
        };
        self.body.iter().for_each(|stmt| stmt.each(&mut visit));
        found.filter(|_| count == 1)
    }
}

impl Assign {
    /// Whether a cell gets what another one holds, and that is all.
    pub fn is_copy(&self) -> bool {
        let is_cell = |place: &Place| matches!(place, Place::Cell { .. });
        !self.declares && is_cell(&self.target) && matches!(&self.value, Value::Read(from) if is_cell(from))
    }

    /// Whether another one's value is the same operations, in the same types, on cells of the same buffers of a program.
    pub fn is_alike(&self, other: &Assign) -> bool {
        let (own, others) = (anywhere(&self.value), anywhere(&other.value));
        !self.declares && !other.declares && own == others && is_the_same_everywhere(&own)
    }
}

/// A value with cells of buffers, wherever these are.
fn anywhere(value: &Value) -> Value {
    let somewhere = |buffer: BufferId| Place::Cell { buffer, index: Vec::new() };
    value.with_cells(&mut |place| match place {
        Place::Cell { buffer, .. } => somewhere(buffer),
        other => other,
    })
}

/// What is no counter, and isn't decided by data.
fn is_fixed(e: &Int) -> bool {
    let mut has_counter = false;
    e.each(&mut |e| has_counter |= matches!(e, Int::Local(_) | Int::Data(_)));
    !has_counter
}

fn is_the_same_everywhere(value: &Value) -> bool {
    match value {
        Value::Read(place) => matches!(place, Place::Cell { .. }),
        Value::Integer(e, held) => *held != IntType::Unknown && is_fixed(e),
        Value::Apply(op, operands) => means_the_same(op) && operands.iter().all(is_the_same_everywhere),
        Value::Choice(cond, yes, no) => {
            asks_the_same(cond) && is_the_same_everywhere(yes) && is_the_same_everywhere(no)
        }
    }
}

fn asks_the_same(cond: &Cond) -> bool {
    match cond {
        Cond::Data(value) => is_the_same_everywhere(value),
        Cond::Compare(_, left, right) => is_fixed(left) && is_fixed(right),
        Cond::And(left, right) | Cond::Or(left, right) => asks_the_same(left) && asks_the_same(right),
        Cond::Not(inner) => asks_the_same(inner),
    }
}

pub(crate) fn means_the_same(op: &Op) -> bool {
    match op {
        Op::Call(_) | Op::Volatile => false,
        Op::Leaf(text) => {
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
            words.all(|word| {
                word.is_empty()
                    || word.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                    || OF_THE_LANGUAGE.contains(&word)
            })
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Assign, Program, StatementId};

    fn of(program: &Program, id: usize) -> &Assign {
        program.assignment(StatementId(id)).expect("it is an assignment")
    }

    #[test]
    fn values_are_alike_wherever_their_cells_are() {
        let body = |value: &str| {
            let other = "for let i = 0 while i < n step 1 { S0(i): B[i] = 2 * A[i]; }";
            let text = format!(
                "program p(n, m: i32) {{ in \"double\": f64 A[n]; out \"double\": f64 B[n]; in \"int\": i32 C[n]; {other} for let k = 0 while k < n step 1 {{ S1(k): B[k] = {value}; }} }}"
            );
            Program::read(&text).expect("a program")
        };
        let is_alike = |value: &str| {
            let program = body(value);
            of(&program, 0).is_alike(of(&program, 1))
        };
        assert!(is_alike("2 * A[n - 1 - k]"));
        assert!(!is_alike("2 * B[k]") && !is_alike("A[k] * 2") && !is_alike("3 * A[k]"));
        let with_itself = |value: &str| {
            let program = body(value);
            of(&program, 1).is_alike(of(&program, 1))
        };
        assert!(with_itself("\"(double)$0\"(A[k])") && with_itself("\"2.5f\"()"));
        assert!(with_itself("7") && with_itself("A[k] + (2 - C[k] * 0.5)"));
        assert!(with_itself("2 * C[k]") && with_itself("A[k] * (C[k] + (2 as u32))") && with_itself("C[k] < m"));
        assert!(!is_alike("(2 as u32) * A[k]"), "another type");
        assert!(!with_itself("n * C[k]") && !with_itself("(2 as unknown) * C[k]"), "no type");
        assert!(!with_itself("C[k] * k"), "another value for another k");
        assert!(!with_itself("\"$0\"(k)") && !with_itself("\"(real)$0\"(A[k])") && !with_itself("\"LIMIT\"()"));
    }

    #[test]
    fn a_copy_is_one_cell_for_another() {
        let is_copy = |stmt: &str| {
            let text = format!("program p(n) {{ in A[n]; out B[n]; {stmt} }}");
            let program = Program::read(&text).expect("a program");
            program.assignment(StatementId(0)).is_some_and(Assign::is_copy)
        };
        assert!(is_copy("S0(): B[0] = A[n - 1];"));
        assert!(!is_copy("S0(): B[0] = -A[0];") && !is_copy("S0(): B[0] = A[0]; S0(): B[1] = A[1];"));
    }
}
