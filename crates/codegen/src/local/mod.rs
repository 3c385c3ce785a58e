//! A region in local memory, as C.
//!
//! ```text
//! {
//!   double A_local[n];                                  /* declarations */
//!   for (…) A_local[…] = A[…];                          /* copy in */
//!   the statement, with A_local[…] in place of A[…]
//!   for (…) A[…] = A_local[…];                          /* copy back */
//! }
//! ```
//!
//! The statement stays as the user wrote it, but for its accesses. If a plan holds only for some parameter values, a condition stands in
//! front: with another plan for the other values, or with the statement as it was. Local arrays have the block's scope, so that versions
//! share the stack.
//!
//! Copies that are proved to be right in front of loops stand there, and rotating buffers are filled a turn ahead (`nest`, `frame`, `turns`). The
//! whole of these loops is then what has versions.
//!
//! Invariant: nothing but the pragma and its statement changes, and no plan is printed that is not proved.

mod condition;
mod copying;
mod declared;
mod frame;
mod index;
mod loops;
mod manner;
mod names;
mod nest;
mod runs;
mod turns;
mod types;
mod widths;

pub use frame::loops_in_text;
pub use index::index_text;
pub use manner::{Functions, Manner, Transfer};
pub use names::{LocalNames, names_of};

use crate::Dialect;
use crate::assertions::Assertions;
use crate::edit::{Edit, Edits};
use crate::fault;
use crate::frame::{Frame, labels};
use crate::home::words;
use crate::indent::continues_a_line;
use crate::unused::Unused;
use condition::shortest;
use copying::{Copying, Direction};
use declared::without;
use index::{Expressions, access_text};
use manner::Tag;
use nest::Nest;
use polyfold_compact::{Local, Motion, Plan, Served};
use polyfold_isl::{Result, Set};
use polyfold_prove::{PlacedLocals, positive};
use polyfold_scop::{Access, ArrayId, Pinned, Scop, Span, StatementId};
use types::held_by_stack;

/// A region to be written.
pub struct Compacted<'a> {
    /// The statement as a scop, in the text of `source`.
    pub scop: &'a Scop,
    /// The scop's parameters in isl notation.
    pub parameters: &'a [String],
    /// Bytes of the pragma and the statement behind it.
    pub span: Span,
    /// Bytes of the statement.
    pub statement: Span,
    /// Parameter values that the program may have.
    pub known: &'a Set,
    /// Parameter values for which some statement of the region runs.
    pub running: &'a Set,
    /// Parameter values for which no sum overflows that the region computes.
    pub defined: &'a Set,
    /// The plans, for parameter values that exclude each other.
    pub plans: &'a [PlacedLocals],
    /// Bytes of the loops around that may get new lines, innermost first.
    pub loops: Vec<Span>,
    /// How copies and declarations are written.
    pub manner: &'a Manner,
    /// Values of macros that the plans rest on, and that are asserted in the region.
    pub pinned: &'a [Pinned],
}

/// A scop with regions.
pub struct Around<'a> {
    /// The scop, in front of which declarations may stand.
    pub scop: &'a Scop,
    /// Values of macros that its new text rests on.
    pub pinned: Vec<Pinned>,
}

/// What is made for values of macros.
const SUBJECT: &str = "the copies below were written";

/// One way to run the region.
struct Version {
    /// `None`: in all other cases.
    condition: Option<String>,
    lines: String,
}

/// The text of a file with some regions in local memory.
///
/// # Errors
/// When a name means two things in a region, a text would stand twice that must not, or an expression cannot be printed.
pub fn in_local_memory(source: &str, regions: &[Compacted], around: &[Around], dialect: Dialect) -> Result<String> {
    let names = names_of(source, regions);
    let mut edits = Nest::new(source, regions, &names, dialect)?.edits()?;
    around.iter().for_each(|around| edits.push(in_front(source, around, dialect)));
    Ok(edits.apply(source))
}

/// What a scop takes for granted of macros.
fn in_front(source: &str, around: &Around, dialect: Dialect) -> Edit {
    let Frame { lines, indent, .. } = Frame::of(source, around.scop);
    let assertions = Assertions::of_values(SUBJECT, &around.pinned, dialect);
    Edit { text: assertions.lines(&source[..lines.start], &indent), span: lines.start..lines.start }
}

/// The block of a region, with what it takes for granted of macros at its beginning.
fn asserting(edit: Edit, pinned: &[Pinned], dialect: Dialect) -> Edit {
    let Some(inside) = edit.text.find("{\n").map(|brace| brace + 2) else { return edit };
    let (head, lines) = edit.text.split_at(inside);
    let indent = &lines[..lines.len() - lines.trim_start().len()];
    let assertions = Assertions::of_values(SUBJECT, pinned, dialect).lines("", indent);
    Edit { text: format!("{head}{assertions}{lines}"), ..edit }
}

