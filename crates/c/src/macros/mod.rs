//! Macros, as the preprocessor has them at one place.
//!
//! The idea: function-like macros are expanded as the preprocessor does it (arguments first, then the body
//! again, a macro never inside itself). An object-like macro whose body is a closed constant or a type *stays*
//! a name, so that `N` remains `N` in what the user reads.
//!
//! Example: with `#define AT(a, r, c) a[r][c]`, `AT(B, i, N-1)` becomes `B[i][N-1]`.

mod closed;
mod expansion;
mod piece;

pub use piece::{Piece, join, pieces};

use crate::lex::{TokenKind, tokens};
use std::collections::{HashMap, HashSet};

/// A `#define`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Macro {
    /// `None`: it is object-like.
    parameters: Option<Parameters>,
    body: String,
}

/// What a function-like macro takes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parameters {
    names: Vec<String>,
    /// Whether the last one takes all further arguments, with their commas.
    variadic: bool,
}

impl Parameters {
    /// Reads `a, b, ...`; what `...` takes is called `__VA_ARGS__`.
    fn read(list: &str) -> Parameters {
        let names = list.split(',').map(|p| p.trim().to_string()).filter(|p| !p.is_empty());
        let mut names: Vec<String> = names.collect();
        let Some(rest) = names.last().and_then(|last| last.strip_suffix("...")) else {
            return Parameters { names, variadic: false };
        };
        let rest = if rest.is_empty() { "__VA_ARGS__".to_string() } else { rest.trim().to_string() };
        names.pop();
        names.push(rest);
        Parameters { names, variadic: true }
    }
}

/// All macros in force at one point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MacroTable {
    macros: HashMap<String, Macro>,
}

impl MacroTable {
    /// Replays `#define` and `#undef` lines.
    pub fn new(lines: &[String]) -> MacroTable {
        let mut table = MacroTable::default();
        for line in lines {
            if let Some(rest) = line.strip_prefix("#define ") {
                table.define(rest);
            } else if let Some(name) = line.strip_prefix("#undef ") {
                table.macros.remove(name.trim());
            }
        }
        table
    }

    fn define(&mut self, text: &str) {
        let tokens = tokens(text);
        let Some(first) = tokens.first().filter(|t| t.kind == TokenKind::Word) else { return };
        let name = text[first.span.clone()].to_string();
        let mut body = &text[first.span.end..];
        let mut parameters = None;
        if let Some(list) = body.strip_prefix('(') {
            let Some(end) = list.find(')') else { return };
            parameters = Some(Parameters::read(&list[..end]));
            body = &list[end + 1..];
        }
        self.macros.insert(name, Macro { parameters, body: body.trim().to_string() });
    }

    /// Whether there is a macro of a name.
    pub fn has(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// Body of an object-like macro.
    pub fn object(&self, name: &str) -> Option<&str> {
        self.macros.get(name).filter(|m| m.parameters.is_none()).map(|m| m.body.as_str())
    }

    /// Whether what a macro makes mentions a word, or spells its arguments, by its own body or those of macros in it.
    pub fn mentions(&self, name: &str, word: &str) -> bool {
        let (mut seen, mut open) = (HashSet::from([name.to_string()]), vec![name.to_string()]);
        while let Some(definition) = open.pop().and_then(|name| self.macros.get(&name)) {
            let is_own = |name: &str| definition.parameters.iter().any(|p| p.names.iter().any(|own| own == name));
            for piece in pieces(&definition.body).into_iter().filter(|piece| !is_own(&piece.text)) {
                if piece.text == word || piece.text.starts_with('#') {
                    return true;
                }
                if self.macros.contains_key(&piece.text) && seen.insert(piece.text.clone()) {
                    open.push(piece.text);
                }
            }
        }
        false
    }

    /// Whether `name` is a function-like macro.
    pub(crate) fn is_call(&self, name: &str) -> bool {
        self.macros.get(name).is_some_and(|m| m.parameters.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::MacroTable;

    #[test]
    fn what_macros_mention_by_themselves() {
        let lines = ["AT(i, j) ROW(i) + (j)", "ROW(i) (i) * m", "NEXT (i + 1)", "FAR(j) (NEXT + (j))", "SPELL(i) #i"];
        let table = MacroTable::new(&lines.map(|line| format!("#define {line}")));
        let mentioned = ["AT", "ROW", "NEXT", "FAR", "SPELL"].map(|name| table.mentions(name, "i"));
        assert_eq!(mentioned, [false, false, true, true, true]);
    }
}
