//! Copies of a grid's border that are added to a program change nothing.
//!
//! In a loop over time each added operation copies a cell of one array to another one of the same type ([`polyfold_flow::grids`]): of added statements, or of
//! those that copy the inside already. That no read of the program finds another value is shown in one of two ways.
//!
//! *One grid has the border.* Two kinds of copies are told apart:
//!
//! * *visiting*, `P[x] = Q[y]`: no statement of the program ever reads what it writes;
//! * *restoring*, `Q[y] = P[x]`: what it reads always comes from a visiting one, which read the cell that is written now.
//!
//! In that loop nothing else writes a cell that is restored. So such a cell has one value v from the loop's start on: a visiting copy of it takes v, a restoring
//! one brings v back, and by induction over time nothing else ever gets there.
//!
//! Nobody reads such a cell in front of the first copy of a run: where the program runs again, it could see the copy of the run before.
//!
//! *All grids have it*, with the same values from the start on: [`like`].
//!
//! Dates, cells and dataflow are those of the program with the copies in it, for all sizes that C allows the program without them, and copies stand inside the declared
//! extents of temporaries. That the programs are the same otherwise is seen from both models: [`same`].
//!
//! Source: our own.

mod like;
mod same;

use polyfold_flow::{Model, union};
use polyfold_isl::{Map, Result, Set};
use polyfold_program::Assign;
use polyfold_scop::{Access, ArrayId, LoopId, StatementId, StatementKind};

/// A program with copies in it, against the program without.
pub struct Copies<'a> {
    /// By statement of the longer program, which one it is of the program without copies; `None`: it is added.
    pub origins: &'a [Option<StatementId>],
    /// The loop in which copies are added, at the top of the program.
    pub time: LoopId,
}

/// Whether the longer program computes what the one without copies does.
///
/// # Errors
/// When the work bound is reached.
pub fn copies_change_nothing(before: &Model, longer: &Model, copies: &Copies) -> Result<bool> {
    let Some(program) = Program::of(before, longer, copies)? else { return Ok(false) };
    let Some(added) = program.added()? else { return Ok(false) };
    Ok(program.has_one_border(&added)? || program.has_like_borders(&added)?)
}

/// Added operations of a statement.
struct Copied {
    id: StatementId,
    operations: Set,
    from: ArrayId,
    to: ArrayId,
    /// Which of its accesses reads, and which writes.
    read: usize,
    write: usize,
}

/// A program with copies in it.
struct Program<'a, 's> {
    model: &'a Model<'s>,
    copies: &'a Copies<'a>,
    /// By statement, the operations that it has without them.
    own: Vec<Set>,
}

impl Program<'_, '_> {
    /// The operations that were added; `None`: some do more than copy in the loop, or write a cell that data decides.
    fn added(&self) -> Result<Option<Vec<Copied>>> {
        let mut added = Vec::new();
        for (k, modelled) in self.model.statements.iter().enumerate() {
            let operations = modelled.domain.intersect_params(&self.model.context)?.subtract(&self.own[k])?;
            if operations.is_empty()? {
                continue;
            }
            match self.copied(StatementId(k), operations) {
                Some(copied) if self.stay_inside(&copied)? => added.push(copied),
                _ => return Ok(None),
            }
        }
        Ok(Some(added))
    }

    /// Whether a statement does no more than copy a cell.
    fn is_copy(&self, id: StatementId) -> bool {
        self.model.scop.assignment(id).is_some_and(Assign::is_copy)
    }

    fn copied(&self, id: StatementId, operations: Set) -> Option<Copied> {
        let (model, statement) = (self.model, self.model.scop.statement(id));
        let [first, _] = &statement.accesses[..] else { return None };
        let (read, write) = if first.is_write() { (1, 0) } else { (0, 1) };
        let (from, to) = (&statement.accesses[read], &statement.accesses[write]);
        let array = |access: &Access| model.scop.array(access.array);
        let is_passed = |id: ArrayId| {
            let mut accesses = model.scop.statements.iter().flat_map(|statement| &statement.accesses);
            accesses.any(|access| access.array == id && access.is_in_call())
        };
        let is_sure = |access: &Access| {
            array(access).is_temporary()
                && access.subscripts.is_some()
                && access.condition.is_always()
                && model.accesses(access.array).may_writes.is_empty()
                && !is_passed(access.array)
        };
        let is_copy = statement.kind == StatementKind::Assignment
            && self.is_copy(id)
            && statement.loops.first() == Some(&self.copies.time)
            && from.is_read()
            && to.is_write()
            && array(from).element == array(to).element
            && is_sure(from)
            && is_sure(to);
        is_copy.then_some(Copied { id, operations, from: from.array, to: to.array, read, write })
    }

