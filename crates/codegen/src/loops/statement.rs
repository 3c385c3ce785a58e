//! A text with other values in place of its counters.
//!
//! `t[i][j + 1] = i;` with i = c0 + 1 is `t[c0 + 1][j + 1] = (c0 + 1);`. Members of structures that are called like a counter stay.

use super::is_word;
use polyfold_c::code::{Kind, Token, tokens};
use polyfold_scop::Span;

/// Marks holes while there may be other `$` in a text.
const HOLE: char = '\u{e000}';

/// A part of a text with holes `$0`, `$1`, … in place of names, and `$$` for `$`.
pub fn with_holes(source: &str, part: &Span, names: &[&str]) -> String {
    let holes: Vec<String> = (0..names.len()).map(|k| format!("{HOLE}{k}")).collect();
    substituted(source, part, names, &holes).replace('$', "$$").replace(HOLE, "$")
}

/// A part of a text with values in place of names. Of equal names the last one is meant.
pub fn substituted(source: &str, part: &Span, names: &[&str], values: &[String]) -> String {
    let all = tokens(source, part);
    let (mut out, mut at) = (String::new(), part.start);
    for (place, token) in all.iter().enumerate() {
        let counter = (0..values.len()).rev().find(|k| token.kind == Kind::Word && names.get(*k) == Some(&token.text));
        let Some(counter) = counter.filter(|_| !is_member(&all, place)) else { continue };
        out.push_str(&source[at..token.at]);
        out.push_str(&value(&values[counter], &all, place));
        at = token.span().end;
    }
    out + &source[at..part.end]
}

fn is_member(all: &[Token], place: usize) -> bool {
    let before = |k: usize| place.checked_sub(k).and_then(|place| all.get(place));
    let is = |k: usize, sign: char| before(k).is_some_and(|t| t.is(sign));
    is(1, '.') || (is(1, '>') && is(2, '-'))
}

/// In parentheses, but where it stands by itself. What may be a macro's argument gets some: its body may have none.
fn value(text: &str, all: &[Token], place: usize) -> String {
    let before = place.checked_sub(1).and_then(|k| all.get(k));
    let may_begin = before.is_some_and(|t| t.is_any(&['(', ',']) || t.text == "sizeof");
    let is_cast = text.starts_with("(int)") && !may_begin;
    // A hole gets its own parentheses.
    let is_hole = text.starts_with(HOLE);
    let is_simple = is_hole || is_word(if is_cast { &text["(int)".len()..] } else { text });
    let opens = |t: &Token| t.is('[') || (t.is('(') && !(place > 1 && all[place - 2].kind == Kind::Word));
    let closes = all.get(place + 1).is_some_and(|t| t.is_any(&[']', ')']));
    if is_simple || (before.is_some_and(opens) && closes) { text.to_string() } else { format!("({text})") }
}

#[cfg(test)]
mod tests {
    use super::substituted;

    fn text(source: &str, value: &str) -> String {
        substituted(source, &(0..source.len()), &["i"], &[value.to_string()])
    }

    #[test]
    fn values_are_operands() {
        assert_eq!(text("t[i] = (i) + 2 * i;", "c0 + 1"), "t[c0 + 1] = (c0 + 1) + 2 * (c0 + 1);");
        assert_eq!(text("t[i] = s.i + i;", "k"), "t[k] = s.i + k;");
        assert_eq!(text("t[i - 1] = -i + sizeof i;", "(int)k"), "t[(int)k - 1] = -(int)k + sizeof ((int)k);");
        assert_eq!(text("f(i, i - 1);", "(int)k"), "f(((int)k), ((int)k) - 1);");
        assert_eq!(text("t[2 * i] = 0;", "(int)k + 1"), "t[2 * ((int)k + 1)] = 0;");
    }

    #[test]
    fn arguments_stay_operands_in_macros_without_parentheses() {
        assert_eq!(
            text("t[AT(i, 2)] = AT(i) + f(2, i);", "c0 + 1"),
            "t[AT((c0 + 1), 2)] = AT((c0 + 1)) + f(2, (c0 + 1));"
        );
    }
}
