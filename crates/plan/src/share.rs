//! Which arrays share a buffer.
//!
//! Arrays of one element type are gathered one after the other, as long as their common buffer needs fewer cells than
//! they do apart. What each would need alone is known by then and stays the yardstick: a buffer is taken only if it saves
//! a tenth.
//!
//! Paper: SMO (POPL'16). Deviation: which arrays share is decided by the sizes that come out, not by whether conflicts between
//! them could be separated (§4.5), which can cost memory: two arrays that are small alone may fit together badly.

use crate::buffer::SharedBuffer;
use crate::cells::LEAST_SAVING;
use crate::decisions::Decisions;
use crate::gathering::{Candidate, Gathering};
use crate::optimize::Outcome;
use crate::search::StorageSearch;
use crate::sizes::{borrow, declared_cells};
use crate::versioning::has_second_text;
use polyfold_codegen::has_fixed_rows;
use polyfold_flow::DeadCode;
use polyfold_isl::Error;
use polyfold_prove::{Placed, TileWindow, tile_windows};
use polyfold_scop::{Array, ArrayId, Declaration, ParameterId, Storage};

/// Moves arrays into common buffers where that saves cells; work past the bound leaves the rest as it is.
pub(crate) fn share(search: &StorageSearch, kinds: &[Vec<Candidate>], decisions: &mut Decisions) {
    for kind in kinds {
        let mut left = able_to_save(search, kind);
        while left.len() > 1 {
            let Ok((taken, buffer)) =
                search.in_bound(left.len(), left.iter().map(|candidate| candidate.id), || gather(search, &left))
            else {
                break;
            };
            if let Some(buffer) = buffer {
                decisions.share(buffer);
            }
            left.retain(|candidate| !taken.contains(&candidate.id));
            left = able_to_save(search, &left);
        }
    }
}

/// Those that some buffer may hold which saves enough.
///
/// At a moment t at which the most values are alive, a buffer of arrays S holds `Σ aliveₜ(s)` of them, so that it saves no more cells
/// than `Σ idle(s)` with `idle(s) = cells(s) − aliveₜ(s)`, and has to save a part of `Σ cells(s)`. So an array is left out if its
/// own balance is worse than all others' good ones make up for. Example: lines of 204 cells, 200 of them alive at once, cannot save a
/// tenth in any company of their like.
///
/// The same has to be so at sizes at which all of the program runs, with the most values of each alive for its cells.
fn able_to_save(search: &StorageSearch, candidates: &[Candidate]) -> Vec<Candidate> {
    let here = candidates.iter().map(|candidate| (candidate.cells, search.alive_at_peak(candidate.id)));
    let able = with_good_balance(candidates, here);
    match search.candidates_where_all_run(&able) {
        None => able,
        Some(values) => with_good_balance(&able, values.iter().map(|of| (of.alone, of.at_peak))),
    }
}

/// `needs` are the cells of each alone, and how many are in use at the moment t.
fn with_good_balance(candidates: &[Candidate], needs: impl Iterator<Item = (u64, u64)>) -> Vec<Candidate> {
    let balance = |(cells, alive): (u64, u64)| {
        i128::from(cells.saturating_sub(alive)) * i128::from(LEAST_SAVING) - i128::from(cells)
    };
    let balances: Vec<i128> = needs.map(balance).collect();
    let good: i128 = balances.iter().map(|balance| (*balance).max(0)).sum();
    let is_able = |balance: &i128| good + (*balance).min(0) > 0;
    candidates.iter().zip(&balances).filter(|(_, balance)| is_able(balance)).map(|(c, _)| c.clone()).collect()
}

/// The first array with those that fit in, and their buffer if one was proved that saves enough.
fn gather(search: &StorageSearch, left: &[Candidate]) -> Result<(Vec<ArrayId>, Option<SharedBuffer>), Error> {
    let gathering = Gathering::of(search, left, false)?;
    let (members, apart) = (gathering.members(), gathering.apart);
    let buffer = if members.len() < 2 { None } else { gathering.buffer(apart - apart / LEAST_SAVING)? };
    Ok((members, buffer))
}

