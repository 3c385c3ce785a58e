//! Text from outside, with the place at which isl stops.
//!
//! isl tells where a text is wrong on standard error only, and does not look beyond the first set that it finds. Reading from
//! a stream in memory shows how far it came.
//!
//! ```
//! use polyfold_isl::{Context, Set};
//! let error = Set::parse(&Context::new(), "{ [i] : 0 <= i < }").unwrap_err();
//! assert_eq!((error.start, error.end, error.message.as_str()), (17, 18, "syntax error"));
//! ```

use crate::mistake::{Mistake, mistake};
use crate::{Context, Set, sys};

/// Why a text is no set, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong.
    pub message: String,
    /// First byte of the word that is wrong, or of what is too much.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Whether it is that word; else that is at most two words before.
    pub is_exact: bool,
}

impl Set {
    /// Parses isl notation that holds one set and nothing else but spaces and comments, from `#` to the end of a line.
    ///
    /// # Errors
    /// When the text is not one set.
    pub fn parse(ctx: &Context, text: &str) -> Result<Set, ParseError> {
        let nothing =
            ParseError { message: "there is no set".to_string(), start: 0, end: text.len().min(1), is_exact: true };
        if after_space(text, 0) == text.len() {
            return Err(nothing);
        }
        if let Some(zero) = text.find('\0') {
            return Err(ParseError { message: "a zero byte".to_string(), start: zero, end: zero + 1, is_exact: true });
        }
        let (set, position) = unsafe {
            let file = sys::fmemopen(text.as_ptr().cast_mut().cast(), text.len(), c"r".as_ptr());
            if file.is_null() {
                return Err(ParseError { message: "out of memory".to_string(), ..nothing });
            }
            let set = Set::wrap_raw(ctx, sys::isl_set_read_from_file(ctx.raw(), file));
            let position = usize::try_from(sys::ftell(file)).unwrap_or(0).min(text.len());
            sys::fclose(file);
            (set, position)
        };
        let set = set.map_err(|error| wrong(ctx, text, position, &error.message))?;
        let rest = after_space(text, position);
        if rest < text.len() {
            let message = "more text after the set".to_string();
            return Err(ParseError { message, start: rest, end: end_of_word(text, rest), is_exact: true });
        }
        Ok(set)
    }
}

fn wrong(ctx: &Context, text: &str, position: usize, message: &str) -> ParseError {
    let last = last_word(text, position);
    let found = if message == "syntax error" { mistake(ctx, text, last.end) } else { Mistake::Unknown };
    let message = match message {
        _ if found == Mistake::Incomplete => "the set has no end".to_string(),
        "syntax error" => message.to_string(),
        // isl's own words are about its source then.
        _ if message.starts_with("Assertion") => "this is not a set of integer tuples of one length".to_string(),
        other => other.to_string(),
    };
    match found {
        Mistake::Word(word) => ParseError { message, start: word.start, end: word.end, is_exact: true },
        Mistake::Incomplete => ParseError { message, start: last.start, end: last.end, is_exact: true },
        Mistake::Unknown => ParseError { message, start: last.start, end: last.end, is_exact: false },
    }
}

/// The last word that begins before a place.
fn last_word(text: &str, position: usize) -> std::ops::Range<usize> {
    let mut end = position;
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let end = text[..end].trim_end().len();
    let start = text[..end].rfind(char::is_whitespace).map_or(0, |before| before + 1);
    start..end
}

/// The first byte from a place on that is neither space nor comment.
fn after_space(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        at = text.len() - text.get(at..).unwrap_or("").trim_start().len();
        if !text[at..].starts_with('#') {
            return at;
        }
        at = text[at..].find('\n').map_or(text.len(), |length| at + length);
    }
}

fn end_of_word(text: &str, start: usize) -> usize {
    text[start..].find(char::is_whitespace).map_or(text.len(), |length| start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_set_and_comments() {
        let ctx = Context::new();
        let set = Set::parse(&ctx, "# y\n[n] -> { [i] : 0 <= i < n }  # n cells\n").unwrap();
        assert!(set.is_equal(&Set::read(&ctx, "[n] -> { [i] : 0 <= i < n }").unwrap()).unwrap());
    }

    #[test]
    fn places_of_what_is_wrong() {
        let ctx = Context::new();
        for (text, message, word) in [
            ("[n] -> { [i] : 0 <= i < n", "the set has no end", "n"),
            ("[n] ->", "the set has no end", "->"),
            ("{ [i] : exists (a, b", "the set has no end", "b"),
            ("{ [i] : i * i <= 5 }", "syntax error", "i"),
            ("{ [i] : 0 <= i < and i < 5 }", "syntax error", "and"),
            ("{ [i] : 0 <= i and and i < 5 }", "syntax error", "and"),
            ("{ [i] : 0 <= k < 5 }", "syntax error", "k"),
            ("{ [i, j] : 0 <= i < 5 ) }", "syntax error", ")"),
            ("{ [i; j] : 0 <= i < 5 }", "syntax error", ";"),
            ("[n] => { [i] : 0 <= i < n }", "syntax error", "="),
            ("[n -> { [i] : 0 <= i < n }", "syntax error", "->"),
            ("{ [i] : 0 <= min(i, ) and i <= 2 }", "syntax error", ")"),
            ("{ [i] } { [j] }", "more text after the set", "{"),
            ("{ [i] -> [j] }", "this is not a set of integer tuples of one length", "}"),
            ("  # nothing", "there is no set", " "),
            ("", "there is no set", ""),
            ("{ [i] : i = ∞ }", "syntax error", "∞"),
        ] {
            let error = Set::parse(&ctx, text).unwrap_err();
            assert_eq!((error.message.as_str(), &text[error.start..error.end]), (message, word), "{text}");
        }
    }
}
