//! Rings of values as windows that slide down through more cells.
//!
//! A ring that drifts by a cell in each turn of a loop wraps around in the middle of the loop inside: that is two loops instead of one. Where it is proved to be a window
//! ([`SlidingWindow`]) and has a few cells more than that, no subscript wraps around. All cells move back to the other end once in as many turns:
//!
//! ```c
//! const long u_top = n / 64 + 7;
//! long u_from = u_top;
//! for (int t = 0; t < steps; t++) {
//!   for (int i = 1; i < n - 1; i++)
//!     u[u_from + i - 1] = 0.5 * (u[u_from + i] + u[u_from + i + 1]);
//!   if (u_from > 0)
//!     u_from--;
//!   else {
//!     for (long at = n - 2; at >= 0; at--)
//!       u[at + u_top + 1] = u[at];
//!     u_from = u_top;
//!   }
//! }
//! ```
//!
//! That takes W / (b − W + 1) copies a turn, for a window of W of b cells.
//!
//! Loops whose turns may end early keep the ring, as for shift registers ([`shifting`]), and so do elements that not every byte is, such as `_Bool`: cells may move that nobody has
//! written.

use crate::home::free_name;
use crate::names::needs_helpers;
use crate::subscript::{Moved, in_slide};
use crate::types::plain_element;
use crate::{Decisions, Form, ValueBuffer, fault, shifting};
use polyfold_isl::{PwAff, Result};
use polyfold_prove::{Placed, SlidingWindow};
use polyfold_scop::{ArrayId, Loop, Scop, StatementId};

/// A window that is written so.
pub(crate) struct Slide<'a> {
    window: &'a SlidingWindow,
    name: &'a str,
    /// Where it begins, and where that is at most, by name.
    from: String,
    top: String,
}

/// The windows that are written so.
pub(crate) fn written<'a>(source: &str, decisions: &'a Decisions) -> Result<Vec<Slide<'a>>> {
    let mut found = Vec::new();
    if decisions.form != Form::Fast {
        return Ok(found);
    }
    for window in &decisions.sliding {
        let buffer = decisions.value_buffers.iter().find(|buffer| buffer.first == window.buffer());
        let buffer = buffer.ok_or_else(|| fault("a window of a buffer that is not declared"))?;
        let slide = Slide::of(source, decisions, (window, buffer));
        if can_slide(source, decisions.scop, window, buffer.owner) && slide.can_be_written(decisions)? {
            found.push(slide);
        }
    }
    Ok(found)
}

/// Whether a window with values of an array may be written so, as far as the program's text goes.
pub fn can_slide(source: &str, scop: &Scop, window: &SlidingWindow, owner: ArrayId) -> bool {
    let is_any_byte = plain_element(scop.array(owner)).is_some_and(|element| !element.contains("_Bool"));
    is_any_byte && shifting::can_end_with(source, scop, scop.loops()[window.time().0])
}

impl<'a> Slide<'a> {
    fn of(source: &str, decisions: &'a Decisions, (window, buffer): (&'a SlidingWindow, &'a ValueBuffer)) -> Slide<'a> {
        let named = |what: &str| free_name(&format!("{}_{what}", buffer.name), decisions.scop, source);
        Slide { window, name: &buffer.name, from: named("from"), top: named("top") }
    }

    /// The loop whose turns move it.
    pub(crate) fn time<'s>(&self, scop: &'s Scop) -> &'s Loop {
        scop.loops()[self.window.time().0]
    }

    /// Whether it is of the buffer with this class in front.
    pub(crate) fn is_of(&self, first: ArrayId) -> bool {
        first == self.window.buffer()
    }

    /// How it moves, in words.
    pub(crate) fn how(&self, scop: &Scop) -> String {
        let cells = match self.window.slope() {
            1 => "1 cell".to_string(),
            by => format!("{by} cells"),
        };
        format!("{cells} further down after each turn of the loop over {}", self.time(scop).iterator)
    }

    /// The first coordinate of the values that an access finds, counted from the turn.
    pub(crate) fn version(&self, (statement, access): (StatementId, usize), place: &Placed) -> String {
        self.window.version(statement, access, place.array()).to_string()
    }

    /// How accesses to a place find their cells.
    pub(crate) fn moved(&self, decisions: &Decisions, place: &Placed) -> Result<Moved> {
        let first = decisions.names.value(&self.window.lowest().sub(&place.rows()[0].shift)?.coalesce()?)?;
        Ok(Moved::Slide { from: self.from.clone(), first })
    }

    /// How the comment above a declaration calls the place of a value of a cell called by `coordinates` that is there when a turn begins.
    pub(crate) fn description(&self, decisions: &Decisions, place: &Placed, coordinates: &[String]) -> Result<String> {
        let Moved::Slide { from, first } = self.moved(decisions, place)? else { return Err(fault("a window stands")) };
        in_slide(self.name, &from, place, coordinates, &first)
    }

    fn can_be_written(&self, decisions: &Decisions) -> Result<bool> {
        let texts = [decisions.names.value(self.window.room())?, self.last(decisions)?];
        Ok(!texts.iter().any(|text| needs_helpers(text)))
    }

    /// The last of the cells that move, counted from the first one, or less than 0.
    fn last(&self, decisions: &Decisions) -> Result<String> {
        let less = format!("{{ [({})] }}", -1 - self.window.slope());
        let last = self.window.cells().add(&PwAff::read(decisions.proved.context(), &less)?)?;
        decisions.names.value(&last.coalesce()?)
    }

    /// The declarations of its names.
    pub(crate) fn declarations(&self, decisions: &Decisions) -> Result<[String; 2]> {
        let Slide { from, top, .. } = self;
        let room = decisions.names.value(self.window.room())?;
        Ok([format!("const long {top} = {room};"), format!("long {from} = {top};")])
    }

    /// What moves it at the end of each turn.
    pub(crate) fn lines(&self, source: &str, decisions: &Decisions, step: &str) -> Result<Vec<String>> {
        let Slide { window, name, from, top } = self;
        let (at, by, last) = (free_name("at", decisions.scop, source), window.slope(), self.last(decisions)?);
        // There are fewer cells below the window than it would go down.
        let (test, goes, begin) = match by {
            1 => (format!("{from} > 0"), format!("{from}--;"), at.clone()),
            _ => (format!("{from} >= {by}"), format!("{from} -= {by};"), format!("{at} + {from}")),
        };
        Ok(vec![
            format!("if ({test})"),
            format!("{step}{goes}"),
            "else {".to_string(),
            format!("{step}for (long {at} = {last}; {at} >= 0; {at}--)"),
            format!("{step}{step}{name}[{at} + {top} + {by}] = {name}[{begin}];"),
            format!("{step}{from} = {top};"),
            "}".to_string(),
        ])
    }
}
