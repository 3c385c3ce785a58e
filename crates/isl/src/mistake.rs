//! The word at which a text stops being the beginning of a set.
//!
//! isl notices a mistake up to two words late. A beginning is right if some ending makes it a set: of the words around the
//! place where isl stopped, the one behind the longest beginning that is right is the mistake.
//!
//! Example: `{ [i] : 0 <= i <` is right, since `{ [i] : 0 <= i < 0 }` is a set; so in `{ [i] : 0 <= i < }` the mistake is `}`.

use crate::{Context, Set};
use std::ops::Range;

/// What can follow a beginning, before its brackets are closed.
const ENDINGS: [&str; 12] =
    ["", "0", "= 0", "0 = 0", "2 = 0", ", 0 = 0", "= 0 : 0 = 0", ": 0 = 0", "a : a = 0", "0, 0) = 0", "[a]", "{ : }"];

/// What can follow the last bracket.
const TAILS: [&str; 2] = ["", "-> { : }"];

/// isl reads at most this many words behind a mistake.
const LATEST: usize = 2;

/// What is known of a mistake.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// This word.
    Word(Range<usize>),
    /// The text is right as far as it goes.
    Incomplete,
    /// It could not be found.
    Unknown,
}

/// The mistake in a text of which isl has read `read` bytes.
pub(crate) fn mistake(ctx: &Context, text: &str, read: usize) -> Mistake {
    let words = words(text);
    let seen = words.iter().take_while(|word| word.start < read).count();
    let earliest = seen.saturating_sub(LATEST + 1);
    let right = (earliest..=seen).rev().find(|count| {
        let end = count.checked_sub(1).map_or(0, |last| words[last].end);
        is_beginning(ctx, &text[..end], &words[..*count])
    });
    match right {
        None => Mistake::Unknown,
        Some(count) if count == words.len() => Mistake::Incomplete,
        Some(count) if count == seen => Mistake::Unknown,
        Some(count) => Mistake::Word(words[count].clone()),
    }
}

fn is_beginning(ctx: &Context, text: &str, words: &[Range<usize>]) -> bool {
    let mut attempts = ENDINGS.iter().flat_map(|ending| TAILS.iter().map(move |tail| (ending, tail)));
    attempts.any(|(ending, tail)| {
        let open = open_brackets(
            words.iter().map(|word| &text[word.clone()]).chain(self::words(ending).into_iter().map(|w| &ending[w])),
        );
        Set::read(ctx, &format!("{text} {ending} {open} {tail}")).is_ok()
    })
}

/// What closes the brackets that are open behind the words.
fn open_brackets<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let mut open = Vec::new();
    for word in words {
        match word {
            "(" => open.push(')'),
            "[" => open.push(']'),
            "{" => open.push('}'),
            ")" | "]" | "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    open.iter().rev().collect()
}

/// Names, numbers and operators, without spaces and comments.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let length = match first {
            '#' => text[at..].find('\n').unwrap_or(text.len() - at),
            _ if is_of_name(first) => text[at..].find(|c| !is_of_name(c)).unwrap_or(text.len() - at),
            _ => OPERATORS.iter().find(|o| text[at..].starts_with(**o)).map_or(first.len_utf8(), |o| o.len()),
        };
        if !first.is_whitespace() && first != '#' {
            words.push(at..at + length);
        }
        at += length;
    }
    words
}

/// Operators of more than one character.
const OPERATORS: [&str; 11] = ["<=", ">=", "!=", "->", "&&", "||", "<<", ">>", ":=", "==", "//"];

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\''
}
