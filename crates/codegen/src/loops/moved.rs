//! Declarations between the loops that stand in front of new ones, since what uses them comes apart.
//!
//! Each iteration of the loop around has a variable of its own. In front of the loops there is one for all, which dependences by memory
//! account for. An initial value becomes an assignment. Extents that may not be positive where no iteration is are made so:
//!
//! ```text
//! for (t …) { double next[n], s = 0; … }    has    double next[n < 1 ? 1 : n];  double s;    in front
//! ```
//!
//! A name that means anything else in the function, or may by a macro ([`capture`](super::capture)), gets a number. An integer that
//! stands for its initial value is gone.
//!
//! What stays: static variables, pointers with a value, and extents of what is declared here, too.

use super::capture::may_capture;
use super::pieces::{declares, holds};
use super::regions::Regions;
use crate::home::free_name;
use crate::limits::jump_across;
use polyfold_c::code::{function_around, words};
use polyfold_scop::{Array, ArrayId, Declaration, InFront, Place, Scop, Span, Statement, StatementKind};
use std::collections::BTreeSet;

/// What stands in front of the scop for a declaration, a declaration for each variable. `None`: it cannot stand there.
pub(super) fn moved(
    source: &str,
    (scop, regions): (&Scop, &Regions),
    statement: &Span,
    taken: &BTreeSet<String>,
) -> Option<Vec<InFront>> {
    let arrays = (0..scop.arrays.len()).map(ArrayId);
    let arrays = arrays.filter_map(|id| Some((id, scop.array(id), scop.array(id).declaration.as_ref()?)));
    let own: Vec<(ArrayId, &Array, &Declaration)> = arrays.filter(|(.., d)| d.statement == *statement).collect();
    let is_whole = own.first().is_some_and(|(.., first)| first.siblings == own.len());
    let is_read = |id: ArrayId| scop.stands_in(id) || !has_value(scop, id) || is_a_variable(scop, id);
    let may_move = is_whole && own.iter().all(|(id, _, own)| is_plain(own) && is_read(*id));
    if !may_move || jump_across(source, scop).is_some() {
        return None;
    }
    let stays = own.into_iter().filter(|(id, ..)| !scop.stands_in(*id));
    let in_front = stays.map(|(id, array, declaration)| {
        let name = match is_its_own(source, scop, regions, array, statement) && !taken.contains(&array.name) {
            true => array.name.clone(),
            false => fresh_name(source, scop, array, taken),
        };
        let text = match array.is_scalar() && declaration.declarator.span == declaration.name.span {
            true => format!("{} {name};", unqualified(&declaration.specifiers)),
            false => with_positive_extents(source, regions, (scop, id, declaration), &name)?,
        };
        Some(InFront { array: id, name, text })
    });
    in_front.collect()
}

fn fresh_name(source: &str, scop: &Scop, array: &Array, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{}{number}", array.name));
    let is_free = |name: &String| !taken.contains(name) && free_name(name, scop, source) == *name;
    numbered.into_iter().find(is_free).unwrap_or_default()
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

/// Whether the function mentions the name in the declaration's block alone, or where blocks beside it declare variables of that name.
fn is_its_own(source: &str, scop: &Scop, regions: &Regions, array: &Array, statement: &Span) -> bool {
    let around = |at: &Span| {
        let around = regions.parts.iter().filter(|part| holds(part, at)).max_by_key(|part| part.start);
        around.unwrap_or(&scop.span).clone()
    };
    let (block, function) = (around(statement), function_around(source, scop.span.start));
    let namesakes = scop.arrays.iter().filter(|other| other.name == array.name);
    let others = namesakes.filter_map(|other| other.declaration.as_ref()).filter(|own| own.inside_scop);
    let others: Vec<Span> = others.map(|own| own.statement.start..around(&own.statement).end).collect();
    let is_declared_again = regions
        .declarations
        .iter()
        .any(|at| at != statement && holds(&block, at) && declares(source, at, &BTreeSet::from([array.name.as_str()])));
    let is_mention = |at: usize| !block.contains(&at) && !others.iter().any(|other| other.contains(&at));
    let mut all = words(&source[function.clone()]).filter(|(_, word)| *word == array.name);
    let is_mentioned = all.any(|(at, _)| is_mention(function.start + at));
    !is_declared_again && !is_mentioned && !may_capture(source, scop, &array.name)
}

/// Whether a variable's declaration gives it a value.
fn has_value(scop: &Scop, id: ArrayId) -> bool {
    let declared = scop.array(id).declaration.as_ref().map(|own| &own.statement);
    let writes = |statement: &Statement| statement.accesses.iter().any(|own| own.is_write() && own.array == id);
    scop.statements.iter().any(|statement| Some(&statement.span) == declared && writes(statement))
}

/// Whether a variable is read as such, and not as its initial value, which the program has instead.
pub(super) fn is_a_variable(scop: &Scop, id: ArrayId) -> bool {
    let is_real = words(&scop.array(id).element).any(|(_, word)| ["float", "double"].contains(&word));
    let is_set = scop.statements.iter().any(|statement| {
        statement.kind != StatementKind::Declaration
            && statement.accesses.iter().any(|access| access.is_write() && access.array == id)
    });
    is_real || is_set
}

fn unqualified(specifiers: &str) -> String {
    words(specifiers).map(|(_, word)| word).filter(|word| *word != "const").collect::<Vec<_>>().join(" ")
}

/// The declaration of an array without a value where its sizes may be anything, with another name.
fn with_positive_extents(
    source: &str,
    regions: &Regions,
    (scop, id, declaration): (&Scop, ArrayId, &Declaration),
    name: &str,
) -> Option<String> {
    let array = scop.array(id);
    let is_const = words(&declaration.specifiers).any(|(_, word)| word == "const");
    if declaration.extents.len() != array.extents.len() || is_const || has_value(scop, id) {
        return None;
    }
    let whole = &declaration.declarator.span;
    let named = &declaration.name.span;
    let mut text = format!("{} {}{name}", declaration.specifiers, &source[whole.start..named.start]);
    let mut at = named.end;
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
