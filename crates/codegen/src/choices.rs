//! Statements that keep vectors from a loop where processors have no masks.
//!
//! C computes what stands behind `?`, `&&` and `||` only where the choice asks for it. Floating arithmetic may raise a flag, so compilers compute it for
//! all lanes only where they can mask those that do not ask (AVX-512, SVE), or are told that nobody looks at flags (`-fno-trapping-math`). The same holds for a variable
//! that only the choice uses: its computation moves behind it.
//!
//! ```c
//! out[j] = in[j] - mean < 0.02 && mean - in[j] < 0.02 ? in[j] : sharp;    /* mean - in[j], and what sharp is */
//! ```
//!
//! Such a statement takes the vectors from all that share its loop. So does one that calls the C library, `sqrt(x)`: that may set
//! `errno`.
//!
//! Source: GCC, tree-if-conv.c and the options `-ftrapping-math` and `-fmath-errno`, which are the default.
//!
//! Limits: the text is asked, not the compiler; what macros and functions compute is not seen.

use crate::tokens::{Kind, Token, tokens};
use polyfold_c::library::stays_a_call;
use polyfold_scop::{ArrayId, Scop, Statement, StatementId};
use std::collections::BTreeSet;

/// The statements of a scop that keep vectors from their loops: they compute floating numbers behind a choice, or call the C library.
pub fn without_vectors(source: &str, scop: &Scop) -> BTreeSet<StatementId> {
    let all = (0..scop.statements.len()).map(StatementId);
    all.filter(|id| computes_behind_a_choice(source, scop, *id) || calls_the_library(source, scop.statement(*id)))
        .collect()
}

fn calls_the_library(source: &str, statement: &Statement) -> bool {
    let all = tokens(source, &statement.span);
    all.windows(2).any(|pair| pair[0].kind == Kind::Word && stays_a_call(pair[0].text) && pair[1].is('('))
}

/// Whether one does, as it is in the text.
fn computes_behind_a_choice(source: &str, scop: &Scop, id: StatementId) -> bool {
    let statement = scop.statement(id);
    let is_real = |word: &str| matches!(word, "float" | "double");
    if !statement.accesses.iter().any(|a| a.is_write() && scop.array(a.array).element.split_whitespace().any(is_real)) {
        return false;
    }
    let all = tokens(source, &statement.span);
    let parts = chosen(&all);
    let is_only_chosen = |id: ArrayId| {
        let is_it = |t: &&Token| t.kind == Kind::Word && t.text == scop.array(id).name;
        let is_chosen = |t: &Token| parts.iter().any(|part| part.iter().any(|other| other.at == t.at));
        all.iter().filter(is_it).all(is_chosen)
    };
    parts.iter().any(|part| computes(part)) || made_beside(scop, statement, id).into_iter().any(is_only_chosen)
}

/// What stands behind a choice, each up to where its parentheses end.
fn chosen<'t, 's>(all: &'t [Token<'s>]) -> Vec<&'t [Token<'s>]> {
    let is_twice = |at: usize, sign: char| all[at].is(sign) && all.get(at + 1).is_some_and(|next| next.is(sign));
    let is_choice = |at: &usize| all[*at].is('?') || is_twice(*at, '&') || is_twice(*at, '|');
    let behind = |at: usize| {
        let mut depth = 0;
        let length = all[at..].iter().take_while(|t| {
            depth += i32::from(t.is('(')) - i32::from(t.is(')'));
            depth >= 0
        });
        &all[at..at + length.count()]
    };
    (0..all.len()).filter(is_choice).map(behind).collect()
}

/// Whether there is arithmetic outside of subscripts.
fn computes(part: &[Token]) -> bool {
    let mut depth = 0;
    part.windows(2).any(|pair| {
        depth += i32::from(pair[0].is('[')) - i32::from(pair[0].is(']'));
        let is_operand = pair[0].kind == Kind::Word || pair[0].is_any(&[')', ']']);
        depth == 0 && is_operand && pair[1].is_any(&['+', '-', '*', '/'])
    })
}

/// The temporary arrays that statements in front write in the same loops, and this one reads.
fn made_beside(scop: &Scop, statement: &Statement, id: StatementId) -> BTreeSet<ArrayId> {
    let beside = scop.statements[..id.0].iter().filter(|other| other.loops == statement.loops);
    let written: BTreeSet<ArrayId> =
        beside.flat_map(|other| other.accesses.iter().filter(|a| a.is_write()).map(|a| a.array)).collect();
    let read = statement.accesses.iter().filter(|a| !a.is_write()).map(|a| a.array);
    read.filter(|array| written.contains(array) && scop.array(*array).is_temporary()).collect()
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
    fn what_stands_behind_a_choice_is_seen() {
        assert!(is_one("double", "y[j] = x[j] < 0 ? x[j] * 2 : x[j];"));
        assert!(is_one("float", "y[j] = x[j] < 1 && 1 - x[j] < t[j] ? 1 : 0;"));
        assert!(is_one("double", "y[j] = x[j] < 0 ? x[j] : t[j];"));
    }

    #[test]
    fn calls_of_the_library_are_seen() {
        assert!(is_one("float", "y[j] = x[j] + sqrtf(t[j]);"));
        assert!(is_one("int", "y[j] = (int)pow (x[j], 2);"));
        assert!(is_one("float", "y[j] = erff(x[j]);"));
        assert!(!is_one("double", "y[j] = fabs(x[j]) + t[j];"));
    }

    #[test]
    fn what_is_computed_anyway_is_no_matter() {
        let no_matter = [
            "y[j] = x[j] * 2 + t[j];",
            "y[j] = t[j] < 0 ? 0 : t[j];",
            "y[j] = x[j] * 3 < 0 ? -x[j] : x[j];",
            "y[j] = 2 * (x[j] < t[j] ? x[j] : t[j]) + s[j];",
            "y[j] = x[j] < 0 ? x[n - 1 - j] : x[j];",
        ];
        assert!(no_matter.iter().all(|last| !is_one("double", last)));
        assert!(!is_one("int", "y[j] = x[j] < 0 ? x[j] * 2 : x[j];"));
    }
}
