//! Accesses to values that live in several places.
//!
//! Which operations of an access find their value in which place is found once (`cases`). Whether one would want to read that in C is
//! asked next (`writable`).
//!
//! Example: a read of cell i − 1 has two cases, the border for i = 1, and a ring of values for all else.

mod cases;
mod writable;

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
