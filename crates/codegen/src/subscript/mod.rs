//! The subscripts of a contracted array.
//!
//! The user's own subscript text is kept wherever a row reads one dimension: `y[i][k-1]` under `[k mod 2][i]`
//! is `y[(k-1) % 2][i]`. Constants are folded, so that `g[x+1]` shifted by 1 is `g[x]`. Rows that read several dimensions are
//! written anew, as linear combinations of the variables.

mod combination;
mod inside;
mod linear;
mod operand;
mod plain;
mod term;
pub(crate) mod written;

pub(crate) use operand::parenthesized;

use crate::constants::Constants;
use crate::flat::{Shape, flattened, shape, stays_narrow};
use crate::linear::{Linear, Variables, as_long};
use crate::{CNames, fault};
use combination::{Coordinate, combine, moved, plus_shift, shifted, signed};
use operand::{additive, is_simple, signed_operand};
use plain::plain;
use polyfold_isl::{PwAff, Result, Set};
use polyfold_prove::{Placed, Row, RowForm};
use polyfold_scop::{Access, Array, ArrayId, Expr};
use term::Term;

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

    /// A modulus, by its text, to be multiplied and added.
    fn summand(&self, modulus: &str) -> String {
        if self.wide && !self.constants.is_long(modulus) { as_long(modulus) } else { modulus.to_string() }
    }
}

/// An access to new storage.
pub(crate) struct Reference<'a> {
    /// What the storage is called.
    pub(crate) name: &'a str,
    pub(crate) access: &'a Access,
    /// That in which the access stands: the file, or an expansion.
    pub(crate) text: &'a str,
    pub(crate) storage: &'a Placed,
    pub(crate) moduli: Moduli<'a>,
    pub(crate) variables: Variables<'a>,
}

impl Reference<'_> {
    /// The text that replaces an access to a cell.
    pub(crate) fn in_c(&self) -> Result<String> {
        self.behind(&self.coordinates(&[])?)
    }

    /// The text that replaces an access to a value, whose name has `versions` in front of the cell's coordinates.
    pub(crate) fn value_in_c(&self, versions: &[String]) -> Result<String> {
        self.behind(&self.coordinates(versions)?)
    }

    /// A point whose first coordinates are given, and the others the access's subscripts.
    fn coordinates(&self, versions: &[String]) -> Result<Vec<Coordinate>> {
        let Reference { name, access, text, storage, .. } = *self;
        let in_c = |(k, text): (usize, &String)| match is_computed(storage, k, text) {
            true => as_long(text),
            false => text.clone(),
        };
        let coordinate = |(k, text): (usize, &String)| Coordinate {
            term: text
                .parse()
                .map_or_else(|_| Term::new(in_c((k, text)), 0), |number| Term::new(String::new(), number)),
            linear: Linear::parse(text),
        };
        let mut coordinates: Vec<Coordinate> = versions.iter().enumerate().map(coordinate).collect();
        let Some(expressions) = &access.subscripts else {
            return Err(fault(format!("`{name}` is accessed with subscripts that are not known")));
        };
        let array = self.variables.scop.array(access.array);
        if array.linearised {
            for expr in expressions {
                coordinates.push(self.written(expr)?);
            }
        } else {
            coordinates.extend(access.subscript_spans.iter().zip(expressions).map(|(span, expr)| {
                let linear = Linear::of(expr, &text[span.clone()], self.variables.scop);
                let term = Term::of(&plain(&text[span.clone()]), expr);
                Coordinate { term: if linear.is_none() { term.closed() } else { term }, linear }
            }));
        }
        let is_read_fully = storage.coordinates().is_none_or(|count| count == coordinates.len());
        let is_whole = array.linearised || expressions.len() == access.subscript_spans.len();
        if !is_whole || !is_read_fully {
            return Err(fault(format!("`{name}` is accessed with too few or too many subscripts")));
        }
        Ok(coordinates)
    }

    /// A reference to a point.
    fn behind(&self, coordinates: &[Coordinate]) -> Result<String> {
        let Reference { name, access, storage, .. } = *self;
        let array = self.variables.scop.array(access.array);
        let mut out = name.to_string();
        let subscript = |row: &Row| row_text(row, coordinates, storage.scope(), &self.moduli, &self.variables);
        let rows: Vec<String> = storage.rows().iter().map(subscript).collect::<Result<_>>()?;
        if shape(array) == Shape::Flat && storage.linear().is_none() {
            return Ok(flattened(
                name,
                &rows,
                &self.moduli.flat_extents(storage, array)?,
                stays_narrow(array, storage),
            ));
        }
        rows.iter().for_each(|row| out.push_str(&format!("[{row}]")));
        if let Some(inside) = storage.inside() {
            out.push_str(&inside::subscripts(inside, coordinates, self.moduli.names, Some(&self.variables))?);
        }
        if let Some(row) = storage.linear() {
            let text = linear::subscript(row, coordinates, &self.moduli, &self.variables);
            out.push_str(&format!("[{text}]"));
        }
        Ok(out)
    }

    /// A subscript that the user wrote as a part of another one.
    fn written(&self, expr: &Expr) -> Result<Coordinate> {
        let scop = self.variables.scop;
        let Some(linear) = Linear::of(expr, &scop.show(expr), scop) else {
            let text = written::in_c(expr, &self.variables).ok_or_else(|| fault("data decides over a subscript"))?;
            return Ok(Coordinate { term: Term::new(text, 0), linear: None });
        };
        let is_computed = !linear.is_variable() || linear.constant.unsigned_abs() > MOST_ADDED;
        let term = Term::new(linear.print_terms(is_computed.then_some(&self.variables)), linear.constant);
        Ok(Coordinate { term, linear: Some(linear) })
    }
}

