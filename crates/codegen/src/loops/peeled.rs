//! Innermost loops in three parts, so that the one in the middle asks nothing about its counter.
//!
//! Where statements of a loop run for different values of its counter k, each stands behind a condition, and compilers make no vectors
//! of the loop. Let `low(S) <= k <= high(S)` be what the dates of S say of k. Then
//!
//! ```text
//! in front:  k < max low(S)          in the middle:  max low(S) <= k <= min high(S)          behind:  all others
//! ```
//!
//! and the dates get a dimension in front of k that counts the parts, which has no loop:
//!
//! ```text
//! for (j = 0; j < m; j++) {        is        a[0] = 0;
//!   a[j] = j;                                for (j = 1; j < m; j++) { a[j] = j; b[j] = a[j - 1]; }
//!   if (j >= 1) b[j] = a[j - 1];
//! }
//! ```
//!
//! Conditions on sizes and outer counters stay: compilers ask them once for the whole loop.
//!
//! Invariants: operations stay in their order, since a larger k is never in an earlier part, whatever is known of k; and a statement is
//! written three times at most.

use polyfold_isl::{Map, Result, Set};
use std::collections::BTreeMap;

/// Dates with more dimensions.
pub(super) struct Peeled {
    pub(super) dates: Vec<Map>,
    /// The dimensions that count parts.
    pub(super) parts: Vec<usize>,
}

/// The dates with a dimension in front of each innermost one whose loop would ask about its counter.
pub(super) fn peeled(dates: &[Map]) -> Result<Peeled> {
    let fixed = dates.iter().map(fixed_dates).collect::<Result<Vec<_>>>()?;
    let mut result = Peeled { dates: dates.to_vec(), parts: Vec::new() };
    for dimension in (0..fixed.first().map_or(0, Vec::len)).rev() {
        let mut bounds: BTreeMap<usize, Bounds> = BTreeMap::new();
        for group in innermost(&fixed, dimension) {
            let all = group.iter().map(|k| dates[*k].range()).collect::<Result<Vec<Set>>>()?;
            if let Some(found) = Bounds::of(&all, dimension)? {
                bounds.extend(group.into_iter().map(|k| (k, found.clone())));
            }
        }
        if !bounds.is_empty() {
            let numbered = (0..).zip(dates).zip(&result.dates);
            let numbered = numbered.map(|((k, own), dates)| in_parts(own, dates, bounds.get(&k), dimension));
            result.dates = numbered.collect::<Result<Vec<_>>>()?;
            result.parts.iter_mut().for_each(|part| *part += 1);
            result.parts.insert(0, dimension);
        }
    }
    Ok(result)
}

/// Which dates are one number.
fn fixed_dates(dates: &Map) -> Result<Vec<Option<i64>>> {
    (0..dates.dimensions()?.1).map(|k| dates.fixed_in_range(k)).collect()
}

/// Statements with a common innermost loop, several for each.
fn innermost(fixed: &[Vec<Option<i64>>], dimension: usize) -> Vec<Vec<usize>> {
    let is_fixed = |k: usize| fixed.iter().all(|dates| dates[k].is_some());
    let mut groups: BTreeMap<Vec<Option<i64>>, Vec<usize>> = BTreeMap::new();
    for (statement, dates) in fixed.iter().enumerate() {
        let around = (0..dimension).filter(|k| is_fixed(*k)).map(|k| dates[k]).collect();
        groups.entry(around).or_default().push(statement);
    }
    let has_loop = |group: &Vec<usize>| group.iter().any(|k| fixed[*k][dimension].is_none());
    let has_inner = |group: &Vec<usize>| group.iter().any(|k| fixed[*k][dimension + 1..].contains(&None));
    groups.into_values().filter(|group| group.len() > 1 && has_loop(group) && !has_inner(group)).collect()
}

/// Dates whose counter is large enough, and small enough, for all statements of a loop.
#[derive(Clone)]
struct Bounds {
    enough: Set,
    not_too_much: Set,
}

impl Bounds {
    /// `None`: all statements run for the same values of the counter, or never all of them.
    fn of(dates: &[Set], dimension: usize) -> Result<Option<Bounds>> {
        let mut found: Option<Bounds> = None;
        for own in dates {
            let own = own.only_about(dimension)?;
            let (enough, not_too_much) = (all_from(&own, dimension, ">=")?, all_from(&own, dimension, "<=")?);
            found = Some(match found {
                None => Bounds { enough, not_too_much },
                Some(all) => Bounds {
                    enough: all.enough.intersect(&enough)?,
                    not_too_much: all.not_too_much.intersect(&not_too_much)?,
                },
            });
        }
        let Some(found) = found else { return Ok(None) };
        let middle = found.enough.intersect(&found.not_too_much)?;
        let (mut is_whole, mut has_middle) = (true, true);
        for own in dates {
            is_whole &= own.is_subset(&middle)?;
            has_middle &= !own.intersect(&middle)?.is_empty()?;
        }
        Ok((!is_whole && has_middle).then_some(found))
    }
}

