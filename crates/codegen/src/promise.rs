//! What compilers are told of loops, by macros in front of their scop.
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
//!
//! A choice of which all is computed ([`if_convert`](polyfold_transform::if_convert)) is a macro, too. The machine decides how it
//! chooses. gcc makes vectors of `?:` where these have masks. Without masks, a choice by bits takes half the time with vectors of 256
//! bits, and 1.4 times as long with shorter ones. clang makes vectors of `?:` in any case.

use crate::Decisions;
use crate::home::free_name;
use polyfold_emit::Line;
use polyfold_program::{Op, Program, Real, Stmt, Value};
use polyfold_scop::Scop;

/// The lines that say what the macros mean that a program's text has.
pub(crate) fn lines_in_front(source: &str, decisions: &Decisions, program: &Program) -> Vec<Line> {
    let selects = [Real::Float, Real::Double].into_iter().filter(|of| selects(program, *of));
    let of_select = selects.flat_map(|of| select_lines(&word_of_select(decisions.scop, source, of), of));
    let promised = promise_lines(source, decisions, program).into_iter();
    promised.chain(of_select).map(Line::Directive).collect()
}

/// The macro that chooses between two values.
pub(crate) fn word_of_select(scop: &Scop, source: &str, of: Real) -> String {
    let own = match of {
        Real::Float => "POLYFOLD_SELECTF",
        Real::Double => "POLYFOLD_SELECT",
    };
    free_name(own, scop, source)
}

/// Whether a program chooses so between values of a type.
fn selects(program: &Program, of: Real) -> bool {
    fn chooses(value: &Value, of: Real) -> bool {
        match value {
            Value::Apply(op, operands) => *op == Op::Select(of) || operands.iter().any(|own| chooses(own, of)),
            _ => false,
        }
    }
    let is_one = |stmt: &Stmt| matches!(stmt, Stmt::Assign(own) if chooses(&own.value, of));
    program.body.iter().any(|stmt| stmt.any(&is_one))
}

fn select_lines(own: &str, of: Real) -> Vec<String> {
    let (element, bits) = match of {
        Real::Float => ("float", "unsigned"),
        Real::Double => ("double", "unsigned long long"),
    };
    let by_bits = [
        format!("#define {own}(condition, one, other) /* both are computed: gcc makes vectors of it */ \\"),
        "  __extension__({ \\".to_string(),
        format!("    union {{ {element} polyfold_value; {bits} polyfold_bits; }} polyfold_one = {{one}}, polyfold_other = {{other}}; \\"),
        format!("    const {bits} polyfold_mask = 0 - ({bits})(condition); \\"),
        "    polyfold_one.polyfold_bits = (polyfold_one.polyfold_bits & polyfold_mask) | (polyfold_other.polyfold_bits & ~polyfold_mask); \\"
            .to_string(),
        "    polyfold_one.polyfold_value; \\".to_string(),
        "  })".to_string(),
    ];
    let gcc = "#if defined __GNUC__ && !defined __clang__ && defined __AVX2__ && !defined __AVX512VL__";
    let plain = format!("#define {own}(condition, one, other) ((condition) ? (one) : (other))");
    let front = std::iter::once(gcc.to_string());
    front.chain(by_bits).chain(["#else".to_string(), plain, "#endif".to_string()]).collect()
}

fn promise_lines(source: &str, decisions: &Decisions, program: &Program) -> Vec<String> {
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
