//! The simplest mapping of a lattice.
//!
//! Many mappings have the same kernel Λ; the Smith form gives one of them, seldom the one to write into a program:
//! `i − 14j mod 61` says the same as `13i + j mod 61`. A row `m x mod b` vanishes on Λ iff m/b is in the dual lattice
//!
//! ```text
//! Λ* = { y ∈ Qⁿ : y x ∈ Z for all x ∈ Λ }
//! ```
//!
//! and only its class modulo Zⁿ matters, so there are det Λ different rows, each with its smallest coefficients. Rows
//! with moduli b form a mapping with kernel Λ and no cell to spare iff the product of b is det Λ and together they
//! reach every residue. The search tries rows from simple to complicated and keeps the cheapest such set.
//!
//! What is simple: few rows (each costs a remainder), few coefficients that are not zero, small ones; and the innermost
//! dimension in one row only, with coefficient 1, so that neighbours in the array are neighbours in memory.
//!
//! The paper leaves this open ("how to derive the simplest mapping for a given lattice is still an issue", Bee §4.1.3).
//! For a determinant above 65536 only rows with small coefficients are tried, and the work is bounded: the answer has
//! the kernel asked for in any case, and is the simplest one among those looked at.
//!
//! ```
//! use polyfold_lattice::{Lattice, simplest_mapping};
//! let lattice = Lattice::new(&[vec![197, 0], vec![98, 1]])?;
//! assert_eq!(simplest_mapping(&lattice)?.to_string(), "(2 x0 + x1 mod 197)");
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use crate::folding::upright;
use crate::integers::{centred, dot};
use crate::{Folding, Lattice};
use num_integer::Integer;
use polyfold_isl::Result;
use std::cmp::Reverse;

/// All rows are tried up to this determinant.
const MOST_ROWS: i64 = 1 << 16;

/// Rows with small coefficients are tried up to about this number.
const MOST_SMALL_ROWS: usize = 1 << 14;

/// Rows kept of each modulus.
const KEPT: usize = 8;

/// Bound on the number of rows looked at in the search for a set of rows.
const MOST_STEPS: usize = 20_000;

/// Among mappings with the given kernel one with simple subscripts; its moduli multiply to the determinant.
///
/// # Errors
/// None are known; a failure of exact arithmetic would be one.
pub fn simplest_mapping(lattice: &Lattice) -> Result<Folding> {
    let smith = arranged(lattice.mapping());
    let least = complexity(&smith);
    let candidates = candidates(lattice, &smith, least);
    let mut search = RowSearch { candidates, steps: 0, least, best: smith };
    search.extend(&mut Vec::new(), &Lattice::integers(lattice.dimensions()), lattice.determinant())?;
    Ok(search.best)
}

/// What the subscripts of a mapping cost, to compare mappings of the same size.
pub fn complexity(folding: &Folding) -> u32 {
    let rows: u32 = folding.rows.iter().map(|row| row_cost(row)).sum();
    rows + if is_contiguous(folding) { 0 } else { 3 }
}

fn row_cost(row: &[i64]) -> u32 {
    let coefficient = |c: &i64| match *c {
        0 => 0,
        1 => 2,
        -1 => 3,
        _ => 2 + 2 * (64 - c.unsigned_abs().leading_zeros()) + u32::from(*c < 0),
    };
    6 + row.iter().map(coefficient).sum::<u32>()
}

/// Whether the innermost dimension is in one row only, with coefficient 1.
fn is_contiguous(folding: &Folding) -> bool {
    let mut innermost = folding.rows.iter().filter_map(|row| row.last()).filter(|c| **c != 0);
    innermost.next() == Some(&1) && innermost.next().is_none()
}

/// Rows that depend on inner dimensions come last.
fn arranged(folding: Folding) -> Folding {
    let mut rows: Vec<(Vec<i64>, i64)> = folding.rows.into_iter().zip(folding.moduli).collect();
    rows.sort_by_key(|(row, modulus)| {
        let inner: Vec<u64> = row.iter().rev().map(|c| c.unsigned_abs()).collect();
        (inner, *modulus)
    });
    let (rows, moduli) = rows.into_iter().unzip();
    Folding { dimensions: folding.dimensions, rows, moduli }
}

/// A row `m x mod b`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    cost: u32,
    coefficients: Vec<i64>,
    modulus: i64,
}

