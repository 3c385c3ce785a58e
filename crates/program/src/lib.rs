//! Programs as loop trees with expressions.
//!
//! A [`Program`] is one scop: its sizes, its buffers, and statements with their expressions. Every
//! pass reads such a tree and writes another one. Nothing here knows of text in C, of sets or of
//! storage mappings. How some source writes a tree is in [`Written`], beside it.
//!
//! Integers are mathematical: they have no width, and `mod` is never negative. Counters and sizes say what
//! C holds them in ([`IntType`]), and values in which type C has an integer there. Where a sum would leave its type, the printer computes it in a wider one.
//!
//! A program prints as text and reads back:
//!
//! ```
//! use polyfold_program::Program;
//! let text = "\
//! program smooth(n) where n >= 1 {
//!   in A[n];
//!   out B[n];
//!   temporary W[2];
//!
//!   for i = 0 while i < n step 1 {
//!     S0(i): W[i mod 2] = 2 * A[i];
//!     S1(i): B[i] = W[i mod 2] + (i >= 1 ? W[(i - 1) mod 2] : 0.5);
//!   }
//! }
//! ";
//! let program = Program::read(text)?;
//! assert_eq!(program.buffers[2].name, "W");
//! assert_eq!(program.to_string(), text);
//! # Ok::<(), polyfold_program::ReadError>(())
//! ```
//!
//! What an assignment computes is named by the source's statement and its counters: `S1(i)`. A
//! loop's head may say what holds there ([`Invariant`]). A validator checks such facts; the next
//! pass reads them in place of the code.

mod alike;
mod as_choice;
mod int;
mod int_type;
mod level;
mod names;
mod print;
mod read;
mod scopes;
mod sum;
mod template;
mod term;
mod tokens;
mod tree;
mod uses;
mod value;
mod walk;
mod written;

pub use int::{Cond, Int, IntOp, Relation};
pub use int_type::{IntType, Values};
pub use level::Level;
pub use names::Names;
pub use read::ReadError;
pub use sum::Sum;
pub use template::{Hole, escaped, filled};
pub use tree::{
    Assign, Buffer, BufferId, Congruence, Copy, Element, Home, Invariant, Layout, Local, LocalId, LocalKind,
    LocalValue, Loop, Moment, Opaque, Operand, Parameter, ParameterId, Program, Range, Region, Role, Scalar,
    StatementId, Stmt, Touched, With,
};
pub use uses::Use;
pub use value::{Op, Place, Real, Value};
pub use walk::{Cells, Leaves};
pub use written::{OtherText, Piece, Written};
