//! What became of a scop whose loops were to be fused.

use super::super::input::Input;
use super::fusion_notes::notes;
use super::refusals::MayOverlap;

use polyfold_frontend::Diagnostic;
use polyfold_nests::{Fused, Obstacle};
use polyfold_plan::Optimized;
use polyfold_scop::Scop;

/// What became of a scop.
pub(super) enum Found {
    /// In another order, with its storage.
    Fused(Box<InOrder>, Box<Optimized>),
    /// No order that was found saves anything.
    Kept(Kept),
    /// It cannot get new loops.
    Stuck(Option<Diagnostic>),
}

/// A scop in its own order.
pub(super) struct Kept {
    /// Whether any loops could be fused.
    pub(super) could_fuse: bool,
    /// Whether the search for orders ended at its bound.
    pub(super) is_cut_short: bool,
    /// What keeps others apart.
    pub(super) obstacles: Vec<Obstacle>,
    /// Why a fused order is not legal, if pointers are why.
    pub(super) overlap: Option<MayOverlap>,
    /// The cells that it needs, where that had to be known.
    pub(super) cells: Option<u64>,
    /// Its storage, where that had to be known.
    pub(super) result: Option<Box<Optimized>>,
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

    /// Whether it is in a fused order, with fewer cells than another one of a scop in some reading.
    pub(super) fn is_better(&self, other: &Found, place: usize) -> bool {
        let is_fused = matches!(self, Found::Fused(..));
        is_fused && self.cells(place).is_some_and(|cells| other.cells(place).is_none_or(|most| cells < most))
    }

    /// The cells of a fused order, or of that in which the scop is read, if that had to be known.
    pub(super) fn cells(&self, place: usize) -> Option<u64> {
        match self {
            Found::Fused(found, result) => result.cells_after(&found.program.parsed.scops[place]).ok()?,
            Found::Kept(kept) => kept.cells,
            Found::Stuck(_) => None,
        }
    }
}

/// A program in a fused order.
pub(super) struct InOrder {
    pub(super) program: Input,
    pub(super) order: Fused,
    /// What is said of its loops as such.
    pub(super) said: Vec<Diagnostic>,
}

impl InOrder {
    /// What there is to say of it.
    pub(super) fn notes(&self, scop: &Scop) -> Vec<Diagnostic> {
        notes(scop, &self.order).into_iter().chain(self.said.iter().cloned()).collect()
    }
}
