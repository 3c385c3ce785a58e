//! Local integers that stand for what they are declared as.
//!
//! Behind `int at = i + k - 1;` the text `(i + k - 1)` means what `at` does, as long as its names mean the same there and C converts nothing.
//! Then the variable can go from a text, with its declaration.

use super::Lowering;
use super::facts::scop_range;
use polyfold_c::syntax::{Expression, ExpressionKind, Statement, Storage, VariableId};
use polyfold_scop::{Span, StandIn};

impl Lowering<'_> {
    /// Notes a variable that never changes after this declaration.
    pub(super) fn note_stand_in(&mut self, id: VariableId, value: &Expression, declared: &Statement) {
        let site = self.site;
        let variable = &site.unit.variables[id];
        let is_plain = variable.storage == Storage::Local && self.scalar_of(value) == variable.scalar;
        let behind = declared.span.end..scop_range(site).end;
        let uses: Vec<Span> = (self.facts.named(&variable.name, behind.clone()))
            .filter(|(_, named)| *named == id)
            .map(|(at, _)| at..at + variable.name.len())
            .collect();
        let last = uses.last().map_or(behind.start, |last| last.end);
        let is_written_out = |span: &Span| site.expanded.segment_around(span).is_none() && site.expanded.is_whole(span);
        let all = std::iter::once(&declared.span).chain(&uses);
        if !is_plain || !all.clone().all(is_written_out) || !self.means_the_same(value, behind.start..last) {
            return;
        }
        let in_file = |span: &Span| site.expanded.to_file(span);
        self.stand_ins.push(StandIn {
            name: in_file(&variable.name_span),
            value: in_file(&value.span),
            uses: uses.iter().map(in_file).collect(),
        });
    }

    /// Whether no name of an expression is another variable's in some stretch of text.
    fn means_the_same(&self, value: &Expression, stretch: Span) -> bool {
        let mut is_same = true;
        value.walk(&mut |e| {
            if let ExpressionKind::Name(name, id) = &e.kind {
                is_same &= self.facts.named(name, stretch.clone()).all(|(_, named)| Some(named) == *id);
            }
        });
        is_same
    }
}
