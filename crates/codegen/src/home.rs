//! Where an array's new storage is declared, and what it is called.
//!
//! * *In place*: the array's own declarator is rewritten where it stands, if its new sizes are known there: numbers, macros,
//!   and extents of the old declaration.
//! * *At the scop*: sizes that hold only from the scop on are used in a declaration in front of it; the old declarator goes.
//! * *Apart*: a parameter, or a global that others mention, keeps its declaration; a new buffer stands in front of the scop.
//! * *Allocated*: memory from `malloc` keeps its pointer, and the call gets another size; of several pointers that share it, the others
//!   are set to the first.

use crate::Decisions;
use polyfold_c::code::{other_bodies, words};
use polyfold_isl::Result;
use polyfold_prove::Placed;
use polyfold_scop::{Array, ArrayId, Declaration, ParameterOrigin, Scop, Span, Storage};

/// Where new storage is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    InPlace,
    AtScop,
    Apart,
    /// Where it is allocated; the declaration stays.
    Allocated,
}

pub(crate) fn home(source: &str, decisions: &Decisions, mapped: &Placed) -> Result<Home> {
    let array = decisions.scop.array(mapped.array());
    if array.declaration.as_ref().is_some_and(|declaration| declaration.allocation().is_some()) {
        return Ok(Home::Allocated);
    }
    if mapped.shared().is_some() {
        return Ok(Home::AtScop);
    }
    let Some(declaration) = &array.declaration else { return Ok(Home::Apart) };
    if !is_own(source, decisions.scop, array, declaration) {
        return Ok(Home::Apart);
    }
    if decisions.scop.has_lost(declaration) {
        return Ok(Home::AtScop);
    }
    if declaration.inside_scop {
        return Ok(Home::InPlace);
    }
    let variables: Vec<&str> = (decisions.scop.parameters.iter().zip(decisions.parameters))
        .filter(|(p, _)| p.origin == ParameterOrigin::Variable)
        .map(|(_, name)| name.as_str())
        .collect();
    if mapped.linear().is_some() {
        return Ok(Home::AtScop);
    }
    for row in mapped.rows() {
        let later = row.modulus.parameters()?.iter().any(|p| variables.contains(&p.as_str()));
        if row.own_extent.is_none() && later {
            return Ok(Home::AtScop);
        }
    }
    Ok(Home::InPlace)
}

/// Whether an array is a variable of its function's call.
pub(crate) fn is_on_stack(array: &Array) -> bool {
    array.declaration.as_ref().is_some_and(|own| own.storage == Storage::Local)
}

/// Whether nothing but the scop knows of the array's declaration.
fn is_own(source: &str, scop: &Scop, array: &Array, declaration: &Declaration) -> bool {
    match declaration.storage {
        Storage::Local | Storage::StaticLocal | Storage::Allocated(_) => true,
        Storage::Parameter => false,
        Storage::Global => declaration.is_static && !is_mentioned_elsewhere(source, scop, array, declaration),
    }
}

fn is_mentioned_elsewhere(source: &str, scop: &Scop, array: &Array, declaration: &Declaration) -> bool {
    let mut at = 0;
    source.split_inclusive('\n').any(|line| {
        let start = at;
        at += line.len();
        let pragma = line.trim_start().starts_with("#pragma");
        !pragma
            && words(line).any(|(offset, word)| {
                let place = start + offset;
                word == array.name && !scop.span.contains(&place) && !declaration.statement.contains(&place)
            })
    })
}

/// The name of an array's new storage: its own where its declaration is rewritten, else one that the source does not use.
pub fn storage_name(array: &Array, scop: &Scop, source: &str) -> String {
    // Blocks beside each other may declare one name each.
    let namesakes = scop.arrays.iter().filter(|other| other.name == array.name);
    let place = |array: &Array| array.declaration.as_ref().map(|own| own.name.clone());
    match namesakes.take_while(|other| place(other) != place(array)).count() {
        0 if array.declaration.as_ref().is_some_and(|d| is_own(source, scop, array, d)) => return array.name.clone(),
        0 => {}
        count => return free_name(&format!("{}_{}", array.name, count + 1), scop, source),
    }
    free_name(&format!("{}_buffer", array.name), scop, source)
}

/// The name of a buffer of several arrays: one that the source does not use, after its first member.
pub fn shared_name(first: &Array, scop: &Scop, source: &str) -> String {
    free_name(&format!("{}_shared", first.name), scop, source)
}

/// The array of some that gets its memory first, if that is from `malloc`: the buffer that they share is its.
pub fn first_allocated(scop: &Scop, members: impl Iterator<Item = ArrayId>) -> Option<ArrayId> {
    let place = |id: &ArrayId| Some(scop.array(*id).declaration.as_ref()?.allocation()?.call.start);
    members.filter(|id| place(id).is_some()).min_by_key(place)
}

/// A name that the source does not use, as near to the wanted one as possible.
pub fn free_name(wanted: &str, scop: &Scop, source: &str) -> String {
    unused(wanted, scop, source, &[])
}

/// The same for a variable of the scop's function: what other functions call theirs is nothing to it.
pub fn free_local_name(wanted: &str, scop: &Scop, source: &str) -> String {
    unused(wanted, scop, source, &other_bodies(source, scop.span.start))
}

/// Used by nobody but in some parts of the source.
fn unused(wanted: &str, scop: &Scop, source: &str, others: &[Span]) -> String {
    let is_elsewhere = |at: usize| others.iter().any(|body| body.contains(&at));
    let counters: Vec<&str> = match scop.order.is_some() {
        true => scop.loops().into_iter().map(|l| l.iterator.as_str()).collect(),
        false => Vec::new(),
    };
    let is_used = |name: &str| {
        let mut texts = scop.fragments.iter().map(|fragment| fragment.text.as_str());
        counters.contains(&name)
            || scop.arrays.iter().any(|array| array.name == name)
            || texts.any(|text| words(text).any(|(_, word)| word == name))
            || words(source).any(|(at, word)| word == name && !is_elsewhere(at))
    };
    let mut name = wanted.to_string();
    while is_used(&name) {
        name.push('_');
    }
    name
}
