//! Rows that follow each other from turn to turn of a loop around others.
//!
//! A row `a[(t + i) % m]` of a loop over i is the next one in each turn, and behind the last one comes the first. A division in each
//! turn costs as much as a short row; a comparison does not:
//!
//! ```c
//! long a_at0 = t % m;
//! for (int i = 0; i < n; i++) {
//!   const long a_at1 = a_at0 + 1 < m ? a_at0 + 1 : 0;
//!   for (int j = 0; j < n; j++)
//!     a[a_at0][j] = f(a[a_at1][j]);
//!   a_at0 = a_at1;
//! }
//! ```
//!
//! Cells that statements beside loops use go on in the same way, if one of these loops begins in a ring itself: `a[a_at0] = a[a_at1];` at the end of a row in one dimension.
//!
//! Nothing has to be proved but that the modulus is no smaller than a step. A remainder that grows is the value's also if it begins below
//! 0: it gets to 0 where the value is a multiple of the modulus. One that begins below 0 and shrinks is nobody's: what uses a subscript
//! has a value that is not negative.

use super::Segments;
use super::block::Block;
use super::common::Common;
use super::edges::used;
use super::found::mentions;
use super::outer::Nest;
use super::pointed::{Fixed, PointedRows, following};
use super::start::Start;
use crate::Decisions;
use crate::accesses::View;
use crate::edit::Edit;
use crate::linear::{Linear, Variables};
use crate::rows::Rows;
use crate::subscript::{Positions, Remainder};
use polyfold_isl::Result;
use polyfold_scop::StatementId;

/// A position that goes on from turn to turn.
pub(super) struct Carried {
    pub(super) name: String,
    pub(super) common: Common,
    /// Where it is in the first turn, in C.
    pub(super) first: String,
    /// By how much it grows in a turn.
    pub(super) slope: i64,
}

