//! The engines for one array alone.
//!
//! * `successive-modulo`: Lefebvre and Feautrier's moduli in the order of the array's axes.
//! * `lattice`: heuristic 3 of Bee §4.2 over the canonical basis in every order.

use crate::{Proposal, lay_out};
use polyfold_isl::{Result, Set};
use polyfold_lattice::{canonical_orders, successive_moduli};
use polyfold_scop::{Array, ArrayId};
use std::fmt;

/// The engine that made a mapping; its name on the command line and in the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `successive-modulo`.
    SuccessiveModulo,
    /// `lattice`.
    Lattice,
}

impl Method {
    /// All engines, in the order of their cost.
    pub const ALL: [Method; 2] = [Method::SuccessiveModulo, Method::Lattice];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Method::SuccessiveModulo => "successive-modulo",
            Method::Lattice => "lattice",
        })
    }
}

/// What an engine knows of an array.
pub struct Problem<'a> {
    /// Which array.
    pub id: ArrayId,
    /// Its declaration.
    pub array: &'a Array,
    /// Differences of its conflicting cells, with 0.
    pub differences: &'a Set,
    /// Parameter values that matter.
    pub context: &'a Set,
    /// Parameter values at which sizes are compared.
    pub sizes: &'a [(&'a str, i64)],
}

/// The proposals of one engine, smallest first at the problem's sizes; equally large ones in the order in which the
/// engine prefers them.
///
/// # Errors
/// When the differences are unbounded, or the work bound is reached.
pub fn propose(method: Method, problem: &Problem) -> Result<Vec<Proposal>> {
    let mut orders = canonical_orders(problem.array.extents.len());
    if method == Method::SuccessiveModulo {
        orders.truncate(1);
    }
    let mut proposals = Vec::new();
    for order in orders {
        let mapping = successive_moduli(problem.differences, problem.context, &order, problem.sizes)?;
        let cells = mapping.cells(problem.sizes)?.unwrap_or(u64::MAX);
        let mapping = lay_out(&mapping, problem.array)?;
        proposals.push((cells, Proposal { array: problem.id, mapping, method }));
    }
    proposals.sort_by_key(|(cells, _)| *cells);
    Ok(proposals.into_iter().map(|(_, proposal)| proposal).collect())
}