/// How a place in a window that slides reads in the comment above a declaration: `u[u_from + j - 1]`.
pub(crate) fn in_slide(
    name: &str,
    from: &str,
    storage: &Placed,
    coordinates: &[String],
    first: &str,
) -> Result<String> {
    let number = Coordinate { term: Term::new(String::new(), 0), linear: Linear::parse("0") };
    let coordinate = |c: &String| Coordinate { term: Term::new(c.clone(), 0), linear: Some(Linear::variable(c)) };
    let all: Vec<Coordinate> = std::iter::once(number).chain(coordinates.iter().map(coordinate)).collect();
    let place = shifted(&storage.rows()[0].coefficients, &all, first, None)?;
    Ok(format!("{name}[{}]", behind(from, &place)))
}

/// A place that is counted from a variable.
fn behind(from: &str, place: &str) -> String {
    match place.strip_prefix('-') {
        _ if place == "0" => from.to_string(),
        _ if place.contains('?') => format!("{from} + ({place})"),
        Some(rest) => format!("{from} - {rest}"),
        None => format!("{from} + {place}"),
    }
}

/// What is added to a variable in its own type, at most.
const MOST_ADDED: u64 = 1 << 16;

/// Whether a coordinate in front of a cell's is more than a counter that a row takes as it is: a sum may be past `int`, though
/// its operands fit.
pub(crate) fn is_computed(storage: &Placed, coordinate: usize, text: &str) -> bool {
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    storage.reads(coordinate) && !(is_word && storage.takes_as_it_is(coordinate)) && text.parse::<i64>().is_err()
}

