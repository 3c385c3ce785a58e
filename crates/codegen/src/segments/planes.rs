//! Rows that go on by what the loop inside goes through: all of them are one loop.
//!
//! ```c
//! double *a_row0 = a[a_at0][0];                    double *a_row0 = a[a_at0][0];
//! const double *a_row1 = a[a_at1][0];              const double *a_row1 = a[a_at1][0];
//! for (int j = 0; j < m; j++) {                    for (long k = 0; k < (long)m * n; k++)
//!   for (int k = 0; k < n; k++)                      a_row0[k] = a_row1[k];
//!     a_row0[k] = a_row1[k];
//!   if (j + 1 < m) {
//!     a_row0 += n;
//!     a_row1 += n;
//!   }
//! }
//! ```
//!
//! Cell k of the row in turn j is `a_row0[j·n + k]`, and the turns go through these in order. Nothing is promised of the one loop: that no turn of the inner one uses what another one writes
//! says nothing of cells in two rows. A vector at the end of each row of ten cells, and what remains of it, takes
//! most of the time of a plane of ten by ten.

use super::Segments;
use super::going_on::Course;
use super::pointed::PointedRow;
use crate::linear::Linear;
use crate::tokens::{Kind, Token, tokens};

/// A loop inside another one, in a text: `for (int k = 0; k < bound; k++) statement`.
struct Inner<'t> {
    counter: &'t str,
    bound: &'t str,
    statement: &'t str,
}

impl Segments<'_> {
    /// One loop for all turns, with a text inside that mentions the pointers; `None`: it is more than such a loop.
    pub(super) fn as_one_loop(
        &self,
        start: &Linear,
        (courses, pointed): (&[Course], &[PointedRow]),
        (body, indent): (&str, &str),
    ) -> Option<String> {
        let all = tokens(body, &(0..body.len()));
        let Inner { counter, bound, statement } = inner(body, &all)?;
        let rows = self.bound_of_condition()?;
        let is_from_0 = start.print_terms(None).is_empty() && start.constant == 0;
        let is_row = courses.len() == pointed.len() && courses.iter().all(|course| course.cells == bound);
        let is_own = self.head.declares_counter() && is_from_0 && is_row;
        if !is_own || !is_of_cells(statement, counter, self.head.counter, pointed) {
            return None;
        }
        let step = &self.step;
        let cells = format!("(long){} * {}", factor(rows), factor(bound));
        Some(format!("for (long {counter} = 0; {counter} < {cells}; {counter}++)\n{indent}{step}{statement}"))
    }

    /// What the counter stays below, if that is all of the condition.
    fn bound_of_condition(&self) -> Option<&str> {
        let rest = self.head.condition.trim().strip_prefix(self.head.counter)?.trim_start().strip_prefix('<')?;
        (!rest.starts_with(['=', '<']) && !rest.contains(['&', '|', '?'])).then(|| rest.trim())
    }
}

/// The text as one such loop with one assignment in it.
fn inner<'t>(text: &'t str, all: &[Token<'t>]) -> Option<Inner<'t>> {
    let all = match all {
        [open, inside @ .., close] if open.is('{') && close.is('}') => inside,
        other => other,
    };
    // What was promised of one row says nothing of cells in two.
    let all = match all {
        [word, rest @ ..] if word.kind == Kind::Word && word.text != "for" => rest,
        other => other,
    };
    let ends: Vec<usize> = (0..all.len()).filter(|at| all[*at].is(';')).collect();
    let [first, second, last] = ends[..] else { return None };
    let [word, open, of, counter, equals, zero] = &all[..first] else { return None };
    let [same, less, .., end] = &all[first + 1..second] else { return None };
    let [again, plus, one_more, close, begin, ..] = &all[second + 1..last] else { return None };
    let is_head = word.text == "for" && open.is('(') && of.text == "int" && equals.is('=') && zero.text == "0";
    let goes_on = same.text == counter.text && less.is('<') && !all[first + 3].is_any(&['=', '<']);
    let is_next = again.text == counter.text && plus.is('+') && one_more.is('+') && close.is(')');
    let is_simple = begin.kind == Kind::Word && last + 1 == all.len();
    (is_head && goes_on && is_next && is_simple).then_some(Inner {
        counter: counter.text,
        bound: &text[all[first + 3].at..end.span().end],
        statement: &text[begin.at..all[last].span().end],
    })
}

/// Whether a statement mentions the counters in nothing but cells of the rows.
fn is_of_cells(statement: &str, counter: &str, outer: &str, pointed: &[PointedRow]) -> bool {
    let all = tokens(statement, &(0..statement.len()));
    let is_row = |t: &Token| pointed.iter().any(|row| row.name == t.text);
    let is_cell = |at: usize| {
        matches!(&all[at..], [row, open, own, close, ..]
            if is_row(row) && open.is('[') && own.text == counter && close.is(']'))
    };
    (0..all.len()).all(|at| {
        let token = &all[at];
        let stands_in_a_cell = || at >= 2 && is_cell(at - 2);
        match token.text {
            "[" => at >= 1 && is_cell(at - 1),
            text if text == counter => stands_in_a_cell(),
            text if text == outer => false,
            _ => !is_row(token) || is_cell(at),
        }
    })
}

/// A size as a factor of a product.
fn factor(size: &str) -> String {
    let is_one = size.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_one { size.to_string() } else { format!("({size})") }
}
