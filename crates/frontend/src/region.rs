//! Where scops start and end: pairs of pragmas, and the statements between them.
//!
//! The idea: `#pragma scop` and `#pragma endscop` pair up in text order; the statements between them belong to the
//! innermost block around both.

use crate::diagnostic::Diagnostic;
use polyfold_c::compiled::{Surroundings, Word};
use polyfold_c::macros::pieces;
use polyfold_c::source::{Directive, line_of};
use polyfold_c::syntax::{Statement, StatementKind};
use polyfold_scop::{Code, Span};

/// What is read as a scop.
#[derive(Clone)]
pub(crate) struct Region {
    /// Its pragma, or that of the scop around it.
    pub(crate) scop: Span,
    /// Bytes of its statements, and what is between.
    pub(crate) span: Span,
    /// The pragma that ends it; `None`: it is one statement.
    pub(crate) endscop: Option<Span>,
}

/// Pairs the pragmas.
pub(crate) fn regions(
    source: &str,
    active: &[&Directive],
    some_skipped: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut open: Option<Span> = None;
    for directive in active {
        match (directive.pragma(), open.take()) {
            (Some("scop"), None) => open = Some(directive.span.clone()),
            (Some("scop"), Some(outer)) => {
                let line = line_of(source, outer.start);
                let message = format!("this scop starts inside the one of line {line}");
                let help = "end the first one with `#pragma endscop`";
                diagnostics.push(
                    Diagnostic::error(Code::Unpaired, message, directive.span.clone()).label("starts here").help(help),
                );
                open = Some(directive.span.clone());
            }
            (Some("endscop"), Some(scop)) => {
                let (span, endscop) = (scop.end..directive.span.start, Some(directive.span.clone()));
                regions.push(Region { scop, span, endscop });
            }
            (Some("endscop"), None) => {
                let message = "this `#pragma endscop` ends no scop";
                let help = "write `#pragma scop` before the region";
                diagnostics.push(
                    Diagnostic::error(Code::Unpaired, message, directive.span.clone())
                        .label("nothing to end")
                        .help(help),
                );
            }
            (_, unchanged) => open = unchanged,
        }
    }
    if let Some(scop) = open {
        let help = "write `#pragma endscop` after the region";
        diagnostics
            .push(Diagnostic::error(Code::Unpaired, "this scop has no end", scop).label("starts here").help(help));
    }
    if regions.is_empty() && diagnostics.is_empty() {
        let help = "write `#pragma scop` before the loops to be optimized, `#pragma endscop` after them";
        let message = match some_skipped {
            true => "no `#pragma scop` in the parts of this file that are compiled",
            false => "no `#pragma scop` in this file",
        };
        diagnostics.push(Diagnostic::error(Code::NoScop, message, 0..0).help(help));
    }
    regions
}

/// The statements of a scop.
pub(crate) struct Enclosing<'a> {
    pub(crate) statements: &'a [Statement],
    /// Whether a loop runs them again.
    pub(crate) repeats: bool,
}

/// The statements between the pragmas: those of the innermost block around both.
pub(crate) fn enclosing<'a>(statement: &'a Statement, range: &Span) -> Option<Enclosing<'a>> {
    let around = |s: &Statement| s.span.start < range.start && s.span.end > range.end;
    match &statement.kind {
        StatementKind::Block(list) => {
            if let Some(inner) = list.iter().find(|s| around(s)) {
                return enclosing(inner, range);
            }
            let first = list.iter().position(|s| s.span.start >= range.start).unwrap_or(list.len());
            let count = list[first..].iter().take_while(|s| s.span.end <= range.end).count();
            let starts_whole = first == 0 || list[first - 1].span.end <= range.start;
            let ends_whole = list.get(first + count).is_none_or(|s| s.span.start >= range.end);
            let statements = &list[first..first + count];
            (starts_whole && ends_whole).then_some(Enclosing { statements, repeats: false })
        }
        StatementKind::For { body, .. } => enclosing(body, range).map(|e| Enclosing { repeats: true, ..e }),
        StatementKind::Label(_, inner) => enclosing(inner, range),
        StatementKind::If(_, then, otherwise) => {
            let inner = std::iter::once(then).chain(otherwise).find(|s| around(s))?;
            enclosing(inner, range)
        }
        StatementKind::Other(what, list, _) => {
            let inner = list.iter().find(|s| around(s))?;
            let found = enclosing(inner, range)?;
            Some(Enclosing { repeats: found.repeats || *what != "a `switch`", ..found })
        }
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => None,
    }
}

