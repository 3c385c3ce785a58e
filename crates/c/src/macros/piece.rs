//! Tokens on their way through the preprocessor.
//!
//! A [`Piece`] is a token that remembers whether blanks stood before it, and its *hide set*: the macros it came from, which
//! it must not call again. Text made of pieces has blanks where tokens would otherwise melt together: `-` and `-1` give
//! `- -1`.

use crate::lex::{TokenKind, tokens};
use std::rc::Rc;

/// A token during expansion.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its bytes.
    pub text: String,
    pub(crate) kind: TokenKind,
    /// Whether blanks stood before it.
    pub(crate) spaced: bool,
    /// The hide set: macros that must not be expanded here.
    pub(super) hidden: Vec<Rc<str>>,
}

/// Tokens of `text` without blanks.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut spaced = false;
    for token in tokens(text) {
        if matches!(token.kind, TokenKind::Space | TokenKind::Newline) {
            spaced = true;
            continue;
        }
        found.push(Piece { text: text[token.span].to_string(), kind: token.kind, spaced, hidden: Vec::new() });
        spaced = false;
    }
    found
}

/// Text of `pieces`, with blanks where they stood and where tokens would otherwise melt together.
pub fn join(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 && (piece.spaced || melts(&pieces[index - 1], piece)) {
            text.push(' ');
        }
        text.push_str(&piece.text);
    }
    text
}

fn melts(left: &Piece, right: &Piece) -> bool {
    let wordy = |kind| matches!(kind, TokenKind::Word | TokenKind::Number);
    if wordy(left.kind) && wordy(right.kind) {
        return true;
    }
    left.kind == TokenKind::Mark && right.kind == TokenKind::Mark && {
        let both = format!("{}{}", left.text, right.text);
        tokens(&both)[0].span.end != left.text.len()
    }
}
