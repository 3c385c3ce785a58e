//! `polyfold optimize` on conflict sets: tables, JSON, and sets that are refused.

use crate::support::scratch;
use crate::support::tool::{Run, on_text};
use serde_json::Value;
use std::path::PathBuf;

/// SMO, Figure 2: a stencil's two arrays of N cells each.
const STENCIL: &str = "# Figure 2 (d)
[T, N] -> {
    S0[t, i] -> S0[t, i'] : 1 <= t <= T and 1 <= i < i' <= N;
    S1[t, i] -> S1[t, i'] : 1 <= t <= T and 1 <= i < i' <= N;
    S0[t, i] -> S1[t, i'] : 1 <= t <= T and 1 <= i' < i <= N;
    S1[t, i] -> S0[t + 1, i'] : 1 <= t < T and 1 <= i' <= i <= N }";

fn path(name: &str) -> PathBuf {
    scratch("conflicts").join(name)
}

/// `polyfold optimize FILE …` on a file that holds the text.
fn optimize(name: &str, pairs: &str, more: &[&str]) -> Run {
    on_text("optimize", &path(&format!("{name}.isl")), pairs, more)
}

/// Vertices are multiplied with one another: large ones are refused, whatever the engine.
#[test]
fn huge_numbers_are_refused() {
    let far = "{ S[i] -> S[j] : 0 <= i < j < 4000000000000000000 }";
    let steep = "[N] -> { S[i] -> S[j] : 0 <= i < j < 4000000000000000000 N }";
    for (k, pairs) in [far, steep].into_iter().enumerate() {
        for method in ["auto", "fast", "joint", "smo"] {
            let run = optimize(&format!("huge{k}_{method}"), pairs, &["--method", method]);
            assert_eq!(run.status, 1, "{}", run.stderr);
            assert!(run.stderr.contains("has a number past 1073741824"), "{}", run.stderr);
        }
    }
}

#[test]
fn smo_figure_2() {
    let json = path("figure_2.json").display().to_string();
    let run = optimize(
        "figure_2",
        STENCIL,
        &["--method", "smo", "--assume", "N >= 4", "--param", "N=1000,T=20", "--json", &json],
    );
    let expected = "\
for all N, T with N >= 4 && T >= 1
   cells  buffer
    1001  A0[N + 1]
   value     kept in
   S0[t, i]  A0[(t - i) mod (N + 1)]
   S1[t, i]  A0[(t - i) mod (N + 1)]
  1001 cells in all at N = 1000, T = 20; found by smo, proved
";
    assert_eq!((run.status, run.stdout.as_str()), (0, expected), "{}", run.stderr);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!((&report["schema"], &report["cells"]), (&"polyfold-conflicts/1".into(), &1001.into()));
    assert_eq!(report["statements"][1]["rows"], serde_json::json!([[1, -1]]));
    assert_eq!(report["buffers"][0]["extents"], serde_json::json!(["N + 1"]));
}

/// The paper's heuristic takes a row more than it needs; `auto` says whose result it keeps.
#[test]
fn each_method_says_who_found_the_storage() {
    let pairs = "[N] -> {
        S[i, j] -> S[i', j'] : 0 <= i < i' < N and 0 <= j, j' < N; S[i, j] -> S[i, j'] : 0 <= i < N and 0 <= j < j' < N;
        T[i, j] -> T[i', j'] : 0 <= i < i' < N and 0 <= j, j' < N; T[i, j] -> T[i, j'] : 0 <= i < N and 0 <= j < j' < N;
        S[i, j] -> T[i', j'] : 0 <= i' <= i < N and 0 <= j, j' < N;
        S[i, j] -> T[i + 1, j'] : 0 <= i < N - 1 and 0 <= j' < j < N }";
    for (method, engine, cells) in
        [("smo", "smo", 10_200), ("joint", "joint", 10_100), ("fast", "fast", 10_100), ("auto", "fast", 10_100)]
    {
        let json = path(&format!("{method}.json")).display().to_string();
        let more = ["--method", method, "--assume", "N >= 5", "--param", "N=100", "--json", &json];
        let run = optimize(&format!("method_{method}"), pairs, &more);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
        assert_eq!((&report["method"], &report["cells"]), (&engine.into(), &cells.into()), "{method}");
    }
}

/// Nine points: N² + N + 1 values are alive at once, fewer than any box of cells holds.
#[test]
fn a_line_is_printed_with_its_strides() {
    let pairs = "[T, N, M] -> {
        S[t, i, j] -> S[t, i', j'] : 1 <= t <= T and 1 <= i < i' <= N and 1 <= j, j' <= M;
        S[t, i, j] -> S[t, i, j'] : 1 <= t <= T and 1 <= i <= N and 1 <= j < j' <= M;
        S[t, i, j] -> S[t + 1, i', j'] : 1 <= t < T and 1 <= i' <= i <= N and 1 <= j, j' <= M;
        S[t, i, j] -> S[t + 1, i + 1, j'] : 1 <= t < T and 1 <= i < N and 1 <= j' <= j <= M }";
    let json = path("line.json").display().to_string();
    let more = ["--assume", "T >= 2 and N >= 3 and M >= 3", "--param", "T=9,N=100,M=20", "--json", &json];
    let run = optimize("line", pairs, &more);
    let expected = "\
for all M, N, T with M >= 3 && N >= 3 && T >= 2
   cells  buffer
    2021  A0[M*N + M + 1]
   value       kept in
   S[t, i, j]  A0[(M*(-t + i) + (-t + j)) mod (M*N + M + 1)]
  2021 cells in all at M = 20, N = 100, T = 9; found by line, proved
";
    assert_eq!((run.status, run.stdout.as_str()), (0, expected), "{}", run.stderr);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!((&report["method"], &report["cells"]), (&"line".into(), &2021.into()));
    let buffer = &report["buffers"][0];
    assert_eq!(
        (&buffer["extents"], &buffer["strides"]),
        (&serde_json::json!(["M*N + M + 1"]), &serde_json::json!(["M", "1"]))
    );
    assert_eq!(report["statements"][0]["rows"], serde_json::json!([[-1, 1, 0], [-1, 0, 1]]));
}

/// S needs M columns, and for some N without any S there is still a conflict: only a fact tells that M is positive there.
#[test]
fn sizes_of_which_nothing_is_known_need_a_fact() {
    let pairs = "[N, M] -> { S[i, j] -> S[i, k] : 0 <= i < N and 0 <= j < k < M; Q[i] -> Q[i + 1] : 0 <= i < N }";
    let run = optimize("facts", pairs, &[]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("--assume"), "{}", run.stderr);
    // apart they need M and 2 cells; together M is too few where it is 1
    for (method, cells) in [("smo", "102 cells in all"), ("auto", "101 cells in all")] {
        let run = optimize("facts", pairs, &["--method", method, "--assume", "M >= 1"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stdout.contains(cells), "{}", run.stdout);
    }
}

#[test]
fn what_is_no_conflict_set_is_refused() {
    for (name, pairs, status, words) in [
        ("unbounded", "{ S[i] -> S[j] : 0 <= i < j }", 1, "an iterator may lack a bound"),
        ("two", "{ S[i] -> S[j] : 0 <= i < j < 3 } { S[i] }", 1, "more text after the conflict set"),
        ("malformed", "{ S[i] -> S[j : 0 <= i < j < 3 }", 1, "not a relation"),
        ("nameless", "{ [i] -> [j] : 0 <= i < j < 3 }", 1, "a statement has no name"),
        ("changing", "{ S[i] -> S[j, k] : 0 <= i, j, k < 3 }", 1, "S has not always as many iterators"),
        ("none", "{ }", 1, "there is no conflict"),
    ] {
        let run = optimize(name, pairs, &["--method", "smo"]);
        assert_eq!(run.status, status, "{name}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{name}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{name}");
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    for (more, words) in [
        (&["--method", "lattice"][..], "--method smo, joint, fast, or auto"),
        (&["-o", "new.c"], "-o and --verify are for programs"),
        (&["--param", "N=0"], "no conflict at these sizes"),
        (&["--assume", "N <= 0"], "no conflict for any sizes that are left"),
    ] {
        let run = optimize("options", STENCIL, more);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{more:?}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{more:?}: {}", run.stderr);
    }
}
