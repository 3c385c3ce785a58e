//! Regions with the loops around them, as one program each.
//!
//! ```text
//! for (k …) {            with A_local {
//!   x = 0;                 copy …;
//!   with { region }   =>   for (k …) { x = 0; with B_local { copy …; the region; copy … } }
//! }                      }
//! ```
//!
//! A region is a block of a program. Loops around it that copies stand in front of are loops of the program: of a scop in tiles, which is
//! one, or read from what is known around the region. What stands beside a region in such a loop is text between its parts.
//! [`copy_in`](polyfold_transform::copy_in) gives each block memory, and `emit` prints what comes out.
//!
//! Several regions may share a loop. There each has its copies, and one test asks whether all of them hold. Otherwise the loop is as it was.
//!
//! Invariant: what is replaced lies apart.

use super::copying::Copying;
use super::frame::{Framed, is_all_of, is_body};
use super::manner::Transfer;
use super::names::LocalNames;
use super::sizes::Counters;
use super::{Compacted, SUBJECT, indent_at, starts_line};
use crate::Dialect;
use crate::declaration::redeclared;
use crate::fault;
use crate::guard::of_values;
use crate::unused::in_place_of;
use polyfold_c::code::labels;
use polyfold_emit::{Additions, Calls, Declaration, Declarations, Edit, Memory, New, Source, in_text_of, with_types};
use polyfold_isl::Result;
use polyfold_program::{
    BufferId, Cond, Int, Invariant, Level, Local, LocalId, LocalKind, Loop, Piece, Program, Shift, StatementId, Stmt,
    With, Written,
};
use polyfold_scop::{ArrayId, InOrder, LoopAround, Pinned, Scop, Span};
use polyfold_transform::Block;
use std::collections::BTreeSet;
use std::ops::Deref;

/// A region in a program.
pub(super) struct InTree<'a> {
    region: &'a Compacted<'a>,
    /// Where the numbers of its names begin.
    pub(super) shift: Shift,
    /// What its sizes are.
    pub(super) values: Vec<Int>,
    /// The counters of the loops that copies stand in front of, innermost first.
    counters: Vec<LocalId>,
}

impl<'a> Deref for InTree<'a> {
    type Target = Compacted<'a>;

    fn deref(&self) -> &Compacted<'a> {
        self.region
    }
}

impl<'a> InTree<'a> {
    fn new(region: &'a Compacted<'a>, shift: Shift) -> InTree<'a> {
        let size = |k| shift.leaf(&Int::Parameter(polyfold_program::ParameterId(k)));
        InTree { region, shift, values: (0..region.parameters.len()).map(size).collect(), counters: Vec::new() }
    }

    pub(super) fn buffer(&self, id: ArrayId) -> BufferId {
        BufferId(self.shift.buffers + id.0)
    }

    pub(super) fn statement(&self, id: polyfold_scop::StatementId) -> StatementId {
        self.shift.statement(StatementId(id.0))
    }

    /// The statements that it is made of.
    fn body(&self) -> impl Iterator<Item = &Stmt> {
        self.scop.program.iter().flat_map(|program| &program.body)
    }

    /// Where it is.
    pub(super) fn block(&self) -> Block<'_> {
        let first = self.body().flat_map(Stmt::assigned).next().unwrap_or(StatementId(0));
        Block { statement: self.shift.statement(first), loops: &self.counters }
    }

    /// The loops around that are loops of the program, innermost first.
    pub(super) fn loops_inside(&self) -> impl Iterator<Item = &LoopAround> {
        self.scop.surroundings.iter().flat_map(|around| &around.loops).take(self.depth())
    }
}

/// Regions of one text.
pub(super) struct Nest<'a> {
    source: &'a str,
    /// Its bytes.
    span: Span,
    /// As it was.
    before: Program,
    written: Written,
    /// What it has of the source, if it is a scop in tiles.
    order: Option<&'a InOrder>,
    regions: Vec<InTree<'a>>,
}

