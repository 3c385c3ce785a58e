//! Statements that keep vectors from a loop.
//!
//! C computes what stands behind `?`, `&&` and `||` only where a choice asks for it. Floating arithmetic may raise a flag. So compilers
//! compute it for all lanes only where they can mask those that don't ask (AVX-512, SVE). `-fno-trapping-math` tells them that nobody
//! looks at flags. Where all of a choice can be computed, it is ([`if_convert`]).
//!
//! A choice that stays takes the vectors from all statements that share its loop. So does one that calls the C library, `sqrt(x)`:
//! that may set `errno`.
//!
//! Source: GCC, tree-if-conv.c and the options `-ftrapping-math` and `-fmath-errno`, which are the default.

use polyfold_c::code::words;
use polyfold_c::library::stays_a_call;
use polyfold_program::{BufferId, Op, Program, Role, StatementId as Id, Stmt, Value};
use polyfold_scop::{Scop, Statement, StatementId};
use polyfold_transform::{Convertible, branching, if_convert};
use std::collections::BTreeSet;

/// The statements of a scop that keep vectors from their loops, as far as it is a program.
pub fn without_vectors(source: &str, scop: &Scop) -> BTreeSet<StatementId> {
    let Some(program) = &scop.program else { return BTreeSet::new() };
    // What only the program sees may get new storage, where each cell is there.
    let is_there = |id: BufferId| program.buffers[id.0].role == Role::Temporary;
    let statements = convertible(source, scop);
    let mut found = branching(program, &Convertible { statements: &statements, is_there: &is_there });
    let mut visit = |stmt: &Stmt| {
        if let Stmt::Assign(own) = stmt
            && calls_the_library(&own.value)
        {
            found.insert(own.statement);
        }
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found.into_iter().map(|id| StatementId(id.0)).collect()
}

/// A scop's program, with new storage behind its own buffers, with choices of which all is computed.
pub(crate) fn without_branches(source: &str, scop: &Scop, program: &Program) -> Program {
    let known = scop.program.as_ref().map_or(0, |own| own.buffers.len());
    // The proof of new storage is that each cell is there, whatever data say.
    let is_there = |id: BufferId| id.0 >= known;
    if_convert(program, &Convertible { statements: &convertible(source, scop), is_there: &is_there })
}

/// The statements that may compute more than the source asks for.
fn convertible(source: &str, scop: &Scop) -> Vec<Id> {
    // What may not return may keep cells from being read.
    if scop.statements.iter().any(Statement::is_effectful) || asks_for_flags(source) {
        return Vec::new();
    }
    let has_comment = |own: &Statement| ["//", "/*"].iter().any(|mark| source[own.span.clone()].contains(mark));
    let all = scop.statements.iter().enumerate();
    // A comment would be lost.
    all.filter(|(_, own)| !has_comment(own)).map(|(k, _)| Id(k)).collect()
}

/// Parts of names that ask for floating point's flags, or change what happens when they are raised.
const OF_FLAGS: [&str; 9] =
    ["fenv", "FENV", "exceptflag", "EXCEPTION_MASK", "etcsr", "mxcsr", "SIGFPE", "fpsetmask", "controlfp"];

/// Whether a file says that it does; `feenableexcept`, `fetestexcept` and their like do, too.
fn asks_for_flags(source: &str) -> bool {
    let is_of_flags = |word: &str| {
        word.starts_with("fe") && word.ends_with("except") || OF_FLAGS.iter().any(|part| word.contains(part))
    };
    words(source).any(|(_, word)| is_of_flags(word))
}

fn calls_the_library(value: &Value) -> bool {
    match value {
        Value::Read(_) | Value::Integer(..) => false,
        Value::Apply(op, operands) => {
            matches!(op, Op::Call(name) if stays_a_call(name)) || operands.iter().any(calls_the_library)
        }
        Value::Choice(_, yes, no) => calls_the_library(yes) || calls_the_library(no),
    }
}

#[cfg(test)]
mod tests {
    use super::without_vectors;

    /// Whether the last statement of a loop is one of them.
    fn is_one(element: &str, last: &str) -> bool {
        let source = format!(
            "void f(int n, {element} *restrict x, {element} *restrict y) {{\n  {element} s[n], t[n];\n#pragma scop\n  for (int j = 0; j < n; j++) {{\n    s[j] = x[j]; t[j] = x[j] + s[j];\n    {last}\n  }}\n#pragma endscop\n}}\n"
        );
        let instrumented = polyfold_frontend::instrument(&source);
        let parsed = polyfold_frontend::parse(&source, &instrumented, &polyfold_frontend::Options::default());
        let found = without_vectors(&source, &parsed.scops[0]);
        assert!(found.iter().all(|id| id.0 == 2), "{found:?}");
        !found.is_empty()
    }

    #[test]
    fn choices_that_stay_are_seen() {
        assert!(!is_one("double", "y[j] = x[j] < 0 ? x[j] * 2 : x[j];"));
        assert!(is_one("double", "y[j] = x[j] < 0 ? x[j] * 2 /* twice */ : x[j];"));
        assert!(is_one("double", "y[j] = x[j] < 0 ? 2 / x[j] : x[j];"));
    }

    #[test]
    fn calls_of_the_library_are_seen() {
        assert!(is_one("float", "y[j] = x[j] + sqrtf(t[j]);"));
        assert!(is_one("int", "y[j] = (int)pow (x[j], 2);"));
        assert!(is_one("float", "y[j] = erff(x[j]);"));
        assert!(!is_one("double", "y[j] = fabs(x[j]) + t[j];"));
    }
}
