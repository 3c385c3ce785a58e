//! Arrays in whose memory others may live, as far as the text goes.
//!
//! An access to such an array is written where there was none before. Its name has to mean the array there, and nothing else
//! between the pragmas; the words of its type have to mean at the scop what they mean at its declaration; and no word of
//! the declaration may make its elements special. A local pointer is left out: what it points at may have another name.
//!
//! Example: in `for (int i = 0; i < n; i++) { double out = x[i]; t[i] = out; }` the array `out` cannot take in `t`.

use polyfold_c::code::{Kind, is_type_declared, tokens, words};
use polyfold_scop::{Array, ArrayId, Declaration, Role, Scop, Span, Storage};

/// Words of declarations whose elements cannot be written whenever one likes, or that are not plainly memory.
const SPECIAL: [&str; 8] =
    ["const", "volatile", "_Atomic", "atomic", "_Thread_local", "thread_local", "__thread", "__const"];

/// Words of declarations that say nothing of an element's type.
const STORAGE: [&str; 3] = ["static", "extern", "register"];

/// Arrays of a scop that may take in others.
pub(crate) fn hosts(source: &str, scop: &Scop) -> Vec<ArrayId> {
    (0..scop.arrays.len()).map(ArrayId).filter(|id| may_be_host(source, scop, scop.array(*id))).collect()
}

/// The words of a declaration that say what type its elements have.
pub fn element_words(declaration: &Declaration) -> Vec<&str> {
    declaration.specifiers.split_whitespace().filter(|word| !STORAGE.contains(word)).collect()
}

fn may_be_host(source: &str, scop: &Scop, array: &Array) -> bool {
    let Some(declaration) = array.declaration.as_ref().filter(|d| !d.inside_scop) else { return false };
    let place = &declaration.declarator;
    let text = place.fragment.map_or(source, |f| scop.fragments[f.0].text.as_str());
    let texts = [&declaration.specifiers, &declaration.attributes, &text[place.span.clone()]];
    let is_special = texts.into_iter().flat_map(words).any(|(_, word)| SPECIAL.contains(&word));
    matches!(&array.role, Role::Kept(kept) if kept.plain)
        && !array.is_scalar()
        && !is_special
        && !is_local_pointer(array, declaration)
        && scop.arrays.iter().filter(|other| other.name == array.name).count() == 1
        && keeps_its_name(source, scop, array)
        && keeps_its_type(source, scop, declaration)
}

/// Whether a local has fewer brackets than dimensions. That pointers which are parameters or globals overlap nothing is what the
/// user says.
fn is_local_pointer(array: &Array, declaration: &Declaration) -> bool {
    let is_local = matches!(declaration.storage, Storage::Local | Storage::StaticLocal | Storage::Allocated(_));
    is_local && declaration.extents.len() < array.extents.len()
}

/// Whether every mention of the name between the pragmas is an access to the array.
fn keeps_its_name(source: &str, scop: &Scop, array: &Array) -> bool {
    let accesses = || scop.statements.iter().flat_map(|s| &s.accesses);
    let is_array = accesses().any(|a| scop.array(a.array).name == array.name);
    let is_access = |fragment: Option<usize>, at: usize| {
        accesses().any(|a| a.place.fragment.map(|f| f.0) == fragment && a.place.span.start == at)
    };
    let is_rewritten = |at: usize| scop.fragments.iter().any(|f| f.replaces.contains(&at));
    let is_own = |text: &str, span: &Span, fragment: Option<usize>| {
        tokens(text, span).iter().all(|t| match t.kind {
            Kind::Word if t.text == array.name => fragment.is_none() && is_rewritten(t.at) || is_access(fragment, t.at),
            Kind::Directive => words(t.text).all(|(_, word)| word != array.name),
            _ => true,
        })
    };
    let fragments = scop.fragments.iter().enumerate();
    is_array
        && is_own(source, &scop.span, None)
        && fragments.into_iter().all(|(k, f)| is_own(&f.text, &(0..f.text.len()), Some(k)))
}

/// Whether no word of the type is declared again between the array's declaration and the scop.
fn keeps_its_type(source: &str, scop: &Scop, declaration: &Declaration) -> bool {
    let between = tokens(source, &(declaration.statement.end.min(scop.span.start)..scop.span.start));
    let mut used = declaration.specifiers.split_whitespace();
    used.all(|word| (0..between.len()).all(|at| !is_type_declared(&between, at, word)))
}
