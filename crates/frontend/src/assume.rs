//! Facts that the user promises, in C or isl syntax.
//!
//! Example: `N >= 3 && M > N`, or `[N] -> { : N >= 3 and N <= 100 }`.
//!
//! Limit: of isl's notation, only comparisons (chains included) joined by `and`, `or` and `not`.

use crate::macros::{MacroTable, Piece, join, pieces};
use crate::syntax::{BinaryOperator, Expression, ExpressionKind, Typedefs, UnaryOperator};
use polyfold_scop::{Comparison, Condition, Expr, ParameterId, Scop};

/// Those of the assumptions that speak of this scop.
pub(crate) fn assumptions(scop: &Scop, texts: &[String]) -> Vec<Condition> {
    texts.iter().filter_map(|text| condition(scop, &parse(text)?).ok()).collect()
}

/// What is wrong with an assumption for every one of the scops.
pub(crate) fn complaint(scops: &[Scop], text: &str) -> Option<String> {
    let Some(parsed) = parse(text) else {
        return Some(format!("`--assume '{text}'` is not a condition in C or isl syntax"));
    };
    let mut complaint = None;
    for scop in scops {
        match condition(scop, &parsed) {
            Ok(_) => return None,
            Err(message) => complaint = complaint.or(Some(format!("`--assume '{text}'`: {message}"))),
        }
    }
    complaint
}

fn parse(text: &str) -> Option<Expression> {
    let text = text.trim();
    let text = match text.split_once('{') {
        Some((_, set)) => c_syntax(set.rsplit_once('}')?.0.split_once(':')?.1),
        None => text.to_string(),
    };
    crate::syntax::expression_from(&text, &MacroTable::default(), &Typedefs::default())
}

/// isl's words in C.
fn c_syntax(text: &str) -> String {
    let translate = |mut piece: Piece| {
        let text = match piece.text.as_str() {
            "and" => "&&",
            "or" => "||",
            "not" => "!",
            "=" => "==",
            other => other,
        };
        piece.text = text.to_string();
        piece
    };
    join(&pieces(text).into_iter().map(translate).collect::<Vec<_>>())
}

fn condition(scop: &Scop, e: &Expression) -> Result<Condition, String> {
    let all = |a, b| Ok(Condition::All(vec![a, b]));
    match &e.kind {
        ExpressionKind::Binary(BinaryOperator::And, a, b) => all(condition(scop, a)?, condition(scop, b)?),
        ExpressionKind::Binary(BinaryOperator::Or, a, b) => {
            Ok(Condition::Any(vec![condition(scop, a)?, condition(scop, b)?]))
        }
        ExpressionKind::Unary(UnaryOperator::Not, inner) => Ok(condition(scop, inner)?.negate()),
        ExpressionKind::Binary(BinaryOperator::Compare(comparison), a, b) => {
            let right = expr(scop, b)?;
            if let ExpressionKind::Binary(BinaryOperator::Compare(_), _, middle) = &a.kind {
                let rest = Condition::Compare(expr(scop, middle)?, *comparison, right);
                return all(condition(scop, a)?, rest);
            }
            Ok(Condition::Compare(expr(scop, a)?, *comparison, right))
        }
        _ => Ok(Condition::Compare(expr(scop, e)?, Comparison::NotEqual, Expr::Constant(0))),
    }
}

fn expr(scop: &Scop, e: &Expression) -> Result<Expr, String> {
    match &e.kind {
        ExpressionKind::Integer(value, _) => Ok(Expr::Constant(*value)),
        ExpressionKind::Name(name, _) => named(scop, name),
        ExpressionKind::Unary(UnaryOperator::Minus, inner) => Ok(expr(scop, inner)?.scale(-1)),
        ExpressionKind::Binary(BinaryOperator::Add, a, b) => Ok(expr(scop, a)?.add(expr(scop, b)?)),
        ExpressionKind::Binary(BinaryOperator::Subtract, a, b) => Ok(expr(scop, a)?.add(expr(scop, b)?.scale(-1))),
        ExpressionKind::Binary(operator, a, b) => {
            let (a, b) = (expr(scop, a)?, expr(scop, b)?);
            match (operator, a.as_constant(), b.as_constant()) {
                (BinaryOperator::Multiply, Some(factor), _) => Ok(b.scale(factor)),
                (BinaryOperator::Multiply, _, Some(factor)) => Ok(a.scale(factor)),
                (BinaryOperator::Divide, _, Some(by)) if by > 0 => Ok(Expr::Divide(Box::new(a), by)),
                (BinaryOperator::Remainder, _, Some(by)) if by > 0 => Ok(Expr::Remainder(Box::new(a), by)),
                _ => Err("it is not affine".to_string()),
            }
        }
        _ => Err("it is not a condition on sizes".to_string()),
    }
}

fn named(scop: &Scop, name: &str) -> Result<Expr, String> {
    if let Some(at) = scop.parameters.iter().position(|p| p.name == name) {
        return Ok(Expr::Parameter(ParameterId(at)));
    }
    if let Some(pinned) = scop.pinned.iter().find(|p| p.name == name) {
        return Ok(Expr::Constant(pinned.value));
    }
    let names: Vec<String> = scop.parameters.iter().map(|p| format!("`{}`", p.name)).collect();
    let have = if names.is_empty() { "it has none".to_string() } else { format!("they are {}", names.join(", ")) };
    Err(format!("`{name}` is not a parameter of the scop; {have}"))
}
