//! The orders that are proposed for a scop, before anybody knows what they need.
//!
//! Loops as they stand in the text come first, for goals of which each fuses more than the one
//! before. Where something keeps these apart, the loops of each nest are tried in other orders.
//! Where these meet something, too, loops are tried along diagonals.

use crate::optimize::in_bound;
use crate::sizes::declared_cells;
use polyfold_flow::Model;
use polyfold_fusion::Objective;
use polyfold_isl::{Context, Result};
use polyfold_nests::{Dependences, Fused, Goal, LoopOrder, Obstacle, dependences, fused, loop_orders, skewed_orders};
use polyfold_scop::{ArrayId, Scop};
use std::collections::BTreeMap;

/// Orders of a scop.
pub(super) struct Proposed {
    /// Different ones, those first that fuse fewer levels; each fuses something.
    pub(super) orders: Vec<Fused>,
    /// What keeps loops apart that stand as in the text.
    pub(super) obstacles: Vec<Obstacle>,
    /// Whether the search ended at its bound.
    pub(super) is_cut_short: bool,
}

impl Proposed {
    /// Those in the text's order of loops have a bound on their work, and those with loops
    /// exchanged one as large: past it the search ends with what it has.
    ///
    /// # Errors
    /// When even the dependences take more work than the bound.
    pub(super) fn of(
        (ctx, bound): (&Context, u64),
        model: &Model,
        sizes: &[(String, i64)],
        by_rows: bool,
    ) -> Result<Proposed> {
        let dependences = ctx.with_quota(bound, || dependences(model))?;
        let (cells, goals) = (cells(model.scop, sizes), goals(model.scop, by_rows));
        let search = Search { model, dependences: &dependences, cells: &cells, goals: &goals };
        let mut of_text = Tried::default();
        let within =
            |work: &mut dyn FnMut() -> Result<()>| in_bound(ctx.with_quota(bound, work)).map(|found| found.is_some());
        let is_whole = within(&mut || search.add(&mut of_text, &LoopOrder::of_text(model.scop)))?;
        let (mut exchanged, mut skewed) = (Tried::default(), Tried::default());
        // Where nothing keeps loops apart in their own order, others are no better.
        let is_whole = is_whole
            && (of_text.is_unhindered
                || within(&mut || {
                    let orders = loop_orders(model, &dependences, &cells, by_rows)?;
                    orders.iter().try_for_each(|order| search.add(&mut exchanged, order))?;
                    // Diagonals don't go along rows.
                    let is_done = by_rows || exchanged.is_unhindered;
                    let orders = if is_done { Vec::new() } else { skewed_orders(model, &dependences, &cells)? };
                    orders.iter().try_for_each(|order| search.add(&mut skewed, order))
                })?);
        let orders = [skewed, exchanged].into_iter().flat_map(|tried| tried.orders).chain(of_text.orders);
        let orders = orders.filter(|order| !order.loops.is_empty());
        Ok(Proposed { orders: orders.collect(), obstacles: of_text.obstacles, is_cut_short: !is_whole })
    }
}

/// Orders that were tried.
#[derive(Default)]
struct Tried {
    orders: Vec<Fused>,
    /// Of the goal that fuses most.
    obstacles: Vec<Obstacle>,
    /// Whether all levels may be fused with nothing that keeps loops apart.
    is_unhindered: bool,
}

struct Search<'a> {
    model: &'a Model<'a>,
    dependences: &'a Dependences,
    cells: &'a BTreeMap<ArrayId, u64>,
    goals: &'a [Goal],
}

impl Search<'_> {
    /// Adds different orders with the loops of each nest in one order.
    fn add(&self, to: &mut Tried, loops: &LoopOrder) -> Result<()> {
        let but_for_objective = |goal: Goal| (goal.depth, goal.keeps_innermost, goal.allows_once);
        let deepest = self.goals.iter().map(|goal| goal.depth).max().unwrap_or(0);
        let mut unhindered = Vec::new();
        for goal in self.goals {
            // Where nothing keeps loops apart, all is fused whatever the objective.
            if unhindered.contains(&but_for_objective(*goal)) {
                continue;
            }
            let order = fused(self.model, self.dependences, self.cells, (*goal, loops))?;
            if order.obstacles.is_empty() {
                unhindered.push(but_for_objective(*goal));
                to.is_unhindered |= goal.depth == deepest && order.is_tight;
            }
            to.obstacles.clone_from(&order.obstacles);
            match to.orders.iter_mut().find(|other| other.schedule == order.schedule) {
                // What a goal that fuses more finds in its way is in that of this order, too.
                Some(other) => other.obstacles = order.obstacles,
                None => to.orders.push(order),
            }
        }
        Ok(())
    }
}

/// What orders may aim at.
fn goals(scop: &Scop, by_rows: bool) -> Vec<Goal> {
    let depths = || scop.statements.iter().map(|statement| statement.loops.len());
    let deepest = depths().max().unwrap_or(0);
    let mut goals = Vec::new();
    for allows_once in if depths().all(|depth| depth == deepest) { vec![false] } else { vec![false, true] } {
        for depth in 1..=deepest {
            for objective in [Objective::Removed, Objective::Memory] {
                for keeps_innermost in if by_rows { vec![true] } else { vec![true, false] } {
                    goals.push(Goal { objective, depth, keeps_innermost, allows_once });
                }
            }
        }
    }
    goals
}

/// Of the temporaries; more than so many weigh the same.
fn cells(scop: &Scop, sizes: &[(String, i64)]) -> BTreeMap<ArrayId, u64> {
    const MOST: u64 = 1 << 40;
    let is_own = |id: &ArrayId| scop.array(*id).is_temporary() && !scop.array(*id).is_scalar();
    let temporaries = (0..scop.arrays.len()).map(ArrayId).filter(is_own);
    temporaries.map(|id| (id, declared_cells(scop, id, sizes).unwrap_or(MOST).clamp(1, MOST))).collect()
}
