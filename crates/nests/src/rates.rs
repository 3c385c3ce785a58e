//! Rates of the loops of one level: how often each runs while another one runs once.
//!
//! ```text
//! for (i = 0; i < 2n + 2; i++) a[i] = …;      for (i = 0; i < n; i++) … = a[2i] + a[2i+1] + a[2i+2];      at i and 2i
//! ```
//!
//! The reader uses up two values in an iteration. Along a flow from x to y the dates c x and c' y stay near each other only for one ratio
//! c : c', the slope of y over x. These are the balance equations of a dataflow graph: they are solved by walking the flows, that with the
//! most cells first, in rationals, and each connected set of loops is multiplied by its common denominator.
//!
//! A flow whose ratio contradicts those on the way is *unbalanced*: no rates suit both, and its ends stay apart.
//!
//! Papers: Lee and Messerschmitt, Synchronous Data Flow (1987); Mullapudi, Vasista and Bondhugula, PolyMage (2015), §3.2.
//!
//! Invariant: rates are positive, and 1 for loops that no flow asks for another one.

use crate::dependence::Dependence;
use crate::level::{FURTHEST, Item};
use crate::place::{Place, Places, fitting};
use polyfold_isl::{Result, Set};

/// Two iterations this far apart show a slope exactly, if its denominator divides the number.
const APART: i64 = 5040;

/// Loops of which one runs more often than this while the other one runs once are not looked for between two stages.
pub(crate) const MOST: i64 = 64;

/// The same between any two stages: 20 stages that each halve what they get.
const MOST_BETWEEN_ANY: i64 = 1 << 20;

/// Flows whose distances differ by no more than this are taken for balanced: in loops of a few iterations all are near.
const NARROW: i64 = 8;

/// A positive fraction, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Above the line.
    pub over: i64,
    /// Below it.
    pub under: i64,
}

impl Ratio {
    const ONE: Ratio = Ratio { over: 1, under: 1 };

    fn new(over: i64, under: i64) -> Option<Ratio> {
        let common = gcd(over, under);
        (over > 0 && under > 0).then(|| Ratio { over: over / common, under: under / common })
    }

    /// `None`: it is out of all proportion.
    fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.over.checked_mul(other.over)?, self.under.checked_mul(other.under)?)
            .filter(|product| product.over.max(product.under) <= MOST_BETWEEN_ANY)
    }

    /// A multiple of it that is a whole number.
    fn at(self, multiple: i64) -> i64 {
        self.over * (multiple / self.under)
    }

    fn inverse(self) -> Ratio {
        Ratio { over: self.under, under: self.over }
    }
}

/// A flow between two loops.
pub(crate) struct Flow<'d> {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) dependence: &'d Dependence,
    /// The smallest and the largest distance at equal rates.
    pub(crate) distance: (Option<i64>, Option<i64>),
}

/// Rates by item, and flows that they don't suit, with the ratio that each would need.
pub(crate) struct Rates {
    pub(crate) by_item: Vec<i64>,
    /// Places of flows.
    pub(crate) unbalanced: Vec<(usize, Ratio)>,
}

/// Rates of items between which these flows go, the most important first.
pub(crate) fn rates(items: &[Item], flows: &[Flow], places: &Places) -> Result<Rates> {
    let mut sets: Vec<(usize, Ratio)> = (0..items.len()).map(|item| (item, Ratio::ONE)).collect();
    let mut unbalanced = Vec::new();
    for (k, flow) in flows.iter().enumerate() {
        let Some(ratio) = ratio(items, flow, places)? else { continue };
        if !join(&mut sets, (flow.from, flow.to), ratio) {
            unbalanced.push((k, ratio));
        }
    }
    // Sets are joined only if their rates are whole numbers that fit.
    let by_item = sets.iter().map(|own| whole(&sets, own.0).map_or(1, |(common, divisor)| own.1.at(common) / divisor));
    Ok(Rates { by_item: by_item.collect(), unbalanced })
}

/// By what the rates of a set are multiplied to be whole numbers, and what those have in common; `None`: they are too large.
fn whole(sets: &[(usize, Ratio)], set: usize) -> Option<(i64, i64)> {
    let members = || sets.iter().filter(|(own, _)| *own == set).map(|(_, rate)| *rate);
    let common = members().try_fold(1, |common: i64, rate| {
        let next = (common / gcd(common, rate.under)).checked_mul(rate.under)?;
        (next <= MOST_BETWEEN_ANY).then_some(next)
    })?;
    Some((common, members().fold(0, |divisor, rate| gcd(divisor, rate.at(common)))))
}

/// Makes one set of those of two items, the second of which runs at a multiple of the first's rate; whether that suits.
fn join(sets: &mut [(usize, Ratio)], (from, to): (usize, usize), ratio: Ratio) -> bool {
    let ((first, own), (second, other)) = (sets[from], sets[to]);
    let Some(wanted) = own.times(ratio) else { return false };
    if first == second {
        return wanted == other;
    }
    let Some(factor) = wanted.times(other.inverse()) else { return false };
    let moved: Option<Vec<(usize, Ratio)>> = (sets.iter())
        .map(|(set, rate)| if *set == second { Some((first, rate.times(factor)?)) } else { Some((*set, *rate)) })
        .collect();
    let Some(moved) = moved.filter(|moved| whole(moved, first).is_some()) else { return false };
    sets.copy_from_slice(&moved);
    true
}