    /// Whether what operations of a copy access stands inside what is declared.
    fn stay_inside(&self, copy: &Copied) -> Result<bool> {
        for (access, array) in [(copy.read, copy.from), (copy.write, copy.to)] {
            let declared = self.model.declared_cells(array);
            if !declared.map_or(Ok(false), |declared| self.cells(copy, access)?.is_subset(declared))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_one_border(&self, copies: &[Copied]) -> Result<bool> {
        let (mut visiting, mut restoring) = (Vec::new(), Vec::new());
        for copy in copies {
            let is_read = self.is_read(copy)? || self.is_read_of_older_run(copy)?;
            if is_read { &mut restoring } else { &mut visiting }.push(copy);
        }
        for copy in &restoring {
            let cells = self.cells(copy, copy.write)?;
            let is_visited = |visit: &&Copied| {
                Ok(visit.to == copy.to && !self.cells(visit, visit.write)?.intersect(&cells)?.is_empty()?)
            };
            let visits = visiting.iter().map(is_visited).collect::<Result<Vec<bool>>>()?;
            if !self.restores(copy, &visiting)? || visits.contains(&true) || self.writes_in_time(copy.to, &cells)? {
                return Ok(false);
            }
        }
        for copy in &visiting {
            if !self.get_something((copy.id, copy.read), copy.operations.clone())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `{ S[i] -> A[cell] }` of an access of a copy.
    fn accessed(&self, copy: &Copied, access: usize) -> Result<Map> {
        self.model.statements[copy.id.0].cells[access].intersect_domain(&copy.operations)
    }

    fn cells(&self, copy: &Copied, access: usize) -> Result<Set> {
        self.accessed(copy, access)?.range()
    }

    /// `{ T[j] -> W[i] }`: the operations of a writer whose values an access of some operations gets.
    fn got(
        &self,
        (reader, access): (StatementId, usize),
        operations: &Set,
        writer: StatementId,
    ) -> Result<Option<Map>> {
        let (model, own) = (self.model, &self.model.scop.statement(reader).accesses[access]);
        let Some(flow) = model.flow(own.array)? else { return Ok(None) };
        let read = &model.statements[reader.0];
        let cells = read.cells[access].intersect_domain(operations)?;
        let written = model.statements[writer.0].all_dates()?.reverse()?;
        let mut found = Vec::new();
        for dates in read.dates_of(own) {
            found.push(dates.range_product(&cells)?.apply_range(&flow.reverse()?)?.apply_range(&written)?);
        }
        union(&found)
    }

    /// The same, of the values of a copy.
    fn got_of(&self, reader: (StatementId, usize), operations: &Set, copy: &Copied) -> Result<Option<Map>> {
        let got = self.got(reader, operations, copy.id)?;
        got.map(|got| got.intersect_range(&copy.operations)).transpose()
    }

    /// Whether the program without copies reads what a copy writes.
    fn is_read(&self, copy: &Copied) -> Result<bool> {
        for (k, statement) in self.model.scop.statements.iter().enumerate() {
            let reads = statement.accesses.iter().enumerate().filter(|(_, a)| a.is_read() && a.array == copy.to);
            for (access, _) in reads {
                if let Some(got) = self.got_of((StatementId(k), access), &self.own[k], copy)?
                    && !got.is_empty()?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether the program without copies reads cells that a copy writes before anything is written to them: the values of the run before.
    fn is_read_of_older_run(&self, copy: &Copied) -> Result<bool> {
        let cells = self.cells(copy, copy.write)?;
        for (k, statement) in self.model.scop.statements.iter().enumerate() {
            let reads = statement.accesses.iter().enumerate().filter(|(_, a)| a.is_read() && a.array == copy.to);
            for (access, _) in reads {
                let reading = self.model.statements[k].cells[access].intersect_range(&cells)?.domain()?;
                let reading = reading.intersect(&self.own[k])?;
                if !self.get_something((StatementId(k), access), reading)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether all that a copy reads comes from visiting copies of the cell that it writes.
    fn restores(&self, copy: &Copied, visiting: &[&Copied]) -> Result<bool> {
        let mut origins = Vec::new();
        for visit in visiting.iter().filter(|visit| visit.to == copy.from && visit.from == copy.to) {
            if let Some(got) = self.got_of((copy.id, copy.read), &copy.operations, visit)? {
                origins.push(got.apply_range(&self.model.statements[visit.id.0].cells[visit.read])?);
            }
        }
        match union(&origins)? {
            Some(origins) => origins.is_equal(&self.accessed(copy, copy.write)?),
            None => Ok(false),
        }
    }

    /// Whether something was written to each cell that some operations read.
    fn get_something(&self, reader: (StatementId, usize), operations: Set) -> Result<bool> {
        let mut left = operations.clone();
        for k in 0..self.model.scop.statements.len() {
            if let Some(got) = self.got(reader, &operations, StatementId(k))? {
                left = left.subtract(&got.domain()?)?;
            }
        }
        left.is_empty()
    }

    /// Whether the program without copies writes one of the cells of an array in the loop.
    fn writes_in_time(&self, array: ArrayId, cells: &Set) -> Result<bool> {
        for (k, statement) in self.model.scop.statements.iter().enumerate() {
            let is_inside = statement.loops.first() == Some(&self.copies.time);
            let writes = statement.accesses.iter().enumerate().filter(|(_, a)| a.is_write() && a.array == array);
            for (access, _) in writes.filter(|_| is_inside) {
                let written = self.model.statements[k].cells[access].intersect_domain(&self.own[k])?.range()?;
                if !written.intersect(cells)?.is_empty()? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
