//! A file in which scops have other programs.
//!
//! The idea: what stands around a scop is data: declarations that change, lines in front and behind, a test with the program as it was
//! in its other branch. A [`Unit`] has it for all scops of a file, and prints it. All other bytes stay.
//!
//! ```
//! use polyfold_emit::{Dialect, Frame, Line, Surrounded, Unit};
//! let source = "void f(int n) {\n#pragma scop\n  g(n);\n#pragma endscop\n}\n";
//! let scop = source.find("  g(n)").unwrap()..source.find("#pragma endscop").unwrap();
//! let mut unit = Unit::new(source, Dialect::C);
//! let own = Surrounded { text: "  g(0);\n".into(), behind: vec![Line::Mention("n".into())], ..Surrounded::of(Frame::of(source, (&scop, None))) };
//! unit.scops.push(own);
//! assert_eq!(unit.print(), "void f(int n) {\n#pragma scop\n  g(0);\n#pragma endscop\n  (void)n;\n}\n");
//! ```
//!
//! Invariant: no two changes overlap.

mod assertions;
mod declaration;
mod edit;
mod frame;
mod indent;
mod line;
mod lines_apart;
mod removal;
mod told;

pub use assertions::{Assertions, Dialect};
pub use declaration::{New, Redeclared};
pub use edit::{Edit, Edits, in_line_endings_of};
pub use frame::Frame;
pub use indent::continues_a_line;
pub use line::{Constant, ConstantKind, Declarator, Line, attributed};
pub use removal::{removal, stands_in_a_block};
pub use told::Told;

use declaration::{separator, statement_edits};
use indent::{deeper, step};
use lines_apart::with_lines_apart;
use polyfold_c::source::Span;
use std::collections::BTreeMap;

/// A file.
#[derive(Clone, Debug)]
pub struct Unit<'a> {
    source: &'a str,
    dialect: Dialect,
    /// Its scops that have other programs.
    pub scops: Vec<Surrounded>,
    /// What changes outside of them.
    pub declarations: Declarations,
}

/// What takes the place of a scop.
#[derive(Clone, Debug)]
pub struct Surrounded {
    /// Where it stands.
    pub frame: Frame,
    /// What it takes for granted of macros.
    pub assertions: Vec<Assertions>,
    /// The condition on which it runs, in C: otherwise the program as it was does. `None`: always.
    pub test: Option<String>,
    /// In front of it.
    pub front: Vec<Line>,
    /// It, between the pragma lines.
    pub text: String,
    /// Behind it.
    pub behind: Vec<Line>,
    /// In front of the program as it was.
    pub old: Vec<Line>,
    /// Whether pragmas in front are about loops that are gone.
    pub loses_lead: bool,
}

/// Changes of declarations, and of calls that allocate memory.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// By the place of the statement.
    redeclared: BTreeMap<usize, Vec<Redeclared>>,
    edits: Vec<Edit>,
}

impl Declarations {
    /// A declarator becomes another one.
    pub fn redeclare(&mut self, own: Redeclared) {
        self.redeclared.entry(own.statement.start).or_default().push(own);
    }

    /// Some bytes become others.
    pub fn replace(&mut self, span: Span, text: String) {
        self.edits.push(Edit { span, text });
    }

    /// Lines come in front of a statement.
    pub fn insert(&mut self, source: &str, statement: &Span, lines: &[Line]) {
        let separator = separator(source, statement);
        let text = lines.iter().map(|line| line.text() + &separator).collect();
        self.replace(statement.start..statement.start, text);
    }

    /// All changes of a text.
    pub fn edits(&self, source: &str) -> Vec<Edit> {
        let changed = self.redeclared.values().flat_map(|changes| statement_edits(source, changes));
        changed.chain(self.edits.iter().cloned()).collect()
    }
}

impl<'a> Unit<'a> {
    /// A file as it is.
    pub fn new(source: &'a str, dialect: Dialect) -> Unit<'a> {
        Unit { source, dialect, scops: Vec::new(), declarations: Declarations::default() }
    }

    /// Its text.
    pub fn print(&self) -> String {
        let mut edits = Edits::new();
        self.scops.iter().for_each(|own| own.edits(self.source, self.dialect, &mut edits));
        self.declarations.edits(self.source).into_iter().for_each(|edit| edits.push(edit));
        with_lines_apart(self.source, edits.apply(self.source))
    }
}

impl Surrounded {
    /// A scop that is nothing, and has nothing around it.
    pub fn of(frame: Frame) -> Surrounded {
        let (front, behind, old, text) = (Vec::new(), Vec::new(), Vec::new(), String::new());
        Surrounded { frame, assertions: Vec::new(), test: None, front, text, behind, old, loses_lead: false }
    }

    fn edits(&self, source: &str, dialect: Dialect, edits: &mut Edits) {
        let (frame, indent) = (&self.frame, &self.frame.indent);
        let before = &source[..frame.lines.start];
        let asserted: String = self.assertions.iter().map(|own| own.lines(dialect, before, indent)).collect();
        let mut replace = |span: Span, text: String| edits.push(Edit { span, text });
        match &self.test {
            Some(test) => replace(frame.lines.clone(), asserted + &self.both(source, test)),
            None => {
                replace(frame.body.clone(), self.text.clone());
                if self.loses_lead {
                    replace(frame.lead.clone(), String::new());
                }
                replace(frame.lines.start..frame.lines.start, asserted + &Line::all(&self.front, indent));
                replace(frame.lines.end..frame.lines.end, Line::all(&self.behind, indent));
            }
        }
    }

    /// The new program where a test holds, and the program as it was.
    fn both(&self, source: &str, test: &str) -> String {
        let (frame, indent) = (&self.frame, &self.frame.indent);
        let opening = &source[if self.loses_lead { frame.lead.end } else { frame.lines.start }..frame.body.start];
        let closing = &source[frame.body.end..frame.lines.end];
        let step = step(&source[frame.body.clone()], indent);
        let inside = |text: &str| deeper(text, &step);
        let lines = |lines: &[Line]| inside(&Line::all(lines, indent));
        let mut both = format!("{indent}if ({test}) {{\n");
        both += &lines(&self.front);
        both += opening;
        both += &inside(&self.text);
        both += closing;
        both += &lines(&self.behind);
        both +=
            &format!("{indent}}} else {{ /* the storage above is proved for {test} only: the program as it was */\n");
        both += &lines(&self.old);
        both += &source[frame.lead.clone()];
        both += &inside(without_labels(source, frame).trim_start_matches(['\r', '\n']));
        both + &format!("{indent}}}\n")
    }
}

fn without_labels(source: &str, frame: &Frame) -> String {
    let mut edits = Edits::new();
    frame.labels.iter().for_each(|label| edits.push(Edit { span: label.clone(), text: String::new() }));
    edits.apply_within(source, &frame.body)
}
