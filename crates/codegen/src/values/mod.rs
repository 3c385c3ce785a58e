//! Accesses to values that live in several places.
//!
//! A read of cell i − 1 that finds the border in one variable and all else in a ring of values reads
//!
//! ```c
//! (i == 1 ? Q_values1 : Q_values[((long)T - t + i) % (N + 1)])
//! ```
//!
//! and a statement whose write goes to several places stands once for each, under an `if`. Where nobody reads the value,
//! nothing is written. A place that all operations use needs no condition, and neither does the last one.
//!
//! What an access reads and writes where is found once (`cases`), when it is asked whether that can be written (`writable`).

mod cases;
mod writable;

pub use cases::counter_in_isl;
pub use writable::{ValueCase, WritableValues};

use polyfold_scop::ArrayId;

/// A buffer of values.
#[derive(Clone, Debug)]
pub struct ValueBuffer {
    /// The class that stands for it in the places.
    pub first: ArrayId,
    /// The array after which it is called, of whose type it is.
    pub owner: ArrayId,
    /// A name that the source does not use.
    pub name: String,
}
