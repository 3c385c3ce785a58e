//! What the tree with expressions says of a scop.

#[allow(dead_code)]
use crate::support::*;

/// The tree of the only scop, if it has one.
fn tree(parameters: &str, declarations: &str, scop: &str) -> Option<String> {
    let parsed = read(&function(parameters, declarations, scop));
    let [scop] = &parsed.scops[..] else { panic!("{:#?}", parsed.diagnostics) };
    scop.program.as_ref().map(ToString::to_string)
}

fn has(parameters: &str, declarations: &str, scop: &str, wanted: &[&str]) {
    let tree = tree(parameters, declarations, scop).expect("it is a program");
    wanted.iter().for_each(|own| assert!(tree.contains(own), "no `{own}` in\n{tree}"));
}

#[test]
fn one_subscript_for_all_dimensions_is_read_as_rows() {
    let scop =
        "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) y[i * m + j] += x[(i - 1) * m + j] > 0 ? 1 : j;";
    let wanted = ["inout \"double\": f64 x[?, m] narrow;", "y[i][j] = y[i][j] + (x[i - 1][j] > 0 ? 1 : j);"];
    has("int n, int m, double *x, double *y", "", scop, &wanted);
    let tested = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (x[i * m + j] > 0) y[j] = 1;";
    has("int n, int m, double *x, double *y", "", tested, &["if (x[i][j] > 0) {"]);
    let first_row = "for (int j = 0; j < m; j++) y[j] = x[j];";
    let rows =
        format!("{first_row} for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) y[i * m + j] = y[i * m - m + j];");
    has("int n, int m, double *x, double *y", "", &rows, &["y[0][j] = x[j];", "y[i][j] = y[i - 1][j];"]);
    let over = "for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) y[i * m + j] = x[j];";
    // A cell would have two names.
    has("int n, int m, double *x, double *y", "", over, &["inout \"double\": f64 y[?];", "y[i * m + j] = x[j];"]);
}

#[test]
fn subscripts_that_data_decide_are_what_they_compute() {
    let scop = "for (int i = 0; i < n; i++) { bins[key[i]] += 1; low[i][k[i] / 2 + i] = lut[k[i]]; }";
    let wanted = [
        "bins[key[i]] = bins[key[i]] + 1;",
        "low[i][k[i] / 2 + i] = lut[k[i]];",
        "inout \"int\": i32 lut[?];",
        "inout \"int\": i32 low[n][9];",
    ];
    has("int n, int *key, int *k, int *lut, int bins[16], int low[n][9]", "", scop, &wanted);
}

#[test]
fn a_pointer_that_may_lead_anywhere_is_an_array_like_others() {
    let scop = "for (int i = 0; i < n; i++) p[i] = x[i];";
    has("int n, double x[n]", "double *p = x;", scop, &["inout \"double\": f64 p[?] stack;", "p[i] = x[i];"]);
}

#[test]
fn what_is_not_understood_is_its_text_around_its_cells() {
    let within = |scop: &str| format!("for (int i = 1; i < n; i++) {{ {scop} }}");
    let parameters = "int n, double *x, double *y, int *key";
    let is = |scop: &str, wanted: &str| has(parameters, "", &within(scop), &[wanted]);
    is("x[i] = y[i] = 3;", "opaque \"$0 = $1 = 3;\" of (write x[i], write y[i]);");
    is("see(x[i] + i, \"a$\");", "opaque \"see($0 + $1, \\\"a$$\\\");\" of (read x[i], i) with effects;");
    is("x[key[i]] = y[0] = i;", "of (read write x[key[i]], write y[0], i);");
    is("x[i] = i > 2 ? see(&y[i]) : 0;", "with effects;");
    is("y[i] = x[(2u * i + 1) % 5];", "y[i] = x[\"(2u * $0 + 1) % 5\"(i)];");
}

#[test]
fn counters_and_sizes_have_their_types() {
    let scop = "for (size_t i = 0; i < m; i++) x[i] = 0; for (unsigned j = 0; j < n; j++) x[j] = 1;
        for (int k = 0; k < n; k++) x[k] = 2; for (long k = 0; k < n; k++) x[k] = 3;";
    let wanted = ["(m: u64, n: u8)", "for let i: u64 = 0", "for let j: u32 = 0", "for let k: unknown = 0"];
    has("unsigned char n, unsigned long m, double *x", "", scop, &wanted);
}

#[test]
fn integers_in_values_have_their_types() {
    let is = |value: &str, wanted: &str| {
        let scop = format!("for (unsigned i = 0; i < n; i++) x[i] = k[i] * ({value});");
        has("int n, int *k, long *x", "", &scop, &[&format!("k[i] * {wanted};")]);
    };
    is("1", "1");
    is("i", "i");
    is("i - n", "(i - n)");
    is("(unsigned)1", "(1 as u32)");
    is("(long)n", "(n as i64)");
    is("(int)i", "(i as i32)");
    is("2 + n", "(2 + n)");
    is("(unsigned long)-1", "(-1 as u64)");
    is("(int)((long)n * n + i)", "(n * n + i as i32)");
}

/// `i - n` of unsigned numbers may wrap around: what divides it, compares it or makes it wider isn't what integers are.
#[test]
fn what_wraps_around_is_no_integer() {
    let is = |value: &str, wanted: &str| {
        let scop = format!("for (unsigned i = 0; i < n && i < m; i++) x[i] = {value};");
        has("unsigned n, unsigned long m, long *x", "", &scop, &[&format!("x[i] = {wanted};")]);
    };
    is("i - n", "i - n");
    is("i / n", "\"$0 / $1\"(i, n)");
    is("i / 2", "i / 2");
    is("(i - n) / 2", "\"$0 / $1\"(i - n, 2)");
    is("(i - n) + m", "\"$0 + $1\"(i - n, m)");
    is("(long)(i - n)", "\"(long)$0\"(i - n)");
    is("(long)(i * n)", "\"(long)$0\"(\"$0 * $1\"(i, n))");
    is("((long)n - 1) / 2", "((n - 1) / 2 as i64)");
}

/// What a macro computes may be another number another day.
#[test]
fn macros_that_are_numbers_are_taken_to_stay_small() {
    let of = |definition: &str| {
        let text = format!(
            "#define N {definition}\nvoid f(double x[N]) {{\n#pragma scop\nfor (int i = 0; i < N; i++) x[i] = 0;\n#pragma endscop\n}}\n"
        );
        let parsed = read(&text);
        parsed.scops[0].program.as_ref().map(ToString::to_string).expect("a program").lines().next().map(str::to_string)
    };
    assert_eq!(of("12").as_deref(), Some("program f(N: i32 to 1000000000) {"));
    assert_eq!(of("12ul").as_deref(), Some("program f(N: u64) {"));
    assert_eq!(of("2000000000").as_deref(), Some("program f(N: i32) {"));
}

#[test]
fn buffers_say_where_their_memory_is() {
    let scop = "for (int i = 0; i < n; i++) { t[i] = x[i]; large[i] = t[i]; }";
    let wanted = ["\"int\": i32 t[n] stack;", "\"char\": i8 large[200000000] static;", "inout \"int\": i32 x[?];"];
    has("int n, int *x", "int t[n]; char large[200000000];", scop, &wanted);
}
