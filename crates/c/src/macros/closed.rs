//! Which macros may remain names in what the user reads.
//!
//! Expanding `N` to `10` would lose what the user calls a size. A macro stays a name if it means the same wherever it
//! stands: its body is one operand, a constant closed by parentheses, or a type.
//!
//! Example: `10` and `(N+1)` are closed; `N+1` is not, since `2 * M` is `2 * N+1` for the preprocessor.

use super::{MacroTable, Piece, pieces};
use crate::lex::TokenKind;

impl MacroTable {
    /// Whether the object-like macro `name` may remain a name: its body is one operand, a closed constant, or a
    /// type.
    pub(crate) fn stays(&self, name: &str) -> bool {
        self.stays_within(name, 20)
    }

    fn stays_within(&self, name: &str, depth: usize) -> bool {
        let Some(body) = self.object(name) else { return false };
        let body = pieces(body);
        let type_words = ["unsigned", "signed", "char", "short", "int", "long", "float", "double", "_Bool", "_Complex"];
        if !body.is_empty() && body.iter().all(|p| type_words.contains(&p.text.as_str())) {
            return true;
        }
        let operand = |p: &Piece| match p.kind {
            TokenKind::Word => depth > 0 && self.stays_within(&p.text, depth - 1),
            kind => matches!(kind, TokenKind::Number | TokenKind::Quoted),
        };
        let closed = match body.as_slice() {
            [one] => return operand(one),
            [minus, one] if minus.text == "-" => return operand(one),
            [open, inner @ .., close] if open.text == "(" && close.text == ")" => inner,
            _ => return false,
        };
        is_balanced(closed)
            && closed.iter().all(|p| match p.kind {
                TokenKind::Mark => !matches!(p.text.as_str(), "{" | "}" | ";" | "[" | "]" | "," | "=" | "#" | "##"),
                TokenKind::Word => type_words.contains(&p.text.as_str()) || operand(p),
                _ => true,
            })
    }
}

fn is_balanced(pieces: &[Piece]) -> bool {
    let mut depth = 0usize;
    for piece in pieces {
        match piece.text.as_str() {
            "(" => depth += 1,
            ")" if depth == 0 => return false,
            ")" => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_closed_constants_stay() {
        let lines: Vec<String> =
            ["#define N 10", "#define M (N+1)", "#define L N+1", "#define T double", "#define V x"]
                .iter()
                .map(|l| l.to_string())
                .collect();
        let table = MacroTable::new(&lines);
        assert!(table.stays("N") && table.stays("M") && table.stays("T"));
        assert!(!table.stays("L") && !table.stays("V"));
    }
}
