//! Macros in scops and declarations.

use crate::support::*;
#[allow(dead_code)]
use polyfold_frontend::Severity;
use polyfold_scop::FragmentId;

#[test]
fn an_access_made_by_a_macro_is_a_fragment() {
    let source = format!(
        "#define AT(a,r,c) a[r][c]\n{}",
        function("int n, int B[n][n], int x[n]", "", "for (int i = 0; i < n; i++) x[i] = 2 * AT(B, i, i-1);")
    );
    let scop = &read(&source).scops[0];
    has_lines(&scop.to_string(), &["S0[i]: x[i] = f(B[i][i - 1])"]);
    let access = &scop.statements[0].accesses[0];
    assert_eq!(access.place.fragment, Some(FragmentId(0)));
    let fragment = &scop.fragments[0];
    assert_eq!((fragment.text.as_str(), &source[fragment.replaces.clone()]), ("B[i][i-1]", "AT(B, i, i-1)"));
    assert_eq!(&fragment.text[access.place.span.clone()], "B[i][i-1]");
    assert_eq!(&fragment.text[access.subscript_spans[1].clone()], "i-1");
    assert_eq!(&source[scop.statements[0].span.clone()], "x[i] = 2 * AT(B, i, i-1);");
}

#[test]
fn a_written_place_may_be_a_macro_call() {
    let source =
        format!("#define AT(r) t[r]\n{}", function("int n, int t[n]", "", "for (int i = 0; i < n; i++) AT(i) = 0;"));
    has_lines(&dump(&source), &["S0[i]: t[i] = f()"]);
}

#[test]
fn subscripts_and_bounds_may_be_macro_calls() {
    let source = format!(
        "#define MIN(a,b) ((a) < (b) ? (a) : (b))\n#define UP(x) (x + 1)\n{}",
        function("int n, int x[n + 1]", "", "for (int i = 0; i < MIN(n, 7); i++) x[UP(i)] = 0;")
    );
    has_lines(&dump(&source), &["for i = 0; i < (n < 7 ? n : 7); i += 1", "S0[i]: x[i + 1] = f()"]);
    let scop = &read(&source).scops[0];
    let access = &scop.statements[0].accesses[0];
    assert_eq!((access.place.fragment, &source[access.subscript_spans[0].clone()]), (None, "UP(i)"));
}

const POLYBENCH: &str = "#define POLYBENCH_LOOP_BOUND(x,y) x\n#define N 100\n#define _PB_N POLYBENCH_LOOP_BOUND(N,n)\n\
    #define DATA_TYPE float\n#define SCALAR_VAL(x) x##f\n#define C99(x,y) x\n#define POLYBENCH_2D(v,d1,d2,e1,e2) v[C99(d1,e1) + 0][C99(d2,e2) + 0]\n";

#[test]
fn polybench_style() {
    let source = format!(
        "{POLYBENCH}{}",
        function(
            "int n, DATA_TYPE POLYBENCH_2D(A,N,N,n,n)",
            "int i, j; DATA_TYPE t[N];",
            "for (i = 0; i < _PB_N; i++) { t[i] = SCALAR_VAL(0.2); for (j = 1; j < _PB_N; j++) A[i][j] = t[i] * A[i][j-1]; }",
        )
    );
    has_lines(
        &dump(&source),
        &[
            "parameter N = 100",
            "DATA_TYPE t[N] temporary",
            "DATA_TYPE A[N][N] kept InOut: it is a parameter of the function: its layout is the program's interface",
            "for i = 0; i < N; i += 1",
            "S1[i, j]: A[i][j] = f(t[i], A[i][j - 1])",
        ],
    );
    let scop = &read(&source).scops[0];
    let a = scop.array(scop.array_named("A").unwrap());
    let declarator = &a.declaration.as_ref().unwrap().declarator;
    assert_eq!(&scop.fragments[declarator.fragment.unwrap().0].text, "A[N + 0][N + 0]");
    assert_eq!(a.element_bytes, Some(4));
}

#[test]
fn symbolic_and_pinned_constants() {
    let source = format!(
        "#define N 8\n#define M (N + 2)\n#define T 3\n#define PI 3.14\nenum {{ K = 5 }};\n{}",
        function(
            "double a[N][K], double b[N*K]",
            "double t[M]; const int w = 4;",
            "for (int i = T; i < N; i++) { t[i] = PI * T; a[i][K-1] = t[i] + b[w]; }"
        )
    );
    let dump = dump(&source);
    has_lines(&dump, &["parameter N = 8", "parameter K = 5", "pinned T = 3"]);
    assert!(!dump.contains("pinned w"), "{dump}");
    has_lines(&dump, &["double t[N + 2] temporary", "S0[i]: t[i] = f()", "S1[i]: a[i][K - 1] = f(t[i], b[4])"]);
}

