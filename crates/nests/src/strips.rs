//! Innermost loops in strips, each statement's whole strip in front of what reads its values in later turns.
//!
//! ```text
//! for j: S0: t[j] = f(x[j])                   S0[j] -> [128 ⌊j/128⌋, 0, j]
//!        S1: y[j] = g(t[j - 2], t[j])         S1[j] -> [128 ⌊j/128⌋, 1, j]
//! ```
//!
//! A loop that carries values of a temporary array from turn to turn keeps few of them, in a ring that no compiler makes vectors of. In
//! strips that is V + lag cells, and each loop over a strip reads nothing that it wrote itself.
//!
//! The statements of a loop are cut between S and a later S' if S' reads in later turns what S writes; never between S' and S in front of
//! it that depends on an earlier turn of S'. Each cut is as late as can be, which takes the fewest of them.
//!
//! A statement that keeps vectors from all that share its loop, since it computes behind a choice, gets one of its own. A loop that is cut so is also
//! cut between statements that run for different values of its counter: one would have a condition on it.
//!
//! What comes out is an order that is proposed; whether it is legal is for `schedule` to prove.
//!
//! Paper: Allen and Kennedy, Optimizing Compilers for Modern Architectures (2001), §2.4.2 on distribution and §5 on strip-mining; the cuts as in Kennedy and
//! McKinley, Loop Distribution with Arbitrary Control Flow (1990).
//!
//! An array whose values are read more than a strip later asks for no cut: it would be no window. Nor are statements of one inner loop taken apart.

use crate::dependence::Dependence;
use polyfold_flow::Model;
use polyfold_isl::{Map, Result};
use polyfold_scop::{ArrayId, Scop, StatementId, StatementKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// How many turns a strip has.
pub const STRIP: i64 = 128;

/// Loops whose inner loops have so many turns at most may be in strips, too.
const FEW_TURNS: i64 = 64;

/// By loop that is in strips, its statements by the loop over a strip that they are in.
pub type Groups = Vec<Vec<Vec<StatementId>>>;

/// Why a loop is not in strips, the weightiest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whole {
    /// No statement reads what another one in front of it wrote in an earlier turn.
    NothingCarried,
    /// Data decide what runs in it.
    ByData,
    /// Such values are read more than a strip later.
    Far,
    /// It has fewer turns than two strips for all sizes.
    Short,
    /// The statements between which it would be cut need each other's values turn by turn.
    Cyclic,
}

/// An order with loops in strips.
pub struct InStrips {
    /// In isl notation.
    pub schedule: String,
    /// The dimensions of its dates that count strips.
    pub strips: Vec<usize>,
}

/// The loops that carry values for which strips help, or hold statements that are better `alone`, and have two strips for some sizes; if there are none, why.
///
/// # Errors
/// When the work bound is reached.
pub fn strips(
    model: &Model,
    dependences: &[Dependence],
    alone: &BTreeSet<StatementId>,
) -> Result<std::result::Result<Groups, Whole>> {
    let is_by_data = model.scop.statements.iter().any(|statement| statement.kind == StatementKind::Condition);
    let (mut found, mut why) = (Vec::new(), if is_by_data { Whole::ByData } else { Whole::NothingCarried });
    for (level, statements) in loops(model)? {
        let cuts = match cuts(model, (level, &statements), dependences, alone)? {
            Ok(_) if is_short(model, (level, &statements))? => Err(Whole::Short),
            cuts => cuts,
        };
        let cuts = match cuts {
            Ok(cuts) => cuts,
            Err(own) => {
                why = why.max(own);
                continue;
            }
        };
        let group = |at: usize| cuts.iter().filter(|cut| **cut < at).count();
        let all = (0..=cuts.len()).map(|own| {
            let members = statements.iter().enumerate().filter(|(at, _)| group(*at) == own);
            members.map(|(_, id)| *id).collect()
        });
        found.push(all.collect());
    }
    Ok(if found.is_empty() { Err(why) } else { Ok(found) })
}

/// The order with these loops in strips.
///
/// # Errors
/// When the work bound is reached.
pub fn order_in_strips(model: &Model, groups: &Groups) -> Result<InStrips> {
    let mut texts = Vec::new();
    for id in (0..model.statements.len()).map(StatementId) {
        let of_loop = |all: &Vec<Vec<StatementId>>| Some((level_of(model.scop, all)?, group_of(all, id)?));
        texts.push(dates(model, id, groups.iter().find_map(of_loop))?.to_string());
    }
    let mut strips: Vec<usize> =
        groups.iter().filter_map(|all| level_of(model.scop, all)).map(|level| 2 * level + 1).collect();
    strips.sort_unstable();
    strips.dedup();
    Ok(InStrips { schedule: polyfold_flow::join_text(&texts), strips })
}

