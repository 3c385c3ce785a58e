//! Rows of a small ring that take turns.
//!
//! A loop over rows of which five are alive looks up five of them in each turn, by remainders. Pointers to all rows of the ring change places at the
//! end of a turn instead, as people write it by hand:
//!
//! ```c
//! for (int i = 0; i < n; i++) {                      double *a_ring0 = a[1];
//!   for (int j = 0; j < m; j++)                      double *a_ring1 = a[2];
//!     a[i % 3][j] = in[i][j];                        double *a_ring2 = a[0];
//!   if (i >= 2)                                      for (int i = 0; i < n; i++) {
//!     for (int j = 0; j < m; j++)                      for (int j = 0; j < m; j++)
//!       out[i][j] = a[(i - 2) % 3][j] + …;               a_ring2[j] = in[i][j];
//! }                                                    if (i >= 2)
//!                                                        for (int j = 0; j < m; j++)
//!                                                          out[i][j] = a_ring0[j] + …;
//!                                                      double *const a_first = a_ring0;
//!                                                      a_ring0 = a_ring1;
//!                                                      a_ring1 = a_ring2;
//!                                                      a_ring2 = a_first;
//!                                                    }
//! ```
//!
//! ```text
//! p_r in the k-th turn:  row (b + r + k) mod M,  so that p_r of the next turn is p_(r + 1) of this one       (down: (b − r − k) mod M)
//! ```
//!
//! b is such that the last one is the row that a turn writes, and the first one the oldest.
//!
//! Invariants: which row a subscript is in the first turn is one number for all sizes and counters around ([`courses`](super::courses)); storage has all M rows, so that
//! a pointer is always in it, whatever a turn uses; and nothing leaves a turn in front of the lines at its end.
//!
//! Source: the ring of row pointers of line buffers, as image filters are written by hand.

use super::Segments;
use super::block::Block;
use super::common::Common;
use super::courses::{Course, Ring};
use super::found::mentions;
use super::outer::Nest;
use super::parts::Part;
use super::pointed::{Fixed, PointedRow, PointedRows};
use crate::accesses::{FoundRow, View};
use crate::edit::Edit;
use crate::home::free_name;
use crate::rows::Rows;
use crate::subscript::Positions;
use crate::types::row_element;
use polyfold_isl::Result;

/// Larger rings have more pointers than registers.
const MOST_ROWS: i64 = 8;

/// Fewer rows are found as fast by remainders; half of a ring's, too.
const FEWEST_USED: usize = 3;

/// The rows of one ring.
pub(super) struct Turning {
    storage: String,
    element: String,
    cells: i64,
    is_upward: bool,
    is_written: bool,
    /// The row of the first turn that is written, if one is.
    newest: Option<i64>,
    uses: Vec<Use>,
}

/// A row that a turn uses.
struct Use {
    /// As accesses have it.
    row: String,
    /// Which it is in the first turn.
    first: i64,
    /// Its subscript, which stays as it is.
    subscript: Fixed,
    /// Whether loops inside go through it.
    is_gone_through: bool,
}

