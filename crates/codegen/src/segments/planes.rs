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
use super::head::Head;
use super::pointed::PointedRow;
use crate::linear::Linear;
use crate::tokens::{Token, tokens};
use polyfold_scop::{Expr, Loop};

impl Segments<'_> {
    /// One loop for all turns, of which `body` is the text of one with the pointers; `None`: a turn does more than go through whole rows.
    pub(super) fn as_one_loop(
        &self,
        start: &Linear,
        (courses, pointed): (&[Course], &[PointedRow]),
        (body, indent): (&str, &str),
    ) -> Option<String> {
        let [inner] = self.inside.inner[..] else { return None };
        let head = Head::of(self.accesses.source, inner, &self.variables).ok()?;
        let (rows, cells) = (bound(&self.head)?, bound(&head)?);
        let is_from_0 = start.print_terms(None).is_empty() && start.constant == 0 && inner.first == Expr::Constant(0);
        let is_row = courses.len() == pointed.len() && courses.iter().all(|course| course.cells == cells);
        let are_own = self.head.declares_counter() && head.declares_counter() && inner.step == 1;
        let statement = self.only_statement(inner, &head, body)?;
        if !is_from_0 || !is_row || !are_own || !is_of_cells(statement, head.counter, self.head.counter, pointed) {
            return None;
        }
        let (counter, step) = (head.counter, &self.step);
        let all = format!("(long){} * {}", factor(rows), factor(cells));
        Some(format!("for (long {counter} = 0; {counter} < {all}; {counter}++)\n{indent}{step}{statement}"))
    }

    /// The statement of the inner loop, if that, and what is promised of it, is all of a turn's text. What was promised of one row says nothing of cells in two.
    fn only_statement<'t>(&self, inner: &Loop, head: &Head, body: &'t str) -> Option<&'t str> {
        let source_head = &self.accesses.source[inner.span.start..head.body.start];
        let body = body.strip_prefix('{').and_then(|body| body.strip_suffix('}')).unwrap_or(body);
        let (before, statement) = body.split_once(source_head)?;
        let promise = self.promised("");
        let is_all = [String::new(), promise.trim().to_string()].iter().any(|own| own == before.trim());
        let is_simple = statement.matches(';').count() == 1 && statement.trim_end().ends_with(';');
        (is_all && is_simple && !statement.contains('{')).then(|| statement.trim())
    }
}

/// What the counter stays below, if that is all of the condition.
fn bound<'h>(head: &'h Head) -> Option<&'h str> {
    let rest = head.condition.trim().strip_prefix(head.counter)?.trim_start().strip_prefix('<')?;
    (!rest.starts_with(['=', '<']) && !rest.contains(['&', '|', '?'])).then(|| rest.trim())
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
