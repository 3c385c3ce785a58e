//! Values named by the iterations that write them, so that cells are written again less often, or never.
//!
//! What operation S(i) writes to cell c is named by its statement and iterators, or only by the first d of the iterators, of
//! loops around all statements that write the array. What a read gets has the name of its last write, by dataflow:
//!
//! ```text
//! name(S(i) writes c) = (S, i, c)   or   (i₁ … i_d, c)         name(r, c) = name(w, c)   where w is the last write of c before r
//! ```
//!
//! In the first form no cell is ever written again (*single assignment*): only dependences by value are left, and every order that
//! keeps those is right. The second form needs less memory and leaves dependences by memory within a turn of the d loops.
//!
//! Example: `for t: { for i: a[i] = f(x[t][i]); for i: y[t][i] = a[i]; }`: S1(t, i) reads (S0, t, i, [i]), or (t, [i]) for d = 1.
//!
//! Paper: Feautrier, Dataflow analysis of array and scalar references (1991); the GeCoS note (2014), partial array expansion and
//! memory reallocation.

use crate::accesses::union;
use crate::expansion::{Expansion, NamedAccess, Touching, ValueClass, Versions, by_date, touching};
use crate::lower::Constraints;
use crate::model::Model;
use crate::names::Names;
use crate::space::Space;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, LoopId, StatementId};

/// How finely values are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// By the turns of so many loops, outermost first, that are around all statements that write the array.
    Turns(usize),
    /// By the operation that writes them.
    Operations,
}

impl<'s> Expansion<'s> {
    /// The program with an array's values named by the iterations that write them; `None` where they cannot be: data decides
    /// what is written, a statement writes the array twice, a value is read that nothing writes, or there are not so many loops.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn by_iteration(model: &Model<'s>, array: ArrayId, grain: Grain) -> Result<Option<Expansion<'s>>> {
        let Some(values) = Operations::of(model, array)? else { return Ok(None) };
        let loops = values.loops(model);
        let versions = match grain {
            Grain::Turns(depth) if depth > common(&loops) => return Ok(None),
            Grain::Turns(depth) => Versions::Turns(depth),
            Grain::Operations => Versions::Operations(loops.iter().map(|own| own.len()).max().unwrap_or(0).max(1)),
        };
        let Some(mut classes) = values.classes(model, versions)? else { return Ok(None) };
        let mut accesses = Vec::new();
        for (k, class) in classes.iter_mut().enumerate() {
            class.id = ArrayId(model.scop.arrays.len() + k);
            accesses.push(by_date(model, &class.accesses)?);
        }
        let context = model.context.clone();
        Ok(Some(Expansion { model: model.with_more_arrays(accesses), context, classes, versions }))
    }
}

/// How many loops, outermost first, all have in common.
fn common(loops: &[&[LoopId]]) -> usize {
    let Some((first, others)) = loops.split_first() else { return 0 };
    (0..first.len()).take_while(|k| others.iter().all(|other| other.get(*k) == Some(&first[*k]))).count()
}

/// Who writes an array, and who reads it.
struct Operations {
    array: ArrayId,
    touching: Vec<Touching>,
    /// `{ write date -> [read date -> cell] }`.
    flow: Option<Map>,
}

impl Operations {
    fn of(model: &Model, array: ArrayId) -> Result<Option<Operations>> {
        let accesses = model.accesses(array);
        if !accesses.may_writes.is_empty() || model.unordered.is_some() {
            return Ok(None);
        }
        let values = Operations { array, touching: touching(model, array)?, flow: model.flow(array)? };
        let writers = values.writers();
        Ok(if (1..writers.len()).any(|k| writers[..k].contains(&writers[k])) { None } else { Some(values) })
    }

    fn writers(&self) -> Vec<StatementId> {
        self.touching.iter().filter(|t| !t.is_read).map(|t| t.statement).collect()
    }

