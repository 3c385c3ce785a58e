//! Storage for values instead of cells.
//!
//! What an array needs cell by cell may be more than its values do: the two grids of a stencil are both full, but hardly
//! more than one grid of values is ever alive. Arrays are taken apart into classes of values (see
//! [`Expansion`]), and the classes gathered into buffers like arrays. What drifts through memory goes first.
//!
//! It is done where it saves 3 % of what the arrays need otherwise, since subscripts get longer and choose by cases.
//!
//! Paper: SMO (POPL'16) §3.1 and §4.1.

use super::Outcome;
use super::gathering::{Candidate, Gathering, differences};
use super::search::LEAST_SAVED_PERCENT;
use super::search::StorageSearch;
use super::share::SharedBuffer;
use super::sizes::{borrow, declared_cells};
use polyfold_alloc::{Aligned, Sizes};
use polyfold_codegen::{ValueBuffer, free_name};
use polyfold_flow::{Expansion, ValueClass, time_loops};
use polyfold_isl::Error;
use polyfold_live::Lifetimes;
use polyfold_prove::{Placed, PlacedValues, verify_names};
use polyfold_scop::{ArrayId, Scop};

/// Puts values into common buffers where that saves cells; work past the bound leaves the rest as it is. `kinds` are arrays
/// that may share with each other.
pub(super) fn take_apart(
    search: &StorageSearch,
    kinds: &[Vec<Candidate>],
    outcomes: &mut [(ArrayId, Outcome)],
    buffers: &mut Vec<SharedBuffer>,
) {
    for kind in kinds {
        let ids: Vec<ArrayId> = kind.iter().map(|candidate| candidate.id).collect();
        let found = search.in_bound(4 * ids.len(), || best(search, &ids, outcomes, buffers));
        if let Err(e) = &found {
            eprintln!("ERR {e}");
        }
        let Ok(Some(apart)) = found else { continue };
        let first = buffers.len();
        let members: Vec<(ArrayId, usize)> = (apart.buffers.iter().enumerate())
            .flat_map(|(k, buffer)| buffer.storage.get().members.iter().map(move |m| (m.array, first + k)))
            .collect();
        buffers.extend(apart.buffers);
        for values in apart.arrays {
            let of_class = |class: &ValueClass| members.iter().find(|(id, _)| *id == class.id).map(|(_, k)| *k);
            let own = apart.classes.iter().filter(|class| class.array == values.array());
            let mut used: Vec<usize> = own.filter_map(of_class).collect();
            used.sort_unstable();
            used.dedup();
            let id = values.array();
            let outcome = Outcome::Values { values: Box::new(values), buffers: used };
            outcomes.iter_mut().filter(|(other, _)| *other == id).for_each(|(_, o)| *o = outcome.clone());
        }
    }
}

/// What the buffers of values are called.
pub fn value_buffers(scop: &Scop, source: &str, buffers: &[SharedBuffer]) -> Vec<ValueBuffer> {
    let mut found: Vec<ValueBuffer> = Vec::new();
    for buffer in buffers.iter().filter(|buffer| buffer.holds_values) {
        let (owner, first) = (buffer.arrays[0], buffer.storage.get().members[0].array);
        let before = found.iter().filter(|other| other.owner == owner).count();
        let number = if before == 0 { String::new() } else { before.to_string() };
        let name = free_name(&format!("{}_values{number}", scop.array(owner).name), scop, source);
        found.push(ValueBuffer { first, owner, name });
    }
    found
}

/// Arrays whose values live in buffers.
struct Apart {
    arrays: Vec<PlacedValues>,
    classes: Vec<ValueClass>,
    buffers: Vec<SharedBuffer>,
    cells: u64,
}

/// The smallest storage by values, if it saves enough.
fn best(
    search: &StorageSearch,
    ids: &[ArrayId],
    outcomes: &[(ArrayId, Outcome)],
    buffers: &[SharedBuffer],
) -> Result<Option<Apart>, Error> {
    let mut best: Option<Apart> = None;
    let times = time_loops(&search.model.scop.body).map(|l| Some(l.id));
    let without = (ids.len() > 1).then_some(None);
    for time in times.chain(without) {
        let Some(expansion) = Expansion::of(search.model, ids, time)? else { continue };
        let Some(now) = cells_now(search, &expansion, outcomes, buffers) else { continue };
        let least = best.as_ref().map_or(now - now.saturating_mul(LEAST_SAVED_PERCENT) / 100, |best| best.cells);
        if least <= alive(search, ids) {
            break;
        }
        if let Some(apart) = apart(search, &expansion)?
            && apart.cells < least
        {
            best = Some(apart);
        }
    }
    Ok(best)
}

