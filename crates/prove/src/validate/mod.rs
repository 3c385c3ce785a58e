//! Judges what a pass made of a program, for all sizes.
//!
//! [`dataflow`] is for passes that change cells or order, with constant shapes; its module says how.
//!
//! [`lockstep`] is for passes that keep cells and order, and change how loops and subscripts are
//! written: index-set splitting, strength reduction, row pointers. The program after runs
//! symbolically along a *cursor* of the one before:
//!
//! ```text
//! cursor    a date of the program before, of whose instances exactly those in front of it have run
//! S(v): …   v is an instance of S, none lies between the cursor and it, the same cells are read and
//!           written, and the same is computed from them; the cursor moves behind it
//! the end   no instance is left behind the cursor
//! ```
//!
//! A loop's head has an invariant: where the cursor stands, bounds of locals, and what locals are
//! congruent to. It holds in front of the loop, and an iteration keeps it. What a pass says
//! ([`polyfold_program::Invariant`]) must hold; where it says nothing, a search does (`candidates`).
//!
//! Everything is checked with exact integers: where a proof doesn't close, the program is refused,
//! with the statement and what is missing.
//!
//! Source: our own trial, over the idea of translation validation (Pnueli, Siegel, Singerman 1998).
//!
//! Limits: no opaque statements, no parallel loops, no products of sizes. The lockstep takes conditions
//! on data (`found`), cells that data choose, copies of one cell (`normal`), and sums of integers that
//! begin with 0 (`sums`). The dataflow takes choices between values, but no other conditions on data,
//! no subscripts that data decide, and no buffers of which nobody says how many cells they have. The
//! context of the program before is taken for granted, and that its own subscripts are in bounds.

mod candidates;
mod dataflow;
mod facts;
mod forms;
mod found;
mod heads;
mod instances;
mod linear;
mod lockstep;
mod names;
mod normal;
mod operations;
mod places;
mod problem;
mod relations;
mod sources;
mod sums;

pub use dataflow::dataflow;
pub use lockstep::lockstep;

use polyfold_isl::{Error, ErrorKind};

/// What a validator says of two programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They compute the same, for all sizes that the context of the program before allows.
    Same {
        /// How often isl was asked.
        asked: usize,
    },
    /// It can't show that.
    Refused(Refusal),
}

/// Where a proof doesn't close.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The statement of the program after: positions in the lists around it, outermost first.
    pub at: Vec<usize>,
    /// What isn't shown.
    pub why: Obligation,
}

/// What isn't shown, or isn't understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// The programs have other sizes, or other buffers.
    Interface,
    /// A variable is named where no statement declares it.
    Scope,
    /// A local is read that has no value.
    NoValue,
    /// A quotient by a size, or a product where cells change.
    NotLinear,
    /// A divisor isn't shown to be positive.
    ModulusMayBeZero,
    /// The program before has no such statement.
    NoStatement,
    /// The counters aren't shown to be those of an instance.
    NoInstance,
    /// The instance may have run already.
    HasRun,
    /// Another instance may be due.
    AnotherIsDue,
    /// It isn't the cell that the program before means.
    OtherCell,
    /// Something else is computed.
    OtherValue,
    /// A subscript isn't shown to be in its buffer.
    Outside,
    /// What is said of a loop's head doesn't hold there.
    Head,
    /// No cursor was found for a loop's head.
    Cursor,
    /// A loop's counter isn't shown to advance towards a bound.
    MayNotEnd,
    /// In the end instances may be left.
    Missing,
    /// There are too many cases.
    Cases,
    /// The bound of work is reached.
    Bound,
    /// A feature that the validator doesn't know.
    Unsupported(&'static str),
}

/// Why a proof ends early.
#[derive(Debug)]
enum Stop {
    Refused(Obligation),
    Failed(Error),
}

impl From<Obligation> for Stop {
    fn from(why: Obligation) -> Stop {
        Stop::Refused(why)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        match error.kind {
            ErrorKind::Quota | ErrorKind::Limit => Stop::Refused(Obligation::Bound),
            _ => Stop::Failed(error),
        }
    }
}
