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
//!     u_from -= 1;
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
//! Elements that not every byte is, such as `_Bool`, keep the ring.

use crate::described::Words;
use crate::home::free_name;
use crate::types::{is_any_byte, plain_element};
use crate::{Decisions, Form, ValueBuffer};
use polyfold_isl::Result;
use polyfold_prove::{Placed, SlidingWindow};
use polyfold_scop::{ArrayId, Loop, Scop};

/// A window that is written so.
pub struct WrittenSlide<'a> {
    /// What is proved of it.
    pub window: &'a SlidingWindow,
    /// The buffer.
    pub name: &'a str,
    /// Where it begins, by name.
    pub from: String,
    /// Where that is at most, by name.
    pub top: String,
}

/// The windows that are written so.
pub(crate) fn written<'a>(source: &str, decisions: &'a Decisions) -> Vec<WrittenSlide<'a>> {
    let slide = |window: &'a SlidingWindow| {
        let buffer = decisions.value_buffers.iter().find(|buffer| buffer.first == window.buffer())?;
        let can_be = can_slide(decisions.scop, buffer.owner);
        can_be.then(|| WrittenSlide::of(source, decisions, (window, buffer)))
    };
    let all = decisions.forms.sliding.iter().filter(|_| decisions.form == Form::Fast);
    all.filter_map(slide).collect()
}

/// Whether a window with values of an array may be written so: cells may move that nobody has written.
pub fn can_slide(scop: &Scop, owner: ArrayId) -> bool {
    plain_element(scop.array(owner)).is_some_and(|element| is_any_byte(&element))
}

impl<'a> WrittenSlide<'a> {
    fn of(
        source: &str,
        decisions: &'a Decisions,
        (window, buffer): (&'a SlidingWindow, &'a ValueBuffer),
    ) -> WrittenSlide<'a> {
        let named = |what: &str| free_name(&format!("{}_{what}", buffer.name), decisions.scop, source);
        WrittenSlide { window, name: &buffer.name, from: named("from"), top: named("top") }
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

    /// How the comment above a declaration calls the place of a value of a cell called by `coordinates` that is there when a turn begins.
    pub(crate) fn description(&self, words: &mut Words, place: &Placed, coordinates: &[String]) -> Result<String> {
        let first = words.sizes.int(&self.window.lowest().sub(&place.rows()[0].shift)?.coalesce()?)?;
        let coordinates = words.all_named(coordinates);
        let place = words.place_in_slide(&self.from, place, &coordinates, first);
        Ok(words.cell(self.name, &[place]))
    }
}
