//! New loops for a scop, in a given order.
//!
//! isl's AST builder says which loops visit the operations in the order of their dates ([`polyfold_isl::Ast`]); here they become C. A
//! statement is what the user wrote, with the values of its counters in their place:
//!
//! ```text
//! S0: t[i][j] = x[j][i];   visited as S0(j, i + 1)   is   t[j][i + 1] = x[i + 1][j];
//! ```
//!
//! Counters keep the names that the user gave them, where a dimension of the dates is such a counter; all are `int`, as the user's
//! are; but not where a statement means something else by that name. What cannot be moved like that is refused ([`why_not`]).
//!
//! Invariant: nothing outside the pragmas changes.

mod expression;
mod refusal;
mod statement;

pub use expression::printed;
pub use refusal::{Obstacle, why_not, why_not_as_text};
pub use statement::substituted;

use crate::fault;
use crate::frame::Frame;
use crate::home::{free_name, words};
use crate::tokens::{Kind, tokens};
use polyfold_isl::{Ast, AstExpr, Map, Result, Set};
use polyfold_scop::{LoopId, Parameter, ParameterOrigin, Scop, StatementId};
use refusal::definition;
use std::collections::BTreeSet;

/// A scop's operations in another order: for each statement `{ S[i] -> [date] }`, no two with the same date.
pub struct Order<'a> {
    /// By statement.
    pub dates: &'a [Map],
    /// Parameter values that C allows.
    pub context: &'a Set,
    /// Names of the parameters in isl notation, in the scop's order.
    pub parameters: &'a [String],
}

/// The new text of a file of which one scop runs in another order.
///
/// # Errors
/// When isl finds no loops within the work bound, or with numbers past 64 bits.
pub fn with_new_loops(source: &str, scop: &Scop, order: &Order) -> Result<String> {
    let ast = Ast::of(order.dates, order.context, &counters(source, scop, order)?)?;
    let indent = Frame::of(source, scop).indent;
    let loops = loops_in_c(&ast, &Original { source, scop, order }, &indent)?;
    Ok(with_body(source, scop, &loops))
}

/// The text of a file with other lines between the pragmas of one scop.
pub fn with_body(source: &str, scop: &Scop, lines: &str) -> String {
    let body = Frame::of(source, scop).body;
    let (before, behind) = (&source[..body.start], &source[body.end..]);
    let first = if before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{first}{lines}{behind}")
}

/// White space in front of the first statement of a scop.
pub fn indent_of(source: &str, scop: &Scop) -> String {
    Frame::of(source, scop).indent
}

/// A name for each dimension of the dates: that of a counter that it is, else a new one.
fn counters(source: &str, scop: &Scop, order: &Order) -> Result<Vec<String>> {
    let dimensions = order.dates.first().map_or(Ok(0), |map| map.dimensions().map(|(_, dates)| dates))?;
    let mut taken: BTreeSet<String> = order.parameters.iter().cloned().collect();
    let mut names = Vec::new();
    for dimension in 0..dimensions {
        let own = own_counter(scop, order, dimension)?;
        let own = own.filter(|name| !taken.contains(name) && !means_something_else(source, scop, name));
        let name = own.unwrap_or_else(|| free_name(&format!("c{dimension}"), scop, source));
        taken.insert(name.clone());
        names.push(name);
    }
    Ok(names)
}

/// The counter that a dimension is for the first statement for which it is one, give or take a constant.
fn own_counter(scop: &Scop, order: &Order, dimension: usize) -> Result<Option<String>> {
    let loops = scop.loops();
    for (statement, dates) in scop.statements.iter().zip(order.dates) {
        for (k, id) in statement.loops.iter().enumerate() {
            if dates.is_shift_of(k, dimension)? {
                return Ok(loops.iter().find(|l| l.id == *id).map(|l| l.iterator.clone()));
            }
        }
    }
    Ok(None)
}

/// Whether a statement that has no counter of this name mentions it.
fn means_something_else(source: &str, scop: &Scop, name: &str) -> bool {
    let loops = scop.loops();
    let is_counter = |id: &LoopId| loops.iter().any(|l| l.id == *id && l.iterator == name);
    let name = BTreeSet::from([name]);
    scop.statements.iter().any(|s| !s.loops.iter().any(is_counter) && mentions(&source[s.span.clone()], &name))
}

