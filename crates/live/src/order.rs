//! Accesses and the order of dates, level by level.
//!
//! `x < y` lexicographically is a disjunction over the first dimension in which they differ. Most of its levels are
//! impossible for two given accesses, because the positions in their dates are constants that settle the order. The rest
//! are composed one at a time.
//!
//! ```text
//! x < y  ⟺  ∃ k: x₀ = y₀, …, x_{k−1} = y_{k−1}, x_k < y_k
//! ```
//!
//! Example: dates `[0, i, 0]` and `[1, j, 0]` of two loops in sequence differ at level 0 for good: one level, `0 < 1`,
//! is left, and all that follow are skipped.

use polyfold_isl::{Map, Result, Set};

/// Whether equal dates count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equal {
    No,
    Yes,
}

/// An access `{ date -> cell }` with the dimensions of its dates that are constants.
#[derive(Clone, Debug)]
pub(crate) struct Dated {
    pub(crate) relation: Map,
    fixed: Vec<Option<i64>>,
}

impl Dated {
    pub(crate) fn new(relation: &Map) -> Result<Dated> {
        let (dimensions, _) = relation.dimensions()?;
        let fixed = (0..dimensions).map(|k| relation.fixed_in_domain(k)).collect::<Result<_>>()?;
        Ok(Dated { relation: relation.clone(), fixed })
    }

    pub(crate) fn all<'a>(relations: impl IntoIterator<Item = &'a Map>) -> Result<Vec<Dated>> {
        relations.into_iter().map(Dated::new).collect()
    }
}

/// The order of dates.
pub(crate) struct Order {
    /// `{ x -> y }` with equal dimensions before the k-th, and `x_k < y_k`.
    less: Vec<Map>,
    equal: Map,
}

impl Order {
    /// Between dates of the space of `like`.
    pub(crate) fn new(like: &Set) -> Result<Order> {
        let less = (0..like.dimensions()?).map(|level| Map::lex_lt_at(like, level)).collect::<Result<_>>()?;
        Ok(Order { less, equal: Map::equality(like)? })
    }

    /// `{ date of first -> date of second }` by levels, where the first comes before the second.
    fn between(&self, first: &Dated, second: &Dated, equal: Equal) -> Vec<&Map> {
        let mut levels = Vec::new();
        for (k, level) in self.less.iter().enumerate() {
            match (first.fixed[k], second.fixed[k]) {
                (Some(x), Some(y)) if x == y => {}
                (Some(x), Some(y)) => {
                    if x < y {
                        levels.push(level);
                    }
                    return levels;
                }
                _ => levels.push(level),
            }
        }
        if equal == Equal::Yes {
            levels.push(&self.equal);
        }
        levels
    }

    /// Whether the positions in their dates leave it open that the first comes before the second.
    pub(crate) fn may_precede(&self, first: &Dated, second: &Dated, equal: Equal) -> bool {
        !self.between(first, second, equal).is_empty()
    }

    /// `{ x -> y }` between cells: `from` touches x before `to` touches y.
    pub(crate) fn cells(&self, from: &Dated, to: &Dated, equal: Equal) -> Result<Vec<Map>> {
        let cells = from.relation.reverse()?;
        let composed = self.between(from, to, equal).into_iter();
        some(composed.map(|level| cells.apply_range(level)?.apply_range(&to.relation)))
    }

    /// `{ t -> x }`: `from` touches x before t, a date of `at`.
    pub(crate) fn earlier(&self, from: &Dated, at: &Dated, equal: Equal) -> Result<Vec<Map>> {
        let dates = at.relation.domain()?;
        let composed = self.between(from, at, equal).into_iter();
        some(composed.map(|level| level.reverse()?.intersect_domain(&dates)?.apply_range(&from.relation)))
    }

    /// `{ t -> x }`: `from` touches x after t, a date of `at`.
    pub(crate) fn later(&self, from: &Dated, at: &Dated) -> Result<Vec<Map>> {
        let dates = at.relation.domain()?;
        let composed = self.between(at, from, Equal::No).into_iter();
        some(composed.map(|level| level.intersect_domain(&dates)?.apply_range(&from.relation)))
    }
}

/// Those relations that are not empty.
fn some(relations: impl Iterator<Item = Result<Map>>) -> Result<Vec<Map>> {
    let mut kept = Vec::new();
    for relation in relations {
        let relation = relation?;
        if !relation.is_empty()? {
            kept.push(relation);
        }
    }
    Ok(kept)
}
