//! Rows of one buffer that a loop writes at one place and reads at another.
//!
//! Where an integral image and its means share, a loop writes cells that it read some turns before:
//!
//! ```c
//! for (int j = 3; j < w - 3; j++)
//!   s[i - 3][j - 3] = (s[i + 4][j + 4] - s[i - 3][j + 4] - s[i + 4][j - 3] + s[i - 3][j - 3]) / 49;
//! ```
//!
//! gcc does not tell row i − 3 from row i + 4, asks in front of the loop whether what is written overlaps anything that is read, and within row i − 3
//! it does. By pointer, cells of one row are so many apart, which is all right here, and only the other row is asked about:
//!
//! ```c
//! int *s_row0 = s[i - 3];
//! const int *s_row1 = s[i + 4];
//! ```
//!
//! Loops of which something is promised need none of that.

use super::Segments;
use super::found::{FoundRows, mentions};
use crate::accesses::FoundRow;

impl Segments<'_> {
    /// The rows of a buffer of several arrays, if the loop uses several and writes one that it also reads at another place.
    pub(super) fn overlapping_rows(&self, found: &FoundRows) -> Vec<String> {
        if self.has_promise() || !self.accesses.have_one_buffer(&self.inside.statements) {
            return Vec::new();
        }
        let all: Vec<&FoundRow> = found.all().filter(|row| mentions(&row.last, self.head.counter)).collect();
        let is_overlapped = |one: &&&FoundRow| {
            let in_row = |other: &&&FoundRow| other.row == one.row && other.last != one.last;
            let beside = |other: &&&FoundRow| other.row != one.row && buffer(&other.row) == buffer(&one.row);
            one.access.is_write() && all.iter().any(|other| in_row(&other)) && all.iter().any(|other| beside(&other))
        };
        let buffers: Vec<&str> = all.iter().filter(is_overlapped).map(|row| buffer(&row.row)).collect();
        let rows = all.iter().filter(|row| row.row.contains('[') && buffers.contains(&buffer(&row.row)));
        rows.map(|row| row.row.clone()).collect()
    }
}

/// The storage that a row is in.
fn buffer(row: &str) -> &str {
    row.split('[').next().unwrap_or_default()
}
