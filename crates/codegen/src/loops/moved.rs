//! Declarations between the loops that move in front of the scop, since what uses them comes apart.
//!
//! Each turn of the loop around has a variable of its own; in front of the scop there is one for all, which dependences by memory account
//! for. An initial value becomes an assignment. Extents that may not be positive where no turn is are made so:
//!
//! ```text
//! for (t …) { double next[n], s = 0; … }    stays: several, one of them with a value
//! for (t …) { double next[n]; … }           is     double next[n < 1 ? 1 : n];    for (t …) …
//! for (i …) { double s = 0; … }             is     double s;    for (i …) { s = 0; … }
//! ```
//!
//! What stays: names that mean anything else in the function, or may by a macro ([`capture`](super::capture)), extents of what is declared here, too, and integers that may stand for
//! their initial value.

use super::capture::may_capture;
use super::pieces::{Piece, declares, holds};
use super::regions::Regions;
use crate::edit::{Edit, Edits};
use crate::frame::Frame;
use crate::home::words;
use crate::limits::{function_around, jump_across};
use polyfold_scop::{Array, ArrayId, Declaration, InFront, Place, Scop, Span, StatementId, StatementKind};
use std::collections::BTreeSet;

/// Such a declaration.
#[derive(Clone, Debug)]
pub(super) struct Moved {
    /// Where it stands.
    pub(super) statement: Span,
    /// What stands in front of the scop: the variables that it declares, each with a declaration of its own.
    pub(super) own: Vec<InFront>,
    /// The part of it that stays as an assignment.
    assignment: Option<Span>,
}

/// A declaration in front of the scop; `None`: it cannot stand there.
pub(super) fn moved(source: &str, scop: &Scop, regions: &Regions, statement: &Span) -> Option<Moved> {
    let arrays = (0..scop.arrays.len()).map(ArrayId);
    let arrays = arrays.filter_map(|id| Some((id, scop.array(id), scop.array(id).declaration.as_ref()?)));
    let own: Vec<(ArrayId, &Array, &Declaration)> = arrays.filter(|(.., d)| d.statement == *statement).collect();
    let is_whole = own.first().is_some_and(|(.., first)| first.siblings == own.len());
    let may_move = |(_, array, declaration): &(ArrayId, &Array, &Declaration)| {
        is_plain(declaration) && is_its_own(source, scop, regions, array, statement)
    };
    if !is_whole || !own.iter().all(may_move) || jump_across(source, scop).is_some() {
        return None;
    }
    match &own[..] {
        _ if !source[statement.clone()].contains('=') => {
            let in_front = |(id, array, declaration): &(ArrayId, &Array, &Declaration)| {
                let text = with_positive_extents(source, scop, regions, (array, declaration))?;
                Some(InFront { array: *id, text })
            };
            let own = own.iter().map(in_front).collect::<Option<Vec<InFront>>>()?;
            Some(Moved { statement: statement.clone(), own, assignment: None })
        }
        [(id, array, declaration)] if array.is_scalar() && is_a_variable(scop, array) => {
            let (declarator, name) = (&declaration.declarator.span, &declaration.name.span);
            let text = format!("{} {};", unqualified(&declaration.specifiers), array.name);
            let assignment = Some(name.start..statement.end);
            let own = vec![InFront { array: *id, text }];
            (declarator == name).then(|| Moved { statement: statement.clone(), own, assignment })
        }
        _ => None,
    }
}

/// The text of a file with such declarations in front of the scop, and the old loops.
pub(super) fn in_front(source: &str, scop: &Scop, moved: &[Moved]) -> String {
    let frame = Frame::of(source, scop);
    let start = frame.lines.start;
    let mut edits = Edits::new();
    edits.push(Edit { span: start..start, text: declarations(moved, &frame.indent) });
    for one in moved {
        let left = one.assignment.as_ref().map_or("", |part| &source[part.clone()]);
        edits.push(Edit { span: one.statement.clone(), text: left.to_string() });
    }
    edits.apply(source)
}

