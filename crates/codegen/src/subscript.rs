//! Where cells live, in the words of comments.
//!
//! Example: `y[j mod 2][i]` for the cell `y[i][j]` under `[k mod 2][i]`. Like terms are collected: `(1, -1)` at `[i][j]`, from `-m` on, is
//! `i - j + m`.
//!
//! Comments are for people: what is computed with in C, and in which type, is the tree's to say.

use crate::CNames;
use crate::constants::Constants;
use crate::flat::stays_narrow;
use crate::growth;
use crate::linear::{Linear, as_long};
use crate::names::LONG;
use crate::tile_windows::first_cell;
use polyfold_isl::{PwAff, Result};
use polyfold_lattice::{Affine, Polynomial};
use polyfold_prove::{LinearRow, Origin, Placed, Row, RowForm};
use polyfold_scop::{Array, ArrayId, Scop};

/// How the moduli of one array read.
pub(crate) struct Moduli<'a> {
    pub(crate) array: ArrayId,
    pub(crate) names: &'a CNames,
    pub(crate) constants: &'a Constants,
    /// Whether sizes may be so large that sums and multiples of them are past `int`.
    pub(crate) wide: bool,
}

impl Moduli<'_> {
    /// A modulus as C text, by its name if it has one.
    pub(crate) fn text(&self, modulus: &PwAff) -> Result<String> {
        let value = self.names.extent(modulus)?;
        Ok(self.constants.name(self.array, &value).map_or_else(|| self.size(&value), str::to_string))
    }

    /// The extents of a place, outermost first.
    pub(crate) fn extents(&self, place: &Placed) -> Result<Vec<String>> {
        match place.linear() {
            Some(row) => Ok(vec![self.polynomial(&row.modulus, row)]),
            None => place.rows().iter().map(|row| self.text(&row.modulus)).collect(),
        }
    }

    /// The extents of an allocation, outermost first; those that stay are computed as the source does it.
    pub(crate) fn flat_extents(&self, place: &Placed, array: &Array) -> Result<Vec<String>> {
        let mut extents = self.extents(place)?;
        if stays_narrow(array, place) {
            let own = Moduli { wide: false, ..*self }.extents(place)?;
            extents.iter_mut().zip(own).skip(1).for_each(|(extent, own)| *extent = own);
        }
        Ok(extents)
    }

    /// A size in words, computed as `long` where it may be past `int`.
    fn size(&self, value: &str) -> String {
        if self.wide && !is_simple(value) { as_long(value) } else { value.to_string() }
    }

    /// A polynomial of a row, by its name if it has one.
    fn polynomial(&self, polynomial: &Polynomial, row: &LinearRow) -> String {
        let value = growth::in_c(polynomial, row, self.names);
        self.constants.name(self.array, &value).map_or(value, str::to_string)
    }
}

/// How a mapping reads: `y[k mod 2][i]` for cells called by `coordinates`.
pub(crate) fn description(name: &str, storage: &Placed, coordinates: &[String], moduli: &Moduli) -> Result<String> {
    let mut out = name.to_string();
    for row in storage.rows() {
        out.push_str(&match &row.form {
            RowForm::Fits { lowest } => {
                format!("[{}]", from(&row.coefficients, coordinates, &moduli.names.value(lowest)?))
            }
            _ => {
                let value = plus(&row.coefficients, coordinates, &moduli.names.value(&row.shift)?);
                match moduli.text(&row.modulus)?.as_str() {
                    "1" => "[0]".to_string(),
                    modulus => format!("[{} mod {}]", parenthesized(&value), parenthesized(modulus)),
                }
            }
        });
    }
    for (axis, shift) in storage.inside().iter().flat_map(|inside| inside.shift.iter().enumerate()) {
        let less = moduli.names.value(&shift.neg()?)?;
        let own = &coordinates[axis..=axis];
        let subscript = match Linear::parse(&less) {
            Some(_) => from(&[1], own, &less),
            None => plus(&[1], own, &moduli.names.value(shift)?),
        };
        out.push_str(&format!("[{}]", without_needless_cast(&subscript)));
    }
    if let Some(row) = storage.linear() {
        out.push_str(&format!("[{}]", growing(row, coordinates, moduli)));
    }
    Ok(out)
}

/// How a place in a window that slides reads: `u[u_from + j - 1]`.
pub(crate) fn in_slide(name: &str, begin: &str, storage: &Placed, coordinates: &[String], first: &str) -> String {
    let all: Vec<String> = std::iter::once("0").map(str::to_string).chain(coordinates.iter().cloned()).collect();
    let place = from(&storage.rows()[0].coefficients, &all, first);
    let place = match place.strip_prefix('-') {
        _ if place == "0" => begin.to_string(),
        _ if place.contains('?') => format!("{begin} + ({place})"),
        Some(rest) => format!("{begin} - {rest}"),
        None => format!("{begin} + {place}"),
    };
    format!("{name}[{place}]")
}

