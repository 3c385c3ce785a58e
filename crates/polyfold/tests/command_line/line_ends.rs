//! Lines of a result end as those of the source do.

use super::files::{file, optimized, path, run, text};

/// Stages that are fused, with a variable in a body, one that two loops have, and a statement over two lines.
const STAGES: &str = "#define WIDTH 40
void f(int n, int in[n][WIDTH], int out[n][WIDTH]) {
  int once[n][WIDTH], twice[n][WIDTH];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < WIDTH; j++) {
      int s = in[i][j];
      s += in[i][j - 1];
      once[i][j] = s;
    }
  for (int i = 1; i < n; i++)
    for (int j = 1; j < WIDTH; j++) {
      int s = once[i][j] +
        once[i - 1][j];
      twice[i][j] = s;
    }
  for (int i = 1; i < n; i++)
    for (int j = 2; j < WIDTH; j++)
      out[i][j] = twice[i][j] -
        twice[i][j - 1];
#pragma endscop
}
";

const STEPS: &str = "void f(int steps, int n, float a[n + 2][n + 2]) {
  float b[n + 2][n + 2];
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        a[i][j] = 0.25f * b[i][j];
  }
#pragma endscop
}
";

/// Two grids in one ring of rows, for which loops without braces get names.
const PLATE: &str = "void f(int n, int m, int steps, float plate[n][m]) {
  float old[n][m], new[n][m];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      old[i][j] = plate[i][j];
  for (int left = steps; left > 0; left--) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        new[i][j] = old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        old[i][j] = new[i][j];
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      plate[i][j] = old[i][j];
#pragma endscop
}
";

/// The same source with each kind of line ends has the same results but for these.
#[track_caller]
fn keeps(name: &str, source: &str, more: &[&str]) {
    let [of_lines, of_returns] = [source.to_string(), source.replace('\n', "\r\n")]
        .into_iter()
        .zip(["lines", "returns"])
        .map(|(source, ends)| optimized(&format!("{ends}_{name}"), &source, more))
        .collect::<Vec<_>>()
        .try_into()
        .expect("there are two");
    assert_ne!(of_lines, source);
    assert_eq!(of_returns, of_lines.replace('\n', "\r\n"));
}

#[test]
#[ignore = "long, in ./check-more"]
fn new_storage_has_the_sources_line_ends() {
    for emit in ["plain", "fast"] {
        keeps(&format!("{emit}_steps"), STEPS, &["--emit", emit]);
        keeps(&format!("{emit}_plate"), PLATE, &["--emit", emit]);
    }
}

#[test]
#[ignore = "long, in ./check-more"]
fn new_loops_have_the_sources_line_ends() {
    for schedule in ["fuse", "fuse-rows", "strips"] {
        keeps(schedule, STAGES, &["--schedule", schedule, "--emit", "fast"]);
    }
    let transposed = "{ S0[t, i, j] -> [t, 0, j, i]; S1[t, i, j] -> [t, 1, j, i] }";
    keeps("transposed", STEPS, &["--schedule", transposed, "--parallel", "2"]);
    keeps("grown", STEPS, &["--reallocate"]);
}

#[test]
fn loops_from_other_formats_have_the_sources_line_ends() {
    for (ends, source) in [("lines", STEPS.to_string()), ("returns", STEPS.replace('\n', "\r\n"))] {
        let [input, between, result] = ["c", "scop", "out.c"].map(|end| format!("{ends}_into.{end}"));
        file(&input, source);
        let shown = |name: &str| path(name).display().to_string();
        assert_eq!(run("convert", &[&input], &["-o", &shown(&between)]).status, 0);
        assert_eq!(run("convert", &[&between], &["--into", &shown(&input), "-o", &shown(&result)]).status, 0);
    }
    assert_eq!(text("returns_into.out.c"), text("lines_into.out.c").replace('\n', "\r\n"));
}
