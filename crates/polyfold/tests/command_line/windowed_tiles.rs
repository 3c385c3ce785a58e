//! `--emit fast`: windows of tiles, at the sizes around one, two and three of them.

use super::forms::{Function, all_agree};

const SIZES: &str = "0, 1, 2, 3, 14, 15, 16, 17, 18, 19, 31, 32, 33, 34, 47, 48, 49, 50, 51";
const ARRAY: &str =
    "double w[n + 1][n + 1];\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))";
const NO: &str = "0";

fn function(name: &'static str, body: &'static str, says: &'static [&'static str]) -> Function<'static> {
    Function { name, locals: ARRAY, body, n: SIZES, t: NO, says }
}

#[test]
#[ignore = "long, in ./check-more"]
fn rows_of_tiles_are_counted_from_where_tiles_begin() {
    let functions = [
        function(
            "along_rows",
            "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MAX(J, 2); j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 2] + w[i][j];
      }",
            &["double w[48] = {0};", "w[at] = w[at + 16];", "!_ % _"],
        ),
        function(
            "up_the_rows",
            "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = MIN(I + 15, n - 1); i >= I; i--) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] * in[j];
        for (int j = MAX(J, 1); j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 1] - w[i][j];
      }",
            &["w[at] = w[at + 16];", "!_ % _"],
        ),
        function(
            "from_the_right",
            "  for (int I = 0; I < n; I += 16)
    for (int J = n - 1; J >= 0; J -= 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j > MAX(J - 16, -1); j--)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MIN(J, n - 3); j > MAX(J - 16, -1); j--)
          out[j] = 0.5 * out[j] + w[i][j + 2] + w[i][j];
      }",
            &["if (J - 16 >= 0) for (int at = 31; at >= 0; at--) w[at + 16] = w[at];", "!_ % _"],
        ),
        function(
            "of_its_own",
            "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16) {
      for (int i = I; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
      for (int i = I + 1; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i - 1][j] + w[i][j];
    }",
            &["!w[at]"],
        ),
        function(
            "again_and_again",
            "  for (int k = 0; k < 3; k++)
    for (int I = 0; I < n; I += 16)
      for (int J = 0; J < n; J += 16) {
        for (int i = I; i < MIN(I + 16, n); i++) {
          for (int j = J; j < MIN(J + 16, n); j++)
            w[i][j] = k * in[i] - 2 * in[j];
          for (int j = MAX(J, 3); j < MIN(J + 16, n); j++)
            out[j] = 0.5 * out[j] + w[i][j - 3] + w[i][j];
        }
      }",
            &["w[at] = w[at + 16];", "!_ % _"],
        ),
        function(
            "of_a_few_cells",
            "  for (int I = 0; I < n; I += 8)
    for (int J = 0; J < n; J += 5)
      for (int i = I; i < MIN(I + 8, n); i++) {
        for (int j = J; j < MIN(J + 5, n); j++)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MAX(J, 1); j < MIN(J + 5, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 1] + w[i][j];
      }",
            &["double w[13] = {0};", "w[0] = w[5];", "!_ % _"],
        ),
        function(
            "at_powers_of_two",
            "  for (int i = 0; i < n; i++)
    for (int J = 0; J < n; J += 4) {
      for (int j = J; j < MIN(J + 4, n); j++)
        w[i][j] = in[i] - 2 * in[j];
      for (int j = MAX(J, 4); j < MIN(J + 4, n); j++)
        out[j] = 0.5 * out[j] + w[i][j - 4] + w[i][j];
    }",
            &["double w[8] = {0};", "!w[at]"],
        ),
    ];
    all_agree("windowed_tiles", &functions, &[]);
}

/// Loops without braces that both move something; braces as deep as what they hold.
#[test]
fn moves_stand_at_the_ends_of_their_own_turns() {
    let functions = [
        Function {
            locals: "double w[n + 1][n + 1], v[n + 1];\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))",
            ..function(
                "two_windows",
                "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MAX(J, 1); j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 1] + w[i][j];
        v[i] = in[i + J];
        if (i >= 2)
          out[i] += v[i - 1] + v[i - 2];
      }",
                &[],
            )
        },
        Function {
            locals: "double w[n + 1];\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))",
            ..function(
                "deep_braces",
                "  for (int J = 0; J < n; J += 16)
    {
    for (int j = J; j < MIN(J + 16, n); j++)
      w[j] = in[j];
    for (int j = MAX(J, 2); j < MIN(J + 16, n); j++)
      out[j] = w[j] + w[j - 1] + w[j - 2];
    }",
                &[],
            )
        },
    ];
    all_agree("nested_moves", &functions, &[]);
}

