//! Regions in local memory at the ends of `int`: where the source computes no sum that is past it, nor does what is written in its place.
//!
//! The judge is a run under sanitizers, for which a signed overflow is an error. Arrays are bytes in the middle of far more memory than is
//! touched, so that subscripts may be any `int`.

use crate::support::code::has;
use crate::support::compacted::{compact, has_local};
use crate::support::compiler::{run, run_source, warnings};
use crate::support::{scratch, two_threads};

/// A program with a function in which A, B and C have a byte for each `int`, and what `main` does with them.
fn program(function: &str, calls: &str) -> String {
    format!(
        "#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
typedef signed char byte;
{function}
static byte *bytes(void) {{
  const size_t half = (size_t)1 << 32;
  void *all = mmap(0, 2 * half, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return 0;
  return (byte *)all + half;
}}
static void fill(byte *cells, long from) {{
  for (int k = 0; k < 40; k++)
    cells[from + k] = (byte)((from % 7 + k) * 5 % 11);
}}
static void show(const byte *cells, long from) {{
  for (int k = 0; k < 40; k++)
    printf(\"%d \", cells[from + k]);
  printf(\"\\n\");
}}
int main(void) {{
  byte *A = bytes(), *B = bytes(), *C = bytes();
  if (!A || !B || !C)
    return 2;
  {calls}
  return 0;
}}
"
    )
}

/// By name: options, the function, what `main` does, and what the new text has to hold.
type Case = (&'static str, &'static [&'static str], &'static str, &'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "the_last_cells",
        &[],
        "static void f(int n, const byte *restrict A, byte *restrict B) {
#pragma scop
#pragma polyfold local
  for (int i = n - 8; i < n; i++)
    B[i - (n - 8)] = A[i + 1] * A[n - 7] + A[i];
#pragma endscop
}",
        "fill(A, INT_MAX - 20L), f(INT_MAX, A, B), show(B, 0), f(30, A, B), show(B, 0);",
        &["for (long c0 = n - 8; c0 <= n; c0++) _;"],
    ),
    (
        "the_last_cells_in_runs",
        &["--memcpy"],
        "static void f(int n, const byte *restrict A, byte *restrict B) {
#pragma scop
#pragma polyfold local
  for (int i = n - 8; i < n; i++)
    for (int j = i; j < n; j++)
      B[i - (n - 8)] += A[j + 1] * A[i + 1];
#pragma endscop
}",
        "fill(A, INT_MAX - 20L), f(INT_MAX, A, B), show(B, 0);",
        &["memcpy(_, _, _)"],
    ),
    (
        "the_first_cells",
        &[],
        "static void f(int lo, int hi, const byte *restrict A, byte *restrict B) {
#pragma scop
#pragma polyfold local
  for (int i = lo; i < hi; i++)
    B[i - lo] += A[i] * A[lo] + A[hi - 1];
#pragma endscop
}",
        "fill(A, INT_MIN), f(INT_MIN, INT_MIN + 9, A, B), show(B, 0), f(INT_MAX, -5, A, B), f(3, INT_MIN, A, B), show(B, 0);",
        &["hi > lo"],
    ),
    (
        "every_other_cell",
        &[],
        "static void f(int lo, int hi, const byte *restrict A, byte *restrict B) {
#pragma scop
#pragma polyfold local
  for (int i = lo; i < hi; i += 2)
    B[0] += A[i + 2] * A[i];
#pragma endscop
}",
        "fill(A, INT_MAX - 20L), f(INT_MAX - 10, INT_MAX - 1, A, B), show(B, 0);",
        &["for (long c0 = (long)lo + 2; c0 <= (long)hi + 1; c0 += 2) _;"],
    ),
    (
        "downward",
        &[],
        "static void f(int lo, int hi, byte *restrict A, byte *restrict B) {
#pragma scop
#pragma polyfold local
  for (int i = hi; i > lo; i--) {
    A[i] = A[i - 1] + 1;
    B[hi - i] = A[i] * A[lo];
  }
#pragma endscop
}",
        "fill(A, INT_MIN), f(INT_MIN, INT_MIN + 9, A, B), show(A, INT_MIN), show(B, 0);
  fill(A, INT_MAX - 20L), f(INT_MAX - 9, INT_MAX, A, B), show(A, INT_MAX - 39L), show(B, 0);",
        &[],
    ),
    (
        "a_cross",
        &[],
        "static void f(int first, int end, byte S[12][12]) {
#pragma scop
#pragma polyfold local
  for (int j = first; j < end; j++)
    S[3][j - first] = 2 * S[j - first][3] + 1;
#pragma endscop
}",
        "fill(A, 0), f(INT_MAX - 2, INT_MAX, (void *)A), f(INT_MAX - 9, INT_MAX, (void *)A), show(A, 0), show(A, 40);",
        &["j == (long)first + 3 ? _ : _"],
    ),
    (
        "products",
        &["--buffers", "2"],
        "static void f(int n, int T, int first, const byte *restrict A, byte *restrict B) {
#pragma scop
  for (int it = first; it < n / T; it++) {
#pragma polyfold local
    for (int i = it * T; i < it * T + T; i++)
      B[i - first * T] = A[i] + A[it * T] * A[it * T + T - 1];
  }
#pragma endscop
}",
        "fill(A, INT_MAX - 39L), f(INT_MAX, 7, INT_MAX / 7 - 3, A, B), show(B, 0), f(-9, 7, -3, A, B), f(INT_MIN + 3, 1, INT_MIN, A, C), show(C, 0);",
        &[],
    ),
    (
        "rotating",
        &[],
        "static void f(int first, int n, const byte *restrict A, byte *restrict B) {
#pragma scop
  if (first >= 0)
    for (int k = first; k < n; k++) {
#pragma polyfold local buffers(2)
      for (int t = 0; t < 4; t++)
        B[t] += A[k + 1] * A[k - t] + k % 3;
    }
#pragma endscop
}",
        "fill(A, INT_MAX - 20L), f(INT_MAX - 5, INT_MAX, A, B), show(B, 0);",
        &["byte A_local[2];"],
    ),
    (
        "rows_in_one_subscript",
        &[],
        "static void f(int o, int w, const byte *restrict A, byte *restrict B) {
#pragma scop
#pragma polyfold local
  for (int j = o; j < o + 3; j++)
    for (int k = 0; k < w; k++)
      B[k] += A[(size_t)j * w + k] * A[(size_t)j * w] + 1;
#pragma endscop
}",
        "const int w = 1 << 20; fill(A, 4000L * w), fill(A, 4001L * w), f(4000, w, A, B), show(B, 0);",
        &["A[(long)c0 * w + c1]"],
    ),
    (
        "rows_in_one_int",
        &[],
        "static void f(int n, int w, const byte *restrict A, byte *restrict B) {
#pragma scop
#pragma polyfold local
  for (int j = 0; j < n; j++)
    for (int k = 0; k < w; k++)
      B[k] += A[j * w + k] * A[j * w] + 1;
#pragma endscop
}",
        "fill(A, 0), f(4, 9, A, B), show(B, 0);",
        &["A[c0 * w + c1]"],
    ),
    (
        "sizes_of_other_types",
        &[],
        "#define FIRST 2147483640
static void f(unsigned n, short s, const byte *restrict A, byte *restrict B) {
#pragma scop
#pragma polyfold local
  for (int i = FIRST; i < FIRST + 7; i++)
    B[i - FIRST + s] = A[i] * A[FIRST + 7] + (i < (int)n);
#pragma endscop
}",
        "fill(A, INT_MAX - 20L), f(5, 3, A, B), show(B, 0), f(INT_MAX, 32767, A, B), show(B, 32767);",
        &[],
    ),
    (
        "sums_that_the_source_computes",
        &[],
        "static void f(int n, int it, const byte *restrict A, byte *restrict B) {
#pragma scop
#pragma polyfold local
  for (int i = it; i < it + 16; i++)
    if (i < n)
      B[i] = A[i + 1] + A[it + 17] + A[it + 15];
#pragma endscop
}",
        "fill(A, INT_MAX - 20L), f(INT_MAX, INT_MAX - 17, A, B), show(B, INT_MAX - 39L);",
        &["for (int c0 = it + 1; _; _) _;"],
    ),
];

