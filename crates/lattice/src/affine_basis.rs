//! Lattices whose basis is affine in one parameter, and conjectures of such in the plane.
//!
//! Their determinants are quadratic, so that no modulus of a mapping need be affine: for a triangle of side n = 2m + 1 the
//! optimum is the lattice of (m, 2m + 1) and (2m + 1, m + 1), with 3m² + 3m + 1 cells.
//!
//! At a few sizes the optimum is searched, all lattices that attain it are listed with their short bases, and affine
//! functions are laid through the bases of two sizes. Those that give the optimum at two more sizes are conjectures, to be
//! proved by whoever uses them.
//!
//! Paper: Bee §5 says of such determinants that they were "proved by hand".

use crate::polynomial::determinant;
use crate::{Differences, Lattice, Polynomial, Search, smallest_lattice};
use polyfold_isl::{Result, Set};

/// The values of m at which optima are searched: two to find bases, two to check them.
const SIZES: [i64; 4] = [2, 3, 4, 5];

/// Largest coefficient of m, and largest constant.
const MOST_COEFFICIENT: i64 = 4;

/// Work limit of one search.
const SEARCH_WORK: u64 = 2_000_000;

/// At most this many conjectures, those with the smallest coefficients.
const MOST_PROPOSED: usize = 8;

/// `constant + slope · m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    /// The value at m = 0.
    pub constant: i64,
    /// The growth per unit of m.
    pub slope: i64,
}

impl Affine {
    /// The value at m.
    pub fn at(self, m: i64) -> i64 {
        self.constant + self.slope * m
    }

    fn through(first: (i64, i64), second: (i64, i64)) -> Option<Affine> {
        let (rise, run) = (second.1 - first.1, second.0 - first.0);
        let slope = rise / run;
        let line = Affine { constant: first.1 - slope * first.0, slope };
        let is_small = slope.abs() <= MOST_COEFFICIENT && line.constant.abs() <= MOST_COEFFICIENT;
        (rise % run == 0 && is_small).then_some(line)
    }
}

/// A basis for every size n = step · m + residue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffineBasis {
    /// The name of n.
    pub parameter: String,
    /// Distance of the sizes it is for.
    pub step: i64,
    /// The size at m = 0.
    pub residue: i64,
    /// As many vectors as they have coordinates.
    pub vectors: Vec<Vec<Affine>>,
}

impl AffineBasis {
    /// The determinant; `None` past 128 bits.
    pub fn determinant(&self) -> Option<Polynomial> {
        let row = |vector: &Vec<Affine>| vector.iter().map(|entry| Polynomial::from(*entry)).collect();
        determinant(&self.vectors.iter().map(row).collect::<Vec<_>>())
    }

    /// The number m of a size; `None` if that is not one of them.
    pub fn number(&self, size: i64) -> Option<i64> {
        let steps = size.checked_sub(self.residue)?;
        (steps.rem_euclid(self.step) == 0).then(|| steps.div_euclid(self.step))
    }

    /// The vectors at m.
    pub fn at(&self, m: i64) -> Vec<Vec<i64>> {
        self.vectors.iter().map(|vector| vector.iter().map(|entry| entry.at(m)).collect()).collect()
    }

    pub(crate) fn weight(&self) -> i64 {
        self.vectors.iter().flatten().map(|entry| entry.constant.abs() + entry.slope.abs()).sum()
    }
}

/// Bases that may give a strictly admissible and smallest lattice for every size n = step · m + residue, the simplest first.
/// `ds` is a set in the plane that depends on the parameter only.
///
/// # Errors
/// When the set is unbounded at some size, or the work bound is reached.
pub fn affine_bases(ds: &Set, parameter: &str, step: i64, residue: i64) -> Result<Vec<AffineBasis>> {
    let mut optima = Vec::new();
    for m in SIZES {
        let instance = Differences::of(&ds.at(&[(parameter, step * m + residue)])?.without_parameters()?)?;
        match smallest_lattice(&instance, &[1, 1], u64::MAX, SEARCH_WORK) {
            Search::Found { determinant, .. } => optima.push((m, determinant as i64, instance)),
            _ => return Ok(Vec::new()),
        }
    }
    let [first, second, checks @ ..] = optima.as_slice() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    let (starts, ends) = (short_bases(first.1, &first.2)?, short_bases(second.1, &second.2)?);
    for start in &starts {
        for end in &ends {
            let Some(vectors) = lines((first.0, start), (second.0, end)) else { continue };
            let basis = AffineBasis { parameter: parameter.to_string(), step, residue, vectors };
            if !found.contains(&basis) && checks.iter().all(|(m, size, ds)| attains(&basis, *m, *size, ds)) {
                found.push(basis);
            }
        }
    }
    found.sort_by_key(AffineBasis::weight);
    found.truncate(MOST_PROPOSED);
    Ok(found)
}

type Vectors = [[i64; 2]; 2];

fn lines((m, start): (i64, &Vectors), (n, end): (i64, &Vectors)) -> Option<Vec<Vec<Affine>>> {
    let line = |(start, end): (&i64, &i64)| Affine::through((m, *start), (n, *end));
    let vector = |(start, end): (&[i64; 2], &[i64; 2])| start.iter().zip(end).map(line).collect();
    start.iter().zip(end).map(vector).collect()
}

/// Whether the basis is strictly admissible at m, with the given determinant.
fn attains(basis: &AffineBasis, m: i64, determinant: i64, ds: &Differences) -> bool {
    let lattice = || Lattice::new(&basis.at(m));
    basis.determinant().and_then(|all| all.at(m.into())) == Some(determinant.into())
        && lattice().is_ok_and(|lattice| lattice.is_strictly_admissible(ds))
}

/// All bases with short vectors and a positive determinant of all strictly admissible lattices of one size.
fn short_bases(determinant: i64, ds: &Differences) -> Result<Vec<Vectors>> {
    let reach = ds.extents().into_iter().max().unwrap_or(0) + 2;
    let mut found = Vec::new();
    for height in (1..=determinant).filter(|height| determinant % height == 0) {
        let width = determinant / height;
        for offset in 0..width {
            let lattice = Lattice::new(&[vec![width, 0], vec![offset, height]])?;
            if lattice.is_strictly_admissible(ds) {
                found.extend(pairs(&short_vectors(width, offset, height, reach), determinant));
            }
        }
    }
    Ok(found)
}

/// Vectors of the lattice of (width, 0) and (offset, height) with coordinates up to `reach`, one of each pair.
fn short_vectors(width: i64, offset: i64, height: i64, reach: i64) -> Vec<[i64; 2]> {
    let mut found = Vec::new();
    for row in 0..=reach / height {
        let rest = (row * offset).rem_euclid(width);
        let columns = (-reach..=reach).filter(|x| (x - rest) % width == 0);
        found.extend(columns.map(|x| [x, row * height]).filter(|[x, y]| *y > 0 || *x > 0));
    }
    found
}

fn pairs(vectors: &[[i64; 2]], determinant: i64) -> Vec<Vectors> {
    let mut found = Vec::new();
    for u in vectors {
        for v in vectors {
            match u[0] * v[1] - u[1] * v[0] {
                d if d == determinant => found.push([*u, *v]),
                d if d == -determinant => found.push([*v, *u]),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
