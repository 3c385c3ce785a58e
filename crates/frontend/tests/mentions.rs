//! Arrays that are used where nobody has looked.

use crate::support::*;
#[allow(dead_code)]
use polyfold_frontend::{Options, Severity, instrument, parse};
use polyfold_scop::Role;

/// A program with a local array `t` that a scop in the middle writes and reads.
fn program(top: &str, declarations: &str, statement: &str, after: &str) -> String {
    format!(
        "{top}\nint f(int n, int x[n]) {{\n{declarations}\n#pragma scop\nfor (int i = 0; i < n; i++) {{\nt[i] = x[i];\n{statement}\n}}\n#pragma endscop\n{after}\n}}\n"
    )
}

/// Why `t` is kept; `None`: it may change.
#[track_caller]
fn reason(source: &str) -> Option<String> {
    let parsed = read(source);
    let scop = parsed.scops.first().unwrap_or_else(|| panic!("{:#?}", parsed.diagnostics));
    match &scop.array(scop.array_named("t").unwrap()).role {
        Role::Temporary => None,
        Role::Kept(kept) => Some(kept.reason.clone()),
    }
}

const USE: &str = "x[i] = t[i];";

#[track_caller]
fn named_outside(top: &str, declarations: &str, after: &str, line: usize) {
    let wanted = format!("it is also named outside the scop, at line {line}, in a way that polyfold does not follow");
    assert_eq!(reason(&program(top, declarations, USE, after)), Some(wanted), "{declarations} {after}");
}

#[test]
fn macros_that_only_the_compiler_expands() {
    named_outside("", "int t[n];", "#define LAST t[n - 1]\nreturn LAST;", 11);
    named_outside("#define G(a) a[0]", "int t[n];", "#undef G\n#define G(a) t[0]\nreturn G(x);", 12);
    named_outside("", "int t[n];\n#define FIRST t[0]\nx[0] = FIRST;\n#undef FIRST", "return 0;", 5);
}

#[test]
fn types_that_mention_the_array() {
    named_outside("", "int t[n];", "__typeof__(t) u; return sizeof u;", 10);
    named_outside("", "int t[n];", "typedef int row[sizeof t]; return sizeof(row);", 10);
    named_outside("", "int t[n];", "int g(int a[sizeof t]); return 0;", 10);
    named_outside("", "int t[n];", "return sizeof *(int (*)[sizeof t])x;", 10);
    named_outside("", "int t[n]; __typeof__(t) u;", "return 0;", 3);
}

#[test]
fn spellings_that_only_the_compiler_joins() {
    let long = |after: &str| program("", "int tt[n];", USE, after).replace("t[i]", "tt[i]");
    for after in ["return t\\\nt[0];", "\n#define CAT(a, b) a##b\nreturn CAT(t, t)[0];"] {
        let parsed = read(&long(after));
        assert!(parsed.diagnostics[0].message.contains("named outside the scop"), "{:?}", parsed.diagnostics);
    }
    let accented = long("return t\\u00e9[0];").replace("tt[", "té[");
    let parsed = read(&accented);
    assert!(parsed.diagnostics[0].message.contains("named outside the scop, at line 10"), "{:?}", parsed.diagnostics);
    assert!(read(&accented.replace("t\\u00e9[0]", "0")).diagnostics.is_empty());
}

#[test]
fn extensions_outside_the_scop_are_mentions() {
    for after in [
        "return ({ int v = t[n - 1]; v; });",
        "return _Generic(t[0], int: t[0], default: 0);",
        "int v; __asm__(\"\" : \"=r\"(v) : \"m\"(t[0])); return v;",
        "int g(int k) { return t[k]; } return g(0);",
        "return __builtin_types_compatible_p(__typeof__(t), int[4]);",
        "return ((int []){t[0], 2})[0];",
        "return t<:0:>;",
        "@ t @ return 0;",
    ] {
        let reason = reason(&program("", "int t[n];", USE, after)).unwrap();
        assert!(reason.contains("outside the scop, at line 10"), "{after}: {reason}");
    }
}

#[test]
fn other_things_of_the_same_name() {
    for after in [
        "{ int t = 4; x[0] = t; } return 0;",
        "for (int t = 0; t < n; t++) x[t]++; return 0;",
        "struct s v = { .t = 4 }, *w = &v; return v.t + w->t;",
        "{ extern int t[8]; x[0] = t[2]; } return 0;",
        "#define UNUSED t\nreturn 0;",
        "return \"t\"[0]; /* t */",
        "printf(\"t\"); return 0;",
    ] {
        assert_eq!(reason(&program("struct s { int t; };", "int t[n];", USE, after)), None, "{after}");
    }
    let log = "#define LOG(f, ...) fprintf(stderr, f, ##__VA_ARGS__, __LINE__)";
    assert_eq!(reason(&program(log, "int t[n]; LOG(\"a\");", USE, "LOG(\"b\", n); return 0;")), None);
}

#[test]
fn sizes_and_types_in_the_scop() {
    for statement in [
        "int u[sizeof t]; u[0] = t[i]; x[i] = u[0];",
        "x[i] = t[i] + (*(int (*)[n][sizeof t])x)[0][0];",
        "x[i] = t[i] + sizeof(int[sizeof t]);",
        "{ typedef int row[sizeof t]; x[i] = t[i]; }",
        "{ struct { char c[sizeof t]; } s; x[i] = t[i] + (int)sizeof s; }",
    ] {
        let reason = reason(&program("", "int t[8];", statement, "return 0;")).unwrap();
        assert!(reason.contains("line 7"), "{statement}: {reason}");
    }
    let element = reason(&program("", "int t[n];", "x[i] = t[i] + (int)sizeof t[i];", "return 0;"));
    assert_eq!(element.unwrap(), "`sizeof` at line 7 mentions an element of it");
    assert_eq!(reason(&program("", "int t[n], s;", "s = t[i]; x[i] = s + (int)sizeof s;", "return 0;")), None);
}

