//! What compilers are promised of a loop.
//!
//! Rows by pointer, and rows of one buffer, may overlap as far as a compiler sees; it asks in front of each loop, or makes no vectors of
//! it. Where it is proved that iterations may run side by side (`prove::apart_loops`), the loop has a word in front:
//!
//! ```c
//! #if defined __GNUC__ && !defined __clang__
//! #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
//! #else
//! #define POLYFOLD_IVDEP
//! #endif
//! ```
//!
//! Others than gcc have other words, and warn of this one.
//!
//! A loop that stays whole has it also where iterations write what earlier ones have read, statement by statement: `u[j] = u[2 * j] + u[2 * j + 1]`.
//! Where such a loop has pointers to the rows that it writes (`overlapping.rs`), these do as well.
//!
//! Where subscripts divide the counter, gcc would make vectors that gather each cell by itself, which takes longer than none: nothing is
//! promised of such loops.

use super::Segments;
use super::head::reads;
use crate::Decisions;
use crate::edit::{Edit, Edits};
use crate::home::{free_name, words};
use polyfold_scop::{Expr, LoopId, Span};

impl Segments<'_> {
    /// What stands in front of an innermost loop.
    pub(super) fn promise(&self, indent: &str) -> String {
        let Decisions { apart, .. } = self.accesses.decisions;
        if apart.has(self.inside.node.id) { self.promised_unless_gathered(indent) } else { String::new() }
    }

    /// The word, unless vectors of the loop would gather.
    fn promised_unless_gathered(&self, indent: &str) -> String {
        if self.inside.levels > 0 || self.gathers() { String::new() } else { self.promised(indent) }
    }

    /// Whether an access goes on by fractions of a cell, `half[j / 2]`.
    fn gathers(&self) -> bool {
        let (scop, own) = (self.accesses.decisions.scop, self.inside.node.id);
        let accesses = self.inside.statements.iter().flat_map(|id| &scop.statement(*id).accesses);
        let mut last = accesses.filter_map(|access| access.subscripts.as_ref()?.last());
        last.any(|subscript| divides(subscript, own))
    }

    /// The loop with another body and what is promised of it; `None`: it has neither. What has neither rows by pointer, subscripts by
    /// name nor rows of one buffer is told apart without.
    pub(super) fn promised_whole(&self, body: &str, is_new: bool) -> Option<Edit> {
        let Span { start, end } = self.inside.node.span;
        let has_names = !self.known.rows.is_empty() || !self.known.names.is_empty();
        let seem_to_overlap = has_names || self.accesses.have_one_buffer(&self.inside.statements);
        let is_proved = self.accesses.decisions.apart.are_in_order(self.inside.node.id);
        let promise =
            if seem_to_overlap && is_proved { self.promised_unless_gathered(&self.indent()) } else { String::new() };
        // gcc warns of promises for loops whose iterations it cannot count.
        if promise.is_empty() || self.head.condition.contains(['&', '?']) {
            return is_new.then(|| Edit { span: self.head.body.start..end, text: body.to_string() });
        }
        Some(Edit { span: start..end, text: format!("{promise}{}{body}", self.source_head()) })
    }

    /// Whether something is promised of the loop's parts, or of its iterations near each other.
    pub(super) fn has_promise(&self) -> bool {
        let Decisions { apart, .. } = self.accesses.decisions;
        apart.has(self.inside.node.id) || apart.safe_distance(self.inside.node.id).is_some()
    }

    /// The word, in a line of its own.
    pub(super) fn promised(&self, indent: &str) -> String {
        format!("{}\n{indent}", word_of_promise(self.accesses.decisions.scop, self.accesses.source))
    }
}

/// Whether an expression divides something that reads a loop's counter.
fn divides(expr: &Expr, id: LoopId) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Parameter(_) | Expr::Iterator(_) => false,
        Expr::Add(a, b) | Expr::Select(_, a, b) => divides(a, id) || divides(b, id),
        Expr::Scale(_, inner) => divides(inner, id),
        Expr::Divide(inner, _) | Expr::Remainder(inner, _) => reads(inner, id),
    }
}

/// The lines that say what the word means, if a text has it.
pub(crate) fn promise_lines(source: &str, decisions: &Decisions, edits: &Edits) -> Vec<String> {
    let own = word_of_promise(decisions.scop, source);
    if !edits.texts().flat_map(words).any(|(_, word)| word == own) {
        return Vec::new();
    }
    vec![
        "#if defined __GNUC__ && !defined __clang__".to_string(),
        format!("#define {own} _Pragma(\"GCC ivdep\") /* no iteration uses a cell that one before it writes */"),
        "#else".to_string(),
        format!("#define {own}"),
        "#endif".to_string(),
    ]
}

/// What stands in front of a loop of which something is promised.
pub(crate) fn word_of_promise(scop: &polyfold_scop::Scop, source: &str) -> String {
    free_name("POLYFOLD_IVDEP", scop, source)
}
