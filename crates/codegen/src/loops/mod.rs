//! New loops for a scop, in a given order.
//!
//! isl's AST builder says which loops visit the operations in the order of their dates ([`polyfold_isl::Ast`]). They become loops of
//! the scop's program ([`in_tree`]), which `emit` prints. A statement, or a part of the source that stays together ([`pieces`]), is what
//! the user wrote, with the values of its counters in their place:
//!
//! ```text
//! S0: t[i][j] = x[j][i];   visited as S0(j, i + 1)   is   t[j][i + 1] = x[i + 1][j];
//! ```
//!
//! What cannot be moved like that is refused ([`Obstacle`]).
//!
//! Invariant: nothing outside the pragmas changes, but the declarations of counters that are not used any more, and pragmas in front that
//! are about the old loops.

mod affine;
mod capture;
mod counters;
mod direction;
mod in_tree;
mod inherited;
mod moved;
mod naming;
mod original;
mod parallel;
mod peeled;
mod pieces;
mod pragmas;
mod refusal;
mod regions;
mod threads;
pub(crate) mod widths;
mod written;

pub use inherited::{Heir, Lost};
pub use naming::Operations;
pub use parallel::Misfit;
pub use pieces::{Piece, Pieces, pieces};
pub use pragmas::dropped_pragmas;
pub use refusal::{Obstacle, seen_behind, why_not_as_text};
pub use written::NewLoops;

use crate::frame::frame_of;
pub(crate) use affine::tidy;
use direction::counting_down;
use naming::named;
use polyfold_c::code::words;
use polyfold_emit::in_line_endings_of;
use polyfold_isl::{Ast, Map, Set};
use polyfold_scop::Scop;
use std::collections::BTreeSet;

/// The operations of a scop's pieces in another order: for each piece `{ S[i] -> [date] }`, no two with the same date.
pub struct Order<'a> {
    /// By piece.
    pub dates: &'a [Map],
    /// Parameter values that C allows.
    pub context: &'a Set,
    /// Names of the parameters in isl notation, in the scop's order.
    pub parameters: &'a [String],
    /// Dimensions of the dates whose loops run in parallel.
    pub parallel: &'a [usize],
    /// How its loops are written.
    pub form: LoopForm<'a>,
}

/// How the loops of an order are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopForm<'a> {
    /// As they come.
    #[default]
    Plain,
    /// Innermost loops may have parts in front and behind, so that the one in the middle has no conditions on its counter.
    Peeled,
    /// Some loops are over strips: each is one loop, with a `long` for its counter. Subscripts are differences of others and that. As
    /// `int`s under conditions gcc takes them for what it has to gather.
    Strips {
        /// The dimensions of the dates that count strips.
        dimensions: &'a [usize],
        /// How many turns a strip has.
        turns: i64,
    },
}

impl LoopForm<'_> {
    /// Whether a loop goes on from strip to strip.
    fn is_over_strips(self, dimension: usize, step: i64) -> bool {
        matches!(self, LoopForm::Strips { dimensions, turns } if step == turns && dimensions.contains(&dimension))
    }
}

/// The text of a file with other lines between the pragmas of one scop.
pub fn with_body(source: &str, scop: &Scop, lines: &str) -> String {
    let body = frame_of(source, scop).body;
    let (before, behind) = (&source[..body.start], &source[body.end..]);
    let first = if before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{}{behind}", in_line_endings_of(source, &format!("{first}{lines}")))
}

/// White space in front of the first statement of a scop.
pub fn indent_of(source: &str, scop: &Scop) -> String {
    frame_of(source, scop).indent
}

/// isl's loops as one would write them.
pub fn readable(ast: Ast, operations: &dyn Operations) -> Ast {
    named(counting_down(ast).map(&tidy), operations)
}

/// Whether a text mentions one of some words.
fn mentions(text: &str, names: &BTreeSet<&str>) -> bool {
    words(text).any(|(_, word)| names.contains(word))
}
