//! That values may stand for an array's cells: each read gets the value that it names.
//!
//! The new program writes and reads values (k, v, c), of class k, version v and cell c, where the old one has cells c. It
//! computes the same if for every read r of a cell c and the last write w of c before it
//!
//! ```text
//! name(w, c) = name(r, c),  one name each
//! ```
//!
//! since another write of that name between w and r would be one of c, too: a name belongs to one cell only, also where it leaves out a
//! coordinate that follows from the version. Dataflow gives all (w, r, c); that both
//! sides agree is shown for all parameters.
//!
//! Where the values live is settled as for any arrays (see `shared`). Values that nobody reads live nowhere. Classes that are found alike in
//! one buffer are given as one place, so that whoever writes accesses need not choose between equal texts.
//!
//! Paper: SMO (POPL'16) §3.1 assumes it of total expansion.

use crate::Placed;
use polyfold_flow::{Expansion, NamedAccess, ValueClass, Versions, union};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, StatementId};

/// An array whose values are proved to live in the places of their classes; only [`verify_names`] makes one.
#[derive(Clone, Debug)]
pub struct PlacedValues {
    array: ArrayId,
    accesses: Vec<PlacedAccess>,
    versions: Versions,
    scope: Set,
}

/// Where an access finds its values, for some operations.
#[derive(Clone, Debug)]
pub struct PlacedAccess {
    /// The statement.
    pub statement: StatementId,
    /// Which of its accesses.
    pub access: usize,
    /// `{ S[i] -> [v, c] }`, for the operations meant.
    pub name: Map,
    /// The place of the values; `None`: nobody reads them.
    pub place: Option<Placed>,
}

impl PlacedValues {
    /// Whose values.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// For each access every place; for one access the operations do not overlap, and are all of them.
    pub fn accesses(&self) -> &[PlacedAccess] {
        &self.accesses
    }

    /// What the coordinates of a value in front of its cell's say.
    pub fn versions(&self) -> Versions {
        self.versions
    }

    /// Parameter values for which it was proved.
    pub fn scope(&self) -> &Set {
        &self.scope
    }
}

/// Proves that an array's values may live in the places of their classes; `None`: they may not.
///
/// `places` are proved places of the expansion's classes: all of those with a read.
///
/// # Errors
/// When the work bound is reached.
pub fn verify_names(expansion: &Expansion, array: ArrayId, places: &[Placed]) -> Result<Option<PlacedValues>> {
    let model = &expansion.model;
    let classes: Vec<&ValueClass> = expansion.classes.iter().filter(|class| class.array == array).collect();
    let is_certain = model.accesses(array).may_writes.is_empty() && model.unordered.is_none();
    if !is_certain || !names_agree(expansion, array, &classes)? {
        return Ok(None);
    }
    if !cover_all_accesses(expansion, array, &classes)? {
        return Ok(None);
    }
    let mut scope = expansion.context.clone();
    let mut accesses = Vec::new();
    for class in classes {
        let place = places.iter().find(|place| place.array() == class.id);
        if place.is_none() && model.accesses(class.id).uses().next().is_some() {
            return Ok(None);
        }
        if let Some(place) = place {
            scope = scope.intersect(place.scope())?;
        }
        accesses.extend(class.accesses.iter().map(|NamedAccess { statement, access, name }| PlacedAccess {
            statement: *statement,
            access: *access,
            name: name.clone(),
            place: place.cloned(),
        }));
    }
    accesses.sort_by_key(|access| (access.statement, access.access));
    let accesses = merged(accesses, expansion.versions.dimensions())?;
    Ok(Some(PlacedValues { array, accesses, versions: expansion.versions, scope }))
}

/// The same with one place for all classes that live alike in one buffer, and one name for what an access finds there.
fn merged(accesses: Vec<PlacedAccess>, versions: usize) -> Result<Vec<PlacedAccess>> {
    let mut places: Vec<Placed> = Vec::new();
    let own = accesses.iter().filter_map(|access| access.place.as_ref());
    let (first, others): (Vec<&Placed>, Vec<&Placed>) = own.partition(|place| place.shared() == Some(place.array()));
    for place in first.into_iter().chain(others) {
        if known(&places, place)?.is_none() {
            places.push(place.clone());
        }
    }
    let mut merged: Vec<PlacedAccess> = Vec::new();
    for mut access in accesses {
        if let Some(place) = &access.place {
            access.place = known(&places, place)?.cloned();
        }
        let is_there = |other: &&mut PlacedAccess| {
            let of = |access: &PlacedAccess| access.place.as_ref().map(Placed::array);
            (other.statement, other.access, of(other)) == (access.statement, access.access, of(&access))
        };
        if let Some(other) = merged.iter_mut().find(is_there) {
            let both = other.name.union(&access.name)?.coalesce()?;
            if cases(&both, versions)? <= cases(&other.name, versions)?.max(cases(&access.name, versions)?) {
                other.name = both;
                continue;
            }
        }
        merged.push(access);
    }
    Ok(merged)
}

/// In how many cases the versions of a name are told.
fn cases(name: &Map, versions: usize) -> Result<usize> {
    let counters: Vec<String> = (0..name.dimensions()?.0).map(|k| format!("_i{k}")).collect();
    let values = name.by_start(&counters)?;
    (0..versions).try_fold(1, |most, k| Ok(values.dim_max(k)?.coalesce()?.pieces()?.len().max(most)))
}