#[test]
fn constant_variables_are_never_pinned() {
    let with = |declarations: &str, scop: &str| dump(&function("int n, int x[n]", declarations, scop));
    let lag = with("const int lag = 3;", "for (int i = lag; i < n; i++) x[i] = x[i - lag];");
    has_lines(&lag, &["for i = 3; i < n; i += 1", "S0[i]: x[i] = f(x[i - 3])"]);
    let size = with("const int m = 5; int t[m];", "for (int i = 0; i < m; i++) { t[i] = 1; x[i] = t[i]; }");
    has_lines(&size, &["parameter m", "int t[m] temporary", "for i = 0; i < m; i += 1"]);
    let product = with(
        "const int m = 5; int t[m][m];",
        "for (int i = 0; i < m * m; i += m) { t[0][i % m] = 1; x[i] = t[0][0]; }",
    );
    has_lines(&product, &["for i = 0; i < 25; i += 5", "S0[i]: t[0][i%5] = f()"]);
    let wrapped = with("const unsigned char big = 300;", "for (int i = 0; i < big; i++) x[i] = 1;");
    has_lines(&wrapped, &["parameter big", "for i = 0; i < big; i += 1"]);
    assert!([lag, size, product, wrapped].iter().all(|dump| !dump.contains("pinned")));
}

#[test]
fn padding_of_zero_is_no_size() {
    let source = format!(
        "#define N 8\n#define PAD 0\n{}",
        function("int x[N + PAD]", "", "for (int i = 0; i < N; i++) x[i] = 0;")
    );
    let dump = dump(&source);
    has_lines(
        &dump,
        &[
            "parameter N = 8",
            "pinned PAD = 0",
            "int x[N] kept InOut: it is a parameter of the function: its layout is the program's interface",
        ],
    );
    assert!(!dump.contains("parameter PAD"), "{dump}");
}

#[test]
fn products_pin_constants() {
    let source = format!(
        "#define N 8\n#define M 6\n{}",
        function("", "int t[N][M], u[N * M];", "for (int i = 0; i < N * M; i++) t[0][M - 1] = u[i];")
    );
    has_lines(&dump(&source), &["pinned M = 6", "pinned N = 8", "int u[48] temporary"]);
    let source = format!(
        "#define N 8\n#define M 6\n{}",
        function(
            "",
            "int t[N][M], u[M];",
            "for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) t[j][(M * i) % M] = u[i];"
        )
    );
    has_lines(&dump(&source), &["parameter N = 8", "pinned M = 6"]);
}

#[test]
fn conditional_branches_follow_the_compiler() {
    let source = "#define FAST 1\nvoid f(int n, int x[n]) {\n#if FAST\n int t[4];\n#else\n int t[n][n];\n#endif\n#pragma scop\n t[0] = 1;\n x[0] = t[0];\n#pragma endscop\n}\n";
    has_lines(&read(source).scops[0].to_string(), &["S0[]: t[0] = f()"]);
}

#[test]
fn a_branch_inside_the_scop_is_a_warning() {
    let source =
        "void f(int n, int x[n]) {\n#pragma scop\n#ifdef X\n x[0] = 1;\n#endif\n x[1] = 1;\n#pragma endscop\n}\n";
    let parsed = read(source);
    assert_eq!(parsed.scops[0].statements.len(), 1);
    assert!(parsed.diagnostics[0].message.contains("holds only for this configuration"));
}

#[test]
fn windows_line_ends() {
    let source = "#define N 4\nvoid f(int *x) {\n#pragma \\\n scop\n for (int i = 0; i < N; i++)\n#if 1\n  x[i] = 1;\n#endif\n#pragma endscop\n}\n".replace('\n', "\r\n");
    assert_eq!(read(&source).scops.len(), 1, "{:?}", read(&source).diagnostics);
}

#[test]
fn macros_that_make_statements_are_refused() {
    let with =
        |definition: &str, scop: &str| format!("#define {definition}\n{}", function("int n, int x[n]", "int i;", scop));
    refused(
        &with("FOR(i,n) for (i = 0; i < n; i++)", "FOR(i, n) x[i] = 0;"),
        Severity::Warning,
        "the macro `FOR` makes a loop",
        "FOR(i, n)",
    );
    refused(
        &with("SET(i) x[i] = 0", "for (i = 0; i < n; i++) SET(i);"),
        Severity::Warning,
        "`SET` makes a whole statement",
        "SET(i);",
    );
    refused(
        &with("SET(i) x[i] = 0;", "for (i = 0; i < n; i++) SET(i)"),
        Severity::Warning,
        "`SET` makes a whole statement",
        "SET(i)",
    );
}

#[test]
fn a_macro_that_names_itself_keeps_the_array() {
    let source =
        format!("#define v v[1]\n{}", function("int n, int x[n]", "int v;", "for (int i = 0; i < n; i++) x[i] = v;"));
    let parsed = read(&source);
    assert!(
        parsed.diagnostics[0].message.contains("a macro names itself in the reference at line 5"),
        "{:?}",
        parsed.diagnostics
    );
}

#[test]
fn a_reference_partly_made_by_a_macro_keeps_the_array() {
    let source = format!(
        "#define IDX(i) [i]\n{}",
        function("int n, int x[n]", "int t[n];", "for (int i = 0; i < n; i++) { t IDX(i) = 0; x[i] = t[i]; }")
    );
    let parsed = read(&source);
    assert!(
        parsed.diagnostics[0].message.contains("a macro makes only a part of the reference at line 5"),
        "{:?}",
        parsed.diagnostics
    );
}
