//! Buffers in which innermost loops keep their vectors.
//!
//! Arrays share where each takes the cells that another one leaves, often a cell behind what is
//! still needed. That may cost a loop its vectors, which can be most of a program's speed. Often as
//! many cells do without, or a row more:
//!
//! ```text
//! minhi[i][j] in mid_shared[i][j − 1], mid[i][j] in mid_shared[i][j + 1]      a median of bytes, 480 × 641 cells
//! minhi[i][j] in mid_shared[i − 1][j], mid[i][j] in mid_shared[i][j]          479 × 640 cells, seven times as fast
//! ```
//!
//! A compiler runs V iterations of an innermost loop at once: statement after statement, each for
//! all V. It may not where a statement would write a cell then that one behind it in the text uses
//! in an earlier iteration. Nor may it where an iteration reads what a statement behind that in the
//! text wrote in an earlier one. So in a buffer
//!
//! ```text
//! x = cells of a use in S at i  and  y = cells of a write in T at i',   T before S in the text,  i < i' < i + V
//! ```
//!
//! of two arrays are to be apart. Loops with a small trip count inside are text, too, since
//! compilers unroll them: S and T may be iterations of one. V are the iterations for which 64 bytes
//! have room, the widest vectors there are, of the loop's smallest elements.
//!
//! Example: in `for j: hi[j] = f(a[j]), lo[j] = g(a[j]);` cell j − 1 of a is dead when `hi[j]` is
//! written. If `hi[j]` lives there, iteration j + 1 writes what `g` reads in iteration j: no vectors.
//! With `lo[j]` in that cell, or hi and lo in each other's place, there are some.
//!
//! Loops are left out that are no vectors anyway:
//!
//! * a pair like that of one array is in one cell as the source has it,
//! * statements have effects besides writes,
//! * iterations hand on a variable, which they read before they write it.
//!
//! The arrays of a buffer that costs vectors are gathered once more, with these pairs among their
//! conflicts. What is found is taken if there is slack for it. Otherwise a hint says what slack would do.
//!
//! Invariant: a larger set of conflicts proves no less.
//!
//! Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures (2001) §2.4.

use crate::buffer::SharedBuffer;
use crate::conflicts::{Apart, KnownConflicts, facts_of};
use crate::decisions::Decisions;
use crate::gathering::{Candidate, Gathering};
use crate::hints::{MOST_PERCENT, percent_more};
use crate::search::StorageSearch;
use crate::share::cells_alone;
use crate::slack::Slack;
use polyfold_alloc::Mapping;
use polyfold_flow::{Model, has_few_turns};
use polyfold_isl::{Map, Result};
use polyfold_prove::{SharedFacts, verify_shared};
use polyfold_scop::{ArrayId, Loop, LoopId, Statement, StatementId};
use std::collections::BTreeSet;

/// Arrays whose sharing costs vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorHint {
    /// The arrays in one buffer.
    pub arrays: Vec<ArrayId>,
    /// How many percent more cells than suffice would spare that, and all of them then; `None`: more than 100, or none were found.
    pub slack: Option<(u64, u64)>,
}

/// What a buffer is in vectors.
enum Found {
    /// Its loops keep them, if these cells are apart.
    Kept(Apart),
    /// So they do in another one.
    Other(Box<SharedBuffer>, Apart),
    /// There is no slack for that, if it was found.
    Lost(Option<u64>),
}

/// Buffers in which loops keep their vectors in the place of those decided, where there is slack; what is known then, and where there is none.
pub(crate) fn keep_vectors(
    search: &StorageSearch,
    decisions: &mut Decisions,
) -> Result<(KnownConflicts, Vec<VectorHint>)> {
    let (mut apart, mut hints) = (Apart::new(), Vec::new());
    if search.options.method.is_none() {
        for buffer in decisions.buffers.iter_mut().filter(|buffer| !buffer.holds_values) {
            let times = 2 * buffer.arrays.len();
            match search.in_bound(times, buffer.arrays.clone(), || in_vectors(search, buffer)) {
                Ok(Found::Kept(pairs)) => apart.extend(pairs),
                Ok(Found::Other(other, pairs)) => {
                    *buffer = *other;
                    apart.extend(pairs);
                }
                Ok(Found::Lost(cells)) if search.options.slack == Slack::Usual => {
                    let slack = cells.map(|cells| (percent_more(cells, buffer.least), cells));
                    hints.push(VectorHint { arrays: buffer.arrays.clone(), slack });
                }
                Ok(Found::Lost(_)) | Err(_) => {}
            }
        }
    }
    Ok((search.known.keeping_apart(&apart)?, hints))
}

