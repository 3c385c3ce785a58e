//! Loops in strips in which subscripts are known.
//!
//! A ring of a few cells wraps around too often for segments. But a loop that begins at a known place of it comes back there after as many
//! turns as it has cells, so in strips of so many turns each turn has cells of its own:
//!
//! ```c
//! for (int j = 2; j < n; j++)                  for (int j = 2; j < n; )
//!   a[j % 2] = 0.5 * a[(j - 1) % 2];             for (int at = 0; at < 2 && j < n; at++, j++)
//!                                                  a[at] = 0.5 * a[1 - at];
//! ```
//!
//! Compilers unroll a loop of so few turns, so that subscripts are numbers in it, and values stay in registers from turn to turn. The cells are those that the
//! ring has, whatever is in them in front of the loop, behind it, and under conditions.

use super::Segments;
use super::common::Common;
use super::courses::{Course, MOST_TURNS, common_divisor};
use super::head::Head;
use super::parts::{Length, Part};
use super::pointed::PointedRows;
use crate::edit::Edit;
use crate::home::free_name;
use crate::subscript::Positions;
use polyfold_isl::Result;
use polyfold_scop::Condition;

/// The subscripts of a loop that are known in each turn of a strip.
pub(super) struct Strips {
    counter: String,
    turns: i64,
    places: Vec<Place>,
}

/// A subscript of a ring.
struct Place {
    name: String,
    common: Common,
    course: Course,
}

impl Segments<'_> {
    /// The subscripts of a part that are known in strips, beside so many other names; `None`: there are none.
    pub(super) fn strips(&self, part: &Part, others: usize) -> Result<Option<Strips>> {
        let is_compared = matches!(self.inside.node.condition, Condition::Compare(..));
        if !is_compared || !self.promise("").is_empty() {
            return Ok(None);
        }
        let (mut places, mut turns) = (Vec::new(), 1);
        for common in self.commons(std::slice::from_ref(part))? {
            let course = self.course_in_few(&common, part)?;
            let Some(course) = course.filter(|course| part.length != Length::Few || course.turns() == 1) else {
                continue;
            };
            let both = turns / common_divisor(turns, course.turns()) * course.turns();
            if both <= MOST_TURNS {
                turns = both;
                let same = places.iter().find(|place: &&Place| place.is_at(&common, &course));
                let new = || self.position_name(&common, others + places.len());
                let name = same.map_or_else(new, |place| place.name.clone());
                places.push(Place { name, common, course });
            }
        }
        let counter = free_name("at", self.accesses.decisions.scop, self.accesses.source);
        Ok((!places.is_empty()).then_some(Strips { counter, turns, places }))
    }

    /// All of the loop in strips; `None`: no subscript is known in them.
    pub(super) fn whole_in_strips(&self, whole: &Part) -> Result<Option<Edit>> {
        let Head { first, condition, .. } = &self.head;
        let Some(strips) = self.strips(whole, self.known.names.len())? else { return Ok(None) };
        let body = self.body(&strips.positions(whole), &PointedRows::default(), whole)?;
        let text = self.in_strips(&strips, (first, condition), &body, &self.indent());
        Ok(Some(Edit { span: self.inside.node.span.clone(), text }))
    }

    /// A part of the loop, which goes on while a condition holds, in strips.
    pub(super) fn in_strips(
        &self,
        strips: &Strips,
        (first, goes_on): (&str, &str),
        body: &str,
        indent: &str,
    ) -> String {
        let (Head { next, .. }, Strips { counter, turns, .. }) = (&self.head, strips);
        if *turns == 1 {
            return format!("for ({first}; {goes_on}; {next}){body}");
        }
        let inner = format!("{indent}{}", self.step);
        let body = self.behind_lines(&strips.declarations(), &self.deeper_behind(body, 1), &inner);
        let strip = format!("for (int {counter} = 0; {counter} < {turns} && {goes_on}; {counter}++, {next}){body}");
        format!("for ({first}; {goes_on}; )\n{inner}{strip}")
    }

    /// A body with lines in front.
    fn behind_lines(&self, lines: &[String], body: &str, indent: &str) -> String {
        if lines.is_empty() {
            return body.to_string();
        }
        let inner = format!("\n{indent}{}", self.step);
        let lines: String = lines.iter().map(|line| format!("{inner}{line}")).collect();
        match body.trim_start().strip_prefix('{') {
            Some(rest) if rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n') => format!(" {{{lines}{rest}"),
            Some(rest) => format!(" {{{lines}{inner}{}", rest.trim_start()),
            None => format!(" {{{lines}{inner}{}\n{indent}}}", body.trim()),
        }
    }
}

impl Strips {
    /// What stands for the subscripts in a part.
    pub(super) fn positions(&self, part: &Part) -> Positions {
        let of = |place: &Place| {
            let position = match &place.course {
                Course::Ring(ring) if part.length == Length::One => ring.first.to_string(),
                Course::Ring(_) if place.is_named(&self.counter, self.turns) => place.name.clone(),
                course => course.at(&self.counter, self.turns),
            };
            place.common.texts.iter().map(|text| (text.clone(), position.clone())).collect::<Vec<_>>()
        };
        Positions(self.places.iter().flat_map(of).collect())
    }

    /// The lines in each turn.
    fn declarations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for place in self.places.iter().filter(|place| place.is_named(&self.counter, self.turns)) {
            let line = format!("const int {} = {};", place.name, place.course.at(&self.counter, self.turns));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }
}

impl Place {
    /// Whether another subscript of the same ring is always at the same place.
    fn is_at(&self, common: &Common, course: &Course) -> bool {
        self.common.storage() == common.storage() && self.course == *course
    }

    /// Whether it is more than a sum.
    fn is_named(&self, counter: &str, turns: i64) -> bool {
        self.course.at(counter, turns).contains(['?', '%'])
    }
}
