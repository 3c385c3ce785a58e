//! Functions and conditions of the parameters, as C text with the source's own names.

use crate::home::words;
use crate::signed::Signed;
use polyfold_isl::{CText, PwAff, Result, Set};
use polyfold_scop::{ParameterOrigin, Scop};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How each parameter of a scop reads in C: its name, or a cast of it to `long` where the source does not plainly declare it
/// as a signed integer, since `n - 2` and `n <= -1` mean something else for an unsigned `n`.
pub fn parameters_in_c(scop: &Scop, source: &str) -> Vec<String> {
    let signed = Signed::at(source, scop.span.start);
    let in_c = |p: &polyfold_scop::Parameter| match p.origin {
        ParameterOrigin::Constant(_) if !signed.is_unsigned_macro(&p.name) => p.name.clone(),
        ParameterOrigin::Constant(_) => format!("(long){}", p.name),
        ParameterOrigin::Variable if signed.contains(&p.name) => p.name.clone(),
        ParameterOrigin::Variable => format!("(long){}", p.name),
    };
    scop.parameters.iter().map(in_c).collect()
}

/// Functions that isl's text may use and C does not have.
const HELPERS: [&str; 3] = ["floord(", "min(", "max("];

/// Whether a size or condition, as it is printed, needs functions that C does not have.
pub fn needs_helpers(text: &str) -> bool {
    HELPERS.iter().any(|helper| text.contains(helper))
}

/// Prints sizes and conditions.
pub struct CNames {
    printer: CText,
    /// Names that differ between isl notation and C (`min_` for a variable called `min`).
    renamed: Vec<(String, String)>,
    /// Sizes that were printed, by their isl notation: printing one takes ten times as long, and all accesses ask for the same.
    known: RefCell<BTreeMap<String, String>>,
}

impl CNames {
    /// For parameters in `context`, called `isl` in isl notation and `c` in C.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn new(context: &Set, isl: &[String], c: &[String]) -> Result<CNames> {
        let renamed = isl.iter().cloned().zip(c.iter().cloned()).filter(|(i, c)| i != c).collect();
        Ok(CNames { printer: CText::new(context)?, renamed, known: RefCell::default() })
    }

    /// A size.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn value(&self, function: &PwAff) -> Result<String> {
        let key = function.to_string();
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let text = self.in_c(&self.printer.value(function)?);
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
        Ok(self.in_c(&self.printer.condition(set)?))
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
