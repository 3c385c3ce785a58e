//! Comparisons of something with itself, which compilers warn of.
//!
//! A condition on a counter may compare equal texts once the counter has a value:
//!
//! ```text
//! i < n - 1 ? p[i + 1] : 0     with i = n - 1 is     (n - 1) < n - 1 ? …     and becomes     0 ? p[(n - 1) + 1] : 0
//! ```
//!
//! Branches stay, since their types decide that of the whole.
//!
//! Invariant: only sums and products of what counters' values mention are taken for equal: integers, which equal themselves.

use crate::home::words;
use crate::tokens::{Kind, Token, tokens};
use std::collections::BTreeSet;

/// A text with 0 or 1 for comparisons of what is equal, made of the words in `values`.
pub(super) fn settled(text: &str, values: &[String]) -> String {
    let known: BTreeSet<&str> = values.iter().flat_map(|value| words(value)).map(|(_, word)| word).collect();
    let all = tokens(text, &(0..text.len()));
    let (mut out, mut at) = (String::new(), 0);
    for place in 0..all.len() {
        let Some((operator, length)) = operator(&all, place) else { continue };
        let (first, behind) = (begin(&all, place), end(&all, place + length));
        let (left, right) = (&all[first..place], &all[place + length..behind]);
        let (Some(left), Some(right)) = (operand(left, &known), operand(right, &known)) else { continue };
        if left.iter().map(|t| t.text).eq(right.iter().map(|t| t.text)) && all[first].at >= at {
            out.push_str(&text[at..all[first].at]);
            out.push_str(if ["<=", ">=", "=="].contains(&operator.as_str()) { "1" } else { "0" });
            at = all[behind - 1].span().end;
        }
    }
    out + &text[at..]
}

/// The comparison at a place, and how many tokens it has.
fn operator(all: &[Token], place: usize) -> Option<(String, usize)> {
    let sign = |k: usize| all.get(k).filter(|t| !matches!(t.kind, Kind::Word | Kind::Quoted | Kind::Directive));
    let is_sign = |k: usize, signs: &[char]| sign(k).is_some_and(|t| t.is_any(signs));
    let begins = !place.checked_sub(1).is_some_and(|before| is_sign(before, &['<', '>', '=', '!', '-']));
    if !begins || !is_sign(place, &['<', '>', '=', '!']) {
        return None;
    }
    let is_equal = is_sign(place + 1, &['=']);
    match all[place].text {
        text if is_equal => Some((format!("{text}="), 2)),
        text @ ("<" | ">") if !is_sign(place + 1, &['<', '>']) => Some((text.to_string(), 1)),
        _ => None,
    }
}

/// Where the operand in front of a place begins.
fn begin(all: &[Token], place: usize) -> usize {
    let mut depth = 0;
    let is_end = |token: &Token| {
        depth += i32::from(token.is_any(&[')', ']'])) - i32::from(token.is_any(&['(', '[']));
        depth < 0 || depth == 0 && token.is_any(&ENDS)
    };
    let operand = all[..place].iter().rev().position(is_end);
    operand.map_or(0, |count| place - count)
}

/// Where the operand from a place on ends.
fn end(all: &[Token], place: usize) -> usize {
    let mut depth = 0;
    let is_end = |token: &Token| {
        depth += i32::from(token.is_any(&['(', '['])) - i32::from(token.is_any(&[')', ']']));
        depth < 0 || depth == 0 && token.is_any(&ENDS)
    };
    all[place..].iter().position(is_end).map_or(all.len(), |count| place + count)
}

/// What ends an operand of a comparison, and does not bind it.
const ENDS: [char; 8] = ['?', ':', ',', ';', '&', '|', '{', '}'];

/// An operand without parentheses around it, if it is a sum of known words and numbers.
fn operand<'t>(all: &'t [Token<'t>], known: &BTreeSet<&str>) -> Option<&'t [Token<'t>]> {
    let is_known = |token: &Token| match token.kind {
        Kind::Word => known.contains(token.text) || token.text.parse::<u64>().is_ok(),
        Kind::Sign(sign) => "+-*()".contains(sign),
        _ => false,
    };
    let is_sum = !all.is_empty() && all.iter().all(is_known);
    is_sum.then(|| bare(all))
}

fn bare<'t>(all: &'t [Token<'t>]) -> &'t [Token<'t>] {
    let [first, inside @ .., last] = all else { return all };
    let mut depth = 0;
    let is_closed_early = inside.iter().any(|token| {
        depth += i32::from(token.is('(')) - i32::from(token.is(')'));
        depth < 0
    });
    if first.is('(') && last.is(')') && !is_closed_early { bare(inside) } else { all }
}

#[cfg(test)]
mod tests {
    use super::settled;

    #[test]
    fn what_compares_equal_sums_is_known() {
        let of = |text: &str| settled(text, &["n - 1".to_string()]);
        for (text, wanted) in [
            ("x + ((n - 1) < n - 1 ? p[(n - 1) + 1] : 0);", "x + (0 ? p[(n - 1) + 1] : 0);"),
            ("if ((n - 1) >= (n - 1) && a) b;", "if (1 && a) b;"),
            ("if ((n - 1) == n - 1) b; else if (n - 1 != (n - 1)) c;", "if (1) b; else if (0) c;"),
        ] {
            assert_eq!(of(text), wanted);
        }
    }

    #[test]
    fn other_comparisons_stay() {
        let of = |text: &str| settled(text, &["n - 1".to_string()]);
        for text in [
            "(n - 1) < n - 2 ? a : b;",
            "x <= x ? a : b;",
            "f(n) < f(n);",
            "n << n;",
            "a = n;",
            "p->n > n;",
            "n - 1 < n - 1 < n - 1;",
            "a == n - 1 < n - 1;",
        ] {
            assert_eq!(of(text), text);
        }
    }
}
