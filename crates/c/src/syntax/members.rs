//! Members of structures, as far as it matters whether they are arrays.
//!
//! The idea: `w[i].a` is a value if `a` is a number, but an address inside `w` if it is an array. Members are known
//! by name only, over all structures outside the system's headers; where two differ, both are allowed for.
//!
//! Limit: a member whose declaration is not plain (a name of an unknown type, parentheses) may be anything.

use super::types::{BASIC_WORDS, Typedefs, is_qualifier};
use crate::lex::{TokenKind, tokens};
use std::collections::HashMap;

/// The members of all structures and unions.
#[derive(Clone, Debug, Default)]
pub struct Members(HashMap<String, Subscripts>);

/// How many subscripts reach an element of a member: at least, and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscripts {
    /// As few as it can be.
    pub least: usize,
    /// As many as it can be; `usize::MAX`: nobody knows.
    pub most: usize,
}

/// Why a member may be an array, and what makes that plain.
pub struct Doubt {
    /// Why, as a clause in the user's words.
    pub reason: String,
    /// What the user can do about it.
    pub help: &'static str,
}

impl Subscripts {
    /// `None` where the number is certain.
    pub fn doubt(self, name: &str) -> Option<Doubt> {
        match (self.least, self.most) {
            (least, most) if least == most => None,
            (_, usize::MAX) => Some(Doubt {
                reason: format!("its member `{name}` may be an array: its declaration does not plainly say a number"),
                help: "declare the member with a type such as `int`, without parentheses",
            }),
            _ => Some(Doubt {
                reason: format!("its member `{name}` may be an array, as a member of that name is elsewhere"),
                help: "give the members of the two structures different names",
            }),
        }
    }
}

const UNKNOWN: Subscripts = Subscripts { least: 0, most: usize::MAX };

/// Stands for a structure's braces in the words of a declaration.
const BODY: &str = "}";

impl Members {
    /// Reads the compiler's text.
    pub fn read(text: &str, typedefs: &Typedefs) -> Members {
        let mut reader = Reader { members: Members::default(), typedefs, open: Vec::new(), words: Vec::new() };
        let mut in_system = false;
        for line in text.lines() {
            if let Some(directive) = line.trim_start().strip_prefix('#') {
                in_system = system_flag(directive).unwrap_or(in_system);
                continue;
            }
            let solid = |kind| !matches!(kind, TokenKind::Space | TokenKind::Newline);
            for token in tokens(line).into_iter().filter(|t| !in_system && solid(t.kind)) {
                reader.see(&line[token.span]);
            }
        }
        reader.members
    }

    /// How many subscripts the member of a name takes.
    pub fn subscripts(&self, name: &str) -> Subscripts {
        self.0.get(name).copied().unwrap_or(UNKNOWN)
    }

    fn add(&mut self, name: &str, new: Subscripts) {
        let old = self.0.entry(name.to_string()).or_insert(new);
        *old = Subscripts { least: old.least.min(new.least), most: old.most.max(new.most) };
    }
}

/// Of `# 12 "file" 1 3`, whether the flag 3 is there; `None`: it is another directive.
fn system_flag(directive: &str) -> Option<bool> {
    let (number, rest) = directive.split_once('"')?;
    number.trim().parse::<usize>().ok()?;
    Some(rest.rsplit('"').next()?.split_whitespace().any(|flag| flag == "3"))
}

struct Reader<'a> {
    members: Members,
    typedefs: &'a Typedefs,
    /// For each open brace the words in front of it, if it opens the body of a structure.
    open: Vec<Option<Vec<&'a str>>>,
    /// The declaration so far.
    words: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn see(&mut self, word: &'a str) {
        match word {
            "{" => {
                let words = std::mem::take(&mut self.words);
                self.open.push(opens_record(&words).then_some(words));
            }
            "}" => {
                self.words = self.open.pop().flatten().unwrap_or_default();
                self.words.push(BODY);
            }
            ";" => {
                let words = std::mem::take(&mut self.words);
                if matches!(self.open.last(), Some(Some(_))) {
                    self.declaration(&words);
                }
            }
            _ => self.words.push(word),
        }
    }

    /// A member declaration such as `int a, b[4]`.
    fn declaration(&mut self, words: &[&str]) {
        let items = split(words);
        let is_known = items.first().is_some_and(|first| self.is_plain(first));
        for item in items {
            let bracket = item.iter().position(|w| *w == "[" || *w == ":").unwrap_or(item.len());
            let is_value = is_known || item[..bracket].contains(&"*");
            let is_simple = is_value && !item[..bracket].contains(&"(");
            let dimensions = top_brackets(&item[bracket..]);
            match item[..bracket].last() {
                Some(name) if is_simple => {
                    self.members.add(name, Subscripts { least: dimensions, most: dimensions });
                }
                _ => item.iter().filter(|w| is_word(w)).for_each(|name| self.members.add(name, UNKNOWN)),
            }
        }
    }

    /// Whether the type in front of the first declarator is no typedef of an array.
    fn is_plain(&self, first: &[&str]) -> bool {
        first.iter().any(|w| matches!(*w, BODY | "struct" | "union" | "enum") || BASIC_WORDS.contains(w))
            || first.iter().find(|w| is_word(w) && !is_qualifier(w)).is_some_and(|w| self.typedefs.is_value(w))
    }
}

fn opens_record(words: &[&str]) -> bool {
    let record = words.iter().rposition(|w| matches!(*w, "struct" | "union"));
    record.is_some_and(|at| words.len() - at <= 2)
}

/// The items between the commas of a list.
fn split<'w, 'a>(words: &'w [&'a str]) -> Vec<&'w [&'a str]> {
    let mut depth = 0usize;
    let is_comma = |word: &&str| {
        match *word {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *word == ","
    };
    words.split(is_comma).collect()
}

fn top_brackets(words: &[&str]) -> usize {
    let (mut depth, mut count) = (0usize, 0);
    for word in words {
        match *word {
            "[" => {
                count += usize::from(depth == 0);
                depth += 1;
            }
            "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    count
}

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_know_their_subscripts() {
        let text = "typedef int row[4]; typedef float real; typedef struct { real r, *q, m[2][3]; } part;\n\
            struct s { const unsigned a : 3, b[2 * (1 + 1)]; row v; part p; struct { int in[2]; } sub[5]; other o;\n\
            int (*f)(void); };\n\
            # 9 \"sys.h\" 1 3\nstruct hidden { int a[7]; };\n# 3 \"x.c\" 2\n\
            enum { A, B }; struct s make(int z) { int local[3]; return z; }\n\
            union u { int a; int both; }; struct t { int both[2]; };";
        let members = Members::read(text, &Typedefs::read(text));
        let exactly = |n| Subscripts { least: n, most: n };
        for (name, wanted) in [("r", 0), ("q", 0), ("m", 2), ("a", 0), ("b", 1), ("p", 0), ("sub", 1), ("in", 1)] {
            assert_eq!(members.subscripts(name), exactly(wanted), "{name}");
        }
        for name in ["v", "o", "f", "local", "z", "not_there"] {
            assert_eq!(members.subscripts(name), UNKNOWN, "{name}");
        }
        assert_eq!(members.subscripts("both"), Subscripts { least: 0, most: 1 });
    }
}
