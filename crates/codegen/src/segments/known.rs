//! What is known in front of a loop.

use super::Segments;
use super::parts::Part;
use super::pointed::PointedRows;
use crate::Decisions;
use crate::home::words;
use crate::subscript::Positions;
use crate::tokens::{Kind, Token, tokens};
use polyfold_isl::Result;
use polyfold_scop::{Scop, Span};

impl Segments<'_> {
    /// Whether a text can be computed in front of the loop, and is signed: all its names are sizes that are plainly signed or cast,
    /// counters, or constants of ours. A macro may mean anything.
    pub(super) fn is_plain(&self, text: &str) -> bool {
        let Decisions { scop, .. } = self.accesses.decisions;
        let is_size = |word: &str| is_size(scop, word);
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

    /// Whether each part uses what the body declares.
    pub(super) fn use_what_they_declare(&self, parts: &[Part]) -> Result<bool> {
        for part in parts {
            if !self.uses_what_it_declares(part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a part uses what the body declares: values that nobody reads are not written in it.
    fn uses_what_it_declares(&self, part: &Part) -> Result<bool> {
        let (source, body) = (self.accesses.source, &self.head.body);
        let all = tokens(source, body);
        let names: Vec<&str> = declarations(&all).into_iter().flat_map(|at| declared(&all[at..])).collect();
        if names.is_empty() {
            return Ok(true);
        }
        let text = self.body_with(&self.rewritten(&Positions::default(), &PointedRows::default(), part)?);
        let count = |text: &str, name: &str| words(text).filter(|(_, word)| *word == name).count();
        let is_idle = |name: &str| count(&text, name) == 1 && count(&source[body.clone()], name) > 1;
        Ok(!names.into_iter().any(is_idle))
    }

    /// Whether a row's place can be computed in front of the loop.
    pub(super) fn is_plain_row(&self, row: &str, names: &[String]) -> bool {
        let Decisions { scop, value_buffers, .. } = self.accesses.decisions;
        let is_storage =
            |word: &str| value_buffers.iter().any(|buffer| buffer.name == word) || self.accesses.is_storage(word);
        let known = |word: &str| {
            is_size(scop, word)
                || scop.loops().iter().any(|l| l.iterator == word)
                || names.iter().any(|name| name == word)
        };
        words(row).all(|(_, word)| {
            let is_number = word.bytes().all(|b| b.is_ascii_digit());
            is_number || word == "long" || is_storage(word) || known(word)
        })
    }
}

/// Whether a name is that of a parameter, or of a macro that was taken at its value.
fn is_size(scop: &Scop, name: &str) -> bool {
    scop.parameters.iter().any(|p| p.name == name) || scop.pinned.iter().any(|pinned| pinned.name == name)
}

/// Whether a body declares variables: they are known in it alone.
pub(super) fn declares_something(source: &str, body: &Span) -> bool {
    !declarations(&tokens(source, body)).is_empty()
}

/// Whether a body declares nothing that keeps it from standing several times, or that hides what is written in front of it.
pub(super) fn may_be_repeated(source: &str, body: &Span, scop: &Scop) -> bool {
    let all = tokens(source, body);
    let hides = |name: &str| {
        let is_array = scop.arrays.iter().any(|array| array.name == name && !array.is_scalar());
        is_array || is_size(scop, name) || scop.loops().iter().any(|l| l.iterator == name)
    };
    let is_once = |word: &str| ["static", "_Thread_local", "__thread"].contains(&word);
    declarations(&all).into_iter().all(|at| declared(&all[at..]).iter().all(|word| !is_once(word) && !hides(word)))
}

/// Where declarations begin.
fn declarations(all: &[Token]) -> Vec<usize> {
    let begins = |at: usize| at == 0 || all[at - 1].is_any(&['{', '}', ';', ')']);
    let is_type =
        |t: &Token| t.kind == Kind::Word && !["else", "return", "goto", "do", "case", "sizeof"].contains(&t.text);
    let is_named = |at: usize| all.get(at + 1).is_some_and(|next| next.kind == Kind::Word || next.is('*'));
    (0..all.len()).filter(|at| begins(*at) && is_type(&all[*at]) && is_named(*at)).collect()
}

/// The words of a declaration, without the values that its variables begin with.
fn declared<'t>(from: &[Token<'t>]) -> Vec<&'t str> {
    let (mut found, mut depth, mut is_value) = (Vec::new(), 0, false);
    for token in from.iter().take_while(|t| !t.is(';')) {
        depth += i32::from(token.is_any(&['(', '[', '{'])) - i32::from(token.is_any(&[')', ']', '}']));
        is_value = depth > 0 && is_value || depth == 0 && (is_value || token.is('=')) && !token.is(',');
        if depth == 0 && !is_value && token.kind == Kind::Word {
            found.push(token.text);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_declarations() {
        let names = |text: &str| {
            let all = tokens(text, &(0..text.len()));
            declarations(&all).into_iter().flat_map(|at| declared(&all[at..])).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("{ int s = a[i] + f(b, c) * n, *t, u[2 * n] = { m, n }; a[i] = s; }"), "int s t u");
        assert_eq!(
            names("{ a[i] = 0; const double c = x; if (c) { static int k; k++; } }"),
            "const double c static int k"
        );
        assert_eq!(names("a[i] = b * c;"), "");
    }
}
