//! Facts that the user promises, in C or isl syntax.
//!
//! Example: `N >= 3 && M > N`, or `[N] -> { : N >= 3 and N <= 100 }`.
//!
//! Limit: of isl's notation, only comparisons (chains included) joined by `and`, `or` and `not`, which wants
//! parentheses.

use polyfold_c::macros::{MacroTable, Piece, join, pieces};
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, Typedefs, UnaryOperator};
use polyfold_scop::{Comparison, Condition, Expr, ParameterId, Scop};

/// Those of the assumptions that speak of this scop.
pub(crate) fn assumptions(scop: &Scop, texts: &[String]) -> Vec<Condition> {
    texts.iter().filter_map(|text| condition(scop, &parse(text).ok()?).ok()).collect()
}

/// What is wrong with an assumption for every one of the scops, and what to write instead.
pub(crate) fn complaint(scops: &[Scop], text: &str) -> Option<(String, String)> {
    let usual = || "write it like `N >= 3 && M > N`".to_string();
    let parsed = match parse(text) {
        Ok(parsed) => parsed,
        Err(None) => return Some((format!("`--assume '{text}'` is not a condition in C or isl syntax"), usual())),
        Err(Some((what, help))) => return Some((format!("`--assume '{text}'`: {what} is not handled"), help)),
    };
    let mut complaint = None;
    for scop in scops {
        match condition(scop, &parsed) {
            Ok(_) => return None,
            Err(message) => complaint = complaint.or(Some((format!("`--assume '{text}'`: {message}"), usual()))),
        }
    }
    complaint
}

/// The condition; else what in it is not handled, with what to write instead, if that is known.
fn parse(text: &str) -> Result<Expression, Option<(String, String)>> {
    let inner = match text.split_once('{') {
        Some((_, set)) => {
            let (set, rest) = set.rsplit_once('}').ok_or(None)?;
            let inner = set.split_once(':').filter(|_| rest.trim().is_empty());
            inner.ok_or(None)?.1
        }
        None => text,
    };
    let pieces = pieces(inner);
    match pieces.iter().find_map(|piece| instead(&piece.text)) {
        Some(unhandled) => Err(Some(unhandled)),
        None => polyfold_c::syntax::expression_from(&c_syntax(pieces), &MacroTable::default(), &Typedefs::default())
            .ok_or(None),
    }
}

/// For a word of isl's notation that is not handled: its name, and what to write instead.
fn instead(word: &str) -> Option<(String, String)> {
    let help = match word {
        "exists" => "say it with `/` and `%`: for an even N, `N % 2 == 0`",
        "mod" => "write `%`, as in `N % 2 == 0`",
        "floor" | "floord" | "ceil" | "ceild" => "write `N / 2` for the floor of a size by a number",
        "implies" => "write `!(N > 5) || M > 5` for `N > 5 implies M > 5`",
        "min" | "max" => "write one comparison for each operand, with `&&` or `||` between",
        ";" => "write one set, with `||` between its conditions",
        _ => return None,
    };
    Some((format!("`{word}`"), help.to_string()))
}

/// isl's words in C.
fn c_syntax(pieces: Vec<Piece>) -> String {
    let translate = |mut piece: Piece| {
        piece.text = match piece.text.as_str() {
            "and" => "&&".to_string(),
            "or" => "||".to_string(),
            "not" => "!".to_string(),
            "=" => "==".to_string(),
            other => product(other).unwrap_or_else(|| other.to_string()),
        };
        piece
    };
    join(&pieces.into_iter().map(translate).collect::<Vec<_>>())
}

/// `2n` means `2 * n`.
fn product(text: &str) -> Option<String> {
    let name = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let factor = &text[..text.len() - name.len()];
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_suffix = name.chars().all(|c| matches!(c, 'u' | 'U' | 'l' | 'L'));
    (is_name && !is_suffix && !factor.is_empty() && !text.starts_with('0')).then(|| format!("{factor} * {name}"))
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
