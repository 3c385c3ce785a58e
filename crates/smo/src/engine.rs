//! Which engine finds the storage, and which result is kept.
//!
//! Every engine begins with a buffer for each statement and only proposes: what [`verify`] does not prove is dropped, and the
//! next smaller proposal takes its place. So no engine is worse than separate buffers, and `auto` is as good as the best. Lines come last,
//! since they begin with the others' proposals and need a multiplication for every access.
//!
//! What was proved stays: where a later engine, or the floor that would make it needless, runs out of work, the best so far is
//! the result.

use crate::budget::Budget;
use crate::decoalesce::{separate_buffers, smallest_buffers, smallest_by};
use crate::fast::fast_buffer;
use crate::floor::Floors;
use crate::joint::joint_buffer;
use crate::linearise::smaller_line;
use crate::{Allocation, Buffer, ConflictSet, Outcome, Proved, Refusal, verify};
use polyfold_isl::{ErrorKind, Result};

/// Ways to find storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A buffer for each statement.
    Separate,
    /// A coordinate axis per level, and offsets: milliseconds.
    Fast,
    /// All levels at once, with one modulus per level.
    Joint,
    /// The paper's greedy heuristic, level by level.
    Smo,
    /// The levels that the others find, in one line.
    Line,
    /// The smallest of all.
    Auto,
}

impl Engine {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Separate => "separate",
            Engine::Fast => "fast",
            Engine::Joint => "joint",
            Engine::Smo => "smo",
            Engine::Line => "line",
            Engine::Auto => "auto",
        }
    }
}

/// What became of a conflict set, and whose result it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The storage, or why there is none.
    pub outcome: Outcome,
    /// The engine that found it, never [`Engine::Auto`].
    pub engine: Engine,
}

/// The smallest storage that an engine finds for a conflict set, proved for all parameters of its context. Sizes are compared
/// at given parameters.
///
/// # Errors
/// When the work bound is reached, or numbers are past 64 bits, before anything is proved.
pub fn storage_mapping_by(engine: Engine, conflicts: &ConflictSet, sizes: &[i64]) -> Result<Solution> {
    match Apart::of(conflicts, sizes)? {
        Some(apart) => apart.improved_by(engine),
        None => Ok(Solution { outcome: Outcome::Unbounded, engine: Engine::Separate }),
    }
}

/// A conflict set and a buffer for each of its statements: where every engine begins.
pub struct Apart<'a> {
    conflicts: &'a ConflictSet,
    sizes: &'a [i64],
    buffers: Vec<Buffer>,
}

impl<'a> Apart<'a> {
    /// `None` if some statement's conflict differences have no bound that is affine in the parameters.
    ///
    /// # Errors
    /// When the work bound is reached, or numbers are past 64 bits.
    pub fn of(conflicts: &'a ConflictSet, sizes: &'a [i64]) -> Result<Option<Apart<'a>>> {
        let buffers = separate_buffers(conflicts, sizes)?;
        Ok(buffers.map(|buffers| Apart { conflicts, sizes, buffers }))
    }

    /// As [`storage_mapping_by`].
    ///
    /// # Errors
    /// When the work bound is reached, or numbers are past 64 bits, before anything is proved.
    pub fn improved_by(&self, engine: Engine) -> Result<Solution> {
        let mut best = Best { apart: self, found: None, refusal: None, proposals: Vec::new() };
        let context = self.conflicts.context().context();
        match context.with_quota(ALL_THERE_IS, || best.search(engine)) {
            Err(error) if best.found.is_none() || error.kind == ErrorKind::Invalid => Err(error),
            _ => Ok(best.solution()),
        }
    }

    fn proposed_by(&self, engine: Engine) -> Result<Vec<Buffer>> {
        let (conflicts, sizes, apart) = (self.conflicts, self.sizes, &self.buffers);
        match engine {
            Engine::Separate | Engine::Line | Engine::Auto => Ok(apart.clone()),
            Engine::Joint => {
                let mut budget = Budget::new(crate::joint::WORK);
                smallest_by(apart, sizes, &mut |class| Ok(joint_buffer(conflicts, class, sizes, &mut budget)))
            }
            Engine::Fast => smallest_by(apart, sizes, &mut |class| Ok(fast_buffer(conflicts, class, sizes))),
            Engine::Smo => smallest_buffers(conflicts, apart, sizes),
        }
    }
}

