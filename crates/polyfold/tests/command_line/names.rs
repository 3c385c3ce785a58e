//! Names for long moduli.

use super::warnings::{clean, with_main};
use crate::support::code::{count, has, mentions};
use crate::support::declared::declares;

/// With the room that is usual, Durbin's recursion has two rows.
const NO_ROOM: [&str; 2] = ["--room", "0"];

/// Durbin's recursion without the numbers.
const FOLDED: &str = "  WHERE
#pragma scop
  t[0][0] = x[0];
  for (int k = 1; k < SIZE; k++) {
    for (int i = 0; i < k; i++)
      t[i][k] = (t[i][k - 1] + t[k - i - 1][k - 1]) % 7;
    t[k][k] = x[k];
  }
  for (int i = 0; i < SIZE; i++)
    x[i] = t[i][SIZE - 1];
#pragma endscop
";

/// `FOLDED` for a size in a function `f`.
fn folded(size: &str, declaration: &str) -> String {
    let body = FOLDED.replace("SIZE", size).replace("WHERE", declaration);
    format!("static void f(int n, int x[n]) {{\n{body}}}\n")
}

#[test]
fn long_moduli_have_names() {
    let result = clean("names_int", &with_main(&folded("n", "int t[n][n];"), &["f"]), &NO_ROOM);
    let declared = "const int t_size = n <= 2 ? 3 : 2 * n - 3; int t[t_size];";
    assert!(has(&result, declared) && has(&result, "t[0] = x[0];"), "{result}");
    let wide = folded("n", "int t_size = 0; int t[n][n]; (void)t_size;").replace("int n,", "long n,");
    let result =
        clean("names_long", &with_main(&wide.replace("int k", "long k").replace("int i", "long i"), &["f"]), &NO_ROOM);
    assert!(has(&result, "const long t_size_ = n <= 2 ? 3 : 2 * n - 3;"), "{result}");
}

#[test]
fn names_of_moduli_stand_where_these_are_known() {
    let first = folded("n", "int t[n][n];").replace(" f(", " g(");
    let again = folded("n", "int t[n][n]; n = n > 3 ? n - 1 : n;");
    let result = clean("names_later", &with_main(&(first + &again), &["f", "g"]), &NO_ROOM);
    assert_eq!(count(&result, "const int t_size = _;"), 1, "{result}");
    let inside =
        folded("n", "").replace("#pragma scop\n", "#pragma scop\n  for (int r = 0; r < 3; r++) {\n  int t[n][n];\n");
    let inside = inside.replace("#pragma endscop", "  }\n#pragma endscop");
    let result = clean("names_inside", &with_main(&inside, &["f"]), &NO_ROOM);
    assert!(
        has(&result, "const int t_size = _; for (int r = 0; _; _) _;") && has(&result, "int t[t_size];"),
        "{result}"
    );
}

/// A variable that is new would have to stand in the list.
#[test]
fn moduli_have_no_names_where_variables_are_listed() {
    let parallel =
        "  #pragma omp parallel for default(none) shared(n, x)\n  for (int i = 0; i < n; i++)\n    x[i] += n;\n";
    let source = folded("n", "int t[n][n];").replace("#pragma endscop", &format!("{parallel}#pragma endscop"));
    let result = clean("names_listed", &with_main(&source, &["f"]), &NO_ROOM);
    assert!(!mentions(&result, "t_size") && declares(&result, "t", &["n <= 2 ? 3 : 2 * n - 3"]), "{result}");
}

#[test]
fn moduli_of_parameters_have_names_in_front_of_the_buffer() {
    let source = folded("n", "").replace("int x[n])", "int x[n], int t[n][n])").replace("static ", "");
    let result = clean("names_apart", &with_main(&source, &[]), &["--temporary", "t", "--room", "0"]);
    let declared = "const long t_size = n <= 2 ? 3 : 2 * (long)n - 3; int t_buffer[t_size];";
    assert!(has(&result, declared), "{result}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn moduli_of_macros_are_constants() {
    for class in ["", "static "] {
        let source = format!(
            "#define N 6
static void f(int n, int x[n]) {{
  {class}int t[N][N], v;
#pragma scop
  for (int i = N - 1; i >= 0; i--) {{
    t[i][i] = n;
    for (int j = i + 1; j < N; j++) {{
      t[i][j] = t[i][j - 1] > t[i + 1][j] ? t[i][j - 1] : t[i + 1][j] + j;
      for (int k = i + 1; k < j; k++) {{
        v = t[i][k] + t[k + 1][j];
        t[i][j] = t[i][j] > v ? t[i][j] : v;
      }}
    }}
  }}
  x[0] = t[0][N - 1];
#pragma endscop
}}
"
        );
        let result = clean("names_macro", &with_main(&source, &["f"]), &["--param", "N=50"]);
        assert!(has(&result, &format!("{class}int t[t_size0][t_size1], v;")), "{result}");
    }
}

/// Names that only other functions mention may be those of enumerations, or come from elsewhere.
#[test]
fn names_that_other_functions_mention_are_not_free() {
    let source = "enum kinds { small, t_size = 77 };
int other(void) { return t_size; }
static void f(int n, int x[n]) {
  int t[n][2 * n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2 * n; j++) {
      t[i][j] = i + j;
      if (i > 0) x[i] = t[i - 1][j];
    }
#pragma endscop
}
";
    let result = clean("names_elsewhere", &with_main(source, &["f"]), &[]);
    assert!(!has(&result, "const int t_size = _;"), "{result}");
}

/// Words of isl's grammar, which takes capitals for small letters.
#[test]
fn sizes_may_be_called_as_isl_calls_something() {
    let source = super::programs::SIMPLE.replace("int n, int x[n]", "int x[SIZE]").replace("< n", "< SIZE");
    for size in ["MAX", "Min", "RAT", "Infinity"] {
        let source = source.replace("t[n]", "t[SIZE]").replace("SIZE", size);
        let result = super::files::optimized("isl_words", &format!("#define {size} 100\n{source}"), &[]);
        assert!(has(&result, "int t = 2 * x[i];"), "{result}");
    }
}
