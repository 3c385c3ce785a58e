//! Loops whose iterations share no cell that one of them writes, all of them or those that are near each other.
//!
//! A compiler may run iterations of an innermost loop at once if each cell that one of them writes is used by no other one. With
//! the loops around at the same place, i and i' two iterations, w a write and a any access to the same buffer, that is
//!
//! ```text
//! for all i ≠ i':  M w(i) − M a(i')  is no multiple of the moduli, 0 included
//! ```
//!
//! Where that does not hold, it may hold for |i − i'| < d, a *safe distance*: d iterations one after the other may run at once.
//!
//! which is settled like the differences of a mapping (see `quotient`): by finitely many quotients, for all parameters.
//!
//! Example: `a[(t + i) % m][j] = a[(t + i + 1) % m][j − 1]` in a loop over j touches two rows, which are different ones unless
//! m = 1; `a[j % m] = a[(j + 1) % m]` reads what the next iteration writes. `y[i % 4096] = x[i] + y[(i - 149) % 4096]` reads what
//! the iteration 149 before wrote: any 149 that follow each other may run at once.
//!
//! Variables of the function's own whose addresses nobody takes are in no memory. What keeps its memory may lie over anything else
//! that does, sizes that are globals and members of structures included: a loop that writes such an array gets no promise, unless
//! it is a `restrict` parameter (C11 6.7.3.1: what is written through it is reached in no other way), or
//! parameters and globals are taken not to overlap. Neither do loops with memory in another array, or rows whose coefficients grow
//! with sizes.
//!
//! Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures (2001) §2.2, with cells in place of subscripts.

use crate::quotient::{Admissibility, dot, settle};
use crate::{Placed, PlacedValues, Row, RowForm};
use polyfold_flow::StatementModel;
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_scop::{Array, ArrayId, Declaration, LoopId, Scop, StatementId, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

/// Safe distances that are tried: powers of two. Shorter ones are not worth a loop around the loop, longer ones gain nothing.
const DISTANCES: [i64; 6] = [1024, 512, 256, 128, 64, 32];

/// How many uses of memory a loop has that compilers tell apart by themselves, by tests in front of it (gcc: ten of them).
const MOST_TESTED: usize = 10;

/// How many iterations that follow each other share no cell that one of them writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distance {
    All,
    Below(i64),
}

/// Innermost loops of which it is proved; only [`apart_loops`] makes one that has some.
#[derive(Clone, Debug, Default)]
pub struct ApartLoops(BTreeMap<LoopId, Distance>);

impl ApartLoops {
    /// Whether it is proved of all iterations of a loop.
    pub fn has(&self, id: LoopId) -> bool {
        self.0.get(&id) == Some(&Distance::All)
    }

    /// How many iterations that follow each other are apart, where not all are: those of counters that differ by less.
    pub fn safe_distance(&self, id: LoopId) -> Option<i64> {
        match self.0.get(&id)? {
            Distance::All => None,
            Distance::Below(distance) => Some(*distance),
        }
    }
}

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

/// The innermost loops with a buffer that they write and use once more, and whose iterations share no cell that one of them writes;
/// loops with many uses also if that is so of iterations near each other only.
///
/// # Errors
/// When the work bound is reached.
pub fn apart_loops((scop, models): (&Scop, &[StatementModel]), storage: &Storage) -> Result<ApartLoops> {
    let statements = &scop.statements;
    let around: BTreeSet<LoopId> =
        statements.iter().filter_map(|s| s.loops.split_last()).flat_map(|(_, outer)| outer).copied().collect();
    let innermost: BTreeSet<LoopId> =
        statements.iter().filter_map(|s| s.loops.last()).filter(|id| !around.contains(id)).copied().collect();
    let mut apart = BTreeMap::new();
    for id in innermost {
        let own = (0..statements.len()).map(StatementId).filter(|s| scop.statement(*s).loops.last() == Some(&id));
        let Some(uses) = uses((scop, models), storage, own.filter(|s| !storage.gone.contains(s)))? else { continue };
        if let Some(distance) = distance(&uses, storage.context)? {
            apart.insert(id, distance);
        }
    }
    Ok(ApartLoops(apart))
}

/// The largest distance of which it is proved, out of those that are tried.
fn distance(uses: &[Use], context: &Set) -> Result<Option<Distance>> {
    if are_apart(uses, Distance::All, context)? {
        return Ok(Some(Distance::All));
    }
    if uses.len() <= MOST_TESTED || !are_apart(uses, Distance::Below(DISTANCES[DISTANCES.len() - 1]), context)? {
        return Ok(None);
    }
    for distance in DISTANCES.map(Distance::Below) {
        if are_apart(uses, distance, context)? {
            return Ok(Some(distance));
        }
    }
    Ok(None)
}

/// What an access touches.
struct Use<'a> {
    /// `{ [i] -> [x] }`: values or cells.
    cells: Map,
    /// Where they live; `None`: where they were.
    place: Option<&'a Placed>,
    array: ArrayId,
    is_write: bool,
}

impl Use<'_> {
    /// The buffer, by one of its arrays.
    fn buffer(&self) -> ArrayId {
        self.place.map_or(self.array, |place| place.shared().unwrap_or(place.array()))
    }
}

