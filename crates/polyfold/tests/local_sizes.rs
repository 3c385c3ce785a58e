//! How large local arrays are where sizes are small, where arrays have sizes that are numbers, and where macros are sizes.

use crate::support::code::mentions;
use crate::support::compacted::compact;
use crate::support::compiler::{run, run_source, warnings};
use crate::support::declared::declares;
use crate::support::scratch;

/// The program in local memory, and what was said; both programs print the same, and compilers do not complain.
fn judged(name: &str, source: &str, arguments: &[&str]) -> (String, String) {
    let directory = scratch(&format!("local_sizes_{name}"));
    let (input, output) = (directory.join("in.c"), directory.join("out.c"));
    std::fs::write(&input, source).expect("the directory is writable");
    let said = compact(&input, &output, arguments);
    let told = [said.stdout, said.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(said.status.success(), "{name}: {told}");
    let text = std::fs::read_to_string(&output).expect("the output is text");
    let before = run_source(&input, &[]).expect("the source runs");
    assert_eq!(run(&output, &[]).as_ref(), Ok(&before), "{name}: {text}");
    warnings(&output).expect("no warnings");
    (text, told)
}

/// A function of n and m on arrays of fixed size, run for a few sizes.
fn on_fixed_arrays(body: &str) -> String {
    format!(
        "#include <stdio.h>
static double A[48][48], x[256], y[256];
static void f(int n, int m) {{
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  static const int sizes[][2] = {{ {{ 5, 7 }}, {{ 7, 5 }}, {{ 11, 11 }}, {{ 1, 9 }}, {{ 0, 3 }}, {{ 3, 0 }} }};
  for (int k = 0; k < 6; k++) {{
    for (int i = 0; i < 256; i++)
      x[i] = i * 7 % 13, y[i] = i * 5 % 11;
    for (int i = 0; i < 48 * 48; i++)
      (&A[0][0])[i] = i * 3 % 17;
    f(sizes[k][0], sizes[k][1]);
    double sum = 0;
    for (int i = 0; i < 256; i++)
      sum = sum * 0.5 + x[i] + y[i];
    for (int i = 0; i < 48 * 48; i++)
      sum = sum * 0.5 + (&A[0][0])[i];
    printf(\"%.17g\\n\", sum);
  }}
  return 0;
}}
"
    )
}

/// The counter of tiles is bounded by its type alone where a tile begins, so that 2^31 cells are a bound, too.
#[test]
fn the_most_that_a_type_holds_is_no_extent() {
    let nest = "#pragma polyfold local
  for (int i = n - 1; i >= 0; i--)
    for (long j = m - 1; j >= 0; j--)
      A[i][j] = y[j] + y[i];";
    let tiles = "  for (long it = n - 1; it >= 0; it -= 5)
#pragma polyfold local
    for (int i = it; i >= (0 > it - 4 ? 0 : it - 4); i--)
      for (int j = 0; j < m; j++)
        A[i][j] = y[j] + y[i];";
    for (name, body, arguments) in [("type", nest, &["--tile", "5"][..]), ("type_by_hand", tiles, &[][..])] {
        let (text, said) = judged(name, &on_fixed_arrays(body), arguments);
        assert!(["m > n ? m : n", "n >= m ? n : m"].iter().any(|own| declares(&text, "y_local", &[own])), "{text}");
        assert!(said.contains("y_local      y      22     22"), "{said}");
    }
}

/// Rows and columns of a square that need not be as large as the declared one.
#[test]
fn the_extent_of_a_declared_array_is_none_if_sizes_are_smaller() {
    let body = "#pragma polyfold local
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] = x[i] + x[j] * 0.5;";
    let (text, _) = judged("declared", &on_fixed_arrays(body), &["--always"]);
    assert!(declares(&text, "x_local", &["n > m ? n : m"]), "{text}");
    assert!(declares(&text, "A_local", &["n", "m"]), "{text}");
}

/// The last tile is cut off, and what it touches is never together with what the others touch.
#[test]
fn strides_are_seen_where_the_last_tile_is_cut_off() {
    let body = "  for (int it = 0; it < m; it += 3)
#pragma polyfold local
    for (int i = it; i < m && i < it + 3; i++)
      for (int l = 0; l < n; l += 2)
        y[l] += A[l][i];";
    let (text, said) = judged("strides", &on_fixed_arrays(body), &[]);
    assert!(
        declares(&text, "A_local", &["(n + 1) / 2", "3"]) && declares(&text, "y_local", &["(n + 1) / 2"]),
        "{text}"
    );
    assert!(said.contains("A_local      A      30     30"), "{said}");
}

/// A product in tiles whose size is a name.
fn product(size: &str) -> String {
    format!(
        "#include <stdio.h>
{size}
static float A[N][N], B[N][N], C[N][N];
static void product(void) {{
#pragma scop
#pragma polyfold local
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}}
int main(void) {{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      A[i][j] = (float)(i * 3 + j), B[i][j] = (float)(i - j);
  product();
  float sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum = sum * 0.5f + C[i][j];
  printf(\"%.9g\\n\", (double)sum);
  return 0;
}}
"
    )
}

#[test]
fn macros_and_enumerators_in_heads_are_numbers() {
    for (name, size) in
        [("macro", "#define N 20"), ("enumerator", "enum { N = 20 };"), ("sum", "#define M 12\n#define N (M + 8)")]
    {
        let (text, said) = judged(name, &product(size), &["--tile", "8,8,8", "--buffers", "2"]);
        assert!(said.contains("box, in front of the loop") && !said.contains("warning"), "{name}: {said}");
        assert!(declares(&text, "A_local", &["2", "8", "8"]), "{name}: {text}");
    }
}

/// Nothing bounds the bytes for any taps; at the value that the macro has they fit, and the value is asserted.
#[test]
fn capacity_goes_by_the_values_of_macros() {
    let source = on_fixed_arrays(
        "  for (int i = m; i < n; i++) {
#pragma polyfold local
    for (int t = 0; t < TAPS; t++)
      y[i] += x[i + TAPS - 1 - t] * h[t];
  }",
    );
    let taps = format!("#define TAPS 5\nstatic double h[TAPS] = {{ 1, 2, 3, 2, 1 }};\n{source}");
    let bytes = (5 + 5 + 1) * 8;
    let fits = ["--capacity", &bytes.to_string()];
    let (text, said) = judged("capacity", &taps, &fits);
    assert!(mentions(&text, "_Static_assert"), "{text}");
    assert!(said.contains("TAPS = 5"), "{said}");
    let (text, _) = judged("no_capacity", &taps, &[]);
    assert!(!mentions(&text, "_Static_assert"), "{text}");
    let less = ["--capacity", &(bytes - 1).to_string(), "--on-overflow", "demote"];
    let (_, said) = judged("overflow", &taps, &less);
    assert!(said.contains(&format!("need {bytes} bytes, and there are {}", bytes - 1)), "{said}");
}
