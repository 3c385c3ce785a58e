//! The order of a buffer's dimensions.
//!
//! Rows with modulus 1 go. A small window (a constant modulus below the declared extent) moves outermost: with
//! `y[k mod 2][i]` the loop over i walks through memory, with `y[i][k mod 2]` it takes every second cell. All other
//! dimensions keep the source's order.
//!
//! Any order of the rows is as valid as any other: the kernel of `x -> (M x) mod b` is the same.
//!
//! Paper: Bee §2, step 4.

use polyfold_isl::{PwAff, Result};
use polyfold_lattice::ModularMapping;
use polyfold_scop::Expr;

/// Drops rows with modulus 1 and puts windows outermost.
///
/// # Errors
/// When a modulus does not fit into 64 bits.
pub fn lay_out(mapping: &ModularMapping, extents: &[Option<Expr>]) -> Result<ModularMapping> {
    let mut windows = ModularMapping { rows: Vec::new(), moduli: Vec::new() };
    let mut others = windows.clone();
    for (row, modulus) in mapping.rows.iter().zip(&mapping.moduli) {
        let constant = modulus.as_constant()?;
        if constant == Some(1) {
            continue;
        }
        let into = if constant.is_some_and(|m| is_window(m, row, extents)) { &mut windows } else { &mut others };
        into.rows.push(row.clone());
        into.moduli.push(modulus.clone());
    }
    others = by_innermost_dimension(others);
    windows.rows.append(&mut others.rows);
    windows.moduli.append(&mut others.moduli);
    Ok(windows)
}

/// Rows in the order of the innermost dimension that each reads, so that inner loops walk through memory.
fn by_innermost_dimension(mapping: ModularMapping) -> ModularMapping {
    let mut rows: Vec<(Vec<i64>, PwAff)> = mapping.rows.into_iter().zip(mapping.moduli).collect();
    rows.sort_by_key(|(row, _)| row.iter().rposition(|coefficient| *coefficient != 0));
    let (rows, moduli) = rows.into_iter().unzip();
    ModularMapping { rows, moduli }
}

/// Whether a constant modulus is smaller than the extent of the one dimension that its row reads.
fn is_window(modulus: i64, row: &[i64], extents: &[Option<Expr>]) -> bool {
    let mut read = row.iter().zip(extents).filter(|(coefficient, _)| **coefficient != 0);
    match (read.next(), read.next()) {
        (Some((_, Some(extent))), None) => extent.as_constant().is_none_or(|e| modulus < e),
        _ => true,
    }
}
