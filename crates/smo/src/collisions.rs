//! Pairs that one row of a mapping sends to the same place.
//!
//! ```text
//! v = Γ·s + δ − Γ'·t − δ',   v ∈ e ℤ
//! ```
//!
//! With a constant modulus that is a Presburger condition. With a parametric one, `e = u·P + w`, it becomes one affine condition
//! `v = q e` for each quotient q that occurs, if there are few.

use crate::{ConflictSet, Form, Row};
use polyfold_isl::{Result, Set};

/// Larger quotients are not enumerated.
const MOST_QUOTIENTS: i64 = 8;

/// The pairs, points being the iterators of both in sequence, whose rows differ by a multiple of the modulus. `None` if the
/// quotient may be larger than 8.
pub(crate) fn collisions(conflicts: &ConflictSet, pairs: &Set, rows: [&Row; 2], modulus: &Form) -> Result<Option<Set>> {
    let space = Space { conflicts, dimensions: pairs.dimensions()? };
    let difference = space.difference(rows);
    if modulus.is_constant() {
        let meeting = space.points(&format!("({difference}) mod {} = 0", modulus.constant))?;
        return pairs.intersect(&meeting).map(Some);
    }
    let modulus = modulus.text(conflicts.parameters());
    let Some(bound) = quotient_bound(&space, pairs, &difference, &modulus)? else { return Ok(None) };
    let cases: Vec<String> = (-bound..=bound).map(|q| format!("{difference} = {q} * ({modulus})")).collect();
    let mut all = pairs.intersect(&space.points(&cases[0])?)?;
    for case in &cases[1..] {
        let some = pairs.intersect(&space.points(case)?)?;
        if !some.is_empty()? {
            all = all.union(&some)?;
        }
    }
    Ok(Some(all))
}

/// The smallest K with `|v| < (K + 1) e` for all pairs, if it is small.
fn quotient_bound(space: &Space, pairs: &Set, difference: &str, modulus: &str) -> Result<Option<i64>> {
    for bound in 0..=MOST_QUOTIENTS {
        let past = format!("{} * ({modulus})", bound + 1);
        let beyond = space.points(&format!("{difference} >= {past} or {difference} <= -{past}"))?;
        if pairs.intersect(&beyond)?.is_empty()? {
            return Ok(Some(bound));
        }
    }
    Ok(None)
}

/// The space of pairs, to write conditions in.
struct Space<'a> {
    conflicts: &'a ConflictSet,
    dimensions: usize,
}

impl Space<'_> {
    fn names(&self) -> Vec<String> {
        (0..self.dimensions).map(|k| format!("coordinate_{k}")).collect()
    }

    fn difference(&self, [from, to]: [&Row; 2]) -> String {
        let negative = to.coefficients.iter().map(|c| -c);
        let coefficients: Vec<i64> = from.coefficients.iter().copied().chain(negative).collect();
        crate::form::sum(&coefficients, &self.names(), from.offset - to.offset)
    }

    fn points(&self, condition: &str) -> Result<Set> {
        let parameters = self.conflicts.parameters().join(", ");
        let text = format!("[{parameters}] -> {{ [{}] : {condition} }}", self.names().join(", "));
        Set::read(self.conflicts.context().context(), &text)
    }
}
