//! What the macros of a file mention.
//!
//! ```text
//! #define TWICE (x * 2)              const double x = in[i];
//!                                    d[i] = TWICE;                mentions x
//! ```

use crate::home::words;
use crate::limits::function_around;
use crate::tokens::{Kind, tokens};
use polyfold_scop::Scop;
use std::collections::BTreeSet;

/// The words, and those that the macros of the file among them stand for.
pub(crate) fn with_macros<'a>(source: &'a str, mut names: BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let mut defines: Vec<Vec<&str>> =
        directives(source).filter(|(_, all)| all.first() == Some(&"define")).map(|(_, all)| all).collect();
    loop {
        let (used, others): (Vec<_>, Vec<_>) =
            defines.into_iter().partition(|all| all.get(1).is_some_and(|name| names.contains(name)));
        if used.is_empty() {
            return names;
        }
        names.extend(used.into_iter().flatten());
        defines = others;
    }
}

/// Whether a directive that defines no macro may mention a name in the scop's function: a condition, a pragma, or a file that is included there.
pub(crate) fn is_in_a_directive(source: &str, scop: &Scop, name: &str) -> bool {
    let function = function_around(source, scop.span.start);
    directives(source).filter(|(at, _)| function.contains(at)).any(|(_, all)| match all.first() {
        Some(&"include") => true,
        Some(&"define") => false,
        _ => all.contains(&name),
    })
}

/// Where each directive of a file stands, and its words.
fn directives(source: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let all = tokens(source, &(0..source.len())).into_iter().filter(|token| token.kind == Kind::Directive);
    all.map(|token| (token.at, words(token.text).map(|(_, word)| word).collect()))
}

#[cfg(test)]
mod tests {
    use super::with_macros;
    use std::collections::BTreeSet;

    #[test]
    fn macros_mention_what_macros_mention() {
        let source = "#define A (B + x)\n#define B \\\n  f(y)\n#define C z\nint x, y, z = A;\n";
        let found = with_macros(source, BTreeSet::from(["A"]));
        assert!(found.contains("x") && found.contains("y") && !found.contains("z"), "{found:?}");
    }
}
