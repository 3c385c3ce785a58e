//! The analysis and its mappings against runs of the same scops at small sizes.
//!
//! The oracle knows no sets: it runs the loops and counts. What the analysis says for all sizes is instantiated at the
//! sizes of the run. Where data decides, or loops are parallel, the analysis must say at least as much; else the same.

mod apart;
mod calls;
mod claim;
mod counted;
mod guests;
mod judge;
mod mapping;
mod registers;
mod row;
mod run;
mod scalars;
mod sliding;
mod tiled;
mod values;
mod windows;

use crate::support;
use crate::support::{c_files, stem, two_threads};
use judge::{Counts, QUOTA, Search, judge_file, report};
use polyfold_alloc::Method;
use polyfold_live::max_live;
use polyfold_plan::{Scope, Slack};
use polyfold_replay::Trace;
use run::LONGEST;
use std::collections::{BTreeMap, BTreeSet};

/// With this much work the corpus gets the storage that it gets with as much as the command line has; the random programs make do with less.
const SEARCH: Search = Search { work: 40_000_000, method: None, scope: Scope::Inter, slack: Slack::NONE };
const SHORT: Search = Search { work: QUOTA, method: None, scope: Scope::Inter, slack: Slack::NONE };

#[test]
fn random_programs_are_analysed_right() {
    let batches: Vec<u64> = (0..4).collect();
    let counts = two_threads::map(batches, |batch| {
        let seeds: Vec<u64> = (500 + 2 * batch..500 + 2 * (batch + 1)).collect();
        let options = polyfold_testgen::Options { max_statements: 8, ..polyfold_testgen::Options::default() };
        judge_file(&polyfold_testgen::file(&seeds, &options), SHORT)
    });
    report(counts, 12);
}

#[test]
fn corpus_and_examples_are_analysed_right() {
    let counts = two_threads::map(c_files(), |file| {
        let text = std::fs::read_to_string(&file).expect("the corpus can be read");
        judge_file(&text, SEARCH).map_err(|why| format!("{}: {why}", stem(&file)))
    });
    let sum = report(counts, 40);
    assert!(sum.values_replayed > 0 && sum.smaller_values_caught > 0, "{sum:?}");
    assert!(sum.loops_apart > 0 && sum.loops_that_meet > 0, "{sum:?}");
    assert!(sum.scalars_replayed > 0 && sum.foreign_accesses_caught > 0, "{sum:?}");
}

/// Buffers by the engines for conflict sets, in which arrays may have hyperplanes of their own.
#[test]
#[ignore = "long, in ./check-more"]
fn buffers_of_every_engine_are_right() {
    let engines = vec![Method::Fast, Method::Joint, Method::Smo];
    let counts: Vec<Result<Counts, String>> = two_threads::map(engines, |method| {
        let search = Search { method: Some(method), ..SHORT };
        let options = polyfold_testgen::Options { max_statements: 4, ..polyfold_testgen::Options::default() };
        let mut counts = judge_file(&polyfold_testgen::file(&(700..703).collect::<Vec<u64>>(), &options), search)?;
        counts += judge_file(TRANSPOSED, search)?;
        Ok(counts)
    });
    for counts in counts {
        let counts = counts.expect("no complaints");
        assert!(counts.buffers_replayed >= 2, "{counts:?}");
    }
}

/// Larger storage with plainer subscripts: by axes, by ranges of rows, with powers of two.
#[test]
#[ignore = "long, in ./check-more"]
fn storage_with_room_is_right() {
    let random: Vec<u64> = (720..726).collect();
    let options = polyfold_testgen::Options { max_statements: 6, ..polyfold_testgen::Options::default() };
    let texts = [polyfold_testgen::file(&random, &options)].into_iter().chain(ROOMY.map(String::from));
    let counts =
        two_threads::map(texts.collect(), |text| judge_file(&text, Search { slack: Slack::Percent(50), ..SEARCH }));
    let each: Vec<usize> = counts.iter().map(|counts| counts.as_ref().map_or(0, |counts| counts.given_slack)).collect();
    report(counts, 8);
    assert!(each.iter().all(|given| *given > 0), "{each:?}");
}

const ROOMY: [&str; 3] = [
    include_str!("../../benches/speed/kernels/durbin.c"),
    include_str!("../../benches/speed/kernels/jacobi_five.c"),
    include_str!("../../benches/speed/kernels/reg_detect.c"),
];