fn in_vectors(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Found> {
    let pairs = apart_in_vectors(search.model, &buffer.arrays)?;
    let known = search.known.keeping_apart(&pairs)?;
    let facts = facts_of(search.model, &buffer.arrays, &known)?;
    let facts = SharedFacts { members: &facts, context: &search.model.context };
    if pairs.is_empty() || verify_shared(buffer.storage.get().clone(), &facts)?.is_ok() {
        return Ok(Found::Kept(pairs));
    }
    let apart = StorageSearch { known: &known, ..*search };
    let Some(found) = gathered(&apart, buffer)? else { return Ok(Found::Lost(None)) };
    let mapping = &found.storage.get().mapping;
    let has_slack = found.cells <= search.options.slack.most(buffer.least)
        && search.has_slack_when_scaled(mapping, &buffer.storage.get().mapping);
    Ok(if has_slack { Found::Other(Box::new(found), pairs) } else { Found::Lost(Some(found.cells)) })
}

/// All arrays of a buffer in another one, by rows, of up to twice the cells.
fn gathered(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Option<SharedBuffer>> {
    let outcome = |id: &ArrayId| search.alone.iter().find(|(other, _)| other == id);
    let candidates: Option<Vec<Candidate>> = (buffer.arrays.iter())
        .map(|id| Some(Candidate { id: *id, cells: cells_alone(search, *id, &outcome(id)?.1)? }))
        .collect();
    let Some(candidates) = candidates else { return Ok(None) };
    let gathering = Gathering::of(search, &candidates, false)?;
    if gathering.members() != buffer.arrays {
        return Ok(None);
    }
    let most = Slack::Percent(MOST_PERCENT).most(buffer.least).saturating_add(1).min(gathering.apart);
    let found = gathering.buffer(most)?.filter(|found| matches!(found.storage.get().mapping, Mapping::Modular(_)));
    Ok(found.map(|found| SharedBuffer { least: buffer.least.min(found.cells), ..found }))
}

/// Bytes of the widest vectors.
const VECTOR: u64 = 64;

/// The pairs of cells of arrays, the first of each two in front of the second, that are to be apart.
pub(crate) fn apart_in_vectors(model: &Model, arrays: &[ArrayId]) -> Result<Apart> {
    let mut apart = Apart::new();
    for body in bodies(model) {
        if !arrays.iter().any(|id| body.writes(*id)) || !body.runs_in_vectors()? {
            continue;
        }
        for (k, first) in arrays.iter().enumerate() {
            for second in &arrays[k + 1..] {
                let forth = body.against_the_text(*first, *second)?;
                let back = body.against_the_text(*second, *first)?;
                let back = back.iter().map(Map::reverse).collect::<Result<Vec<_>>>()?;
                for pairs in forth.into_iter().chain(back) {
                    let known = apart.remove(&(*first, *second));
                    let all = known.map_or_else(|| Ok(pairs.clone()), |known: Map| known.union(&pairs))?;
                    apart.insert((*first, *second), all);
                }
            }
        }
    }
    Ok(apart)
}

/// What stands in an innermost loop.
struct Body<'a> {
    model: &'a Model<'a>,
    own: &'a Loop,
    statements: Vec<StatementId>,
}

/// One of its accesses.
struct Use<'a> {
    array: ArrayId,
    cells: &'a Map,
    statement: StatementId,
    /// Comes behind what the statement reads.
    writes: bool,
}

/// The innermost loops, but for those of a small trip count, which compilers unroll.
fn bodies<'a>(model: &'a Model<'a>) -> Vec<Body<'a>> {
    let (scop, loops) = (model.scop, model.scop.loops());
    let long = |statement: &Statement| -> Vec<LoopId> {
        statement.loops.iter().copied().filter(|id| !has_few_turns(scop, loops[id.0])).collect()
    };
    let around: Vec<Vec<LoopId>> = scop.statements.iter().map(long).collect();
    let outer: BTreeSet<LoopId> =
        around.iter().filter_map(|ids| ids.split_last()).flat_map(|(_, outer)| outer).copied().collect();
    let innermost: BTreeSet<LoopId> = around.iter().filter_map(|ids| ids.last()).copied().collect();
    let all = (0..scop.statements.len()).map(StatementId);
    let body = |id: LoopId| Body {
        model,
        own: loops[id.0],
        statements: all.clone().filter(|s| scop.statement(*s).loops.contains(&id)).collect(),
    };
    innermost.into_iter().filter(|id| !outer.contains(id)).map(body).collect()
}

