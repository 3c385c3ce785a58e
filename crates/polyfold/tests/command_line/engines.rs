//! Engines for several arrays at once, on programs.

use super::files::{agree, file, optimized, path, run};
use super::schedules::program;
use crate::support::code::{has, mentions};
use crate::support::compiler;
use crate::support::declared::declares;

/// `c` stands on its side: it is written and read along its columns.
const TRANSPOSED: &str = "#include <stdio.h>
static void f(int n, double in[n][n], double out[n][n]) {
  double a[n][n], b[n][n], c[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = in[i][j] * 2.0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = a[i - 1][j] + a[i][j] + a[i + 1][j - 1];
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      c[j][i] = b[i - 1][j] + b[i][j] + b[i + 1][j + 1];
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      out[i][j] = c[j][i] + 1.0;
#pragma endscop
}
int main(void) {
  static double in[12][12], out[12][12];
  for (int n = 1; n <= 12; n++) {
    double (*x)[n] = (double (*)[n])in, (*y)[n] = (double (*)[n])out;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        x[i][j] = i * 7 % 5 + j * j % 11;
    f(n, x, y);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        printf(\"%g \", y[i][j]);
  }
  puts(\"\");
  return 0;
}
";

#[test]
fn each_engine_has_its_own_result_and_all_are_right() {
    for (method, rows) in [("fast", "n"), ("joint", "n"), ("smo", "n + 1")] {
        let result = optimized(method, TRANSPOSED, &["--method", method]);
        assert!(declares(&result, "a_shared", &[rows, "n"]), "{method}: {result}");
        agree(method);
    }
}

/// An array on its side gets rows of its own: shifts of one space would keep it and the others apart.
#[test]
fn engines_are_asked_where_the_user_names_none() {
    let result = optimized("auto", TRANSPOSED, &[]);
    assert!(declares(&result, "a_shared", &["n", "n"]), "{result}");
    agree("auto");
}

/// Frames as a program for a small chip declares them. What lasts from one call to the next keeps its own cells.
#[test]
fn static_arrays_share() {
    let source = "#include <stdio.h>
#define H 9
#define W 12
static void f(const int in[H][W], int out[H][W]) {
  static int light[H][W], edge[H][W], sharp[H][W], before[H][W];
#pragma scop
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++)
      light[i][j] = in[i][j] * 3 + before[i][j];
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      edge[i][j] = 4 * light[i][j] - light[i - 1][j] - light[i + 1][j] - light[i][j - 1] - light[i][j + 1];
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++)
      before[i][j] = light[i][W - 1 - j] / 8;
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      sharp[i][j] = light[i][j] + edge[i][j] / 4;
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = sharp[i][j] / 3;
#pragma endscop
}
int main(void) {
  static int in[H][W], out[H][W];
  for (int frame = 0; frame < 4; frame++) {
    for (int i = 0; i < H * W; i++)
      in[i / W][i % W] = (i * 7 + frame * 5) % 13;
    f((const int (*)[W])in, out);
    for (int i = 0; i < H * W; i++)
      printf(\"%d \", out[i / W][i % W]);
  }
  puts(\"\");
  return 0;
}
";
    let result = optimized("static_frames", source, &[]);
    assert!(has(&result, "static int light_shared[_][_];") && declares(&result, "before", &["H", "W"]), "{result}");
    assert!(!mentions(&result, "sharp"), "{result}");
    agree("static_frames");
    compiler::all_warnings(&path("static_frames.out.c")).unwrap();
}

#[test]
fn each_array_alone_is_still_to_be_had() {
    let result = optimized("alone", TRANSPOSED, &["--method", "fast", "--scope", "intra"]);
    assert!(!mentions(&result, "a_shared"), "{result}");
    agree("alone");
}

#[test]
fn arrays_of_other_types_stay_apart() {
    let text = TRANSPOSED.replace("double a[n][n], b[n][n], c[n][n];", "double a[n][n], c[n][n]; float b[n][n];");
    for method in ["fast", "joint", "smo"] {
        let result = optimized("types", &text, &["--method", method]);
        assert!(mentions(&result, "b") && mentions(&result, "a_shared"), "{method}: {result}");
        agree("types");
    }
}

#[test]
fn arrays_of_fixed_and_of_variable_size_stay_apart() {
    let text = TRANSPOSED.replace("b[n][n], c[n][n];", "b[n][n], c[12][12];");
    for method in ["fast", "joint", "smo"] {
        let result = optimized("sizes", &text, &["--method", method]);
        assert!(mentions(&result, "c"), "{method}: {result}");
        agree("sizes");
    }
}

/// A sheet that is turned over fits n² cells where all sizes are n, and max(n, m)² where they are not: too many for a stack.
#[test]
fn sizes_that_differ_do_not_need_more_memory() {
    let text = "#include <stdio.h>
#include <stdlib.h>
static void f(int n, int m, int in[n][m], int out[n][m]) {
  int a[n][m], c[m][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (i >= j)
        c[j][i] = in[i][j];
      else
        c[j][i] = a[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = c[j][i];
#pragma endscop
}
int main(void) {
  int sizes[][2] = {{5, 4}, {2, 4000}, {4000, 2}};
  for (int k = 0; k < 3; k++) {
    int n = sizes[k][0], m = sizes[k][1], sum = 0;
    int *in = malloc(sizeof(int[n][m])), *out = malloc(sizeof(int[n][m]));
    for (int i = 0; i < n * m; i++)
      in[i] = i * 7 % 13;
    f(n, m, (int(*)[m])in, (int(*)[m])out);
    for (int i = 0; i < n * m; i++)
      sum = sum * 3 % 1000003 + out[i];
    printf(\"%d\\n\", sum);
    free(in);
    free(out);
  }
  return 0;
}
";
    for method in ["auto", "fast", "joint", "smo"] {
        optimized("skewed_sizes", text, &["--method", method]);
        agree("skewed_sizes");
    }
}

/// Of eleven arrays nine are alive together, and two one after the other: what these share is a hundredth of all cells.
#[test]
fn what_two_of_many_arrays_can_share_is_found() {
    let of_all =
        |text: &str, with: &str| (0..9).map(|k| text.replace('K', &k.to_string())).collect::<Vec<_>>().join(with);
    let body = format!(
        "  for (int i = 0; i < n; i++) {{
{}
  }}
  for (int j = 0; j < m; j++)
    first[j] = in[0][j];
  for (int j = 0; j < m; j++)
    out[0][j] = first[m - 1 - j];
  for (int j = 0; j < m; j++)
    second[j] = out[0][j] + 1;
  for (int j = 0; j < m; j++)
    out[0][j] += second[m - 1 - j];
  for (int i = 0; i < n; i++)
    out[i][0] += {};",
        of_all("    aK[i] = in[i][0] * K;", "\n"),
        of_all("aK[i]", " + "),
    );
    let source = program(&format!("double {}, first[m], second[m];", of_all("aK[n]", ", ")), &body);
    let result = optimized("two_of_many", &source, &["--param", "n=100", "--param", "m=10"]);
    assert!(declares(&result, "first_shared", &["m"]) && !mentions(&result, "second"), "{result}");
    compiler::all_warnings(&path("two_of_many.out.c")).unwrap();
    agree("two_of_many");
}

/// The windows of three values that four stages need move through nine cells, as many as are alive at once: more than four arrays of a
/// cell each have, at n = 1.
#[test]
fn windows_of_stages_share_cells_that_do_not_grow() {
    let body = "  for (int i = 1; i < n - 1; i++) {
    a[i] = in[i - 1][0] + in[i + 1][0];
    if (i >= 3) b[i - 1] = a[i - 2] + a[i - 1] + a[i];
    if (i >= 5) c[i - 2] = b[i - 3] + b[i - 2] + b[i - 1];
    if (i >= 7) d[i - 3] = c[i - 4] + c[i - 3] + c[i - 2];
    if (i >= 9) out[i - 4][0] = d[i - 5] + d[i - 4] + d[i - 3];
  }";
    let result = optimized("windows", &program("double a[n], b[n], c[n], d[n];", body), &[]);
    assert!(declares(&result, "a_shared", &["9"]), "{result}");
    compiler::all_warnings(&path("windows.out.c")).unwrap();
    agree("windows");
}

/// Bee, Figure 4, `diff`: what is asked for as the optimum is it, or is said not to be.
#[test]
fn optima_that_are_not_proved_are_said() {
    let source = "unsigned regular(unsigned path[N][N], const unsigned in[N][N]) {
  unsigned diff[N][N][P];
#pragma scop
  for (int j = 0; j < N; j++)
    for (int i = j; i < N; i++)
      for (int k = 0; k < P; k++)
        diff[j][i][k] = in[j][i] + k;
  for (int j = 0; j < N; j++)
    for (int i = j; i < N; i++)
      for (int k = 0; k < P; k++)
        path[j][i] += diff[j][i][k];
#pragma endscop
  return path[0][0];
}
";
    let cells = |sizes: &str| {
        file("optimum.c", format!("{sizes}{source}"));
        let output = path("optimum.out.c").display().to_string();
        let found = run("optimize", &["optimum.c"], &["--method", "optimal", "--emit", "plain", "-o", &output]);
        assert_eq!(found.status, 0, "{}", found.stderr);
        (found.stdout, found.stderr)
    };
    let (found, said) = cells("#define N 21\n#define P 64\n");
    assert!(found.contains("-> 21184 ") && !said.contains("fewest"), "{found}{said}");
    let (found, said) = cells("#define N 6\n#define P 8\n");
    assert!(found.contains("-> 216 ") && !said.contains("fewest"), "{found}{said}");
    let (_, said) = cells("enum { P = 8 };\n#define N n\n#define regular(path, in) regular(int n, path, in)\n");
    assert!(said.contains("cells of `diff` are not proved to be the fewest: they are for all sizes"), "{said}");
}
