//! One program against its runs: conflicts, differences, values alive at once, mappings.

use super::claim::Claim;
use super::mapping::judge_mappings;
use super::run::{Run, TOO_LARGE, anywhere};
use crate::support::parse;
use polyfold_alloc::Method;
use polyfold_codegen::TextLimits;
use polyfold_flow::Model;
use polyfold_isl::{Context, ErrorKind};
use polyfold_plan::{Options, Scope, Slack};
use polyfold_scop::{ArrayId, Scop};
use std::sync::atomic::Ordering;

/// Steps of isl per array: what takes longer is left out, and counted.
pub(crate) const QUOTA: u64 = 5_000_000;

pub(crate) type Verdict = Result<(), String>;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) runs: usize,
    pub(crate) exact_runs: usize,
    pub(crate) conflict_sets: usize,
    pub(crate) too_long: usize,
    pub(crate) mappings_replayed: usize,
    pub(crate) growing_replayed: usize,
    pub(crate) begun_replayed: usize,
    pub(crate) given_slack: usize,
    pub(crate) buffers_replayed: usize,
    pub(crate) values_replayed: usize,
    pub(crate) guests_replayed: usize,
    pub(crate) moved_guests_caught: usize,
    pub(crate) smaller_values_caught: usize,
    pub(crate) loops_apart: usize,
    pub(crate) loops_in_order: usize,
    pub(crate) loops_that_meet: usize,
    pub(crate) scalars_replayed: usize,
    pub(crate) foreign_accesses_caught: usize,
    pub(crate) variables_replayed: usize,
    pub(crate) lost_variables_caught: usize,
    pub(crate) registers_replayed: usize,
    pub(crate) moved_registers_caught: usize,
    pub(crate) windows_replayed: usize,
    pub(crate) moved_windows_caught: usize,
    pub(crate) lost_windows_caught: usize,
    pub(crate) slides_replayed: usize,
    pub(crate) moved_slides_caught: usize,
    pub(crate) lost_slides_caught: usize,
    pub(crate) tiles_replayed: usize,
    pub(crate) moved_tiles_caught: usize,
    pub(crate) mutants_refused: usize,
    pub(crate) mutants_proved: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.runs += other.runs;
        self.exact_runs += other.exact_runs;
        self.conflict_sets += other.conflict_sets;
        self.too_long += other.too_long;
        self.mappings_replayed += other.mappings_replayed;
        self.growing_replayed += other.growing_replayed;
        self.begun_replayed += other.begun_replayed;
        self.given_slack += other.given_slack;
        self.buffers_replayed += other.buffers_replayed;
        self.values_replayed += other.values_replayed;
        self.guests_replayed += other.guests_replayed;
        self.moved_guests_caught += other.moved_guests_caught;
        self.smaller_values_caught += other.smaller_values_caught;
        self.loops_apart += other.loops_apart;
        self.loops_in_order += other.loops_in_order;
        self.loops_that_meet += other.loops_that_meet;
        self.scalars_replayed += other.scalars_replayed;
        self.foreign_accesses_caught += other.foreign_accesses_caught;
        self.variables_replayed += other.variables_replayed;
        self.lost_variables_caught += other.lost_variables_caught;
        self.registers_replayed += other.registers_replayed;
        self.moved_registers_caught += other.moved_registers_caught;
        self.windows_replayed += other.windows_replayed;
        self.moved_windows_caught += other.moved_windows_caught;
        self.lost_windows_caught += other.lost_windows_caught;
        self.slides_replayed += other.slides_replayed;
        self.moved_slides_caught += other.moved_slides_caught;
        self.lost_slides_caught += other.lost_slides_caught;
        self.tiles_replayed += other.tiles_replayed;
        self.moved_tiles_caught += other.moved_tiles_caught;
        self.mutants_refused += other.mutants_refused;
        self.mutants_proved += other.mutants_proved;
    }
}

