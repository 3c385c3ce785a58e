//! What holds for all sizes: mappings with moduli that depend on parameters, each proved or refuted.

use super::concrete::axes;
use super::question::Checked;
use super::text;
use polyfold_isl::{CText, Result};
use polyfold_lattice::{ModularMapping, families, successive_moduli_in_every_order};
use polyfold_prove::{Admissibility, admissibility, has_positive_moduli};
use polyfold_report::{DifferenceWitness, Origin, ParametricMapping, ProofStatus};

/// Heuristic 3 in every order of the axes, and families of lattices; smallest first at the given sizes, refuted ones last.
pub(crate) fn study(checked: &Checked, sizes: &[(&str, i64)]) -> Result<Vec<ParametricMapping>> {
    let (ds, context) = (&checked.set, &checked.context);
    let mut found = Vec::new();
    for (order, mapping) in successive_moduli_in_every_order(ds, context, sizes)? {
        found.push((mapping, Origin { heuristic: "3", basis: axes(&order, &checked.names) }));
    }
    for mapping in families(ds, context, sizes, u64::MAX)? {
        found.push((mapping, Origin { heuristic: "family", basis: String::new() }));
    }
    let c = CText::new(context)?;
    let mut reports: Vec<ParametricMapping> = Vec::new();
    for (mapping, origin) in found {
        let mapping = arranged(mapping)?;
        let moduli = mapping.moduli.iter().map(|b| c.value(b)).collect::<Result<Vec<_>>>()?;
        match reports.iter_mut().find(|known| known.rows == mapping.rows && known.moduli == moduli) {
            Some(known) if known.found_by.contains(&origin) => {}
            Some(known) => known.found_by.push(origin),
            None => reports.push(report(checked, sizes, &mapping, moduli, origin)?),
        }
    }
    reports.sort_by_key(|m| (m.status == ProofStatus::Refuted, m.cells.unwrap_or(u64::MAX)));
    Ok(reports)
}

/// Without rows of modulus 1, which say nothing; rows that depend on inner coordinates come last.
fn arranged(mapping: ModularMapping) -> Result<ModularMapping> {
    let mut kept = Vec::new();
    for (row, modulus) in mapping.rows.into_iter().zip(mapping.moduli) {
        if modulus.as_constant()? != Some(1) {
            kept.push((row, modulus));
        }
    }
    kept.sort_by_cached_key(|(row, _)| row.iter().rev().map(|c| c.unsigned_abs()).collect::<Vec<_>>());
    let (rows, moduli) = kept.into_iter().unzip();
    Ok(ModularMapping { rows, moduli })
}

fn report(
    checked: &Checked,
    sizes: &[(&str, i64)],
    mapping: &ModularMapping,
    moduli: Vec<String>,
    origin: Origin,
) -> Result<ParametricMapping> {
    let (status, witness) = decide(checked, mapping)?;
    Ok(ParametricMapping {
        rows: mapping.rows.clone(),
        text: text::mapping(&mapping.rows, &moduli, &checked.names),
        moduli,
        cells: mapping.cells(sizes)?,
        found_by: vec![origin],
        status,
        witness,
    })
}

fn decide(checked: &Checked, mapping: &ModularMapping) -> Result<(ProofStatus, Option<DifferenceWitness>)> {
    if !has_positive_moduli(mapping, &checked.context)? {
        return Ok((ProofStatus::Refuted, None));
    }
    Ok(match admissibility(mapping, &checked.set)? {
        Admissibility::Admissible => (ProofStatus::Proved, None),
        Admissibility::Unbounded => (ProofStatus::Open, None),
        Admissibility::Clash(differences) => {
            let parameters = differences.parameter_names()?;
            let witness = differences.sample()?.map(|(values, difference)| DifferenceWitness {
                parameters: parameters.into_iter().zip(values).collect(),
                difference,
            });
            (ProofStatus::Refuted, witness)
        }
    })
}
