//! Statements in memory of their own, as C.
//!
//! ```text
//! with A_local { copy … ; the statement; copy … }    is    {
//!                                                            /* A[x] lives in A_local[x - k] */
//!                                                            double A_local[n];
//!                                                            for (…) A_local[…] = A[…];
//!                                                            the statement
//!                                                          }
//! ```
//!
//! The idea: such a statement has its source's own text, but for its accesses. Where several versions stand under conditions, the last
//! one may be the statement as it was.
//!
//! Compilers warn of what nobody reads, and of a variable that may have no value: the first is mentioned, the second begins with 0.

use crate::Unprintable;
use crate::expression::Expressions;
use crate::ranges::Ranges;
use crate::reshaped::Reshaped;
use crate::source::{Changed, Printer};
use polyfold_program::{BufferId, Cond, Home, Level, Loop, Program, StatementId, Stmt, With, Written};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What C has to be told of such memory.
#[derive(Clone, Copy)]
pub struct Memory<'a> {
    /// What it says of a buffer besides its type, name and extents.
    pub declaration: &'a dyn Fn(BufferId) -> Declaration,
    /// What copies cells that lie side by side, if not `memcpy`.
    pub calls: Option<Calls<'a>>,
}

impl Memory<'_> {
    /// Nothing.
    pub fn plain() -> Memory<'static> {
        Memory { declaration: &|_| Declaration::default(), calls: None }
    }
}

/// Functions that copy cells, and go on for a while.
#[derive(Clone, Copy)]
pub struct Calls<'a> {
    /// `get(&local, &global, bytes, tag)`
    pub get: &'a str,
    /// `put(&global, &local, bytes, tag)`
    pub put: &'a str,
    /// `wait(tag)`
    pub wait: &'a str,
}

/// What C says of a buffer besides its type, name and extents.
#[derive(Clone, Debug, Default)]
pub struct Declaration {
    /// On lines of its own above.
    pub above: String,
    /// In front of the type.
    pub before: String,
    /// Behind the extents.
    pub behind: String,
}

impl<'a> Expressions<'a> {
    /// The same where something is known.
    pub(crate) fn where_known(&self, known: &[Cond]) -> Expressions<'a> {
        let ranges = match known {
            [] => Rc::clone(&self.ranges),
            known => {
                let context = self.program.context.iter().chain(known).cloned().collect();
                Rc::new(Ranges::of(&Program { context, ..self.program.clone() }))
            }
        };
        Expressions { ranges, moved: Vec::new(), outside: Rc::clone(&self.outside), ..*self }
    }

    /// Declarations of buffers that are there for some statements, on lines behind an indent.
    pub(crate) fn declarations(&self, memory: &Memory, own: &With, indent: &str) -> Result<String, Unprintable> {
        let mut lines = String::new();
        for id in &own.buffers {
            let buffer = &self.program.buffers[id.0];
            let extents = buffer.extents.iter().map(|extent| {
                let extent = extent.as_ref().ok_or(Unprintable::Extent)?;
                Ok(format!("[{}]", self.value_of(extent)))
            });
            let extents: String = extents.collect::<Result<_, Unprintable>>()?;
            let Declaration { above, before, behind } = (memory.declaration)(*id);
            let begins = if buffer.extents.is_empty() && !is_set_at_once(&own.body, *id) { " = 0" } else { "" };
            let name = &buffer.name;
            above.lines().for_each(|line| lines.push_str(&format!("{indent}{line}\n")));
            lines.push_str(&format!("{indent}{before}{} {name}{extents}{behind}{begins};\n", buffer.element));
            if !own.body.iter().any(|stmt| stmt.reads(*id)) {
                lines.push_str(&format!("{indent}(void){name};\n"));
            }
        }
        Ok(lines)
    }

    /// Mentions of arrays from outside that some statements of the source used, and that nobody uses any more.
    pub(crate) fn mentions(&self, source: &Program, own: &[Stmt], indent: &str) -> String {
        let ids: BTreeSet<StatementId> = own.iter().flat_map(Stmt::assigned).collect();
        let (mut before, mut now) = (BTreeSet::new(), BTreeSet::new());
        let is_own = |stmt: &Stmt| !stmt.assigned().is_disjoint(&ids);
        source.body.iter().for_each(|stmt| {
            stmt.each(&mut |stmt| {
                if is_own(stmt) {
                    stmt.each_use(&mut |_, id| _ = before.insert(id));
                }
            });
        });
        self.program.body.iter().for_each(|stmt| stmt.each(&mut |stmt| stmt.each_use(&mut |_, id| _ = now.insert(id))));
        let gone = before.difference(&now).map(|id| &self.program.buffers[id.0]);
        gone.filter(|own| own.home != Home::Inside).map(|own| format!("{indent}(void){};\n", own.name)).collect()
    }
}

