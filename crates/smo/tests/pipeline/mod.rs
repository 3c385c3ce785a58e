//! Chains of one-dimensional stages, each reading windows of some before it.
#![allow(dead_code)]

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

    /// Every operation at a size: stage and iterator.
    fn operations(&self, size: i64) -> impl Iterator<Item = (usize, i64)> {
        let extent = move |text: &str| match text {
            "2 * N" => 2 * size,
            "N + 2" => size + 2,
            _ => size,
        };
        self.stages.iter().enumerate().flat_map(move |(k, stage)| (0..extent(stage.extent)).map(move |i| (k, i)))
    }

    fn time(&self, stage: usize, i: i64) -> (i64, i64) {
        let late = i + self.delay(stage);
        if self.is_fused { (late, stage as i64) } else { (stage as i64, i) }
    }

    /// Values alive at once, counted for N = `size`. Every value needs a cell at its own moment at least.
    pub(crate) fn max_live(&self, size: i64) -> usize {
        let mut changes = Vec::new();
        for (stage, p) in self.operations(size) {
            let born = self.time(stage, p);
            let readers = self.operations(size).filter(|(reader, i)| {
                let gets = |w: &Window| w.stage == stage && (i + w.from..=i + w.to).contains(&p);
                self.stages[*reader].reads.iter().any(gets)
            });
            let end = readers.map(|(reader, i)| self.time(reader, i)).max();
            let end = if self.stages[stage].is_live_out { Some((i64::MAX, 0)) } else { end };
            // What is read for the last time may be overwritten by its reader; what nobody reads needs its own moment.
            let end = end.filter(|end| *end > born).map_or((born, 1), |end| (end, -1));
            changes.extend([((born, 0), 1), (end, -1)]);
        }
        changes.sort_unstable();
        let mut alive = 0;
        changes
            .iter()
            .map(|(_, change)| {
                alive += change;
                alive
            })
            .max()
            .unwrap_or(0) as usize
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

/// A linear congruential generator: the programs are the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// One of `0 .. bound`.
    pub(crate) fn below(&mut self, bound: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound) as usize
    }

    fn stage(&mut self, k: usize, is_last: bool) -> Stage {
        let mut read = vec![];
        if k > 0 {
            read.push(k - 1);
            let other = self.below(k as u64);
            if other < k - 1 && self.below(5) < 2 {
                read.push(other);
            }
        }
        let mut window = |stage| {
            let from = self.below(4) as i64 - 2;
            Window { stage, from, to: from + self.below(3) as i64 }
        };
        let reads = read.into_iter().map(&mut window).collect();
        let extent = ["N", "N", "N", "N + 2", "2 * N"][self.below(5)];
        Stage { extent, reads, is_live_out: is_last || self.below(8) == 0 }
    }

    /// Two to four stages.
    pub(crate) fn pipeline(&mut self) -> Pipeline {
        let count = [2, 3, 3, 4][self.below(4)];
        let stages = (0..count).map(|k| self.stage(k, k + 1 == count)).collect();
        Pipeline { stages, is_fused: self.below(2) == 0 }
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
