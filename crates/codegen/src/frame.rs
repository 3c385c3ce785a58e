//! Where a scop stands in its file, and whether something may stand in front of it.

use polyfold_c::code::last_token;
use polyfold_emit::Frame;
use polyfold_scop::Scop;

/// Where a scop's pragma lines stand.
pub(crate) fn frame_of(source: &str, scop: &Scop) -> Frame {
    Frame::of(source, (&scop.span, scop.lead.as_ref()))
}

/// Whether a declaration may be put in front of `#pragma scop` and the pragmas that belong to it.
pub fn can_declare_before(source: &str, scop: &Scop) -> bool {
    frame_of(source, scop).takes_declarations(source)
}

/// Whether a statement may begin at a place, rather than the head of a loop go on there.
pub fn stands_in_a_block(source: &str, at: usize) -> bool {
    !matches!(last_token(&source[..at]), Some('(' | ','))
}
