//! Triangles folded by central symmetry.
//!
//! A coordinate k of a box of width w is cut in the middle, at `h = ceil(w / 2)`. The part with `y_k >= h` is turned around a centre, which may lie
//! between cells, into the gap that the rest leaves along another coordinate l:
//!
//! ```text
//! (y_k, y_l)  ->  (c_k - y_k, c_l - y_l)         c_k one of 2h - 1, 2h - 2, 2h - 3
//! c_l = 1 + max { a_l + b_l : a is turned, b is not, a_k + b_k = c_k, all other coordinates are equal }
//! ```
//!
//! so that no turned cell meets another one; or `min - 1`, on the other side.
//!
//! Example: the triangle `x, y >= 0, x + y <= 9` of 55 cells fits a box of 5 times 11: c = (9, 10).
//!
//! Source: US 8,661,422. Deviation: its centre (5, 9/2) for that triangle gives 60 cells; all centres are tried.

use crate::sample::Clouds;
use crate::shape::{Known, everywhere, optimum};
use crate::text::{names, tuple};
use polyfold_isl::{Map, PwAff, Result, Set};
use std::collections::HashMap;

/// How a box is folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The coordinate that is cut.
    pub cut: usize,
    /// The coordinate along which the turned part moves.
    pub along: usize,
    /// `c_k = 2h - back`.
    pub back: i64,
    /// Whether the turned part lies behind the rest, not in front.
    pub behind: bool,
}

impl Fold {
    /// All ways to fold a box.
    pub(crate) fn all(dimensions: usize) -> Vec<Fold> {
        let mut all = Vec::new();
        for cut in 0..dimensions {
            for along in (0..dimensions).filter(|along| *along != cut) {
                for back in 1..=3 {
                    all.extend([true, false].map(|behind| Fold { cut, along, back, behind }));
                }
            }
        }
        all
    }

    /// A box, whose coordinates begin at 0, folded; `None`: the centre is not bounded.
    pub(crate) fn apply(&self, cells: &Set, map: &Map, extents: &[PwAff], known: Known) -> Result<Option<Map>> {
        let ctx = map.context();
        let image = cells.apply(map)?.coalesce()?;
        let count = image.dimensions()?;
        let half = half(&extents[self.cut])?;
        let Some(centre) = self.centre(&image, &half, known)? else { return Ok(None) };
        let y = tuple("y", count);
        let turned = names("y", count).into_iter().enumerate().map(|(k, name)| match k {
            _ if k == self.cut => format!("2*h - {} - {name}", self.back),
            _ if k == self.along => format!("c - {name}"),
            _ => name,
        });
        let turned = turned.collect::<Vec<_>>().join(", ");
        let k = self.cut;
        let text = format!("{{ [h, c] -> [[{y}] -> [{y}]] : y{k} < h; [h, c] -> [[{y}] -> [{turned}]] : y{k} >= h }}");
        let parameters = half.graph()?.flat_product(&centre.graph()?)?;
        let pairs = parameters.apply(&Map::read(ctx, &text)?)?.unwrap()?;
        map.apply_range(&pairs)?.coalesce().map(Some)
    }

    /// c_l, the same for all instances.
    fn centre(&self, image: &Set, half: &PwAff, known: Known) -> Result<Option<PwAff>> {
        let count = image.dimensions()?;
        let all: Vec<String> = [names("a", count), names("b", count), vec!["h".to_string()]].concat();
        let others = (0..count).filter(|k| *k != self.cut && *k != self.along).map(|k| format!("a{k} = b{k} and "));
        let (cut, along) = (self.cut, self.along);
        let text = format!(
            "{{ [{}] -> [a{along} + b{along}] : {}a{cut} >= h and b{cut} < h and a{cut} + b{cut} = 2*h - {} }}",
            all.join(", "),
            others.collect::<String>(),
            self.back
        );
        let sums = image.flat_product(image)?.flat_product(&half.graph()?)?;
        let sums = sums.apply(&Map::read(image.context(), &text)?)?.for_any(known.changing)?.coalesce()?;
        let bounded = if self.behind { sums.has_most(0)? } else { sums.has_least(0)? };
        let one = PwAff::read(image.context(), if self.behind { "{ [(1)] }" } else { "{ [(-1)] }" })?;
        let end = optimum(bounded, || if self.behind { sums.dim_max(0) } else { sums.dim_min(0) })?;
        let Some(end) = end else { return Ok(None) };
        let centre = everywhere(end)?;
        // Where no turned cell can meet another one, any centre is right.
        let zero = PwAff::read(image.context(), "{ [(0)] }")?.intersect_params(&half.domain()?)?;
        let elsewhere = zero.intersect_params(&half.domain()?.subtract(&centre.domain()?)?)?;
        centre.add(&one)?.union_max(&elsewhere)?.coalesce().map(Some)
    }

    /// The points of boxes whose coordinates begin at 0, folded; `widths` by size.
    pub(crate) fn apply_to_points(&self, clouds: &Clouds, widths: &[Vec<i64>]) -> Clouds {
        let folded = clouds.iter().zip(widths).map(|(size, widths)| {
            let half = (widths[self.cut] + 1).div_euclid(2);
            let around = 2 * half - self.back;
            let centre = self.centre_of_points(size, half, around);
            let turn = |y: &Vec<i64>| {
                let mut y = y.clone();
                if y[self.cut] >= half {
                    y[self.cut] = around - y[self.cut];
                    y[self.along] = centre - y[self.along];
                }
                y
            };
            size.iter().map(|cloud| cloud.iter().map(turn).collect()).collect()
        });
        folded.collect()
    }

    fn centre_of_points(&self, size: &[Vec<Vec<i64>>], half: i64, around: i64) -> i64 {
        let mut best: Option<i64> = None;
        for cloud in size {
            // The extreme coordinate of what is not turned, by all other coordinates.
            let mut ends: HashMap<Vec<i64>, i64> = HashMap::new();
            let pick = |a: i64, b: i64| if self.behind { a.max(b) } else { a.min(b) };
            for y in cloud.iter().filter(|y| y[self.cut] < half) {
                let end = ends.entry(self.key(y, y[self.cut])).or_insert(y[self.along]);
                *end = pick(*end, y[self.along]);
            }
            for y in cloud.iter().filter(|y| y[self.cut] >= half) {
                if let Some(end) = ends.get(&self.key(y, around - y[self.cut])) {
                    let sum = end + y[self.along];
                    best = Some(best.map_or(sum, |best| pick(best, sum)));
                }
            }
        }
        best.map_or(0, |best| if self.behind { best + 1 } else { best - 1 })
    }

    fn key(&self, y: &[i64], cut: i64) -> Vec<i64> {
        let mut key = y.to_vec();
        key[self.along] = 0;
        key[self.cut] = cut;
        key
    }
}

/// `ceil(w / 2)`.
fn half(width: &PwAff) -> Result<PwAff> {
    let halved = Map::read(width.context(), "{ [w] -> [floor((w + 1)/2)] }")?;
    let graph = width.graph()?.apply(&halved)?;
    graph.coordinates_of_point()?.into_iter().next().map_or_else(|| Ok(width.clone()), |half| half.coalesce())
}
