//! The subscripts of a contracted array.
//!
//! The user's own subscript text is kept wherever a row reads one dimension: `y[i][k-1]` under `[k mod 2][i]`
//! is `y[(k-1) % 2][i]`. Constants are folded, so that `g[x+1]` shifted by 1 is `g[x]`. Rows that read several dimensions are
//! written anew, as linear combinations of the variables.

use crate::constants::Constants;
use crate::linear::{Linear, Variables, as_long};
use crate::{CNames, fault};
use polyfold_isl::{PwAff, Result, Set};
use polyfold_prove::{Placed, Row, RowForm};
use polyfold_scop::{Access, ArrayId, Expr};

/// How the moduli of one array read.
pub(crate) struct Moduli<'a> {
    pub(crate) array: ArrayId,
    pub(crate) names: &'a CNames,
    pub(crate) constants: &'a Constants,
    /// Whether sizes may be so large that sums and multiples of them are past `int`.
    pub(crate) wide: bool,
}

impl Moduli<'_> {
    /// A modulus as C text, by its name if it has one.
    pub(crate) fn text(&self, modulus: &PwAff) -> Result<String> {
        let value = self.names.value(modulus)?;
        Ok(self.constants.name(self.array, &value).map_or_else(|| self.size(&value), str::to_string))
    }

    /// A size in words, computed as `long` where it may be past `int`.
    fn size(&self, value: &str) -> String {
        if self.wide && !is_simple(value) { as_long(value) } else { value.to_string() }
    }

    /// A modulus, by its text, to be multiplied and added.
    fn summand(&self, modulus: &str) -> String {
        if self.wide && !self.constants.is_long(modulus) { as_long(modulus) } else { modulus.to_string() }
    }
}

/// The text that replaces an access.
pub(crate) fn reference(
    name: &str,
    access: &Access,
    text: &str,
    storage: &Placed,
    moduli: &Moduli,
    variables: &Variables,
) -> Result<String> {
    let Some(expressions) = &access.subscripts else {
        return Err(fault(format!("`{name}` is accessed with subscripts that are not known")));
    };
    let dimensions = storage.rows().iter().map(|row| row.coefficients.len());
    if expressions.len() != access.subscript_spans.len() || dimensions.into_iter().any(|d| d != expressions.len()) {
        return Err(fault(format!("`{name}` is accessed with too few or too many subscripts")));
    }
    let subscripts: Vec<Coordinate> = (access.subscript_spans.iter().zip(expressions))
        .map(|(span, expr)| Coordinate {
            term: Term::of(&plain(&text[span.clone()]), expr),
            linear: Linear::of(expr, &text[span.clone()], variables.scop),
        })
        .collect();
    let mut out = name.to_string();
    for row in storage.rows() {
        out.push_str(&format!("[{}]", row_text(row, &subscripts, storage.scope(), moduli, variables)?));
    }
    Ok(out)
}

