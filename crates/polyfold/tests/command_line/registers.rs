//! `--emit fast` and `--emit hls`: rings of a few cells as shift registers.

use super::files::{agree, optimized, path};
use crate::support::code::{count, function, has, mentions};
use crate::support::compiler;

/// A program that runs `body` for all sizes n from 1 to 12.
fn program(locals: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>
static void f(int n, const double in[n + 2][n + 2], double out[n + 2][n + 2]) {{
  {locals}
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  static double in[200], out[200];
  for (int n = 1; n <= 12; n++) {{
    for (int i = 0; i < 200; i++)
      in[i] = i * 7 % 13 + n, out[i] = 0;
    f(n, (const double (*)[n + 2])in, (double (*)[n + 2])out);
    for (int i = 0; i < 200; i++)
      printf(\"%.17g \", out[i]);
  }}
  puts(\"\");
  return 0;
}}
"
    )
}

/// The result, which has to compute the same without warnings, in both forms.
fn both_forms(name: &str, locals: &str, body: &str) -> [String; 2] {
    ["fast", "hls"].map(|form| {
        let name = format!("{name}_{form}");
        let result = optimized(&name, &program(locals, body), &["--emit", form]);
        agree(&name);
        compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
        result
    })
}

#[track_caller]
fn is_register(name: &str, locals: &str, body: &str) -> String {
    let [fast, hls] = both_forms(name, locals, body);
    for result in [&fast, &hls] {
        assert!(moves_down(result), "{result}");
    }
    hls
}

/// For hardware it is a shift register, and in fast code it is not; the first.
#[track_caller]
fn is_register_in_hardware(name: &str, locals: &str, body: &str) -> String {
    let [fast, hls] = both_forms(name, locals, body);
    assert!(is_ring(&fast) && moves_down(&hls), "{fast}{hls}");
    hls
}

/// The ring stays one, and is right.
#[track_caller]
fn stays_a_ring(name: &str, locals: &str, body: &str) {
    for result in both_forms(name, locals, body) {
        assert!(is_ring(&result), "{result}");
    }
}

/// Whether values move from cell to cell, so that nothing divides.
fn moves_down(text: &str) -> bool {
    has(text, "w[0] = w[1];") && !has(function(text, "f"), "_ % _")
}

/// Whether values stay where they are, and places go round.
fn is_ring(text: &str) -> bool {
    !has(text, "w[0] = w[1];") && (has(function(text, "f"), "_ % _") || mentions(text, "w_at"))
}

#[test]
fn values_move_in_loops_one_after_the_other() {
    let body = "  for (int i = 1; i <= n; i++) {
    for (int j = 0; j < 2; j++)
      w[j] = in[i][j];
    for (int j = 2; j < n + 2; j++) {
      w[j] = in[i][j];
      out[i][j] = w[j - 2] + 2 * w[j - 1] + w[j];
    }
  }";
    let result = is_register("register", "double w[n + 2];", body);
    let moves = "w[0] = w[1]; w[1] = w[2];";
    assert_eq!(count(&result, moves), 2, "{result}");
    assert!(has(&result, &format!("for (int j = 0; j < 2; j++) {{ w[2] = in[i][j]; {moves} }}")), "{result}");
    assert!(has(&result, "out[i][j] = w[0] + 2 * w[1] + w[2];"), "{result}");
}

#[test]
fn values_move_in_loops_that_go_down() {
    let body = "  for (int i = 1; i <= n; i++)
    for (int j = n + 1; j >= 0; j--) {
      w[j] = in[i][j];
      if (j <= n - 1) { out[i][j] = w[j + 2] - w[j]; }
    }";
    let result = is_register("register_down", "double w[n + 2];", body);
    assert!(has(&result, "out[i][j] = w[0] - w[2];"), "{result}");
}

#[test]
fn a_value_may_be_written_more_than_once_in_its_iteration() {
    let body = "  for (int i = 1; i <= n; i++)
    for (int j = 0; j < n + 2; j++) {
      w[i][j] = in[i][j];
      if (j >= 3) w[i][j] += w[i][j - 3] / 2;
      if (in[i][j] > 5) w[i][j] = 1;
      u[j] = w[i][j] + 1;
      if (j >= 1) out[i][j] = u[j] * u[j - 1];
    }";
    let result = is_register("register_twice", "double w[n + 2][n + 2], u[n + 2];", body);
    assert!(has(&result, "w[3] += w[0] / 2;") && has(&result, "u[1] * u[0]"), "{result}");
}

/// Between the loops the counter goes past two values: what counts is turns.
#[test]
fn values_move_with_turns() {
    let body = "  for (int i = 1; i <= n; i++) {
    for (int j = 0; j < 2; j++)
      w[j] = in[i][j];
    for (int j = 4; j < n + 2; j++) {
      w[j - 2] = in[i][j];
      out[i][j] = w[j - 4] + w[j - 3] + w[j - 2];
    }
  }";
    let result = is_register_in_hardware("register_gap", "double w[n + 2];", body);
    assert!(has(&result, "out[i][j] = w[0] + w[1] + w[2];"), "{result}");
}

/// In strips a loop without a statement for all turns has parts without conditions.
#[test]
fn first_turns_may_be_a_branch() {
    let body = "  for (int i = 1; i <= n; i++)
    for (int j = 0; j < n + 2; j++) {
      if (j < 2) w[j] = in[i][j];
      else {
        w[j] = in[i][j] * 2;
        out[i][j] = w[j - 2] + 3 * w[j - 1] + w[j];
      }
    }";
    is_register_in_hardware("register_branches", "double w[n + 2];", body);
}

