//! The text of one region in local memory, printed from its program.
//!
//! What stands in front of loops around the region is printed by itself: the loops keep their text, which only `nest` changes.

use super::manner::Transfer;
use super::nest::Part;
use super::{indent_at, moved, starts_line};
use crate::declaration::Declarations;
use crate::fault;
use crate::frame::labels;
use crate::unused::Mentioned;
use polyfold_emit::{Calls, Declaration, LocalText, Source, Unprintable};
use polyfold_isl::{Error, Result};
use polyfold_program::{Cond, LocalId, Program, Stmt, With, Written};
use polyfold_scop::{Scop, Span};
use std::collections::BTreeSet;

/// What is printed of one region.
pub(super) struct PartText<'a> {
    source: &'a str,
    part: &'a Part<'a>,
    /// The source's text, without declarations of arrays that live in local ones only.
    written: Written,
}

impl<'a> PartText<'a> {
    pub(super) fn of(source: &'a str, part: &'a Part<'a>) -> Result<PartText<'a>> {
        let scop = part.region.scop;
        let written = scop.written.as_ref().ok_or_else(|| fault("this region's text isn't understood as a whole"))?;
        let local: BTreeSet<usize> =
            part.region.plans.iter().flat_map(|placed| &placed.plan().locals).map(|local| local.array.0).collect();
        let inside = local.iter().filter_map(|k| scop.arrays[*k].declaration.as_ref()).filter(|own| own.inside_scop);
        let mut declarations = Declarations::default();
        inside.for_each(|own| declarations.without(own));
        let gone = declarations.edits(source).into_iter();
        let begin = scop.span.start;
        let gone: Vec<_> = gone.map(|edit| (edit.span.start - begin..edit.span.end - begin, edit.text)).collect();
        let kept = || fault("a declaration in this region can't go: it stands in a macro");
        Ok(PartText { source, part, written: written.with_texts(&gone).ok_or_else(kept)? })
    }

    fn printed<T>(&self, print: impl FnOnce(&LocalText) -> std::result::Result<T, Unprintable>) -> Result<T> {
        let Part { region, localized, .. } = self.part;
        let first = localized.before.buffers.len();
        let declaration =
            |id: polyfold_program::BufferId| -> Declaration { localized.declarations[id.0 - first].clone() };
        let calls = match &region.manner.transfer {
            Transfer::Functions(own) => Some(Calls { get: &own.get, put: &own.put, wait: &own.wait }),
            Transfer::Assignments | Transfer::Memcpy => None,
        };
        let source = Source { program: &localized.inside, written: &self.written };
        let whole = &self.source[region.statement.clone()];
        print(&LocalText::new((source, whole), &localized.after, &declaration, calls)).map_err(unprintable)
    }

    /// The region's own block, or one for each of its versions.
    pub(super) fn region(&self) -> Result<String> {
        let Part { region, localized, .. } = self.part;
        let (indent, statement) = (indent_at(self.source, region.span.start), &region.statement);
        let list = region.inside(&localized.after);
        let is_conditional = self.printed(|text| Ok(text.has_versions(list)))?;
        let stands_twice = matches!(list, [Stmt::If { other, .. }] if is_conditional && !other.is_empty());
        if stands_twice && !labels(self.source, statement).is_empty() {
            return Err(fault(
                "the region would stand twice, in a version for each of two conditions, and it has a label",
            ));
        }
        let text = self.printed(|text| text.block(list, &indent))?;
        let mut text = self.mentioning(text);
        // An `else` behind the region is another one's, and compilers warn of an `if` that stands alone behind another one.
        if is_conditional && !self.source[..region.span.start].trim_end().ends_with(['{', '}', ';']) {
            text = format!("{{\n{indent}  {}\n{indent}}}", moved(&text));
        }
        let start = if starts_line(self.source, region.span.start) { indent } else { String::new() };
        Ok(start + &text)
    }

    /// A text with mentions of variables of the region that nothing uses any more.
    fn mentioning(&self, text: String) -> String {
        let scop = Scop { span: self.part.region.statement.clone(), ..self.part.region.scop.clone() };
        Mentioned::in_place_of(self.source, &scop, text, (&[] as &[Span], &BTreeSet::new())).text
    }

    /// A test, among others and alone.
    pub(super) fn test(&self, test: &Cond) -> (String, String) {
        self.printed(|text| Ok(text.cond(test))).unwrap_or_default()
    }

    /// The lines in front of one of the loops, and those behind it.
    pub(super) fn around(&self, depth: usize, indent: &str) -> Result<[String; 2]> {
        let counter = self.part.region.counter(depth - 1);
        let is_loop = |stmt: &Stmt| matches!(stmt, Stmt::For(own) if own.counter == counter);
        let (with, list) = around(&self.part.localized.after, counter);
        let at = list.iter().position(|stmt| stmt.any(&is_loop)).ok_or_else(|| fault("a loop that isn't there"))?;
        self.printed(|text| {
            let declared = with.map_or(Ok(String::new()), |with| text.declarations(with, indent))?;
            Ok([declared + &text.steps(&list[..at], indent)?, text.steps(&list[at + 1..], indent)?])
        })
    }
}

fn unprintable(why: Unprintable) -> Error {
    fault(format!("this region's new text can't be printed: {why:?}"))
}

/// The list that a loop is in, and the buffers that are there for it.
fn around(program: &Program, counter: LocalId) -> (Option<&With>, &[Stmt]) {
    let is_loop = |stmt: &Stmt| matches!(stmt, Stmt::For(own) if own.counter == counter);
    let (mut list, mut with) = (&program.body[..], None);
    while !list.iter().any(is_loop) {
        let Some(next) = list.iter().find(|stmt| stmt.any(&is_loop)) else { break };
        with = if let Stmt::With(own) = next { Some(own) } else { None };
        list = next.lists().into_iter().find(|list| list.iter().any(|stmt| stmt.any(&is_loop))).unwrap_or(&[]);
    }
    (with, list)
}
