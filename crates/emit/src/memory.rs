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
use crate::added::is_added;
use crate::expression::Expressions;
use crate::ranges::Ranges;
use crate::source::{Additions, Printer, Source};
use polyfold_program::{BufferId, Cond, Home, Level, Program, Stmt, With};
use std::collections::BTreeSet;
use std::rc::Rc;

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
    /// On a line of its own above.
    pub above: String,
    /// In front of the type.
    pub before: String,
    /// Behind the extents.
    pub behind: String,
}

/// A program in memory of its own, as text.
pub struct LocalText<'a> {
    source: Source<'a>,
    /// The text of the statements as they were.
    whole: &'a str,
    program: &'a Program,
    declaration: &'a dyn Fn(BufferId) -> Declaration,
    calls: Option<Calls<'a>>,
}

impl<'a> LocalText<'a> {
    /// `source`: the statements without such memory, and how they are written where they have it; `whole`: their text as they were;
    /// `after`: the same with such memory, and with types for its counters.
    pub fn new(
        (source, whole): (Source<'a>, &'a str),
        after: &'a Program,
        declaration: &'a dyn Fn(BufferId) -> Declaration,
        calls: Option<Calls<'a>>,
    ) -> LocalText<'a> {
        LocalText { source, whole, program: after, declaration, calls }
    }

    /// A condition, as one of several that have to hold, and alone.
    pub fn cond(&self, cond: &Cond) -> (String, String) {
        let within = |level| self.with_printer(|printer| printer.expressions.cond(cond, None).within(level));
        (within(Level::And), within(Level::Whole))
    }

    /// Steps that copies are made of, each on lines behind an indent.
    ///
    /// # Errors
    /// When something in it isn't printed.
    pub fn steps(&self, list: &[Stmt], indent: &str) -> Result<String, Unprintable> {
        self.with_printer(|printer| printer.steps(list, indent))
    }

    /// Declarations of buffers that are there for some statements, on lines behind an indent.
    ///
    /// # Errors
    /// When nobody says how many cells one has.
    pub fn declarations(&self, own: &With, indent: &str) -> Result<String, Unprintable> {
        self.with_printer(|printer| self.declared(printer, own, indent))
    }

    /// The statements of the source among what `list` puts around them, in braces. The first line has no indent.
    ///
    /// # Errors
    /// When something in it isn't printed.
    pub fn block(&self, list: &[Stmt], indent: &str) -> Result<String, Unprintable> {
        self.with_printer(|printer| self.versions(printer, list, indent))
    }

    /// Whether statements stand under a condition that chooses between versions of them.
    pub fn has_versions(&self, list: &[Stmt]) -> bool {
        let is_one = |list: &[Stmt]| matches!(list, [Stmt::With(_)]) || list == self.source.program.body;
        matches!(list, [Stmt::If { then, .. }] if is_one(then))
    }

    fn with_printer<T>(&self, print: impl FnOnce(&Printer) -> T) -> T {
        let select = |_| String::new();
        let additions = Additions { named: &[], promise: "", select: &|_| String::new(), declaration: &|_| None };
        let (program, ranges) = (self.program, Rc::new(Ranges::of(self.program)));
        let expressions =
            Expressions { program, named: &[], ranges, moved: Vec::new(), select: &select, calls: self.calls };
        print(&Printer { expressions, additions: &additions })
    }

    fn versions(&self, printer: &Printer, list: &[Stmt], indent: &str) -> Result<String, Unprintable> {
        let inner = format!("{indent}  ");
        if let [Stmt::If { cond, then, other }] = list
            && self.has_versions(list)
        {
            let head =
                format!("if ({}) {{\n{}{indent}}}", printer.cond_text(cond), self.inside(printer, then, &inner)?);
            return Ok(match other.is_empty() {
                true => head,
                false if self.has_versions(other) => {
                    format!("{head} else {}", self.versions(printer, other, indent)?)
                }
                false => format!("{head} else {}", self.braced(printer, other, indent)?),
            });
        }
        self.braced(printer, list, indent)
    }

    fn braced(&self, printer: &Printer, list: &[Stmt], indent: &str) -> Result<String, Unprintable> {
        Ok(format!("{{\n{}{indent}}}", self.inside(printer, list, &format!("{indent}  "))?))
    }

    /// What stands in braces.
    fn inside(&self, printer: &Printer, list: &[Stmt], indent: &str) -> Result<String, Unprintable> {
        if let [Stmt::With(own)] = list {
            return Ok(self.declared(printer, own, indent)? + &self.inside(printer, &own.body, indent)?);
        }
        let (first, last) = (list.iter().position(is_own), list.iter().rposition(is_own));
        let (first, last) = first.zip(last).ok_or(Unprintable::Order)?;
        let own = printer.list((&self.source.program.body, self.source.written), &list[first..=last], indent)?;
        let own = own.as_deref().unwrap_or(self.whole).trim();
        // A literal goes on in the next line.
        let own = if own.contains("\\\n") { own.to_string() } else { own.replace('\n', "\n  ") };
        let (before, behind) = (printer.steps(&list[..first], indent)?, printer.steps(&list[last + 1..], indent)?);
        let unused: String = self.unused().map(|name| format!("{indent}(void){name};\n")).collect();
        Ok(format!("{before}{unused}{indent}{own}\n{behind}"))
    }

    fn declared(&self, printer: &Printer, own: &With, indent: &str) -> Result<String, Unprintable> {
        let mut lines = String::new();
        for id in &own.buffers {
            let buffer = &self.program.buffers[id.0];
            let extents = buffer.extents.iter().map(|extent| {
                let extent = extent.as_ref().ok_or(Unprintable::Extent)?;
                Ok(format!("[{}]", printer.expressions.value_of(extent)))
            });
            let extents: String = extents.collect::<Result<_, Unprintable>>()?;
            let Declaration { above, before, behind } = (self.declaration)(*id);
            let begins = if buffer.extents.is_empty() && !is_set_at_once(&own.body, *id) { " = 0" } else { "" };
            let name = &buffer.name;
            lines.push_str(&format!("{indent}{above}\n"));
            lines.push_str(&format!("{indent}{before}{} {name}{extents}{behind}{begins};\n", buffer.element));
            if !own.body.iter().any(|stmt| stmt.reads(*id)) {
                lines.push_str(&format!("{indent}(void){name};\n"));
            }
        }
        Ok(lines)
    }

    /// Arrays from outside that nobody uses any more.
    fn unused(&self) -> impl Iterator<Item = &str> {
        let uses = |list: &[Stmt]| {
            let mut all = BTreeSet::new();
            list.iter().for_each(|stmt| stmt.each(&mut |stmt| stmt.each_use(&mut |_, id| _ = all.insert(id))));
            all
        };
        let now = uses(&self.program.body);
        let gone = uses(&self.source.program.body).into_iter().filter(move |id| !now.contains(id));
        let all = gone.map(|id| &self.program.buffers[id.0]).filter(|own| own.home != Home::Inside);
        all.map(|own| &*own.name)
    }
}

impl Printer<'_> {
    fn cond_text(&self, cond: &Cond) -> String {
        self.expressions.cond(cond, None).within(Level::Whole)
    }

    fn steps(&self, list: &[Stmt], indent: &str) -> Result<String, Unprintable> {
        list.iter().map(|stmt| Ok(format!("{indent}{}\n", self.expressions.added(stmt, indent)?))).collect()
    }
}

/// Whether a statement is one of the source's.
fn is_own(stmt: &Stmt) -> bool {
    !is_added(stmt)
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
