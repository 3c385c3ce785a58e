//! How an access reads, and rows of storage by pointer.
//!
//! An access with several places is a choice. Where these are rows that end in one subscript, a pointer can make the choice once
//! for the whole row:
//!
//! ```c
//! (i >= 2 ? a[(t + i) % m][j - 1] : b[j - 1])   is   up[j - 1]   for   const double *up = i >= 2 ? a[(t + i) % m] : b;
//! ```
//!
//! Where they end in subscripts that differ by a number, it points to cells that have one subscript, the smallest:
//!
//! ```c
//! (i >= 2 ? a[(t + i) % m][j] : b[j - 1])       is   up[j - 1]   for   const double *up = i >= 2 ? a[(t + i) % m] + 1 : b;
//! ```
//!
//! No pointer is in front of a row then, and that none is behind its end is proved (`offsets.rs`).

use crate::fault;
use crate::offsets::offsets;
use polyfold_isl::Result;
use polyfold_scop::Access;
use std::collections::BTreeMap;

/// The places of an access, each for what is left by those before it.
pub(crate) struct Choice<'a> {
    pub(crate) access: &'a Access,
    cases: Vec<(String, String)>,
    /// How many cells behind the beginning of its row a pointer points, by case; `None`: no pointer serves all cases.
    offsets: Option<Vec<u64>>,
}

impl<'a> Choice<'a> {
    /// Of conditions and places; places that read alike are one. `reaches`: whether there are so many cells in front of each that a
    /// case finds, in its row.
    ///
    /// # Errors
    /// When there is none, or as `reaches` has them.
    pub(crate) fn of(
        access: &'a Access,
        mut cases: Vec<(String, String)>,
        reaches: impl Fn(usize, u64) -> Result<bool>,
    ) -> Result<Choice<'a>> {
        let first = cases.first().ok_or_else(|| fault("an access without a place"))?.1.clone();
        if cases.iter().all(|(_, text)| *text == first) {
            cases.truncate(1);
        }
        let lasts = cases.iter().map(|(_, text)| Some(&text[last_subscript(text)?..])).collect::<Option<Vec<_>>>();
        let offsets = lasts.map_or(Ok(None), |lasts| offsets(&lasts, reaches))?;
        Ok(Choice { access, cases, offsets })
    }

    /// `(a ? x : b ? y : z)`, or by pointer.
    pub(crate) fn text(&self, rows: &Rows) -> String {
        if let Some((row, last)) = self.row()
            && let Some(name) = rows.0.get(&row)
        {
            return format!("{name}{last}");
        }
        chosen(&self.cases.iter().map(|(condition, text)| (condition.as_str(), text.as_str())).collect::<Vec<_>>())
    }

    /// The row that it is in, and its last subscript; `None`: it is in none, or in rows that end otherwise.
    pub(crate) fn row(&self) -> Option<(String, &str)> {
        let (mut last, mut rows) = (None, Vec::new());
        for ((condition, text), offset) in self.cases.iter().zip(self.offsets.as_ref()?) {
            let (row, subscript) = text.split_at(last_subscript(text)?);
            if *offset == 0 {
                last.get_or_insert(subscript);
            }
            rows.push((condition.as_str(), if *offset == 0 { row.to_string() } else { format!("{row} + {offset}") }));
        }
        let row = chosen(&rows.iter().map(|(condition, row)| (*condition, row.as_str())).collect::<Vec<_>>());
        Some((row.strip_prefix('(').and_then(|row| row.strip_suffix(')')).unwrap_or(&row).to_string(), last?))
    }
}

/// Pointers to rows, by what they point to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows(pub(crate) BTreeMap<String, String>);

fn chosen(cases: &[(&str, &str)]) -> String {
    let Some((last, others)) = cases.split_last() else { return String::new() };
    if others.is_empty() {
        return last.1.to_string();
    }
    let part = |(condition, text): &(&str, &str)| format!("{} ? {text} : ", operand(condition));
    format!("({}{})", others.iter().map(part).collect::<String>(), last.1)
}

/// Fit to stand in front of `?`.
fn operand(condition: &str) -> String {
    if condition.contains(['?', ':', '&', '|']) { format!("({condition})") } else { condition.to_string() }
}

/// Where the last pair of brackets begins with which a text ends.
fn last_subscript(text: &str) -> Option<usize> {
    let mut depth = 0;
    if !text.ends_with(']') {
        return None;
    }
    text.char_indices().rev().find_map(|(at, sign)| {
        depth += i32::from(sign == ']') - i32::from(sign == '[');
        (depth == 0 && at > 0).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_subscript_may_have_brackets_in_it() {
        let split = |text: &'static str| last_subscript(text).map(|at| text.split_at(at));
        assert_eq!(split("a[(t + i) % 3][j - 1]"), Some(("a[(t + i) % 3]", "[j - 1]")));
        assert_eq!(split("a[b[i]]"), Some(("a", "[b[i]]")));
        assert_eq!((split("a"), split("(a[i])")), (None, None));
    }

    #[test]
    fn choices_need_parentheses_and_some_conditions_do() {
        assert_eq!(chosen(&[("i >= 2", "a[k]"), ("", "b")]), "(i >= 2 ? a[k] : b)");
        assert_eq!(chosen(&[("i == 0 || j", "x"), ("i == 1", "y"), ("", "z")]), "((i == 0 || j) ? x : i == 1 ? y : z)");
        assert_eq!(chosen(&[("", "b")]), "b");
    }
}
