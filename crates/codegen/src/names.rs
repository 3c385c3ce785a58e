//! Functions and conditions of the parameters, as C text with the source's own names.

use crate::loops::widths::{INT, MOST_ROWS_ON_STACK, int_sizes, stack_facts};
use crate::loops::{outside_parentheses, printed};
use crate::widening::Widening;
use polyfold_c::code::words;
use polyfold_isl::{AstExpr, CText, Operation, PwAff, Result, Set};
use polyfold_scop::{Parameter, Scop};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How each parameter of a scop reads in C: its name, or a cast of it to `long` if its type has no sign. `n - 2` and `n <= -1` mean
/// something else for an unsigned `n`.
pub fn parameters_in_c(scop: &Scop) -> Vec<String> {
    let in_c = |(k, own): (usize, &Parameter)| match scop.size_type(k).is_signed() {
        true => own.name.clone(),
        false => format!("(long){}", own.name),
    };
    scop.parameters.iter().enumerate().map(in_c).collect()
}

/// Whether a size or condition needs functions that C does not have.
pub(crate) fn needs_helpers(expr: &AstExpr) -> bool {
    expr.has(&|own| matches!(own, Operation::Max | Operation::Min | Operation::FloorDivide))
}

/// Prints sizes and conditions.
pub struct CNames {
    printer: CText,
    /// Names that differ between isl notation and C (`min_` for a variable called `min`).
    renamed: Vec<(String, String)>,
    /// Where sums are computed in the types of the source.
    widening: Option<Widening>,
    /// Sizes that were printed, by their isl notation: printing one takes ten times as long, and all accesses ask for the same.
    known: RefCell<BTreeMap<(String, Option<i128>), String>>,
    /// Sizes of which it is known whether they need functions that C does not have.
    helped: RefCell<BTreeMap<String, bool>>,
}

impl CNames {
    /// For parameters in `context`, called `isl` in isl notation and `c` in C.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn new(context: &Set, isl: &[String], c: &[String]) -> Result<CNames> {
        let renamed = isl.iter().cloned().zip(c.iter().cloned()).filter(|(i, c)| i != c).collect();
        Ok(CNames {
            printer: CText::new(context)?,
            renamed,
            widening: None,
            known: RefCell::default(),
            helped: RefCell::default(),
        })
    }

    /// For text that is computed in a scop, for parameters in `context`, called `isl` in isl notation: sums of `int`s that may be past
    /// `int` are `long`.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn computed(context: &Set, isl: &[String], scop: &Scop) -> Result<CNames> {
        CNames::new(context, isl, &parameters_in_c(scop))?.with_types(context, isl, scop, &[])
    }

    /// The same for text in which some counters are `int`s, too; `isl` are the names of the scop's parameters in isl notation.
    pub(crate) fn with_types(self, context: &Set, isl: &[String], scop: &Scop, counters: &[String]) -> Result<CNames> {
        let mut ints = int_sizes(scop, isl);
        ints.retain(|(name, _)| {
            isl.iter().zip(&scop.parameters).any(|(isl, p)| isl == name && self.parameter(isl) == p.name)
        });
        ints.extend(counters.iter().map(|name| (name.clone(), INT)));
        let values = context.intersect(&Set::read(context.context(), &stack_facts(scop, isl))?)?;
        Ok(CNames { widening: Some(Widening::new(&values, &ints)?), ..self })
    }

    /// A size.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn value(&self, function: &PwAff) -> Result<String> {
        self.printed(function, None)
    }

    /// Whether a size needs functions that C does not have.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn needs_helpers(&self, function: &PwAff) -> Result<bool> {
        let key = function.to_string();
        if let Some(known) = self.helped.borrow().get(&key) {
            return Ok(*known);
        }
        let is_helped = needs_helpers(&self.printer.tree(function)?);
        self.helped.borrow_mut().insert(key, is_helped);
        Ok(is_helped)
    }

    /// A size as a tree, in isl notation.
    pub(crate) fn tree(&self, function: &PwAff) -> Result<AstExpr> {
        self.printer.tree(function)
    }

    /// A condition on sizes as a tree, in isl notation.
    pub(crate) fn test(&self, set: &Set) -> Result<AstExpr> {
        self.printer.test(set)
    }

    /// The extent of an array, or a modulus, which is one: where it is too large for the stack, `int` need not hold it. Arrays that
    /// live elsewhere have extents that are computed as `long`.
    pub(crate) fn extent(&self, function: &PwAff) -> Result<String> {
        self.printed(function, Some(MOST_ROWS_ON_STACK))
    }

    /// A function whose value is no larger than `most`.
    fn printed(&self, function: &PwAff, most: Option<i128>) -> Result<String> {
        let key = (function.to_string(), most);
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let holds = most.map(|most| at_most(function, most)).transpose()?;
        let text = self.in_types(self.printer.value(function)?, || self.printer.tree(function), holds.as_ref())?;
        self.known.borrow_mut().insert(key, text.clone());
        Ok(text)
    }

    /// How a parameter reads in sums, by its name in isl notation.
    pub(crate) fn parameter<'a>(&'a self, isl: &'a str) -> &'a str {
        self.renamed.iter().find(|(own, _)| own == isl).map_or(isl, |(_, c)| c)
    }

    /// A condition on sizes.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn condition(&self, set: &Set) -> Result<String> {
        self.in_types(self.printer.condition(set)?, || self.printer.test(set), None)
    }

    /// A text of isl as C, with sums as `long` that have to be where the parameters are in a set; with isl's helpers it is no C anyway.
    fn in_types(&self, text: String, tree: impl FnOnce() -> Result<AstExpr>, holds: Option<&Set>) -> Result<String> {
        let wide = match &self.widening {
            Some(widening) if text.contains(['+', '-', '*', '/']) => {
                let tree = tree()?;
                if needs_helpers(&tree) { None } else { widening.widened(&tree, holds)? }
            }
            _ => None,
        };
        let text = wide.map_or(Ok(text), |wide| printed(&wide, &str::to_string).map(outside_parentheses))?;
        Ok(self.in_c(&text))
    }

    fn in_c(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = 0;
        for (at, word) in words(text) {
            out.push_str(&text[rest..at]);
            rest = at + word.len();
            let renamed = self.renamed.iter().find(|(isl, _)| isl == word).map_or(word, |(_, c)| c.as_str());
            out.push_str(match is_compared_with_number(&text[..at], &text[rest..]) {
                true => renamed.trim_start_matches(LONG),
                false => renamed,
            });
            if word.parse::<u64>().is_ok_and(|number| i64::try_from(number).is_err()) {
                out.push('u');
            }
        }
        out + &text[rest..]
    }
}