/// What arrays must have in common.
#[derive(PartialEq)]
struct Kind<'a> {
    /// The words of their type, and the elements that these make.
    words: (&'a str, &'a str),
    dimensions: usize,
    has_run_time_size: bool,
    is_allocated: bool,
}

/// Arrays that may share with each other: temporaries of one type, each written before it is read; those that are wanted.
pub(crate) fn kinds(
    search: &StorageSearch,
    outcomes: &[(ArrayId, Outcome)],
    is_wanted: &dyn Fn(&Candidate) -> bool,
) -> Result<Vec<Vec<Candidate>>, Error> {
    let mut kinds: Vec<(Kind, Vec<Candidate>)> = Vec::new();
    for (id, outcome) in outcomes {
        let candidate = cells_alone(search, *id, outcome).map(|cells| Candidate { id: *id, cells });
        let Some(candidate) = candidate.filter(is_wanted) else { continue };
        let array = search.model.scop.array(*id);
        let is_fixed = search.options.text.fixed.iter().any(|(fixed, _)| fixed == id);
        let may_share = |d: &&Declaration| (is_plain_local(d) && !is_fixed) || may_be_others(search, array, d);
        let Some(declaration) = array.declaration.as_ref().filter(may_share) else { continue };
        if search.model.accesses(*id).cells()?.is_none() || search.known.alone(search.model, *id)?.exposed().is_some() {
            continue;
        }
        let kind = Kind {
            words: (&declaration.specifiers, &array.element),
            dimensions: array.extents.len(),
            has_run_time_size: search.available(*id).len() == search.model.parameters.len(),
            is_allocated: declaration.allocation().is_some(),
        };
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, members)) => members.push(candidate),
            None => kinds.push((kind, vec![candidate])),
        }
    }
    Ok(kinds.into_iter().map(|(_, members)| members).collect())
}

/// A member's first cell stands anywhere in the buffer: its own alignment would be lost. Types without a name are as many as there are declarations.
fn is_plain_local(declaration: &Declaration) -> bool {
    let is_local = matches!(declaration.storage, Storage::Local | Storage::StaticLocal);
    is_local && !declaration.inside_scop && !declaration.says_alignment() && !declaration.specifiers.contains('{')
}

/// Whether memory from `malloc` may hold several arrays: it lasts, all sizes are known when it is allocated, and there is one text for all
/// of them.
fn may_be_others(search: &StorageSearch, array: &Array, declaration: &Declaration) -> bool {
    let Some(allocation) = declaration.allocation() else { return false };
    let lasts = allocation.sharing.as_ref().is_some_and(|sharing| sharing.lasts);
    let knows_all = (0..search.model.scop.parameters.len()).map(ParameterId).all(|id| allocation.known.contains(&id));
    let is_guarded = has_second_text(search.model).unwrap_or(true);
    lasts && knows_all && !is_guarded && !has_fixed_rows(array) && !declaration.says_alignment()
}

/// `None` for an array that must stay, or is next to nothing alone.
pub(crate) fn cells_alone(search: &StorageSearch, id: ArrayId, outcome: &Outcome) -> Option<u64> {
    match outcome {
        Outcome::Mapped { storage, .. } if storage.place().is_one_cell() => None,
        Outcome::Mapped { storage, .. } => storage.get().mapping.cells(&borrow(search.sizes)).ok()?,
        Outcome::Kept { surprising: false, .. } if search.model.scop.array(id).is_temporary() => {
            declared_cells(search.model.scop, id, search.sizes)
        }
        _ => None,
    }
}

/// The arrays that are windows by themselves: in a buffer with others they would be none.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn carried(
    search: &StorageSearch,
    alone: &[(ArrayId, Outcome)],
    dead: &DeadCode,
) -> Result<Vec<ArrayId>, Error> {
    if !search.options.in_strips {
        return Ok(Vec::new());
    }
    // Tiles may share.
    let mapped = alone.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Mapped { storage, .. } => Some(storage.place().clone()).filter(|place| place.rows().len() == 1),
        _ => None,
    });
    let (mapped, model): (Vec<Placed>, _) = (mapped.collect(), search.model);
    let windows = tile_windows((model.scop, &model.statements), &mapped, &dead.statements, &model.context)?;
    Ok(windows.iter().map(TileWindow::array).collect())
}
