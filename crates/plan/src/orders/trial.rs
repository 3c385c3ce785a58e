//! One scop, in one order after the other: what storage each needs.
//!
//! Invariant: all orders are counted at the same sizes, which do not depend on the order.

use super::candidates::{Candidate, Written, dates};
use super::found::InOrder;
use super::fusing::{Aim, Fusing};
use super::ordered::in_order;
use super::refused::{MayOverlap, Refused};
use super::wish::Wish;
use crate::optimize::{Known, Optimized, Options, Scope, optimize_knowing};
use crate::prepared::{AliveInOrder, Prepared, Useful};
use crate::sizes::Sizes;
use crate::slack::Slack;
use polyfold_codegen::{LoopForm, TextLimits};
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_nests::Fused;
use polyfold_scop::Scop;
use std::cell::Cell;
use std::rc::Rc;

/// Of more arrays, orders are ranked by what each needs alone: to place them together takes work
/// that grows with the square of their number.
const FEW: usize = 8;

/// Scops of more statements are not peeled.
const MOST_PEELED: usize = 8;

/// A scop in a fused order, and its storage.
pub(super) type Peeled = (Box<InOrder>, Box<Optimized>);

/// Storage that was found in an order.
pub(super) struct Tried {
    /// The order, as an index into the candidates.
    pub(super) place: usize,
    pub(super) cells: u64,
    /// Loops that became one in it; 0 in the source's own.
    loops: usize,
    pub(super) result: Box<Optimized>,
}

impl Tried {
    /// Whether an order that needs at least so many cells, and has so many loops that became one,
    /// is no better.
    fn excels(&self, least: u64, loops: usize) -> bool {
        self.cells < least || self.cells == least && self.loops <= loops
    }
}

/// One scop, in one order after the other.
pub(super) struct Trial<'a> {
    pub(super) ctx: &'a Context,
    pub(super) fusing: &'a Fusing<'a>,
    pub(super) scop: &'a Scop,
    /// Of the source's order, for all sizes.
    pub(super) model: &'a Model<'a>,
    /// With the sizes at which all orders are counted.
    pub(super) options: Options,
    pub(super) sizes: &'a Sizes,
    /// An order that needs more cells is not worth it.
    pub(super) most: u64,
    /// What makes some order illegal.
    pub(super) overlap: &'a Cell<Option<MayOverlap>>,
}

