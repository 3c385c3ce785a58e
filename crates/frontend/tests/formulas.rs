//! Functions of the file whose calls are values, though nobody calls them pure.

#[allow(dead_code)]
use crate::support::read;

/// Whether a call of `f` with two numbers does nothing but have a value.
fn is_value(definitions: &str) -> bool {
    let source = format!(
        "#include <math.h>\n{definitions}\nvoid g(int n, int x[n]) {{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    \
         x[i] = f(x[i], i);\n#pragma endscop\n}}\n"
    );
    let dump = read(&source).scops[0].to_string();
    assert_ne!(dump.contains("x[i] = f(x[i])"), dump.contains("effect("), "{dump}");
    dump.contains("x[i] = f(x[i])")
}

#[test]
fn formulas_are_values() {
    for definitions in [
        "static int f(int a, int b) { return a < b ? a : b; }",
        "static int f(int a, int b) { if (a < 0) return -a; else { int c = b; c += a; a++; return c; } }",
        "static inline double f(const double a, unsigned char b) { return fabs(a) + sqrtf(b); }",
        "static int h(int a) { return a; }\nstatic int f(int a, int b) { return h(a) + h(h(b)); }",
        "static const int table[2][4] = {{1}};\nstatic int f(int a, int b) { static const int k = 3; return table[a][b & 3] + k; }",
        "#define LIMIT 7\nenum { MOST = 3 };\nstatic int f(int a, int b) { return a > LIMIT ? (int)MOST : (a, b); }",
        "typedef float real;\nstatic real f(real a, real b);\nstatic real f(real a, real b) { return a * b; }",
        "__attribute__((weak)) int k;\nstatic int f(int a, int b) { return a + b; }",
    ] {
        assert!(is_value(definitions), "{definitions}");
    }
}

#[test]
fn others_do_something() {
    for definitions in [
        "int f(int a, int b);",
        "int k;\nstatic int f(int a, int b) { return a + b + k; }",
        "int k;\nstatic int f(int a, int b) { k = a; return b; }",
        "static int f(int a, int b) { static int k; k += a; return k + b; }",
        "static int f(int a, int b) { volatile int c = a; return c + b; }",
        "extern const volatile int clock;\nstatic int f(int a, int b) { return a + b + clock; }",
        "static int f(int a, int b) { return *(volatile int *)(long)a + b; }",
        "static int f(int a, int b) { return ((int *)(long)a)[b]; }",
        "const int *table;\nstatic int f(int a, int b) { return table[a] + b; }",
        "static int f(int a, int b) { int *p = &a; *p = b; return a; }",
        "static int f(int a, int b) { while (a != b) a++; return a; }",
        "static int f(int a, int b) { for (;;) a += b; return a; }",
        "static int f(int a, int b) { again: if (a < b) { a++; goto again; } return a; }",
        "static int f(int a, int b) { return a < 1 ? b : f(a - 1, b); }",
        "int h(int a);\nstatic int f(int a, int b) { return h(a) + b; }",
        "int h(int a, int b);\nstatic int f(int a, int b) { return h(a, b); }\nint h(int a, int b) { return f(a, b); }",
        "int fabs2(int);\nstatic int f(int a, int b) { __asm__(\"\"); return a + b; }",
        "double fabs(double a) { static int k; return a + k++; }\nstatic int f(int a, int b) { return fabs(a) + b; }",
        "struct s { int a; };\nstatic int f(int a, int b) { struct s c = { a }; return c.a + b; }",
        "int f(int a, int b) { return a + b; }",
        "inline int f(int a, int b) { return a + b; }",
        "__attribute__((weak)) int f(int a, int b) { return a + b; }",
        "int f(int a, int b) __attribute__((weak));\nint f(int a, int b) { return a + b; }",
        "extern const int table[8];\nstatic int f(int a, int b) { return table[a] + b; }",
        "static int f(int a, int b) {\n  int c = a;\n#include <stddef.h>\n  return c + b;\n}",
        "static int f(int a, int b) { _Pragma(\"GCC poison x\") return a + b; }",
        "int f(a, b) int a, b; { return a + b; }",
    ] {
        assert!(!is_value(definitions), "{definitions}");
    }
}

/// A function of no value, and calls with other numbers of arguments, which other declarations may allow.
#[test]
fn calls_have_to_fit() {
    for (definition, call) in
        [("static void f(int a) { a++; }", "f(x[i])"), ("static int f(int a, ...) { return a; }", "f(x[i], 1)")]
    {
        let source = format!(
            "{definition}\nvoid g(int n, int x[n]) {{\n#pragma scop\n  for (int i = 0; i < n; i++) {call};\n#pragma endscop\n}}\n"
        );
        let dump = read(&source).scops[0].to_string();
        assert!(dump.contains("effect(x[i])"), "{dump}");
    }
}

/// The scop's function may have the name for something else.
#[test]
fn names_may_be_declared_anew() {
    let program = |local: &str| {
        format!(
            "typedef int T;\nstatic int f(int v) {{ return v; }}\nstatic int h(int v) {{ static int k; return v + k++; }}\nvoid g(int n, int x[n]) \
             {{\n{local}\n#pragma scop\n  for (int i = 0; i < n; i++)\n    x[i] = f(x[i]) + (int)f(1) * f(2);\n#pragma endscop\n  (void)h;\n}}\n"
        )
    };
    assert!(read(&program("  x[0] = 1 + f(3);")).scops[0].to_string().contains("x[i] = f(x[i])"));
    for local in [
        "  T (*f)(T) = h;",
        "  __typeof__(h) *f = h;",
        "  int f(int v) { return h(v); }",
        "  T f(T v) { return h(v); }",
    ] {
        let parsed = read(&program(local));
        assert!(parsed.scops.iter().all(|scop| scop.to_string().contains("effect(")), "{local}");
    }
}
