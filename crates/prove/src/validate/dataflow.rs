//! Compares the exact dataflow of two programs.
//!
//! For passes that change cells or order, with constant shapes: sliding windows, shift registers,
//! strips, tiles. The programs compute the same if
//!
//! 1. each runs the same instances of the source's statements, once;
//! 2. an instance computes the same from what it reads ([`super::operations::Shape`]);
//! 3. each of its reads has the same source: an instance that wrote the value, or what a cell held
//!    before. Copies are looked through. Where a read of the program before has no source but a
//!    temporary that nobody wrote, anything will do;
//! 4. so has each cell that others see, at the end;
//! 5. no access of the program after leaves its buffer.
//!
//! Order, cells and copies are free. All of it is exact: moduli must be numbers.
//!
//! Source: our own trial; dataflow after Feautrier (1991).

use super::facts::{Facts, Judge};
use super::linear::Linear;
use super::names::Names;
use super::operations::{Access, Operation, Shape, Slot, operations};
use super::problem::{Problem, verdict};
use super::relations::Relations;
use super::sources::{Sources, Writes};
use super::{Obligation, Stop, Verdict};
use polyfold_isl::{Context, Map, Result, Set};
use polyfold_program::{Buffer, BufferId, Program, Role};
use std::collections::BTreeMap;

type Outcome<T> = std::result::Result<T, Stop>;

/// Whether both programs compute the same for all sizes, by where their values come from. No more than `bound`
/// elementary steps of isl are spent.
///
/// # Errors
/// When isl fails otherwise than at the bound.
pub fn dataflow(ctx: &Context, before: &Program, after: &Program, bound: u64) -> Result<Verdict> {
    verdict(ctx, bound, |judge, _| compare(ctx, judge, before, after))
}

fn compare(ctx: &Context, judge: &Judge, before: &Program, after: &Program) -> Outcome<()> {
    let problem = Problem::of(judge, before, after)?;
    problem.knows_extents()?;
    let first = Side::of(judge, before, &problem.known, &problem.cases)?;
    let second = Side::of(judge, after, &problem.names, &problem.cases)?;
    second.is_in_bounds(judge)?;
    same_interface(judge, &problem)?;
    let length = first.length().max(second.length());
    let relations = Relations { ctx, sizes: &problem.known.parameters, length };
    let (first, second) = (Flow::of(&relations, first, before)?, Flow::of(&relations, second, after)?);
    first.is_same(&second)
}

/// One of the programs, with END as a statement for each buffer that others see.
struct Side<'a> {
    program: &'a Program,
    names: Names,
    operations: Vec<Operation>,
}

impl<'a> Side<'a> {
    fn of(judge: &Judge, program: &'a Program, names: &Names, cases: &[Facts]) -> Outcome<Side<'a>> {
        let operations = operations(judge, program, names, cases)?;
        let mut side = Side { program, names: names.clone(), operations };
        for id in (0..program.buffers.len()).map(BufferId) {
            if program.buffers[id.0].role.is_out() {
                let end = side.end(judge, id, cases)?;
                side.operations.push(end);
            }
        }
        Ok(side)
    }

    /// Reads each cell of a buffer behind everything else.
    fn end(&self, judge: &Judge, id: BufferId, cases: &[Facts]) -> Outcome<Operation> {
        let buffer = &self.program.buffers[id.0];
        let cell: Vec<Linear> = buffer.extents.iter().map(|_| Linear::symbol(judge.fresh())).collect();
        let mut all: Vec<Facts> = cases.to_vec();
        for (extent, index) in buffer.extents.iter().flatten().zip(&cell) {
            let mut next = Vec::new();
            for facts in &all {
                for (facts, extent) in judge.int(facts, &self.names, extent)? {
                    let inside = facts.with_not_negative(index.clone());
                    next.push(inside.with_not_negative(extent.minus(index).and(-1)));
                }
            }
            all = next;
        }
        let date = [&[Linear::number(self.program.body.len() as i128)], &cell[..]].concat();
        let read = |facts: &Facts| Access { facts: facts.clone(), date: date.clone(), buffer: id, index: cell.clone() };
        Ok(Operation {
            statement: Some(format!("the end of {}", buffer.name)),
            shape: Shape::Read,
            element: buffer.element.text.clone(),
            slots: vec![Slot::Read(all.iter().map(read).collect())],
            writes: Vec::new(),
            instances: all.iter().map(|facts| (facts.clone(), date.clone(), cell.clone())).collect(),
            copies: Vec::new(),
        })
    }

    fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.operations.iter().flat_map(|own| super::sources::reads(&own.slots).chain(&own.writes))
    }

