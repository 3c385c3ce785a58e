//! A subscript as C, where the text has no subscript of its own for it: that of a row, of `t[(i % 2) * m + j]`.
//!
//! The expression says what C computed in the source. Here it is computed in the variables' own type where that is signed and no
//! sum or product may leave `int`, else as `long`, so that unsigned arithmetic does not come back.
//!
//! Example: `2 * (i % 3) - 1` is written so, and not as `2 * i % 3 - 1`.

use crate::linear::Variables;
use crate::names::LONG;
use polyfold_scop::{Condition, Expr};

/// How tightly operators bind, the loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Product,
    Unary,
    Atom,
}

/// The text; `None` where data decides.
pub(crate) fn in_c(expr: &Expr, variables: &Variables) -> Option<String> {
    let writer = Writer { variables, is_long: !is_plain(expr) && !is_int(expr, variables) };
    writer.write(expr).map(|(text, _)| text)
}

/// Whether nothing is computed that a type could not hold.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Iterator(_) | Expr::Parameter(_) => true,
        Expr::Divide(inner, _) | Expr::Remainder(inner, _) => is_plain(inner),
        Expr::Scale(..) | Expr::Add(..) | Expr::Select(..) => false,
    }
}

fn is_int(expr: &Expr, variables: &Variables) -> bool {
    !variables.wide && variables.are_signed(&variables.scop.show(expr))
}

struct Writer<'a> {
    variables: &'a Variables<'a>,
    is_long: bool,
}

impl Writer<'_> {
    fn write(&self, expr: &Expr) -> Option<(String, Level)> {
        Some(match expr {
            Expr::Constant(value) => (value.to_string(), if *value < 0 { Level::Unary } else { Level::Atom }),
            Expr::Iterator(_) | Expr::Parameter(_) => {
                let name = self.variables.scop.show(expr);
                if self.is_long { (format!("{LONG}{name}"), Level::Unary) } else { (name, Level::Atom) }
            }
            Expr::Add(a, b) => {
                let (left, right) = (self.at(a, Level::Sum)?, self.at(b, Level::Product)?);
                match right.strip_prefix('-') {
                    Some(positive) => (format!("{left} - {positive}"), Level::Sum),
                    None => (format!("{left} + {right}"), Level::Sum),
                }
            }
            Expr::Scale(-1, inner) => (format!("-{}", self.at(inner, Level::Atom)?), Level::Unary),
            Expr::Scale(factor, inner) => (format!("{factor} * {}", self.at(inner, Level::Unary)?), Level::Product),
            Expr::Divide(inner, by) => (format!("{} / {by}", self.at(inner, Level::Unary)?), Level::Product),
            Expr::Remainder(inner, by) => (format!("{} % {by}", self.at(inner, Level::Unary)?), Level::Product),
            Expr::Select(condition, a, b) => {
                let (a, b) = (self.at(a, Level::Sum)?, self.at(b, Level::Sum)?);
                (format!("({} ? {a} : {b})", self.condition(condition)?), Level::Atom)
            }
        })
    }

    /// In parentheses where it binds less tightly than it has to.
    fn at(&self, expr: &Expr, least: Level) -> Option<String> {
        let (text, level) = self.write(expr)?;
        Some(if level >= least { text } else { format!("({text})") })
    }

    fn condition(&self, condition: &Condition) -> Option<String> {
        let joined = |parts: &[Condition], sign: &str, none: &str| {
            let parts = parts.iter().map(|part| self.condition(part).map(|text| format!("({text})")));
            let parts = parts.collect::<Option<Vec<_>>>()?;
            Some(if parts.is_empty() { none.to_string() } else { parts.join(sign) })
        };
        match condition {
            Condition::Unknown => None,
            Condition::Not(inner) => Some(format!("!({})", self.condition(inner)?)),
            Condition::All(parts) => joined(parts, " && ", "1"),
            Condition::Any(parts) => joined(parts, " || ", "0"),
            Condition::Compare(a, comparison, b) => {
                Some(format!("{} {} {}", self.at(a, Level::Sum)?, comparison.sign(), self.at(b, Level::Sum)?))
            }
        }
    }
}
