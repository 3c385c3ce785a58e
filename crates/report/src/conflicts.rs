//! What was found for a conflict set alone (JSON, schema `polyfold-conflicts/1`).
//!
//! Plain data; whoever has the facts fills it in.

use serde::Serialize;
use std::collections::BTreeMap;

/// The result for one conflict set.
#[derive(Clone, Debug, Serialize)]
pub struct ConflictReport {
    /// Always `polyfold-conflicts/1`.
    pub schema: &'static str,
    /// Which engine found it.
    pub method: &'static str,
    /// Symbolic sizes.
    pub parameters: Vec<String>,
    /// Parameter values for which it is proved, in isl notation.
    pub context: String,
    /// The same as a condition in C.
    pub condition: String,
    /// The sizes at which cells are counted.
    pub at: BTreeMap<String, i64>,
    /// Parameters in `at` whose value is only an example.
    pub examples: Vec<String>,
    /// Numbers of convex sets of conflicts inside statements and between two.
    pub polyhedra: [usize; 2],
    /// All storage.
    pub buffers: Vec<SharedBuffer>,
    /// Where the values of each statement are kept.
    pub statements: Vec<StatementMapping>,
    /// Cells in all, at the report's sizes; `null` past 64 bits.
    pub cells: Option<u64>,
}

/// A buffer.
#[derive(Clone, Debug, Serialize)]
pub struct SharedBuffer {
    /// Its name in the statements' mappings.
    pub name: String,
    /// Its extents, which are also the moduli of the mappings; none for a single cell.
    pub extents: Vec<String>,
    /// c, where all rows of the mappings are in one line: how far apart neighbours of a row are. None where each row has an
    /// extent of its own.
    pub strides: Vec<String>,
    /// Cells at the report's sizes; `null` past 64 bits.
    pub cells: Option<u64>,
}

/// Where the values of a statement are kept: value s in `buffer[(M s + δ) mod extents]`, or in
/// `buffer[(c·(M s + δ)) mod extent]` of a buffer with strides c.
#[derive(Clone, Debug, Serialize)]
pub struct StatementMapping {
    /// The statement.
    pub name: String,
    /// Its iterators.
    pub iterators: Vec<String>,
    /// The name of its buffer.
    pub buffer: String,
    /// M, by row: one row per extent, or per stride.
    pub rows: Vec<Vec<i64>>,
    /// δ.
    pub offsets: Vec<i64>,
    /// The mapping for people.
    pub text: String,
}
