//! Nodes of the tree as the file writes them.
//!
//! The idea: the tree knows where each of its nodes stands in the expanded text, and [`Expanded`] knows the way back to
//! the file. So each node has the file's own bytes around its parts. A macro call stands as the file writes it while
//! nothing in it changes, else its expansion does.
//!
//! Example: of `x = AT(B, i) + 1; /* one */` the value's pieces are its first operand and ` + 1`. The operand is
//! `AT(B, i)` as a whole, and its pieces are `B[`, the subscript, and `]`.
//!
//! Invariant: with all its parts as they are, a node that no macro cuts is byte for byte what the file has.

use crate::expand::Expanded;
use crate::lex::{TokenKind, tokens};
use crate::source::Span;
use crate::syntax::{BinaryOperator, Expression, ExpressionKind};
use polyfold_program::{Level, Piece, Written};

/// The two texts of a file.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// As it is.
    pub file: &'a str,
    /// As the parser reads it.
    pub expanded: &'a Expanded,
}

impl Texts<'_> {
    /// A node without parts of interest.
    pub fn leaf(&self, span: &Span, level: Level) -> Written {
        self.node(span, level, Vec::new())
    }

    /// An expression without parts of interest.
    pub fn whole(&self, e: &Expression) -> Written {
        self.leaf(&e.span, self.level(e))
    }

    /// An expression and its parts, each with its place in the expanded text; `None`: it isn't written.
    pub fn expression(&self, e: &Expression, parts: Vec<(Option<Span>, Written)>) -> Written {
        self.node(&e.span, self.level(e), parts)
    }

    /// An expression without the parentheses around all of it, and where that stands.
    pub fn bare(&self, e: &Expression) -> (Span, Written) {
        let mut span = e.span.clone();
        while let Some(inside) = self.expanded.text.get(span.clone()).and_then(inside_parentheses)
            && !self.is_a_macro(&span)
        {
            span = span.start + inside.start..span.start + inside.end;
        }
        let level = if self.is_a_macro(&span) { Level::Whole } else { level(&e.kind) };
        (span.clone(), self.leaf(&span, level))
    }

    /// A node at a place in the expanded text, and its parts.
    pub fn node(&self, span: &Span, level: Level, parts: Vec<(Option<Span>, Written)>) -> Written {
        let Texts { file, expanded } = *self;
        let mut places: Vec<(usize, &Span)> =
            parts.iter().enumerate().filter_map(|(k, (span, _))| Some((k, span.as_ref()?))).collect();
        places.sort_by_key(|(_, span)| span.start);
        let is_whole = expanded.is_whole(span);
        let in_file: Vec<(usize, Span)> = places.iter().map(|(k, span)| (*k, expanded.to_file(span))).collect();
        let is_written_out = is_whole
            && expanded.segment_around(span).is_none()
            && places.iter().all(|(_, part)| expanded.is_whole(part))
            && in_file.windows(2).all(|two| two[0].1.end <= two[1].1.start);
        let pieces = match is_written_out {
            true => pieces(file, expanded.to_file(span), &in_file),
            false => {
                let places: Vec<(usize, Span)> = places.into_iter().map(|(k, span)| (k, span.clone())).collect();
                pieces(&expanded.text, span.clone(), &places)
            }
        };
        let whole = if is_whole { &file[expanded.to_file(span)] } else { &expanded.text[span.clone()] };
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        Written { whole: whole.to_string(), pieces, parts, level, held: None, is_plain: false }
    }

    /// How tightly an expression binds as it is written; too loose where operators aren't told apart.
    fn level(&self, e: &Expression) -> Level {
        let is_closed = self.expanded.text.get(e.span.clone()).and_then(inside_parentheses).is_some();
        match is_closed {
            _ if self.is_a_macro(&e.span) => Level::Whole,
            true => Level::Primary,
            false => level(&e.kind),
        }
    }

    /// Whether a macro call is all of a node. Another day its expansion may be another one.
    fn is_a_macro(&self, span: &Span) -> bool {
        self.expanded.segment_around(span).is_some() && self.expanded.is_whole(span)
    }
}

/// The text of a span around its parts, which stand in their order.
fn pieces(text: &str, span: Span, parts: &[(usize, Span)]) -> Vec<Piece> {
    let (mut pieces, mut at) = (Vec::new(), span.start);
    let own = |from: usize, to: usize| (from < to).then(|| Piece::Text(text[from..to].to_string()));
    for (k, part) in parts {
        pieces.extend(own(at, part.start));
        pieces.push(Piece::Part(*k));
        at = part.end;
    }
    pieces.extend(own(at, span.end));
    pieces
}

