//! The search for orders of execution that need less memory, or that the user asks for.
//!
//! An order gives each operation a date. Where dependences allow it, the scop gets loops in that
//! order, and is a scop again.
//!
//! ```text
//! for i: b[i] = f(a[i])             for i: { b[i] = f(a[i]); c[i] = g(b[i]) }
//! for i: c[i] = g(b[i])             b needs one cell
//! ```
//!
//! * [`ordered()`] puts a scop into an order that is given. Arrays grow where the order needs that.
//! * [`Fusing`] looks for the order whose storage is smallest.
//! * [`in_strips()`] cuts the innermost loops of a fused scop into strips.
//!
//! Invariants:
//!
//! * An order is proved to keep all dependences, and its program runs beside the source's.
//! * All orders of a scop are counted at the same sizes.

mod candidates;
mod found;
mod fusing;
mod grown;
mod growth;
mod ordered;
mod own_arrays;
mod pragmas;
mod proposed;
mod refused;
mod strips;
mod trial;
mod wish;

pub use found::{Found, InOrder, Kept, Stuck, is_reuse};
pub use fusing::{Aim, Fusing, InReading, Looking};
pub use ordered::{Ordered, ordered};
pub use own_arrays::{own_temporaries, with_own_array};
pub use pragmas::{LeftOut, WhyLeftOut};
pub use refused::{MayOverlap, Refused, Wrong};
pub use strips::{Striped, in_strips};
pub use wish::Wish;

use crate::optimize::isl_operations;
use polyfold_codegen::Dialect;
use polyfold_isl::Context;
use polyfold_scop::Scop;

/// The text of a file that a scop comes from, and the work that each question about orders may
/// take.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The text.
    pub text: &'a str,
    /// What it is written in.
    pub dialect: Dialect,
    /// As of [`Options`](crate::Options).
    pub max_operations: u64,
}

impl Source<'_> {
    /// The bound in steps of isl.
    fn bound(&self) -> u64 {
        isl_operations(self.max_operations)
    }

    /// Answers a question within the bound.
    fn in_bound<T>(&self, ctx: &Context, work: impl FnOnce() -> Result<T, Refused>) -> Result<T, Refused> {
        ctx.with_quota(self.bound(), || Ok(work()))?
    }
}

/// The scop without the user's assumptions: no test guards new loops.
fn for_all_sizes(scop: &Scop) -> Scop {
    Scop { assumed: Vec::new(), ..scop.clone() }
}
