//! The file with its macro calls expanded, and the way back.
//!
//! The idea: the parser reads an expanded text; every stretch of it that a macro made is a [`Segment`] that
//! knows which bytes of the file it replaces. Everything else is a copy.
//!
//! Example: of `x = AT(B, i, j);` the expanded text is `x = B[i][j];` with one segment over `B[i][j]`.

use crate::lex::{TokenKind, tokens};
use crate::macros::{MacroTable, join, pieces};
use crate::source::Span;
use crate::source::{Directive, directives};

/// A stretch of expanded text that a macro made.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Bytes of the expanded text.
    pub at: Span,
    /// Bytes of the outermost call in the file.
    pub replaces: Span,
    /// The macro's name.
    pub name: String,
    /// Whether preprocessing the text again would change it: a macro in it names itself.
    pub unstable: bool,
}

/// Expanded text with its way back to the file.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// What the parser reads.
    pub text: String,
    /// The stretches that macros made, in text order; they don't overlap.
    pub segments: Vec<Segment>,
}

impl Expanded {
    /// Expands the macro calls of a masked file.
    pub fn new(masked: &str, table: &MacroTable) -> Expanded {
        let tokens = tokens(masked);
        let mut expanded = Expanded::default();
        let mut at = 0;
        while at < tokens.len() {
            let text = &masked[tokens[at].span.clone()];
            let call = (tokens[at].kind == TokenKind::Word).then(|| macro_call(masked, &tokens[at..], table)).flatten();
            match call {
                Some((length, new)) => {
                    let start = expanded.text.len();
                    expanded.text.push_str(&new);
                    let replaces = tokens[at].span.start..tokens[at + length - 1].span.end;
                    let made = start..expanded.text.len();
                    let unstable = table.expand(pieces(&new)).is_none_or(|again| join(&again) != new);
                    let segment = Segment { at: made, replaces, name: text.to_string(), unstable };
                    expanded.segments.push(segment);
                    at += length;
                }
                None => {
                    expanded.text.push_str(text);
                    at += 1;
                }
            }
        }
        expanded
    }

    /// Blanks the `_Pragma` operators that macros made, and gives each with the call in the file that made it, and
    /// whether the call made nothing else.
    pub fn take_pragmas(&mut self) -> Vec<(Directive, bool)> {
        let mut taken = Vec::new();
        for segment in &self.segments {
            let made = self.text[segment.at.clone()].to_string();
            if !made.contains("_Pragma") {
                continue;
            }
            let mut found = directives(&made);
            found.retain(|d| made[d.span.clone()].starts_with("_Pragma"));
            let mut rest = made.clone();
            for directive in &found {
                rest.replace_range(directive.span.clone(), &" ".repeat(directive.span.len()));
            }
            let is_alone = rest.trim().is_empty();
            self.text.replace_range(segment.at.clone(), &rest);
            taken.extend(found.into_iter().map(|d| (Directive { span: segment.replaces.clone(), ..d }, is_alone)));
        }
        taken
    }

    /// The segment that holds a byte of the expanded text.
    pub fn segment_at(&self, at: usize) -> Option<usize> {
        let after = self.segments.partition_point(|s| s.at.start <= at);
        (after > 0 && at < self.segments[after - 1].at.end).then(|| after - 1)
    }

    /// The segment that holds all of `span`.
    pub fn segment_around(&self, span: &Span) -> Option<usize> {
        let segment = self.segment_at(span.start)?;
        (span.end <= self.segments[segment].at.end).then_some(segment)
    }

    /// Whether no macro's text is cut by the ends of `span`.
    pub fn is_whole(&self, span: &Span) -> bool {
        let cuts = |at: usize, end: bool| {
            self.segment_at(at).is_some_and(|segment| {
                let made = &self.segments[segment].at;
                if end { made.end != at + 1 } else { made.start != at }
            })
        };
        !cuts(span.start, false) && (span.is_empty() || !cuts(span.end - 1, true))
    }

    /// The bytes of the file that `span` comes from; calls count as a whole.
    pub fn to_file(&self, span: &Span) -> Span {
        let start = match self.segment_at(span.start) {
            Some(segment) => self.segments[segment].replaces.start,
            None => self.shifted(span.start),
        };
        if span.end <= span.start {
            return start..start;
        }
        let end = match self.segment_at(span.end - 1) {
            Some(segment) => self.segments[segment].replaces.end,
            None => self.shifted(span.end - 1) + 1,
        };
        start..end.max(start)
    }

    fn shifted(&self, at: usize) -> usize {
        match self.segments.partition_point(|s| s.at.end <= at) {
            0 => at,
            count => self.segments[count - 1].replaces.end + (at - self.segments[count - 1].at.end),
        }
    }

    /// Where a byte of the file stands in the expanded text.
    pub fn position_of(&self, at: usize) -> usize {
        match self.segments.partition_point(|s| s.replaces.end <= at) {
            0 => at.min(self.text.len()),
            count => {
                (self.segments[count - 1].at.end + (at - self.segments[count - 1].replaces.end)).min(self.text.len())
            }
        }
    }
}

/// How many tokens the macro call in front of `tokens` takes, and what it becomes.
fn macro_call(text: &str, tokens: &[crate::lex::Token], table: &MacroTable) -> Option<(usize, String)> {
    let name = &text[tokens[0].span.clone()];
    let mut length = if table.is_call(name) {
        call_length(text, tokens)?
    } else {
        table.object(name).filter(|_| !table.stays(name))?;
        1
    };
    loop {
        let call = &text[tokens[0].span.start..tokens[length - 1].span.end];
        let expansion = table.expand(pieces(call))?;
        let more = expansion.last().filter(|p| p.kind == TokenKind::Word && table.is_call(&p.text));
        match more.and_then(|_| call_length(text, &tokens[length - 1..])) {
            Some(extra) => length += extra - 1,
            None => return Some((length, join(&expansion))),
        }
    }
}

/// Tokens from the name in front through the `)` that closes its arguments.
fn call_length(text: &str, tokens: &[crate::lex::Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(1) {
        match &text[token.span.clone()] {
            "(" => depth += 1,
            ")" if depth == 0 => return None,
            ")" if depth == 1 => return Some(index + 1),
            ")" => depth -= 1,
            _ if depth == 0 && !matches!(token.kind, TokenKind::Space | TokenKind::Newline) => return None,
            _ => {}
        }
        if depth == 0 && !matches!(token.kind, TokenKind::Space | TokenKind::Newline) {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_map_both_ways() {
        let table = MacroTable::new(&["#define AT(a,r,c) a[r][c]".to_string(), "#define E".to_string()]);
        let source = "x = AT(B, i, j) E + y;";
        let expanded = Expanded::new(source, &table);
        assert_eq!(expanded.text, "x = B[i][j]  + y;");
        let access = expanded.text.find('B').unwrap();
        assert_eq!(expanded.to_file(&(access..access + 7)), 4..15);
        let y = expanded.text.find('y').unwrap();
        assert_eq!(&source[expanded.to_file(&(y..y + 2))], "y;");
        assert_eq!(expanded.position_of(source.find('y').unwrap()), y);
        assert_eq!(Expanded::new("AT(B, 1", &table).text, "AT(B, 1");
    }
}
