//! What became of a scop whose loops were to be fused.

use super::ordered::Ordered;
use super::refused::MayOverlap;
use crate::Optimized;
use polyfold_codegen as codegen;
use polyfold_nests::{Apart, Fused, Obstacle};
use polyfold_scop::{Scop, StatementId};
use std::collections::BTreeSet;

/// What became of a scop.
pub enum Found {
    /// In another order, with its storage.
    Fused(Box<InOrder>, Box<Optimized>),
    /// No order that was found saves anything.
    Kept(Kept),
    /// It cannot get new loops.
    Stuck(Stuck),
}

/// A scop in a fused order.
pub struct InOrder {
    /// The scop.
    pub ordered: Ordered,
    /// Its order.
    pub order: Fused,
}

/// A scop in its own order.
pub struct Kept {
    /// Whether any loops could be fused.
    pub could_fuse: bool,
    /// Whether the search for orders ended at its bound.
    pub is_cut_short: bool,
    /// What keeps others apart.
    pub obstacles: Vec<Obstacle>,
    /// Why a fused order is not legal, if pointers are why.
    pub overlap: Option<MayOverlap>,
    /// The cells that it needs, where that had to be known.
    pub cells: Option<u64>,
    /// Its storage, where that had to be known.
    pub result: Option<Box<Optimized>>,
}

/// Why a scop cannot get new loops.
pub enum Stuck {
    /// Something in its text.
    NoNewLoops(codegen::Obstacle),
    /// It takes more work than the bound.
    PastBound,
    /// This statement runs for no sizes: new loops would leave it out, and with it the only mention
    /// of some declaration, perhaps.
    NeverRuns(StatementId),
}

impl Found {
    /// What keeps loops apart.
    pub(super) fn obstacles(&self) -> &[Obstacle] {
        match self {
            Found::Fused(found, _) => &found.order.obstacles,
            Found::Kept(kept) => &kept.obstacles,
            Found::Stuck(_) => &[],
        }
    }

    /// Sizes of the scop that was read at whose values fewer loops would stay apart.
    pub(super) fn bounded_by(&self, scop: &Scop) -> Vec<String> {
        let ids = self.obstacles().iter().flat_map(|obstacle| &obstacle.bounded_by);
        let mut names: Vec<String> = ids.map(|id| scop.parameters[id.0].name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Temporaries that keep loops apart only since several of them hold values of their own there.
    pub(super) fn reused(&self, scop: &Scop) -> BTreeSet<String> {
        let arrays = self.obstacles().iter().filter(|o| is_reuse(scop, o)).filter_map(|o| o.array);
        arrays.map(|id| scop.array(id).name.clone()).collect()
    }

    /// Whether it is in a fused order, with fewer cells than another one of the scop in some
    /// reading.
    pub(super) fn is_better(&self, other: &Found) -> bool {
        let is_fused = matches!(self, Found::Fused(..));
        is_fused && self.cells().is_some_and(|cells| other.cells().is_none_or(|most| cells < most))
    }

    /// The cells of a fused order, or of that in which the scop is read, if that had to be known.
    pub(super) fn cells(&self) -> Option<u64> {
        match self {
            Found::Fused(found, result) => result.cells_after(&found.ordered.scop).ok()?,
            Found::Kept(kept) => kept.cells,
            Found::Stuck(_) => None,
        }
    }
}

/// Whether loops only wait for a cell of a temporary to be free: the second one begins values of
/// its own there.
pub fn is_reuse(scop: &Scop, obstacle: &Obstacle) -> bool {
    let Some(array) = obstacle.array.filter(|array| scop.array(*array).is_temporary()) else { return false };
    let reads = scop.statement(obstacle.to).accesses.iter().any(|access| access.array == array && access.is_read());
    let waits = matches!(obstacle.why, Apart::NoShift | Apart::Far(_));
    waits && !obstacle.is_flow && !reads
}