/// The statement that is all there is between the pragmas, such as the body of a loop without braces.
pub(crate) fn only<'a>(statement: &'a Statement, range: &Span) -> Option<Enclosing<'a>> {
    if range.start <= statement.span.start && statement.span.end <= range.end {
        return Some(Enclosing { statements: std::slice::from_ref(statement), repeats: true });
    }
    if statement.span.end <= range.start || range.end <= statement.span.start {
        return None;
    }
    match &statement.kind {
        StatementKind::Block(list) | StatementKind::Other(_, list, _) => list.iter().find_map(|s| only(s, range)),
        StatementKind::For { body, .. } | StatementKind::Label(_, body) => only(body, range),
        StatementKind::If(_, then, otherwise) => {
            only(then, range).or_else(|| otherwise.as_ref().and_then(|s| only(s, range)))
        }
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => None,
    }
}

/// The outermost statement that starts at a byte.
pub(crate) fn starting_at(statement: &Statement, at: usize) -> Option<&Statement> {
    if statement.span.start == at {
        return Some(statement);
    }
    if !statement.span.contains(&at) {
        return None;
    }
    match &statement.kind {
        StatementKind::Block(list) | StatementKind::Other(_, list, _) => list.iter().find_map(|s| starting_at(s, at)),
        StatementKind::For { body, .. } | StatementKind::Label(_, body) => starting_at(body, at),
        StatementKind::If(_, then, otherwise) => {
            starting_at(then, at).or_else(|| otherwise.as_ref().and_then(|s| starting_at(s, at)))
        }
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => None,
    }
}

/// The label of the statement that goes on at a place behind it, and where the label stands.
pub(crate) fn label_in_front(statement: &Statement, at: usize) -> Option<(&str, Span)> {
    if let StatementKind::Label(name, inner) = &statement.kind
        && statement.span.start < at
        && at <= inner.span.start
    {
        return Some((name, statement.span.start..statement.span.start + name.len()));
    }
    match &statement.kind {
        StatementKind::Block(list) | StatementKind::Other(_, list, _) => {
            list.iter().find_map(|s| label_in_front(s, at))
        }
        StatementKind::For { body, .. } | StatementKind::Label(_, body) => label_in_front(body, at),
        StatementKind::If(_, then, otherwise) => {
            label_in_front(then, at).or_else(|| otherwise.as_ref().and_then(|s| label_in_front(s, at)))
        }
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => None,
    }
}

/// The line of a `goto`, or of a label whose address is taken, that leads to one of the scop's labels.
pub(crate) fn jump_into(statements: &[Statement], compiled: &Surroundings) -> Option<usize> {
    let mut labels = Vec::new();
    statements.iter().for_each(|statement| note_labels(statement, &mut labels));
    let mut pairs = [compiled.before, compiled.after].into_iter().flat_map(|words| words.windows(2));
    let leads = |pair: &&[Word]| matches!(pair[0].text, "goto" | "&&") && labels.contains(&pair[1].text);
    pairs.find(leads).map(|pair| pair[1].line)
}

fn note_labels<'s>(statement: &'s Statement, labels: &mut Vec<&'s str>) {
    match &statement.kind {
        StatementKind::Label(name, inner) => {
            labels.push(name);
            note_labels(inner, labels);
        }
        StatementKind::Other(_, list, _) | StatementKind::Block(list) => {
            list.iter().for_each(|s| note_labels(s, labels))
        }
        StatementKind::For { body, .. } => note_labels(body, labels),
        StatementKind::If(_, then, otherwise) => {
            note_labels(then, labels);
            otherwise.iter().for_each(|s| note_labels(s, labels));
        }
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => {}
    }
}

/// Ways to come back to an earlier place of a function.
const JUMPS: [&str; 9] =
    ["goto", "setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "getcontext", "vfork"];

/// Whether a function may come back to its scop in a way that its statements, as parsed, do not show: by a jump, or by
/// a loop that only the compiler sees. `around` is the function's text outside the scop, as it was parsed.
pub(crate) fn may_come_back(compiled: &Surroundings, around: [&str; 2]) -> bool {
    let is_loop = |text: &str| matches!(text, "for" | "while" | "do");
    let words = || compiled.before.iter().chain(compiled.after).map(|word| word.text);
    let parsed = around.iter().flat_map(|text| pieces(text)).filter(|piece| is_loop(&piece.text)).count();
    words().any(|word| JUMPS.contains(&word)) || words().filter(|word| is_loop(word)).count() > parsed
}
