//! Rows of a mapping at given sizes, computed as the generated code does.

use super::run::borrow;
use polyfold_isl::PwAff;
use polyfold_lattice::Polynomial;
use polyfold_prove::{LinearRow, Placed, Row, RowForm};

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
    /// The rows of a place.
    pub(crate) fn all(place: &Placed, sizes: &[(String, i64)]) -> Result<Vec<RowHere>, String> {
        match place.linear() {
            Some(row) => Ok(vec![RowHere::growing(row, sizes)?]),
            None => place.rows().iter().map(|row| RowHere::new(row, sizes)).collect(),
        }
    }

    fn growing(row: &LinearRow, sizes: &[(String, i64)]) -> Result<RowHere, String> {
        let size = sizes.iter().find(|(name, _)| *name == row.parameter).map(|(_, size)| size - row.residue);
        let size = size.filter(|size| size % row.step == 0).ok_or("the row does not speak of these sizes")?;
        let m = size / row.step;
        let value = |polynomial: &Polynomial| {
            let powers = polynomial.coefficients().iter().zip(0..);
            powers.map(|(c, power)| *c as i64 * m.pow(power)).sum::<i64>()
        };
        Ok(RowHere {
            coefficients: row.coefficients.iter().map(|c| c.constant + c.slope * m).collect(),
            shift: value(&row.shift),
            modulus: value(&row.modulus),
            form: row.lift.map_or(FormHere::TwoRemainders, FormHere::Remainder),
        })
    }

    fn new(row: &Row, sizes: &[(String, i64)]) -> Result<RowHere, String> {
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

    /// What it is without remainders.
    pub(crate) fn value(&self, cell: &[i64]) -> i64 {
        self.shift + self.combination(cell)
    }

    fn combination(&self, cell: &[i64]) -> i64 {
        self.coefficients.iter().zip(cell).map(|(c, x)| c * x).sum()
    }

    pub(crate) fn place(&self, cell: &[i64]) -> i64 {
        let value = self.combination(cell);
        match self.form {
            FormHere::Minus(lowest) => value - lowest,
            FormHere::Remainder(lift) => (value + self.shift + lift * self.modulus) % self.modulus,
            FormHere::TwoRemainders => ((value + self.shift) % self.modulus + self.modulus) % self.modulus,
        }
    }
}
