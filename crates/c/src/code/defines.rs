//! What the macros of a file, and its other directives, mention.
//!
//! ```text
//! #define TWICE (x * 2)              const double x = in[i];
//!                                    d[i] = TWICE;                mentions x
//! ```

use super::{Kind, function_around, tokens, words};
use std::collections::BTreeSet;

/// The directives of a file.
pub struct Defines<'a> {
    /// By macro, the words of its definition with its name.
    macros: Vec<Vec<&'a str>>,
    /// The words of those in the function that define no macro.
    others: Vec<Vec<&'a str>>,
}

impl<'a> Defines<'a> {
    /// Of a file, and of the function at a place.
    pub fn of(source: &'a str, at: usize) -> Defines<'a> {
        let function = function_around(source, at);
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
    pub fn with_macros(&self, mut names: BTreeSet<&'a str>) -> BTreeSet<&'a str> {
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

    /// What macros among the words stand for.
    pub fn in_macros(&self, words: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        let all = self.with_macros(words.clone());
        let used = self.macros.iter().filter(|own| own.first().is_some_and(|name| all.contains(name)));
        used.flat_map(|own| &own[1..]).copied().collect()
    }

    /// Whether a directive may mention a name in that function: a condition, a pragma, or a file that is included there.
    pub fn is_in_a_directive(&self, name: &str) -> bool {
        self.others.iter().any(|all| all.first() == Some(&"include") || all.contains(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::Defines;
    use std::collections::BTreeSet;

    #[test]
    fn macros_mention_what_macros_mention() {
        let macros = vec![vec!["A", "B", "x"], vec!["B", "f", "y"], vec!["C", "z"]];
        let defines = Defines { macros, others: vec![vec!["if", "w"]] };
        assert_eq!(defines.with_macros(BTreeSet::from(["A"])), BTreeSet::from(["A", "B", "x", "f", "y"]));
        assert_eq!(defines.in_macros(&BTreeSet::from(["B", "y", "z"])), BTreeSet::from(["f", "y"]));
        assert!(defines.is_in_a_directive("w") && !defines.is_in_a_directive("x"));
    }
}
