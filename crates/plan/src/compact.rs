//! One region in local memory, from the scop to proved plans.
//!
//! Two plans are made where the whole region is better split by its parameters; each is proved by itself. What fails its proof is a bug,
//! and nothing is written.

use polyfold_compact::{Overlap, Plan, Request, plan};
use polyfold_flow::Model;
use polyfold_isl::{Context, Error, ErrorKind, Set};
use polyfold_prove::{PlacedLocals, verify_locals};
use polyfold_scop::{ArrayId, Declaration, Pointer, Scop, Storage};

/// What was found for a region.
pub struct Compaction<'s> {
    /// The region's view.
    pub model: Model<'s>,
    /// Parameter values that the program may have.
    pub known: Set,
    /// Parameter values for which some statement of the region runs.
    pub running: Set,
    /// Parameter values out of `known` for which no `int` overflows that the region computes.
    pub defined: Set,
    /// Proved plans, for parameter values that exclude each other.
    pub plans: Vec<PlacedLocals>,
}

impl Compaction<'_> {
    /// The plans.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.plans.iter().map(PlacedLocals::plan)
    }
}

/// Pointers among a region's arrays that may lead to another one's memory, if some of these arrays is written: parameters declared with `*`
/// and without `restrict`, and pointers that are set to something unknown, which may be any array that the region does not declare. What is
/// declared with brackets is taken to be apart.
pub fn overlapping(scop: &Scop) -> Overlap {
    let is_touched = |id: &ArrayId| scop.statements.iter().flat_map(|s| &s.accesses).any(|a| a.array == *id);
    let is_loose = |id: &ArrayId| is_loose(scop, *id);
    let arrays = (0..scop.arrays.len()).map(ArrayId).filter(|id| !scop.array(*id).is_scalar() && is_touched(id));
    let some_lead_anywhere = arrays.clone().any(|id| scop.array(id).leads_anywhere);
    let is_reachable = |id: &ArrayId| {
        let is_open = |d: &Declaration| matches!(d.storage, Storage::Global | Storage::StaticLocal);
        let may_be = |d: &Declaration| !is_constant(d) && (is_open(d) || some_lead_anywhere && !d.inside_scop);
        is_loose(id) || scop.array(*id).declaration.as_ref().is_none_or(may_be)
    };
    let reachable: Vec<ArrayId> = arrays.filter(is_reachable).collect();
    let writes = scop.statements.iter().flat_map(|s| &s.accesses).any(|a| a.is_write() && reachable.contains(&a.array));
    let (pointers, others): (Vec<ArrayId>, Vec<ArrayId>) = reachable.into_iter().partition(is_loose);
    let overlaps = pointers.len() + others.len() > 1 && !pointers.is_empty() && writes;
    if overlaps { Overlap { pointers, others } } else { Overlap::default() }
}

/// Whether nobody may write what is declared: an array of constants, and no pointer to what others may write.
fn is_constant(declaration: &Declaration) -> bool {
    declaration.pointer.is_none() && declaration.elements.is_const
}

/// Arrays of a region that may be memory of arrays that it does not name.
pub fn loose(scop: &Scop) -> Vec<ArrayId> {
    (0..scop.arrays.len()).map(ArrayId).filter(|id| is_loose(scop, *id)).collect()
}

/// Whether an array is a pointer that may lead to memory that has another name.
fn is_loose(scop: &Scop, id: ArrayId) -> bool {
    let array = scop.array(id);
    let is_open = |pointer: Pointer| !matches!(pointer, Pointer::Brackets(_)) && !pointer.is_restrict();
    array.leads_anywhere || array.parameter.is_some_and(is_open)
}

/// Whether local arrays would be whole arrays, of which each cell is touched by one operation: nothing is gained by copies.
///
/// # Errors
/// When the work bound is reached.
pub fn gains_nothing(model: &Model, plan: &Plan) -> Result<bool, Error> {
    for local in &plan.locals {
        let Some(declared) = model.declared_cells(local.array) else { return Ok(false) };
        let is_whole = declared.unnamed()?.intersect_params(&plan.context)?.is_subset(&local.cells)?;
        let mut kinds = Vec::new();
        for served in &local.served {
            let kind = model.scop.statement(served.statement).accesses[served.access].kind;
            if !served.cells.is_injective()? || kinds.contains(&kind) {
                return Ok(false);
            }
            kinds.push(kind);
        }
        if !is_whole {
            return Ok(false);
        }
    }
    Ok(!plan.locals.is_empty())
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
        let defined = model.defined(&known)?;
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
        Ok(Compaction { model, known, running, defined, plans })
    })
}
