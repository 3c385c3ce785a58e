//! Other tools' pragmas around a scop.

use crate::support::*;
#[allow(dead_code)]
use polyfold_frontend::{Options, Severity};
use polyfold_scop::Role;

#[test]
fn a_pragma_outside_the_scop_may_name_an_array() {
    let source = "void f(int n, int x[n]) {\n int t[4], u[4];\n#pragma HLS array_partition variable=t complete\n#pragma scop\n t[0] = 1; u[0] = t[0]; x[0] = u[0];\n#pragma endscop\n}\n";
    let parsed = read(source);
    let scop = &parsed.scops[0];
    let role = |name| scop.array(scop.array_named(name).unwrap()).role.clone();
    assert!(matches!(role("t"), Role::Kept(kept) if kept.reason == "the pragma at line 3 names it"));
    assert_eq!(role("u"), Role::Temporary);
}

#[test]
fn a_scalar_in_a_clause_is_no_surprise() {
    let scop = "#pragma omp parallel for reduction(+:s) private(t)\nfor (int i = 0; i < n; i++) { t = x[i]; s += t; }\nx[0] = s;";
    let source = function("int n, int x[n]", "int s = 0, t;", scop);
    has_lines(&dump(&source), &["int t kept Internal: the pragma at line 4 names it"]);
}

#[test]
fn polyfold_pragmas_with_unknown_names_are_reported() {
    let source =
        "void f(int n, int x[n]) {\n#pragma polyfold temporary(zz)\n#pragma scop\n x[0] = 1;\n#pragma endscop\n}\n";
    let parsed = read(source);
    assert_eq!(parsed.scops.len(), 1);
    assert!(parsed.diagnostics[0].message.contains("`zz`, which is not declared"));
    assert!(!parsed.diagnostics[0].about_options);
}

/// Those of a file say `pure`, all others stand in functions.
#[test]
fn polyfold_pragmas_that_say_nothing_are_reported() {
    let scop = "#pragma scop\n x[0] = 1;\n#pragma endscop\n}\n";
    let first = |front: &str, inside: &str| {
        let parsed = read(&format!("{front}static int t[4];\nvoid f(int n, int x[n]) {{\n{inside}{scop}"));
        assert_eq!(parsed.scops.len(), 1);
        parsed.diagnostics.first().map(|diagnostic| diagnostic.message.clone()).unwrap_or_default()
    };
    assert_eq!(first("", "#pragma polyfold temporay(t)\n"), "polyfold knows no pragma `temporay`");
    let outside = "`#pragma polyfold temporary` does nothing outside of functions";
    assert_eq!(first("#pragma polyfold temporary(t)\n", ""), outside);
    assert_eq!(first("int f(int);\n#pragma polyfold pure(f)\n", ""), "");
}

fn reasons(source: &str, options: &Options) -> Vec<String> {
    let parsed = read_with(source, options);
    let scop = parsed.scops.first().unwrap_or_else(|| panic!("{:#?}", parsed.diagnostics));
    let of = |role: &Role| match role {
        Role::Temporary => "temporary".to_string(),
        Role::Kept(kept) => format!("{}{}", if kept.surprising { "!" } else { "" }, kept.reason),
    };
    scop.arrays.iter().map(|a| format!("{}: {}", a.name, of(&a.role))).collect()
}

#[test]
fn a_pragma_in_front_of_the_scop_counts_for_its_first_loop() {
    for pragma in
        ["#pragma omp parallel for", "#pragma GCC ivdep", "_Pragma(\"omp parallel for\")", "PAR", "DO(omp simd)"]
    {
        let source = format!(
            "#define PAR _Pragma(\"omp parallel for\")\n#define DO(x) _Pragma(#x)\nvoid f(int n, int x[n]) {{\n{pragma} // all\n#pragma scop\n\n for (int i = 0; i < n; i++) x[i] = 1;\n for (int i = 0; i < n; i++) x[i] = 2;\n#pragma endscop\n}}\n"
        );
        has_lines(&dump(&source), &["parallel for i = 0; i < n; i += 1", "for i = 0; i < n; i += 1"]);
        let lead = read(&source).scops[0].lead.clone().unwrap();
        assert_eq!(source[lead].trim_end_matches(" // all"), pragma);
    }
    let source = "void f(int n, int x[n]) {\n#pragma omp parallel\n#pragma scop\n for (int i = 0; i < n; i++) x[i] = 1;\n#pragma endscop\n}\n";
    refused(source, Severity::Warning, "`#pragma omp parallel` in front of a scop", "#pragma omp parallel");
    let source = source.replace("parallel", "barrier");
    assert_eq!(read(&source).scops.len(), 1);
}

