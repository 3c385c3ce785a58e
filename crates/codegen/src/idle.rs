//! Declarations that go with the statements that used what they declare.
//!
//! ```text
//! {                                      nobody reads t any more:
//!   const double d = x[i] - x[i - 1];
//!   t[i] = d * d;                        both go
//! }
//! ```
//!
//! A declaration stays if
//!
//! * its initializer does more than read,
//! * a variable that it declares is still mentioned, be it by a macro or in a directive,
//! * it has a label.

use polyfold_c::code::{Defines, Kind, Token, tokens};
use polyfold_emit::stands_in_a_block;
use polyfold_program::{Program, Stmt};
use polyfold_scop::{ArrayId, Scop, Span, StatementId, StatementKind, Storage};
use polyfold_transform::sweep;

/// What is taken away.
#[derive(Default)]
pub(crate) struct Gone {
    /// Statements.
    pub(crate) statements: Vec<StatementId>,
    /// Declarations without values, which are no statements.
    pub(crate) declarations: Vec<Span>,
}

/// The statements that a scop's program has no more, and the declarations that nothing else uses then.
pub(crate) fn with_idle(source: &str, scop: &Scop, gone: Vec<StatementId>, after: &Program) -> Gone {
    let declares = |id: &StatementId| scop.statement(*id).kind == StatementKind::Declaration;
    let declarations: Vec<StatementId> = (0..scop.statements.len()).map(StatementId).filter(declares).collect();
    let mut idle = Idle { source, scop, text: None, gone, after: after.clone() };
    loop {
        let before = idle.gone.len();
        for id in declarations.iter().rev() {
            if idle.declares_for_nobody(*id) {
                idle.gone.push(*id);
                idle.after = sweep(&idle.after, &[polyfold_program::StatementId(id.0)]);
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
    /// The program without that.
    after: Program,
}

struct Text<'a> {
    defines: Defines<'a>,
    /// From the scop on.
    tokens: Vec<Token<'a>>,
}

impl<'a> Idle<'a> {
    /// Whether a statement uses some arrays, but for one of the source's.
    fn is_used(&self, arrays: &[ArrayId], but: Option<StatementId>) -> bool {
        let is_but = |stmt: &Stmt| stmt.instance().is_some_and(|(id, _)| Some(StatementId(id.0)) == but);
        let mut found = false;
        let mut visit = |stmt: &Stmt| {
            if !is_but(stmt) {
                stmt.each_use(&mut |_, id| found |= arrays.contains(&ArrayId(id.0)));
            }
        };
        self.after.body.iter().for_each(|stmt| stmt.each(&mut visit));
        found
    }

    fn declares_for_nobody(&mut self, id: StatementId) -> bool {
        let (source, scop) = (self.source, self.scop);
        let span = &scop.statement(id).span;
        let is_here = |id: &ArrayId| scop.array(*id).declaration.as_ref().is_some_and(|d| d.statement == *span);
        let declared: Vec<ArrayId> = (0..scop.arrays.len()).map(ArrayId).filter(is_here).collect();
        let first = declared.first().and_then(|id| scop.array(*id).declaration.as_ref());
        let siblings = first.map_or(0, |d| d.siblings);
        if self.gone.contains(&id) || declared.len() != siblings || siblings == 0 {
            return false;
        }
        let mut writes = scop.statement(id).accesses.iter().filter(|access| access.is_write());
        let writes_others = writes.any(|access| !declared.contains(&access.array));
        let stays = |id: &ArrayId| {
            let array = scop.array(*id);
            let defines_a_type = array.declaration.as_ref().is_some_and(|d| d.specifiers.contains('{'));
            !array.is_temporary() || defines_a_type || scop.outlives(&array.name)
        };
        if writes_others
            || scop.statement(id).is_effectful()
            || self.is_used(&declared, Some(id))
            || declared.iter().any(stays)
            || !stands_in_a_block(source, &scop.span, span)
        {
            return false;
        }
        let names: Vec<&str> = declared.iter().map(|id| scop.array(*id).name.as_str()).collect();
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
                && !self.is_used(&[id], None)
                && !scop.outlives(&array.name)
                && !tokens(source, span).iter().any(|token| token.is('='))
                && stands_in_a_block(source, &scop.span, span);
            if goes && !self.are_mentioned_behind(span, &[&array.name]) {
                found.push(span.clone());
            }
        }
        found
    }

    /// Whether names are mentioned from the end of a declaration to that of its block, which may be behind the scop, but for the statements that go.
    fn are_mentioned_behind(&mut self, span: &Span, names: &[&str]) -> bool {
        let (source, scop) = (self.source, self.scop);
        let text = self.text.get_or_insert_with(|| Text {
            defines: Defines::of(source, scop.span.start),
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
