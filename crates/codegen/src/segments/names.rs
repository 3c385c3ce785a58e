//! Names for subscripts and rows of a loop.

use super::Segments;
use super::common::Common;
use super::found::mentions;
use super::parts::Part;
use super::pointed::{Fixed, PointedRow, PointedRows, UsedRow, Wanted, pointers, positions};
use super::window::Window;
use crate::Decisions;
use crate::accesses::{FoundRemainder, FoundRow, View};
use crate::home::free_name;
use crate::rows::Rows;
use crate::subscript::{Positions, Remainder};
use polyfold_flow::has_few_turns;
use polyfold_isl::Result;
use polyfold_scop::StatementId;

/// Smaller moduli stay.
const LEAST_MODULUS: i64 = 32;

impl Segments<'_> {
    /// Pointers to rows that all iterations use, and names for what does not change in their subscripts.
    /// `runs`: the loop has an iteration whenever it is reached; otherwise a test of that stands in front, for which rows that
    /// are known by name are not reason enough. Parts get pointers of their own.
    pub(super) fn rows(&self, parts: &mut [Part], runs: bool) -> Result<PointedRows> {
        let Decisions { scop, .. } = self.accesses.decisions;
        let mut fixed = self.fixed(parts)?;
        let taken = self.known.names.len() + fixed.len();
        let mut positions = positions(&fixed);
        positions.0.extend(self.known.positions.0.clone());
        let found = self.found_rows(parts, &positions)?;
        fixed.retain(|fixed| fixed.is_needed(&found));
        let names: Vec<String> =
            self.known.names.iter().chain(fixed.iter().map(|fixed| &fixed.name)).cloned().collect();
        let is_new = |row: &FoundRow| self.known.rows.iter().all(|known| known.row != row.row);
        let is_everywhere = |row: &FoundRow| found.is_everywhere(&row.row);
        let safe = self.safe_rows(found.all().filter(|row| !is_everywhere(row)), &mut fixed)?;
        let can_be_used = |row: &&FoundRow| {
            is_new(row) && (is_everywhere(row) || safe.contains(&row.row)) && self.is_plain_row(&row.row, &names)
        };
        let used = found.all().filter(can_be_used).map(|row| UsedRow {
            row: row.row.clone(),
            place: self.place_of(row),
            array: scop.array(row.access.array),
            is_written: self.may_be_written(&row.row, found.all()),
            moves: mentions(&row.last, self.head.counter),
        });
        let free = |wanted: &str| free_name(wanted, scop, self.accesses.source);
        let overlapping = self.overlapping_rows(&found);
        let wanted = Wanted { fixed: &fixed, known: &self.known.names, rows: &overlapping };
        let mut rows = pointers(&wanted, self.known.rows.len(), used.collect(), free);
        let is_needed = |row: &PointedRow| row.row.contains('?') || overlapping.contains(&row.row);
        if !runs && fixed.is_empty() && !rows.iter().any(is_needed) {
            rows.clear();
        }
        for (k, part) in parts.iter_mut().enumerate() {
            part.rows = self.rows_of_part(part, found.of_part(k), &names, &rows);
        }
        let pointed = |row: &FoundRow| rows.iter().any(|own| own.row == row.row);
        let others: Vec<&FoundRow> = found.all().filter(|row| !pointed(row)).collect();
        for fixed in fixed.iter_mut().filter(|fixed| fixed.has_small_modulus()) {
            let is_apart = |row: &FoundRow| !mentions(&row.last, &fixed.name);
            fixed.is_inlined = others.iter().all(|row| !mentions(&row.row, &fixed.name)) && found.all().all(is_apart);
        }
        let mut pointed = PointedRows { fixed, rows, taken };
        self.declare_mentioned(&mut pointed, parts)?;
        Ok(pointed)
    }

    /// Names that bodies have are declared: an access that chooses between a row and a variable is no row.
    fn declare_mentioned(&self, pointed: &mut PointedRows, parts: &[Part]) -> Result<()> {
        if pointed.fixed.iter().all(|fixed| !fixed.is_inlined) {
            return Ok(());
        }
        for part in parts {
            let edits = self.rewritten(&Positions::default(), pointed, part)?;
            let body = self.body_with(&edits);
            for fixed in pointed.fixed.iter_mut().filter(|fixed| mentions(&body, &fixed.name)) {
                fixed.is_inlined = false;
            }
        }
        Ok(())
    }

    /// The subscripts that do not change in the loop.
    fn fixed(&self, parts: &[Part]) -> Result<Vec<Fixed>> {
        let is_fixed = |common: &Common| common.slope(self.head.counter) == Some(0) && common.text().contains('%');
        let commons = self.commons(parts)?.into_iter().filter(is_fixed);
        let before = self.known.names.len();
        let named = commons.enumerate().map(|(k, common)| {
            let name = self.position_name(&common, before + k);
            Fixed::new(name, common)
        });
        Ok(named.collect())
    }

    /// The remainders of parts without a name, those of equal values together.
    pub(super) fn commons(&self, parts: &[Part]) -> Result<Vec<Common>> {
        let mut found = Vec::new();
        for part in parts {
            for FoundRemainder { remainder, statement, is_sure, .. } in self.remainders(part)? {
                if self.is_in_innermost(statement) && self.can_be_named(&remainder) {
                    found.push((remainder, is_sure));
                }
            }
        }
        Ok(Common::all(found))
    }

    /// The remainders in statements that may run in a part, and whether each of its iterations has them.
    fn remainders(&self, part: &Part) -> Result<Vec<FoundRemainder>> {
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let statements = Some(&self.inside.statements[..]);
        let view = View { statements, positions, rows, part: part.operations.as_ref() };
        let (always, never) = self.always_and_never(part)?;
        let mut all = self.accesses.remainders(&view)?;
        all.retain(|found| !never.contains(&found.statement));
        all.iter_mut().for_each(|found| found.is_sure &= always.contains(&found.statement));
        Ok(all)
    }

    /// Whether a part's subscripts wrap around with the counter, beside those of windows: no compiler makes vectors of it then.
    pub(super) fn wraps_beside(&self, windows: &[Window], part: &Part) -> Result<bool> {
        let is_settled = |remainder: &Remainder| {
            let text = &remainder.text;
            self.known.positions.0.contains_key(text)
                || remainder.slope(self.head.counter) == Some(0)
                || windows.iter().any(|window| window.common().texts.contains(text))
        };
        Ok(!self.remainders(part)?.iter().all(|found| is_settled(&found.remainder)))
    }

    /// Whether a remainder has no name yet, and can be computed in front of a loop.
    pub(super) fn can_be_named(&self, remainder: &Remainder) -> bool {
        let is_known = self.known.positions.0.contains_key(&remainder.text);
        !is_known && self.is_plain(&remainder.text) && self.is_plain(&remainder.modulus)
    }

    /// What stands for subscripts that grow or shrink with the counter, beside so many that do not.
    pub(super) fn windows(&self, part: &Part, others: usize) -> Result<Vec<Window>> {
        Ok(self.named_windows(self.moving(std::slice::from_ref(part))?.into_iter(), others))
    }

    /// The subscripts of parts that grow or shrink with the counter, and by how much.
    pub(super) fn moving(&self, parts: &[Part]) -> Result<Vec<(Common, i64)>> {
        let commons = self.commons(parts)?.into_iter();
        Ok(commons.filter_map(|common| self.slope(&common).filter(|s| *s != 0).map(|s| (common, s))).collect())
    }

    /// The same of subscripts that no loop inside changes, with those that do not change at all, if some do.
    pub(super) fn windows_around(&self) -> Result<Vec<Window>> {
        let is_fixed = |common: &Common| self.inside.inner.iter().all(|l| common.slope(&l.iterator) == Some(0));
        let commons = self.commons(&[Part::default()])?.into_iter().filter(is_fixed);
        let found: Vec<(Common, i64)> = commons.filter_map(|c| self.slope(&c).map(|slope| (c, slope))).collect();
        let some_move = found.iter().any(|(_, slope)| *slope != 0);
        let worth_it = found.into_iter().filter(|(common, _)| some_move && common.text().contains('%'));
        Ok(self.named_windows(worth_it, self.known.names.len()))
    }

    /// By how much a subscript grows with the counter, if its modulus is not so small that segments would be short.
    fn slope(&self, common: &Common) -> Option<i64> {
        common.slope(self.head.counter).filter(|slope| *slope == 0 || !self.has_few_cells(common))
    }

    /// Whether a ring is that small: as a number, or with what macros say now in a loop of a few turns.
    pub(super) fn has_few_cells(&self, common: &Common) -> bool {
        let Decisions { scop, .. } = self.accesses.decisions;
        let is_few = |modulus: i64| modulus < LEAST_MODULUS;
        let at_macros = || common.size()?.eval(&self.accesses.decisions.constants()).ok().flatten();
        match common.modulus().parse() {
            Ok(modulus) => is_few(modulus),
            Err(_) => has_few_turns(scop, self.inside.node) && at_macros().is_some_and(is_few),
        }
    }

    fn named_windows(&self, commons: impl Iterator<Item = (Common, i64)>, others: usize) -> Vec<Window> {
        let named = commons.enumerate().map(|(k, (common, slope))| {
            let name = self.position_name(&common, others + k);
            Window::new(name, common, slope)
        });
        named.collect()
    }

    /// Whether a statement is in a loop that has none in it.
    fn is_in_innermost(&self, statement: StatementId) -> bool {
        let own = self.accesses.decisions.scop.statement(statement).loops.last();
        self.inside.inner.is_empty() || own != Some(&self.inside.node.id)
    }

    /// A name for the position of a subscript in a loop that has others.
    pub(super) fn position_name(&self, common: &Common, others: usize) -> String {
        free_name(&format!("{}_at{others}", common.storage()), self.accesses.decisions.scop, self.accesses.source)
    }
}
