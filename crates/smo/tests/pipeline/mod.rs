//! Chains of one-dimensional stages, each reading windows of some before it.

use polyfold_isl::{Context, Map, Result, Set};
use std::fmt;

/// One statement: `for i < extent: S(i) = f(P(i + from .. i + to), …)`.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) extent: &'static str,
    pub(crate) reads: Vec<Window>,
    pub(crate) is_live_out: bool,
}

/// What a stage reads of another.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) stage: usize,
    pub(crate) from: i64,
    pub(crate) to: i64,
}

/// Stages and their order.
#[derive(Clone)]
pub(crate) struct Pipeline {
    pub(crate) stages: Vec<Stage>,
    /// One loop over all stages, each so late that what it reads is there; or one loop after the other.
    pub(crate) is_fused: bool,
}

impl Pipeline {
    /// What conflicts, for N >= 8.
    pub(crate) fn conflicts(&self, ctx: &Context) -> Result<Vec<Map>> {
        let mut maps = Vec::new();
        for stage in 0..self.stages.len() {
            let Some(last) = self.last_uses(ctx, stage)? else { continue };
            for other in 0..self.stages.len() {
                let times = Set::read(ctx, "{ [a, b] }")?;
                let back = self.schedule(ctx, other)?.reverse()?;
                let later = self.schedule(ctx, stage)?.apply_range(&Map::lex_lt(&times)?)?.apply_range(&back)?;
                let in_use = last.apply_range(&Map::lex_gt(&times)?)?.apply_range(&back)?;
                maps.push(later.intersect(&in_use)?);
            }
        }
        Ok(maps)
    }

    fn schedule(&self, ctx: &Context, stage: usize) -> Result<Map> {
        let (extent, delay) = (self.stages[stage].extent, self.delay(stage));
        let time = if self.is_fused { format!("i + {delay}, {stage}") } else { format!("{stage}, i") };
        Map::read(ctx, &format!("[N] -> {{ S{stage}[i] -> [{time}] : 0 <= i < {extent} and N >= 8 }}"))
    }

    fn delay(&self, stage: usize) -> i64 {
        let after = |window: &Window| self.delay(window.stage) + window.to;
        self.stages[stage].reads.iter().map(after).fold(0, i64::max)
    }

    /// When the values of a stage are used last.
    fn last_uses(&self, ctx: &Context, stage: usize) -> Result<Option<Map>> {
        let mut uses = Vec::new();
        for (reader, windows) in self.stages.iter().map(|stage| &stage.reads).enumerate() {
            for window in windows.iter().filter(|window| window.stage == stage) {
                let (from, to, extent) = (window.from, window.to, self.stages[stage].extent);
                let pairs = format!("0 <= p < {extent} and i + {from} <= p <= i + {to}");
                let read = Map::read(ctx, &format!("[N] -> {{ S{stage}[p] -> S{reader}[i] : {pairs} }}"))?;
                uses.push(read.apply_range(&self.schedule(ctx, reader)?)?);
            }
        }
        if self.stages[stage].is_live_out {
            let extent = self.stages[stage].extent;
            let end = "[3 * N + 1000, 0] : N >= 8";
            uses.push(Map::read(ctx, &format!("[N] -> {{ S{stage}[p] -> {end} and 0 <= p < {extent} }}"))?);
        }
        let Some((first, others)) = uses.split_first() else { return Ok(None) };
        others.iter().try_fold(first.clone(), |all, some| all.union(some))?.lexmax().map(Some)
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", if self.is_fused { "one loop" } else { "one loop after the other" })?;
        for (k, stage) in self.stages.iter().enumerate() {
            let end = if stage.is_live_out { ", live out" } else { "" };
            let reads: Vec<String> =
                stage.reads.iter().map(|w| format!("S{}[i + {} .. i + {}]", w.stage, w.from, w.to)).collect();
            writeln!(f, "S{k}[0 <= i < {}] = f({}){end}", stage.extent, reads.join(", "))?;
        }
        Ok(())
    }
}
