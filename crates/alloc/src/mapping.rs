//! The two kinds of mappings that engines propose.

use polyfold_isl::Result;
use polyfold_lattice::{LinearMapping, ModularMapping};

/// Where cells live, unproved.
#[derive(Clone, Debug)]
pub enum Mapping {
    /// One row and one modulus per dimension of the buffer, outermost first; moduli are affine in the sizes.
    Modular(ModularMapping),
    /// One row, whose coefficients and modulus grow with a size.
    Linear(LinearMapping),
}

impl Mapping {
    /// Number of cells at given sizes; `None` where it is not defined, or does not fit into 64 bits.
    ///
    /// # Errors
    /// When a modulus does not fit into 64 bits.
    pub fn cells(&self, sizes: &[(&str, i64)]) -> Result<Option<u64>> {
        match self {
            Mapping::Modular(mapping) => mapping.cells(sizes),
            Mapping::Linear(mapping) => Ok(mapping.cells(sizes)),
        }
    }

    /// The mapping, if its moduli are affine.
    pub fn as_modular(&self) -> Option<&ModularMapping> {
        match self {
            Mapping::Modular(mapping) => Some(mapping),
            Mapping::Linear(_) => None,
        }
    }

    /// Whether its rows are for so many coordinates.
    pub fn reads(&self, coordinates: usize) -> bool {
        match self {
            Mapping::Modular(mapping) => mapping.rows.iter().all(|row| row.len() == coordinates),
            Mapping::Linear(mapping) => mapping.row.len() == coordinates,
        }
    }

    /// Into how many cases of sizes the moduli fall; fewer are easier to read.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn cases(&self) -> Result<usize> {
        match self {
            Mapping::Modular(mapping) => {
                let mut cases = 0;
                for modulus in &mapping.moduli {
                    cases += modulus.pieces()?.len();
                }
                Ok(cases)
            }
            Mapping::Linear(_) => Ok(1),
        }
    }
}
