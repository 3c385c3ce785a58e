//! How copies and declarations of local arrays are written.

use crate::loops::outside_parentheses;

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
    /// The extents of a declaration: those of the cells, with rows that are padded, and with the buffers in front.
    pub(super) fn extents(&self, mut extents: Vec<String>, buffers: usize, element_bytes: Option<u64>) -> Vec<String> {
        let has_rows = extents.len() > 1 || buffers > 1;
        if let (Some(last), true) = (extents.last_mut(), has_rows) {
            *last = match last.parse::<u64>() {
                Ok(number) => self.row(number, element_bytes).to_string(),
                Err(_) => self.row_in_c(std::mem::take(last), element_bytes),
            };
        }
        let first = (buffers > 1).then(|| buffers.to_string());
        first.into_iter().chain(extents).collect()
    }

    /// Bytes of a local array with so many cells in each dimension: with rows that are padded, and with what is left free behind it where the next
    /// one begins at a multiple. `None`: past 64 bits.
    pub fn bytes(&self, extents: &[u64], buffers: usize, element_bytes: u64) -> Option<u64> {
        let has_rows = extents.len() > 1 || buffers > 1;
        let (last, others) = extents.split_last().unwrap_or((&1, &[]));
        let row = if has_rows && !extents.is_empty() { self.row(*last, Some(element_bytes)) } else { *last };
        let cells = others.iter().try_fold(row, |cells, extent| cells.checked_mul(*extent))?;
        let bytes = cells.checked_mul(buffers as u64)?.checked_mul(element_bytes)?;
        bytes.checked_next_multiple_of(self.align.unwrap_or(1))
    }

    /// Cells of a padded row.
    fn row(&self, cells: u64, element_bytes: Option<u64>) -> u64 {
        cells.saturating_add(self.padding).next_multiple_of(self.aligned_cells(element_bytes))
    }

    /// The same of a number that is not known yet.
    fn row_in_c(&self, cells: String, element_bytes: Option<u64>) -> String {
        let padded = if self.padding > 0 { format!("{cells} + {}", self.padding) } else { cells };
        match self.aligned_cells(element_bytes) {
            1 => padded,
            aligned => format!("({padded} + {}) / {aligned} * {aligned}", aligned - 1),
        }
    }

    /// The cells from one place where a row may begin to the next.
    fn aligned_cells(&self, element_bytes: Option<u64>) -> u64 {
        self.align.zip(element_bytes).map_or(1, |(align, bytes)| align / bytes.max(1)).max(1)
    }
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

/// What a transfer is for; those with one tag are awaited together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// Cells that are used at once.
    In,
    /// Cells that are back before anything else happens.
    Back,
    /// Cells of a buffer that may be on their way back while the next turn runs.
    BackLater,
    /// Cells that a later turn uses, by the number of its buffer.
    Ahead(String),
}

impl Tag {
    fn in_c(&self) -> String {
        match self {
            Tag::In => "0".to_string(),
            Tag::Back => "1".to_string(),
            Tag::BackLater => "2".to_string(),
            Tag::Ahead(buffer) => format!("3 + {buffer}"),
        }
    }
}

impl Transfer {
    /// A line that waits for all transfers with a tag; nothing if none may be under way.
    pub(super) fn wait(&self, tag: &Tag, indent: &str) -> String {
        match self {
            Transfer::Functions(functions) => format!("{indent}{}({});\n", functions.wait, tag.in_c()),
            Transfer::Assignments | Transfer::Memcpy => String::new(),
        }
    }

    /// A statement that copies a run of cells.
    pub(super) fn run(&self, run: &Run, tag: &Tag) -> String {
        match self {
            Transfer::Assignments => run.assigned(),
            Transfer::Memcpy => {
                format!("memcpy(&{}, &{}, {});", run.to.first(), run.from.first(), run.bytes(&run.length))
            }
            Transfer::Functions(functions) => functions.run(run, tag),
        }
    }
}

impl Functions {
    fn run(&self, run: &Run, tag: &Tag) -> String {
        let name = if run.is_into { &self.get } else { &self.put };
        let call = |to: String, from: String, length: &str| {
            format!("{name}(&{to}, &{from}, {}, {});", run.bytes(length), tag.in_c())
        };
        let length = run.length.parse::<u64>().ok();
        let transfers = match self.most.map(|most| run.cells_of_most(most)) {
            Some(most) if length.is_none_or(|length| length > most) => {
                let (k, all) = (run.counter, run.length_as_factor());
                let part = format!("{all} - {k} < {most} ? {all} - {k} : {most}");
                let call = call(run.to.at(k), run.from.at(k), &part);
                format!("for (long {k} = 0; {k} < {all}; {k} += {most}) {call}")
            }
            _ => call(run.to.first(), run.from.first(), &run.length),
        };
        match (run.cells_of_least(self.least), length) {
            (0 | 1, _) => transfers,
            (least, Some(length)) if length >= least => transfers,
            (_, Some(_)) => run.assigned(),
            (least, None) => {
                format!("if ({} >= {least}) {transfers} else {}", run.length_as_factor(), run.assigned())
            }
        }
    }
}

/// Cells side by side in two arrays.
pub(super) struct Run<'a> {
    pub(super) to: RunSide,
    pub(super) from: RunSide,
    /// How many cells, as C.
    pub(super) length: String,
    /// The element's type, and its bytes if they are known.
    pub(super) element: (&'a str, Option<u64>),
    pub(super) is_into: bool,
    /// A name for a counter.
    pub(super) counter: &'a str,
}

/// Where a run begins.
pub(super) struct RunSide {
    /// The array with all subscripts but the last.
    pub(super) row: String,
    /// The last subscript; `None`: there is one cell.
    pub(super) last: Option<String>,
}

impl RunSide {
    fn first(&self) -> String {
        self.last.as_ref().map_or_else(|| self.row.clone(), |last| format!("{}[{last}]", self.row))
    }

    fn at(&self, counter: &str) -> String {
        match self.last.as_deref() {
            None => self.row.clone(),
            Some("0") => format!("{}[{counter}]", self.row),
            Some(last) if last.contains(['?', '<', '>', '=']) => format!("{}[({last}) + {counter}]", self.row),
            Some(last) => format!("{}[{last} + {counter}]", self.row),
        }
    }
}

impl Run<'_> {
    fn assigned(&self) -> String {
        if self.length == "1" {
            return format!("{} = {};", self.to.first(), self.from.first());
        }
        let k = self.counter;
        let one = format!("{} = {};", self.to.at(k), self.from.at(k));
        format!("for (long {k} = 0; {k} < {}; {k}++) {one}", self.length_as_factor())
    }

    fn bytes(&self, length: &str) -> String {
        let size = format!("sizeof({})", self.element.0);
        match length.parse::<u64>() {
            Ok(1) => size,
            Ok(length) => format!("{length} * {size}"),
            Err(_) => format!("(size_t)({}) * {size}", outside_parentheses(length.to_string())),
        }
    }

    fn length_as_factor(&self) -> String {
        let is_one_word = self.length.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_one_word { self.length.clone() } else { format!("({})", outside_parentheses(self.length.clone())) }
    }

    /// How many cells are at least so many bytes, as far as the size of one is known.
    fn cells_of_least(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.element.1.unwrap_or(1).max(1))
    }

    /// How many cells are at most so many bytes, but one.
    fn cells_of_most(&self, bytes: u64) -> u64 {
        self.element.1.map_or(1, |size| bytes / size.max(1)).max(1)
    }
}