fn level(kind: &ExpressionKind) -> Level {
    use ExpressionKind::*;
    match kind {
        Integer(value, _) if *value < 0 => Level::Unary,
        // What is no variable may be a macro: another day it may stand for a sum.
        Name(_, None) => Level::Whole,
        Integer(..) | Literal | Name(..) | Call(..) | Index(..) | Field(..) => Level::Primary,
        Unary(..) | Cast(..) | Sizeof(_) | Step(..) => Level::Unary,
        Binary(operator, ..) => match operator {
            BinaryOperator::Add | BinaryOperator::Subtract => Level::Sum,
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => Level::Product,
            BinaryOperator::Compare(_) => Level::Comparison,
            BinaryOperator::Or => Level::Or,
            // Bits bind more tightly than `&&`, but it is never wrong to put them in parentheses.
            BinaryOperator::And
            | BinaryOperator::BitAnd
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
            | BinaryOperator::Bits => Level::And,
        },
        Ternary(..) => Level::Choice,
        Assign(..) | Other(..) => Level::Whole,
    }
}

/// Whether what comes behind a text follows a statement, or begins a block.
pub fn begins_a_statement(text: &str) -> bool {
    let all = tokens(text);
    let last = all.iter().rev().find(|token| !matches!(token.kind, TokenKind::Space | TokenKind::Newline));
    last.is_none_or(|token| [";", "{", "}"].contains(&&text[token.span.clone()]))
}

/// Whether a comment is the last thing in a text, but for blanks.
pub fn ends_in_comment(text: &str) -> bool {
    tokens(text.trim_end()).last().is_some_and(|token| token.kind == TokenKind::Space)
}

/// Whether a text has nothing but blanks, comments and braces.
pub fn is_blank_or_brace(text: &str) -> bool {
    let is_own = |own: &str| matches!(own, "{" | "}");
    tokens(text).iter().all(|token| match token.kind {
        TokenKind::Space | TokenKind::Newline => true,
        _ => is_own(&text[token.span.clone()]),
    })
}

/// How many braces more a text opens than it closes.
pub fn depth(text: &str) -> i32 {
    let of = |sign: &str| if sign == "{" { 1 } else { -i32::from(sign == "}") };
    tokens(text).into_iter().map(|token| of(&text[token.span])).sum()
}

/// Whether a statement, a declaration or a block ends in a text, or a block begins.
pub fn ends_something(text: &str) -> bool {
    tokens(text).into_iter().any(|token| [";", "{", "}"].contains(&&text[token.span]))
}

/// Where the second line of a text begins, if it has one: comments and directives may have several.
pub fn second_line(text: &str) -> Option<usize> {
    tokens(text).into_iter().find(|token| token.kind == TokenKind::Newline).map(|token| token.span.end)
}

/// A comment between statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its own text, with its marks.
    pub text: String,
    /// Whether it stands in the line of what is in front of it.
    pub is_in_first_line: bool,
}

/// The comments of a text.
pub fn comments(text: &str) -> Vec<Comment> {
    let (mut found, mut is_in_first_line) = (Vec::new(), true);
    for token in tokens(text) {
        let own = &text[token.span];
        match token.kind {
            TokenKind::Newline => is_in_first_line = false,
            TokenKind::Space if !own.trim().is_empty() => {
                found.push(Comment { text: own.trim().to_string(), is_in_first_line });
            }
            _ => {}
        }
    }
    found
}

/// A text on one line, without comments and directives: `a[i] = /* x */\n  b;` is `a[i] = b;`.
pub fn on_one_line(text: &str) -> String {
    let (mut out, mut space, mut is_directive, mut is_line_start) = (String::new(), false, false, true);
    for token in tokens(text) {
        let word = &text[token.span];
        match token.kind {
            TokenKind::Newline => (space, is_directive, is_line_start) = (true, false, true),
            TokenKind::Space => space = true,
            _ if is_directive => {}
            TokenKind::Mark if is_line_start && word.starts_with('#') => is_directive = true,
            _ => {
                if space && !out.is_empty() {
                    out.push(' ');
                }
                out.push_str(word);
                (space, is_line_start) = (false, false);
            }
        }
    }
    out
}

/// A name in a text, but for those of members.
pub struct Name<'a> {
    /// The text from the name on.
    pub rest: &'a str,
    /// The name.
    pub own: &'a str,
    /// Whether it is a subscript by itself.
    pub is_subscript: bool,
}

/// A text with something else in the place of names: how many bytes go from the name on, and what comes.
pub fn with_names(text: &str, of: &mut dyn FnMut(Name) -> Option<(usize, String)>) -> String {
    let (mut at, mut replaced) = (0, String::new());
    for token in tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word) {
        let (front, rest) = (text[..token.span.start].trim_end(), &text[token.span.start..]);
        if token.span.start < at || front.ends_with('.') || front.ends_with("->") {
            continue;
        }
        let is_subscript = front.ends_with('[') && text[token.span.end..].trim_start().starts_with(']');
        if let Some((length, new)) = of(Name { rest, own: &text[token.span.clone()], is_subscript }) {
            replaced.push_str(&text[at..token.span.start]);
            replaced.push_str(&new);
            at = token.span.start + length;
        }
    }
    replaced + &text[at..]
}

