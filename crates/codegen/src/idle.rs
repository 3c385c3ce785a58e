//! Declarations that go with the statements that used what they declare.
//!
//! ```text
//! {                                      nobody reads t any more:
//!   const double d = x[i] - x[i - 1];
//!   t[i] = d * d;                        both go
//! }
//! ```
//!
//! A declaration stays if its initializer does more than read, if one of the variables that it declares is still mentioned, be it by a macro or in a
//! directive, and if it has a label.
//!
//! So do conditions go of which no branch is left. Both stay if they are the last to read an array, which compilers would warn of.

use crate::defines::Defines;
use crate::removal::{emptied, idle_conditions, stands_in_a_block};
use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::{Array, ArrayId, Node, Scop, Span, StatementId, StatementKind, Storage};
use std::collections::BTreeSet;

/// What is taken away.
#[derive(Default)]
pub(crate) struct Gone {
    /// Statements; a condition without branches is one, too.
    pub(crate) statements: Vec<StatementId>,
    /// Declarations without values, which are no statements.
    pub(crate) declarations: Vec<Span>,
}

impl Gone {
    /// The text of what goes of some nodes, which stand in a part of the file.
    pub(crate) fn spans(&self, source: &str, scop: &Scop, (nodes, part): (&[Node], &Span)) -> Vec<Span> {
        let mut spans = emptied(source, nodes, scop, &self.statements);
        let is_in = |outer: &Span, inner: &Span| outer.start <= inner.start && inner.end <= outer.end;
        let alone = |span: &&Span| is_in(part, span) && !spans.iter().any(|other| is_in(other, span));
        let declarations: Vec<Span> = self.declarations.iter().filter(alone).cloned().collect();
        spans.extend(declarations);
        spans
    }
}

/// The statements given, the declarations that nothing else uses, and the conditions of nothing else.
pub(crate) fn with_idle(source: &str, scop: &Scop, gone: Vec<StatementId>) -> Gone {
    let declares = |id: &StatementId| scop.statement(*id).kind == StatementKind::Declaration;
    let declarations: Vec<StatementId> = (0..scop.statements.len()).map(StatementId).filter(declares).collect();
    let mut idle = Idle { source, scop, text: None, gone };
    loop {
        let before = idle.gone.len();
        for id in declarations.iter().rev() {
            if idle.declares_for_nobody(*id) {
                idle.gone.push(*id);
            }
        }
        for id in idle_conditions(source, scop, &scop.body, &idle.gone) {
            if !idle.reads_last(id) {
                idle.gone.push(id);
            }
        }
        if idle.gone.len() == before {
            return Gone { declarations: idle.bare_declarations(), statements: idle.gone };
        }
    }
}

/// What goes, while it is found.
struct Idle<'a> {
    source: &'a str,
    scop: &'a Scop,
    /// What it takes to ask about text, which few scops need.
    text: Option<Text<'a>>,
    gone: Vec<StatementId>,
}

struct Text<'a> {
    defines: Defines<'a>,
    /// From the scop on.
    tokens: Vec<Token<'a>>,
}