impl Trial<'_> {
    /// The orders by the cells that they seem to need, those that fuse less first among equals;
    /// without those that cannot need the fewest.
    pub(super) fn ranked<'c>(
        &self,
        candidates: &[Candidate<'c>],
        orders: &[Fused],
        tell: &dyn Fn(usize, Option<u64>),
    ) -> Result<Vec<Tried>, Refused> {
        let mut tried: Vec<Tried> = Vec::new();
        for (place, candidate) in candidates.iter().enumerate() {
            tell(place, tried.iter().map(|tried| tried.cells).min());
            let (loops, least) = (candidate.loops, candidate.least(self.trial_scope()));
            if least > self.most || tried.iter().any(|best| best.excels(least, loops)) {
                continue;
            }
            if !candidate.is_kept() && !self.write(candidate, orders)? {
                continue;
            }
            let known = Known { prepared: candidate.prepared(), ..Known::default() };
            let found = self.solve(candidate.in_order(), self.trial_scope(), known);
            tried.extend(found.map(|(cells, result)| Tried { place, cells, loops, result }));
        }
        tried.sort_by_key(|tried| (tried.cells, tried.loops));
        Ok(tried)
    }

    /// Whether there are loops for a fused order; if so, they are ready to be solved.
    fn write<'c>(&self, candidate: &Candidate<'c>, orders: &[Fused]) -> Result<bool, Refused> {
        let Some(order) = candidate.order else { return Ok(true) };
        let new = self.in_order(orders[order].clone(), LoopForm::Plain)?;
        let Some(new) = candidate.written.in_order.get_or_init(|| new) else { return Ok(false) };
        let useful = candidate.written.useful.get_or_init(|| Useful::of(&new.ordered.scop));
        candidate.prepared.get_or_init(|| {
            let options = self.options(&new.ordered.scop);
            Prepared::counted_before(self.ctx, useful, &options, &candidate.alive).ok().map(Rc::new)
        });
        Ok(true)
    }

    /// The best order's storage, with sharing, or the source's if that needs no more cells. That
    /// with fewer values alive comes first. If it needs no more cells than the other has values,
    /// the other need not be solved.
    pub(super) fn solved(&self, candidates: &[Candidate], mut ranked: Vec<Tried>) -> Option<Tried> {
        if ranked.is_empty() || self.trial_scope() == self.options.scope {
            return (!ranked.is_empty()).then(|| ranked.remove(0));
        }
        let kept = candidates.iter().position(Candidate::is_kept).expect("it is one of them");
        let mut both = vec![kept, ranked[0].place];
        both.dedup();
        both.sort_by_key(|place| candidates[*place].least(self.options.scope));
        let mut found: Option<Tried> = None;
        for place in both {
            let (candidate, least) = (&candidates[place], candidates[place].least(self.options.scope));
            let loops = candidate.loops;
            if found.as_ref().is_some_and(|found| found.excels(least, loops)) {
                break;
            }
            let alone = ranked.iter().find(|tried| tried.place == place).map(|tried| &*tried.result);
            let known = Known { prepared: candidate.prepared(), alone, ..Known::default() };
            let solved = self.solve(candidate.in_order(), self.options.scope, known);
            let solved = solved.map(|(cells, result)| Tried { place, cells, loops, result });
            found = found.into_iter().chain(solved).min_by_key(|tried| (tried.cells, tried.loops));
        }
        found
    }

    /// Between what storage is shared while orders are ranked.
    fn trial_scope(&self) -> Scope {
        let own = self.scop.arrays.iter().filter(|array| array.is_temporary() && !array.is_scalar()).count();
        if own > FEW { Scope::Intra } else { self.options.scope }
    }

    /// An order's storage, and its cells, from what is known; `None`: nothing is found, or they
    /// cannot be counted.
    fn solve(&self, order: Option<&InOrder>, scope: Scope, known: Known) -> Option<(u64, Box<Optimized>)> {
        let scop = order.map_or(self.scop, |order| &order.ordered.scop);
        let options = Options { scope, ..self.options(scop) };
        let is_in_rows = order.is_some() && self.fusing.aim == Aim::Rows;
        let options = if is_in_rows { options.in_plain_rows() } else { options };
        let result = optimize_knowing(self.ctx, scop, &options, known, &mut |_| {});
        let mut result = result.ok()?;
        result.sizes.examples.clone_from(&self.sizes.examples);
        let cells = result.cells_after(scop).ok()??;
        Some((cells, Box::new(result)))
    }

    /// The storage of the order that is taken with the cells that the user gives for speed: which
    /// order is best is said without them.
    pub(super) fn with_slack(&self, order: Option<&InOrder>, result: Box<Optimized>) -> Box<Optimized> {
        let slack = self.fusing.options.slack;
        if slack == Slack::NONE {
            return result;
        }
        let options = Options { slack, ..self.options.clone() };
        let known = Known { proposed: Some(&result), ..Known::default() };
        let found = Trial { options, ..*self }.solve(order, self.options.scope, known);
        found.map_or(result, |(_, result)| result)
    }

    /// All orders, those first that may need the fewest cells, the source's first among equals.
    pub(super) fn candidates<'c>(
        &self,
        kept: Rc<Prepared<'c>>,
        orders: &[Fused],
        written: &'c [Written],
    ) -> Vec<Candidate<'c>> {
        let alive = |order: &Fused| kept.alive_in_order(|sizes| dates(self.ctx, order, sizes).ok().flatten());
        let alive: Vec<AliveInOrder> = orders.iter().map(alive).collect();
        let fused = alive.into_iter().zip(written).zip(orders).enumerate();
        let fused = fused.map(|(at, ((alive, written), order))| {
            let changes = order.loops.len() + order.exchanged.len() + order.skewed.len();
            Candidate::fused((at, changes), written, alive)
        });
        let mut all: Vec<Candidate> = fused.collect();
        all.insert(0, Candidate::kept(&written[orders.len()], kept));
        all.sort_by_key(|candidate| candidate.least(self.trial_scope()));
        all
    }

    /// The scop in an order; `None`: no loops are found for it.
    fn in_order(&self, order: Fused, form: LoopForm<'_>) -> Result<Option<InOrder>, Refused> {
        let (source, wish) = (&self.fusing.source, Wish { given: Some(&order.schedule), parallel: &[], form });
        match source.in_bound(self.ctx, || in_order(self.ctx, source, (self.scop, self.model), &wish)) {
            Ok(ordered) => Ok(Some(InOrder { ordered, order })),
            Err(refused) => {
                let overlap = refused.unless_differs()?.overlap();
                self.overlap.set(self.overlap.get().or(overlap));
                Ok(None)
            }
        }
    }

    /// A fused order with its innermost loops peeled, and its storage with the cells that the user
    /// gives for speed, if no more than so many suffice. Of many statements, and for strips, loops
    /// stay whole: each may be written three times, and storage takes work that grows with the
    /// square of their number.
    pub(super) fn peeled(&self, order: &InOrder, cells: u64, unpeeled: &Optimized) -> Result<Option<Peeled>, Refused> {
        let is_long = self.scop.statements.len() > MOST_PEELED;
        if is_long || self.fusing.aim == Aim::Strips {
            return Ok(None);
        }
        let next = self.in_order(order.order.clone(), LoopForm::Peeled)?;
        let differs = |next: &InOrder| next.ordered.scop.program != order.ordered.scop.program;
        let Some(next) = next.filter(differs) else { return Ok(None) };
        let known = Known { proposed: Some(unpeeled), ..Known::default() };
        let options = Options { slack: self.fusing.options.slack, ..self.options.clone() };
        let found = Trial { options, ..*self }.solve(Some(&next), self.options.scope, known);
        let scop = &next.ordered.scop;
        let suffice = |result: &Optimized| result.cells_at(scop, &self.sizes.values).ok();
        let found = found.filter(|(_, result)| suffice(result).is_some_and(|suffice| suffice <= cells));
        Ok(found.map(|(_, result)| (Box::new(next), result)))
    }

    fn options(&self, scop: &Scop) -> Options {
        Options { text: TextLimits::of(self.fusing.source.text, scop), ..self.options.clone() }
    }
}
