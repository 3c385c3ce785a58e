//! Copies that write what is there: all grids have the border in front of the loop.
//!
//! In front of the loop, the values of x and y, for each copy `P[x] = Q[y]`, are made by statements that say the same
//! ([`Assign::is_alike`](polyfold_program::Assign::is_alike)) about the same cells, of arrays that the program never writes, while in front of the loop it writes nothing but
//! temporaries; and in the loop no statement of the program writes a cell that is copied, from or to. So each copy writes what is there. P and Q may be one array.
//!
//! What makes the value of a cell is what writes it last, but for statements that copy one temporary to another one: these hand on the value that they read, as
//! in `Q[i] = in[i]; P[i] = Q[i];`.

use super::{Copied, Program};
use polyfold_flow::union;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Access, ArrayId, StatementId, StatementKind};

impl Program<'_, '_> {
    pub(super) fn has_like_borders(&self, copies: &[Copied]) -> Result<bool> {
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
            !statement.is_effectful() && writes.all(|access| scop.array(access.array).is_temporary())
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
        let (first, second) = (self.makers(to)?, self.makers(from)?);
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

    /// The operations in front of the loop that make the values that cells have there: `{ A[cell] -> S[i] }` by statement.
    fn makers(&self, array: ArrayId) -> Result<Vec<(StatementId, Map)>> {
        let (mut makers, mut left) = (Vec::new(), self.last_writers(array)?);
        // One that hands on values of its own may do so again and again.
        for _ in self.in_front() {
            let mut handed = Vec::new();
            for (id, by) in left {
                match self.handed_on(id, &by.range()?)? {
                    Some(origins) => {
                        for (origin, got) in origins {
                            handed.push((origin, by.apply_range(&got)?));
                        }
                    }
                    None => makers.push((id, by)),
                }
            }
            left = handed;
        }
        makers.extend(left);
        Ok(makers)
    }

    /// `{ S[i] -> T[j] }` by statement T: what some operations that only copy a temporary's cell get; `None`: they do more, or may get nothing.
    fn handed_on(&self, id: StatementId, operations: &Set) -> Result<Option<Vec<(StatementId, Map)>>> {
        let scop = self.model.scop;
        let (statement, array) = (scop.statement(id), |access: &Access| scop.array(access.array));
        let read = statement.accesses.iter().position(Access::is_read);
        let Some(read) = read.filter(|_| self.is_copy(id) && statement.kind == StatementKind::Assignment) else {
            return Ok(None);
        };
        let [a, b] = &statement.accesses[..] else { return Ok(None) };
        let is_plain = statement.accesses.iter().all(|own| {
            let is_known = own.subscripts.is_some() && own.condition.is_always() && array(own).is_temporary();
            is_known && !own.is_in_call() && self.model.accesses(own.array).may_writes.is_empty()
        });
        if !is_plain || array(a).element != array(b).element || !self.get_something((id, read), operations.clone())? {
            return Ok(None);
        }
        let mut origins = Vec::new();
        for origin in (0..scop.statements.len()).map(StatementId) {
            origins.extend(self.got((id, read), operations, origin)?.map(|got| (origin, got)));
        }
        Ok(Some(origins))
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
            let is_constant = |access: &Access| {
                let is_known = access.subscripts.is_some() && access.condition.is_always();
                is_known && (access.is_write() || !is_written(access.array))
            };
            statement.kind == StatementKind::Assignment && statement.accesses.iter().all(is_constant)
        };
        let are_alike = |one: StatementId, other: StatementId| {
            scop.assignment(one).zip(scop.assignment(other)).is_some_and(|(one, other)| one.is_alike(other))
        };
        let (first, second) = (reads(one), reads(other));
        if !is_plain(one) || !is_plain(other) || first.len() != second.len() || !are_alike(one, other) {
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
