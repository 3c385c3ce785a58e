//! New storage for high-level synthesis.
//!
//! Hardware has no sizes of run time, and reads or writes two cells of a memory at a time. What people write by hand for a line buffer is
//! an array of constant size whose few rows are memories of their own, and for a window an array whose cells are registers:
//!
//! ```c
//! int rows[3][WIDTH];
//! #pragma HLS ARRAY_PARTITION variable=rows complete dim=1
//! ```
//!
//! So every dimension of new storage that has few cells is taken apart. Loops stay as they are, with the trip counts that they had, and
//! there are no pointers. Source: AMD, Vitis HLS user guide (UG1399), `pragma HLS array_partition`.

use crate::Decisions;
use polyfold_emit::Line;
use polyfold_isl::Result;
use polyfold_prove::Placed;
use polyfold_scop::{ArrayId, ParameterOrigin};

/// Dimensions of more cells stay one memory: registers and multiplexers would cost more.
const MOST_PARTS: i64 = 16;

impl Decisions<'_> {
    /// The pragmas for a buffer, by the places that arrays or values have in it; what macros say now is the size that hardware has.
    pub(crate) fn partitions(&self, name: &str, place: &Placed) -> Result<Vec<Line>> {
        let (constants, mut pragmas) = (self.constants(), Vec::new());
        for (dimension, row) in (1..).zip(place.rows()) {
            if row.modulus.eval(&constants).ok().flatten().is_some_and(|cells| (2..=MOST_PARTS).contains(&cells)) {
                let pragma = format!("#pragma HLS ARRAY_PARTITION variable={name} complete dim={dimension}");
                pragmas.push(Line::Directive(pragma));
            }
        }
        Ok(pragmas)
    }

    /// Arrays whose new storage has a size that is known at run time only.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn of_run_time_size(&self) -> Result<Vec<ArrayId>> {
        let is_variable = |name: &String| {
            let parameter = self.parameters.iter().position(|own| own == name).map(|k| &self.scop.parameters[k]);
            parameter.is_none_or(|parameter| parameter.origin == ParameterOrigin::Variable)
        };
        let places = self.mapped.iter().map(|place| (place.array(), place));
        let values = self.values.iter().flat_map(|values| {
            let places = values.placed().accesses().iter().filter_map(|access| access.place.as_ref());
            places.map(|place| (values.array(), place))
        });
        let mut found = Vec::new();
        for (array, place) in places.chain(values).filter(|(_, place)| place.inside().is_none()) {
            let mut has_variable = place.linear().is_some() && !self.parameters.is_empty();
            for row in place.rows() {
                has_variable |= row.modulus.parameters()?.iter().any(is_variable);
            }
            if has_variable && !found.contains(&array) {
                found.push(array);
            }
        }
        Ok(found)
    }
}
