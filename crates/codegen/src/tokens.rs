//! The tokens of C text, comments left out: as much as it takes to find labels, declarations and mentions of names.

use polyfold_scop::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
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
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

impl Token<'_> {
    pub(crate) fn is(&self, sign: char) -> bool {
        self.kind == Kind::Sign(sign)
    }

    pub(crate) fn is_any(&self, signs: &[char]) -> bool {
        matches!(self.kind, Kind::Sign(sign) if signs.contains(&sign))
    }

    pub(crate) fn span(&self) -> Span {
        self.at..self.at + self.text.len()
    }
}

/// The tokens of a part of a text; the part must not begin inside one.
pub(crate) fn tokens<'a>(source: &'a str, part: &Span) -> Vec<Token<'a>> {
    let (mut found, mut at) = (Vec::new(), part.start);
    while at < part.end {
        let rest = &source[at..part.end];
        let (kind, length) = next(rest, &source[..at]);
        if let Some(kind) = kind {
            found.push(Token { kind, text: &rest[..length], at });
        }
        at += length;
    }
    found
}

/// Kind and length of what a text begins with; no kind for white space and comments.
fn next(rest: &str, before: &str) -> (Option<Kind>, usize) {
    let Some(first) = rest.chars().next() else { return (None, 0) };
    match first {
        _ if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
        _ if rest.starts_with("/*") => (None, rest[2..].find("*/").map_or(rest.len(), |n| n + 4)),
        '"' | '\'' => (Some(Kind::Quoted), quoted(rest, first)),
        '#' if is_first_on_line(before) => (Some(Kind::Directive), directive(rest)),
        c if is_word(c) => (Some(Kind::Word), rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
        c => ((!c.is_whitespace()).then_some(Kind::Sign(c)), c.len_utf8()),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_first_on_line(before: &str) -> bool {
    before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty())
}

/// Length of a string or character literal.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Length of a directive with its continuation lines, without the last end of line.
fn directive(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    text[..at].trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn comments_strings_and_directives() {
        let text = "a1 = \"/*\\\"\"; // x\n  #define N \\\n  3\n/* /*/ b##'\"'";
        let found: Vec<&str> = tokens(text, &(0..text.len())).iter().map(|t| t.text).collect();
        assert_eq!(found, ["a1", "=", "\"/*\\\"\"", ";", "#define N \\\n  3", "b", "#", "#", "'\"'"]);
    }
}
