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
    let mut offsets = vec![0; count];
    for _ in 0..=count {
        let mut is_done = true;
        for ((high, low), demand) in between {
            let below = offsets[*low] + demand.least;
            if offsets[*high] < below {
                (offsets[*high], is_done) = (below, false);
            }
            let above = width.map(|width| offsets[*high] - (width - demand.excess));
            if let Some(above) = above.filter(|above| offsets[*low] < *above) {
                (offsets[*low], is_done) = (above, false);
            }
        }
        if is_done {
            return Some(offsets);
        }
    }
    None
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
}
