//! Why a scop isn't in an order.

use polyfold_codegen::{Misfit, Obstacle, Pieces};
use polyfold_isl::Error;
use polyfold_schedule::{Dependence, Fault, Violation};
use polyfold_scop::{ArrayId, Scop, StatementId};

/// Why an order is not taken.
#[derive(Debug)]
pub enum Refused {
    /// Something in the scop keeps its loops as they are.
    NoNewLoops(Obstacle),
    /// Unsigned sizes, bounds or subscripts may wrap around.
    MayWrap,
    /// This unsigned counter may wrap around.
    CounterMayWrap(String),
    /// The text is no schedule of the scop.
    Faulty(Fault),
    /// Dates have no such dimension.
    NoDimension {
        /// What is to be parallel.
        parallel: usize,
        /// How many there are.
        dimensions: usize,
    },
    /// Of the pieces that are to be moved, less is known than of the scop.
    LessIsKnown,
    /// Two operations are in a wrong order.
    Wrong(Box<Wrong>),
    /// The loops of this order can't have what they should.
    Misfit(Misfit),
    /// No loops are found for it.
    NoLoops,
    /// The program in the new order was run, and computes something else.
    Differs(String),
    /// isl fails, or the work bound is reached.
    Failed(Error),
}

/// An order that changes what a scop computes.
#[derive(Debug)]
pub struct Wrong {
    /// The pieces that it moves, which `violation` is about.
    pub pieces: Scop,
    /// Two operations that show it.
    pub violation: Violation,
    /// What may overlap, if that is why.
    pub overlap: Option<MayOverlap>,
}

/// Two statements that keep their order, since what two names lead to may be one memory.
#[derive(Clone, Copy, Debug)]
pub struct MayOverlap {
    /// The statements.
    pub statements: [StatementId; 2],
    /// The pointer first.
    pub arrays: [ArrayId; 2],
}

impl MayOverlap {
    /// Why pieces of a scop are not in some order.
    fn of(scop: &Scop, pieces: &Pieces, violation: &Violation) -> Option<MayOverlap> {
        let Dependence::Overlap(pointer, other) = violation.dependence else { return None };
        let uses = |id: &&StatementId| {
            let mut accesses = scop.statement(**id).accesses.iter();
            accesses.any(|access| access.array == pointer || access.array == other)
        };
        let of_piece = |id: StatementId| pieces.all[id.0].statements.iter().find(uses).copied();
        let statements = [of_piece(violation.first.statement)?, of_piece(violation.second.statement)?];
        Some(MayOverlap { statements, arrays: [pointer, other] })
    }
}

impl Refused {
    /// An order of some pieces of a scop that is wrong.
    pub(super) fn wrong(scop: &Scop, pieces: Pieces, violation: Violation) -> Refused {
        let overlap = MayOverlap::of(scop, &pieces, &violation);
        Refused::Wrong(Box::new(Wrong { pieces: pieces.scop, violation, overlap }))
    }

    /// The same, unless a new order was found to compute something else.
    ///
    /// # Errors
    /// When it was.
    pub(super) fn unless_differs(self) -> Result<Refused, Refused> {
        if matches!(self, Refused::Differs(_)) { Err(self) } else { Ok(self) }
    }

    /// What may overlap, if that is why.
    pub(super) fn overlap(&self) -> Option<MayOverlap> {
        if let Refused::Wrong(wrong) = self { wrong.overlap } else { None }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Failed(error)
    }
}

impl From<Obstacle> for Refused {
    fn from(obstacle: Obstacle) -> Refused {
        Refused::NoNewLoops(obstacle)
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        Refused::Faulty(fault)
    }
}

impl From<Misfit> for Refused {
    fn from(misfit: Misfit) -> Refused {
        Refused::Misfit(misfit)
    }
}