    /// Those around each statement that writes.
    fn loops<'m>(&self, model: &'m Model) -> Vec<&'m [LoopId]> {
        self.writers().iter().map(|id| model.scop.statement(*id).loops.as_slice()).collect()
    }

    /// One for each statement that writes, or one for all; `None` where a read gets no value, or not one.
    fn classes(&self, model: &Model, versions: Versions) -> Result<Option<Vec<ValueClass>>> {
        let (dimensions, is_one) = (versions.dimensions(), !matches!(versions, Versions::Operations(_)));
        let mut names = Vec::new();
        for (k, writer) in self.writers().into_iter().enumerate() {
            names.push(self.name(model, writer, (if is_one { 0 } else { k }, dimensions))?);
        }
        let mut named: Vec<Vec<NamedAccess>> = vec![Vec::new(); if is_one { 1 } else { names.len() }];
        let mut writers = 0..names.len();
        for access in &self.touching {
            let values = if access.is_read {
                match self.got(model, access, &names)? {
                    Some(values) => values,
                    None => return Ok(None),
                }
            } else {
                names[writers.next().unwrap_or(0)].clone()
            };
            for (k, class) in named.iter_mut().enumerate() {
                let name = of_class(&values, k, dimensions)?.flat_range_product(&access.cells)?.coalesce()?;
                if !name.is_empty()? {
                    class.push(NamedAccess { statement: access.statement, access: access.access, name });
                }
            }
        }
        let class = |accesses: Vec<NamedAccess>| ValueClass {
            id: self.array,
            array: self.array,
            version_dimensions: dimensions,
            moves: false,
            accesses,
        };
        Ok(Some(named.into_iter().map(class).collect()))
    }

    /// `{ S[i] -> [k, i, 0, …] }` for a writer in class k.
    fn name(&self, model: &Model, writer: StatementId, (k, dimensions): (usize, usize)) -> Result<Map> {
        let space = Space { ctx: model.context.context(), scop: model.scop, names: Names::of(model.scop) };
        let statement = model.scop.statement(writer);
        let iterators = statement.loops.iter().map(|id| space.names.iterators[id].clone());
        let padded = iterators.chain(std::iter::repeat("0".to_string())).take(dimensions);
        let name: Vec<String> = std::iter::once(k.to_string()).chain(padded).collect();
        let all = space.map(
            &space.operation(statement),
            &format!("[{}]", name.join(", ")),
            Constraints::new(&space.names),
        )?;
        let writes = self.touching.iter().find(|t| !t.is_read && t.statement == writer);
        writes.map_or(Ok(all.clone()), |write| all.intersect_domain(&write.cells.domain()?))
    }

    /// `{ T[j] -> [k, i, …] }`: the operation whose value a read gets.
    fn got(&self, model: &Model, read: &Touching, names: &[Map]) -> Result<Option<Map>> {
        let Some(flow) = &self.flow else { return Ok(None) };
        let mut by_date = Vec::new();
        for (writer, name) in self.writers().into_iter().zip(names) {
            by_date.push(model.statements[writer.0].schedule.reverse()?.apply_range(name)?);
        }
        let Some(by_date) = union(&by_date)? else { return Ok(None) };
        let got = flow.reverse()?.apply_range(&by_date)?;
        let dates = &model.statements[read.statement.0].schedule;
        let values = dates.range_product(&read.cells)?.apply_range(&got)?.coalesce()?;
        let is_known = read.cells.domain()?.is_subset(&values.domain()?)?;
        Ok(if is_known && values.is_single_valued()? { Some(values) } else { None })
    }
}

/// `{ T[j] -> [i, …] }` for the values of one class.
fn of_class(values: &Map, k: usize, dimensions: usize) -> Result<Map> {
    let versions: Vec<String> = (0..dimensions).map(|at| format!("v{at}")).collect();
    let versions = versions.join(", ");
    let one = Set::read(values.context(), &format!("{{ [{k}, {versions}] }}"))?;
    let rest = Map::read(values.context(), &format!("{{ [k, {versions}] -> [{versions}] }}"))?;
    values.intersect_range(&one)?.apply_range(&rest)
}
