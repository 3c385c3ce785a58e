//! Cells of local arrays at small sizes, to be drawn.
//!
//! At each of the sizes that proposals were compared at, the region's instances follow each other. At each, for each local array: the
//! cells that it holds, where each lives, and which are copied.
//!
//! Example: for `for (k…; k += 16) { region: out[i] += in[i], for k <= i < k + 16 }` at n = 32 there are the instances k = 0 and k = 16,
//! and at the second one `in[16]` lives in `in_local[0]` and is copied in.
//!
//! Invariant: what is here was counted from the plan that is proved. No more than [`MOST_CELLS`] cells are listed; what is left out is said.

use crate::compact::Compaction;
use polyfold_compact::{Local, Plan, Size, Values, first_instances, points};
use polyfold_flow::Model;
use polyfold_isl::{Error, ErrorKind};
use polyfold_report::{Copied, LocalCell, LocalExample, LocalInstance};
use polyfold_scop::{LoopAround, ParameterId};
use std::collections::{BTreeMap, BTreeSet};

/// Cells in the drawings at the first choice of sizes, and at others.
const MOST_CELLS: [usize; 2] = [10_000, 2_000];

/// Instances at one choice of sizes.
const MOST_INSTANCES: usize = 64;

/// Steps of isl for one plan.
const MOST_STEPS: u64 = 30_000_000;

/// The examples of a plan.
///
/// # Errors
/// Only after an earlier failure of isl.
pub fn examples(compaction: &Compaction, plan: &Plan) -> Result<Vec<LocalExample>, Error> {
    let all = || {
        plan.sizes.iter().enumerate().map(|(k, size)| example(compaction, plan, (size, MOST_CELLS[k.min(1)]))).collect()
    };
    match plan.context.context().with_quota(MOST_STEPS, all) {
        Err(error) if error.kind == ErrorKind::Quota => Ok(Vec::new()),
        found => found.map(|found: Vec<Option<LocalExample>>| found.into_iter().flatten().collect()),
    }
}

/// `None`: even its first instance has too many cells.
fn example(compaction: &Compaction, plan: &Plan, (size, most): (&Size, usize)) -> Result<Option<LocalExample>, Error> {
    let model = &compaction.model;
    let around = model.scop.surroundings.as_deref().cloned().unwrap_or_default();
    let changing: Vec<String> = around.changing.iter().map(|id| model.parameters[id.0].clone()).collect();
    let loops = around.loops.iter().rev().map(|own| (model.parameters[own.counter.0].clone(), own.step < 0));
    let mut counters: Vec<(String, bool)> = loops.collect();
    let others: Vec<&String> = changing.iter().filter(|name| counters.iter().all(|(own, _)| own != *name)).collect();
    counters.extend(others.into_iter().map(|name| (name.clone(), false)).collect::<Vec<_>>());
    let running = compaction.running.intersect(&plan.context)?;
    let is_met = |values: &Values| around.loops.iter().all(|own| is_turn(model, own, values));
    let instances = first_instances(&running, size, &counters, &is_met, MOST_INSTANCES + 1)?;
    let mut found = LocalExample { at: named(&size.constants), instances: Vec::new(), is_cut: false };
    let mut left = most;
    for values in &instances {
        let arrays = plan.locals.iter().map(|local| cells(local, values)).collect::<Result<Vec<_>, Error>>()?;
        let count: usize = arrays.iter().map(Vec::len).sum();
        if count > left || found.instances.len() == MOST_INSTANCES {
            found.is_cut = true;
            break;
        }
        left -= count;
        let at = values.iter().filter(|(name, _)| changing.contains(name)).cloned().collect();
        found.instances.push(LocalInstance { at, arrays });
    }
    Ok((!found.instances.is_empty()).then_some(found))
}

fn value(model: &Model, parameter: ParameterId, values: &Values) -> Option<i64> {
    values.iter().find(|(name, _)| *name == model.parameters[parameter.0]).map(|(_, value)| *value)
}

/// Whether a loop's counter comes by its value; where that or its first value isn't known yet, it may.
fn is_turn(model: &Model, around: &LoopAround, values: &Values) -> bool {
    let known = |id: ParameterId| value(model, id, values);
    let mut used = BTreeSet::new();
    around.first.1.collect_parameters(&mut used);
    let all: Vec<i64> = (0..model.parameters.len()).map(|id| known(ParameterId(id)).unwrap_or(0)).collect();
    let first = around.first.1.value(&all).filter(|_| used.iter().all(|id| known(*id).is_some()));
    first.zip(known(around.counter)).is_none_or(|(first, counter)| (counter - first) % around.step == 0)
}

fn named(values: &Values) -> BTreeMap<String, i64> {
    values.iter().cloned().collect()
}

/// The cells of a local array at one instance.
fn cells(local: &Local, values: &Values) -> Result<Vec<LocalCell>, Error> {
    let dimensions = local.cells.dimensions()?;
    let set = |set| Ok(points(set, values)?.into_iter().collect::<BTreeSet<Vec<i64>>>());
    let (into, back): (BTreeSet<Vec<i64>>, BTreeSet<Vec<i64>>) = (set(&local.copies.into)?, set(&local.copies.back)?);
    let places = points(&local.shape.map.intersect_domain(&local.cells)?.wrap()?, values)?;
    let cell = |place: Vec<i64>| {
        let (cell, local) = place.split_at(dimensions);
        let copied = match (into.contains(cell), back.contains(cell)) {
            (true, true) => Copied::Both,
            (true, false) => Copied::In,
            (false, true) => Copied::Back,
            (false, false) => Copied::Not,
        };
        LocalCell { cell: cell.to_vec(), local: local.to_vec(), copied }
    };
    let mut found: Vec<LocalCell> = places.into_iter().map(cell).collect();
    found.sort_by(|a, b| a.cell.cmp(&b.cell));
    Ok(found)
}
