//! The engines for one array alone.
//!
//! * `successive-modulo`: Lefebvre and Feautrier's moduli in the order of the array's axes.
//! * `lattice`: heuristic 3 of Bee §4.2 over the canonical basis in every order; in the axes' own order this is
//!   successive modulo, and its result is called so.

use crate::{Proposal, lay_out};
use polyfold_isl::{Result, Set};
use polyfold_lattice::{successive_moduli, successive_moduli_in_every_order};
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
    let own: Vec<usize> = (0..problem.array.extents.len()).collect();
    let (ds, context, sizes) = (problem.differences, problem.context, problem.sizes);
    let found = match method {
        Method::SuccessiveModulo => vec![(own.clone(), successive_moduli(ds, context, &own, sizes)?)],
        Method::Lattice => successive_moduli_in_every_order(ds, context, sizes)?,
    };
    let mut proposals = Vec::new();
    for (order, mapping) in found {
        let cells = mapping.cells(sizes)?.unwrap_or(u64::MAX);
        let method = if order == own { Method::SuccessiveModulo } else { Method::Lattice };
        proposals.push((cells, Proposal { array: problem.id, mapping: lay_out(&mapping, problem.array)?, method }));
    }
    proposals.sort_by_key(|(cells, _)| *cells);
    Ok(proposals.into_iter().map(|(_, proposal)| proposal).collect())
}
