//! Integers as C.
//!
//! Example: the cell of i and j of an array that C has in one dimension is `A[i * n + j]`.
//!
//! In which types they are computed is said in [`typed`](crate::typed).

use crate::expression::{Expressions, Printed};
use crate::kept::Kept;
use crate::typed::{Limit, Meeting, Node, Setting, Typed};
use polyfold_program::{Buffer, Home, Int, IntOp, IntType, Layout, Level, Relation};

impl Expressions<'_> {
    /// The text; integers that are kept stand as the source writes them.
    pub(crate) fn int(&self, e: &Int, kept: &Kept) -> Printed {
        printed(self.typed(e, Setting::of(kept)))
    }

    /// The text of an integer as one of a type.
    pub(crate) fn int_as(&self, e: &Int, held: Option<IntType>) -> Printed {
        self.integer(e, held.unwrap_or(IntType::Unknown), &Kept::default())
    }

    /// The text of an integer in a value; what is kept stands as the source writes it.
    pub(crate) fn integer(&self, e: &Int, held: IntType, kept: &Kept) -> Printed {
        let typed = self.typed(e, Setting::of(kept));
        match held.in_c() {
            Some(word) if typed.held != Some(held) => {
                Printed::new(Level::Unary, format!("({word}){}", printed(typed).within(Level::Unary)))
            }
            _ => printed(typed),
        }
    }

    /// The subscripts of a cell, in brackets.
    pub(crate) fn subscripts(&self, buffer: &Buffer, index: &[Int], kept: &Kept) -> String {
        let subscript =
            |e: &Int, limit| format!("[{}]", printed(self.typed(e, Setting { kept, limit })).within(Level::Whole));
        match buffer.layout {
            Layout::Rows => {
                let limit =
                    |extent: &Option<Int>| self.rows_of(extent.as_ref()).filter(|_| buffer.home == Home::Inside);
                let limit = |extent| limit(extent).map(|values| Limit { values, depth: 0 });
                let limits = buffer.extents.iter().map(limit).chain(std::iter::repeat(None));
                index.iter().zip(limits).map(|(e, limit)| subscript(e, limit)).collect()
            }
            Layout::Flat => subscript(&flat(index, &buffer.extents).0, None),
            Layout::NarrowFlat => {
                let (e, depth) = flat(index, &buffer.extents);
                subscript(&e, IntType::INT.values().map(|values| Limit { values, depth }))
            }
        }
    }

    /// `left relation right`
    pub(crate) fn compared(&self, relation: Relation, pair: [&Int; 2], kept: &Kept) -> Printed {
        let both = self.met(pair, Setting::of(kept), Meeting::Compared);
        let [left, right] = both.map(|e| printed(e).within(Level::Sum));
        Printed::new(Level::Comparison, format!("{left} {} {right}", relation.sign()))
    }
}

pub(crate) fn printed(e: Typed) -> Printed {
    match e.node {
        Node::Number(value) => {
            let level = if value < 0 { Level::Unary } else { Level::Primary };
            Printed::new(level, value.to_string())
        }
        Node::Word(printed) => printed,
        Node::Cast(inner) => Printed::new(Level::Unary, format!("(long){}", printed(*inner).within(Level::Unary))),
        Node::Choice(cond, both) => {
            let [yes, no] = both.map(printed);
            // One choice within another reads better in parentheses.
            let (yes, no) = (yes.within(Level::Or), no.within(Level::Choice));
            Printed::new(Level::Choice, format!("{cond} ? {yes} : {no}"))
        }
        Node::Operation(op, both) => operation(op, *both),
    }
}

fn operation(op: IntOp, both: [Typed; 2]) -> Printed {
    let (sign, level) = match op {
        IntOp::Add => ("+", Level::Sum),
        IntOp::Subtract => ("-", Level::Sum),
        IntOp::Multiply => ("*", Level::Product),
        IntOp::Divide => ("/", Level::Product),
        IntOp::Remainder => ("%", Level::Product),
        other => unreachable!("{other:?} is made of other operations"),
    };
    // `(i % 2) * n` reads better without the rule that says so.
    let is_rest = matches!(both[0].node, Node::Operation(IntOp::Divide | IntOp::Remainder, _));
    let needed = if op == IntOp::Multiply && is_rest { Level::Unary } else { level };
    let is_negated = op == IntOp::Subtract && matches!(both[0].node, Node::Number(0));
    let [left, right] = both.map(printed);
    match is_negated {
        true => {
            let text = right.within(Level::Unary);
            let text = if text.starts_with('-') { format!("({text})") } else { text };
            Printed::new(Level::Unary, format!("-{text}"))
        }
        false => Printed::new(level, format!("{} {sign} {}", left.within(needed), right.within(level.inside()))),
    }
}

/// The one subscript for all dimensions of rows, `i * n + j`, and how many operations it begins with, one within the other. A
/// row whose number is 0 adds nothing.
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
        let names = Names::of(&|_| Some("int".to_string()));
        let c = statements(&program, &names, "").expect("it is printed");
        let line = c.lines().nth(1).expect("an assignment").trim().trim_end_matches(" = 0;");
        line.to_string()
    }

    /// Subscripts in the tree, and in C.
    fn check(types: [&str; 3], all: &[(&str, &str)]) {
        for (tree, c) in all {
            assert_eq!(subscript(types, tree), *c, "{tree}");
        }
    }

    #[test]
    fn what_may_be_past_int_is_long() {
        let all = [
            ("B[(i + m) % n]", "B[((long)i + m) % n]"),
            ("B[n + 2 * n]", "B[n + 2 * n]"),
            ("B[i - n]", "B[i - n]"),
            ("B[m * m]", "B[(long)m * m]"),
            ("B[n - 2 * m]", "B[n - 2 * (long)m]"),
        ];
        check(["i32", "i32", "i32"], &all);
    }

    #[test]
    fn what_may_wrap_around_is_long() {
        let all = [
            ("B[i - n]", "B[i - (long)n]"),
            ("B[(i + n) % n]", "B[(i + n) % n]"),
            ("B[(m - n) mod n]", "B[((m - (long)n) % (long)n + (long)n) % (long)n]"),
            ("B[(i < n ? i : n)]", "B[i < n ? i : n]"),
            ("B[(m < n ? m : n)]", "B[m < (long)n ? m : (long)n]"),
        ];
        check(["u64", "i32", "u32"], &all);
        check(["unknown", "i32", "i32"], &[("B[i + n]", "B[i + (long)n]"), ("B[n]", "B[n]")]);
        check(["u8", "i32", "u8"], &[("B[i - n]", "B[i - n]")]);
    }

    #[test]
    fn rows_in_one_dimension_are_long_unless_all_cells_have_narrow_numbers() {
        let all = [
            ("F[i % 2][i]", "F[(long)(i % 2) * m + i]"),
            ("F[1][i]", "F[(long)m + i]"),
            ("N[i % 2][i + 1]", "N[(i % 2) * m + i + 1]"),
            ("N[i % 2][i - 1]", "N[(i % 2) * m + (i - 1)]"),
            ("N[0][i + m]", "N[i + m]"),
        ];
        check(["i32", "i32", "i32"], &all);
    }

    /// Sums in which each level needs a cast are typed once for each level.
    #[test]
    fn deep_sums_are_short_work() {
        let deep = format!("i{}", " - n * m".repeat(100));
        assert!(subscript(["u64", "u64", "u64"], &format!("B[{deep}]")).starts_with("B[(long)i - "));
    }
}
