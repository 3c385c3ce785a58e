//! What is malformed, and what is declined.

#[allow(dead_code)]
use crate::support;
use crate::support::*;
use polyfold_frontend::Severity;

fn declines(scop: &str, message: &str, place: &str) {
    let source = function("int n, int x[n], int y[n]", "int i, j; char c; float q; unsigned u;", scop);
    refused(&source, Severity::Warning, message, place);
}

/// All that a scop has in the way, in the order of the text, and no more than five of them.
#[test]
fn statements_behind_a_declined_one_are_read() {
    let places = |body: &str| {
        let source = function("int n, int x[n], int y[n]", "int i, j;", body);
        let found = read(&source);
        assert!(found.scops.is_empty(), "{source}");
        found.diagnostics.iter().map(|d| source[d.span.clone()].to_string()).collect::<Vec<String>>()
    };
    let nested = "for (i = 0; i < n; i++) { while (x[i]) x[i]--; y[i] = 0; if (i > 0) do x[0]++; while (x[0] < 3); }";
    assert_eq!(
        places(&format!("{nested} for (i = 1; i < n; i *= 2) y[i] = 1; for (i = 0; i < n; i++) y[i] = x[i];")),
        ["while (x[i]) x[i]--;", "do x[0]++; while (x[0] < 3);", "i *= 2"]
    );
    // The counter of a loop whose body is declined means nothing behind it.
    assert_eq!(places("for (i = 0; i < n; i++) while (x[i]) x[i]--; y[0] = x[0];"), ["while (x[i]) x[i]--;"]);
    assert_eq!(places(&"while (x[0]) x[0]--;\n".repeat(9)).len(), 5);
}

#[test]
fn pragmas_must_pair() {
    refused("int x;\n", Severity::Error, "no `#pragma scop` in this file", "");
    refused("#if 0\n#pragma scop\n#pragma endscop\n#endif\n", Severity::Error, "that are compiled", "");
    refused("void f(void) {\n#pragma scop\n}\n", Severity::Error, "this scop has no end", "#pragma scop");
    refused("void f(void) {\n#pragma endscop\n}\n", Severity::Error, "ends no scop", "#pragma endscop");
    refused("#pragma scop\n#pragma endscop\n", Severity::Error, "not inside a function", "#pragma scop");
    let nested = read("void f(void) {\n#pragma scop\n#pragma scop\n;\n#pragma endscop\n}\n");
    assert!(nested.diagnostics[0].message.contains("starts inside the one of line 2"));
}

#[test]
fn pragmas_must_stand_in_one_block() {
    let source =
        "void f(int n, int x[n]) {\n#pragma scop\n for (int i = 0; i < n; i++) {\n x[i] = 0;\n#pragma endscop\n }\n}\n";
    refused(source, Severity::Error, "same block", "#pragma scop");
    let source =
        "void f(int n, int x[n]) {\n for (int i = 0; i < n; i++)\n#pragma scop\n x[i] = 0;\n#pragma endscop\n}\n";
    refused(source, Severity::Error, "same block", "#pragma scop");
}

#[test]
fn a_label_belongs_to_the_statement_behind_it() {
    let source = |label: &str| {
        format!(
            "void f(int n, int x[n]) {{\n{label}\n#pragma scop\n for (int i = 0; i < n; i++) x[i] = 0;\n#pragma endscop\n if (x[0]) goto again;\n}}\n"
        )
    };
    refused(&source("again:"), Severity::Error, "label `again`", "again");
    assert_eq!(read(&source("again:;")).scops.len(), 1);
}

#[test]
fn a_local_that_is_not_affine_says_what_it_is() {
    let source = "void f(int n, const int x[n], int y[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) t[i] = x[i];
  for (int i = 0; i < n; i++) {
    int up = (i + n - 1) % n;
    y[i] = t[up];
  }
#pragma endscop
}
";
    let found = read(source);
    let of_t = found.diagnostics.iter().find(|d| d.message.contains("`t` keeps")).expect("it is kept");
    assert!(of_t.message.contains("where `up` is declared, it takes a remainder"), "{}", of_t.message);
    assert!(of_t.help.as_ref().is_some_and(|help| help.contains("halo")), "{:?}", of_t.help);
    let changing = read(&source.replace("% n;", "% n; up = up + x[i];"));
    let of_t = changing.diagnostics.iter().find(|d| d.message.contains("`t` keeps")).expect("it is kept");
    assert!(of_t.message.contains("`up` changes in the scop"), "{}", of_t.message);
}

#[test]
fn syntax_errors() {
    let source = function("int n, int x[n]", "", "for (int i = 0; i < n; i++) x[i] = + ;");
    let (diagnostic, _) = refusal(&source);
    assert_eq!(diagnostic.severity, Severity::Error);
}

