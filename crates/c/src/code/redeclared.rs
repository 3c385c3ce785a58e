//! Whether a name means something else from a place on, read off the tokens: what only looks like a declaration counts as one.
//!
//! Example: behind `typedef float elem;` the words of `elem t[n];` mean another type; behind `const elem c = 1;` and `const double c = 1;` they mean what they did.

use super::{Kind, Token, directive_mentions};

/// Words that may stand between the beginning of a declaration and the name of its type.
const BEFORE_A_TYPE: [&str; 13] = [
    "typedef", "extern", "static", "register", "auto", "inline", "const", "volatile", "restrict", "_Atomic", "struct",
    "union", "enum",
];

/// Words of types that no declaration gives another meaning.
const KEYWORDS: [&str; 16] = [
    "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "_Complex", "struct",
    "union", "enum", "restrict", "typedef",
];

/// Whether a token may declare the name.
pub fn is_declared(tokens: &[Token], at: usize, name: &str) -> bool {
    let token = &tokens[at];
    if token.kind == Kind::Directive {
        return directive_mentions(token.text, name);
    }
    if token.text != name || KEYWORDS.contains(&name) {
        return false;
    }
    let opens = |t: &Token| t.is_any(&[';', '{', '}', '(']) || t.kind == Kind::Directive;
    let start = tokens[..at].iter().rposition(opens).map_or(0, |before| before + 1);
    let lead = &tokens[start..at];
    let in_braces = tokens[..at].iter().any(|t| t.text == "enum");
    let is_type = |t: &Token| t.kind == Kind::Word && !["return", "goto", "else", "case", "sizeof"].contains(&t.text);
    let has_type =
        lead.first().is_some_and(is_type) && (lead.len() == 1 || lead.get(1).is_some_and(|t| is_type(t) || t.is('*')));
    let named = lead.last().is_none_or(|t| is_type(t) || t.is_any(&['*', ',']));
    // In `int i = N * name` it is multiplied.
    let declarator = lead.rsplit(|t| t.is(',')).next().unwrap_or(lead);
    let is_value = declarator.iter().any(|t| t.is('='));
    in_braces || (named && has_type && !is_value) || closes_a_type(tokens, start)
}

/// `struct { … } name`, or a typedef of a pointer to a function, whose name stands in parentheses.
fn closes_a_type(tokens: &[Token], start: usize) -> bool {
    let Some(before) = start.checked_sub(1) else { return false };
    let begins = |t: &Token| ["typedef", "struct", "union"].contains(&t.text);
    let statement = tokens[..before].iter().rposition(|t| t.is(';')).map_or(0, |at| at + 1);
    tokens[before].is_any(&['}', '(']) && tokens[statement..before].iter().any(begins)
}

/// Whether a token may declare a word of a type.
pub fn is_type_declared(tokens: &[Token], at: usize, word: &str) -> bool {
    let is_directive = tokens[at].kind == Kind::Directive;
    is_declared(tokens, at, word) && (is_directive || !is_used_as_type(tokens, at))
}

/// Whether a name is the type of what a declaration declares: `const elem x`, but not `float elem ALIGNED`.
fn is_used_as_type(tokens: &[Token], at: usize) -> bool {
    let begins = match at.checked_sub(1).map(|before| &tokens[before]) {
        Some(token) if token.kind == Kind::Word => BEFORE_A_TYPE.contains(&token.text),
        Some(token) => token.kind == Kind::Directive || token.is_any(&[';', '{', '}', '(', ',']),
        None => true,
    };
    let names = |next: &Token| next.kind == Kind::Word && !next.text.starts_with("__attribute") || next.is('*');
    begins && tokens.get(at + 1).is_some_and(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::tokens;

    #[test]
    fn types_that_are_declared_and_used() {
        for (text, used) in [
            ("elem t[4];", true),
            ("const elem *t;", true),
            ("typedef elem other;", true),
            ("typedef float elem;", false),
            ("typedef float elem __attribute__((aligned(4)));", false),
            ("typedef float elem ALIGNED;", false),
            ("typedef float *elem ALIGNED;", false),
            ("struct elem { float x; };", false),
        ] {
            let tokens = tokens(text, &(0..text.len()));
            let at = tokens.iter().position(|token| token.text == "elem").unwrap();
            assert_eq!(is_used_as_type(&tokens, at), used, "{text}");
        }
    }

    #[test]
    fn words_of_types_are_declared_again() {
        for (text, word, declared) in [
            ("const double c = 1; static double d;", "double", false),
            ("const elem c = 1;", "elem", false),
            ("typedef float elem;", "elem", true),
            ("int elem = 1;", "elem", true),
            ("int i = N * elem;", "elem", false),
            ("int i = 0, *elem = a;", "elem", true),
            ("#define elem float\n", "elem", true),
            ("#define double float\n", "double", true),
        ] {
            let tokens = tokens(text, &(0..text.len()));
            let found = (0..tokens.len()).any(|at| is_type_declared(&tokens, at, word));
            assert_eq!(found, declared, "{text}");
        }
    }
}
