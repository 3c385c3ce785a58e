//! Segments along several rings, some of whose subscripts are next to each other.
//!
//! Where a loop writes `a[i % m]` and reads `a[(i - 1) % m]`, compilers have to think that any cell may be the other's: with places of their own they ask in front of
//! each segment, and mostly get no as an answer. But for the turn in which only one has wrapped around they are one row, which is one place
//! in the segment, as along a single ring (`chain.rs`); that turn comes behind it:
//!
//! ```c
//! for (int i = 1; i < n; ) {
//!   const long a_at0 = (i - 1) % m - i;
//!   const long b_at1 = i % k - i;
//!   int last = n - 1;
//!   if (m - 1 - a_at0 < last)
//!     last = m - 1 - a_at0;
//!   if (k - 1 - b_at1 < last)
//!     last = k - 1 - b_at1;
//!   int near = last;
//!   if (m - 2 - a_at0 < near)
//!     near = m - 2 - a_at0;
//!   for (; i <= near; i++)
//!     a[a_at0 + i + 1] = f(a[a_at0 + i], b[b_at1 + i]);
//!   for (; i <= last; i++) {
//!     const long a_at2 = a_at0 + i + 1 < m ? a_at0 + i + 1 : 0;
//!     a[a_at2] = f(a[a_at0 + i], b[b_at1 + i]);
//!   }
//! }
//! ```
//!
//! ```text
//! head:       place = at + i = v mod m,  0 <= place < m in the segment
//! neighbour:  v + d, or v + d less multiples of m:  place + d while that is below m, else place + d − m       0 < d <= m
//! ```
//!
//! A head's place may be below 0 where no iteration uses it (`chain.rs`); that its neighbours are not, if they are no more than d ahead of it as numbers. Others are neighbours of heads alone that each
//! iteration uses.
//!
//! `near` is no smaller than i − d: that fits the counter's type, since only loops are written so whose counter is never negative.

use super::Segments;
use super::found::mentions;
use super::head::Head;
use super::parts::Part;
use super::pointed::PointedRows;
use super::window::Window;
use crate::Decisions;
use crate::home::free_name;
use crate::subscript::Positions;
use polyfold_isl::Result;
use polyfold_scop::{Access, StatementId};

/// Subscripts further apart are no neighbours: each turn between them has a text of its own.
const MOST_DISTANCE: i64 = 8;

/// Subscripts that have places of their own, and others that are next to these.
pub(super) struct Near {
    heads: Vec<Window>,
    neighbours: Vec<Neighbour>,
}

/// A subscript next to a head.
struct Neighbour {
    window: Window,
    /// Which head.
    head: usize,
    /// By how much it is larger.
    distance: i64,
}

