//! Rows of storage that a loop goes through, by pointer.
//!
//! Which row it is, and whether it is the inside of a grid or its border, is found out once for the loop:
//!
//! ```c
//! const long a_at = (t + i) % m;
//! const double *a_row0 = i >= 2 ? a[a_at] : b;
//! ```

use super::common::Common;
use super::found::{FoundRows, mentions};
use crate::home::words;
use crate::rows::Pointer;
use crate::subscript::{Positions, parenthesized};
use crate::types::row_element;
use polyfold_scop::Array;

/// Pointers in front of a loop.
#[derive(Default)]
pub(super) struct PointedRows {
    pub(super) fixed: Vec<Fixed>,
    pub(super) rows: Vec<PointedRow>,
    /// How many numbers their names have taken.
    pub(super) taken: usize,
}

/// A subscript that does not change in the loop.
#[derive(Clone)]
pub(super) struct Fixed {
    pub(super) name: String,
    pub(super) common: Common,
    /// Whether only pointers need it, which have its text instead of its name.
    pub(super) is_inlined: bool,
    /// The same, never negative, where it has to be no less than 0 though nothing may use it.
    pub(super) raised: Option<String>,
}

impl Fixed {
    pub(super) fn new(name: String, common: Common) -> Fixed {
        Fixed { name, common, is_inlined: false, raised: None }
    }

    /// What it is, in C.
    fn text(&self) -> &str {
        self.raised.as_deref().unwrap_or(self.common.text())
    }

    /// Whether the remainder is cheap, and shorter than a name for it.
    pub(super) fn has_small_modulus(&self) -> bool {
        self.common.modulus().parse::<i64>().is_ok()
    }

    /// Whether a row has it, or a place in a row that is not as cheap without.
    pub(super) fn is_needed(&self, found: &FoundRows) -> bool {
        let has = |text: &str| mentions(text, &self.name);
        found.all().any(|found| has(&found.row) || !self.has_small_modulus() && has(&found.last))
    }
}

/// A pointer to a row.
#[derive(Clone)]
pub(super) struct PointedRow {
    pub(super) name: String,
    /// What it points to, as accesses have it.
    pub(super) row: String,
    /// What it points to, as its declaration has it.
    place: String,
    element: String,
    pub(super) is_written: bool,
    /// Whether it gets its row from the turn before ([`passing`](super::passing)): it stands in front of the loop, and for its row wherever that is used.
    pub(super) is_passed: bool,
}

/// A row that some iterations use.
pub(super) struct UsedRow<'a> {
    pub(super) row: String,
    /// As a declaration has it.
    pub(super) place: String,
    pub(super) array: &'a Array,
    pub(super) is_written: bool,
    /// Whether the loop goes through it.
    pub(super) moves: bool,
}

/// What rows have pointers for, beside choices.
#[derive(Default)]
pub(super) struct Wanted<'a> {
    /// Subscripts that have names in front of the loop.
    pub(super) fixed: &'a [Fixed],
    /// Names that loops around have for subscripts of rows that the loop goes through.
    pub(super) known: &'a [String],
    /// These rows.
    pub(super) rows: &'a [String],
}

/// Pointers to rows that choose, or are wanted, behind so many others. A row that is nothing but a name stays, and so do
/// those of other than plain numbers, and memory from `malloc`, whose rows the text may not have.
pub(super) fn pointers(
    wanted: &Wanted,
    before: usize,
    used: Vec<UsedRow>,
    free: impl Fn(&str) -> String,
) -> Vec<PointedRow> {
    let mut rows: Vec<PointedRow> = Vec::new();
    let moving: Vec<String> = used.iter().filter(|used| used.moves).map(|used| used.row.clone()).collect();
    for UsedRow { row, place, array, is_written, .. } in used {
        if let Some(known) = rows.iter_mut().find(|known| known.row == row) {
            known.is_written |= is_written;
            continue;
        }
        let has_fixed = wanted.fixed.iter().any(|fixed| mentions(&row, &fixed.name));
        let is_known = moving.contains(&row) && wanted.known.iter().any(|name| mentions(&row, name));
        let is_wanted = has_fixed || is_known || row.contains('?') || wanted.rows.contains(&row);
        if let (Some(element), true) = (row_element(array), is_wanted) {
            let name = free(&format!("{}_row{}", array.name, before + rows.len()));
            rows.push(PointedRow { place, ..PointedRow::new(name, row, &element, is_written) });
        }
    }
    rows
}

/// What stands for subscripts.
pub(super) fn positions(fixed: &[Fixed]) -> Positions {
    let texts =
        |fixed: &Fixed| fixed.common.texts.iter().map(|text| (text.clone(), fixed.name.clone())).collect::<Vec<_>>();
    Positions(fixed.iter().flat_map(texts).collect())
}

impl PointedRow {
    /// A pointer called `name`.
    pub(super) fn new(name: String, row: String, element: &str, is_written: bool) -> PointedRow {
        let place = row.clone();
        PointedRow { name, row, place, element: element.to_string(), is_written, is_passed: false }
    }

    /// What it points to, and its name.
    pub(super) fn named(&self) -> (String, Pointer) {
        (self.row.clone(), Pointer { name: self.name.clone(), is_in_choices: self.is_passed })
    }
}

impl PointedRows {
    /// Whether there is nothing to declare.
    pub(super) fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.rows.is_empty()
    }

    /// What stands for subscripts.
    pub(super) fn positions(&self) -> Positions {
        positions(&self.fixed)
    }

    /// The lines in front of the loop.
    pub(super) fn declarations(&self) -> Vec<String> {
        self.declarations_behind(0)
    }

    /// Those of a turn that stand behind the lines of so many subscripts.
    pub(super) fn declarations_behind(&self, known: usize) -> Vec<String> {
        let declared: Vec<&Fixed> = self.fixed.iter().filter(|fixed| !fixed.is_inlined).collect();
        let fixed = declared.iter().enumerate().map(|(k, own)| {
            let before = declared[..k].iter().find(|other| own.common.follows(&other.common));
            let value = before.map_or(own.text().to_string(), |before| following(&before.name, &own.common));
            format!("const long {} = {value};", own.name)
        });
        let rows = self.rows.iter().filter(|row| !row.is_passed);
        fixed.skip(known).chain(rows.map(|row| self.pointer(row))).collect()
    }

    /// The line of a pointer.
    pub(super) fn pointer(&self, row: &PointedRow) -> String {
        let constant = if row.is_written { "" } else { "const " };
        let place = words_replaced(&row.place, |word| {
            let inlined = self.fixed.iter().find(|fixed| fixed.is_inlined && fixed.name == word)?;
            Some(inlined.text())
        });
        format!("{constant}{} *{} = {place};", row.element, row.name)
    }
}

/// The position behind another one, of which the name is given.
pub(super) fn following(before: &str, common: &Common) -> String {
    format!("{before} + 1 < {} ? {before} + 1 : 0", parenthesized(common.modulus()))
}

/// A text with other words for some.
pub(super) fn words_replaced<'a>(text: &str, other: impl Fn(&str) -> Option<&'a str>) -> String {
    let (mut out, mut rest) = (String::new(), 0);
    for (at, word) in words(text) {
        if let Some(other) = other(word) {
            out += &text[rest..at];
            out += other;
            rest = at + word.len();
        }
    }
    out + &text[rest..]
}
