//! What was found for a set of differences alone (JSON, schema `polyfold-lattice/1`).
//!
//! Plain data; whoever has the facts fills it in.

use serde::Serialize;
use std::collections::BTreeMap;

/// The result for one set.
#[derive(Clone, Debug, Serialize)]
pub struct LatticeReport {
    /// Always `polyfold-lattice/1`.
    pub schema: &'static str,
    /// The set as it was given, in isl notation.
    pub set: String,
    /// Names of its coordinates.
    pub coordinates: Vec<String>,
    /// Symbolic sizes.
    pub parameters: Vec<String>,
    /// Parameter values for which everything is said, in isl notation.
    pub context: String,
    /// The same as a condition in C.
    pub condition: String,
    /// The sizes at which cells are counted.
    pub at: BTreeMap<String, i64>,
    /// Parameters in `at` whose value is only an example.
    pub examples: Vec<String>,
    /// Results for all parameter values; `null` for a set without parameters.
    pub parametric: Option<Vec<ParametricMapping>>,
    /// Lattices for every second size, proved.
    pub bases: Vec<AffineLattice>,
    /// Results at given sizes; `null` where sizes are missing, or the set is too large there.
    pub concrete: Option<Concrete>,
    /// What could not be done, and why.
    pub notes: Vec<String>,
}

/// A mapping with moduli that depend on parameters.
#[derive(Clone, Debug, Serialize)]
pub struct ParametricMapping {
    /// M, by row.
    pub rows: Vec<Vec<i64>>,
    /// b, in C.
    pub moduli: Vec<String>,
    /// The mapping for people.
    pub text: String,
    /// Cells at the report's sizes.
    pub cells: Option<u64>,
    /// How it was found.
    pub found_by: Vec<Origin>,
    /// Whether it is valid.
    pub status: ProofStatus,
    /// For a refuted one: a difference that is sent to 0.
    pub witness: Option<DifferenceWitness>,
}

/// A lattice in the plane whose basis is affine in one size, and its number of cells quadratic.
#[derive(Clone, Debug, Serialize)]
pub struct AffineLattice {
    /// Which sizes it is for, such as `n = 2m + 1`.
    pub sizes: String,
    /// The letter in `sizes`: m, unless that means something else.
    pub letter: String,
    /// Its smallest value for which the lattice is proved.
    pub from: i64,
    /// The basis.
    pub vectors: [[String; 2]; 2],
    /// The one row of which it is the kernel, for people; `null` if none was found.
    pub mapping: Option<String>,
    /// Number of cells.
    pub cells: String,
    /// The same: coefficients of 1, the letter and its square.
    pub coefficients: [i64; 3],
}

/// What a proof came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofStatus {
    /// Valid for all parameter values of the context.
    Proved,
    /// Not valid for some.
    Refuted,
    /// Neither could be shown.
    Open,
}

/// A difference that a mapping sends to 0.
#[derive(Clone, Debug, Serialize)]
pub struct DifferenceWitness {
    /// Values of the parameters.
    pub parameters: BTreeMap<String, i64>,
    /// The difference.
    pub difference: Vec<i64>,
}

/// How a mapping was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// `1`, `1.a`, `2`, `3`, `search` or `family`.
    pub heuristic: &'static str,
    /// `minima`, `reduced`, or the axes in an order, such as `axes i k`; empty where there is none.
    pub basis: String,
}

/// Results for one choice of all parameters.
#[derive(Clone, Debug, Serialize)]
pub struct Concrete {
    /// Number of differences, with 0.
    pub points: usize,
    /// Whether they are all integer points of their hull; `null` if the hull took too long.
    pub convex: Option<bool>,
    /// The successive minima of the hull; `null` if they took too long.
    pub minima: Option<Vec<MinimumReport>>,
    /// What the heuristics found, by lattice, smallest first.
    pub candidates: Vec<LatticeCandidate>,
    /// Lower bound by a clique, for every storage mapping.
    pub clique: u64,
    /// The smallest lattice found.
    pub best: BestLattice,
}

/// A successive minimum.
#[derive(Clone, Debug, Serialize)]
pub struct MinimumReport {
    /// The factor by which the hull reaches the vector, such as `1/99`.
    pub gauge: String,
    /// An integer vector that attains it.
    pub vector: Vec<i64>,
}

/// A mapping with numbers.
#[derive(Clone, Debug, Serialize)]
pub struct NumericMapping {
    /// M, by row.
    pub rows: Vec<Vec<i64>>,
    /// b.
    pub moduli: Vec<i64>,
    /// For people.
    pub text: String,
    /// In isl notation.
    pub isl: String,
}

/// A strictly admissible lattice.
#[derive(Clone, Debug, Serialize)]
pub struct LatticeCandidate {
    /// Its determinant.
    pub cells: u64,
    /// Its basis in Hermite form.
    pub basis: Vec<Vec<i64>>,
    /// A mapping with this kernel.
    pub mapping: NumericMapping,
    /// How it was found.
    pub found_by: Vec<Origin>,
}

/// The smallest strictly admissible lattice found.
#[derive(Clone, Debug, Serialize)]
pub struct BestLattice {
    /// Its determinant.
    pub cells: u64,
    /// No strictly admissible lattice is smaller than this.
    pub least: u64,
    /// Whether both are equal.
    pub optimal: bool,
    /// Its basis in Hermite form.
    pub basis: Vec<Vec<i64>>,
    /// The mapping in its simplest form.
    pub mapping: NumericMapping,
}
