//! A region in local memory, as C.
//!
//! ```text
//! {
//!   double A_local[n];                                  /* declarations */
//!   for (…) A_local[…] = A[…];                          /* copy in */
//!   the statement, with A_local[…] in place of A[…]
//!   for (…) A[…] = A_local[…];                          /* copy back */
//! }
//! ```
//!
//! Regions and the loops around them are a program (`nest`). The plans make another one of it (`memory`), which is judged and printed.
//!
//! The statement stays as the user wrote it, but for its accesses. If a plan holds only for some parameter values, a condition stands in
//! front: with another plan for the other values, or with the statement as it was. Local arrays have the block's scope, so that versions
//! share the stack.
//!
//! Copies that are proved to be right in front of loops stand there, and rotating buffers are filled a turn ahead (`turns`). The whole of these
//! loops is then what has versions (`frame`).
//!
//! Invariant: nothing but the pragma and its statement changes, and no plan is printed that is not proved.

mod condition;
mod copying;
mod frame;
mod held;
mod in_tree;
mod manner;
mod memory;
mod names;
mod nest;
mod runs;
mod sizes;
mod turns;

pub use in_tree::has_regions;
pub use manner::{Functions, Manner, Transfer};
pub use names::{LocalNames, names_of};
pub use nest::Localized;

use crate::Dialect;
use crate::fault;
use crate::frame::frame_of;
use crate::guard::of_values;
use nest::nests;
use polyfold_emit::{Edit, Edits, Frame};
use polyfold_isl::{Result, Set};
use polyfold_prove::PlacedLocals;
use polyfold_scop::{Pinned, Scop, Span};

/// A region to be written.
pub struct Compacted<'a> {
    /// The statement as a scop, in the text of `source`.
    pub scop: &'a Scop,
    /// The scop's parameters in isl notation.
    pub parameters: &'a [String],
    /// Bytes of the pragma.
    pub pragma: Span,
    /// Bytes of the pragma and the statement behind it; of the loop, in tiles.
    pub span: Span,
    /// Bytes of the statement.
    pub statement: Span,
    /// Parameter values that the program may have.
    pub known: &'a Set,
    /// Parameter values for which some statement of the region runs.
    pub running: &'a Set,
    /// Parameter values for which no sum overflows that the region computes.
    pub defined: &'a Set,
    /// The plans, for parameter values that exclude each other.
    pub plans: &'a [PlacedLocals],
    /// Bytes of the loops around that copies may stand in front of, innermost first.
    pub loops: Vec<Span>,
    /// The text that it is a part of: a scop in tiles, or a loop around it that copies may stand in front of, or it alone.
    pub whole: &'a Scop,
    /// How copies and declarations are written.
    pub manner: &'a Manner,
    /// Values of macros that the plans rest on, and that are asserted in the region.
    pub pinned: &'a [Pinned],
}

/// A scop with regions.
pub struct Around<'a> {
    /// The scop, in front of which declarations may stand.
    pub scop: &'a Scop,
    /// Values of macros that its new text rests on.
    pub pinned: Vec<Pinned>,
}

/// What is made for values of macros.
const SUBJECT: &str = "the copies below were written";

/// A file with regions in local memory.
pub struct InLocalMemory {
    /// Its text.
    pub text: String,
    /// What that was printed from, by regions that are a program together.
    pub printed: Vec<(Vec<usize>, Localized)>,
}

/// A file with some regions in local memory.
///
/// # Errors
/// When a name means two things in a region, a text would stand twice that must not, or something can't be printed.
pub fn in_local_memory(
    source: &str,
    regions: &[Compacted],
    around: &[Around],
    dialect: Dialect,
) -> Result<InLocalMemory> {
    let names = names_of(source, regions);
    let (mut edits, mut printed) = (Edits::new(), Vec::new());
    for (inside, nest) in nests(source, regions)? {
        let own: Vec<&[LocalNames]> = inside.iter().map(|k| &names[*k][..]).collect();
        let Some((localized, own)) = nest.localized(&own, dialect)? else { continue };
        own.into_iter().for_each(|edit| edits.push(edit));
        printed.push((inside, localized));
    }
    around.iter().for_each(|around| edits.push(in_front(source, around, dialect)));
    Ok(InLocalMemory { text: edits.apply(source), printed })
}

/// What a scop takes for granted of macros.
fn in_front(source: &str, around: &Around, dialect: Dialect) -> Edit {
    let Frame { lines, indent, .. } = frame_of(source, around.scop);
    let assertions = of_values(SUBJECT, &around.pinned);
    Edit { text: assertions.lines(dialect, &source[..lines.start], &indent), span: lines.start..lines.start }
}

impl Compacted<'_> {
    /// How many loops copies stand in front of.
    fn depth(&self) -> usize {
        self.plans.iter().map(|placed| placed.frame().loops).max().unwrap_or(0)
    }

    /// The outermost of these, or the region.
    fn outermost(&self) -> &Span {
        self.depth().checked_sub(1).and_then(|last| self.loops.get(last)).unwrap_or(&self.span)
    }

    /// A parameter that a counter or a variable of the region hides cannot be named there.
    fn check_names(&self) -> Result<()> {
        let counters = self.scop.loops().into_iter().map(|l| l.iterator.clone());
        let inside = self.scop.arrays.iter().filter(|a| a.declaration.as_ref().is_some_and(|d| d.inside_scop));
        let hiding: Vec<String> = counters.chain(inside.map(|a| a.name.clone())).collect();
        match self.scop.parameters.iter().find(|p| hiding.contains(&p.name)) {
            Some(hidden) => Err(fault(format!("`{}` means two things in the region: rename one of them", hidden.name))),
            None => Ok(()),
        }
    }
}
