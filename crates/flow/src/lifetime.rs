//! Cells by lifetime class: those that the same parts of a program write and read, a part being a loop nest or statement at its top.
//!
//! Where small sizes alone tell cells apart they stay together: with five points, what stands in the middle of a grid of 3 by 3 is read by no neighbour, and a class for it would
//! be a case in the text for all sizes.
//!
//! Example: in `for i: Q[i] = …; for t: { for i in 1..n: P[i] = f(Q[i-1], Q[i], Q[i+1]); for i in 1..n: Q[i] = P[i]; }` the ends of Q are a class each, and 1 … n is one.
//!
//! Paper: SMO (POPL'16) §3.1, where each statement's values are an array. Deviation: those of all statements that write an array stay together.

use crate::expansion::{Touching, statements};
use polyfold_isl::{Result, Set};
use polyfold_scop::{Node, StatementId};
use std::collections::BTreeMap;

/// Arrays are split into no more classes than this.
const MOST_CLASSES: usize = 8;

/// Sizes below this are small.
const LARGE: usize = 8;

/// The classes of an array's cells; what is read and is not one polyhedron falls into several.
pub(crate) fn lifetime_classes(body: &[Node], cells: &Set, touching: &[Touching]) -> Result<Vec<Set>> {
    let nothing = cells.subtract(cells)?;
    let mut by_part: BTreeMap<(usize, bool), Set> = BTreeMap::new();
    let mut read = nothing.clone();
    for t in touching {
        let touched = t.cells.range()?;
        if t.is_read {
            read = read.union(&touched)?;
        }
        let part = (part_of(body, t.statement), t.is_read);
        let all = by_part.get(&part).unwrap_or(&nothing).union(&touched)?;
        by_part.insert(part, all);
    }
    let large = large(cells)?;
    let mut classes = vec![cells.without_conditions()?.coalesce()?];
    for touched in by_part.values() {
        let touched = touched.as_one()?.without_conditions()?.coalesce()?;
        let mut finer = Vec::new();
        for class in &classes {
            finer.extend(split(class, &touched, &large)?);
        }
        if finer.len() <= MOST_CLASSES {
            classes = finer;
        }
    }
    let mut pieces = Vec::new();
    for class in &classes {
        match class.intersect(&read)?.is_empty()? {
            true => pieces.push(class.clone()),
            false => pieces.extend(class.disjoint()?.convex_pieces()?),
        }
    }
    Ok(if pieces.len() <= MOST_CLASSES { pieces } else { classes })
}

/// A class's cells that are touched, and those that are not.
fn split(class: &Set, touched: &Set, large: &Set) -> Result<Vec<Set>> {
    let mut parts = Vec::new();
    for part in [class.intersect(touched)?, class.subtract(touched)?] {
        if !part.is_empty()? {
            parts.push(part.coalesce()?);
        }
    }
    let is_small = |part: &Set| part.intersect_params(large)?.is_empty();
    let small = parts.iter().map(is_small).collect::<Result<Vec<bool>>>()?;
    let is_one = small.iter().filter(|is_small| !**is_small).count() == 1;
    Ok(if is_one { vec![class.clone()] } else { parts })
}

/// All parameters large.
fn large(cells: &Set) -> Result<Set> {
    let names = cells.parameter_names()?;
    let all: Vec<String> = names.iter().map(|name| format!("{name} >= {LARGE}")).collect();
    let condition = if all.is_empty() { "true".to_string() } else { all.join(" and ") };
    Set::read(cells.context(), &format!("[{}] -> {{ : {condition} }}", names.join(", ")))
}

/// Which node at the top of the program holds a statement.
fn part_of(body: &[Node], statement: StatementId) -> usize {
    let holds = |node: &Node| {
        let mut found = Vec::new();
        statements(std::slice::from_ref(node), &mut found);
        found.contains(&statement)
    };
    body.iter().position(holds).unwrap_or(body.len())
}
