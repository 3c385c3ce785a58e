//! Loops taken apart into one for each statement, where these have nothing to do with each other that would need one loop.
//!
//! ```text
//! for (j …) { t[0][j] = …; t[n - 1][j] = …; }      is      for (j …) t[0][j] = …;  for (j …) t[n - 1][j] = …;
//! ```
//!
//! so that each can run in another iteration of a loop that uses both rows. A loop whose statement needs what one behind it in the text
//! does in an earlier iteration stays whole (Kennedy and McKinley 1990, with one statement per loop, or all of them).

use crate::dependence::Dependence;
use crate::level::{Item, items};
use crate::loop_order::LoopOrder;
use polyfold_flow::Model;
use polyfold_scop::{StatementId, StatementKind};

/// Items of which those with fewer loops than others are taken apart; statements enter their loops in an order, and are in so many already.
pub(crate) fn distributed(
    model: &Model,
    all: Vec<Item>,
    (order, entered): (&LoopOrder, &[usize]),
    dependences: &[Dependence],
) -> Vec<Item> {
    let deepest = all.iter().map(|item| item.depth).max().unwrap_or(0);
    let is_whole = |item: &Item| item.depth == deepest || is_held_together(model, item, dependences);
    let parts = |item: Item| match is_whole(&item) {
        true => vec![item],
        false => item.statements.iter().flat_map(|id| items(model, &[*id], (order, entered))).collect(),
    };
    all.into_iter().flat_map(parts).collect()
}

fn is_held_together(model: &Model, item: &Item, dependences: &[Dependence]) -> bool {
    let is_in = |id: StatementId| item.statements.contains(&id);
    // What a condition decides stays with it.
    let decides = |id: &StatementId| model.scop.statement(*id).kind == StatementKind::Condition;
    item.statements.iter().any(decides) || dependences.iter().any(|d| is_in(d.from) && is_in(d.to) && d.from > d.to)
}
