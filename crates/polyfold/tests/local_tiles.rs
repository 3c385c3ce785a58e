//! `compact --tile`: nests that become tiles with a region in them compute the same bits, others are refused with two operations that show why.
//!
//! The judge is a run: each kernel prints a hash of its arrays for sizes 0, 1, odd ones and ones that tiles divide, under sanitizers and with local
//! arrays full of bytes that are no number.

use crate::support::compacted::{compact, counted, local_rows};
use crate::support::compiler::{optimizer_warnings, run, run_source, warnings};
use crate::support::{bring_header, c_files, root, scratch, stem, two_threads};
use std::path::PathBuf;

/// A file with one function `kernel(n, m, A, B, C)` and a `main` that calls it.
fn program(body: &str) -> String {
    format!(
        "#include \"harness.h\"
#define FOUR 4
static void kernel(int n, int m, double A[n + 4][n + 4], double B[n + 4][n + 4], double C[n + 4][n + 4]) {{ (void)m, (void)A, (void)B, (void)C;
{body}}}
int main(void) {{
  const int sizes[] = {{0, 1, 2, 3, 4, 5, 9, 12}};
  for (int k = 0; k < 8; k++) {{
    const int n = sizes[k];
    const long cells = (n + 4L) * (n + 4L);
    double *a = filled(cells, 1), *b = filled(cells, 2), *c = filled(cells, 3);
    kernel(n, k % 3, (void *)a, (void *)b, (void *)c);
    show(a, cells), show(b, cells), show(c, cells);
    printf(\"%d\\n\", n);
  }}
  return 0;
}}
"
    )
}

/// The command on a file with a body of `kernel`.
struct Tiled {
    status: Option<i32>,
    said: String,
    /// The paths of both programs, and the text of the new one.
    paths: [std::path::PathBuf; 2],
    text: Option<String>,
    /// The cells of its local arrays.
    cells: Vec<(String, usize)>,
}

fn tiled(name: &str, text: &str, sizes: &str) -> Tiled {
    let directory = scratch("local_tiles").join(name);
    std::fs::create_dir_all(&directory).expect("the directory is writable");
    bring_header("harness.h", &directory).expect("the directory is writable");
    let paths = [directory.join(format!("{name}.c")), directory.join(format!("{name}_out.c"))];
    std::fs::write(&paths[0], text).expect("the directory is writable");
    let _ = std::fs::remove_file(&paths[1]);
    let said = compact(&paths[0], &paths[1], &["--tile", sizes, "--always"]);
    let text = std::fs::read_to_string(&paths[1]).ok();
    let cells = local_rows(&said).into_iter().map(|row| (row.name, row.cells)).collect();
    Tiled { status: said.status.code(), said: String::from_utf8_lossy(&said.stderr).into_owned(), paths, text, cells }
}

/// Programs that every compiler is asked about; gcc compiles all of them.
const WARNED: [&str; 3] = ["product_of_rows", "conditions", "band"];

/// Whether both programs print the same, and the new one is free of warnings.
fn same(name: &str, tiled: &Tiled) -> Result<(), String> {
    let text = tiled.text.as_ref().ok_or_else(|| tiled.said.clone())?;
    let include = format!("-I{}", root().join("corpus/compact").display());
    if WARNED.contains(&name) {
        warnings(&tiled.paths[1])?;
    }
    let poisoned = tiled.paths[1].with_extension("counted.c");
    std::fs::write(&poisoned, counted(text)).map_err(|error| error.to_string())?;
    // It is a text of ours: sanitizers find as much if it is not optimized, in half the time.
    let (before, after) = (run_source(&tiled.paths[0], &[&include])?, run(&poisoned, &["-O0", &include])?);
    if before == after { Ok(()) } else { Err(format!("{} prints something else", tiled.paths[1].display())) }
}

/// Local arrays with their cells.
type Cells = [(&'static str, usize)];

/// By name: sizes, the scop, and the cells of local arrays.
const LEGAL: &[(&str, &str, &str, &Cells)] = &[
    (
        "cholesky",
        "8",
        "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j] + 50;
    }
    for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] *= 0.5;
  }
",
        &[("A_local", 561), ("A_local2", 34)],
    ),
    (
        "ldlt",
        "8",
        "  for (int j = 0; j < n; j++) {
    B[0][j] = A[j][j] + 50;
    for (int k = 0; k < j; k++)
      B[0][j] -= A[j][k] * A[j][k] * B[0][k];
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k] * B[0][k];
      A[i][j] /= B[0][j];
    }
  }
