//! Pointers that go on by a row in each turn of the loop right around innermost ones.
//!
//! Where a loop over k goes through rows `[j - 1]` of several planes, the planes are the same for all j, and so is a choice between
//! them that does not ask for j. A pointer in front of the loop over j makes it once, and goes on from there:
//!
//! ```c
//! double *a_row0 = a[a_at0][0];
//! const double *a_row1 = i >= 2 ? a[a_at1][0] + 1 : top[0];
//! const long a_row1_cells = i >= 2 ? n : n - 2;
//! for (int j = 1; j < n - 1; j++) {
//!   for (int k = 1; k < n - 1; k++)
//!     a_row0[k] = f(a_row1[k - 1]);
//!   if (j + 1 < n - 1) {
//!     a_row0 += n;
//!     a_row1 += a_row1_cells;
//!   }
//! }
//! ```
//!
//! The row of a turn is, for x being its first cell and w how many cells a row has,
//!
//! ```text
//! &p[j + c][x]  =  &p[j0 + c][x] + (j − j0)·w          j0: the first turn's counter; p and w: the same for all turns
//! ```
//!
//! It goes on at the end of a turn, if there is another one, so that it is never anywhere but in a row of which a turn uses cells: for that the loop has to have a turn
//! whenever it is reached, and each turn to be in the row. Compilers test once whether there is another turn. Where a turn may continue, it goes on at the beginning of all turns but the first, `if (j > 1)`.

use super::Segments;
use super::block::Block;
use super::found::mentions;
use super::head::Head;
use super::outer::Nest;
use super::pointed::{Fixed, PointedRow, PointedRows, UsedRow, Wanted, pointers, positions};
use crate::accesses::{FoundRow, View};
use crate::edit::Edit;
use crate::home::free_name;
use crate::linear::Linear;
use crate::rows::{RowSpot, Rows, one_of};
use crate::tokens::tokens;
use polyfold_isl::Result;
use polyfold_scop::Certainty;

/// A row of each turn of a loop.
#[derive(Clone)]
pub(super) struct Course {
    /// As accesses have it.
    row: String,
    /// In the first turn.
    first: String,
    /// By how many cells it goes on, in C.
    pub(super) cells: String,
}