impl Body<'_> {
    fn uses(&self) -> impl Iterator<Item = Use<'_>> {
        self.statements.iter().flat_map(|id| {
            let accesses = self.model.scop.statement(*id).accesses.iter();
            accesses.zip(&self.model.statements[id.0].cells).map(|(access, cells)| Use {
                array: access.array,
                cells,
                statement: *id,
                writes: access.is_write(),
            })
        })
    }

    fn writes(&self, id: ArrayId) -> bool {
        self.uses().any(|own| own.array == id && own.writes)
    }

    /// Whether compilers may make vectors of the loop as the source has it.
    fn runs_in_vectors(&self) -> Result<bool> {
        let scop = self.model.scop;
        let has_effects = |id: &StatementId| {
            let statement = scop.statement(*id);
            statement.is_effectful() || statement.passes_addresses()
        };
        let is_handed_on = |id: ArrayId| {
            let first = self.uses().filter(|own| own.array == id).map(|own| (own.statement, own.writes)).min();
            self.writes(id) && first.is_some_and(|(_, writes)| !writes)
        };
        if self.own.parallel || self.statements.iter().any(has_effects) {
            return Ok(false);
        }
        for earlier in self.uses() {
            if scop.array(earlier.array).is_scalar() {
                if is_handed_on(earlier.array) {
                    return Ok(false);
                }
                continue;
            }
            for later in self.uses().filter(|later| later.array == earlier.array && (later.writes || earlier.writes)) {
                if !self.pairs(&earlier, &later)?.deltas()?.fix_all(0)?.is_empty()? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What one array's uses touch, and what writes of another one, in front of these in the text, touch in later iterations.
    fn against_the_text(&self, used: ArrayId, written: ArrayId) -> Result<Vec<Map>> {
        let mut all = Vec::new();
        for earlier in self.uses().filter(|own| own.array == used) {
            for later in self.uses().filter(|own| own.array == written && own.writes) {
                let pairs = self.pairs(&earlier, &later)?;
                if !pairs.is_empty()? {
                    all.push(pairs);
                }
            }
        }
        Ok(all)
    }

    /// `{ [x] -> [y] }`: what two uses touch, the second in a later iteration of the same vector, though no later in the text.
    fn pairs(&self, earlier: &Use, later: &Use) -> Result<Map> {
        let iterations = self.in_one_vector(earlier, later)?;
        let (earlier, later) = (earlier.cells.unnamed()?, later.cells.unnamed()?);
        iterations.apply_domain(&earlier)?.apply_range(&later)?.intersect_params(&self.model.context)
    }

    /// `{ [o, i, k] -> [o, i', k'] : i < i' < i + V, k' ≤ k }`, where k are the counters of short loops inside, unrolled; the other way round in a loop that goes down.
    fn in_one_vector(&self, earlier: &Use, later: &Use) -> Result<Map> {
        let (first, second) = (self.loops(earlier), self.loops(later));
        let outer = first.iter().take_while(|id| **id != self.own.id).count();
        let names = |letter: &str, loops: &[LoopId]| -> Vec<String> {
            (0..loops.len()).map(|k| if k < outer { format!("o{k}") } else { format!("{letter}{k}") }).collect()
        };
        let (from, to) = (names("i", first), names("j", second));
        let in_order = |k: usize, a: &str, b: &str| {
            if self.model.scop.loops()[first[k].0].step > 0 { format!("{a} < {b}") } else { format!("{b} < {a}") }
        };
        let common = first.iter().zip(second).take_while(|(a, b)| a == b).count();
        let same = |k: usize| (outer + 1..k).map(|k| format!(" and {} = {}", from[k], to[k])).collect::<String>();
        let mut no_later: Vec<String> =
            (outer + 1..common).map(|k| format!("({}{})", in_order(k, &to[k], &from[k]), same(k))).collect();
        if (later.statement, later.writes) <= (earlier.statement, earlier.writes) {
            no_later.push(format!("(true{})", same(common)));
        }
        let no_later = if no_later.is_empty() { "false".to_string() } else { no_later.join(" or ") };
        let reach = self.iterations().saturating_mul(self.own.step.unsigned_abs());
        let (i, j) = (&from[outer], &to[outer]);
        let near = format!("{} and -{reach} < {i} - {j} < {reach}", in_order(outer, i, j));
        let (from, to) = (from.join(", "), to.join(", "));
        Map::read(earlier.cells.context(), &format!("{{ [{from}] -> [{to}] : {near} and ({no_later}) }}"))
    }

    fn loops(&self, own: &Use) -> &[LoopId] {
        &self.model.scop.statement(own.statement).loops
    }

    /// How many iterations a vector has at most.
    fn iterations(&self) -> u64 {
        let scop = self.model.scop;
        let arrays = self.uses().map(|own| scop.array(own.array)).filter(|array| !array.is_scalar());
        VECTOR / arrays.map(|array| array.element_bytes.unwrap_or(1)).min().unwrap_or(1).clamp(1, VECTOR / 2)
    }
}
