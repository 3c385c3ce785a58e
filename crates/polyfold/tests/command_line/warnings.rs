//! What is written compiles without warnings where the source did.

use super::fast::{fast, program};
use super::files::{agree, file, optimized, path};
use super::programs::LAG;
use crate::support::code::{count, has, mentions};
use crate::support::compiler;
use crate::support::declared::declares;

/// Optimizes a text; the result agrees with it, and no compiler warns.
#[track_caller]
pub(crate) fn clean(name: &str, source: &str, more: &[&str]) -> String {
    let result = optimized(name, source, more);
    agree(name);
    compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    result
}

/// A `main` that calls `NAME(n, x)` for some sizes and prints `x`.
pub(crate) fn with_main(functions: &str, names: &[&str]) -> String {
    let calls: String = names.iter().map(|name| format!("    {name}(n, x);\n")).collect();
    format!(
        "#include <stdio.h>\n{functions}int main(void) {{\n  for (int n = 1; n < 7; n++) {{\n    \
         int x[6] = {{3, 1, 4, 1, 5, 9}};\n{calls}    for (int i = 0; i < n; i++)\n      printf(\"%d \", x[i]);\n  \
         }}\n  printf(\"\\n\");\n  return 0;\n}}\n"
    )
}

/// Where two cells share storage a copy from one to the other does nothing, and compilers say so.
#[test]
fn copies_that_do_nothing_go() {
    let source = "static void f(int n, int x[n]) {
  int t[n][n], u[n][2];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i][0] = x[i];
    for (int k = 1; k < n; k++)
      t[i][k] = (t[i][k - 1]);
    for (int k = 0; k < n; k++) {
      u[k][0] = t[i][n - 1];
      u[k][1] = u[k][0];
      if (k > 0) {
        S: u[k][0] = u[k][1];
      } else
        u[k][0] = u[k][1];
      if (k > 0)
        u[k][0] = u[k][1];
      x[i] += u[k][0];
    }
  }
#pragma endscop
}
";
    let result = clean("copies", &with_main(source, &["f"]), &[]);
    let inside = "for (int k = 0; _; _) { int u = t; if (k > 0) { S: ; } x[i] += u; }";
    let all = format!("for (int i = 0; _; _) {{ int t = x[i]; {inside} }}");
    assert!(has(&result, &all), "the loop that has nothing left to do goes: {result}");
}

/// Compilers do not see what the analysis proved.
#[test]
fn variables_that_seem_to_be_read_first_have_a_value() {
    let source = "struct pair { int a, b; };
static void f(int n, int x[n]) {
  int t[n], u[n];
  struct pair p[n], first = {2, 3};
  int v[n][2], w[n][2];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = i == 0 ? 1 : t[i - 1] + 3;
    if (i == 0)
      p[i] = first;
    else
      p[i] = p[i - 1];
    v[i][0] = i == 0 ? 1 : v[i - 1][0] + 3 * v[i - 1][1];
    v[i][1] = i == 0 ? 2 : v[i][0];
    w[i][0] = v[i][1];
    w[i][1] = w[i][0] + v[i][0];
    u[i] = 2 * t[i] + p[i].b + w[i][1];
    x[i] = u[i] + 1;
  }
#pragma endscop
}
";
    let result = clean("first_read", &with_main(source, &["f"]), &[]);
    for begun in ["int t = 0;", "struct pair p = {0};", "int v[2] = {0};"] {
        assert!(has(&result, begun), "{begun}: {result}");
    }
}

/// What stood in the subscripts and extents of an array only is mentioned once more.
#[test]
fn variables_of_subscripts_that_are_gone() {
    let source = "static void f(int n, int x[n]) {
  int k = n;
  int t[2 * n], m = 3 * n, u[n][m];
#pragma scop
  for (int i = 0; i < n; i++) {
    int s = n - 1 - i;
    t[i + k] = 2 * x[s];
    u[0][s] = t[i + k];
    x[s] += u[0][s];
  }
#pragma endscop
}
";
    let unused = source.replace("x[s]", "x[i]");
    clean("subscripts_gone", &with_main(&unused, &["f"]), &[]);
    let result = clean("subscripts_used", &with_main(source, &["f"]), &[]);
    assert!(has(&result, "(void)k; (void)m;") && !has(&result, "(void)s"), "{result}");
}

