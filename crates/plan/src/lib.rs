//! The search: which storage the arrays of a program get.
//!
//! [`optimize()`] takes one scop and decides for each of its arrays. Engines propose, the prover
//! judges, and the storage with the fewest cells wins. Of as many cells, the storage whose
//! subscripts cost the least in innermost loops wins.
//!
//! ```text
//! Scop ── optimize ──> Optimized ── decisions ──> what is printed
//!              │            └────── judged ─────> both programs run, at small sizes
//!              └ each array alone, then in buffers with others, then with more cells for speed
//! ```
//!
//! [`Fusing`] does the same for several orders of the scop's loops, and takes the one that needs the fewest cells.
//! [`compact()`] does it for a region that gets memory of its own.
//!
//! Invariants:
//!
//! * Only storage that is proved is in a result. What was found too late, or isn't proved, is
//!   left out, and the array stays as it was. The outcome then says why.
//! * All work has a bound in steps. Work past it loses proposals, never what is proved.
//! * A result has no more cells than the source at the sizes that are counted.
//! * There are no files, processes or clocks here. The same scop and options give the same result.

mod applied;
mod behind;
mod buffer;
mod capacity;
mod cells;
mod coalescing;
mod compact;
mod conditions;
mod conflicts;
mod decisions;
mod engines;
mod forms;
mod gathering;
mod halo;
mod hints;
mod hosting;
mod judged;
mod levels;
mod movement;
mod optimize;
mod orders;
mod origins;
mod plainer;
mod prepared;
mod ranges;
mod rows;
mod search;
mod shapes;
mod share;
mod sizes;
mod slack;
mod sliding;
mod stack;
mod straight;
mod strides;
mod together;
mod values;
mod variants;
mod vectors;
mod versioning;
mod windows;

pub use applied::{BufferNames, with_new_storage, with_values};
pub use behind::needed_behind;
pub use buffer::SharedBuffer;
pub use capacity::{Fit, Overflow, fit};
pub use cells::is_worth_changing;
pub use compact::{Compaction, compact, gains_nothing, loose, overlapping};
pub use conditions::{sizes_text, sizes_to_read};
pub use conflicts::program_conflicts;
pub use forms::decisions;
pub use halo::{WithBorder, longer, with_border};
pub use hints::SlackHint;
pub use judged::{Instances, Judgement, judged, judged_printed, judged_regions};
pub use optimize::{Optimized, Options, Outcome, Scope, in_bound, optimize};
pub use orders::{
    Aim, Found, Fusing, InOrder, InReading, Kept, LeftOut, Looking, MayOverlap, Ordered, Refused, Source, Striped,
    Stuck, WhyLeftOut, Wish, Wrong, in_strips, is_reuse, ordered, own_temporaries, with_own_array,
};
pub use sizes::{Counted, Sizes, borrow, choose_sizes, contradiction, declared_cells, impossible, impossible_in};
pub use slack::Slack;
pub use values::value_buffers;
pub use vectors::VectorHint;
