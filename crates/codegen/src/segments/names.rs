//! Names for subscripts and rows of a loop.

use super::Segments;
use super::common::Common;
use super::parts::Part;
use super::pointed::{PointedRows, UsedRow};
use super::window::Window;
use crate::Decisions;
use crate::accesses::{FoundRemainder, FoundRow, View};
use crate::home::{free_name, words};
use crate::rows::Rows;
use crate::subscript::Positions;
use polyfold_isl::Result;
use polyfold_scop::{Certainty, Node, StatementId};

/// Smaller moduli stay.
const LEAST_MODULUS: i64 = 32;

impl Segments<'_> {
    /// Pointers to rows that all iterations use, and names for what does not change in their subscripts.
    pub(super) fn rows(&self, parts: &[Part]) -> Result<PointedRows> {
        let Decisions { scop, .. } = self.accesses.decisions;
        let fixed = self.commons(parts)?.into_iter();
        let fixed = fixed.filter(|common| common.slope(self.head.counter) == Some(0) && common.text().contains('%'));
        let mut fixed: Vec<(String, Common)> =
            fixed.enumerate().map(|(k, common)| (self.position_name(&common, k), common)).collect();
        let positions = PointedRows { fixed: fixed.clone(), ..PointedRows::default() }.positions();
        let mut found: Vec<Vec<FoundRow>> = Vec::new();
        for part in parts {
            let (statements, rows) = (Some(&self.innermost.statements[..]), &Rows::default());
            let view = View { statements, positions: &positions, rows, part: part.operations.as_ref() };
            found.push(self.accesses.rows(&view)?);
        }
        let taken = fixed.len();
        let has = |row: &str, name: &str| words(row).any(|(_, word)| word == name);
        fixed.retain(|(name, _)| found.iter().flatten().any(|found| has(&found.row, name)));
        let is_sure = |row: &str| {
            let is_it = |found: &FoundRow| found.row == row && self.is_in_all_iterations(found);
            found.iter().all(|part| part.iter().any(is_it))
        };
        let names: Vec<String> = fixed.iter().map(|(name, _)| name.clone()).collect();
        let can_be_used = |found: &&FoundRow| is_sure(&found.row) && self.is_plain_row(&found.row, &names);
        let used = found.iter().flatten().filter(can_be_used).map(|found| UsedRow {
            row: found.row.clone(),
            array: scop.array(found.access.array),
            is_written: found.access.is_write(),
        });
        let free = |wanted: &str| free_name(wanted, scop, self.accesses.source);
        Ok(PointedRows { taken, ..PointedRows::of(fixed, used.collect(), free) })
    }

    /// The remainders of parts, those of equal values together.
    fn commons(&self, parts: &[Part]) -> Result<Vec<Common>> {
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let statements = Some(&self.innermost.statements[..]);
        let mut found = Vec::new();
        for part in parts {
            let view = View { statements, positions, rows, part: part.operations.as_ref() };
            for FoundRemainder { remainder, statement, is_sure } in self.accesses.remainders(&view)? {
                if self.is_plain(&remainder.text) && self.is_plain(&remainder.modulus) {
                    found.push((remainder, is_sure && self.runs_in_all_iterations(statement)));
                }
            }
        }
        Ok(Common::all(found))
    }

    /// What stands for subscripts that grow or shrink with the counter, beside so many that do not.
    pub(super) fn windows(&self, part: &Part, others: usize) -> Result<Vec<Window>> {
        let mut windows = Vec::new();
        for common in self.commons(std::slice::from_ref(part))? {
            let is_large = common.modulus().parse::<i64>().map_or(true, |modulus| modulus >= LEAST_MODULUS);
            if let Some(slope) = common.slope(self.head.counter).filter(|slope| *slope != 0 && is_large) {
                let name = self.position_name(&common, others + windows.len());
                windows.push(Window::new(name, common, slope));
            }
        }
        Ok(windows)
    }

    /// Whether an access happens in each iteration, in a row that is the same for all of them.
    fn is_in_all_iterations(&self, found: &FoundRow) -> bool {
        let access = &found.access;
        access.condition.is_always()
            && access.certainty == Certainty::Must
            && self.runs_in_all_iterations(found.statement)
            && words(&found.row).all(|(_, word)| word != self.head.counter)
    }

    fn runs_in_all_iterations(&self, statement: StatementId) -> bool {
        self.innermost.node.body.iter().any(|node| matches!(node, Node::Statement(id) if *id == statement))
    }

    /// A name for the position of a subscript in a loop that has others.
    fn position_name(&self, common: &Common, others: usize) -> String {
        free_name(&format!("{}_at{others}", common.storage()), self.accesses.decisions.scop, self.accesses.source)
    }
}
