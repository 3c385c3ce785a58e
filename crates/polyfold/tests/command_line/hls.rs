//! `--emit hls`: storage of constant size whose short dimensions are partitioned, loops as they are.

use super::files::{agree, file, optimized, run};
use super::forms::{Function, all_agree};
use crate::support::code::has;

const BLUR: &str = "#include <stdio.h>
#define H 20
#define W 30
static void f(const int in[H][W], int out[H][W]) {
  int rows[H][W];
#pragma scop
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      rows[i][j] = in[i][j - 1] + in[i][j] + in[i][j + 1];
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = rows[i - 1][j] + rows[i][j] + rows[i + 1][j];
#pragma endscop
}
int main(void) {
  static int in[H][W], out[H][W];
  for (int i = 0; i < H * W; i++)
    in[i / W][i % W] = i * 7 % 31;
  f(in, out);
  for (int i = 0; i < H * W; i++)
    printf(\"%d \", out[i / W][i % W]);
  puts(\"\");
  return 0;
}
";

#[test]
fn rows_of_a_line_buffer_are_memories_of_their_own() {
    let result = optimized("hls_rows", BLUR, &["--emit", "hls", "--schedule", "fuse-rows"]);
    agree("hls_rows");
    // A pragma belongs to what is declared in front of it.
    let pragma = "#pragma HLS ARRAY_PARTITION variable=rows complete dim=1\n#pragma scop\n";
    assert!(result.contains(pragma) && !result.contains("dim=2"), "{result}");
    assert!(!has(&result, "int *_ = _;") && !has(&result, "const int *_ = _;"), "{result}");
}

/// A size is what macros say now.
#[test]
fn a_macro_says_how_many_memories_there_are() {
    let taps = BLUR
        .replace("#define H 20", "#define H 20\n#define TAPS 4")
        .replace("for (int i = 1; i < H - 1; i++)", "for (int i = TAPS; i < H; i++)")
        .replace("rows[i - 1][j] + rows[i][j] + rows[i + 1][j]", "rows[i - TAPS][j] + rows[i][j]");
    let result = optimized("hls_taps", &taps, &["--emit", "hls", "--schedule", "fuse-rows"]);
    agree("hls_taps");
    assert!(result.contains("#pragma HLS ARRAY_PARTITION variable=rows complete dim=1\n"), "{result}");
}

/// Two rows of as many cells as the caller says.
const TURNS: &str = "void f(int n, const int in[n], int out[n]) {
  int t[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      t[i][j] = in[j] + (i > 0 ? t[i - 1][n - 1 - j] : 0);
  for (int j = 0; j < n; j++)
    out[j] = t[n - 1][j];
#pragma endscop
}
";

#[test]
fn sizes_of_run_time_are_refused() {
    file("hls_refused.c", TURNS);
    let refused = run("optimize", &["hls_refused.c"], &["--emit", "hls"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{}", refused.stderr);
    for said in
        ["`t` would have a size that is known at run time only", "hls_refused.c:2:7", "needs sizes that are constants"]
    {
        assert!(refused.stderr.contains(said), "no `{said}` in {}", refused.stderr);
    }
    let constant = TURNS.replace("int n, ", "").replace("void f", "#define n 100\nvoid f");
    let result = optimized("hls_constant", &constant, &["--emit", "hls"]);
    assert!(result.contains("#pragma HLS ARRAY_PARTITION variable=t complete dim=1\n"), "{result}");
}

/// Windows at no turn, one, and those around their own sizes.
#[test]
fn windows_are_shift_registers() {
    let window = Function {
        name: "",
        locals: "double w[n + 9];",
        body: "",
        n: "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13",
        t: "0, 1",
        says: &[],
    };
    let functions = [
        Function {
            name: "used_behind",
            body: "  w[0] = in[0];
  w[1] = in[1];
  for (int j = 0; j < n; j++)
    w[j + 2] = 0.5 * w[j + 1] - 0.25 * w[j] + in[j];
  out[0] = w[n] + 2 * w[n + 1];",
            says: &["w[0] = 0.5 * w[1] - 0.25 * w[0] + in[j];", "out[0] = w[0] + 2 * w[1];", "!_ % _"],
            ..window
        },
        Function {
            name: "first_turns",
            body: "  for (int j = 0; j < n; j++) {
    #pragma HLS PIPELINE II=1
    if (j == 0) w[j] = in[0];
    else if (j == 1) w[j] = in[1];
    else w[j] = in[j] - 0.5 * w[j - 2];
    if (j >= 1) out[j] = w[j - 1] + w[j];
  }",
            says: &["w[0] = w[1];", "!_ % _"],
            ..window
        },
        Function {
            name: "begins_anywhere",
            body: "  for (int i = 0; i < 3; i++) {
    w[t + i] = in[0];
    w[t + i + 1] = in[i];
    for (int j = t + i + 2; j < n; j++) {
      w[j] = in[j] + 0.5 * w[j - 2] - w[j - 1];
      out[j] += w[j];
    }
  }",
            says: &["w[0] = w[1];", "!_ % _"],
            ..window
        },
        Function {
            name: "downward",
            body: "  w[n + 7] = in[0]; w[n + 6] = in[1];
  for (int j = n + 5; j >= 0; j--)
    w[j] = 0.5 * w[j + 2] + w[j + 1] + in[j];
  out[0] = w[0] - w[1];",
            says: &["w[0] = w[1];", "!_ % _"],
            ..window
        },
        Function {
            name: "in_loops_inside",
            body: "  w[0] = in[0];
  for (int j = 1; j < n; j++) {
    w[j] = 0.5 * w[j - 1];
    for (int k = 0; k < 3; k++)
      w[j] += in[j + k] - w[j - 1];
    out[j] = w[j];
  }",
            says: &["w[0] = w[1];", "!_ % _"],
            ..window
        },
        Function {
            name: "square",
            locals: "double w[3][n + 9];",
            body: "  w[0][0] = in[0]; w[1][0] = in[1]; w[2][0] = in[2];
  w[0][1] = in[3]; w[1][1] = in[4]; w[2][1] = in[5];
  for (int j = 2; j < n; j++) {
    w[0][j] = in[j]; w[1][j] = in[j + 20]; w[2][j] = in[j + 40];
    out[j] = w[0][j - 2] + 2 * w[0][j - 1] + w[0][j] + w[1][j - 2] + 2 * w[1][j - 1] + 4 * w[1][j]
      + w[2][j - 2] + 2 * w[2][j - 1] + w[2][j];
  }",
            says: &["w[2][0] = w[2][1];", "w[2][1] = w[2][2];", "w[1][2] = in[j + 20];", "!_ % _"],
            ..window
        },
        Function {
            name: "as_data_say",
            body: "  for (int j = 0; j < n; j++) {
    if (in[j] > 5) w[j] = in[j]; else w[j] = 1;
    if (j >= 2) out[j] = w[j - 2] + 3 * w[j - 1] + 2 * w[j];
  }",
            says: &["w[0] = w[1];", "!_ % _"],
            ..window
        },
        Function {
            name: "nothing_but_moves",
            body: "  w[0] = in[0]; w[1] = in[1];
  for (int j = 2; j < n + 2; j++)
    w[j] = w[j - 2];
  out[0] = w[n + 1] + 2 * w[n];",
            says: &["w[0] = w[1]; w[1] = w_first;", "!_ % _"],
            ..window
        },
        Function {
            name: "by_two",
            body: "  w[0] = in[0]; w[1] = in[1]; w[2] = in[2];
  for (int j = 3; j < n; j += 2) {
    w[j] = w[j - 3] + in[j];
    w[j + 1] = w[j - 2] * 0.5;
    out[j] = w[j + 1] + w[j - 1];
  }",
            says: &["!w[0] = w[1];", "_ % _"],
            ..window
        },
    ];
    all_agree("hls_windows", &functions, &["--emit", "hls"]);
}