",
        &[("A_local", 8), ("A_local2", 1089), ("B_local", 34)],
    ),
    (
        "two_triangles",
        "8",
        "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
    A[i][i] *= 0.5;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++)
        B[i][j] += B[i][k] * A[j][k];
    B[i][i] *= 0.25;
  }
",
        &[("A_local", 561), ("A_local2", 8), ("A_local", 528), ("B_local", 264), ("B_local2", 8)],
    ),
    (
        "product",
        "3,4,2",
        "#pragma polyfold local
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
",
        &[("A_local", 6), ("B_local", 8), ("C_local", 12)],
    ),
    (
        "product_of_rows",
        "3,4",
        "#pragma polyfold local hoist(A, jt)
  /* a comment */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
",
        &[("A_local", 66), ("B_local", 88), ("C_local", 12)],
    ),
    (
        "stencil",
        "4,3",
        "  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      B[i][j] = A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];
",
        &[("A_local", 30), ("B_local", 12)],
    ),
    (
        "triangular_solution",
        "4,3",
        "  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      for (int j = 0; j < n; j++)
        B[i][j] -= A[i][k] * B[k][j];
",
        &[("A_local", 12), ("B_local", 88), ("B_local2", 66)],
    ),
    (
        "upper_triangle",
        "3,4",
        "  for (int i = n - 1; i >= 0; i--)
    for (int j = i; j < n + 2; j++)
      C[i][j] += A[i][j] * B[j][i];
",
        &[("A_local", 12), ("B_local", 12), ("C_local", 12)],
    ),
    (
        "blur",
        "3,5",
        "  for (int i = 0; i < n; i++)
    for (int j = 1; j < n - 1; j++)
      B[i][j] = (A[i][j - 1] + A[i][j] + A[i][j + 1]) / 3;
  for (int i = 2; i < n; i++)
    for (int j = 1; j < n - 1; j++)
      C[i - 1][j] = (B[i - 2][j] + B[i - 1][j] + B[i][j]) / 3;
",
        &[("A_local", 21), ("B_local", 15), ("B_local", 25), ("C_local", 15)],
    ),
    (
        "band",
        "3,2",
        "  for (int i = 0; i < n; i++)
    for (int j = i; j < i + 4; j++)
      C[i][j] = A[i][j] * B[j][i];
",
        &[("A_local", 6), ("B_local", 6), ("C_local", 6)],
    ),
    (
        "transposition",
        "4,4",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[j][i] = A[i][j];
",
        &[("A_local", 16), ("B_local", 16)],
    ),
    (
        "gauss_seidel",
        "3,4",
        "  for (int t = 0; t < m; t++)
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        A[i][j] = 0.2 * (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
",
        &[("A_local", 30)],
    ),
    (
        "skewed_line",
        "2,3",
        "  for (int t = 0; t < m; t++)
    for (int i = t + 1; i < t + n - 1; i++)
      A[2][i - t] = 0.3 * (A[2][i - t] + A[2][i - t - 1] + A[2][i - t + 1]);
",
        &[("A_local", 6)],
    ),
    (
        "steps",
        "2,2",
        "  for (int i = 1; i < n; i += 2)
    for (int j = n; j >= 1; j -= 3)
      A[i][j] += 0.5 * A[i - 1][j] + B[j][i];
",
        &[("A_local", 4), ("A_local2", 4), ("B_local", 4)],
    ),
    (
        "conditions",
        "3,3",
        "  for (int row = 0; row < n && row < 10; row++) {
    if (row != 2)
      for (int j = row / 2; j < n; j++)
        if (A[row][j] > 10.0)
          B[row][j] = A[row][j] + (j > row ? C[row][j] : C[j][row]);
  }
",
        &[("A_local", 9), ("C_local", 9), ("B_local", 9)],
    ),
    (
        "numbers",
        "2,2",
        "  for (int i = 0; i < 4; i++)
    for (int j = 1; j < FOUR; j++)
      A[i % 3][j] += B[j][i % 2];
",
        &[("B_local", 4), ("A_local", 6)],
    ),
    (
        "outer_loop_only",
        "5",
        "  for (long i = 0; i < n; i++) {
    C[i][0] = 0;
    for (int j = 0; j < n; j++)
      C[i][0] += A[i][j];
  }
