//! Mappings as text, with the names of the set's coordinates.

use polyfold_lattice::Folding;
use polyfold_report::NumericMapping;
use std::fmt::Display;

/// `2i - k`.
pub(crate) fn sum(row: &[i64], names: &[String]) -> String {
    let mut out = String::new();
    for (coefficient, name) in row.iter().zip(names).filter(|(c, _)| **c != 0) {
        out += match (out.is_empty(), *coefficient < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        if coefficient.unsigned_abs() != 1 {
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
