//! OpenScop: what clan, Pluto, candl and cloog exchange.
//!
//! A file holds scops. Each has a context, names of parameters, and statements; a statement is made of relations, and a relation
//! of rows, the first number of which says whether the row is zero (0) or not negative (1):
//!
//! ```text
//! DOMAIN                         0 <= i < N:   columns  e/i | output | input | local | parameters | 1
//! 2 4 1 0 0 1
//! 1  1  0  0     # i >= 0
//! 1 -1  1 -1     # N - 1 - i >= 0
//! ```
//!
//! `SCATTERING` leads from iterators (input) to dates (output), an access from iterators to the array's number and subscripts. What
//! OpenScop does not say (types, extents, which arrays are temporary) stands in an extension `<polyfold>`, which others skip: lines
//! such as `int h`, `temporary float rows[h][w]`, `text #include <math.h>`. Extensions of others are not kept.
//!
//! Source: Bastoul, "OpenScop: A Specification and a Library for Data Exchange in Polyhedral Compilation Tools", 2011.

mod lines;
mod read;
mod relation;
mod write;

pub use read::read;
pub use write::write;
