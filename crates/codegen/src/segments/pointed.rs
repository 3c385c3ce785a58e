//! Rows of storage that a loop goes through, by pointer.
//!
//! Which row it is, and whether it is the inside of a grid or its border, is found out once for the loop:
//!
//! ```c
//! const long a_at = (t + i) % m;
//! const double *a_row0 = i >= 2 ? a[a_at] : b;
//! ```

use super::common::Common;
use crate::home::words;
use crate::rows::Rows;
use crate::subscript::{Positions, parenthesized};
use polyfold_scop::Array;

/// Words of the types that pointers are declared with.
const TYPES: [&str; 20] = [
    "_Bool",
    "char",
    "double",
    "float",
    "int",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "long",
    "ptrdiff_t",
    "short",
    "signed",
    "size_t",
    "ssize_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "unsigned",
];

/// Pointers in front of a loop.
#[derive(Default)]
pub(super) struct PointedRows {
    /// Subscripts that do not change in the loop, with names.
    pub(super) fixed: Vec<(String, Common)>,
    pub(super) rows: Vec<PointedRow>,
    /// How many numbers their names have taken.
    pub(super) taken: usize,
    /// Which of `fixed` have no line of their own.
    pub(super) inlined: Vec<bool>,
}

/// A pointer to a row.
pub(super) struct PointedRow {
    pub(super) name: String,
    /// What it points to.
    pub(super) row: String,
    element: String,
    is_written: bool,
}

/// A row that some iterations use.
pub(super) struct UsedRow<'a> {
    pub(super) row: String,
    pub(super) array: &'a Array,
    pub(super) is_written: bool,
}

impl PointedRows {
    /// Pointers to rows that choose, or have a subscript out of `fixed`. A row that is nothing but a name stays, and so do
    /// those of other than plain numbers, and memory from `malloc`, whose rows the text may not have.
    pub(super) fn of(fixed: Vec<(String, Common)>, used: Vec<UsedRow>, free: impl Fn(&str) -> String) -> PointedRows {
        let mut rows: Vec<PointedRow> = Vec::new();
        for UsedRow { row, array, is_written } in used {
            if let Some(known) = rows.iter_mut().find(|known| known.row == row) {
                known.is_written |= is_written;
                continue;
            }
            let has_fixed = fixed.iter().any(|(name, _)| words(&row).any(|(_, word)| word == name));
            if let (Some(element), true) = (element(array), has_fixed || row.contains('?')) {
                let name = free(&format!("{}_row{}", array.name, rows.len()));
                rows.push(PointedRow { name, row, element, is_written });
            }
        }
        PointedRows { fixed, rows, taken: 0, inlined: Vec::new() }
    }

    /// Whether there is nothing to declare.
    pub(super) fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.rows.is_empty()
    }

    /// Whether a row is one of them.
    pub(super) fn has(&self, row: &str) -> bool {
        self.rows.iter().any(|own| own.row == row)
    }

    /// Writes subscripts whose modulus is a number where the pointers need them, if these `alone` do: such a remainder is cheap, and
    /// shorter than a name for it.
    pub(super) fn look_up_numbers(&mut self, alone: impl Fn(&str) -> bool) {
        self.inlined =
            self.fixed.iter().map(|(name, common)| common.modulus().parse::<i64>().is_ok() && alone(name)).collect();
    }

    /// What stands for subscripts.
    pub(super) fn positions(&self) -> Positions {
        let texts = |(name, common): &(String, Common)| {
            common.texts.iter().map(|text| (text.clone(), name.clone())).collect::<Vec<_>>()
        };
        Positions(self.fixed.iter().flat_map(texts).collect())
    }

    /// What stands for rows.
    pub(super) fn names(&self) -> Rows {
        Rows(self.rows.iter().map(|row| (row.row.clone(), row.name.clone())).collect())
    }

    /// The lines in front of the loop.
    pub(super) fn declarations(&self) -> Vec<String> {
        let is_inlined = |k: usize| self.inlined.get(k).copied().unwrap_or(false);
        let fixed = self.fixed.iter().enumerate().filter(|(k, _)| !is_inlined(*k)).map(|(k, (name, common))| {
            let mut before =
                self.fixed[..k].iter().enumerate().filter(|(k, _)| !is_inlined(*k)).map(|(_, fixed)| fixed);
            let before = before.find(|(_, other)| common.follows(other));
            let value = before.map_or(common.text().to_string(), |(before, _)| {
                format!("{before} + 1 < {} ? {before} + 1 : 0", parenthesized(common.modulus()))
            });
            format!("const long {name} = {value};")
        });
        let pointer = |row: &PointedRow| {
            let constant = if row.is_written { "" } else { "const " };
            let text = words_replaced(&row.row, |word| {
                let place = (0..self.fixed.len()).find(|k| is_inlined(*k) && self.fixed[*k].0 == word)?;
                Some(self.fixed[place].1.text())
            });
            format!("{constant}{} *{} = {text};", row.element, row.name)
        };
        fixed.chain(self.rows.iter().map(pointer)).collect()
    }
}

/// A text with other text for some of its words.
fn words_replaced<'a>(text: &str, other: impl Fn(&str) -> Option<&'a str>) -> String {
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

/// The type of an array's elements, if a pointer to them can be declared with it.
fn element(array: &Array) -> Option<String> {
    let declaration = array.declaration.as_ref().filter(|declaration| declaration.allocation().is_none())?;
    let of_type = declaration.specifiers.split_whitespace().filter(|word| !["static", "register"].contains(word));
    let element: Vec<&str> = of_type.collect();
    let is_known = !element.is_empty() && element.iter().all(|word| TYPES.contains(word));
    is_known.then(|| element.join(" "))
}