#[test]
fn loops() {
    declines("for (i = 0; i != n; i++) x[i] = 0;", "condition is not handled", "i != n");
    declines("for (i = 0; i < n; i--) x[i] = 0;", "condition is not handled", "i < n");
    declines("for (i = 0; i < n + 2 * i; i++) x[i] = 0;", "condition is not handled", "i < n + 2 * i");
    declines("for (i = 0; i / 2 < n; i++) x[i] = 0;", "condition is not handled", "i / 2 < n");
    declines("for (u = 0; u - 1 < n; u++) x[u] = 0;", "condition is not handled", "u - 1 < n");
    declines("for (i = 0; i < n; i *= 2) x[i] = 0;", "step is not handled", "i *= 2");
    declines("for (i = 0; i < n; i += n) x[i] = 0;", "step is not handled", "i += n");
    declines("for (i = 0; i < n; i += 0) x[i] = 0;", "step is not handled", "i += 0");
    declines("for (i = 0, j = 0; i < n; i++, j++) x[i] = 0;", "does not set exactly one counter", "for (i = 0, j");
    declines("for (i = 0; i < n; i++, j++) x[i] = 0;", "step is not handled", "i++, j++");
    declines("for (;;) x[i] = 0;", "does not set exactly one counter", "for (;;)");
    declines("for (i = 0; ; i++) x[i] = 0;", "no bound", "for (i = 0; ;");
    declines("for (i = 0; i < y[0]; i++) x[i] = 0;", "it reads an array", "y[0]");
    declines("for (i = 0; i < n * n; i++) x[i] = 0;", "multiplies two variables", "n * n");
    declines("for (i = 0; i < n; i++) { x[i] = 0; i++; }", "counter `i` changes in the loop's body", "i++");
    declines(
        "for (i = 0; i < n; i++) for (i = 0; i < n; i++) x[i] = 0;",
        "counter `i` changes in the loop's body",
        "i = 0",
    );
    declines("for (i = 0; i < n; i++) n = 3;", "`n` changes in the scop", "n");
    declines("for (c = 0; c < n; c++) x[c] = 0;", "has the type `char`", "0");
    declines("for (q = 0; q < n; q++) x[0] = 0;", "has the type `float`", "0");
    declines("for (u = n; u >= 0; u--) x[u] = 0;", "never ends", "u >= 0");
    declines("for (i = 0; i < n; i++) x[i] = 0; x[0] = i;", "used outside its loop", "i");
}

#[test]
fn members_in_bounds_want_a_local_copy() {
    let help =
        |scop: &str| refusal(&function("struct s *in, struct s v, struct s a[9], int *x", "", scop)).0.help.unwrap();
    for (bound, name) in [("in->h", "h"), ("v . w", "w"), ("in->size.n", "n"), ("a[2].h", "h")] {
        let wanted = format!("copy it to a local first: `const int {name} = {bound};`");
        assert_eq!(help(&format!("for (int y = 0; y < {bound} - 1; y++) x[y] = 0;")), wanted);
    }
    let inner = "for (int y = 0; y < 9; y++) for (int z = 0; z < a[y].h; z++) x[z] = 0;";
    assert!(help(inner).starts_with("bounds may use"));
}

/// Which of its values an enumerator has is a question of blocks.
#[test]
fn enumerators_with_several_values() {
    let inside = "for (int i = 0; i < n; i++) { enum { K = 8 }; for (int j = 0; j < K; j++) x[j] = 0; }";
    let front = "enum { K = 2 };\n";
    let of = |front: &str, scop: &str| {
        format!("{front}void f(int n, int *x) {{\n#pragma scop\n{scop}\n#pragma endscop\n}}\n")
    };
    let several = "`K` is an enumerator with several values in this file";
    assert!(refusal(&of(front, inside)).0.message.contains(several));
    assert!(refusal(&of("", inside)).0.message.contains("the enumerator `K` is defined between the pragmas"));
    let plain = "for (int i = 0; i < K; i++) x[i] = 0;";
    let later = "void g(void) {\n enum { K = 3 };\n}\n";
    assert!(refusal(&(of(front, plain) + later)).0.message.contains(several));
    assert_eq!(read(&(of(front, plain) + &later.replace('3', "2"))).scops.len(), 1);
}

/// What a pointer leads to may be a size whose address is taken, if it is as large.
#[test]
fn a_size_that_a_pointer_may_change() {
    let with = |pointer: &str| {
        let body = "for (int i = 0; i < k; i++) x[i] = 0; *p = 2;";
        function("int n, int *x", &format!("int k = n, *a = &k; {pointer}; (void)a;"), body)
    };
    refused(&with("int *p = a"), Severity::Warning, "`p` might lead to `k`", "*p = 2");
    assert_eq!(read(&with("short *p = 0")).scops.len(), 1);
    assert_eq!(read(&with("int *p = a").replace(", *a = &k", ", *a = x")).scops.len(), 1);
}

#[test]
fn a_counter_used_after_the_scop() {
    let source = "int f(int n, int *x) {\n int i;\n#pragma scop\n for (i = 0; i < n; i++) x[i] = 0;\n#pragma endscop\n return i;\n}\n";
    refused(source, Severity::Warning, "`i` is used after the scop", "i");
    let source = source.replace("return i;", "for (i = 0; i < n; i++) x[i]++; return 0;");
    assert_eq!(read(&source).scops.len(), 1);
}