impl Segments<'_> {
    /// The loop with pointers that take turns; `None`: it has none. `fixed`: what gets a name in a turn.
    pub(super) fn with_turning_rows(&self, nest: &Nest, fixed: &[Fixed]) -> Result<Option<Edit>> {
        if !self.can_be_split() || !self.has_no_continue() {
            return Ok(None);
        }
        let turning = self.turning_rows(fixed)?;
        if turning.is_empty() {
            return Ok(None);
        }
        let own: Vec<PointedRow> = turning.iter().flat_map(|ring| self.pointers_of(ring)).collect();
        let beside = self.rows_between(fixed, &own)?;
        let rows = [&own[..], &beside].concat();
        let subscripts = turning.iter().flat_map(|ring| ring.uses.iter().map(|own| own.subscript.clone()));
        let fixed_here = fixed.iter().cloned().chain(subscripts).collect();
        let held = PointedRows { rows, fixed: fixed_here, ..PointedRows::default() };
        let body = self.with_known(nest, (&held, &[]), None)?;
        let is_used = |ring: &Turning| {
            let names = (0..ring.cells).map(|number| self.pointer_name(ring, number));
            names.filter(|name| mentions(&body, name)).count() >= FEWEST_USED
        };
        if !turning.iter().all(is_used) {
            return Ok(None);
        }
        let Block { span, opening, indent, closing } = self.block();
        let lines: String = turning.iter().flat_map(|ring| self.declarations(ring, &held, &indent)).collect();
        let turns: Vec<String> = turning.iter().flat_map(|ring| self.turns(ring)).collect();
        let before = PointedRows { rows: beside, fixed: fixed.to_vec(), ..PointedRows::default() }.declarations();
        let body = self.deeper_behind(&self.between(&before, &body, &turns), self.steps(&indent));
        Ok(Some(Edit { span, text: format!("{opening}{lines}{indent}{}{body}\n{closing}", self.source_head()) }))
    }

    /// The rings of which loops inside go through some rows, one further in each turn.
    fn turning_rows(&self, fixed: &[Fixed]) -> Result<Vec<Turning>> {
        let subscripts = self.ring_subscripts()?;
        let named: Vec<Fixed> = fixed.iter().chain(subscripts.iter().map(|(own, _)| own)).cloned().collect();
        let found = self.rows_inside(&named)?;
        let mut rings: Vec<Turning> = Vec::new();
        for found in &found {
            let Some((storage, subscript, ring)) = self.ring_of(found, &subscripts) else { continue };
            let Some(element) = row_element(self.accesses.decisions.scop.array(found.access.array)) else { continue };
            let is_gone_through = self.is_gone_through(found);
            let own = Use { row: found.row.clone(), first: ring.first, subscript: subscript.clone(), is_gone_through };
            let new = Turning::of(storage, element, ring);
            match rings.iter_mut().find(|known| known.storage == new.storage) {
                Some(known) if known.goes_as(&new) => known.add(own, found.access.is_write()),
                // Rows that go both ways meet in other turns.
                Some(_) => return Ok(Vec::new()),
                None => {
                    let mut new = new;
                    new.add(own, found.access.is_write());
                    rings.push(new);
                }
            }
        }
        // A write may be in one of several rows, until a part of the loop settles which one it is.
        for ring in &mut rings {
            let mut written = found.iter().filter(|found| found.access.is_write()).flat_map(|found| &found.spots);
            let is_of_ring = written.any(|spot| spot.split().is_some_and(|(storage, _)| storage == ring.storage));
            ring.is_written |= is_of_ring || self.has_scattered_writes_to(&ring.storage);
        }
        rings.retain(|ring| ring.is_worth_it() && !self.has_pointers_to(ring));
        Ok(rings)
    }

    /// Whether a loop around has such pointers to the rows of a ring: they would have one name.
    fn has_pointers_to(&self, ring: &Turning) -> bool {
        let names: Vec<String> = (0..ring.cells).map(|number| self.pointer_name(ring, number)).collect();
        self.known.rows.iter().any(|known| names.contains(&known.name))
    }

    /// The subscripts that go through small rings, one further in each turn, and are the same in all loops inside.
    fn ring_subscripts(&self) -> Result<Vec<(Fixed, Ring)>> {
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        let remainders = self.accesses.remainders(&view)?.into_iter();
        let mut subscripts = Vec::new();
        for common in Common::all(remainders.map(|found| (found.remainder, found.is_sure)).collect()) {
            let stays = self.inside.inner.iter().all(|l| common.slope(&l.iterator) == Some(0));
            let is_known = self.known.positions.0.contains_key(common.text());
            let course = if stays && !is_known { self.course_in_few(&common, &Part::default())? } else { None };
            let Some(Course::Ring(ring)) = course else { continue };
            if ring.cells <= MOST_ROWS && (ring.by == 1 || ring.by == ring.cells - 1) {
                let name = common.text().to_string();
                subscripts.push((Fixed { is_inlined: true, ..Fixed::new(name, common) }, ring));
            }
        }
        Ok(subscripts)
    }

    /// What a row of a small ring is called, its subscript, and how the loop goes through the ring; `None`: it is no such row.
    fn ring_of<'b>(&self, found: &'b FoundRow, subscripts: &'b [(Fixed, Ring)]) -> Option<(String, &'b Fixed, Ring)> {
        let is_known = self.known.rows.iter().any(|known| known.row == found.row);
        let [spot] = &found.spots[..] else { return None };
        let (storage, subscript) = spot.split().filter(|_| !is_known)?;
        let (subscript, ring) = subscripts.iter().find(|(own, _)| own.name == subscript)?;
        Some((storage.to_string(), subscript, *ring))
    }

    fn pointers_of(&self, ring: &Turning) -> Vec<PointedRow> {
        let pointer = |own: &Use| {
            let name = self.pointer_name(ring, ring.number_of(own.first));
            PointedRow::new(name, own.row.clone(), &ring.element, ring.is_written)
        };
        ring.uses.iter().map(pointer).collect()
    }

    fn pointer_name(&self, ring: &Turning, number: i64) -> String {
        free_name(&format!("{}_ring{number}", ring.storage), self.accesses.decisions.scop, self.accesses.source)
    }

    /// The lines in front of the loop.
    fn declarations(&self, ring: &Turning, held: &PointedRows, indent: &str) -> Vec<String> {
        let pointer = |number: i64| {
            let place = format!("{}[{}]", ring.storage, ring.first_of(number));
            PointedRow::new(self.pointer_name(ring, number), place, &ring.element, ring.is_written)
        };
        (0..ring.cells).map(|number| format!("{indent}{}\n", held.pointer(&pointer(number)))).collect()
    }

    /// The lines at the end of a turn.
    fn turns(&self, ring: &Turning) -> Vec<String> {
        let (scop, source) = (self.accesses.decisions.scop, self.accesses.source);
        let constant = if ring.is_written { "" } else { "const " };
        let first = free_name(&format!("{}_first", ring.storage), scop, source);
        let names: Vec<String> = (0..ring.cells).map(|number| self.pointer_name(ring, number)).collect();
        let mut lines = vec![format!("{constant}{} *const {first} = {};", ring.element, names[0])];
        lines.extend(names.windows(2).map(|pair| format!("{} = {};", pair[0], pair[1])));
        lines.extend(names.last().map(|last| format!("{last} = {first};")));
        lines
    }
}

