//! Variables that only removed code mentioned.
//!
//! A compiler warns of them, and their declarations are not ours to remove: a parameter belongs to the callers. So what
//! is put in the place of a removed statement mentions them: `{ (void)y; }`.

use crate::Decisions;
use crate::home::words;
use crate::limits::function_around;
use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::{Declaration, Span};

/// The variables of a function that nothing but removed code uses.
pub(crate) struct Unused<'a> {
    source: &'a str,
    names: Vec<&'a str>,
}

impl<'a> Unused<'a> {
    pub(crate) fn of(source: &'a str, decisions: &'a Decisions) -> Unused<'a> {
        let scop = decisions.scop;
        let removed: Vec<Span> = decisions.dead.iter().map(|id| scop.statement(*id).span.clone()).collect();
        let declarators = decisions.removed.iter().filter_map(|id| scop.array(*id).declaration.as_ref());
        let declarators = declarators.filter(|d| d.declarator.fragment.is_none()).map(|d| d.declarator.span.clone());
        let removed: Vec<Span> = removed.into_iter().chain(declarators).collect();
        let mut all = match removed.is_empty() {
            true => Vec::new(),
            false => tokens(source, &function_around(source, scop.span.start)),
        };
        let gone: Vec<&str> = decisions.removed.iter().map(|id| scop.array(*id).name.as_str()).collect();
        let words = removed.iter().flat_map(|span| tokens(source, span)).filter(|t| t.kind == Kind::Word);
        let mut names: Vec<&str> = words.map(|t| t.text).filter(|name| !gone.contains(name)).collect();
        names.sort_unstable();
        names.dedup();
        all.retain(|t| !removed.iter().any(|span| span.contains(&t.at)));
        names.retain(|name| is_only_declared(&all, name));
        Unused { source, names }
    }

    /// Mentions of those that a removed statement mentioned.
    pub(crate) fn mentioned_in(&self, span: &Span) -> String {
        let words = tokens(self.source, span);
        let names = self.names.iter().filter(|name| words.iter().any(|t| t.text == **name));
        names.map(|name| format!("(void){name}; ")).collect()
    }

    /// A statement that mentions those that were sizes of an array that is gone.
    pub(crate) fn sizes_of(&self, declaration: &Declaration) -> Option<String> {
        let place = &declaration.declarator;
        let mentions = if place.fragment.is_none() { self.mentioned_in(&place.span) } else { String::new() };
        (!mentions.is_empty()).then(|| mentions.trim_end().to_string())
    }
}

/// Whether a name is declared, and not mentioned otherwise than to set it.
fn is_only_declared(tokens: &[Token], name: &str) -> bool {
    let mentioned = |t: &Token| match t.kind {
        Kind::Word => t.text == name,
        Kind::Directive => words(t.text).any(|(_, word)| word == name),
        _ => false,
    };
    let mentions: Vec<usize> = (0..tokens.len()).filter(|at| mentioned(&tokens[*at])).collect();
    let declared = mentions.iter().filter(|at| is_declared(tokens, **at)).count();
    declared == 1 && mentions.iter().all(|at| is_declared(tokens, *at) || is_set(tokens, *at))
}

/// `int name;`, `*name)`, `, name[`: behind a type or another declarator.
fn is_declared(tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else { return false };
    let is_type = before.kind == Kind::Word && !["return", "goto", "else", "case", "sizeof"].contains(&before.text);
    let ends = tokens.get(at + 1).is_some_and(|t| t.is_any(&[';', ',', '=', '[', ')']));
    ends && (is_type || before.is_any(&['*', ',']))
}

/// `name = …` as a statement.
fn is_set(tokens: &[Token], at: usize) -> bool {
    let starts = at.checked_sub(1).is_some_and(|before| tokens[before].is_any(&['{', '}', ';']));
    let sign = |k: usize| tokens.get(at + k).is_some_and(|t| t.is('='));
    starts && sign(1) && !sign(2)
}
