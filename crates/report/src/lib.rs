//! What was decided and why, for programs (JSON, schema `polyfold/2`) and for people (a table, and a page).
//!
//! Plain data; whoever has the facts fills it in. `cells` and `bytes` count at the sizes of [`Totals::at`].

mod conflicts;
mod conflicts_table;
mod execution;
mod fusion;
mod fusion_table;
mod json;
mod lattice;
mod lattice_table;
mod local;
mod local_table;
mod page;
mod stages;
mod story;
mod table;

pub use conflicts::{ConflictReport, SharedBuffer, StatementMapping};
pub use conflicts_table::conflicts_table;
pub use execution::{
    ExecutedAccess, ExecutedArray, ExecutedBuffer, ExecutedCase, ExecutedNode, ExecutedPlace, ExecutedStatement,
    Execution,
};
pub use fusion::{CycleStep, FusedNodes, FusionArray, FusionObjective, FusionReport, StepWay};
pub use fusion_table::fusion_table;
pub use json::to_json;
pub use lattice::{
    AffineLattice, BestLattice, Concrete, DifferenceWitness, LatticeCandidate, LatticeReport, MinimumReport,
    NumericMapping, Origin, ParametricMapping, ProofStatus,
};
pub use lattice_table::lattice_table;
pub use local::{
    Copied, LocalArray, LocalCell, LocalCopies, LocalExample, LocalInstance, LocalRegionReport, LocalReport,
    LocalVersion,
};
pub use local_table::local_table;
pub use page::{local_page, page};
pub use stages::{Stage, StageFlow, StageInLoop, StageLoop, Stages, StagesApart};
pub use story::{Story, story_text};
pub use table::table;

use serde::Serialize;
use std::collections::BTreeMap;

/// The result for one file.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Always `polyfold/2`.
    pub schema: &'static str,
    /// The file's name, as given.
    pub input: String,
    /// One entry for each scop that could be analysed, in text order.
    pub scops: Vec<ScopReport>,
    /// Messages about the source.
    pub diagnostics: Vec<Message>,
    /// What was found when both programs were run, in a sentence; `null`: they were not.
    pub checked: Option<String>,
    /// What would help most where nothing shrank; `null`: nothing that was tried, or it wasn't looked for.
    pub hint: Option<String>,
    /// The text of the file.
    pub source: String,
    /// The new program.
    pub result: String,
    /// What of the first became what of the second: all of their lines, in order.
    pub changes: Vec<Change>,
}

/// Lines of two texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What they are.
    pub kind: ChangeKind,
    /// From and to of the first text, and of the second one; from 0, without the last.
    pub lines: [usize; 4],
}

/// How lines of two texts compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// They are the same, near others.
    Same,
    /// They are not the same.
    Changed,
    /// They are the same, far from others.
    Gap,
}

/// The result for one scop.
#[derive(Clone, Debug, Serialize)]
pub struct ScopReport {
    /// The function that holds it.
    pub function: String,
    /// Line of `#pragma scop`.
    pub line: usize,
    /// Symbolic sizes.
    pub parameters: Vec<String>,
    /// Parameter values that C allows, in isl notation.
    pub context: String,
    /// Dates of all operations, in isl notation.
    pub schedule: String,
    /// Every array, in order of appearance; scalars are left out.
    pub arrays: Vec<ArrayReport>,
    /// New storage.
    pub buffers: Vec<BufferReport>,
    /// What the program had already that the new storage is for, and the source has not; `null`: the text is the source's.
    pub before_storage: Option<Rewritten>,
    /// What was proved.
    pub proof: Proof,
    /// Where more cells would make innermost loops plainer.
    pub room: Vec<RoomReport>,
    /// Buffers that keep innermost loops from being vectorised.
    pub vectors: Vec<VectorReport>,
    /// Arrays, by name, of a few cells each, whose loops would be vectorised in strips.
    pub strips: Vec<String>,
    /// Sums.
    pub totals: Totals,
    /// Sizes, and other names, that the source gives a value, with that.
    pub constants: BTreeMap<String, i64>,
    /// Its stages, where loops were fused.
    pub stages: Option<Stages>,
    /// The loops with the new storage, to be run at any sizes.
    pub execution: Option<Execution>,
    /// The loops of the file, where `before_storage` says that those with the new storage are others.
    pub source_execution: Option<Execution>,
}

/// What became of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Lives in a smaller buffer.
    Contracted,
    /// Lives in a buffer with other arrays.
    Shared,
    /// Lives in an array whose values leave the scop (`--reuse-outputs`).
    Hosted,
    /// One variable.
    Scalar,
    /// Gone: nothing reads it.
    Removed,
    /// As it was.
    Kept,
}