impl Compacted<'_> {
    /// The region's own text, with copies at each instance. `names`: by plan.
    fn text(&self, source: &str, names: &[LocalNames]) -> Result<String> {
        let indent = indent_at(source, self.span.start);
        let versions = self.versions(source, names, &indent)?;
        if versions.len() > 1 && !labels(source, &self.statement).is_empty() {
            return Err(fault(
                "the region would stand twice, in a version for each of two conditions, and it has a label",
            ));
        }
        let mut text = String::new();
        for (k, Version { condition, lines }) in versions.iter().enumerate() {
            let head = match (k, condition) {
                (0, None) => "{".to_string(),
                (0, Some(condition)) => format!("if ({condition}) {{"),
                (_, Some(condition)) => format!(" else if ({condition}) {{"),
                (_, None) => " else {".to_string(),
            };
            text.push_str(&format!("{head}\n{lines}{indent}}}"));
        }
        // An `else` behind the region is another one's, and compilers warn of an `if` that stands alone behind another one.
        let is_part = !source[..self.span.start].trim_end().ends_with(['{', '}', ';']);
        if is_part && versions.iter().any(|version| version.condition.is_some()) {
            text = format!("{{\n{indent}  {}\n{indent}}}", moved(&text));
        }
        let start = if starts_line(source, self.span.start) { indent } else { String::new() };
        Ok(start + &text)
    }

    /// A parameter that a counter or a variable of the region hides cannot be named there.
    fn check_names(&self) -> Result<()> {
        let counters = self.scop.loops().into_iter().map(|l| l.iterator.clone());
        let inside = self.scop.arrays.iter().filter(|a| a.declaration.as_ref().is_some_and(|d| d.inside_scop));
        let hiding: Vec<String> = counters.chain(inside.map(|a| a.name.clone())).collect();
        match self.scop.parameters.iter().find(|p| hiding.contains(&p.name)) {
            Some(hidden) => Err(fault(format!("`{}` means two things in the region: rename one of them", hidden.name))),
            None => Ok(()),
        }
    }

    fn versions(&self, source: &str, names: &[LocalNames], indent: &str) -> Result<Vec<Version>> {
        let mut versions = Vec::new();
        let mut left = self.known.clone();
        for (placed, names) in self.plans.iter().zip(names) {
            let plan = placed.plan();
            let holds = plan.context.intersect(&positive(plan)?)?.coalesce()?;
            let own = left.intersect(&holds)?.coalesce()?;
            if own.is_empty()? {
                continue;
            }
            let mut rest = left.subtract(&holds)?.intersect(self.defined)?.coalesce()?;
            if !rest.is_empty()? {
                left = left.intersect(&self.of_types()?)?.coalesce()?;
                rest = rest.intersect(&left)?;
            }
            let is_last = rest.is_empty()?;
            let condition = match is_last {
                true => None,
                false => {
                    let expressions = Expressions::new(self, source, (&left, self.defined))?;
                    Some(expressions.condition(&shortest(&holds, &left)?)?)
                }
            };
            versions.push(Version { condition, lines: self.lines(source, (placed, names), &own, indent)? });
            left = rest;
            if is_last {
                return Ok(versions);
            }
        }
        if !left.intersect(self.running)?.is_empty()? {
            versions.push(Version {
                condition: None,
                lines: format!("{indent}  {}\n", moved(&source[self.statement.clone()])),
            });
        }
        Ok(versions)
    }

    /// The values of parameters that their types hold: compilers warn of comparisons that always come out the same.
    fn of_types(&self) -> Result<Set> {
        let bounded = self.scop.parameters.iter().zip(self.parameters);
        let bounded = bounded.filter_map(|(parameter, name)| Some((name, parameter.most?)));
        let facts: Vec<String> = bounded.map(|(name, most)| format!("{} <= {name} <= {most}", -most - 1)).collect();
        let facts = if facts.is_empty() { "true".to_string() } else { facts.join(" and ") };
        Set::read(self.known.context(), &format!("[{}] -> {{ : {facts} }}", self.parameters.join(", ")))
    }

    /// What stands in the region's block.
    fn lines(
        &self,
        source: &str,
        (placed, names): (&PlacedLocals, &LocalNames),
        context: &Set,
        indent: &str,
    ) -> Result<String> {
        let (plan, inner) = (placed.plan(), format!("{indent}  "));
        let writing = Writing::new(self, source, (placed, names), (context, self.defined), &[])?;
        let is_here = |motion: &Motion| matches!(motion, Motion::Inside);
        let mut lines = writing.declarations(&is_here, &inner)?;
        lines.push_str(&writing.turn_begins(&inner)?);
        for array in self.unmentioned(plan)? {
            lines.push_str(&format!("{inner}(void){array};\n"));
        }
        let body = self.rewritten(source, plan, &writing.places, &writing.expressions)?;
        lines.push_str(&format!("{inner}{}\n", moved(&body)));
        lines.push_str(&writing.turn_ends(&inner)?);
        Ok(lines)
    }

    /// Arrays declared elsewhere of which nothing is copied: compilers warn if they are used nowhere.
    fn unmentioned(&self, plan: &Plan) -> Result<Vec<&str>> {
        let mut unmentioned: Vec<&str> = Vec::new();
        let mut copied: Vec<ArrayId> = Vec::new();
        for local in &plan.locals {
            if !local.copies.into.is_empty()? || !local.copies.back.is_empty()? {
                copied.push(local.array);
            }
        }
        for local in plan.locals.iter().filter(|local| !copied.contains(&local.array)) {
            let array = self.scop.array(local.array);
            let is_inside = array.declaration.as_ref().is_some_and(|declared| declared.inside_scop);
            if !is_inside && !unmentioned.contains(&array.name.as_str()) {
                unmentioned.push(&array.name);
            }
        }
        Ok(unmentioned)
    }

    /// The statement's text with other accesses.
    fn rewritten(&self, source: &str, plan: &Plan, names: &LocalNames, expressions: &Expressions) -> Result<String> {
        let fragments = &self.scop.fragments;
        let mut edits = Edits::new();
        let mut inside: Vec<Edits> = fragments.iter().map(|_| Edits::new()).collect();
        for (id, statement) in self.scop.statements.iter().enumerate() {
            // `a[i] += x` reads and writes one place, which a cell that is written has just one of: the write says where.
            let is_said = |access: &Access| {
                access.is_read() && statement.accesses.iter().any(|a| a.is_write() && a.place == access.place)
            };
            for (at, access) in statement.accesses.iter().enumerate().filter(|(_, access)| !is_said(access)) {
                let Some(text) = access_text(self, plan, names, (StatementId(id), at), expressions)? else { continue };
                let into = access.place.fragment.map_or(&mut edits, |f| &mut inside[f.0]);
                into.push(Edit { span: access.place.span.clone(), text });
            }
        }
        for (fragment, inside) in fragments.iter().zip(inside).filter(|(_, inside)| !inside.is_empty()) {
            edits.push(Edit { span: fragment.replaces.clone(), text: inside.apply(&fragment.text) });
        }
        let declared = plan.locals.iter().filter_map(|local| self.scop.array(local.array).declaration.as_ref());
        let inside: Vec<_> = declared.filter(|declaration| declaration.inside_scop).collect();
        without(source, &inside).into_iter().for_each(|edit| edits.push(edit));
        let changed: Vec<Span> = edits.spans().cloned().collect();
        let kept = edits.texts().flat_map(words).map(|(_, word)| word.to_string()).collect();
        let unused = Unused::in_text(source, self.scop, &changed, &kept).mentions_inside();
        let is_here = |edit: &Edit| self.statement.contains(&edit.span.start);
        unused.into_iter().filter(is_here).for_each(|edit| edits.push(edit));
        Ok(edits.apply_within(source, &self.statement))
    }
}

