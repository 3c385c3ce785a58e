//! What became of a region, in numbers and in words.

use crate::local_examples::examples;
use polyfold_codegen::{LocalNames, SizesInC};
use polyfold_compact::{How, Local, Motion, Plan, Size, Step, points};
use polyfold_isl::{Error, ErrorKind, Set};
use polyfold_plan::Compaction;
use polyfold_report::{LocalArray, LocalCopies, LocalRegionReport, LocalVersion};
use polyfold_scop::{ArrayId, Scop};
use std::collections::BTreeMap;

/// Steps of isl for one count.
const MOST_STEPS: u64 = 30_000_000;

/// The report on one region. `names`: of its local arrays, by plan. `reason`: why arrays stay, in words; `is_whole`: with cells
/// at small sizes.
///
/// # Errors
/// When the work bound is reached.
pub fn summarize(
    scop: &Scop,
    source: &str,
    line: usize,
    (compaction, names): (&Compaction, &[LocalNames]),
    (reason, is_whole): (&dyn Fn(polyfold_compact::Why) -> String, bool),
) -> Result<LocalRegionReport, Error> {
    let mut versions = Vec::new();
    for (placed, names) in compaction.plans.iter().zip(names) {
        let plan = placed.plan();
        let size = plan.sizes.first();
        let mut arrays = Vec::new();
        for ((local, name), motion) in plan.locals.iter().zip(&names.names).zip(placed.motions()) {
            arrays.push(array(scop, source, compaction, plan, (local, name, motion), size)?);
        }
        let kept = plan.kept.iter().map(|kept| (scop.array(kept.array).name.clone(), reason(kept.why)));
        let at: BTreeMap<String, i64> = size.iter().flat_map(|size| size.constants.iter().cloned()).collect();
        let model = &compaction.model;
        let names = SizesInC::to_read(&compaction.known, &model.parameters, scop)?;
        versions.push(LocalVersion {
            condition: plan.context.to_string(),
            condition_in_c: names.condition(&plan.context)?,
            at,
            arrays,
            kept: kept.collect(),
            examples: if is_whole { examples(compaction, plan)? } else { Vec::new() },
        });
    }
    Ok(LocalRegionReport { function: scop.function.clone(), line, versions })
}

fn array(
    scop: &Scop,
    source: &str,
    compaction: &Compaction,
    plan: &Plan,
    (local, name, motion): (&Local, &str, &Motion),
    size: Option<&Size>,
) -> Result<LocalArray, Error> {
    let declared = scop.array(local.array);
    let constants: &[(String, i64)] = size.map_or(&[], |size| &size.constants);
    let cells = local.shape.cells_at(constants)?;
    let mut references: Vec<String> = Vec::new();
    for served in &local.served {
        let access = &scop.statement(served.statement).accesses[served.access];
        let text = access.place.fragment.map_or(source, |f| scop.fragments[f.0].text.as_str());
        let text = text.get(access.place.span.clone()).unwrap_or_default().to_string();
        if !references.contains(&text) {
            references.push(text);
        }
    }
    let mut all = local.cells.clone();
    for other in plan.locals.iter().filter(|other| other.array == local.array) {
        all = all.union(&other.cells)?;
    }
    let copies =
        |set: &Set| -> Result<LocalCopies, Error> { Ok(LocalCopies { set: set.to_string(), cells: most(set, size)? }) };
    Ok(LocalArray {
        name: name.to_string(),
        of: declared.name.clone(),
        element: declared.element.clone(),
        references,
        map: local.shape.map.intersect_domain(&local.cells)?.to_string(),
        extents: local.shape.extents.iter().map(ToString::to_string).collect(),
        how: how(local, motion),
        buffers: motion.buffers(),
        loops_outside: if let Motion::Outside(loops) = motion { *loops } else { 0 },
        cells,
        bytes: declared
            .element_bytes
            .and_then(|bytes| i64::try_from(bytes).ok())
            .map(|bytes| bytes * cells * motion.buffers() as i64),
        copied_in: copies(&local.copies.into)?,
        copied_back: copies(&local.copies.back)?,
        exact: most(&local.cells, size)?,
        box_cells: bounding_box(&all, size)?,
        whole: whole(compaction, plan, local.array, constants)?,
    })
}

/// The most cells of a set at one instance; `None`: there are too many to list.
fn most(set: &Set, size: Option<&Size>) -> Result<Option<i64>, Error> {
    let Some(size) = size else { return Ok(None) };
    let count = || {
        let of = |values| points(set, values).map(|points| points.len() as i64);
        let counts = size.instances.iter().map(of).collect::<Result<Vec<i64>, Error>>()?;
        Ok(counts.into_iter().max())
    };
    unless_too_many(set, count)
}

/// The cells of the smallest box for all instances, whose corner moves with them.
fn bounding_box(set: &Set, size: Option<&Size>) -> Result<Option<i64>, Error> {
    let Some(size) = size else { return Ok(None) };
    let dimensions = set.dimensions()?;
    let count = || {
        let mut widths = vec![0; dimensions];
        for values in &size.instances {
            let values: Vec<(&str, i64)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let own = set.at(&values)?.without_parameters()?;
            for (k, width) in widths.iter_mut().enumerate() {
                if let (Some(least), Some(most)) = (own.dim_min_value(k)?, own.dim_max_value(k)?) {
                    *width = (most - least + 1).max(*width);
                }
            }
        }
        Ok(Some(widths.iter().product()))
    };
    unless_too_many(set, count)
}

fn whole(
    compaction: &Compaction,
    plan: &Plan,
    array: ArrayId,
    constants: &[(String, i64)],
) -> Result<Option<i64>, Error> {
    let Some(declared) = compaction.model.declared_cells(array) else { return Ok(None) };
    let values: Vec<(&str, i64)> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let own = declared.at(&values)?.intersect_params(&plan.context)?.without_parameters()?;
    let mut product = 1i64;
    for k in 0..own.dimensions()? {
        match (own.dim_min_value(k)?, own.dim_max_value(k)?) {
            (Some(least), Some(most)) => product = product.saturating_mul(most - least + 1),
            _ => return Ok(None),
        }
    }
    Ok(Some(product))
}

fn unless_too_many(set: &Set, count: impl FnOnce() -> Result<Option<i64>, Error>) -> Result<Option<i64>, Error> {
    match set.context().with_quota(MOST_STEPS, count) {
        Err(error) if error.kind == ErrorKind::Quota => Ok(None),
        other => other,
    }
}

/// How a local array came about, in words.
fn how(local: &Local, motion: &Motion) -> String {
    let group = match local.how {
        How::Together => None,
        How::Duplicate => Some("copy of its own"),
        How::Owner => Some("owner"),
        How::Rest => Some("without the owner's"),
    };
    let steps = local.shape.steps.iter().map(|step| match step {
        Step::Divide(_) => "strides divided",
        Step::Basis(_) => "basis of strides",
        Step::Rows(_) => "other rows",
        Step::Fold(_) => "folded",
        Step::Modulo(_) => "remainders",
    });
    let mut words: Vec<String> = group.into_iter().chain(steps).map(str::to_string).collect();
    if words.is_empty() {
        words.push("box".to_string());
    }
    match motion {
        Motion::Inside => {}
        Motion::Outside(1) => words.push("in front of the loop".to_string()),
        Motion::Outside(loops) => words.push(format!("in front of {loops} loops")),
        Motion::Rotating { buffers, .. } => words.push(format!("{buffers} buffers")),
    }
    words.join(", ")
}
