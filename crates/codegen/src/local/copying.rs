//! Loops that copy cells between an array and a local one.
//!
//! ```text
//! { copy[x, y] -> [x] : x is copied and y is its place }      makes      for (c0 = n; c0 < 3 * n; c0 += 2) A_local[(c0 - n) / 2] = A[c0][…];
//! ```
//!
//! The loops go through the array's cells in row-major order, the set exactly: nothing beside it is read or written. Where transfers are longer
//! than a cell, they go through the beginnings of runs ([`Runs`]).
//!
//! Cells that are never copied at the values that macros have stand behind a condition on sizes: compilers take the branch for
//! possible otherwise, and warn of local arrays that would be too small for it.

use super::index::Expressions;
use super::manner::{Run, RunSide, Tag, Transfer};
use super::runs::Runs;
use super::widths::typed_loops;
use crate::fault;
use crate::flat::factor;
use crate::loops::widths::long;
use crate::loops::{Operations, printed, readable};
use crate::names::LONG;
use crate::subscript::parenthesized;
use polyfold_compact::Local;
use polyfold_isl::{Ast, AstExpr, ErrorKind, Map, Result, Set};

/// No more elementary steps are spent on fewer pieces of what is copied, and on loops through all cells in row-major order, where there are loops
/// through parts of them.
const MOST_STEPS: u64 = 100_000;

/// Where cells are copied.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Into,
    Back,
}

/// Cells that are copied.
pub(super) struct Copying<'a> {
    pub(super) local: &'a Local,
    pub(super) cells: &'a Set,
    pub(super) direction: Direction,
    /// The array, and its local one with the number of its buffer, in C.
    pub(super) names: (&'a str, &'a str),
    /// How long the array's rows are, in C, if its references write all subscripts as one: `A[i * w + j]`; and whether C computes that as `int`.
    pub(super) rows: Option<(&'a [String], bool)>,
    /// The element's type, and its bytes if they are known.
    pub(super) element: (&'a str, Option<u64>),
    pub(super) transfer: &'a Transfer,
    pub(super) tag: &'a Tag,
}

impl Copying<'_> {
    /// The lines.
    pub(super) fn lines(&self, expressions: &Expressions, indent: &str) -> Result<String> {
        let cells = self.cells.intersect_params(&expressions.context)?;
        let Some((cells, idle)) = without_idle(&cells, expressions)? else {
            return self.lines_of(&cells, expressions, indent);
        };
        let sizes = idle.params()?.for_any(&expressions.changing)?;
        let test = expressions.condition(&sizes)?;
        let inside = self.lines_of(&idle, expressions, &format!("{indent}  "))?;
        Ok(format!("{}{indent}if ({test}) {{\n{inside}{indent}}}\n", self.lines_of(&cells, expressions, indent)?))
    }

    fn lines_of(&self, cells: &Set, expressions: &Expressions, indent: &str) -> Result<String> {
        let mut lines = String::new();
        if cells.is_empty()? {
            return Ok(lines);
        }
        let (runs, others) = match self.transfer {
            Transfer::Assignments => (Vec::new(), cells.clone()),
            Transfer::Memcpy | Transfer::Functions(_) => Runs::of(self.local, cells)?,
        };
        for run in &runs {
            lines.push_str(&self.loops(&run.points, true, expressions, indent)?);
        }
        if !others.is_empty()? {
            let points = self.local.shape.map.intersect_domain(&others)?.wrap()?.flatten()?;
            lines.push_str(&self.loops(&points, false, expressions, indent)?);
        }
        Ok(lines)
    }

    /// Loops through points whose first coordinates are a cell's.
    fn loops(&self, points: &Set, are_runs: bool, expressions: &Expressions, indent: &str) -> Result<String> {
        let (x, count) = (self.local.cells.dimensions()?, points.dimensions()?);
        let all: Vec<String> = (0..count).map(|k| format!("x{k}")).collect();
        let (cell, all) = (all[..x].join(", "), all.join(", "));
        let ctx = points.context();
        let points = points.apply(&Map::read(ctx, &format!("{{ [{all}] -> copy[{all}] }}"))?)?;
        let points = match ctx.with_quota(MOST_STEPS, || points.coalesce()) {
            Err(error) if error.kind == ErrorKind::Quota => points,
            merged => merged?,
        };
        let scanned = |points: &Set, dates: &str, counters: usize| {
            let dates = Map::read(ctx, &format!("{{ copy[{all}] -> [{dates}] }}"))?.intersect_domain(points)?;
            Ast::of(&[dates], &expressions.context, &expressions.counters[..counters])
        };
        let by_cells = |points: &Set| scanned(points, &cell, x);
        let asts = match ctx.with_quota(MOST_STEPS, || by_cells(&points)) {
            Err(error) if matches!(error.kind, ErrorKind::Invalid | ErrorKind::Quota) => {
                match apart(&points)?.iter().map(by_cells).collect::<Result<Vec<Ast>>>() {
                    // Where isl does not see that a cell has one place it wants loops of one turn through the places.
                    Err(error) if error.kind == ErrorKind::Invalid => vec![scanned(&points, &all, count)?],
                    other => other?,
                }
            }
            other => vec![other?],
        };
        let text =
            |ast| Copy { copying: self, dimensions: x, are_runs, expressions, long: Vec::new() }.text(ast, indent);
        asts.into_iter().map(text).collect()
    }
}

