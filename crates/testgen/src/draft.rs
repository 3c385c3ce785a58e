//! A program in the making: its arrays, its text so far, and what the stages share.
//!
//! The invariant that makes every program defined: once a stage is through, each array in [`Draft::sources`] holds
//! a value in every cell of its region, at every size.

use std::collections::BTreeSet;

use crate::array::{Array, Kind, Memory, Region, Size};
use crate::options::{Feature, Options};
use crate::random::Random;
use crate::text::Lines;

/// The counters by depth.
pub(crate) const COUNTERS: [&str; 4] = ["i", "j", "k", "l"];

/// A loop over `low..size - high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counter {
    pub(crate) name: &'static str,
    pub(crate) size: Size,
    pub(crate) low: i64,
    pub(crate) high: i64,
}

pub(crate) struct Draft {
    pub(crate) seed: u64,
    pub(crate) options: Options,
    pub(crate) random: Random,
    pub(crate) arrays: Vec<Array>,
    /// Indices of the arrays that may be read.
    pub(crate) sources: Vec<usize>,
    pub(crate) scalars: Vec<String>,
    pub(crate) counters: BTreeSet<&'static str>,
    pub(crate) features: BTreeSet<Feature>,
    pub(crate) element: &'static str,
    pub(crate) macros: bool,
    /// What the second size is called at run time.
    pub(crate) second: &'static str,
    pub(crate) lines: Lines,
}

impl Draft {
    /// Draws whether to use a feature; the draw is made even if the feature is off.
    pub(crate) fn chance(&mut self, feature: Feature, percent: usize) -> bool {
        let drawn = self.random.percent(percent);
        drawn && self.allow(feature)
    }

    /// Whether a feature is allowed; notes that it is used.
    pub(crate) fn allow(&mut self, feature: Feature) -> bool {
        let allowed = self.options.features.contains(&feature);
        if allowed {
            self.features.insert(feature);
        }
        allowed
    }

    pub(crate) fn size(&self, size: Size) -> String {
        let (n, m) = if self.macros {
            (format!("N{}", self.seed), format!("M{}", self.seed))
        } else {
            ("n".into(), self.second.into())
        };
        match size {
            Size::N => n,
            Size::M => m,
            Size::HalfN => format!("{n} / 2 + 1"),
            Size::MorePerM => format!("{m} + 1"),
            Size::Product => format!("{n} * {m}"),
            Size::Constant(value) => value.to_string(),
        }
    }

    /// Declares an array that nothing may read yet.
    pub(crate) fn declare(&mut self, kind: Kind, extents: &[Size], region: Region) -> usize {
        let prefix = match kind {
            Kind::Input => "in",
            Kind::Output => "out",
            Kind::Temporary => "T",
        };
        let number = self.arrays.iter().filter(|a| a.kind == kind).count();
        let mixed = self.random.percent(25);
        let element = match (kind, self.element) {
            (Kind::Temporary, "unsigned") if mixed && self.allow(Feature::MixedTypes) => "unsigned long",
            (_, element) => element,
        };
        let name = format!("{prefix}{number}");
        self.arrays.push(Array { name, element, extents: extents.to_vec(), region, kind, memory: Memory::Declared });
        self.arrays.len() - 1
    }

    pub(crate) fn temporary(&mut self, extents: &[Size], region: Region) -> usize {
        self.declare(Kind::Temporary, extents, region)
    }

    pub(crate) fn scalar(&mut self) -> String {
        self.scalars.push(format!("s{}", self.scalars.len()));
        self.scalars[self.scalars.len() - 1].clone()
    }

    /// The shape of a new array.
    pub(crate) fn shape(&mut self) -> Vec<Size> {
        use Size::{Constant, M, N};
        let one = *self.random.pick(&[N, N, M]);
        let two = *self.random.pick(&[[N, N], [N, M], [N, M], [M, N]]);
        let three = *self.random.pick(&[[N, M, Constant(3)], [N, N, M], [Constant(3), N, M]]);
        let dimensions = self.random.below(10);
        match dimensions {
            8.. if self.allow(Feature::ThreeDimensions) => three.to_vec(),
            3.. if self.allow(Feature::TwoDimensions) => two.to_vec(),
            _ => vec![one],
        }
    }

    /// An array that may be read.
    pub(crate) fn source(&mut self) -> usize {
        // The latest arrays twice as often: chains are more interesting than stars.
        let from = if self.random.percent(50) { self.sources.len().saturating_sub(2) } else { 0 };
        let at = from + self.random.below(self.sources.len() - from);
        self.sources[at]
    }

    /// An array that a stage may change: a temporary that is fully defined.
    pub(crate) fn changeable(&mut self) -> Option<usize> {
        let arrays = &self.arrays;
        let candidates: Vec<usize> =
            self.sources.iter().copied().filter(|a| arrays[*a].kind == Kind::Temporary).collect();
        let draw = self.random.below(candidates.len().max(1));
        candidates.get(draw).copied()
    }

    /// Whether some statement reads an array: compilers warn about a variable that is only set.
    pub(crate) fn reads(&self, array: &Array) -> bool {
        let reference = format!("{}[", array.name);
        let after_its_start = |l: &String| l.trim_start().get(1..).is_some_and(|rest| rest.contains(&reference));
        self.lines.iter().any(after_its_start)
    }

    pub(crate) fn floating(&self) -> bool {
        self.element != "unsigned"
    }

    /// A literal of the element type.
    pub(crate) fn literal(&self, value: u32) -> String {
        match self.element {
            "unsigned" => format!("{value}u"),
            "float" => format!("{value}.0f"),
            _ => format!("{value}.0"),
        }
    }
}

/// One whole loop for each extent.
pub(crate) fn counters(extents: &[Size]) -> Vec<Counter> {
    interior(extents, 0)
}

/// One loop for each extent that stays `margin` away from both ends.
pub(crate) fn interior(extents: &[Size], margin: i64) -> Vec<Counter> {
    let counter = |(name, size): (&&'static str, &Size)| Counter { name, size: *size, low: margin, high: margin };
    COUNTERS.iter().zip(extents).map(counter).collect()
}

/// `A[i][j]` for the counters of `A`'s own nest.
pub(crate) fn cell(array: &Array, counters: &[Counter]) -> String {
    counters.iter().fold(array.name.clone(), |text, c| format!("{text}[{}]", c.name))
}
