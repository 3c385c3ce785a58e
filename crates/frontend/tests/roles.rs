//! Which arrays may change.

use crate::support::*;
#[allow(dead_code)]
use polyfold_frontend::{Options, Parsed};
use polyfold_scop::{Role, Storage};

fn role(parsed: &Parsed, name: &str) -> String {
    let scop = &parsed.scops[0];
    match &scop.array(scop.array_named(name).unwrap()).role {
        Role::Temporary => "temporary".to_string(),
        Role::Kept(kept) => {
            format!("{}{:?}: {}", if kept.surprising { "!" } else { "" }, kept.liveness, kept.reason)
        }
    }
}

fn local(declarations: &str, scop: &str, after: &str) -> String {
    format!(
        "int g[9];\nvoid f(int n, int *x) {{\n{declarations}\n#pragma scop\nfor (int i = 0; i < n; i++) {{ {scop} }}\n#pragma endscop\n{after}\n}}\n"
    )
}

#[test]
fn locals_used_only_in_the_scop_are_temporaries() {
    let parsed =
        read(&local("int t[n][n]; static int s[4], u; ", "t[i][0] = s[0]; u = t[i][0]; s[0] = u; x[i] = g[i];", ""));
    assert_eq!(role(&parsed, "t"), "temporary");
    assert_eq!(role(&parsed, "s"), "temporary");
    assert_eq!(role(&parsed, "u"), "temporary");
    assert_eq!(role(&parsed, "g"), "InOut: it is a global variable: its layout is the program's interface");
    assert_eq!(role(&parsed, "x"), "InOut: it is a parameter of the function: its layout is the program's interface");
    let scop = &parsed.scops[0];
    let storage = |name| scop.array(scop.array_named(name).unwrap()).declaration.as_ref().unwrap().storage.clone();
    assert_eq!((storage("s"), storage("t"), storage("g")), (Storage::StaticLocal, Storage::Local, Storage::Global));
}

#[test]
fn uses_outside_tell_liveness() {
    let parsed =
        read(&local("int a[n], b[n], c[n];\na[0] = b[0] = 1;", "a[i] = b[i]; c[i] = a[i];", "x[0] = c[0] + b[1];"));
    assert_eq!(role(&parsed, "a"), "In: it is also used outside the scop, at line 4");
    assert_eq!(role(&parsed, "b"), "InOut: it is also used outside the scop, at line 4");
    assert_eq!(role(&parsed, "c"), "Out: it is also used outside the scop, at line 8");
}

#[test]
fn an_address_given_away_reaches_everywhere() {
    let parsed = read(&local("int a[n], b[n][n];\ninit(a); b[0][0] = 1;", "a[i] = b[0][i];", ""));
    assert_eq!(role(&parsed, "a"), "InOut: it is also used outside the scop, at line 4");
    assert_eq!(role(&parsed, "b"), "In: it is also used outside the scop, at line 4");
}

#[test]
fn a_scop_in_a_loop_keeps_values_for_the_next_turn() {
    let source = "void f(int n, int x[n]) {\n int a[9];\n for (int t = 0; t < n; t++) {\n#pragma scop\n a[0] = 1;\n#pragma endscop\n x[0] = a[0];\n }\n}\n";
    assert!(role(&read(source), "a").starts_with("InOut"));
}

#[test]
fn a_scop_says_whether_it_may_run_again() {
    let within = |head: &str, tail: &str| {
        let source = format!(
            "void f(int n, int x[n]) {{\n {head} {{\n#pragma scop\n x[0] = 1;\n#pragma endscop\n }}{tail}\n}}\n"
        );
        read(&source).scops[0].repeats
    };
    for (head, tail) in [
        ("for (int t = 0; t < n; t++)", ""),
        ("while (n > 0)", ""),
        ("do", " while (n > 0);"),
        ("again:", " if (n > 0) goto again;"),
        ("while (n > 0) if (n > 1) {} else", ""),
    ] {
        assert!(within(head, tail), "{head}");
    }
    assert!(!within("", "") && !within("if (n > 0)", "") && !within("switch (n)", ""));
}

