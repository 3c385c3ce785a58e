//! Temporaries in the memory of outputs against runs: every read finds its value, and so does who reads the output behind the scop.
//!
//! The run gets two operations more: before all others one that writes every cell of the output's memory in question, and behind them
//! one that reads it. Moved by one cell, the proof must refuse a guest or the run agree with it.

use super::judge::{Counts, Verdict, bounded};
use super::run::{Run, borrow};
use polyfold_alloc::{HostedProposal, SharedMember};
use polyfold_flow::Model;
use polyfold_isl::PwAff;
use polyfold_live::Host;
use polyfold_plan::Outcome;
use polyfold_prove::{GuestFacts, HostedFacts, Inside, Placed, verify_hosted};
use polyfold_replay::{Event, Home, Operation, Trace, replay_values};
use polyfold_scop::{AccessKind, ArrayId, Certainty, Scop, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// Replays the guests of each output together, and each alone at places beside its own.
pub(crate) fn judge_guests(
    model: &Model,
    outcomes: &[(ArrayId, Outcome)],
    runs: &[Run],
    counts: &mut Counts,
) -> Verdict {
    let mut hosts: BTreeMap<ArrayId, Vec<(&Placed, &Inside)>> = BTreeMap::new();
    for (_, outcome) in outcomes {
        if let Outcome::Hosted { place } = outcome {
            let inside = place.inside().ok_or("a guest without a host")?;
            hosts.entry(inside.host).or_default().push((place, inside));
        }
    }
    for (host, guests) in hosts {
        for run in runs {
            let told = |why: String| format!("guests of {} at {:?}: {why}", model.scop.array(host).name, run.sizes);
            let mut moves = BTreeMap::new();
            for (place, inside) in &guests {
                if let Some(shift) = here(place, inside, run)? {
                    moves.insert(place.array(), shift);
                }
            }
            if moves.len() < guests.len() {
                continue;
            }
            replay(model.scop, run, host, &moves).map_err(told)?;
            counts.guests_replayed += moves.len();
            for (guest, shift) in &moves {
                for beside in beside(shift) {
                    let moved = BTreeMap::from([(*guest, beside)]);
                    counts.moved_guests_caught += usize::from(replay(model.scop, run, host, &moved).is_err());
                }
            }
        }
        for (place, inside) in guests {
            mutate(model, runs, place.array(), inside, counts)?;
        }
    }
    Ok(())
}

/// A guest's shift at a run's sizes; `None`: nothing is proved for them.
fn here(place: &Placed, inside: &Inside, run: &Run) -> Result<Option<Vec<i64>>, String> {
    let scope = place.scope().at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
    if scope.is_empty().map_err(|e| e.to_string())? {
        return Ok(None);
    }
    let value = |function: &PwAff| {
        function.eval(&borrow(&run.sizes)).map_err(|e| e.to_string())?.ok_or("a shift without a value".to_string())
    };
    inside.shift.iter().map(value).collect::<Result<_, _>>().map(Some)
}

/// Shifts that differ by one in one coordinate.
fn beside(shift: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    (0..shift.len()).flat_map(move |axis| {
        [-1, 1].map(|step| shift.iter().enumerate().map(|(k, s)| s + step * i64::from(k == axis)).collect())
    })
}

/// Proves each guest one cell aside, alone: it is refused, or right.
fn mutate(model: &Model, runs: &[Run], guest: ArrayId, inside: &Inside, counts: &mut Counts) -> Verdict {
    let ctx = model.context.context();
    for (axis, step) in (0..inside.shift.len()).flat_map(|axis| [(axis, -1), (axis, 1)]) {
        let proved = bounded(ctx, || {
            let mut shift = inside.shift.clone();
            shift[axis] = shift[axis].add(&PwAff::read(ctx, &format!("{{ [({step})] }}"))?)?;
            let (host, lifetimes) = Host::with_guests(model, inside.host, &[guest])?;
            let guests = [GuestFacts { stay: host.stay_of(&lifetimes[0])?, earlier: Vec::new() }];
            let facts = HostedFacts { guests: &guests, context: &model.context };
            let guests = vec![SharedMember::shifted(guest, shift)];
            verify_hosted(HostedProposal { host: inside.host, guests }, &facts)
        })?;
        match proved {
            None => counts.too_long += 1,
            Some(Err(_)) => counts.mutants_refused += 1,
            Some(Ok(proved)) => {
                counts.mutants_proved += 1;
                let place = proved.place(0);
                for run in runs {
                    let Some(shift) = here(place, place.inside().ok_or("no host")?, run)? else { continue };
                    replay(model.scop, run, inside.host, &BTreeMap::from([(guest, shift)]))
                        .map_err(|why| format!("proved one cell aside, but {why} at {:?}", run.sizes))?;
                }
            }
        }
    }
    Ok(())
}

/// Whether the guests, moved so, and the host find all their values in the host's memory, within its declared extents.
fn replay(scop: &Scop, run: &Run, host: ArrayId, moves: &BTreeMap<ArrayId, Vec<i64>>) -> Verdict {
    let place = |array: ArrayId, cell: &[i64]| match moves.get(&array) {
        Some(shift) => Some(cell.iter().zip(shift).map(|(x, s)| x + s).collect::<Vec<i64>>()),
        None => (array == host).then(|| cell.to_vec()),
    };
    let events = run.trace.operations.iter().flat_map(|operation| &operation.events);
    let memory: BTreeSet<Vec<i64>> = events.filter_map(|event| place(event.array, &event.cell)).collect();
    let values: Vec<i64> = run.sizes.iter().map(|(_, value)| *value).collect();
    for (axis, extent) in scop.array(host).extents.iter().enumerate() {
        let Some(extent) = extent.as_ref().and_then(|extent| extent.value(&values)) else { continue };
        if let Some(cell) = memory.iter().find(|cell| !(0..extent).contains(&cell[axis])) {
            return Err(format!("{cell:?} lies outside"));
        }
    }
    let trace = with_a_border(run.trace.clone(), host, &memory);
    let home = |_: &Operation, event: &Event| {
        place(event.array, &event.cell).map_or(Home::Elsewhere, |cell| Home::At((0, cell)))
    };
    replay_values(&trace, &home).map(|_| ()).map_err(|clobber| clobber.to_string())
}

/// The run with a write of all cells in front, and a read of them behind.
fn with_a_border(mut trace: Trace, host: ArrayId, cells: &BTreeSet<Vec<i64>>) -> Trace {
    let all = |kind: AccessKind| Operation {
        statement: StatementId(usize::MAX),
        iteration: Vec::new(),
        events: (cells.iter())
            .map(|cell| Event { access: 0, array: host, cell: cell.clone(), kind, certainty: Certainty::Must })
            .collect(),
        still: Vec::new(),
    };
    trace.operations.insert(0, all(AccessKind::Write));
    trace.operations.push(all(AccessKind::Read));
    trace
}
