//! Conditions of the source in isl notation.

use crate::Decisions;
use crate::linear::Linear;
use crate::values::counter_in_isl;
use polyfold_scop::{Comparison, Condition, Expr, LoopId};

/// How sizes and counters are called in isl notation.
pub(super) struct Spelling<'a> {
    pub(super) decisions: &'a Decisions<'a>,
    /// All loops around, the innermost last.
    pub(super) around: &'a [LoopId],
    /// The loop's own counter.
    pub(super) own: &'a str,
}

impl Spelling<'_> {
    /// `None`: it asks for data, or something in it divides or is chosen.
    pub(super) fn condition(&self, condition: &Condition) -> Option<String> {
        let joined = |all: &[Condition], word: &str| {
            let all = all.iter().map(|one| self.condition(one)).collect::<Option<Vec<_>>>()?;
            (!all.is_empty()).then(|| format!("({})", all.join(word)))
        };
        match condition {
            Condition::Unknown => None,
            Condition::Not(inner) => Some(format!("not {}", self.condition(inner)?)),
            Condition::All(all) => joined(all, " and "),
            Condition::Any(all) => joined(all, " or "),
            Condition::Compare(a, comparison, b) => {
                let sign = match comparison {
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterEqual => ">=",
                    Comparison::Equal => "=",
                    Comparison::NotEqual => "!=",
                };
                Some(format!("({} {sign} {})", self.sum(a)?, self.sum(b)?))
            }
        }
    }

    fn sum(&self, expr: &Expr) -> Option<String> {
        let Decisions { scop, parameters, .. } = *self.decisions;
        let loops = scop.loops();
        let counter = |name: &str| {
            let place = self.around.iter().position(|id| loops[id.0].iterator == name)?;
            Some(if place + 1 == self.around.len() { self.own.to_string() } else { counter_in_isl(place) })
        };
        let size = |name: &str| scop.parameters.iter().position(|p| p.name == name).map(|k| parameters[k].clone());
        Linear::of(expr, &scop.show(expr), scop)?.in_isl(|name| counter(name).or_else(|| size(name)))
    }
}
