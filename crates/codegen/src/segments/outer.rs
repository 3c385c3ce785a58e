//! Loops around innermost ones, in segments too.
//!
//! A row `a[(t + i) % m]` of a loop over j is looked up once for each i. Where rows are short that is felt, and no row wraps around
//! for long:
//!
//! ```c
//! for (; i <= last_i; i++)
//!   for (int j = 0; j < n; j++)
//!     a[a_at0 + i][j] = …
//! ```
//!
//! Only subscripts that innermost loops use are worth it, and only in the loop right around them, and where they cannot go on from turn to turn
//! (`rotating.rs`).

use super::inside::Inside;
use super::parts::Part;
use super::pointed::PointedRows;
use super::window::Window;
use super::{Known, Segments};
use crate::accesses::{Accesses, View};
use crate::edit::{Edit, Edits};
use crate::idle::Gone;
use crate::rows::Rows;
use crate::slow::{Uncut, note_whole};
use crate::subscript::Positions;
use polyfold_isl::Result;
use polyfold_scop::{Loop, Node};

/// The loops of a scop, or of a loop in it.
pub(super) struct Nest<'a> {
    pub(super) accesses: &'a Accesses<'a>,
    /// Statements that are taken away.
    pub(super) gone: &'a Gone,
    /// Whether loops with such statements may have segments, and loops that declare variables.
    pub(super) any_body: bool,
    /// All changes of the scop, loops as they are.
    pub(super) edits: &'a Edits,
    /// What loops around have names for.
    pub(super) known: Known,
}

impl Nest<'_> {
    /// New text for loops, one in another aside.
    pub(super) fn loops_of(&self, nodes: &[Node]) -> Result<Vec<Edit>> {
        let mut found = Vec::new();
        for node in nodes {
            match node {
                Node::Loop(l) => found.extend(self.loops_in(l)?),
                Node::Guard(g) => {
                    found.extend(self.loops_of(&g.then)?);
                    found.extend(self.loops_of(&g.otherwise)?);
                }
                Node::Statement(_) => {}
            }
        }
        Ok(found)
    }

    pub(super) fn loops_in(&self, node: &Loop) -> Result<Vec<Edit>> {
        if let Some(edits) = self.loop_with_staying(node)? {
            return Ok(edits);
        }
        let inside = Inside::of(node, self);
        let segments = match Segments::of(self, &inside) {
            Ok(segments) => segments,
            Err(whole) => {
                self.note_if_innermost(&inside, &whole)?;
                return self.loops_of(&node.body);
            }
        };
        let notes = &self.accesses.notes;
        if inside.levels == 0 && segments.can_be_split() {
            let edit = notes.of_taken(|| segments.edit())?;
            if edit.is_none() {
                self.note_if_innermost(&inside, &Uncut::Other)?;
            }
            return Ok(edit.into_iter().collect());
        }
        segments.why_not_split().map_or(Ok(()), |whole| self.note_if_innermost(&inside, &whole))?;
        match notes.of_taken(|| segments.around_others(self, inside.levels))? {
            Some(edit) => Ok(vec![edit]),
            None => self.loops_of(&node.body),
        }
    }

    /// Notes what innermost loops divide for if all loops stay as they are.
    pub(super) fn stay_whole(&self, nodes: &[Node]) -> Result<()> {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    self.note_if_innermost(&Inside::of(l, self), &Uncut::Other)?;
                    self.stay_whole(&l.body)?;
                }
                Node::Guard(g) => {
                    self.stay_whole(&g.then)?;
                    self.stay_whole(&g.otherwise)?;
                }
                Node::Statement(_) => {}
            }
        }
        Ok(())
    }

    /// Notes what a loop that stays as it is divides for, if it has none inside.
    fn note_if_innermost(&self, inside: &Inside, whole: &Uncut) -> Result<()> {
        if inside.levels > 0 {
            return Ok(());
        }
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&inside.statements), positions, rows, part: None };
        let is_known = |text: &str| self.known.positions.0.contains_key(text);
        note_whole(self.accesses, inside.node, &view, is_known, whole)
    }
}

impl Segments<'_> {
    /// A loop around others; `None`: it has no subscripts of its own.
    fn around_others(&self, nest: &Nest, levels: usize) -> Result<Option<Edit>> {
        let notes = &self.accesses.notes;
        if self.can_be_split() {
            if let Some(edit) = notes.of_taken(|| self.rotating(nest))? {
                return Ok(Some(edit));
            }
            if levels == 1
                && let Some(edit) = notes.of_taken(|| self.around(nest))?
            {
                return Ok(Some(edit));
            }
        }
        self.holding(nest)
    }

    /// A loop around others in segments, with these as they are written then; `None`: none of its rows wraps around.
    fn around(&self, nest: &Nest) -> Result<Option<Edit>> {
        let windows = self.windows_around()?;
        if windows.is_empty() || !self.has_accesses_alone(nest.edits)? {
            return Ok(None);
        }
        let mut known = self.known.clone();
        let moving = Window::positions(&windows, self.head.counter);
        known.positions.0.extend(moving.0.clone());
        known.names.extend(windows.iter().map(|window| window.name.clone()));
        let inner = Nest { known, ..*nest }.loops_of(&self.inside.node.body)?;
        let (whole, last) = (Part::default(), format!("last_{}", self.head.counter));
        let mut own = self.rewritten(&moving, &PointedRows::default(), &whole)?;
        for edit in inner {
            own.drop_inside(std::slice::from_ref(&edit.span));
            own.push(edit);
        }
        let body = self.body_with(&own);
        let text = self.segments(&windows, &body, &whole, (&self.indent(), &last));
        let (first, condition) = (self.head.first, &self.head.condition);
        let text = format!("for ({first}; {condition}; ) {text}");
        Ok(Some(Edit { span: self.inside.node.span.clone(), text }))
    }

    /// Whether nothing but accesses changes in the loop.
    pub(super) fn has_accesses_alone(&self, edits: &Edits) -> Result<bool> {
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        let (own, _) = self.accesses.rewritten(&view)?;
        let span = &self.inside.node.span;
        let mut inside = edits.spans().filter(|other| span.start <= other.start && other.end <= span.end);
        Ok(inside.all(|other| own.spans().any(|own| own == other)))
    }
}
