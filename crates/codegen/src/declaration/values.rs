//! Declarations of buffers that hold values of several arrays, by name.
//!
//! Example: `double Q_shared[N + 1];`, with the comment `/* Q[i] lives in Q_shared[(i + v) mod (N + 1)] while v turns of the loop
//! over t are left */`.

use super::OneScop;
use super::statement::attributed;
use super::text::coordinates;
use crate::region::may_be_wide;
use crate::subscript::{Moduli, description};
use crate::values::ValueBuffer;
use polyfold_isl::Result;
use polyfold_prove::{Placed, PlacedValues};
use polyfold_scop::Scop;

impl OneScop<'_> {
    pub(super) fn declare_values(&mut self) -> Result<()> {
        for buffer in &self.decisions.value_buffers {
            self.declare_buffer(buffer)?;
        }
        for values in &self.decisions.values {
            if let Some(declaration) = &self.decisions.array(values.array()).declaration {
                self.take_away(declaration, Vec::new());
            }
        }
        Ok(())
    }

    fn declare_buffer(&mut self, buffer: &ValueBuffer) -> Result<()> {
        let owner = self.decisions.array(buffer.owner);
        let Some(declaration) = &owner.declaration else { return Ok(()) };
        let wide = may_be_wide(self.decisions.scop, owner);
        let constants = &self.region.constants;
        let moduli = Moduli { array: buffer.first, names: self.decisions.names, constants, wide };
        let mut declarator = None;
        for (values, place) in places(&self.decisions.values, buffer) {
            let comment = self.comment(buffer, values, place, &Moduli { wide: false, ..moduli })?;
            if !self.storage.at_scop.contains(&comment) {
                self.storage.at_scop.push(comment);
            }
            let extents = place.rows().iter().map(|row| Ok(format!("[{}]", moduli.text(&row.modulus)?)));
            declarator = Some(extents.collect::<Result<String>>()?);
        }
        let Some(extents) = declarator else { return Ok(()) };
        let value = match (extents.is_empty(), owner.element_bytes) {
            (false, _) => "",
            (true, Some(_)) => " = 0",
            (true, None) => " = {0}",
        };
        let declarator = attributed(&format!("{}{extents}", buffer.name), &declaration.attributes);
        self.storage.at_scop.push(format!("{} {declarator}{value};", declaration.specifiers));
        Ok(())
    }

    fn comment(&self, buffer: &ValueBuffer, values: &PlacedValues, place: &Placed, moduli: &Moduli) -> Result<String> {
        let array = self.decisions.array(values.array());
        let versions = values.version_dimensions();
        let names = coordinates(self.decisions.scop, versions + array.extents.len());
        let old: String = names[versions..].iter().map(|c| format!("[{c}]")).collect();
        let new = description(&buffer.name, place, &names, moduli)?;
        let is_versioned = place.rows().iter().any(|row| row.coefficients[..versions].iter().any(|c| *c != 0));
        let when = match is_versioned {
            true => format!(" while {} turns of the loop over {} are left", names[0], time(self.decisions.scop, values)),
            false => String::new(),
        };
        Ok(format!("/* {}{old} lives in {new}{when} */", array.name))
    }
}

/// The places of a buffer's classes, each once.
fn places<'a>(values: &'a [PlacedValues], buffer: &ValueBuffer) -> Vec<(&'a PlacedValues, &'a Placed)> {
    let mut found: Vec<(&PlacedValues, &Placed)> = Vec::new();
    for values in values {
        for place in values.accesses().iter().filter_map(|access| access.place.as_ref()) {
            let is_new = found.iter().all(|(_, other)| other.array() != place.array());
            if place.shared() == Some(buffer.first) && is_new {
                found.push((values, place));
            }
        }
    }
    found
}

/// The counter of the loop that counts versions.
fn time(scop: &Scop, values: &PlacedValues) -> String {
    values.time().map_or_else(String::new, |id| scop.loops()[id.0].iterator.clone())
}
