//! Small matrices for the plane, and the smallest moduli for them at one size.
//!
//! Tried are single rows (a, b) with coprime entries up to 4, and unimodular pairs of rows with entries up to 2. A single row
//! with modulus D is strictly admissible iff D divides no value `a x + b y` on the set; for a pair, every first modulus
//! leaves some of the set for the second row.

use crate::Differences;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of a matrix.
pub(crate) type Rows = Vec<[i64; 2]>;

const MOST_ALONE: i64 = 4;
const MOST_IN_PAIRS: i64 = 2;

/// Moduli this much above the smallest product are considered, too: the smallest may be an accident of one size.
const MARGIN_PERCENT: i64 = 10;

/// At most this many moduli for one matrix.
const MOST_OPTIONS: usize = 8;

/// The matrices, simplest first.
pub(crate) fn matrices() -> Vec<Rows> {
    let small = rows(MOST_IN_PAIRS);
    let mut all: Vec<Rows> = rows(MOST_ALONE).into_iter().map(|row| vec![row]).collect();
    for (k, first) in small.iter().enumerate() {
        for second in &small[k + 1..] {
            if (first[0] * second[1] - first[1] * second[0]).abs() == 1 {
                all.push(vec![*first, *second]);
            }
        }
    }
    all.sort_by_key(complexity);
    all
}

/// Larger is harder to read: number of rows, then sizes of the entries.
pub(crate) fn complexity(rows: &Rows) -> (usize, i64, usize) {
    let sum = rows.iter().flatten().map(|c| c.abs()).sum();
    (rows.len(), sum, rows.iter().flatten().filter(|c| **c < 0).count())
}

/// Coprime rows up to sign.
fn rows(most: i64) -> Vec<[i64; 2]> {
    let coprime = |a: i64, b: i64| (2..=most).all(|d| a % d != 0 || b % d != 0);
    let mut rows = vec![[0, 1]];
    rows.extend((1..=most).flat_map(|a| (-most..=most).map(move |b| [a, b])).filter(|[a, b]| coprime(*a, *b)));
    rows.retain(|[a, b]| (*a, *b) == (0, 1) || *b != 0 || *a == 1);
    rows
}

/// The value of a row.
pub(crate) fn dot(row: &[i64; 2], point: &[i64]) -> i64 {
    row[0] * point[0] + row[1] * point[1]
}

/// Whether no difference is sent to 0.
pub(crate) fn is_admissible(ds: &Differences, rows: &Rows, moduli: &[i64]) -> bool {
    moduli.iter().all(|b| *b >= 1) && ds.half().all(|d| rows.iter().zip(moduli).any(|(row, b)| dot(row, d) % b != 0))
}

/// Moduli with about the smallest product, that one first.
pub(crate) fn moduli(ds: &Differences, rows: &Rows) -> Vec<Vec<i64>> {
    let mut options: Vec<Vec<i64>> = match rows.as_slice() {
        [row] => modulus(ds.half().map(|d| dot(row, d))).map(|b| vec![b]).into_iter().collect(),
        [first, second] => of_pair(ds, first, second),
        _ => Vec::new(),
    };
    options.sort_by_key(|moduli| moduli.iter().product::<i64>());
    let least: i64 = options.first().map_or(1, |moduli| moduli.iter().product());
    options.retain(|moduli| is_about(moduli.iter().product(), least));
    options.truncate(MOST_OPTIONS);
    options
}

fn is_about(product: i64, least: i64) -> bool {
    product * 100 <= least * (100 + MARGIN_PERCENT)
}

/// For each first modulus the smallest second one, but for first ones that alone are too large. What a first modulus leaves is where its
/// multiples are values of the first row: so the values of the second are listed by those of the first, once for all moduli.
fn of_pair(ds: &Differences, first: &[i64; 2], second: &[i64; 2]) -> Vec<Vec<i64>> {
    let mut by_first: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
    for difference in ds.half() {
        by_first.entry(dot(first, difference).abs()).or_default().insert(dot(second, difference).abs());
    }
    let largest = by_first.last_key_value().map_or(0, |(value, _)| *value);
    let (mut options, mut least) = (Vec::new(), i64::MAX / (2 * (100 + MARGIN_PERCENT)));
    for b in 1..=largest + 1 {
        if !is_about(b, least) {
            break;
        }
        let left = by_first.iter().filter(|(value, _)| *value % b == 0).flat_map(|(_, values)| values);
        if let Some(rest) = modulus(left.copied()) {
            least = least.min(b * rest);
            options.push(vec![b, rest]);
        }
    }
    options
}

/// The smallest number that divides none of the values; `None` if one is 0.
fn modulus(values: impl Iterator<Item = i64>) -> Option<i64> {
    let values: BTreeSet<i64> = values.map(i64::abs).collect();
    let largest = values.last().copied().unwrap_or(0);
    let divides_one = |b: i64| (1..=largest / b).any(|q| values.contains(&(q * b)));
    if values.contains(&0) { None } else { (1..=largest + 1).find(|b| !divides_one(*b)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::{Context, Set};

    fn differences(text: &str) -> Differences {
        Differences::of(&Set::read(&Context::new(), text).unwrap()).unwrap()
    }

    /// Bee §4.2: 2i + k mod 2n − 3 for Durbin's y.
    #[test]
    fn one_row_for_durbin() {
        let ds = differences("{ [i, k] : -9 < i + 2k < 9 and -9 < i - k < 9 and -1 <= k <= 1 }");
        assert_eq!(moduli(&ds, &vec![[2, 1]]), [[15]]);
        assert!(!is_admissible(&ds, &vec![[2, 1]], &[14]));
    }

    /// Bee, Figure 3: mean.
    #[test]
    fn two_rows_for_a_triangle() {
        let ds = differences("{ [i, j] : -6 < i < 6 and -6 < j < 6 and -6 < i - j < 6 }");
        assert!(moduli(&ds, &vec![[1, 1], [1, 0]]).contains(&vec![9, 3]));
    }

    #[test]
    fn matrices_are_few_and_unimodular() {
        let all = matrices();
        assert!(all.iter().any(|rows| *rows == [[2, 1]]) && all.len() < 60, "{}", all.len());
        assert_eq!(all[0].len(), 1);
    }
}
