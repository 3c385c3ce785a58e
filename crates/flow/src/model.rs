//! The polyhedral view: domains, schedule, context and access relations of a scop.
//!
//! ```text
//! domain    { S[i] : the loops and guards around S reach i }
//! schedule  { S[i] -> [date] }                         see `path`
//! accesses  { [date] -> A[cell] } = access ∘ schedule⁻¹, by array, kind and statement
//! ```
//!
//! Example: in `for (i = 0; i < n; i++) t[i] = x[i];` S0 has the domain `{ S0[i] : 0 <= i < n }` and the schedule
//! `{ S0[i] -> [0, i, 0] }`, and t the writes `{ [0, i, 0] -> t[i] : 0 <= i < n }`.
//!
//! Where data decides, a domain holds what may happen; a write counts as sure only if it happens wherever its domain says.
//!
//! Paper: Bee §2 (static control programs, schedules); the context is our own, see `context` and `bounds`.
//!
//! Invariants: a domain, a read or a write that may happen is never too small, a sure write never too large; everything is
//! said for the parameter values in `context` only.

use crate::accesses::{Accesses, dataflow, union};
use crate::bounds::{Outside, bounded};
use crate::context::{self, Wrapping};
use crate::exclusion::{Cause, Exclusion, all_sizes, exclusions_within};
use crate::lower::Constraints;
use crate::names::Names;
use crate::path::{Path, paths_to_parallel_loops, paths_to_statements};
use crate::space::Space;
use crate::sure::{Write, sure_writes};
use crate::unordered::unordered;
use polyfold_isl::{Context, Map, Result, Set};
use polyfold_scop::{
    Access, ArrayId, Certainty, Condition, Expr, ExtentOf, ParameterOrigin, Scop, Statement, StatementId,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

impl StatementModel {
    /// The dates of an access: of a read through an address, both that of its operation and when that ends.
    pub fn dates_of(&self, access: &Access) -> impl Iterator<Item = &Map> {
        let is_late = access.is_read() && access.is_in_call();
        std::iter::once(&self.schedule).chain(self.end.as_ref().filter(|_| is_late))
    }

    /// `{ S[i] -> [date] }`: all dates of its operations.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn all_dates(&self) -> Result<Map> {
        self.end.as_ref().map_or_else(|| Ok(self.schedule.clone()), |end| self.schedule.union(end))
    }
}

/// The polyhedral view of one scop.
#[derive(Clone)]
pub struct Model<'s> {
    /// What it is a view of.
    pub scop: &'s Scop,
    /// Parameter names in isl notation, in the scop's order.
    pub parameters: Vec<String>,
    /// Parameter values that C itself allows: extents are positive, and no access surely leaves its array. (That an access
    /// surely happens is not known if the scop calls functions that may not return.)
    pub known: Set,
    /// `known` without values that the user's assumptions or wrapping unsigned bounds exclude. Everything below
    /// describes the program for these values only; a result that is to hold for all of `known` needs a guard.
    pub context: Set,
    /// Whether no values in `known` fulfil the user's assumptions.
    pub contradicts: bool,
    /// By [`StatementId`].
    pub statements: Vec<StatementModel>,
    /// Pairs of dates that the source allows to happen in either order, or at once; `None` if there are none.
    pub unordered: Option<Map>,
    /// Number of dimensions of a date.
    pub date_dimensions: usize,
    /// Arrays whose subscripts leave their declared extents: with the source's own constants, or, of temporaries, for every size or
    /// when data decides so. They may be addressed across rows on purpose, and cells are then not what their subscripts say.
    pub leaves_bounds: Vec<ArrayId>,
    /// What `known` and `context` leave out, but for the declarations and the user's assumptions, with the reasons.
    pub exclusions: Vec<Exclusion>,
    accesses: Vec<Accesses>,
    extents: Vec<Option<Set>>,
    flows: Flows,
}

/// Dataflow that has been asked for, by array.
type Flows = RefCell<BTreeMap<ArrayId, Option<Map>>>;