#[test]
fn threads_share_what_is_declared_around_them() {
    let source = "int g[9];\nvoid f(int n, int x[n][n], int p[9]) {\n int t[9], s;\n static int u[9];\n#pragma omp parallel for schedule(static)\n for (int j = 0; j < n; j++) {\n  int own[9];\n  static int v[9];\n#pragma scop\n  for (int i = 0; i < 9; i++) { s = i; t[i] = s; u[i] = t[i]; own[i] = u[i]; v[i] = own[i]; g[i] = v[i]; p[i] = g[i]; x[j][i] = p[i]; }\n#pragma endscop\n }\n}\n";
    let options = Options { temporary: vec!["g".into(), "p".into()], ..Options::default() };
    let shared = "threads of the `omp parallel for` at line 5 share it";
    assert_eq!(
        reasons(source, &options),
        [
            format!("s: {shared}"),
            format!("t: !{shared}"),
            format!("u: !{shared}"),
            "own: temporary".to_string(),
            format!("v: !{shared}"),
            format!("g: !{shared}"),
            format!("p: !{shared}"),
            "x: it is a parameter of the function: its layout is the program's interface".to_string(),
        ]
    );
    let warnings = read_with(source, &options).diagnostics;
    assert_eq!(warnings.iter().filter(|d| d.message.contains("share it")).count(), 5, "{warnings:#?}");
}

#[test]
fn only_pragmas_that_make_threads_count() {
    let with = |pragma: &str, around: &str| {
        let source = format!(
            "#define TASK _Pragma(\"omp task\")\nvoid f(int n, int x[n]) {{\n int t[9];\n{pragma}\n {around} {{\n x[0] = 0;\n#pragma scop\n for (int i = 0; i < 9; i++) {{ t[i] = 1; x[i] = t[i]; }}\n#pragma endscop\n }}\n}}\n"
        );
        reasons(&source, &Options::default()).remove(0)
    };
    for pragma in
        ["parallel", "task", "sections", "target map(x)", "parallel allocate(x)", "parallel sections", "teams"]
    {
        assert!(with(&format!("#pragma omp {pragma}"), "").contains("share it"), "{pragma}");
    }
    assert!(with("TASK", "").contains("share it"));
    assert!(with("#pragma omp simd", "for (int k = 0; k < n; k++)").contains("share it"));
    for pragma in ["barrier", "taskwait", "target update to(x)", "cancel for", "critical"] {
        assert_eq!(with(&format!("#pragma omp {pragma}"), ""), "t: temporary", "{pragma}");
    }
    assert_eq!(with("#pragma omp parallel\n x[1] = 1;", ""), "t: temporary");
}

#[test]
fn loops_that_do_not_wait_are_refused() {
    for clause in ["nowait", "schedule(static) nowait"] {
        let pragma = format!("#pragma omp for {clause}");
        let scop = format!("{pragma}\nfor (int i = 0; i < n; i++) x[i] = 0;");
        refused(&function("int n, int x[n]", "", &scop), Severity::Warning, "`nowait` in a scop", &pragma);
    }
    let scop = "#pragma omp taskloop nogroup\nfor (int i = 0; i < n; i++) x[i] = 0;";
    refused(&function("int n, int x[n]", "", scop), Severity::Warning, "`nogroup` in a scop", "#pragma omp taskloop");
}

#[test]
fn pragma_operators_are_never_errors() {
    let parallel =
        "_Pragma(\"omp parallel for collapse(2)\") for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i] = j;";
    has_lines(
        &dump(&function("int n, int x[n]", "", parallel)),
        &["parallel for i = 0; i < n; i += 1", "parallel for j = 0; j < n; j += 1"],
    );
    let unread = function("int n, int x[n]", "_Pragma(WHAT EVER)", "x[0] = 1;");
    refused(&unread, Severity::Warning, "cannot read this `_Pragma`", "_Pragma(WHAT EVER)");
    let mixed = format!(
        "#define SET(a) _Pragma(\"omp atomic\") a = 0;\n{}",
        function("int n, int x[n]", "SET(x[1])", "x[0] = 1;")
    );
    refused(&mixed, Severity::Warning, "cannot read this `_Pragma`", "SET(x[1])");
}
