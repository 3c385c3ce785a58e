//! The order of a buffer's dimensions.
//!
//! Rows with modulus 1 go. A small window (a constant modulus below the declared extent) moves outermost: with
//! `y[k mod 2][i]` the loop over i walks through memory, with `y[i][k mod 2]` it takes every second cell. All other
//! dimensions keep the source's order.
//!
//! Any order of the rows is as valid as any other: the kernel of `x -> (M x) mod b` is the same.
//!
//! Paper: Bee §2, step 4.

use polyfold_isl::Result;
use polyfold_lattice::ModularMapping;
use polyfold_scop::Expr;

/// Drops rows with modulus 1 and puts windows outermost.
///
/// # Errors
/// When a modulus does not fit into 64 bits.
pub fn lay_out(mapping: &ModularMapping, extents: &[Option<Expr>]) -> Result<ModularMapping> {
    let order = layout(mapping, extents)?;
    Ok(ModularMapping {
        rows: order.iter().map(|k| mapping.rows[*k].clone()).collect(),
        moduli: order.iter().map(|k| mapping.moduli[*k].clone()).collect(),
    })
}

/// The rows that [`lay_out`] keeps, in its order.
///
/// # Errors
/// When a modulus does not fit into 64 bits.
pub fn layout(mapping: &ModularMapping, extents: &[Option<Expr>]) -> Result<Vec<usize>> {
    let (mut windows, mut others) = (Vec::new(), Vec::new());
    for (k, (row, modulus)) in mapping.rows.iter().zip(&mapping.moduli).enumerate() {
        match modulus.as_constant()? {
            Some(1) => {}
            Some(constant) if is_window(constant, row, extents) => windows.push(k),
            _ => others.push(k),
        }
    }
    // In the order of the innermost dimension that each reads, inner loops walk through memory.
    others.sort_by_key(|k| mapping.rows[*k].iter().rposition(|coefficient| *coefficient != 0));
    windows.append(&mut others);
    Ok(windows)
}

/// Whether a constant modulus is smaller than the extent of the one dimension that its row reads.
fn is_window(modulus: i64, row: &[i64], extents: &[Option<Expr>]) -> bool {
    let mut read = row.iter().zip(extents).filter(|(coefficient, _)| **coefficient != 0);
    match (read.next(), read.next()) {
        (Some((_, Some(extent))), None) => extent.as_constant().is_none_or(|e| modulus < e),
        _ => true,
    }
}
