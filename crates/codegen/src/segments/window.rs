//! Where a subscript stands while it does not wrap around.
//!
//! A remainder whose value grows by s with the counter i is `at + s i` for all i up to the next multiple of the modulus, if
//! `at` is what is left of it without `s i` when the segment begins. Position and modulus alone say when that is:
//!
//! ```text
//! grows:  at + s i <= M − 1        shrinks:  at + s i >= 0
//! ```

use super::common::Common;
use super::head::Head;
use crate::subscript::{Positions, parenthesized};

/// A subscript in a segment.
#[derive(Clone)]
pub(super) struct Window {
    pub(super) name: String,
    common: Common,
    /// By how much it grows with the counter; 0: it has a name all the same.
    slope: i64,
}

impl Window {
    pub(super) fn new(name: String, common: Common, slope: i64) -> Window {
        Window { name, common, slope }
    }

    pub(super) fn common(&self) -> &Common {
        &self.common
    }

    /// By how much it grows with the counter.
    pub(super) fn slope(&self) -> i64 {
        self.slope
    }

    /// Whether its value is larger by one than another one's, with which it moves.
    pub(super) fn follows(&self, other: &Window) -> bool {
        self.slope == 1 && other.slope == 1 && self.common.follows(&other.common)
    }

    /// What stands for the subscripts of some.
    pub(super) fn positions(windows: &[Window], counter: &str) -> Positions {
        let of = |own: &Window| {
            own.common.texts.iter().map(|text| (text.clone(), own.position(counter))).collect::<Vec<_>>()
        };
        Positions(windows.iter().flat_map(of).collect())
    }

    /// The subscript in a segment.
    pub(super) fn position(&self, counter: &str) -> String {
        let Window { name, slope, .. } = self;
        match slope.unsigned_abs() {
            0 => name.clone(),
            1 => format!("{name} {} {counter}", if *slope < 0 { '-' } else { '+' }),
            multiple => format!("{name} {} {multiple} * {counter}", if *slope < 0 { '-' } else { '+' }),
        }
    }

    /// Its declaration, when a segment begins; `before` is one that it follows.
    ///
    /// A remainder that not every iteration uses may be negative in one that does not; if it shrinks, the segment would have no
    /// iteration then.
    pub(super) fn declaration(&self, head: &Head, before: Option<&Window>) -> String {
        let Window { name, common, slope } = self;
        let modulus = parenthesized(common.modulus());
        if let Some(Window { name: before, .. }) = before {
            let counter = head.counter;
            return format!("{name} = {before} + {counter} + 1 < {modulus} ? {before} + 1 : -(long){counter}");
        }
        let sign = if *slope < 0 { '+' } else { '-' };
        let position = common.text();
        let grows = (*slope > 0) == head.is_upward;
        let position = if common.is_sure || grows {
            position.to_string()
        } else {
            format!("({position} + {modulus}) % {modulus}")
        };
        match slope.unsigned_abs() {
            0 => format!("{name} = {}", common.text()),
            1 => format!("{name} = {position} {sign} {}", head.counter),
            multiple => format!("{name} = {position} {sign} {multiple} * (long){}", head.counter),
        }
    }

    /// The last value of the counter, which goes up by one as the subscript does, that is so many cells in front of the modulus.
    pub(super) fn end(&self, cells: i64) -> String {
        self.common.end(&self.name, cells)
    }

    /// The last value of the counter in a segment; `None`: the subscript does not change in the loop.
    pub(super) fn last(&self, head: &Head) -> Option<String> {
        let Window { name, common, slope } = self;
        let counter = head.counter;
        let grows = (*slope > 0) == head.is_upward;
        let modulus = parenthesized(common.modulus());
        Some(match (slope, grows) {
            (0, _) => return None,
            (1, true) => self.end(1),
            (1, false) => format!("-{name}"),
            (-1, true) => format!("{name} - {modulus} + 1"),
            (-1, false) => name.clone(),
            _ => {
                let position = self.position(counter);
                let left = if grows { format!("{} - ({position})", common.in_front(1)) } else { position };
                let sign = if head.is_upward { '+' } else { '-' };
                format!("{counter} {sign} ({left}) / {}", slope.unsigned_abs())
            }
        })
    }
}