/// What loops go through, as C.
pub trait Operations {
    /// The statement of this name at a point.
    ///
    /// # Errors
    /// When there is none, or it cannot be printed.
    fn statement(&self, name: &str, coordinates: &[AstExpr]) -> Result<String>;

    /// A size, by its name in isl notation, as a signed number.
    fn size(&self, isl: &str) -> String;

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
pub fn loops_in_c(ast: &Ast, operations: &dyn Operations, indent: &str) -> Result<String> {
    let mut writer = Writer { operations, out: String::new() };
    writer.write(ast, indent)?;
    Ok(writer.out)
}

struct Writer<'a> {
    operations: &'a dyn Operations,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, indent: &str, text: &str) {
        self.out.push_str(&format!("{indent}{text}\n"));
    }

    fn write(&mut self, ast: &Ast, indent: &str) -> Result<()> {
        match ast {
            Ast::Block(all) => all.iter().try_for_each(|part| self.write(part, indent)),
            Ast::For { iterator, first, condition, step, body } => {
                let (first, condition) = (self.operations.print(first)?, self.operations.print(condition)?);
                let step = if *step == 1 { format!("{iterator}++") } else { format!("{iterator} += {step}") };
                self.nested(&format!("for (int {iterator} = {first}; {condition}; {step})"), body, indent)
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
                self.line(indent, &text);
                Ok(())
            }
        }
    }

    fn nested(&mut self, head: &str, body: &Ast, indent: &str) -> Result<()> {
        let deeper = format!("{indent}  ");
        if is_one_loop_or_statement(body) {
            self.line(indent, head);
            return self.write(body, &deeper);
        }
        self.line(indent, &format!("{head} {{"));
        self.write(body, &deeper)?;
        self.line(indent, "}");
        Ok(())
    }
}

/// The scop's own statements.
struct Original<'a> {
    source: &'a str,
    scop: &'a Scop,
    order: &'a Order<'a>,
}

impl Operations for Original<'_> {
    fn statement(&self, name: &str, coordinates: &[AstExpr]) -> Result<String> {
        let place = self.scop.statements.iter().position(|statement| statement.name == name);
        let id = StatementId(place.ok_or_else(|| fault(format!("there is no statement {name}")))?);
        let coordinates = coordinates.iter().map(|c| self.value(c)).collect::<Result<Vec<String>>>()?;
        Ok(statement::text(self.source, self.scop, id, &coordinates))
    }

    fn size(&self, isl: &str) -> String {
        let place = self.order.parameters.iter().position(|name| name == isl);
        place.map_or_else(|| isl.to_string(), |k| signed_size(self.source, &self.scop.parameters[k]))
    }
}

impl Original<'_> {
    /// What stands in a counter's place: an `int`, as that is.
    fn value(&self, expr: &AstExpr) -> Result<String> {
        let is_int = |k: usize| {
            let parameter = &self.scop.parameters[k];
            let is_narrow = parameter.most.is_none_or(|most| most <= i128::from(i32::MAX));
            is_narrow && signed_size(self.source, parameter) == parameter.name
        };
        let others: BTreeSet<&str> = (0..self.order.parameters.len())
            .filter(|k| !is_int(*k))
            .map(|k| self.order.parameters[k].as_str())
            .collect();
        let text = self.print(expr)?;
        Ok(if expr.mentions(&|name| others.contains(name)) { format!("(int)({text})") } else { text })
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
fn is_plain_number(source: &str, name: &str) -> bool {
    let all = tokens(source, &(0..source.len()));
    let bodies: Vec<&str> = (all.iter().filter(|t| t.kind == Kind::Directive))
        .filter_map(|t| definition(t.text).filter(|(defined, _)| *defined == name))
        .map(|(_, body)| body.trim())
        .collect();
    matches!(bodies[..], [body] if !body.is_empty() && body.len() < 10 && body.chars().all(|c| c.is_ascii_digit()))
}

/// What needs no braces; an `if` has them, lest an `else` belongs to it.
fn is_one_loop_or_statement(ast: &Ast) -> bool {
    match ast {
        Ast::Point { .. } => true,
        Ast::For { body, .. } => is_one_loop_or_statement(body),
        Ast::If { .. } => false,
        Ast::Block(all) => matches!(&all[..], [one] if is_one_loop_or_statement(one)),
    }
}

/// Whether a text mentions one of some words.
fn mentions(text: &str, names: &BTreeSet<&str>) -> bool {
    words(text).any(|(_, word)| names.contains(word))
}
