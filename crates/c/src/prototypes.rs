//! How the functions are declared that the user calls pure.
//!
//! The idea: what such a function does with an address is said by its parameter's type: through a pointer to `const` it reads one
//! element, through another it writes one. So each declaration in the compiler's text counts, those in headers, too; all of them
//! have to say the same.
//!
//! Example: of `void f(double *out, const double *in, int k);` the parameters are written, read, and a number.
//!
//! Limit: what is not plainly a number or a pointer to one object is unclear, such as a `void *`, a structure (which may hold
//! pointers), a reference, or a typedef of a pointer.

use crate::lex::{TokenKind, tokens};
use crate::macros::MacroTable;
use crate::syntax::{Scalar, Typedefs};
use std::collections::HashMap;

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// A number, by its value.
    Number,
    /// The address of an object.
    Address {
        /// Whether it is `const`.
        is_const: bool,
    },
    /// Something else: what it is.
    Unclear(&'static str),
}

/// The functions that the user calls pure, by name; `None`: declared in several ways, or never.
#[derive(Debug, Default)]
pub struct Prototypes(HashMap<String, Option<Vec<Passed>>>);

impl Prototypes {
    /// Finds the declarations of `names` in preprocessed text.
    pub fn read(text: &str, names: &[String], typedefs: &Typedefs) -> Prototypes {
        let mut found: HashMap<String, Vec<Vec<Passed>>> = names.iter().map(|n| (n.clone(), Vec::new())).collect();
        if names.is_empty() {
            return Prototypes::default();
        }
        for head in heads(text) {
            for (at, word) in head.iter().enumerate().skip(1) {
                let Some(known) = found.get_mut(*word) else { continue };
                if let Some(parameters) = parameters(&head, at) {
                    known.push(parameters.iter().map(|words| passed(words, typedefs)).collect());
                }
            }
        }
        let agreed = |mut all: Vec<Vec<Passed>>| {
            let first = all.pop()?;
            all.iter().all(|other| *other == first).then_some(first)
        };
        Prototypes(found.into_iter().map(|(name, all)| (name, agreed(all))).collect())
    }

    /// Whether the user calls a function pure.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Its parameters; `None`: nothing is known of them.
    pub fn of(&self, name: &str) -> Option<&[Passed]> {
        self.0.get(name)?.as_deref()
    }
}

/// The words of each declaration outside of braces, up to its `;`, or to the body of a function.
fn heads(text: &str) -> Vec<Vec<&str>> {
    let (mut heads, mut head, mut depth, mut skips_line) = (Vec::new(), Vec::new(), 0_usize, false);
    for token in tokens(text) {
        let word = &text[token.span.clone()];
        match (token.kind, word) {
            (TokenKind::Newline, _) => skips_line = false,
            (_, "#") => skips_line = true,
            (TokenKind::Space, _) => {}
            _ if skips_line => {}
            (_, "{") if depth == 0 && matches!(head[..], ["extern", linkage] if linkage.starts_with('"')) => {
                head.clear()
            }
            (_, "{") => {
                if depth == 0 {
                    heads.push(std::mem::take(&mut head));
                }
                depth += 1;
            }
            (_, "}") => {
                depth = depth.saturating_sub(1);
                head.clear();
            }
            _ if depth > 0 => {}
            (_, ";") => heads.push(std::mem::take(&mut head)),
            _ => head.push(word),
        }
    }
    heads
}

/// The words of each parameter, if a name is that of a function that is declared.
fn parameters<'a>(head: &[&'a str], at: usize) -> Option<Vec<Vec<&'a str>>> {
    let is_word = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let declares = head[0] != "typedef" && (is_word(head[at - 1]) || matches!(head[at - 1], "*" | ")"));
    if !declares || head.get(at + 1) != Some(&"(") {
        return None;
    }
    let (mut all, mut one, mut depth) = (Vec::new(), Vec::new(), 0);
    for word in &head[at + 2..] {
        match *word {
            ")" if depth == 0 => {
                if !one.is_empty() {
                    all.push(one);
                }
                return Some(if all == [["void"]] { Vec::new() } else { all });
            }
            "," if depth == 0 => {
                all.push(std::mem::take(&mut one));
                continue;
            }
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        one.push(*word);
    }
    None
}

fn passed(words: &[&str], typedefs: &Typedefs) -> Passed {
    let is_noise = |word: &&str| matches!(*word, "restrict" | "__restrict" | "__restrict__" | "register");
    let words: Vec<&str> = words.iter().copied().filter(|word| !is_noise(word)).collect();
    let count = |sign: &str| words.iter().filter(|word| **word == sign).count();
    let end = words.iter().position(|word| matches!(*word, "*" | "[")).unwrap_or(words.len());
    // The last word may be the parameter's name.
    let types = [&words[..end], &words[..end.saturating_sub(1)]];
    let is_number = |words: &&[&str]| typedefs.scalar(&words.join(" "), &MacroTable::default()) != Scalar::Unknown;
    if count("(") + count("&") + count("=") + count(".") + count("...") > 0 {
        return Passed::Unclear("is neither a number nor a pointer to one object");
    }
    match (count("*") + count("["), words[..end].contains(&"void")) {
        (0, _) if types.iter().any(is_number) => Passed::Number,
        (0, _) => Passed::Unclear("has a type that may hold pointers"),
        (1, true) => Passed::Unclear("is a pointer to `void`"),
        (1, false) => match types.iter().find_map(|words| typedefs.constness(words)) {
            Some(is_const) => Passed::Address { is_const },
            None => Passed::Unclear("has a type that is not plainly a pointer to one object"),
        },
        _ => Passed::Unclear("is a pointer to pointers or rows"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Vec<Passed>> {
        let prototypes = Prototypes::read(text, &["f".to_string()], &Typedefs::read(text));
        prototypes.of("f").map(<[Passed]>::to_vec)
    }

    const READ: Passed = Passed::Address { is_const: true };
    const WRITTEN: Passed = Passed::Address { is_const: false };

    #[test]
    fn parameters_say_what_a_call_does() {
        let text = "static inline double *f(double *restrict out, const double in[], float const *, int k, size_t n) {";
        assert_eq!(of(text), Some(vec![WRITTEN, READ, READ, Passed::Number, Passed::Number]));
        let hidden =
            "typedef const struct { int a; } pair; typedef float real; void f(pair *p, real *const q, real r);";
        assert_eq!(of(hidden), Some(vec![READ, WRITTEN, Passed::Number]));
        assert_eq!(of("# 1 \"x\"\nextern \"C\" { int f(void); }"), Some(Vec::new()));
    }

    #[test]
    fn other_parameters_are_unclear() {
        let parameters =
            ["void *p", "double **p", "double a[][4]", "struct s v", "double &x", "int (*g)(int)", "...", "va v"];
        for parameter in parameters {
            let found = of(&format!("typedef double *va; void f({parameter});")).unwrap();
            assert!(matches!(found[..], [Passed::Unclear(_)]), "{parameter}: {found:?}");
        }
        assert!(matches!(of("typedef double *va; void f(const va *p);").unwrap()[..], [Passed::Unclear(_)]));
    }

    #[test]
    fn declarations_have_to_agree() {
        assert_eq!(of("void f(double *p); void f(double *q) { }"), Some(vec![WRITTEN]));
        assert_eq!(of("void f(double *p); void f(const double *q) { }"), None);
        assert_eq!(of("int g(void) { return f(1); } int x = f(2);"), None);
    }
}