/// What is new in a text before storage is found for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rewritten {
    /// It has another order, or threads.
    Loops,
    /// Its values are in arrays of their own (`--reallocate`).
    Arrays,
    /// Steps copy the border of their grids.
    Copies,
}

/// One array of the source.
#[derive(Clone, Debug, Serialize)]
pub struct ArrayReport {
    /// Its name.
    pub name: String,
    /// Line of its declaration, from 1; `null` where that is not in the file.
    pub line: Option<usize>,
    /// `temporary`, `live-in`, `live-out`, `live-in-out` or `internal`.
    pub role: &'static str,
    /// Element type as the source writes it.
    pub element: String,
    /// Extents in C; `?` where the source does not say.
    pub extent: Vec<String>,
    /// What became of it.
    pub decision: Decision,
    /// For kept arrays: the kind of reason, such as `P0203`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// For kept arrays: why, in one sentence.
    pub reason: Option<String>,
    /// Whether it is a parameter that keeps its layout since nobody asked for more.
    #[serde(skip)]
    pub is_interface: bool,
    /// Where its cells live in another array, such as `out[i][j + 1]`; left out for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Declared cells; `null` where an extent is unknown.
    pub cells_before: Option<u64>,
    /// Cells of its new storage; `null` for one that shares a buffer.
    pub cells_after: Option<u64>,
    /// Most of its values alive at one moment; `null` if that could not be counted.
    pub max_live: Option<u64>,
    /// Who writes it, who reads it, and why its storage is not smaller; `null` for what nobody asked about.
    pub story: Option<Story>,
}

/// New storage.
#[derive(Clone, Debug, Serialize)]
pub struct BufferReport {
    /// Its name in the new program.
    pub name: String,
    /// Element type.
    pub element: String,
    /// Extents in C, outermost first; empty for a variable.
    pub shape: Vec<String>,
    /// Product of the shape; `null` past 64 bits.
    pub cells: Option<u64>,
    /// `null` where the size of an element is unknown.
    pub bytes: Option<u64>,
    /// The engine that found it.
    pub method: String,
    /// Which cells live in it, and where.
    pub members: Vec<Member>,
}

/// Cells that live in a buffer.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
    /// An array.
    pub of: String,
    /// From its cells to the buffer's; isl notation where all moduli are constants.
    pub mapping: String,
}

/// How a proof ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Well.
    Proved,
    /// Something is used for sizes for which it is not proved: nothing is written then.
    Failed,
}

/// What was proved.
#[derive(Clone, Debug, Serialize)]
pub struct Proof {
    /// Whether every mapping in the new program is proved for all sizes of `scope`.
    pub status: Verdict,
    /// Parameter values for which the new program is the same as the old, in isl notation.
    pub scope: String,
    /// The same as a condition in C.
    pub condition: String,
    /// Why other sizes are left out: places in the source, each in one sentence.
    pub reasons: Vec<String>,
    /// At how many sizes the new storage was tried beside the source, over terms; `null`: it wasn't.
    pub executed: Option<Executed>,
}

/// What was run beside the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Executed {
    /// Sizes at which both leave the same.
    pub agreed: usize,
    /// Sizes that the bound of work left out.
    pub left_out: usize,
}

/// Room that would make loops plainer.
#[derive(Clone, Debug, Serialize)]
pub struct RoomReport {
    /// The arrays, by name.
    pub arrays: Vec<String>,
    /// What `--room` would have to be.
    pub percent: u64,
    /// The cells of the storage that these arrays are in then.
    pub cells: u64,
}

/// Arrays that share where that costs vectors.
#[derive(Clone, Debug, Serialize)]
pub struct VectorReport {
    /// The arrays, by name.
    pub arrays: Vec<String>,
    /// What `--room` would have to be for a buffer that costs none, if that is known.
    pub percent: Option<u64>,
    /// Its cells.
    pub cells: Option<u64>,
}

/// Sums over all temporaries of a scop.
#[derive(Clone, Debug, Serialize)]
pub struct Totals {
    /// The sizes at which cells are counted.
    pub at: BTreeMap<String, i64>,
    /// Parameters in `at` whose value is only an example, since neither the source nor the user gives one.
    pub examples: Vec<String>,
    /// Declared cells.
    pub cells_before: Option<u64>,
    /// Cells after.
    pub cells_after: Option<u64>,
    /// Cells that the same decisions could do with; the others make subscripts plainer.
    pub cells_suffice: Option<u64>,
    /// Declared bytes.
    pub bytes_before: Option<u64>,
    /// Bytes after.
    pub bytes_after: Option<u64>,
    /// Most values of all temporaries alive at one moment.
    pub max_live: Option<u64>,
    /// Time spent.
    pub seconds: f64,
}

/// A message about the source.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// Its kind, such as `P0203`: `polyfold explain P0203` prints the manual's section.
    pub code: String,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// In the user's words.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}
