//! Regions of one text as blocks of its program.
//!
//! ```text
//! for (k …) {            with A_local {
//!   x = 0;                 copy …;
//!   with { region }   =>   for (k …) { x = 0; with B_local { copy …; the region; copy … } }
//! }                      }
//! ```
//!
//! The text is a scop in tiles, or what a user tiled by hand: a loop around regions, or one of these.
//! [`copy_in`](polyfold_transform::copy_in) gives each block memory, and `emit` prints what comes out.
//!
//! Several regions may share a loop. There each has its copies, and one test asks whether all of them hold. Otherwise the loop is as it was.
//!
//! Invariant: what is replaced lies apart.

use super::copying::Copying;
use super::frame::{Framed, is_body};
use super::in_tree::InTree;
use super::manner::Transfer;
use super::names::LocalNames;
use super::{Compacted, SUBJECT};
use crate::Dialect;
use crate::fault;
use crate::guard::of_values;
use crate::unused::OnlyHere;
use polyfold_c::code::labels;
use polyfold_emit::{Additions, Calls, Declaration, Edit, Memory, Source, continues_a_line, in_text_of, with_types};
use polyfold_isl::Result;
use polyfold_program::{BufferId, Cond, OtherText, Piece, Program, StatementId, Stmt, Written};
use polyfold_scop::{Pieces, Pinned, Scop, as_it_is};
use std::collections::BTreeSet;

/// Regions of one text.
pub(super) struct Nest<'a> {
    source: &'a str,
    /// The text.
    whole: &'a Scop,
    /// As it was.
    before: Program,
    /// Declarations and lines that go. Where a region stands as it was, so do its declarations.
    gone: Vec<OtherText>,
    regions: Vec<InTree<'a>>,
    /// Pragmas in front of it.
    pragmas: Vec<Edit>,
}

/// The texts that regions stand in, each with their numbers. One without local arrays stands in none.
pub(super) fn nests<'a>(source: &'a str, regions: &'a [Compacted<'a>]) -> Result<Vec<(Vec<usize>, Nest<'a>)>> {
    let is_changed = |region: &Compacted| region.plans.iter().any(|placed| !placed.plan().locals.is_empty());
    let changed: Vec<usize> = (0..regions.len()).filter(|k| is_changed(&regions[*k])).collect();
    changed.iter().try_for_each(|k| regions[*k].check_names())?;
    let texts = changed.chunk_by(|one, next| regions[*one].whole.span == regions[*next].whole.span);
    let nest = |inside: &[usize]| {
        let own: Vec<&Compacted> = inside.iter().map(|k| &regions[*k]).collect();
        Ok((inside.to_vec(), Nest::of(source, &own)?))
    };
    texts.map(nest).collect()
}

