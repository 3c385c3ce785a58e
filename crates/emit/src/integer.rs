//! Integers as C, in types that hold them.
//!
//! The idea: C computes `a + b` in the common type of both. Where that type doesn't hold an operand or the sum, the first
//! operand that is no number becomes a `long`: so does everything behind it.
//!
//! ```text
//! i - n + 3         size_t i, n       (long)i - (long)n + 3
//! (i + 2 * n) % n   int i, n          (i + 2 * (long)n) % n, unless n is small
//! (i + 1) % n       size_t i, n       stays: nothing is below 0
//! ```
//!
//! The source's own text for an integer stays, in the type that it has there.

use crate::expression::{Expressions, Printed};
use crate::kept::Kept;
use crate::ranges::{of_operation, within};
use polyfold_program::{Buffer, Cond, Int, IntOp, IntType, Layout, Level, Relation, Values};

/// An integer in C.
#[derive(Clone, Debug)]
struct Typed {
    printed: Printed,
    /// What C computes it in; `None`: it has no bounds.
    held: Option<IntType>,
    values: Values,
}

/// Whether a `long` is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Any,
    Long,
}

/// What is kept, and where values lie.
#[derive(Clone, Copy)]
struct Within<'a, 's> {
    kept: &'a Kept<'s>,
    limit: Option<Limit>,
}

/// Where the values of an integer lie, and those of the operations that it begins with.
#[derive(Clone, Copy)]
struct Limit {
    values: Values,
    /// How many operations, one within the other.
    depth: usize,
}

/// How two operands meet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    Computed(IntOp),
    Chosen,
    Compared,
}

