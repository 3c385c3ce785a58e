//! Names of their own for variables that several blocks of a scop declare.
//!
//! A declaration between the loops can move in front of the scop if the function has its name nowhere else ([`moved`](super::moved)). Where
//! each stage calls its sum `s`, all but the first get another name:
//!
//! ```text
//! for (…) { float s = 0; … }    for (…) { float s = 0; … }     becomes     for (…) { float s = 0; … }    for (…) { float s2 = 0; … }
//! ```
//!
//! Limits: a name stays that a directive mentions, that stands in its block in front of the declaration, that is declared twice in it, or beside a `goto`.
//!
//! Invariant: nothing but these words changes. What macros make of them is not looked at here: [`OwnNames::differ_only`] compares what a
//! compiler's preprocessor makes of both texts, in which no macro may use an old name.

use super::capture::may_capture;
use super::pieces::{declares, holds};
use super::regions::Regions;
use crate::edit::{Edit, Edits};
use crate::home::free_name;
use crate::limits::function_around;
use crate::tokens::{Kind, Token, directive_mentions, tokens};
use polyfold_scop::{Scop, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A text in which some variables of a scop have names of their own.
pub struct OwnNames {
    /// The text.
    pub text: String,
    /// New names, and what they were.
    names: BTreeMap<String, String>,
}

/// A variable, from its declaration to the end of its block.
struct Scope<'a> {
    name: &'a str,
    block: Span,
    declaration: Span,
}

impl OwnNames {
    /// `None`: no variable has a name that another one has.
    pub fn of(source: &str, scop: &Scop) -> Option<OwnNames> {
        let function = function_around(source, scop.span.start);
        let (mut names, mut edits) = (BTreeMap::new(), Edits::new());
        let scopes = scopes(source, scop);
        for name in scopes.iter().map(|scope| scope.name).collect::<BTreeSet<&str>>() {
            let own: Vec<&Scope> = scopes.iter().filter(|scope| scope.name == name).collect();
            let is_inside = |at: usize| own.iter().any(|scope| scope.block.contains(&at));
            let is_elsewhere = may_capture(source, scop, name)
                || mentions(source, &function, name).iter().any(|token| !is_inside(token.at));
            for scope in own.iter().skip(usize::from(!is_elsewhere)) {
                let Some(places) = places(source, scope) else { continue };
                let new = (2..)
                    .map(|k| format!("{name}{k}"))
                    .find(|new| !names.contains_key(new) && free_name(new, scop, source) == *new)?;
                places.into_iter().for_each(|span| edits.push(Edit { span, text: new.clone() }));
                names.insert(new, name.to_string());
            }
        }
        (!names.is_empty()).then(|| OwnNames { text: edits.apply(source), names })
    }

    /// Whether two preprocessed texts are the same but for the new names, and no macro uses an old one where a variable has a new one.
    pub fn differ_only(&self, before: &str, after: &str) -> bool {
        let (before, after) = [before, after].map(|text| tokens(text, &(0..text.len()))).into();
        let old = |token: &Token| match self.names.get(token.text) {
            Some(old) if token.kind == Kind::Word => old.clone(),
            _ => token.text.to_string(),
        };
        let is_same = |(before, after): (&Token, &Token)| before.kind == after.kind && before.text == old(after);
        before.len() == after.len()
            && before.iter().zip(&after).all(is_same)
            && self.names.iter().all(|(new, old)| is_gone(&after, new, old))
    }
}

/// Whether a block in which a variable has a new name does not use the old one.
fn is_gone(all: &[Token], new: &str, old: &str) -> bool {
    let Some(first) = all.iter().position(|token| token.text == new) else { return false };
    let mut depth = 0;
    let is_inside = |token: &Token| {
        depth += i32::from(token.is('{')) - i32::from(token.is('}'));
        depth >= 0
    };
    let end = first + all[first..].iter().map(is_inside).take_while(|inside| *inside).count();
    (first..end).all(|at| all[at].text != old || is_another(all, at))
}

/// Whether the word at a place names a member or a structure.
fn is_another(all: &[Token], at: usize) -> bool {
    let before = |count: usize| at.checked_sub(count).map(|place| &all[place]);
    let is_member = before(1).is_some_and(|t| t.is('.'))
        || before(1).is_some_and(|t| t.is('>')) && before(2).is_some_and(|t| t.is('-'));
    is_member || before(1).is_some_and(|t| ["struct", "union", "enum"].contains(&t.text))
}

/// The variables that blocks of the scop declare, in text order.
fn scopes<'a>(source: &str, scop: &'a Scop) -> Vec<Scope<'a>> {
    let regions = Regions::of(source, scop);
    let declared = scop.arrays.iter().filter_map(|array| Some((array, array.declaration.as_ref()?)));
    let mut found: Vec<Scope> = declared
        .filter(|(_, declaration)| declaration.inside_scop)
        .filter_map(|(array, declaration)| {
            let statement = &declaration.statement;
            let block = regions.parts.iter().filter(|part| holds(part, statement)).max_by_key(|part| part.start)?;
            let names = BTreeSet::from([array.name.as_str()]);
            let mut inside = regions.declarations.iter().filter(|at| holds(block, at));
            let is_only = inside.all(|at| at == statement || !declares(source, at, &names));
            let scope = Scope { name: &array.name, block: block.clone(), declaration: statement.clone() };
            is_only.then_some(scope)
        })
        .collect();
    found.sort_by_key(|scope| scope.declaration.start);
    found
}

/// Tokens that have a name, or mention it.
fn mentions<'a>(source: &'a str, span: &Span, name: &str) -> Vec<Token<'a>> {
    let is_mention = |token: &Token| match token.kind {
        Kind::Word => token.text == name,
        Kind::Directive => directive_mentions(token.text, name),
        _ => false,
    };
    tokens(source, span).into_iter().filter(is_mention).collect()
}

/// Where a variable's name stands in its block; `None`: the words may mean something else, too.
fn places(source: &str, scope: &Scope) -> Option<Vec<Span>> {
    let is_unclear = |token: &Token| token.kind == Kind::Directive || token.at < scope.declaration.start;
    let own = mentions(source, &scope.block, scope.name);
    let is_global = mentions(source, &(0..source.len()), scope.name).iter().any(|t| t.kind == Kind::Directive);
    if is_global || own.iter().any(is_unclear) {
        return None;
    }
    let all = tokens(source, &scope.block);
    if all.iter().any(|token| token.text == "goto") {
        return None;
    }
    let is_it = |at: &usize| all[*at].kind == Kind::Word && all[*at].text == scope.name && !is_another(&all, *at);
    Some((0..all.len()).filter(is_it).map(|at| all[at].span()).collect())
}