/// Where a function of the parameters is no larger than a number.
pub(crate) fn at_most(function: &PwAff, most: i128) -> Result<Set> {
    let values = function.graph()?;
    values.intersect(&Set::read(values.context(), &format!("{{ [x] : x <= {most} }}"))?)?.params()
}

/// The cast of what is not plainly signed.
pub(crate) const LONG: &str = "(long)";

/// Whether what stands between the two texts is an operand of a comparison, a number the other: `n` in `n <= 10 && …`. That
/// means the same for signed and unsigned `n`; a cast would make a large unsigned one negative.
pub(crate) fn is_compared_with_number(before: &str, after: &str) -> bool {
    let before = before.trim_end();
    let begins = before.is_empty() || ["(", "&&", "||", "?", ":"].iter().any(|sign| before.ends_with(sign));
    let number = after.trim_start().trim_start_matches(['<', '>', '=', '!']);
    let compares = number.len() < after.trim_start().len();
    let behind = number.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = behind.len() < number.trim_start().len();
    let behind = behind.trim_start();
    let ends = behind.is_empty() || [")", "&&", "||", "?", ":"].iter().any(|sign| behind.starts_with(sign));
    begins && compares && is_number && ends
}

/// Whether what stands between the two texts is a whole operand of a comparison: `m` in `m >= n + 3`, not `n`.
pub(crate) fn is_only_compared(before: &str, after: &str) -> bool {
    let (before, after) = (before.trim_end(), after.trim_start());
    let begins = before.is_empty() || ["(", "&&", "||", "?", ":"].iter().any(|sign| before.ends_with(sign));
    let ends = after.is_empty() || [")", "&&", "||", "?", ":"].iter().any(|sign| after.starts_with(sign));
    begins && after.starts_with(['<', '>', '=', '!']) || ends && before.ends_with(['<', '>', '='])
}

#[cfg(test)]
mod tests {
    use super::{is_compared_with_number, is_only_compared};

    #[test]
    fn comparisons_with_numbers_are_found() {
        assert!(is_compared_with_number("", " <= 10"));
        assert!(is_compared_with_number("m >= 3 && (", " == 10) || k"));
        assert!(is_compared_with_number("", " >= 20 ? 20 : n"));
    }

    #[test]
    fn other_comparisons_are_not() {
        let others =
            [("-", " <= 10"), ("2 * ", " <= 10"), ("", " <= -1"), ("", " <= 10 + m"), ("", " % 2 == 0"), ("", "")];
        assert!(others.iter().all(|(before, after)| !is_compared_with_number(before, after)));
    }

    #[test]
    fn operands_of_comparisons_are_found() {
        let found = [("", " >= n + 3"), ("n + 3 <= ", ""), ("m >= 3 && (2 * n < ", ") || k"), ("", " != m ? 3 : m")];
        assert!(found.iter().all(|(before, after)| is_only_compared(before, after)));
        let others = [("m >= ", " + 3"), ("m >= 2 * ", ""), ("-", " >= m"), ("m > 3 ? ", " : 3"), ("", "")];
        assert!(others.iter().all(|(before, after)| !is_only_compared(before, after)));
    }
}
