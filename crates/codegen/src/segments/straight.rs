//! Loops of which clang makes vectors where it is promised that it may.
//!
//! clang warns of a promise that it cannot use, and where it can it does not ask whether vectors are worth it. So it is promised something of straight-line code over rows alone:
//!
//! * nothing branches, but choices that are written without branches, and nothing is called;
//! * the counter stands in last subscripts only, alone or with something added, as in `row[j + 1]` and `in[i][j]`: no cell is gathered by itself;
//! * numbers are of types that vectors have.
//!
//! Example: of `for (…; j++) out[i][j] = row0[j] + row0[j + 1];`, but not of `out[i][j] = lut[in[i][j]];`, `half[j / 2]`, `sum[j] = fabs(x[j]);`.

use super::Segments;
use crate::defines::Defines;
use crate::home::words;
use crate::if_conversion::names;
use crate::tokens::{Kind, Token, closing, tokens};
use crate::types::is_number;
use polyfold_scop::StatementId;

/// Words of statements that branch, and of types that vectors do not have.
const OTHERS: [&str; 15] = [
    "if", "else", "for", "while", "do", "switch", "case", "goto", "break", "continue", "return", "volatile", "asm",
    "_Atomic", "_Complex",
];

impl Segments<'_> {
    /// Whether the loop with this body is one.
    pub(super) fn is_straight(&self, body: &str) -> bool {
        let all = tokens(body, &(0..body.len()));
        let (source, scop) = (self.accesses.source, self.accesses.decisions.scop);
        let choices = names(source, scop);
        let is_known = |name: &str| choices.iter().any(|own| own == name);
        let expanded = Defines::of(source, scop).with_macros(words(body).map(|(_, word)| word).collect());
        let is_of_vectors = |id: &StatementId| {
            let accesses = &scop.statement(*id).accesses;
            accesses.iter().all(|access| is_in_vectors(&scop.array(access.array).element))
        };
        !expanded.iter().any(|word| OTHERS.contains(word))
            && self.inside.statements.iter().all(is_of_vectors)
            && mentions_no_long_double(&all)
            && are_straight(&all, is_known)
            && are_in_rows(&all, self.head.counter)
    }
}

/// Whether vectors have numbers of a type.
fn is_in_vectors(element: &str) -> bool {
    is_number(element) && !(words(element).any(|(_, w)| w == "long") && words(element).any(|(_, w)| w == "double"))
}

/// Whether no `long double` is mentioned.
fn mentions_no_long_double(all: &[Token]) -> bool {
    !all.windows(2).any(|pair| pair[0].text == "long" && pair[1].text == "double")
}

/// Whether nothing branches, and what is called is known.
fn are_straight(all: &[Token], is_known: impl Fn(&str) -> bool) -> bool {
    (0..all.len()).all(|at| {
        let (token, next) = (&all[at], all.get(at + 1));
        let is_twice =
            token.is_any(&['&', '|']) && next.is_some_and(|next| next.text == token.text && next.at == token.at + 1);
        let is_called = token.kind == Kind::Word && next.is_some_and(|next| next.is('('));
        token.kind != Kind::Directive && !token.is('?') && !is_twice && (!is_called || is_known(token.text))
    })
}

/// Whether a counter stands in nothing but last subscripts, to which its factor is 1.
fn are_in_rows(all: &[Token], counter: &str) -> bool {
    (0..all.len()).filter(|at| all[*at].is('[')).all(|open| {
        let Some(close) = closing(all, open) else { return false };
        let (own, is_last) = (&all[open + 1..close], !all.get(close + 1).is_some_and(|next| next.is('[')));
        let mut depth = 0;
        own.iter().enumerate().filter(|(_, token)| token.text == counter).count() <= usize::from(is_last)
            && (0..own.len()).all(|at| {
                depth += i32::from(own[at].is('(')) - i32::from(own[at].is(')'));
                let beside = [at.checked_sub(1), Some(at + 1)].map(|at| at.and_then(|at| own.get(at)));
                let is_scaled =
                    beside.into_iter().flatten().any(|t| t.is_any(&['*', '/', '%', '<', '>', '&', '|', '[', '~', '^']));
                own[at].text != counter || depth == 0 && !is_scaled
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stand_in_rows() {
        for (text, is_fine) in [
            ("a[j] = b[i % 3][j + 1] - c[n - j] * s;", true),
            ("a[j] = j * b[i];", true),
            ("a[j] = b[2 * j];", false),
            ("a[j] = b[j][0];", false),
            ("a[j] = b[j / 2];", false),
            ("a[j] = b[(j + 1) % 3];", false),
            ("a[j] = b[c[j]];", false),
            ("a[j] = b[j + j];", false),
        ] {
            let all = tokens(text, &(0..text.len()));
            assert_eq!(are_in_rows(&all, "j"), is_fine, "{text}");
        }
    }

    #[test]
    fn straight_lines_branch_nowhere() {
        for (text, is_fine) in [
            ("{ double t = (double)a[j] & 3; b[j] = t * (t + 1); }", true),
            ("b[j] = chosen(a[j] < 1, a[j], 1);", true),
            ("b[j] = a[j] < 1 ? a[j] : 1;", false),
            ("b[j] = a[j] && c[j];", false),
            ("b[j] = f(a[j]);", false),
        ] {
            let all = tokens(text, &(0..text.len()));
            assert_eq!(are_straight(&all, |name| name == "chosen"), is_fine, "{text}");
        }
    }
}
