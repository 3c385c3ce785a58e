//! Proved mappings against runs: every value is found again, and one cell less is refused or right, too.

use super::apart::judge_apart;
use super::claim::Claim;
use super::guests::judge_guests;
use super::judge::{Counts, Verdict, bounded};
use super::registers::judge_registers;
use super::row::RowHere;
use super::run::{Run, borrow};
use super::scalars::judge_scalars;
use super::sliding::judge_slides;
use super::tiled::judge_tiles;
use super::values::judge_values;
use super::windows::judge_windows;
use polyfold_alloc::{Mapping, Proposal};
use polyfold_flow::Model;
use polyfold_isl::{Context, PwAff};
use polyfold_live::{Lifetimes, Precision};
use polyfold_plan::{Optimized, Options, Outcome, Scope, SharedBuffer, Slack, optimize};
use polyfold_prove::{Placed, Verified, verify};
use polyfold_replay::replay_shared;
use polyfold_scop::{ArrayId, Scop};
use std::collections::BTreeMap;

/// Replays every mapping that is proved, and tries each with one modulus less.
pub(crate) fn judge_mappings(ctx: &Context, scop: &Scop, options: Options, counts: &mut Counts) -> Verdict {
    let Ok(result) = optimize(ctx, scop, &options, &mut |_| {}) else {
        counts.too_long += 1;
        return Ok(());
    };
    let Optimized { dead, outcomes, buffers, .. } = &result;
    let useful = dead.remove_from(scop);
    let model = Model::build(ctx, &useful).map_err(|e| e.to_string())?;
    let runs = Run::all(&useful, &model);
    for (array, outcome) in outcomes {
        let Outcome::Mapped { storage, least } = outcome else { continue };
        let told = |why: String| format!("{}: {why}", scop.array(*array).name);
        for run in runs.iter().take(2) {
            let replayed = replays(run, &[storage.place()]).map_err(told)?;
            counts.mappings_replayed += usize::from(replayed);
            let begins = storage.get().begins.iter().any(|begin| begin.as_constant() != Ok(Some(0)));
            counts.begun_replayed += usize::from(replayed && begins);
            counts.growing_replayed += usize::from(replayed && storage.place().linear().is_some());
        }
        let cells = storage.get().mapping.cells(&borrow(&result.sizes.values)).map_err(|e| e.to_string())?;
        counts.given_slack += usize::from(options.slack != Slack::NONE && cells.is_some_and(|cells| cells > *least));
        if options.scope != Scope::Outputs {
            mutate(&model, &runs, storage, counts).map_err(told)?;
        }
    }
    for SharedBuffer { storage, cells, least, .. } in buffers.iter().filter(|buffer| !buffer.holds_values) {
        counts.given_slack += usize::from(cells > least);
        let members: Vec<&Placed> = (0..storage.get().members.len()).map(|member| storage.place(member)).collect();
        for run in &runs {
            let replayed = replays(run, &members).map_err(|why| format!("shared: {why}"))?;
            counts.buffers_replayed += usize::from(replayed);
        }
    }
    judge_guests(&model, outcomes, &runs, counts)?;
    judge_apart(&model, &result, &runs, counts)?;
    judge_scalars(&model, &result, &runs, counts)?;
    judge_registers(&model, &result, &runs, counts)?;
    judge_windows(&model, &result, &runs, counts)?;
    judge_slides(&useful, &result, &runs, counts)?;
    judge_tiles(&model, &result, &runs, counts)?;
    judge_values(outcomes, &runs, counts)
}

/// Whether a run finds all its values in a buffer of these arrays, and every cell inside it; `false` if the mapping is not
/// meant for these sizes.
fn replays(run: &Run, members: &[&Placed]) -> Result<bool, String> {
    let here = members[0].scope().at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
    if here.is_empty().map_err(|e| e.to_string())? {
        return Ok(false);
    }
    let mut rows: BTreeMap<ArrayId, Vec<RowHere>> = BTreeMap::new();
    for place in members {
        rows.insert(place.array(), RowHere::all(place, &run.sizes)?);
    }
    for event in run.trace.operations.iter().flat_map(|o| &o.events) {
        let inside = |rows: &Vec<RowHere>| rows.iter().all(|row| (0..row.modulus).contains(&row.place(&event.cell)));
        if !rows.get(&event.array).is_none_or(inside) {
            return Err(format!("{:?} {:?} leaves the buffer at {:?}", event.kind, event.cell, run.sizes));
        }
    }
    let slot = |array, cell: &[i64]| Some((0, rows.get(&array)?.iter().map(|row| row.place(cell)).collect()));
    replay_shared(&run.trace, &slot).map_err(|clobber| format!("{clobber} at {:?}", run.sizes))?;
    Ok(true)
}

/// Takes one from each modulus in turn, where it is more than one: the prover refuses, or the oracle agrees.
fn mutate(model: &Model, runs: &[Run], storage: &Verified<Proposal>, counts: &mut Counts) -> Verdict {
    let array = storage.get().array;
    let ctx = model.context.context();
    let finest = || Claim::of(model, array, &Lifetimes::of(model, array)?, Precision::Value);
    let Some(claim) = bounded(ctx, finest)? else {
        counts.too_long += 1;
        return Ok(());
    };
    for row in 0..storage.place().rows().len() {
        match bounded(ctx, || prove_smaller(model, &claim, storage, row))? {
            None => counts.too_long += 1,
            Some(None) => counts.mutants_refused += 1,
            Some(Some(mutant)) => {
                counts.mutants_proved += 1;
                for run in runs {
                    replays(run, &[mutant.place()])
                        .map_err(|why| format!("proved with one less in row {row}, but {why}"))?;
                }
            }
        }
    }
    Ok(())
}

/// The mapping with one modulus less, if that can be proved.
fn prove_smaller(
    model: &Model,
    claim: &Claim,
    storage: &Verified<Proposal>,
    row: usize,
) -> polyfold_isl::Result<Option<Verified<Proposal>>> {
    let ctx = model.context.context();
    let mut proposal = storage.get().clone();
    let Mapping::Modular(mapping) = &mut proposal.mapping else { return Ok(None) };
    let modulus = &mut mapping.moduli[row];
    let context = storage.scope().intersect(&modulus.at_least(&PwAff::read(ctx, "{ [(2)] }")?)?)?;
    *modulus = modulus.add(&PwAff::read(ctx, "{ [(-1)] }")?)?;
    Ok(verify(proposal, &claim.differences, &context)?.ok())
}
