//! What compilers are promised of a loop.
//!
//! Rows by pointer, and rows of one buffer, may overlap as far as a compiler sees; it asks in front of each loop, or makes no vectors of
//! it. Where it is proved that no iteration uses a cell that another one writes (`prove::apart_loops`), the loop has a word in front:
//!
//! ```c
//! #if defined __GNUC__ && !defined __clang__
//! #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that another one writes */
//! #else
//! #define POLYFOLD_IVDEP
//! #endif
//! ```
//!
//! Others than gcc have other words, and warn of this one. clang warns where it does not make vectors of what is promised to it, and does not ask whether they are worth it; so it
//! has a promise, `POLYFOLD_IVDEP_ROWS`, of straight-line loops (`straight.rs`) alone that go through rows by pointer and use once each buffer that they write. Of others it may make
//! none for reasons of its own, as where it keeps what one iteration read for the next one.
//!
//! Where subscripts divide the counter, gcc would make vectors that gather each cell by itself, which takes longer than none: nothing is
//! promised of such loops.

use super::Segments;
use super::head::reads;
use super::pointed::PointedRow;
use crate::Decisions;
use crate::edit::{Edit, Edits};
use crate::home::{free_name, words};
use polyfold_scop::{Expr, LoopId, Span};
use std::collections::BTreeSet;

impl Segments<'_> {
    /// What stands in front of an innermost loop with a body; `rows`: what has pointers in front of it.
    pub(super) fn promise(&self, indent: &str, body: &str, rows: &[PointedRow]) -> String {
        let Decisions { apart, .. } = self.accesses.decisions;
        let has_pointers =
            || self.known.rows.iter().chain(rows).any(|row| words(body).any(|(_, word)| word == row.name));
        let is_plain = self.inside.levels == 0 && apart.is_plain(self.inside.node.id);
        match self.may_be_promised() {
            true => self.promised(indent),
            false if is_plain && has_pointers() && self.is_straight(body) => self.in_its_line(Compilers::All, indent),
            false => String::new(),
        }
    }

    /// Whether something may stand in front of an innermost loop.
    pub(super) fn may_be_promised(&self) -> bool {
        let Decisions { apart, .. } = self.accesses.decisions;
        self.inside.levels == 0 && apart.has(self.inside.node.id) && !self.gathers()
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
        let promise = if has_names || self.accesses.have_one_buffer(&self.inside.statements) {
            self.promise(&self.indent(), body, &[])
        } else {
            String::new()
        };
        // gcc warns of promises for loops whose iterations it cannot count.
        if promise.is_empty() || self.head.condition.contains(['&', '?']) {
            return is_new.then(|| Edit { span: self.head.body.start..end, text: body.to_string() });
        }
        Some(Edit { span: start..end, text: format!("{promise}{}{body}", self.source_head()) })
    }

    /// Whether something is promised of the loop, or of its iterations near each other.
    pub(super) fn has_promise(&self) -> bool {
        let Decisions { apart, .. } = self.accesses.decisions;
        apart.has(self.inside.node.id) || apart.safe_distance(self.inside.node.id).is_some()
    }

    /// The word for gcc, in a line of its own.
    pub(super) fn promised(&self, indent: &str) -> String {
        self.in_its_line(Compilers::Gcc, indent)
    }

    fn in_its_line(&self, to: Compilers, indent: &str) -> String {
        format!("{}\n{indent}", word(to, self.accesses.decisions.scop, self.accesses.source))
    }

    /// Whether a text is one of the words.
    pub(super) fn is_promise(&self, text: &str) -> bool {
        Compilers::BOTH.iter().any(|to| word(*to, self.accesses.decisions.scop, self.accesses.source) == text)
    }
}

/// To whom something is promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compilers {
    All,
    Gcc,
}

impl Compilers {
    const BOTH: [Compilers; 2] = [Compilers::All, Compilers::Gcc];
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

/// The lines that say what the words mean that a text has.
pub(crate) fn promise_lines(source: &str, decisions: &Decisions, edits: &Edits) -> Vec<String> {
    let used: BTreeSet<&str> = edits.texts().flat_map(words).map(|(_, word)| word).collect();
    let own = Compilers::BOTH.map(|to| (to, word(to, decisions.scop, source)));
    own.iter().filter(|(_, own)| used.contains(own.as_str())).flat_map(|(to, own)| lines(*to, own)).collect()
}

fn lines(to: Compilers, own: &str) -> Vec<String> {
    let says = "/* no iteration uses a cell that another one writes */";
    let (clang, gcc) = ("clang loop vectorize(assume_safety)", "GCC ivdep");
    let of_all = [
        "#if defined __clang__".to_string(),
        format!("#define {own} _Pragma(\"{clang}\") {says}"),
        "#elif defined __GNUC__".to_string(),
        format!("#define {own} _Pragma(\"{gcc}\")"),
    ];
    let of_gcc =
        ["#if defined __GNUC__ && !defined __clang__".to_string(), format!("#define {own} _Pragma(\"{gcc}\") {says}")];
    let first = match to {
        Compilers::All => of_all.to_vec(),
        Compilers::Gcc => of_gcc.to_vec(),
    };
    first.into_iter().chain(["#else".to_string(), format!("#define {own}"), "#endif".to_string()]).collect()
}

fn word(to: Compilers, scop: &polyfold_scop::Scop, source: &str) -> String {
    let name = match to {
        Compilers::All => "POLYFOLD_IVDEP_ROWS",
        Compilers::Gcc => "POLYFOLD_IVDEP",
    };
    free_name(name, scop, source)
}
