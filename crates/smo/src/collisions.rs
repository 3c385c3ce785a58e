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
use std::cell::RefCell;
use std::collections::HashMap;

/// Larger quotients are not enumerated.
const MOST_QUOTIENTS: i64 = 8;

/// The pairs, points being the iterators of both in sequence, whose rows differ by a multiple of the modulus. `None` if the
/// quotient may be larger than 8.
pub(crate) fn collisions(conflicts: &ConflictSet, pairs: &Set, rows: [&Row; 2], modulus: &Form) -> Result<Option<Set>> {
    let space = Space { conflicts, dimensions: pairs.dimensions()? };
    let difference = space.difference(rows);
    if modulus.is_constant() {
        let meeting = space.points(format!("({difference}) mod {} = 0", modulus.constant))?;
        return pairs.intersect(&meeting).map(Some);
    }
    let modulus = modulus.text(conflicts.parameters());
    let Some(bound) = quotient_bound(&space, pairs, &difference, &modulus)? else { return Ok(None) };
    let meeting = |q: i64| pairs.intersect(&space.points(format!("{difference} = {q} * ({modulus})"))?);
    let mut all = meeting(-bound)?;
    for quotient in 1 - bound..=bound {
        let some = meeting(quotient)?;
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
        let beyond = space.points(format!("{difference} >= {past} or {difference} <= -{past}"))?;
        if pairs.intersect(&beyond)?.is_empty()? {
            return Ok(Some(bound));
        }
    }
    Ok(None)
}

/// Conditions that were read before, by the number of coordinates and their text: a hundred statements in a buffer have thousands
/// of pairs, but only some hundred differences of offsets.
#[derive(Default)]
pub(crate) struct Conditions(RefCell<HashMap<(usize, String), Set>>);

impl Conditions {
    fn get(&self, key: (usize, String), read: impl FnOnce(&str) -> Result<Set>) -> Result<Set> {
        if let Some(known) = self.0.borrow().get(&key) {
            return Ok(known.clone());
        }
        let points = read(&key.1)?;
        self.0.borrow_mut().insert(key, points.clone());
        Ok(points)
    }
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
        from.less(to).text(&self.names())
    }

    fn points(&self, condition: String) -> Result<Set> {
        self.conflicts.conditions().get((self.dimensions, condition), |condition| {
            let parameters = self.conflicts.parameters().join(", ");
            let text = format!("[{parameters}] -> {{ [{}] : {condition} }}", self.names().join(", "));
            Set::read(self.conflicts.context().context(), &text)
        })
    }
}