/// A number of cells that the arrays need in any case: the values alive at once, if no others are counted.
fn alive(search: &StorageSearch, ids: &[ArrayId]) -> u64 {
    let (counted, live) = search.live;
    match live {
        Ok(live) if counted.iter().all(|id| ids.contains(id)) => live.total,
        _ => 0,
    }
}

/// The cells that the arrays of an expansion need as decided so far; `None` where they share with others.
fn cells_now(
    search: &StorageSearch,
    expansion: &Expansion,
    outcomes: &[(ArrayId, Outcome)],
    buffers: &[SharedBuffer],
) -> Option<u64> {
    let is_named = |id: ArrayId| expansion.classes.iter().any(|class| class.array == id);
    let (mut cells, mut counted) = (0u64, Vec::new());
    for (id, outcome) in outcomes.iter().filter(|(id, _)| is_named(*id)) {
        cells = cells.saturating_add(match outcome {
            Outcome::Mapped { least, .. } => *least,
            Outcome::Kept { .. } => declared_cells(search.model.scop, *id, search.sizes)?,
            Outcome::Shared { buffer, .. } if counted.contains(buffer) => 0,
            Outcome::Shared { buffer, .. } => {
                counted.push(*buffer);
                let shared = &buffers[*buffer];
                shared.storage.get().members.iter().all(|member| is_named(member.array)).then_some(shared.cells)?
            }
            Outcome::Removed | Outcome::Values { .. } => return None,
        });
    }
    Some(cells)
}

/// Storage for all classes that are read.
fn apart(search: &StorageSearch, expansion: &Expansion) -> Result<Option<Apart>, Error> {
    let search = StorageSearch { model: &expansion.model, classes: &expansion.classes, ..*search };
    let (moving, still): (Vec<&ValueClass>, Vec<&ValueClass>) =
        expansion.classes.iter().filter(|class| is_read(expansion, class)).partition(|class| class.moves);
    let mut buffers = Vec::new();
    for (classes, drift) in [(moving, true), (still, false)] {
        let mut left = classes.iter().map(|class| candidate(&search, class)).collect::<Result<Vec<_>, _>>()?;
        left.sort_by_key(|candidate| std::cmp::Reverse(candidate.cells));
        while !left.is_empty() {
            let gathering = Gathering::of(&search, &left, drift)?;
            let Some(buffer) = gathering.buffer(u64::MAX)? else { return Ok(None) };
            left.retain(|candidate| !gathering.members().contains(&candidate.id));
            buffers.push(buffer);
        }
    }
    let places: Vec<Placed> = buffers
        .iter()
        .flat_map(|buffer| (0..buffer.storage.get().members.len()).map(|member| buffer.storage.placed(member)))
        .collect();
    let mut ids: Vec<ArrayId> = expansion.classes.iter().map(|class| class.array).collect();
    ids.dedup();
    let mut arrays = Vec::new();
    for id in ids {
        match verify_names(expansion, id, &places)? {
            Some(values) if search.can_write(&values)? => arrays.push(values),
            _ => return Ok(None),
        }
    }
    let cells = buffers.iter().fold(0u64, |sum, buffer| sum.saturating_add(buffer.cells));
    Ok(Some(Apart { arrays, classes: expansion.classes.clone(), buffers, cells }))
}

fn is_read(expansion: &Expansion, class: &ValueClass) -> bool {
    !expansion.model.accesses(class.id).reads.is_empty()
}

/// A class with the cells that it needs alone.
fn candidate(search: &StorageSearch, class: &ValueClass) -> Result<Candidate, Error> {
    let at = borrow(search.sizes);
    let sizes = Sizes { context: &search.model.context, at: &at, drift: false };
    let own = differences(search, class.id, &Lifetimes::of(search.model, class.id)?)?;
    Ok(Candidate { id: class.id, cells: Aligned::first(own.set(), sizes)?.cells })
}