/// The texts that regions stand in, each with their numbers. One without local arrays stands in none.
pub(super) fn nests<'a>(source: &'a str, regions: &'a [Compacted<'a>]) -> Result<Vec<(Vec<usize>, Nest<'a>)>> {
    let is_changed = |region: &Compacted| region.plans.iter().any(|placed| !placed.plan().locals.is_empty());
    let changed: Vec<usize> = (0..regions.len()).filter(|k| is_changed(&regions[*k])).collect();
    changed.iter().try_for_each(|k| regions[*k].check_names())?;
    let text =
        |k: usize| regions[k].in_tiles.map_or_else(|| regions[k].outermost().clone(), |whole| whole.span.clone());
    let is_in = |own: &Span, k: usize| own.start <= text(k).start && text(k).end <= own.end;
    let is_outermost = |k: &usize| changed.iter().all(|other| text(*other) == text(*k) || !is_in(&text(*other), *k));
    let mut texts: Vec<Span> = changed.iter().filter(|k| is_outermost(k)).map(|k| text(*k)).collect();
    texts.dedup();
    let nest = |span: Span| {
        let inside: Vec<usize> = changed.iter().copied().filter(|k| is_in(&span, *k)).collect();
        let own: Vec<&Compacted> = inside.iter().map(|k| &regions[*k]).collect();
        Ok((inside, Nest::of(source, span, &own)?))
    };
    texts.into_iter().map(nest).collect()
}

impl<'a> Nest<'a> {
    /// Regions in some bytes.
    pub(super) fn of(source: &'a str, span: Span, regions: &[&'a Compacted<'a>]) -> Result<Nest<'a>> {
        if let [Compacted { in_tiles: Some(whole), .. }, ..] = regions {
            return Nest::in_tiles(source, whole, regions);
        }
        let mut reading = Reading { source, before: Program::default(), regions: Vec::new() };
        for region in regions {
            let own = region.scop.program.as_ref().ok_or_else(unread)?;
            let shift = reading.before.append(own);
            reading.regions.push(InTree::new(region, shift));
        }
        let (stmt, written) = reading.node(&span, &(0..regions.len()).collect::<Vec<_>>())?;
        let Reading { mut before, regions, .. } = reading;
        before.body = vec![stmt];
        let indent = Piece::Text(format!("\n{}", indent_at(source, span.start)));
        let written = list(vec![indent, Piece::Part(0)], vec![written]);
        Ok(Nest { source, span, before, written, order: None, regions })
    }

    /// All regions of a scop in tiles.
    fn in_tiles(source: &'a str, whole: &'a Scop, regions: &[&'a Compacted<'a>]) -> Result<Nest<'a>> {
        let (Some(before), Some(order)) = (whole.program.clone(), whole.order.as_deref()) else { return Err(unread()) };
        let mut own = Vec::new();
        let mut gone = Vec::new();
        for region in regions {
            let name = region.scop.statements.first().map(|first| &first.name);
            let first = whole.statements.iter().position(|own| Some(&own.name) == name).ok_or_else(unread)?;
            let mut region = InTree::new(region, Shift { statements: first as isize, ..Shift::default() });
            let counters = counters_around(&before.body, region.block().statement);
            let sizes = region.values.iter_mut().skip(whole.parameters.len());
            sizes.zip(&counters).for_each(|(size, counter)| *size = Int::Local(*counter));
            region.counters = counters.into_iter().rev().take(region.depth()).collect();
            gone.extend(region.gone(source).into_iter().chain(region.pragma_line(source)));
            own.push(region);
        }
        let written = without(&order.written, &gone, whole.span.start)?;
        Ok(Nest { source, span: whole.span.clone(), before, written, order: Some(order), regions: own })
    }

    /// What the nest was, what it is with local arrays, and the new text. `None`: there are none for any sizes.
    pub(super) fn localized(&self, names: &[&[LocalNames]], dialect: Dialect) -> Result<Option<(Localized, Edit)>> {
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
        let edit = Edit { span: self.span.clone(), text: self.printed(&after, &declarations)? };
        let before = self.order.map_or(&self.before, |order| &order.program).clone();
        Ok(Some((Localized { before, after }, edit)))
    }

