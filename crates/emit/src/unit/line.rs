//! What stands in front of a scop, or behind it: a line each.
//!
//! Example: `const int rows_size = n + 1;`, `int rows[rows_size];` in front, and `(void)m;` behind.

use super::told::Told;

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// What is said to those who read the code.
    Comment(String),
    /// A variable, or an array.
    Declaration {
        /// What stands in front of the declarator.
        specifiers: String,
        /// The rest.
        declarator: Declarator,
    },
    /// A name for a size.
    Constant(Constant),
    /// A directive.
    Directive(String),
    /// A macro, which has several.
    Told(Told),
    /// What the source says.
    Kept(String),
    /// A name that nothing else mentions any more.
    Mention(String),
}

/// The parts of a declarator, in C's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarator {
    /// `y[2][n]`.
    pub cells: String,
    /// Behind the extents; often nothing.
    pub attributes: String,
    /// ` = 0`, or nothing.
    pub initializer: &'static str,
}

/// A name for a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// It.
    pub name: String,
    /// The size, in C.
    pub value: String,
    /// What it is in C.
    pub kind: ConstantKind,
}

/// What a name for a size is in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantKind {
    /// A constant of an enumeration, which may stand in the extents of any array.
    Enumerator,
    /// An `int`.
    Int,
    /// A `long`.
    Long,
}

impl Line {
    /// In C, without an end.
    pub fn text(&self) -> String {
        match self {
            Line::Comment(text) => format!("/* {text} */"),
            Line::Declaration { specifiers, declarator } => format!("{specifiers} {};", declarator.text()),
            Line::Constant(own) => own.text(),
            Line::Directive(text) | Line::Kept(text) => text.clone(),
            Line::Told(own) => own.lines().join("\n"),
            Line::Mention(name) => format!("(void){name};"),
        }
    }

    /// Some in C, each with its end.
    pub fn all(lines: &[Line], indent: &str) -> String {
        let texts = lines.iter().flat_map(|line| match line {
            Line::Told(own) => own.lines(),
            line => vec![line.text()],
        });
        texts.map(|text| format!("{indent}{text}\n")).collect()
    }
}

impl Declarator {
    /// In C.
    pub fn text(&self) -> String {
        format!("{}{}", attributed(&self.cells, &self.attributes), self.initializer)
    }
}

impl Constant {
    fn text(&self) -> String {
        let Constant { name, value, kind } = self;
        match kind {
            ConstantKind::Enumerator => format!("enum {{ {name} = {value} }};"),
            ConstantKind::Int => format!("const int {name} = {value};"),
            ConstantKind::Long => format!("const long {name} = {value};"),
        }
    }
}

/// A declarator with its attributes.
pub fn attributed(cells: &str, attributes: &str) -> String {
    if attributes.is_empty() { cells.to_string() } else { format!("{cells} {attributes}") }
}