/// One statement in the polyhedral view.
#[derive(Clone)]
pub struct StatementModel {
    /// `{ S[i] }`: its operations, or more where data decides.
    pub domain: Set,
    /// `{ S[i] -> [date] }`.
    pub schedule: Map,
    /// `{ S[i] -> [date] }`: when an operation ends that passes addresses to a function; `None`: it passes none, and ends at once.
    pub end: Option<Map>,
    /// Whether all operations in `domain` surely happen.
    pub certain: bool,
    /// `{ S[i] -> A[cell] }` by access, for the operations in `domain`.
    pub cells: Vec<Map>,
}

impl<'s> Model<'s> {
    /// Builds the view.
    ///
    /// # Errors
    /// When the work bound of `ctx` is reached.
    pub fn build(ctx: &Context, scop: &'s Scop) -> Result<Model<'s>> {
        let space = Space { ctx, scop, names: Names::of(scop) };
        Builder { space, sure: sure_writes(scop) }.build()
    }

    /// The same view for fewer parameter values.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn within(mut self, facts: &Set) -> Result<Model<'s>> {
        self.context = self.context.intersect(facts)?.coalesce()?;
        self.accesses = self.accesses.iter().map(|a| a.map(|r| r.intersect_params(facts))).collect::<Result<_>>()?;
        self.flows = Flows::default();
        Ok(self)
    }

    /// The same view with more arrays, of which nothing but the accesses is known; ids go on behind those of the scop.
    pub(crate) fn with_more_arrays(&self, accesses: Vec<Accesses>) -> Model<'s> {
        let mut model = self.clone();
        model.extents.extend(accesses.iter().map(|_| None));
        model.accesses.extend(accesses);
        model
    }

    /// Reads and writes of an array, as relations from dates to cells.
    pub fn accesses(&self, array: ArrayId) -> &Accesses {
        &self.accesses[array.0]
    }

    /// [`dataflow`] of an array, found once.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn flow(&self, array: ArrayId) -> Result<Option<Map>> {
        if let Some(known) = self.flows.borrow().get(&array) {
            return Ok(known.clone());
        }
        let found = dataflow(self.accesses(array))?;
        self.flows.borrow_mut().insert(array, found.clone());
        Ok(found)
    }

    /// `{ S[i] }`: the operations for which an access of a statement may happen.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn operations(&self, id: StatementId, access: usize) -> Result<Set> {
        self.statements[id.0].cells[access].intersect_params(&self.context)?.domain()
    }

    /// `{ S[i] -> A[cell] }` of an access of a statement, whatever the statement's domain.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn cells_of_access(&self, id: StatementId, access: usize) -> Result<Map> {
        let space = Space { ctx: self.context.context(), scop: self.scop, names: Names::of(self.scop) };
        let statement = self.scop.statement(id);
        space.access(statement, &statement.accesses[access])
    }

    /// `{ S[i] -> T[v] }`: what some expressions are at the operations of a statement, under a name.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn values(&self, id: StatementId, named: (&str, &[Expr])) -> Result<Map> {
        let space = Space { ctx: self.context.context(), scop: self.scop, names: Names::of(self.scop) };
        space.values(self.scop.statement(id), named)?.intersect_domain(&self.statements[id.0].domain)
    }

    /// The declared cells `{ A[c] : 0 <= c < extent }` of an array; `None` where the source does not say them.
    pub fn declared_cells(&self, array: ArrayId) -> Option<&Set> {
        self.extents[array.0].as_ref()
    }

    /// The parameter values for which some conditions on them hold.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn where_all_hold(&self, conditions: &[Condition]) -> Result<Set> {
        let space = Space { ctx: self.context.context(), scop: self.scop, names: Names::of(self.scop) };
        let mut constraints = Constraints::new(&space.names);
        conditions.iter().for_each(|condition| constraints.require_condition(condition, true));
        space.parameters(constraints)
    }

    /// The cells of an array that stay inside the extents of its rows, in whichever rows; `None` where the source does not say them.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn cells_in_rows(&self, array: ArrayId) -> Result<Option<Set>> {
        let space = Space { ctx: self.context.context(), scop: self.scop, names: Names::of(self.scop) };
        space.cells_in_rows(array)
    }

    /// Whether an array may have no cells: no declaration says that there are any.
    pub fn may_be_empty(&self, array: ArrayId) -> bool {
        let array = self.scop.arrays.get(array.0).and_then(|array| array.declaration.as_ref());
        array.is_some_and(|declaration| declaration.allocation().is_some())
    }

    /// The cells `{ A[c] : c >= 0 }` of an array: those in front of a pointer are left out.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn cells_from_zero(&self, array: ArrayId) -> Result<Set> {
        let space = Space { ctx: self.context.context(), scop: self.scop, names: Names::of(self.scop) };
        space.cells_from_zero(array)
    }

    /// Whether subscripts stay inside the extents of all rows, for all parameters in the context: different subscripts then name
    /// different memory.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn has_one_name_for_each_cell(&self, array: ArrayId) -> Result<bool> {
        let space = Space { ctx: self.context.context(), scop: self.scop, names: Names::of(self.scop) };
        match (space.cells_in_rows(array)?, self.accesses(array).cells()?) {
            (Some(rows), Some(cells)) => cells.is_subset(&rows),
            _ => Ok(false),
        }
    }

    /// The whole schedule in isl notation.
    pub fn schedule_text(&self) -> String {
        let parts: Vec<String> = self.statements.iter().map(|s| s.schedule.to_string()).collect();
        join_text(&parts)
    }
}

