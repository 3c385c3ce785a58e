//! The smallest modulus of one level, and offsets, once its normal and the signs of its conflicts are known.
//!
//! ```text
//! modulus u·P + w + 1:   lexmin (u, w)   with   least <= δ_high − δ_low <= w − excess   for every conflict
//! ```
//!
//! u is the least slope that all conflicts of the level allow. For a given w the rest is a system of difference constraints,
//! which longest paths solve (Bellman), exactly; the least w is found by doubling and halving. One modulus for all statements of a
//! buffer: with two of them, 5 mod 5 = 3 mod 3.
//!
//! Paper: SMO §4.2, (6) and (7); the order of objective (10) without (9).

use crate::Form;
use crate::bound::least_bound;
use crate::conflicts::Corner;
use crate::offsets::least;
use crate::span::Span;
use std::collections::HashMap;

/// A modulus, and δ per statement of the class, none of them negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spacing {
    pub(crate) modulus: Form,
    pub(crate) offsets: Vec<i64>,
}

/// A conflict that is to have a sign at the level.
pub(crate) type Demand<'s, 'a> = (&'s Span<'a>, i64);

/// All demands on `δ_high − δ_low`.
#[derive(Clone, Copy)]
struct Between {
    least: i64,
    excess: i64,
}

/// What is demanded between every two statements, by the high one and the low one.
type Demanded = Vec<((usize, usize), Between)>;

/// `None` if the demands contradict each other, or there is no bound of the form `u·P + w`.
pub(crate) fn spacing(count: usize, demands: &[Demand], context: &[Corner]) -> Option<Spacing> {
    if demands.iter().any(|(span, sign)| !span.can_be(*sign)) {
        return None;
    }
    let floor = least_bound(&steepest(demands), context)?;
    let own = demands.iter().filter(|(span, _)| span.is_intra());
    let own = own.filter_map(|(span, sign)| span.excess(*sign, &floor.slopes)).fold(floor.constant, i64::max);
    let between = between(demands, &floor.slopes);
    paths(count, &between, None)?;
    let width = between.iter().map(|(_, b)| b.least + b.excess).fold(own, i64::max);
    let (width, offsets) = least(width, |width| paths(count, &between, Some(width)));
    Some(Spacing { modulus: Form { slopes: floor.slopes, constant: width + 1 }, offsets })
}

/// The strictest demands of all pieces between two statements.
fn between(demands: &[Demand], slopes: &[i64]) -> Demanded {
    let mut between: HashMap<(usize, usize), Between> = HashMap::new();
    for (span, sign) in demands.iter().filter(|(span, _)| !span.is_intra()) {
        let Some(excess) = span.excess(*sign, slopes) else { continue };
        let least = span.least(*sign);
        let key = if *sign > 0 { (span.from, span.to) } else { (span.to, span.from) };
        let known = between.entry(key).or_insert(Between { least, excess });
        *known = Between { least: known.least.max(least), excess: known.excess.max(excess) };
    }
    let mut between: Demanded = between.into_iter().collect();
    between.sort_unstable_by_key(|(key, _)| *key);
    between
}

/// The largest value along every ray of the parameters.
fn steepest<'a>(demands: &[Demand<'_, 'a>]) -> Vec<(&'a Corner, i64)> {
    let mut rays: HashMap<&Corner, i64> = HashMap::new();
    for (corner, value) in demands.iter().flat_map(|(span, sign)| span.rays(*sign)) {
        let known = rays.entry(corner).or_insert(value);
        *known = value.max(*known);
    }
    let mut rays: Vec<(&Corner, i64)> = rays.into_iter().collect();
    rays.sort_unstable();
    rays
}

/// The least offsets, none of them negative; `None` if there is a circle that asks for ever larger ones.
fn paths(count: usize, between: &[((usize, usize), Between)], width: Option<i64>) -> Option<Vec<i64>> {
    let mut paths = Paths { offsets: vec![0; count], before: vec![None; count], has_changed: false };
    loop {
        paths.has_changed = false;
        for ((high, low), demand) in between {
            paths.raise(*high, *low, demand.least);
            if let Some(width) = width {
                paths.raise(*low, *high, demand.excess - width);
            }
        }
        if !paths.has_changed {
            return Some(paths.offsets);
        }
        if paths.has_circle() {
            return None;
        }
    }
}

/// The longest paths so far.
struct Paths {
    offsets: Vec<i64>,
    /// From where a path comes last; `None` where it is empty.
    before: Vec<Option<usize>>,
    has_changed: bool,
}

