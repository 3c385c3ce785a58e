//! Mappings as text, with the names of the set's coordinates.

use polyfold_lattice::Folding;
use polyfold_report::NumericMapping;
use std::fmt::Display;

/// `2i - k`.
pub(crate) fn sum(row: &[i64], names: &[String]) -> String {
    terms(row.iter().copied().zip(names.iter().map(String::as_str)))
}

/// `3m^2 + 3m + 1`, from the coefficients of 1, m and m^2, where m is called `name`.
pub(crate) fn polynomial(coefficients: [i64; 3], name: &str) -> String {
    terms(coefficients.into_iter().zip(["", name, &format!("{name}^2")]).rev())
}

/// Multiples of names, with signs between them; a number has no name.
fn terms<'n>(terms: impl Iterator<Item = (i64, &'n str)>) -> String {
    let mut out = String::new();
    for (coefficient, name) in terms.filter(|(coefficient, _)| *coefficient != 0) {
        out += match (out.is_empty(), coefficient < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        if coefficient.unsigned_abs() != 1 || name.is_empty() {
            out += &coefficient.unsigned_abs().to_string();
        }
        out += name;
    }
    if out.is_empty() { "0".to_string() } else { out }
}

/// `i mod 3, i + j mod 9`; `0` for the mapping to one cell.
pub(crate) fn mapping<T: Display>(rows: &[Vec<i64>], moduli: &[T], names: &[String]) -> String {
    let row = |(row, modulus): (&Vec<i64>, &T)| {
        let modulus = modulus.to_string();
        let sum = sum(row, names);
        if modulus.contains(' ') { format!("{sum} mod ({modulus})") } else { format!("{sum} mod {modulus}") }
    };
    let rows: Vec<String> = rows.iter().zip(moduli).map(row).collect();
    if rows.is_empty() { "0".to_string() } else { rows.join(", ") }
}

/// The mapping for people and for isl.
pub(crate) fn numeric(folding: &Folding, names: &[String]) -> NumericMapping {
    let entries = folding.rows.iter().zip(&folding.moduli).map(|(row, b)| format!("({}) mod {b}", sum(row, names)));
    let isl = format!("{{ [{}] -> [{}] }}", names.join(", "), entries.collect::<Vec<_>>().join(", "));
    let text = mapping(&folding.rows, &folding.moduli, names);
    NumericMapping { rows: folding.rows.clone(), moduli: folding.moduli.clone(), text, isl }
}

#[cfg(test)]
mod tests {
    use super::{polynomial, sum};

    #[test]
    fn polynomials_read_as_usual() {
        assert_eq!(polynomial([1, 3, 3], "m"), "3m^2 + 3m + 1");
        assert_eq!(polynomial([-3, 0, 1], "m"), "m^2 - 3");
        assert_eq!(polynomial([0, -1, 0], "m"), "-m");
        assert_eq!(polynomial([0, 0, 0], "m"), "0");
    }

    #[test]
    fn sums_read_as_usual() {
        let names = ["i", "k"].map(String::from);
        assert_eq!(sum(&[2, -1], &names), "2i - k");
        assert_eq!(sum(&[0, 0], &names), "0");
    }
}
