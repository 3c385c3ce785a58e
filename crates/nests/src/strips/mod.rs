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
//! Which loops may be in strips is a question of how many turns they have ([`turns`]), and where each is cut one of what its statements
//! need of each other ([`cuts`](mod@cuts)). Each loop over a strip counts what it writes ([`counters`]).
//!
//! What comes out is an order that is proposed; whether it is legal is for `schedule` to prove.
//!
//! Paper: Allen and Kennedy, Optimizing Compilers for Modern Architectures (2001), §2.4.2 on distribution and §5 on strip-mining.

mod counters;
mod cuts;
mod turns;

use crate::dependence::Dependences;
use counters::offset;
use cuts::cuts;
use polyfold_flow::Model;
use polyfold_isl::{Map, Result};
use polyfold_scop::{Scop, StatementId, StatementKind};
use std::collections::BTreeSet;
use turns::{is_short, loops};

/// How many turns a strip has.
pub const STRIP: i64 = 128;

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
    /// By statement, `{ S[i] -> [date] }`.
    pub dates: Vec<Map>,
    /// The dimensions of its dates that count strips.
    pub strips: Vec<usize>,
}

/// The loops that carry values for which strips help, or hold statements that are better `alone`, and have two strips for some sizes; if there are none, why.
///
/// # Errors
/// When the work bound is reached.
pub fn strips(
    model: &Model,
    Dependences { all: dependences, .. }: &Dependences,
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
    let mut all_dates = Vec::new();
    let loops = model.scop.loops();
    for id in (0..model.statements.len()).map(StatementId) {
        let of_loop = |all: &Vec<Vec<StatementId>>| {
            let (level, group) = (level_of(model.scop, all)?, group_of(all, id)?);
            let own = loops[model.scop.statement(id).loops[level].0];
            Some(Strip { level, group, offset: offset(model.scop, own, &all[group]) })
        };
        all_dates.push(dates(model, id, groups.iter().find_map(of_loop))?);
    }
    let mut strips: Vec<usize> =
        groups.iter().filter_map(|all| level_of(model.scop, all)).map(|level| 2 * level + 1).collect();
    strips.sort_unstable();
    strips.dedup();
    Ok(InStrips { dates: all_dates, strips })
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

/// Where a statement is in a loop in strips.
struct Strip {
    /// How many loops are around that loop.
    level: usize,
    /// Which of the loops over a strip.
    group: usize,
    /// What that adds to the counter.
    offset: i64,
}

/// The dates of a statement, with its strip and its group in front of a loop's counter if it is in one.
fn dates(model: &Model, id: StatementId, strip: Option<Strip>) -> Result<Map> {
    let own = &model.statements[id.0].schedule;
    let dimensions = own.dimensions()?.1;
    let names: Vec<String> = (0..dimensions).map(|k| format!("d{k}")).collect();
    let mut date = names.clone();
    match strip {
        Some(Strip { level, group, offset }) => {
            let counter = 2 * level + 1;
            let begin = format!("{STRIP} * floor(d{counter} / {STRIP})");
            date[counter] = format!("d{counter} + {offset}");
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
        of(body, |model| {
            let alone = alone.iter().map(|id| StatementId(*id)).collect();
            let found = strips(model, &dependences(model).unwrap(), &alone).unwrap()?;
            let numbers = |group: &Vec<StatementId>| group.iter().map(|id| id.0).collect();
            Ok(found.iter().map(|all| all.iter().map(numbers).collect()).collect())
        })
    }

    /// What is said of a loop over j with a body.
    fn of<T>(body: &str, ask: impl FnOnce(&Model) -> T) -> T {
        let source = format!(
            "void f(int n, double *restrict x, double *restrict y) {{\n  double s[n], t[n];\n#pragma scop\n  for (int j = 0; j < n; j++) {{\n    {body}\n  }}\n#pragma endscop\n}}\n"
        );
        let instrumented = polyfold_frontend::instrument(&source);
        let parsed = polyfold_frontend::parse(&source, &instrumented, &polyfold_frontend::Options::default());
        let ctx = Context::new();
        ask(&Model::build(&ctx, &parsed.scops[0]).unwrap())
    }

    /// A loop over a strip counts the cells that it writes.
    #[test]
    fn counters_are_those_of_what_is_written() {
        let order = |body: &str| {
            of(body, |model| {
                let groups = strips(model, &dependences(model).unwrap(), &BTreeSet::new()).unwrap().unwrap();
                let dates = order_in_strips(model, &groups).unwrap().dates;
                dates.iter().map(ToString::to_string).collect::<String>()
            })
        };
        let behind = order("t[j] = x[j]; if (j >= 2) y[j - 2] = t[j - 2] + t[j];");
        assert!(behind.contains("1, -2 + j,"), "{behind}");
        let two_numbers = order("t[j] = x[j]; if (j >= 2) { y[j - 2] = t[j - 2]; y[j] = t[j - 1]; }");
        assert!(two_numbers.contains("1, j,") && !two_numbers.contains("-2 + j"), "{two_numbers}");
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