/// What no value of a size's type makes true is not tested: compilers warn of it.
#[test]
fn sizes_of_narrow_unsigned_types() {
    for kind in ["unsigned short", "unsigned char", "unsigned"] {
        let source = LAG.replace("int k, const", &format!("{kind} k, const")).replace("i >= k", "i >= (int)k");
        let result = clean("narrow", &source.replace("t[i - k]", "t[i - (int)k]"), &["--param", "k=2"]);
        assert!(declares(&result, "t", &["k + 1"]), "{result}");
    }
}

/// Blocks may have variables of one name, of which only one is used no more.
#[test]
fn variables_of_one_name_in_two_blocks() {
    let source = "static void f(int n, int x[n]) {
  int g[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    int twice = 2 * x[i];
    g[i] = (unsigned char)x[i];
    g[i] += (twice + 1) / 2;
  }
  for (int i = 0; i < n; i++) {
    int twice = 3 * x[i];
    x[i] = twice;
  }
  for (int i = 0; i < n; i++)
    g[i] = x[i];
  for (int i = 1; i < n; i++)
    x[i] += 5 * x[0] + 2 * x[i - 1];
#pragma endscop
}
";
    let result = clean("one_name", &with_main(source, &["f"]), &[]);
    assert!(count(&result, "int twice = _;") == 1 && !has(&result, "(void)twice"), "{result}");
}

/// Declarations go with what used them, one after the other, and so does a branch behind `else` in which nothing is left.
#[test]
fn declarations_go_with_what_used_them() {
    let source = "static void f(int n, int x[n]) {
  int g[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i > 2) {
      x[i] += 5;
    } else {
      const int twice = 2 * x[i], once = x[i];
      int sum = twice + once;
      g[i] = sum;
      g[i] += g[i] - 1;
    }
    if (i > 1) {
      int used = 3 * x[i];
      g[i] = used;
      x[i] = used;
    } else if (i > 0)
      g[i] = x[i];
  }
  for (int i = 1; i < n; i++)
    x[i] += 5 * x[0] + 2 * x[i - 1];
#pragma endscop
}
";
    let result = clean("declarations", &with_main(source, &["f"]), &[]);
    for gone in ["twice", "once", "sum", "else"] {
        assert!(!mentions(&result, gone), "{gone}: {result}");
    }
    assert!(has(&result, "int used = 3 * x[i];"), "{result}");
}

/// What an initial value does stays, and what a directive may bring, or what stands behind the scop.
#[test]
fn declarations_that_do_more_stay() {
    let source = "static void f(int n, int x[n]) {
  int g[n];
#pragma scop
  int first = x[0] * 2;
  g[0] = first;
  g[0] += g[0];
  for (int i = 0; i < n; i++) {
    int more = x[i]++, both = (x[0] = x[0] + 1);
    g[i] = more + both;
    g[i] += 1;
    if (i > 2)
      x[i] += 3;
    else {
      g[i] = 1;
#ifndef NEVER
      x[i] += 7;
#endif
      g[i] = 2;
    }
  }
#pragma endscop
  x[0] += first;
}
";
    let result = optimized("more_than_read", &with_main(source, &["f"]), &[]);
    agree("more_than_read");
    assert!(!has(&result, "g[i]") || has(&result, "x[i]++"), "{result}");
    assert!(has(&result, "int first = x[0] * 2;"), "{result}");
}

