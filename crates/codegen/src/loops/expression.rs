//! An expression of isl's loops as C.
//!
//! Division rounds down in isl's tree where C's rounds towards zero: `floor(a / b)` with b > 0 is
//! `(a >= 0 ? a / b : -((b - 1 - a) / b))`. Largest and smallest are written with `?:`.

use crate::fault;
use polyfold_isl::{AstExpr, Operation, Result};

/// How tightly operators bind, the loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Equality,
    Comparison,
    Sum,
    Product,
    Unary,
    Atom,
}

/// The text, with names as `in_c` says.
///
/// # Errors
/// When isl made an operation with a wrong number of operands.
pub(crate) fn printed(expr: &AstExpr, in_c: &dyn Fn(&str) -> String) -> Result<String> {
    print(expr, in_c).map(|(text, _)| text)
}

/// Without parentheses around all of it.
pub(crate) fn outside_parentheses(text: String) -> String {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0;
    let closes_early = inner.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    if closes_early { text } else { inner.to_string() }
}

fn print(expr: &AstExpr, in_c: &dyn Fn(&str) -> String) -> Result<(String, Level)> {
    match expr {
        AstExpr::Number(value) => Ok((value.to_string(), if *value < 0 { Level::Unary } else { Level::Atom })),
        AstExpr::Name(name) => Ok((in_c(name), Level::Atom)),
        AstExpr::Operation(operation, operands) => {
            let operands = operands.iter().map(|o| print(o, in_c)).collect::<Result<Vec<_>>>()?;
            combined(*operation, &operands)
        }
    }
}

/// An operand in parentheses where it binds less tightly than it has to.
fn at((text, level): &(String, Level), least: Level) -> String {
    if *level >= least { text.clone() } else { format!("({text})") }
}

fn combined(operation: Operation, operands: &[(String, Level)]) -> Result<(String, Level)> {
    let binary = |sign: &str, level: Level, right: Level| match operands {
        [a, b] => Ok((format!("{} {sign} {}", at(a, level), at(b, right)), level)),
        _ => Err(fault("isl made an operation with a wrong number of operands")),
    };
    let chain = |sign: &str| match operands {
        [first, others @ ..] => Ok(others.iter().fold(first.clone(), |best, next| {
            let (a, b) = (at(&best, Level::Atom), at(next, Level::Atom));
            (format!("({a} {sign} {b} ? {a} : {b})"), Level::Atom)
        })),
        [] => Err(fault("isl made an operation without operands")),
    };
    match operation {
        Operation::And => binary("&&", Level::And, Level::Equality),
        Operation::Or => match operands {
            // Compilers ask for these parentheses.
            [a, b] => {
                let side = |operand: &(String, Level)| match operand.1 {
                    Level::And => format!("({})", operand.0),
                    _ => at(operand, Level::Or),
                };
                Ok((format!("{} || {}", side(a), side(b)), Level::Or))
            }
            _ => Err(fault("isl made an operation with a wrong number of operands")),
        },
        Operation::Max => chain(">"),
        Operation::Min => chain("<"),
        Operation::Minus => match operands {
            [a] => Ok((format!("-{}", at(a, Level::Atom)), Level::Unary)),
            _ => Err(fault("isl made an operation with a wrong number of operands")),
        },
        Operation::Add => match operands {
            [a, b] if b.0.starts_with('-') && b.1 == Level::Unary => {
                Ok((format!("{} - {}", at(a, Level::Sum), &b.0[1..]), Level::Sum))
            }
            _ => binary("+", Level::Sum, Level::Sum),
        },
        Operation::Subtract => binary("-", Level::Sum, Level::Product),
        Operation::Multiply => binary("*", Level::Product, Level::Unary),
        Operation::Divide => binary("/", Level::Product, Level::Unary),
        Operation::Remainder => binary("%", Level::Product, Level::Unary),
        Operation::FloorDivide => match operands {
            [a, b] => {
                let (sum, product, divisor) = (at(a, Level::Sum), at(a, Level::Product), at(b, Level::Unary));
                let below = format!("-(({divisor} - 1 - {product}) / {divisor})");
                Ok((format!("({sum} >= 0 ? {product} / {divisor} : {below})"), Level::Atom))
            }
            _ => Err(fault("isl made an operation with a wrong number of operands")),
        },
        Operation::Select => match operands {
            [condition, a, b] => {
                let [condition, a, b] = [condition, a, b].map(|operand| at(operand, Level::Or));
                Ok((format!("({condition} ? {a} : {b})"), Level::Atom))
            }
            _ => Err(fault("isl made an operation with a wrong number of operands")),
        },
        Operation::Equal => binary("==", Level::Equality, Level::Comparison),
        Operation::LessEqual => binary("<=", Level::Comparison, Level::Sum),
        Operation::Less => binary("<", Level::Comparison, Level::Sum),
        Operation::GreaterEqual => binary(">=", Level::Comparison, Level::Sum),
        Operation::Greater => binary(">", Level::Comparison, Level::Sum),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> AstExpr {
        AstExpr::Name(text.to_string())
    }

    fn of(operation: Operation, operands: &[AstExpr]) -> AstExpr {
        AstExpr::Operation(operation, operands.to_vec())
    }

    fn text(expr: &AstExpr) -> String {
        printed(expr, &str::to_string).expect("it can be printed")
    }

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let (a, b) = (name("a"), name("b"));
        let sum = of(Operation::Add, &[a.clone(), of(Operation::Minus, std::slice::from_ref(&b))]);
        assert_eq!(text(&sum), "a - b");
        assert_eq!(text(&of(Operation::Subtract, &[a.clone(), sum.clone()])), "a - (a - b)");
        assert_eq!(text(&of(Operation::Multiply, &[AstExpr::Number(-2), sum.clone()])), "-2 * (a - b)");
        assert_eq!(
            text(&of(Operation::Min, &[a.clone(), sum, AstExpr::Number(3)])),
            "((a < (a - b) ? a : (a - b)) < 3 ? (a < (a - b) ? a : (a - b)) : 3)"
        );
        let both = of(
            Operation::And,
            &[of(Operation::Less, &[a.clone(), b.clone()]), of(Operation::Equal, &[a.clone(), b.clone()])],
        );
        assert_eq!(text(&of(Operation::Or, &[both, of(Operation::Greater, &[a, b])])), "(a < b && a == b) || a > b");
    }

    #[test]
    fn division_rounds_down() {
        let half = of(
            Operation::FloorDivide,
            &[of(Operation::Subtract, &[name("n"), AstExpr::Number(3)]), AstExpr::Number(2)],
        );
        assert_eq!(text(&half), "(n - 3 >= 0 ? (n - 3) / 2 : -((2 - 1 - (n - 3)) / 2))");
    }
}