impl Row {
    /// m/b in lowest terms with its smallest coefficients; `None` if it is an integer vector.
    fn new(coefficients: &[i64], modulus: i64) -> Option<Row> {
        let divisor = coefficients.iter().fold(modulus, |g, c| g.gcd(c));
        let modulus = modulus / divisor;
        let small = coefficients.iter().map(|c| centred(c / divisor, modulus));
        let coefficients = upright(small.collect(), modulus);
        (modulus > 1).then(|| Row { cost: row_cost(&coefficients), coefficients, modulus })
    }

    /// From cheap to dear, and outer dimensions first.
    fn order(&self) -> (u32, Reverse<&[i64]>, i64) {
        (self.cost, Reverse(&self.coefficients), self.modulus)
    }

    /// Whether the row reaches every residue on the points of a lattice.
    fn is_onto(&self, lattice: &Lattice) -> bool {
        let values = lattice.basis().iter().map(|v| dot(&self.coefficients, v));
        values.fold(i128::from(self.modulus), |g, value| g.gcd(&value)) == 1
    }
}

/// The cheapest rows of each modulus that cost less than `least`, from cheap to dear.
fn candidates(lattice: &Lattice, smith: &Folding, least: u32) -> Vec<Row> {
    let mut rows = if lattice.determinant() <= MOST_ROWS { all_rows(smith) } else { small_rows(lattice, smith) };
    rows.retain(|row| row.cost < least);
    rows.sort_unstable_by(|a, b| (a.modulus, a.order()).cmp(&(b.modulus, b.order())));
    rows.dedup();
    let mut kept: Vec<Row> = Vec::new();
    for row in rows {
        let same = kept.iter().rev().take_while(|other| other.modulus == row.modulus).count();
        if same < KEPT {
            kept.push(row);
        }
    }
    kept.sort_unstable_by(|a, b| a.order().cmp(&b.order()));
    kept
}

/// One row for every element of Λ*/Zⁿ, which the rows of the Smith form generate.
fn all_rows(smith: &Folding) -> Vec<Row> {
    let exponent = smith.moduli.iter().copied().max().unwrap_or(1);
    let mut found = Vec::new();
    add_multiples(smith, 0, exponent, &vec![0; smith.dimensions], &mut found);
    found
}

/// The rows `sum` + a combination of the rows of the Smith form from `first` on, over the exponent.
fn add_multiples(smith: &Folding, first: usize, exponent: i64, sum: &[i64], found: &mut Vec<Row>) {
    let Some(modulus) = smith.moduli.get(first) else {
        found.extend(Row::new(sum, exponent));
        return;
    };
    let step: Vec<i64> = smith.rows[first].iter().map(|c| c.rem_euclid(*modulus) * (exponent / modulus)).collect();
    let mut sum = sum.to_vec();
    for _ in 0..*modulus {
        add_multiples(smith, first + 1, exponent, &sum, found);
        sum.iter_mut().zip(&step).for_each(|(s, c)| *s = (*s + c) % exponent);
    }
}

/// Small coefficients, each row with the largest modulus for which it vanishes on the lattice.
fn small_rows(lattice: &Lattice, smith: &Folding) -> Vec<Row> {
    let dimensions = lattice.dimensions();
    let mut bound = 0i64;
    while (2 * bound as usize + 3).checked_pow(dimensions as u32).is_some_and(|count| count <= MOST_SMALL_ROWS) {
        bound += 1;
    }
    let mut vectors = vec![Vec::new()];
    for _ in 0..dimensions {
        let longer = |v: &Vec<i64>| (-bound..=bound).map(|c| [v.as_slice(), &[c]].concat()).collect::<Vec<_>>();
        vectors = vectors.iter().flat_map(longer).collect();
    }
    let row = |v: &Vec<i64>| {
        let values = lattice.basis().iter().map(|b| dot(v, b));
        let modulus = values.fold(i128::from(lattice.determinant()), |g, value| g.gcd(&value));
        Row::new(v, modulus as i64)
    };
    let own = smith.rows.iter().zip(&smith.moduli).filter_map(|(row, modulus)| Row::new(row, *modulus));
    vectors.iter().filter_map(row).chain(own).collect()
}

struct RowSearch {
    candidates: Vec<Row>,
    steps: usize,
    least: u32,
    best: Folding,
}

