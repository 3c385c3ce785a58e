//! Runs of a scop at small sizes, and what they say of the claims.

use super::claim::Claim;
use super::judge::{QUOTA, Verdict, bounded};
use polyfold_flow::Model;
use polyfold_isl::{Context, Set};
use polyfold_live::{Conflicts, Precision, max_live};
use polyfold_replay::{Precision as Replayed, Trace};
use polyfold_scop::{ArrayId, Certainty, Condition, Node, Scop};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs with more operations or pairs of cells are left out.
pub(crate) const LONGEST: usize = 20_000;
const MOST_PAIRS: usize = 4_000;

/// Sets that should be exact and have points that never happen: isl 0.25's coalescing adds some now and then, which is
/// safe, but must stay rare.
pub(crate) static TOO_LARGE: AtomicUsize = AtomicUsize::new(0);
const MOST_TOO_LARGE: usize = 3;

/// One execution of a scop.
pub(crate) struct Run {
    /// Names in isl notation, in the scop's order.
    pub(crate) sizes: Vec<(String, i64)>,
    pub(crate) trace: Trace,
    /// Whether the analysis has nothing to over-approximate.
    pub(crate) exact: bool,
}

impl Run {
    /// Runs at all small sizes tried that the model's context allows.
    pub(crate) fn all(scop: &Scop, model: &Model) -> Vec<Run> {
        let own: Option<Vec<i64>> = scop.parameters.iter().map(own_value).collect();
        let small = (0..8).map(|trial| small_sizes(scop.parameters.len(), trial));
        small.chain(own).filter_map(|sizes| Run::at(scop, model, &sizes)).collect()
    }