pub(crate) fn report(results: Vec<Result<Counts, String>>, least_runs: usize) -> Counts {
    let (mut sum, mut complaints) = (Counts::default(), Vec::new());
    for result in results {
        match result {
            Ok(counts) => sum += counts,
            Err(why) => complaints.push(why),
        }
    }
    println!("{sum:?}, {} sets too large", TOO_LARGE.load(Ordering::Relaxed));
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
    assert!(sum.runs >= least_runs && sum.mutants_refused > 0, "{sum:?}");
    sum
}

/// How storage is searched.
#[derive(Clone, Copy)]
pub(crate) struct Search {
    /// Bound on the work for each array.
    pub(crate) work: u64,
    pub(crate) method: Option<Method>,
    /// With outputs as well, only what is decided is judged: the analysis is the same.
    pub(crate) scope: Scope,
    /// Percent of more cells for plainer subscripts.
    pub(crate) slack: Slack,
}

pub(crate) fn judge_file(text: &str, search: Search) -> Result<Counts, String> {
    let (mut sum, mut complaints) = (Counts::default(), Vec::new());
    for scop in &parse(text).scops {
        match judge(text, scop, search) {
            Ok(counts) => sum += counts,
            Err(why) => complaints.push(format!("{} (line {}): {why}", scop.function, scop.line)),
        }
    }
    if complaints.is_empty() { Ok(sum) } else { Err(complaints.join("\n")) }
}

pub(crate) fn judge(text: &str, scop: &Scop, search: Search) -> Result<Counts, String> {
    let ctx = Context::new();
    let model = Model::build(&ctx, scop).map_err(|e| e.to_string())?;
    let runs = Run::all(scop, &model);
    let (runs, mut counts) = (&runs[..runs.len().min(2)], Counts::default());
    counts.runs += runs.len();
    counts.exact_runs += runs.iter().filter(|run| run.exact).count();
    if search.scope == Scope::Outputs {
        judge_mappings(&ctx, scop, options(text, scop, search), &mut counts)?;
        return Ok(counts);
    }
    for array in temporaries(scop).into_iter().filter(|array| !anywhere(scop, *array)) {
        let Some(claims) = bounded(&ctx, || Claim::both(&model, array))? else {
            counts.too_long += 1;
            continue;
        };
        for (run, claim) in runs.iter().flat_map(|run| claims.iter().map(move |claim| (run, claim))) {
            let told = |why: String| format!("{} at {:?}: {why}", scop.array(array).name, run.sizes);
            match run.compare_conflicts(&ctx, array, claim).map_err(told)? {
                None => counts.too_long += 1,
                Some(compared) => counts.conflict_sets += compared,
            }
        }
    }
    for run in runs {
        let each = temporaries(scop).into_iter().map(|array| vec![array]);
        for arrays in each.chain([temporaries(scop)]) {
            run.compare_count(scop, &arrays).map_err(|why| format!("{arrays:?} at {:?}: {why}", run.sizes))?;
        }
    }
    judge_mappings(&ctx, scop, options(text, scop, search), &mut counts)?;
    Ok(counts)
}

fn options(text: &str, scop: &Scop, search: Search) -> Options {
    Options {
        method: search.method,
        scope: search.scope,
        sizes: Vec::new(),
        assumptions: Vec::new(),
        max_operations: search.work,
        slack: search.slack,
        text: TextLimits::of(text, scop),
        in_strips: true,
    }
}

/// The result of work that stays below the bound; `None` if it does not.
pub(crate) fn bounded<T>(ctx: &Context, work: impl FnOnce() -> polyfold_isl::Result<T>) -> Result<Option<T>, String> {
    match ctx.with_quota(QUOTA, work) {
        Ok(result) => Ok(Some(result)),
        Err(error) if error.kind == ErrorKind::Quota => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn temporaries(scop: &Scop) -> Vec<ArrayId> {
    let shrinks = |id: &ArrayId| scop.array(*id).is_temporary() && !scop.array(*id).is_scalar();
    (0..scop.arrays.len()).map(ArrayId).filter(shrinks).collect()
}
