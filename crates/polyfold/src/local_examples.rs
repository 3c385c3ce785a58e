//! Cells of local arrays at small sizes, to be drawn.
//!
//! At each of the sizes that proposals were compared at, the region's instances follow each other. At each, for each local array: the
//! cells that it holds, where each lives, and which are copied.
//!
//! Example: for `for (k…; k += 16) { region: out[i] += in[i], for k <= i < k + 16 }` at n = 32 there are the instances k = 0 and k = 16,
//! and at the second one `in[16]` lives in `in_local[0]` and is copied in.
//!
//! Invariant: what is here was counted from the plan that is proved. Only so many cells are listed, and what is left out is said.

use polyfold_compact::{Choice, Local, Plan, Size, Values, first_instances, points};
use polyfold_flow::Model;
use polyfold_isl::Error;
use polyfold_plan::Compaction;
use polyfold_report::{Copied, LocalCell, LocalExample, LocalInstance};
use polyfold_scop::{ParameterId, Surroundings};
use std::collections::{BTreeMap, BTreeSet};

/// Cells in the drawings at the first choice of sizes, and at others.
const MOST_CELLS: [usize; 2] = [7_000, 1_000];

/// Instances at one choice of sizes.
const MOST_INSTANCES: usize = 64;

/// Steps of isl for one choice of sizes.
const MOST_STEPS: u64 = 10_000_000;

/// The examples of a plan; none of sizes at which there are too many cells, or nothing bounds the instances.
///
/// # Errors
/// Only after an earlier failure of isl.
pub fn examples(compaction: &Compaction, plan: &Plan) -> Result<Vec<LocalExample>, Error> {
    let mut found = Vec::new();
    for (k, size) in plan.sizes.iter().enumerate() {
        let one = || example(compaction, plan, (size, MOST_CELLS[k.min(1)]));
        match plan.context.context().with_quota(MOST_STEPS, one) {
            Err(error) if error.is_bound() => {}
            one => found.extend(one?),
        }
    }
    Ok(found)
}

/// `None`: even its first instance has too many cells, or nothing bounds the instances.
fn example(compaction: &Compaction, plan: &Plan, (size, most): (&Size, usize)) -> Result<Option<LocalExample>, Error> {
    let model = &compaction.model;
    let Some(around) = Around::of(model) else { return Ok(None) };
    let running = compaction.running.intersect(&plan.context)?;
    let choice = |values: &Values, name: &str| around.choice(values, name);
    let instances = first_instances(&running, size, &around.changing, &choice, MOST_INSTANCES + 1)?;
    let Some(instances) = instances else { return Ok(None) };
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
        let at = values.iter().filter(|(name, _)| around.is_counter(name)).cloned().collect();
        let outside = plan.locals.iter().map(|local| outside(model, local, values)).collect::<Result<_, Error>>()?;
        let (iteration, follows) =
            (around.iteration(values), found.instances.last().is_some_and(|last| around.follows(last, values)));
        found.instances.push(LocalInstance { at, iteration, follows, arrays, outside });
    }
    Ok((!found.instances.is_empty()).then_some(found))
}

/// The loops around a region, and what else changes from instance to instance.
struct Around<'a> {
    model: &'a Model<'a>,
    all: Surroundings,
    /// Counters, outermost first, then products.
    changing: Vec<String>,
}

impl<'a> Around<'a> {
    /// `None`: something else changes than counters of loops that are known, and products of these with sizes.
    fn of(model: &'a Model<'a>) -> Option<Around<'a>> {
        let all = model.scop.surroundings.as_deref().cloned().unwrap_or_default();
        let name = |id: ParameterId| model.parameters[id.0].clone();
        let mut changing: Vec<String> = all.loops.iter().rev().map(|own| name(own.counter)).collect();
        let is_product = |id: &ParameterId| all.products.iter().any(|own| own.parameter == *id);
        let (products, others): (Vec<ParameterId>, Vec<ParameterId>) =
            all.changing.iter().copied().partition(is_product);
        let are_known = others.iter().all(|id| changing.contains(&name(*id)));
        changing.extend(products.into_iter().map(name));
        are_known.then_some(Around { model, all, changing })
    }

    fn value(&self, parameter: ParameterId, values: &Values) -> Option<i64> {
        values.iter().find(|(name, _)| *name == self.model.parameters[parameter.0]).map(|(_, value)| *value)
    }

    /// Products of counters and sizes change, too, and are no counters.
    fn is_counter(&self, name: &str) -> bool {
        let is_product = self.all.products.iter().any(|own| self.model.parameters[own.parameter.0] == name);
        !is_product && self.changing.iter().any(|own| own == name)
    }

    fn choice(&self, values: &Values, name: &str) -> Choice {
        let is_own = |id: ParameterId| self.model.parameters[id.0] == name;
        if let Some(product) = self.all.products.iter().find(|own| is_own(own.parameter)) {
            let factors: Option<Vec<i64>> = product.factors.iter().map(|id| self.value(*id, values)).collect();
            let value =
                factors.and_then(|all| all.iter().try_fold(1i64, |product, factor| product.checked_mul(*factor)));
            return value.map_or(Choice::Any, Choice::Only);
        }
        let Some(own) = self.all.loops.iter().find(|own| is_own(own.counter)) else { return Choice::Any };
        let mut used = BTreeSet::new();
        own.first.collect_parameters(&mut used);
        if used.iter().any(|id| self.value(*id, values).is_none()) {
            return Choice::Any;
        }
        let known = |id: usize| self.value(ParameterId(id), values).unwrap_or(0);
        let all: Vec<i64> = (0..self.model.parameters.len()).map(known).collect();
        own.first.value(&all).map_or(Choice::Any, |first| Choice::Steps(first, own.step))
    }

    /// The number by which the program chooses a buffer.
    fn iteration(&self, values: &Values) -> Option<i64> {
        let own = self.all.loops.first()?;
        Some(self.value(own.counter, values)? / own.step.abs())
    }

    /// Whether an instance is at the next iteration of the innermost loop around.
    fn follows(&self, last: &LocalInstance, values: &Values) -> bool {
        let Some(own) = self.all.loops.first() else { return false };
        let name = &self.model.parameters[own.counter.0];
        values.iter().filter(|(other, _)| self.is_counter(other)).all(|(other, value)| {
            last.at.get(other).is_some_and(|before| before + if other == name { own.step } else { 0 } == *value)
        })
    }
}

fn named(values: &Values) -> BTreeMap<String, i64> {
    values.iter().cloned().collect()
}

/// How many cells of a local array lie outside of its array, as far as the declaration says how large that is.
fn outside(model: &Model, local: &Local, values: &Values) -> Result<usize, Error> {
    let Some(declared) = model.declared_cells(local.array) else { return Ok(0) };
    Ok(points(&local.cells.subtract(&declared.unnamed()?)?, values)?.len())
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
