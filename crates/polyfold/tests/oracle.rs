//! The analysis and its mappings against runs of the same scops at small sizes.
//!
//! The oracle knows no sets: it runs the loops and counts. What the analysis says for all sizes is instantiated at the
//! sizes of the run. Where data decides, or loops are parallel, the analysis must say at least as much; else the same.

#![allow(missing_docs)]

mod support;

use polyfold::optimize::{Optimized, Options, Outcome, Scope, SharedBuffer, optimize};
use polyfold_alloc::Proposal;
use polyfold_codegen::TextLimits;
use polyfold_flow::Model;
use polyfold_isl::{Context, ErrorKind, PwAff, Set};
use polyfold_live::{Conflicts, DifferenceSet, Lifetimes, Precision, conflicts, max_live};
use polyfold_prove::{Row, RowForm, Verified, verify};
use polyfold_replay::{Precision as Replayed, Trace, replay_shared};
use polyfold_scop::{ArrayId, Certainty, Condition, Node, Scop};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{c_files, parse, stem, two_threads};

/// Runs with more operations or pairs of cells are left out.
const LONGEST: usize = 20_000;
const MOST_PAIRS: usize = 4_000;
/// Steps of isl per array: what takes longer is left out, and counted.
const QUOTA: u64 = 5_000_000;

type Verdict = Result<(), String>;

/// Sets that should be exact and have points that never happen: isl 0.25's coalescing adds some now and then, which is
/// safe, but must stay rare.
static TOO_LARGE: AtomicUsize = AtomicUsize::new(0);
const MOST_TOO_LARGE: usize = 3;

#[test]
fn random_programs_are_analysed_right() {
    let batches: Vec<u64> = (0..6).collect();
    let counts = two_threads::map(batches, |batch| {
        let seeds: Vec<u64> = (500 + 15 * batch..500 + 15 * (batch + 1)).collect();
        let options = polyfold_testgen::Options { max_statements: 8, ..polyfold_testgen::Options::default() };
        judge_file(&polyfold_testgen::file(&seeds, &options))
    });
    report(counts, 90);
}

#[test]
fn corpus_and_examples_are_analysed_right() {
    let counts = two_threads::map(c_files(), |file| {
        let text = std::fs::read_to_string(&file).expect("the corpus can be read");
        judge_file(&text).map_err(|why| format!("{}: {why}", stem(&file)))
    });
    report(counts, 40);
}

/// If the branch is taken, the dead value of `t[1]` is written while `t[0]` is alive.
const DEAD_UNDER_A_CONDITION: &str = "
void f(int x[2]) {
  int t[2];
#pragma scop
  t[1] = x[0];
  x[1] = t[1];
  t[0] = x[0];
  if (x[1] > 0)
    t[1] = 2;
  x[0] = t[0];
#pragma endscop
}
";

#[test]
fn dead_values_under_a_condition_are_counted() {
    let scop = support::scop(DEAD_UNDER_A_CONDITION);
    let t = scop.array_named("t").expect("it is declared");
    let trace = Trace::run(&scop, &BTreeMap::new(), || true, LONGEST).expect("it is short");
    let counted = max_live(&scop, &[t], &[], QUOTA).expect("it is short");
    assert!(counted.total >= trace.max_live(t) as u64);
}

/// Neighbours of a grid of three rows, clamped at its borders, in two copies.
const CLAMPED: &str = "
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void f(int n, unsigned x[n]) {
  unsigned t[2][3][n];
#pragma scop
  for (int i = 0; i < 3; i++)
    for (int j = n - 1; j >= 0; j--)
      t[0][i][j] = x[j];
  for (int k = 0; k < 2; k++)
    for (int i = 2; i >= 0; i--)
      for (int j = 0; j < n; j++)
        t[(k + 1) % 2][i][j] =
          t[k % 2][MIN(i + 1, 2)][j] + t[k % 2][i][j / 3] + (j + 2 < n ? t[k % 2][MAX(i - 1, 0)][j + 2] : 1u);
#pragma endscop
}
";

#[test]
fn clamped_subscripts_are_analysed_right() {
    judge_file(CLAMPED).expect("no complaints");
}

