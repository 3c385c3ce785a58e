//! What the macros of a file, and its other directives, mention.
//!
//! ```text
//! #define TWICE (x * 2)              const double x = in[i];
//!                                    d[i] = TWICE;                mentions x
//! ```

use crate::home::words;
use crate::limits::function_around;
use crate::loops::definition;
use crate::tokens::{Kind, tokens};
use polyfold_scop::Scop;
use std::collections::BTreeSet;

/// The directives of a file.
pub(crate) struct Defines<'a> {
    /// By macro, the words of its definition with its name.
    macros: Vec<Vec<&'a str>>,
    /// The words of those in the scop's function that define no macro.
    others: Vec<Vec<&'a str>>,
}

impl<'a> Defines<'a> {
    pub(crate) fn of(source: &'a str, scop: &Scop) -> Defines<'a> {
        let function = function_around(source, scop.span.start);
        let (mut macros, mut others) = (Vec::new(), Vec::new());
        for token in tokens(source, &(0..source.len())).into_iter().filter(|token| token.kind == Kind::Directive) {
            let mut all = words(token.text).map(|(_, word)| word).peekable();
            if all.next_if_eq(&"define").is_some() {
                macros.push(all.collect());
            } else if function.contains(&token.at) {
                others.push(all.collect());
            }
        }
        Defines { macros, others }
    }

    /// The words, and those that macros among them stand for.
    pub(crate) fn with_macros(&self, mut names: BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        let mut rest: Vec<&Vec<&str>> = self.macros.iter().collect();
        loop {
            let is_used = |all: &&Vec<&str>| all.first().is_some_and(|name| names.contains(name));
            let (used, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_used);
            if used.is_empty() {
                return names;
            }
            names.extend(used.into_iter().flatten());
            rest = others;
        }
    }

    /// Whether a directive may mention a name in the scop's function: a condition, a pragma, or a file that is included there.
    pub(crate) fn is_in_a_directive(&self, name: &str) -> bool {
        self.others.iter().any(|all| all.first() == Some(&"include") || all.contains(&name))
    }
}

/// What stands behind a macro's name, its parameters included, if the file defines it once, under no condition, and never undoes that.
pub(crate) fn only_definition<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let (mut depth, mut bodies) = (0, Vec::new());
    for directive in tokens(source, &(0..source.len())).into_iter().filter(|t| t.kind == Kind::Directive) {
        let command = directive.text.trim_start_matches('#').trim_start();
        depth += i32::from(command.starts_with("if")) - i32::from(command.starts_with("endif"));
        let is_undone = words(command).take(2).map(|(_, word)| word).eq(["undef", name]);
        let defined = definition(directive.text).filter(|(defined, _)| *defined == name);
        bodies.extend(defined.map(|(_, body)| (depth, body)));
        bodies.extend(is_undone.then_some((1, "")));
    }
    let [(0, body)] = bodies[..] else { return None };
    Some(body)
}

/// What such a macro without parameters stands for.
pub(crate) fn macro_body<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    only_definition(source, name).filter(|body| !body.starts_with('(')).map(str::trim)
}

/// The parameters of such a macro that has some, and what it stands for.
pub(crate) fn macro_with_parameters<'a>(source: &'a str, name: &str) -> Option<(Vec<&'a str>, &'a str)> {
    let (parameters, body) = only_definition(source, name)?.strip_prefix('(')?.split_once(')')?;
    Some((parameters.split(',').map(str::trim).collect(), body.trim()))
}

#[cfg(test)]
mod tests {
    use super::{Defines, macro_body, macro_with_parameters};
    use std::collections::BTreeSet;

    #[test]
    fn macros_mention_what_macros_mention() {
        let macros = vec![vec!["A", "B", "x"], vec!["B", "f", "y"], vec!["C", "z"]];
        let defines = Defines { macros, others: vec![vec!["if", "w"]] };
        assert_eq!(defines.with_macros(BTreeSet::from(["A"])), BTreeSet::from(["A", "B", "x", "f", "y"]));
        assert!(defines.is_in_a_directive("w") && !defines.is_in_a_directive("x"));
    }

    #[test]
    fn macros_stand_for_what_their_one_definition_says() {
        let of = |source: &'static str| macro_body(source, "A");
        assert_eq!(of("#define A 0.5 \n#if B\n#endif\n"), Some("0.5"));
        assert_eq!(of("#  define A (0.5)\n"), Some("(0.5)"));
        let with = macro_with_parameters("#define A(x, y) ((x) + y)\n", "A");
        assert_eq!(with, Some((vec!["x", "y"], "((x) + y)")));
        assert_eq!(macro_with_parameters("#define A (x)\n", "A"), None);
        for other in [
            "",
            "#define A(x) x\n",
            "#define A 1\n#define A 1\n",
            "#define A 1\n#undef A\n",
            "#if B\n#define A 1\n#endif\n",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
