//! What the function says about a loop's counter, for those that write other loops.
//!
//! A counter that is declared in front of its loop keeps a value behind it. Nobody sees that if every mention that may come later
//! stands in a `for` loop that sets the counter first:
//!
//! ```text
//! #pragma endscop
//!   for (i = 0; i < n; i++) …      never reads what the scop left in i
//! ```
//!
//! Over-approximation: other ways to set it before it is read count as reads.

use super::Lowering;
use super::facts::scop_range;
use polyfold_c::macros::pieces;
use polyfold_c::syntax::{
    Expression, ExpressionKind, ForStart, Scalar, Statement, StatementKind, Storage, Variable, VariableId,
};
use polyfold_scop::{Counter, Outside, Span};

impl Lowering<'_> {
    /// The counter of a loop; `own`: the loop declares it.
    pub(super) fn counter(&mut self, id: VariableId, own: bool) -> Counter {
        let variable = &self.site.unit.variables[id];
        let (bytes, signed) = match variable.scalar {
            Scalar::Integer { bytes, signed } => (bytes, signed),
            Scalar::Floating { bytes } => (bytes, true),
            Scalar::Unknown => (0, false),
        };
        let hidden = self.hidden(id, variable);
        let outside = if own { None } else { Some(Box::new(self.outside(id, variable))) };
        Counter { element: variable.element.clone(), bytes, signed, hidden, outside }
    }

    /// The first macro call of the scop from which the counter comes, and not as it stands in the call.
    fn hidden(&self, id: VariableId, variable: &Variable) -> Option<Span> {
        let name = &variable.name;
        let mentions = self.facts.named(name, scop_range(self.site)).filter(|(_, meant)| *meant == id);
        mentions.filter_map(|(at, _)| self.site.expanded.segment_at(at)).find_map(|segment| {
            let call = &self.site.expanded.segments[segment].replaces;
            let words: Vec<String> = pieces(&self.site.source[call.clone()]).into_iter().map(|p| p.text).collect();
            let is_plain = words.contains(name) && !words.iter().any(|word| self.site.table.mentions(word, name));
            (!is_plain).then(|| call.clone())
        })
    }

    fn outside(&mut self, id: VariableId, variable: &Variable) -> Outside {
        let mentions = self.mentions_outside(id, variable);
        Outside {
            declaration: self.declaration(variable),
            bare: !variable.has_initializer || variable.constant.is_some(),
            mentioned: !mentions.is_empty(),
            seen: self.seen(id, variable, &mentions),
        }
    }

    /// Where the function names it in front of the scop and behind it, but for its declaration.
    fn mentions_outside(&self, id: VariableId, variable: &Variable) -> Vec<usize> {
        let (scop, body) = (scop_range(self.site), self.site.function.body.span.clone());
        let named = self.facts.named(&variable.name, body).filter(|(_, meant)| *meant == id).map(|(at, _)| at);
        named.filter(|at| !scop.contains(at) && *at != variable.name_span.start).collect()
    }

    /// Where the value may be read that the scop leaves in it.
    fn seen(&self, id: VariableId, variable: &Variable, mentions: &[usize]) -> Option<Span> {
        let in_file = |at: usize| self.site.expanded.to_file(&(at..at + 1));
        let is_strange = variable.attribute.is_some() || self.strange_mention(id, variable).is_some();
        if is_strange {
            return Some(in_file(variable.name_span.start));
        }
        let comes_again = self.site.repeats || variable.storage == Storage::StaticLocal;
        let behind = scop_range(self.site).end;
        let mut setting = Vec::new();
        setting_loops(&self.site.function.body, id, &mut setting);
        let is_set = |at: usize| setting.iter().any(|span: &Span| span.contains(&at));
        mentions.iter().copied().find(|at| (comes_again || *at >= behind) && !is_set(*at)).map(in_file)
    }
}

/// The `for` loops that begin by setting a variable.
fn setting_loops(statement: &Statement, id: VariableId, found: &mut Vec<Span>) {
    match &statement.kind {
        StatementKind::For { start, body, .. } => {
            if matches!(start, ForStart::Expression(e) if sets(e, id)) {
                found.push(statement.span.clone());
            }
            setting_loops(body, id, found);
        }
        StatementKind::Block(all) | StatementKind::Other(_, all, _) => {
            all.iter().for_each(|inner| setting_loops(inner, id, found));
        }
        StatementKind::If(_, then, otherwise) => {
            setting_loops(then, id, found);
            otherwise.iter().for_each(|inner| setting_loops(inner, id, found));
        }
        StatementKind::Label(_, inner) => setting_loops(inner, id, found),
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => {}
    }
}

/// `variable = value`, where the value does not mention it.
fn sets(e: &Expression, id: VariableId) -> bool {
    let ExpressionKind::Assign(operator, place, value) = &e.kind else { return false };
    let mut is_read = false;
    value.walk(&mut |part| is_read |= part.variable() == Some(id));
    operator == "=" && place.variable() == Some(id) && !is_read
}
