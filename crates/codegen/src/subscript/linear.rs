//! The subscript of a row whose coefficients grow with a size.
//!
//! `t[i][j]` is `t[(t_stride * i + j) % t_size]`, as C itself would address it, but for the remainder. Coefficients and modulus
//! are `long`, so all of it is.

use super::Moduli;
use super::combination::Coordinate;
use super::operand::{additive, parenthesized};
use crate::growth;
use crate::linear::{Variables, as_long};
use polyfold_lattice::{Affine, Polynomial};
use polyfold_prove::LinearRow;

impl Moduli<'_> {
    /// A polynomial of a row, by its name if it has one.
    pub(crate) fn polynomial(&self, polynomial: &Polynomial, row: &LinearRow) -> String {
        let value = growth::in_c(polynomial, row, self.names);
        self.constants.name(self.array, &value).map_or(value, str::to_string)
    }
}

/// The subscript in C.
pub(super) fn subscript(row: &LinearRow, cell: &[Coordinate], moduli: &Moduli, variables: &Variables) -> String {
    let size = parenthesized(&moduli.polynomial(&row.modulus, row));
    let mut value = sum(row, cell, moduli, &|text| signed_text(text, variables));
    match row.lift {
        Some(0) => {}
        Some(1) => value = format!("{value} + {size}"),
        Some(lift) => value = format!("{value} + {lift} * {size}"),
        None => return format!("(({value}) % {size} + {size}) % {size}"),
    }
    if value == "0" { value } else { format!("{} % {size}", parenthesized(&value)) }
}

/// A coordinate that is computed with as a signed number.
fn signed_text(text: &str, variables: &Variables) -> String {
    if variables.are_signed(text) { text.to_string() } else { as_long(text) }
}

/// The subscript in a comment, for cells called by names.
pub(super) fn description(row: &LinearRow, cell: &[Coordinate], moduli: &Moduli) -> String {
    let value = sum(row, cell, moduli, &str::to_string);
    format!("({value}) mod {}", parenthesized(&moduli.polynomial(&row.modulus, row)))
}

/// `t_stride * i + j + shift`; `operand` makes signed numbers of coordinates.
fn sum(row: &LinearRow, cell: &[Coordinate], moduli: &Moduli, operand: &dyn Fn(&str) -> String) -> String {
    let mut parts = Vec::new();
    for (coefficient, coordinate) in row.coefficients.iter().zip(cell) {
        let text = operand(&coordinate.term.print());
        match *coefficient {
            _ if text == "0" => {}
            Affine { constant: 0, slope: 0 } => {}
            Affine { constant: 1, slope: 0 } => parts.push(additive(&text)),
            coefficient => {
                let factor = parenthesized(&moduli.polynomial(&coefficient.into(), row));
                parts.push(format!("{factor} * {}", parenthesized(&text)));
            }
        }
    }
    if !row.shift.coefficients().is_empty() {
        parts.push(additive(&moduli.polynomial(&row.shift, row)));
    }
    if parts.is_empty() { "0".to_string() } else { parts.join(" + ") }
}