impl Expressions<'_> {
    /// The text; integers that are kept stand as the source writes them.
    pub(crate) fn int(&self, e: &Int, kept: &Kept) -> Printed {
        self.typed(e, Within { kept, limit: None }, Want::Any).printed
    }

    /// The subscripts of a cell, in brackets.
    pub(crate) fn subscripts(&self, buffer: &Buffer, index: &[Int], kept: &Kept) -> String {
        let subscript = |e: &Int, limit| {
            format!("[{}]", self.typed(e, Within { kept, limit }, Want::Any).printed.within(Level::Whole))
        };
        match buffer.layout {
            Layout::Rows => index.iter().map(|e| subscript(e, None)).collect(),
            Layout::Flat => subscript(&flat(index, &buffer.extents).0, None),
            Layout::NarrowFlat => {
                let (e, depth) = flat(index, &buffer.extents);
                subscript(&e, IntType::INT.values().map(|values| Limit { values, depth }))
            }
        }
    }

    /// `left relation right`
    pub(crate) fn compared(&self, relation: Relation, pair: [&Int; 2], kept: &Kept) -> Printed {
        let ([left, right], _) = self.met(pair, Within { kept, limit: None }, Want::Any, Meeting::Compared);
        let [left, right] = [left, right].map(|e| e.printed.within(Level::Sum));
        Printed::new(Level::Comparison, format!("{left} {} {right}", relation.sign()))
    }

    fn typed(&self, e: &Int, inside: Within, want: Want) -> Typed {
        let typed = match self.word(e, inside.kept) {
            Some(word) if is_wanted(word.held, want) => word,
            Some(word) => as_long(word),
            None if is_summed(e) => self.computed(e, inside, want),
            None => {
                let typed = self.computed(e, inside, Want::Any);
                if is_wanted(typed.held, want) { typed } else { as_long(typed) }
            }
        };
        Typed { values: inside.limit.map_or(typed.values, |limit| within(typed.values, limit.values)), ..typed }
    }

    /// What isn't computed here; `None`: it is.
    fn word(&self, e: &Int, kept: &Kept) -> Option<Typed> {
        let values = self.ranges.int(e);
        let primary =
            |text: &str, held| Typed { printed: Printed::new(Level::Primary, text.to_string()), held, values };
        if let Some((written, cell)) = kept.written(e) {
            let printed = Printed::new(written.level, written.whole.clone());
            return Some(Typed { printed, held: written.held, values: cell.map_or(values, |own| within(values, own)) });
        }
        if let Some(named) = self.named.iter().find(|own| own.value == *e) {
            return Some(primary(&named.name, Some(named.held)));
        }
        Some(match e {
            Int::Parameter(id) => {
                let own = &self.program.parameters[id.0];
                primary(&own.name, own.held)
            }
            Int::Local(id) => primary(self.local(*id), self.program.locals[id.0].held),
            Int::Data(value) => Typed { printed: self.value(value, None), held: Some(IntType::Unknown), values },
            Int::Constant(value) => {
                let held = if IntType::INT.holds(values) { IntType::INT } else { IntType::LONG };
                let level = if *value < 0 { Level::Unary } else { Level::Primary };
                Typed { printed: Printed::new(level, value.to_string()), held: Some(held), values }
            }
            Int::Binary(..) | Int::Select(..) => return None,
        })
    }

    fn computed(&self, e: &Int, inside: Within, want: Want) -> Typed {
        match e {
            Int::Select(cond, yes, no) => {
                let cond = self.cond(cond, None).within(Level::Or);
                let inside = Within { limit: None, ..inside };
                let (both, held) = self.met([yes, no], inside, want, Meeting::Chosen);
                let [yes, no] = both.map(|e| e.printed.within(Level::Choice));
                let printed = Printed::new(Level::Choice, format!("{cond} ? {yes} : {no}"));
                Typed { printed, held, values: self.ranges.int(e) }
            }
            Int::Binary(op, left, right) => match in_operations_of_c(*op, left, right) {
                Some(e) => self.computed(&e, inside, want),
                None => self.binary(*op, [left, right], inside, want),
            },
            other => unreachable!("{other:?} is a word"),
        }
    }

    fn binary(&self, op: IntOp, pair: [&Int; 2], inside: Within, want: Want) -> Typed {
        let (both, held) = self.met(pair, inside, want, Meeting::Computed(op));
        let values = of_operation(op, both[0].values, both[1].values);
        let [left, right] = both.map(|e| e.printed);
        let (sign, level) = match op {
            IntOp::Add => ("+", Level::Sum),
            IntOp::Subtract => ("-", Level::Sum),
            IntOp::Multiply => ("*", Level::Product),
            IntOp::Divide => ("/", Level::Product),
            IntOp::Remainder => ("%", Level::Product),
            other => unreachable!("{other:?} is made of other operations"),
        };
        let printed = match op {
            IntOp::Subtract if *pair[0] == Int::Constant(0) => {
                let text = right.within(Level::Unary);
                let text = if text.starts_with('-') { format!("({text})") } else { text };
                Printed::new(Level::Unary, format!("-{text}"))
            }
            _ => {
                // `(i % 2) * n` reads better without the rule that says so.
                let needed = if op == IntOp::Multiply && !is_summed(pair[0]) { Level::Unary } else { level };
                Printed::new(level, format!("{} {sign} {}", left.within(needed), right.within(level.inside())))
            }
        };
        Typed { printed, held, values }
    }

    /// Two operands in a type that holds both, and what comes of them.
    fn met(&self, [left, right]: [&Int; 2], inside: Within, want: Want, meeting: Meeting) -> ([Typed; 2], Held) {
        let left_limit = inside.limit.filter(|limit| limit.depth > 0);
        let left_limit = left_limit.map(|limit| Limit { depth: limit.depth - 1, ..limit });
        let behind = Within { limit: left_limit.map(|limit| Limit { depth: 0, ..limit }), ..inside };
        let (limit, inside) = (inside.limit, Within { limit: left_limit, ..inside });
        let [long_left, long_right] =
            [(left, inside), (right, behind)].map(|(e, inside)| move || self.typed(e, inside, Want::Long));
        let both = [self.typed(left, inside, Want::Any), self.typed(right, behind, Want::Any)];
        let fits = |both: &[Typed; 2]| is_wanted(common(both), want) && are_held(both, meeting, limit);
        if fits(&both) {
            let held = common(&both);
            return (both, held);
        }
        // Casts of numbers say nothing.
        let is_number = |e: &Int| e.as_constant().is_some();
        let [first, second] = both;
        let one_left = [long_left(), second.clone()];
        let one_right = [first, long_right()];
        let both = match (is_number(left), is_number(right)) {
            (false, _) if fits(&one_left) => one_left,
            (_, false) if fits(&one_right) => one_right,
            _ => [long_left(), long_right()],
        };
        let held = common(&both);
        (both, held)
    }
}

