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
//! Only innermost loops that are cut into parts, or have pointers to rows in front, get such a name, and those that are promised something for the pointers that
//! loops around have.
//!
//! Invariant: the name has the bound's value. Its type is the counter's only where the bound is computed in that, else `long`: a bound of -2^33 must not become 0.
//! gcc makes no vectors of a loop that compares an `int` with a `long`, so macros are looked into.

use super::Segments;
use super::head::{Head, reads};
use crate::defines::only_definition;
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
        let Head { counter, word: head_word, is_upward, .. } = self.head;
        let text = self.head.bound.as_str();
        let may_be_equal = matches!(comparison, Comparison::LessEqual | Comparison::GreaterEqual);
        let word = if self.is_computed_in(head_word, text) { head_word } else { "long" };
        let (sign, one_more) = if is_upward { ('<', '+') } else { ('>', '-') };
        // gcc 12 takes a loop behind `if (j <= j_last)` of `int`s for one of few turns where its first value chooses, too, and drops its vectors.
        let goes_one_further = may_be_equal && word != "long" && self.inside.node.first.as_extremum().is_some();
        let kind = if may_be_equal && !goes_one_further { "last" } else { "end" };
        let name = free_name(&format!("{counter}_{kind}"), scop, self.accesses.source);
        let (equal, last) = match kind {
            "last" => ("=", name.clone()),
            _ if is_upward => ("", format!("{name} - 1")),
            _ => ("", format!("{name} + 1")),
        };
        let value = match (goes_one_further, is_cast(head_word, text)) {
            (false, _) => text.to_string(),
            (true, true) => format!("{text} {one_more} 1"),
            (true, false) => format!("({text}) {one_more} 1"),
        };
        let condition = format!("{counter} {sign}{equal} {name}");
        let head = Head { condition: condition.into(), last, ..self.head.clone() };
        let Segments { accesses, inside, known, .. } = *self;
        let variables = Variables { ..self.variables };
        let named = Segments { accesses, inside, head, variables, step: self.step.clone(), known };
        Some((named, format!("const {word} {name} = {value};")))
    }

    /// Whether the bound needs a name for what is promised of the loop, which goes through rows that have pointers.
    pub(super) fn has_promise_for_its_bound(&self) -> bool {
        !self.known.rows.is_empty() && !self.promise("").is_empty() && self.with_named_bound().is_some()
    }

    /// Whether a bound is computed in a counter's type: cast to it as a whole, or of `int`s, literals and macros of these alone.
    fn is_computed_in(&self, word: &str, text: &str) -> bool {
        let is_int = |word: &str| {
            let source = self.accesses.source;
            is_number(source, word) || self.variables.signed.is_int(word) || has_the_type_of_its_operands(source, word)
        };
        is_cast(word, text) || word == "int" && words(text).all(|(_, word)| is_int(word))
    }
}

fn is_cast(word: &str, text: &str) -> bool {
    text.strip_prefix(&format!("({word})")).is_some_and(is_in_parentheses)
}

fn is_number(source: &str, word: &str) -> bool {
    word.parse::<i32>().is_ok() || is_plain_number(source, word)
}

/// Whether the file defines a macro once, under no condition, by nothing but its parameters and numbers: `min(a, b)` of `int`s is an `int`.
fn has_the_type_of_its_operands(source: &str, name: &str) -> bool {
    let Some(body) = only_definition(source, name) else { return false };
    let Some((parameters, body)) = body.strip_prefix('(').and_then(|rest| rest.split_once(')')) else { return false };
    let is_parameter = |word: &str| words(parameters).any(|(_, parameter)| parameter == word);
    !body.contains(['.', '\'', '"']) && words(body).all(|(_, word)| is_parameter(word) || is_number(source, word))
}

#[cfg(test)]
mod tests {
    use super::has_the_type_of_its_operands;

    #[test]
    fn macros_of_parameters_have_the_type_of_their_operands() {
        let least = "#define LEAST(a, b) ((a) < (b) ? (a) : (b))\n";
        let is_plain = |source: &str| has_the_type_of_its_operands(source, "LEAST");
        assert!(is_plain(least) && is_plain(&format!("#ifdef A\n#endif\n{least}void f(void) {{}}\n")));
        assert!(is_plain("#define K 2\n#  define LEAST(a,b) ((a) < K ? 3 : (a))\n"));
    }

    #[test]
    fn other_macros_may_have_any_type() {
        let least = "#define LEAST(a, b) ((a) < (b) ? (a) : (b))\n";
        let others = [
            String::new(),
            "#define LEAST(a, b) ((a) < (long)(b) ? (a) : (b))\n".to_string(),
            "#define LEAST(a, b) ((a) < (b) ? (a) : (b) + 0L)\n".to_string(),
            "#define LEAST(a, b) ((a) < (b) ? (a) : width)\n".to_string(),
            "#define LEAST n\n".to_string(),
            format!("{least}#undef LEAST\n"),
            format!("#if A\n{least}#endif\n"),
            format!("{least}{least}"),
        ];
        assert!(others.iter().all(|source| !has_the_type_of_its_operands(source, "LEAST")));
    }
}
