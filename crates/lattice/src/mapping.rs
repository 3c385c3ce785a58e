//! Modular mappings ("(M, b)" in Bee §2).
//!
//! ```text
//! σ(x) = (M x) mod b,    as many cells as b₁ · … · b_p
//! ```
//!
//! Example: `2i + k mod 2n − 3` has M = (2 1), b = (2n − 3). Two points share a cell iff their difference is in the kernel
//! lattice `{ d : M d ≡ 0 mod b }`.
//!
//! Invariant: one modulus per row.

use crate::Folding;
use crate::bound::constant;
use polyfold_isl::{Context, PwAff, Result};

/// `x -> (M x) mod b`, with `mod` never negative.
#[derive(Clone, Debug)]
pub struct ModularMapping {
    /// The rows of M ("M" in Bee), one per modulus, each as long as a point has coordinates.
    pub rows: Vec<Vec<i64>>,
    /// One positive function of the parameters per row ("b" in Bee).
    pub moduli: Vec<PwAff>,
}

impl ModularMapping {
    /// A mapping with numeric moduli.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn of(ctx: &Context, folding: &Folding) -> Result<ModularMapping> {
        let moduli = folding.moduli.iter().map(|modulus| constant(ctx, *modulus)).collect::<Result<_>>()?;
        Ok(ModularMapping { rows: folding.rows.clone(), moduli })
    }

    /// Number of cells, the product of the moduli, at given parameter values; `None` where a modulus is not defined
    /// or the product does not fit into 64 bits.
    ///
    /// # Errors
    /// When a modulus does not fit into 64 bits.
    pub fn cells(&self, sizes: &[(&str, i64)]) -> Result<Option<u64>> {
        let mut cells = 1u64;
        for modulus in &self.moduli {
            let Some(value) = modulus.eval(sizes)? else { return Ok(None) };
            let Some(product) = u64::try_from(value).ok().and_then(|v| cells.checked_mul(v)) else { return Ok(None) };
            cells = product;
        }
        Ok(Some(cells))
    }
}