impl Segments<'_> {
    /// The heads and neighbours among subscripts that a segment has, if some are in storage that the loop writes, and no other one keeps compilers from making vectors; `None`: each has a place of its own.
    pub(super) fn near(&self, windows: &[Window], part: &Part) -> Result<Option<Near>> {
        let is_plain = self.head.is_upward && self.inside.node.step == 1 && self.inside.levels == 0;
        if !is_plain || self.has_promise() || !self.has_no_continue() {
            return Ok(None);
        }
        if !self.is_never_negative(&self.inside.node.first)? {
            return Ok(None);
        }
        let Some(near) = self.heads(windows) else { return Ok(None) };
        Ok((!self.wraps_beside(windows, part)?).then_some(near))
    }

    fn heads(&self, windows: &[Window]) -> Option<Near> {
        let mut near = Near { heads: Vec::new(), neighbours: Vec::new() };
        let mut left: Vec<&Window> = windows.iter().collect();
        while !left.is_empty() {
            let behind = |head: &&Window| left.iter().filter(|own| head.distance_of(own).is_some()).count();
            let most = left.iter().map(&behind).max()?;
            let at = left.iter().position(|head| behind(head) == most)?;
            let (head, k) = (left.remove(at), near.heads.len());
            let own = |window: &&Window| {
                let distance = head.distance_of(window).filter(|_| self.is_written(head.common().storage()))?;
                Some(Neighbour { window: (*window).clone(), head: k, distance })
            };
            let beside: Vec<Neighbour> = left.iter().filter_map(own).collect();
            left.retain(|window| beside.iter().all(|own| own.window.name != window.name));
            near.heads.push(head.clone());
            near.neighbours.extend(beside);
        }
        (!near.neighbours.is_empty()).then_some(near)
    }

    /// Whether the loop writes cells of some storage.
    fn is_written(&self, storage: &str) -> bool {
        let Decisions { scop, mapped, .. } = self.accesses.decisions;
        let name_of = |place| self.accesses.decisions.name(place, self.accesses.source);
        // Of values that live in several places the buffers' names are not asked for.
        let holds_values = mapped.iter().all(|place| name_of(place) != storage);
        let is_it = |access: &Access| {
            let place = mapped.iter().find(|place| place.array() == access.array);
            place.map_or(holds_values, |place| name_of(place) == storage)
        };
        let writes = |id: &StatementId| scop.statement(*id).accesses.iter().any(|own| own.is_write() && is_it(own));
        self.inside.statements.iter().any(writes)
    }

    /// A block with one segment, and the turns behind it in which neighbours have wrapped around.
    pub(super) fn near_segments(
        &self,
        (near, part, rows): (&Near, &Part, &PointedRows),
        (indent, end): (&str, &str),
    ) -> Result<String> {
        let Head { counter, next, word, .. } = self.head;
        let inner = format!("{indent}{}", self.step);
        let body = self.body(&near.in_segment(counter), rows, part)?;
        let turn = self.body(&near.in_turn(counter), rows, part)?;
        let declared = near.declarations(&turn, counter);
        let turn = if declared.is_empty() { turn } else { self.between(&declared, &turn, &[]) };
        let (lines, last) = self.segment(&near.heads, part, &inner, end);
        let nearest = free_name("near", self.accesses.decisions.scop, self.accesses.source);
        let mut text = format!("{{\n{lines}{inner}{word} {nearest} = {last};\n");
        for own in near.ends() {
            text += &self.no_further(&format!("{own} < {nearest}"), &own, &inner, &nearest);
        }
        let steps = self.steps(&inner);
        let [body, turn] = [body, turn].map(|text| self.deeper_behind(&text, steps));
        text += &format!("{inner}for (; {counter} <= {nearest}; {next}){body}\n");
        Ok(format!("{text}{inner}for (; {counter} <= {last}; {next}){turn}\n{indent}}}"))
    }
}

impl Near {
    /// What stands for subscripts while no neighbour has wrapped around.
    fn in_segment(&self, counter: &str) -> Positions {
        let mut all = Window::positions(&self.heads, counter);
        for own in &self.neighbours {
            let place = format!("{} + {}", self.heads[own.head].position(counter), own.distance);
            all.0.extend(own.window.common().texts.iter().map(|text| (text.clone(), place.clone())));
        }
        all
    }

    /// What stands for them in other turns.
    fn in_turn(&self, counter: &str) -> Positions {
        let mut all = Window::positions(&self.heads, counter);
        for own in &self.neighbours {
            all.0.extend(own.window.common().texts.iter().map(|text| (text.clone(), own.window.name.clone())));
        }
        all
    }

    /// The lines that say where neighbours are in a turn that mentions them.
    fn declarations(&self, body: &str, counter: &str) -> Vec<String> {
        let line = |own: &Neighbour| {
            let head = &self.heads[own.head];
            head.common().wrapped(&own.window.name, &head.position(counter), own.distance)
        };
        self.neighbours.iter().filter(|own| mentions(body, &own.window.name)).map(line).collect()
    }

    /// The last turns in which none of a head's neighbours has wrapped around.
    fn ends(&self) -> Vec<String> {
        let furthest = |k: usize| self.neighbours.iter().filter(|own| own.head == k).map(|own| own.distance).max();
        let with_some = self.heads.iter().enumerate().filter_map(|(k, head)| Some((head, furthest(k)?)));
        with_some.map(|(head, furthest)| head.end(1 + furthest)).collect()
    }
}

impl Window {
    /// By how much another one is ahead in the same ring, if that is little and shown to hold wherever that one is used.
    fn distance_of(&self, other: &Window) -> Option<i64> {
        if self.slope() != 1 || other.slope() != 1 || self.name == other.name {
            return None;
        }
        let (own, other) = (self.common(), other.common());
        let in_ring = || own.is_sure.then(|| other.ahead_in_ring(own)).flatten();
        let distance = other.ahead_of(own).filter(is_little).or_else(in_ring).filter(is_little)?;
        (distance == 1 || own.wraps_once(distance)).then_some(distance)
    }
}

fn is_little(distance: &i64) -> bool {
    (1..=MOST_DISTANCE).contains(distance)
}
