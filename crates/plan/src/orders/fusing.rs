//! Of several fused orders, the one whose storage is smallest.
//!
//! What fusing saves is known only when storage has been found, and can be less than nothing: two
//! arrays that shared all their cells may both be alive in a fused loop. So storage is looked for
//! in all orders, that with the fewest values alive at once first ([`trial`](super::trial)). The
//! search ends when no other order can need fewer cells, or as many with less fused. The best order
//! is taken only if its storage, with sharing, needs fewer cells than that of the source's order.
//!
//! An innermost loop of the best order whose statements run for different values of its counter is
//! peeled then, unless that needs more cells.

use super::candidates::Written;
use super::found::{Found, InOrder, Kept, Stuck};
use super::own_arrays::with_own_arrays;
use super::proposed::Proposed;
use super::refused::Refused;
use super::trial::Trial;
use super::{Source, for_all_sizes};
use crate::optimize::{Options, in_bound};
use crate::prepared::{Prepared, Useful};
use crate::slack::Slack;
use polyfold_codegen::{TextLimits, pieces};
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_scop::{Scop, StatementId};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What loops are fused for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The fewest cells.
    Cells,
    /// The fewest cells with innermost loops whole.
    Rows,
    /// The fewest cells, in loops that are cut into strips afterwards.
    Strips,
}

/// What the search looks at.
pub enum Looking {
    /// Which orders there are.
    Orders,
    /// One of them.
    Order {
        /// Which one, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// The fewest cells so far.
        cells: Option<u64>,
    },
}

/// A search for fused orders.
pub struct Fusing<'a> {
    /// What scops come from.
    pub source: Source<'a>,
    /// For the storage; what the text does not allow depends on the order.
    pub options: Options,
    /// What loops are fused for.
    pub aim: Aim,
    /// The scop read with some constants at their values; `None`: it isn't understood so.
    pub at_values: &'a dyn Fn(&[String]) -> Option<Scop>,
    /// Hears of what the search looks at.
    pub tell: &'a dyn Fn(Looking),
}

/// What became of a scop as it was read.
pub struct InReading {
    /// What became of it.
    pub found: Found,
    /// The scop, with more arrays, perhaps.
    pub scop: Scop,
}

