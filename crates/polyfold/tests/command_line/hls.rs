//! `--emit hls`: storage of constant size whose short dimensions are partitioned, loops as they are.

use crate::files::{agree, file, optimized, run};

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
    let declared = result.find("int rows[").expect("it is declared");
    let pragma = result.find("#pragma HLS ARRAY_PARTITION variable=rows complete dim=1\n").expect("it has a pragma");
    assert!(declared < pragma && pragma < result.find("#pragma scop").unwrap(), "{result}");
    assert!(!result.contains("dim=2") && !result.contains("int *"), "{result}");
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