/// A statement of the source and its text, which is as deep as it was there.
#[derive(Clone, Copy)]
pub(crate) struct Own<'s> {
    pub(crate) stmt: &'s Stmt,
    pub(crate) written: &'s Written,
    pub(crate) indent: &'s str,
}

impl<'a> Printer<'a> {
    fn where_known(&self, known: &[Cond]) -> Printer<'a> {
        Printer { expressions: self.expressions.where_known(known), ..*self }
    }

    /// A statement of the source that runs in memory of its own, in braces or under a condition.
    pub(crate) fn in_memory(&self, own: Own, now: &With, (is_open, indent): (bool, &str)) -> Changed {
        if matches!(own.stmt, Stmt::With(own) if own == now) {
            return Ok(None);
        }
        let printer = self.where_known(&now.known);
        Ok(Some(match &now.body[..] {
            [asked] if now.buffers.is_empty() && is_versions(asked) => {
                let inner = if is_open { format!("{indent}  ") } else { indent.to_string() };
                let text = printer.versions(own, asked, &inner)?;
                // An `else` behind it is another one's.
                if is_open { format!("{{\n{inner}{text}\n{indent}}}") } else { text }
            }
            [_] if now.buffers.is_empty() => printer.beside(own, &now.body, indent)?.trim().to_string(),
            _ => printer.block(own, now, indent)?,
        }))
    }

    fn versions(&self, own: Own, asked: &Stmt, indent: &str) -> Result<String, Unprintable> {
        let Stmt::If { cond, then, other } = asked else { return Err(Unprintable::Order) };
        let branch = |list: &[Stmt]| match list {
            [Stmt::With(with)] => self.where_known(&with.known).block(own, with, indent),
            list => self.block(own, &With { body: list.to_vec(), ..With::default() }, indent),
        };
        let head = format!("if ({}) {}", self.expressions.cond(cond, None).within(Level::Whole), branch(then)?);
        Ok(match &other[..] {
            [] => head,
            [next] if is_versions(next) => format!("{head} else {}", self.versions(own, next, indent)?),
            other => format!("{head} else {}", branch(other)?),
        })
    }

    fn block(&self, own: Own, with: &With, indent: &str) -> Result<String, Unprintable> {
        let inner = format!("{indent}  ");
        let declared = self.expressions.declarations(&self.expressions.additions.memory, with, &inner)?;
        Ok(format!("{{\n{declared}{}{indent}}}", self.beside(own, &with.body, &inner)?))
    }

    /// A statement of the source, with what is added in front of it and behind.
    fn beside(&self, own: Own, list: &[Stmt], indent: &str) -> Result<String, Unprintable> {
        let is_own = |stmt: &Stmt| !self.comes(stmt);
        let (first, last) = (list.iter().position(is_own), list.iter().rposition(is_own));
        let (first, last) = first.zip(last).ok_or(Unprintable::Order)?;
        let added = |list: &[Stmt]| -> Result<String, Unprintable> {
            list.iter().map(|stmt| Ok(format!("{indent}{}\n", self.expressions.added(stmt, indent)?))).collect()
        };
        let (before, behind) = (added(&list[..first])?, added(&list[last + 1..])?);
        let now = &list[first..=last];
        let text = match (own.stmt, now) {
            (_, [Stmt::With(now)]) => {
                let changed = self.in_memory(own, now, (false, indent))?;
                changed.unwrap_or_else(|| own.moved(&own.written.whole, indent))
            }
            (Stmt::For(before), [Stmt::For(tiles)]) if tiles.counter != before.counter => {
                self.over_tiles(own, tiles, indent)?
            }
            (Stmt::With(block), now) => {
                let written = own.written.parts.get(1).ok_or(Unprintable::Order)?;
                let changed = self.list((&block.body, written), now, own.indent)?;
                own.moved(changed.as_ref().unwrap_or(&written.whole), indent)
            }
            (stmt, [now]) => {
                let changed = self.stmt((stmt, own.written), now, (false, own.indent))?;
                own.moved(changed.as_ref().unwrap_or(&own.written.whole), indent)
            }
            _ => return Err(Unprintable::Order),
        };
        let is_innermost = !now.iter().any(|stmt| stmt.any(&|stmt| matches!(stmt, Stmt::With(_))));
        let mentions = self.expressions.mentions(self.source.program, if is_innermost { now } else { &[] }, indent);
        Ok(format!("{before}{mentions}{indent}{text}\n{behind}"))
    }

    /// A loop over tiles around a loop of the source.
    pub(crate) fn over_tiles(&self, own: Own, tiles: &Loop, indent: &str) -> Result<String, Unprintable> {
        let (head, inner) = (self.expressions.new_head(tiles)?, format!("{indent}  "));
        Ok(match &tiles.body[..] {
            [Stmt::For(next)] => format!("{head}\n{inner}{}", self.over_tiles(own, next, &inner)?),
            [Stmt::With(now)] if !now.buffers.is_empty() => {
                format!("{head} {}", self.where_known(&now.known).block(own, now, indent)?)
            }
            body => format!("{head} {{\n{}{indent}}}", self.beside(own, body, &inner)?),
        })
    }

    /// A loop of the source that goes through the iterations of a tile.
    pub(crate) fn in_a_tile(&self, own: Reshaped, now: &Loop) -> Result<String, Unprintable> {
        let [head, body] = &own.written.parts[..] else { return Err(Unprintable::Order) };
        if !head.mentions(1) || now.parallel || now.vector || now.step != own.before.step {
            return Err(Unprintable::Order);
        }
        let changed = self.list((&own.before.body, body), &now.body, own.around)?;
        let inside = changed.as_ref().unwrap_or(&body.whole);
        Ok(format!("for ({} {}){}{inside}", self.bounds(own, now)?, head.parts[1].whole, own.gap()))
    }
}

impl Own<'_> {
    /// Its text, as deep as an indent.
    fn moved(&self, text: &str, indent: &str) -> String {
        let deeper = indent.strip_prefix(self.indent).unwrap_or("  ");
        // A literal goes on in the next line.
        if text.contains("\\\n") { text.trim().to_string() } else { text.trim().replace('\n', &format!("\n{deeper}")) }
    }
}

/// Whether a condition chooses between versions of statements, and isn't one of theirs.
fn is_versions(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::If { then, .. } if matches!(&then[..], [Stmt::With(_)]))
}

/// Whether a variable gets a value before anything else is done with it, whatever holds.
fn is_set_at_once(list: &[Stmt], variable: BufferId) -> bool {
    let first = list.iter().find(|stmt| stmt.any(&|stmt| uses_itself(stmt, variable)));
    matches!(first, Some(Stmt::Copy(own)) if own.to.buffer == variable)
}

fn uses_itself(stmt: &Stmt, buffer: BufferId) -> bool {
    let mut found = false;
    stmt.each_use(&mut |_, id| found |= id == buffer);
    found
}
