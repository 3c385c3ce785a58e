//! Edits of declarations that the user wrote: declarators are replaced or dropped, the rest stays.
//!
//! Example: of `int a[9], *p, b[9];`, with a gone and b one variable, `int *p, b;` is left.
//!
//! Invariant: one edit per statement, however many of its declarators change. What else changes in the statement, such as an access in another
//! variable's initializer, is in it.

use crate::edit::{Edit, Edits};
use polyfold_scop::{Declaration, Span, Storage};

/// What becomes of one declarator.
#[derive(Clone)]
pub(super) struct Change {
    pub(super) declaration: Declaration,
    pub(super) new: New,
    /// Comments and declarations in front.
    pub(super) lines: Vec<String>,
}

/// What stands where a declarator stood.
#[derive(Clone)]
pub(super) enum New {
    Nothing,
    /// The declarator of a variable, which need not be static.
    Variable(Declarator),
    Array(Declarator),
}

/// The parts of a new declarator, in C's order.
#[derive(Clone)]
pub(super) struct Declarator {
    /// `y[2][n]`.
    pub(super) cells: String,
    pub(super) attributes: String,
    /// ` = 0`, or nothing.
    pub(super) initializer: &'static str,
}

impl Declarator {
    pub(super) fn text(&self) -> String {
        format!("{}{}", attributed(&self.cells, &self.attributes), self.initializer)
    }
}

/// A declarator with its attributes.
pub(crate) fn attributed(cells: &str, attributes: &str) -> String {
    if attributes.is_empty() { cells.to_string() } else { format!("{cells} {attributes}") }
}

impl New {
    fn declarator(&self) -> Option<&Declarator> {
        match self {
            New::Nothing => None,
            New::Variable(text) | New::Array(text) => Some(text),
        }
    }
}

/// The declaration with its changed declarators replaced or dropped, comments in front; `made`: the other changes of the text.
pub(super) fn statement_edit(source: &str, changes: &[Change], made: &Edits) -> Edit {
    let statement = &changes[0].declaration.statement;
    let separator = separator(source, statement);
    let mut lines: Vec<String> = changes.iter().flat_map(|c| c.lines.clone()).collect();
    lines.extend(statement_text(source, changes, made));
    if lines.is_empty() {
        return Edit { span: whole_line(source, statement), text: String::new() };
    }
    Edit { span: statement.clone(), text: lines.join(&separator) }
}

/// The new declaration; `None` if no declarator is left.
fn statement_text(source: &str, changes: &[Change], made: &Edits) -> Option<String> {
    let first = &changes[0].declaration;
    let specifiers = specifiers(changes);
    if first.declarator.fragment.is_some() {
        let kept: Vec<String> = changes.iter().filter_map(|c| Some(c.new.declarator()?.text())).collect();
        return if kept.is_empty() { None } else { Some(format!("{specifiers} {};", kept.join(", "))) };
    }
    let text = &source[first.statement.clone()];
    let in_place = |c: &Change| {
        let new = c.new.declarator().filter(|new| new.attributes.is_empty() || new.initializer.is_empty())?;
        let span = c.declaration.declarator.span.clone();
        Some(Edit { span, text: format!("{}{}", new.cells, new.initializer) })
    };
    let replaced: Option<Vec<Edit>> = changes.iter().map(in_place).collect();
    if let Some(replaced) = replaced.filter(|_| specifiers == first.specifiers) {
        let mut edits = made.clone();
        replaced.into_iter().for_each(|edit| edits.push(edit));
        return Some(edits.apply_within(source, &first.statement));
    }
    let mut kept = Vec::new();
    for item in declarators(text, first.specifiers.len()) {
        let change = changes.iter().find(|c| {
            let span = relative(&c.declaration.declarator.span, &first.statement);
            item.start <= span.start && span.end <= item.end
        });
        match change {
            None => {
                let whole = item.start + first.statement.start..item.end + first.statement.start;
                kept.push(with_line_ended(made.apply_within(source, &whole).trim()));
            }
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
fn specifiers(changes: &[Change]) -> String {
    let first = &changes[0].declaration;
    let all_variables = changes.len() == first.siblings && changes.iter().all(|c| matches!(c.new, New::Variable(_)));
    match first.storage == Storage::StaticLocal && all_variables {
        true => first.specifiers.split_whitespace().filter(|w| *w != "static").collect::<Vec<_>>().join(" "),
        false => first.specifiers.clone(),
    }
}

fn relative(span: &Span, to: &Span) -> Span {
    span.start - to.start..span.end - to.start
}

/// The ranges between the commas of a declaration's list.
fn declarators(text: &str, specifiers: usize) -> Vec<Span> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0, specifiers);
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < specifiers) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' | ';' if depth == 0 => {
                items.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    items
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
