//! The words and signs of the textual form.

use crate::ReadError;

/// A word, a number, a quoted text or a sign, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// Counted from 1.
    pub(crate) line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// Digits alone.
    Integer,
    /// A number of C that is no such integer, as `0.5f`; or what stands in double quotes.
    Leaf,
    Sign,
    End,
}

const LONG_SIGNS: [&str; 6] = ["<=", ">=", "==", "!=", "&&", "||"];
const SIGNS: &str = "()[]{};:,=<>!?+-*/%&";

/// The tokens of a text, with one behind the last.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, ReadError> {
    let mut found = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' | ' ' | '\t' | '\r' => {
                line += usize::from(first == '\n');
                rest = &rest[1..];
                continue;
            }
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            _ => length(rest, first),
        };
        let Some((kind, length)) = length else {
            return Err(ReadError { line, message: format!("`{first}` means nothing here") });
        };
        let (own, behind) = rest.split_at(length);
        let text = if first == '"' { unquoted(&own[1..own.len() - 1]) } else { own.to_string() };
        found.push(Token { kind, text, line });
        rest = behind;
    }
    found.push(Token { kind: Kind::End, text: String::new(), line });
    Ok(found)
}

/// The kind of the token at the beginning of a text, and its bytes.
fn length(rest: &str, first: char) -> Option<(Kind, usize)> {
    let while_ = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
    if first.is_ascii_alphabetic() || first == '_' {
        return Some((Kind::Word, while_(is_word)));
    }
    if first.is_ascii_digit() {
        let digits = while_(|c| c.is_ascii_digit());
        let number = while_(|c| is_word(c) || c == '.');
        return Some(if digits == number { (Kind::Integer, digits) } else { (Kind::Leaf, number) });
    }
    if first == '"' {
        return closing_quote(&rest[1..]).map(|end| (Kind::Leaf, end + 2));
    }
    if LONG_SIGNS.iter().any(|sign| rest.starts_with(sign)) {
        return Some((Kind::Sign, 2));
    }
    SIGNS.contains(first).then_some((Kind::Sign, 1))
}

/// Where the quotes end that a text begins in; `None`: not in its line.
fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' => return None,
            '"' if !is_escaped => return Some(at),
            c => is_escaped = c == '\\' && !is_escaped,
        }
    }
    None
}

/// A text in quotes, on one line.
pub(crate) fn quoted(text: &str) -> String {
    let inside = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{inside}\"")
}

fn unquoted(inside: &str) -> String {
    let (mut text, mut rest) = (String::new(), inside.chars());
    while let Some(c) = rest.next() {
        match c {
            '\\' => text.extend(rest.next().map(|c| if c == 'n' { '\n' } else { c })),
            c => text.push(c),
        }
    }
    text
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a leaf is written without quotes.
pub(crate) fn is_bare(leaf: &str) -> bool {
    let starts = |c: char| c.is_ascii_digit();
    leaf.starts_with(starts)
        && leaf.chars().all(|c| is_word(c) || c == '.')
        && !leaf.chars().all(|c| c.is_ascii_digit())
}
