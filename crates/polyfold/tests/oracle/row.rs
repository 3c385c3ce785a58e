//! Rows of a mapping at given sizes, computed as the generated code does.

use crate::run::borrow;
use polyfold_isl::PwAff;
use polyfold_prove::{Row, RowForm};

/// One row.
pub(crate) struct RowHere {
    coefficients: Vec<i64>,
    shift: i64,
    pub(crate) modulus: i64,
    form: FormHere,
}

enum FormHere {
    Minus(i64),
    Remainder(i64),
    TwoRemainders,
}

impl RowHere {
    pub(crate) fn new(row: &Row, sizes: &[(String, i64)]) -> Result<RowHere, String> {
        let value = |function: &PwAff| {
            let value = function.eval(&borrow(sizes)).map_err(|e| e.to_string())?;
            value.ok_or(format!("{function} has no value at {sizes:?}"))
        };
        let form = match &row.form {
            RowForm::Fits { lowest } => FormHere::Minus(value(lowest)?),
            RowForm::Modulo { lift } => FormHere::Remainder(*lift),
            RowForm::SignedModulo => FormHere::TwoRemainders,
        };
        Ok(RowHere {
            coefficients: row.coefficients.clone(),
            shift: value(&row.shift)?,
            modulus: value(&row.modulus)?,
            form,
        })
    }

    pub(crate) fn place(&self, cell: &[i64]) -> i64 {
        let value: i64 = self.coefficients.iter().zip(cell).map(|(c, x)| c * x).sum();
        match self.form {
            FormHere::Minus(lowest) => value - lowest,
            FormHere::Remainder(lift) => (value + self.shift + lift * self.modulus) % self.modulus,
            FormHere::TwoRemainders => ((value + self.shift) % self.modulus + self.modulus) % self.modulus,
        }
    }
}
