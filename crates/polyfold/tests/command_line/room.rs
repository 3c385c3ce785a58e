//! `--room`: cells given for plainer subscripts, as many as suffice without it.

use super::files::{agree, file, optimized, path, run, text};
use crate::support::code::{function, has};
use crate::support::declared::declares;
use serde_json::Value;

const DURBIN: &str = include_str!("../../benches/speed/kernels/durbin.c");
const JACOBI: &str = include_str!("../../benches/speed/kernels/jacobi_five.c");
const UNSHARP: &str = include_str!("../../benches/speed/kernels/unsharp.c");
const REGULAR: &str = include_str!("../../benches/speed/kernels/reg_detect.c");

/// A `main` for `kernel(n, steps, in, out)`, which runs it at all small sizes.
fn program(kernel: &str, element: &str, (cells, input, output): (&str, &str, &str)) -> String {
    format!(
        "#include <stdio.h>
{kernel}
int main(void) {{
  for (int n = 1; n < 12; n++)
    for (int steps = 1; steps < 4; steps++) {{
      {element} in[{cells}], out[{cells}];
      for (int i = 0; i < {cells}; i++)
        (({element} *)in)[i] = ({element})(i * 7 % 13 + 1) / ({element})(i + 2), out[i] = 0;
      kernel(n, steps, {input}, {output});
      for (int i = 0; i < {cells}; i++)
        printf(\"%.17g \", (double)out[i]);
    }}
  puts(\"\");
  return 0;
}}
"
    )
    .replace("int steps, const", "int steps __attribute__((unused)), const")
}

fn durbin() -> String {
    program(DURBIN, "double", ("n", "in", "out"))
}

fn jacobi() -> String {
    program(JACOBI, "double", ("n * n", "(const double(*)[n])in", "(double(*)[n])out"))
}

fn regular() -> String {
    program(REGULAR, "unsigned", ("n * n", "(const unsigned(*)[n])in", "(unsigned(*)[n])out"))
}

/// The result with room at given sizes, and the cells of all temporaries, as the report counts them; it computes the same in both forms.
#[track_caller]
fn with_room(name: &str, source: &str, room: &str, sizes: &str) -> (String, u64) {
    let report = path(&format!("{name}.json")).display().to_string();
    let more = ["--room", room, "--param", sizes, "--json", &report];
    optimized(&format!("{name}_fast"), source, &[&["--emit", "fast"], &more[..]].concat());
    agree(&format!("{name}_fast"));
    let result = optimized(name, source, &more);
    agree(name);
    let report: Value = serde_json::from_str(&text(&format!("{name}.json"))).expect("the report is JSON");
    (result, report["scops"][0]["totals"]["cells_after"].as_u64().expect("all cells are counted"))
}

#[test]
#[ignore = "long, in ./check-more"]
fn durbin_has_two_rows() {
    let (result, cells) = with_room("room_durbin_no", &durbin(), "0", "n=100");
    assert!(has(&result, "y[(2 * i + k - 1) % y_size]") && cells == 200, "{cells}: {result}");
    let (result, cells) = with_room("room_durbin", &durbin(), "2", "n=100");
    assert!(declares(&result, "y", &["2", "n"]) && cells == 203, "{cells}: {result}");
    let (_, cells) = with_room("room_durbin_less", &durbin(), "1", "n=100");
    assert_eq!(cells, 200);
}

/// Rows of four arrays in one buffer take n + 3 values, and none is divided.
#[test]
#[ignore = "long, in ./check-more"]
fn five_steps_have_two_more_rows() {
    let (result, cells) = with_room("room_jacobi_no", &jacobi(), "0", "n=30");
    let divides = |text: &str| has(function(text, "kernel"), "_ % _");
    assert!(declares(&result, "A_shared", &["n + 1", "n"]) && divides(&result) && cells == 31 * 30, "{result}");
    let (result, cells) = with_room("room_jacobi", &jacobi(), "10", "n=30");
    assert!(declares(&result, "A_shared", &["n + 3", "n"]) && !divides(&result) && cells == 33 * 30, "{result}");
}

/// A triangle in whole rows instead of rings of its half.
#[test]
fn regularity_detection_has_no_rings() {
    let (result, cells) = with_room("room_regular_no", &regular(), "0", "n=6,steps=64");
    assert!(has(function(&result, "kernel"), "_ % _") && cells == 27 + 27 * 64 + 1, "{cells}: {result}");
    let (result, cells) = with_room("room_regular", &regular(), "34", "n=6,steps=64");
    assert!(declares(&result, "sum_t_shared", &["n", "n"]) && cells == 36 + 36 * 64 + 1, "{cells}: {result}");
    assert!(has(&result, "diff[j][i][k] = sum_t_shared[j][i];"), "{result}");
    let report: Value = serde_json::from_str(&text("room_regular.json")).expect("the report is JSON");
    let arrays = report["scops"][0]["arrays"].as_array().expect("there are some");
    let diff = arrays.iter().find(|array| array["name"] == "diff").expect("it is there");
    let reason = "1728 cells would do; 576 more make its subscripts plainer (--room 0 takes none)";
    assert_eq!((diff["decision"].as_str(), diff["reason"].as_str()), (Some("kept"), Some(reason)));
}

/// A hundredth of the large array is a third of the small one. Where the large one is no larger, there is none.
#[test]
#[ignore = "long, in ./check-more"]
fn what_is_small_beside_the_rest_has_more_room() {
    let small = |steps: &str| {
        let name = format!("room_beside_{steps}");
        let result = optimized(&name, &regular(), &["--param", &format!("n=10,steps={steps}")]);
        agree(&name);
        (result, run("optimize", &[&format!("{name}.c")], &["--param", &format!("n=10,steps={steps}")]).stderr)
    };
    let (result, said) = small("64");
    let is_ring = declares(&result, "diff", &["diff_size0", "diff_size1", "steps"]);
    assert!(declares(&result, "sum_t_shared", &["n", "n"]) && is_ring, "{result}");
    assert!(said.contains("-> 4901 (") && said.contains("(25 more than suffice, for plainer loops"), "{said}");
    let (result, said) = small("20");
    assert!(declares(&result, "sum_t_shared", &["sum_t_size0", "sum_t_size1"]), "{result}");
    assert!(said.contains("-> 1576 ("), "{said}");
}

/// Data decide where a value comes from: no shift register.
const WINDOW: &str = "void kernel(int n, int steps, const double in[n], double out[n]) {
  double a[n];
#pragma scop
  for (int j = 0; j < n; j++) {
    if (in[j] > 1)
      a[j] = in[j];
    else
      a[j] = -in[j] * steps;
    if (j >= 2)
      out[j] = a[j] + a[j - 1] + a[j - 2];
  }
#pragma endscop
}
";

#[test]
fn windows_in_innermost_loops_have_powers_of_two() {
    let window = program(WINDOW, "double", ("n", "in", "out")).replace(" __attribute__((unused))", "");
    let (result, cells) = with_room("room_window_no", &window, "33", "n=100");
    assert!(declares(&result, "a", &["3"]) && cells == 3, "{cells}: {result}");
    let (result, cells) = with_room("room_window", &window, "34", "n=100");
    assert!(declares(&result, "a", &["4"]) && has(&result, "a[(j - 1) % 4]") && cells == 4, "{cells}: {result}");
}

/// What is kept in registers has no subscripts to make plainer.
#[test]
fn shift_registers_stay() {
    let sum = WINDOW.replace("    if (in[j] > 1)\n      a[j] = in[j];\n    else\n", "");
    let sum = program(&sum, "double", ("n", "in", "out")).replace(" __attribute__((unused))", "");
    let (result, cells) = with_room("room_register", &sum, "100", "n=100");
    assert!(declares(&result, "a", &["3"]) && cells == 3, "{cells}: {result}");
    assert!(has(&text("room_register_fast.out.c"), "a[0] = a[1]; a[1] = a[2];"));
}

/// Without the option there is a little, and the report says so.
#[test]
#[ignore = "long, in ./check-more"]
fn a_little_room_is_the_default() {
    for (name, source, least) in [("room_usual_durbin", durbin(), 200), ("room_usual_jacobi", jacobi(), 10_100)] {
        let sized = |more: &[&str]| optimized(name, &source, &[&["--param", "n=100"], more].concat());
        assert_eq!(sized(&[]), sized(&["--room", "8"]));
        let said = run("optimize", &[&format!("{name}.c")], &["--param", "n=100", "--emit", "fast"]).stderr;
        let none = run("optimize", &[&format!("{name}.c")], &["--param", "n=100", "--room", "0"]).stderr;
        assert!(said.contains("more than suffice, for plainer loops; --room 0 takes none"), "{said}");
        assert!(none.contains(&format!(" -> {least} (")) && !none.contains("more than suffice"), "{none}");
    }
}

/// The longest common subsequence: in n + 2 cells each reads what the one before it wrote.
const LCS: &str = "void kernel(int n, int steps, const double in[n], double out[n]) {
  double best[n + 1][n + 1];
#pragma scop
  for (int j = 0; j <= n; j++)
    best[0][j] = 0;
  for (int i = 1; i <= n; i++) {
    best[i][0] = 0;
    for (int j = 1; j <= n; j++)
      if (in[i - 1] == in[j - 1])
        best[i][j] = best[i - 1][j - 1] + 1;
      else
        best[i][j] = best[i - 1][j] > best[i][j - 1] ? best[i - 1][j] : best[i][j - 1];
  }
  out[0] = best[n][n];
#pragma endscop
  (void)steps;
}
";

