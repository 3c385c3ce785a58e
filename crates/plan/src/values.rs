//! Storage for values instead of cells.
//!
//! What an array needs cell by cell may be more than its values do: the two grids of a stencil are both full, but hardly
//! more than one grid of values is ever alive. Arrays are taken apart into classes of values (see
//! [`Expansion`]), and the classes gathered into buffers like arrays. What drifts through memory goes first.
//!
//! It is done where it saves 3 % of the cells decided on so far, or a tenth if that takes a `%`, since subscripts get longer
//! and choose by cases.
//!
//! Paper: SMO (POPL'16) §3.1 and §4.1.

use crate::buffer::SharedBuffer;
use crate::cells::{alive, worth, worth_computing};
use crate::conflicts::KnownConflicts;
use crate::decisions::Decisions;
use crate::gathering::{Candidate, Gathering, Joining};
use crate::optimize::Outcome;
use crate::search::StorageSearch;
use crate::sizes::borrow;
use polyfold_alloc::{Aligned, Sizes};
use polyfold_codegen::{ValueBuffer, WritableValues, can_slide, free_name};
use polyfold_flow::{Expansion, ValueClass, time_loops};
use polyfold_isl::{Error, ErrorKind};
use polyfold_live::Lifetimes;
use polyfold_prove::{Placed, PlacedValues, sliding_windows, verify_names};
use polyfold_scop::{ArrayId, LoopId, Scop};

/// Puts values of arrays that may share into common buffers where that saves cells; work past the bound leaves all as it is.
pub(crate) fn take_apart(search: &StorageSearch, ids: &[ArrayId], decisions: &mut Decisions) {
    let found = search.in_bound(WORK, ids.iter().copied(), || best(search, ids, decisions));
    let Ok(Some(apart)) = found else { return };
    decisions.classes += apart.classes.len();
    let first = decisions.buffers.len();
    let members: Vec<(ArrayId, usize)> = (apart.buffers.iter().enumerate())
        .flat_map(|(k, buffer)| buffer.storage.get().members.iter().map(move |m| (m.array, first + k)))
        .collect();
    decisions.buffers.extend(apart.buffers);
    for values in apart.arrays {
        let of_class = |class: &ValueClass| members.iter().find(|(id, _)| *id == class.id).map(|(_, k)| *k);
        let own = apart.classes.iter().filter(|class| class.array == values.array());
        let mut used: Vec<usize> = own.filter_map(of_class).collect();
        used.sort_unstable();
        used.dedup();
        decisions.set(values.array(), Outcome::Values { values: Box::new(values), buffers: used });
    }
}

/// This many times the bound on an array's extra work may be spent on one kind of arrays.
const WORK: usize = 10;

/// More classes than this, of all arrays together, make programs that nobody wants to read.
const MOST_CLASSES: usize = 10;

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
    arrays: Vec<WritableValues>,
    classes: Vec<ValueClass>,
    buffers: Vec<SharedBuffer>,
    /// What they need, without cells to slide in.
    cells: u64,
}

impl Apart {
    /// Whether subscripts take remainders.
    fn computes(&self) -> bool {
        self.buffers.iter().flat_map(SharedBuffer::places).any(Placed::takes_remainders)
    }
}

/// The smallest storage by values, if it saves enough.
fn best(search: &StorageSearch, ids: &[ArrayId], decisions: &Decisions) -> Result<Option<Apart>, Error> {
    let mut best: Option<Apart> = None;
    let alive = alive(search, ids);
    if decisions.cells_by_themselves(search, ids).is_some_and(|cells| worth(cells) <= alive) {
        return Ok(None);
    }
    let times = time_loops(&search.model.scop.body).map(|l| Some(l.id));
    let without = (ids.len() > 1).then_some(None);
    for time in times.chain(without) {
        let most = best.as_ref().map(|best| best.cells.saturating_sub(1));
        match along(search, ids, time, (decisions, most)) {
            Ok(None) => {}
            Ok(smaller) => best = smaller,
            // What was found stays.
            Err(error) if error.kind == ErrorKind::Quota && best.is_some() => break,
            Err(error) => return Err(error),
        }
        if best.as_ref().is_some_and(|best| best.cells <= alive) {
            break;
        }
    }
    Ok(best)
}

/// Storage of at most so many cells, with values named by the iterations of a loop, or by none; `None`: it does not save enough.
fn along(
    search: &StorageSearch,
    ids: &[ArrayId],
    time: Option<LoopId>,
    (decisions, most): (&Decisions, Option<u64>),
) -> Result<Option<Apart>, Error> {
    let found = Expansion::of(search.model, ids, time, decisions.classes, MOST_CLASSES)?;
    let Some(expansion) = found else { return Ok(None) };
    let Some(now) = decisions.cells_by_themselves(search, &arrays(&expansion)) else { return Ok(None) };
    let found = apart(search, &expansion, most.map_or_else(|| worth(now), |most| most.min(worth(now))))?;
    Ok(found.filter(|apart| !apart.computes() || apart.cells <= worth_computing(now)))
}

/// The arrays whose values have names.
fn arrays(expansion: &Expansion) -> Vec<ArrayId> {
    let mut ids: Vec<ArrayId> = expansion.classes.iter().map(|class| class.array).collect();
    ids.dedup();
    ids
}

/// Fewer classes that move make no two pairs.
const TWO_PAIRS: usize = 4;

