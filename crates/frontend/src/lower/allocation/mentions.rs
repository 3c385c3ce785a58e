//! Who else sees a pointer: outside the scop it may stand in tests, in `free`, and where it is set to nothing.

use super::{Search, direct, inner, is_null, is_the_librarys};
use crate::lower::facts::scop_range;
use polyfold_c::macros::{Piece, pieces};
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, Statement, StatementKind, UnaryOperator};
use polyfold_scop::Comparison;
use std::collections::HashSet;

impl Search<'_> {
    /// A mention outside the scop that may hand the memory to somebody, or use it.
    pub(super) fn other_mention(&self, own: &Statement) -> Option<usize> {
        let scop = scop_range(self.site);
        let mut harmless = HashSet::new();
        self.note_harmless(&self.site.function.body, own, &mut harmless);
        let body = self.site.function.body.span.clone();
        let mentions = self.facts.named(&self.variable.name, body).filter(|(_, meant)| *meant == self.id);
        let mut places = mentions.map(|(at, _)| at).filter(|at| *at != self.variable.name_span.start);
        places.find(|at| !scop.contains(at) && !harmless.contains(at) && !self.is_tested_by_macro(*at))
    }

    /// Whether a macro makes a mention that is a test alone, as `assert(t != NULL)` does.
    fn is_tested_by_macro(&self, at: usize) -> bool {
        let expanded = self.site.expanded;
        let Some(segment) = expanded.segment_at(at).map(|segment| &expanded.segments[segment]) else { return false };
        expanded.text.get(segment.at.clone()).is_some_and(|text| is_test_alone(text, &self.variable.name))
    }

    fn note_harmless(&self, statement: &Statement, own: &Statement, harmless: &mut HashSet<usize>) {
        if std::ptr::eq(statement, own) {
            self.note_in_own(own, harmless);
        }
        match &statement.kind {
            StatementKind::Expression(e) => match &e.kind {
                ExpressionKind::Assign(operator, place, value) if operator == "=" && is_null(value) => {
                    self.note_name(place, harmless);
                }
                ExpressionKind::Cast(_, inner) => self.note_name(inner, harmless),
                _ => {}
            },
            StatementKind::If(condition, ..) => self.note_name(condition, harmless),
            _ => {}
        }
        direct(statement).into_iter().for_each(|e| e.walk(&mut |part| self.note_in(part, harmless)));
        inner(statement).into_iter().for_each(|s| self.note_harmless(s, own, harmless));
    }

    /// What the statement with the call mentions: the pointer where it is set, and in the call.
    fn note_in_own(&self, own: &Statement, harmless: &mut HashSet<usize>) {
        let set = match &own.kind {
            StatementKind::Declaration(list) => {
                let values = list.iter().filter(|(id, _)| *id == self.id).filter_map(|(_, value)| value.as_ref());
                return values.for_each(|value| self.note_in_call(value, harmless));
            }
            StatementKind::Expression(e) => e,
            StatementKind::If(e, ..) => tested(e),
            _ => return,
        };
        if let ExpressionKind::Assign(_, place, value) = &set.kind {
            self.note_name(place, harmless);
            self.note_in_call(value, harmless);
        }
    }

    /// Tests and `free`.
    fn note_in(&self, e: &Expression, harmless: &mut HashSet<usize>) {
        match &e.kind {
            ExpressionKind::Unary(UnaryOperator::Not, inner) => self.note_name(inner, harmless),
            ExpressionKind::Binary(BinaryOperator::And | BinaryOperator::Or, a, b)
            | ExpressionKind::Binary(BinaryOperator::Compare(Comparison::Equal | Comparison::NotEqual), a, b) => {
                self.note_name(a, harmless);
                self.note_name(b, harmless);
            }
            ExpressionKind::Ternary(condition, ..) => self.note_name(condition, harmless),
            ExpressionKind::Call(callee, arguments) => {
                let is_free = matches!(&callee.kind, ExpressionKind::Name(name, None) if name == "free");
                if let ([argument], true) = (arguments.as_slice(), is_free && is_the_librarys(self.site, "free")) {
                    let inner = if let ExpressionKind::Cast(_, inner) = &argument.kind { inner } else { argument };
                    self.note_name(inner, harmless);
                }
            }
            _ => {}
        }
    }

    fn note_name(&self, e: &Expression, harmless: &mut HashSet<usize>) {
        if e.variable() == Some(self.id) {
            harmless.insert(e.span.start);
        }
    }

    /// `sizeof *t` in the call.
    fn note_in_call(&self, call: &Expression, harmless: &mut HashSet<usize>) {
        call.walk(&mut |e| {
            if let ExpressionKind::Sizeof(parts) = &e.kind {
                parts.iter().for_each(|part| part.walk(&mut |inner| self.note_name(inner, harmless)));
            }
        });
    }
}

/// Whether each mention of a name in a text is by itself what is tested: `if (t)`, `!t`, `t ? … : …`, `t == q` and the like. Macros may
/// make of it what no expression has, such as `({ if (t) ; else … })`.
fn is_test_alone(text: &str, name: &str) -> bool {
    let pieces = pieces(text);
    let mut mentions = (0..pieces.len()).filter(|at| pieces[*at].text == name);
    mentions.all(|at| is_tested(&pieces, at))
}

fn is_tested(pieces: &[Piece], at: usize) -> bool {
    let text = |at: Option<usize>| at.and_then(|at| pieces.get(at)).map_or("", |piece| piece.text.as_str());
    let (mut first, mut last) = (at, at);
    loop {
        let (before, behind) = (text(first.checked_sub(1)), text(last.checked_add(1)));
        match (before, behind) {
            ("(", ")") => (first, last) = (first - 1, last + 1),
            ("if" | "sizeof", _) if first < at => return true,
            ("!", ")" | "," | ";") => return true,
            ("(" | "," | "!" | "&&" | "||" | "==" | "!=", "?" | "&&" | "||" | "==" | "!=") => return true,
            ("&&" | "||" | "==" | "!=", ")" | "," | ";") => return true,
            _ => return false,
        }
    }
}

/// What a condition compares with nothing.
fn tested(e: &Expression) -> &Expression {
    match &e.kind {
        ExpressionKind::Unary(UnaryOperator::Not, inner) => tested(inner),
        ExpressionKind::Binary(BinaryOperator::Compare(_), a, b) if is_null(b) => tested(a),
        ExpressionKind::Binary(BinaryOperator::Compare(_), a, b) if is_null(a) => tested(b),
        _ => e,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_macros_make_of_tests() {
        for text in [
            "((void) sizeof ((t) ? 1 : 0), __extension__ ({ if (t) ; else fail (\"t\"); }))",
            "((void) sizeof ((t != ((void *)0)) ? 1 : 0), __extension__ ({ if (t != ((void *)0)) ; else fail (); }))",
            "((__builtin_expect (!(t), 0)) ? fail () : (void) 0)",
            "if (!t || q == t) fail ()",
        ] {
            assert!(is_test_alone(text, "t"), "{text}");
        }
    }

    #[test]
    fn what_hands_a_pointer_on_or_uses_it_is_no_test() {
        for text in [
            "return t",
            "return (t)",
            "if (t[3] < 0) abort ()",
            "if (*t == 0) abort ()",
            "keep (t)",
            "keep (t, 1)",
            "q = t",
            "if (q = t) abort ()",
            "(c ? t : q)[0] = 1",
            "if (!t[0]) abort ()",
            "if (t ? t[0] : 0) abort ()",
        ] {
            assert!(!is_test_alone(text, "t"), "{text}");
        }
    }
}