    fn length(&self) -> usize {
        self.accesses().map(|access| access.date.len()).max().unwrap_or(0)
    }

    fn is_in_bounds(&self, judge: &Judge) -> Outcome<()> {
        for access in self.accesses() {
            let extents = &self.program.buffers[access.buffer.0].extents;
            for (index, extent) in access.index.iter().zip(extents.iter().flatten()) {
                for (facts, extent) in judge.int(&access.facts, &self.names, extent)? {
                    if !judge.entails(&facts, index)? || !judge.entails(&facts, &extent.minus(index).and(-1))? {
                        return Err(Obligation::Outside.into());
                    }
                }
            }
        }
        Ok(())
    }
}

/// That others see the same buffers, of the same extents.
fn same_interface(judge: &Judge, problem: &Problem) -> Outcome<()> {
    let seen = |program: &'_ Program| -> BTreeMap<String, Buffer> {
        let is_seen = |buffer: &&Buffer| buffer.role != Role::Temporary;
        program.buffers.iter().filter(is_seen).map(|buffer| (buffer.name.clone(), buffer.clone())).collect()
    };
    let (own, others) = (seen(problem.before), seen(problem.after));
    if own.keys().ne(others.keys()) {
        return Err(Obligation::Interface.into());
    }
    own.values().zip(others.values()).try_for_each(|(own, other)| problem.is_same_buffer(judge, own, other))
}

/// What a statement computes from what, over its counters.
struct Statement {
    shape: Shape,
    /// The type of what it writes.
    element: String,
    /// `date -> counters`
    dates: Map,
    slots: Vec<Known>,
}

enum Known {
    Read(Sources),
    /// `counters -> number`, or `counters -> []` where a condition holds.
    Integers(Map),
}

struct Flow<'a> {
    program: &'a Program,
    statements: BTreeMap<String, Statement>,
}

