//! Where a loop that is in strips is cut.
//!
//! ```text
//! for j: S0: t[j] = f(x[j])     S1: s[j] = t[j]     S2: y[j] = g(s[j - 2], t[j])          a cut between S1 and S2
//! ```
//!
//! The statements of a loop are cut between S and a later S' if S' reads in later turns what S writes; never between S' and S in front of
//! it that depends on an earlier turn of S'. Each cut is as late as can be, which takes the fewest of them.
//!
//! A statement that keeps vectors from all that share its loop, since it computes behind a choice, gets one of its own. A loop that is cut so is also
//! cut between statements that run for different values of its counter, or of those around: one would have a condition on it.
//!
//! Paper: the cuts are as in Kennedy and McKinley, Loop Distribution with Arbitrary Control Flow (1990).
//!
//! An array whose values are read more than a strip later asks for no cut: it would be no window. Nor are statements of one inner loop taken apart.

use super::{STRIP, Whole};
use crate::dependence::Dependence;
use polyfold_flow::Model;
use polyfold_isl::{Map, Result};
use polyfold_scop::{ArrayId, Scop, StatementId};
use std::collections::BTreeSet;
use std::ops::Range;

/// The statements of a loop, by their place in it, behind which it is cut.
pub(super) fn cuts(
    model: &Model,
    (level, statements): (usize, &[StatementId]),
    dependences: &[Dependence],
    alone: &BTreeSet<StatementId>,
) -> Result<std::result::Result<Vec<usize>, Whole>> {
    let place = |id: StatementId| statements.iter().position(|own| *own == id);
    let (mut flows, mut held) = (Vec::new(), in_inner_loops(model.scop, level, statements));
    for dependence in dependences {
        let (Some(from), Some(to)) = (place(dependence.from), place(dependence.to)) else { continue };
        let stored = dependence.array.filter(|id| {
            let array = model.scop.array(*id);
            dependence.is_flow && array.is_temporary() && !array.is_scalar()
        });
        if from <= to && stored.is_none() {
            continue;
        }
        let Some(furthest) = carried(&dependence.pairs, level)? else { continue };
        if from > to {
            held.push(to..from);
        }
        flows.extend(stored.map(|array| (from, to, array, furthest)));
    }
    let is_far = |furthest: &Option<i64>| furthest.is_none_or(|furthest| furthest > STRIP);
    let far: BTreeSet<ArrayId> =
        flows.iter().filter(|(.., furthest)| is_far(furthest)).map(|(_, _, array, _)| *array).collect();
    let near = flows.iter().filter(|(from, to, array, _)| from < to && !far.contains(array));
    let mut wanted: Vec<(usize, usize)> = near.map(|(from, to, ..)| (*from, *to)).collect();
    wanted.sort_by_key(|(_, to)| *to);
    let has_wanted = !wanted.is_empty();
    let parted = |at: &usize| alone.contains(&statements[*at]) != alone.contains(&statements[at + 1]);
    let may_part = |at: &usize| !held.iter().any(|whole| whole.contains(at));
    let mut cuts: Vec<usize> = (0..statements.len() - 1).filter(|at| parted(at) && may_part(at)).collect();
    for (from, to) in wanted {
        if !cuts.iter().any(|cut| (from..to).contains(cut)) {
            cuts.extend((from..to).rev().find(may_part));
        }
    }
    if cuts.is_empty() {
        let has_far = flows.iter().any(|(from, to, array, _)| from < to && far.contains(array));
        let why = if has_far { Whole::Far } else { Whole::NothingCarried };
        return Ok(Err(if has_wanted { Whole::Cyclic } else { why }));
    }
    let is_free = |at: &usize| !cuts.contains(at) && may_part(at);
    let free: Vec<usize> = (0..statements.len() - 1).filter(is_free).collect();
    for at in free {
        if !run_together(model, level, (statements[at], statements[at + 1]))? {
            cuts.push(at);
        }
    }
    cuts.sort_unstable();
    Ok(Ok(cuts))
}

/// Whether two statements of a loop run for the same values of its counter, and of those of the loops around.
fn run_together(model: &Model, level: usize, (one, other): (StatementId, StatementId)) -> Result<bool> {
    let dates = |id: StatementId| model.statements[id.0].schedule.intersect_params(&model.context)?.range();
    let (one, other) = (dates(one)?, dates(other)?);
    let names: Vec<String> = (0..one.dimensions()?).map(|k| format!("d{k}")).collect();
    let (all, turn) = (names.join(", "), names[..2 * level + 2].join(", "));
    let turns = Map::read(one.context(), &format!("{{ [{all}] -> [{turn}] }}"))?;
    one.apply(&turns)?.is_equal(&other.apply(&turns)?)
}

/// The places between statements that share a loop inside of that at a level.
fn in_inner_loops(scop: &Scop, level: usize, statements: &[StatementId]) -> Vec<Range<usize>> {
    let inner = |id: StatementId| scop.statement(id).loops.get(level + 1);
    let pairs = statements.windows(2).enumerate();
    let shared = pairs.filter(|(_, pair)| inner(pair[0]).is_some() && inner(pair[0]) == inner(pair[1]));
    shared.map(|(at, _)| at..at + 1).collect()
}

/// By how many turns of a loop inside so many others, which are in one turn, the second of some dates is later, at most: `Some(None)` has no bound, `None` means never.
fn carried(pairs: &Map, level: usize) -> Result<Option<Option<i64>>> {
    let (dimensions, _) = pairs.dimensions()?;
    let names = |letter: &str| -> Vec<String> {
        (0..dimensions).map(|k| if k <= 2 * level { format!("t{k}") } else { format!("{letter}{k}") }).collect()
    };
    let counter = 2 * level + 1;
    let (from, to) = (names("a").join(", "), names("b").join(", "));
    let later = Map::read(pairs.context(), &format!("{{ [{from}] -> [{to}] : a{counter} < b{counter} }}"))?;
    let later = pairs.intersect(&later)?;
    if later.is_empty()? {
        return Ok(None);
    }
    let apart = format!("{{ [[{from}] -> [{}]] -> [b{counter} - a{counter}] }}", to.replace('t', "u"));
    later.wrap()?.apply(&Map::read(pairs.context(), &apart)?)?.dim_max_value(0).map(Some)
}
