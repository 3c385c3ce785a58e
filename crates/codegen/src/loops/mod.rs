//! New loops for a scop, in a given order.
//!
//! isl's AST builder says which loops visit the operations in the order of their dates ([`polyfold_isl::Ast`]); here they become C. A
//! statement, or a part of the source that stays together ([`pieces`]), is what the user wrote, with the values of its counters in their
//! place:
//!
//! ```text
//! S0: t[i][j] = x[j][i];   visited as S0(j, i + 1)   is   t[j][i + 1] = x[i + 1][j];
//! ```
//!
//! What cannot be moved like that is refused ([`Obstacle`]).
//!
//! Invariant: nothing outside the pragmas changes, but the declarations of counters that are not used any more, and pragmas in front that
//! are about the old loops.

mod affine;
mod blocks;
mod capture;
mod counters;
mod direction;
mod expression;
mod folded;
mod inherited;
mod moved;
mod naming;
mod original;
mod own_names;
mod parallel;
mod peeled;
mod pieces;
mod pragmas;
mod refusal;
mod regions;
mod settled;
mod statement;
mod threads;
pub(crate) mod widths;
mod written;

pub use blocks::in_blocks;
pub(crate) use expression::outside_parentheses;
pub use expression::printed;
pub use inherited::{Heir, Lost};
pub use own_names::OwnNames;
pub use parallel::Misfit;
pub use pieces::{Piece, Pieces, pieces};
pub use pragmas::dropped_pragmas;
pub use refusal::{Obstacle, why_not_as_text};
pub(crate) use refusal::{definition, seen_behind};
pub use statement::substituted;
pub use written::{NewLoops, with_new_loops};

use crate::edit::in_line_endings_of;
use crate::frame::Frame;
use crate::home::words;
use crate::tokens::{Kind, tokens};
pub(crate) use affine::{Affine, tidy};
use direction::counting_down;
use naming::named;
use polyfold_isl::{Ast, AstExpr, Map, Result, Set};
use polyfold_scop::{Parameter, ParameterOrigin, Scop};
use std::collections::BTreeSet;

/// The operations of a scop's pieces in another order: for each piece `{ S[i] -> [date] }`, no two with the same date.
pub struct Order<'a> {
    /// By piece.
    pub dates: &'a [Map],
    /// Parameter values that C allows.
    pub context: &'a Set,
    /// Names of the parameters in isl notation, in the scop's order.
    pub parameters: &'a [String],
    /// Dimensions of the dates whose loops run in parallel.
    pub parallel: &'a [usize],
    /// How its loops are written.
    pub form: LoopForm<'a>,
}

/// How the loops of an order are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopForm<'a> {
    /// As they come.
    #[default]
    Plain,
    /// Innermost loops may have parts in front and behind, so that the one in the middle has no conditions on its counter.
    Peeled,
    /// Some loops are over strips: each is one loop, with a `long` for its counter. Subscripts are differences of others and that; as `int`s under conditions gcc takes them for what it has to gather.
    Strips {
        /// The dimensions of the dates that count strips.
        dimensions: &'a [usize],
        /// How many turns a strip has.
        turns: i64,
    },
}

impl LoopForm<'_> {
    /// Whether a loop goes on from strip to strip.
    fn is_over_strips(self, dimension: usize, step: i64) -> bool {
        matches!(self, LoopForm::Strips { dimensions, turns } if step == turns && dimensions.contains(&dimension))
    }
}

/// The text of a file with other lines between the pragmas of one scop.
pub fn with_body(source: &str, scop: &Scop, lines: &str) -> String {
    let body = Frame::of(source, scop).body;
    let (before, behind) = (&source[..body.start], &source[body.end..]);
    let first = if before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{}{behind}", in_line_endings_of(source, &format!("{first}{lines}")))
}

/// White space in front of the first statement of a scop.
pub fn indent_of(source: &str, scop: &Scop) -> String {
    Frame::of(source, scop).indent
}

/// What loops go through, as C.
pub trait Operations {
    /// The statement of this name at a point.
    ///
    /// # Errors
    /// When there is none, or it cannot be printed.
    fn statement(&self, name: &str, coordinates: &[AstExpr]) -> Result<String>;

    /// Whether the text of the statement of this name has an `if`, to which an `else` behind it might belong.
    fn has_if(&self, name: &str) -> bool;

    /// A size, by its name in isl notation, as a signed number.
    fn size(&self, isl: &str) -> String;

    /// How a loop begins that sets a counter.
    fn head(&self, counter: &str) -> String {
        format!("int {counter}")
    }

    /// The first value of a counter.
    ///
    /// # Errors
    /// When it cannot be printed.
    fn first(&self, _counter: &str, value: &AstExpr) -> Result<String> {
        self.print(value)
    }

    /// What a counter is compared with as long as its loop goes on.
    ///
    /// # Errors
    /// When it cannot be printed.
    fn condition(&self, _counter: &str, condition: &AstExpr) -> Result<String> {
        self.print(condition)
    }

    /// The counters that the text of the statement of this name has, outermost first.
    fn counters(&self, name: &str) -> Vec<String>;

    /// Whether a loop's counter may be called so.
    fn may_be_counter(&self, name: &str) -> bool;

    /// A line in front of a loop.
    fn pragma(&self, _dimension: usize, _body: &Ast) -> Option<String> {
        None
    }

    /// An expression of sizes and counters.
    ///
    /// # Errors
    /// When it cannot be printed.
    fn print(&self, expr: &AstExpr) -> Result<String> {
        printed(expr, &|isl| self.size(isl))
    }
}