/// Rings that begin where the first tile does not wrap around: with sizes, and with numbers of which the values are bounded.
#[test]
fn rings_that_begin_further_up_are_right() {
    let with = |size: &str, sizes: &str| TILED.replace("SIZES", sizes).replace('N', size);
    let texts = [with("n", "int n, double x[2 * n], double out[2 * n]"), with("29", "double x[58], double out[58]")];
    for text in texts {
        let counts = judge_file(&text, SEARCH).expect("no complaints");
        assert!(counts.begun_replayed > 0, "{counts:?}\n{text}");
    }
}

const TILED: &str = "
void f(SIZES) {
  double a[N][N];
#pragma scop
  for (int X = 0; X < N; X += 11)
    for (int Y = 0; Y < N; Y += 11)
      for (int i = X; i < (X + 11 < N ? X + 11 : N); i++) {
        for (int j = Y; j < (Y + 11 < N ? Y + 11 : N); j++)
          a[i][j] = x[i + j];
        for (int j = Y > 2 ? Y : 2; j < (Y + 11 < N ? Y + 11 : N); j++)
          out[i + j] += a[i][j - 2] + a[i][j];
      }
#pragma endscop
}
";

/// Rings of two and three cells that loops come to at any place, up and down: they begin where these do.
#[test]
fn small_rings_that_begin_with_their_loops_are_right() {
    let up = "for (int j = t + 2; j < n; j++) { w[j] = x[j] + w[j - 2] - w[j - 1]; out[j] = w[j]; }";
    let down = "for (int j = n - 3; j >= t; j--) { w[j] = x[j] + w[j + 2]; out[j] = w[j] + w[j + 1]; }";
    for (first, body) in [("w[t] = x[0]; w[t + 1] = x[1];", up), ("w[n - 1] = x[0]; w[n - 2] = x[1];", down)] {
        let text = format!(
            "void f(unsigned char t, unsigned char n, double x[n], double out[n]) {{
  double w[t + n + 2];
#pragma scop
  {first}
  {body}
#pragma endscop
}}
"
        );
        let counts = judge_file(&text, SEARCH).expect("no complaints");
        assert!(counts.begun_replayed > 0, "{counts:?}\n{text}");
    }
}

/// `b` is read along its columns.
const TRANSPOSED: &str = "
void f(int n, unsigned x[n][n]) {
  unsigned a[n][n], b[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = x[j][i];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) b[j][i] = a[i - 1][j] + a[i][j];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) x[i][j] = b[j][i];
#pragma endscop
}
";

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

/// Values by name: two grids whose time runs down, and two in the plane. Their borders are classes of their own.
const NAMED: &str = "
void down(int n, int T, unsigned x[n]) {
  unsigned a[n], b[n];
#pragma scop
  for (int i = 0; i < n; i++) a[i] = x[i];
  for (int t = T; t > 0; t--) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + 2 * a[i] + a[i + 1];
    for (int i = 1; i < n - 1; i++) a[i] = b[i];
  }
  for (int i = 0; i < n; i++) x[i] = a[i];
#pragma endscop
}
void plane(int n, int T, unsigned x[n][n]) {
  unsigned a[n][n], b[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = x[i][j];
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) b[i][j] = a[i - 1][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j];
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) x[i][j] = a[i][j];
#pragma endscop
}
void turns(int n, int T, unsigned x[n]) {
  unsigned a[2][n];
#pragma scop
  for (int i = 0; i < n; i++) a[0][i] = x[i];
  for (int t = 0; t < T; t++) {
    a[(t + 1) % 2][0] = a[t % 2][0];
    for (int i = 1; i < n; i++) a[(t + 1) % 2][i] = a[t % 2][i - 1] + 2 * a[t % 2][i];
  }
  for (int i = 0; i < n; i++) x[i] = a[T % 2][i];
#pragma endscop
}
void wave(int n, int T, unsigned x[n]) {
  unsigned a[3][n];
#pragma scop
  for (int i = 0; i < n; i++) {
    a[0][i] = x[i];
    a[1][i] = 3 * x[i];
  }
  for (int t = 1; t < T; t++)
    for (int i = 0; i < n; i++) a[(t + 1) % 3][i] = 5 * a[t % 3][i] - a[(t - 1) % 3][i];
  for (int i = 0; i < n; i++) x[i] = a[T % 3][i];
#pragma endscop
}
";

#[test]
fn values_by_name_are_where_the_proof_says() {
    let counts = judge_file(NAMED, SEARCH).expect("no complaints");
    assert!(counts.values_replayed >= 16 && counts.smaller_values_caught >= 16, "{counts:?}");
}