/// What C holds an integer in; `None`: it has no bounds.
type Held = Option<IntType>;

fn common(both: &[Typed; 2]) -> Held {
    Some(both[0].held?.with(both[1].held?))
}

fn is_wanted(held: Held, want: Want) -> bool {
    want == Want::Any || matches!(held, None | Some(IntType::LONG))
}

/// Whether the common type holds two operands and what comes of them.
fn are_held(both: &[Typed; 2], meeting: Meeting, limit: Option<Limit>) -> bool {
    let Some(held) = common(both) else { return true };
    let are_operands = both.iter().all(|e| held.holds(e.values));
    match meeting {
        Meeting::Computed(op) => {
            let values = of_operation(op, both[0].values, both[1].values);
            are_operands && held.holds(limit.map_or(values, |limit| within(values, limit.values)))
        }
        // Compilers warn where a sign goes.
        Meeting::Chosen | Meeting::Compared => {
            are_operands && (held.is_signed() || both.iter().all(|e| e.is_natural()))
        }
    }
}

impl Typed {
    /// Whether its type has no sign, or it is a number.
    fn is_natural(&self) -> bool {
        self.held.is_some_and(|held| !held.is_signed()) || self.values.0 == self.values.1
    }
}

/// The same as a `long`.
fn as_long(e: Typed) -> Typed {
    let text = format!("(long){}", e.printed.within(Level::Unary));
    Typed { printed: Printed::new(Level::Unary, text), held: Some(IntType::LONG), values: e.values }
}

/// An operation that C doesn't have, in those that it has.
fn in_operations_of_c(op: IntOp, e: &Int, b: &Int) -> Option<Int> {
    let with = |op: IntOp, left: Int| Int::binary(op, left, b.clone());
    Some(match op {
        IntOp::FloorModulo => with(IntOp::Remainder, with(IntOp::Add, with(IntOp::Remainder, e.clone()))),
        IntOp::FloorDivide => {
            let less = Int::binary(IntOp::Subtract, e.clone(), with(IntOp::FloorModulo, e.clone()));
            with(IntOp::Divide, less)
        }
        IntOp::Minimum | IntOp::Maximum => {
            let relation = if op == IntOp::Minimum { Relation::Less } else { Relation::Greater };
            let cond = Cond::compare(e.clone(), relation, b.clone());
            Int::Select(Box::new(cond), Box::new(e.clone()), Box::new(b.clone()))
        }
        IntOp::Add | IntOp::Subtract | IntOp::Multiply | IntOp::Divide | IntOp::Remainder => return None,
    })
}

/// Whether a `long` operand makes it one, and stands in it as well as in front of it.
fn is_summed(e: &Int) -> bool {
    !matches!(e, Int::Binary(op, ..) if !matches!(op, IntOp::Add | IntOp::Subtract | IntOp::Multiply))
}

/// The one subscript for all dimensions of rows, `i * n + j`, and of how many operations it is made. A row whose number is 0
/// adds nothing.
fn flat(index: &[Int], extents: &[Option<Int>]) -> (Int, usize) {
    let mut rest = extents.iter().zip(index);
    let Some((_, first)) = rest.next() else { return (Int::Constant(0), 0) };
    let begun = (first.clone(), 0);
    rest.fold(begun, |(flat, depth), (extent, e)| match (flat, extent) {
        (Int::Constant(0), _) => (e.clone(), 0),
        (Int::Constant(1), Some(extent)) => added(extent.clone(), e, 0),
        (flat, Some(extent)) => added(Int::binary(IntOp::Multiply, flat, extent.clone()), e, depth + 1),
        (flat, None) => added(flat, e, depth),
    })
}