/// No bound but the one that holds anyway: an error is said to come from that, if it does.
const ALL_THERE_IS: u64 = u64::MAX;

/// The engines behind one, the cheapest first. The search of `joint` has bounds, and `smo` takes over where they are reached.
fn behind(engine: Engine) -> &'static [Engine] {
    match engine {
        Engine::Separate => &[],
        Engine::Fast => &[Engine::Fast],
        Engine::Joint => &[Engine::Joint, Engine::Smo],
        Engine::Smo => &[Engine::Smo],
        Engine::Line | Engine::Auto => &[Engine::Fast, Engine::Joint, Engine::Smo, Engine::Line],
    }
}

/// The smallest proved result so far.
struct Best<'a> {
    apart: &'a Apart<'a>,
    found: Option<(i128, Engine, Proved<Allocation>)>,
    refusal: Option<Refusal>,
    /// What engines proposed.
    proposals: Vec<Vec<Buffer>>,
}

impl Best<'_> {
    /// By one engine after the other, and by separate buffers.
    fn search(&mut self, engine: Engine) -> Result<()> {
        let mut floors = Floors::default();
        for tried in behind(engine) {
            self.try_out(*tried, &mut floors)?;
            if engine == Engine::Auto && self.is_least(&mut floors)? {
                break;
            }
        }
        self.try_out(Engine::Separate, &mut floors)
    }

    fn try_out(&mut self, engine: Engine, floors: &mut Floors) -> Result<()> {
        if engine == Engine::Line {
            return self.put_in_lines(floors);
        }
        let proposal = self.apart.proposed_by(engine)?;
        if !self.proposals.contains(&proposal) {
            self.proposals.push(proposal.clone());
        }
        self.offer(engine, Allocation::of(proposal))
    }

    /// Of what was proposed before, every buffer that needs less as a line.
    fn put_in_lines(&mut self, floors: &mut Floors) -> Result<()> {
        for proposal in std::mem::take(&mut self.proposals) {
            let best = self.found.as_ref().map_or(i128::MAX, |(least, ..)| *least);
            let mut allocation = Allocation::of(Vec::new());
            for buffer in proposal {
                let sizes = self.apart.sizes;
                match smaller_line(self.apart.conflicts, &buffer, (sizes, buffer.cells(sizes).min(best)))? {
                    Some(line) => allocation.lines.push(line),
                    None => allocation.buffers.push(buffer),
                }
            }
            if !allocation.lines.is_empty() {
                self.offer(Engine::Line, allocation)?;
            }
            if self.is_least(floors)? {
                break;
            }
        }
        Ok(())
    }

    /// Proves a proposal if it would be the best.
    fn offer(&mut self, engine: Engine, allocation: Allocation) -> Result<()> {
        let cells = allocation.cells(self.apart.sizes);
        if self.found.as_ref().is_some_and(|(least, ..)| *least <= cells) {
            return Ok(());
        }
        match verify(self.apart.conflicts, allocation)? {
            Ok(proved) => self.found = Some((cells, engine, proved)),
            Err(refusal) => self.refusal = Some(refusal),
        }
        Ok(())
    }

    fn is_least(&self, floors: &mut Floors) -> Result<bool> {
        let Some((_, _, proved)) = &self.found else { return Ok(false) };
        floors.is_met(self.apart.conflicts, proved.value())
    }

    fn solution(self) -> Solution {
        match (self.found, self.refusal) {
            (Some((_, engine, proved)), _) => Solution { outcome: Outcome::Proved(proved), engine },
            (None, Some(refusal)) => Solution { outcome: Outcome::Refused(refusal), engine: Engine::Separate },
            (None, None) => Solution { outcome: Outcome::Unbounded, engine: Engine::Separate },
        }
    }
}
