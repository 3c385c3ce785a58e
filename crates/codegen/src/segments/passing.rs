//! Pointers to rows that a turn passes on to the next one.
//!
//! Where rows follow each other from turn to turn ([`rotating`](super::rotating)), the row of a turn is what the row behind it was in the turn before. Its pointer does not have to be found anew:
//!
//! ```c
//! double *a_row0 = a[a_at0];
//! for (int i = 1; i < n - 1; i++) {
//!   const long a_at1 = a_at0 + 1 < m ? a_at0 + 1 : 0;
//!   double *a_row1 = a[a_at1];
//!   a_row0[0] = a_row1[0];
//!   …                                           /* a_row0[j] = f(a_row1[j], …) for 1 <= j <= n - 2 */
//!   a_at0 = a_at1;
//!   a_row0 = a_row1;
//! }
//! ```
//!
//! ```text
//! row k of turn i + 1  =  (v(i + 1) mod m)  =  (v(i) + 1 mod m)  =  row k + 1 of turn i
//! ```
//!
//! A row that is one of several by a condition, `i >= 2 ? a[a_at0] : border`, has the pointer's name in its place.
//!
//! Invariant: the first turn's value v is not negative whenever the loop is reached, also where it has no turn, so that the pointer in front of it is to a row of the ring.

use super::Segments;
use super::frame::LoopFrame;
use super::pointed::{Fixed, PointedRow, PointedRows};
use super::rotating::Carried;
use polyfold_isl::{Map, Result, Set};

/// A pointer that is another one's in the next turn.
pub(super) struct Passed {
    /// The place of its row among those of a turn.
    row: usize,
    /// That of the row that it takes.
    next: usize,
}

impl Segments<'_> {
    /// Marks the pointers that get their row from the turn before; both they and those that have it there are `const`, or none is.
    pub(super) fn passed_on(&self, carried: &[Carried], held: &mut PointedRows) -> Result<Vec<Passed>> {
        let mut passed = Vec::new();
        for own in carried.iter().filter(|own| own.slope == 1) {
            let Some(behind) = held.fixed.iter().find(|other| other.common.follows(&own.common)) else { continue };
            let Some([row, next]) = rows_of(own, behind, &held.rows) else { continue };
            if !self.begins_in_ring(own)? {
                continue;
            }
            let is_written = held.rows[row].is_written || held.rows[next].is_written;
            held.rows[row].is_written = is_written;
            held.rows[next].is_written = is_written;
            held.rows[row].is_passed = true;
            passed.push(Passed { row, next });
        }
        Ok(passed)
    }

    /// Whether the value of the first turn is not negative, whether there is a turn or not.
    fn begins_in_ring(&self, own: &Carried) -> Result<bool> {
        let Some(frame) = self.frame()? else { return Ok(false) };
        let names = LoopFrame::names(self.accesses.decisions, self.loops_around());
        let counter = |name: &str| (name == self.head.counter).then(|| "x".to_string());
        let value = own.common.value().and_then(|value| value.in_isl(|name| counter(name).or_else(|| names.of(name))));
        let Some(value) = value else { return Ok(false) };
        let first = frame.first_turn()?;
        let values =
            first.apply(&Map::read(first.context(), &format!("[{}] -> {{ [x] -> [{value}] }}", names.all()))?)?;
        values.is_subset(&Set::read(values.context(), "{ [v] : v >= 0 }")?)
    }
}

/// The places of the row at a carried subscript, and of that at the one behind it.
fn rows_of(own: &Carried, behind: &Fixed, rows: &[PointedRow]) -> Option<[usize; 2]> {
    let at = |name: &str| {
        let text = format!("{}[{name}]", own.common.storage());
        rows.iter().position(|row| row.row == text)
    };
    Some([at(&own.name)?, at(&behind.name)?])
}

impl Passed {
    /// The line in front of the loop.
    pub(super) fn declaration(&self, held: &PointedRows) -> String {
        held.pointer(&held.rows[self.row])
    }

    /// The line at the end of a turn.
    pub(super) fn turn(&self, held: &PointedRows) -> String {
        format!("{} = {};", held.rows[self.row].name, held.rows[self.next].name)
    }
}