/// A macro may mention what is declared, another variable of the declaration may stay, or hide one that stays.
#[test]
fn variables_that_cannot_go_are_mentioned_where_they_are_declared() {
    let source = "#define TWICE (last * 2)
static void f(int n, int x[n]) {
  int g[n], h[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    const int last = x[i] - 1;
    h[i] = x[i];
    g[i] = TWICE;
    g[i] += 1;
    if (i > 2) {
      const int three = x[i] * 3;
      int h0 = x[i] - three, h1 = h[i - 1], x1 = x[i] * 2;
      g[i] = h0 + three;
      x[i] += h[i] + h1 + x1;
      if (i > 3) {
        int h0 = x[i - 1];
        x[i] += h0;
      }
    }
  }
#pragma endscop
}
";
    let result = clean("mentioned", &with_main(source, &["f"]), &[]);
    assert!(has(&result, "int x1 = x[i] * 2; (void)h0;") && count(&result, "(void)h0") == 1, "{result}");
    assert!(!mentions(&result, "last"), "{result}");
    let used = source.replace("  }\n#pragma endscop", "    x[i] += TWICE;\n  }\n#pragma endscop");
    assert!(has(&clean("used_by_a_macro", &with_main(&used, &["f"]), &[]), "const int last = x[i] - 1;"));
}

/// A constant of the file may stand in conditions that go.
#[test]
fn constants_of_the_file_are_mentioned() {
    let source = "static const int STEP = 2;
static int y[6];
static void f(int n, int x[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = x[i] + 3;
    if (i >= STEP)
      y[i] = t[i] - t[i - STEP];
  }
#pragma endscop
  x[0] = y[5];
}
";
    let result = clean("constants", &with_main(source, &["f"]), &["--emit", "fast"]);
    assert!(has(&result, "(void)STEP;"), "{result}");
}

/// What looks like a declaration, or is set by the name of a macro, is read all the same.
#[test]
fn variables_that_stay_in_use_are_not_mentioned() {
    let front = "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define V v";
    let body = "int q = x[i], r = q - 1;
    int v;
    V = MIN(q, r);
    x[i] = V;
    g[i] = v;";
    for options in [&[][..], &["--schedule", "strips"]] {
        let result = clean("in_use", &with_body(front, body), options);
        assert!(!has(&result, "(void)_"), "{result}");
    }
    let lost = with_body(front, "int q = x[i], r = q - 1;\n    x[i] = q * 2;\n    g[i] = r;");
    for options in [&[][..], &["--schedule", "strips"]] {
        let result = clean("in_use_no_more", &lost, options);
        assert!(!has(&result, "(void)q;"), "{result}");
    }
}

/// Sums for what nobody reads go with their loops, conditions on data without branches, and declarations without values.
#[test]
fn what_is_computed_for_nothing_goes() {
    let source = "static void f(int n, int x[n]) {
  int g[n], h[n];
  int before;
#pragma scop
  for (int i = 0; i < n; i++) {
    int sum = x[i];
    for (int j = 0; j < 3 && j < n; j++)
      sum += x[j];
    g[i] = sum;
    int late;
    late = x[i] * 2;
    before = late + 1;
    g[i] = before;
    h[i] = x[i];
    if (x[i] > 2) {
      if (x[0] > 1)
        g[i] = 1;
      else
        g[i] = 2;
    } else if (x[i] > 3)
      g[i] = 3;
    if (i > 2)
      x[i] += h[i] + h[i - 1];
    if (x[i] > 4)
      g[i] = 1;
    else
      x[i] -= 1;
    g[i] = g[i] * 2;
  }
#pragma endscop
}
";
    let result = clean("for_nothing", &with_main(source, &["f"]), &[]);
    for gone in ["sum", "late", "x[i] > 2", "x[i] > 3", "x[0] > 1"] {
        assert!(!has(&result, gone), "{gone}: {result}");
    }
    assert!(has(&result, "if (x[i] > 4) { } else x[i] -= 1;"), "{result}");
    assert!(has(&result, "int before; _; (void)before;"), "{result}");
}

/// A compiler would warn of an array that is only written.
#[test]
fn arrays_that_only_conditions_read_are_mentioned() {
    let source = "static void f(int n, int x[n]) {
  int g[n], h[n];
#pragma scop
  for (int i = 0; i < n; i++)
    h[i] = x[i] * 3;
  for (int i = 0; i < n; i++) {
    if (h[i] > 2)
      g[i] = 1;
    if (h[i] > 3)
      g[i] = g[i] + 1;
    x[i] += 1;
  }
#pragma endscop
}
";
    let result = clean("last_to_read", &with_main(source, &["f"]), &[]);
    assert!(!has(&result, "_ > 2") && !has(&result, "_ > 3") && has(&result, "(void)h;"), "{result}");
}

