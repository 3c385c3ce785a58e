//! Subscripts that the loops in a loop do not change.
//!
//! A plane `a[(t + i) % m]` is the same for all rows and all cells of it. Where loops over j and k are inside that over i, it is
//! looked up once for each i:
//!
//! ```c
//! for (int i = 0; i < n; i++) {
//!   const long a_at0 = (t + i) % m;
//!   for (int j = 0; j < n; j++)
//!     …
//! ```
//!
//! Only subscripts of statements that run in each iteration of the loop are: others might divide by 0 or leave their type where
//! nobody asks for them.

use super::Segments;
use super::common::Common;
use super::edges::used;
use super::frame::LoopFrame;
use super::outer::Nest;
use super::parts::Part;
use super::pointed::{Fixed, PointedRows, positions};
use super::start::Start;
use crate::accesses::View;
use crate::edit::Edit;
use crate::indent::indent_at;
use crate::rows::Rows;
use crate::subscript::Positions;
use crate::tokens::{Kind, tokens};
use polyfold_isl::Result;
use polyfold_scop::{LoopId, Node, StatementId};

impl Segments<'_> {
    /// The loop with its own subscripts in front of those in it, which are as they are written then; `None`: it has none.
    pub(super) fn holding(&self, nest: &Nest) -> Result<Option<Edit>> {
        if self.are_loops_one() || !self.has_accesses_alone(nest.edits)? {
            return Ok(None);
        }
        let fixed = self.held()?;
        let notes = &self.accesses.notes;
        if let Some(edit) = notes.of_taken(|| self.with_turning_rows(nest, &fixed))? {
            return Ok(Some(edit));
        }
        if let Some(edit) = notes.of_taken(|| self.going_on(nest, &fixed))? {
            return Ok(Some(edit));
        }
        let between = self.rows_between(&fixed, &[])?;
        let rows = [&between[..], &self.bases(&fixed, &between)?].concat();
        let held = PointedRows { rows, fixed, ..PointedRows::default() };
        if held.is_empty() {
            return Ok(None);
        }
        let span = self.head.body.start..self.inside.node.span.end;
        let body = self.with_known(nest, (&held, &[]), None)?;
        Ok(Some(Edit { span, text: self.between(&used(&held.declarations(), &body, &[]), &body, &[]) }))
    }

    /// The body with names for subscripts, and the loops in it as they are written then, in a part of the loop.
    pub(super) fn with_known(
        &self,
        nest: &Nest,
        (held, starts): (&PointedRows, &[Start]),
        part: Option<&Part>,
    ) -> Result<String> {
        let mut known = self.known.clone();
        if let Some(operations) = part.and_then(|part| part.operations.as_ref()) {
            known.within = Some(operations.clone());
        }
        known.positions.0.extend(positions(&held.fixed).0);
        known.names.extend(held.fixed.iter().map(|fixed| fixed.name.clone()));
        known.rows.extend(held.rows.iter().cloned());
        known.names.extend(starts.iter().map(|start| start.name.clone()));
        known.starts = starts.to_vec();
        let inner = Nest { known, ..*nest }.loops_of(&self.inside.node.body)?;
        let mut own = self.rewritten(&Positions::default(), held, &Part::default())?;
        for edit in inner {
            own.drop_inside(std::slice::from_ref(&edit.span));
            own.push(edit);
        }
        Ok(self.body_with(&own))
    }

    /// Whether a directive may take the loop and those in it for one: `collapse(2)` wants nothing in between.
    pub(super) fn are_loops_one(&self) -> bool {
        let (source, scop) = (self.accesses.source, self.accesses.decisions.scop);
        let own = tokens(source, &(scop.span.start..self.inside.node.span.end));
        let lead = scop.lead.as_ref().map_or("", |lead| &source[lead.clone()]);
        let texts = own.iter().filter(|t| t.kind == Kind::Directive).map(|t| t.text).chain([lead]);
        texts.into_iter().any(|text| text.contains("collapse") || text.contains("ordered") || text.contains("tile"))
    }

    /// A body between lines.
    pub(super) fn between(&self, before: &[String], body: &str, behind: &[String]) -> String {
        let own = indent_at(self.accesses.source, self.inside.node.span.start);
        let lines = |all: &[String]| all.iter().map(|line| format!("\n{own}{}{line}", self.step)).collect::<String>();
        let (before, behind) = (lines(before), lines(behind));
        match body.trim().strip_prefix('{').and_then(|body| body.strip_suffix('}')) {
            Some(inside) => {
                let inside = self.deeper_behind(inside.trim_end(), usize::from(self.has_body_beside()));
                format!(" {{{before}{inside}{behind}\n{own}}}")
            }
            None if body.trim_start_matches([' ', '\t']).starts_with('\n') => {
                format!(" {{{before}{}{behind}\n{own}}}", body.trim_end())
            }
            None => {
                let body = self.deeper_behind(body.trim(), 1);
                format!(" {{{before}\n{own}{}{body}{behind}\n{own}}}", self.step)
            }
        }
    }

    /// Whether what is repeated begins in the head's line, without braces.
    fn has_body_beside(&self) -> bool {
        let body = self.accesses.source[self.head.body.clone()].trim_start_matches([' ', '\t']);
        !body.starts_with(['\n', '\r', '{'])
    }

    /// The subscripts that loops inside use, and none of them changes.
    pub(super) fn held(&self) -> Result<Vec<Fixed>> {
        let surely = self.surely_run()?;
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        let own =
            |id: StatementId| self.accesses.decisions.scop.statement(id).loops.last() == Some(&self.inside.node.id);
        let (mut found, mut deeper) = (Vec::new(), Vec::new());
        for one in self.accesses.remainders(&view)? {
            let is_sure = one.is_sure && surely.contains(&one.statement);
            let is_number = one.remainder.modulus.parse::<i64>().is_ok();
            if is_sure && !is_number && one.remainder.text.contains('%') && self.can_be_named(&one.remainder) {
                if !own(one.statement) {
                    deeper.push(one.remainder.text.clone());
                }
                found.push((one.remainder, true));
            }
        }
        let stays = |common: &Common| self.inside.inner.iter().all(|l| common.slope(&l.iterator) == Some(0));
        let is_used = |common: &Common| common.texts.iter().any(|text| deeper.contains(text));
        let commons = Common::all(found).into_iter().filter(|common| stays(common) && is_used(common));
        let before = self.known.names.len();
        let named = commons.enumerate().map(|(k, common)| {
            let name = self.position_name(&common, before + k);
            Fixed::new(name, common)
        });
        Ok(named.collect())
    }

    /// The statements that run in each iteration, in loops that have one whenever they are reached.
    pub(super) fn surely_run(&self) -> Result<Vec<StatementId>> {
        let scop = self.accesses.decisions.scop;
        let around = self.inside.statements.first().map_or(&[][..], |id| &scop.statement(*id).loops);
        let own = around.iter().position(|id| *id == self.inside.node.id).map_or(0, |at| at + 1);
        let mut found = Vec::new();
        self.collect_sure(&self.inside.node.body, &around[..own], &mut found)?;
        Ok(found)
    }

    fn collect_sure(&self, nodes: &[Node], around: &[LoopId], found: &mut Vec<StatementId>) -> Result<()> {
        for node in nodes {
            match node {
                Node::Statement(id) => found.push(*id),
                Node::Guard(_) => {}
                Node::Loop(l) => {
                    let around = [around, &[l.id]].concat();
                    let frame = LoopFrame::of(self.accesses.decisions, &around, l)?;
                    if self.accesses.begins_earlier(l) || frame.map_or(Ok(false), |frame| frame.always_runs())? {
                        self.collect_sure(&l.body, &around, found)?;
                    }
                }
            }
        }
        Ok(())
    }
}
