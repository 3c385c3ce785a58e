//! Subscripts with one number instead of several.
//!
//! ```text
//! a[i - 1] + a[i] + a[i + 1]     with i = c0 + 1 is     a[(c0 + 1) - 1] + …     and becomes     a[c0] + a[c0 + 1] + a[c0 + 2]
//! ```
//!
//! Invariant: only subscripts that are sums of words in counters' values, and of decimal numbers, are changed: a macro that is no operand
//! keeps its place.

use crate::home::words;
use crate::tokens::{Kind, Token, tokens};
use std::collections::BTreeSet;

/// A text whose subscripts have one number each; the words in `values` are sizes and counters.
pub(super) fn folded(text: &str, values: &[String]) -> String {
    let known: BTreeSet<&str> = values.iter().flat_map(|value| words(value)).map(|(_, word)| word).collect();
    let all = tokens(text, &(0..text.len()));
    let (mut out, mut at) = (String::new(), 0);
    for opening in (0..all.len()).filter(|k| all[*k].is('[')) {
        let Some(length) = all[opening..].iter().position(|token| token.is(']')) else { break };
        let inside = &all[opening + 1..opening + length];
        let Some(sum) = Sum::of(inside, &known).filter(|sum| sum.numbers > 1) else { continue };
        out.push_str(&text[at..all[opening].span().end]);
        out.push_str(&sum.text());
        at = all[opening + length].at;
    }
    out + &text[at..]
}

/// Words with their signs, and a number.
#[derive(Default)]
struct Sum<'t> {
    terms: Vec<(bool, &'t str)>,
    constant: i64,
    /// How many numbers there were.
    numbers: usize,
}

impl<'t> Sum<'t> {
    /// `None`: the tokens are something else.
    fn of(all: &[Token<'t>], known: &BTreeSet<&str>) -> Option<Sum<'t>> {
        let mut sum = Sum::default();
        // Whether what is in parentheses, and what comes next, is taken away.
        let (mut around, mut is_negative, mut is_operand) = (vec![false], false, false);
        for token in all {
            match token.kind {
                Kind::Sign('(') if !is_operand => around.push(is_negative),
                Kind::Sign(')') if is_operand && around.len() > 1 => _ = around.pop(),
                Kind::Sign(sign @ ('+' | '-')) if is_operand => is_negative = around.last()? ^ (sign == '-'),
                Kind::Word if !is_operand => sum.add(is_negative, token.text, known)?,
                _ => return None,
            }
            is_operand = matches!(token.kind, Kind::Word | Kind::Sign(')'));
        }
        (is_operand && around.len() == 1).then_some(sum)
    }

    fn add(&mut self, is_negative: bool, word: &'t str, known: &BTreeSet<&str>) -> Option<()> {
        let is_decimal = word == "0" || !word.starts_with('0');
        match word.parse::<i32>() {
            Ok(number) if is_decimal => {
                self.constant += if is_negative { -i64::from(number) } else { i64::from(number) };
                self.numbers += 1;
            }
            _ if known.contains(word) => self.terms.push((is_negative, word)),
            _ => return None,
        }
        Some(())
    }

    fn text(&self) -> String {
        let number = (self.constant < 0, self.constant.unsigned_abs().to_string());
        let mut all: Vec<(bool, &str)> = self.terms.clone();
        if self.constant != 0 || all.is_empty() {
            let begins = self.constant > 0 && all.first().is_none_or(|(is_negative, _)| *is_negative);
            all.insert(if begins { 0 } else { all.len() }, (number.0, &number.1));
        }
        let sign = |k: usize, is_negative: bool| match (k, is_negative) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        all.iter().enumerate().map(|(k, (is_negative, word))| format!("{}{word}", sign(k, *is_negative))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::folded;

    fn of(text: &str) -> String {
        folded(text, &["c0 + 1".to_string(), "n - 2".to_string(), "2".to_string()])
    }

    #[test]
    fn subscripts_have_one_number() {
        for (text, wanted) in [
            ("a[2 - 1][2] = a[(c0 + 1) - 1][2 + 2];", "a[1][2] = a[c0][4];"),
            ("a[(c0 + 1) - (n - 2) + 1]", "a[c0 - n + 4]"),
            ("a[1 - (c0 + 1)] = a[5 - (c0 + 1)];", "a[-c0] = a[4 - c0];"),
            ("a[(n - 2) - (c0 + 1 - (n - 2))]", "a[n - c0 + n - 5]"),
        ] {
            assert_eq!(of(text), wanted);
        }
    }

    #[test]
    fn other_subscripts_stay() {
        for text in [
            "a[c0 + 1]",
            "a[(c0 + 1) % 3 - 1]",
            "a[2 * (c0 + 1) - 1]",
            "a[M - 1 + 1]",
            "a[-c0 + 1 - 1]",
            "a[(int)c0 + 1 - 1]",
            "a[c0 + 010 - 1]",
            "a[b[c0 + 1] - 1 + 1]",
            "f(c0 + 1 - 1)",
        ] {
            assert_eq!(of(text), text);
        }
    }
}
