//! A region as a block of a program.
//!
//! ```text
//! S0(i): s[k] = s[k] + A[i];       with k as a size           is part of
//! for k … { S3: s[k] = 0; with { for i … { S4(i): s[k] = s[k] + A[i]; } } }
//! ```
//!
//! The region is a scop of its own, in which the counters around are sizes. Its arrays and sizes are those of the program that have their names,
//! and arrays their declarations. Its statements stand at the same places of the file, one behind the other.
//!
//! Invariant: with the numbers of the program, what it does is what the block does.

use super::Compacted;
use crate::declaration::redeclared;
use polyfold_emit::{Declarations, Edit, New};
use polyfold_program::{BufferId, Int, IntOp, LocalId, Names, ParameterId, Program, StatementId, Stmt, With};
use polyfold_scop::{Array, ArrayId, LoopAround, Scop, Span};
use polyfold_transform::Block;
use std::collections::BTreeSet;
use std::ops::Deref;

/// A region in a program.
pub(super) struct InTree<'a> {
    region: &'a Compacted<'a>,
    part: Part,
    /// The counters of the loops that copies stand in front of, innermost first.
    counters: Vec<LocalId>,
}

/// What the names of a region are in a program.
struct Part {
    /// Its first statement.
    first: usize,
    /// One that the block does.
    statement: StatementId,
    /// Its arrays.
    buffers: Vec<BufferId>,
    /// Its sizes.
    values: Vec<Int>,
    /// The counters of the loops around, outermost first.
    counters: Vec<LocalId>,
}

/// Whether the program of a text has regions as blocks.
pub fn has_regions(whole: &Scop, regions: &[&Scop]) -> bool {
    let Some(program) = &whole.program else { return false };
    regions.iter().all(|region| {
        let mut program = program.clone();
        Part::of(whole, region, &mut program).is_some_and(|part| part.is_in(&program, region))
    })
}

impl Part {
    /// `program`: that of the text, which gets what is known in the region alone.
    fn of(whole: &Scop, region: &Scop, program: &mut Program) -> Option<Part> {
        let (own, first) = (region.program.as_ref()?, region.statements.first()?);
        let mut here = (0..whole.statements.len()).filter(|k| whole.statements[*k].span == first.span);
        let is_named = |k: &usize| whole.statements[*k].name == first.name;
        let first = here.clone().find(is_named).or_else(|| here.next())?;
        let statement = own.body.iter().flat_map(Stmt::assigned).next()?;
        let statement = StatementId(first + statement.0);
        let counters = around(program, statement).0;
        let buffer = |array: &Array| {
            let place = |array: &Array| array.declaration.as_ref().map(|own| own.statement.clone());
            let is_it = |own: &Array| {
                own.name == array.name && place(own) == place(array) && own.extents.len() == array.extents.len()
            };
            Some(BufferId(whole.arrays.iter().position(is_it)?))
        };
        let buffers = region.arrays.iter().map(buffer).collect::<Option<Vec<BufferId>>>()?;
        let mut values: Vec<Int> = Vec::new();
        for size in &own.parameters {
            let counter = counters.iter().rev().find(|counter| program.locals[counter.0].name == size.name);
            values.push(match (counter, program.parameter(&size.name)) {
                (Some(counter), _) => Int::Local(*counter),
                (None, Some(id)) => Int::Parameter(id),
                (None, None) => {
                    program.parameters.push(size.clone());
                    Int::Parameter(ParameterId(program.parameters.len() - 1))
                }
            });
        }
        for product in region.surroundings.iter().flat_map(|around| &around.products) {
            let factors = product.factors.iter().map(|id| values[id.0].clone());
            let factors = factors.reduce(|product, factor| Int::binary(IntOp::Multiply, product, factor));
            values[product.parameter.0] = factors?;
        }
        Some(Part { first, statement, buffers, values, counters })
    }

    /// Whether the block does what the region does.
    fn is_in(&self, program: &Program, region: &Scop) -> bool {
        let (Some(own), (_, Some(block))) = (&region.program, around(program, self.statement)) else { return false };
        let local = |id: LocalId| {
            let name = &own.locals[id.0].name;
            program.locals.iter().position(|local| local.name == *name).map_or(id, LocalId)
        };
        let names = Names {
            statement: &|id| StatementId(self.first + id.0),
            buffer: &|id| self.buffers[id.0],
            local: &local,
            size: &|id| self.values[id.0].clone(),
        };
        let same = |(own, block): (&Stmt, &Stmt)| is_same(&names.stmt(own), block);
        own.body.len() == block.body.len() && own.body.iter().zip(&block.body).all(same)
    }
}

