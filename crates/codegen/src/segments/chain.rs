//! Subscripts next to each other in a ring, along a loop.
//!
//! `a[(t + i) % m]` and `a[(t + i + 1) % m]` are neighbours in each turn but the one in which the second one has wrapped around and the first
//! one has not. So they have one place, which is found once, in front of the loop, and goes on from segment to segment:
//!
//! ```c
//! long a_at0 = (t + i) % m - i;
//! for (; i <= n; ) {
//!   int last = n;
//!   if (m - 2 - a_at0 < last)
//!     last = m - 2 - a_at0;
//!   for (; i <= last; i++)
//!     a[a_at0 + i] = a[a_at0 + i + 1];
//!   for (; i <= n && a_at0 + i < m; i++) {              // the second one has wrapped around
//!     const long a_at1 = a_at0 + i + 1 < m ? a_at0 + i + 1 : 0;
//!     a[a_at0 + i] = a[a_at1];
//!   }
//!   if (a_at0 + i == m)
//!     a_at0 = -(long)i;
//! }
//! ```
//!
//! Compilers see that `a[a_at0 + i]` and `a[a_at0 + i + 1]` are one row, and ask nothing in front of their vectors.
//!
//! ```text
//! place = at + i = v(i) mod m,   0 <= place < m;   a subscript with v(i) + d is place + d while that is below m
//! ```
//!
//! A place that begins below 0, as C's remainders of negative values are, is below the value's place by a multiple of m; it grows
//! to 0 where the value does, and nothing uses it before. Behind a step of d the place is past m by less than d, so that m is taken away
//! once if m >= d (`Remainder::wraps_once`); 1 is no more than any modulus.
//!
//! `last` is no smaller than i − d: that fits the counter's type, since only loops are written so whose counter is never negative.

use super::Segments;
use super::common::Common;
use super::found::mentions;
use super::head::Head;
use super::parts::{Length, Part};
use super::pointed::PointedRows;
use crate::Decisions;
use crate::subscript::{Positions, parenthesized};
use polyfold_isl::{PwAff, Result};
use polyfold_scop::Expr;

/// Subscripts further apart are no neighbours: each turn between them has a text of its own.
const MOST_DISTANCE: i64 = 8;

/// All subscripts of a loop that move with its counter.
pub(super) struct Chain {
    /// The first one first.
    links: Vec<Link>,
    /// What the first one's place in the first turn is called, if the loop around has a name for it.
    begins: Option<String>,
    /// Whether the loop is to be written without one around its segments: it goes around the ring once at most.
    is_one_round: bool,
}

/// A subscript.
struct Link {
    name: String,
    common: Common,
    /// By how much it is larger than the first one.
    distance: i64,
}

