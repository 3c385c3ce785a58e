//! Rows that some iterations use, by pointers that are safe in all.
//!
//! A fused loop has statements that wait for rows of others, `if (y >= 2) out[y - 1][x] = f(a[(y - 2) % 3][x], …)`. Compilers take such conditions out of the loop, but then
//! have to tell rows by pointer and others apart, and some give up. In a ring of rows every place from 0 on has a row, whatever is in it:
//!
//! ```c
//! const double *a_row1 = a[(y + 1) % 3];                 // (y - 2) % 3 where that is not negative
//! ```

use super::Segments;
use super::found::mentions;
use super::pointed::Fixed;
use crate::Decisions;
use crate::accesses::FoundRow;
use crate::linear::{Linear, Variables};
use crate::region::may_be_wide;
use crate::subscript::parenthesized;
use polyfold_isl::Result;
use std::collections::BTreeSet;

impl Segments<'_> {
    /// The rows that have a place which can be made no less than 0, and is then.
    pub(super) fn safe_rows<'f>(
        &self,
        rows: impl Iterator<Item = &'f FoundRow>,
        fixed: &mut [Fixed],
    ) -> Result<BTreeSet<String>> {
        let mut safe = BTreeSet::new();
        for row in rows.filter(|row| row.spots.len() == 1 && mentions(&row.last, self.head.counter)) {
            let is_its_place = |own: &Fixed| row.row == format!("{}[{}]", own.common.storage(), own.name);
            let Some(at) = fixed.iter().position(is_its_place) else { continue };
            let before = |at: &usize| (0..fixed.len()).find(|k| fixed[*at].common.follows(&fixed[*k].common));
            // A place that follows another one is found from that.
            let all: Vec<usize> = std::iter::successors(Some(at), before).take(fixed.len()).collect();
            let is_wide = may_be_wide(self.variables.scop, self.variables.scop.array(row.access.array));
            let raised = all.into_iter().map(|k| Ok((k, self.raised(&fixed[k], is_wide)?)));
            let raised: Vec<(usize, Option<String>)> = raised.collect::<Result<_>>()?;
            if raised.iter().all(|(_, text)| text.is_some()) {
                raised.into_iter().for_each(|(k, text)| fixed[k].raised = text);
                safe.insert(row.row.clone());
            }
        }
        Ok(safe)
    }

    /// A place that is never less than 0: with moduli added, if it is a sum of what is not negative and a number; `None`: it is none, or its modulus no number.
    fn raised(&self, fixed: &Fixed, wide: bool) -> Result<Option<String>> {
        let Decisions { scop, .. } = self.accesses.decisions;
        let modulus: Option<i64> = fixed.common.modulus().parse().ok().filter(|modulus| *modulus > 0);
        let (Some(modulus), Some(mut sum)) = (modulus, fixed.common.value()) else { return Ok(None) };
        for (name, factor) in sum.terms() {
            let counters = self.loops_around().iter().map(|id| scop.loops()[id.0]);
            let Some(l) = counters.into_iter().find(|l| l.iterator == name) else { return Ok(None) };
            if factor < 0 || l.step < 0 || !self.is_never_negative(&l.first)? {
                return Ok(None);
            }
        }
        let moduli = sum.constant.min(0).unsigned_abs().div_ceil(modulus.unsigned_abs());
        let Some(()) = i64::try_from(moduli).ok().and_then(|moduli| sum.add(moduli, &Linear::number(modulus))) else {
            return Ok(None);
        };
        let variables = Variables { wide, ..self.variables };
        let text = match (sum.print_terms(Some(&variables)), sum.constant) {
            (terms, constant) if terms.is_empty() => constant.to_string(),
            (terms, 0) => terms,
            (terms, constant) => format!("{terms} + {constant}"),
        };
        Ok(Some(format!("{} % {modulus}", parenthesized(&text))))
    }
}
