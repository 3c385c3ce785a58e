//! The order of dates, level by level.
//!
//! `x < y` lexicographically is a disjunction over the first dimension in which they differ. Composing accesses with one
//! level at a time keeps the pieces of different levels apart, which rarely merge, and lets those of one level
//! merge, which mostly do: for Cholesky's array 49 pieces become 7.

use polyfold_isl::{Map, Result, Set};

/// Which dates follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Before,
    BeforeOrAt,
    After,
}

/// `{ cell -> t : some date of the cell is <order> t }` for accesses `{ cell -> date }`.
pub(crate) fn compose(accesses: &Map, order: Order) -> Result<Map> {
    let (_, dimensions) = accesses.dimensions()?;
    let mut all: Option<Map> = None;
    for level in levels(accesses.range()?, dimensions, order)? {
        let composed = accesses.apply_range(&level)?.coalesce()?;
        all = Some(match all {
            None => composed,
            Some(others) => others.union(&composed)?,
        });
    }
    Ok(all.unwrap_or_else(|| accesses.clone()))
}

fn levels(like: Set, dimensions: usize, order: Order) -> Result<Vec<Map>> {
    let names = |letter: char| (0..dimensions).map(|k| format!("{letter}{k}")).collect::<Vec<_>>();
    let (x, y) = (names('x'), names('y'));
    let comparison = if order == Order::After { ">" } else { "<" };
    let mut conditions: Vec<Vec<String>> = (0..dimensions)
        .map(|level| {
            let mut conjuncts: Vec<String> = (0..level).map(|k| format!("x{k} = y{k}")).collect();
            conjuncts.push(format!("x{level} {comparison} y{level}"));
            conjuncts
        })
        .collect();
    if order == Order::BeforeOrAt {
        conditions.push((0..dimensions).map(|k| format!("x{k} = y{k}")).collect());
    }
    let read = |c: Vec<String>| {
        let text = format!("{{ [{}] -> [{}] : {} }}", x.join(", "), y.join(", "), c.join(" and "));
        Map::read(like.context(), &text)
    };
    conditions.into_iter().map(read).collect()
}
