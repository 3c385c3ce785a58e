//! Loops fused after other readings of them: variables with names of their own, constants at their values.

use super::files::{agree, file, optimized, path, run};
use crate::support::code::count;
use crate::support::compiler;
use crate::support::declared::declares;

/// Two filters along rows and columns with weights, as people write them; other text stands in the places with names.
const SEPARABLE: &str = "#include <stdio.h>
#include <string.h>
#ifndef R
#define R 2
#endif
{global}
static const int weights[2 * R + 1] = {1, 4, 6, 4, 1};
static void smooth(int h, int w, int in[h][w], int out[h][w]) {
  int rows[h][w];
  {local}
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = R; x < w - R; x++) {
      int s = 0;
      for (int d = -R; d <= R; d++)
        s += weights[d + R] * in[y][x + d];
      rows[y][x] = s;
    }
  for (int y = R; y < h - R; y++)
    for (int x = R; x < w - R; x++) {
      {before}
      int s = 0;
      for (int d = -R; d <= R; d++)
        s += weights[d + R] * rows[y + d][x];
      {use}
    }
#pragma endscop
  {behind}
}
int main(void) {
  for (int h = 1; h <= 9; h += 2)
    for (int w = 4; w <= 9; w += 5) {
      int in[h][w], out[h][w];
      memset(out, 0, sizeof out);
      for (int k = 0; k < h * w; k++)
        in[k / w][k % w] = k * k % 11;
      smooth(h, w, in, out);
      for (int k = 0; k < h * w; k++)
        printf(\"%d \", out[k / w][k % w]);
    }
  return 0;
}
";

const USE: &str = "out[y][x] = s;";

fn separable(global: &str, local: &str, before: &str, last: &str, behind: &str) -> String {
    let parts = [("{global}", global), ("{local}", local), ("{before}", before), ("{use}", last), ("{behind}", behind)];
    parts.iter().fold(SEPARABLE.to_string(), |text, (place, part)| text.replace(place, part))
}

#[test]
#[ignore = "long, in ./check-more"]
fn filters_with_weights_are_fused() {
    let member = "struct { int s; } t = {0}; (void)t.s;";
    let cases = [
        ("own_plain", separable("", "", "", USE, "")),
        ("own_global", separable("int s = 7;", "", "", USE, "")),
        ("own_local", separable("", "int s = 3;", "", USE, "out[0][0] += s;")),
        ("own_member", separable("", member, "", USE, "")),
    ];
    for (name, source) in cases {
        for order in ["fuse", "fuse-rows"] {
            let result = optimized(name, &source, &["--schedule", order]);
            let is_whole = declares(&result, "rows", &["h", "w"]);
            assert!(!is_whole && (order == "fuse" || declares(&result, "rows", &["5", "w"])), "{name}: {result}");
            assert_eq!(count(&result, "_Static_assert(R == 2, _)"), 1, "{result}");
            agree(name);
        }
    }
    let refused = compiler::compile(&path("own_plain.out.c"), &["-DR=1"]).expect_err("another value");
    assert!(refused.contains("static assertion failed"), "{refused}");
}

/// What a macro makes of a name is not the name's alone.
#[test]
fn names_that_macros_mention_are_kept_apart() {
    let text = "#define TEXT(word) #word[0]";
    file("own_names.h", "#define SUM s\n");
    let included = separable("#include \"own_names.h\"", "", "", "out[y][x] = SUM;", "");
    let cases = [
        ("own_macro", separable("#define SUM s", "", "", "out[y][x] = SUM;", "")),
        ("own_text", separable(text, "", "", "out[y][x] = s + TEXT(s);", "")),
        ("own_header", included),
        ("own_earlier", separable("", "int s = 3;", "out[y][x] = s;", "out[y][x] += s;", "out[0][0] += s;")),
    ];
    for (name, source) in cases {
        file(&format!("{name}.c"), &source);
        let output = path(&format!("{name}.out.c")).display().to_string();
        let run = run("optimize", &[&format!("{name}.c")], &["--schedule", "fuse", "-o", &output]);
        assert!(!run.stderr.contains("new loops cannot be written"), "{name}: {}", run.stderr);
        agree(name);
    }
}

/// A loop, with what runs it.
fn in_function(declared: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>
static void f(int n, int *out) {{
  {declared}
#pragma scop
  {body}
#pragma endscop
}}
int main(void) {{
  for (int n = 1; n < 9; n++) {{
    int out[9] = {{0}};
    f(n, out);
    for (int i = 0; i < n; i++)
      printf(\"%d \", out[i]);
  }}
  return 0;
}}
"
    )
}

/// Where a block was, a loop's own `k` ends before the function's is meant again.
#[test]
fn a_name_of_the_function_means_that_behind_a_variable_of_a_loop() {
    let body = "for (int i = 0; i < n; i++)
    t[i] = 2 * i;
  for (int i = 0; i < n; i++) {
    int k = t[i] + 1;
    out[i] = k * k;
  }
  for (int i = 0; i < n; i++)
    out[i] += t[i] * k;";
    let name = "functions_own";
    let result = optimized(name, &in_function("int t[n], k = 3;", body), &["--schedule", "fuse"]);
    assert_eq!(count(&result, "for (_; _; _) _;"), 3, "one loop, and two in main: {result}");
    agree(name);
    compiler::all_warnings(&path(&format!("{name}.out.c"))).expect("nothing to warn of");
}

/// In a subscript the program has its value, and elsewhere it reads the variable.
#[test]
fn an_integer_that_is_read_as_a_value_stays_declared() {
    let body = "for (int i = 0; i < n; i++) {
    const int at = i + 1;
    const float half = at;
    t[at] = at + (int)half;
  }
  for (int i = 0; i < n; i++)
    out[i] = t[i + 1];";
    let name = "read_as_a_value";
    let result = optimized(name, &in_function("int t[n + 1];", body), &["--schedule", "fuse"]);
    assert_eq!(count(&result, "for (_; _; _) _;"), 3, "one loop, and two in main: {result}");
    agree(name);
}

/// The program has its value in subscripts, where the text has its name: as a variable in front of the loops it might be set anew in between.
#[test]
fn an_integer_of_another_type_than_its_value_keeps_loops_as_they_are() {
    let body = "for (int i = 0; i < n; i++) {
    long at /* a cell */ = i;
    for (int j = 0; j < 1; j++)
      t[at] = i + j;
  }
  for (int i = 0; i < n; i++)
    out[i] = t[i];";
    file("other_type.c", in_function("int t[n];", body));
    let output = path("other_type.out.c").display().to_string();
    let run = run("optimize", &["other_type.c"], &["--schedule", "fuse", "-o", &output]);
    assert!(run.stderr.contains("new loops cannot be written: a declaration between the loops"), "{}", run.stderr);
    agree("other_type");
}
