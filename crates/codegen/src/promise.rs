//! What compilers are promised of a loop.
//!
//! Rows by pointer, and rows of one buffer, may overlap as far as a compiler sees; it asks in front of each loop, or makes no vectors of
//! it. Where it is proved that iterations may run side by side (`prove::apart_loops`), the loop has a word in front:
//!
//! ```c
//! #if defined __GNUC__ && !defined __clang__
//! #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
//! #else
//! #define POLYFOLD_IVDEP
//! #endif
//! ```
//!
//! Others than gcc have other words, and warn of this one. Which loops have it is for the pass to say
//! ([`promise`](polyfold_transform::promise)).

use crate::Decisions;
use crate::home::free_name;
use polyfold_program::{Program, Stmt};
use polyfold_scop::Scop;

/// The lines that say what the word means, if a loop has it.
pub(crate) fn promise_lines(source: &str, decisions: &Decisions, program: &Program) -> Vec<String> {
    let is_promised = |stmt: &Stmt| matches!(stmt, Stmt::For(own) if own.vector);
    if !program.body.iter().any(|stmt| stmt.any(&is_promised)) {
        return Vec::new();
    }
    let own = word_of_promise(decisions.scop, source);
    vec![
        "#if defined __GNUC__ && !defined __clang__".to_string(),
        format!("#define {own} _Pragma(\"GCC ivdep\") /* no iteration uses a cell that one before it writes */"),
        "#else".to_string(),
        format!("#define {own}"),
        "#endif".to_string(),
    ]
}

/// What stands in front of a loop of which something is promised.
pub(crate) fn word_of_promise(scop: &Scop, source: &str) -> String {
    free_name("POLYFOLD_IVDEP", scop, source)
}