    /// Whether nothing happens in the loops around a region where its tests fail.
    fn is_all(&self, region: &InTree) -> Result<bool> {
        let span = region.outermost();
        let beginning: Vec<&InTree> =
            self.regions.iter().filter(|own| own.depth() > 0 && own.outermost() == span).collect();
        let spans: Vec<&Span> = beginning.iter().map(|own| &own.span).collect();
        let is_all = is_all_of(self.source, span, &spans);
        let (mut are_idle, mut are_whole, mut tests) = (is_all, true, None);
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
        let program = self.order.map_or(&self.before, |order| &order.program);
        let source = Source { program, written: &self.written };
        let after = self.order.map_or_else(|| after.clone(), |order| order.in_source(after));
        let text = in_text_of(&source, &after, &additions);
        let text = text.map_err(|why| fault(format!("this region's new text can't be printed: {why:?}")))?;
        let scop = Scop { span: self.span.clone(), ..region.scop.clone() };
        let text = in_place_of(self.source, &scop, &text, (Vec::new(), BTreeSet::new())).text;
        if self.order.is_some() {
            return Ok(text);
        }
        let indent = indent_at(self.source, self.span.start);
        // An `else` behind it is another one's.
        let text = match text.trim_start() {
            text if text.starts_with("if") && is_body(self.source, self.span.start) => {
                format!("{{\n{indent}  {}\n{indent}}}", super::moved(text))
            }
            text => text.to_string(),
        };
        let start = if starts_line(self.source, self.span.start) { indent } else { String::new() };
        Ok(start + &text)
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

/// The counters of the loops around a statement's block, outermost first.
fn counters_around(body: &[Stmt], statement: StatementId) -> Vec<LocalId> {
    let (mut list, mut counters) = (body, Vec::new());
    while let Some(stmt) = list.iter().find(|stmt| stmt.assigned().contains(&statement)) {
        match stmt {
            Stmt::With(_) => break,
            Stmt::For(own) => counters.push(own.counter),
            _ => {}
        }
        let has_it = |list: &&[Stmt]| list.iter().any(|stmt| stmt.assigned().contains(&statement));
        list = stmt.lists().into_iter().find(has_it).unwrap_or(&[]);
    }
    counters
}

fn nothing() -> Written {
    let (pieces, parts) = (Vec::new(), Vec::new());
    Written { whole: String::new(), pieces, parts, level: Level::Whole, held: None, is_plain: false }
}

/// Statements between texts.
fn list(pieces: Vec<Piece>, parts: Vec<Written>) -> Written {
    let mut list = Written { pieces, parts, ..nothing() };
    list.whole = list.pieces.iter().map(|piece| list.text(piece, &[])).collect();
    list
}

/// A loop, a condition or a block that is all in its body's text.
fn around(body: Written) -> Written {
    list(vec![Piece::Part(0), Piece::Part(1)], vec![nothing(), body])
}

/// A text without some parts, whose places are those of the file.
fn without(written: &Written, gone: &[Edit], begin: usize) -> Result<Written> {
    let gone: Vec<_> =
        gone.iter().map(|edit| (edit.span.start - begin..edit.span.end - begin, edit.text.clone())).collect();
    written.with_texts(&gone).ok_or_else(|| fault("a declaration in this region can't go: it stands in a macro"))
}

impl InTree<'_> {
    /// Declarations of arrays that live in local ones only.
    fn gone(&self, source: &str) -> Vec<Edit> {
        let local: BTreeSet<usize> =
            self.plans.iter().flat_map(|placed| &placed.plan().locals).map(|local| local.array.0).collect();
        let declared = local.iter().filter_map(|k| self.scop.arrays[*k].declaration.as_ref());
        let mut declarations = Declarations::default();
        declared
            .filter(|own| own.inside_scop)
            .for_each(|own| declarations.redeclare(redeclared(own, New::Nothing, Vec::new())));
        declarations.edits(source).into_iter().collect()
    }

    /// The line of the pragma in front of it.
    fn pragma_line(&self, source: &str) -> Option<Edit> {
        let pragma = &self.pragma;
        let end = source[pragma.end..].find('\n').map_or(source.len(), |at| pragma.end + at + 1);
        let start = source[..pragma.start].rfind('\n').map_or(0, |at| at + 1);
        source[pragma.start..].starts_with('#').then(|| Edit { span: start..end, text: String::new() })
    }
}

/// Reads loops around regions.
struct Reading<'a> {
    source: &'a str,
    before: Program,
    regions: Vec<InTree<'a>>,
}