/// Storage of at most so many cells for all classes that are read.
fn apart(search: &StorageSearch, expansion: &Expansion, most: u64) -> Result<Option<Apart>, Error> {
    let found = apart_joining(search, expansion, (most, Joining::ForACell))?;
    let moving = expansion.classes.iter().filter(|class| class.moves && is_read(expansion, class)).count();
    let is_enough = |cells| worth(cells) <= alive(search, &arrays(expansion));
    if moving < TWO_PAIRS || found.as_ref().is_some_and(|apart| is_enough(apart.cells)) {
        return Ok(found);
    }
    let fewer = found.as_ref().map_or(most, |apart| apart.cells.saturating_sub(1));
    match apart_joining(search, expansion, (fewer, Joining::ForHalf)) {
        Err(error) if error.kind == ErrorKind::Quota && found.is_some() => Ok(found),
        in_pairs => Ok(in_pairs?.or(found)),
    }
}

/// The same, where classes join others on a condition.
fn apart_joining(
    search: &StorageSearch,
    expansion: &Expansion,
    (most, joining): (u64, Joining),
) -> Result<Option<Apart>, Error> {
    let known = KnownConflicts::default();
    let search = StorageSearch { model: &expansion.model, classes: &expansion.classes, known: &known, ..*search };
    let has_time = expansion.versions.dimensions() > 0;
    let (moving, still): (Vec<&ValueClass>, Vec<&ValueClass>) =
        expansion.classes.iter().filter(|class| is_read(expansion, class)).partition(|class| class.moves);
    let (mut buffers, mut larger) = (Vec::new(), Vec::new());
    let gathered = if has_time { &moving } else { &still };
    let mut left = gathered.iter().map(|class| candidate(&search, class)).collect::<Result<Vec<_>, _>>()?;
    left.sort_by_key(|candidate| std::cmp::Reverse(candidate.cells));
    while !left.is_empty() {
        let gathering = Gathering::joining(&search, &left, (has_time, joining))?;
        let Some(buffer) = gathering.buffer(fewer(most, &buffers))? else { return Ok(None) };
        left.retain(|candidate| !gathering.members().contains(&candidate.id));
        if has_time {
            larger.push(gathering.with_cells_to_slide(&search, &buffer)?);
        }
        buffers.push(buffer);
    }
    // What a loop does not write lives through all of it, if it is needed in it: it has nothing to share.
    let apart = if has_time { still.as_slice() } else { &[] };
    for class in apart {
        let alone = Gathering::of(&search, &[candidate(&search, class)?], false)?;
        let Some(buffer) = alone.buffer(fewer(most, &buffers))? else { return Ok(None) };
        buffers.push(buffer);
    }
    let (classes, cells) = (expansion.classes.clone(), cells(&buffers));
    if let Some(larger) = with_larger(&buffers, larger)
        && let Some(arrays) = placed(&search, expansion, &larger)?
        && slide(&search, &arrays, (&buffers, &larger))?
    {
        return Ok(Some(Apart { arrays, classes, buffers: larger, cells }));
    }
    let Some(arrays) = placed(&search, expansion, &buffers)? else { return Ok(None) };
    Ok(Some(Apart { arrays, classes, buffers, cells }))
}

/// The buffers with those that have cells to slide in; `None`: there are none.
fn with_larger(buffers: &[SharedBuffer], larger: Vec<Option<SharedBuffer>>) -> Option<Vec<SharedBuffer>> {
    let mut all = buffers.to_vec();
    let any = larger.iter().any(Option::is_some);
    for (buffer, larger) in all.iter_mut().zip(larger) {
        *buffer = larger.unwrap_or_else(|| buffer.clone());
    }
    any.then_some(all)
}

/// Whether all buffers with more cells than suffice slide.
fn slide(
    search: &StorageSearch,
    arrays: &[WritableValues],
    (buffers, larger): (&[SharedBuffer], &[SharedBuffer]),
) -> Result<bool, Error> {
    let placed: Vec<PlacedValues> = arrays.iter().map(|values| values.placed().clone()).collect();
    let found = sliding_windows(search.model.scop, &placed, &search.model.context)?;
    let slides = |buffer: &SharedBuffer| {
        let window = found.iter().find(|window| window.buffer() == buffer.storage.get().members[0].array);
        window.is_some() && can_slide(search.model.scop, buffer.arrays[0])
    };
    Ok(buffers.iter().zip(larger).all(|(buffer, larger)| larger.cells == buffer.cells || slides(larger)))
}

/// The arrays with the buffers as the places of their values; `None`: that is not proved, or cannot be written.
fn placed(
    search: &StorageSearch,
    expansion: &Expansion,
    buffers: &[SharedBuffer],
) -> Result<Option<Vec<WritableValues>>, Error> {
    let places: Vec<Placed> = buffers.iter().flat_map(SharedBuffer::places).cloned().collect();
    let mut placed = Vec::new();
    for id in arrays(expansion) {
        let Some(values) = verify_names(expansion, id, &places)? else { return Ok(None) };
        let Some(values) = search.writable(values)? else { return Ok(None) };
        placed.push(values);
    }
    Ok(Some(placed))
}

/// What the next buffer stays below, so that all have at most so many cells.
fn fewer(most: u64, buffers: &[SharedBuffer]) -> u64 {
    most.saturating_add(1).saturating_sub(cells(buffers))
}

fn cells(buffers: &[SharedBuffer]) -> u64 {
    buffers.iter().fold(0, |sum, buffer| sum.saturating_add(buffer.cells))
}

fn is_read(expansion: &Expansion, class: &ValueClass) -> bool {
    expansion.model.accesses(class.id).uses().next().is_some()
}

/// A class with the cells that it needs alone.
fn candidate(search: &StorageSearch, class: &ValueClass) -> Result<Candidate, Error> {
    let at = borrow(search.sizes);
    let sizes = Sizes { context: &search.model.context, at: &at, drift: false };
    let own = search.differences_of(&Lifetimes::of(search.model, class.id)?)?;
    Ok(Candidate { id: class.id, cells: Aligned::first(own.set(), sizes)?.cells })
}