impl RowSearch {
    /// All sets of rows that begin with `chosen`, whose common kernel is `kernel`; `rest` is the product of the moduli
    /// still to come.
    fn extend(&mut self, chosen: &mut Vec<usize>, kernel: &Lattice, rest: i64) -> Result<()> {
        let spent: u32 = chosen.iter().map(|k| self.candidates[*k].cost).sum();
        if rest == 1 {
            self.propose(chosen, kernel.dimensions());
            return Ok(());
        }
        for k in chosen.last().map_or(0, |last| last + 1)..self.candidates.len() {
            self.steps += 1;
            let row = &self.candidates[k];
            if spent + row.cost >= self.least || self.steps > MOST_STEPS || chosen.len() == kernel.dimensions() {
                break;
            }
            if rest % row.modulus != 0 || !row.is_onto(kernel) {
                continue;
            }
            let remaining = rest / row.modulus;
            chosen.push(k);
            let smaller = if remaining == 1 { kernel.clone() } else { self.kernel(chosen, kernel.dimensions())? };
            self.extend(chosen, &smaller, remaining)?;
            chosen.pop();
        }
        Ok(())
    }

    fn folding(&self, chosen: &[usize], dimensions: usize) -> Folding {
        let rows = chosen.iter().map(|k| self.candidates[*k].coefficients.clone()).collect();
        let moduli = chosen.iter().map(|k| self.candidates[*k].modulus).collect();
        Folding { dimensions, rows, moduli }
    }

    fn kernel(&self, chosen: &[usize], dimensions: usize) -> Result<Lattice> {
        let folding = self.folding(chosen, dimensions);
        Lattice::kernel_of(dimensions, &folding.rows, &folding.moduli)
    }

    fn propose(&mut self, chosen: &[usize], dimensions: usize) {
        let folding = arranged(self.folding(chosen, dimensions));
        let cost = complexity(&folding);
        if cost < self.least {
            (self.least, self.best) = (cost, folding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::tests::{kernel, mappings};
    use proptest::prelude::*;

    fn simplest(rows: &[Vec<i64>], moduli: &[i64]) -> String {
        let lattice = Lattice::kernel_of(rows[0].len(), rows, moduli).unwrap();
        simplest_mapping(&lattice).unwrap().to_string()
    }

    /// The mappings of Bee's Figure 3 from any other mapping with the same kernel.
    #[test]
    fn bee_fig3_mappings() {
        assert_eq!(simplest(&[vec![1, 0], vec![1, 1]], &[3, 9]), "(x0 mod 3, x0 + x1 mod 9)");
        assert_eq!(simplest(&[vec![0, 1], vec![1, -2]], &[3, 9]), "(x0 mod 3, x0 + x1 mod 9)");
        assert_eq!(simplest(&[vec![1, 99]], &[197]), "(2 x0 + x1 mod 197)");
        assert_eq!(simplest(&[vec![0, -1, 0], vec![64, 64, -9]], &[3, 576]), "(x0 mod 3, x0 + x1 mod 9, x2 mod 64)");
        assert_eq!(simplest(&[vec![-1, 1], vec![-25, 24]], &[2, 1200]), "(x0 mod 48, x1 mod 50)");
        assert_eq!(simplest(&[vec![1, -14]], &[61]), "(13 x0 + x1 mod 61)");
    }

    #[test]
    fn rectangles_stay_rectangles_when_rows_cannot_all_be_tried() {
        assert_eq!(simplest(&[vec![1, 0], vec![0, 1]], &[1000, 999]), "(x0 mod 1000, x1 mod 999)");
        assert_eq!(simplest(&[vec![2, 1]], &[19_999_997]), "(2 x0 + x1 mod 19999997)");
        let all = [vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1]];
        assert_eq!(simplest(&all, &[100, 100, 100]), "(x0 mod 100, x1 mod 100, x2 mod 100)");
    }

    proptest! {
        #[test]
        fn the_kernel_is_kept(folding in mappings()) {
            let lattice = kernel(&folding);
            let simplest = simplest_mapping(&lattice).unwrap();
            prop_assert_eq!(&kernel(&simplest), &lattice);
            prop_assert_eq!(simplest.cells(), Some(lattice.determinant()));
            prop_assert!(complexity(&simplest) <= complexity(&lattice.mapping()));
        }
    }
}
