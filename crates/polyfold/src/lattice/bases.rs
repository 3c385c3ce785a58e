//! Lattices for every second size, with as many cells as a quadratic polynomial says: no mapping with affine moduli has them,
//! but one row that grows with m may.
//!
//! Example: for a triangle of side n = 2m + 1 the lattice of (m, 2m + 1) and (2m + 1, m + 1), with 3m² + 3m + 1 cells; it is the
//! kernel of `(3m + 1)i + j mod 3m² + 3m + 1`.
//!
//! Paper: Bee §5, where such determinants are "proved by hand"; here `admissible_from` proves them.

use super::question::Checked;
use super::text::polynomial;
use polyfold_isl::Result;
use polyfold_lattice::{Affine, AffineBasis, LinearMapping, Polynomial, affine_bases, linear_mappings};
use polyfold_prove::admissible_from;
use polyfold_report::AffineLattice;

/// The first proved basis for even sizes and for odd ones, of a set in the plane with one parameter.
pub(crate) fn study(checked: &Checked) -> Result<Vec<AffineLattice>> {
    let [parameter] = checked.parameters.as_slice() else { return Ok(Vec::new()) };
    if checked.names.len() != 2 {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for residue in [0, 1] {
        for basis in affine_bases(&checked.set, parameter, 2, residue)? {
            let Some(determinant) = basis.determinant().filter(|determinant| determinant.degree() >= 2) else {
                continue;
            };
            if let Some(from) = admissible_from(&basis, &checked.set)? {
                found.push(match row(checked, parameter, residue, &determinant)? {
                    Some((mapping, from)) => {
                        report(&mapping.basis, &determinant, from, Some(text(&mapping, checked)), letter(checked))
                    }
                    None => report(&basis, &determinant, from, None, letter(checked)),
                });
                break;
            }
        }
    }
    Ok(found)
}

/// A proved row with as many cells as a lattice has, and from which m on it is proved.
fn row(
    checked: &Checked,
    parameter: &str,
    residue: i64,
    determinant: &Polynomial,
) -> Result<Option<(LinearMapping, i64)>> {
    for mapping in linear_mappings(&checked.set, (parameter, 2, residue), &[], &|_| None)? {
        if mapping.modulus == *determinant
            && let Some(from) = admissible_from(&mapping.basis, &checked.set)?
            && mapping.is_consistent()
            && mapping.modulus.is_positive_from(from)
        {
            return Ok(Some((mapping, from)));
        }
    }
    Ok(None)
}

/// `(3m + 1)i + j mod 3m^2 + 3m + 1`.
fn text(mapping: &LinearMapping, checked: &Checked) -> String {
    let letter = letter(checked);
    let term = |(c, name): (&Affine, &String)| match (c.slope, c.constant) {
        (0, 1) => name.clone(),
        (0, _) | (_, 0) => format!("{}{name}", polynomial([c.constant, c.slope, 0], letter)),
        _ => format!("({}){name}", polynomial([c.constant, c.slope, 0], letter)),
    };
    let terms: Vec<String> = mapping.row.iter().zip(&checked.names).map(term).collect();
    let modulus = [0, 1, 2].map(|power| mapping.modulus.coefficient(power) as i64);
    format!("{} mod {}", terms.join(" + "), polynomial(modulus, letter))
}

fn report(
    basis: &AffineBasis,
    determinant: &Polynomial,
    from: i64,
    mapping: Option<String>,
    letter: &str,
) -> AffineLattice {
    let entry = |k: usize, j: usize| {
        let entry = basis.vectors[k][j];
        polynomial([entry.constant, entry.slope, 0], letter)
    };
    let coefficients = [0, 1, 2].map(|power| determinant.coefficient(power) as i64);
    AffineLattice {
        sizes: format!("{} = {}", basis.parameter, polynomial([basis.residue, 2, 0], letter)),
        letter: letter.to_string(),
        from,
        vectors: [0, 1].map(|k| [0, 1].map(|j| entry(k, j))),
        mapping,
        cells: polynomial(coefficients, letter),
        coefficients,
    }
}

/// A letter for half the size that means nothing else: m if that is free.
fn letter(checked: &Checked) -> &'static str {
    let is_free = |letter: &&str| !checked.parameters.iter().chain(&checked.names).any(|name| name == letter);
    ["m", "h", "q", "t"].into_iter().find(is_free).expect("a set in the plane with one parameter has three names")
}
