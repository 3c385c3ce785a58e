//! Linear combinations of names, as text.
//!
//! `2 i + k` at the cell `[k - i - 1][k - 1]` is `3 * k - 2 * i - 3`: like terms are collected, a positive one comes first.

use crate::names::{LONG, is_only_compared};
use polyfold_c::code::words;
use polyfold_scop::Node;

/// A constant and multiples of variables, in the order of their first appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Linear {
    pub(crate) constant: i64,
    terms: Vec<(String, i64)>,
}

impl Linear {
    fn add_constant(&mut self, factor: i64, value: i64) -> Option<()> {
        self.constant = self.constant.checked_add(factor.checked_mul(value)?)?;
        Some(())
    }

    fn add_term(&mut self, factor: i64, name: &str) -> Option<()> {
        match self.terms.iter_mut().find(|(n, _)| n == name) {
            Some((_, sum)) => *sum = sum.checked_add(factor)?,
            None => self.terms.push((name.to_string(), factor)),
        }
        Some(())
    }

    /// Adds a multiple of another combination; `None` where a number gets past 64 bits.
    pub(crate) fn add(&mut self, factor: i64, other: &Linear) -> Option<()> {
        self.add_constant(factor, other.constant)?;
        for (name, multiple) in &other.terms {
            self.add_term(factor.checked_mul(*multiple)?, name)?;
        }
        Some(())
    }

    /// Reads `2 * n - 3` and the like; `None` for anything else.
    pub(crate) fn parse(text: &str) -> Option<Linear> {
        let mut sum = Linear::default();
        let text = text.replace(" - ", " + -");
        for part in text.split(" + ") {
            let (sign, part) = part.strip_prefix('-').map_or((1, part), |rest| (-1, rest));
            let (factor, name) = part.split_once(" * ").unwrap_or(("1", part));
            let factor: i64 = factor.parse().ok().filter(|factor| *factor != i64::MIN)?;
            match name.parse::<i64>() {
                Ok(value) => sum.add_constant(sign * factor, value)?,
                Err(_) if is_name(name) => sum.add_term(sign * factor, name)?,
                Err(_) => return None,
            }
        }
        Some(sum)
    }

    /// As it is written in C.
    pub(crate) fn print(&self) -> String {
        match (self.print_terms(), self.constant) {
            (terms, constant) if terms.is_empty() => constant.to_string(),
            (terms, 0) => terms,
            (terms, constant) if constant < 0 => format!("{terms} - {}", constant.unsigned_abs()),
            (terms, constant) => format!("{terms} + {constant}"),
        }
    }

    /// The terms without the constant; empty if there are none.
    fn print_terms(&self) -> String {
        let mut terms: Vec<&(String, i64)> = self.terms.iter().filter(|(_, factor)| *factor != 0).collect();
        if let Some(k) = terms.iter().position(|(_, factor)| *factor > 0) {
            let first = terms.remove(k);
            terms.insert(0, first);
        }
        let mut text = String::new();
        for (k, (name, factor)) in terms.into_iter().enumerate() {
            text.push_str(match (*factor < 0, k == 0) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            });
            match factor.unsigned_abs() {
                1 => text.push_str(name),
                multiple => text.push_str(&format!("{multiple} * {name}")),
            }
        }
        text
    }
}

/// Whether a loop's counter has the name of an outer loop's.
pub(crate) fn hides_counters<'a>(nodes: &'a [Node], outer: &mut Vec<&'a str>) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(l) => {
            let hides = outer.contains(&l.iterator.as_str());
            outer.push(&l.iterator);
            let hides = hides || hides_counters(&l.body, outer);
            outer.pop();
            hides
        }
        Node::Guard(g) => hides_counters(&g.then, outer) || hides_counters(&g.otherwise, outer),
        Node::Statement(_) => false,
    })
}

/// The text with every variable that is computed with as `long`.
pub(crate) fn as_long(text: &str) -> String {
    let mut out = String::new();
    let mut rest = 0;
    for (at, word) in words(text).filter(|(at, word)| is_computed_with(text, *at, word)) {
        out.push_str(&text[rest..at]);
        out.push_str(LONG);
        out.push_str(word);
        rest = at + word.len();
    }
    out + &text[rest..]
}

/// Whether a word is a variable that is not merely compared, and not cast either.
fn is_computed_with(text: &str, at: usize, word: &str) -> bool {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    !is_number && !is_cast(text, at, word) && !is_only_compared(&text[..at], &text[at + word.len()..])
}

/// Whether a word is `long` in a cast, or stands behind one.
fn is_cast(text: &str, at: usize, word: &str) -> bool {
    word == "long" || text[..at].ends_with("(long)")
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Linear {
        Linear::parse(text).expect(text)
    }

    #[test]
    fn like_terms_are_collected() {
        let mut sum = Linear::default();
        sum.add(2, &parse("k - i - 1")).unwrap();
        sum.add(1, &parse("k - 1")).unwrap();
        assert_eq!((sum.print_terms().as_str(), sum.constant), ("3 * k - 2 * i", -3));
    }

    #[test]
    fn a_positive_term_comes_first() {
        let mut sum = parse("-j");
        sum.add(-1, &parse("-m")).unwrap();
        assert_eq!(sum.print_terms(), "m - j");
    }

    #[test]
    fn numbers_past_64_bits_are_no_terms() {
        let most = i64::MAX;
        assert_eq!(parse(&format!("{most} * i + 1")).add(2, &parse("j")), Some(()));
        assert_eq!(parse(&format!("{most} * i")).add(1, &parse("i")), None);
        assert_eq!(parse("i").add(2, &parse(&format!("{most} * j"))), None);
        assert_eq!(parse(&format!("{most}")).add(1, &parse("1")), None);
        assert!(Linear::parse(&format!("{most} * i + i")).is_none());
    }

    #[test]
    fn other_text_is_not_read() {
        assert!(Linear::parse("n <= 2 ? 3 : n").is_none());
        assert!(Linear::parse("(n + 1) / 2").is_none());
        assert!(Linear::parse("").is_none());
    }
}