impl<'a> Nest<'a> {
    /// Regions of one text.
    fn of(source: &'a str, regions: &[&'a Compacted<'a>]) -> Result<Nest<'a>> {
        let whole = regions.first().ok_or_else(unread)?.whole;
        let mut before = whole.program.clone().ok_or_else(unread)?;
        let (mut own, mut gone, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for region in regions {
            gone.extend(region.gone(source));
            lines.extend(region.pragma_line(source));
            own.push(InTree::new(region, &mut before).ok_or_else(unread)?);
        }
        let is_inside = |edit: &Edit| whole.span.start <= edit.span.start && edit.span.end <= whole.span.end;
        let (lines, pragmas): (Vec<Edit>, Vec<Edit>) = lines.into_iter().partition(is_inside);
        let gone = gone.iter().map(where_changed).chain(lines.iter().map(Edit::as_text)).collect();
        Ok(Nest { source, whole, before, gone, regions: own, pragmas })
    }

    /// How the source writes the text, without what goes, and with mentions of variables.
    fn written(&self, pieces: &Pieces, mentions: &[Edit]) -> Result<Written> {
        let whole = self.whole;
        let texts: Vec<OtherText> = self.gone.iter().cloned().chain(mentions.iter().map(Edit::as_text)).collect();
        let written = whole.written_with(pieces, &texts);
        let written = written.ok_or_else(|| fault("a declaration in this region can't go: it stands in a macro"))?;
        Ok(match whole.order {
            Some(_) => written,
            None => behind(&format!("\n{}", indent_at(self.source, whole.span.start)), written),
        })
    }

    /// The program that the text writes.
    fn program(&self) -> &Program {
        self.whole.order.as_deref().map_or(&self.before, |order| &order.program)
    }

    /// What the nest was, what it is with local arrays, and the new text. `None`: there are none for any sizes.
    pub(super) fn localized(
        &self,
        names: &[&[LocalNames]],
        dialect: Dialect,
    ) -> Result<Option<(Localized, Vec<Edit>)>> {
        let (mut after, mut declarations) = (self.before.clone(), Vec::new());
        let mut order: Vec<usize> = (0..self.regions.len()).collect();
        // What stands in others' loops comes first: these may stand twice then.
        order.sort_by_key(|k| self.regions[*k].outermost().len());
        for k in order {
            let (region, is_all) = (&self.regions[k], self.is_all(&self.regions[k])?);
            let copying = Copying::of(region, self.source)?;
            after = region.copied_in(&after, (&copying, names[k]), is_all, &mut declarations)?.unwrap_or(after);
        }
        if declarations.is_empty() {
            return Ok(None);
        }
        let after = with_types(&after);
        // What the copies take for granted of macros.
        let pinned: Vec<Pinned> = self.regions.iter().flat_map(|region| region.pinned).cloned().collect();
        let first = &mut declarations[0].above;
        *first = of_values(SUBJECT, &pinned).lines(dialect, "", "") + first;
        let edit = Edit { span: self.whole.span.clone(), text: self.printed(&after, &declarations)? };
        let edits = self.pragmas.iter().cloned().chain([edit]).collect();
        Ok(Some((Localized { before: self.program().clone(), after }, edits)))
    }

    /// Whether nothing happens in the loops around a region where its tests fail.
    fn is_all(&self, region: &InTree) -> Result<bool> {
        let span = region.outermost();
        let beginning: Vec<&InTree> =
            self.regions.iter().filter(|own| own.depth() > 0 && own.outermost() == span).collect();
        let of_regions: BTreeSet<StatementId> = beginning.iter().flat_map(|own| own.statements(&self.before)).collect();
        let all = region.statements_around(&self.before);
        let (mut are_idle, mut are_whole, mut tests) = (all.is_subset(&of_regions), true, None);
        for own in beginning {
            let [placed] = own.plans else { return Ok(false) };
            let Some(framed) = Framed::new(own, placed)? else { return Ok(false) };
            let asked: Vec<String> = framed.tests.iter().map(|test| self.asked(test)).collect();
            are_idle &= framed.is_idle()? && tests.get_or_insert_with(|| asked.clone()) == &asked;
            are_whole &= !framed.is_partial();
        }
        Ok(are_idle || are_whole)
    }

    /// What a test asks, by names.
    fn asked(&self, test: &Cond) -> String {
        let body = vec![Stmt::If { cond: test.clone(), then: Vec::new(), other: Vec::new() }];
        Program { body, context: Vec::new(), buffers: Vec::new(), ..self.before.clone() }.to_string()
    }

    fn printed(&self, after: &Program, declarations: &[Declaration]) -> Result<String> {
        self.check_labels(after)?;
        let first = self.before.buffers.len();
        let declaration = |id: BufferId| declarations.get(id.0 - first).cloned().unwrap_or_default();
        let region = self.regions.first().ok_or_else(unread)?;
        let calls = match &region.manner.transfer {
            Transfer::Functions(own) => Some(Calls { get: &own.get, put: &own.put, wait: &own.wait }),
            Transfer::Assignments | Transfer::Memcpy => None,
        };
        let additions = Additions { memory: Memory { declaration: &declaration, calls }, ..Additions::none() };
        let order = self.whole.order.as_deref();
        let after = order.map_or_else(|| after.clone(), |order| order.in_source(after));
        let print = |pieces: &Pieces, mentions: &[Edit]| {
            let source = Source { program: self.program(), written: &self.written(pieces, mentions)? };
            let text = in_text_of(&source, &after, &additions);
            text.map_err(|why| fault(format!("this region's new text can't be printed: {why:?}")))
        };
        let text = print(&as_it_is, &[])?;
        let gone = self.gone.iter().map(|own| own.bytes.clone()).collect();
        let in_file = order.map_or(self.whole, |order| &order.source);
        let only_here = OnlyHere::of(self.source, in_file, gone, BTreeSet::new());
        let lost = only_here.unmentioned(&after, (&text, &|pieces| print(pieces, &[]).ok()));
        let mentions = only_here.behind_declarations(&lost.inside);
        let text = if mentions.is_empty() { text } else { print(&as_it_is, &mentions).unwrap_or(text) };
        if order.is_some() {
            return Ok(text);
        }
        let (text, start) = (text.trim_start().to_string(), self.whole.span.start);
        // An `else` behind it is another one's.
        Ok(match asks(&after.body) && is_body(self.source, start) {
            true => {
                let indent = indent_at(self.source, start);
                format!("{{\n{indent}  {}\n{indent}}}", moved(&text))
            }
            false => text,
        })
    }

    /// No label stands twice.
    fn check_labels(&self, after: &Program) -> Result<()> {
        for region in &self.regions {
            let statement = region.block().statement;
            let mut count = 0;
            let is_it = |stmt: &Stmt| stmt.instance().is_some_and(|(id, _)| id == statement);
            after.body.iter().for_each(|stmt| stmt.each(&mut |stmt| count += usize::from(is_it(stmt))));
            if count > 1 && !labels(self.source, &region.statement).is_empty() {
                let why = "the region would stand twice, in a version for each of two conditions, and it has a label";
                return Err(fault(why));
            }
        }
        Ok(())
    }
}

/// A region's program with local arrays, and without.
pub struct Localized {
    /// As it was, in the loops around that copies stand in front of.
    pub before: Program,
    /// With local arrays.
    pub after: Program,
}

fn unread() -> polyfold_isl::Error {
    fault("this region's statements aren't understood as a whole")
}

/// Whether a list is an `if` that chooses between versions.
fn asks(list: &[Stmt]) -> bool {
    match list {
        [Stmt::With(own)] if own.buffers.is_empty() => asks(&own.body),
        list => matches!(list, [Stmt::If { .. }]),
    }
}

/// White space at the beginning of a place's line.
fn indent_at(source: &str, at: usize) -> &str {
    let line = &source[source[..at].rfind('\n').map_or(0, |n| n + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// A text with its lines but the first two blanks further to the right.
fn moved(text: &str) -> String {
    if continues_a_line(text) { text.to_string() } else { text.replace('\n', "\n  ") }
}

/// A text with another one in front.
fn behind(text: &str, own: Written) -> Written {
    let (pieces, whole) = (vec![Piece::Text(text.to_string())], text.to_string() + &own.whole);
    Written { pieces: pieces.into_iter().chain(own.pieces).collect(), whole, ..own }
}

/// What changes where a region does.
fn where_changed(edit: &Edit) -> OtherText {
    OtherText { where_changed: true, ..edit.as_text() }
}
