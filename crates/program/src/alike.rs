//! Assignments that say the same, but for where cells are.
//!
//! Example: `P[i][j] = 2 * A[i][j];` and `Q[k][l] = 2 * A[k][0];`. Counters may stand in subscripts
//! only: elsewhere they have other values.
//!
//! A word may mean something else at each place, as an enumerator does. Only words of the language
//! are taken to be the same.
//!
//! Nobody says in which type C computes an integer, which may be an `int` here and `unsigned` there. Where it meets a floating
//! number, or is all of the value, its type doesn't matter.

use crate::{Assign, BufferId, Cond, Int, Op, Place, Program, Real, StatementId, Stmt, Value};

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
    pub fn is_alike(&self, other: &Assign, program: &Program) -> bool {
        let (own, others) = (anywhere(&self.value), anywhere(&other.value));
        let is_same = match &own {
            Value::Integer(e) => is_fixed(e),
            own => Alike { program }.is_the_same_everywhere(own),
        };
        !self.declares && !other.declares && own == others && is_same
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

struct Alike<'a> {
    program: &'a Program,
}

impl Alike<'_> {
    fn is_the_same_everywhere(&self, value: &Value) -> bool {
        match value {
            Value::Read(place) => matches!(place, Place::Cell { .. }),
            Value::Integer(_) => false,
            Value::Apply(op, operands) => means_the_same(op) && self.are_the_same(operands, is_arithmetic(op)),
            Value::Choice(cond, yes, no) => {
                self.asks_the_same(cond) && self.are_the_same(&[(**yes).clone(), (**no).clone()], true)
            }
        }
    }

    /// Whether all are, and an integer becomes a floating number, if values meet in one type.
    fn are_the_same(&self, values: &[Value], do_meet: bool) -> bool {
        let is_real = do_meet && values.iter().any(|own| self.is_real(own));
        values.iter().all(|own| match own {
            Value::Integer(e) => is_real && is_fixed(e),
            own => self.is_the_same_everywhere(own),
        })
    }

    /// Whether a value is known to be a floating number.
    fn is_real(&self, value: &Value) -> bool {
        match value {
            Value::Read(Place::Cell { buffer, .. }) => {
                Real::called(&self.program.buffers[buffer.0].element.text).is_some()
            }
            Value::Apply(Op::Leaf(text), _) => is_real_literal(text) || is_cast_to_real(text),
            Value::Apply(op, operands) => is_arithmetic(op) && operands.iter().any(|own| self.is_real(own)),
            Value::Read(_) | Value::Integer(_) | Value::Choice(..) => false,
        }
    }

    fn asks_the_same(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Data(value) => self.is_the_same_everywhere(value),
            Cond::Compare(_, left, right) => is_fixed(left) && is_fixed(right),
            Cond::And(left, right) | Cond::Or(left, right) => self.asks_the_same(left) && self.asks_the_same(right),
            Cond::Not(inner) => self.asks_the_same(inner),
        }
    }
}

/// Whether operands meet in one type, in which the result is, too.
fn is_arithmetic(op: &Op) -> bool {
    matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Negate)
}

/// `(double)$0`
fn is_cast_to_real(text: &str) -> bool {
    let cast = text.strip_suffix("$0").and_then(|text| text.trim_end().strip_prefix('(')?.strip_suffix(')'));
    cast.is_some_and(|name| Real::called(name.trim()).is_some())
}

/// `0.5`, `2.5f`
fn is_real_literal(text: &str) -> bool {
    text.contains('.') && text.trim_end_matches(['f', 'F', 'l', 'L']).parse::<f64>().is_ok()
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
                "program p(n) {{ in \"double\" A[n]; out \"double\" B[n]; in \"int\": i32 C[n]; {other} for let k = 0 while k < n step 1 {{ S1(k): B[k] = {value}; }} }}"
            );
            Program::read(&text).expect("a program")
        };
        let is_alike = |value: &str| {
            let program = body(value);
            of(&program, 0).is_alike(of(&program, 1), &program)
        };
        assert!(is_alike("2 * A[n - 1 - k]"));
        assert!(!is_alike("2 * B[k]") && !is_alike("A[k] * 2") && !is_alike("3 * A[k]"));
        let with_itself = |value: &str| {
            let program = body(value);
            of(&program, 1).is_alike(of(&program, 1), &program)
        };
        assert!(with_itself("\"(double)$0\"(A[k])") && with_itself("\"2.5f\"()"));
        assert!(with_itself("7") && with_itself("A[k] + (2 - C[k] * 0.5)"));
        assert!(!with_itself("2 * C[k]") && !with_itself("A[k] * (C[k] + 2)") && !with_itself("C[k] < 2"));
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
