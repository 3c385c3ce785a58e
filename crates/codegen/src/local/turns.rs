//! Copies of one iteration of the loop around a region, with rotating buffers.
//!
//! ```text
//! wait for what is on its way back, if the next buffer is the one that it comes from
//! copy in what the next iteration finds there already                 into the next buffer
//! copy in the rest of this iteration's cells, and wait for all of them
//! the statement
//! wait for what the iteration before copies back; copy back           from this buffer
//! ```
//!
//! The iteration of a counter k with step s has buffer number `k / |s|` mod b, for k is not negative: numbers of iterations that follow
//! each other do.
//!
//! Only one iteration's cells are on their way back where the next one's begin to be: copies of one cell keep their order.

use super::in_tree::InTree;
use super::manner::{BACK, BACK_LATER, IN, Transfer, ahead};
use super::memory::Writing;
use super::sizes::{Counters, Sizes};
use polyfold_compact::{Local, Motion};
use polyfold_isl::{Result, Set};
use polyfold_program::{Int, IntOp, ParameterId};
use polyfold_transform::{Step, Steps};

impl InTree<'_> {
    /// The number of an iteration's buffer; `None`: there is one buffer.
    pub(super) fn turn(&self, motion: &Motion, counters: &Counters) -> Option<Int> {
        let (Motion::Rotating { buffers, .. }, Some(around)) = (motion, self.loops_inside().next()) else {
            return None;
        };
        let counter = self.in_tree(&Int::Parameter(ParameterId(around.counter.0)), counters);
        let number = match i64::try_from(around.step.unsigned_abs()) {
            Ok(1) | Err(_) => counter,
            Ok(step) => Int::binary(IntOp::Divide, counter, Int::Constant(step)),
        };
        let turn = Int::binary(IntOp::Remainder, number, Int::Constant(*buffers as i64));
        Some(turn.as_constant().map_or(turn, Int::Constant))
    }
}