/// What more room would do is said, and is so; nothing is said where the user says how much there is.
#[test]
fn room_that_would_help_is_named() {
    let hint = "(--room 98 would make loops over best plainer, with 201 cells for it)";
    let source = program(LCS, "double", ("n", "in", "out"));
    let report = path("room_hint.json").display().to_string();
    file("room_hint.c", &source);
    let said = |more: &[&str]| run("optimize", &["room_hint.c"], &[&["--param", "n=100"], more].concat()).stderr;
    assert!(said(&["--json", &report]).contains(hint));
    let report: Value = serde_json::from_str(&text("room_hint.json")).expect("the report is JSON");
    let room = &report["scops"][0]["room"][0];
    assert_eq!((&room["arrays"][0], &room["percent"], &room["cells"]), (&"best".into(), &98.into(), &201.into()));
    assert!(!said(&["--room", "0"]).contains("would make") && !said(&["--room", "98"]).contains("would make"));
    let (result, cells) = with_room("room_hinted", &source, "98", "n=100");
    assert!(declares(&result, "best", &["2 * n + 1"]) && cells == 201, "{cells}: {result}");
}

/// Filters one after the other, of which each needs two values of the one in front and of itself.
const CASCADE: &str = "void kernel(int n, int steps, const double in[n], double out[n]) {
  double s[4][n + 2];