impl Segments<'_> {
    /// The loop with pointers in front of it that go on; `None`: there are none. `fixed`: what gets a name in a turn.
    pub(super) fn going_on(&self, nest: &Nest, fixed: &[Fixed]) -> Result<Option<Edit>> {
        if self.inside.levels != 1 || self.inside.node.step != 1 || !self.can_be_split() {
            return Ok(None);
        }
        let Some(start) = self.start_of_turns()? else { return Ok(None) };
        let found = self.rows_inside(fixed)?;
        let mut courses = self.courses(&found, &start)?;
        while !courses.is_empty() {
            let pointed = self.pointed(&courses, &found);
            let rows = [&pointed[..], &self.rows_between(fixed, &pointed)?].concat();
            let held = PointedRows { rows, fixed: fixed.to_vec(), ..PointedRows::default() };
            let mut used = Vec::new();
            let edit = self.accesses.notes.of_taken(|| {
                let body = self.with_known(nest, (&held, &[]), None)?;
                let is_used = |course: &Course| pointed.iter().any(|p| p.row == course.row && mentions(&body, &p.name));
                used = courses.iter().filter(|course| is_used(course)).cloned().collect();
                let are_all = used.len() == courses.len();
                Ok(are_all.then(|| self.around_rows(&start, (&courses, &pointed), &held, &body)))
            })?;
            if edit.is_some() {
                return Ok(edit);
            }
            courses = used;
        }
        Ok(None)
    }

    /// The counter's first value, if it is a variable and a number, or one of these, and the loop has a turn whenever it is reached.
    fn start_of_turns(&self) -> Result<Option<Linear>> {
        let first = Linear::of(&self.inside.node.first, self.head.first, self.accesses.decisions.scop);
        let Some(first) = first.filter(|first| first.is_variable() && self.is_plain(&text(first))) else {
            return Ok(None);
        };
        let runs = self.frame()?.map_or(Ok(false), |frame| frame.always_runs())?;
        Ok(runs.then_some(first))
    }

    /// The rows of all accesses; none where some stand in expansions of macros: these have pointers found in each turn.
    pub(super) fn rows_inside(&self, fixed: &[Fixed]) -> Result<Vec<FoundRow>> {
        let scop = self.accesses.decisions.scop;
        let mut accesses = self.inside.statements.iter().flat_map(|id| &scop.statement(*id).accesses);
        if accesses.any(|access| access.place.fragment.is_some()) {
            return Ok(Vec::new());
        }
        let mut positions = positions(fixed);
        positions.0.extend(self.known.positions.0.clone());
        let (statements, rows) = (Some(&self.inside.statements[..]), &Rows::default());
        self.accesses.rows(&View { statements, positions: &positions, rows, part: None })
    }

    /// The rows in which each turn goes through cells, and that go on.
    fn courses(&self, found: &[FoundRow], start: &Linear) -> Result<Vec<Course>> {
        let surely = self.surely_run()?;
        let mut courses: Vec<Course> = Vec::new();
        for found in found {
            let is_sure = found.access.condition.is_always() && found.access.certainty == Certainty::Must;
            let is_known = self.known.rows.iter().any(|known| known.row == found.row)
                || courses.iter().any(|known| known.row == found.row);
            if is_sure && !is_known && surely.contains(&found.statement) && self.is_gone_through(found) {
                courses.extend(self.course_of_row(found, start));
            }
        }
        Ok(courses)
    }

    /// Whether a loop inside goes through the row, and does not leave it.
    pub(super) fn is_gone_through(&self, found: &FoundRow) -> bool {
        let inner = || self.inside.inner.iter().map(|l| &l.iterator);
        inner().any(|counter| mentions(&found.last, counter)) && inner().all(|counter| !mentions(&found.row, counter))
    }

    fn course_of_row(&self, found: &FoundRow, start: &Linear) -> Option<Course> {
        let row = found.row.clone();
        if !self.is_plain_row(&row, &self.known.names) {
            return None;
        }
        let spots = found.spots.iter().map(|spot| self.first_spot(spot, start)).collect::<Option<Vec<RowSpot>>>()?;
        let case = |spot: &RowSpot, text: String| (spot.condition.clone(), text);
        let first = one_of(&spots.iter().map(|spot| case(spot, spot.pointed())).collect::<Vec<_>>());
        let mut cells = spots.iter().map(|spot| spot.cells.clone()).collect::<Option<Vec<String>>>()?;
        if cells.iter().all(|other| *other == cells[0]) {
            cells.truncate(1);
        }
        let cells = match &cells[..] {
            [one] => one.clone(),
            several => {
                one_of(&spots.iter().zip(several).map(|(spot, cells)| case(spot, cells.clone())).collect::<Vec<_>>())
            }
        };
        Some(Course { row, first, cells })
    }

    /// Where a row is in the first turn; `None`: the next turn's is not the one behind it.
    fn first_spot(&self, spot: &RowSpot, start: &Linear) -> Option<RowSpot> {
        let counter = self.head.counter;
        let (before, subscript) = spot.split()?;
        let subscript = Linear::parse(subscript).filter(|sum| sum.is_variable() && sum.factor(counter) == 1)?;
        let is_fixed = !mentions(before, counter) && !mentions(&spot.condition, counter);
        let has_cells = spot.cells.as_ref().is_some_and(|cells| self.is_plain(cells) && !mentions(cells, counter));
        if !is_fixed || !has_cells {
            return None;
        }
        spot.at(&text(&subscript.at(counter, start)?))
    }

    fn pointed(&self, courses: &[Course], found: &[FoundRow]) -> Vec<PointedRow> {
        let scop = self.accesses.decisions.scop;
        let used = |course: &Course| {
            let own = found.iter().find(|found| found.row == course.row)?;
            Some(UsedRow {
                row: course.row.clone(),
                place: course.first.clone(),
                array: scop.array(own.access.array),
                is_written: self.may_be_written(&course.row, found.iter()),
                moves: true,
            })
        };
        let free = |wanted: &str| free_name(wanted, scop, self.accesses.source);
        let wanted = Wanted { known: &self.known.names, ..Wanted::default() };
        pointers(&wanted, self.known.rows.len(), courses.iter().filter_map(used).collect(), free)
    }

    /// The text of the loop with its pointers.
    fn around_rows(
        &self,
        start: &Linear,
        (courses, pointed): (&[Course], &[PointedRow]),
        held: &PointedRows,
        body: &str,
    ) -> Edit {
        let Block { span, opening, indent, closing } = self.block();
        let (mut lines, mut turns) = (Vec::new(), Vec::new());
        for row in pointed {
            let Some(Course { cells, .. }) = courses.iter().find(|course| course.row == row.row) else {
                continue;
            };
            lines.push(held.pointer(row));
            let by = if cells.contains('?') { self.cells_name(row) } else { cells.clone() };
            if by != *cells {
                lines.push(format!("const long {by} = {cells};"));
            }
            turns.push(format!("{} += {by};", row.name));
        }
        let (fixed, rows) = (held.fixed.clone(), held.rows[pointed.len()..].to_vec());
        let own = PointedRows { fixed, rows, ..PointedRows::default() };
        let lines: String = lines.iter().map(|line| format!("{indent}{line}\n")).collect();
        let has_others = held.rows.len() > pointed.len() || !held.fixed.is_empty();
        let one = self.as_one_loop(start, (courses, pointed), (body.trim(), &indent)).filter(|_| !has_others);
        if let Some(one) = one {
            return Edit { span, text: format!("{opening}{lines}{indent}{one}\n{closing}") };
        }
        let (first, last) = self.between_turns(start, &turns);
        let before = [first, own.declarations()].concat();
        let body = self.deeper_behind(&self.between(&before, body, &last), self.steps(&indent));
        Edit { span, text: format!("{opening}{lines}{indent}{}{body}\n{closing}", self.source_head()) }
    }

    fn cells_name(&self, row: &PointedRow) -> String {
        free_name(&format!("{}_cells", row.name), self.accesses.decisions.scop, self.accesses.source)
    }

    /// Lines between one turn and the next, for its beginning or its end: for the end, unless a turn may continue.
    fn between_turns(&self, start: &Linear, lines: &[String]) -> (Vec<String>, Vec<String>) {
        let Head { counter, condition, .. } = &self.head;
        match self.has_no_continue() {
            true => (Vec::new(), self.under(&with_next(condition, counter), lines)),
            false => (self.under(&format!("{counter} > {}", text(start)), lines), Vec::new()),
        }
    }

    fn under(&self, condition: &str, lines: &[String]) -> Vec<String> {
        let deeper = lines.iter().map(|line| format!("{}{line}", self.step));
        match lines {
            [_] => [format!("if ({condition})")].into_iter().chain(deeper).collect(),
            _ => [format!("if ({condition}) {{")].into_iter().chain(deeper).chain(["}".to_string()]).collect(),
        }
    }
}