",
        &[("C_local", 5), ("A_local", 125)],
    ),
    (
        "names_that_are_taken",
        "2,2",
        "  for (int it = 0; it < n; it++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] += it * B[i][j];
",
        &[("B_local", 32), ("A_local", 32)],
    ),
];

#[test]
fn nests_in_tiles_compute_the_same() {
    let faults = two_threads::map(LEGAL.iter().collect(), |(name, sizes, scop, wanted)| {
        let found = tiled(name, &program(&format!("#pragma scop\n{scop}#pragma endscop\n")), sizes);
        let text = found.text.clone().unwrap_or_default();
        let cells: Vec<(&str, usize)> = found.cells.iter().map(|(name, cells)| (name.as_str(), *cells)).collect();
        match cells == *wanted {
            false => Err(format!("{name}: {cells:?} in\n{text}\n{}", found.said)),
            // What an `int` always meets is not tested.
            true if text.contains("21474836") => Err(format!("{name}: the end of a type in\n{text}")),
            true => same(name, &found).map_err(|fault| format!("{name}: {fault}")),
        }
    });
    let faults: Vec<String> = faults.into_iter().filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// By name: sizes, the scop behind a pragma, the message, and its place.
const REFUSED: &[(&str, &str, &str, &str, &str)] = &[
    (
        "time",
        "4,4",
        "  for (int t = 1; t < n; t++)
    for (int i = 1; i <= n; i++)
      A[t][i] = A[t - 1][i - 1] + A[t - 1][i + 1];
",
        "line 8 at t = 2, i = 4 reads what line 8 at t = 1, i = 5 writes to `A`, and would run before it (n = 5)",
        ":8:7",
    ),
    (
        "ping_pong",
        "2,4",
        "  for (int t = 0; t < m; t++) {
    for (int i = 1; i <= n; i++)
      B[0][i] = A[0][i - 1] + A[0][i + 1];
    for (int i = 1; i <= n; i++)
      A[0][i] = B[0][i];
  }
",
        "the loop of `t` holds more than a loop",
        ":7:5",
    ),
    (
        "nine_points",
        "4,4",
        "  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      A[i][j] = A[i][j] + A[i - 1][j + 1] + A[i + 1][j - 1];
",
        "and would run before it",
        ":8:7",
    ),
    (
        "memory",
        "4,4",
        "  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      A[0][i + j] = B[i][j];
",
        "uses a cell of `A` that line 8 at",
        ":8:7",
    ),
    (
        "sum",
        "4,4",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[0][0] += A[i][j];
",
        "writes to `C`, and would run before it",
        ":8:7",
    ),
    (
        "too_many_sizes",
        "4,4,4",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i][j] += A[i][j];
",
        "tiles have 3 sizes, and there are 2 loops directly inside each other",
        ":6:3",
    ),
    (
        "beside",
        "4,4",
        "  for (int i = 0; i < n; i++) {
    C[i][0] = 0;
    for (int j = 0; j < n; j++)
      C[i][0] += A[i][j];
  }