impl Segments<'_> {
    /// The subscripts that move with the counter, if one place for them is worth a block of its own.
    pub(super) fn chain(&self, parts: &[Part], others: usize) -> Result<Option<Chain>> {
        let is_worth_it = |chain: &Chain| chain.is_known() || parts.len() > 1 || chain.links.len() > 1;
        let Some(chain) = self.neighbours(parts, others)?.filter(is_worth_it) else { return Ok(None) };
        let is_one_round = self.may_be_one_round(parts) && self.is_one_round(chain.first(), chain.furthest())?;
        Ok(Some(Chain { is_one_round, ..chain }))
    }

    /// The subscripts that move with the counter, beside so many others; `None`: they are not next to each other, or have another form.
    pub(super) fn neighbours(&self, parts: &[Part], others: usize) -> Result<Option<Chain>> {
        if !self.is_in_a_loop() || self.inside.levels > 0 || self.inside.node.step != 1 || self.has_promise() {
            return Ok(None);
        }
        let Some(links) = self.links(parts, others)? else { return Ok(None) };
        if !self.is_never_negative(&self.inside.node.first)? {
            return Ok(None);
        }
        let begins = self.begun_at(&links[0].common).cloned();
        Ok(Some(Chain { links, begins, is_one_round: false }))
    }

    /// The subscripts by distance, if there are some, and no others.
    fn links(&self, parts: &[Part], others: usize) -> Result<Option<Vec<Link>>> {
        let moving = self.moving(parts)?;
        let Some(first) = moving.iter().map(|(common, _)| common).find(|first| {
            let is_behind = |common: &Common| common.ahead_of(first).is_some_and(|distance| distance >= 0);
            moving.iter().all(|(common, slope)| *slope == 1 && is_behind(common))
        }) else {
            return Ok(None);
        };
        let with_distance = |(common, _): &(Common, i64)| Some((common.ahead_of(first)?, common.clone()));
        let Some(mut all) = moving.iter().map(with_distance).collect::<Option<Vec<_>>>() else { return Ok(None) };
        all.sort_by_key(|(distance, _)| *distance);
        let gaps = all.windows(2).map(|pair| pair[1].0 - pair[0].0);
        let are_near = all.last().is_some_and(|(distance, _)| *distance <= MOST_DISTANCE);
        if !are_near || gaps.into_iter().any(|gap| gap != 1 && !first.wraps_once(gap)) {
            return Ok(None);
        }
        let link = |(k, (distance, common)): (usize, (i64, Common))| Link {
            name: self.position_name(&common, others + k),
            common,
            distance,
        };
        Ok(Some(all.into_iter().enumerate().map(link).collect()))
    }

    /// Whether an expression is no less than 0 wherever the loop is reached.
    pub(super) fn is_never_negative(&self, expr: &Expr) -> Result<bool> {
        let Decisions { scop, parameters, proved, .. } = *self.accesses.decisions;
        Ok(match expr {
            Expr::Constant(value) => *value >= 0,
            Expr::Iterator(id) => {
                let l = scop.loops()[id.0];
                l.step > 0 && self.is_never_negative(&l.first)?
            }
            Expr::Parameter(id) => {
                let name = &parameters[id.0];
                let read = |text: &str| PwAff::read(proved.context(), text);
                let size = read(&format!("[{name}] -> {{ [({name})] }}"))?;
                proved.is_subset(&size.at_least(&read("{ [(0)] }")?)?)?
            }
            Expr::Add(a, b) => self.is_never_negative(a)? && self.is_never_negative(b)?,
            Expr::Scale(by, inner) => *by >= 0 && self.is_never_negative(inner)?,
            Expr::Divide(inner, _) | Expr::Remainder(inner, _) => self.is_never_negative(inner)?,
            Expr::Select(_, a, b) => {
                let (a_is, b_is) = (self.is_never_negative(a)?, self.is_never_negative(b)?);
                let is_maximum = expr.as_extremum().is_some_and(|(is_maximum, ..)| is_maximum);
                if is_maximum { a_is || b_is } else { a_is && b_is }
            }
        })
    }

    /// A part of a loop along a chain.
    pub(super) fn part_along(
        &self,
        (chain, part, rows): (&Chain, &Part, &PointedRows),
        indent: &str,
        is_last: bool,
    ) -> Result<String> {
        let goes_on = self.goes_on(part);
        let turn = self.deeper_behind(&self.turn_along(chain, part, rows)?, self.steps(indent));
        let is_once = part.length == Length::One && self.has_no_continue();
        if !is_once {
            let body = self.body(&chain.in_segment(self.head.counter), rows, part)?;
            if !chain.is_one_round || !is_one_statement(&body) {
                return Ok(self.segments_along((chain, part), (&goes_on, &turn, &body), indent));
            }
            let seam = self.seam((chain, part, rows), (&goes_on, &turn), indent)?;
            return Ok(self.round_along((chain, part), (&goes_on, &seam, &body), (indent, is_last)));
        }
        let text = match part.always && part.last.is_some() {
            true => self.surely_once(&turn, indent),
            false => self.once(&goes_on, &turn, part.last.is_none(), indent),
        };
        Ok(if is_last { text } else { format!("{text}\n{}", chain.wraps(&self.head, indent, &self.step)) })
    }

    /// The part's segments, in none of which a subscript wraps around, and the turns between them.
    fn segments_along(
        &self,
        (chain, part): (&Chain, &Part),
        (goes_on, turn, body): (&str, &str, &str),
        indent: &str,
    ) -> String {
        let Head { counter, next, .. } = self.head;
        let inner = format!("{indent}{}", self.step);
        let (lines, last) = self.segment_along(chain, part, &inner);
        let body = self.deeper_behind(body, self.steps(&inner));
        let mut text = format!("for (; {goes_on}; ) {{\n{lines}{inner}for (; {counter} <= {last}; {next}){body}\n");
        if chain.has_neighbours() {
            let turn = self.deeper_behind(turn, 1);
            text += &format!("{inner}for (; {goes_on} && {}; {next}){turn}\n", chain.is_in_front(counter));
        }
        format!("{text}{}\n{indent}}}", chain.wraps(&self.head, &inner, &self.step))
    }

    /// The lines that say how far a segment goes, and its last turn.
    pub(super) fn segment_along(&self, chain: &Chain, part: &Part, indent: &str) -> (String, String) {
        let (mut lines, last) = self.segment(&[], part, indent, "last");
        let end = chain.end();
        lines += &self.no_further(&format!("{end} < {last}"), &end, indent, &last);
        (lines, last)
    }

    /// The text behind a head of a turn in which subscripts may wrap around.
    fn turn_along(&self, chain: &Chain, part: &Part, rows: &PointedRows) -> Result<String> {
        let body = self.body(&chain.in_turn(self.head.counter), rows, part)?;
        let declarations = chain.declarations(&body, self.head.counter);
        Ok(if declarations.is_empty() { body } else { self.between(&declarations, &body, &[]) })
    }
}

