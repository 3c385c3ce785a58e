//! New declarations for changed arrays.
//!
//! A local array's declarator is replaced where it stands; a parameter or global that the user named as temporary
//! keeps its declaration and gets a local buffer in front of the scop.

use crate::edit::{Edit, Edits};
use crate::{Decisions, storage_name, subscript};
use polyfold_alloc::Proposal;
use polyfold_isl::Result;
use polyfold_prove::Verified;
use polyfold_scop::{ArrayId, Declaration, Span, Storage};
use std::collections::BTreeMap;

/// What happens to declarations.
#[derive(Default)]
pub(crate) struct Plan {
    /// Changes where the declarations stand, if the new program is the only one.
    pub(crate) in_place: Edits,
    /// Changes of declarations between the pragmas.
    pub(crate) in_scop: Edits,
    /// The declarations gone from where they stand, for when both programs are kept.
    pub(crate) moved: Edits,
    /// Declarations to be put in front of the scop, if both programs are kept.
    pub(crate) new: Vec<String>,
    /// The same for the program as it was.
    pub(crate) old: Vec<String>,
    /// Local buffers in front of the scop for arrays that stay where they are.
    pub(crate) buffers: Vec<String>,
    /// Statements after the scop that use what would draw a warning.
    pub(crate) uses: Vec<String>,
}

/// The new declarator of one array.
enum Change {
    Replace { declarator: String, comment: String },
    Remove { comment: String },
}

pub(crate) fn plan(source: &str, decisions: &Decisions) -> Result<Plan> {
    let mut plan = Plan::default();
    let mut statements: BTreeMap<usize, Vec<(&Declaration, Change)>> = BTreeMap::new();
    for (id, storage) in &decisions.mapped {
        let array = decisions.array(*id);
        let Some(declaration) = &array.declaration else { continue };
        let name = storage_name(array, source);
        let declarator = declarator(&name, storage, decisions)?;
        let comment = comment(*id, &name, storage, decisions)?;
        if matches!(declaration.storage, Storage::Local | Storage::StaticLocal) {
            let change = Change::Replace { declarator, comment };
            statements.entry(declaration.statement.start).or_default().push((declaration, change));
        } else {
            plan.buffers.push(comment);
            plan.buffers.push(format!("{} {declarator};", array.element));
            if declaration.storage == Storage::Parameter {
                plan.uses.push(format!("(void){};", array.name));
            }
        }
        if !is_read(decisions, *id) {
            plan.uses.push(format!("(void){name};"));
        }
    }
    for id in &decisions.removed {
        let array = decisions.array(*id);
        let Some(declaration) = &array.declaration else { continue };
        match declaration.storage {
            Storage::Local | Storage::StaticLocal => {
                let comment = format!("/* {} is gone: nothing reads it */", array.name);
                statements
                    .entry(declaration.statement.start)
                    .or_default()
                    .push((declaration, Change::Remove { comment }));
            }
            Storage::Parameter => plan.uses.push(format!("(void){};", array.name)),
            Storage::Global => {}
        }
    }
    for changes in statements.into_values() {
        plan_statement(source, decisions, &changes, &mut plan);
    }
    Ok(plan)
}

fn is_read(decisions: &Decisions, id: ArrayId) -> bool {
    decisions.scop.statements.iter().flat_map(|s| &s.accesses).any(|a| a.array == id && a.is_read())
}

fn declarator(name: &str, storage: &Verified<Proposal>, decisions: &Decisions) -> Result<String> {
    let mut out = name.to_string();
    for row in storage.rows() {
        out.push_str(&format!("[{}]", decisions.names.value(&row.modulus)?));
    }
    Ok(out)
}