#[test]
fn nothing_overflows_that_the_source_does_not() {
    let faults = two_threads::map(CASES.iter().collect(), |case| {
        let (name, _, _, _, _) = case;
        judged(case).map_err(|fault| format!("{name}: {fault}"))
    });
    let faults: Vec<String> = faults.into_iter().filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Whether a program in local memory prints the same, without a fault.
fn judged((name, options, function, calls, wanted): &Case) -> Result<(), String> {
    let directory = scratch("local_widths").join(name);
    std::fs::create_dir_all(&directory).expect("the directory is writable");
    let [input, output] = ["plain.c", "local.c"].map(|file| directory.join(file));
    std::fs::write(&input, program(function, calls)).expect("the directory is writable");
    let said = compact(&input, &output, &[options, &["--always"][..]].concat());
    if !said.status.success() {
        return Err(String::from_utf8_lossy(&said.stderr).into_owned());
    }
    let text = std::fs::read_to_string(&output).expect("the output is text");
    if let Some(missing) = wanted.iter().find(|piece| !has(&text, piece)) {
        return Err(format!("no {missing:?} in\n{text}"));
    }
    if !has_local(&text) {
        return Err(format!("nothing is copied in\n{text}"));
    }
    warnings(&output)?;
    let (before, after) = (run_source(&input, &[])?, run(&output, &[])?);
    if before == after { Ok(()) } else { Err(format!("it prints something else:\n{text}")) }
}
