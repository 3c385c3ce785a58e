//! What is known of a scop before storage is searched for.
//!
//! Orders of one program are compared by the values alive at once, then by what arrays need alone, then by what they need together:
//! all of that begins here, once for each order.

use super::sizes::{Counted, Sizes, sizes_and_count};
use super::{Options, temporaries};
use polyfold_flow::{DeadCode, Model, dead_code};
use polyfold_isl::{Context, Error, Set};
use polyfold_scop::{ArrayId, Scop};

/// A scop without what nobody reads.
pub struct Useful {
    dead: DeadCode,
    scop: Scop,
}

impl Useful {
    /// What is left of a scop.
    pub fn of(scop: &Scop) -> Useful {
        let dead = dead_code(scop);
        Useful { scop: dead.remove_from(scop), dead }
    }
}

/// The view of a scop, the sizes at which its storage is counted, and the values of its temporaries alive at once there.
pub struct Prepared<'s> {
    pub(super) dead: &'s DeadCode,
    pub(super) model: Model<'s>,
    /// The arrays whose values are counted.
    pub(super) counted: Vec<ArrayId>,
    pub(super) sizes: Sizes,
    pub(super) live: Counted,
}

impl<'s> Prepared<'s> {
    /// For the parameter values that the scop assumes.
    ///
    /// # Errors
    /// When even the loops themselves take more work to analyse than the bound allows.
    pub fn of(ctx: &Context, useful: &'s Useful, options: &Options) -> Result<Prepared<'s>, Error> {
        Prepared::within(ctx, useful, options, None)
    }

    /// For those that also fulfil some facts.
    pub(super) fn within(
        ctx: &Context,
        useful: &'s Useful,
        options: &Options,
        facts: Option<&Set>,
    ) -> Result<Prepared<'s>, Error> {
        let Useful { dead, scop } = useful;
        let mut model = ctx.with_quota(options.isl_operations(), || Model::build(ctx, scop))?;
        if let Some(facts) = facts {
            model = model.within(facts)?;
        }
        let counted = temporaries(scop, dead);
        let (sizes, live) = sizes_and_count(&model, &counted, options)?;
        Ok(Prepared { dead, model, counted, sizes, live })
    }

    /// The sizes at which its storage is counted.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Values alive at once: no storage is smaller. 0 where they cannot be counted.
    pub fn values_alive(&self) -> u64 {
        self.live.as_ref().map_or(0, |count| count.total)
    }
}