    /// `None` where the context excludes the sizes, or the run is too long.
    fn at(scop: &Scop, model: &Model, sizes: &[i64]) -> Option<Run> {
        let named: Vec<(String, i64)> = model.parameters.iter().cloned().zip(sizes.iter().copied()).collect();
        let allowed = model.context.at(&borrow(&named)).and_then(|here| Ok(!here.is_empty()?));
        if !allowed.expect("membership can be decided") {
            return None;
        }
        let in_c = scop.parameters.iter().map(|p| p.name.clone()).zip(sizes.iter().copied());
        let (asked, coin) = (Cell::new(false), Cell::new(0x9e37_79b9_u32));
        let choose = || {
            asked.set(true);
            coin.set(coin.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
            coin.get() >> 31 == 1
        };
        let trace = Trace::run(scop, &in_c.collect::<BTreeMap<_, _>>(), choose, LONGEST).ok()?;
        let exact = !asked.get() && !data_decides(scop) && !scop.loops().iter().any(|l| l.parallel);
        Some(Run { sizes: named, trace, exact })
    }

    /// Conflicts and differences of one array; the number of sets compared, if they can be listed.
    pub(crate) fn compare_conflicts(
        &self,
        ctx: &Context,
        array: ArrayId,
        claim: &Claim,
    ) -> Result<Option<usize>, String> {
        let precision = match claim.precision {
            Precision::Cell => Replayed::Cell,
            Precision::Value => Replayed::Value,
        };
        let Some(mut said) = bounded(ctx, || self.points(claim.differences.set()))? else { return Ok(None) };
        said.retain(|difference| difference.iter().any(|d| *d != 0));
        self.compare(&said, self.trace.differences(array, precision))
            .map_err(|why| format!("differences, {precision:?}: {why}"))?;
        let pairs = self.trace.conflicts(array, precision);
        if pairs.len() > MOST_PAIRS {
            return Ok(Some(1));
        }
        let pairs = pairs.into_iter().map(|(x, y)| [x, y].concat()).collect();
        let Some(said) = bounded(ctx, || self.pairs(claim.differences.conflicts()))? else { return Ok(None) };
        self.compare(&said, pairs).map_err(|why| format!("conflicts, {precision:?}: {why}"))?;
        Ok(Some(2))
    }

    fn pairs(&self, conflicts: &Conflicts) -> polyfold_isl::Result<BTreeSet<Vec<i64>>> {
        let here = self.here(conflicts.subject().context().context())?;
        conflicts.pairs_within(&here)?.map_or(Ok(BTreeSet::new()), |pairs| self.points(&pairs.wrap()?))
    }

    /// `[n, m] -> { : n = 4 and m = 5 }`
    fn here(&self, ctx: &Context) -> polyfold_isl::Result<Set> {
        let names: Vec<&str> = self.sizes.iter().map(|(name, _)| name.as_str()).collect();
        let equal: Vec<String> = self.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let condition = if equal.is_empty() { "true".to_string() } else { equal.join(" and ") };
        Set::read(ctx, &format!("[{}] -> {{ : {condition} }}", names.join(", ")))
    }

    fn points(&self, set: &Set) -> polyfold_isl::Result<BTreeSet<Vec<i64>>> {
        Ok(set.at(&borrow(&self.sizes))?.points()?.into_iter().collect())
    }

    /// All that happened must be said, and nothing else if the analysis is exact.
    fn compare(&self, said: &BTreeSet<Vec<i64>>, happened: BTreeSet<Vec<i64>>) -> Verdict {
        if let Some(missing) = happened.difference(said).next() {
            return Err(format!("{missing:?} is missing"));
        }
        match said.difference(&happened).next() {
            Some(_) if self.exact && TOO_LARGE.fetch_add(1, Ordering::Relaxed) >= MOST_TOO_LARGE => {
                Err("more sets than isl's coalescing accounts for have points that never happen".to_string())
            }
            _ => Ok(()),
        }
    }

    /// Values alive at once, where data decides nothing.
    pub(crate) fn compare_count(&self, scop: &Scop, arrays: &[ArrayId]) -> Verdict {
        let values: Vec<i64> = self.sizes.iter().map(|(_, value)| *value).collect();
        let Ok(counted) = max_live(scop, arrays, &values, QUOTA) else { return Ok(()) };
        let happened = self.trace.max_live_all(arrays) as u64;
        let right = data_decides(scop) || counted.total == happened;
        if right { Ok(()) } else { Err(format!("{} values alive are counted, {happened} are", counted.total)) }
    }
}

fn own_value(parameter: &polyfold_scop::Parameter) -> Option<i64> {
    match parameter.origin {
        polyfold_scop::ParameterOrigin::Constant(value) => Some(value),
        polyfold_scop::ParameterOrigin::Variable => None,
    }
}

/// Values from 1 to 6, all different ways of large and small.
fn small_sizes(count: usize, trial: usize) -> Vec<i64> {
    const VALUES: [i64; 8] = [4, 5, 2, 6, 3, 1, 5, 6];
    (0..count).map(|parameter| VALUES[(trial + 3 * parameter) % VALUES.len()]).collect()
}

pub(crate) fn borrow(sizes: &[(String, i64)]) -> Vec<(&str, i64)> {
    sizes.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

/// Whether some reference to an array may touch any cell.
pub(crate) fn anywhere(scop: &Scop, array: ArrayId) -> bool {
    scop.statements.iter().flat_map(|s| &s.accesses).any(|a| a.array == array && a.subscripts.is_none())
}

fn data_decides(scop: &Scop) -> bool {
    let mut accesses = scop.statements.iter().flat_map(|s| &s.accesses);
    let uncertain =
        accesses.any(|a| a.certainty == Certainty::May || a.subscripts.is_none() || a.condition.depends_on_data());
    uncertain || guards(&scop.body).iter().any(|g| g.depends_on_data())
}

fn guards(nodes: &[Node]) -> Vec<&Condition> {
    let mut found = Vec::new();
    for node in nodes {
        match node {
            Node::Loop(l) => found.extend(guards(&l.body)),
            Node::Guard(g) => {
                found.push(&g.condition);
                found.extend(guards(&g.then));
                found.extend(guards(&g.otherwise));
            }
            Node::Statement(_) => {}
        }
    }
    found
}