impl<'a> Idle<'a> {
    fn left(&self) -> impl Iterator<Item = StatementId> + '_ {
        (0..self.scop.statements.len()).map(StatementId).filter(|id| !self.gone.contains(id))
    }

    fn declares_for_nobody(&mut self, id: StatementId) -> bool {
        let (source, scop) = (self.source, self.scop);
        let span = &scop.statement(id).span;
        let is_here = |array: &&Array| array.declaration.as_ref().is_some_and(|d| d.statement == *span);
        let declared: Vec<&Array> = scop.arrays.iter().filter(is_here).collect();
        let siblings = declared.first().and_then(|array| array.declaration.as_ref()).map_or(0, |d| d.siblings);
        if self.gone.contains(&id) || declared.len() != siblings || siblings == 0 {
            return false;
        }
        let is_own = |id: ArrayId| declared.iter().any(|own| std::ptr::eq(*own, scop.array(id)));
        let writes_others = scop.statement(id).accesses.iter().any(|access| access.is_write() && !is_own(access.array));
        let accesses = |other: StatementId| scop.statement(other).accesses.iter().any(|access| is_own(access.array));
        let is_used = self.left().any(|other| other != id && accesses(other));
        let stays = |array: &&Array| {
            let defines_a_type = array.declaration.as_ref().is_some_and(|d| d.specifiers.contains('{'));
            !array.is_temporary() || defines_a_type || scop.outlives(&array.name)
        };
        if writes_others
            || is_used
            || declared.iter().any(stays)
            || self.reads_last(id)
            || !stands_in_a_block(source, &scop.span, span)
        {
            return false;
        }
        let names: Vec<&str> = declared.iter().map(|array| array.name.as_str()).collect();
        !self.are_mentioned_behind(span, &names)
    }

    /// Those without values of variables that only what goes used.
    fn bare_declarations(&mut self) -> Vec<Span> {
        let (source, scop) = (self.source, self.scop);
        let uses =
            |id: StatementId, array: ArrayId| scop.statement(id).accesses.iter().any(|access| access.array == array);
        let mut found = Vec::new();
        for (id, array) in scop.arrays.iter().enumerate().map(|(at, array)| (ArrayId(at), array)) {
            let Some(declaration) = array.declaration.as_ref().filter(|d| d.inside_scop && array.is_scalar()) else {
                continue;
            };
            let span = &declaration.statement;
            let goes = declaration.siblings == 1
                && declaration.storage == Storage::Local
                && declaration.declarator.fragment.is_none()
                && array.is_temporary()
                && !declaration.specifiers.contains('{')
                && self.gone.iter().any(|other| uses(*other, id))
                && !self.left().any(|other| uses(other, id))
                && !scop.outlives(&array.name)
                && !tokens(source, span).iter().any(|token| token.is('='))
                && stands_in_a_block(source, &scop.span, span);
            if goes && !self.are_mentioned_behind(span, &[&array.name]) {
                found.push(span.clone());
            }
        }
        found
    }

    /// Whether a statement reads a temporary array that no other one reads.
    fn reads_last(&self, id: StatementId) -> bool {
        let reads = |id: StatementId| {
            self.scop.statement(id).accesses.iter().filter(|access| access.is_read()).map(|access| access.array)
        };
        let is_plain = |id: &ArrayId| self.scop.array(*id).is_temporary() && !self.scop.array(*id).is_scalar();
        let own: BTreeSet<ArrayId> = reads(id).filter(is_plain).collect();
        let read_by_others = |array: &ArrayId| {
            self.left().filter(|other| *other != id).any(|other| reads(other).any(|read| read == *array))
        };
        !own.iter().all(read_by_others)
    }

    /// Whether names are mentioned from the end of a declaration to that of its block, which may be behind the scop, but for the statements that go.
    fn are_mentioned_behind(&mut self, span: &Span, names: &[&str]) -> bool {
        let (source, scop) = (self.source, self.scop);
        let text = self.text.get_or_insert_with(|| Text {
            defines: Defines::of(source, scop),
            tokens: tokens(source, &(scop.span.start..source.len())),
        });
        let is_gone = |token: &Token| self.gone.iter().any(|id| scop.statement(*id).span.contains(&token.at));
        let mut depth = 0;
        let is_inside = |token: &&Token| {
            depth += i32::from(token.is('{')) - i32::from(token.is('}'));
            depth >= 0
        };
        let behind = text.tokens.iter().filter(|token| token.at >= span.end).take_while(is_inside);
        let words = behind.filter(|token| token.kind == Kind::Word && !is_gone(token)).map(|token| token.text);
        let used = text.defines.with_macros(words.collect());
        names.iter().any(|name| used.contains(name) || text.defines.is_in_a_directive(name))
    }
}
