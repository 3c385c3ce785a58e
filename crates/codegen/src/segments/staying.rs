//! Subscripts that stay within one turn of their ring.
//!
//! A grid that is filled, or read at the end, often goes through its ring from the first cell on, and never gets past the last:
//!
//! ```c
//! for (int i = 0; i < n; i++)                          for (int i = 0; i < n; i++)
//!   out[i] = a[i % (n + 1)];                             out[i] = a[i];
//! ```
//!
//! ```text
//! v mod m is v where 0 <= v < m for all turns of the loop, whatever sizes and counters around are
//! ```
//!
//! Loops around others have such rows: `a[i % (n + 1)][j]` is `a[i][j]`. Rings of a few cells are for strips (`courses.rs`).

use super::common::Common;
use super::frame::LoopFrame;
use super::inside::Inside;
use super::outer::Nest;
use super::parts::{Part, related};
use super::pointed::PointedRows;
use super::{Known, Segments};
use crate::accesses::View;
use crate::edit::Edit;
use crate::rows::Rows;
use crate::subscript::Positions;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::Loop;
use std::collections::BTreeSet;

impl Segments<'_> {
    /// What is known around, and the subscripts that stay in one turn of their rings; `None`: none does.
    pub(super) fn with_staying(&self, nest: &Nest) -> Result<Option<Known>> {
        let Some(frame) = self.frame()? else { return Ok(None) };
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        let found = self.accesses.remainders(&view)?.into_iter().map(|found| (found.remainder, found.is_sure));
        let mut known = self.known.clone();
        let (mut staying, mut others) = (Vec::new(), BTreeSet::new());
        for common in Common::all(found.collect()) {
            if known.positions.0.contains_key(common.text()) {
                continue;
            }
            let is_kept = self.inside.inner.iter().all(|l| common.slope(&l.iterator) == Some(0));
            let stays = is_kept && !self.has_few_cells(&common) && self.stays(&common, &frame)?;
            match common.operand().filter(|_| stays) {
                Some(operand) => {
                    staying.push((common.storage().to_string(), common.texts.clone(), operand.to_string()))
                }
                None => _ = others.insert(common.storage().to_string()),
            }
        }
        // Neighbours have one place: where one subscript of a ring goes around, all keep their form.
        for (_, texts, operand) in staying.into_iter().filter(|(storage, ..)| !others.contains(storage)) {
            known.positions.0.extend(texts.into_iter().map(|text| (text, operand.clone())));
        }
        let has_more = known.positions.0.len() > self.known.positions.0.len();
        Ok(if has_more && self.has_accesses_alone(nest.edits)? { Some(known) } else { None })
    }

    /// Whether a value is in one turn of its ring in all turns of the loop.
    fn stays(&self, common: &Common, frame: &LoopFrame) -> Result<bool> {
        let names = LoopFrame::names(self.accesses.decisions, self.loops_around());
        let own = |name: &str| (name == self.head.counter).then(|| "x".to_string());
        let value = common.value().and_then(|value| value.in_isl(|name| own(name).or_else(|| names.of(name))));
        let (Some(value), Some(size)) = (value, common.size()) else { return Ok(false) };
        let iterations = frame.iterations()?;
        let values = format!("[{}] -> {{ [x] -> [{value}] }}", names.all());
        let values = iterations.apply(&Map::read(iterations.context(), &values)?)?;
        let is_positive = values.is_subset(&Set::read(values.context(), "{ [v] : v >= 0 }")?)?;
        Ok(is_positive && values.is_subset(&related(size, "x < e")?)?)
    }

    /// The loop where names are known, of which some edits are made.
    pub(super) fn with_names(&self, edits: Vec<Edit>) -> Result<Vec<Edit>> {
        let (node, body) = (&self.inside.node.span, &self.head.body);
        let is_whole = |edit: &Edit| edit.span.start <= body.start && edit.span.end >= node.end;
        if edits.iter().any(is_whole) {
            return Ok(edits);
        }
        let mut own = self.rewritten(&Positions::default(), &PointedRows::default(), &Part::default())?;
        for edit in edits {
            own.drop_inside(std::slice::from_ref(&edit.span));
            own.push(edit);
        }
        Ok(vec![Edit { span: body.start..node.end, text: self.body_with(&own) }])
    }
}

impl Nest<'_> {
    /// New text for a loop in which some subscripts stay in one turn of their rings; `None`: none does.
    pub(super) fn loop_with_staying(&self, node: &Loop) -> Result<Option<Vec<Edit>>> {
        let inside = Inside::of(node, self);
        let Some(known) = Segments::of(self, &inside).map_or(Ok(None), |segments| segments.with_staying(self))? else {
            return Ok(None);
        };
        let nest = Nest { known, ..*self };
        let Ok(segments) = Segments::of(&nest, &inside) else { return Ok(None) };
        segments.with_names(nest.loops_in(node)?).map(Some)
    }
}