#[test]
fn a_macro_that_ends_in_the_function() {
    let source = "#define N 4\nvoid f(int *x) {\n int t[N];\n#undef N\n#define N 3\n#pragma scop\n for (int i = 0; i < N; i++) x[i] = t[i] = 0;\n#pragma endscop\n}\n";
    refused(source, Severity::Warning, "`N` changes its meaning", "#undef N");
}

#[test]
fn statements() {
    declines("while (n > 0) x[0] = 1;", "a `while` loop in a scop", "while");
    declines("do x[0] = 1; while (n > 0);", "a `do` loop in a scop", "do");
    declines("for (i = 0; i < n; i++) { if (x[i]) break; }", "a `break` in a scop", "break");
    declines("for (i = 0; i < n; i++) { continue; }", "a `continue` in a scop", "continue");
    declines("if (n > 3) return;", "a `return` in a scop", "return");
    declines("goto end; end: x[0] = 1;", "a `goto` in a scop", "goto");
    declines("switch (n) { case 1: x[0] = 1; }", "a `switch` in a scop", "switch");
    declines("x[0] = 1, y[0] = 2;", "a comma expression", "x[0] = 1, y[0] = 2");
    declines("x[0] = x[1] = 2;", "writes the same array twice", "x[0]");
    declines("if (x[0]++ > 1) x[1] = 2;", "side effects", "");
    declines("if (g(3) > 1) x[1] = 2;", "this condition calls `g`, which may do anything", "g(3)");
    declines("x[2] = h(1); if (g(3) > 1) x[1] = 2;", "this condition calls `g`, which may do anything", "g(3)");
    declines("static int a = 1; x[0] = a;", "initialized only once", "1");
    declines("int a = 1, b = a; x[0] = b;", "declares itself", "a");
}

#[test]
fn sizes_declared_again() {
    let again = |name: &str| format!("`{name}` is declared again here");
    for (before, declarations, scop, name) in [
        ("", "", "for (int i = 0; i < n; i++) { int n = 3; x[n] = i; }", "n"),
        ("", "int t[m];", "for (int i = 0; i < 9; i++) { int m = 3; x[0] = t[i] = m; }", "m"),
        ("enum { K = 3 };", "int t[K];", "for (int i = 0; i < 9; i++) { int K = 3; x[0] = t[i] = K; }", "K"),
        ("enum { K = 3 };", "", "for (int i = K; i < 9; i++) { for (int K = 3; K < 9; K++) x[K] = 0; }", "K"),
    ] {
        let source = format!("{before}\n{}", function("int n, int m, int x[n]", declarations, scop));
        refused(&source, Severity::Warning, &again(name), name);
    }
    let own =
        "for (int i = 0; i < n; i++) { double w[n]; w[0] = 1; x[i] = w[0]; } for (int i = 0; i < n; i++) x[i] = 0;";
    assert_eq!(read(&function("int n, int x[n]", "", own)).scops.len(), 1);
}

#[test]
fn functions_may_change_globals() {
    let source = "int n;\nvoid f(int *x) {\n#pragma scop\n for (int i = 0; i < n; i++) g(x[i]);\n#pragma endscop\n}\n";
    refused(source, Severity::Warning, "`g` might change `n`", "g(x[i])");
    let source =
        "void f(int *x, int n) {\n set(&n);\n#pragma scop\n for (int i = 0; i < n; i++) g(x[i]);\n#pragma endscop\n}\n";
    refused(source, Severity::Warning, "`g` might change `n`", "g(x[i])");
}

#[test]
fn pragmas_and_directives_in_the_scop() {
    declines("#pragma omp parallel\n{ x[0] = 1; }", "`#pragma omp parallel` in a scop", "#pragma omp parallel");
    declines("#pragma omp atomic\nx[0] += 1;", "`#pragma omp atomic` in a scop", "#pragma omp atomic");
    declines("#define Q 3\nx[0] = Q;", "`#define` in a scop", "#define Q 3");
}

#[test]
fn other_sizes_of_types_are_declined() {
    let source = function("long n, int x[n]", "", "for (long i = 0; i < n; i++) x[i] = 0;");
    let output = support::preprocess(&polyfold_frontend::instrument(&source));
    for (name, known, other) in [("LONG", 8, 4), ("INT", 4, 2), ("SIZE_T", 8, 4)] {
        let line = |value| format!("#define __SIZEOF_{name}__ {value}\n");
        assert!(output.contains(&line(known)));
        let elsewhere = output.replace(&line(known), &line(other));
        let parsed = polyfold_frontend::parse(&source, &elsewhere, &Default::default());
        assert!(parsed.scops.is_empty());
        assert!(parsed.diagnostics[0].message.contains(&format!("`__SIZEOF_{name}__` is {other}")));
    }
}