/// Branches that data choose from, in ways that make a write sure, or only seem to: the cell's old value is read in a
/// later branch, another cell is written beside it, a branch does not write.
const BRANCHES: &str = "
void f(int x[9], int y[9]) {
  int all[9], old[9], beside[9], some[9], deep[9], late[9], bounds[9];
#pragma scop
  for (int i = 0; i < 9; i++) {
    old[i] = x[i];
    beside[i] = x[i];
    some[i] = x[i];
    late[i] = x[i];
    y[i] = x[8 - i];
  }
  for (int i = 1; i < 9; i++) {
    if (x[i] > 0) all[i] = 1;
    else if (y[i] > 0) all[i] = i > 1 ? all[i - 1] : 2;
    else all[i] = x[i];
    if (x[i] > 1) old[i] = 1;
    else if (y[i] > 1) old[i] = 2;
    else old[i] = old[i] + 1;
    if (x[i] > 2) { beside[i - 1] = 1; beside[i] = 1; }
    else if (y[i] > 2) beside[i] = 2;
    else beside[i] = beside[0];
    if (x[i] > 3) some[i] = 1;
    else if (y[i] > 3) some[i] = 2;
    if (x[i] > 4) { if (y[i] > 4) deep[i] = 1; else deep[i] = 2; }
    else { if (y[i] > 5) { deep[i] = 3; x[0] = deep[i]; } else deep[i] = 4; }
    if (x[i] > 5) { late[i] = 1; }
    else { if (late[i] > y[i]) late[i] = 2; late[i] = 3; }
    if (x[i] > 6) { if (i < 5) bounds[i] = 1; else bounds[i] = 2; }
    else bounds[i] = 3;
    x[i] = all[i] + old[i] + beside[i] + some[i] + deep[i] + late[i] + bounds[i] + beside[0];
  }
  for (int i = 0; i < 9; i++)
    y[i] = old[i] + beside[i] + some[i];
#pragma endscop
}
";

#[test]
fn branches_are_analysed_right() {
    judge_file(BRANCHES).expect("no complaints");
}

#[test]
fn sure_writes_are_those_that_some_branch_makes() {
    let scop = support::scop(BRANCHES);
    let sure = polyfold_flow::sure_writes(&scop);
    let written = |id: polyfold_scop::StatementId, at: usize| scop.array(scop.statement(id).accesses[at].array);
    let names: BTreeSet<&str> = sure.iter().map(|(id, at)| written(*id, *at).name.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["all", "deep", "bounds"]));
    assert_eq!(sure.len(), 4, "{sure:?}");
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    runs: usize,
    exact_runs: usize,
    conflict_sets: usize,
    too_long: usize,
    mappings_replayed: usize,
    buffers_replayed: usize,
    mutants_refused: usize,
    mutants_proved: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.runs += other.runs;
        self.exact_runs += other.exact_runs;
        self.conflict_sets += other.conflict_sets;
        self.too_long += other.too_long;
        self.mappings_replayed += other.mappings_replayed;
        self.buffers_replayed += other.buffers_replayed;
        self.mutants_refused += other.mutants_refused;
        self.mutants_proved += other.mutants_proved;
    }
}

fn report(results: Vec<Result<Counts, String>>, least_runs: usize) {
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
}

fn judge_file(text: &str) -> Result<Counts, String> {
    let (mut sum, mut complaints) = (Counts::default(), Vec::new());
    for scop in &parse(text).scops {
        match judge(scop) {
            Ok(counts) => sum += counts,
            Err(why) => complaints.push(format!("{} (line {}): {why}", scop.function, scop.line)),
        }
    }
    if complaints.is_empty() { Ok(sum) } else { Err(complaints.join("\n")) }
}

fn judge(scop: &Scop) -> Result<Counts, String> {
    let ctx = Context::new();
    let model = Model::build(&ctx, scop).map_err(|e| e.to_string())?;
    let runs = Run::all(scop, &model);
    let (runs, mut counts) = (&runs[..runs.len().min(2)], Counts::default());
    counts.runs += runs.len();
    counts.exact_runs += runs.iter().filter(|run| run.exact).count();
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
    judge_mappings(&ctx, scop, &mut counts)?;
    Ok(counts)
}

