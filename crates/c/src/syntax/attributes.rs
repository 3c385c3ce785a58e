//! Attributes of declarations that make an array more than memory of its own.
//!
//! Example: `int t[8] __attribute__((cleanup(done)))` hands the array to a function that nobody sees called, and
//! `__asm__("name")` makes it one that others can name. Alignment and advice to the compiler change nothing.

use crate::macros::{Piece, pieces};

const HARMLESS: [&str; 11] = [
    "aligned",
    "unused",
    "maybe_unused",
    "deprecated",
    "nonstring",
    "warn_if_not_aligned",
    "uninitialized",
    "may_alias",
    "no_sanitize",
    "gnu",
    "clang",
];

/// The first attribute in a declaration's text that may give the variable a meaning of its own.
pub(super) fn odd_attribute(text: &str) -> Option<String> {
    let pieces = pieces(text);
    let is = |at: usize, text: &str| pieces.get(at).is_some_and(|p| p.text == text);
    (0..pieces.len()).find_map(|at| match pieces[at].text.as_str() {
        "asm" | "__asm" | "__asm__" => Some("asm".to_string()),
        "__declspec" => odd_name(&pieces[at + 1..], "(", ")", 1),
        "__attribute__" | "__attribute" => odd_name(&pieces[at + 1..], "(", ")", 2),
        "[" if is(at + 1, "[") => odd_name(&pieces[at..], "[", "]", 2),
        _ => None,
    })
}

/// The attributes at the beginning of what stands behind a declarator.
pub(super) fn attributes_behind(text: &str) -> String {
    let mut depth = 0usize;
    let end = text.find(|c| {
        depth += usize::from(matches!(c, '(' | '['));
        depth = depth.saturating_sub(usize::from(matches!(c, ')' | ']')));
        depth == 0 && matches!(c, ',' | ';' | '=')
    });
    text[..end.unwrap_or(text.len())].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An attribute among the parts of a declarator, where a new declarator would not have it.
pub(super) fn inner_attribute(declarator: &str) -> Option<String> {
    let pieces = pieces(declarator);
    let is_one = |at: usize| match pieces[at].text.as_str() {
        "__attribute__" | "__attribute" | "__declspec" => true,
        "[" => pieces.get(at + 1).is_some_and(|next| next.text == "["),
        _ => false,
    };
    let begin = (0..pieces.len()).find(|at| is_one(*at))?;
    let name = pieces[begin + 1..].iter().find(|piece| is_name(&piece.text));
    Some(name.map_or("", |piece| plain(&piece.text)).to_string())
}

/// The first name within so many brackets, but not within parentheses inside them, that is not harmless.
fn odd_name(pieces: &[Piece], open: &str, close: &str, wanted: usize) -> Option<String> {
    let (mut depth, mut inner) = (0usize, 0usize);
    for piece in pieces {
        match piece.text.as_str() {
            text if text == open => depth += 1,
            text if text == close => depth = depth.saturating_sub(1),
            "(" => inner += 1,
            ")" => inner = inner.saturating_sub(1),
            text if depth == wanted && inner == 0 && is_name(text) && !HARMLESS.contains(&plain(text)) => {
                return Some(plain(text).to_string());
            }
            _ => {}
        }
        if depth == 0 {
            return None;
        }
    }
    None
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// `__aligned__` without its underscores.
fn plain(text: &str) -> &str {
    text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_behind_declarators() {
        assert_eq!(attributes_behind(" __attribute__((a(1, 2),\n b)) , u[3];"), "__attribute__((a(1, 2), b))");
        assert_eq!(attributes_behind(" = {0};") + &attributes_behind(";"), "");
    }

    #[test]
    fn attributes_within_declarators() {
        assert_eq!(inner_attribute("t [[gnu::aligned(8)]] [n]").as_deref(), Some("gnu"));
        assert_eq!(inner_attribute("(__attribute__((__aligned__(8))) t)[n]").as_deref(), Some("aligned"));
        assert_eq!(inner_attribute("t[a[i]][b[0]]"), None);
    }

    #[test]
    fn attributes_that_matter() {
        for (text, odd) in [
            ("int t[8]", None),
            ("int t[n] __attribute__((aligned(K * sizeof(int)), __unused__))", None),
            ("[[maybe_unused, gnu::aligned(8)]] int t[n]", None),
            ("int t[a[b[0]]], u[[x]]", Some("x")),
            ("int t[8] __attribute__((aligned(8), cleanup(done)))", Some("cleanup")),
            ("[[gnu::cleanup(done)]] int t[8]", Some("cleanup")),
            ("__attribute((__vector_size__(16))) int t[8]", Some("vector_size")),
            ("static int t[8] __asm__(\"name\")", Some("asm")),
            ("__declspec(thread) int t[8]", Some("thread")),
        ] {
            assert_eq!(odd_attribute(text).as_deref(), odd, "{text}");
        }
    }
}
