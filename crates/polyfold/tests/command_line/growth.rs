//! Orders that let a cell be written too early, unless its array grows; and storage found for values, whatever their arrays.

use super::files::{agree, file, optimized, run};
use super::schedules;
use crate::support::code::{has, mentions};
use crate::support::declared::declares;

fn program(body: &str) -> String {
    let declaration = if body.contains("row[") { "int row[m];" } else { "int s;" };
    format!(
        "#include <stdio.h>
static void f(int n, int m, const int in[n][m], int out[n][m]) {{
  {declaration}
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  static int in[144], out[144];
  for (int n = 1; n <= 12; n++) {{
    int m = 2 + n * 5 % 11;
    for (int i = 0; i < 144; i++)
      in[i] = i * 7 % 13, out[i] = 0;
    f(n, m, (int (*)[m])in, (int (*)[m])out);
    for (int i = 0; i < n * m; i++)
      printf(\"%d \", out[i]);
  }}
  puts(\"\");
  return 0;
}}
"
    )
}

fn refused(name: &str, body: &str, schedule: &str, said: &str) {
    let input = format!("{name}.c");
    file(&input, program(body));
    let run = run("optimize", &[&input], &["--schedule", schedule]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

const SUM: &str = "  for (int i = 0; i < n; i++) {
    s = 0;
    for (int j = 0; j < m; j++)
      s += in[i][j] * (j + 1);
    out[i][0] = s;
  }";

const ROWS: &str = "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      row[j] = in[i][j] * 2;
    for (int j = 0; j < m; j++)
      out[i][j] = row[j] + row[0];
  }";

#[test]
fn a_sum_along_the_other_dimension_needs_a_cell_for_each_row() {
    let schedule = "[m] -> { S0[i] -> [-1, i]; S1[i, j] -> [j, i]; S2[i] -> [m, i] }";
    let result = optimized("sum", &program(SUM), &["--schedule", schedule]);
    assert!(declares(&result, "s_turns", &["n <= 1 ? 1 : n"]), "{result}");
    assert!(has(&result, "s_turns[i] += in[i][j] * (j + 1);"), "{result}");
    agree("sum");
}

#[test]
fn rows_that_are_all_written_first_need_all_cells() {
    let result = optimized("rows", &program(ROWS), &["--schedule", "{ S0[i, j] -> [0, i, j]; S1[i, j] -> [1, i, j] }"]);
    assert!(declares(&result, "row_turns", &["n <= 1 ? 1 : n", "m"]), "{result}");
    agree("rows");
}

#[test]
fn rows_that_need_nothing_more_do_not_grow() {
    let schedule = "{ S0[i, j] -> [i, 0, j]; S1[i, j] -> [i, 1, -j] }";
    let result = optimized("same_rows", &program(ROWS), &["--schedule", schedule]);
    assert!(!mentions(&result, "row_turns"), "{result}");
    agree("same_rows");
}

#[test]
fn two_uses_in_one_turn_get_an_array_each() {
    let body = "  for (int i = 0; i < n; i++) {
    s = in[i][0];
    out[i][0] = s + 1;
    s = in[i][1];
    out[i][1] = s - 1;
  }";
    let schedule = "{ S0[i] -> [i, 0]; S2[i] -> [i, 1]; S1[i] -> [i, 2]; S3[i] -> [i, 3] }";
    let result = optimized("twice", &program(body), &["--schedule", schedule]);
    assert!(has(&result, "int s_S0 = in[i][0];") && has(&result, "int s_S2 = in[i][1];"), "{result}");
    agree("twice");
}

#[test]
fn an_order_without_the_values_is_refused_however_much_memory_there_is() {
    let schedule = "[m] -> { S0[i] -> [m, i]; S1[i, j] -> [j, i]; S2[i] -> [m + 1, i] }";
    refused("values", SUM, schedule, "S1[0, 0] reads what S0[0] writes to `s`, and would run before it");
}

#[test]
fn arrays_of_the_interface_do_not_grow() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[0][0] = in[i][j];";
    refused("interface", body, "{ S0[i, j] -> [-i, j] }", "use the same cell of `out`, and would change places");
}

#[test]
fn statements_that_update_a_variable_get_one_each() {
    let body = "  for (int i = 0; i < n; i++) {
    s = 0;
    for (int j = 0; j < m; j++) {
      s >>= 1 & j;
      s += in[i][j] - 3;
      s++;
      --s;
      s %= 1000;
      out[i][j] = s;
    }
  }";
    let result = optimized("updates", &program(body), &["--reallocate"]);
    for statement in [
        "int s_S1 = (j == 0 ? s_S0 : s_S5) >> (1 & j);",
        "int s_S2 = s_S1 + (in[i][j] - 3);",
        "int s_S3 = s_S2 + 1;",
        "int s_S4 = s_S3 - 1;",
        "s_S5 = s_S4 % 1000;",
    ] {
        assert!(has(&result, statement), "{statement} in {result}");
    }
    agree("updates");
}

