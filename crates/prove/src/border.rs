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
//! *All grids have it.* In front of the loop, the last writes of x and y, for each copy `P[x] = Q[y]`, are by statements whose text says the same
//! ([`Copies::alike`]) about the same cells, of arrays that the program never writes, while in front of the loop it writes nothing but temporaries; and in the loop no
//! statement of the program writes a cell that is copied, from or to. So each copy writes what is there.
//!
//! Dates, cells and dataflow are those of the program with the copies in it. That these stand inside their arrays, for all sizes that C allows
//! the program without them, is seen from what both models know.
//!
//! Source: our own.

use polyfold_flow::{Model, isl_name, union};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Access, ArrayId, LoopId, StatementId, StatementKind};

/// A program with copies in it, against the program without.
pub struct Copies<'a> {
    /// By statement of the longer program, which one it is of the program without copies; `None`: it is added.
    pub origins: &'a [Option<StatementId>],
    /// The loop in which copies are added, at the top of the program.
    pub time: LoopId,
    /// Whether a statement's text says no more than that one cell is copied.
    pub is_copy: &'a dyn Fn(StatementId) -> bool,
    /// Whether the texts of two statements assign the same, but for the target and subscripts.
    pub alike: &'a dyn Fn(StatementId, StatementId) -> bool,
}