#[test]
fn variables_of_the_scop_used_after_it() {
    let source = "int f(int n, int x[n]) {\n#pragma scop\n int a = 1, b[4], c, d[4], e = 2;\n for (int i = 0; i < 4; i++) { int k = i; b[i] = d[i] = c = k; x[i] = b[i] + a + e; }\n#pragma endscop\n#ifdef DEBUG\n print(e);\n#endif\n int k = a, v[c];\n return k + b[0] + v[0];\n}\n";
    let outlived = &read(source).scops[0].outlived;
    assert_eq!(outlived.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c", "e"]);
    assert!(outlived.iter().all(|own| source[own.declared.clone()] == own.name), "{outlived:?}");
}

#[test]
fn reasons_to_stay() {
    for (declaration, scop, wanted) in [
        ("volatile int t[9];", "t[i] = 1;", "Internal: it is volatile"),
        (
            "int t[9] __attribute__((cleanup(done)));",
            "t[i] = 1;",
            "!Internal: its declaration has the attribute `cleanup`",
        ),
        ("static int t[9] __asm__(\"s\");", "t[i] = 1;", "!Internal: its declaration has the attribute `asm`"),
        ("_Alignas(64) int t[9] __attribute__((unused));", "t[i] = 1;", "temporary"),
        ("int t[9]; __attribute__((unused)) int u;", "t[i] = 1;", "temporary"),
        (
            "struct pair { int a; } t[9];",
            "t[i].a = 1;",
            "!Internal: its declaration also defines a type: define that in front of it",
        ),
        ("int t[9] = {1};", "t[i] = 1;", "In: its declaration initializes it"),
        (
            "typedef int row[9]; row t;",
            "t[i] = 1;",
            "!InOut: its type is a typedef of an array or pointer: write the extents in the declaration",
        ),
        ("int *t;", "t[i] = 1;", "InOut: it is a pointer: declare it as a local array"),
        ("int *t = malloc(n);", "t[i] = 1;", "!InOut: the call at line 3 does not multiply sizes by `sizeof(int)`"),
        (
            "int m = n; int t[m]; m++;",
            "t[i] = 1;",
            "!Internal: its extents are not affine, or change after its declaration",
        ),
        ("int t[n * n];", "t[i] = 1;", "!Internal: its extents are not affine, or change after its declaration"),
    ] {
        assert_eq!(role(&read(&local(declaration, scop, "")), "t"), wanted, "{declaration}");
    }
}

/// Whether others may live in an array that stays.
#[test]
fn cells_that_are_plain() {
    for (parameter, scop, plain) in [
        ("int out[n]", "out[i] = 1;", true),
        ("int *out", "out[i + 1] = out[i];", true),
        ("int out[n + m]", "out[i] = 1;", true),
        ("int out[n][m + 1]", "out[i][0] = 1;", false),
        ("int out[n][m]", "out[i][0] = 1;", true),
        ("int out[n]", "out[(m + i - 1) % 4] = 1;", false),
        ("int out[n]", "out[i * i] = 1;", false),
        ("int out[n] __attribute__((weird))", "out[i] = 1;", false),
        ("int out[n] __attribute__((unused))", "out[i] = 1;", true),
        ("int out[n]", "x[i] = (out[i] = 1) + 2;", false),
        ("int out[n]", "x[i] = out[i] = 1;", true),
        ("int out[n]", "g(out);", false),
    ] {
        let source = format!(
            "void g(int *);\nvoid f(int n, unsigned m, int *x, {parameter}) {{\n#pragma scop\n\
             for (int i = 0; i < n; i++) {{ {scop} }}\n#pragma endscop\n}}\n"
        );
        let parsed = read(&source);
        let scop = &parsed.scops[0];
        match &scop.array(scop.array_named("out").unwrap()).role {
            Role::Kept(kept) => assert_eq!(kept.plain, plain, "{source}"),
            Role::Temporary => panic!("a parameter"),
        }
    }
}

#[test]
fn code_left_out_by_the_configuration_counts() {
    let parsed = read(&local("int t[9];", "t[i] = 1;", "#ifdef DEBUG\nprint(t);\n#endif"));
    assert_eq!(role(&parsed, "t"), "!Internal: it is also used in code that this configuration leaves out, at line 8");
}

#[test]
fn the_user_overrides_roles() {
    let source = local("int t[9];", "t[i] = x[i]; x[i] = g[i];", "");
    let options =
        Options { temporary: vec!["g".into(), "zz".into()], live_out: vec!["t".into()], ..Options::default() };
    let parsed = read_with(&source, &options);
    assert_eq!(role(&parsed, "g"), "temporary");
    assert_eq!(role(&parsed, "t"), "Out: the user says that its values cross the border of the scop");
    assert_eq!(parsed.diagnostics.len(), 1);
    assert!(parsed.diagnostics[0].message.contains("zz") && parsed.diagnostics[0].about_options);
    let source = "void f(int n, int a[n], int b[n]) {\n#pragma polyfold temporary(a) live_in(b)\n#pragma scop\nfor (int i = 0; i < n; i++) a[i] = b[i];\n#pragma endscop\n}\n";
    let parsed = read(source);
    assert_eq!(role(&parsed, "a"), "temporary");
    assert!(role(&parsed, "b").starts_with("In:"));
}

#[test]
fn private_arrays_are_kept() {
    let source = "void f(int n, int x[n]) {\n int t[4];\n#pragma scop\n#pragma omp parallel for private(t)\n for (int i = 0; i < n; i++) { t[0] = i; x[i] = t[0]; }\n#pragma endscop\n}\n";
    assert_eq!(role(&read(source), "t"), "!Internal: the pragma at line 4 names it");
}

#[test]
fn two_scops_share_an_array() {
    let source = "void f(int n, int x[n]) {\n int t[4], u[4];\n#pragma scop\n t[0] = 1; u[0] = 1; x[0] = u[0];\n#pragma endscop\n#pragma scop\n x[0] = t[0];\n#pragma endscop\n}\nint main(void) { return 0; }\n";
    let parsed = read(source);
    assert_eq!((parsed.scops.len(), parsed.functions.len(), parsed.has_main), (2, 1, true));
    assert_eq!(role(&parsed, "t"), "Out: it is also used outside the scop, at line 7");
    assert_eq!(role(&parsed, "u"), "temporary");
}

#[test]
fn declarators() {
    let source = function(
        "int n, double A[restrict static n][3], double (*B)[n], const float *c, double D[]",
        "static unsigned alpha[n], beta[n + 1];",
        "for (int i = 0; i < n; i++) { A[i][0] = B[i][0] + c[i]; alpha[i] = beta[i]; D[i] = 1; }",
    );
    let parsed = read(&source);
    has_lines(
        &parsed.scops[0].to_string(),
        &["double B[][n] kept InOut: it is a parameter of the function: its layout is the program's interface"],
    );
    let scop = &parsed.scops[0];
    let beta = scop.array(scop.array_named("beta").unwrap());
    let declaration = beta.declaration.as_ref().unwrap();
    let text = |place: &polyfold_scop::Place| &source[place.span.clone()];
    assert_eq!(
        (text(&declaration.declarator), text(&declaration.name), text(&declaration.extents[0])),
        ("beta[n + 1]", "beta", "n + 1")
    );
    assert_eq!(
        (declaration.specifiers.as_str(), declaration.siblings, declaration.inside_scop),
        ("static unsigned", 2, false)
    );
    assert_eq!((beta.element.as_str(), beta.element_bytes), ("unsigned", Some(4)));
    let signature = &parsed.functions[0];
    assert!(signature.returns_void && signature.name == "f");
    assert_eq!(signature.parameters[1].extents, [Some("n".to_string()), Some("3".to_string())]);
    assert_eq!(signature.parameters[3].extents, [None]);
}

#[test]
fn assumptions() {
    let source =
        function("int N, int M, int x[N]", "int t[M];", "for (int i = 0; i < N; i++) { t[i] = 1; x[i] = t[i]; }");
    let with = |text: &str| read_with(&source, &Options { assume: vec![text.into()], ..Options::default() });
    has_lines(&with("N >= 3 && M > N").scops[0].to_string(), &["assumed (N >= 3 && M > N)"]);
    has_lines(
        &with("[N] -> { : 3 <= N <= 100 and not (M = N) }").scops[0].to_string(),
        &["assumed ((3 <= N && N <= 100) && !(M == N))"],
    );
    for (text, meant) in [
        ("N >= 3 or not (M > 2N)", "(N >= 3 || !(M > 2*N))"),
        ("N = 3", "N == 3"),
        ("{ : N >= 3 or M = 1 }", "(N >= 3 || M == 1)"),
        ("N >= 10u", "N >= 10"),
    ] {
        let dump = with(text).scops[0].to_string();
        assert!(dump.contains(meant), "{dump}");
    }
    for (text, wanted, help) in [
        ("[N] -> { : exists (e: N = 2e) }", "`exists` is not handled", "`N % 2 == 0`"),
        ("{ : N mod 2 = 0 }", "`mod` is not handled", "`%`"),
        ("floor(N/2) > 3", "`floor` is not handled", "`N / 2`"),
        ("{ : N >= 3; : M >= 3 }", "`;` is not handled", "`||`"),
        ("{ : N >= 3 } and M > 3", "is not a condition", "N >= 3 && M > N"),
        ("{ : not M > 3 }", "not a condition", "N >= 3 && M > N"),
    ] {
        let parsed = with(text);
        let complaint = parsed.diagnostics.iter().find(|d| d.about_options).unwrap();
        assert!(complaint.message.contains(wanted), "{complaint:?}");
        assert!(complaint.help.as_ref().unwrap().contains(help), "{complaint:?}");
        assert!(parsed.scops[0].assumed.is_empty());
    }
    for (text, wanted) in
        [("Q > 2", "`Q` is not a parameter"), ("N >=", "is not a condition"), ("N * M > 2", "not affine")]
    {
        let parsed = with(text);
        assert!(
            parsed.diagnostics.iter().any(|d| d.message.contains(wanted) && d.about_options),
            "{:?}",
            parsed.diagnostics
        );
        assert!(parsed.scops[0].assumed.is_empty());
    }
}