#[test]
fn sizes_that_are_computed_are_reads() {
    let dump = |statement: &str| {
        let source = program("", "int t[n], s;", statement, "return 0;");
        read(&source).scops[0].to_string()
    };
    for (statement, wanted) in [
        ("s = t[i]; { int u[s], v[2]; u[0] = i; x[i] = u[0]; }", "S2[i]: effect(s)"),
        ("{ int u[2][t[i] + 1]; u[0][0] = i; x[i] = u[0][0]; }", "S1[i]: effect(t[i])"),
        ("x[i] = sizeof(int[t[i] + 1]);", "S1[i]: x[i] = f(t[i])"),
        ("s = t[i]; x[i] = sizeof(int[s]);", "S2[i]: x[i] = f(s)"),
        ("{ int u[n], v[n + 1] = {0}; u[0] = v[0]; x[i] = t[i]; }", "S1[i]: v[*]? = declare()"),
    ] {
        let dump = dump(statement);
        assert!(dump.contains(wanted), "{statement}: {dump}");
    }
    let scalar = program("", "int t[n], s;", "s = t[i]; x[i] = ((int (*)[s])x)[1][0];", "return 0;");
    let scop = &read(&scalar).scops[0];
    assert!(!scop.array(scop.array_named("s").unwrap()).is_temporary());
}

#[test]
fn pragmas_of_included_text_name_arrays() {
    let lines = "# 3 \"other.h\" 1\n#pragma omp threadprivate(t)\n# 4 \"<stdin>\" 2\n";
    let source = program("", "static int t[9];\n", USE, "return 0;");
    let included = preprocess(&instrument(&source)).replace("int t[9];\n", &format!("int t[9];\n{lines}"));
    let parsed = parse(&source, &included, &Options::default());
    assert!(parsed.diagnostics[0].message.contains("named outside the scop, at line 4"), "{:?}", parsed.diagnostics);
}

#[test]
fn line_directives_do_not_move_lines() {
    let after = "#line 500 \"other.y\"\n#define LAST t[n - 1]\nreturn LAST;";
    named_outside("#line 7", "int t[n];", after, 12);
}

#[test]
fn jumps_into_the_scop() {
    let message = "has a jump into this scop";
    let labelled = "x[i] = t[i]; S1: x[i] = t[i] + 1;";
    assert_eq!(reason(&program("", "int t[n];", labelled, "goto end; end: return 0;")), None);
    refused(&program("", "int t[n], i; if (n > 9) goto S1;", labelled, ""), Severity::Warning, message, "#pragma");
    refused(&program("", "int t[n]; void *to = &&S1;", labelled, "goto *to;"), Severity::Warning, message, "#pragma");
}

#[test]
fn a_scop_that_the_compiler_reads_otherwise() {
    let pushed = "int t[n];\n#pragma push_macro(\"N\")\n#undef N\n#define N 2\n#pragma pop_macro(\"N\")";
    for (top, declarations, statement) in [
        ("#define N 4", pushed, "x[i] = t[i] + N;"),
        ("#define P(f, ...) max(f, ##__VA_ARGS__)", "int t[n];", "x[i] = P(t[i]);"),
        ("", "int t[n];", "x[i] = t[i] + va\\\nlue;"),
    ] {
        let source = program(top, declarations, statement, "return 0;").replace("va\\", "n\\\n + n; x[i] = n\\");
        let parsed = read(&source);
        assert!(parsed.scops.is_empty() && !parsed.diagnostics.is_empty(), "{statement}");
    }
    let lines = program("#define N (__LINE__)", "int t[n];", "x[i] = t[i] + N + (int)sizeof __FILE__;", "return 0;");
    assert_eq!(reason(&lines), None);
}

#[test]
fn a_declaration_that_the_compiler_reads_otherwise() {
    let message = "the compiler reads another declaration of `t`";
    let source = program("#define EXTENT 4 + 4", "int t[EXTENT];", USE, "return 0;");
    assert_eq!(reason(&source), None);
    let changed = source.replace("int t[EXTENT];", "int t[EXTENT];\n#undef EXTENT\n#define EXTENT 2 + 4\n");
    refused(&changed, Severity::Warning, message, "t[EXTENT]");
    let table = "static const int k[] = {\n#include \"/dev/null\"\n1 }; int t[n];";
    assert_eq!(reason(&program("", table, "x[i] = t[i] + k[0];", "return 0;")), None);
}

#[test]
fn ways_back_to_the_scop() {
    let repeats = |declarations: &str, after: &str| {
        read(&program("#define TWICE for (int k = 0; k < 2; k++)", declarations, USE, after)).scops[0].repeats
    };
    assert!(!repeats("int t[n];", "for (;;) return 0;"));
    assert!(repeats("int t[n]; void *to = &&again; again:;", "goto *to; return 0;"));
    assert!(repeats("int t[n]; again:;", "#define AGAIN goto again\nAGAIN; return 0;"));
    assert!(repeats("int t[n]; TWICE {\n#undef TWICE\n#define TWICE\n", "} return 0;"));
    assert!(repeats("int t[n]; if (setjmp(b)) x[0] = 1;", "return 0;"));
}