/// How a mapping reads in the comment above a declaration: `y[k mod 2][i]` for cells called by `coordinates`.
pub(crate) fn description(name: &str, storage: &Placed, coordinates: &[String], moduli: &Moduli) -> Result<String> {
    let coordinate = |c: &String| Coordinate { term: Term::new(c.clone(), 0), linear: Some(Linear::variable(c)) };
    let coordinates: Vec<Coordinate> = coordinates.iter().map(coordinate).collect();
    let mut out = name.to_string();
    for row in storage.rows() {
        let value = combine(&row.coefficients, &coordinates, None)?;
        out.push_str(&match &row.form {
            RowForm::Fits { lowest } => {
                format!("[{}]", shifted(&row.coefficients, &coordinates, &moduli.names.value(lowest)?, None)?)
            }
            _ => {
                let shift = moduli.names.value(&row.shift)?;
                let value = match moved(&row.coefficients, &coordinates, &shift, None) {
                    Some(value) => value,
                    None => value.shifted_by(&shift)?,
                };
                match moduli.text(&row.modulus)?.as_str() {
                    "1" => "[0]".to_string(),
                    modulus => format!("[{} mod {}]", value.as_operand(), parenthesized(modulus)),
                }
            }
        });
    }
    if let Some(inside) = storage.inside() {
        out.push_str(&inside::subscripts(inside, &coordinates, moduli.names, None)?);
    }
    if let Some(row) = storage.linear() {
        out.push_str(&format!("[{}]", linear::description(row, &coordinates, moduli)));
    }
    Ok(out)
}

/// How a place in a window reads in the comment above a declaration: `t[j - c + 2]`.
pub(crate) fn in_window(
    name: &str,
    storage: &Placed,
    coordinates: &[String],
    (first, is_turned): (&str, bool),
) -> Result<String> {
    let coordinate = |c: &String| Coordinate { term: Term::new(c.clone(), 0), linear: Some(Linear::variable(c)) };
    let coordinates: Vec<Coordinate> = coordinates.iter().map(coordinate).collect();
    let rows = storage.rows().iter();
    let rows =
        rows.map(|row| Ok(format!("[{}]", shifted(&turned(&row.coefficients, is_turned), &coordinates, first, None)?)));
    Ok(name.to_string() + &rows.collect::<Result<String>>()?)
}

/// How a cell of storage that is counted from where tiles begin reads in a comment: `t[i - I + 2][j - J]`.
pub(crate) fn in_tile(
    name: &str,
    storage: &Placed,
    coordinates: &[String],
    (begins, moduli): (&[Option<(String, bool)>], &Moduli),
) -> Result<String> {
    let whole = description(name, storage, coordinates, moduli)?;
    let own = whole[name.len()..].trim_matches(['[', ']']).split("][").map(str::to_string);
    let coordinate = |c: &String| Coordinate { term: Term::new(c.clone(), 0), linear: Some(Linear::variable(c)) };
    let coordinates: Vec<Coordinate> = coordinates.iter().map(coordinate).collect();
    let row = |((own, row), begin): ((String, &Row), &Option<(String, bool)>)| {
        let counted = begin
            .as_ref()
            .map(|(first, is_turned)| shifted(&turned(&row.coefficients, *is_turned), &coordinates, first, None));
        counted.unwrap_or(Ok(own)).map(|place| format!("[{place}]"))
    };
    let rows: String = own.zip(storage.rows()).zip(begins).map(row).collect::<Result<_>>()?;
    Ok(name.to_string() + &rows)
}

fn turned(coefficients: &[i64], is_turned: bool) -> Vec<i64> {
    coefficients.iter().map(|factor| if is_turned { -factor } else { *factor }).collect()
}