/// A subscript's text without comments, line breaks and parentheses around all of it.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let joined = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut rest = joined.as_str();
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
pub(crate) fn description(name: &str, storage: &Placed, coordinates: &[String], moduli: &Moduli) -> Result<String> {
    let coordinate = |c: &String| Coordinate { term: Term::new(c.clone(), 0), linear: Some(Linear::variable(c)) };
    let coordinates: Vec<Coordinate> = coordinates.iter().map(coordinate).collect();
    let mut out = name.to_string();
    for row in storage.rows() {
        let value = combine(&row.coefficients, &coordinates, None)?;
        out.push_str(&match &row.form {
            RowForm::Fits { lowest } => {
                format!("[{}]", shifted(&row.coefficients, &coordinates, &moduli.names.value(lowest)?, None)?)
            }
            _ => {
                let value = value.shifted_by(&moduli.names.value(&row.shift)?)?;
                format!("[{} mod {}]", value.as_operand(), parenthesized(&moduli.text(&row.modulus)?))
            }
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

    /// The sum with a function of the sizes.
    fn shifted_by(&self, shift: &str) -> Result<Term> {
        match shift.parse::<i64>() {
            Ok(number) => self.plus(1, number),
            Err(_) => Ok(Term::new(format!("{} + {}", additive(&self.text), parenthesized(shift)), self.offset)),
        }
    }

    /// The sum with a multiple of a number.
    fn plus(&self, factor: i64, number: i64) -> Result<Term> {
        let offset = factor.checked_mul(number).and_then(|number| self.offset.checked_add(number));
        let offset = offset.ok_or_else(|| fault("a number in a subscript is past 64 bits"))?;
        Ok(Term { offset, ..self.clone() })
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

/// A subscript: the user's text, and what it is worth where that is linear.
struct Coordinate {
    term: Term,
    linear: Option<Linear>,
}

fn row_text(row: &Row, cell: &[Coordinate], scope: &Set, moduli: &Moduli, variables: &Variables) -> Result<String> {
    let shift = moduli.size(&moduli.names.value(&row.shift)?);
    let moves = shift != "0" || matches!(row.form, RowForm::Modulo { lift: 1.. } | RowForm::SignedModulo);
    let value = match moves {
        true => signed(&row.coefficients, cell, variables)?.shifted_by(&shift)?,
        false => combine(&row.coefficients, cell, Some(variables))?,
    };
    let modulus = moduli.text(&row.modulus)?;
    let is_small = value.text.is_empty() && is_remainder(value.offset, &row.modulus, scope)?;
    Ok(match &row.form {
        RowForm::Fits { lowest } => shifted(&row.coefficients, cell, &moduli.names.value(lowest)?, Some(variables))?,
        _ if is_small => value.offset.to_string(),
        RowForm::Modulo { lift } => match (&value.text, modulus.parse::<i64>()) {
            (text, Ok(m)) if text.is_empty() => value.offset.rem_euclid(m).to_string(),
            _ => format!("{} % {}", lifted(&value, *lift, &moduli.summand(&modulus))?, parenthesized(&modulus)),
        },
        RowForm::SignedModulo => {
            let m = if moduli.constants.is_long(&modulus) { modulus } else { signed_operand(&modulus) };
            format!("({} % {m} + {m}) % {m}", value.as_operand())
        }
    })
}

/// Whether a number is its own remainder for all parameters.
fn is_remainder(number: i64, modulus: &PwAff, scope: &Set) -> Result<bool> {
    if number < 0 || number == i64::MAX {
        return Ok(false);
    }
    let more = PwAff::read(scope.context(), &format!("{{ [({})] }}", number + 1))?;
    scope.is_subset(&modulus.at_least(&more)?)
}

/// A modulus of which multiples may be negative: as `long`, if it is neither a number nor a name for one.
fn signed_operand(modulus: &str) -> String {
    let is_long = Linear::parse(&modulus.replace("(long)", "")).is_some() && modulus.contains("(long)");
    match modulus.parse::<i64>() {
        Ok(_) => modulus.to_string(),
        Err(_) if is_long => parenthesized(modulus),
        Err(_) => format!("(long){}", parenthesized(modulus)),
    }
}

/// `value + lift * modulus`, ready to stand before `%`.
fn lifted(value: &Term, lift: i64, modulus: &str) -> Result<String> {
    Ok(match (lift, modulus.parse::<i64>()) {
        (0, _) => value.as_operand(),
        (_, Ok(m)) => value.plus(lift, m)?.as_operand(),
        (1, _) => format!("({} + {})", additive(&value.print()), parenthesized(modulus)),
        _ => format!("({} + {lift} * {})", additive(&value.print()), parenthesized(modulus)),
    })
}

/// `Σ coefficient · coordinate`.
fn combine(coefficients: &[i64], cell: &[Coordinate], variables: Option<&Variables>) -> Result<Term> {
    let parts = parts(coefficients, cell);
    if let [(1, coordinate)] = parts[..] {
        return Ok(coordinate.term.clone());
    }
    match sum(&parts) {
        Some(sum) => Ok(Term::new(sum.print_terms(variables), sum.constant)),
        None => in_words(&parts),
    }
}

/// `Σ coefficient · coordinate`, computed with signed numbers: it may be below 0 on the way.
fn signed(coefficients: &[i64], cell: &[Coordinate], variables: &Variables) -> Result<Term> {
    let parts = parts(coefficients, cell);
    match parts[..] {
        [(1, coordinate)] if !variables.are_signed(&coordinate.term.text) => match sum(&parts) {
            Some(sum) => Term::new(sum.print_terms(Some(variables)), 0).plus(1, sum.constant),
            None => in_words(&parts),
        },
        _ => combine(coefficients, cell, Some(variables)),
    }
}

fn parts<'a>(coefficients: &[i64], cell: &'a [Coordinate]) -> Vec<(i64, &'a Coordinate)> {
    coefficients.iter().copied().zip(cell).filter(|(coefficient, _)| *coefficient != 0).collect()
}

fn sum(parts: &[(i64, &Coordinate)]) -> Option<Linear> {
    let mut sum = Linear::default();
    for (coefficient, coordinate) in parts {
        sum.add(*coefficient, coordinate.linear.as_ref()?)?;
    }
    Some(sum)
}

/// The combination with the user's own text, all of it as `long`.
fn in_words(parts: &[(i64, &Coordinate)]) -> Result<Term> {
    let mut sum = Term::new(String::new(), 0);
    for (coefficient, coordinate) in parts {
        sum = sum.plus(*coefficient, coordinate.term.offset)?;
        if coordinate.term.text.is_empty() {
            continue;
        }
        let sign = match (*coefficient < 0, sum.text.is_empty()) {
            (true, true) => "-",
            (true, false) => " - ",
            (false, true) => "",
            (false, false) => " + ",
        };
        let factor = match coefficient.unsigned_abs() {
            1 => String::new(),
            factor => format!("{factor} * "),
        };
        sum.text.push_str(&format!("{sign}{factor}(long){}", parenthesized(&coordinate.term.text)));
    }
    Ok(sum)
}

/// The combination minus `lowest`.
fn shifted(coefficients: &[i64], cell: &[Coordinate], lowest: &str, variables: Option<&Variables>) -> Result<String> {
    let parts = parts(coefficients, cell);
    if lowest.parse::<i64>().is_err()
        && let (Some(mut sum), Some(lowest)) = (sum(&parts), Linear::parse(lowest))
        && sum.add(-1, &lowest).is_some()
    {
        return Ok(Term::new(sum.print_terms(variables), sum.constant).print());
    }
    let is_wide = variables.is_some_and(|variables| variables.wide);
    minus(&combine(coefficients, cell, variables)?, &if is_wide { as_long(lowest) } else { lowest.to_string() })
}

/// `value − lowest`.
fn minus(value: &Term, lowest: &str) -> Result<String> {
    Ok(match lowest.parse::<i64>() {
        Ok(number) => value.plus(-1, number)?.print(),
        Err(_) => format!("{} - {}", additive(&value.print()), parenthesized(lowest)),
    })
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
        assert_eq!(minus(&Term::of("x+1", &plus(1)), "1").unwrap(), "x");
        assert_eq!(minus(&Term::of("x + 3", &plus(3)), "1").unwrap(), "x + 2");
        assert_eq!(minus(&Term::of("x+3", &plus(3)), "0").unwrap(), "x+3");
        assert_eq!(minus(&Term::of("x", &Expr::Iterator(polyfold_scop::LoopId(0))), "1").unwrap(), "x - 1");
        assert_eq!(minus(&Term::of("c ? x : 0", &plus(0)), "n").unwrap(), "(c ? x : 0) - n");
        assert_eq!(Term::of("n*-1", &plus(-1)).offset, 0, "the literal is a factor");
    }

    #[test]
    fn what_is_long_already_is_not_cast_again() {
        assert_eq!(signed_operand("(long)W + 2"), "((long)W + 2)");
        assert_eq!(signed_operand("2 * (long)W - n"), "(2 * (long)W - n)");
        assert_eq!(signed_operand("(long)n <= 2 ? 3 : 5"), "(long)((long)n <= 2 ? 3 : 5)");
        assert_eq!(signed_operand("n + 2"), "(long)(n + 2)");
        assert_eq!(signed_operand("7"), "7");
    }

    #[test]
    fn large_sizes_are_long_before_they_are_computed() {
        assert_eq!(as_long("2 * n - 3"), "2 * (long)n - 3");
        assert_eq!(as_long("n <= 2 ? 3 : 2 * (long)m"), "n <= 2 ? 3 : 2 * (long)m");
        assert_eq!(signed_operand(&as_long("2 * n - 3")), "(2 * (long)n - 3)");
        assert_eq!(lifted(&Term::new("i".into(), 0), 2, &as_long("n + m")).unwrap(), "(i + 2 * ((long)n + (long)m))");
    }

    #[test]
    fn numbers_past_64_bits_are_not_written() {
        let far = Term::new("i".to_string(), i64::MAX);
        assert!(far.plus(1, 1).is_err() && far.shifted_by("1").is_err() && minus(&far, "-1").is_err());
        assert!(lifted(&Term::new("i".to_string(), 0), 4, &i64::MAX.to_string()).is_err());
        let cell =
            [Coordinate { term: far, linear: None }, Coordinate { term: Term::new("j".into(), 0), linear: None }];
        assert!(combine(&[2, 1], &cell, None).is_err());
    }

    #[test]
    fn comments_and_outer_parentheses_go() {
        assert_eq!(plain(" i /* row */ + 1 "), "i + 1");
        assert_eq!(plain("i // the cell\n + 1"), "i + 1");
        assert_eq!(plain("((i) + (j))"), "(i) + (j)");
        assert_eq!(plain("(i)"), "i");
        assert_eq!(plain("i \\\n + 1"), "i + 1");
    }

    #[test]
    fn combinations_collect_or_keep_the_users_parts() {
        let term = |t: &str| Term::new(t.to_string(), 0);
        let linear = |t: &str| Coordinate { term: term(t), linear: Linear::parse(t) };
        let words = |t: &str| Coordinate { term: term(t), linear: None };
        assert_eq!(combine(&[2, 1], &[linear("i"), linear("k - 1")], None).unwrap().print(), "2 * i + k - 1");
        assert_eq!(combine(&[1, -1], &[linear("i"), linear("j")], None).unwrap().print(), "i - j");
        assert_eq!(combine(&[1, -1], &[words("i/2"), words("j")], None).unwrap().print(), "(long)(i/2) - (long)j");
        assert_eq!(shifted(&[1, -1], &[linear("i"), linear("j")], "-m", None).unwrap(), "i - j + m");
    }
}
