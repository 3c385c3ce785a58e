//! A small safe layer over the system's libisl: exact integer sets and relations with parameters.
//!
//! Values own their isl object and are copied cheaply (isl counts references). Every operation that can fail
//! returns a [`Result`]; running out of the work bound set with [`Context::with_quota`] is an error value like
//! any other, after which the context can be used again. No raw pointer leaves this crate.
//!
//! A [`Context`] and everything made from it stay on one thread.
//!
//! ```
//! use polyfold_isl::{Context, Set};
//! let ctx = Context::new();
//! let set = Set::read(&ctx, "[n] -> { [i, j] : 0 <= i < n and i <= j <= i + 1 }")?;
//! assert_eq!(set.dim_max(0)?.eval(&[("n", 10)])?, Some(9));
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

mod affine;
mod ast;
mod coalesce;
mod context;
mod flow;
mod functions;
mod inclusion;
mod known;
mod map;
mod mistake;
mod outside;
mod parse;
mod polyhedron;
mod set;
mod spaces;
mod sys;

pub use affine::{CText, PwAff};
pub use ast::{Ast, AstExpr, Operation};
pub use context::{Context, Error, ErrorKind, Result};
pub use flow::dataflow;
pub use map::Map;
pub use parse::ParseError;
pub use polyhedron::Polyhedron;
pub use set::Set;