/// Whether a name with parentheses behind it is in a text, or `sizeof`.
pub fn has_call(text: &str) -> bool {
    let is_space = |kind| matches!(kind, TokenKind::Space | TokenKind::Newline);
    let solid: Vec<_> = tokens(text).into_iter().filter(|token| !is_space(token.kind)).collect();
    let is_call = |two: &[crate::lex::Token]| two[0].kind == TokenKind::Word && &text[two[1].span.clone()] == "(";
    solid.windows(2).any(is_call) || solid.iter().any(|token| &text[token.span.clone()] == "sizeof")
}

/// A text between statements without its labels.
pub fn without_labels(text: &str) -> String {
    let all = tokens(text);
    let is_space = |at: usize| all.get(at).is_some_and(|token| matches!(token.kind, TokenKind::Space));
    let (mut left, mut at) = (String::new(), 0);
    while let Some(token) = all.get(at) {
        let colon = if is_space(at + 1) { at + 2 } else { at + 1 };
        let is_label =
            token.kind == TokenKind::Word && all.get(colon).is_some_and(|mark| &text[mark.span.clone()] == ":");
        if is_label {
            at = if is_space(colon + 1) { colon + 2 } else { colon + 1 };
        } else {
            left.push_str(&text[token.span.clone()]);
            at += 1;
        }
    }
    left
}

/// What stands in the parentheses around a text.
pub fn inside_parentheses(text: &str) -> Option<Span> {
    let all = tokens(text);
    let marks: Vec<_> = all.iter().filter(|t| !matches!(t.kind, TokenKind::Space | TokenKind::Newline)).collect();
    let mut depth = 0;
    let closing = marks.iter().position(|token| {
        depth += i32::from(&text[token.span.clone()] == "(") - i32::from(&text[token.span.clone()] == ")");
        depth == 0
    })?;
    let is_around = closing > 1 && closing + 1 == marks.len();
    is_around.then(|| marks[1].span.start..marks[closing - 1].span.end)
}

#[cfg(test)]
mod tests {
    use super::{begins_a_statement, inside_parentheses, second_line, without_labels};

    #[test]
    fn statements_begin_behind_others() {
        assert!(
            begins_a_statement("{ a; /* ) */ ") && begins_a_statement("// L:\n") && begins_a_statement("if (a) { } ")
        );
        assert!(!begins_a_statement("{ L: ") && !begins_a_statement("for (;;) ") && !begins_a_statement("#pragma x\n"));
    }

    #[test]
    fn braces_and_ends_in_comments_are_none() {
        assert_eq!([super::depth("{ /* } */ {"), super::depth("} // {")], [2, -1]);
        assert!(super::ends_something("int t[3]; ") && !super::ends_something("// a;\nhere: "));
        assert!(super::ends_something("}\n") && super::ends_something("{"));
    }

    #[test]
    fn lines_end_behind_comments() {
        assert_eq!(second_line("; /* a\n b */ // c\n  "), Some("; /* a\n b */ // c\n".len()));
        assert_eq!(second_line(" /* a\n b */ "), None);
    }

    #[test]
    fn comments_stand_in_the_first_line_or_below() {
        let of = |text: &str| {
            super::comments(text).into_iter().map(|own| (own.text, own.is_in_first_line)).collect::<Vec<_>>()
        };
        let own = |text: &str, is_first| (text.to_string(), is_first);
        assert_eq!(of(" /* a */ // b\n  /* c\n d */\n x;"), [own("/* a */ // b", true), own("/* c\n d */", false)]);
        assert_eq!(of(" \n  x; \n"), []);
    }

    #[test]
    fn comments_and_directives_go() {
        assert_eq!(super::on_one_line("a[i] = /* x */\n  b; // y\n#pragma omp simd\n\tc();"), "a[i] = b; c();");
        assert_eq!(super::on_one_line("f(\"# no /* comment\");"), "f(\"# no /* comment\");");
    }

    #[test]
    fn names_but_those_of_members_have_values() {
        let text = "i + s.i + a[i] + p->i + ii";
        let with = super::with_names(text, &mut |name| {
            (name.own == "i").then(|| (1, if name.is_subscript { "k" } else { "(k)" }.to_string()))
        });
        assert_eq!(with, "(k) + s.i + a[k] + p->i + ii");
        assert!(super::has_call("a[AT (i)]") && !super::has_call("(a)[i] + (b)"));
    }

    #[test]
    fn labels_go_from_the_text_between_statements() {
        assert_eq!(without_labels("{ /* a: b */\n  L: "), "{ /* a: b */\n  ");
        assert_eq!(without_labels("a :b:{"), "{");
        assert_eq!(without_labels(" // x\n  "), " // x\n  ");
    }

    #[test]
    fn parentheses_around_all_of_a_text() {
        let inside = |text: &'static str| inside_parentheses(text).map(|span| &text[span]);
        assert_eq!(inside("( (t[(i)]) )"), Some("(t[(i)])"));
        assert_eq!(inside("(t)[(i)]"), None);
        assert_eq!(inside("t[(i)]"), None);
        assert_eq!(inside("()"), None);
    }
}
