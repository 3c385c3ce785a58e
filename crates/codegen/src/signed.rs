//! Which variables the source plainly declares as signed integers.
//!
//! `i - j` and `n - 2` mean something else for unsigned operands, so new arithmetic casts what is not plainly signed to
//! `long`. The function around the scop is asked, and what stands outside of all braces: a name counts as signed if every
//! declaration of it there is of a signed type, and there is one.
//!
//! Example: in `void f(int n, size_t m) { int i, j; … }` the names `n`, `i` and `j` are plainly signed, `m` is not.

use crate::tokens::{Kind, Token, tokens};
use std::collections::BTreeMap;

const SIGNED: [&str; 9] = ["int", "long", "short", "signed", "int32_t", "int64_t", "ptrdiff_t", "ssize_t", "intptr_t"];

/// Words of signed types that an `int` can hold.
const INT: [&str; 4] = ["int", "short", "signed", "int32_t"];

/// Words of a type that do not change its sign.
const NEUTRAL: [&str; 6] = ["const", "register", "static", "volatile", "extern", "inline"];

/// Words that stand where a type could, and are none.
const NO_TYPES: [&str; 8] = ["return", "else", "goto", "case", "do", "sizeof", "typedef", "break"];

/// What is known of names.
pub(crate) struct Signed {
    /// By variable: whether all its declarations are signed.
    variables: BTreeMap<String, bool>,
    /// By variable: whether all its declarations are of type `int`, or of what fits it.
    ints: BTreeMap<String, bool>,
    /// By macro of the file: whether its text has no number with an unsigned suffix.
    macros: BTreeMap<String, bool>,
}

/// Whether a variable that a place in a file can see is plainly an `int`, or of a signed type that fits one.
pub fn is_plain_int(source: &str, place: usize, name: &str) -> bool {
    Signed::at(source, place).is_int(name)
}

impl Signed {
    /// Reads what a place in a file can see.
    pub(crate) fn at(source: &str, place: usize) -> Signed {
        let mut signed = Signed { variables: BTreeMap::new(), ints: BTreeMap::new(), macros: BTreeMap::new() };
        for token in tokens(source, &(0..source.len())).iter().filter(|t| t.kind == Kind::Directive) {
            signed.read_macro(token.text);
        }
        let all = visible(source, place);
        for segment in all.split(|t| t.is_any(&[';', '{', '}', '(', ')'])) {
            signed.read(segment);
        }
        signed
    }

    /// Whether a name is plainly signed.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.variables.get(name).copied().unwrap_or(false)
    }

    /// Whether a variable is plainly an `int`, or of a signed type that fits one.
    pub(crate) fn is_int(&self, name: &str) -> bool {
        self.contains(name) && self.ints.get(name).copied().unwrap_or(false)
    }

    /// Whether a macro is defined in the file with an unsigned number.
    pub(crate) fn is_unsigned_macro(&self, name: &str) -> bool {
        self.macros.get(name).is_some_and(|signed| !signed)
    }

    fn read_macro(&mut self, directive: &str) {
        let mut words = directive.trim_start_matches('#').split_whitespace();
        let (Some("define"), Some(name)) = (words.next(), words.next()) else { return };
        let is_unsigned = |word: &str| {
            let digits = word.trim_start_matches(|c: char| !c.is_ascii_digit());
            !digits.is_empty() && digits.contains(['u', 'U'])
        };
        let signed = self.macros.entry(name.to_string()).or_insert(true);
        *signed = *signed && !words.any(is_unsigned);
    }

    /// Notes the names of `int i = 0, j, a[4]` and of `int n, unsigned m`; `n * m` of variables declares nothing.
    fn read(&mut self, segment: &[Token]) {
        let (mut is_signed, mut is_int) = (None, false);
        for declarator in segment.split(|t| t.is(',')) {
            let head: Vec<&Token> = declarator.iter().take_while(|t| !t.is_any(&['=', '[', ':'])).collect();
            let Some((name, before)) = head.split_last() else { continue };
            let is_declarator = before.iter().all(|t| t.kind == Kind::Word || t.is('*'));
            if name.kind != Kind::Word || !is_declarator || before.iter().any(|t| NO_TYPES.contains(&t.text)) {
                continue;
            }
            let words: Vec<&str> = before.iter().filter(|t| t.kind == Kind::Word).map(|t| t.text).collect();
            let is_product = before.iter().any(|t| t.is('*')) && words.iter().any(|w| self.variables.contains_key(*w));
            if is_product {
                continue;
            }
            if !words.is_empty() {
                is_signed = Some(is_signed_type(&words));
                is_int = words.iter().all(|w| INT.contains(w) || NEUTRAL.contains(w));
            }
            let is_plain = before.iter().all(|t| t.kind == Kind::Word);
            if let Some(is_signed) = is_signed {
                let all = self.variables.entry(name.text.to_string()).or_insert(true);
                *all = *all && is_signed && is_plain;
                let all = self.ints.entry(name.text.to_string()).or_insert(true);
                *all = *all && is_int;
            }
        }
    }
}

