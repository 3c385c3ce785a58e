//! `--emit fast`: pointers that go on by a row in each turn of the loop right around innermost ones, and planes in one loop.

use super::files::{agree, optimized, path};
use crate::support::code::{has, within};
use crate::support::compiler;
use crate::support::declared::declares;

/// Seven points to and fro in three dimensions, with a border that stays: rows of 0 to 5 and 10 cells inside of it.
fn seven_points() -> String {
    let main = main_of(1728, "0, 1, 2, 3, 4, 5, 10", "f(n, t, (const void *)in, (void *)out)");
    format!(
        "#include <stdio.h>
static void f(int n, int t, const double in[n + 2][n + 2][n + 2], double out[n + 2][n + 2][n + 2]) {{
  double p[n + 2][n + 2][n + 2], q[n + 2][n + 2][n + 2];
#pragma scop
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      for (int k = 0; k <= n + 1; k++)
        q[i][j][k] = in[i][j][k];
  for (int s = 1; s <= t; s++) {{
    for (int i = 1; i <= n; i++)
      {HEAD} {{
        for (int k = 1; k <= n; k++)
          p[i][j][k] = 0.14 * (q[i][j][k] + q[i - 1][j][k] + q[i + 1][j][k] + q[i][j - 1][k] + q[i][j + 1][k]
                               + q[i][j][k - 1] + q[i][j][k + 1]);
      }}
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        for (int k = 1; k <= n; k++)
          q[i][j][k] = p[i][j][k];
  }}
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        out[i][j][k] = q[i][j][k];
#pragma endscop
}}
{main}"
    )
}

/// Calls a kernel at all sizes, for 0 to 4 steps each, and prints what it leaves.
fn main_of(cells: usize, sizes: &str, call: &str) -> String {
    format!(
        "int main(void) {{
  static double in[{cells}], out[{cells}];
  const int sizes[] = {{{sizes}}};
  for (unsigned size = 0; size < sizeof sizes / sizeof *sizes; size++)
    for (int t = 0; t <= 4; t++) {{
      const int n = sizes[size];
      (void)n;
      for (int i = 0; i < {cells}; i++)
        in[i] = i * 7 % 13 + t, out[i] = 0;
      {call};
      double sum = 0;
      for (int i = 0; i < {cells}; i++)
        sum = sum * 0.9375 + out[i];
      printf(\"%.17g\\n\", sum);
    }}
  return 0;
}}
"
    )
}

const HEAD: &str = "for (int j = 1; j <= n; j++)";

#[test]
#[ignore = "long, in ./check-more"]
fn what_the_innermost_loop_does_not_change_is_chosen_in_front_of_it() {
    let result = optimized("going_on", &seven_points(), &["--emit", "fast"]);
    agree("going_on");
    compiler::all_warnings(&path("going_on.out.c")).unwrap();
    assert!(within(&result, "for (int j = 1; j <= n; j++) _;", "_ += n + 2") > 0, "{result}");
    assert!(has(&result, "i >= 2 ? _ : _") && has(&result, "j >= 2 ? _ : _"), "{result}");
    assert_eq!(within(&result, "for (int k = 1; k <= n; k++) _;", "_ ? _ : _"), 0, "{result}");
}