/// What is as large, or as small, as some date, whatever is known of others.
fn all_from(dates: &Set, dimension: usize, comparison: &str) -> Result<Set> {
    let moved = moved(dates, dimension, comparison)?;
    dates.apply(&moved)?.only_about(dimension)?.apply(&moved)
}

/// `{ [d] -> [e] }` with a larger or smaller date in one dimension, the same ones around it, and any inside.
fn moved(like: &Set, dimension: usize, comparison: &str) -> Result<Map> {
    let names = |letter: &str, count: usize| (0..count).map(|k| format!("{letter}{k}")).collect::<Vec<_>>();
    let from = names("d", like.dimensions()?);
    let mut to = names("e", from.len());
    to[..dimension].clone_from_slice(&from[..dimension]);
    let condition = format!("e{dimension} {comparison} d{dimension}");
    Map::read(like.context(), &format!("{{ [{}] -> [{}] : {condition} }}", from.join(", "), to.join(", ")))
}

/// The dates with the number of the part, 0 where there are no parts.
fn in_parts(own: &Map, dates: &Map, bounds: Option<&Bounds>, dimension: usize) -> Result<Map> {
    let with_part = |domain: &Map, part: usize| numbered(&dates.intersect_domain(&domain.domain()?)?, dimension, part);
    let Some(Bounds { enough, not_too_much }) = bounds else { return with_part(own, 0) };
    let large = own.intersect_range(enough)?;
    let middle = large.intersect_range(not_too_much)?;
    let front = with_part(&own.subtract(&large)?, 0)?;
    front.union(&with_part(&middle, 1)?)?.union(&with_part(&large.subtract(&middle)?, 2)?)
}

fn numbered(dates: &Map, dimension: usize, part: usize) -> Result<Map> {
    let names: Vec<String> = (0..dates.dimensions()?.1).map(|k| format!("d{k}")).collect();
    let mut longer = names.clone();
    longer.insert(dimension, part.to_string());
    dates.apply_range(&Map::read(dates.context(), &format!("{{ [{}] -> [{}] }}", names.join(", "), longer.join(", ")))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    fn parts(ctx: &Context, dates: &[&str]) -> Peeled {
        let dates: Vec<Map> = dates.iter().map(|text| Map::read(ctx, text).expect("it is isl")).collect();
        peeled(&dates).expect("isl knows")
    }

    fn assert_dates(found: &Peeled, expected: &[&str]) {
        for (found, expected) in found.dates.iter().zip(expected) {
            let expected = Map::read(found.context(), expected).expect("it is isl");
            assert!(found.is_equal(&expected).expect("they compare"), "{found}");
        }
    }

    #[test]
    fn a_statement_that_starts_later_makes_a_part_in_front() {
        let ctx = Context::new();
        let found =
            parts(&ctx, &["[n] -> { S[j] -> [j, 0] : 0 <= j < n }", "[n] -> { T[j] -> [j + 1, 1] : 0 <= j < n - 1 }"]);
        assert_eq!(found.parts, [0]);
        assert_dates(
            &found,
            &[
                "[n] -> { S[0] -> [0, 0, 0] : n > 0; S[j] -> [1, j, 0] : 0 < j < n }",
                "[n] -> { T[j] -> [1, j + 1, 1] : 0 <= j < n - 1 }",
            ],
        );
    }

    /// Of up to four, no iteration is in the middle.
    #[test]
    fn few_iterations_are_in_front_and_behind() {
        let ctx = Context::new();
        let found =
            parts(&ctx, &["[n] -> { S[j] -> [j, 0] : 0 <= j < n }", "[n] -> { T[j] -> [j, 1] : 2 <= j < n - 2 }"]);
        assert_dates(
            &found,
            &[
                "[n] -> { S[j] -> [0, j, 0] : 0 <= j < 2 and j < n; S[j] -> [1, j, 0] : 2 <= j < n - 2;
                    S[j] -> [2, j, 0] : 2 <= j < n and j >= n - 2 }",
                "[n] -> { T[j] -> [1, j, 1] : 2 <= j < n - 2 }",
            ],
        );
    }

    #[test]
    fn conditions_on_outer_counters_and_loops_apart_make_no_parts() {
        let ctx = Context::new();
        let outer = [
            "[n] -> { S[i, j] -> [i, j, 0] : 0 <= i, j < n }",
            "[n] -> { T[i, j] -> [i, j, 1] : 2 <= i < n and 0 <= j < n }",
        ];
        assert!(parts(&ctx, &outer).parts.is_empty());
        let apart = [
            "[n] -> { S[i, j] -> [i, 0, j] : 0 <= i, j < n }",
            "[n] -> { T[i, j] -> [i, 1, j] : 0 <= i < n and 2 <= j < n }",
        ];
        assert!(parts(&ctx, &apart).parts.is_empty());
    }
}