fn group_of(all: &[Vec<StatementId>], id: StatementId) -> Option<usize> {
    all.iter().position(|group| group.contains(&id))
}

/// How many loops are around the loop that statements share.
fn level_of(scop: &Scop, all: &[Vec<StatementId>]) -> Option<usize> {
    let mut own = all.iter().flatten().map(|id| &scop.statement(*id).loops);
    let first = own.next()?;
    let shared =
        own.fold(first.len(), |shared, loops| first.iter().zip(loops).take(shared).take_while(|(a, b)| a == b).count());
    shared.checked_sub(1)
}

/// Loops in which there are none but short ones, by how many are around them, and their statements in text order; without those where
/// data decide what runs.
fn loops(model: &Model) -> Result<Vec<(usize, Vec<StatementId>)>> {
    let (scop, mut found) = (model.scop, Vec::new());
    for l in scop.loops() {
        let inside = |id: &StatementId| scop.statement(*id).loops.contains(&l.id);
        let own: Vec<StatementId> = (0..scop.statements.len()).map(StatementId).filter(inside).collect();
        let Some(first) = own.first() else { continue };
        let level = scop.statement(*first).loops.iter().position(|id| *id == l.id).unwrap_or(0);
        let decides = own.iter().any(|id| scop.statement(*id).kind == StatementKind::Condition);
        if !decides && has_short_loops(model, level, &own)? {
            found.push((level, own));
        }
    }
    Ok(found)
}

