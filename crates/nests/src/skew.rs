//! Loops of a nest that run along its diagonals, where another nest reads or writes along these.
//!
//! ```text
//! for i: for j: c[i][j] = …        for d: for j: … c[d - j][j]        c over i + j, j: aligned with d, j
//! ```
//!
//! A loop of one end of a flow that no loop of the other end is aligned with may be aligned with a sum or a difference of two of these. One of the
//! two, which has no loop that it is aligned with either, runs over the sum then. The axes that come out are permuted as those of the text are
//! (`exchange`).
//!
//! Names: Wolfe, Loop Skewing: The Wavefront Method Revisited (1986).
//!
//! Invariant: at most one loop of each nest is skewed.

use crate::axis::Axis;
use crate::dependence::{Dependence, Dependences};
use crate::exchange::{are_aligned, flows, legal, permuted};
use crate::loop_order::LoopOrder;
use crate::place::Places;
use polyfold_flow::Model;
use polyfold_isl::Result;
use polyfold_scop::{ArrayId, Scop, StatementId};
use std::collections::BTreeMap;

/// Orders some of whose loops are skewed; `cells` are of the arrays that are worth it.
///
/// # Errors
/// When the work bound is reached.
pub fn skewed_orders(
    model: &Model,
    dependences: &Dependences,
    cells: &BTreeMap<ArrayId, u64>,
) -> Result<Vec<LoopOrder>> {
    let mut found = Vec::new();
    for ends in [[End::Writer, End::Reader], [End::Reader, End::Writer]] {
        let axes = skewed(model.scop, (dependences, cells), ends)?;
        if !axes.skewed().is_empty() && !found.contains(&axes) {
            let others = permuted(model, (dependences, cells), &axes)?;
            found.push(axes);
            found.extend(others);
        }
    }
    legal(model, dependences, found)
}

/// An end of a flow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Writer,
    Reader,
}

/// The axes of the text, with those skewed that flows ask for: each flow at the first of its ends that can be.
fn skewed(
    scop: &Scop,
    (dependences, cells): (&Dependences, &BTreeMap<ArrayId, u64>),
    ends: [End; 2],
) -> Result<LoopOrder> {
    let nest = |id: StatementId| scop.statement(id).loops.first();
    let flows: Vec<&Dependence> =
        flows(dependences, cells).into_iter().filter(|flow| nest(flow.from) != nest(flow.to)).collect();
    let (mut axes, mut is_done) = (LoopOrder::of_text(scop), false);
    // What is skewed may need its own writers skewed.
    while !is_done {
        is_done = true;
        for (flow, end) in flows.iter().flat_map(|flow| ends.map(|end| (flow, end))) {
            let id = if end == End::Writer { flow.from } else { flow.to };
            let is_free = !axes.axes(id).iter().any(Axis::is_skewed);
            let diagonal = if is_free { diagonal(&dependences.places, (flow, end), &axes)? } else { None };
            if let Some(axis) = diagonal {
                axes = with_axis(scop, &axes, (id, &axis));
                is_done = false;
            }
        }
    }
    Ok(axes)
}

/// These axes, with one of a statement for all that are in the loops that it is a sum of.
fn with_axis(scop: &Scop, axes: &LoopOrder, (id, axis): (StatementId, &Axis)) -> LoopOrder {
    let in_nest = |own: usize| scop.statement(id).loops[own];
    let of_statement = |other: usize| {
        let place = |own: usize| scop.statements[other].loops.iter().position(|id| *id == in_nest(own));
        let mut all = axes.axes(StatementId(other)).to_vec();
        let others = axis.others.iter().map(|(own, factor)| Some((place(*own)?, *factor))).collect();
        if let (Some(own), Some(others)) = (place(axis.own), others) {
            all[own] = Axis { own, sign: axis.sign, others };
        }
        all
    };
    LoopOrder::new((0..scop.statements.len()).map(of_statement))
}