/// Storage of `_Bool`s begins with 0, since some are copied that no turn has written. Tiles of a few rows are not worth the copies; what a turn may leave early has none, nor
/// what a counter in it hides.
#[test]
#[ignore = "long, in ./check-more"]
fn windows_of_some_tiles_begin_with_zeros_and_others_are_rings() {
    let bools = Function {
        locals: "_Bool w[n + 1][n + 1];\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))",
        ..function(
            "of_bools",
            "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] > in[j];
        for (int j = MAX(J, 2); j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 2] + 2 * w[i][j];
      }",
            &["_Bool w[48] = {0};"],
        )
    };
    let functions = [
        bools,
        function(
            "of_three_rows",
            "  for (int I = 0; I < n; I += 3)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 3, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MAX(J, 12); j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 12] + w[i][j];
      }",
            &["!w[at]"],
        ),
        function(
            "left_early",
            "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MAX(J, 2); j < MIN(J + 16, n); j++) {
          if (in[j] > 5) continue;
          out[j] = 0.5 * out[j] + w[i][j - 2] + w[i][j];
        }
      }",
            &["!w[at]"],
        ),
        function(
            "hidden_otherwise",
            "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++) {
          double (J) = in[j];
          w[i][j] = in[i] - 2 * J;
        }
        for (int j = MAX(J, 2); j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 2] + w[i][j];
      }",
            &["!w[at]"],
        ),
        function(
            "behind_an_operator",
            "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
_Pragma(\"GCC unroll 2\")
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MAX(J, 2); j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 2] + w[i][j];
      }",
            &["!w[at]", "_Pragma(\"GCC unroll 2\") for (int i = I; _; _) _;"],
        ),
        function(
            "hidden",
            "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MAX(J, 2); j < MIN(J + 16, n); j++) {
          double I = w[i][j];
          out[j] = 0.5 * out[j] + w[i][j - 2] + I;
        }
      }",
            &["!w[at]"],
        ),
    ];
    all_agree("other_tiles", &functions, &[]);
}

/// An array that stays is read as the source reads it: with pointers to its rows gcc is no faster.
#[test]
#[ignore = "long, in ./check-more"]
fn arrays_that_stay_are_read_as_the_source_reads_them() {
    let locals = "double w[n + 1][n + 1], x[n + 3][n + 1];
  for (int i = 0; i < n + 3; i++)
    for (int j = 0; j < n; j++)
      x[i][j] = in[i] + in[j];
#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))";
    let functions = [
        Function {
            locals,
            ..function(
                "several_rows",
                "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = x[i][j] - x[i + 1][j] * x[ i + 2 ][ j ];
        for (int j = MAX(J, 2); j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 2] + w[i][j];
      }",
                &["double w[48] = {0};", "w[_] = x[i][j] - x[i + 1][j] * x[i + 2][j];", "!double *_ = _;", "!_ % _"],
            )
        },
        Function {
            locals,
            ..function(
                "of_its_own_row",
                "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = 3 * x[i][j];
        for (int j = MAX(J, 2); j < MIN(J + 16, n); j++)
          x[i][j] = x[i + 1][j] + w[i][j - 2] + w[i][j];
        for (int j = J; j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + x[i][j];
      }",
                &["double w[48] = {0};", "x[i][j] = x[i + 1][j] + w[_] + w[_];", "!double *_ = _;", "!_ % _"],
            )
        },
        Function {
            locals,
            ..function(
                "from_the_first_on",
                "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      w[i][j] = x[i][j] - x[i + 1][j];
    for (int j = 2; j < n; j++)
      out[j] = 0.5 * out[j] + w[i][j - 2] + w[i][j];
  }",
                &["_ = x[i][j] - x[i + 1][j];", "!double *_ = x[_];"],
            )
        },
    ];
    all_agree("source_rows", &functions, &[]);
}

