//! Values by name against runs: every read finds its value where the proof says it is.
//!
//! An operation of the run says which statement it is an instance of, and of which iteration; the proved names say in which
//! class, version and cell of it each access finds its value, and the class's rows where that lives.

use super::judge::{Counts, Verdict};
use super::row::RowHere;
use super::run::{Run, borrow};
use polyfold_plan::Outcome;
use polyfold_prove::{Placed, PlacedAccess, PlacedValues};
use polyfold_replay::{Event, Home, Operation, replay_values};
use polyfold_scop::{ArrayId, StatementId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Replays all arrays of a scop that hold values by name, and once more in buffers that are a little smaller.
pub(crate) fn judge_values(outcomes: &[(ArrayId, Outcome)], runs: &[Run], counts: &mut Counts) -> Verdict {
    let named = outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Values { values, .. } => Some(values.placed()),
        _ => None,
    });
    let named: Vec<&PlacedValues> = named.collect();
    for run in runs.iter().filter(|_| !named.is_empty()) {
        let told = |why: String| format!("values at {:?}: {why}", run.sizes);
        let Some(mut homes) = Homes::of(&named, run).map_err(told)? else { continue };
        homes.judge(run).map_err(told)?;
        counts.values_replayed += 1;
        for buffer in homes.buffers() {
            homes.shrink(buffer, -1);
            counts.smaller_values_caught += usize::from(homes.judge(run).is_err());
            homes.shrink(buffer, 1);
        }
    }
    Ok(())
}

/// What an access touches: the value's coordinates in its class, and the class; `None`: nobody reads it.
struct Named {
    value: Vec<i64>,
    class: Option<ArrayId>,
}

/// An access of a statement at an iteration.
type Instance = (StatementId, usize, Vec<i64>);

/// Where the accesses of a run find the values of some arrays.
pub(crate) struct Homes {
    names: HashMap<Instance, Vec<Named>>,
    /// Of each class: the buffer, and rows.
    places: BTreeMap<ArrayId, (usize, Vec<RowHere>)>,
    arrays: Vec<ArrayId>,
}

impl Homes {
    /// `None`: the proofs do not speak of these sizes.
    pub(crate) fn of(named: &[&PlacedValues], run: &Run) -> Result<Option<Homes>, String> {
        let arrays = named.iter().map(|values| values.array()).collect();
        let mut homes = Homes { names: HashMap::new(), places: BTreeMap::new(), arrays };
        for values in named {
            let here = values.scope().at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
            if here.is_empty().map_err(|e| e.to_string())? {
                return Ok(None);
            }
            for access in values.accesses() {
                homes.add_names(access, run)?;
                if let Some(place) = &access.place {
                    homes.add_place(place, run)?;
                }
            }
        }
        Ok(Some(homes))
    }

    fn add_names(&mut self, access: &PlacedAccess, run: &Run) -> Verdict {
        let depth = access.name.dimensions().map_err(|e| e.to_string())?.0;
        let points = access.name.wrap().and_then(|all| all.at(&borrow(&run.sizes))?.points());
        for point in points.map_err(|e| e.to_string())? {
            let (iteration, value) = point.split_at(depth);
            let class = access.place.as_ref().map(Placed::array);
            let instance = (access.statement, access.access, iteration.to_vec());
            self.names.entry(instance).or_default().push(Named { value: value.to_vec(), class });
        }
        Ok(())
    }

    fn add_place(&mut self, place: &Placed, run: &Run) -> Verdict {
        let rows = RowHere::all(place, &run.sizes)?;
        self.places.insert(place.array(), (place.shared().unwrap_or(place.array()).0, rows));
        Ok(())
    }

    fn buffers(&self) -> BTreeSet<usize> {
        self.places.values().map(|(buffer, _)| *buffer).collect()
    }

    /// Changes the outermost extent of a buffer, in the rows of all its classes.
    fn shrink(&mut self, buffer: usize, by: i64) {
        for (_, rows) in self.places.values_mut().filter(|(own, _)| *own == buffer) {
            rows.first_mut().into_iter().for_each(|row| row.modulus += by);
        }
    }

    fn judge(&self, run: &Run) -> Verdict {
        for operation in &run.trace.operations {
            for event in operation.events.iter().filter(|event| self.arrays.contains(&event.array)) {
                self.is_inside(operation, event)?;
            }
        }
        let home = |operation: &Operation, event: &Event| self.home(operation, event);
        replay_values(&run.trace, &home).map(|_| ()).map_err(|clobber| clobber.to_string())
    }

    /// Every name of what an access touches; there is one, or several that agree.
    fn names(&self, operation: &Operation, event: &Event) -> Vec<&Named> {
        let instance = (operation.statement, event.access, operation.iteration.clone());
        self.names.get(&instance).into_iter().flatten().collect()
    }

    /// Where an event's value is in the row of a buffer, remainders aside; `None`: it is not in that.
    pub(crate) fn position(&self, operation: &Operation, event: &Event, buffer: ArrayId) -> Option<i64> {
        let named = *self.names(operation, event).first().filter(|_| self.arrays.contains(&event.array))?;
        let (own, rows) = &self.places[&named.class?];
        (*own == buffer.0).then(|| rows[0].value(&named.value))
    }

    fn is_inside(&self, operation: &Operation, event: &Event) -> Verdict {
        let names = self.names(operation, event);
        let what = || format!("{event:?} of S{} at {:?}", operation.statement.0, operation.iteration);
        let Some(first) = names.first() else { return Err(format!("{} has no name", what())) };
        if names.iter().any(|named| (named.class, &named.value) != (first.class, &first.value)) {
            return Err(format!("{} has two names", what()));
        }
        let Some(class) = first.class else { return Ok(()) };
        let rows = &self.places[&class].1;
        match rows.iter().all(|row| row.modulus > 0 && (0..row.modulus).contains(&row.place(&first.value))) {
            true => Ok(()),
            false => Err(format!("{} leaves the buffer", what())),
        }
    }

    pub(crate) fn home(&self, operation: &Operation, event: &Event) -> Home {
        if !self.arrays.contains(&event.array) {
            return Home::Elsewhere;
        }
        let Some((named, class)) = self.names(operation, event).first().and_then(|named| Some((*named, named.class?)))
        else {
            return Home::Nowhere;
        };
        let (buffer, rows) = &self.places[&class];
        Home::At((*buffer, rows.iter().map(|row| row.place(&named.value)).collect()))
    }
}