/// A text with its lines but the first two blanks further to the right.
fn moved(text: &str) -> String {
    if continues_a_line(text) { text.to_string() } else { text.replace('\n', "\n  ") }
}

/// Whether a local array is a single variable that is not set at every instance before anything else: compilers warn of its value.
fn begins_unset(local: &Local, context: &Set) -> Result<bool> {
    Ok(local.shape.extents.is_empty() && !context.is_subset(&local.copies.into.params()?)?)
}

/// What is needed to write one version of a region.
struct Writing<'a> {
    region: &'a Compacted<'a>,
    source: &'a str,
    placed: &'a PlacedLocals,
    /// Where besides its context the stack holds the local arrays, and nothing overflows.
    known: Set,
    expressions: Expressions,
    /// The local arrays' names.
    names: &'a LocalNames,
    /// The local arrays, with the numbers of their buffers.
    places: LocalNames,
}

impl<'a> Writing<'a> {
    /// For parameters in a context, where nothing overflows for those in `defined`; `unnamed`: those that have no value there.
    fn new(
        region: &'a Compacted,
        source: &'a str,
        (placed, names): (&'a PlacedLocals, &'a LocalNames),
        (context, defined): (&Set, &Set),
        unnamed: &[String],
    ) -> Result<Writing<'a>> {
        let known = held_by_stack(placed.plan(), defined)?.for_any(unnamed)?;
        let mut expressions = Expressions::new(region, source, (context, &known))?;
        expressions.context = expressions.context.for_any(unnamed)?;
        let with_number = |(name, motion): (&String, &Motion)| match region.buffer_number(motion) {
            Some(number) => format!("{name}[{number}]"),
            None => name.clone(),
        };
        let places = LocalNames { names: names.names.iter().zip(placed.motions()).map(with_number).collect() };
        Ok(Writing { region, source, placed, known, expressions, names, places })
    }

    /// The local arrays, each with its number and motion.
    fn locals(&self) -> impl Iterator<Item = (usize, &'a Local, &'a Motion)> {
        let pairs = self.placed.plan().locals.iter().zip(self.placed.motions());
        pairs.enumerate().map(|(number, (local, motion))| (number, local, motion))
    }

    /// Declarations of the local arrays that move in some way.
    fn declarations(&self, is_here: &dyn Fn(&Motion) -> bool, indent: &str) -> Result<String> {
        // What extents are depends on nothing that changes.
        let changing = index::changing(self.region);
        let context = self.expressions.context.for_any(&changing)?.coalesce()?;
        let known = self.known.for_any(&changing)?;
        let constants = Expressions::new(self.region, self.source, (&context, &known))?;
        let mut lines = String::new();
        for (number, local, _) in self.locals().filter(|(_, _, motion)| is_here(motion)) {
            let array = self.region.scop.array(local.array);
            let place = index_text(local, &array.name, &self.places.names[number], &self.expressions)?;
            let declaration = self.declaration(number, local, &constants)?;
            lines.push_str(&format!("{indent}/* {place} */\n{indent}{declaration}\n"));
            if !self.is_read(local)? {
                lines.push_str(&format!("{indent}(void){};\n", self.names.names[number]));
            }
        }
        Ok(lines)
    }

    /// Whether something reads what a local array holds: compilers warn if nothing does.
    fn is_read(&self, local: &Local) -> Result<bool> {
        let reads = |served: &Served| self.region.scop.statement(served.statement).accesses[served.access].is_read();
        Ok(local.served.iter().any(reads) || !local.copies.back.is_empty()?)
    }

    /// `double A_local[2][n][33];`
    fn declaration(&self, number: usize, local: &Local, constants: &Expressions) -> Result<String> {
        let (array, manner) = (self.region.scop.array(local.array), self.region.manner);
        let extents: Vec<String> = local.shape.extents.iter().map(|e| constants.value(e)).collect::<Result<_>>()?;
        let buffers = self.placed.motions()[number].buffers();
        let all = manner.extents(extents, buffers, array.element_bytes);
        let brackets: String = all.iter().map(|extent| format!("[{extent}]")).collect();
        let space = manner.space.as_ref().map_or(String::new(), |space| format!("{space} "));
        let align = manner.align.map_or(String::new(), |align| format!(" __attribute__((aligned({align})))"));
        let is_unset = brackets.is_empty() && begins_unset(local, &self.expressions.context)?;
        let begins = if is_unset { " = 0" } else { "" };
        Ok(format!("{space}{} {}{brackets}{align}{begins};", array.element, self.names.names[number]))
    }

    /// Lines that copy some cells of a local array.
    fn copied(
        &self,
        (number, local): (usize, &Local),
        (direction, cells, tag): (Direction, &Set, &Tag),
        indent: &str,
    ) -> Result<String> {
        let array = self.region.scop.array(local.array);
        let rows = array.extent_texts.as_ref().filter(|_| array.linearised).and_then(|texts| texts.get(1..));
        if array.linearised && rows.is_none() {
            return Err(fault(format!("nothing says how long the rows of `{}` are", array.name)));
        }
        let copying = Copying {
            local,
            rows: rows.map(|rows| (rows, array.is_narrow)),
            cells,
            direction,
            names: (&array.name, &self.places.names[number]),
            element: (&array.element, array.element_bytes),
            transfer: &self.region.manner.transfer,
            tag,
        };
        copying.lines(&self.expressions, indent)
    }

    fn wait(&self, tag: &Tag, indent: &str) -> String {
        self.region.manner.transfer.wait(tag, indent)
    }
}

/// Whether a line begins at a place.
fn starts_line(source: &str, at: usize) -> bool {
    at == 0 || source[..at].ends_with('\n')
}

/// White space at the beginning of a place's line.
fn indent_at(source: &str, at: usize) -> String {
    let line = &source[source[..at].rfind('\n').map_or(0, |n| n + 1)..];
    let pragma = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    if !pragma.is_empty() || at == source.len() {
        return pragma.to_string();
    }
    // Pragmas often begin their line: what counts is the statement.
    let behind = source[at..].find('\n').map_or("", |n| &source[at + n + 1..]);
    behind[..behind.len() - behind.trim_start_matches([' ', '\t']).len()].to_string()
}