/// A function f in which `body` stands between what keeps the scop changing.
fn with_body(front: &str, body: &str) -> String {
    let scop = format!(
        "{front}
static void f(int n, int x[n]) {{
  int g[n], h[n];
#pragma scop
  for (int i = 0; i < n; i++) {{
    h[i] = x[i] * 3;
    {body}
    g[i] = g[i] + 1;
    if (i > 2)
      x[i] += h[i - 1];
  }}
#pragma endscop
}}
"
    );
    with_main(&scop, &["f"])
}

/// Macros of the file, and of headers, mean what is declared in the scop, where there is another variable of its name, too.
#[test]
fn what_macros_mean_stays_declared() {
    let by_macro = with_body("#define V v\nint v = 7;", "int v; V = x[i] + 2; x[i] = V; g[i] = v;");
    let result = clean("declared_for_a_macro", &by_macro, &[]);
    assert!(has(&result, "int v;"), "{result}");
    let printed = |text: &str| text.replace("  printf(\"\\n\")", "  printf(\"%d\\n\", v)");
    clean("declared_and_printed", &printed(&by_macro), &[]);
    let pasted = with_body("#define VAR(k) v##k", "int v1; VAR(1) = x[i] + 2; x[i] = VAR(1); g[i] = v1;");
    assert!(has(&clean("declared_and_pasted", &pasted, &[]), "int v1;"));
    file("behind_the_scop.h", "#define LAST last\n");
    let behind = "#include \"behind_the_scop.h\"
static void f(int n, int x[n]) {
  int g[n], h[n];
#pragma scop
  int last = x[0] + 1;
  for (int i = 0; i < n; i++) {
    h[i] = x[i] * 3;
    g[i] = last;
    g[i] = g[i] + 1;
    if (i > 2)
      x[i] += h[i - 1];
  }
#pragma endscop
  x[0] += LAST;
}
";
    assert!(has(&clean("declared_for_a_header", &with_main(behind, &["f"]), &[]), "int last = x[0] + 1;"));
}

/// `x[i] * b;` is no declaration of b.
#[test]
fn products_are_no_declarations() {
    let body = "g[i] = b;\n    if (i > 2)\n      x[i] = x[i] * b;\n    else\n      x[i] = 4;";
    clean("product", &with_body("static const int b = 3;", body), &[]);
}

/// Who reads a register may wait for it. A choice is no label.
#[test]
fn conditions_that_read_registers_stay() {
    let front = "typedef volatile int reg;\nstruct device { reg *p; };\nstatic reg memory[1];\nstatic struct device e = {memory};";
    let body = "for (int j = 0; j < 3; j++)
      if (e.p[0] > 3) g[i] = 2;
    if (x[i] > 3) {
      if (e.p[0] > 2) g[i] = 3;
    }
    if (x[i] > 5)
      g[i] = x[i] > 7 ? 1 : 2;
    if (x[i] > 4) x[i] -= 1;
    else if (x[i] > 2) g[i] = 3;
    else g[i] = 4;";
    let result = clean("registers_read", &with_body(front, body), &[]);
    assert_eq!((count(&result, "e.p[0] > 3"), count(&result, "e.p[0] > 2")), (1, 1), "{result}");
    assert!(!has(&result, "x[i] > 5") && !mentions(&result, "else"), "{result}");
}

/// Both the declaration of w and the condition read k last: one stays, or k goes, too.
#[test]
fn declarations_that_are_the_last_to_read_an_array_stay() {
    let body = "k[i] = x[i] - 1;
    if (k[i] > 1)
      g[i] = 2;
    {
      const int w = k[i] * 2;
      g[i] = w;
    }";
    let source = with_body("", body).replace("h[n];", "h[n], k[n];");
    let result = clean("declared_last", &source, &[]);
    assert!(!(has(&result, "(void)w;") && has(&result, "if (k[_] > 1) _;")), "{result}");
}

