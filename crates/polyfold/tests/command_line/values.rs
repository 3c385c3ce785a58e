//! Values that live in several places: what a time loop writes again and again, and borders beside it.

use super::files::{agree, optimized};
use crate::support::code::{count, function, has, mentions};
use crate::support::declared::declares;

/// Two grids; `INIT` fills the first one, `INTO` copies the second back, and `AFTER` reads the first one.
fn grids(declarations: &str, init: &str, body: &str, after: &str) -> String {
    format!(
        "#include <stdio.h>
static int calls;
static double next(void) {{ return ++calls; }}
static void f(int n, int T, double in[n], double out[n]) {{
  {declarations}
#pragma scop
{init}
  for (int t = 0; t < T; t++) {{
{body}
  }}
{after}
#pragma endscop
}}
int main(void) {{
  for (int n = 1; n < 9; n++)
    for (int T = -1; T < 5; T++) {{
      double in[9] = {{3, 1, 4, 1, 5, 9, 2, 6, 5}}, out[9] = {{0}};
      f(n, T, in, out);
      for (int i = 0; i < n; i++)
        printf(\"%.17g \", out[i]);
      printf(\"%d\\n\", calls + (int)next());
    }}
  return 0;
}}
"
    )
}

const INIT: &str = "  for (int i = 0; i < n; i++)\n    now[i] = in[i];";
const STEP: &str = "    for (int i = 1; i < n - 1; i++)
      next_[i] = now[i - 1] + now[i] + now[i + 1];
    for (int i = 1; i < n - 1; i++)
      now[i] = next_[i];";
const AFTER: &str = "  for (int i = 0; i < n; i++)\n    out[i] = now[i];";

#[test]
fn two_grids_become_a_ring_and_a_border() {
    let result = optimized("ring", &grids("double now[n], next_[n];", INIT, STEP, AFTER), &[]);
    assert!(declares(&result, "now_values", &["now_values_size"]) && !mentions(&result, "next_"), "{result}");
    assert!(has(&result, "const int now_values_size = n == 1 ? 1 : n - 1;"), "{result}");
    agree("ring");
}

/// A variable of a block that begins with counters is none of their names.
#[test]
fn sums_may_be_declared_in_the_loop() {
    let step = STEP.replace(
        "      next_[i] = now[i - 1] + now[i] + now[i + 1];",
        "    {\n      double s = i * now[i - 1] + now[i] + now[i + 1];\n      next_[i] = s;\n    }",
    );
    assert_ne!(step, STEP);
    let result = optimized("sum", &grids("double now[n], next_[n];", INIT, &step, AFTER), &[]);
    assert!(mentions(&result, "now_values") && !mentions(&result, "next_"), "{result}");
    agree("sum");
}

/// What a turn of its own declares is known in it alone: there may be more of them.
#[test]
fn single_turns_keep_what_they_declare() {
    let source = "#include <stdio.h>
#define N 16
static void f(int steps, const double in[N], double out[N]) {
  double a[N], b[N];
#pragma scop
  for (int i = 0; i < N; i++) { double v = in[i]; a[i] = v * 2; }
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < N - 1; i++) { double s = a[i - 1] + a[i + 1]; b[i] = a[i] + 0.1 * s; }
    for (int i = 1; i < N - 1; i++) a[i] = b[i];
    if (t == 10) out[0] = 0;
  }
  for (int i = 0; i < N; i++) { double v = a[i]; out[i] = v; }
#pragma endscop
}
int main(void) {
  double in[N], out[N];
  for (int i = 0; i < N; i++)
    in[i] = i * 7 % 5 + i;
  for (int steps = 0; steps < 20; steps++) {
    f(steps, in, out);
    for (int i = 0; i < N; i++)
      printf(\"%g \", out[i]);
  }
  puts(\"\");
  return 0;
}
";
    let result = optimized("single_turns", source, &["--emit", "fast"]);
    agree("single_turns");
    assert!(declares(&result, "a_values", &["N - 1"]), "{result}");
}

/// Next values join the grid that they follow, not one where they save a cell: 2 n + 1 cells and the border, of 4 n.
#[test]
fn two_pairs_of_grids_become_two_rings() {
    let declarations = "double h[n], v[n], hn[n], vn[n];";
    let init = "  for (int i = 0; i < n; i++) {\n    h[i] = in[i];\n    v[i] = in[i] * 0.5;\n  }";
    let body = "    for (int i = 1; i < n - 1; i++) {
      hn[i] = h[i] - 0.1 * (v[i + 1] - v[i - 1]);
      vn[i] = v[i] - 0.1 * (h[i + 1] - h[i - 1]);
    }
    for (int i = 1; i < n - 1; i++) {
      h[i] = hn[i];
      v[i] = vn[i];
    }";
    let after = "  for (int i = 0; i < n; i++)\n    out[i] = h[i] + v[i];";
    let result = optimized("pairs", &grids(declarations, init, body, after), &["--emit", "fast"]);
    assert!(declares(&result, "h_values", &["n + 2"]) && declares(&result, "v_values", &["n + 1"]), "{result}");
    agree("pairs");
    let result = optimized("pairs", &grids(declarations, init, body, after), &[]);
    assert!(declares(&result, "h_values", &["n"]), "{result}");
    assert!(has(&result, "const int v_values_size = n == 1 ? 1 : n - 1;"), "{result}");
    agree("pairs");
}

#[test]
fn each_kind_of_array_has_its_own_buffers() {
    let declarations = "double now[n], next_[n]; float a[n], b[n];";
    let init = format!("{INIT}\n  for (int i = 0; i < n; i++)\n    a[i] = in[i];");
    let body = format!("{STEP}\n{}", STEP.replace("now", "a").replace("next_", "b"));
    let after = format!("{AFTER}\n  for (int i = 0; i < n; i++)\n    out[i] += a[i];");
    let result = optimized("kinds", &grids(declarations, &init, &body, &after), &[]);
    assert!(has(&result, "double now_values[_];") && has(&result, "float a_values[_];"), "{result}");
    agree("kinds");
}

#[test]
fn calls_stay_where_nobody_reads_what_they_return() {
    let init = "  for (int i = 0; i < n; i++)\n    now[i] = next();";
    let inside = "  for (int i = 1; i < n - 1; i++)\n    out[i] = now[i] + in[i];";
    let body = STEP.replace("now[i - 1]", "now[i]").replace("now[i + 1]", "now[i]");
    let result = optimized("calls", &grids("double now[n], next_[n];", init, &body, inside), &[]);
    assert!(has(&result, "_[_] = next();") && !mentions(&result, "if"), "{result}");
    agree("calls");
}

#[test]
fn hidden_counters_are_not_mistaken() {
    let hidden = "    for (int t = 1; t < n - 1; t++)
      next_[t] = now[t - 1] + now[t] + now[t + 1];
    for (int i = 1; i < n - 1; i++) {
      int t = 3;
      now[i] = next_[i] + t;
    }";
    let result = optimized("hidden", &grids("double now[n], next_[n];", INIT, hidden, AFTER), &[]);
    assert!(!mentions(&result, "now_values"), "{result}");
    agree("hidden");
}

#[test]
fn statements_that_stand_for_several_keep_their_else() {
    let init = "  for (int i = 0; i < n; i++)\n    if (T > 1)\n      now[i] = in[i];\n    else\n      now[i] = 2;";
    let result = optimized("dangling", &grids("double now[n], next_[n];", init, STEP, AFTER), &[]);
    assert!(has(&result, "now_values1 = in[i];") && has(&result, "now_values1 = 2;"), "{result}");
    agree("dangling");
    let labelled = "  for (int i = 0; i < n; i++)\n    S: now[i] = in[i];";
    let result = optimized("labelled", &grids("double now[n], next_[n];", labelled, STEP, AFTER), &[]);
    assert!(has(&result, "now_values1 = in[i];"), "{result}");
    agree("labelled");
}

/// The turns of a loop are no size of an array: they must not become one.
#[test]
fn steps_decide_on_no_memory() {
    let body = STEP.replace("now[i - 1] + now[i] + now[i + 1]", "(now[i - 1] + now[i + 1]) / 2");
    let source = grids("double now[n], next_[n];", INIT, &body, AFTER)
        .replace("int T, double in", "int lo, int T, double in")
        .replace("int t = 0;", "int t = lo;")
        .replace("f(n, T, in", "f(n, T - 3, T, in");
    let result = optimized("steps", &source, &[]);
    let size = "const int now_values_size = n == 1 ? 1 : n - 1; double now_values[now_values_size];";
    assert!(has(&result, size), "{result}");
    agree("steps");
}

/// The source is defined for the largest numbers, and so must the versions be.
#[test]
fn versions_of_the_largest_turns_do_not_overflow() {
    let source = grids("double now[n], next_[n];", INIT, STEP, AFTER)
        .replace("int T, double in", "int T, int lo, double in")
        .replace("int t = 0; t < T;", "int t = lo; t < T;")
        .replace("f(n, T, in", "f(n, 2147483647, 2147483645, in");
    let result = optimized("largest", &source, &["--param", "lo=0", "--param", "T=9", "--param", "n=50"]);
    assert!(mentions(&result, "now_values"), "{result}");
    agree("largest");
}

#[test]
fn emptied_loops_go_with_what_is_declared_in_them() {
    let source = "#include <stdio.h>
static void f(int n, int x[n], int y[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int t[4];
    for (int k = 0; k < 4; k++)
      t[k] = x[i];
    for (int k = 1; k < 4; k++)
      t[0] += t[k];
  }
  for (int i = 0; i < n; i++)
    y[i] = x[i];
#pragma endscop
}
int main(void) {
  int x[3] = {1, 2, 3}, y[3];
  f(3, x, y);
  printf(\"%d\\n\", y[2]);
  return 0;
}
";
    let result = optimized("emptied", source, &[]);
    assert!(!mentions(&result, "k") && !mentions(&result, "t"), "{result}");
    agree("emptied");
}

/// Grids `u[0]`, `u[1]`, … that take turns: what a step writes stands where the oldest values were.
fn turns(name: &str, count: usize, init: &str, first: usize, step: &str) -> String {
    let after = format!("  for (int i = 0; i < n; i++)\n    out[i] = u[T % {count}][i];");
    let source = grids(&format!("double u[{count}][n];"), init, step, &after);
    let source =
        source.replace("int T = -1", &format!("int T = {first}")).replace("int t = 0", &format!("int t = {first}"));
    let result = optimized(name, &source, &[]);
    agree(name);
    result
}

#[test]
fn two_grids_that_take_turns_become_a_ring() {
    let init = "  for (int i = 0; i < n; i++)\n    u[0][i] = in[i];";
    let step = "    u[(t + 1) % 2][0] = u[t % 2][0];
    for (int i = 1; i < n - 1; i++)
      u[(t + 1) % 2][i] = u[t % 2][i - 1] + u[t % 2][i] + u[t % 2][i + 1];
    if (n > 1)
      u[(t + 1) % 2][n - 1] = u[t % 2][n - 1];";
    let ring = turns("turns", 2, init, 0, step);
    assert!(declares(&ring, "u_values", &["n + 1"]), "{ring}");
    let other = turns("turns_from_one", 2, init, 0, &step.replace("(t + 1) % 2", "1 - t % 2"));
    assert!(declares(&other, "u_values", &["n + 1"]), "{other}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn three_grids_that_take_turns_need_two() {
    let init = "  for (int i = 0; i < n; i++) {\n    u[0][i] = in[i];\n    u[1][i] = 2 * in[i];\n  }";
    let step = "    u[(t + 1) % 3][0] = 0;
    for (int i = 1; i < n - 1; i++)
      u[(t + 1) % 3][i] = u[t % 3][i - 1] + u[t % 3][i + 1] - u[(t - 1) % 3][i];
    if (n > 1)
      u[(t + 1) % 3][n - 1] = 0;";
    let wave = turns("wave", 3, init, 1, step);
    assert!(declares(&wave, "u_values", &["2", "n"]), "{wave}");
}

/// Each step writes over what it has just read of the step before the last: both grids are alive all the time.
#[test]
fn grids_that_are_both_alive_stay() {
    let init = "  for (int i = 0; i < n; i++) {\n    u[0][i] = in[i];\n    u[1][i] = 2 * in[i];\n  }";
    let step = "    for (int i = 1; i < n - 1; i++)
      u[(t + 1) % 2][i] = u[t % 2][i - 1] + u[t % 2][i + 1] - u[(t + 1) % 2][i];";
    let leapfrog = turns("leapfrog", 2, init, 1, step);
    assert!(declares(&leapfrog, "u", &["2", "n"]), "{leapfrog}");
}

/// `next_` is written in each turn before it is read, so that nobody reads what filled it. Copies go whose sides say `(T - t + 1) % 2` and `(T - t - 1) % 2`.
#[test]
fn what_nobody_reads_is_not_kept() {
    let init = "  for (int i = 0; i < n; i++) {
    old[i] = in[i];
    now[i] = in[i];
  }
  for (int i = 0; i < n; i++)
    next_[i] = in[i];";
    let step = "    for (int i = 1; i < n - 1; i++)
      next_[i] = 2 * now[i] - old[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    for (int i = 1; i < n - 1; i++) {
      old[i] = now[i];
      now[i] = next_[i];
    }";
    let declarations = "double old[n], now[n], next_[n];";
    let result = optimized("unread", &grids(declarations, init, step, AFTER), &[]);
    assert!(declares(&result, "old_values", &["2", "n <= 3 ? 1 : n - 2"]), "{result}");
    assert_eq!(count(function(&result, "f"), "for (_; _; _) _;"), 4, "{result}");
    agree("unread");
}

/// A filling that nobody reads goes, too, where the array that it fills stays and another one changes.
#[test]
fn what_nobody_reads_goes_beside_arrays_that_stay() {
    let init = "  for (int i = 0; i < n; i++)
    now[i] = 7;
  for (int i = 0; i < n; i++)
    now[i] = in[i];
  for (int i = 0; i < n; i++) {
    next_[i] = in[i];
    out[i] = next_[i] + now[i];
  }";
    let result = optimized("unread_beside", &grids("double now[n], next_[n];", init, "", ""), &[]);
    assert!(declares(&result, "now", &["n"]) && !has(&result, "now[_] = 7;"), "{result}");
    agree("unread_beside");
    let alone = grids("double now[n];", &init.replace("next_[i] = in[i];", "").replace("next_[i]", "in[i]"), "", "");
    let result = optimized("unread_alone", &alone, &[]);
    assert!(has(&result, "now[i] = 7;"), "nothing changes: {result}");
}

/// What one grid hands on to the next one stands where it is: two grids, and no copies.
#[test]
fn grids_that_copies_hand_on_need_two() {
    let declarations = "double now[n], next_[n], old[n];";
    let init = format!("{INIT}\n  for (int i = 0; i < n; i++)\n    old[i] = 2 * in[i];");
    let step = "    for (int i = 0; i < n; i++)
      next_[i] = (i > 0 && i < n - 1 ? now[i - 1] + now[i + 1] : now[i]) - old[i];
    for (int i = 0; i < n; i++)
      old[i] = now[i];
    for (int i = 0; i < n; i++)
      now[i] = next_[i];";
    let result = optimized("handed_on", &grids(declarations, &init, step, AFTER), &[]);
    assert!(declares(&result, "now_values", &["2", "n"]) && !mentions(&result, "old_values"), "{result}");
    assert!(count(function(&result, "f"), "for (_; _; _) _;") < 6, "{result}");
    agree("handed_on");
}

/// The border in variables of its own: a read that chooses between a row and one of these has the row's place by name.
#[test]
#[ignore = "long, in ./check-more"]
fn places_that_choices_mention_are_declared() {
    let init = format!("{INIT}\n  for (int i = 0; i < n; i++)\n    old[i] = in[i];");
    let step = "    for (int i = 1; i < n - 1; i++)
      next_[i] = now[i - 1] + now[i + 1] - old[i];
    for (int i = 1; i < n - 1; i++)
      old[i] = now[i];
    for (int i = 1; i < n - 1; i++)
      now[i] = next_[i];";
    let source = grids("double now[n], next_[n], old[n];", &init, step, AFTER);
    let result = optimized("handed_on_inside", &source, &["--emit", "fast"]);
    assert!(declares(&result, "now_values", &["2", "n"]) && !mentions(&result, "old"), "{result}");
    agree("handed_on_inside");
}
