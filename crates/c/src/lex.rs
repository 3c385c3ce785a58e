//! Splitting C text into tokens.
//!
//! The idea: enough of C's lexical grammar (translation phases 2 and 3, C11 §5.1.1.2 and §6.4) to find directives, comments,
//! declarations and macro calls without being fooled by strings. Comments and backslash-continuations count as space.
//!
//! ```
//! use polyfold_c::lex::{TokenKind::*, tokens};
//! let text = "a /* b */ + \"c\"";
//! let found: Vec<_> = tokens(text).into_iter().map(|t| (t.kind, &text[t.span])).collect();
//! assert_eq!(found, [(Word, "a"), (Space, " /* b */ "), (Mark, "+"), (Space, " "), (Quoted, "\"c\"")]);
//! ```
//!
//! Invariant: the tokens cover the text.
//!
//! Limit: a word broken by a continuation is read as two words.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Identifier or keyword.
    Word,
    /// Preprocessing number.
    Number,
    /// String or character literal.
    Quoted,
    /// Operator or bracket.
    Mark,
    /// Blanks, comments, continuations.
    Space,
    /// End of a line.
    Newline,
}

/// A token and its bytes.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

const MARKS: [&str; 23] = [
    "...", "<<=", ">>=", "##", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=",
];

/// All tokens of `text`, in order; their spans cover it.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (kind, end) = next_token(text, at);
        found.push(Token { kind, span: at..end });
        at = end;
    }
    found
}

fn next_token(text: &str, at: usize) -> (TokenKind, usize) {
    let bytes = text.as_bytes();
    let next = bytes.get(at + 1).copied().unwrap_or(0);
    match bytes[at] {
        b'\n' => (TokenKind::Newline, at + 1),
        b if space_length(bytes, at) > 0 || b == 0 => (TokenKind::Space, spaces_end(bytes, at)),
        b'"' | b'\'' => (TokenKind::Quoted, quoted_end(bytes, at)),
        b if b.is_ascii_digit() || (b == b'.' && next.is_ascii_digit()) => (TokenKind::Number, number_end(bytes, at)),
        b if is_word_byte(b) => (TokenKind::Word, run_end(bytes, at)),
        _ => {
            let mark = MARKS.iter().find(|mark| bytes[at..].starts_with(mark.as_bytes()));
            (TokenKind::Mark, at + mark.map_or(1, |mark| mark.len()))
        }
    }
}

/// Whether a byte can be part of an identifier.
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn run_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&b| !is_word_byte(b)).map_or(bytes.len(), |length| at + length)
}

fn number_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        let after_exponent = matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
        if !is_word_byte(bytes[at]) && bytes[at] != b'.' && !after_exponent {
            break;
        }
        at += 1;
    }
    at
}

fn quoted_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            b if b == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

fn spaces_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + usize::from(bytes[start] == 0);
    while at < bytes.len() {
        match space_length(bytes, at) {
            0 => break,
            length => at += length,
        }
    }
    at
}

fn space_length(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    match rest[0] {
        b' ' | b'\t' | b'\r' | 0x0b | 0x0c => 1,
        b'\\' => continuation_length(rest),
        b'/' if rest.starts_with(b"//") => line_comment_length(rest),
        b'/' if rest.starts_with(b"/*") => find(&rest[2..], b"*/").map_or(rest.len(), |length| length + 4),
        _ => 0,
    }
}

/// Compilers allow blanks between the backslash and the end of the line.
fn continuation_length(rest: &[u8]) -> usize {
    let blanks = rest[1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
    if rest.get(blanks + 1) == Some(&b'\n') { blanks + 2 } else { 0 }
}

fn line_comment_length(rest: &[u8]) -> usize {
    let mut at = 2;
    while at < rest.len() && rest[at] != b'\n' {
        at += if rest[at] == b'\\' { continuation_length(&rest[at..]).max(1) } else { 1 };
    }
    at
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let all = tokens(text);
        let solid = all.iter().filter(|t| !matches!(t.kind, TokenKind::Space | TokenKind::Newline));
        solid.map(|t| &text[t.span.clone()]).collect()
    }

    #[test]
    fn comments_and_strings() {
        assert_eq!(
            words("a /* \" */ + \"/*\\\"\" // x \\\n y\n'\\''<<=.5e-3f"),
            ["a", "+", "\"/*\\\"\"", "'\\''", "<<=", ".5e-3f"]
        );
    }

    #[test]
    fn continuations() {
        assert_eq!(words("a \\\n b \\ \r\n c"), ["a", "b", "c"]);
        assert_eq!(words("a // b \\\r\n c\nd"), ["a", "d"]);
        assert_eq!(words("\\ a"), ["\\", "a"]);
    }

    #[test]
    fn unterminated_text_ends_with_the_file() {
        assert_eq!(words("\"ab\\"), ["\"ab\\"]);
        assert_eq!(words("/* é"), [] as [&str; 0]);
        assert_eq!(words("é+ü"), ["é", "+", "ü"]);
    }
}
