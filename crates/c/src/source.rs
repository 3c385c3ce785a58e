//! Directives and the masked text.
//!
//! The idea: a C parser should see neither comments nor preprocessor lines, so both become blanks of equal
//! length, and every byte keeps its place. The directives are remembered with their spans.
//!
//! Example: `#pragma scop` between two loops leaves a blank line in the masked text and a [`Directive`] with
//! the name `pragma` and the text `scop`.

use crate::lex::{TokenKind, tokens};
use crate::macros::pieces;

/// A half-open range of bytes.
pub type Span = std::ops::Range<usize>;

/// One preprocessor line, continuations included, or one `_Pragma("…")`.
#[derive(Clone, Debug)]
pub struct Directive {
    /// From `#` to the end of the last continued line, without the line break.
    pub span: Span,
    /// `pragma`, `if`, `define`, …; `_Pragma` for an operator whose text is not a single string.
    pub name: String,
    /// What follows the name, without comments, words apart by single blanks.
    pub text: String,
}

impl Directive {
    /// Whether it opens, switches or closes a conditional branch.
    pub fn is_conditional(&self) -> bool {
        self.name.starts_with("if") || self.name.starts_with("el") || self.name == "endif"
    }

    /// Whether it is a `_Pragma` that cannot be read.
    pub fn is_unread_operator(&self) -> bool {
        self.name == "_Pragma"
    }

    /// The words behind a pragma that makes the statement behind it a region for local memory; `None`: it is another one.
    pub fn region(&self) -> Option<Vec<String>> {
        let words: Vec<String> = pieces(self.pragma()?).into_iter().map(|piece| piece.text).collect();
        let begins = |own: [&str; 2]| words.len() >= 2 && own == [&words[0], &words[1]];
        (begins(["polyfold", "local"]) || begins(["compact", "region"])).then(|| words[2..].to_vec())
    }

    /// The text of a pragma.
    pub fn pragma(&self) -> Option<&str> {
        (self.name == "pragma").then_some(self.text.as_str())
    }
}

/// All directives of a file, in order.
pub fn directives(source: &str) -> Vec<Directive> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    let mut line_is_blank = true;
    let mut at = 0;
    while at < tokens.len() {
        let text = &source[tokens[at].span.clone()];
        if line_is_blank && text == "#" {
            let length = tokens[at..].iter().position(|t| t.kind == TokenKind::Newline).unwrap_or(tokens.len() - at);
            found.push(directive(source, &tokens[at..at + length]));
            at += length;
            continue;
        }
        if text == "_Pragma"
            && let Some((length, found_here)) = pragma_operator(source, &tokens[at..])
        {
            found.push(found_here);
            at += length;
            line_is_blank = false;
            continue;
        }
        match tokens[at].kind {
            TokenKind::Newline => line_is_blank = true,
            TokenKind::Space => {}
            _ => line_is_blank = false,
        }
        at += 1;
    }
    found
}

fn directive(source: &str, tokens: &[crate::lex::Token]) -> Directive {
    let span = tokens[0].span.start..tokens[tokens.len() - 1].span.end;
    let mut words = tokens[1..].iter().skip_while(|t| t.kind == TokenKind::Space);
    let name = words.next().map_or(String::new(), |t| source[t.span.clone()].to_string());
    let text: String = words.map(|t| if t.kind == TokenKind::Space { " " } else { &source[t.span.clone()] }).collect();
    Directive { span, name, text: text.trim().to_string() }
}

/// The `_Pragma("…")` in front of `tokens`, and how many tokens it takes. One that opens or ends a scop counts as
/// unread: a scop's pragmas are lines of their own.
fn pragma_operator(source: &str, tokens: &[crate::lex::Token]) -> Option<(usize, Directive)> {
    let is_mark = |t: &crate::lex::Token, mark: &str| source.get(t.span.clone()) == Some(mark);
    let open = 1 + tokens[1..].iter().position(|t| !matches!(t.kind, TokenKind::Space | TokenKind::Newline))?;
    if !is_mark(&tokens[open], "(") {
        return None;
    }
    let mut depth = 0;
    let close = open
        + tokens[open..].iter().position(|t| {
            depth += i32::from(is_mark(t, "(")) - i32::from(is_mark(t, ")"));
            depth == 0
        })?;
    let span = tokens[0].span.start..tokens[close].span.end;
    let words: Vec<&str> = tokens[open + 1..close]
        .iter()
        .filter(|t| !matches!(t.kind, TokenKind::Space | TokenKind::Newline))
        .map(|t| &source[t.span.clone()])
        .collect();
    let quoted = match words.as_slice() {
        [one] => one.trim_start_matches('L').strip_prefix('"').and_then(|rest| rest.strip_suffix('"')),
        _ => None,
    };
    let text = quoted.map(|quoted| crate::macros::join(&crate::macros::pieces(&unescaped(quoted))));
    let read = text.filter(|text| !matches!(text.as_str(), "scop" | "endscop"));
    let name = if read.is_some() { "pragma" } else { "_Pragma" };
    Some((close + 1, Directive { span, name: name.to_string(), text: read.unwrap_or_default() }))
}

fn unescaped(quoted: &str) -> String {
    quoted.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// A copy of `source` with equal length, in which comments, directives and `inactive` ranges are blank.
pub fn masked(source: &str, directives: &[Directive], inactive: &[Span]) -> String {
    let spaces = tokens(source).into_iter().filter(|t| t.kind == TokenKind::Space).map(|t| t.span);
    let hidden = directives.iter().map(|d| d.span.clone()).chain(inactive.iter().cloned()).chain(spaces);
    blanked(source.to_string(), hidden)
}

/// `text` with blanks for all of the spans but line breaks.
pub fn blanked(text: String, spans: impl Iterator<Item = Span>) -> String {
    let mut bytes = text.into_bytes();
    for span in spans {
        for byte in &mut bytes[span] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Line number of a byte, from 1.
pub fn line_of(source: &str, at: usize) -> usize {
    source.as_bytes()[..at.min(source.len())].iter().filter(|&&b| b == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_pragmas() {
        let found = directives("int a; _Pragma(\"omp  critical(\\\"x\\\")\") _Pragma(A B)\n");
        assert_eq!((found[0].name.as_str(), found[0].text.as_str()), ("pragma", "omp critical(\"x\")"));
        assert!(found[1].is_unread_operator());
    }

    #[test]
    fn continuations_and_comments_belong_to_the_directive() {
        let source = "int a; # x\n  # pragma  omp /* c\n d */ parallel \\\n for\nint b;\n";
        let found = directives(source);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].text.as_str()), ("pragma", "omp parallel for"));
        let masked = masked(source, &found, &[]);
        assert_eq!(masked.len(), source.len());
        assert_eq!(masked.split_whitespace().collect::<Vec<_>>(), ["int", "a;", "#", "x", "int", "b;"]);
    }
}