/// `{ A }` and `{ B }` with the same parameters as `{ A; B }`.
pub fn join_text(parts: &[String]) -> String {
    let Some(first) = parts.first() else { return "{ }".to_string() };
    let prefix = first.split_once('{').map_or("", |(prefix, _)| prefix);
    let inner =
        |t: &String| t.split_once('{').map_or(String::new(), |(_, b)| b.trim_end_matches('}').trim().to_string());
    format!("{prefix}{{ {} }}", parts.iter().map(inner).collect::<Vec<_>>().join("; "))
}

/// `{ [date] -> A[cell] }` of what operations with these dates access; `None`: nothing.
fn by_dates(dates: &Map, accesses: &[Map]) -> Result<Option<Map>> {
    match union(accesses)? {
        None => Ok(None),
        Some(all) => dates.reverse()?.apply_range(&all)?.coalesce().map(Some),
    }
}

/// `{ [date] -> [date] }`: from when an operation happens to when it ends; the last dimension tells them apart.
fn last_moment(dimensions: usize) -> String {
    let date: Vec<String> = (1..dimensions).map(|k| format!("d{k}")).collect();
    let date = date.join(", ");
    format!("{{ [{date}, 0] -> [{date}, 1] }}")
}

/// Builds the relations of a scop.
struct Builder<'a, 's> {
    space: Space<'a, 's>,
    sure: BTreeSet<Write>,
}

