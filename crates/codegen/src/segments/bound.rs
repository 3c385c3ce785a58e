//! Bounds that are a minimum or a maximum, by name.
//!
//! Each part of a loop asks for the whole loop's bound, and gcc takes promises only of loops whose conditions choose nothing:
//!
//! ```c
//! const int j_last = n - 1 < c + 127 ? n - 1 : c + 127;
//! …
//! for (; j <= j_last; j++)
//! ```
//!
//! Only innermost loops that are cut into parts, or have pointers to rows in front, get such a name.
//!
//! Invariant: the name has the bound's value. Its type is the counter's only where the bound is computed in that, else `long`: a bound of -2^33 must not become 0.

use super::Segments;
use super::head::{Head, reads};
use crate::home::{free_name, words};
use crate::linear::Variables;
use crate::loops::is_plain_number;
use crate::subscript::is_in_parentheses;
use polyfold_scop::{Comparison, Condition};

impl<'a> Segments<'a> {
    /// The loop with a name for its bound, and the line that declares it; `None`: the bound is a sum.
    pub(super) fn with_named_bound(&self) -> Option<(Segments<'a>, String)> {
        let Condition::Compare(left, comparison, right) = &self.inside.node.condition else { return None };
        let bound = if reads(left, self.inside.node.id) { right } else { left };
        bound.as_extremum()?;
        let scop = self.accesses.decisions.scop;
        let Head { counter, word, is_upward, .. } = self.head;
        let text = self.head.bound.as_str();
        let may_be_equal = matches!(comparison, Comparison::LessEqual | Comparison::GreaterEqual);
        let kind = if may_be_equal { "last" } else { "end" };
        let name = free_name(&format!("{counter}_{kind}"), scop, self.accesses.source);
        let word = if self.is_computed_in(word, text) { word } else { "long" };
        let sign = if is_upward { '<' } else { '>' };
        let (equal, last) = match (may_be_equal, is_upward) {
            (true, _) => ("=", name.clone()),
            (false, true) => ("", format!("{name} - 1")),
            (false, false) => ("", format!("{name} + 1")),
        };
        let condition = format!("{counter} {sign}{equal} {name}");
        let head = Head { condition: condition.into(), last, ..self.head.clone() };
        let Segments { accesses, inside, known, .. } = *self;
        let variables = Variables { ..self.variables };
        let named = Segments { accesses, inside, head, variables, step: self.step.clone(), known };
        Some((named, format!("const {word} {name} = {text};")))
    }

    /// Whether a bound is computed in a counter's type: cast to it as a whole, or of `int`s and literals alone. What a macro computes is not asked.
    fn is_computed_in(&self, word: &str, text: &str) -> bool {
        let is_int = |word: &str| {
            let is_number = word.parse::<i32>().is_ok() || is_plain_number(self.accesses.source, word);
            is_number || self.variables.signed.is_int(word)
        };
        let is_cast = text.strip_prefix(&format!("({word})")).is_some_and(is_in_parentheses);
        is_cast || word == "int" && words(text).all(|(_, word)| is_int(word))
    }
}
