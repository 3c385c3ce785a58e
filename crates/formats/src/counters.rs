//! What a loop's counter is in a statement's text.
//!
//! New loops have counters of type `int`. A counter of another type stands in the text with a cast to it, `(long)i`: the text then
//! computes what it did. A counter whose value is needed behind the scop would not get it.

use crate::text::words;
use polyfold_c::lex::{TokenKind, tokens};
use polyfold_codegen::{Obstacle, is_plain_int};
use polyfold_scop::{Loop, Scop};

/// The text that stands for a counter.
///
/// # Errors
/// When its type is not known, or its value is needed elsewhere.
pub(crate) fn in_text(source: &str, scop: &Scop, l: &Loop) -> Result<String, Obstacle> {
    let name = &l.iterator;
    let obstacle = |what: String| Obstacle {
        what,
        span: l.span.start..l.span.start + 3,
        help: "declare it in the loop: write `for (int …`",
    };
    let head: Vec<&str> = words_until_assignment(&source[l.span.clone()]);
    match &head[..] {
        ["for", types @ .., last] if last == name && !types.is_empty() => {
            let words = types.join(" ");
            Ok(if words == "int" { name.clone() } else { format!("({words}){name}") })
        }
        _ if is_needed_behind(&source[scop.span.end..], name) => {
            Err(obstacle(format!("the counter `{name}` is used behind the scop")))
        }
        _ if is_plain_int(source, l.span.start, name) => Ok(name.clone()),
        _ => Err(obstacle(format!("the counter `{name}` may not be an `int`"))),
    }
}

/// The words of `for (long i = …`.
fn words_until_assignment(text: &str) -> Vec<&str> {
    let all = tokens(text);
    let head = all.iter().take_while(|t| !matches!(&text[t.span.clone()], "=" | ";"));
    head.filter(|t| t.kind == TokenKind::Word).map(|t| &text[t.span.clone()]).collect()
}

/// Whether a function's text from a place on mentions a name before it is assigned.
fn is_needed_behind(text: &str, name: &str) -> bool {
    if !words(text).any(|word| word == name) {
        return false;
    }
    let all = tokens(text);
    let mut marks = all.iter().filter(|t| !matches!(t.kind, TokenKind::Space | TokenKind::Newline)).peekable();
    let mut depth = 0;
    while let Some(token) = marks.next() {
        let word = &text[token.span.clone()];
        depth += i32::from(word == "{") - i32::from(word == "}");
        if depth < 0 {
            return false;
        }
        if word == name {
            return marks.peek().is_none_or(|next| &text[next.span.clone()] != "=");
        }
    }
    false
}
