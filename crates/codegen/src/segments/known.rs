//! What is known in front of a loop.

use super::Segments;
use crate::Decisions;
use crate::home::words;
use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::Span;

impl Segments<'_> {
    /// Whether a text can be computed in front of the loop, and is signed: all its names are sizes that are plainly signed or cast,
    /// counters, or constants of ours. A macro may mean anything.
    pub(super) fn is_plain(&self, text: &str) -> bool {
        let Decisions { scop, .. } = self.accesses.decisions;
        let is_size = |word: &str| scop.parameters.iter().any(|p| p.name == word);
        let is_counter = |word: &str| scop.loops().iter().any(|l| l.iterator == word);
        words(text).all(|(at, word)| {
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            let is_cast = text[..at].ends_with("(long)");
            let is_ours = word == "long" || self.accesses.constants.has(word);
            is_ours || self.variables.are_signed(word) && is_number || {
                (is_size(word) || is_counter(word)) && (is_cast || self.variables.are_signed(word))
            }
        })
    }

    /// Whether a row's place can be computed in front of the loop.
    pub(super) fn is_plain_row(&self, row: &str, names: &[String]) -> bool {
        let Decisions { scop, value_buffers, .. } = self.accesses.decisions;
        let is_storage =
            |word: &str| value_buffers.iter().any(|buffer| buffer.name == word) || self.accesses.is_storage(word);
        let known = |word: &str| {
            let is_size = scop.parameters.iter().any(|p| p.name == word);
            is_size || scop.loops().iter().any(|l| l.iterator == word) || names.iter().any(|name| name == word)
        };
        words(row).all(|(_, word)| {
            let is_number = word.bytes().all(|b| b.is_ascii_digit());
            is_number || word == "long" || is_storage(word) || known(word)
        })
    }
}

/// Whether a body declares variables: they are known in it alone.
pub(super) fn declares_something(source: &str, body: &Span) -> bool {
    let all = tokens(source, body);
    let starts = (0..all.len()).filter(|at| *at == 0 || all[at - 1].is_any(&['{', '}', ';', ')']));
    let is_type =
        |t: &Token| t.kind == Kind::Word && !["else", "return", "goto", "do", "case", "sizeof"].contains(&t.text);
    starts
        .into_iter()
        .any(|at| is_type(&all[at]) && all.get(at + 1).is_some_and(|next| next.kind == Kind::Word || next.is('*')))
}