/// A cleanup is a call, and a declaration may define a type, too.
#[test]
fn declarations_that_define_types_or_clean_up_stay() {
    let front = "static int calls;\nstatic void count(int *at) { calls += *at; }";
    let cleanup = with_body(front, "__attribute__((cleanup(count))) int y = x[i];\n    g[i] = y;");
    let printed = cleanup.replace("  printf(\"\\n\")", "  printf(\"%d\\n\", calls)");
    assert!(mentions(&clean("cleanup_stays", &printed, &[]), "cleanup"));
    let types = "struct pair { int a, b; } d = {1, 2};\n    enum { SIX = 6 } e = SIX;\n    g[i] = d.a + e;\n    struct pair p = {3, SIX};\n    x[i] += p.b;";
    assert!(has(&clean("types_stay", &with_body("", types), &[]), "enum { SIX = 6 } e = SIX; (void)e;"));
}

/// In an `if` without braces an `else` of the outer one tells where the inner one's belongs.
#[test]
fn a_dangling_else_stays() {
    let body = "if (x[i] > 5)
      if (x[i] > 7)
        x[i] -= 1;
      else
        g[i] = 2;
    else
      g[i] = 3;";
    clean("dangling", &with_body("", body), &[]);
}

/// In a scop inside of other loops the first line tells how deep that is.
#[test]
fn moves_stand_in_line() {
    let body = "  for (int k = 0; k < 3; k++) {
#pragma scop
    for (int i = 0; i < n; i++) {
      double x = in[0][i];
      a[i] = in[0][i] * k + x * t;
      if (in[0][i] > 2)
        out[0][i] = a[i];
      if (i > 2)
        out[0][i] = a[i] + a[i - 2];
    }
#pragma endscop
  }";
    let source = program("double a[n + 1];", body).replacen("#pragma scop\n  for (int k", "  for (int k", 1);
    let source = source.replace("  }\n#pragma endscop\n}\nint main", "  }\n}\nint main");
    let result = clean("moves", &source, &["--emit", "fast"]);
    assert!(has(&result, "a[0] = a[1];"), "{result}");
}

/// What goes from a loop does not keep it from segments.
#[test]
fn loops_with_dead_scalars_have_segments() {
    let body = |late: &str| {
        format!(
            "  for (int i = 0; i <= n + 1; i++)
    a[0][i] = in[0][i];
  for (int s = 0; s < t; s++) {{
    a[s + 1][0] = a[s][0];
    for (int i = 1; i <= n; i++) {{
      {late}
      a[s + 1][i] = 0.25 * a[s][i - 1] + 0.5 * a[s][i] + 0.25 * a[s][i + 1];
    }}
    a[s + 1][n + 1] = a[s][n + 1];
  }}
  for (int i = 0; i <= n + 1; i++)
    out[0][i] = a[t][i];"
        )
    };
    let dead = "double late;\n      late = a[s][i] * 2;\n      late += in[0][i];\n      g[i] = late;\n      if (in[0][i] > 2)\n        g[i] = g[i] + late;";
    let locals = "double a[t + 1][n + 2], g[n + 2];";
    let result = fast("dead_in_segments", &program(locals, &body(dead)), &[]);
    assert!(!mentions(&result, "late") && has(&result, "a[_ + i + 1]"), "{result}");
}

/// gcc follows the values of a ring's cells through turns of which it does not know that they come first.
#[test]
#[ignore = "long, in ./check-more"]
fn rings_begin_with_0() {
    let source = "static void f(int n, int x[n]) {
  int g[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i >= 1)
      g[i] = x[i - 1] / 2;
    if (i >= 3 && i < n - 1) {
      if (g[i] / 4 - x[i + 1] >= g[i - 1] && g[i - 2] > g[i - 1])
        x[i] = g[i] - g[i - 1];
      else
        x[i] = g[i - 2];
    }
  }
#pragma endscop
}
";
    let result = clean("begun_rings", &with_main(source, &["f"]), &[]);
    assert!(declares(&result, "g", &["3"]), "{result}");
    let rows = "static void f(int n, int x[n]) {
  int g[n][8];
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++)
      g[i][k] = x[i] + k;
    if (i >= 1)
      for (int k = 0; k < 8; k++)
        x[i] += g[i - 1][k] * g[i][k];
  }