/// Whether two statements are the same, but for the order of sums and products.
fn is_same(one: &Stmt, other: &Stmt) -> bool {
    let [shape, other_shape] = [one, other].map(|stmt| stmt.with_leaves(&mut |_| Int::Constant(0)));
    let (mut ints, mut others) = (Vec::new(), Vec::new());
    one.each_int(&mut |e| ints.push(e));
    other.each_int(&mut |e| others.push(e));
    shape == other_shape && ints.len() == others.len() && ints.iter().zip(others).all(|(one, other)| one.is_same(other))
}

/// The counters of the loops around a statement's block, outermost first, and the block.
fn around(program: &Program, statement: StatementId) -> (Vec<LocalId>, Option<&With>) {
    let (mut list, mut counters) = (&program.body[..], Vec::new());
    while let Some(stmt) = list.iter().find(|stmt| stmt.assigned().contains(&statement)) {
        match stmt {
            Stmt::With(own) => return (counters, Some(own)),
            Stmt::For(own) => counters.push(own.counter),
            _ => {}
        }
        let has_it = |list: &&[Stmt]| list.iter().any(|stmt| stmt.assigned().contains(&statement));
        list = stmt.lists().into_iter().find(has_it).unwrap_or(&[]);
    }
    (counters, None)
}

impl<'a> Deref for InTree<'a> {
    type Target = Compacted<'a>;

    fn deref(&self) -> &Compacted<'a> {
        self.region
    }
}

impl<'a> InTree<'a> {
    /// `program`: that of the text. `None`: it has no such block.
    pub(super) fn new(region: &'a Compacted<'a>, program: &mut Program) -> Option<InTree<'a>> {
        let part = Part::of(region.whole, region.scop, program)?;
        let counters = part.counters.iter().rev().take(region.depth()).copied().collect();
        Some(InTree { region, part, counters })
    }

    /// What a size is.
    pub(super) fn value(&self, size: usize) -> &Int {
        &self.part.values[size]
    }

    pub(super) fn buffer(&self, id: ArrayId) -> BufferId {
        self.part.buffers[id.0]
    }

    pub(super) fn statement(&self, id: polyfold_scop::StatementId) -> StatementId {
        StatementId(self.part.first + id.0)
    }

    /// Where it is.
    pub(super) fn block(&self) -> Block<'_> {
        Block { statement: self.part.statement, loops: &self.counters }
    }

    /// The statements that it is made of.
    pub(super) fn statements(&self, program: &Program) -> BTreeSet<StatementId> {
        let block = around(program, self.part.statement).1;
        block.into_iter().flat_map(|block| &block.body).flat_map(Stmt::assigned).collect()
    }

    /// Those in the loops that copies stand in front of.
    pub(super) fn statements_around(&self, program: &Program) -> BTreeSet<StatementId> {
        let statement = self.part.statement;
        let is_outermost = |stmt: &Stmt| {
            matches!(stmt, Stmt::For(own) if Some(&own.counter) == self.counters.last())
                && stmt.assigned().contains(&statement)
        };
        let mut found = BTreeSet::new();
        program.body.iter().for_each(|stmt| {
            stmt.each(&mut |stmt| {
                if is_outermost(stmt) {
                    found.extend(stmt.assigned())
                }
            });
        });
        found
    }

    /// The loops around that copies stand in front of, innermost first.
    pub(super) fn loops_inside(&self) -> impl Iterator<Item = &LoopAround> {
        self.scop.surroundings.iter().flat_map(|around| &around.loops).take(self.depth())
    }
}

impl Compacted<'_> {
    /// Declarations of arrays that live in local ones only.
    pub(super) fn gone(&self, source: &str) -> Vec<Edit> {
        let local: BTreeSet<usize> =
            self.plans.iter().flat_map(|placed| &placed.plan().locals).map(|local| local.array.0).collect();
        let declared = local.iter().filter_map(|k| self.scop.arrays[*k].declaration.as_ref());
        let mut declarations = Declarations::default();
        // In tiles, too, whose order has them in front.
        let here = declared.filter(|own| self.statement.contains(&own.statement.start));
        here.for_each(|own| declarations.redeclare(redeclared(own, New::Nothing, Vec::new())));
        declarations.edits(source).into_iter().collect()
    }

    /// The pragma in front of it, with its line if nothing else is there.
    pub(super) fn pragma_line(&self, source: &str) -> Option<Edit> {
        let pragma = Some(self.pragma.clone()).filter(|pragma| pragma.end <= self.statement.start)?;
        let start = source[..pragma.start].rfind('\n').map_or(0, |at| at + 1);
        let end = source[pragma.end..].find('\n').map_or(source.len(), |at| pragma.end + at + 1);
        let is_blank = |span: Span| source[span].trim().is_empty();
        let is_alone = is_blank(start..pragma.start) && is_blank(pragma.end..end);
        Some(Edit { span: if is_alone { start..end } else { pragma }, text: String::new() })
    }
}
