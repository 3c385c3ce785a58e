//! The turns of a loop in which some neighbours have wrapped around, where the loop goes around its ring once at most.
//!
//! With neighbours up to d cells further there are d such turns at most. In each the place of every subscript is a number of cells from one end of the ring or
//! the other, so that one or two turns need no places that are asked for:
//!
//! ```c
//! if (i < n - 3 && a_at0 + i == m - 2) {
//!   a[m - 2] = a[m - 2] + a[m - 1] + a[0];
//!   i++;
//!   a[m - 1] = a[m - 1] + a[0] + a[1];
//!   i++;
//! }
//! for (; i <= n - 3 && a_at0 + i < m; i++) {            // the row begins or ends among them
//!   …
//! }
//! ```
//!
//! One turn is all that there may be where d = 1; then no loop comes behind it. In short rows these turns count: 40 cells of three points take 12.7 instead of 14.2 µs for 1 000 steps.
//!
//! ```text
//! turn k of d, 0 <= k < d:   a subscript with distance e is at  m − d + k + e  if  k + e < d,  else at  k + e − d
//! ```
//!
//! Invariant: the loop goes around once at most, i' − i + d <= m ([`round`](super::round)), and all d turns are in it, so that m >= 2 d − 1 >= d, and no place is beyond the ring.

use super::Segments;
use super::chain::Chain;
use super::parts::Part;
use super::pointed::PointedRows;
use crate::linear::Linear;
use crate::subscript::parenthesized;
use polyfold_isl::Result;

/// More turns than these are a loop.
const MOST_TURNS: i64 = 2;

impl Segments<'_> {
    /// The lines of the turns between a part's segments; `turn`: the text of one whose places are asked for.
    pub(super) fn seam(
        &self,
        (chain, part, rows): (&Chain, &Part, &PointedRows),
        (goes_on, turn): (&str, &str),
        indent: &str,
    ) -> Result<String> {
        let (counter, next, turns) = (self.head.counter, self.head.next, chain.furthest());
        let any = format!("{indent}for (; {goes_on} && {}; {next}){turn}\n", chain.is_in_front(counter));
        let are_all = match turns {
            0 => return Ok(String::new()),
            1 => Some(goes_on.to_string()),
            MOST_TURNS => self.before_last(part),
            _ => None,
        };
        let Some(are_all) = are_all else { return Ok(any) };
        let mut text = format!("{indent}if ({are_all} && {}) {{", chain.is_before_end(turns, counter));
        for left in (1..=turns).rev() {
            let body = self.body(&chain.before_end(left), rows, part)?;
            text += &format!("{}\n{indent}{}{next};", self.deeper_behind(&body, self.steps(indent)), self.step);
        }
        text += &format!("\n{indent}}}\n");
        Ok(if turns == 1 { text } else { text + &any })
    }

    /// Whether another turn of a part comes behind this one, in C, if the part has one end.
    fn before_last(&self, part: &Part) -> Option<String> {
        let last = match &part.last {
            None => &self.head.last,
            Some(last) if !part.may_end => last,
            Some(_) => return None,
        };
        let is_sum = Linear::parse(last).is_some();
        Some(format!("{} < {}", self.head.counter, if is_sum { last.clone() } else { parenthesized(last) }))
    }
}
