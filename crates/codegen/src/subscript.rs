//! The subscripts of a contracted array.
//!
//! The user's own subscript text is kept wherever a row reads one dimension: `y[i][k-1]` under `[k mod 2][i]`
//! is `y[(k-1) % 2][i]`. Constants are folded, so that `g[x+1]` shifted by 1 is `g[x]`.

use crate::CNames;
use polyfold_alloc::Proposal;
use polyfold_isl::Result;
use polyfold_prove::{Row, RowForm, Verified};
use polyfold_scop::{Access, Expr};

/// The text that replaces an access.
pub(crate) fn reference(
    name: &str,
    access: &Access,
    text: &str,
    storage: &Verified<Proposal>,
    names: &CNames,
) -> Result<String> {
    let subscripts: Vec<Term> = (access.subscript_spans.iter().zip(access.subscripts.iter().flatten()))
        .map(|(span, expr)| Term::of(&plain(&text[span.clone()]), expr))
        .collect();
    let mut out = name.to_string();
    for row in storage.rows() {
        out.push_str(&format!("[{}]", row_text(row, &subscripts, names)?));
    }
    Ok(out)
}

/// A subscript's text without comments, line breaks and parentheses around all of it.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        out.push_str(&rest[..at]);
        out.push(' ');
        let (end, length) = if rest[at..].starts_with("/*") { ("*/", 2) } else { ("\n", 1) };
        rest = rest[at..].find(end).map_or("", |n| &rest[at + n + length..]);
    }
    out.push_str(rest);
    let as_written = out == text && !out.contains('\n');
    let mut text = if as_written { out } else { out.split_whitespace().collect::<Vec<_>>().join(" ") };
    text = text.trim().to_string();
    while is_one_group(&text) {
        text = text[1..text.len() - 1].trim().to_string();
    }
    text
}

/// Whether the first parenthesis is closed by the last character.
fn is_one_group(text: &str) -> bool {
    let mut depth = 0;
    text.starts_with('(')
        && text.char_indices().all(|(at, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth > 0 || at + 1 == text.len()
        })
}

/// How a mapping reads in the comment above a declaration: `y[k mod 2][i]` for cells called by `coordinates`.
pub(crate) fn description(
    name: &str,
    storage: &Verified<Proposal>,
    coordinates: &[String],
    names: &CNames,
) -> Result<String> {
    let coordinates: Vec<Term> = coordinates.iter().map(|c| Term::new(c.clone(), 0)).collect();
    let mut out = name.to_string();
    for row in storage.rows() {
        let value = combine(&row.coefficients, &coordinates);
        out.push_str(&match &row.form {
            RowForm::Fits { lowest } => format!("[{}]", minus(&value, &names.value(lowest)?)),
            _ => format!("[{} mod {}]", value.as_operand(), parenthesized(&names.value(&row.modulus)?)),
        });
    }
    Ok(out)
}

/// An expression, as text plus a constant.
#[derive(Clone, Debug)]
struct Term {
    /// Empty: nothing but the constant.
    text: String,
    offset: i64,
    /// How the source writes the sum of both, and for which offset.
    original: Option<(i64, String)>,
}