/// A loop's condition for the next value of its counter.
fn with_next(condition: &str, counter: &str) -> String {
    let all = tokens(condition, &(0..condition.len()));
    let is_alone = |at: usize| {
        let behind = all.get(at + 1).is_none_or(|t| t.is_any(&['<', '>', '&', ')']));
        behind && (at == 0 || all[at - 1].is_any(&['<', '>', '=', '&', '(']))
    };
    let (mut text, mut end) = (String::new(), 0);
    for (at, token) in all.iter().enumerate().filter(|(_, token)| token.text == counter) {
        text += &condition[end..token.at];
        text += &if is_alone(at) { format!("{counter} + 1") } else { format!("({counter} + 1)") };
        end = token.span().end;
    }
    text + &condition[end..]
}

/// A variable and a number.
fn text(sum: &Linear) -> String {
    match sum.print_terms(None) {
        terms if terms.is_empty() => sum.constant.to_string(),
        terms => Linear::plus(&terms, sum.constant),
    }
}

#[cfg(test)]
mod tests {
    use super::with_next;

    #[test]
    fn the_next_turn_is_asked_for() {
        assert_eq!(with_next("j < n - 1", "j"), "j + 1 < n - 1");
        assert_eq!(with_next("j <= n && j < m", "j"), "j + 1 <= n && j + 1 < m");
        assert_eq!(with_next("2 * j < n && n > j", "j"), "2 * (j + 1) < n && n > j + 1");
    }
}