impl Fusing<'_> {
    /// A scop as it is read, or in another reading where loops stay apart and that reading lets
    /// them need fewer cells.
    ///
    /// Where loops stay apart since several use a temporary for values of their own, each gets its
    /// own array. Then they may wait for another one's.
    ///
    /// # Errors
    /// When isl fails, or a program in a new order computes something else.
    pub fn fuse(&self, ctx: &Context, scop: &Scop) -> Result<InReading, Refused> {
        let mut best = InReading { found: self.at_some_values(ctx, scop)?, scop: scop.clone() };
        while let Some(scop) = with_own_arrays(&self.source, &best.scop, &best.found.reused(&best.scop))? {
            let found = self.at_some_values(ctx, &scop)?;
            if !found.is_better(&best.found) {
                break;
            }
            best = InReading { found, scop };
        }
        Ok(best)
    }

    /// A scop as it is read, or with constants at their values, where that lets loops be fused and
    /// saves so much that it is worth an assertion.
    ///
    /// A constant that is a size, such as the radius of a filter, stands for all sizes, and a loop
    /// from −R to R may need what comes any number of iterations later. At its value it does not;
    /// the result asserts that value.
    fn at_some_values(&self, ctx: &Context, scop: &Scop) -> Result<Found, Refused> {
        let mut best = self.as_read(ctx, scop, u64::MAX)?;
        let (mut names, mut pinned) = (best.bounded_by(scop), Vec::new());
        while !names.is_empty() {
            pinned.append(&mut names);
            let Some(read) = (self.at_values)(&pinned) else { break };
            let read = with_own_arrays(&self.source, &read, &gone(scop))?.unwrap_or(read);
            let most = best.cells().map_or(u64::MAX, |cells| cells / 10 * 9 + cells % 10 * 9 / 10);
            let found = self.as_read(ctx, &read, most)?;
            names = found.bounded_by(&read);
            if found.is_better(&best) && found.cells().is_some_and(|cells| cells <= most) {
                best = found;
            }
        }
        Ok(best)
    }

    /// A scop as it is read; an order that needs more cells than so many is not worth it.
    fn as_read(&self, ctx: &Context, scop: &Scop, most: u64) -> Result<Found, Refused> {
        if let Err(obstacle) = pieces(self.source.text, scop, &[]) {
            return Ok(Found::Stuck(Stuck::NoNewLoops(obstacle)));
        }
        let past_bound = || Ok(Found::Stuck(Stuck::PastBound));
        let options = Options { text: TextLimits::of(self.source.text, scop), ..self.options.clone() };
        let useful = Useful::of(scop);
        let Some(prepared) = in_bound(Prepared::of(ctx, &useful, &options))?.map(Rc::new) else { return past_bound() };
        let (general, bound) = (for_all_sizes(scop), self.source.bound());
        let own;
        let model = match prepared.whole_model().filter(|_| scop.assumed.is_empty()) {
            Some(model) => model,
            None => {
                let Some(built) = in_bound(ctx.with_quota(bound, || Model::build(ctx, &general)))? else {
                    return past_bound();
                };
                own = built;
                &own
            }
        };
        match in_bound(ctx.with_quota(bound, || never_runs(model)))? {
            Some(Some(id)) => return Ok(Found::Stuck(Stuck::NeverRuns(id))),
            Some(None) => {}
            None => return past_bound(),
        }
        let sizes = prepared.sizes().clone();
        let in_c = scop.parameters.iter().map(|parameter| parameter.name.clone());
        let in_c = in_c.zip(sizes.values.iter().map(|(_, value)| *value)).collect();
        let options = Options { sizes: in_c, slack: Slack::NONE, ..options };
        (self.tell)(Looking::Orders);
        let proposed = in_bound(Proposed::of((ctx, bound), model, &sizes.values, self.aim == Aim::Rows))?;
        let Some(proposed) = proposed else { return past_bound() };
        let overlap = Cell::new(None);
        let trial = Trial { ctx, fusing: self, scop, model, options, sizes: &sizes, most, overlap: &overlap };
        self.best(&trial, proposed, &prepared)
    }

    /// The best of the orders that are proposed, or the source's.
    fn best(&self, trial: &Trial, proposed: Proposed, prepared: &Rc<Prepared>) -> Result<Found, Refused> {
        let Proposed { orders, obstacles, is_cut_short } = proposed;
        let written: Vec<Written> = (0..=orders.len()).map(|_| Written::default()).collect();
        let candidates = trial.candidates(Rc::clone(prepared), &orders, &written);
        let tell = |k: usize, cells| (self.tell)(Looking::Order { number: k + 1, of: candidates.len(), cells });
        let ranked = trial.ranked(&candidates, &orders, &tell)?;
        let best = trial.solved(&candidates, ranked).map(|best| (candidates[best.place].order, best));
        drop(candidates);
        let mut written: Vec<Option<InOrder>> =
            written.into_iter().map(|written| written.in_order.into_inner().flatten()).collect();
        let could_fuse = !orders.is_empty();
        let overlap = trial.overlap.get();
        let kept = Kept { could_fuse, is_cut_short, obstacles, overlap, cells: None, result: None };
        Ok(match best {
            None => Found::Kept(kept),
            Some((Some(order), best)) => {
                let order = Box::new(written[order].take().expect("its storage was found"));
                let (order, result) = match trial.peeled(&order, best.cells, &best.result)? {
                    Some(peeled) => peeled,
                    None => {
                        let result = trial.with_slack(Some(&order), best.result);
                        (order, result)
                    }
                };
                Found::Fused(order, result)
            }
            Some((None, best)) => {
                let result = trial.with_slack(None, best.result);
                Found::Kept(Kept { cells: Some(best.cells), result: Some(result), ..kept })
            }
        })
    }
}

/// The arrays whose values have others.
fn gone(scop: &Scop) -> BTreeSet<String> {
    scop.expanded.iter().flat_map(|own| &own.gone).map(|id| scop.array(*id).name.clone()).collect()
}

/// A statement that runs for no sizes.
fn never_runs(model: &Model) -> polyfold_isl::Result<Option<StatementId>> {
    for (place, statement) in model.statements.iter().enumerate() {
        if statement.domain.intersect_params(&model.context)?.is_empty()? {
            return Ok(Some(StatementId(place)));
        }
    }
    Ok(None)
}
