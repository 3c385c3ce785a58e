//! Rows of arrays that stay as they are.
//!
//! Of `in[x + 1][y]` the row is `in[x + 1]`, which a pointer can stand for. That is worth it only where compilers are slow to find rows: in arrays whose rows are as long as a size says.

use crate::home::words;
use crate::types::is_number;
use polyfold_scop::{Access, Array, Expr, Scop};
use std::collections::BTreeSet;

/// The row that an access is in, and its last subscript, as the source has them; `None`: it is in none, or its text is not all in the file.
pub(crate) fn row_of(source: &str, access: &Access) -> Option<(String, String)> {
    let (last, others) = access.subscript_spans.split_last().filter(|(_, others)| !others.is_empty())?;
    let opening = source.get(..last.start)?.rfind('[')?;
    let is_here = access.place.fragment.is_none() && others.iter().all(|own| own.end <= opening);
    let (row, last) = (source.get(access.place.span.start..opening)?, source.get(opening..access.place.span.end)?);
    let is_plain = |text: &str| !text.contains(['\n', '\\', '/', '?', '(']);
    (is_here && is_plain(row) && is_plain(last)).then(|| (row.trim_end().to_string(), last.to_string()))
}

/// The type of elements to which pointers may point that read rows, if rows are as long as a size says.
pub(crate) fn element_of_rows(scop: &Scop, array: &Array) -> Option<String> {
    let declaration = array.declaration.as_ref()?;
    let is_declared = declaration.allocation().is_none() && declaration.attributes.is_empty() && !array.linearised;
    let rows: Vec<&Expr> = array.extents.get(1..)?.iter().flatten().collect();
    let has_sizes = rows.iter().any(|extent| {
        let mut sizes = BTreeSet::new();
        extent.collect_parameters(&mut sizes);
        sizes.iter().any(|id| scop.parameters[id.0].constant().is_none())
    });
    let is_word = |word: &&str| !["static", "register", "const"].contains(word);
    let element = words(&declaration.specifiers).map(|(_, word)| word).filter(is_word).collect::<Vec<_>>().join(" ");
    (is_declared && has_sizes && rows.len() + 1 == array.extents.len() && is_number(&element)).then_some(element)
}