/// The rate of a flow's reader over its writer's at which its distances have bounds; `None`: none is known.
fn ratio(items: &[Item], flow: &Flow, places: &Places) -> Result<Option<Ratio>> {
    let width = |distance: (Option<i64>, Option<i64>)| Some(distance.1?.saturating_sub(distance.0?));
    let even = width(flow.distance);
    if even.is_some_and(|width| width <= NARROW) {
        return Ok(Some(Ratio::ONE));
    }
    let ends = (&items[flow.from].place, &items[flow.to].place);
    let Some(ratio) = slope(places, flow.dependence, ends)? else { return Ok(even.map(|_| Ratio::ONE)) };
    let (from, to) = (ends.0.at_rate(ratio.under), ends.1.at_rate(ratio.over));
    let found = width(places.range(flow.dependence, &from, &to)?);
    let scale = ratio.over.max(ratio.under);
    let is_better = found.is_some_and(|found| found <= 2 * FURTHEST * scale && even.is_none_or(|even| found < even));
    Ok(if is_better { Some(ratio) } else { even.map(|_| Ratio::ONE) })
}

/// Iterations of the writer over those of the reader, as both go on.
pub(crate) fn slope(places: &Places, dependence: &Dependence, (from, to): (&Place, &Place)) -> Result<Option<Ratio>> {
    let pairs = places.pairs(dependence, from, to)?.wrap()?.without_parameters()?;
    let ends = (fitting(pairs.dim_min_value(0))?, fitting(pairs.dim_max_value(0))?);
    let Some((first, last)) = far_apart(ends) else { return Ok(None) };
    let (Some(before), Some(after)) = (reader_at(&pairs, first)?, reader_at(&pairs, last)?) else { return Ok(None) };
    Ok(after.checked_sub(before).and_then(|length| simplest(last - first, length)))
}

/// The first iteration of the reader that uses what the writer makes in one.
fn reader_at(pairs: &Set, writer: i64) -> Result<Option<i64>> {
    // Not every iteration of the writer is used, and not every one makes something.
    for near in 0..NARROW {
        let there = pairs.fix(0, writer.saturating_add(near))?;
        if !there.is_empty()? {
            return fitting(there.dim_min_value(1));
        }
    }
    Ok(None)
}

fn far_apart(bounds: (Option<i64>, Option<i64>)) -> Option<(i64, i64)> {
    match bounds {
        (Some(least), Some(most)) if most.saturating_sub(least) <= 2 * APART => {
            Some((least, (most - NARROW).max(least)))
        }
        (Some(least), _) => Some((least.checked_add(APART)?, least.checked_add(2 * APART)?)),
        (None, Some(most)) => Some((most.checked_sub(2 * APART)?, most.checked_sub(APART)?)),
        (None, None) => None,
    }
}

/// The fraction with the smallest numbers that is right but for what one iteration more or less makes.
fn simplest(over: i64, under: i64) -> Option<Ratio> {
    // Longer ones are at no rate up to the most.
    let is_short = |length: i64| (0..=4 * APART * MOST).contains(&length);
    if !is_short(over) || !is_short(under) {
        return None;
    }
    let is_near = |p: i64, q: i64| (p * under - q * over).abs() <= NARROW * p.max(q);
    let numerator = |q: i64| (q * over + under / 2) / under.max(1);
    let all = (1..=MOST).map(|q| (numerator(q), q)).filter(|(p, q)| (1..=MOST).contains(p) && is_near(*p, *q));
    (over > 0 && under > 0)
        .then(|| all.min_by_key(|(p, q)| p.max(q).to_owned()))
        .flatten()
        .and_then(|(p, q)| Ratio::new(p, q))
}

/// The greatest common divisor.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_found_though_ends_are_off_by_one() {
        let ratio = |over, under| simplest(over, under).map(|r| (r.over, r.under));
        assert_eq!(ratio(5040, 2520), Some((2, 1)));
        assert_eq!(ratio(29, 14), Some((2, 1)));
        assert_eq!(ratio(5040, 7561), Some((2, 3)));
        assert_eq!(ratio(5040, -5040), None);
        assert_eq!(ratio(5040, 0), None);
    }

    #[test]
    fn sets_are_joined_and_contradictions_are_told() {
        let two = Ratio { over: 2, under: 1 };
        let mut sets: Vec<(usize, Ratio)> = (0..3).map(|k| (k, Ratio::ONE)).collect();
        assert!(join(&mut sets, (0, 1), two) && join(&mut sets, (1, 2), two));
        assert!(!join(&mut sets, (0, 2), two));
        assert!(join(&mut sets, (0, 2), Ratio { over: 4, under: 1 }));
    }
}
