//! What is known at given sizes: minima, every heuristic, the optimum.

use super::question::{Checked, Fault};
use super::text::numeric;
use polyfold_isl::{ErrorKind, Result};
use polyfold_lattice::{
    Basis, Body, Candidate, Differences, Heuristic, Lattice, Optimum, best_of, complexity, heuristic_mappings,
    improved, successive_minima,
};
use polyfold_report::{BestLattice, Concrete, LatticeCandidate, MinimumReport, Origin};

/// What a drawing shows.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The points; 0 is left out.
    pub differences: Differences,
    /// The best lattice for them.
    pub lattice: Lattice,
    /// Names of the axes.
    pub names: Vec<String>,
    /// The mapping whose kernel the lattice is.
    pub mapping: String,
}

type Found = (Concrete, Scene);

/// Studies the set at sizes for all of its parameters.
pub(crate) fn study(checked: &Checked, sizes: &[(&str, i64)], work: u64) -> Result<std::result::Result<Found, Fault>> {
    let set = checked.set.at(sizes)?.without_parameters()?;
    let differences = Differences::of(&set)?;
    let body = in_time(Body::of(&set))?;
    let candidates = heuristic_mappings(&differences, body.as_ref())?;
    let minima = body.as_ref().map(|body| in_time(successive_minima(body))).transpose()?.flatten();
    let optimum = improved(best_of(candidates.clone())?, &differences, body.as_ref(), work)?;
    let lattice = Lattice::kernel_of(differences.dimensions(), &optimum.folding.rows, &optimum.folding.moduli)?;
    let groups = by_lattice(candidates)?;
    if let Some(fault) = contradiction(&differences, &optimum, &lattice, &groups) {
        return Ok(Err(Fault::Check(fault)));
    }
    let mapping = numeric(&optimum.folding, &checked.names);
    let concrete = Concrete {
        points: differences.len() + 1,
        convex: body.map(|body| body.is_exactly(&differences)),
        minima: minima.map(|minima| {
            minima.into_iter().map(|m| MinimumReport { gauge: m.gauge.to_string(), vector: m.vector }).collect()
        }),
        candidates: groups.iter().map(|group| group.report(&checked.names)).collect(),
        clique: optimum.clique,
        best: BestLattice {
            cells: optimum.cells,
            least: optimum.least,
            optimal: optimum.is_optimal(),
            basis: lattice.basis().to_vec(),
            mapping: mapping.clone(),
        },
    };
    let scene = Scene { differences, lattice, names: checked.names.clone(), mapping: mapping.text };
    Ok(Ok((concrete, scene)))
}

/// `None` where the work bound was reached.
fn in_time<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind == ErrorKind::Quota => Ok(None),
        Err(error) => Err(error),
    }
}

/// Candidates with the same kernel.
struct Group {
    lattice: Lattice,
    candidates: Vec<Candidate>,
}

impl Group {
    fn report(&self, names: &[String]) -> LatticeCandidate {
        let simplest = self.candidates.iter().min_by_key(|c| complexity(&c.folding)).expect("a group is not empty");
        LatticeCandidate {
            cells: self.lattice.determinant() as u64,
            basis: self.lattice.basis().to_vec(),
            mapping: numeric(&simplest.folding, names),
            found_by: self.candidates.iter().map(|candidate| origin(candidate, names)).collect(),
        }
    }
}

/// Groups from small to large.
fn by_lattice(candidates: Vec<Candidate>) -> Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for candidate in candidates {
        let folding = &candidate.folding;
        let lattice = Lattice::kernel_of(folding.dimensions, &folding.rows, &folding.moduli)?;
        match groups.iter_mut().find(|group| group.lattice == lattice) {
            Some(group) => group.candidates.push(candidate),
            None => groups.push(Group { lattice, candidates: vec![candidate] }),
        }
    }
    groups.sort_by_key(|group| group.lattice.determinant());
    Ok(groups)
}

fn origin(candidate: &Candidate, names: &[String]) -> Origin {
    let heuristic = match candidate.heuristic {
        Heuristic::One => "1",
        Heuristic::OneA => "1.a",
        Heuristic::Two => "2",
        Heuristic::Three => "3",
    };
    let basis = match &candidate.basis {
        Basis::Canonical(order) => axes(order, names),
        Basis::SuccessiveMinima => "minima".to_string(),
        Basis::Reduced => "reduced".to_string(),
    };
    Origin { heuristic, basis }
}

/// The axes in an order.
pub(crate) fn axes(order: &[usize], names: &[String]) -> String {
    format!("axes {}", order.iter().map(|axis| names[*axis].as_str()).collect::<Vec<_>>().join(" "))
}

/// What cannot be: a lattice that meets the differences, or sizes that do not fit.
fn contradiction(differences: &Differences, optimum: &Optimum, lattice: &Lattice, groups: &[Group]) -> Option<String> {
    let all = groups.iter().map(|group| &group.lattice).chain([lattice]);
    for lattice in all {
        if let Some(point) = lattice.conflict(differences) {
            return Some(format!("the lattice {:?} holds the difference {point:?}", lattice.basis()));
        }
        if (lattice.determinant() as u64) < optimum.least {
            return Some(format!("{} cells suffice, fewer than the bound {}", lattice.determinant(), optimum.least));
        }
    }
    let cells = lattice.determinant() as u64;
    (cells != optimum.cells).then(|| format!("{} cells were found, the lattice has {cells}", optimum.cells))
}
