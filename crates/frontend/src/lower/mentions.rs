//! Mentions of an array that nothing else has understood.
//!
//! The idea: what the walk has understood in the scop is counted against the tree, and what the tree shows against
//! the tokens that the compiler reads. An array with a mention left over is used in a way that we do not see.
//!
//! Example: `int u[sizeof t]` in the scop mentions `t` in a type, which the walk does not enter; `LAST` behind the
//! scop, a macro for `t[n - 1]` that is defined there, is `t` in the compiler's text only.
//!
//! Over-approximation: a label or tag of the array's name counts as a mention, too.

use super::Lowering;
use super::facts::scop_range;
use polyfold_c::compiled::{Word, lines_of};
use polyfold_c::syntax::{Variable, VariableId};
use polyfold_scop::Span;

impl Lowering<'_> {
    /// Where a variable is mentioned in a way that nobody has understood.
    pub(super) fn strange_mention(&self, id: VariableId, variable: &Variable) -> Option<String> {
        let scop = scop_range(self.site);
        let body = &self.site.function.body.span;
        let compiled = &self.site.compiled;
        let name = &variable.name;
        for (words, range) in [(compiled.before, body.start..scop.start), (compiled.after, scop.end..body.end)] {
            if let Some(line) = self.line_left_over(words, name, range) {
                return Some(format!("it is also named outside the scop, at line {line}, in a way that {UNKNOWN}"));
            }
        }
        // Scalars also stand in bounds and conditions, which are not walked.
        let unfollowed = if variable.is_scalar() { None } else { self.unfollowed(id, variable, scop.clone()) };
        let line = unfollowed.or_else(|| self.line_left_over(compiled.inside, name, scop));
        line.map(|line| format!("it is named at line {line} in a way that {UNKNOWN}"))
    }

    /// The line of a mention in the scop that the walk has not come by.
    fn unfollowed(&self, id: VariableId, variable: &Variable, scop: Span) -> Option<usize> {
        let mut mentions = self.facts.named(&variable.name, scop).filter(|(_, meant)| *meant == id);
        let is_followed = |at: usize| at == variable.name_span.start || self.followed.contains(&at);
        mentions.find(|(at, _)| !is_followed(*at)).map(|(at, _)| self.line(&(at..at)))
    }

    /// The line of a mention that only one of compiler and parser sees.
    fn line_left_over(&self, words: &[Word], name: &str, range: Span) -> Option<usize> {
        let parsed: Vec<usize> = self.facts.named(name, range).map(|(at, _)| self.line(&(at..at + 1))).collect();
        let compiled = lines_of(words, name);
        match compiled.len() >= parsed.len() {
            true => left_over(compiled, parsed),
            false => left_over(parsed, compiled),
        }
    }
}

const UNKNOWN: &str = "polyfold does not follow";

/// The first of the lines that has no partner among the others.
fn left_over(lines: Vec<usize>, mut others: Vec<usize>) -> Option<usize> {
    if lines.len() == others.len() {
        return None;
    }
    lines.into_iter().find(|line| match others.iter().position(|other| other == line) {
        Some(partner) => {
            others.swap_remove(partner);
            false
        }
        None => true,
    })
}
