//! Writes programs as C.
//!
//! [`statements`] prints a tree as it is, without the text that it came from: for each statement its
//! place and its value, for each loop its head. What C has to be told besides, [`Names`] says.
//!
//! ```
//! use polyfold_emit::{Names, statements};
//! use polyfold_program::Program;
//! let text = "program p(n) { in A[n]; out B[n];
//!   for let i = 0 while i < n step 1 { S0(i): B[i] = 2 * A[(i >= 1 ? i - 1 : 0)]; } }";
//! let program = Program::read(text)?;
//! let int = |_| Some("int".to_string());
//! let names = Names::of(&int);
//! let c = statements(&program, &names, "").expect("it has loops and statements only");
//! assert_eq!(c, "for (int i = 0; i < n; i++)\n  B[i] = 2 * A[i >= 1 ? i - 1 : 0];\n");
//! # Ok::<(), polyfold_program::ReadError>(())
//! ```
//!
//! [`Unit`] prints a file: what stands around its scops.
//!
//! [`in_text_of`] prints a tree with its source's own text around what changed: comments, layout and macros stay.
//!
//! Invariant: every integer has in C the value that it has in the tree. Where the types of counters and sizes
//! don't hold one on the way there, it is computed as a `long`.
//!
//! Limits: of pointers, those to cells of one row, and of copies, those of one cell, that a pass puts
//! into the source's text.

mod added;
mod assignment;
mod counters;
mod distances;
mod expression;
mod integer;
mod kept;
mod memory;
mod moved;
mod own_text;
mod ranges;
mod remaining;
mod reshaped;
mod size;
mod source;
mod statement;
mod template;
mod typed;
mod unit;

pub use counters::with_types;
pub use expression::Named;
pub use memory::{Calls, Declaration, Memory};
pub use size::{Size, size, test};
pub use source::{Additions, Source, in_text_of};
pub use statement::{Names, Unprintable, declared, statements};
pub use template::template;
pub use unit::{
    Assertions, Constant, ConstantKind, Declarations, Declarator, Dialect, Edit, Edits, Frame, Line, New, Redeclared,
    Surrounded, Told, Unit, attributed, continues_a_line, in_line_endings_of, removal, stands_in_a_block,
};
