//! What became of regions in local memory (JSON, schema `polyfold-local/2`).
//!
//! Plain data; whoever has the facts fills it in.

use crate::{Change, Message};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The result for one file.
#[derive(Clone, Debug, Serialize)]
pub struct LocalReport {
    /// Always `polyfold-local/2`.
    pub schema: &'static str,
    /// The file's name.
    pub input: String,
    /// How cells are copied: `assignments`, `memcpy` or `functions`.
    pub transfers: &'static str,
    /// In the order of the text.
    pub regions: Vec<LocalRegionReport>,
    /// Messages about the source.
    pub diagnostics: Vec<Message>,
    /// The text of the source.
    pub source: String,
    /// The text with local arrays.
    pub result: String,
    /// Which lines of the two are the same.
    pub changes: Vec<Change>,
}

/// One region.
#[derive(Clone, Debug, Serialize)]
pub struct LocalRegionReport {
    /// The function that holds it.
    pub function: String,
    /// Line of the pragma.
    pub line: usize,
    /// One, or several for parameter values that exclude each other.
    pub versions: Vec<LocalVersion>,
}

/// How the region runs for some parameter values.
#[derive(Clone, Debug, Serialize)]
pub struct LocalVersion {
    /// For which it is proved, in isl notation.
    pub condition: String,
    /// The same as a condition in C.
    pub condition_in_c: String,
    /// Sizes at which cells are counted.
    pub at: BTreeMap<String, i64>,
    /// The local arrays.
    pub arrays: Vec<LocalArray>,
    /// Arrays that stay where they are, and why.
    pub kept: Vec<(String, String)>,
    /// The cells at some small sizes.
    pub examples: Vec<LocalExample>,
}

/// One local array. Counts are for the instance with the most, of a few that are looked at.
#[derive(Clone, Debug, Serialize)]
pub struct LocalArray {
    /// Its name in the new program.
    pub name: String,
    /// The array of which it holds some cells.
    pub of: String,
    /// The element type.
    pub element: String,
    /// The references that find cells in it, as the source writes them.
    pub references: Vec<String>,
    /// Where each cell lives, in isl notation.
    pub map: String,
    /// How many values each subscript has, in isl notation.
    pub extents: Vec<String>,
    /// How the map was found.
    pub how: String,
    /// Cells of one buffer.
    pub cells: i64,
    /// Bytes, if the element's size is known.
    pub bytes: Option<i64>,
    /// How many buffers rotate; 1: none.
    pub buffers: usize,
    /// In front of how many loops around the region it is copied in.
    pub loops_outside: usize,
    /// Cells copied in.
    pub copied_in: LocalCopies,
    /// Cells copied back.
    pub copied_back: LocalCopies,
    /// The most cells that one instance touches: no map needs fewer.
    pub exact: Option<i64>,
    /// Cells of the smallest box around all cells of the array that one instance touches.
    pub box_cells: Option<i64>,
    /// Cells of the whole array, where its declaration says them.
    pub whole: Option<i64>,
}

/// Cells that are copied.
#[derive(Clone, Debug, Serialize)]
pub struct LocalCopies {
    /// In isl notation.
    pub set: String,
    /// How many at one instance.
    pub cells: Option<i64>,
}

/// Cells at some sizes, instance by instance.
#[derive(Clone, Debug, Serialize)]
pub struct LocalExample {
    /// What is the same at all instances.
    pub at: BTreeMap<String, i64>,
    /// In the order in which they run.
    pub instances: Vec<LocalInstance>,
    /// Whether later ones are left out, since there are too many.
    pub is_cut: bool,
}

/// One run of the region.
#[derive(Clone, Debug, Serialize)]
pub struct LocalInstance {
    /// Counters of the loops around, and what else changes.
    pub at: BTreeMap<String, i64>,
    /// The number of its iteration of the innermost loop around; with b buffers it computes in number `iteration` mod b.
    pub iteration: Option<i64>,
    /// Whether it is at the iteration behind that of the instance before.
    pub follows: bool,
    /// For each local array its cells.
    pub arrays: Vec<Vec<LocalCell>>,
    /// For each local array how many of them lie outside of the array, as it is declared: the source leaves it at these sizes.
    pub outside: Vec<usize>,
}

/// A cell of an array that has a place in local memory; in JSON a list of the three.
#[derive(Clone, Debug)]
pub struct LocalCell {
    /// Its indices in the array.
    pub cell: Vec<i64>,
    /// Its indices in the local array.
    pub local: Vec<i64>,
    /// What becomes of it.
    pub copied: Copied,
}

impl Serialize for LocalCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.cell, &self.local, self.copied).serialize(serializer)
    }
}

/// How a cell is copied around one run of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Copied {
    /// Into local memory.
    In,
    /// Back from it.
    Back,
    /// In and back.
    Both,
    /// Neither: it is written first, and not needed behind.
    Not,
}