/// All that the statements of a loop touch; `None`: that is not known.
fn uses<'a>(
    (scop, models): (&Scop, &[StatementModel]),
    storage: &'a Storage,
    statements: impl Iterator<Item = StatementId>,
) -> Result<Option<Vec<Use<'a>>>> {
    let mut uses = Vec::new();
    for id in statements {
        let statement = scop.statement(id);
        if statement.kind == StatementKind::Effectful || statement.passes_addresses() {
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
                uses.push(Use { cells, place, array: access.array, is_write: access.is_write() });
            }
        }
    }
    Ok(if may_overlap(scop, storage, &uses) { None } else { Some(uses) })
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

/// Whether a kept array is written that may lie over something else.
fn may_overlap(scop: &Scop, storage: &Storage, uses: &[Use]) -> bool {
    let kept = || uses.iter().filter(|found| found.place.is_none());
    let leads_anywhere = |found: &Use| scop.array(found.array).leads_anywhere;
    let are_apart = |a: &Use, b: &Use| a.array == b.array || !leads_anywhere(a) && !leads_anywhere(b);
    let is_apart = |write: &Use| {
        let is_distinct = storage.are_distinct && kept().all(|other| are_apart(write, other));
        is_distinct || storage.restricted.contains(&write.array)
    };
    kept().filter(|found| found.is_write).any(|write| !is_apart(write))
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
    let coordinates: Vec<String> = (0..cells.dimensions()?.1).map(|k| format!("d{k}")).collect();
    let points: Vec<String> = rows.iter().map(|row| dot(&row.coefficients)).collect();
    Map::read(cells.context(), &format!("{{ [{}] -> [{}] }}", coordinates.join(", "), points.join(", ")))
}

/// Whether no two iterations at a distance meet in a buffer, and some buffer has more than one use.
fn are_apart(uses: &[Use], distance: Distance, context: &Set) -> Result<bool> {
    let written: BTreeSet<ArrayId> = uses.iter().filter(|found| found.is_write).map(Use::buffer).collect();
    let mut is_worth_it = false;
    for buffer in written {
        let own: Vec<&Use> = uses.iter().filter(|found| found.buffer() == buffer).collect();
        let points = own.iter().map(|found| Points::of(found)).collect::<Result<Vec<_>>>()?;
        for (_, write) in own.iter().zip(&points).filter(|(found, _)| found.is_write) {
            for other in &points {
                if meet((write, other), distance, context)? {
                    return Ok(false);
                }
            }
        }
        is_worth_it |= own.len() > 1;
    }
    Ok(is_worth_it)
}

/// Where a use's cells stand in their buffer.
struct Points {
    /// `{ [i] -> [M x] }`, without the shift.
    points: Map,
    shift: Vec<PwAff>,
    /// `None`: they stand where they were.
    moduli: Option<Vec<PwAff>>,
}

impl Points {
    fn of(found: &Use) -> Result<Points> {
        let Some(place) = found.place else {
            return Ok(Points { points: found.cells.clone(), shift: Vec::new(), moduli: None });
        };
        let rows = place.rows();
        let points = found.cells.apply_range(&linear_part(rows, &found.cells)?)?;
        let shift = rows.iter().map(shift).collect::<Result<_>>()?;
        Ok(Points { points, shift, moduli: Some(rows.iter().map(|row| row.modulus.clone()).collect()) })
    }
}

/// Whether two iterations at a distance may touch one cell, one of them by the write.
fn meet((write, other): (&Points, &Points), distance: Distance, context: &Set) -> Result<bool> {
    let pairs = two_iterations(&write.points, distance)?.apply_domain(&write.points)?.apply_range(&other.points)?;
    let pairs = pairs.intersect_params(context)?;
    if pairs.is_empty()? {
        return Ok(false);
    }
    let Some(moduli) = &write.moduli else { return Ok(!pairs.deltas()?.fix_all(0)?.is_empty()?) };
    let apart = other.shift.iter().zip(&write.shift).map(|(a, b)| a.sub(b)).collect::<Result<Vec<_>>>()?;
    let differences = pairs.deltas()?.translated(&apart)?;
    let none = differences.subtract(&differences)?;
    let axes: Vec<Vec<i64>> =
        (0..moduli.len()).map(|k| (0..moduli.len()).map(|j| i64::from(j == k)).collect()).collect();
    let rows: Vec<(&[i64], &PwAff)> = axes.iter().map(Vec::as_slice).zip(moduli).collect();
    Ok(!matches!(settle(&rows, &differences, &none)?, Admissibility::Admissible))
}

/// `{ [o, i] -> [o, i'] : i ≠ i' }`, at a distance, for iterations such as those of a relation.
fn two_iterations(points: &Map, distance: Distance) -> Result<Map> {
    let outer: Vec<String> = (0..points.dimensions()?.0.saturating_sub(1)).map(|k| format!("o{k}")).collect();
    let with = |own: &str| outer.iter().map(String::as_str).chain([own]).collect::<Vec<_>>().join(", ");
    let near = match distance {
        Distance::All => String::new(),
        Distance::Below(distance) => format!(" and -{distance} < i - j < {distance}"),
    };
    Map::read(points.context(), &format!("{{ [{}] -> [{}] : i != j{near} }}", with("i"), with("j")))
}