/// How a cell reads of storage whose rows are counted from where strips or tiles begin: `t[i - I + 2][j - J]`.
pub(crate) fn in_window(
    name: &str,
    storage: &Placed,
    coordinates: &[String],
    (origins, scop): (&[Option<Origin>], &Scop),
    moduli: &Moduli,
) -> Result<String> {
    let whole = description(name, storage, coordinates, moduli)?;
    let own = whole[name.len()..].trim_matches(['[', ']']).split("][").map(str::to_string);
    let row = |((own, row), origin): ((String, &Row), &Option<Origin>)| match origin {
        Some(origin) => {
            let sign = if origin.is_turned() { -1 } else { 1 };
            let factors: Vec<i64> = row.coefficients.iter().map(|factor| sign * factor).collect();
            format!("[{}]", from(&factors, coordinates, &first_cell(scop, origin)))
        }
        None => format!("[{own}]"),
    };
    Ok(name.to_string() + &own.zip(storage.rows()).zip(origins).map(row).collect::<String>())
}

/// The subscript of a row whose coefficients grow with a size: `(t_stride * i + j) mod t_size`.
fn growing(row: &LinearRow, coordinates: &[String], moduli: &Moduli) -> String {
    let mut parts = Vec::new();
    for (coefficient, name) in row.coefficients.iter().zip(coordinates) {
        match *coefficient {
            Affine { constant: 0, slope: 0 } => {}
            Affine { constant: 1, slope: 0 } => parts.push(name.clone()),
            coefficient => {
                let factor = parenthesized(&moduli.polynomial(&coefficient.into(), row));
                parts.push(format!("{factor} * {name}"));
            }
        }
    }
    if !row.shift.coefficients().is_empty() {
        parts.push(additive(&moduli.polynomial(&row.shift, row)));
    }
    let value = if parts.is_empty() { "0".to_string() } else { parts.join(" + ") };
    format!("({value}) mod {}", parenthesized(&moduli.polynomial(&row.modulus, row)))
}

/// `Σ coefficient · coordinate`; `None`: a number is past 64 bits.
fn sum(coefficients: &[i64], coordinates: &[String]) -> Option<Linear> {
    let mut sum = Linear::default();
    for (coefficient, name) in coefficients.iter().zip(coordinates) {
        sum.add(*coefficient, &Linear::parse(name)?)?;
    }
    Some(sum)
}

/// The same from a place on.
fn from(coefficients: &[i64], coordinates: &[String], lowest: &str) -> String {
    let own = sum(coefficients, coordinates).unwrap_or_default();
    let less = Linear::parse(lowest).and_then(|lowest| {
        let mut less = own.clone();
        less.add(-1, &lowest).map(|()| less)
    });
    less.map_or_else(|| format!("{} - {}", own.print(), parenthesized(lowest)), |less| less.print())
}

/// The same, and so much more.
fn plus(coefficients: &[i64], coordinates: &[String], shift: &str) -> String {
    let own = sum(coefficients, coordinates).unwrap_or_default();
    let more = Linear::parse(shift).and_then(|shift| {
        let mut more = own.clone();
        more.add(1, &shift).map(|()| more)
    });
    more.map_or_else(|| format!("{} + {}", own.print(), parenthesized(shift)), |more| more.print())
}

/// A variable alone is the same subscript without a cast.
fn without_needless_cast(subscript: &str) -> &str {
    subscript.strip_prefix(LONG).filter(|text| is_simple(text)).unwrap_or(subscript)
}

/// A name or a number.
fn is_simple(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Fit to stand beside `*` or `%`.
pub(crate) fn parenthesized(text: &str) -> String {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    if is_simple(text) || inner.is_some_and(is_simple) { text.to_string() } else { format!("({text})") }
}

/// Fit to stand on the left of `+` or `-`.
fn additive(text: &str) -> String {
    let loose = text.contains(['?', '<', '>', '=', '&', '|', '^', ',', '!', '~']);
    if loose { format!("({text})") } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::{from, plus};

    #[test]
    fn combinations_collect_their_terms() {
        let names = ["i", "j"].map(str::to_string);
        assert_eq!(from(&[2, 1], &names, "0"), "2 * i + j");
        assert_eq!(from(&[1, -1], &names, "-m"), "i - j + m");
        assert_eq!(from(&[1, 0], &names, "n <= 2 ? 1 : 0"), "i - (n <= 2 ? 1 : 0)");
        assert_eq!(plus(&[0, -1], &names, "n - 1"), "n - j - 1");
        assert_eq!(plus(&[0, 1], &names, "max(n, m)"), "j + (max(n, m))");
    }
}