impl Segments<'_> {
    /// The loop with rows that it takes from turn to turn; `None`: there are none.
    pub(super) fn rotating(&self, nest: &Nest) -> Result<Option<Edit>> {
        if !self.has_no_continue() || !self.has_accesses_alone(nest.edits)? {
            return Ok(None);
        }
        let (carried, others) = self.carried_in(nest)?;
        let is_in_segments = carried.is_empty() && !self.windows_around()?.is_empty();
        let edges = if is_in_segments { None } else { self.edges(nest)? };
        let others = if carried.is_empty() { self.held()? } else { others };
        let names = self.known.names.len() + carried.len() + others.len();
        let texts: Vec<&str> = carried
            .iter()
            .map(|c| &c.common)
            .chain(others.iter().map(|other| &other.common))
            .map(Common::text)
            .collect();
        let begun = if is_in_segments || edges.is_some() { Vec::new() } else { self.starts(nest, (names, &texts))? };
        if carried.is_empty() && edges.is_none() && begun.is_empty() {
            return Ok(None);
        }
        if let ([own], [], None, []) = (&carried[..], &others[..], &edges, &begun[..])
            && let Some(edit) = self.accesses.notes.of_taken(|| self.walking(nest, own))?
        {
            return Ok(Some(edit));
        }
        let known = carried.iter().map(|c| Fixed::new(c.name.clone(), c.common.clone()));
        let fixed: Vec<Fixed> = known.chain(others).collect();
        let rows = if edges.is_none() { self.rows_between(&fixed, &[])? } else { Vec::new() };
        let mut held = PointedRows { fixed, rows, ..PointedRows::default() };
        let passed = if edges.is_none() { self.passed_on(&carried, &mut held)? } else { Vec::new() };
        let before = held.declarations_behind(carried.len());
        let turns_of = |all: &[&Carried]| all.iter().filter_map(|c| c.turn(&held.fixed)).collect::<Vec<String>>();
        let Block { span, opening, indent, closing } = self.block();
        let mut all: Vec<&Carried> = carried.iter().collect();
        let text = match edges {
            Some(edges) => self.in_edges((nest, &held, &edges), (&before, &turns_of(&all)), &indent)?,
            None => {
                let starts: Vec<Start> = begun.iter().map(|(start, _)| start.clone()).collect();
                let body = self.with_known(nest, (&held, &starts), None)?;
                all.extend(begun.iter().filter(|(start, _)| mentions(&body, &start.name)).map(|(_, carried)| carried));
                if all.is_empty() {
                    return Ok(None);
                }
                let handed = passed.iter().map(|own| own.turn(&held));
                let turns: Vec<String> = turns_of(&all).into_iter().chain(handed).collect();
                let before = used(&before, &body, &turns);
                let body = self.deeper_behind(&self.between(&before, &body, &turns), self.steps(&indent));
                format!("{indent}{}{body}\n", self.source_head())
            }
        };
        let pointers = passed.iter().map(|own| own.declaration(&held));
        let lines: Vec<String> = all.iter().map(|c| c.declaration()).chain(pointers).collect();
        let lines: String = lines.iter().map(|line| format!("{indent}{line}\n")).collect();
        Ok(Some(Edit { span, text: format!("{opening}{lines}{text}{closing}") }))
    }

    /// What goes on from turn to turn, and what else has a name in a turn: also cells beside loops that begin in a ring themselves.
    fn carried_in(&self, nest: &Nest) -> Result<(Vec<Carried>, Vec<Fixed>)> {
        let of_rows = self.carried()?;
        if !of_rows.0.is_empty() || self.starts(nest, (self.known.names.len(), &[]))?.is_empty() {
            return Ok(of_rows);
        }
        self.carried_among(self.kept()?)
    }

    /// What goes on from turn to turn, and what else has a name in a turn, where loops inside have some of them.
    pub(super) fn carried(&self) -> Result<(Vec<Carried>, Vec<Fixed>)> {
        let kept = self.kept()?;
        self.carried_among(if kept.iter().any(|common| common.is_sure) { kept } else { Vec::new() })
    }

    fn carried_among(&self, kept: Vec<Common>) -> Result<(Vec<Carried>, Vec<Fixed>)> {
        let (mut carried, mut others): (Vec<Carried>, Vec<Fixed>) = Default::default();
        let before = self.known.names.len();
        for common in kept {
            let name = self.position_name(&common, before + carried.len() + others.len());
            let leader = carried.iter().find(|c| common.follows(&c.common));
            if let Some(leader) = leader.filter(|leader| leader.slope == 0) {
                let first = following(&leader.name, &common);
                carried.push(Carried { name, common, first, slope: 0 });
            } else if leader.is_some() || others.iter().any(|other| common.follows(&other.common)) {
                others.push(Fixed::new(name, common));
            } else if let Some((first, slope)) = self.course(&common) {
                let first = self.begun_at(&common).cloned().unwrap_or(first);
                carried.push(Carried { name, common, first, slope });
            }
        }
        if !carried.is_empty() {
            let is_new = |fixed: &Fixed| carried.iter().all(|c| c.common.text() != fixed.common.text());
            for fixed in self.held()?.into_iter().filter(is_new) {
                if others.iter().all(|other| other.common.text() != fixed.common.text()) {
                    let name = self.position_name(&fixed.common, before + carried.len() + others.len());
                    others.push(Fixed::new(name, fixed.common));
                }
            }
        }
        Ok((carried, others))
    }

    /// The subscripts that none of the loops inside changes, and as sure ones those that these have.
    fn kept(&self) -> Result<Vec<Common>> {
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        let is_deep =
            |id: StatementId| self.accesses.decisions.scop.statement(id).loops.last() != Some(&self.inside.node.id);
        let is_named = |remainder: &Remainder| {
            let is_number = remainder.modulus.parse::<i64>().is_ok();
            !is_number && remainder.text.contains('%') && self.can_be_named(remainder)
        };
        let found = self.accesses.remainders(&view)?.into_iter().filter(|one| is_named(&one.remainder));
        // Whether it is sure does not matter here: so that says whether a loop inside has it.
        let all = Common::all(found.map(|one| (one.remainder, is_deep(one.statement))).collect());
        let stays = |common: &Common| self.inside.inner.iter().all(|l| common.slope(&l.iterator) == Some(0));
        Ok(all.into_iter().filter(stays).collect())
    }

    /// Whether none of the loops inside changes a remainder.
    pub(super) fn has_rows_alone(&self) -> Result<bool> {
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        let found = self.accesses.remainders(&view)?;
        let stays = |one: &Remainder| self.inside.inner.iter().all(|l| one.slope(&l.iterator) == Some(0));
        Ok(found.iter().filter(|one| one.remainder.text.contains('%')).all(|one| stays(&one.remainder)))
    }

    /// Where a subscript is in the first turn, and by how much it grows in each.
    pub(super) fn course(&self, common: &Common) -> Option<(String, i64)> {
        let Decisions { scop, .. } = self.accesses.decisions;
        let variables = Variables { scop, signed: &self.accesses.signed, wide: false };
        let first = Linear::of(&self.inside.node.first, self.head.first, scop)?;
        let slope = common.slope(self.head.counter)?.checked_mul(self.inside.node.step)?;
        let first = common.at(self.head.counter, &first, &variables)?;
        common.wraps_once(slope).then_some((first, slope))
    }
}

impl Carried {
    /// The line in front of the loop.
    fn declaration(&self) -> String {
        let constant = if self.slope == 0 { "const " } else { "" };
        format!("{constant}long {} = {};", self.name, self.first)
    }

    /// The line at the end of a turn; `known`: what else has a name in it.
    fn turn(&self, known: &[Fixed]) -> Option<String> {
        let Carried { name, common, slope, .. } = self;
        let next = known.iter().find(|other| other.common.follows(common));
        Some(match (*slope, next) {
            (0, _) => return None,
            (1, Some(Fixed { name: next, .. })) => format!("{name} = {next};"),
            (1, None) => format!("{name} = {};", following(name, common)),
            (-1, _) => format!("{name} = {name} > 0 ? {name} - 1 : {};", common.in_front(1)),
            (by @ 2.., _) => {
                let last = common.in_front(by);
                format!("{name} = {name} < {last} ? {name} + {by} : {name} - ({last});")
            }
            (by, _) => {
                let (by, last) = (by.unsigned_abs(), common.in_front(-by));
                format!("{name} = {name} >= {by} ? {name} - {by} : {name} + {last};")
            }
        })
    }
}