/// A triangle of odd side, all of it alive: 3m² + 3m + 1 cells in one row.
const ODD_TRIANGLE: &str = "
void odd(int m, unsigned x[2 * m + 1]) {
  unsigned t[2 * m + 1][2 * m + 1];
#pragma scop
  for (int i = 0; i <= 2 * m; i++)
    for (int j = 0; j <= i; j++) t[i][j] = x[i] + x[j];
  for (int i = 0; i <= 2 * m; i++)
    for (int j = 0; j <= i; j++) x[j] += t[i][j] * t[i][i - j];
#pragma endscop
}
";

#[test]
fn rows_that_grow_keep_every_value() {
    let search = Search { method: Some(Method::Optimal), ..SEARCH };
    let counts = judge_file(ODD_TRIANGLE, search).expect("no complaints");
    assert!(counts.growing_replayed >= 2, "{counts:?}");
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
    judge_file(CLAMPED, SHORT).expect("no complaints");
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
    judge_file(BRANCHES, SHORT).expect("no complaints");
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

/// Temporaries that live in outputs: as they are, moved by numbers and by sizes, two after one another and side by side, behind
/// reads of what the output held, and in the plane.
const GUESTS: &str = "
void same(int n, unsigned x[n], unsigned out[n]) {
  unsigned t[n];
#pragma scop
  for (int i = 0; i < n; i++) t[i] = 2 * x[i];
  for (int i = 0; i < n; i++) out[i] = t[i] + 1;
#pragma endscop
}
void moved(int n, unsigned x[n], unsigned out[n]) {
  unsigned t[n + 2];
#pragma scop
  for (int i = 0; i < n; i++) t[i + 2] = 2 * x[i];
  for (int i = n - 1; i >= 0; i--) out[i] = t[i + 2] + x[n - 1 - i];
#pragma endscop
}
void halves(int n, unsigned x[n], unsigned out[2 * n]) {
  unsigned low[n], high[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    low[i] = x[i];
    high[i] = 3 * x[n - 1 - i];
  }
  for (int i = 0; i < n; i++) out[i] = low[i] + 1;
  for (int i = 0; i < n; i++) out[i + n] = high[i] + 2;
#pragma endscop
}
void one_after_the_other(int n, unsigned out[n]) {
  unsigned t[n], u[n];
#pragma scop
  for (int i = 0; i < n; i++) t[i] = 2 * out[i];
  for (int i = 0; i < n; i++) u[i] = t[i] + 1;
  for (int i = 0; i < n; i++) out[i] = 3 * u[i];
#pragma endscop
}
void finished(int n, unsigned x[n], unsigned out[n], unsigned last[n + 1]) {
  unsigned t[n], u[n];
#pragma scop
  for (int i = 0; i < n; i++) out[i] = x[i];
  for (int i = 0; i < n; i++) t[i] = 2 * x[i];
  for (int i = 0; i < n; i++) u[i] = t[i] + t[n - 1 - i];
  for (int i = 0; i < n; i++) last[i + 1] = u[i] * t[i];
#pragma endscop
}
void plane(int n, int m, unsigned x[n][m], unsigned out[n][m]) {
  unsigned rows[n][m], sharp[n][m];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) rows[i][j] = x[i][j] + x[i][m - 1 - j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) sharp[i][j] = 3 * rows[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) out[i][j] = sharp[i][j] + sharp[i][j] / 2;
#pragma endscop
}
";

#[test]
fn guests_of_outputs_keep_their_values_and_the_outputs_theirs() {
    let search = Search { scope: Scope::Outputs, ..SEARCH };
    let counts = judge_file(GUESTS, search).expect("no complaints");
    assert!(counts.guests_replayed >= 30 && counts.moved_guests_caught >= 20, "{counts:?}");
}

#[test]
fn random_guests_of_outputs_keep_their_values() {
    let batches: Vec<u64> = (0..2).collect();
    let search = Search { scope: Scope::Outputs, ..SHORT };
    let results = two_threads::map(batches, |batch| {
        let seeds: Vec<u64> = (700 + 5 * batch..700 + 5 * (batch + 1)).collect();
        let options = polyfold_testgen::Options { max_statements: 8, ..polyfold_testgen::Options::default() };
        judge_file(&polyfold_testgen::file(&seeds, &options), search)
    });
    let mut sum = judge::Counts::default();
    results.into_iter().for_each(|counts| sum += counts.expect("no complaints"));
    println!("{sum:?}");
    assert!(sum.guests_replayed >= 4 && sum.moved_guests_caught >= 4, "{sum:?}");
}
