//! Loops that copy cells between an array and a local one.
//!
//! ```text
//! { copy[x, y] -> [x] : x is copied and y is its place }      makes      for (c0 = n; c0 < 3 * n; c0 += 2) A_local[(c0 - n) / 2] = A[c0][…];
//! ```
//!
//! The loops go through the array's cells in row-major order, the set exactly: nothing beside it is read or written.

use super::index::Expressions;
use crate::fault;
use crate::loops::{Operations, loops_in_c};
use polyfold_compact::Local;
use polyfold_isl::{Ast, AstExpr, ErrorKind, Map, Result, Set};

/// Where cells are copied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Into,
    Back,
}

/// Lines that copy cells between an array and its local one.
pub(super) fn copy_loops(
    local: &Local,
    direction: Direction,
    (array, name): (&str, &str),
    expressions: &Expressions,
    indent: &str,
) -> Result<String> {
    let cells = if direction == Direction::Into { &local.copies.into } else { &local.copies.back };
    let cells = cells.intersect_params(&expressions.context)?;
    if cells.is_empty()? {
        return Ok(String::new());
    }
    let (x, y) = (local.cells.dimensions()?, local.shape.extents.len());
    let names = |letter: &str, count: usize| (0..count).map(|k| format!("{letter}{k}")).collect::<Vec<_>>();
    let all = [names("x", x), names("y", y)].concat().join(", ");
    let ctx = cells.context();
    let points = local.shape.map.intersect_domain(&cells)?.wrap()?.flatten()?;
    let points = points.apply(&Map::read(ctx, &format!("{{ [{all}] -> copy[{all}] }}"))?)?.coalesce()?;
    let dates = Map::read(ctx, &format!("{{ copy[{all}] -> [{}] }}", names("x", x).join(", ")))?;
    let loops = |points: &Set| {
        let dates = dates.intersect_domain(points)?;
        let ast = Ast::of(&[dates], &expressions.context, &expressions.counters[..x])?;
        loops_in_c(ast, &Copy { array, name, dimensions: x, direction, expressions }, indent)
    };
    match loops(&points) {
        // Where steps differ isl may want a loop more than there are dimensions: each cell is copied once in any order.
        Err(error) if error.kind == ErrorKind::Invalid => {
            let (mut text, mut left) = (String::new(), points.clone());
            for piece in points.convex_pieces()? {
                text.push_str(&loops(&left.intersect(&piece)?)?);
                left = left.subtract(&piece)?;
            }
            Ok(text)
        }
        other => other,
    }
}

/// One copied cell.
struct Copy<'a> {
    array: &'a str,
    /// Of the local array.
    name: &'a str,
    /// Of the array.
    dimensions: usize,
    direction: Direction,
    expressions: &'a Expressions,
}

impl Operations for Copy<'_> {
    fn statement(&self, _name: &str, coordinates: &[AstExpr]) -> Result<String> {
        if coordinates.len() < self.dimensions {
            return Err(fault("a copied cell has too few coordinates"));
        }
        let subscripts =
            |all: &[AstExpr]| all.iter().map(|e| Ok(format!("[{}]", self.print(e)?))).collect::<Result<String>>();
        let (cell, place) = coordinates.split_at(self.dimensions);
        let (cell, place) = (subscripts(cell)?, subscripts(place)?);
        let (cell, place) = (format!("{}{cell}", self.array), format!("{}{place}", self.name));
        Ok(match self.direction {
            Direction::Into => format!("{place} = {cell};"),
            Direction::Back => format!("{cell} = {place};"),
        })
    }

    fn has_if(&self, _name: &str) -> bool {
        false
    }

    fn size(&self, isl: &str) -> String {
        self.expressions.name(isl)
    }

    fn head(&self, counter: &str) -> String {
        let word = if self.expressions.is_wide { "long" } else { "int" };
        format!("{word} {counter}")
    }

    fn counters(&self, _name: &str) -> Vec<String> {
        Vec::new()
    }

    fn may_be_counter(&self, _name: &str) -> bool {
        false
    }
}
