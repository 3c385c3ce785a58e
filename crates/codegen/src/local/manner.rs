//! How copies and declarations of local arrays are written.

use polyfold_c::code::tokens;
use polyfold_program::{Int, IntOp};
use polyfold_transform::Unit;

/// What the user says of local memory and the way there.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// What copies a run of cells.
    pub transfer: Transfer,
    /// What stands in front of each declaration, such as `static SPM`.
    pub space: Option<String>,
    /// Bytes, a power of two, at whose multiples each local array begins, and each of its rows.
    pub align: Option<u64>,
    /// Cells that each row is longer than it has to be.
    pub padding: u64,
}

impl Manner {
    /// Whether local arrays are declared `static`: their sizes have to be numbers then.
    pub fn is_static(&self) -> bool {
        self.space.iter().any(|space| tokens(space, &(0..space.len())).iter().any(|token| token.text == "static"))
    }

    /// The extents of a declaration: those of the cells, with rows that are padded, and with the buffers in front.
    pub(super) fn extents(&self, mut extents: Vec<Int>, buffers: usize, element_bytes: Option<u64>) -> Vec<Int> {
        let has_rows = extents.len() > 1 || buffers > 1;
        if let (Some(last), true) = (extents.last_mut(), has_rows) {
            *last = self.row(last.clone(), element_bytes);
        }
        let first = (buffers > 1).then(|| number(buffers as u64));
        first.into_iter().chain(extents).collect()
    }

    /// Bytes of a local array with so many cells in each dimension: with rows that are padded, and with what is left free behind it where the next
    /// one begins at a multiple. `None`: past 64 bits.
    pub fn bytes(&self, extents: &[u64], buffers: usize, element_bytes: u64) -> Option<u64> {
        let extents = extents.iter().map(|extent| number(*extent)).collect();
        let all = self.extents(extents, buffers, Some(element_bytes));
        let cell = |extent: &Int| u64::try_from(extent.as_constant()?).ok();
        let bytes = all.iter().try_fold(element_bytes, |bytes, extent| bytes.checked_mul(cell(extent)?))?;
        bytes.checked_next_multiple_of(self.align.unwrap_or(1))
    }

    /// Cells of a padded row.
    fn row(&self, cells: Int, element_bytes: Option<u64>) -> Int {
        // The cells from one place where a row may begin to the next.
        let aligned = self.align.zip(element_bytes).map_or(1, |(align, bytes)| align / bytes.max(1)).max(1);
        let up = Int::binary(IntOp::Add, cells, number(self.padding.saturating_add(aligned - 1)));
        let row = match aligned {
            1 => up,
            aligned => {
                let rows = Int::binary(IntOp::Divide, up.tidy(&[]), number(aligned));
                Int::binary(IntOp::Multiply, rows, number(aligned))
            }
        };
        row.as_constant().map_or_else(|| row.tidy(&[]), Int::Constant)
    }
}

fn number(value: u64) -> Int {
    Int::Constant(i64::try_from(value).unwrap_or(i64::MAX))
}

/// What copies cells that lie side by side in both arrays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// Assignments, cell by cell.
    #[default]
    Assignments,
    /// `memcpy`; what lies apart is assigned.
    Memcpy,
    /// Functions of the user's, which may go on meanwhile.
    Functions(Functions),
}

/// Functions that start transfers, and one that waits for them:
///
/// ```c
/// void get(void *local, const void *global, size_t bytes, int tag);
/// void put(void *global, const void *local, size_t bytes, int tag);
/// void wait(int tag);     /* until no transfer with this tag is under way; there may have been none */
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Functions {
    /// The name of `get`.
    pub get: String,
    /// The name of `put`.
    pub put: String,
    /// The name of `wait`.
    pub wait: String,
    /// Bytes of the smallest transfer; less is assigned.
    pub least: u64,
    /// Bytes of the largest transfer.
    pub most: Option<u64>,
}

impl Functions {
    /// How they copy cells of so many bytes each.
    pub(super) fn unit(&self, tag: Int, bytes: Option<u64>) -> Unit {
        let cells = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let least = cells(self.least.div_ceil(bytes.unwrap_or(1).max(1)));
        let most = self.most.map(|most| cells(bytes.map_or(1, |bytes| most / bytes.max(1)).max(1)));
        Unit::Transfer { tag, least, most }
    }
}

/// Cells that are used at once.
pub(super) const IN: i64 = 0;
/// Cells that are back before anything else happens.
pub(super) const BACK: i64 = 1;
/// Cells of a buffer that may be on their way back while the next iteration runs.
pub(super) const BACK_LATER: i64 = 2;

/// Cells that a later iteration uses, by the number of its buffer.
pub(super) fn ahead(turn: Int) -> Int {
    let tag = Int::binary(IntOp::Add, number(3), turn);
    tag.as_constant().map_or(tag, Int::Constant)
}