/// A place that is computed like another one in the same buffer.
fn known<'a>(places: &'a [Placed], place: &Placed) -> Result<Option<&'a Placed>> {
    for other in places {
        if other.is_like(place)? {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// Whether every operation of each access has a name.
fn cover_all_accesses(expansion: &Expansion, array: ArrayId, classes: &[&ValueClass]) -> Result<bool> {
    let model = &expansion.model;
    for (k, statement) in model.scop.statements.iter().enumerate() {
        for at in (0..statement.accesses.len()).filter(|at| statement.accesses[*at].array == array) {
            let is_it = |a: &&NamedAccess| (a.statement, a.access) == (StatementId(k), at);
            let mut rest = model.operations(StatementId(k), at)?.intersect_params(&expansion.context)?;
            for access in classes.iter().flat_map(|class| &class.accesses).filter(is_it) {
                rest = rest.subtract(&access.name.domain()?)?;
            }
            if !rest.is_empty()? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The formula above.
fn names_agree(expansion: &Expansion, array: ArrayId, classes: &[&ValueClass]) -> Result<bool> {
    let (model, accesses) = (&expansion.model, expansion.model.accesses(array));
    let (Some(reads), Some(writes)) = (union(&accesses.reads)?, union(accesses.writes())?) else { return Ok(false) };
    let versions = expansion.versions.dimensions();
    let names = Names { dates: model.date_dimensions, versions, cells: reads.dimensions()?.1 };
    let (Some(read), Some(written)) =
        (names.of_accesses(expansion, classes, true)?, names.of_accesses(expansion, classes, false)?)
    else {
        return Ok(false);
    };
    let is_complete = reads.unnamed()?.wrap()?.is_subset(&read.domain()?)?
        && writes.unnamed()?.wrap()?.is_subset(&written.domain()?)?;
    if !is_complete || !read.is_single_valued()? || !written.is_single_valued()? {
        return Ok(false);
    }
    if !names.cells_of(&read.union(&written)?)?.is_single_valued()? {
        return Ok(false);
    }
    if versions == 0 {
        return names.by_cell(&read.union(&written)?)?.is_single_valued();
    }
    let Some(flow) = model.flow(array)? else { return Ok(false) };
    let pairs = names.pairs(&flow, &reads)?;
    if !reads.unnamed()?.wrap()?.is_subset(&pairs.range()?)? {
        return Ok(false);
    }
    let passed = pairs.apply_domain(&written)?.apply_range(&read)?;
    passed.is_subset(&passed.domain()?.identity()?)
}

/// Numbers of coordinates.
struct Names {
    dates: usize,
    versions: usize,
    cells: usize,
}

impl Names {
    /// `{ [[d] -> [c]] -> [k, v, x] }` of all reads, or of all writes, where x are the coordinates that stand for those of the cell c.
    fn of_accesses(&self, expansion: &Expansion, classes: &[&ValueClass], is_read: bool) -> Result<Option<Map>> {
        let (model, mut all) = (&expansion.model, Vec::new());
        for (k, class) in classes.iter().enumerate() {
            for access in &class.accesses {
                let of = &model.scop.statement(access.statement).accesses[access.access];
                let statement = &model.statements[access.statement.0];
                let name = access.name.intersect_params(&expansion.context)?.unnamed()?;
                let cells = statement.cells[access.access].unnamed()?.range_product(&name)?;
                for dates in statement.dates_of(of).filter(|_| of.is_read() == is_read) {
                    all.push(self.by_date_and_cell(k, &dates.unnamed()?.reverse()?.apply_range(&cells)?)?);
                }
            }
        }
        union(&all)
    }

    /// `{ [c] -> [k, x] }` from `{ [[d] -> [c]] -> [k, x] }`: where there are no versions, names may depend on cells only.
    fn by_cell(&self, named: &Map) -> Result<Map> {
        let (d, c) = (list("d", self.dates), list("c", self.cells));
        named.apply_domain(&Map::read(named.context(), &format!("{{ [[{d}] -> [{c}]] -> [{c}] }}"))?)
    }

    /// `{ [k, v, x] -> [c] }` from `{ [[d] -> [c]] -> [k, v, x] }`.
    fn cells_of(&self, named: &Map) -> Result<Map> {
        self.by_cell(named)?.reverse()
    }

    /// `{ [[d] -> [c]] -> [k, v, x] }` from `{ [d] -> [[c] -> [v, x]] }`.
    fn by_date_and_cell(&self, k: usize, named: &Map) -> Result<Map> {
        let (d, c, name) = (list("d", self.dates), list("c", self.cells), list("v", self.versions + self.cells));
        let turn = format!("{{ [[{d}] -> [[{c}] -> [{name}]]] -> [[[{d}] -> [{c}]] -> [{k}, {name}]] }}");
        named.wrap()?.apply(&Map::read(named.context(), &turn)?)?.unwrap()
    }

    /// `{ [[w] -> [c]] -> [[r] -> [c]] }` from `{ [w] -> [[r] -> A[c]] }`.
    fn pairs(&self, flow: &Map, reads: &Map) -> Result<Map> {
        let (w, r, c) = (list("w", self.dates), list("r", self.dates), list("c", self.cells));
        let array = reads.tuple_names().1.unwrap_or_default();
        let turn = format!("{{ [[{w}] -> [[{r}] -> {array}[{c}]]] -> [[[{w}] -> [{c}]] -> [[{r}] -> [{c}]]] }}");
        flow.wrap()?.apply(&Map::read(flow.context(), &turn)?)?.unwrap()
    }
}

fn list(letter: &str, count: usize) -> String {
    (0..count).map(|k| format!("{letter}{k}")).collect::<Vec<_>>().join(", ")
}
