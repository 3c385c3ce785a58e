//! The sizes of new storage that have names, as integers of a program.
//!
//! Example: `y_size` stands for `2 * n - 3`, the extent of `y`.

use crate::constants::Constants;
use crate::{Decisions, growing_coordinate, growth};
use polyfold_emit::Named;
use polyfold_isl::Result;
use polyfold_lattice::Polynomial;
use polyfold_program::{BufferId, Int, IntType, Place, Program};
use polyfold_prove::{LinearRow, Placed};

/// Names for sizes of a program's new storage.
pub(crate) struct NamedSizes<'a> {
    pub(crate) source: &'a str,
    pub(crate) decisions: &'a Decisions<'a>,
    pub(crate) constants: &'a Constants,
    /// With the storage.
    pub(crate) program: &'a Program,
}

impl NamedSizes<'_> {
    /// Those of all places.
    pub(crate) fn all(&self) -> Result<Vec<Named>> {
        let mut all = Vec::new();
        for (buffer, place) in self.places() {
            match (place.linear(), self.buffer_called(&buffer)) {
                (Some(row), _) => all.extend(self.growing(place, row).unwrap_or_default()),
                (None, Some(id)) => all.extend(self.extents(place, id)?),
                // Nothing lives there.
                (None, None) => {}
            }
        }
        Ok(all)
    }

    /// The buffer of new storage. An array may have its name, but comes before.
    pub(crate) fn buffer_called(&self, name: &str) -> Option<BufferId> {
        self.program.newest_buffer(name)
    }

    /// The places of storage, and for each buffer of values the place that its sizes are those of.
    pub(crate) fn places(&self) -> impl Iterator<Item = (String, &Placed)> {
        let mapped = self.decisions.mapped.iter().map(|place| (self.decisions.name(place, self.source), place));
        let of_values = self.decisions.value_buffers.iter().filter_map(|buffer| {
            let all = self.decisions.values.iter().flat_map(|values| values.placed().accesses());
            let place = all.filter_map(|own| own.place.as_ref()).find(|place| place.array() == buffer.first)?;
            Some((buffer.name.clone(), place))
        });
        mapped.chain(of_values)
    }

    /// A size that has a name, as the storage has it, and as its name was declared.
    fn name(&self, place: &Placed, value: Int, size: &Int) -> Option<Named> {
        let array = place.shared().unwrap_or(place.array());
        let name = self.constants.name(array, size)?.to_string();
        let held = if self.constants.is_long(&name) { IntType::LONG } else { IntType::INT };
        Some(Named { value, name, held })
    }

    fn extents(&self, place: &Placed, id: BufferId) -> Result<Vec<Named>> {
        let mut found = Vec::new();
        for (row, extent) in place.rows().iter().zip(&self.program.buffers[id.0].extents) {
            let size = self.decisions.names.extent(&row.modulus)?;
            found.extend(extent.clone().and_then(|extent| self.name(place, extent, &size)));
        }
        Ok(found)
    }

    /// The sizes of a row that grows with one.
    fn growing(&self, place: &Placed, row: &LinearRow) -> Option<Vec<Named>> {
        let size = self.decisions.names.named(&row.parameter)?;
        let own = growing_coordinate(row, &size)?;
        let coefficients = own.coefficients.iter().zip(row.coefficients.iter().map(|own| Polynomial::from(*own)));
        let all = coefficients.chain([(&own.modulus, row.modulus.clone()), (&own.shift, row.shift.clone())]);
        let named = all.filter(|(e, _)| !matches!(e, Int::Constant(_))).filter_map(|(e, polynomial)| {
            self.name(place, e.clone(), &growth::in_closed_form(&polynomial, row, &size))
        });
        Some(named.collect())
    }
}

/// The integers in subscripts of new storage, those of one place in a statement once.
pub(crate) fn each_new_subscript(decisions: &Decisions, after: &Program, visit: &mut dyn FnMut(&Int)) {
    let old = decisions.scop.arrays.len();
    let mut in_stmt = |stmt: &polyfold_program::Stmt| {
        let mut places: Vec<&Place> = Vec::new();
        stmt.each_place(&mut |_, place| {
            let is_new = matches!(place, Place::Cell { buffer, .. } if buffer.0 >= old);
            if is_new && !places.contains(&place) {
                places.push(place);
            }
        });
        for place in places {
            if let Place::Cell { index, .. } = place {
                index.iter().for_each(|e| e.each(&mut *visit));
            }
        }
    };
    after.body.iter().for_each(|stmt| stmt.each(&mut in_stmt));
}