/// For hardware, too, without pointers and zeros; a remainder of a power of two costs nothing there, and shift registers come first.
#[test]
fn hardware_has_windows_of_tiles() {
    let functions = [
        Function {
            locals: "double w[60][60];\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))",
            ..function(
                "of_hardware",
                "  for (int I = 0; I < n; I += 24)
    for (int J = 0; J < n; J += 24)
      for (int i = I; i < MIN(I + 24, n); i++) {
        for (int j = J; j < MIN(J + 24, n); j++)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MAX(J, 2); j < MIN(J + 24, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 2] + w[i][j];
      }",
                &["double w[72];", "!_ % _", "!double *_ = &w[_];"],
            )
        },
        Function {
            locals: "double w[60][60];\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))",
            ..function(
                "of_a_power",
                "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16)
      for (int i = I; i < MIN(I + 16, n); i++) {
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
        for (int j = MAX(J, 3); j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i][j - 3] + w[i][j];
      }",
                &["double w[64];", "!w[at]"],
            )
        },
    ];
    all_agree("hardware_tiles", &functions, &["--emit", "hls", "--assume", "n <= 59"]);
}

/// Where data decide whether a cell is written, it may be one of a tile in front.
#[test]
fn storage_that_data_write_is_not_counted_from_a_corner() {
    let by_data = function(
        "by_data",
        "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16) {
      for (int i = I; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          if (in[i] > 3)
            w[i][j] = in[i] - 2 * in[j];
      for (int i = I; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          if (in[i] > 3)
            out[j] = 0.5 * out[j] + w[i][j];
    }",
        &["double w[n + 1][n + 1];"],
    );
    all_agree("tiles_by_data", &[by_data], &[]);
}

/// Values that stay in one tile are counted from its corner, in all dimensions that can be.
#[test]
#[ignore = "long, in ./check-more"]
fn storage_of_one_tile_is_counted_from_its_corner() {
    let two = "double w[n + 1][n + 1], v[n + 1][n + 1];\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))";
    let functions = [
        function(
            "with_halo",
            "  for (int I = 2; I < n - 2; I += 16)
    for (int J = 0; J < n; J += 16) {
      for (int i = I - 2; i < MIN(I + 16, n - 2) + 2; i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
      for (int i = I; i < MIN(I + 16, n - 2); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i - 2][j] - w[i][j] + w[i + 2][j];
    }",
            &[
                "double w[20][16];",
                "w[i - I + 2][j - J] = in[i] - _;",
                "_ + w[i - I][j - J] - w[i - I + 2][j - J] + w[i - I + 4][j - J]",
                "!_ % _",
            ],
        ),
        Function {
            locals: two,
            ..function(
                "in_one_buffer",
                "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16) {
      for (int i = I; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
      for (int i = I + 1; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          v[i][j] = w[i - 1][j] + w[i][j];
      for (int i = I + 1; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + v[i][j];
    }",
                &["double w_shared[16][16];", "!_ % _"],
            )
        },
        Function {
            locals: "double w[n + 1][n + 1];\n#define N 8",
            ..function(
                "multiplied",
                "  for (int I = 0; I < n / N; I++)
    for (int J = 0; J < n / N; J++) {
      for (int i = N * I; i < N * I + N; i++)
        for (int j = N * J; j < N * J + N; j++)
          w[i][j] = in[i] - 2 * in[j];
      for (int i = N * I; i < N * I + N; i++)
        for (int j = N * J + 1; j < N * J + N; j++)
          out[j] = 0.5 * out[j] + w[i][j] - w[i][j - 1] * w[N * I][j];
    }",
                &["w[i - 8 * I][j - 8 * J] = in[i] - _;", "!_ % _"],
            )
        },
        function(
            "for_the_next_tile",
            "  for (int I = 0; I < n; I += 16)
    for (int J = 0; J < n; J += 16) {
      for (int i = I; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
      for (int i = MAX(I, 1); i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i - 1][j] - w[i][j];
    }",
            &["double w[n + 256];"],
        ),
        function(
            "parallel_tiles",
            "  for (int I = 0; I < n; I += 16)
#pragma omp parallel for
    for (int J = 0; J < n; J += 16) {
      for (int i = I; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          w[i][j] = in[i] - 2 * in[j];
      for (int i = I + 1; i < MIN(I + 16, n); i++)
        for (int j = J; j < MIN(J + 16, n); j++)
          out[j] = 0.5 * out[j] + w[i - 1][j] - w[i][j];
    }",
            &["double w[16][n + 1];"],
        ),
    ];
    all_agree("one_tile", &functions, &[]);
}