#[test]
fn each_of_two_branches_may_write_the_value() {
    let body = "  for (int i = 1; i <= n; i++)
    for (int j = 0; j < n + 2; j++) {
      if (in[i][j] > 5) w[j] = in[i][j]; else w[j] = 0;
      if (j >= 2) out[i][j] = w[j - 2] + w[j];
    }";
    let result = is_register_in_hardware("register_data", "double w[n + 2];", body);
    assert!(has(&result, "if (_) w[2] = in[i][j]; else w[2] = 0;"), "{result}");
}

#[test]
fn values_are_used_behind_the_loop() {
    let body = "  for (int i = 1; i <= n; i++) {
    for (int j = 0; j < n + 2; j++) {
      w[j] = in[i][j];
      if (j >= 2) out[i][j] = w[j - 2] + w[j];
    }
    out[i][0] = w[n + 1];
  }";
    let result = is_register_in_hardware("register_behind", "double w[n + 2];", body);
    assert!(has(&result, "out[i][0] = w[1];"), "{result}");
}

#[test]
fn values_come_from_in_front_of_the_loop() {
    let body = "  for (int i = 1; i <= n; i++) {
    w[0] = in[i][0];
    for (int j = 1; j < n + 2; j++) {
      w[j] = in[i][j];
      out[i][j] = w[j - 1] + w[j];
    }
  }";
    let result = is_register_in_hardware("register_before", "double w[n + 2];", body);
    assert!(has(&result, "w[0] = in[i][0];") && has(&result, "out[i][j] = w[0] + w[1];"), "{result}");
}

/// A cell that is written where another one has just been read goes round.
#[test]
fn values_go_round_in_as_few_cells_as_the_ring_has() {
    let body = "  for (int i = 1; i <= n; i++) {
    w[0] = in[i][0];
    w[1] = in[i][1];
    for (int j = 2; j < n + 2; j++)
      w[j] = in[i][j] + 0.5 * w[j - 1] - w[j - 2];
    out[i][0] = w[n + 1] * w[n];
  }";
    let result = is_register_in_hardware("register_round", "double w[n + 2];", body);
    let turn = "w[0] = in[i][j] + 0.5 * w[1] - w[0]; const double w_first = w[0]; w[0] = w[1]; w[1] = w_first;";
    assert!(has(&result, turn) && has(&result, "out[i][0] = w[1] * w[0];"), "{result}");
}

/// The variable for the value that goes round is declared in the loop, where the type's name may mean another one.
#[test]
fn values_of_a_type_whose_name_is_hidden_do_not_go_round() {
    let body = |element: &str| {
        format!(
            "  for (int i = 1; i <= n; i++) {{
    w[0] = ({element})in[i][0];
    w[1] = ({element})in[i][1];
    for (int j = 2; j < n + 2; j++)
      w[j] = ({element})(in[i][j] > w[j - 1] + w[j - 2]);
    out[i][0] = w[n + 1] + w[n];
  }}"
        )
    };
    is_register_in_hardware("register_enum", "enum { A, B }; typedef unsigned kind; kind w[n + 2];", &body("kind"));
    let hidden = body("double")
        .replace("      w[j] =", "    {\n      typedef signed char kind;\n      kind none = 0;\n      w[j] = none +");
    let hidden = hidden.replace("w[j - 2]);", "w[j - 2]);\n    }");
    stays_a_ring("ring_hidden", "typedef double kind; kind w[n + 2];", &hidden);
}

/// For n = 1 w[n - 1] is the first value, for others the second one of the window.
#[test]
#[ignore = "long, in ./check-more"]
fn a_place_behind_the_loop_that_is_no_number_keeps_the_ring() {
    let body = "  for (int i = 1; i <= n; i++) {
    w[0] = in[i][0];
    w[1] = in[i][1];
    for (int j = 2; j < n; j++)
      w[j] = in[i][j] + 0.5 * w[j - 1] - w[j - 2];
    out[i][0] = w[n - 1];
  }";
    stays_a_ring("ring_no_turn", "double w[n + 2];", body);
    let asked = body.replace("out[i][0]", "if (n > 1) out[i][0]");
    is_register_in_hardware("register_turns", "double w[n + 2];", &asked);
}

/// How far values have moved is not known in the next row.
#[test]
fn a_value_of_the_row_before_keeps_the_ring() {
    let body = "  for (int i = 1; i <= n; i++) {
    if (i > 1) out[i][0] = w[i - 1][n + 1];
    w[i][0] = in[i][0];
    for (int j = 1; j < n + 2; j++) {
      w[i][j] = in[i][j] + w[i][j - 1];
      out[i][j] = w[i][j];
      if (j >= 2) out[i][j] -= w[i][j - 2];
    }
  }";
    stays_a_ring("ring_rows", "double w[n + 2][n + 2];", body);
}

#[test]
#[ignore = "long, in ./check-more"]
fn more_than_eight_values_stay_in_a_ring() {
    let window = |last: usize| {
        format!(
            "  for (int i = 1; i <= n; i++)
    for (int j = 0; j < n + 2; j++) {{
      w[j] = in[i][j];
      if (j >= {last}) out[i][j] = w[j - {last}] + w[j];
    }}"
        )
    };
    is_register("register_eight", "double w[n + 12];", &window(7));
    stays_a_ring("ring_nine", "double w[n + 12];", &window(8));
}