impl Paths {
    /// Asks for `δ_to − δ_from >= least`.
    fn raise(&mut self, to: usize, from: usize, least: i64) {
        let asked = self.offsets[from] + least;
        if self.offsets[to] < asked {
            (self.offsets[to], self.before[to], self.has_changed) = (asked, Some(from), true);
        }
    }

    /// Whether the last steps of the paths go around. Then the circle asks for ever larger offsets; and where there is such a
    /// circle, paths around it are found after as many rounds as there are statements (Bellman, Ford), most often after a few.
    fn has_circle(&self) -> bool {
        const NEW: usize = usize::MAX;
        let mut seen_from = vec![NEW; self.before.len()];
        for start in 0..self.before.len() {
            let mut place = Some(start);
            while let Some(here) = place.filter(|here| seen_from[*here] == NEW) {
                seen_from[here] = start;
                place = self.before[here];
            }
            if place.is_some_and(|here| seen_from[here] == start) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConflictSet;
    use crate::frame::Frame;
    use polyfold_isl::Context;

    /// The spacing of one iterator's axis, with the signs of the pieces in their order.
    fn along_axis(pairs: &str, signs: &[i64]) -> Option<(String, Vec<i64>)> {
        let conflicts = ConflictSet::read(&Context::new(), "[N] -> { : N >= 4 }", pairs).unwrap();
        let class: Vec<usize> = (0..conflicts.statements().len()).collect();
        let polyhedra = conflicts.between(&class);
        let frame = Frame::all(&conflicts, &class, &polyhedra).remove(0);
        let pieces = frame.pieces(&class, &polyhedra).unwrap();
        let spans: Vec<Span> = pieces.iter().map(|piece| Span::new(piece, &[1])).collect();
        let demands: Vec<Demand> = spans.iter().zip(signs.iter().copied()).collect();
        let found = spacing(class.len(), &demands, conflicts.corners())?;
        Some((found.modulus.text(conflicts.parameters()), found.offsets))
    }

    const OWN: &str = "S[i] -> S[j] : 0 <= i < j < N; T[i] -> T[j] : 0 <= i < j < N";

    #[test]
    fn a_row_by_itself() {
        let pairs = "[N] -> { S[i] -> S[j] : 0 <= i < j < N }";
        assert_eq!(along_axis(pairs, &[-1]), Some(("N".to_string(), vec![0])));
        assert_eq!(along_axis(pairs, &[1]), None);
    }

    #[test]
    fn an_offset_keeps_equal_iterators_apart() {
        let pairs = format!("[N] -> {{ {OWN}; S[i] -> T[j] : 0 <= j <= i < N }}");
        assert_eq!(along_axis(&pairs, &[-1, 1, -1]), Some(("N + 1".to_string(), vec![1, 0])));
        assert_eq!(along_axis(&pairs, &[-1, -1, -1]), None, "the difference of S and T grows to N - 1");
    }

    #[test]
    fn one_modulus_for_all() {
        let pairs = "[N] -> { S[i] -> S[j] : 0 <= i < j < N; T[i] -> T[j] : 0 <= i < j < i + 3 and j < N;
            S[i] -> T[j] : i <= j <= i + 2 and 0 <= i and j < N }";
        assert_eq!(along_axis(pairs, &[-1, -1, -1]), Some(("N".to_string(), vec![0, 1])));
        assert_eq!(along_axis(pairs, &[-1, 1, -1]), Some(("N".to_string(), vec![3, 0])));
    }

    #[test]
    fn a_circle_has_no_offsets() {
        let pairs = format!("[N] -> {{ {OWN}; S[i] -> T[j] : 0 <= j <= i < N; T[i] -> S[j] : 0 <= j <= i < N }}");
        let signs = [[-1, 1, -1, -1], [-1, -1, 1, -1]];
        assert!(signs.iter().all(|signs| along_axis(&pairs, signs).is_none()));
    }

    #[test]
    fn a_circle_is_found_far_from_where_the_paths_begin() {
        let between = |ends: &[(usize, usize)], last| -> Demanded {
            let demand = |(k, (low, high)): (usize, &(usize, usize))| {
                let least = if k + 1 == ends.len() { last } else { 1 };
                ((*high, *low), Between { least, excess: 0 })
            };
            ends.iter().enumerate().map(demand).collect()
        };
        let mut ends: Vec<(usize, usize)> = (0..49).rev().map(|k| (k, k + 1)).collect();
        ends.push((49, 30));
        assert_eq!(paths(50, &between(&ends, -18), None), None);
        let offsets = paths(50, &between(&ends, -19), None);
        assert_eq!(offsets, Some((0..50).collect()));
    }
}