",
        "the loop of `i` holds more than a loop: what is beside that would run again for every tile",
        ":7:5",
    ),
    (
        "parallel",
        "4",
        "#pragma omp parallel for
  for (int i = 0; i < n; i++)
    C[i][0] = A[0][i];
",
        "may run at once",
        ":7:3",
    ),
    (
        "counter_in_front",
        "4",
        "  for (m = 0; m < n; m++)
    C[m][0] = A[0][m];
",
        "declared in front of its loop",
        ":6:3",
    ),
    ("no_loop", "4", "  C[0][0] = A[0][0];\n", "no loop that can be tiled is behind this pragma", ":5:1"),
    (
        "data",
        "4",
        "  for (int i = 0; i < C[0][0]; i++)
    C[i][0] = A[0][i];
",
        "this bound is not affine",
        ":6:23",
    ),
    (
        "bound_between",
        "2,2",
        "  for (int i = 0; i < n; i++) {
    const int half = i / 2;
    for (int j = half; j < n; j++)
      C[i][j] = A[j][i];
  }
",
        "the loop of `i` holds more than a loop",
        ":7:5",
    ),
    (
        "declared_between",
        "2,2",
        "  for (int i = 0; i < n; i++) {
    double s;
    for (int j = 0; j < n; j++) {
      if (j == 0)
        s = A[i][0];
      C[i][j] = s;
    }
  }
",
        "`s` is declared between the loops, and each tile would have its own",
        ":7:5",
    ),
];