/// Whether the longer program computes what the one without copies does.
///
/// # Errors
/// When the work bound is reached.
pub fn copies_change_nothing(before: &Model, longer: &Model, copies: &Copies) -> Result<bool> {
    let knows_no_more = before.known.is_subset(&longer.known)? && before.context.is_subset(&longer.context)?;
    if !knows_no_more || before.parameters != longer.parameters || longer.unordered.is_some() {
        return Ok(false);
    }
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

impl<'a, 's> Program<'a, 's> {
    /// `None`: the program without copies is another one.
    fn of(before: &Model, model: &'a Model<'s>, copies: &'a Copies<'a>) -> Result<Option<Program<'a, 's>>> {
        let origins: Vec<StatementId> = copies.origins.iter().flatten().copied().collect();
        let is_whole = origins.iter().copied().eq((0..before.scop.statements.len()).map(StatementId));
        if !is_whole || copies.origins.len() != model.scop.statements.len() {
            return Ok(None);
        }
        let mut own = Vec::new();
        for (modelled, origin) in model.statements.iter().zip(copies.origins) {
            let all = modelled.domain.intersect_params(&model.context)?;
            let Some(origin) = origin else {
                own.push(all.subtract(&all)?);
                continue;
            };
            let old = &before.statements[origin.0];
            let renamed = Map::read(all.context(), &renaming(before, *origin, model, StatementId(own.len())))?;
            let kept = old.domain.intersect_params(&before.context)?.apply(&renamed)?;
            if !kept.is_subset(&all)? || old.cells.len() != modelled.cells.len() || old.certain != modelled.certain {
                return Ok(None);
            }
            for (cells, others) in old.cells.iter().zip(&modelled.cells) {
                let cells = renamed.reverse()?.apply_range(cells)?.intersect_domain(&kept)?;
                if !cells.is_equal(&others.intersect_domain(&kept)?)? {
                    return Ok(None);
                }
            }
            own.push(kept);
        }
        Ok(Some(Program { model, copies, own }))
    }

    /// The operations that were added; `None`: some do more than copy in the loop, or write a cell that data decides.
    fn added(&self) -> Result<Option<Vec<Copied>>> {
        let mut added = Vec::new();
        for (k, modelled) in self.model.statements.iter().enumerate() {
            let operations = modelled.domain.intersect_params(&self.model.context)?.subtract(&self.own[k])?;
            if operations.is_empty()? {
                continue;
            }
            match self.copied(StatementId(k), operations) {
                Some(copied) => added.push(copied),
                None => return Ok(None),
            }
        }
        Ok(Some(added))
    }

    fn copied(&self, id: StatementId, operations: Set) -> Option<Copied> {
        let (model, statement) = (self.model, self.model.scop.statement(id));
        let [first, _] = &statement.accesses[..] else { return None };
        let (read, write) = if first.is_write() { (1, 0) } else { (0, 1) };
        let (from, to) = (&statement.accesses[read], &statement.accesses[write]);
        let element = |access: &Access| &model.scop.array(access.array).element;
        let is_sure =
            |access: &Access| access.condition.is_always() && model.accesses(access.array).may_writes.is_empty();
        let is_copy = statement.kind == StatementKind::Assignment
            && (self.copies.is_copy)(id)
            && statement.loops.first() == Some(&self.copies.time)
            && from.is_read()
            && to.is_write()
            && from.array != to.array
            && element(from) == element(to)
            && is_sure(from)
            && is_sure(to);
        is_copy.then_some(Copied { id, operations, from: from.array, to: to.array, read, write })
    }

    fn has_one_border(&self, copies: &[Copied]) -> Result<bool> {
        let (mut visiting, mut restoring) = (Vec::new(), Vec::new());
        for copy in copies {
            let is_read = self.is_read(copy)?;
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
            if !self.reads_something(copy)? {
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

    /// Whether something was written to each cell that a copy reads.
    fn reads_something(&self, copy: &Copied) -> Result<bool> {
        let mut left = copy.operations.clone();
        for k in 0..self.model.scop.statements.len() {
            if let Some(got) = self.got((copy.id, copy.read), &copy.operations, StatementId(k))? {
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

    fn has_like_borders(&self, copies: &[Copied]) -> Result<bool> {
        if !self.writes_only_temporaries_in_front() {
            return Ok(false);
        }
        for copy in copies {
            let (from, to) = (self.cells(copy, copy.read)?, self.cells(copy, copy.write)?);
            if self.writes_in_time(copy.from, &from)? || self.writes_in_time(copy.to, &to)? {
                return Ok(false);
            }
            let (written, read) = (self.accessed(copy, copy.write)?, self.accessed(copy, copy.read)?);
            // { the cell that is written -> the one that is read }
            let pairs = written.reverse()?.apply_range(&read)?;
            if !self.are_alike((copy.to, copy.from), &pairs)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether nothing in front of the loop can change what arrays hold that the program never writes, under whichever name.
    fn writes_only_temporaries_in_front(&self) -> bool {
        let scop = self.model.scop;
        self.in_front().all(|id| {
            let statement = scop.statement(id);
            let mut writes = statement.accesses.iter().filter(|access| access.is_write());
            statement.kind != StatementKind::Effectful && writes.all(|access| scop.array(access.array).is_temporary())
        })
    }

    /// The statements in front of the loop.
    fn in_front(&self) -> impl Iterator<Item = StatementId> {
        let scop = self.model.scop;
        let start = scop.loops().iter().find(|l| l.id == self.copies.time).map_or(0, |l| l.span.start);
        let all = (0..scop.statements.len()).map(StatementId);
        all.filter(move |id| scop.statement(*id).span.start < start)
    }

    /// Whether the first cell and the second one of each pair have the same value in front of the loop.
    fn are_alike(&self, (to, from): (ArrayId, ArrayId), pairs: &Map) -> Result<bool> {
        let mut left = pairs.clone();
        let (first, second) = (self.last_writers(to)?, self.last_writers(from)?);
        for (one, by_one) in &first {
            for (other, by_other) in &second {
                let own = pairs.intersect_domain(&by_one.domain()?)?.intersect_range(&by_other.domain()?)?;
                if own.is_empty()? {
                    continue;
                }
                if !self.assign_alike((*one, by_one), (*other, by_other), &own)? {
                    return Ok(false);
                }
                left = left.subtract(&own)?;
            }
        }
        left.is_empty()
    }

    /// The statements in front of the loop that write cells last: `{ A[cell] -> S[i] }` each.
    fn last_writers(&self, array: ArrayId) -> Result<Vec<(StatementId, Map)>> {
        let scop = self.model.scop;
        let (mut writes, mut own) = (Vec::new(), Vec::new());
        for id in self.in_front() {
            let (statement, modelled) = (scop.statement(id), &self.model.statements[id.0]);
            for (access, _) in statement.accesses.iter().enumerate().filter(|(_, a)| a.is_write() && a.array == array) {
                let cells = modelled.cells[access].intersect_params(&self.model.context)?;
                writes.push(modelled.all_dates()?.reverse()?.apply_range(&cells)?);
                own.push(id);
            }
        }
        let Some(all) = union(&writes)? else { return Ok(Vec::new()) };
        let last = all.reverse()?.lexmax()?;
        own.dedup();
        let by = |id: StatementId| Ok((id, last.apply_range(&self.model.statements[id.0].all_dates()?.reverse()?)?));
        own.into_iter().map(by).collect()
    }

    /// Whether two statements assign the same to the cells of each pair.
    fn assign_alike(
        &self,
        (one, by_one): (StatementId, &Map),
        (other, by_other): (StatementId, &Map),
        pairs: &Map,
    ) -> Result<bool> {
        let scop = self.model.scop;
        let reads = |id: StatementId| {
            let accesses = scop.statement(id).accesses.iter().enumerate();
            accesses.filter(|(_, access)| access.is_read()).map(|(k, _)| k).collect::<Vec<_>>()
        };
        let is_written = |array: ArrayId| {
            scop.statements.iter().flat_map(|s| &s.accesses).any(|access| access.is_write() && access.array == array)
        };
        let is_plain = |id: StatementId| {
            let statement = scop.statement(id);
            let is_constant =
                |access: &Access| access.is_write() || !is_written(access.array) && access.condition.is_always();
            statement.kind == StatementKind::Assignment && statement.accesses.iter().all(is_constant)
        };
        let (first, second) = (reads(one), reads(other));
        if !is_plain(one) || !is_plain(other) || first.len() != second.len() || !(self.copies.alike)(one, other) {
            return Ok(false);
        }
        for (a, b) in first.into_iter().zip(second) {
            let cells = |id: StatementId, access: usize| {
                self.model.statements[id.0].cells[access].intersect_params(&self.model.context)
            };
            let own = by_one.apply_range(&cells(one, a)?)?.intersect_domain(&pairs.domain()?)?;
            let others = pairs.apply_range(&by_other.apply_range(&cells(other, b)?)?)?;
            if scop.statement(one).accesses[a].array != scop.statement(other).accesses[b].array
                || !own.is_equal(&others)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// `{ S[i] -> T[i] }` for a statement's names in both programs.
fn renaming(before: &Model, old: StatementId, longer: &Model, new: StatementId) -> String {
    let (old, new) = (before.scop.statement(old), longer.scop.statement(new));
    let counters = |loops: usize| (0..loops).map(|k| format!("i{k}")).collect::<Vec<_>>().join(", ");
    let tuple = |name: &str, loops: usize| format!("{}[{}]", isl_name(name), counters(loops));
    format!("{{ {} -> {} }}", tuple(&old.name, old.loops.len()), tuple(&new.name, new.loops.len()))
}