/// A diagonal of the nest at one end of a flow that a loop of the other end is aligned with; `None`: there is none, or that loop is aligned with one of
/// the nest.
fn diagonal(places: &Places, (flow, end): (&Dependence, End), axes: &LoopOrder) -> Result<Option<Axis>> {
    let (here, there) = match end {
        End::Writer => (axes.axes(flow.from), axes.axes(flow.to)),
        End::Reader => (axes.axes(flow.to), axes.axes(flow.from)),
    };
    let is_aligned = |own: &Axis, other: &Axis| match end {
        End::Writer => are_aligned(places, flow, (own, other)),
        End::Reader => are_aligned(places, flow, (other, own)),
    };
    let (mut free_here, mut free_there) = (vec![true; here.len()], vec![true; there.len()]);
    for (own, other) in pairs(here.len(), there.len()) {
        if is_aligned(&here[own], &there[other])? {
            (free_here[own], free_there[other]) = (false, false);
        }
    }
    for along in (0..there.len()).filter(|k| free_there[*k]) {
        for (own, other) in pairs(here.len(), here.len()).filter(|(own, other)| free_here[*own] && own != other) {
            for (sign, factor) in [(1, 1), (1, -1), (-1, 1)] {
                let axis = Axis { own, sign, others: vec![(other, factor)] };
                if is_aligned(&axis, &there[along])? {
                    return Ok(Some(axis));
                }
            }
        }
    }
    Ok(None)
}

fn pairs(one: usize, other: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..one).flat_map(move |a| (0..other).map(move |b| (a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependences;
    use polyfold_isl::Context;

    /// The statements that are skewed in each order that is proposed, for an array c of n × n cells and one more nest.
    fn skewed_in(first: &str, second: &str) -> Vec<Vec<usize>> {
        let source = format!(
            "void f(int n, double *restrict x, double *restrict y) {{\n  double c[n][n];\n#pragma scop\n{first}\n{second}\n#pragma endscop\n}}\n"
        );
        let instrumented = polyfold_frontend::instrument(&source);
        let parsed = polyfold_frontend::parse(&source, &instrumented, &polyfold_frontend::Options::default());
        let (ctx, scop) = (Context::new(), &parsed.scops[0]);
        let model = Model::build(&ctx, scop).unwrap();
        let c = (0..scop.arrays.len()).map(ArrayId).find(|id| scop.array(*id).name == "c").unwrap();
        let orders = skewed_orders(&model, &dependences(&model).unwrap(), &BTreeMap::from([(c, 100)])).unwrap();
        orders.iter().map(|order| order.skewed().into_iter().map(|id| id.0).collect()).collect()
    }

    const ROWS: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)";

    #[test]
    fn either_end_runs_along_diagonals() {
        let orders = skewed_in(
            &format!("{ROWS} c[i][j] = x[i];"),
            "for (int d = 0; d < 2 * n - 1; d++) for (int j = 0; j < n; j++) if (d - j >= 0 && d - j < n) y[j] = c[d - j][j];",
        );
        assert!(orders.contains(&vec![0]) && orders.contains(&vec![1]), "{orders:?}");
        assert!(orders.iter().all(|skewed| skewed.len() == 1), "{orders:?}");
    }

    #[test]
    fn loops_that_are_aligned_are_not_skewed() {
        assert_eq!(skewed_in(&format!("{ROWS} c[i][j] = x[i];"), &format!("{ROWS} y[i] = c[i][j];")), [[0; 0]; 0]);
        assert_eq!(skewed_in(&format!("{ROWS} c[i][j] = x[i];"), &format!("{ROWS} y[i] = c[j][i];")), [[0; 0]; 0]);
    }

    /// In order of i + j, c[i - 1][j + 1] of the same diagonal would be read before it is written.
    #[test]
    fn what_would_turn_a_nest_around_is_left_out() {
        let writes =
            "for (int i = 1; i < n; i++) for (int j = 0; j < n - 1; j++) c[i][j] = c[i - 1][j + 1] + c[i - 1][j];";
        let reads = "for (int d = 1; d < 2 * n - 2; d++) for (int j = 0; j < n - 1; j++) if (d - j >= 1 && d - j < n) y[j] = c[d - j][j];";
        assert!(skewed_in(writes, reads).iter().all(|skewed| !skewed.contains(&0)));
    }
}