impl<'s> Builder<'_, 's> {
    fn build(self) -> Result<Model<'s>> {
        let scop = self.space.scop;
        let paths = paths_to_statements(&scop.body, scop.statements.len());
        let passes_addresses = scop.statements.iter().any(Statement::passes_addresses);
        let depth = paths.iter().map(|p| p.loops.len()).max().unwrap_or(0);
        let date_dimensions = 1 + 2 * depth + usize::from(passes_addresses);
        let statements: Vec<StatementModel> = (scop.statements.iter().zip(&paths))
            .map(|(statement, path)| self.statement(statement, path, date_dimensions))
            .collect::<Result<_>>()?;
        let arrays = (0..scop.arrays.len()).map(ArrayId);
        let extents: Vec<_> = arrays.clone().map(|a| self.space.declared_cells(a)).collect::<Result<_>>()?;

        let Wrapping { exclusions, possible, declared } = context::wrapping(&self.space)?;
        let mut exclusions = self.meaningful(exclusions, &possible, &statements)?;
        let wrapping = all_sizes(&exclusions, &self.nowhere()?)?;
        let (mut accesses, mut leaving, mut left) = (Vec::new(), Vec::new(), Vec::new());
        let sound = declared.subtract(&wrapping)?;
        for array in arrays {
            accesses.push(self.relations(array, &statements)?);
            let outside = self.outside(array, &sound, &statements)?;
            let is_left = outside.noted.iter().any(|exclusion| exclusion.witness.is_some());
            if is_left {
                left.push(array);
            }
            if is_left || scop.array(array).is_temporary() {
                exclusions.extend(outside.noted);
            }
            if !is_left && scop.array(array).is_temporary() {
                let (surely, perhaps) = (outside.surely.subtract(&wrapping)?, outside.perhaps);
                leaving.push((array, Outside { surely, perhaps, noted: Vec::new() }));
            }
        }
        let inside = bounded(&declared, leaving)?;
        left.extend(inside.left);
        let context = context::assumed(&self.space, &inside.sizes, &wrapping)?;
        let may_not_return = scop.statements.iter().any(|s| s.is_effectful());
        let known = if may_not_return { declared.clone() } else { inside.sizes };
        Ok(Model {
            scop,
            parameters: self.space.names.parameters.clone(),
            contradicts: !known.is_empty()? && context::promised(&self.space, &known)?.is_empty()?,
            known,
            statements,
            unordered: unordered(self.space.ctx, &paths_to_parallel_loops(&scop.body), date_dimensions)?,
            date_dimensions,
            leaves_bounds: left,
            exclusions: exclusions_within(&declared, &wrapping, exclusions)?,
            accesses: accesses.iter().map(|a| a.map(|r| r.intersect_params(&context))).collect::<Result<_>>()?,
            extents,
            context,
            flows: Flows::default(),
        })
    }

    /// Leaves out sizes for which nothing but an array's extent wraps around, if the array is then too small for what surely is
    /// accessed: the program has no meaning for them.
    fn meaningful(
        &self,
        exclusions: Vec<Exclusion>,
        possible: &Set,
        statements: &[StatementModel],
    ) -> Result<Vec<Exclusion>> {
        let scop = self.space.scop;
        let extent = |exclusion: &Exclusion| match exclusion.cause {
            Cause::Wraps(k) => scop.obligations[k].extent,
            Cause::Leaves(..) => None,
        };
        if scop.statements.iter().any(|s| s.is_effectful()) {
            return Ok(exclusions);
        }
        let (of_extents, mut kept): (Vec<_>, Vec<_>) = exclusions.into_iter().partition(|e| extent(e).is_some());
        let others = all_sizes(&kept, &self.nowhere()?)?;
        for exclusion in of_extents {
            let Some(ExtentOf { array, most_rows }) = extent(&exclusion) else { continue };
            let meaningless = self.surely_reaching(array, most_rows, statements)?.subtract(&others)?;
            if !exclusion.sizes.intersect(possible)?.subtract(&meaningless)?.is_empty()? {
                kept.push(exclusion);
            }
        }
        Ok(kept)
    }

    /// The parameter values for which an array surely is accessed at or past a number of rows.
    fn surely_reaching(&self, array: ArrayId, rows: i128, statements: &[StatementModel]) -> Result<Set> {
        let beyond = self.space.cells_from(array, rows)?;
        let mut sizes = self.nowhere()?;
        for (k, model) in statements.iter().enumerate() {
            for (at, access) in self.accesses(StatementId(k), array) {
                if self.happens((StatementId(k), at), access, model) {
                    let reached = model.cells[at].range()?;
                    sizes = sizes.union(&reached.intersect(&beyond)?.params()?)?;
                }
            }
        }
        Ok(sizes)
    }

    fn statement(&self, statement: &Statement, path: &Path, dimensions: usize) -> Result<StatementModel> {
        let domain = self.space.domain(statement, path)?;
        let schedule = self.space.schedule(statement, path, dimensions)?.intersect_domain(&domain)?;
        let end = match statement.passes_addresses() {
            true => Some(schedule.apply_range(&Map::read(self.space.ctx, &last_moment(dimensions))?)?),
            false => None,
        };
        let cells = |access| self.space.access(statement, access)?.intersect_domain(&domain);
        let cells = statement.accesses.iter().map(cells).collect::<Result<_>>()?;
        let certain = !path.guards.iter().any(|(c, _)| c.depends_on_data());
        Ok(StatementModel { schedule, end, domain, certain, cells })
    }

    /// Reads and writes of an array by date.
    fn relations(&self, array: ArrayId, statements: &[StatementModel]) -> Result<Accesses> {
        let mut relations = Accesses::default();
        for (k, model) in statements.iter().enumerate() {
            let (mut reads, mut must_writes, mut may_writes) = (Vec::new(), Vec::new(), Vec::new());
            let (mut late_reads, mut held) = (Vec::new(), Vec::new());
            for (at, access) in self.accesses(StatementId(k), array) {
                let relation = model.cells[at].clone();
                if access.is_in_call() {
                    let late = if access.is_read() { &mut late_reads } else { &mut held };
                    late.push(relation.clone());
                }
                match (access.is_read(), self.happens((StatementId(k), at), access, model)) {
                    (true, _) => reads.push(relation),
                    (false, true) => must_writes.push(relation),
                    (false, false) => may_writes.push(relation),
                }
            }
            let by_date = |of: &[Map]| by_dates(&model.schedule, of);
            relations.reads.extend(by_date(&reads)?);
            relations.must_writes.extend(by_date(&must_writes)?);
            relations.may_writes.extend(by_date(&may_writes)?);
            if let Some(end) = &model.end {
                relations.reads.extend(by_dates(end, &late_reads)?);
                relations.held.extend(by_dates(end, &held)?);
            }
        }
        Ok(relations)
    }

    /// No parameter values.
    fn nowhere(&self) -> Result<Set> {
        Set::read(self.space.ctx, &format!("[{}] -> {{ : false }}", self.space.names.parameters.join(", ")))
    }

    /// The parameter values for which an array is accessed outside its cells.
    fn outside(&self, array: ArrayId, declared: &Set, statements: &[StatementModel]) -> Result<Outside> {
        let mut outside = Outside { surely: self.nowhere()?, perhaps: self.nowhere()?, noted: Vec::new() };
        let cells = self.space.allowed_cells(array)?;
        for (k, model) in statements.iter().enumerate() {
            for (at, access) in self.accesses(StatementId(k), array) {
                let beyond = model.cells[at].range()?.subtract(&cells)?;
                let sizes = beyond.params()?;
                if sizes.is_empty()? {
                    continue;
                }
                if !self.happens((StatementId(k), at), access, model) {
                    outside.perhaps = outside.perhaps.union(&sizes)?;
                    continue;
                }
                outside.surely = outside.surely.union(&sizes)?;
                let witness = self.witness(&beyond, declared)?;
                outside.noted.push(Exclusion { sizes, cause: Cause::Leaves(StatementId(k), at), witness });
            }
        }
        Ok(outside)
    }

    /// One of some cells, if there are any whenever the source's constants have the values that it gives them.
    fn witness(&self, cells: &Set, declared: &Set) -> Result<Option<Vec<i64>>> {
        let parameters = self.space.scop.parameters.iter().zip(&self.space.names.parameters);
        let constants: Vec<(&str, i64)> = parameters
            .filter_map(|(parameter, name)| match parameter.origin {
                ParameterOrigin::Constant(value) => Some((name.as_str(), value)),
                ParameterOrigin::Variable => None,
            })
            .collect();
        let (cells, declared) = (cells.at(&constants)?, declared.at(&constants)?);
        if declared.is_empty()? || !declared.is_subset(&cells.params()?)? {
            return Ok(None);
        }
        Ok(cells.lexmin()?.sample()?.map(|(_, cell)| cell))
    }

    /// The accesses of a statement to an array, with their numbers in the statement.
    fn accesses(&self, statement: StatementId, array: ArrayId) -> impl Iterator<Item = (usize, &Access)> {
        self.space.scop.statement(statement).accesses.iter().enumerate().filter(move |(_, a)| a.array == array)
    }

    /// Whether an access surely happens, to the whole cell, wherever the model's domain says so.
    fn happens(&self, at: Write, access: &Access, model: &StatementModel) -> bool {
        let reached = model.certain || self.sure.contains(&at);
        let whole = access.certainty == Certainty::Must && access.subscripts.is_some();
        reached && whole && !access.condition.depends_on_data()
    }
}
