//! Runs programs over terms in place of numbers, and compares what they leave behind.
//!
//! A cell holds the term that computed its value. In `b = f(a); c = b;` both `b` and `c` hold
//! `f(first a)`: copies move terms. Two programs agree at some sizes if in the end the cells that
//! others see hold the same terms. So order, storage and copies don't matter, and nothing here knows
//! of mappings, passes or the forms that they make.
//!
//! What a run can't know is chosen:
//!
//! * A condition on data is a function of its term, under several seeds ([`Choices`]). Both programs
//!   get the same answer to the same question.
//! * The iterations of a parallel loop run forwards and backwards. Two of them that touch one cell,
//!   one writing, are a fault.
//! * A cell of a temporary that was never written holds a term of its own. Where the program before
//!   leaves such a term, anything will do.
//!
//! * A subscript that data decide is a term. A write there changes each cell that may be meant, to the
//!   new value if the term is its subscript. A read there is a function of the term and of all cells
//!   that it may mean. Cells that were never written aren't meant.
//!
//! Where nobody says how many cells a buffer has, the program after may use those that the one before
//! uses at the same sizes.
//!
//! A store converts to the type of the cell's elements. Reads that leave their buffer, numbers past
//! 64 bits, and loops that don't end are faults. Sizes at which the program before has one don't
//! count.
//!
//! Limits: a call may read what it likes of its own operands only; integers have no width.

mod choices;
mod compare;
mod machine;
mod memory;
mod sizes;
mod table;

pub use choices::Choices;
pub use compare::{Difference, Ran, Why, agree};
pub use machine::{Fault, FaultKind};
pub use sizes::{Sizes, sizes_to_run};