/// The tokens outside of all braces, and those of the outermost braces around a place. Parameters of other functions are no
/// more visible than what is in their braces.
fn visible(source: &str, place: usize) -> Vec<Token<'_>> {
    let (mut depth, mut kept, mut begun) = (0usize, Vec::new(), 0);
    for token in tokens(source, &(0..source.len())).into_iter().filter(|t| t.kind != Kind::Directive) {
        let (opens, closes, at) = (token.is('{'), token.is('}'), token.at);
        if opens && depth == 0 {
            begun = kept.len();
        }
        depth = if closes { depth.saturating_sub(1) } else { depth + usize::from(opens) };
        kept.push(token);
        let is_elsewhere = |first: &Token| place < first.at || place > at;
        if closes && depth == 0 && kept.get(begun).is_some_and(is_elsewhere) {
            kept.truncate(begun + 1);
            drop_parameters(&mut kept);
        }
    }
    kept
}

/// Takes the list of parameters away in front of the brace that ends the tokens.
fn drop_parameters(tokens: &mut Vec<Token>) {
    let Some(close) = tokens.len().checked_sub(2).filter(|close| tokens[*close].is(')')) else { return };
    let mut depth = 0;
    let open = (0..=close).rev().find(|at| {
        depth += i32::from(tokens[*at].is(')')) - i32::from(tokens[*at].is('('));
        depth == 0
    });
    if let Some(open) = open {
        tokens.drain(open + 1..close);
    }
}

fn is_signed_type(words: &[&str]) -> bool {
    let is_known = |w: &&str| SIGNED.contains(w) || NEUTRAL.contains(w);
    words.iter().all(is_known) && words.iter().any(|w| SIGNED.contains(w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read() {
        let signed = Signed::at(
            "void f(int n, size_t m, unsigned u, long const w) { int i, j = 3; unsigned a, b; for (int k = 0, l; k < n; k++) x = n; }",
            80,
        );
        let names = |list: &str| list.split(' ').map(|name| signed.contains(name)).collect::<Vec<_>>();
        assert_eq!(names("n w i j k l"), [true; 6]);
        assert_eq!(names("m u a b x nothing"), [false; 6]);
        assert!(signed.is_int("n") && signed.is_int("j") && !signed.is_int("w") && !signed.is_int("m"));
    }

    #[test]
    fn one_unsigned_declaration_is_enough() {
        let source = "void g(int n, int *p) { int i; { unsigned i; here(); } }";
        let signed = Signed::at(source, source.find("here").unwrap());
        assert!(!signed.contains("i") && !signed.contains("p") && signed.contains("n"));
    }

    #[test]
    fn other_functions_do_not_count() {
        let source = "void f(long n) { size_t i; } void g(int n) { int i; here(); } void h(unsigned i, size_t n) { }";
        let signed = Signed::at(source, source.find("here").unwrap());
        assert!(signed.contains("i") && signed.is_int("n"));
    }

    #[test]
    fn suffixes_of_macros_are_seen() {
        let signed = Signed::at("#define N 12ul\n#  define M (4 + 1)\nvoid f(void) { }", 0);
        assert!(signed.is_unsigned_macro("N") && !signed.is_unsigned_macro("M") && !signed.is_unsigned_macro("K"));
    }
}