impl Term {
    /// Splits a trailing constant off, where the text says it as a literal.
    fn of(text: &str, expr: &Expr) -> Term {
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

    fn new(text: String, offset: i64) -> Term {
        Term { text, offset, original: None }
    }

    fn plus(&self, offset: i64) -> Term {
        Term { offset: self.offset + offset, ..self.clone() }
    }

    fn print(&self) -> String {
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

    fn as_operand(&self) -> String {
        parenthesized(&self.print())
    }
}

fn row_text(row: &Row, subscripts: &[Term], names: &CNames) -> Result<String> {
    let value = combine(&row.coefficients, subscripts);
    let modulus = names.value(&row.modulus)?;
    Ok(match &row.form {
        RowForm::Fits { lowest } => minus(&value, &names.value(lowest)?),
        RowForm::Modulo { lift } => match (&value.text, modulus.parse::<i64>()) {
            (text, Ok(m)) if text.is_empty() => value.offset.rem_euclid(m).to_string(),
            _ => format!("{} % {}", lifted(&value, *lift, &modulus), parenthesized(&modulus)),
        },
        RowForm::SignedModulo => {
            let m = parenthesized(&modulus);
            format!("({} % {m} + {m}) % {m}", value.as_operand())
        }
    })
}

/// `value + lift * modulus`, ready to stand before `%`.
fn lifted(value: &Term, lift: i64, modulus: &str) -> String {
    match (lift, modulus.parse::<i64>()) {
        (0, _) => value.as_operand(),
        (_, Ok(m)) => value.plus(lift * m).as_operand(),
        (1, _) => format!("({} + {})", additive(&value.print()), parenthesized(modulus)),
        _ => format!("({} + {lift} * {})", additive(&value.print()), parenthesized(modulus)),
    }
}

/// `Σ coefficient · term`.
fn combine(coefficients: &[i64], terms: &[Term]) -> Term {
    let parts: Vec<(i64, &Term)> =
        coefficients.iter().copied().zip(terms).filter(|(coefficient, _)| *coefficient != 0).collect();
    if let [(1, term)] = parts[..] {
        return term.clone();
    }
    let mut sum = Term::new(String::new(), 0);
    for (coefficient, term) in parts {
        sum.offset += coefficient * term.offset;
        if term.text.is_empty() {
            continue;
        }
        let factor = coefficient.unsigned_abs();
        let sign = match (coefficient < 0, sum.text.is_empty()) {
            (true, true) => "-",
            (true, false) => " - ",
            (false, true) => "",
            (false, false) => " + ",
        };
        sum.text.push_str(sign);
        sum.text.push_str(&match factor {
            1 => parenthesized(&term.text),
            _ => format!("{factor} * {}", parenthesized(&term.text)),
        });
    }
    sum
}

/// `value − lowest`.
fn minus(value: &Term, lowest: &str) -> String {
    match lowest.parse::<i64>() {
        Ok(number) => value.plus(-number).print(),
        Err(_) => format!("{} - {}", additive(&value.print()), parenthesized(lowest)),
    }
}

/// Splits `i+1` into `i` and 1, `k - 2` into `k` and −2.
fn trailing_literal(text: &str) -> Option<(String, i64)> {
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

/// A name or a number.
fn is_simple(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Fit to stand beside `*` or `%`.
fn parenthesized(text: &str) -> String {
    if is_simple(text) { text.to_string() } else { format!("({text})") }
}

/// Fit to stand on the left of `+` or `-`.
fn additive(text: &str) -> String {
    let loose = text.contains(['?', '<', '>', '=', '&', '|', '^', ',', '!', '~']);
    if loose { format!("({text})") } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_folded_into_the_users_text() {
        let plus = |c| Expr::Iterator(polyfold_scop::LoopId(0)).add(Expr::Constant(c));
        assert_eq!(minus(&Term::of("x+1", &plus(1)), "1"), "x");
        assert_eq!(minus(&Term::of("x + 3", &plus(3)), "1"), "x + 2");
        assert_eq!(minus(&Term::of("x+3", &plus(3)), "0"), "x+3");
        assert_eq!(minus(&Term::of("x", &Expr::Iterator(polyfold_scop::LoopId(0))), "1"), "x - 1");
        assert_eq!(minus(&Term::of("c ? x : 0", &plus(0)), "n"), "(c ? x : 0) - n");
        assert_eq!(Term::of("n*-1", &plus(-1)).offset, 0, "the literal is a factor");
    }

    #[test]
    fn comments_and_outer_parentheses_go() {
        assert_eq!(plain(" i /* row */ + 1 "), "i + 1");
        assert_eq!(plain("i // the cell\n + 1"), "i + 1");
        assert_eq!(plain("((i) + (j))"), "(i) + (j)");
        assert_eq!(plain("(i)"), "i");
    }

    #[test]
    fn combinations_keep_the_users_parts() {
        let term = |t: &str| Term::new(t.to_string(), 0);
        assert_eq!(combine(&[2, 1], &[term("i"), term("k-1")]).print(), "2 * i + (k-1)");
        assert_eq!(combine(&[1, -1], &[term("i"), term("j")]).print(), "i - j");
    }
}
