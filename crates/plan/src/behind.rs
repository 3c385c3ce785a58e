//! What of a region's results is needed behind it.
//!
//! An array that lives outside the function, or is used behind the scop, is needed; so is one that the scop may read before it is surely
//! written, since the scop may run again. Of any other, exact dataflow in the whole scop decides:
//!
//! ```text
//! needed  iff  some write of the region reaches a read  that is not in the region, or in another of its instances
//! ```
//!
//! Two operations of a region belong to the same instance if the loops around the region have the same counters.
//!
//! Example: in `for (i…) { region: { w[j] = …; … = w[j]; } }` with an array `w` of the function's own nothing of it is needed behind the region; if the
//! next statement reads `w[0]`, all of it is.
//!
//! What is not understood is needed: an array that is not plain, a scop with loops in any order, parameter values that the analysis leaves out, and
//! an array whose dataflow goes beyond the bound of work.

use polyfold_compact::exposed;
use polyfold_flow::Model;
use polyfold_isl::{Context, ErrorKind, Map, Result, Set};
use polyfold_scop::{ArrayId, Liveness, Role, Scop, StatementId};

/// Names of a region's arrays of which some value may be read behind it; `whole`: the scop that the region is a statement of. No array is spent more
/// than `max_ops` elementary steps on.
///
/// # Errors
/// When the whole scop is beyond that bound.
pub fn needed_behind(ctx: &Context, (whole, region): (&Scop, &Scop), max_ops: u64) -> Result<Vec<String>> {
    let names = || region.arrays.iter().map(|array| array.name.clone());
    let model = ctx.with_quota(max_ops, || Model::build(ctx, whole))?;
    let Some(place) = Place::of(whole, region) else { return Ok(names().collect()) };
    if model.unordered.is_some() || !model.known.is_subset(&model.context)? {
        return Ok(names().collect());
    }
    let mut needed = Vec::new();
    for name in names() {
        let own: Vec<ArrayId> =
            (0..whole.arrays.len()).map(ArrayId).filter(|id| whole.array(*id).name == name).collect();
        let is_needed = match own[..] {
            [one] => {
                match ctx.with_quota(max_ops, || Ok(!ends_with_scop(&model, one)? || place.feeds_others(&model, one)?))
                {
                    Err(error) if error.kind == ErrorKind::Quota => true,
                    found => found?,
                }
            }
            _ => true,
        };
        if is_needed {
            needed.push(name);
        }
    }
    Ok(needed)
}

/// Whether no value of an array is needed behind the scop, not even when it runs again, and each access says what it touches.
fn ends_with_scop(model: &Model, id: ArrayId) -> Result<bool> {
    let scop = model.scop;
    let ends = match &scop.array(id).role {
        Role::Temporary => true,
        Role::Kept(kept) => kept.plain && matches!(kept.liveness, Liveness::Internal | Liveness::In),
    };
    let mut accesses = scop.statements.iter().flat_map(|s| &s.accesses).filter(|access| access.array == id);
    if !ends || accesses.any(|access| access.subscripts.is_none() || access.is_in_call()) {
        return Ok(false);
    }
    exposed(model.accesses(id))?.map_or(Ok(true), |cells| cells.is_empty())
}

/// Where a region is in a scop.
struct Place {
    /// Its statements.
    statements: Vec<StatementId>,
    /// How many loops are around it.
    depth: usize,
}

impl Place {
    /// `None`: some statement of the region is not found in the scop.
    fn of(whole: &Scop, region: &Scop) -> Option<Place> {
        let mut place: Option<Place> = None;
        for inner in &region.statements {
            let found = whole.statements.iter().position(|outer| outer.span == inner.span)?;
            let depth = whole.statements[found].loops.len().checked_sub(inner.loops.len())?;
            let place = place.get_or_insert_with(|| Place { statements: Vec::new(), depth });
            if place.depth != depth {
                return None;
            }
            place.statements.push(StatementId(found));
        }
        place
    }

    /// Whether a value that the region leaves in an array reaches a read elsewhere, or in another instance.
    fn feeds_others(&self, model: &Model, array: ArrayId) -> Result<bool> {
        if self.depth == 0 && self.has_all_reads(model.scop, array) {
            return Ok(false);
        }
        let Some(flow) = model.flow(array)? else { return Ok(false) };
        let Some(own) = self.dates(model)? else { return Ok(false) };
        let from_region = flow.range_factor_domain()?.intersect_domain(&own)?;
        let same = from_region.intersect_range(&own)?.intersect(&self.same_instance(model)?)?;
        Ok(!from_region.is_subset(&same)?)
    }

    /// Whether nothing else reads an array.
    fn has_all_reads(&self, scop: &Scop, array: ArrayId) -> bool {
        let reads = |id: &StatementId| scop.statement(*id).accesses.iter().any(|a| a.array == array && a.is_read());
        (0..scop.statements.len()).map(StatementId).filter(reads).all(|id| self.statements.contains(&id))
    }

    /// The dates of the region's operations.
    fn dates(&self, model: &Model) -> Result<Option<Set>> {
        let mut all: Option<Set> = None;
        for id in &self.statements {
            let own = model.statements[id.0].schedule.range()?;
            all = Some(match all {
                None => own,
                Some(others) => others.union(&own)?,
            });
        }
        Ok(all)
    }

    /// Pairs of dates whose loops around the region have the same counters.
    fn same_instance(&self, model: &Model) -> Result<Map> {
        let names = |letter: &str| (0..model.date_dimensions).map(|k| format!("{letter}{k}")).collect::<Vec<_>>();
        let equal: Vec<String> = (0..2 * self.depth).map(|k| format!("w{k} = r{k}")).collect();
        let equal = if equal.is_empty() { "true".to_string() } else { equal.join(" and ") };
        let text = format!("{{ [{}] -> [{}] : {equal} }}", names("w").join(", "), names("r").join(", "));
        Map::read(model.context.context(), &text)
    }
}
