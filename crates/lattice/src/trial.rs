//! Small matrices for the plane and for space, and the smallest moduli for them at one size.
//!
//! Tried in the plane are single rows (a, b) with coprime entries up to 4, and unimodular pairs of rows with entries up to 2. A single row
//! with modulus D is strictly admissible iff D divides no value `a x + b y` on the set; for a pair, every first modulus
//! leaves some of the set for the second row. In space, two axes and a sum of all three, with signs: for each first modulus a pair.

use crate::Differences;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of a matrix.
pub(crate) type Rows = Vec<Vec<i64>>;

const MOST_ALONE: i64 = 4;
const MOST_IN_PAIRS: i64 = 2;

/// Moduli this much above the smallest product are considered, too: the smallest may be an accident of one size.
const MARGIN_PERCENT: i64 = 10;

/// At most this many moduli for one matrix.
const MOST_OPTIONS: usize = 8;

/// The matrices for a set with that many dimensions, 2 or 3, simplest first.
pub(crate) fn matrices(dimensions: usize) -> Vec<Rows> {
    let mut all = if dimensions == 2 { of_plane() } else { of_space() };
    all.sort_by_key(complexity);
    all
}

fn of_plane() -> Vec<Rows> {
    let small = rows(MOST_IN_PAIRS);
    let mut all: Vec<Rows> = rows(MOST_ALONE).into_iter().map(|row| vec![row]).collect();
    for (k, first) in small.iter().enumerate() {
        for second in &small[k + 1..] {
            if (first[0] * second[1] - first[1] * second[0]).abs() == 1 {
                all.push(vec![first.clone(), second.clone()]);
            }
        }
    }
    all
}

/// Two of the axes, and ±x ± y + z.
fn of_space() -> Vec<Rows> {
    let signs = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
    let axis = |a: usize| (0..3).map(|k| i64::from(k == a)).collect::<Vec<i64>>();
    let two_and = |left_out: usize, sum: Vec<i64>| {
        let mut rows: Rows = (0..3).filter(|a| *a != left_out).map(axis).collect();
        rows.push(sum);
        rows
    };
    signs.iter().flat_map(|[x, y]| (0..3).map(move |left_out| two_and(left_out, vec![*x, *y, 1]))).collect()
}

/// Larger is harder to read: number of rows, then sizes of the entries.
pub(crate) fn complexity(rows: &Rows) -> (usize, i64, usize) {
    let sum = rows.iter().flatten().map(|c| c.abs()).sum();
    (rows.len(), sum, rows.iter().flatten().filter(|c| **c < 0).count())
}

/// Coprime rows up to sign.
fn rows(most: i64) -> Rows {
    let coprime = |a: i64, b: i64| (2..=most).all(|d| a % d != 0 || b % d != 0);
    let mut rows = vec![[0, 1]];
    rows.extend((1..=most).flat_map(|a| (-most..=most).map(move |b| [a, b])).filter(|[a, b]| coprime(*a, *b)));
    rows.retain(|[a, b]| (*a, *b) == (0, 1) || *b != 0 || *a == 1);
    rows.into_iter().map(Vec::from).collect()
}

/// The value of a row.
fn dot(row: &[i64], point: &[i64]) -> i64 {
    row.iter().zip(point).map(|(c, x)| c * x).sum()
}

/// Whether no difference is sent to 0.
pub(crate) fn is_admissible(ds: &Differences, rows: &Rows, moduli: &[i64]) -> bool {
    moduli.iter().all(|b| *b >= 1) && ds.half().all(|d| rows.iter().zip(moduli).any(|(row, b)| dot(row, d) % b != 0))
}

/// Moduli with about the smallest product, that one first.
pub(crate) fn moduli(ds: &Differences, rows: &Rows) -> Vec<Vec<i64>> {
    let mut options: Vec<Vec<i64>> = match rows.as_slice() {
        [row] => modulus(ds.half().map(|d| dot(row, d))).map(|b| vec![b]).into_iter().collect(),
        [first, second] => of_pair(&values(ds, first, second)),
        [first, second, third] => of_triple(ds, first, [second, third]),
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

/// Values of a row, and for each of them those of another.
type Values = BTreeMap<i64, BTreeSet<i64>>;

fn values(ds: &Differences, first: &[i64], second: &[i64]) -> Values {
    let mut by_first = Values::new();
    for difference in ds.half() {
        by_first.entry(dot(first, difference).abs()).or_default().insert(dot(second, difference).abs());
    }
    by_first
}

/// For each first modulus what is best for a pair on the rest.
fn of_triple(ds: &Differences, first: &[i64], pair: [&[i64]; 2]) -> Vec<Vec<i64>> {
    let largest = ds.half().map(|d| dot(first, d).abs()).max().unwrap_or(0);
    let (mut options, mut least) = (Vec::new(), i64::MAX / (2 * (100 + MARGIN_PERCENT)));
    for b in 1..=largest + 1 {
        if !is_about(b, least) {
            break;
        }
        let mut left = Values::new();
        for difference in ds.half().filter(|d| dot(first, d) % b == 0) {
            let [second, third] = pair.map(|row| dot(row, difference).abs());
            left.entry(second).or_default().insert(third);
        }
        for rest in of_pair(&left) {
            least = least.min(b * rest[0] * rest[1]);
            options.push([vec![b], rest].concat());
        }
    }
    options
}

/// For each first modulus the smallest second one, but for first ones that alone are too large. What a first modulus leaves is where its
/// multiples are values of the first row: so the values of the second are listed by those of the first, once for all moduli.
fn of_pair(by_first: &Values) -> Vec<Vec<i64>> {
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
        assert_eq!(moduli(&ds, &vec![vec![2, 1]]), [[15]]);
        assert!(!is_admissible(&ds, &vec![vec![2, 1]], &[14]));
    }

    /// Bee, Figure 3: mean.
    #[test]
    fn two_rows_for_a_triangle() {
        let ds = differences("{ [i, j] : -6 < i < 6 and -6 < j < 6 and -6 < i - j < 6 }");
        assert!(moduli(&ds, &vec![vec![1, 1], vec![1, 0]]).contains(&vec![9, 3]));
    }

    /// Differences of a tetrahedron's cells at n = 6: n³/2 cells.
    #[test]
    fn three_rows_for_a_tetrahedron() {
        let sides = "-6 < i < 6 and -6 < j < 6 and -6 < k < 6 and -6 < i - j < 6 and -6 < j - k < 6 and -6 < i - k < 6";
        let ds = differences(&format!("{{ [i, j, k] : {sides} }}"));
        let rows = vec![vec![1, 0, 0], vec![0, 1, 0], vec![1, 1, 1]];
        assert!(moduli(&ds, &rows).contains(&vec![3, 3, 12]), "{:?}", moduli(&ds, &rows));
    }

    #[test]
    fn matrices_are_few_and_unimodular() {
        let all = matrices(2);
        assert!(all.iter().any(|rows| *rows == [vec![2, 1]]) && all.len() < 60, "{}", all.len());
        assert_eq!(all[0].len(), 1);
    }
}