/// Under the condition the last cell is meant, beside it any cell.
#[test]
fn reads_of_one_cell_under_other_conditions_get_their_own_places() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = in[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = (j + 1 < m ? t[i][j + 1] : t[i][j]) + 2 * t[i][j] + (j > 0 ? 0 : t[i][j]);";
    let result = optimized("conditions", &schedules::program("double t[n][m];", body), &["--reallocate"]);
    assert!(mentions(&result, "t_S0"), "{result}");
    agree("conditions");
}

/// The GeCoS note, Figure 2, with values that are used after the loops. Contracted, y needs all its cells. Reallocated, the
/// note's own rule gives S1 two cells, since it takes the last reader of a value to be in the way of its own write; one is
/// enough. S2's values outlive the loops: n cells, where the note counts n - 1 without them.
#[test]
fn gecos_forward_substitution_reallocated() {
    let body = "  for (int i = 0; i < n; i++) {
    row[i] = in[i][0];
    for (int j = 0; j < i; j++)
      row[i] = row[i] - in[i][1] * row[j];
    row[i] = row[i] / (1 + in[i][0]);
  }
  for (int i = 0; i < n; i++)
    out[i][0] = row[n - 1 - i];";
    let text = program(body).replace("int row[m];", "int row[n];").replace("* row[j]", "% 3 * row[j] % 100");
    let contracted = optimized("contracted", &text, &[]);
    assert!(declares(&contracted, "row", &["n"]), "{contracted}");
    let reallocated = optimized("reallocated", &text, &["--reallocate"]);
    for (name, extents) in [("row_S0", &[][..]), ("row_S1", &[]), ("row_S2", &["n"])] {
        assert!(declares(&reallocated, name, extents), "{name} in {reallocated}");
    }
    agree("reallocated");
}

/// Two variables of which one's name begins with the other's.
#[test]
fn several_variables_grow_for_a_parallel_loop() {
    let body = "  for (int i = 0; i < n; i++) {
    s = in[i][0];
    s2 = in[i][1] + s;
    out[i][0] = s2 * s;
  }";
    let text = program(body).replace("int s;", "int s, s2;");
    let result = optimized("several", &text, &["--parallel", "1"]);
    assert!(mentions(&result, "s_turns") && mentions(&result, "s2_turns"), "{result}");
    agree("several");
}

/// What the declaration or a mention means would not be the same in front of the scop, or by another name.
#[test]
fn declarations_that_cannot_go_keep_their_names() {
    let body = "  for (int i = 0; i < n; i++) {
    s = in[i][0];
    out[i][0] = s;
    s = in[i][1] + 1;
    out[i][1] = s;
  }";
    let measured = body.replace("out[i][0] = s;", "out[i][0] = s * (int)sizeof(s);");
    let steps = body.replace("int i = 0; i < n; i++", "int i = n - 1; i >= 0; i -= 2");
    for (name, text) in [
        ("typed", program(body).replace("int s;", "enum { ONE, TWO } s;")),
        ("register", program(body).replace("int s;", "register int s;")),
        (
            "head",
            program(body)
                .replace("int s;", "for (int s, turn = 0; turn < 1; turn++) {")
                .replace("#pragma endscop", "#pragma endscop\n  }"),
        ),
        (
            "hidden",
            program(body)
                .replace("int s;", "typedef long T; T s; { typedef signed char T; T c = 3; (void)c;")
                .replace("#pragma endscop", "#pragma endscop\n  }"),
        ),
        (
            "jumped",
            program(body)
                .replace("int s;", "int s;\n  if (n < 2)\n    goto end;")
                .replace("#pragma endscop", "#pragma endscop\nend: ;"),
        ),
        ("measured", program(&measured)),
        ("steps", program(&steps)),
    ] {
        let result = optimized(name, &text, &["--reallocate"]);
        assert!(!mentions(&result, "s_S0"), "{name}: {result}");
        agree(name);
    }
}

#[test]
fn a_comment_at_the_end_of_a_declaration_stays_one() {
    let body = "  for (int i = 0; i < n; i++) {
    s = in[i][0];
    out[i][0] = s + q;
  }";
    let text = program(body).replace("int s;", "int s, q = 3 // a number\n  ;");
    let result = optimized("commented", &text, &["--reallocate"]);
    assert!(mentions(&result, "s_S0"), "{result}");
    agree("commented");
}

/// An array of constant size has no value before it is written, though it is small.
#[test]
fn arrays_of_constant_size_shrink_again() {
    let body = "  for (int i = 0; i < 10; i++) {
    row[i] = in[0][i % m];
    row[i] = row[i] * 2 + 1;
    out[0][i % m] = row[i];
  }";
    let text = program(body).replace("int row[m];", "int row[20];");
    let result = optimized("constant", &text, &["--reallocate"]);
    assert!(has(&result, "int row_S0 = _; int row_S1 = _;"), "{result}");
    assert!(!result.contains("nothing reads it"), "{result}");
    agree("constant");
}
