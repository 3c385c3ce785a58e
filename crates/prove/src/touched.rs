//! What operations touch in buffers, and whether two of them may meet in a cell.
//!
//! With an operation i and another one i', an access a and an access b to the same buffer, they meet if
//!
//! ```text
//! M a(i) − M b(i')  is a multiple of the moduli, 0 included
//! ```
//!
//! which is settled like the differences of a mapping (see `quotient`): by finitely many quotients, for all parameters.
//!
//! Example: `a[(t + i) % m][j]` and `a[(t + i + 1) % m][j − 1]` are in two rows, which are different ones unless m = 1.
//!
//! Invariant: what is said not to meet was settled exactly; where a memory's place is not known, nothing is said.

use crate::quotient::{Admissibility, linear_map, settle};
use crate::{Placed, PlacedValues, Row, RowForm};
use polyfold_flow::StatementModel;
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_scop::{Array, ArrayId, Declaration, Scop, StatementId};

/// Where a scop's arrays live.
pub struct Storage<'a> {
    /// Arrays with new storage.
    pub mapped: &'a [Placed],
    /// Arrays whose values live in several places.
    pub values: Vec<&'a PlacedValues>,
    /// Statements that are taken away.
    pub gone: &'a [StatementId],
    /// Parameter values to prove it for.
    pub context: &'a Set,
    /// Parameters that are declared as `restrict`.
    pub restricted: &'a [ArrayId],
    /// Whether different parameters, and parameters and globals, are taken not to overlap.
    pub are_distinct: bool,
}

/// What an access touches.
pub(crate) struct Use<'a> {
    pub(crate) statement: StatementId,
    /// Which of the statement's accesses.
    pub(crate) access: usize,
    /// `{ [i] -> [x] }`: values or cells.
    pub(crate) cells: Map,
    /// Where they live; `None`: where they were.
    pub(crate) place: Option<&'a Placed>,
    pub(crate) array: ArrayId,
    pub(crate) is_write: bool,
}

impl Use<'_> {
    /// The buffer, by one of its arrays.
    pub(crate) fn buffer(&self) -> ArrayId {
        self.place.map_or(self.array, |place| place.shared().unwrap_or(place.array()))
    }
}

/// All that statements touch; `None`: that is not known.
pub(crate) fn uses<'a>(
    (scop, models): (&Scop, &[StatementModel]),
    storage: &'a Storage,
    statements: impl Iterator<Item = StatementId>,
) -> Result<Option<Vec<Use<'a>>>> {
    let mut uses = Vec::new();
    for id in statements {
        let statement = scop.statement(id);
        if statement.is_effectful() || statement.passes_addresses() {
            return Ok(None);
        }
        for (k, access) in statement.accesses.iter().enumerate() {
            for (cells, place) in places(&models[id.0].cells[k], access.array, storage, (id, k))? {
                if is_in_no_memory(scop.array(access.array), place) {
                    continue;
                }
                if place.is_some_and(|place| place.inside().is_some() || place.linear().is_some()) {
                    return Ok(None);
                }
                let is_write = access.is_write();
                uses.push(Use { statement: id, access: k, cells, place, array: access.array, is_write });
            }
        }
    }
    Ok(Some(uses))
}

/// What an access touches, `{ [i] -> [x] }`: values or cells, and where they live; `None`: where they were.
fn places<'a>(
    cells: &Map,
    array: ArrayId,
    storage: &'a Storage,
    (id, k): (StatementId, usize),
) -> Result<Vec<(Map, Option<&'a Placed>)>> {
    if let Some(values) = storage.values.iter().find(|values| values.array() == array) {
        let own = values.accesses().iter().filter(|own| (own.statement, own.access) == (id, k));
        let placed = own.filter_map(|own| Some((&own.name, own.place.as_ref()?)));
        return placed.map(|(name, place)| Ok((name.unnamed()?, Some(place)))).collect();
    }
    let place = storage.mapped.iter().find(|place| place.array() == array);
    Ok(vec![(cells.unnamed()?, place)])
}

/// Whether it is a variable of the function's own: nothing lies over that.
fn is_in_no_memory(array: &Array, place: Option<&Placed>) -> bool {
    place.map_or(array.extents.is_empty(), Placed::is_one_cell) && is_variable(array)
}

/// Whether it is declared in the function, and nothing knows its address.
fn is_variable(array: &Array) -> bool {
    let is_local = |d: &Declaration| d.storage == polyfold_scop::Storage::Local && d.allocation().is_none();
    array.is_temporary() && array.element_bytes.is_some() && array.declaration.as_ref().is_some_and(is_local)
}

/// What is added to a row's combination of coordinates.
fn shift(row: &Row) -> Result<PwAff> {
    match &row.form {
        RowForm::Fits { lowest } => lowest.neg(),
        RowForm::Modulo { .. } | RowForm::SignedModulo => Ok(row.shift.clone()),
    }
}

/// `{ [x] -> [M x] }`.
fn linear_part(rows: &[Row], cells: &Map) -> Result<Map> {
    linear_map(cells.context(), cells.dimensions()?.1, rows.iter().map(|row| &row.coefficients[..]))
}

/// Where a use's cells stand in their buffer.
pub(crate) struct Points {
    /// `{ [i] -> [M x] }`, without the shift.
    pub(crate) points: Map,
    shift: Vec<PwAff>,
    /// `None`: they stand where they were.
    moduli: Option<Vec<PwAff>>,
}

impl Points {
    pub(crate) fn of(found: &Use) -> Result<Points> {
        let Some(place) = found.place else {
            return Ok(Points { points: found.cells.clone(), shift: Vec::new(), moduli: None });
        };
        let rows = place.rows();
        let points = found.cells.apply_range(&linear_part(rows, &found.cells)?)?;
        let shift = rows.iter().map(shift).collect::<Result<_>>()?;
        Ok(Points { points, shift, moduli: Some(rows.iter().map(|row| row.modulus.clone()).collect()) })
    }
}

/// Whether two operations of a relation may touch one cell, the first by one use, the second by another.
pub(crate) fn meet((one, other): (&Points, &Points), operations: &Map, context: &Set) -> Result<bool> {
    let pairs = operations.apply_domain(&one.points)?.apply_range(&other.points)?.intersect_params(context)?;
    if pairs.is_empty()? {
        return Ok(false);
    }
    let Some(moduli) = &one.moduli else { return Ok(!pairs.deltas()?.fix_all(0)?.is_empty()?) };
    let apart = other.shift.iter().zip(&one.shift).map(|(a, b)| a.sub(b)).collect::<Result<Vec<_>>>()?;
    let differences = pairs.deltas()?.translated(&apart)?;
    let none = differences.subtract(&differences)?;
    let axes: Vec<Vec<i64>> =
        (0..moduli.len()).map(|k| (0..moduli.len()).map(|j| i64::from(j == k)).collect()).collect();
    let rows: Vec<(&[i64], &PwAff)> = axes.iter().map(Vec::as_slice).zip(moduli).collect();
    Ok(!matches!(settle(&rows, &differences, &none)?, Admissibility::Admissible))
}
