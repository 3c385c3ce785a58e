//! Subscripts that are one where an array has several dimensions.

use crate::support::*;
#[allow(dead_code)]
use polyfold_scop::Role;

/// The dump of a scop over `double *A`, in loops over i and j.
fn reading(parameters: &str, loops: &str, reference: &str) -> String {
    let source = function(parameters, "", &format!("{loops} x[j] = {reference};"));
    read(&source).scops[0].to_string()
}

const LOOPS: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)";
const INNER: &str = "for (int i = 1; i < n; i++) for (int j = 1; j < m - 1; j++)";
const CUBE: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < l; k++)";

#[test]
fn references_that_are_split() {
    for (loops, reference, split) in [
        (LOOPS, "A[i * m + j]", "A[i][j]"),
        (LOOPS, "A[m * i + j]", "A[i][j]"),
        (LOOPS, "A[(i + 1) * m + j]", "A[i + 1][j]"),
        (LOOPS, "A[i * m + m - 1 - j]", "A[i][-j + m - 1]"),
        (LOOPS, "A[i * (m + 2) + j]", "A[i][j]"),
        (LOOPS, "A[i * (2 * m) + 2 * j + 1]", "A[i][2*j + 1]"),
        (LOOPS, "A[(i % 2) * m + j]", "A[i%2][j]"),
        (LOOPS, "A[2 * i * m + j]", "A[2*i][j]"),
        (INNER, "A[(i - 1) * m + j - 1]", "A[i - 1][j - 1]"),
        (INNER, "A[i * m + j + 1]", "A[i][j + 1]"),
        (CUBE, "A[(i * m + j) * l + k]", "A[i][j][k]"),
        (CUBE, "A[i * m * l + j * l + k]", "A[i][j][k]"),
    ] {
        let dump = reading("int n, int m, int l, double *A, double *x", loops, reference);
        assert!(dump.contains(&format!("f({split})")), "{reference} is not {split} in\n{dump}");
    }
}

#[test]
fn references_that_are_not() {
    for (loops, reference) in [
        (LOOPS, "A[i * m + j - 1]"),
        (LOOPS, "A[i * m + j + 1]"),
        (LOOPS, "A[i * n + j]"),
        (LOOPS, "A[i * m + 2 * j]"),
        (LOOPS, "A[i * j]"),
        (LOOPS, "A[i * m + j * n]"),
        (LOOPS, "A[i * m + j] + A[i * n + j]"),
        (LOOPS, "A[i * m + j] + A[n]"),
        (CUBE, "A[(i * m + k) * l + j]"),
    ] {
        let dump = reading("int n, int m, int l, double *A, double *x", loops, reference);
        assert!(dump.contains("A[*]?"), "{reference} is split in\n{dump}");
    }
}

#[test]
fn unsigned_products_may_wrap_around() {
    for (parameters, reference, is_split) in [
        ("unsigned n, unsigned m", "A[i * m + j]", false),
        ("size_t n, size_t m", "A[i * m + j]", false),
        ("int n, int m", "A[(size_t)i * m + j]", true),
        ("int n, int m", "A[(unsigned)i * m + j]", false),
        ("int n, int m", "A[(size_t)((unsigned)i * m) + j]", false),
        ("long n, long m", "A[i * m + j]", true),
    ] {
        let kind = parameters.split(' ').next().unwrap();
        let loops = LOOPS.replace("int", kind);
        let dump = reading(&format!("{parameters}, double *A, double *x"), &loops, reference);
        let dump = dump.replace("size_t", "unsigned long");
        assert_eq!(dump.contains("f(A[i][j])"), is_split, "{parameters}, {reference}:\n{dump}");
    }
}

#[test]
fn memory_that_is_a_temporary() {
    let body = format!("{LOOPS} {{ t[i * m + j] = 1; x[j] = t[i * m + j]; }}");
    for (call, after, is_temporary) in [
        ("double *t = malloc(n * m * sizeof(double));", "free(t);", true),
        ("double *t = malloc(n * m * sizeof(double));", "", true),
        ("double *t = malloc(n * m * sizeof(float));", "free(t);", false),
        ("double *t = malloc(n * m);", "free(t);", false),
        ("typedef double real; real *t = malloc(n * m * sizeof(real));", "free(t);", true),
        ("typedef double real; real *t = malloc(n * m * sizeof(double));", "free(t);", true),
        ("typedef double real; real *t = malloc(n * m * sizeof(float));", "free(t);", false),
        ("typedef double real; real *t = malloc(n * m * sizeof(double *));", "free(t);", false),
        ("double *t = malloc(n * m * sizeof(double) + 8);", "free(t);", false),
        ("double *t = malloc(m * n * sizeof(double)), *u = t;", "free(t);", false),
        ("double *t = malloc(m * n * sizeof(double)); m++;", "free(t);", false),
        ("double *t; while (n > 9) t = malloc(m * n * sizeof(double));", "free(t);", false),
        ("double *t = malloc(m * n * sizeof(double));", "g(t);", false),
        ("double *t = malloc(m * n * sizeof(double));", "x[0] = t[0];", false),
    ] {
        let source =
            function("int n, int m, double *x", call, &body).replace("endscop\n", &format!("endscop\n{after}\n"));
        let parsed = read(&source);
        let scop = &parsed.scops[0];
        let t = scop.array(scop.array_named("t").unwrap());
        assert_eq!(t.role == Role::Temporary, is_temporary, "{call} {after}: {:?}", t.role);
        if is_temporary {
            let declaration = t.declaration.as_ref().unwrap();
            let allocation = declaration.allocation().unwrap();
            assert!(call.contains(&format!("malloc({});", &source[allocation.arguments.clone()])), "{call}");
            assert!(t.linearised);
            assert_eq!(t.extent_texts, Some(vec!["n".to_string(), "m".to_string()]));
        }
    }
}
