//! Runs: cells that lie side by side in an array and in its local one.
//!
//! ```text
//! run at (p, first)  =  { (p, x) : first(p) <= x <= last(p) }        with places y(p, x) = y(p, first) + (0, …, 0, x - first)
//! ```
//!
//! Each convex piece of the cells that has one such interval for each p, and whose places follow one another, is copied in runs; all others
//! cell by cell.
//!
//! Example: a tile of 32 columns is 32 runs of 32 cells; every other cell of a row has no runs.
//!
//! Limits: rows that follow each other in both arrays are runs of their own.

use polyfold_compact::Local;
use polyfold_isl::{Map, Result, Set};

/// Runs of one form.
pub(super) struct Runs {
    /// `{ [x, y, length] }`: the first cell, its place, and how many cells follow one another.
    pub(super) points: Set,
}

impl Runs {
    /// The runs of some cells, and the cells that are in none.
    pub(super) fn of(local: &Local, cells: &Set) -> Result<(Vec<Runs>, Set)> {
        if let Some(runs) = Runs::all(local, cells)? {
            return Ok((vec![runs], cells.subtract(cells)?));
        }
        let (mut found, mut others) = (Vec::new(), cells.clone());
        for piece in cells.disjoint()?.convex_pieces()? {
            if let Some(runs) = Runs::all(local, &piece)? {
                found.push(runs);
                others = others.subtract(&piece)?;
            }
        }
        Ok((found, others.coalesce()?))
    }

    /// The cells as one run for each choice of the other subscripts; `None`: they are not.
    fn all(local: &Local, cells: &Set) -> Result<Option<Runs>> {
        let ctx = cells.context();
        let (x, y) = (cells.dimensions()?, local.shape.extents.len());
        let names = |letter: &str, count: usize| (0..count).map(|k| format!("{letter}{k}")).collect::<Vec<_>>();
        let (before, all) = (names("p", x - 1).join(", "), names("p", x - 1));
        let with = |more: &[&str]| [all.clone(), more.iter().map(ToString::to_string).collect()].concat().join(", ");
        let rows =
            cells.apply(&Map::read(ctx, &format!("{{ [{}] -> [[{before}] -> [x]] }}", with(&["x"])))?)?.unwrap()?;
        let ends = rows.lexmin()?.flat_range_product(&rows.lexmax()?)?;
        let ends = ends.wrap()?.flatten()?;
        let between = Map::read(ctx, &format!("{{ [{}] -> [{}] : a <= x <= b }}", with(&["a", "b"]), with(&["x"])))?;
        if !ends.apply(&between)?.is_subset(cells)? || !follows(local, cells, x, y)? {
            return Ok(None);
        }
        let lengths = format!("{{ [{}] -> [[{}] -> [b - a + 1]] }}", with(&["a", "b"]), with(&["a"]));
        let lengths = ends.apply(&Map::read(ctx, &lengths)?)?.unwrap()?;
        let places = local.shape.map.intersect_domain(&lengths.domain()?)?;
        let points = places.flat_range_product(&lengths)?.wrap()?.flatten()?;
        Ok(Some(Runs { points }))
    }
}

/// Whether the place of a cell's right neighbour is the right neighbour of its place.
fn follows(local: &Local, cells: &Set, x: usize, y: usize) -> Result<bool> {
    let ctx = cells.context();
    let step = |count: usize, letter: &str| {
        let from: Vec<String> = (0..count).map(|k| format!("{letter}{k}")).collect();
        let mut to = from.clone();
        if let Some(last) = to.last_mut() {
            last.push_str(" + 1");
        }
        Map::read(ctx, &format!("{{ [{}] -> [{}] }}", from.join(", "), to.join(", ")))
    };
    let neighbours = step(x, "x")?.intersect_domain(cells)?.intersect_range(cells)?;
    if neighbours.is_empty()? {
        return Ok(true);
    }
    if y == 0 {
        return Ok(false);
    }
    let places = &local.shape.map;
    neighbours.apply_domain(places)?.apply_range(places)?.is_subset(&step(y, "y")?)
}
