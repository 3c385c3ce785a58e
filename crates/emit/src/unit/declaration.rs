//! Edits of declarations that the user wrote: declarators are replaced or dropped, the rest stays.
//!
//! Example: of `int a[9], *p, b[9];`, with a gone and b one variable, `int *p, b;` is left.
//!
//! What stays of a statement is left as it is, where all edits are about declarators: values in it may change, too.

use super::edit::Edit;
use super::line::{Declarator, Line};
use polyfold_c::code::declarators;
use polyfold_c::source::Span;

/// What becomes of one declarator.
#[derive(Clone, Debug)]
pub struct Redeclared {
    /// Bytes of the whole declaration.
    pub statement: Span,
    /// Bytes of the declarator, without an initializer; `None`: a macro makes it.
    pub declarator: Option<Span>,
    /// What stands in front of the first declarator.
    pub specifiers: String,
    /// How many declarators the declaration has, this one included.
    pub siblings: usize,
    /// Whether it is a static one in a function.
    pub is_static: bool,
    /// What stands where the declarator stood.
    pub new: New,
    /// What comes in front.
    pub lines: Vec<Line>,
}

/// What stands where a declarator stood.
#[derive(Clone, Debug)]
pub enum New {
    /// Nothing.
    Nothing,
    /// The declarator of a variable, which need not be static.
    Variable(Declarator),
    /// That of an array.
    Array(Declarator),
}

impl New {
    fn declarator(&self) -> Option<&Declarator> {
        match self {
            New::Nothing => None,
            New::Variable(text) | New::Array(text) => Some(text),
        }
    }
}

/// The declaration with its changed declarators replaced or dropped, comments in front.
pub(super) fn statement_edits(source: &str, changes: &[Redeclared]) -> Vec<Edit> {
    let first = &changes[0];
    let (statement, separator) = (&first.statement, separator(source, &first.statement));
    let mut lines: Vec<String> = changes.iter().flat_map(|c| &c.lines).map(Line::text).collect();
    if let Some(mut edits) = each_in_place(source, changes) {
        let front: String = lines.iter().map(|line| format!("{line}{separator}")).collect();
        edits.insert(0, Edit { span: statement.start..statement.start, text: front });
        return edits.into_iter().filter(|edit| !edit.text.is_empty() || !edit.span.is_empty()).collect();
    }
    lines.extend(statement_text(source, changes));
    if lines.is_empty() {
        return vec![Edit { span: whole_line(source, statement), text: String::new() }];
    }
    vec![Edit { span: statement.clone(), text: lines.join(&separator) }]
}

/// An edit for each declarator, so that all else in the statement stays as it is. `None`: the statement changes as a whole.
fn each_in_place(source: &str, changes: &[Redeclared]) -> Option<Vec<Edit>> {
    let first = &changes[0];
    let goes = |c: &&Redeclared| matches!(c.new, New::Nothing);
    let is_whole = first.declarator.is_none() || specifiers(changes) != first.specifiers;
    if is_whole || changes.iter().filter(goes).count() == first.siblings {
        return None;
    }
    let all = declarators(&source[first.statement.clone()], &first.specifiers);
    let all: Vec<Span> =
        all.into_iter().map(|own| own.start + first.statement.start..own.end + first.statement.start).collect();
    let is_of = |own: &Span, change: &Redeclared| {
        change.declarator.as_ref().is_some_and(|span| own.start <= span.start && span.end <= own.end)
    };
    let stays = |own: &Span| !changes.iter().filter(goes).any(|change| is_of(own, change));
    let first_kept = all.iter().position(stays)?;
    // Each goes with the comma in front of it, or all in front of the first one that stays with theirs.
    let front = all[0].start..all[first_kept].start;
    let mut edits = vec![Edit { span: front, text: String::new() }];
    for change in changes {
        let span = change.declarator.clone()?;
        match change.new.declarator() {
            None => {
                let own = all[first_kept..].iter().find(|own| is_of(own, change));
                edits.extend(own.map(|own| Edit { span: own.start - 1..own.end, text: String::new() }));
            }
            Some(new) if new.attributes.is_empty() || new.initializer.is_empty() => {
                edits.push(Edit { span, text: format!("{}{}", new.cells, new.initializer) });
            }
            Some(_) => return None,
        }
    }
    Some(edits)
}

/// The new declaration; `None` if no declarator is left.
fn statement_text(source: &str, changes: &[Redeclared]) -> Option<String> {
    let first = &changes[0];
    let specifiers = specifiers(changes);
    if first.declarator.is_none() {
        let kept: Vec<String> = changes.iter().filter_map(|c| Some(c.new.declarator()?.text())).collect();
        return if kept.is_empty() { None } else { Some(format!("{specifiers} {};", kept.join(", "))) };
    }
    let text = &source[first.statement.clone()];
    let mut kept = Vec::new();
    for item in declarators(text, &first.specifiers) {
        let change = changes.iter().find(|c| {
            let span = c.declarator.as_ref().map(|span| relative(span, &first.statement));
            span.is_some_and(|span| item.start <= span.start && span.end <= item.end)
        });
        match change {
            None => kept.push(with_line_ended(text[item].trim())),
            Some(change) => kept.extend(change.new.declarator().map(Declarator::text)),
        }
    }
    if kept.is_empty() { None } else { Some(format!("{specifiers} {};", kept.join(", "))) }
}

/// A text after which code may follow, also where it ends with a comment to the end of the line.
fn with_line_ended(text: &str) -> String {
    let last = text.rsplit('\n').next().unwrap_or_default();
    if last.contains("//") { format!("{text}\n  ") } else { text.to_string() }
}

/// The specifiers; a static local declaration of which only variables are left need not be static.
fn specifiers(changes: &[Redeclared]) -> String {
    let first = &changes[0];
    let all_variables = changes.len() == first.siblings && changes.iter().all(|c| matches!(c.new, New::Variable(_)));
    match first.is_static && all_variables {
        true => first.specifiers.split_whitespace().filter(|w| *w != "static").collect::<Vec<_>>().join(" "),
        false => first.specifiers.clone(),
    }
}

fn relative(span: &Span, to: &Span) -> Span {
    span.start - to.start..span.end - to.start
}

/// What separates a comment from the declaration: a new line with its indentation if it begins its line.
pub(super) fn separator(source: &str, statement: &Span) -> String {
    let line = line_start(source, statement.start);
    let indent = &source[line..statement.start];
    if indent.trim().is_empty() { format!("\n{indent}") } else { " ".to_string() }
}

fn line_start(source: &str, at: usize) -> usize {
    source[..at].rfind('\n').map_or(0, |n| n + 1)
}

/// The statement with its line, if it has one for itself.
fn whole_line(source: &str, statement: &Span) -> Span {
    let start = line_start(source, statement.start);
    let end = source[statement.end..].find('\n').map_or(source.len(), |n| statement.end + n + 1);
    let alone = source[start..statement.start].trim().is_empty() && source[statement.end..end].trim().is_empty();
    if alone { start..end } else { statement.clone() }
}
