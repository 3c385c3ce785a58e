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

/// Where an access finds its cell, on a condition.
pub(crate) struct Spot {
    pub(crate) condition: String,
    /// As C text, and how many cells a row there has: `None` if rows do not lie one behind the other.
    pub(crate) text: String,
    pub(crate) row_cells: Option<String>,
    /// In a window of tiles: the row, and its last subscript.
    pub(crate) window: Option<(String, String)>,
}

/// A row that an access may be in.
#[derive(Clone)]
pub(crate) struct RowSpot {
    pub(crate) condition: String,
    row: String,
    /// How many cells behind its beginning a pointer points.
    offset: u64,
    /// How many cells it has, if the next row is right behind it.
    pub(crate) cells: Option<String>,
}

/// The places of an access, each for what is left by those before it.
pub(crate) struct Choice<'a> {
    pub(crate) access: &'a Access,
    cases: Vec<Spot>,
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
        mut cases: Vec<Spot>,
        reaches: impl Fn(usize, u64) -> Result<bool>,
    ) -> Result<Choice<'a>> {
        let first = cases.first().ok_or_else(|| fault("an access without a place"))?.text.clone();
        if cases.iter().all(|case| case.text == first) {
            cases.truncate(1);
        }
        let lasts =
            cases.iter().map(|case| Some(&case.text[last_subscript(&case.text)?..])).collect::<Option<Vec<_>>>();
        let offsets = lasts.map_or(Ok(None), |lasts| offsets(&lasts, reaches))?;
        Ok(Choice { access, cases, offsets })
    }

    /// `(a ? x : b ? y : z)`, or by pointer.
    pub(crate) fn text(&self, rows: &Rows) -> String {
        if let Some((row, last)) = self.row()
            && let Some(name) = rows.name(&row)
        {
            return format!("{name}{last}");
        }
        let cases: Vec<(String, String)> =
            self.cases.iter().map(|case| (case.condition.clone(), case.text_with(rows))).collect();
        chosen(&as_texts(&cases))
    }

    /// The row that it is in, and its last subscript; `None`: it is in none, or in rows that end otherwise.
    pub(crate) fn row(&self) -> Option<(String, &str)> {
        if let [Spot { window: Some((row, last)), .. }] = &self.cases[..] {
            return Some((row.clone(), last));
        }
        let spots = self.row_spots()?;
        let at_beginning = self.cases.iter().zip(&spots).find(|(_, spot)| spot.offset == 0);
        let last = at_beginning.and_then(|(case, _)| Some(&case.text[last_subscript(&case.text)?..]))?;
        let rows: Vec<(String, String)> =
            spots.into_iter().map(|spot| (spot.condition.clone(), spot.pointed())).collect();
        Some((one_of(&rows), last))
    }

    /// Whether it is in a row of a window of tiles.
    pub(crate) fn is_in_window(&self) -> bool {
        matches!(&self.cases[..], [Spot { window: Some(_), .. }])
    }

    /// The rows that it may be in, each for what is left by those before it.
    pub(crate) fn row_spots(&self) -> Option<Vec<RowSpot>> {
        let spot = |(case, offset): (&Spot, &u64)| {
            let Spot { condition, text, row_cells, window } = case;
            let row = match window {
                Some((row, _)) => row.clone(),
                None => text[..last_subscript(text)?].to_string(),
            };
            Some(RowSpot { condition: condition.clone(), row, offset: *offset, cells: row_cells.clone() })
        };
        self.cases.iter().zip(self.offsets.as_ref()?).map(spot).collect()
    }
}

impl Spot {
    /// The same with the name that its row has in choices.
    fn text_with(&self, rows: &Rows) -> String {
        let named = |at: usize| Some(format!("{}{}", rows.name_in_choices(&self.text[..at])?, &self.text[at..]));
        last_subscript(&self.text).and_then(named).unwrap_or_else(|| self.text.clone())
    }
}

impl RowSpot {
    /// Where a pointer points.
    pub(crate) fn pointed(&self) -> String {
        self.pointed_with(&Rows::default())
    }

    /// The same with the name that the row has in choices.
    pub(crate) fn pointed_with(&self, rows: &Rows) -> String {
        let row = rows.name_in_choices(&self.row).unwrap_or(&self.row);
        if self.offset == 0 { row.to_string() } else { format!("{row} + {}", self.offset) }
    }

    /// What the row is called without its last subscript, and that in its brackets.
    pub(crate) fn split(&self) -> Option<(&str, &str)> {
        let (before, last) = self.row.split_at(last_subscript(&self.row)?);
        Some((before, &last[1..last.len() - 1]))
    }

    /// The row with another last subscript.
    pub(crate) fn at(&self, subscript: &str) -> Option<RowSpot> {
        let (before, _) = self.split()?;
        Some(RowSpot { row: format!("{before}[{subscript}]"), ..self.clone() })
    }
}

/// A choice of texts, each with its condition, as a value of its own.
pub(crate) fn one_of(cases: &[(String, String)]) -> String {
    let text = chosen(&as_texts(cases));
    if cases.len() == 1 { text } else { text[1..text.len() - 1].to_string() }
}

/// Pointers to rows, by what they point to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows(BTreeMap<String, Pointer>);

/// A pointer to a row.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    pub(crate) name: String,
    /// Whether it stands for the row also where that is one of several.
    pub(crate) is_in_choices: bool,
}

impl Rows {
    /// The name of a row.
    pub(crate) fn name(&self, row: &str) -> Option<&str> {
        self.0.get(row).map(|pointer| pointer.name.as_str())
    }

    /// The name of a row where it is one of several.
    fn name_in_choices(&self, row: &str) -> Option<&str> {
        self.0.get(row).filter(|pointer| pointer.is_in_choices).map(|pointer| pointer.name.as_str())
    }
}

impl FromIterator<(String, Pointer)> for Rows {
    fn from_iter<I: IntoIterator<Item = (String, Pointer)>>(pointers: I) -> Rows {
        Rows(pointers.into_iter().collect())
    }
}

fn as_texts(cases: &[(String, String)]) -> Vec<(&str, &str)> {
    cases.iter().map(|(condition, text)| (condition.as_str(), text.as_str())).collect()
}

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
