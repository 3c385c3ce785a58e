//! Last subscripts that differ by a number.
//!
//! One pointer serves `a[j]`, `b[j - 1]` and `c[j + 1]` if it points to cells that have one subscript. That is the smallest, so that
//! none is in front of an array:
//!
//! ```text
//! a + 1, b, c + 2      at [j - 1]
//! ```
//!
//! A pointer d cells behind the beginning of a row is in the row if d cells are in front of each one that is found there, which somebody
//! else has to know (`values/reach.rs`). What is left of the subscript is not negative then, whatever its type.

use crate::subscript::trailing_literal;
use polyfold_isl::Result;

/// By how much each subscript, in its brackets, is more than the smallest; `None`: some differ by more than a number, or are not
/// that far behind the beginning of their row (`reaches`).
pub(crate) fn offsets(lasts: &[&str], reaches: impl Fn(usize, u64) -> Result<bool>) -> Result<Option<Vec<u64>>> {
    let Some(offsets) = differences(lasts) else { return Ok(None) };
    for (place, offset) in offsets.iter().enumerate().filter(|(_, offset)| **offset > 0) {
        if !reaches(place, *offset)? {
            return Ok(None);
        }
    }
    Ok(Some(offsets))
}

fn differences(lasts: &[&str]) -> Option<Vec<u64>> {
    let first = lasts.first()?;
    if lasts.iter().all(|last| last == first) {
        return Some(vec![0; lasts.len()]);
    }
    let sums = lasts.iter().map(|last| sum(last)).collect::<Option<Vec<(String, i64)>>>()?;
    let least = sums.iter().map(|(_, number)| *number).min()?;
    let has_same_terms = sums.iter().all(|(terms, _)| *terms == sums[0].0);
    has_same_terms.then(|| sums.iter().map(|(_, number)| number.abs_diff(least)).collect())
}

/// A subscript in brackets as terms, without spaces, and a number; `None`: it is no sum.
fn sum(subscript: &str) -> Option<(String, i64)> {
    let text = subscript.strip_prefix('[')?.strip_suffix(']')?.trim();
    if is_octal(text.rsplit(|sign: char| !sign.is_ascii_digit()).next()?) {
        return None;
    }
    if let Ok(number) = text.parse() {
        return Some((String::new(), number));
    }
    let is_of_sums = |sign: char| sign.is_alphanumeric() || "_ +-*()".contains(sign);
    let (terms, number) = trailing_literal(text).unwrap_or_else(|| (text.to_string(), 0));
    terms.chars().all(is_of_sums).then(|| (terms.replace(' ', ""), number))
}

/// Whether digits are not what they look like: to C 010 is 8.
fn is_octal(digits: &str) -> bool {
    digits.len() > 1 && digits.starts_with('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_subscript_stays() {
        assert_eq!(differences(&["[j]", "[j - 1]", "[j+1]"]), Some(vec![1, 0, 2]));
        assert_eq!(differences(&["[n - 1]", "[n-2]"]), Some(vec![1, 0]));
        assert_eq!(differences(&["[0]", "[3]"]), Some(vec![0, 3]));
        assert_eq!(differences(&["[(long)j + i]", "[(long)j + i - 2]"]), Some(vec![2, 0]));
        assert_eq!(differences(&["[j % 3]", "[j % 3]"]), Some(vec![0, 0]));
    }

    #[test]
    fn subscripts_that_are_no_sums_have_none() {
        let others = [["[j]", "[k - 1]"], ["[x % 3]", "[x % 3 - 1]"], ["[c ? x : y]", "[c ? x : y - 1]"]];
        assert!(others.iter().all(|lasts| differences(lasts).is_none()));
        assert_eq!((differences(&["[j * 2]", "[j * -2]"]), differences(&["[j + 010]", "[j + 7]"])), (None, None));
        assert_eq!((differences(&["[(j - 1)]", "[(j - 2)]"]), differences(&["[j]", "[(long)j - 1]"])), (None, None));
    }

    /// The row of the first place ends before the pointer, or begins with a cell that is found.
    #[test]
    fn a_pointer_goes_no_further_than_cells_are_known() {
        let within = |most: u64| offsets(&["[j + 2]", "[j]"], move |place, offset| Ok(place == 0 && offset <= most));
        assert_eq!(within(2).unwrap(), Some(vec![2, 0]));
        assert_eq!(within(1).unwrap(), None);
    }
}