/// A number of rows and a place in the next one; a number that is added comes last. One that is taken away stays: the sum
/// without it may be past the last cell.
fn added(rows: Int, e: &Int, depth: usize) -> (Int, usize) {
    match e {
        Int::Constant(0) => (rows, depth),
        Int::Binary(IntOp::Add, e, by) if matches!(**by, Int::Constant(0..)) => {
            let sum = Int::binary(IntOp::Add, rows, (**e).clone());
            (Int::binary(IntOp::Add, sum, (**by).clone()), depth + 2)
        }
        e => (Int::binary(IntOp::Add, rows, e.clone()), depth + 1),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Names, statements};
    use polyfold_program::Program;

    /// A subscript of one dimension, for sizes n and m and the counter i of these types; W on the stack has n cells.
    fn subscript(types: [&str; 3], text: &str) -> String {
        let [n, m, i] = types;
        let text = format!(
            "program p(n: {n}, m: {m}) where m >= 1 {{ out B[n]; temporary W[n] stack; temporary F[n, m] heap;
               temporary N[n, m] narrow heap;
               for let i: {i} = 0 while i < m step 1 {{ S0(i): {text} = 0; }} }}"
        );
        let program = Program::read(&text).expect("a program");
        let names = Names { counter: &|_| Some("int".to_string()), pragmas: &|_| None, declared: &[] };
        let c = statements(&program, &names, "").expect("it is printed");
        let line = c.lines().nth(1).expect("an assignment").trim().trim_end_matches(" = 0;");
        line.to_string()
    }

    #[test]
    fn what_may_be_past_int_is_long() {
        let of = |text: &str| subscript(["i32", "i32", "i32"], text);
        assert_eq!(of("B[(i + m) % n]"), "B[((long)i + m) % n]");
        assert_eq!(of("B[(i + n) % n]"), "B[((long)i + n) % n]");
        assert_eq!(of("B[n + 2 * n]"), "B[n + 2 * n]");
        assert_eq!(of("B[i - n]"), "B[i - n]");
        assert_eq!(of("B[m * m]"), "B[(long)m * m]");
        assert_eq!(of("B[n - 2 * m]"), "B[n - 2 * (long)m]");
    }

    #[test]
    fn what_may_wrap_around_is_long() {
        let of = |text: &str| subscript(["u64", "i32", "u32"], text);
        assert_eq!(of("B[i - n]"), "B[i - (long)n]");
        assert_eq!(of("B[(i + n) % n]"), "B[(i + n) % n]");
        assert_eq!(of("B[(m - n) mod n]"), "B[((m - (long)n) % (long)n + (long)n) % (long)n]");
        assert_eq!(of("B[(i < n ? i : n)]"), "B[i < n ? i : n]");
        assert_eq!(of("B[(m < n ? m : n)]"), "B[m < (long)n ? m : (long)n]");
        assert_eq!(subscript(["unknown", "i32", "i32"], "B[i + n]"), "B[i + (long)n]");
        assert_eq!(subscript(["unknown", "i32", "i32"], "B[n]"), "B[n]");
    }

    #[test]
    fn rows_in_one_dimension_are_long_unless_all_cells_have_narrow_numbers() {
        let of = |text: &str| subscript(["i32", "i32", "i32"], text);
        assert_eq!(of("F[i % 2][i]"), "F[(long)(i % 2) * m + i]");
        assert_eq!(of("N[i % 2][i + 1]"), "N[(i % 2) * m + i + 1]");
        assert_eq!(of("N[i % 2][i - 1]"), "N[(i % 2) * m + (i - 1)]");
        assert_eq!(of("N[0][i + m]"), "N[i + m]");
        assert_eq!(of("F[1][i]"), "F[(long)m + i]");
    }
}