#pragma scop
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 2; i++)
      s[k][i] = 0;
  for (int i = 2; i < n + 2; i++) {
    s[0][i] = in[i - 2];
    for (int k = 1; k < 4; k++)
      s[k][i] = 0.2 * s[k - 1][i] + 0.4 * s[k - 1][i - 1] + 0.2 * s[k - 1][i - 2] - 0.3 * s[k][i - 1] - 0.1 * s[k][i - 2];
    out[i - 2] = s[3][i];
  }
#pragma endscop
  (void)steps;
}
";

/// Nine cells would do, in which each subscript is a remainder taken twice.
#[test]
fn three_more_cells_are_next_to_nothing() {
    let source = program(CASCADE, "double", ("n", "in", "out"));
    let result = optimized("room_cascade", &source, &["--emit", "fast"]);
    assert!(declares(&result, "s", &["3", "4"]) && !has(&result, "_ % 9"), "{result}");
    agree("room_cascade");
    let result = optimized("room_cascade_no", &source, &["--emit", "fast", "--room", "0"]);
    assert!(declares(&result, "s", &["9"]), "{result}");
    agree("room_cascade_no");
}

/// A line that moves with each step; `STEPS` of them.
const LINE: &str = "void kernel(int n, int steps, const double in[n], double out[n]) {
  double a[n][STEPS + 1];
#pragma scop
  for (int i = 0; i < n; i++)
    a[i][0] = in[i];
  for (int s = 0; s < STEPS; s++)
    for (int i = 0; i < n; i++)
      if (i == 0 || i == n - 1)
        a[i][s + 1] = a[i][s];
      else
        a[i][s + 1] = (a[i - 1][s] + a[i][s] + a[i + 1][s]) / 3.0;
  for (int i = 0; i < n; i++)
    out[i] = a[i][STEPS];
#pragma endscop
}
";

/// With 5 steps a line has 5 more cells and no remainder; with any number of them it may be far longer, and stays a ring.
#[test]
fn what_is_a_little_more_for_some_sizes_only_is_not_taken() {
    let line = |steps: &str| program(&LINE.replace("STEPS", steps), "double", ("n", "in", "out"));
    let (result, cells) = with_room("room_line", &line("5"), "10", "n=100");
    assert!(declares(&result, "a", &["n + 5"]) && cells == 105, "{cells}: {result}");
    let any = line("steps").replace(" __attribute__((unused))", "");
    let (result, cells) = with_room("room_line_any", &any, "10", "n=100,steps=5");
    assert!(declares(&result, "a", &["n + 1"]) && cells == 101, "{cells}: {result}");
    let (result, cells) = with_room("room_line_two", &any, "100", "n=100,steps=5");
    assert!(declares(&result, "a", &["2", "n"]) && cells == 200, "{cells}: {result}");
}

/// Which order is best is said without room; its storage has it.
#[test]
fn fused_loops_have_room() {
    let unsharp = program(UNSHARP, "double", ("n * n", "(const double(*)[n])in", "(double(*)[n])out"));
    let (name, more) = ("room_fused", ["--schedule", "fuse", "--param", "n=100"]);
    let result = optimized(name, &unsharp, &more);
    assert!(!declares(&result, "across", &["5", "n"]), "{result}");
    agree(name);
    let result = optimized(name, &unsharp, &[&more[..], &["--room", "30"]].concat());
    assert!(declares(&result, "across", &["5", "n"]) && has(&result, "double blurred = _;"), "{result}");
    agree(name);
}

#[test]
fn percentages_are_whole_numbers() {
    file("room_junk.c", durbin());
    for junk in ["-1", "x", "5.5", "35%", "1001", "99999999999999999999", ""] {
        let run = run("optimize", &["room_junk.c"], &["--room", junk]);
        let said = format!("invalid value '{junk}' for '--room <PERCENT>': `{junk}` is no whole number from 0 to 1000");
        assert!(run.status == 2 && run.stderr.contains(&said), "{}", run.stderr);
    }
    assert_eq!(run("optimize", &["room_junk.c"], &["--room", "1000"]).status, 0);
    file("room.isl", "[N] -> { S[i] -> S[j] : 0 <= i < j < N }");
    let pairs = run("optimize", &["room.isl"], &["--room", "5"]);
    assert!(pairs.status == 2 && pairs.stderr.contains("--room is for programs"), "{}", pairs.stderr);
}