impl Reading<'_> {
    /// A loop around some regions, or one of these alone.
    fn node(&mut self, span: &Span, inside: &[usize]) -> Result<(Stmt, Written)> {
        if let [k] = inside
            && self.regions[*k].span == *span
        {
            return self.region(*k);
        }
        let head = self.head(span, inside)?;
        let (mut pieces, mut parts, mut body, mut at) = (Vec::new(), Vec::new(), Vec::new(), span.start);
        for (part, own) in self.parts(span, inside) {
            let (mut stmt, mut written) = self.node(&part, &own)?;
            let indent =
                if starts_line(self.source, part.start) { indent_at(self.source, part.start) } else { String::new() };
            let is_indented = self.source[part.clone()].starts_with(char::is_whitespace);
            let mut gap = vec![Piece::Text(format!(
                "{}{}",
                &self.source[at..part.start],
                if is_indented { "" } else { &indent }
            ))];
            for cond in self.guards(span, &own)? {
                gap.push(Piece::Part(0));
                written = around(list(std::mem::take(&mut gap), vec![written]));
                stmt = Stmt::If { cond, then: vec![stmt], other: Vec::new() };
            }
            pieces.append(&mut gap);
            pieces.push(Piece::Part(parts.len()));
            parts.push(written);
            body.push(stmt);
            at = part.end;
        }
        pieces.push(Piece::Text(self.source[at..span.end].to_string()));
        Ok((Stmt::For(Loop { body, ..head }), around(list(pieces, parts))))
    }

    /// A loop, whose counter is one of the program now.
    fn head(&mut self, span: &Span, inside: &[usize]) -> Result<Loop> {
        let counter = LocalId(self.before.locals.len());
        let mut head = None;
        for k in inside {
            let region = &mut self.regions[*k];
            let Some(depth) = region.depth_at(span) else { continue };
            let around = region.loops_inside().nth(depth).ok_or_else(unread)?.clone();
            let size = &self.before.parameters[region.shift.parameters + around.counter.0];
            let local = Local { name: size.name.clone(), kind: LocalKind::Integer, held: size.held };
            region.counters.insert(0, counter);
            region.values[around.counter.0] = Int::Local(counter);
            let first = around.first.in_program().ok_or_else(unread)?;
            let of = |e: &Int| region.in_tree(&region.with_products(e), &Counters::Same);
            let loop_around = Loop {
                counter,
                declares: true,
                first: Some(of(&first)),
                test: around.test.with_leaves(&mut |e| of(e)),
                step: Some(around.step),
                parallel: false,
                vector: false,
                invariant: Invariant::default(),
                body: Vec::new(),
            };
            head.get_or_insert((local, loop_around));
        }
        let (local, head) = head.ok_or_else(unread)?;
        self.before.locals.push(local);
        Ok(head)
    }

    /// The loops and regions right inside of a loop, each with the regions in it.
    fn parts(&self, span: &Span, inside: &[usize]) -> Vec<(Span, Vec<usize>)> {
        let mut parts: Vec<(Span, Vec<usize>)> = Vec::new();
        for k in inside {
            let region = &self.regions[*k].span;
            let loops =
                inside.iter().flat_map(|other| self.regions[*other].loops.iter().take(self.regions[*other].depth()));
            let is_around = |own: &&Span| own.start <= region.start && region.end <= own.end && own.len() < span.len();
            let Some(own) = loops.chain([region]).filter(is_around).max_by_key(|own| own.len()) else { continue };
            match parts.iter_mut().find(|(other, _)| other == own) {
                Some((_, list)) => list.push(*k),
                None => parts.push((own.clone(), vec![*k])),
            }
        }
        parts.sort_by_key(|(own, _)| own.start);
        parts
    }

    /// When one gets from an iteration of a loop to a part of it, innermost first.
    fn guards(&self, span: &Span, inside: &[usize]) -> Result<Vec<Cond>> {
        let with = inside.iter().find_map(|k| Some((&self.regions[*k], self.regions[*k].depth_at(span)?)));
        let Some((region, depth)) = with else { return Ok(Vec::new()) };
        let of = |cond: Cond| cond.with_leaves(&mut |e| region.in_tree(&region.with_products(e), &Counters::Same));
        let guards = region.loops_inside().nth(depth).into_iter().flat_map(|around| &around.guards);
        guards.map(|guard| guard.in_program().map(of)).collect::<Option<_>>().ok_or_else(unread)
    }

    /// The block of a region, whose text is that of its statement.
    fn region(&mut self, k: usize) -> Result<(Stmt, Written)> {
        let region = &self.regions[k];
        let written = region.scop.written.as_ref().ok_or_else(unread)?;
        let written = without(written, &region.gone(self.source), region.scop.span.start)?;
        let of = |e: &Int| region.parameter(e);
        let body = region.body().map(|stmt| region.shift.stmt(stmt).with_leaves(&mut |e| of(e))).collect();
        let whole = self.source[region.statement.clone()].to_string();
        Ok((Stmt::With(With { body, ..With::default() }), Written { whole, ..around(written) }))
    }
}

impl InTree<'_> {
    /// In front of which of the region's loops, counted from the innermost one, copies stand.
    fn depth_at(&self, span: &Span) -> Option<usize> {
        self.loops.iter().take(self.depth()).position(|own| own == span)
    }

    /// A size of the program that is a counter there.
    fn parameter(&self, e: &Int) -> Int {
        match e {
            Int::Parameter(id) if id.0 >= self.shift.parameters => {
                self.values.get(id.0 - self.shift.parameters).cloned().unwrap_or_else(|| e.clone())
            }
            e => e.clone(),
        }
    }
}
