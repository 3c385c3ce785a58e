//! How large an array is that nobody declares.
//!
//! Example: of `{ S[i] -> A[i + 1] : 0 <= i < n }` the array A has n + 1 cells, or 1 if there is no i.

use crate::fault::Fault;
use crate::problem::{Array, Problem};
use crate::sizes::integer;
use polyfold_isl::{CText, Map, PwAff, Set};
use polyfold_program::Int;

/// Up to the largest subscripts; `None`: there is no largest one.
pub(crate) fn extents(problem: &Problem, array: &Array) -> Result<Vec<Option<Int>>, Fault> {
    let mut cells: Option<Set> = None;
    for statement in &problem.statements {
        let domain = statement.domain.intersect_params(&problem.context)?;
        for access in &statement.accesses {
            if access.relation.tuple_names().1.as_deref() == Some(array.isl.as_str()) {
                let here = access.relation.intersect_domain(&domain)?.range()?;
                cells = Some(match cells {
                    Some(others) => others.union(&here)?,
                    None => here,
                });
            }
        }
    }
    let Some(cells) = cells else { return Ok(vec![Some(Int::Constant(1))]) };
    let is_bounded = cells.is_bounded()?;
    let extent = |k| if is_bounded { extent(problem, &cells, k).map(Some) } else { Ok(None) };
    (0..cells.dimensions()?).map(extent).collect()
}

fn extent(problem: &Problem, cells: &Set, dimension: usize) -> Result<Int, Fault> {
    let ctx = cells.context();
    let one = PwAff::read(ctx, "{ [1] }")?;
    let nothing = Map::read(ctx, &format!("{}{{ [] -> [0] }}", Problem::prefix(&problem.parameters)))?.range()?;
    let largest = cells.dim_max(dimension)?.graph()?.union(&nothing)?.dim_max(0)?.add(&one)?;
    let largest = largest.gist_params(&problem.context)?.coalesce()?;
    integer(problem, &CText::new(&problem.context)?, &largest, &|_| None)
}
