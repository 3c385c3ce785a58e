//! What the loops around say of an innermost one.

use crate::Decisions;
use crate::linear::Linear;
use crate::values::counter_in_isl;
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_scop::{Comparison, Condition, Expr, Loop, LoopId};

/// An innermost loop, with the sizes and counters of those around it as parameters.
pub(super) struct LoopFrame {
    /// How many loops are around it.
    pub(super) outer: usize,
    /// These, and the loop itself.
    pub(super) around: Vec<LoopId>,
    /// The first value of its counter.
    first: PwAff,
    /// The last value that its counter may have.
    pub(super) last: PwAff,
    /// Sizes and counters for which the loop is reached, or more.
    pub(super) context: Set,
}

impl LoopFrame {
    /// A loop, the last one of those around its statements; `None`: it goes down, or its bounds are neither sums nor minima and maxima of such.
    pub(super) fn of(decisions: &Decisions, around: &[LoopId], own: &Loop) -> Result<Option<LoopFrame>> {
        let loops = decisions.scop.loops();
        let sums = Sums { decisions, around };
        let (Some((first, last)), Some((_, outer))) = (sums.ends(own)?, around.split_last()) else { return Ok(None) };
        let mut context = decisions.proved.clone();
        for (k, id) in outer.iter().enumerate() {
            let Some((first, last)) = sums.ends(loops[id.0])? else { continue };
            let name = counter_in_isl(k);
            let counter = PwAff::read(context.context(), &format!("[{name}] -> {{ [({name})] }}"))?;
            context = context.intersect(&counter.at_least(&first)?)?.intersect(&last.at_least(&counter)?)?;
        }
        Ok(Some(LoopFrame { outer: outer.len(), around: around.to_vec(), first, last, context }))
    }

    /// The first value of a loop's counter, the last one of those around its statements; `None`: it is neither a sum nor a minimum or maximum of sums.
    pub(super) fn first_value(decisions: &Decisions, around: &[LoopId], own: &Loop) -> Result<Option<PwAff>> {
        Sums { decisions, around }.function(&own.first, 0)
    }

    /// What sizes and the counters of loops around are called in isl notation, the last one of these loops aside.
    pub(super) fn names<'a>(decisions: &'a Decisions, around: &'a [LoopId]) -> Names<'a> {
        Names { decisions, outer: around.split_last().map_or(&[], |(_, outer)| outer) }
    }

    /// The same where sizes and counters are known to be in a set.
    pub(super) fn within(self, known: &Set) -> Result<LoopFrame> {
        Ok(LoopFrame { context: self.context.intersect(known)?, ..self })
    }

    /// Its iterations, or more, as a set that depends on sizes and outer counters.
    pub(super) fn iterations(&self) -> Result<Set> {
        let ctx = self.context.context();
        let all = |end: &PwAff, relation: &str| {
            end.graph()?.apply(&Map::read(ctx, &format!("{{ [e] -> [x] : {relation} }}"))?)
        };
        all(&self.first, "x >= e")?.intersect(&all(&self.last, "x <= e")?)?.intersect_params(&self.context)
    }

    /// The counter's first value, whether there is an iteration or not, as a set that depends on sizes and outer counters.
    pub(super) fn first_turn(&self) -> Result<Set> {
        self.first.graph()?.intersect_params(&self.context)
    }

    /// Whether the counter could begin by so much earlier whenever the loop is reached: it is not negative then, and there is an iteration.
    pub(super) fn may_begin_before(&self, by: i64) -> Result<bool> {
        let number = |number: i64| PwAff::read(self.context.context(), &format!("{{ [({number})] }}"));
        let first = self.first.sub(&number(by)?)?;
        let runs = self.last.at_least(&first)?.intersect(&first.at_least(&number(0)?)?)?;
        self.context.is_subset(&runs)
    }

    /// Whether the loop has an iteration whenever it is reached.
    pub(super) fn always_runs(&self) -> Result<bool> {
        self.context.is_subset(&self.last.at_least(&self.first)?)
    }
}

/// Sizes and counters in isl notation.
pub(super) struct Names<'a> {
    decisions: &'a Decisions<'a>,
    outer: &'a [LoopId],
}

impl Names<'_> {
    /// The name of one; `None`: it is neither.
    pub(super) fn of(&self, name: &str) -> Option<String> {
        let Decisions { scop, parameters, .. } = *self.decisions;
        let loops = scop.loops();
        let counter = self.outer.iter().position(|id| loops[id.0].iterator == name).map(counter_in_isl);
        counter.or_else(|| scop.parameters.iter().position(|p| p.name == name).map(|k| parameters[k].clone()))
    }

    /// All names, as isl declares them.
    pub(super) fn all(&self) -> String {
        let outer = (0..self.outer.len()).map(counter_in_isl);
        self.decisions.parameters.iter().cloned().chain(outer).collect::<Vec<_>>().join(", ")
    }
}

/// Sums of sizes and counters, and minima and maxima of them.
struct Sums<'a> {
    decisions: &'a Decisions<'a>,
    around: &'a [LoopId],
}

impl Sums<'_> {
    /// The first and the last value that the counter of a loop that goes up may have.
    fn ends(&self, l: &Loop) -> Result<Option<(PwAff, PwAff)>> {
        let Condition::Compare(left, comparison, right) = &l.condition else { return Ok(None) };
        let is_counter = |side: &Expr| matches!(side, Expr::Iterator(id) if *id == l.id);
        let (bound, is_strict) = match comparison {
            Comparison::Less | Comparison::LessEqual if is_counter(left) => (right, *comparison == Comparison::Less),
            Comparison::Greater | Comparison::GreaterEqual if is_counter(right) => {
                (left, *comparison == Comparison::Greater)
            }
            _ => return Ok(None),
        };
        if l.step < 0 {
            return Ok(None);
        }
        let (Some(first), Some(last)) = (self.function(&l.first, 0)?, self.function(bound, -i64::from(is_strict))?)
        else {
            return Ok(None);
        };
        Ok(Some((first, last)))
    }

    /// An expression plus a number.
    fn function(&self, expr: &Expr, number: i64) -> Result<Option<PwAff>> {
        let names = LoopFrame::names(self.decisions, self.around);
        let Some(text) = self.in_isl(expr, &names) else { return Ok(None) };
        let text = format!("[{}] -> {{ [({text} + {number})] }}", names.all());
        PwAff::read(self.decisions.proved.context(), &text).map(Some)
    }

    /// A sum, or the larger or smaller one of two.
    fn in_isl(&self, expr: &Expr, names: &Names) -> Option<String> {
        if let Some((is_max, one, other)) = expr.as_extremum() {
            let of_both = if is_max { "max" } else { "min" };
            return Some(format!("{of_both}({}, {})", self.in_isl(one, names)?, self.in_isl(other, names)?));
        }
        let scop = self.decisions.scop;
        Linear::of(expr, &scop.show(expr), scop)?.in_isl(|name| names.of(name))
    }
}
