//! Parentheses around a single variable, which a parser without a symbol table takes for a cast.
//!
//! `(i) + 2 * j` is a sum if `i` is a variable, and `+2` cast to i, times j, if it is a type. Wherever an operator follows
//! that could also be unary, the parser is given text in which parentheses around what is no type belong to the name:
//! `_i_ + 2 * j`. In the source that name reads `(i)`, of which [`bare`] is the variable.
//!
//! Invariant: the text keeps its length, so that places in the tree are places in the source.

use crate::lex::{Token, TokenKind, tokens};

/// Operators that may stand in front of a cast's operand, too.
const AMBIGUOUS: [&str; 5] = ["+", "-", "*", "&", "&&"];

/// Words in front of an expression.
const OPENING_WORDS: [&str; 4] = ["return", "case", "else", "do"];

const TYPE_WORDS: [&str; 16] = [
    "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "const", "volatile",
    "struct", "union", "enum", "bool",
];

/// The text without parentheses that a parser would misread.
pub(super) fn without_lone_parentheses(text: &str, is_type: impl Fn(&str) -> bool) -> String {
    let all: Vec<Token> =
        tokens(text).into_iter().filter(|t| !matches!(t.kind, TokenKind::Space | TokenKind::Newline)).collect();
    let reader = Reader { text, all: &all, is_type: &|word| TYPE_WORDS.contains(&word) || is_type(word) };
    let mut bytes = text.as_bytes().to_vec();
    for at in 0..all.len() {
        if reader.is_lone_variable(at) {
            let (name, whole) = (all[at + 1].span.clone(), all[at].span.start..all[at + 2].span.end);
            bytes[whole.start..name.start].fill(b'_');
            bytes[name.end..whole.end].fill(b'_');
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
}

/// The name in `( name )`, or the text itself.
pub(super) fn bare(text: &str) -> &str {
    text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map_or(text, str::trim)
}

struct Reader<'a> {
    text: &'a str,
    all: &'a [Token],
    is_type: &'a dyn Fn(&str) -> bool,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        self.all.get(at).map_or("", |token| &self.text[token.span.clone()])
    }

    /// Whether `(name)` with an ambiguous operator behind it begins at a token.
    fn is_lone_variable(&self, at: usize) -> bool {
        self.word(at) == "("
            && self.word(at + 2) == ")"
            && self.all[at + 1].kind == TokenKind::Word
            && !(self.is_type)(self.word(at + 1))
            && AMBIGUOUS.contains(&self.word(at + 3))
            && bare(&self.text[self.all[at].span.start..self.all[at + 2].span.end]) == self.word(at + 1)
            && self.begins_an_operand(at)
    }

    /// Whether an operand, not the arguments of a call or the head of a statement, begins at a parenthesis.
    fn begins_an_operand(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        match (self.all[before].kind, self.word(before)) {
            (TokenKind::Word, word) => OPENING_WORDS.contains(&word),
            (_, ")") => self.closes_a_cast(before),
            (_, mark) => !matches!(mark, "]" | ";" | "{" | "}"),
        }
    }

    /// Whether a closing parenthesis ends `(type)`.
    fn closes_a_cast(&self, closing: usize) -> bool {
        let opening = (0..closing).rev().take_while(|k| self.word(*k) != ")").find(|k| self.word(*k) == "(");
        opening.is_some_and(|k| k + 1 < closing && (self.is_type)(self.word(k + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::{bare, without_lone_parentheses};

    fn changed(text: &str) -> String {
        without_lone_parentheses(text, |word| word == "elem")
    }

    #[test]
    fn variables_take_their_parentheses_in() {
        assert_eq!(bare("( j )"), "j");
        assert_eq!(changed("v[(i) + 2 * (j)]"), "v[_i_ + 2 * (j)]");
        assert_eq!(changed("n - (i) - 1 * 2"), "n - _i_ - 1 * 2");
        assert_eq!(changed("(int)(i) + 2 * 3"), "(int)_i_ + 2 * 3");
        assert_eq!(changed("if (( j ) && i)"), "if (__j__ && i)");
        assert_eq!(changed("return (n) * 2;"), "return _n_ * 2;");
    }

    #[test]
    fn casts_calls_and_heads_keep_theirs() {
        for text in
            ["(elem) - x", "(unsigned long) + x", "f(i) + 2", "t[0](i) - 1", "if (n) - x;", "(i)++", "sizeof(i) * 2"]
        {
            assert_eq!(changed(text), text);
        }
    }
}