impl<'a> Flow<'a> {
    fn of(relations: &Relations, side: Side<'a>, program: &'a Program) -> Outcome<Flow<'a>> {
        let writes = Writes::of(relations, program, &side.operations)?;
        let mut by_name: BTreeMap<String, Vec<&Operation>> = BTreeMap::new();
        for own in &side.operations {
            if let Some(name) = &own.statement {
                by_name.entry(name.clone()).or_default().push(own);
            }
        }
        let mut statements = BTreeMap::new();
        for (name, all) in by_name {
            let Some(counters) = all.iter().flat_map(|own| &own.instances).map(|(_, _, at)| at.len()).next() else {
                continue;
            };
            let instances = all.iter().flat_map(|own| &own.instances);
            let same_length = |(_, _, at): &&(Facts, Vec<Linear>, Vec<Linear>)| at.len() == counters;
            if all.iter().any(|own| (&own.shape, &own.element) != (&all[0].shape, &all[0].element))
                || !instances.clone().all(|own| same_length(&own))
            {
                return Err(Obligation::OtherValue.into());
            }
            let dates = instances.map(|(facts, date, at)| (facts, relations.padded(date), at.clone()));
            let dates = relations.of((relations.length, counters), dates)?.coalesce()?;
            let count = all.iter().map(|own| own.slots.len()).max().unwrap_or(0);
            let slots = (0..count).map(|k| known(relations, &writes, &all, k, counters)).collect::<Outcome<_>>()?;
            statements
                .insert(name, Statement { shape: all[0].shape.clone(), element: all[0].element.clone(), dates, slots });
        }
        Ok(Flow { program, statements })
    }

    fn is_same(&self, other: &Flow) -> Outcome<()> {
        if self.statements.keys().ne(other.statements.keys()) {
            return Err(Obligation::NoStatement.into());
        }
        for (name, own) in &self.statements {
            let theirs = &other.statements[name];
            let same_instances = own.dates.range()?.is_equal(&theirs.dates.range()?)?;
            if !same_instances || !own.dates.is_injective()? || !theirs.dates.is_injective()? {
                return Err(Obligation::NoInstance.into());
            }
            if (&own.shape, &own.element) != (&theirs.shape, &theirs.element) || own.slots.len() != theirs.slots.len() {
                return Err(Obligation::OtherValue.into());
            }
            for slots in own.slots.iter().zip(&theirs.slots) {
                match slots {
                    (Known::Integers(first), Known::Integers(second)) => {
                        if !first.is_equal(second)? {
                            return Err(Obligation::OtherValue.into());
                        }
                    }
                    (Known::Read(first), Known::Read(second)) => {
                        self.same_sources(other, (own, first), (theirs, second))?
                    }
                    _ => return Err(Obligation::OtherValue.into()),
                }
            }
        }
        Ok(())
    }

    fn same_sources(
        &self,
        other: &Flow,
        (own, first): (&Statement, &Sources),
        (theirs, second): (&Statement, &Sources),
    ) -> Outcome<()> {
        let (readers, their_readers) = (own.dates.reverse()?, theirs.dates.reverse()?);
        let mut pairs = Vec::new();
        for (name, writer) in &self.statements {
            let written = readers.apply_range(&first.written)?.apply_range(&writer.dates)?;
            let theirs = their_readers.apply_range(&second.written)?.apply_range(&other.statements[name].dates)?;
            pairs.push((written, theirs));
        }
        for (id, buffer) in self.program.buffers.iter().enumerate() {
            let seen = buffer.role.is_in() || buffer.role.is_out();
            if let Some(their_id) = other.program.buffer(&buffer.name).filter(|_| seen) {
                let held = readers.apply_range(&first.first[id])?;
                pairs.push((held, their_readers.apply_range(&second.first[their_id.0])?));
            }
        }
        let mut meaningful: Option<Set> = None;
        for (own, _) in &pairs {
            let domain = own.domain()?;
            meaningful = Some(match meaningful {
                Some(others) => others.union(&domain)?,
                None => domain,
            });
        }
        let Some(meaningful) = meaningful else { return Ok(()) };
        for (own, theirs) in pairs {
            if !theirs.intersect_domain(&meaningful)?.is_equal(&own)? {
                return Err(Obligation::OtherCell.into());
            }
        }
        Ok(())
    }
}

/// A slot of a statement that stands in several places.
fn known(relations: &Relations, writes: &Writes, all: &[&Operation], slot: usize, counters: usize) -> Outcome<Known> {
    let mut reads = Vec::new();
    let mut integers = Vec::new();
    let mut ends = 0;
    for own in all {
        match own.slots.get(slot) {
            Some(Slot::Read(accesses)) => reads.extend(accesses),
            Some(Slot::Integer(cases)) => {
                ends = 1;
                integers.extend(cases.iter().map(|(facts, at, value)| (facts, at.clone(), vec![value.clone()])));
            }
            Some(Slot::Holds(cases)) => {
                integers.extend(cases.iter().map(|(facts, at)| (facts, at.clone(), Vec::new())));
            }
            None => {}
        }
    }
    if reads.is_empty() {
        return Ok(Known::Integers(relations.of((counters, ends), integers.into_iter())?));
    }
    Ok(Known::Read(writes.sources(&reads)?))
}
