//! Segments with counters of their own, which compilers believe what they are promised of.
//!
//! gcc forgets a promise in front of `for (; i <= last; i++)` where the loop around goes on with the same counter. With a counter for each
//! it does not:
//!
//! ```c
//! for (int i_from = 4001; i_from < n; ) {
//!   const long y_at0 = (i_from - 149) % 4001 - i_from;
//!   const long y_at1 = i_from % 4001 - i_from;
//!   int last = n - 1;
//!   …
//!   if (last - i_from > 127)
//!     last = i_from + 127;
//!   POLYFOLD_IVDEP
//!   for (int i = i_from; i <= last; i++)
//!     y[y_at1 + i] = x[i] + y[y_at0 + i];
//!   i_from = last + 1;
//! }
//! ```
//!
//! The segment is that short where only iterations near each other are apart (`prove::ApartLoops::safe_distance`): the same as OpenMP's
//! `simd safelen(128)`, without a pragma of which compilers warn that were not asked for OpenMP. Its length does not overflow: it goes
//! through cells of one ring, from one end to the other at most.

use super::Segments;
use super::head::Head;
use super::parts::Part;
use super::pointed::words_replaced;
use super::window::Window;
use crate::home::free_name;
use crate::indent::deeper;

impl Segments<'_> {
    /// A loop of which something is promised in segments; `None`: nothing is, its counter is known behind it, or it does not go up one by one.
    pub(super) fn counted(&self, windows: &[Window], body: &str, part: &Part) -> Option<String> {
        let Head { counter, first, condition, next, is_upward, .. } = &self.head;
        let (step, indent, distance) = (&self.step, self.indent(), self.safe_distance());
        let promise = if distance.is_some() { self.promised(&indent) } else { self.promise(&indent) };
        let declared = first.split('=').next()?.trim();
        if promise.is_empty() || !self.head.declares_counter() || !is_upward || self.inside.node.step != 1 {
            return None;
        }
        let from = free_name(&format!("{counter}_from"), self.accesses.decisions.scop, self.accesses.source);
        let inner = format!("{indent}{step}");
        let (mut lines, last) = self.segment(windows, part, &inner, "last");
        if let Some(most) = distance.map(|distance| distance - 1) {
            lines += &self.no_further(
                &format!("{last} - {counter} > {most}"),
                &format!("{counter} + {most}"),
                &inner,
                &last,
            );
        }
        let renamed = |text: &str| words_replaced(text, |word| (word == *counter).then_some(from.as_str()));
        let segment = format!("{indent}{promise}for ({declared} = {from}; {counter} <= {last}; {next}){body}");
        let (head, lines, segment) =
            (renamed(&format!("{first}; {condition}; ")), renamed(&lines), deeper(&segment, step));
        Some(format!("for ({head}) {{\n{lines}{segment}\n{inner}{from} = {last} + 1;\n{indent}}}"))
    }

    /// How many iterations one after the other share no cell that one of them writes, where not all do.
    fn safe_distance(&self) -> Option<i64> {
        let distance = self.accesses.decisions.apart.safe_distance(self.inside.node.id);
        distance.filter(|_| self.inside.levels == 0)
    }
}