impl Chain {
    /// The first subscript.
    pub(super) fn first(&self) -> &Common {
        &self.links[0].common
    }

    /// Whether the loop goes around the ring once at most.
    pub(super) fn is_one_round(&self) -> bool {
        self.is_one_round
    }

    /// Whether the loop around has a name for its first place.
    pub(super) fn is_known(&self) -> bool {
        self.begins.is_some()
    }

    /// The line in front of the loop's parts, where the counter has its first value.
    pub(super) fn declaration(&self, head: &Head) -> String {
        let begins = self.begins.as_deref().unwrap_or(self.first().text());
        format!("long {} = {begins} - {};", self.name(), head.counter)
    }

    /// By how much the last subscript is larger than the first one.
    pub(super) fn furthest(&self) -> i64 {
        self.links.last().map_or(0, |link| link.distance)
    }

    /// Whether there are other subscripts than the first one.
    pub(super) fn has_neighbours(&self) -> bool {
        self.links.len() > 1
    }

    /// What the first subscript's place is called.
    pub(super) fn name(&self) -> &str {
        &self.links[0].name
    }

    pub(super) fn modulus(&self) -> String {
        parenthesized(self.first().modulus())
    }

    /// The last turn in which no subscript has wrapped around.
    fn end(&self) -> String {
        self.first().end(self.name(), 1 + self.furthest())
    }

    /// Whether the first subscript has not wrapped around.
    pub(super) fn is_in_front(&self, counter: &str) -> String {
        format!("{} + {counter} < {}", self.name(), self.modulus())
    }

    /// Whether the first subscript is so many cells in front of the end of its ring.
    pub(super) fn is_before_end(&self, cells: i64, counter: &str) -> String {
        format!("{} + {counter} == {}", self.name(), self.first().in_front(cells))
    }

    /// That the first subscript begins again.
    pub(super) fn wraps(&self, head: &Head, indent: &str, step: &str) -> String {
        let (name, counter, modulus) = (self.name(), head.counter, self.modulus());
        format!("{indent}if ({name} + {counter} == {modulus})\n{indent}{step}{name} = -(long){counter};")
    }

    /// What stands for subscripts while none wraps around.
    fn in_segment(&self, counter: &str) -> Positions {
        self.positions(|link| link.place(self.name(), counter))
    }

    /// What stands for them where the first one is so many cells in front of the end of its ring.
    pub(super) fn before_end(&self, cells: i64) -> Positions {
        self.positions(|link| match link.distance - cells {
            behind @ 0.. => behind.to_string(),
            before => self.first().in_front(-before),
        })
    }

    /// What stands for them in other turns.
    fn in_turn(&self, counter: &str) -> Positions {
        self.positions(|link| if link.distance == 0 { link.place(self.name(), counter) } else { link.name.clone() })
    }

    fn positions(&self, place: impl Fn(&Link) -> String) -> Positions {
        let of = |link: &Link| link.common.texts.iter().map(|text| (text.clone(), place(link))).collect::<Vec<_>>();
        Positions(self.links.iter().flat_map(of).collect())
    }

    /// The lines that say where subscripts are in a turn, if a body or another line uses them.
    fn declarations(&self, body: &str, counter: &str) -> Vec<String> {
        let used = (1..self.links.len()).rev().find(|k| mentions(body, &self.links[*k].name));
        let line = |k: usize| {
            let (link, before) = (&self.links[k], &self.links[k - 1]);
            let from = if k == 1 { before.place(self.name(), counter) } else { before.name.clone() };
            self.first().wrapped(&link.name, &from, link.distance - before.distance)
        };
        (1..=used.unwrap_or(0)).map(line).collect()
    }
}

impl Link {
    /// The subscript in a segment.
    fn place(&self, first: &str, counter: &str) -> String {
        match self.distance {
            0 => format!("{first} + {counter}"),
            distance => format!("{first} + {counter} + {distance}"),
        }
    }
}

/// Whether a body reads as well if it stands twice.
fn is_one_statement(body: &str) -> bool {
    body.matches(';').count() == 1 && !body.contains(['{', '}'])
}