/// The result of work that stays below the bound; `None` if it does not.
fn bounded<T>(ctx: &Context, work: impl FnOnce() -> polyfold_isl::Result<T>) -> Result<Option<T>, String> {
    match ctx.with_quota(QUOTA, work) {
        Ok(result) => Ok(Some(result)),
        Err(error) if error.kind == ErrorKind::Quota => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// What the analysis says of one array.
struct Claim {
    precision: Precision,
    differences: DifferenceSet,
}

impl Claim {
    fn both(model: &Model, array: ArrayId) -> polyfold_isl::Result<[Claim; 2]> {
        let lifetimes = Lifetimes::of(model, array)?;
        Ok([
            Claim::of(model, array, &lifetimes, Precision::Cell)?,
            Claim::of(model, array, &lifetimes, Precision::Value)?,
        ])
    }

    fn of(model: &Model, array: ArrayId, lifetimes: &Lifetimes, precision: Precision) -> polyfold_isl::Result<Claim> {
        let conflicts = conflicts(lifetimes, precision)?;
        let dimensions = model.scop.array(array).extents.len();
        let differences = DifferenceSet::of(model.context.context(), conflicts, dimensions)?;
        Ok(Claim { precision, differences })
    }
}

fn temporaries(scop: &Scop) -> Vec<ArrayId> {
    let shrinks = |id: &ArrayId| scop.array(*id).is_temporary() && !scop.array(*id).is_scalar();
    (0..scop.arrays.len()).map(ArrayId).filter(shrinks).collect()
}

/// One execution of a scop.
struct Run {
    /// Names in isl notation, in the scop's order.
    sizes: Vec<(String, i64)>,
    trace: Trace,
    /// Whether the analysis has nothing to over-approximate.
    exact: bool,
}

impl Run {
    /// Runs at all small sizes tried that the model's context allows.
    fn all(scop: &Scop, model: &Model) -> Vec<Run> {
        let own: Option<Vec<i64>> = scop.parameters.iter().map(own_value).collect();
        let small = (0..8).map(|trial| small_sizes(scop.parameters.len(), trial));
        small.chain(own).filter_map(|sizes| Run::at(scop, model, &sizes)).collect()
    }

    /// `None` where the context excludes the sizes, or the run is too long.
    fn at(scop: &Scop, model: &Model, sizes: &[i64]) -> Option<Run> {
        let named: Vec<(String, i64)> = model.parameters.iter().cloned().zip(sizes.iter().copied()).collect();
        let allowed = model.context.at(&borrow(&named)).and_then(|here| Ok(!here.is_empty()?));
        if !allowed.expect("membership can be decided") {
            return None;
        }
        let in_c = scop.parameters.iter().map(|p| p.name.clone()).zip(sizes.iter().copied());
        let (asked, coin) = (Cell::new(false), Cell::new(0x9e37_79b9_u32));
        let choose = || {
            asked.set(true);
            coin.set(coin.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
            coin.get() >> 31 == 1
        };
        let trace = Trace::run(scop, &in_c.collect::<BTreeMap<_, _>>(), choose, LONGEST).ok()?;
        let exact = !asked.get() && !data_decides(scop) && !scop.loops().iter().any(|l| l.parallel);
        Some(Run { sizes: named, trace, exact })
    }

    /// Conflicts and differences of one array; the number of sets compared, if they can be listed.
    fn compare_conflicts(&self, ctx: &Context, array: ArrayId, claim: &Claim) -> Result<Option<usize>, String> {
        let precision = match claim.precision {
            Precision::Cell => Replayed::Cell,
            Precision::Value => Replayed::Value,
        };
        let Some(mut said) = bounded(ctx, || self.points(claim.differences.set()))? else { return Ok(None) };
        said.retain(|difference| difference.iter().any(|d| *d != 0));
        self.compare(&said, self.trace.differences(array, precision))
            .map_err(|why| format!("differences, {precision:?}: {why}"))?;
        let pairs = self.trace.conflicts(array, precision);
        if pairs.len() > MOST_PAIRS {
            return Ok(Some(1));
        }
        let pairs = pairs.into_iter().map(|(x, y)| [x, y].concat()).collect();
        let Some(said) = bounded(ctx, || self.pairs(claim.differences.conflicts()))? else { return Ok(None) };
        self.compare(&said, pairs).map_err(|why| format!("conflicts, {precision:?}: {why}"))?;
        Ok(Some(2))
    }

    fn pairs(&self, conflicts: &Conflicts) -> polyfold_isl::Result<BTreeSet<Vec<i64>>> {
        conflicts.pairs()?.map_or(Ok(BTreeSet::new()), |pairs| self.points(&pairs.wrap()?))
    }

    fn points(&self, set: &Set) -> polyfold_isl::Result<BTreeSet<Vec<i64>>> {
        Ok(set.at(&borrow(&self.sizes))?.points()?.into_iter().collect())
    }

    /// All that happened must be said, and nothing else if the analysis is exact.
    fn compare(&self, said: &BTreeSet<Vec<i64>>, happened: BTreeSet<Vec<i64>>) -> Verdict {
        if let Some(missing) = happened.difference(said).next() {
            return Err(format!("{missing:?} is missing"));
        }
        match said.difference(&happened).next() {
            Some(_) if self.exact && TOO_LARGE.fetch_add(1, Ordering::Relaxed) >= MOST_TOO_LARGE => {
                Err("more sets than isl's coalescing accounts for have points that never happen".to_string())
            }
            _ => Ok(()),
        }
    }

    /// Values alive at once, where data decides nothing.
    fn compare_count(&self, scop: &Scop, arrays: &[ArrayId]) -> Verdict {
        let values: Vec<i64> = self.sizes.iter().map(|(_, value)| *value).collect();
        let Ok(counted) = max_live(scop, arrays, &values, QUOTA) else { return Ok(()) };
        let happened = self.trace.max_live_all(arrays) as u64;
        let right = data_decides(scop) || counted.total == happened;
        if right { Ok(()) } else { Err(format!("{} values alive are counted, {happened} are", counted.total)) }
    }
}

fn own_value(parameter: &polyfold_scop::Parameter) -> Option<i64> {
    match parameter.origin {
        polyfold_scop::ParameterOrigin::Constant(value) => Some(value),
        polyfold_scop::ParameterOrigin::Variable => None,
    }
}

/// Values from 1 to 6, all different ways of large and small.
fn small_sizes(count: usize, trial: usize) -> Vec<i64> {
    const VALUES: [i64; 8] = [4, 5, 2, 6, 3, 1, 5, 6];
    (0..count).map(|parameter| VALUES[(trial + 3 * parameter) % VALUES.len()]).collect()
}

fn borrow(sizes: &[(String, i64)]) -> Vec<(&str, i64)> {
    sizes.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

/// Whether some reference to an array may touch any cell.
fn anywhere(scop: &Scop, array: ArrayId) -> bool {
    scop.statements.iter().flat_map(|s| &s.accesses).any(|a| a.array == array && a.subscripts.is_none())
}

fn data_decides(scop: &Scop) -> bool {
    let mut accesses = scop.statements.iter().flat_map(|s| &s.accesses);
    let uncertain =
        accesses.any(|a| a.certainty == Certainty::May || a.subscripts.is_none() || a.condition.depends_on_data());
    uncertain || guards(&scop.body).iter().any(|g| g.depends_on_data())
}

fn guards(nodes: &[Node]) -> Vec<&Condition> {
    let mut found = Vec::new();
    for node in nodes {
        match node {
            Node::Loop(l) => found.extend(guards(&l.body)),
            Node::Guard(g) => {
                found.push(&g.condition);
                found.extend(guards(&g.then));
                found.extend(guards(&g.otherwise));
            }
            Node::Statement(_) => {}
        }
    }
    found
}

/// Replays every mapping that is proved, and tries each with one modulus less.
fn judge_mappings(ctx: &Context, scop: &Scop, counts: &mut Counts) -> Verdict {
    let options = Options {
        method: None,
        scope: Scope::Inter,
        sizes: Vec::new(),
        assumptions: Vec::new(),
        max_operations: QUOTA,
        text: TextLimits::default(),
    };
    let Ok(Optimized { dead, outcomes, buffers, .. }) = optimize(ctx, scop, &options, &mut |_| {}) else {
        counts.too_long += 1;
        return Ok(());
    };
    let useful = dead.remove_from(scop);
    let model = Model::build(ctx, &useful).map_err(|e| e.to_string())?;
    let runs = Run::all(&useful, &model);
    for (array, outcome) in &outcomes {
        let Outcome::Mapped { storage, .. } = outcome else { continue };
        let told = |why: String| format!("{}: {why}", scop.array(*array).name);
        for run in runs.iter().take(2) {
            let replayed = replays(run, storage.scope(), &[(*array, storage.rows())]).map_err(told)?;
            counts.mappings_replayed += usize::from(replayed);
        }
        mutate(&model, &runs, *array, storage, counts).map_err(told)?;
    }
    for SharedBuffer { storage, .. } in &buffers {
        let members = storage.get().members.iter().enumerate();
        let members: Vec<(ArrayId, &[Row])> = members.map(|(k, m)| (m.array, storage.rows(k))).collect();
        for run in &runs {
            let replayed = replays(run, storage.scope(), &members).map_err(|why| format!("shared: {why}"))?;
            counts.buffers_replayed += usize::from(replayed);
        }
    }
    Ok(())
}

/// Whether a run finds all its values in a buffer of these arrays, and every cell inside it; `false` if the mapping is not
/// meant for these sizes.
fn replays(run: &Run, scope: &Set, members: &[(ArrayId, &[Row])]) -> Result<bool, String> {
    let here = scope.at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
    if here.is_empty().map_err(|e| e.to_string())? {
        return Ok(false);
    }
    let mut rows: BTreeMap<ArrayId, Vec<RowHere>> = BTreeMap::new();
    for (array, of) in members {
        rows.insert(*array, of.iter().map(|row| RowHere::new(row, &run.sizes)).collect::<Result<_, _>>()?);
    }
    for event in run.trace.operations.iter().flat_map(|o| &o.events) {
        let inside = |rows: &Vec<RowHere>| rows.iter().all(|row| (0..row.modulus).contains(&row.place(&event.cell)));
        if !rows.get(&event.array).is_none_or(inside) {
            return Err(format!("{:?} {:?} leaves the buffer at {:?}", event.kind, event.cell, run.sizes));
        }
    }
    let slot = |array, cell: &[i64]| Some((0, rows.get(&array)?.iter().map(|row| row.place(cell)).collect()));
    replay_shared(&run.trace, &slot).map_err(|clobber| format!("{clobber} at {:?}", run.sizes))?;
    Ok(true)
}

/// One row of a mapping at given sizes, computed as the generated code does.
struct RowHere {
    coefficients: Vec<i64>,
    shift: i64,
    modulus: i64,
    form: FormHere,
}

enum FormHere {
    Minus(i64),
    Remainder(i64),
    TwoRemainders,
}

impl RowHere {
    fn new(row: &Row, sizes: &[(String, i64)]) -> Result<RowHere, String> {
        let value = |function: &PwAff| {
            let value = function.eval(&borrow(sizes)).map_err(|e| e.to_string())?;
            value.ok_or(format!("{function} has no value at {sizes:?}"))
        };
        let form = match &row.form {
            RowForm::Fits { lowest } => FormHere::Minus(value(lowest)?),
            RowForm::Modulo { lift } => FormHere::Remainder(*lift),
            RowForm::SignedModulo => FormHere::TwoRemainders,
        };
        Ok(RowHere {
            coefficients: row.coefficients.clone(),
            shift: value(&row.shift)?,
            modulus: value(&row.modulus)?,
            form,
        })
    }

    fn place(&self, cell: &[i64]) -> i64 {
        let value: i64 = self.coefficients.iter().zip(cell).map(|(c, x)| c * x).sum();
        match self.form {
            FormHere::Minus(lowest) => value - lowest,
            FormHere::Remainder(lift) => (value + self.shift + lift * self.modulus) % self.modulus,
            FormHere::TwoRemainders => ((value + self.shift) % self.modulus + self.modulus) % self.modulus,
        }
    }
}

/// Takes one from each modulus in turn, where it is more than one: the prover refuses, or the oracle agrees.
fn mutate(model: &Model, runs: &[Run], array: ArrayId, storage: &Verified<Proposal>, counts: &mut Counts) -> Verdict {
    let ctx = model.context.context();
    let finest = || Claim::of(model, array, &Lifetimes::of(model, array)?, Precision::Value);
    let Some(claim) = bounded(ctx, finest)? else {
        counts.too_long += 1;
        return Ok(());
    };
    for row in 0..storage.rows().len() {
        match bounded(ctx, || prove_smaller(model, &claim, storage, row))? {
            None => counts.too_long += 1,
            Some(None) => counts.mutants_refused += 1,
            Some(Some(mutant)) => {
                counts.mutants_proved += 1;
                for run in runs {
                    replays(run, mutant.scope(), &[(array, mutant.rows())])
                        .map_err(|why| format!("proved with one less in row {row}, but {why}"))?;
                }
            }
        }
    }
    Ok(())
}

/// The mapping with one modulus less, if that can be proved.
fn prove_smaller(
    model: &Model,
    claim: &Claim,
    storage: &Verified<Proposal>,
    row: usize,
) -> polyfold_isl::Result<Option<Verified<Proposal>>> {
    let ctx = model.context.context();
    let mut proposal = storage.get().clone();
    let modulus = &mut proposal.mapping.moduli[row];
    let context = storage.scope().intersect(&modulus.at_least(&PwAff::read(ctx, "{ [(2)] }")?)?)?;
    *modulus = modulus.add(&PwAff::read(ctx, "{ [(-1)] }")?)?;
    Ok(verify(proposal, &claim.differences, &context)?.ok())
}
