//! Loops, bounds and guards.

#[allow(dead_code)]
use crate::support;
use crate::support::*;

fn lines(scop: &str, wanted: &[&str]) {
    has_lines(&dump(&function("int n, int x[n]", "int i, j;", scop)), wanted);
}

#[test]
fn counters_declared_outside_or_inside() {
    lines(
        "for (int k = 0; k < n; k++) x[k] = 0; for (i = 1; n > i; ++i) { x[i] = 1; }",
        &["for k = 0; k < n; k += 1", "S0[k]: x[k] = f()", "for i = 1; i < n; i += 1", "S1[i]: x[i] = f()"],
    );
}

#[test]
fn steps() {
    lines(
        "for (i = n - 1; i >= 0; i--) x[i] = 0; for (i = n; 0 < i; i -= 2) x[i-1] = 0; for (i = 0; i < n; i = 3 + i) x[i] = 1;",
        &["for i = n - 1; i >= 0; i += -1", "for i = n; i > 0; i += -2", "for i = 0; i < n; i += 3"],
    );
}

#[test]
fn two_bounds() {
    lines("for (i = 0; i < n && i <= 10; i++) x[i] = 0;", &["for i = 0; (i < n && i <= 10); i += 1"]);
}

#[test]
fn counters_inside_sums() {
    lines(
        "for (i = 0; 2 * i + 1 < n - i; i++) for (j = n; 0 <= j - i; j--) x[i] = 0;",
        &["for i = 0; 2*i + 1 < n - i; i += 1", "for j = n; 0 <= j - i; j += -1"],
    );
}

#[test]
fn a_macro_as_step_is_pinned() {
    let source =
        format!("#define S 4\n{}", function("int n, int x[S]", "", "for (int i = 0; i < S; i += S) x[i] = S;"));
    has_lines(&dump(&source), &["pinned S = 4", "for i = 0; i < 4; i += 4"]);
}

#[test]
fn divisions_ternaries_and_casts_in_bounds() {
    lines(
        "for (i = (n - 1) / 2 * 2; i < (int)(n < 5 ? n : 5); i++) x[i % 3] = 0;",
        &["for i = 2*(n - 1)/2; i < (n < 5 ? n : 5); i += 1", "S0[i]: x[i%3] = f()"],
    );
}

#[test]
fn affine_guards() {
    lines(
        "for (i = 0; i < n; i++) if (i > 0 && !(i == 3 || n - i < 2)) x[i] = 0; else { x[i] = 1; ; }",
        &["if (i > 0 && !((i == 3 || n - i < 2)))", "S0[i]: x[i] = f()", "else", "S1[i]: x[i] = f()"],
    );
}

#[test]
fn guards_on_data() {
    lines(
        "for (i = 0; i < n; i++) if (i > 0 && x[i-1] > 0) x[i] = 0;",
        &["S0[i]: test(x[i - 1] if i > 0)", "if (i > 0 && ?)", "S1[i]: x[i] = f()"],
    );
}

#[test]
fn locals_with_affine_initializers_are_substituted() {
    let dump = dump(&function(
        "int n, int x[n + 1]",
        "",
        "for (int i = 0; i < n; i++) { const int m = i + 1; for (int j = m; j < n; j++) x[j] = x[m]; }",
    ));
    has_lines(&dump, &["for j = i + 1; j < n; j += 1", "S1[i, j]: x[j] = f(m, x[i + 1])"]);
}

#[test]
fn inner_names_shadow_outer_ones() {
    let scop = "for (int i = 0; i < 9; i++) { int v = 3; for (int j = 0; j < v; j++) x[j] = i; } v = 2; x[0] = v;";
    has_lines(
        &dump(&function("int n, int x[n + 1]", "int v;", scop)),
        &["for i = 0; i < 9; i += 1", "for j = 0; j < 3; j += 1", "S2[]: v = f()", "S3[]: x[0] = f(v)"],
    );
}

