//! Names for moduli that are long to read.
//!
//! `y[(2 * i + k) % (n <= 2 ? 3 : 2 * n - 3)]` reads better as `y[(2 * i + k) % y_size]`, with
//! `const int y_size = n <= 2 ? 3 : 2 * n - 3;` in front. Where a modulus depends on macros alone its name is an enumeration
//! constant, which may stand in the extents of any array.
//!
//! A name is declared where its modulus is known: beside the array's own declaration if that stays in place and has the name
//! in it, else in front of the scop.

use crate::edit::Edits;
use crate::home::{Home, home, words};
use crate::signed::Signed;
use crate::{Decisions, Mapped};
use polyfold_isl::Result;
use polyfold_prove::Row;
use polyfold_scop::{ArrayId, ParameterOrigin, Scop};

/// Longer texts get a name, and so do those that choose or divide.
const LONG: usize = 20;

/// Where a name is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    AtDeclaration,
    AtScop,
}

/// A modulus with a name.
#[derive(Clone)]
struct Constant {
    array: ArrayId,
    /// How the modulus reads in C.
    value: String,
    name: String,
    declaration: String,
    place: Place,
    /// Whether the array's new declaration has it in an extent.
    in_extent: bool,
}

/// All names of one scop.
#[derive(Default)]
pub(crate) struct Constants(Vec<Constant>);

impl Constants {
    /// Names for all moduli that are long; `keeps_both`: the program as it was stays beside the new one.
    pub(crate) fn candidates(source: &str, decisions: &Decisions, keeps_both: bool) -> Result<Constants> {
        let mut found = Constants::default();
        let signed = Signed::at(source, decisions.scop.span.start);
        for mapped in &decisions.mapped {
            let values = long_moduli(decisions, mapped)?;
            for (k, (value, rows)) in values.iter().enumerate() {
                let array = decisions.array(mapped.array);
                let inside = array.declaration.as_ref().is_some_and(|d| d.inside_scop);
                let in_extent = rows.iter().any(|row| mapped.own_extents.get(*row).is_none_or(Option::is_none));
                let stays = in_extent && !inside && !keeps_both;
                let place = match home(source, decisions, mapped)? {
                    Home::InPlace if stays => Place::AtDeclaration,
                    _ => Place::AtScop,
                };
                let number = if values.len() > 1 { k.to_string() } else { String::new() };
                let name = fresh(&format!("{}_size{number}", array.name), source);
                let row = &mapped.storage.rows()[rows[0]];
                let Some(declaration) = declaration(decisions, row, &name, value, &signed)? else { continue };
                let value = value.clone();
                found.0.push(Constant { array: mapped.array, value, name, declaration, place, in_extent });
            }
        }
        Ok(found)
    }

    /// Those that a text with them mentions more than once, extents included; or nothing if it is all of them.
    pub(crate) fn without_rare(&self, region: &Edits) -> Option<Constants> {
        let mentions = |c: &Constant| region.texts().flat_map(words).filter(|(_, word)| *word == c.name).count();
        let is_rare = |c: &&Constant| mentions(c) + usize::from(c.in_extent) < 2 || mentions(c) == 0;
        if !self.0.iter().any(|c| is_rare(&c)) {
            return None;
        }
        Some(Constants(self.0.iter().filter(|c| !is_rare(c)).map(Constant::clone).collect()))
    }

    /// The name of an array's modulus.
    pub(crate) fn name(&self, array: ArrayId, value: &str) -> Option<&str> {
        self.0.iter().find(|c| c.array == array && c.value == value).map(|c| c.name.as_str())
    }

    /// Whether a name stands for a `long`.
    pub(crate) fn is_long(&self, name: &str) -> bool {
        self.0.iter().any(|c| c.name == name && c.declaration.starts_with("const long"))
    }

    /// The declarations of an array's names.
    pub(crate) fn declarations(&self, array: ArrayId, place: Place) -> impl Iterator<Item = String> {
        self.0.iter().filter(move |c| c.array == array && c.place == place).map(|c| c.declaration.clone())
    }
}

/// The long moduli of an array, each with its rows.
fn long_moduli(decisions: &Decisions, mapped: &Mapped) -> Result<Vec<(String, Vec<usize>)>> {
    let mut found: Vec<(String, Vec<usize>)> = Vec::new();
    for (k, row) in mapped.storage.rows().iter().enumerate() {
        let value = decisions.names.value(&row.modulus)?;
        match found.iter_mut().find(|(other, _)| *other == value) {
            Some((_, rows)) => rows.push(k),
            None if value.contains(['?', '/']) || value.len() > LONG => found.push((value, vec![k])),
            None => {}
        }
    }
    Ok(found)
}

fn fresh(name: &str, source: &str) -> String {
    let mut name = name.to_string();
    while words(source).any(|(_, word)| word == name) {
        name.push('_');
    }
    name
}

/// `const int y_size = …;`, or an enumeration constant; `None` if an `int` cannot hold that.
fn declaration(decisions: &Decisions, row: &Row, name: &str, value: &str, signed: &Signed) -> Result<Option<String>> {
    let used = row.modulus.parameters()?;
    let origin = |isl: &String| origin(decisions.scop, decisions.parameters, isl);
    let known: Vec<(&str, i64)> = used.iter().filter_map(|p| Some((p.as_str(), origin(p)?))).collect();
    if known.len() == used.len() {
        let fits = row.modulus.eval(&known)?.is_some_and(|v| i32::try_from(v).is_ok());
        return Ok(fits.then(|| format!("enum {{ {name} = {value} }};")));
    }
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_int = words(value).all(|(_, word)| is_number(word) || signed.is_int(word));
    Ok(Some(format!("const {} {name} = {value};", if is_int { "int" } else { "long" })))
}

/// The value of a parameter that is a macro or a constant.
fn origin(scop: &Scop, parameters: &[String], isl: &String) -> Option<i64> {
    let at = parameters.iter().position(|p| p == isl)?;
    match scop.parameters[at].origin {
        ParameterOrigin::Constant(value) => Some(value),
        ParameterOrigin::Variable => None,
    }
}