fn row_text(row: &Row, cell: &[Coordinate], scope: &Set, moduli: &Moduli, variables: &Variables) -> Result<String> {
    let shift = moduli.size(&moduli.names.value(&row.shift)?);
    let moves = shift != "0" || matches!(row.form, RowForm::Modulo { lift: 1.. } | RowForm::SignedModulo);
    // A wide shift is cast where it stands.
    let merged = match moduli.wide {
        true => None,
        false => moved(&row.coefficients, cell, &moduli.names.value(&row.shift)?, Some(variables)),
    };
    let value = match moves {
        _ if let Some(merged) = merged => merged,
        true => signed(&row.coefficients, cell, variables)?.shifted_by(&shift)?,
        false => combine(&row.coefficients, cell, Some(variables))?,
    };
    let modulus = moduli.text(&row.modulus)?;
    if let (false, Some(number)) = (matches!(row.form, RowForm::Fits { .. }), settled(row, cell, &shift)?) {
        return Ok(number.to_string());
    }
    let is_small = value.text.is_empty() && is_remainder(value.offset, &row.modulus, scope)?;
    Ok(match &row.form {
        RowForm::Fits { lowest } => shifted(&row.coefficients, cell, &moduli.names.value(lowest)?, Some(variables))?,
        _ if is_small => value.offset.to_string(),
        RowForm::Modulo { lift } => match (&value.text, modulus.parse::<i64>()) {
            (text, Ok(m)) if text.is_empty() => value.offset.rem_euclid(m).to_string(),
            _ => format!("{} % {}", lifted(&value, *lift, &moduli.summand(&modulus))?, parenthesized(&modulus)),
        },
        RowForm::SignedModulo => {
            let m = if moduli.constants.is_long(&modulus) { modulus } else { signed_operand(&modulus) };
            format!("({} % {m} + {m}) % {m}", value.as_operand())
        }
    })
}

/// What is left of a value that is a number but for multiples of the modulus: 1 of `(2 * k + 1) % 2`.
fn settled(row: &Row, cell: &[Coordinate], shift: &str) -> Result<Option<i64>> {
    let Some(modulus) = row.modulus.as_constant()?.filter(|modulus| *modulus > 0) else { return Ok(None) };
    let sum = plus_shift(&row.coefficients, cell, shift);
    let settled = sum.filter(|sum| sum.terms().all(|(_, factor)| factor % modulus == 0));
    Ok(settled.map(|sum| sum.constant.rem_euclid(modulus)))
}

/// Whether a number is its own remainder for all parameters.
fn is_remainder(number: i64, modulus: &PwAff, scope: &Set) -> Result<bool> {
    if number < 0 || number == i64::MAX {
        return Ok(false);
    }
    let more = PwAff::read(scope.context(), &format!("{{ [({})] }}", number + 1))?;
    scope.is_subset(&modulus.at_least(&more)?)
}

/// `value + lift * modulus`, ready to stand before `%`.
fn lifted(value: &Term, lift: i64, modulus: &str) -> Result<String> {
    Ok(match (lift, modulus.parse::<i64>()) {
        (0, _) => value.as_operand(),
        (_, Ok(m)) => value.plus(lift, m)?.as_operand(),
        (1, _) => format!("({} + {})", additive(&value.print()), parenthesized(modulus)),
        _ => format!("({} + {lift} * {})", additive(&value.print()), parenthesized(modulus)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_sizes_are_long_before_they_are_computed() {
        assert_eq!(as_long("2 * n - 3"), "2 * (long)n - 3");
        assert_eq!(as_long("n <= 2 ? 3 : 2 * (long)m"), "n <= 2 ? 3 : 2 * (long)m");
        assert_eq!(signed_operand(&as_long("2 * n - 3")), "(2 * (long)n - 3)");
        assert_eq!(lifted(&Term::new("i".into(), 0), 2, &as_long("n + m")).unwrap(), "(i + 2 * ((long)n + (long)m))");
    }

    #[test]
    fn numbers_past_64_bits_are_not_written() {
        let far = Term::new("i".to_string(), i64::MAX);
        assert!(far.plus(1, 1).is_err() && far.shifted_by("1").is_err() && far.minus("-1").is_err());
        assert!(lifted(&Term::new("i".to_string(), 0), 4, &i64::MAX.to_string()).is_err());
        let cell =
            [Coordinate { term: far, linear: None }, Coordinate { term: Term::new("j".into(), 0), linear: None }];
        assert!(combine(&[2, 1], &cell, None).is_err());
    }
}