#pragma endscop
}
";
    let rows = with_main(rows, &["f"]);
    assert!(has(&clean("begun_rows", &rows, &[]), "int g[2][8] = {0};"));
    assert!(has(&optimized("begun_in_hardware", &rows, &["--emit", "hls"]), "int g[2][8];"));
    let by_macro = format!("#define WIDTH 8\n{}", rows.replace("g[n][8]", "g[n][WIDTH]").replace("k < 8", "k < WIDTH"));
    assert!(has(&clean("begun_macros", &by_macro, &[]), "int g[2][WIDTH] = {0};"));
    let wide = by_macro.replace("WIDTH 8", "WIDTH 64");
    assert!(has(&clean("not_begun", &wide, &[]), "int g[2][WIDTH];"));
    let by_size =
        rows.replace("  int g[n][8]", "  const int wide = n + 7;\n  int g[n][wide]").replace("k < 8", "k < wide");
    assert!(has(&clean("begun_sizes", &by_size, &[]), "int g[2][wide];"));
}

/// A border in a loop of its own uses fewer places in the ring than the inside of the table.
#[test]
fn places_that_nobody_uses_have_no_names() {
    let body = "  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= t; j++)
      for (int k = 0; k < 4; k++)
        if (i == 0 || j == 0)
          a[i][j][k] = in[0][0] * j + k;
        else
          a[i][j][k] = a[i - 1][j][k] + a[i][j - 1][k] * 0.5 - a[i - 1][j - 1][k];
  out[0][0] = a[n][t][3];";
    fast("unused_places", &program("double a[n + 1][t + 1][4];", body), &[]);
}

/// A static array that nobody reads any more stays declared; of what is measured by an element some stays an array.
#[test]
fn static_arrays_and_measured_elements() {
    let source = "static double t[64];
static void f(int n, int x[n]) {
  double u[n];
#pragma polyfold temporary(t)
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = x[i] + 1;
    u[i] = x[i] + (double)sizeof u[i];
    x[i] = x[i] * 2 + (int)u[i];
  }
#pragma endscop
}
";
    let result = clean("static_unread", &with_main(source, &["f"]), &[]);
    assert!(has(&result, "(void)t;") && has(&result, "sizeof u[i]"), "{result}");
}

/// A branch of which one value would be written otherwise goes with its condition, and no loop is cut for it.
#[test]
fn branches_that_nobody_reads_go() {
    let source = "static void f(int n, int x[n]) {
  int a[n], b[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = x[i] = x[i] + 1;
    if (i > 1 && i < 5)
      a[i] = x[i];
    else
      a[i] = b[i];
  }
#pragma endscop
}
";
    let result = optimized("dead_branch", &with_main(source, &["f"]), &[]);
    compiler::all_warnings(&path("dead_branch.out.c")).unwrap();
    assert!(has(&result, "for (int i = 0; i < n; i++) b = x[i] = x[i] + 1;"), "{result}");
}

/// What stood behind another statement in its line, which went, begins the line: what is behind that seems to belong to it.
#[test]
fn statements_of_one_line() {
    let source = "static void f(int n, int x[n]) {
  int t[n], v = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = x[i] * 3; if (x[i] > 2) x[i] += 1; v += x[i]; t[i] = v;
    x[i] -= t[i];
  }
#pragma endscop
}
";
    let result = clean("one_line", &with_main(source, &["f"]), &[]);
    assert!(has(&result, "if (x[i] > 2) x[i] += 1; v += x[i]; int t = v;"), "{result}");
}

/// A variable that is set in the scop's first statement, behind the pragma or a label, and was read for a dead array only.
#[test]
fn what_is_set_first_and_read_for_a_dead_array() {
    for (name, label) in [("set_first", ""), ("set_behind_a_label", "first: ")] {
        let source = format!(
            "static void f(int n, int x[n]) {{
  int s = 0, t[n];
#pragma scop
  {label}s = x[0];
  t[0] = x[0];
  for (int i = 1; i < n; i++)
    t[i] = t[i - 1] + s;
  for (int i = 0; i < n; i++)
    x[i] = x[i] + 1;
#pragma endscop
}}
"
        );
        clean(name, &with_main(&source, &["f"]), &[]);
    }
}
