//! The texts that regions are parts of: of the loops around them that copies may stand in front of, the largest that are understood.
//!
//! Example: where a loop has two regions and `s[k] = 0;` between them, it is one text. If that statement isn't understood, each region is a
//! text by itself.
//!
//! Invariant: texts lie apart, and each region is in one.

use polyfold_codegen::has_regions;
use polyfold_frontend::{Diagnostic, LocalRegion};
use polyfold_scop::{Scop, Span};
use std::cmp::Reverse;
use std::rc::Rc;

/// A region that is understood by itself.
pub(super) struct Alone {
    pub(super) region: LocalRegion,
    pub(super) scop: Scop,
    /// Bytes of the loops around that copies may stand in front of, innermost first.
    pub(super) loops: Vec<Span>,
    /// What is wrong with options, if this region is the only one.
    pub(super) about_options: Vec<Diagnostic>,
}

/// The texts of regions. `around`: what is understood of some bytes with regions in them.
pub(super) fn texts(regions: &[Alone], around: &dyn Fn(&Span, &[LocalRegion]) -> Option<Scop>) -> Vec<Rc<Scop>> {
    let all: Vec<LocalRegion> = regions.iter().map(|own| own.region.clone()).collect();
    let with_itself = |own: &Alone| [&own.loops[..], std::slice::from_ref(&own.region.statement)].concat();
    let mut spans: Vec<Span> = regions.iter().flat_map(with_itself).collect();
    spans.sort_by_key(|span| (Reverse(span.len()), span.start));
    let mut texts: Vec<Rc<Scop>> = Vec::new();
    for span in spans {
        if texts.iter().any(|text| is_in(&span, &text.span)) {
            continue;
        }
        let has_statements = |own: &&Alone| !own.scop.statements.is_empty();
        let inside = regions.iter().filter(|own| is_in(&own.region.statement, &span)).filter(has_statements);
        let inside: Vec<&Scop> = inside.map(|own| &own.scop).collect();
        texts.extend(around(&span, &all).filter(|text| has_regions(text, &inside)).map(Rc::new));
    }
    texts
}

/// The text of a region.
pub(super) fn text_of(region: &Alone, texts: &[Rc<Scop>]) -> Option<Rc<Scop>> {
    texts.iter().find(|text| is_in(&region.region.statement, &text.span)).map(Rc::clone)
}

/// Whether some bytes are among others.
pub(super) fn is_in(inner: &Span, outer: &Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
