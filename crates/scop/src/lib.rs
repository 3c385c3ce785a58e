//! An affine region of a program, as data.
//!
//! A [`Scop`] (static control part) is what every front end produces and every later stage reads: a tree of
//! loops and guards over statements, whose bounds, conditions and subscripts are quasi-affine expressions of
//! loop iterators and parameters; the arrays they touch; and where each of them stands in the source text.
//!
//! The tree keeps C's own meaning (division truncates, a loop tests its condition before each turn), so an
//! interpreter can run it without any set library; the polyhedral view (domains, schedule, access relations)
//! is derived from it by the `flow` room. A `Scop` never changes once a front end has built it.
//!
//! Paper: Bee §2 ("static control programs"), after Feautrier.

mod array;
mod code;
mod counter;
mod display;
mod expanded;
mod expr;
mod from_program;
mod in_file;
mod in_order;
mod in_program;
mod longer;
mod numbered;
mod part;
mod program;
mod source;
mod statement;

pub use array::{Allocation, Array, ArrayId, Declaration, Kept, Liveness, Role, Sharing, Storage};
pub use code::Code;
pub use counter::{Counter, Outside};
pub use expanded::{Expanded, OtherCell};
pub use expr::{Condition, Expr, LoopId, ParameterId};
pub use in_file::{Pieces, StandIn, as_it_is};
pub use in_order::{Around, InFront, InOrder};
pub use in_program::relation;
pub use longer::Copied;
pub use polyfold_c::source::Span;
pub use polyfold_c::syntax::{Comparison, Pointer, Qualifiers};
pub use program::{
    Beside, Bound, Computed, ExtentOf, Guard, Limit, Loop, LoopAround, Node, Obligation, Outlived, Parameter,
    ParameterOrigin, Pinned, Product, Scop, Surroundings,
};
pub use source::{Fragment, FragmentId, Place};
pub use statement::{Access, AccessKind, Certainty, Effect, Moment, Statement, StatementId, StatementKind};