impl Turning {
    /// A ring of which nothing is used yet.
    fn of(storage: String, element: String, ring: Ring) -> Turning {
        let (cells, is_upward) = (ring.cells, ring.by == 1);
        Turning { storage, element, cells, is_upward, is_written: false, newest: None, uses: Vec::new() }
    }

    /// Whether another use is of the same ring, in the same direction.
    fn goes_as(&self, other: &Turning) -> bool {
        (self.cells, self.is_upward, &self.element) == (other.cells, other.is_upward, &other.element)
    }

    fn add(&mut self, own: Use, is_written: bool) {
        self.is_written |= is_written;
        self.newest = self.newest.or(is_written.then_some(own.first));
        match self.uses.iter_mut().find(|other| other.row == own.row) {
            Some(other) => other.is_gone_through |= own.is_gone_through,
            None => self.uses.push(own),
        }
    }

    /// Whether loops inside go through enough of its rows.
    fn is_worth_it(&self) -> bool {
        let is_used = |row: &i64| self.uses.iter().any(|own| own.first == *row && own.is_gone_through);
        let used = (0..self.cells).filter(is_used).count();
        used >= FEWEST_USED && 2 * used as i64 > self.cells
    }

    /// The row in the first turn of the pointer with a number.
    fn first_of(&self, number: i64) -> i64 {
        let behind = self.cells - 1 - number;
        let first = if self.is_upward { self.last_first() - behind } else { self.last_first() + behind };
        first.rem_euclid(self.cells)
    }

    /// The number of the pointer to a row of the first turn.
    fn number_of(&self, first: i64) -> i64 {
        let behind = if self.is_upward { self.last_first() - first } else { first - self.last_first() };
        self.cells - 1 - behind.rem_euclid(self.cells)
    }

    /// The row in the first turn of the last pointer.
    fn last_first(&self) -> i64 {
        self.newest.unwrap_or(self.cells - 1)
    }
}