#[test]
fn what_tiles_would_change_is_refused_with_the_place() {
    let mut faults = Vec::new();
    for (name, sizes, nest, message, place) in REFUSED {
        let body = format!("#pragma scop\n#pragma polyfold local\n{nest}#pragma endscop\n");
        let found = tiled(name, &program(&body), sizes);
        if found.status != Some(1) || found.text.is_some() {
            faults.push(format!("{name}: status {:?}, {}", found.status, found.said));
        }
        if !found.said.contains(message) || !found.said.contains(place) {
            faults.push(format!("{name}: {}", found.said));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Two nests without pragmas, one with too few loops, a scop that is not understood, and an array that cannot be copied: all in their places.
#[test]
fn messages_are_about_the_file_as_it_is() {
    let text = "void f(int n, int P[n], double A[n][n], double B[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++) B[0][i] = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = A[j][i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] +=
        A[i][j] * A[P[i]][j];
#pragma endscop
}
void g(int n, double A[n]) {
#pragma scop
  while (n > 3)
    A[n - 1] = 0;
#pragma endscop
}
";
    let found = tiled("places", text, "4,4");
    assert_eq!((found.status, found.text.as_deref()), (Some(1), None), "{}", found.said);
    for (message, place) in [
        ("tiles have 2 sizes, and there is 1 loop", ":3:3"),
        ("a `while` loop in a scop", ":15:3"),
        ("`A` stays where it is: this subscript is no sum", ":10:19"),
    ] {
        assert!(found.said.contains(message) && found.said.contains(place), "{message}: {}", found.said);
    }
    let [input, output] = &found.paths;
    let said = compact(input, output, &["--tile", "4,4", "--on-error", "skip"]);
    let table = String::from_utf8_lossy(&said.stdout);
    assert!(said.status.success() && table.contains("f, line 4") && table.contains("f, line 7"), "{said:?}");
}

#[test]
fn sizes_are_positive_numbers() {
    for sizes in ["0", "-1", "4,x", "", "4,,4"] {
        let found = tiled("usage", &program("#pragma scop\n  C[0][0] = 0;\n#pragma endscop\n"), sizes);
        assert_eq!((found.status, found.text), (Some(2), None), "{sizes}: {}", found.said);
    }
}

/// Calls that are not known to compute only, with a cure that works; and files without loops that could be tiled.
#[test]
fn refusals_say_what_to_do() {
    let calling = |body: &str| {
        format!("double g(double);\nvoid f(int n, double A[n][n]) {{\n#pragma scop\n{body}#pragma endscop\n}}\n")
    };
    let nest = "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      A[i][j] = g(A[i][j]);\n";
    let called = tiled("called", &calling(nest), "4,4");
    assert_eq!((called.status, called.text.as_deref()), (Some(1), None), "{}", called.said);
    for part in ["line 6 at i = 3, j = 3 would run before line 6 at i = 0, j = 4", "(n = 5)", "say with --pure", ":6:7"]
    {
        assert!(called.said.contains(part), "{part}: {}", called.said);
    }
    let [input, output] = &called.paths;
    let said = compact(input, output, &["--tile", "4,4", "--always", "--pure", "g"]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    for (name, body, help) in [
        ("not_understood", "  while (n > 3) A[0][--n] = 2;\n", "what is said above keeps the loops"),
        ("without_loops", "  A[0][0] = 2;\n", "put `#pragma scop` and `#pragma endscop` around the loops"),
    ] {
        let found = tiled(name, &calling(body), "4,4");
        assert_eq!((found.status, found.text.as_deref()), (Some(1), None), "{name}: {}", found.said);
        assert!(
            found.said.contains("error[P0606]: no loops to tile in this file") && found.said.contains(help),
            "{}",
            found.said
        );
    }
}

/// A size that a `long` may not hold bounds no tiles.
#[test]
fn what_a_long_may_not_hold_is_refused_by_itself() {
    let body = "  const size_t rows = (size_t)n;
#pragma scop
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < rows; j++)
      B[i][j] = A[0][i] + A[0][j];
  for (size_t i = 0; i < FOUR; i++)
    for (size_t j = 0; j < i; j++)
      C[i][j] = A[0][i] + A[0][j];
#pragma endscop
";
    let tiled = tiled("unsigned_triangle", &program(body), "2,2");
    assert_eq!(tiled.status, Some(0), "{}", tiled.said);
    let wraps = "sums of its sizes and counters may get past their types";
    assert!(tiled.said.contains("unsigned_triangle.c:6:3") && tiled.said.contains(wraps), "{}", tiled.said);
    same("unsigned_triangle", &tiled).unwrap();
}

/// Tiles of 8, 8×8 and 8×8×8 of every kernel of the corpus end in a result, which compiles and prints the same, or in a refusal.
#[test]
#[ignore = "long, in ./check-more"]
fn the_corpus_in_tiles_is_refused_or_computes_the_same() {
    corpus_in_tiles(&["8", "8,8", "8,8,8"], &|_| true);
}

/// The same of kernels whose triangles or borders make subscripts choices, and of one with a local that only subscripts read.
#[test]
fn some_of_the_corpus_in_tiles_computes_the_same() {
    let results = corpus_in_tiles(&["8"], &|name| ["cholesky", "thomas", "trisolv", "unsharp"].contains(&name));
    assert_eq!(results, 4);
}

/// The number of results.
fn corpus_in_tiles(sizes: &[&str], is_asked: &dyn Fn(&str) -> bool) -> usize {
    let directory = scratch("corpus_in_tiles");
    let files = c_files().into_iter().filter(|file| file.parent().is_some_and(|p| p.ends_with("corpus")));
    let asked = files.filter(|file| is_asked(&stem(file)));
    let asked = asked.flat_map(|file| sizes.iter().map(move |sizes| (file.clone(), *sizes))).collect();
    let judged = |(file, sizes): (PathBuf, &str)| -> Result<bool, String> {
        let [plain, output] =
            ["plain", "tiled"].map(|kind| directory.join(format!("{}_{sizes}_{kind}.c", stem(&file))));
        let _ = std::fs::remove_file(&output);
        std::fs::copy(&file, &plain).map_err(|error| error.to_string())?;
        let include = root().join("corpus").display().to_string();
        let said = compact(&file, &output, &["-I", &include, "--tile", sizes]);
        let messages = String::from_utf8_lossy(&said.stderr);
        match said.status.code() {
            Some(0) if run_source(&plain, &[])? == run(&output, &[])? => Ok(true),
            Some(0) => Err(format!("{} prints something else", output.display())),
            Some(1) if !messages.contains("panicked") => Ok(false),
            status => Err(format!("{} in tiles of {sizes} ends with {status:?}: {messages}", file.display())),
        }
    };
    let found: Result<Vec<bool>, String> = two_threads::map(asked, judged).into_iter().collect();
    found.unwrap_or_else(|why| panic!("{why}")).into_iter().filter(|has_result| *has_result).count()
}

/// Its local array is written, and compilers would warn that nobody reads it.
#[test]
fn a_temporary_that_nobody_reads_draws_no_warning() {
    let body = "  double t[40];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = 2 * A[0][i];
    C[0][i] = t[i] + t[i];
  }
  for (int i = 0; i < n; i++) {
    t[i] = 3 * A[0][i];
    B[0][i] += A[0][i] * A[0][i];
  }
#pragma endscop
";
    let tiled = tiled("unread", &program(body), "4");
    assert_eq!(tiled.status, Some(0), "{}", tiled.said);
    assert_eq!(run_source(&tiled.paths[0], &[]), run(&tiled.paths[1], &[]));
    warnings(&tiled.paths[1]).unwrap();
}

/// An array that a tile declares goes where it lives in local ones, and an integer that only old subscripts read is mentioned.
#[test]
fn what_a_tile_declares_draws_no_warning() {
    let body = "#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      const int at = i + m - 1 - j + 2 * j - j;
      double s = A[i][j] + A[i][j + 1] * 3;
      double t[2];
      t[0] = A[at - m + 1][j] * 2;
      t[1] = t[0] + A[i][j];
      B[i][j] = t[1] + s + t[0];
    }
#pragma endscop
";
    let tiled = tiled("declared", &program(body), "4");
    assert_eq!(tiled.status, Some(0), "{}", tiled.said);
    assert_eq!(run_source(&tiled.paths[0], &[]), run(&tiled.paths[1], &[]));
    warnings(&tiled.paths[1]).unwrap();
}