#[test]
fn guards_on_scalars_that_do_not_change() {
    let dump = dump(&function("int n, double a, int x[n]", "", "for (int i = 0; i < n; i++) if (a > 0.5) x[i] = 1;"));
    has_lines(&dump, &["for i = 0; i < n; i += 1", "if ?", "S0[i]: x[i] = f()"]);
}

#[test]
fn one_name_for_two_variables() {
    let source = "void f(int n, int x[n]) {\n int t[n];\n { int n = g();\n#pragma scop\n for (int i = 0; i < n; i++) { t[i] = 1; x[i] = t[i]; }\n#pragma endscop\n }\n}\n";
    let parsed = read(source);
    assert!(parsed.diagnostics[0].message.contains("`t` keeps its layout"), "{:?}", parsed.diagnostics);
}

#[test]
fn data_is_no_parameter() {
    let dump = dump(&format!("int k; {}", function("int n, int x[n]", "", "for (int i = 0; i < n; i++) x[i] = g(k);")));
    assert!(!dump.contains("parameter k") && !dump.contains("(k)"), "{dump}");
}

#[test]
fn labels_name_statements() {
    lines(
        "A: x[0] = 1; for (i = 0; i < n; i++) { S1: x[i] = 2; A: x[i] = 3; x[i] = 4; }",
        &["A[]: x[0] = f()", "S1[i]: x[i] = f()", "A_2[i]: x[i] = f()", "S3[i]: x[i] = f()"],
    );
}

#[test]
fn parallel_pragmas() {
    let scop = "#pragma omp parallel for collapse(2) schedule(static)\nfor (i = 0; i < n; i++) { for (j = 0; j < n; j++)\n\
                #pragma GCC ivdep // inner\nfor (int k = 0; k < n; k++) x[k] = 0; }\n#pragma unroll\nfor (i = 0; i < n; i++) x[i] = 0;";
    lines(
        scop,
        &[
            "parallel for i = 0; i < n; i += 1",
            "parallel for j = 0; j < n; j += 1",
            "parallel for k = 0; k < n; k += 1",
            "for i = 0; i < n; i += 1",
        ],
    );
}

#[test]
fn unsigned_bounds_make_obligations() {
    let dump =
        dump(&function("unsigned long n, int k, int x[n]", "", "for (unsigned long i = k; i < n - 1; i++) x[i] = 0;"));
    has_lines(&dump, &["obligation k >= 0", "obligation n - 1 >= 0"]);
    let dump = support::dump(&function("unsigned n, int x[n]", "", "for (unsigned i = 0; i + 1 < n; i++) x[i] = 0;"));
    has_lines(&dump, &["obligation i + 1 + 1 <= 4294967295", "obligation i + 1 <= 4294967295"]);
    assert_eq!(dump.matches("obligation").count(), 2, "{dump}");
}

#[test]
fn unsigned_sizes_are_not_negative() {
    let dump = dump(&function("unsigned n, int m, int x[n]", "", "for (unsigned i = 0; i < n; i++) x[i] = m > 3;"));
    has_lines(&dump, &["known n >= 0"]);
    assert!(!dump.contains("known m"), "{dump}");
}

#[test]
fn unsigned_bounds_after_another_bound_oblige_wherever_the_loop_is_reached() {
    let scop = "if (n > 7) for (unsigned i = 1; i < 50 && i < n - 1; i++) x[i] = 0;";
    let source = function("unsigned n, int x[n]", "", scop);
    has_lines(&dump(&source), &["obligation n - 1 >= 0", "for i = 1; (i < 50 && i < n - 1); i += 1"]);
    let scop = &read(&source).scops[0];
    let obligation = &scop.obligations[0];
    assert!(obligation.loops.is_empty());
    let conditions: Vec<String> = obligation.conditions.iter().map(|c| scop.show_condition(c)).collect();
    assert_eq!(conditions, ["n > 7"]);
}