impl Writing<'_> {
    /// Some cells are copied by transfers that are awaited at once.
    pub(super) fn moved(
        &self,
        local: (usize, &Local),
        (is_into, cells): (bool, &Set),
        sizes: &Sizes,
    ) -> Result<Vec<Step>> {
        let tag = Int::Constant(if is_into { IN } else { BACK });
        self.copied(local, (is_into, cells, tag), (None, &Counters::Same, sizes))
    }

    fn wait(&self, tag: Int) -> Option<Step> {
        matches!(self.region.manner.transfer, Transfer::Functions(_)).then_some(Step::Wait(tag))
    }

    pub(super) fn awaited_in(&self, copies: Vec<Step>) -> Vec<Step> {
        self.awaited(copies, IN)
    }

    pub(super) fn awaited_back(&self, copies: Vec<Step>) -> Vec<Step> {
        self.awaited(copies, BACK)
    }

    fn awaited(&self, mut copies: Vec<Step>, tag: i64) -> Vec<Step> {
        if !copies.is_empty() {
            copies.extend(self.wait(Int::Constant(tag)));
        }
        copies
    }

    /// The cells of a rotating local array that are copied an iteration ahead.
    fn early(local: &Local, late: &Set) -> Result<Set> {
        local.copies.into.subtract(late)?.coalesce()
    }

    /// Around the statement.
    pub(super) fn iteration(&self) -> Result<Steps> {
        Ok(Steps { before: self.begins()?, behind: self.ends()?, ..Steps::default() })
    }

    fn begins(&self) -> Result<Vec<Step>> {
        let (sizes, later) = (&self.sizes, || self.wait(Int::Constant(BACK_LATER)));
        let mut steps = Vec::new();
        if self.waits_for_buffer()? {
            steps.extend(later());
        }
        steps.extend(self.next()?);
        let (mut now, mut fetched) = (Vec::new(), None);
        for (number, local, motion) in self.locals() {
            match motion {
                Motion::Inside => now.extend(self.moved((number, local), (true, &local.copies.into), sizes)?),
                Motion::Rotating { late, .. } => {
                    let turn = self.region.turn(motion, &Counters::Same);
                    let how = (turn.clone(), &Counters::Same, sizes);
                    let copied = self.copied((number, local), (true, late, Int::Constant(IN)), how)?;
                    if !copied.is_empty() {
                        now.splice(0..0, later());
                    }
                    now.extend(copied);
                    if !Self::early(local, late)?.is_empty()? {
                        fetched = turn;
                    }
                }
                Motion::Outside(_) => {}
            }
        }
        steps.extend(self.awaited_in(now));
        steps.extend(fetched.and_then(|turn| self.wait(ahead(turn))));
        Ok(steps)
    }

    /// Whether cells may still be on their way back from the buffer that is filled for the next iteration, or to where it is filled from.
    fn waits_for_buffer(&self) -> Result<bool> {
        let mut filled = Vec::new();
        for (_, local, motion) in self.locals() {
            if let Motion::Rotating { buffers: 2, late } = motion
                && !Self::early(local, late)?.is_empty()?
            {
                filled.push(local.array);
            }
        }
        for (_, local, motion) in self.locals() {
            let rotates = matches!(motion, Motion::Rotating { .. });
            if rotates && filled.contains(&local.array) && !local.copies.back.is_empty()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// In front of the loop, which has an iteration.
    pub(super) fn first_iteration(&self) -> Result<Vec<Step>> {
        self.ahead(&Counters::First)
    }

    /// Copies for the next iteration, if there is one.
    fn next(&self) -> Result<Vec<Step>> {
        let copied = self.ahead(&Counters::Next)?;
        let region = self.region;
        let test = region.loops_inside().next().map(|around| &around.test);
        let Some(test) = test.filter(|_| !copied.is_empty()) else { return Ok(Vec::new()) };
        let test = test.with_leaves(&mut |e| region.in_tree(&region.with_products(e), &Counters::Next));
        Ok(vec![Step::If(test, copied)])
    }

    /// Copies of what is copied an iteration ahead.
    fn ahead(&self, counters: &Counters) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for (number, local, motion) in self.locals() {
            let Motion::Rotating { late, .. } = motion else { continue };
            let Some(turn) = self.region.turn(motion, counters) else { continue };
            let early = Self::early(local, late)?;
            let how = (Some(turn.clone()), counters, &self.sizes);
            steps.extend(self.copied((number, local), (true, &early, ahead(turn)), how)?);
        }
        Ok(steps)
    }

    /// Behind the statement.
    fn ends(&self) -> Result<Vec<Step>> {
        let (mut now, mut later) = (Vec::new(), Vec::new());
        for (number, local, motion) in self.locals() {
            let (back, sizes) = (&local.copies.back, &self.sizes);
            match motion {
                Motion::Inside => now.extend(self.moved((number, local), (false, back), sizes)?),
                Motion::Rotating { .. } => {
                    let turn = self.region.turn(motion, &Counters::Same);
                    let how = (turn, &Counters::Same, sizes);
                    later.extend(self.copied((number, local), (false, back, Int::Constant(BACK_LATER)), how)?);
                }
                Motion::Outside(_) => {}
            }
        }
        let mut steps = Vec::new();
        if !later.is_empty() {
            steps.extend(self.wait(Int::Constant(BACK_LATER)));
            steps.extend(later);
        }
        steps.extend(self.awaited_back(now));
        Ok(steps)
    }

    /// Behind the loop: what is still on its way back.
    pub(super) fn last_iteration(&self) -> Result<Vec<Step>> {
        for (_, local, motion) in self.locals() {
            if matches!(motion, Motion::Rotating { .. }) && !local.copies.back.is_empty()? {
                return Ok(self.wait(Int::Constant(BACK_LATER)).into_iter().collect());
            }
        }
        Ok(Vec::new())
    }
}