/// A window of m + 1 planes, of which the oldest is read twice: row by row, and as `again` does. Runs at all small sizes.
fn window(again: &str) -> String {
    format!(
        "#include <stdio.h>
#define CELL(i, j, k) t[i][j][k]
static void f(int n, int m, const double in[n][n], double out[n][n]) {{
  double t[n][n][n];
#pragma scop
  for (int i = 0; i < n; i++) {{
    {FILLED}
    if (i >= m) {{
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          out[j][k] += t[i - m][j][k];
      /* again */
      {again}
    }}
  }}
#pragma endscop
}}
int main(void) {{
  for (int n = 1; n <= 5; n++)
    for (int m = 0; m <= n; m++) {{
      double in[25], out[25];
      for (int i = 0; i < 25; i++)
        in[i] = i * 7 % 13, out[i] = 0;
      f(n, m, (const void *)in, (void *)out);
      for (int i = 0; i < 25; i++)
        printf(\"%g \", out[i]);
    }}
  return 0;
}}
"
    )
}

const FILLED: &str = "for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        t[i][j][k] = in[j][k] + i;";

/// Runs a window whose oldest plane is read in one way more.
fn runs(name: &str, again: &str) {
    let result = optimized(name, &window(again), &["--emit", "fast"]);
    agree(name);
    compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    assert!(declares(&result, "t", &["m + 1", "n", "n"]), "{result}");
}

const TURNS: &str = "for (int j = 0; j < n; j++)";
const ALONG: &str = "for (int k = 0; k < n; k++)\n          out[j][k] += 2 * t[i - m][j][k];";

#[test]
fn pointers_go_on_from_a_counter_too() {
    runs("going_on_counter", &format!("for (int j = i; j < n; j++)\n        {ALONG}"));
}

/// Seven points to and fro, where each step copies the border: two planes, and the ends of planes and rows.
fn with_border() -> String {
    let kernel =
        include_str!("../../benches/speed/kernels/stencil_3d_border.c").replace("void kernel(", "static void kernel(");
    let main = main_of(1000, "1, 2, 3, 4, 5, 8, 10", "kernel(n, t, (const void *)in, (void *)out)");
    format!("#include <stdio.h>\n{kernel}\n{main}")
}

#[test]
#[ignore = "long, in ./check-more"]
fn planes_that_are_copied_agree() {
    let text = with_border();
    let of_8 = text.replace("int n, int steps, ", "int steps, ").replace("kernel(n, ", "kernel(");
    let of_8 = of_8.replace("const int n = sizes[size];\n      (void)n;\n", "");
    for (name, text) in [("planes", text), ("planes_of_8", format!("#define n 8\n{of_8}"))] {
        optimized(name, &text, &["--emit", "fast"]);
        agree(name);
        compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    }
}

/// Each for a reason of its own: the rows of the loop in front of it go on.
#[test]
#[ignore = "long, in ./check-more"]
fn pointers_that_cannot_go_on_are_found_in_each_turn() {
    let mirrored = ALONG.replace("[i - m][j]", "[i - m][n - 1 - j]");
    let twice = format!("{{\n        {ALONG}\n        for (int l = 0; l < 2; l++)\n          {ALONG}\n      }}");
    let cases = [
        ("down", "for (int j = n - 1; j >= 0; j--)", ALONG),
        ("by_two", "for (int j = 0; j < n; j += 2)", ALONG),
        ("two_counters", "for (int j = i - m; j < n; j++)", ALONG),
        ("no_turn", "for (int j = 1; j < n; j++)", ALONG),
        ("no_cell", TURNS, &ALONG.replace("k < n", "k < j")),
        ("data", TURNS, &format!("if (in[0][j] > 3)\n        {ALONG}")),
        ("mirrored", TURNS, &mirrored),
        ("plane", "for (int j = 0; j <= m; j++)", &ALONG.replace("[i - m]", "[i - m + j]")),
        ("places", "for (int j = 0; j <= m; j++)", &ALONG.replace("2 * t", "t[i - m + j][j][k] * t")),
        ("deep", TURNS, &twice),
        ("macro", TURNS, &ALONG.replace("t[i - m][j][k]", "CELL(i - m, j, k)")),
    ];
    for (name, head, body) in cases {
        runs(&format!("going_on_{name}"), &format!("{head}\n        {body}"));
    }
}

/// No turn is in front of all others where several threads run them.
#[test]
fn pointers_of_several_threads_are_found_in_each_turn() {
    runs("going_on_threads", &format!("#pragma omp parallel for\n      {TURNS}\n        {ALONG}"));
}
