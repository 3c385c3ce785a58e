//! Variables, and `static` functions, that only removed code mentioned.
//!
//! A compiler warns of them, and their declarations are not ours to remove: a parameter belongs to the callers. So they are
//! mentioned, `(void)y;`, behind the scop, or behind their declarations in it.

use crate::Decisions;
use crate::values::WritableValues;
use polyfold_c::code::{Declared, Mentioned, Replaced, words};
use polyfold_isl::Result;
use polyfold_program::Int;
use polyfold_prove::Placed;
use polyfold_scop::{ArrayId, Declaration, Scop, Span, Storage};
use std::collections::BTreeSet;

/// What nothing mentions any more where a scop has new storage.
pub(crate) fn mentioned(source: &str, decisions: &Decisions, text: &str) -> Result<Mentioned> {
    let changed = [removed_text(decisions), changed_text(decisions)].concat();
    Ok(in_place_of(source, decisions.scop, text, (changed, new_words(source, decisions)?)))
}

/// The same where a scop has another text, and some spans outside of it have one with other words.
pub(crate) fn in_place_of(
    source: &str,
    scop: &Scop,
    text: &str,
    (changed, kept): (Vec<Span>, BTreeSet<String>),
) -> Mentioned {
    let own = scop.arrays.iter().filter_map(|array| array.declaration.as_ref());
    let own = own.filter(|d| d.inside_scop && d.name.fragment.is_none());
    let declared = own.map(|d| Declared { statement: d.statement.start, name: d.name.span.clone() }).collect();
    Replaced { source, span: scop.span.clone(), declared, changed, kept }.mentioned(text)
}

/// Declarators of arrays that go.
fn removed_text(decisions: &Decisions) -> Vec<Span> {
    let declarations = decisions.removed.iter().filter_map(|id| decisions.scop.array(*id).declaration.as_ref());
    let in_file = declarations.filter(|d| d.declarator.fragment.is_none() && d.allocation().is_none());
    in_file.map(|d| d.declarator.span.clone()).collect()
}

/// What reads otherwise besides the scop's statements: declarators of arrays that are mapped, and sizes of allocations.
fn changed_text(decisions: &Decisions) -> Vec<Span> {
    let declaration = |id: ArrayId| decisions.scop.array(id).declaration.as_ref();
    let is_local = |d: &&Declaration| matches!(d.storage, Storage::Local | Storage::StaticLocal);
    let mapped = || decisions.mapped.iter().map(|mapped| mapped.array());
    let gone = decisions.scop.expanded.iter().flat_map(|own| own.gone.iter().copied());
    let in_values = decisions.values.iter().map(|values| values.array());
    let declared = mapped().chain(in_values).chain(gone).filter_map(declaration);
    let declared = declared.filter(|d| d.declarator.fragment.is_none()).filter(is_local);
    let allocated = mapped().chain(decisions.removed.iter().copied()).filter_map(declaration);
    let sizes = allocated.filter_map(|d| d.allocation()).map(|allocation| allocation.arguments.clone());
    declared.map(|d| d.declarator.span.clone()).chain(sizes).collect()
}

/// The names of the sizes that a place's extents are made of.
fn sizes(place: &Placed, decisions: &Decisions) -> Result<BTreeSet<String>> {
    let names = decisions.names;
    let extents: Vec<Int> = match place.linear() {
        Some(row) => names.named(&row.parameter).into_iter().collect(),
        None => place.rows().iter().map(|row| names.extent(&row.modulus)).collect::<Result<_>>()?,
    };
    let mut found = BTreeSet::new();
    let mut note = |e: &Int| {
        if let Int::Parameter(id) = e {
            found.insert(names.program().parameters[id.0].name.clone());
        }
    };
    extents.iter().for_each(|extent| extent.each(&mut note));
    Ok(found)
}

/// The words of new sizes, and the names of the arrays, which are declared anew or go.
fn new_words(source: &str, decisions: &Decisions) -> Result<BTreeSet<String>> {
    let scop = decisions.scop;
    let gone = scop.expanded.iter().flat_map(|own| &own.gone);
    let mut texts: Vec<String> = decisions.removed.iter().chain(gone).map(|id| scop.array(*id).name.clone()).collect();
    for values in decisions.values.iter().map(WritableValues::placed) {
        texts.push(scop.array(values.array()).name.clone());
        for place in values.accesses().iter().filter_map(|access| access.place.as_ref()) {
            texts.extend(sizes(place, decisions)?);
        }
    }
    for mapped in &decisions.mapped {
        let array = scop.array(mapped.array());
        texts.push(array.name.clone());
        texts.extend(sizes(mapped, decisions)?);
        for row in mapped.rows() {
            let place = row.own_extent.and_then(|dimension| array.declaration.as_ref()?.extents.get(dimension));
            let text = |f: polyfold_scop::FragmentId| scop.fragments[f.0].text.as_str();
            texts.extend(place.map(|p| p.fragment.map_or(source, text)[p.span.clone()].to_string()));
        }
    }
    Ok(texts.iter().flat_map(|text| words(text)).map(|(_, word)| word.to_string()).collect())
}