/// Such declarations, a line for each.
pub(super) fn declarations(moved: &[Moved], indent: &str) -> String {
    moved.iter().flat_map(|one| &one.own).map(|own| format!("{indent}{}\n", own.text)).collect()
}

/// The assignment that is left where a declaration stood; `false`: it does more than that.
pub(super) fn assigned(piece: &mut Piece, moved: &[Moved]) -> bool {
    let Some(moved) = moved.iter().find(|moved| moved.statement == piece.span) else { return true };
    match &moved.assignment {
        Some(assignment) => piece.span = assignment.clone(),
        None => return false,
    }
    true
}

fn is_plain(declaration: &Declaration) -> bool {
    let special = BTreeSet::from(["static", "extern", "typedef", "register", "volatile", "struct", "union", "enum"]);
    let is_in_file = |place: &Place| place.fragment.is_none();
    declaration.inside_scop
        && declaration.attributes.is_empty()
        && !words(&declaration.specifiers).any(|(_, word)| special.contains(word))
        && is_in_file(&declaration.declarator)
        && declaration.extents.iter().all(is_in_file)
}

/// Whether the function mentions the name in the declaration's block alone.
fn is_its_own(source: &str, scop: &Scop, regions: &Regions, array: &Array, statement: &Span) -> bool {
    let around = regions.parts.iter().filter(|part| holds(part, statement)).max_by_key(|part| part.start);
    let block = around.unwrap_or(&scop.span);
    let function = function_around(source, scop.span.start);
    let parts = [function.start..block.start, block.end..function.end];
    let is_declared_again = regions
        .declarations
        .iter()
        .any(|at| at != statement && holds(block, at) && declares(source, at, &BTreeSet::from([array.name.as_str()])));
    let is_mentioned = parts.into_iter().any(|part| words(&source[part]).any(|(_, word)| word == array.name));
    !is_declared_again && !is_mentioned && !may_capture(source, scop, &array.name)
}

/// Whether a variable is read as such, and does not stand for its initial value.
fn is_a_variable(scop: &Scop, array: &Array) -> bool {
    let is_real = words(&array.element).any(|(_, word)| ["float", "double"].contains(&word));
    let is_it = |id: polyfold_scop::ArrayId| std::ptr::eq(scop.array(id), array);
    let is_set = (0..scop.statements.len()).map(|k| scop.statement(StatementId(k))).any(|statement| {
        statement.kind != StatementKind::Declaration
            && statement.accesses.iter().any(|a| a.is_write() && is_it(a.array))
    });
    is_real || is_set
}

fn unqualified(specifiers: &str) -> String {
    words(specifiers).map(|(_, word)| word).filter(|word| *word != "const").collect::<Vec<_>>().join(" ")
}

/// The declaration where its sizes may be anything.
fn with_positive_extents(
    source: &str,
    scop: &Scop,
    regions: &Regions,
    (array, declaration): (&Array, &Declaration),
) -> Option<String> {
    let is_const = words(&declaration.specifiers).any(|(_, word)| word == "const");
    if declaration.extents.len() != array.extents.len() || is_const {
        return None;
    }
    let whole = &declaration.declarator.span;
    let (mut text, mut at) = (format!("{} ", declaration.specifiers), whole.start);
    for (place, extent) in declaration.extents.iter().zip(&array.extents) {
        let extent = extent.as_ref()?;
        extent.value(&vec![1; scop.parameters.len()])?;
        let written = &source[place.span.clone()];
        let is_ours = |(_, word): (usize, &str)| {
            regions.declarations.iter().any(|at| declares(source, at, &BTreeSet::from([word])))
        };
        if words(written).any(is_ours) {
            return None;
        }
        text.push_str(&source[at..place.span.start]);
        text.push_str(&if extent.as_constant().is_some() { written.to_string() } else { positive(written) });
        at = place.span.end;
    }
    text.push_str(&source[at..whole.end]);
    Some(text + ";")
}

fn positive(extent: &str) -> String {
    let is_word = extent.chars().all(|c| c.is_alphanumeric() || c == '_');
    let extent = if is_word { extent.to_string() } else { format!("({extent})") };
    format!("{extent} < 1 ? 1 : {extent}")
}
