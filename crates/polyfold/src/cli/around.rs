//! The scops that regions are statements of, and the values of macros that their new text rests on.

use polyfold_codegen::{Around, can_declare_before};
use polyfold_scop::{Pinned, Scop};

/// Whether a region is a statement of a scop.
pub(super) fn is_in(region: &Scop, scop: &Scop) -> bool {
    let first = region.statements.first();
    first.is_some_and(|first| scop.statements.iter().any(|statement| statement.span == first.span))
}

/// The scops with some of these regions, and the values that these and those rest on; where there is room for assertions in front.
pub(super) fn around<'a>(scops: &'a [Scop], regions: &[(&Scop, &[Pinned])], source: &str) -> Vec<Around<'a>> {
    let with_room = scops.iter().filter(|scop| can_declare_before(source, scop));
    let own = |scop: &'a Scop| {
        let inside: Vec<_> = regions.iter().filter(|(region, _)| is_in(region, scop)).collect();
        let mut pinned = scop.pinned.clone();
        for more in inside.iter().flat_map(|(_, pinned)| *pinned) {
            if !pinned.contains(more) {
                pinned.push(more.clone());
            }
        }
        (!inside.is_empty()).then_some(Around { scop, pinned })
    };
    with_room.filter_map(own).collect()
}
