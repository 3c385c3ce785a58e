//! Expressions as text plus a constant, so that constants fold.
//!
//! Example: `x+1` is `x` and 1; minus 1 it reads `x`, and unchanged it reads as the user wrote it.

use super::operand::{additive, is_simple, parenthesized};
use crate::fault;
use polyfold_isl::Result;
use polyfold_scop::Expr;

/// An expression, as text plus a constant.
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// Empty: nothing but the constant.
    pub(super) text: String,
    pub(super) offset: i64,
    /// How the source writes the sum of both, and for which offset.
    original: Option<(i64, String)>,
}

impl Term {
    /// Splits a trailing constant off, where the text says it as a literal.
    pub(super) fn of(text: &str, expr: &Expr) -> Term {
        let whole = Term::new(text.to_string(), 0);
        match expr {
            Expr::Constant(value) if is_number(text.trim_start_matches('-')) => Term::new(String::new(), *value),
            Expr::Add(_, constant) => match (constant.as_constant(), trailing_literal(text)) {
                (Some(value), Some((rest, literal))) if value == literal => {
                    Term { original: Some((literal, text.to_string())), ..Term::new(rest, literal) }
                }
                _ => whole,
            },
            _ => whole,
        }
    }

    pub(super) fn new(text: String, offset: i64) -> Term {
        Term { text, offset, original: None }
    }

    /// The same where a word may be a macro, such as `i - 1` without parentheses of its own.
    pub(super) fn closed(self) -> Term {
        let is_word = is_simple(&self.text) && !is_number(&self.text);
        if is_word { Term { text: format!("({})", self.text), ..self } } else { self }
    }

    /// The sum with a function of the sizes.
    pub(super) fn shifted_by(&self, shift: &str) -> Result<Term> {
        match shift.parse::<i64>() {
            Ok(number) => self.plus(1, number),
            Err(_) => Ok(Term::new(format!("{} + {}", additive(&self.text), parenthesized(shift)), self.offset)),
        }
    }

    /// The difference from a function of the sizes, as text.
    pub(super) fn minus(&self, lowest: &str) -> Result<String> {
        Ok(match lowest.parse::<i64>() {
            Ok(number) => self.plus(-1, number)?.print(),
            Err(_) => format!("{} - {}", additive(&self.print()), parenthesized(lowest)),
        })
    }

    /// The sum with a multiple of a number.
    pub(super) fn plus(&self, factor: i64, number: i64) -> Result<Term> {
        let offset = factor.checked_mul(number).and_then(|number| self.offset.checked_add(number));
        let offset = offset.ok_or_else(|| fault("a number in a subscript is past 64 bits"))?;
        Ok(Term { offset, ..self.clone() })
    }

    pub(super) fn print(&self) -> String {
        if let Some((offset, text)) = &self.original
            && *offset == self.offset
        {
            return text.clone();
        }
        match (self.text.is_empty(), self.offset) {
            (true, offset) => offset.to_string(),
            (false, 0) => self.text.clone(),
            (false, offset) => {
                let spaced = self.text.contains(' ') || is_simple(&self.text);
                let (sign, space) = (if offset < 0 { '-' } else { '+' }, if spaced { " " } else { "" });
                format!("{}{space}{sign}{space}{}", additive(&self.text), offset.unsigned_abs())
            }
        }
    }

    pub(super) fn as_operand(&self) -> String {
        parenthesized(&self.print())
    }
}

/// Splits `i+1` into `i` and 1, `k - 2` into `k` and −2.
pub(crate) fn trailing_literal(text: &str) -> Option<(String, i64)> {
    let at = text.rfind(['+', '-'])?;
    let (rest, tail) = (text[..at].trim_end(), text[at + 1..].trim());
    if rest.is_empty() || !is_number(tail) || rest.ends_with(['+', '-', '*', '/', '%', '(', '?', ':']) {
        return None;
    }
    let value: i64 = tail.parse().ok()?;
    Some((rest.to_string(), if text.as_bytes()[at] == b'-' { -value } else { value }))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_folded_into_the_users_text() {
        let plus = |c| Expr::Iterator(polyfold_scop::LoopId(0)).add(Expr::Constant(c));
        assert_eq!(Term::of("x+1", &plus(1)).minus("1").unwrap(), "x");
        assert_eq!(Term::of("x + 3", &plus(3)).minus("1").unwrap(), "x + 2");
        assert_eq!(Term::of("x+3", &plus(3)).minus("0").unwrap(), "x+3");
        assert_eq!(Term::of("x", &Expr::Iterator(polyfold_scop::LoopId(0))).minus("1").unwrap(), "x - 1");
        assert_eq!(Term::of("c ? x : 0", &plus(0)).minus("n").unwrap(), "(c ? x : 0) - n");
        assert_eq!(Term::of("n*-1", &plus(-1)).offset, 0, "the literal is a factor");
    }
}
