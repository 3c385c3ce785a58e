//! One region in local memory, from the scop to proved plans.
//!
//! Two plans are made where the whole region is better split by its parameters; each is proved by itself. What fails its proof is a bug,
//! and nothing is written.

use polyfold_compact::{Plan, Request, plan};
use polyfold_flow::Model;
use polyfold_isl::{Context, Error, ErrorKind, Set};
use polyfold_prove::{PlacedLocals, verify_locals};
use polyfold_scop::Scop;

/// What was found for a region.
pub struct Compaction<'s> {
    /// The region's view.
    pub model: Model<'s>,
    /// Parameter values that the program may have.
    pub known: Set,
    /// Parameter values for which some statement of the region runs.
    pub running: Set,
    /// Proved plans, for parameter values that exclude each other.
    pub plans: Vec<PlacedLocals>,
}

impl Compaction<'_> {
    /// The plans.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.plans.iter().map(PlacedLocals::plan)
    }
}

/// What is known of parameters, and of products where their factors are positive.
fn legal(model: &Model) -> Result<Set, Error> {
    let Some(around) = &model.scop.surroundings else { return Ok(model.known.clone()) };
    let positive = model.where_all_hold(&around.positive)?;
    let others = model.known.subtract(&positive)?;
    let derived = model.where_all_hold(&around.derived)?;
    model.known.intersect(&positive)?.intersect(&derived)?.union(&others)?.coalesce()
}

/// Local arrays for a region, with at most `max_operations` elementary steps of analysis.
///
/// # Errors
/// When the bound is reached; and when a plan fails its proof.
pub fn compact<'s>(
    ctx: &Context,
    scop: &'s Scop,
    request: &Request,
    max_operations: u64,
) -> Result<Compaction<'s>, Error> {
    ctx.with_quota(max_operations, || {
        let model = Model::build(ctx, scop)?;
        let known = polyfold_compact::meaningful(&model, &legal(&model)?)?;
        let running = polyfold_compact::running(&model, &known)?;
        let mut plans = Vec::new();
        for plan in plan(&model, request)? {
            match verify_locals(&model, plan, request.live_out.as_deref())? {
                Ok(placed) => plans.push(placed),
                Err(fault) => {
                    let message = format!("a plan for local arrays failed its proof: {fault:?}");
                    return Err(Error { kind: ErrorKind::Refused, message });
                }
            }
        }
        Ok(Compaction { model, known, running, plans })
    })
}