/// The cells that may be copied at the values that macros have, and those that never are there; `None`: there are none of
/// these, or what tells them apart are sizes alone.
fn without_idle(cells: &Set, expressions: &Expressions) -> Result<Option<(Set, Set)>> {
    let Some(own) = expressions.own_sizes.as_ref().filter(|_| !expressions.changing.is_empty()) else {
        return Ok(None);
    };
    let sizes = |piece: &Set| piece.params()?.for_any(&expressions.changing);
    let (mut kept, mut idle): (Option<Set>, Option<Set>) = (None, None);
    for piece in apart(cells)? {
        let side = if sizes(&piece)?.intersect(own)?.is_empty()? { &mut idle } else { &mut kept };
        *side = Some(match side.take() {
            Some(others) => others.union(&piece)?,
            None => piece,
        });
    }
    let (Some(kept), Some(idle)) = (kept, idle) else { return Ok(None) };
    // Where both are there at the same sizes, a condition on what changes tells them apart.
    let both = sizes(&kept)?.intersect(&sizes(&idle)?)?;
    Ok(if both.is_empty()? { None } else { Some((kept.coalesce()?, idle.coalesce()?)) })
}

/// The convex parts of a set, without what others have. Each cell is copied once, in any order.
fn apart(points: &Set) -> Result<Vec<Set>> {
    let mut parts: Vec<Set> = Vec::new();
    for piece in points.convex_pieces()? {
        let mut left = piece;
        for other in &parts {
            left = left.subtract(other)?;
        }
        parts.extend(left.convex_pieces()?);
    }
    Ok(parts)
}

/// One copied cell, or run of cells.
pub(super) struct Copy<'a> {
    copying: &'a Copying<'a>,
    /// Of the array.
    dimensions: usize,
    are_runs: bool,
    expressions: &'a Expressions,
    /// Counters that are.
    long: Vec<String>,
}

impl Copy<'_> {
    /// The lines of loops.
    fn text(mut self, ast: Ast, indent: &str) -> Result<String> {
        let mut ast = readable(ast, &self);
        if let Some(widening) = &self.expressions.widening {
            (ast, self.long) = typed_loops(ast, widening, self.expressions.is_wide)?;
        }
        self.written(&ast, indent)
    }

    fn side(&self, name: &str, coordinates: &[AstExpr]) -> Result<RunSide> {
        let mut subscripts = coordinates.iter().map(|e| self.print(e)).collect::<Result<Vec<String>>>()?;
        let last = subscripts.pop();
        let row: String = subscripts.iter().map(|e| format!("[{e}]")).collect();
        Ok(RunSide { row: format!("{name}{row}"), last })
    }

    /// The array's side.
    fn global(&self, coordinates: &[AstExpr]) -> Result<RunSide> {
        let Copying { names: (name, _), rows, .. } = self.copying;
        let Some((rows, is_int)) = rows else { return self.side(name, coordinates) };
        let (first, inner) = coordinates.split_first().ok_or_else(|| fault("a row without subscripts"))?;
        let first = if *is_int { self.print(first)? } else { self.as_long(first)? };
        let inner = inner.iter().map(|e| self.print(e)).collect::<Result<Vec<String>>>()?;
        let flat = inner.iter().zip(*rows).fold(first, |sum, (subscript, row)| {
            let begins = format!("{} * {}", factor(&sum), factor(row));
            if subscript == "0" { begins } else { format!("{begins} + {}", parenthesized(subscript)) }
        });
        Ok(RunSide { row: name.to_string(), last: Some(flat) })
    }
}

impl Copy<'_> {
    /// A subscript that makes what it is multiplied with `long`.
    fn as_long(&self, subscript: &AstExpr) -> Result<String> {
        match subscript {
            AstExpr::Number(number) => Ok(format!("{number}L")),
            AstExpr::Name(name) if self.long.contains(name) || name.starts_with(LONG) => self.print(subscript),
            _ => self.print(&long(subscript)),
        }
    }
}

impl Copy<'_> {
    /// What copies a cell, or a run of cells.
    pub(super) fn statement(&self, coordinates: &[AstExpr]) -> Result<String> {
        let Copying { local, direction, names, element, transfer, tag, .. } = self.copying;
        let places = local.shape.extents.len();
        let length = if self.are_runs { coordinates.get(self.dimensions + places) } else { None };
        let (Some(cell), Some(place), true) = (
            coordinates.get(..self.dimensions),
            coordinates.get(self.dimensions..self.dimensions + places),
            length.is_some() == self.are_runs,
        ) else {
            return Err(fault("a copied cell has too few coordinates"));
        };
        let length = length.map_or(Ok("1".to_string()), |length| self.print(length))?;
        let (cell, place) = (self.global(cell)?, self.side(names.1, place)?);
        let is_into = *direction == Direction::Into;
        let (to, from) = if is_into { (place, cell) } else { (cell, place) };
        let run = Run { to, from, length, element: *element, is_into, counter: &self.expressions.run_counter };
        let is_apart = !self.are_runs && **transfer == Transfer::Memcpy;
        Ok(if is_apart { Transfer::Assignments.run(&run, tag) } else { transfer.run(&run, tag) })
    }

    /// Whether the statement has an `if`, to which an `else` behind it might belong.
    pub(super) fn has_if(&self) -> bool {
        matches!(self.copying.transfer, Transfer::Functions(_))
    }

    /// An expression of sizes and counters.
    pub(super) fn print(&self, expr: &AstExpr) -> Result<String> {
        printed(expr, &|isl| self.expressions.name(isl))
    }

    /// How a loop begins that sets a counter.
    pub(super) fn head(&self, counter: &str) -> String {
        let is_long = self.long.iter().any(|long| long == counter);
        format!("{} {counter}", if is_long { "long" } else { "int" })
    }
}

impl Operations for Copy<'_> {
    fn counters(&self, _name: &str) -> Vec<String> {
        Vec::new()
    }

    fn may_be_counter(&self, _name: &str) -> bool {
        false
    }
}