/// What is written for whole tiles would never run.
#[test]
fn a_nest_shorter_than_its_tile_stays() {
    let body = "#define FIVE 5
#pragma scop
  for (int i = 0; i < FIVE; i++)
    B[0][0] += 2;
#pragma endscop
";
    for (size, is_taken) in [("8", false), ("5", true), ("2", true)] {
        let tiled = tiled(&format!("short_{size}"), &program(body), size);
        assert_eq!(tiled.status == Some(0), is_taken, "{size}: {}", tiled.said);
        assert_eq!(tiled.said.contains("has 5 iterations, and a tile 8"), !is_taken, "{size}: {}", tiled.said);
    }
}

/// With tiles that are never longer than the loop, cells further behind are never copied, and compilers take the local array for
/// too small for them.
#[test]
fn copies_that_never_run_at_a_macros_value_draw_no_warning() {
    let source = "\
#define N 8
#define M 4
void kernel(double in[N], double out[N]) {
  double s0;
#pragma scop
  for (int i = N - 1; i >= 0; i--) {
    s0 = 0.0;
    for (int j = 0; j < M; j++)
      s0 += 0.5 * (i - 1 >= 0 ? in[i - 1] : 1.0) + 0.25 * in[(i - 2) > 0 ? (i - 2) : 0];
    out[i] = s0;
  }
#pragma endscop
}
";
    let main = "#include <stdio.h>
int main(void) {
  double in[N], out[N];
  for (int i = 0; i < N; i++) in[i] = i * i;
  kernel(in, out);
  for (int i = 0; i < N; i++) printf(\"%.17g\\n\", out[i]);
  return 0;
}
";
    for size in ["8", "13"] {
        let source = source.replace("N 8", &format!("N {size}"));
        let directory = scratch("tiles");
        let (input, output) =
            (directory.join(format!("macro_{size}.c")), directory.join(format!("macro_{size}_out.c")));
        std::fs::write(&input, format!("{source}{main}")).expect("the directory is writable");
        let said = compact(&input, &output, &["--tile", "8", "--assume-noalias"]);
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        optimizer_warnings(&output).unwrap_or_else(|why| panic!("{size}: {why}"));
        assert_eq!(run(&output, &[]), run_source(&input, &[]), "{size}");
    }
}