#[test]
fn unsigned_divisions_in_subscripts_make_obligations() {
    let scop = "for (int i = 0; i < 9; i++) { t[(i - 3) % 4u] = x[n - 1]; x[i] = t[(i - 3) % 4u]; }";
    let dump = dump(&function("unsigned n, int x[n]", "int t[4];", scop));
    has_lines(&dump, &["obligation i - 3 >= 0"]);
    assert!(!dump.contains("obligation n"), "{dump}");
    let dump = support::dump(&function("unsigned n, int x[n]", "int t[4];", &scop.replace("t[", "x[")));
    assert!(!dump.contains("obligation"), "the layout of `x` does not change: {dump}");
    let dump = support::dump(&function(
        "int n, int x[n]",
        "",
        "for (int i = 0; i < 9; i++) if ((unsigned)(i - 1) < 3) x[i] = 0;",
    ));
    has_lines(&dump, &["obligation i - 1 >= 0"]);
}

#[test]
fn unsigned_sums_without_differences_are_not_negative() {
    let dump =
        dump(&function("unsigned n, int x[n]", "", "for (unsigned i = 0; i < n + 2; i++) if (i + n > 3) x[i] = 0;"));
    has_lines(&dump, &["obligation n + 2 <= 4294967295", "obligation i + n <= 4294967295"]);
    assert_eq!(dump.matches("obligation").count(), 2, "{dump}");
}

#[test]
fn spans_and_lines() {
    let source =
        function("int n, int x[n]", "", "  for (int i = 0; i < n; i++) { // c\n    S: x[i] = x[ i + 1 ];\n  }");
    let scop = &read(&source).scops[0];
    let statement = &scop.statements[0];
    assert_eq!(&source[statement.span.clone()], "x[i] = x[ i + 1 ];");
    assert_eq!((scop.line, statement.line, scop.loops()[0].line), (3, 5, 4));
    assert!(
        source[scop.loops()[0].span.clone()].starts_with("for (int")
            && source[scop.loops()[0].span.clone()].ends_with('}')
    );
    let read = &statement.accesses[0];
    assert_eq!(&source[read.place.span.clone()], "x[ i + 1 ]");
    assert_eq!(&source[read.subscript_spans[0].clone()], "i + 1");
}

/// What is said of the only loop's counter, which is declared in front of the scop.
#[track_caller]
fn outside(declared: &str, behind: &str) -> polyfold_scop::Outside {
    let scop = "for (i = 0; i < n; i++) x[i] = i;";
    let text =
        function("int n, int x[n]", declared, scop).replace("#pragma endscop", &format!("#pragma endscop\n{behind}"));
    let parsed = read(&text);
    assert!(parsed.diagnostics.is_empty(), "{:#?}", parsed.diagnostics);
    let loops = parsed.scops[0].loops();
    *loops[0].counter.outside.clone().expect("the counter is not the loop's own")
}

#[test]
fn counters_in_front_of_a_scop_may_be_read_behind_it() {
    let alone = outside("int i = 3;", "");
    assert!(alone.bare && !alone.mentioned && alone.seen.is_none());
    assert!(!outside("int i = n;", "").bare);
    for (behind, is_seen) in [
        ("for (i = 1; i < n; i++) x[i] = 0;", false),
        ("if (n > 3) { for (i = 1; i < n; i++) { x[i] = 0; } }", false),
        ("if (n > 3) i = 0; x[0] = i;", true),
        ("for (i = 1; i < n; i++) x[i] = 0; x[0] = i;", true),
        ("__typeof__(i) k = 1; x[0] = k;", true),
    ] {
        let found = outside("int i;", behind);
        assert_eq!(found.seen.is_some(), is_seen, "{behind}");
    }
    let again = outside("int i; again: if (n > 3) x[0] = i;", "if (n > 5) goto again;");
    assert!(again.mentioned && again.seen.is_some());
    let types = read(&function("long n, int x[n]", "", "for (unsigned long k = 0; k < n; k++) x[k] = 0;"));
    let counter = types.scops[0].loops()[0].counter.clone();
    assert!(counter.outside.is_none() && !counter.signed && counter.bytes == 8 && counter.element == "unsigned long");
}
