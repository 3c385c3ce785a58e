//! The tokens of C text as changes need them: to find labels, declarations and mentions of names.
//!
//! Comments are left out, a directive is one token with its continuation lines, and operators are single characters: `a += 1;`
//! is `a`, `+`, `=`, `1`, `;`.

mod declarators;
mod defines;
mod functions;
mod labels;
mod last;
mod redeclared;
mod unused;

pub use declarators::declarators;
pub use defines::Defines;
pub use functions::{function_around, other_bodies};
pub use labels::{begins_statement, labels};
pub use last::last_token;
pub use redeclared::{is_declared, is_type_declared};
pub use unused::{OnlyThere, Replaced};

use crate::lex::TokenKind;
use crate::source::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier, a keyword or a number.
    Word,
    /// A string or character literal.
    Quoted,
    /// A whole preprocessor directive with its continuation lines.
    Directive,
    /// A single character of anything else.
    Sign(char),
}

/// A token and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'a str,
    /// Where it begins.
    pub at: usize,
}

impl Token<'_> {
    /// Whether it is this sign.
    pub fn is(&self, sign: char) -> bool {
        self.kind == Kind::Sign(sign)
    }

    /// Whether it is one of these signs.
    pub fn is_any(&self, signs: &[char]) -> bool {
        matches!(self.kind, Kind::Sign(sign) if signs.contains(&sign))
    }

    /// Its bytes.
    pub fn span(&self) -> Span {
        self.at..self.at + self.text.len()
    }
}

/// The tokens of a part of a text; the part must not begin inside one.
pub fn tokens<'a>(source: &'a str, part: &Span) -> Vec<Token<'a>> {
    let text = &source[part.clone()];
    let (all, mut found, mut k) = (crate::lex::tokens(text), Vec::new(), 0);
    while let Some(token) = all.get(k) {
        let (text, at) = (&text[token.span.clone()], part.start + token.span.start);
        match token.kind {
            TokenKind::Space | TokenKind::Newline => {}
            TokenKind::Word | TokenKind::Number => found.push(Token { kind: Kind::Word, text, at }),
            TokenKind::Quoted => found.push(Token { kind: Kind::Quoted, text, at }),
            TokenKind::Mark if text.starts_with('#') && is_first_on_line(&source[..at]) => {
                k += all[k..].iter().take_while(|t| t.kind != TokenKind::Newline).count() - 1;
                let text = source[at..part.start + all[k].span.end].trim_end();
                found.push(Token { kind: Kind::Directive, text, at });
            }
            TokenKind::Mark => found.extend(signs(text, at)),
        }
        k += 1;
    }
    found
}

fn signs(mark: &str, at: usize) -> impl Iterator<Item = Token<'_>> {
    let sign = move |(k, c): (usize, char)| Token { kind: Kind::Sign(c), text: &mark[k..k + c.len_utf8()], at: at + k };
    mark.char_indices().map(sign)
}

fn is_first_on_line(before: &str) -> bool {
    before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty())
}

/// The identifiers of a text with their offsets.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(is_part)?;
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |n| start + n);
        rest = end;
        Some((start, &text[start..end]))
    })
}

/// Whether a directive mentions a name: neither its own word is one, nor is `h` in `#include <stdio.h>`.
pub fn directive_mentions(directive: &str, name: &str) -> bool {
    let mut all = words(directive);
    let Some((at, own)) = all.next() else { return false };
    let names_a_file = own.starts_with("include") && directive[at + own.len()..].trim_start().starts_with(['<', '"']);
    !names_a_file && all.any(|(_, word)| word == name)
}

/// Where the bracket that opens at a token closes.
pub fn closing(all: &[Token], opening: usize) -> Option<usize> {
    let (open, close) = match all.get(opening)?.kind {
        Kind::Sign('(') => ('(', ')'),
        Kind::Sign('[') => ('[', ']'),
        Kind::Sign('{') => ('{', '}'),
        _ => return None,
    };
    let mut depth = 0;
    (opening..all.len()).find(|at| {
        depth += i32::from(all[*at].is(open)) - i32::from(all[*at].is(close));
        depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::{directive_mentions, tokens};

    #[test]
    fn comments_strings_and_directives() {
        let text = "a1 = \"/*\\\"\"; // x\n  #define N \\\n  3\n/* /*/ b##'\"'";
        let found: Vec<&str> = tokens(text, &(0..text.len())).iter().map(|t| t.text).collect();
        assert_eq!(found, ["a1", "=", "\"/*\\\"\"", ";", "#define N \\\n  3", "b", "#", "#", "'\"'"]);
    }

    #[test]
    fn files_are_no_names() {
        for directive in ["#include <stdio.h>", "# include \"h\"", "#include_next <h>", "#h", "#"] {
            assert!(!directive_mentions(directive, "h"), "{directive}");
        }
        for directive in ["#define N h", "#include h", "#pragma omp parallel private(h)", "#define h 1", "#if h < 3"] {
            assert!(directive_mentions(directive, "h"), "{directive}");
        }
    }
}