/// `/* y[i][k] lives in y[k mod 2][i] */`.
fn comment(id: ArrayId, name: &str, storage: &Verified<Proposal>, decisions: &Decisions) -> Result<String> {
    let array = decisions.array(id);
    if storage.rows().is_empty() {
        return Ok(format!("/* {name} is one variable: no two cells of {} are needed at a time */", array.name));
    }
    let taken = |name: &str| decisions.scop.parameters.iter().any(|p| p.name == name);
    let coordinates: Vec<String> = ["i", "j", "k", "l", "p", "q", "r", "s", "t", "u", "v", "w", "x", "z"]
        .iter()
        .filter(|name| !taken(name))
        .take(array.extents.len())
        .map(|name| (*name).to_string())
        .collect();
    let old: String = coordinates.iter().map(|c| format!("[{c}]")).collect();
    let new = subscript::description(name, storage, &coordinates, decisions.names)?;
    Ok(format!("/* {}{old} lives in {new} */", array.name))
}

fn plan_statement(source: &str, decisions: &Decisions, changes: &[(&Declaration, Change)], plan: &mut Plan) {
    let (first, _) = &changes[0];
    let statement = &first.statement;
    let comments: Vec<String> = changes.iter().map(|(_, change)| change.comment().to_string()).collect();
    let rewritten = statement_text(source, changes, |change| change.declarator());
    let gone = statement_text(source, changes, |_| None);
    let with_comments = |text: Option<String>| match text {
        None => comments.join(&separator(source, statement)),
        Some(text) => [comments.as_slice(), &[text]].concat().join(&separator(source, statement)),
    };
    let replaced = Edit { span: statement.clone(), text: with_comments(rewritten) };
    if first.inside_scop {
        plan.in_scop.push(replaced);
        return;
    }
    plan.in_place.push(replaced);
    match gone {
        Some(text) => plan.moved.push(Edit { span: statement.clone(), text }),
        None => plan.moved.push(Edit { span: whole_line(source, statement), text: String::new() }),
    }
    for (declaration, change) in changes {
        if let Some(declarator) = change.declarator() {
            plan.new.push(change.comment().to_string());
            plan.new.push(format!("{} {declarator};", declaration.specifiers));
        }
        let old = place_text(source, decisions, declaration);
        plan.old.push(format!("{} {old};", declaration.specifiers));
    }
}

impl Change {
    fn comment(&self) -> &str {
        match self {
            Change::Replace { comment, .. } | Change::Remove { comment } => comment,
        }
    }

    fn declarator(&self) -> Option<&str> {
        match self {
            Change::Replace { declarator, .. } => Some(declarator),
            Change::Remove { .. } => None,
        }
    }
}

fn place_text(source: &str, decisions: &Decisions, declaration: &Declaration) -> String {
    let place = &declaration.declarator;
    let text = place.fragment.map_or(source, |f| decisions.scop.fragments[f.0].text.as_str());
    text[place.span.clone()].to_string()
}

/// The declaration with its changed declarators replaced by what `new` says, or dropped; `None` if none is left.
fn statement_text(
    source: &str,
    changes: &[(&Declaration, Change)],
    new: impl Fn(&Change) -> Option<&str>,
) -> Option<String> {
    let (first, _) = &changes[0];
    if first.declarator.fragment.is_some() {
        let kept: Vec<String> = changes.iter().filter_map(|(_, c)| new(c).map(String::from)).collect();
        let list = kept.join(", ");
        return if kept.is_empty() { None } else { Some(format!("{} {list};", first.specifiers)) };
    }
    let text = &source[first.statement.clone()];
    if changes.iter().all(|(_, c)| new(c).is_some()) {
        let mut edits = Edits::new();
        for (declaration, change) in changes {
            let span = relative(&declaration.declarator.span, &first.statement);
            edits.push(Edit { span, text: new(change).unwrap_or_default().to_string() });
        }
        return Some(edits.apply(text));
    }
    let items = declarators(text, first.specifiers.len());
    let mut kept = Vec::new();
    for item in items {
        let change = changes.iter().find(|(d, _)| {
            let span = relative(&d.declarator.span, &first.statement);
            item.start <= span.start && span.end <= item.end
        });
        match change {
            None => kept.push(text[item].trim().to_string()),
            Some((_, change)) => kept.extend(new(change).map(String::from)),
        }
    }
    if kept.is_empty() { None } else { Some(format!("{} {};", first.specifiers, kept.join(", "))) }
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
fn separator(source: &str, statement: &Span) -> String {
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