/// Whether loops inside of that at a level have few turns for all sizes.
fn has_short_loops(model: &Model, level: usize, statements: &[StatementId]) -> Result<bool> {
    for id in statements {
        for inner in level + 1..model.scop.statement(*id).loops.len() {
            if turns(model, *id, inner)?.is_none_or(|turns| turns > FEW_TURNS) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// How far apart turns of a statement's loop at a level are, each time that the loop is reached, and 1; `None`: there is no bound for all sizes.
fn turns(model: &Model, id: StatementId, level: usize) -> Result<Option<i64>> {
    let dates = model.statements[id.0].schedule.intersect_params(&model.context)?.range()?;
    let (dimensions, counter) = (dates.dimensions()?, 2 * level + 1);
    let names = |letter: &str| -> String {
        let own = (0..dimensions).map(|k| if k < counter { format!("t{k}") } else { format!("{letter}{k}") });
        own.collect::<Vec<_>>().join(", ")
    };
    let (from, to, ctx) = (names("a"), names("b"), dates.context());
    let pairs =
        Map::read(ctx, &format!("{{ [{from}] -> [{to}] }}"))?.intersect_domain(&dates)?.intersect_range(&dates)?;
    let apart = format!("{{ [[{from}] -> [{}]] -> [b{counter} - a{counter}] }}", to.replace('t', "u"));
    let apart = pairs.wrap()?.apply(&Map::read(ctx, &apart)?)?;
    Ok(apart.dim_max_value(0)?.and_then(|most| most.checked_add(1)))
}

/// The statements of a loop, by their place in it, behind which it is cut.
fn cuts(
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

/// Whether two statements of a loop run for the same values of its counter, in each turn of the loops around in which both run.
fn run_together(model: &Model, level: usize, (one, other): (StatementId, StatementId)) -> Result<bool> {
    let dates = |id: StatementId| model.statements[id.0].schedule.intersect_params(&model.context)?.range();
    let (one, other) = (dates(one)?, dates(other)?);
    let names: Vec<String> = (0..one.dimensions()?).map(|k| format!("d{k}")).collect();
    let (all, around, turn) = (names.join(", "), names[..=2 * level].join(", "), names[..2 * level + 2].join(", "));
    let turns = Map::read(one.context(), &format!("{{ [{all}] -> [{turn}] }}"))?;
    let reached = Map::read(one.context(), &format!("{{ [{turn}] -> [{around}] }}"))?;
    let (one, other) = (one.apply(&turns)?, other.apply(&turns)?);
    let both = one.apply(&reached)?.intersect(&other.apply(&reached)?)?.apply(&reached.reverse()?)?;
    one.intersect(&both)?.is_equal(&other.intersect(&both)?)
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

/// Whether a loop has fewer turns than two strips for all sizes.
fn is_short(model: &Model, (level, statements): (usize, &[StatementId])) -> Result<bool> {
    for id in statements {
        if turns(model, *id, level)?.is_none_or(|turns| turns > 2 * STRIP) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The dates of a statement, with its strip and its group in front of a loop's counter if it is in one.
fn dates(model: &Model, id: StatementId, strip: Option<(usize, usize)>) -> Result<Map> {
    let own = &model.statements[id.0].schedule;
    let dimensions = own.dimensions()?.1;
    let names: Vec<String> = (0..dimensions).map(|k| format!("d{k}")).collect();
    let mut date = names.clone();
    match strip {
        Some((level, group)) => {
            let counter = 2 * level + 1;
            let begin = format!("{STRIP} * floor(d{counter} / {STRIP})");
            date.splice(counter..counter, [begin, group.to_string()]);
        }
        None => date.extend(["0".to_string(), "0".to_string()]),
    }
    own.apply_range(&Map::read(own.context(), &format!("{{ [{}] -> [{}] }}", names.join(", "), date.join(", ")))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependences;
    use polyfold_isl::Context;

    /// The groups of each loop in strips, statements by their place in the text.
    fn groups(body: &str) -> std::result::Result<Vec<Vec<Vec<usize>>>, Whole> {
        with_alone(body, &[])
    }

    fn with_alone(body: &str, alone: &[usize]) -> std::result::Result<Vec<Vec<Vec<usize>>>, Whole> {
        let source = format!(
            "void f(int n, double *restrict x, double *restrict y) {{\n  double s[n], t[n];\n#pragma scop\n  for (int j = 0; j < n; j++) {{\n    {body}\n  }}\n#pragma endscop\n}}\n"
        );
        let instrumented = polyfold_frontend::instrument(&source);
        let parsed = polyfold_frontend::parse(&source, &instrumented, &polyfold_frontend::Options::default());
        let ctx = Context::new();
        let model = Model::build(&ctx, &parsed.scops[0]).unwrap();
        let found = strips(&model, &dependences(&model).unwrap(), &alone.iter().map(|id| StatementId(*id)).collect())
            .unwrap()?;
        let numbers = |group: &Vec<StatementId>| group.iter().map(|id| id.0).collect();
        Ok(found.iter().map(|all| all.iter().map(numbers).collect()).collect())
    }

    /// A cut in front of the first reader serves all, and those that need no cut stay together.
    #[test]
    fn few_cuts_part_all_that_carry_values() {
        assert_eq!(groups("t[j] = x[j]; if (j >= 2) y[j] = t[j - 2];"), Ok(vec![vec![vec![0], vec![1]]]));
        let chain = "s[j] = x[j]; t[j] = s[j]; if (j >= 1) y[j] = s[j - 1] + t[j - 1];";
        assert_eq!(groups(chain), Ok(vec![vec![vec![0, 1], vec![2]]]));
    }

    /// Statements for other turns get loops of their own, where there are several anyway.
    #[test]
    fn other_turns_are_other_groups() {
        let narrow = "t[j] = x[j]; if (j >= 2) s[j] = t[j - 2]; if (j >= 5) y[j] = s[j];";
        assert_eq!(groups(narrow), Ok(vec![vec![vec![0], vec![1], vec![2]]]));
        assert_eq!(groups("t[j] = x[j]; if (j >= 5) y[j] = t[j];"), Err(Whole::NothingCarried));
    }

    #[test]
    fn what_is_better_alone_is_alone() {
        let chain = "s[j] = x[j]; t[j] = s[j]; y[j] = t[j];";
        assert_eq!(with_alone(chain, &[2]), Ok(vec![vec![vec![0, 1], vec![2]]]));
        assert_eq!(with_alone(chain, &[1]), Ok(vec![vec![vec![0], vec![1], vec![2]]]));
        assert_eq!(with_alone(chain, &[0, 1, 2]), Err(Whole::NothingCarried));
        let from_turn_to_turn = "t[j] = j >= 1 ? y[j - 1] : 0; y[j] = t[j];";
        assert_eq!(with_alone(from_turn_to_turn, &[1]), Err(Whole::NothingCarried));
    }

    #[test]
    fn what_stays_whole_says_why() {
        assert_eq!(groups("t[j] = x[j]; y[j] = t[j];"), Err(Whole::NothingCarried));
        assert_eq!(groups("t[j] = x[j]; if (j >= 1 && t[j - 1] > 0) y[j] = t[j];"), Err(Whole::ByData));
        assert_eq!(groups("t[j] = x[j]; if (j >= 129) y[j] = t[j - 129];"), Err(Whole::Far));
        let cyclic = "t[j] = j >= 1 ? y[j - 1] : 0; y[j] = j >= 1 ? t[j - 1] : 0;";
        assert_eq!(groups(cyclic), Err(Whole::Cyclic));
        assert_eq!(groups("if (j < 256) { t[j] = x[j]; if (j >= 1) y[j] = t[j - 1]; }"), Err(Whole::Short));
    }
}