/// Loops as lines of C.
///
/// # Errors
/// When some expression or statement cannot be printed.
pub fn loops_in_c(ast: Ast, operations: &dyn Operations, indent: &str) -> Result<String> {
    written(&readable(ast, operations), operations, indent)
}

/// Loops as they are, as lines of C.
pub(crate) fn written(ast: &Ast, operations: &dyn Operations, indent: &str) -> Result<String> {
    let mut writer = Writer { operations, set: BTreeSet::new(), out: String::new() };
    writer.write(ast, indent)?;
    Ok(writer.out)
}

/// isl's loops as one would write them.
pub(crate) fn readable(ast: Ast, operations: &dyn Operations) -> Ast {
    named(counting_down(ast).map(&tidy), operations)
}

struct Writer<'a> {
    operations: &'a dyn Operations,
    /// Counters of the loops so far.
    set: BTreeSet<String>,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, indent: &str, text: &str) {
        self.out.push_str(&format!("{indent}{text}\n"));
    }

    /// A statement's text, whose lines but the first have their own indentation in front.
    fn statement(&mut self, indent: &str, text: &str) {
        let text = text.replace('\n', &format!("\n{indent}"));
        self.line(indent, &text);
    }

    fn write(&mut self, ast: &Ast, indent: &str) -> Result<()> {
        match ast {
            Ast::Block(all) => all.iter().try_for_each(|part| self.write(part, indent)),
            Ast::For { dimension, iterator, first, condition, step, body } => {
                let first = self.operations.first(iterator, first)?;
                let condition = self.operations.condition(iterator, condition)?;
                let step = match step {
                    1 => format!("{iterator}++"),
                    -1 => format!("{iterator}--"),
                    step if *step < 0 => format!("{iterator} -= {}", step.unsigned_abs()),
                    step => format!("{iterator} += {step}"),
                };
                self.set.insert(iterator.clone());
                if let Some(pragma) = self.operations.pragma(*dimension, body) {
                    self.line(indent, &pragma);
                }
                let head = self.operations.head(iterator);
                self.nested(&format!("for ({head} = {first}; {condition}; {step})"), body, indent)
            }
            Ast::If { condition, then, otherwise } => {
                let head = format!("if ({})", self.operations.print(condition)?);
                self.nested(&head, then, indent)?;
                match otherwise {
                    Some(otherwise) => self.nested("else", otherwise, indent),
                    None => Ok(()),
                }
            }
            Ast::Point { name, coordinates } => {
                let text = self.operations.statement(name, coordinates)?;
                self.statement(indent, &text);
                Ok(())
            }
        }
    }

    fn nested(&mut self, head: &str, body: &Ast, indent: &str) -> Result<()> {
        if let Some((name, coordinates)) = only_point(body) {
            let text = self.operations.statement(name, coordinates)?;
            if text.starts_with('{') {
                self.statement(indent, &format!("{head} {text}"));
                return Ok(());
            }
        }
        let deeper = format!("{indent}  ");
        if self.needs_no_braces(body) {
            self.line(indent, head);
            return self.write(body, &deeper);
        }
        self.line(indent, &format!("{head} {{"));
        self.write(body, &deeper)?;
        self.line(indent, "}");
        Ok(())
    }

    /// What is one statement without an `if`; an `if` has braces, lest an `else` belongs to it, and so has a loop with a pragma.
    fn needs_no_braces(&self, ast: &Ast) -> bool {
        match ast {
            Ast::Point { name, .. } => !self.operations.has_if(name),
            Ast::For { dimension, body, .. } => {
                self.operations.pragma(*dimension, body).is_none() && self.needs_no_braces(body)
            }
            Ast::If { .. } => false,
            Ast::Block(all) => matches!(&all[..], [one] if self.needs_no_braces(one)),
        }
    }
}

/// The point that is all of a program.
fn only_point(ast: &Ast) -> Option<(&String, &Vec<AstExpr>)> {
    match ast {
        Ast::Point { name, coordinates } => Some((name, coordinates)),
        Ast::Block(all) => match &all[..] {
            [one] => only_point(one),
            _ => None,
        },
        Ast::For { .. } | Ast::If { .. } => None,
    }
}

/// A size, as a `long` where it may be unsigned: what is computed with it may be negative.
pub fn signed_size(source: &str, parameter: &Parameter) -> String {
    let is_signed = match parameter.origin {
        ParameterOrigin::Variable => {
            parameter.most.is_some_and(|most| most <= i128::from(i32::MAX) || most == i128::from(i64::MAX))
        }
        ParameterOrigin::Constant(_) => is_plain_number(source, &parameter.name),
    };
    if is_signed { parameter.name.clone() } else { format!("(long){}", parameter.name) }
}

/// Whether the file defines a macro once, as digits.
pub(crate) fn is_plain_number(source: &str, name: &str) -> bool {
    let all = tokens(source, &(0..source.len()));
    let bodies: Vec<&str> = (all.iter().filter(|t| t.kind == Kind::Directive))
        .filter_map(|t| definition(t.text).filter(|(defined, _)| *defined == name))
        .map(|(_, body)| body.trim())
        .collect();
    matches!(bodies[..], [body] if !body.is_empty() && body.len() < 10 && body.chars().all(|c| c.is_ascii_digit()))
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a text mentions one of some words.
fn mentions(text: &str, names: &BTreeSet<&str>) -> bool {
    words(text).any(|(_, word)| names.contains(word))
}
