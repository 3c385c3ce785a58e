//! Scops from C text, without a compiler.

use polyfold_scop::{ArrayId, Scop};

/// t is written upwards and read downwards.
#[allow(dead_code)] // Not every file of tests uses it.
pub(crate) const THERE_AND_BACK: &str =
    "  for (int i = 0; i < n; i++)\n    t[i] = x[i];\n  for (int i = n - 1; i >= 0; i--)\n    y[i] = t[i];\n";

/// A function with the temporaries t and u; nothing in it needs a preprocessor.
pub(crate) fn scop(region: &str) -> Scop {
    let (head, tail) =
        ("void f(int n, int x[n], int y[n]) {\n  int t[n], u[n];\n#pragma scop\n", "#pragma endscop\n}\n");
    let source = format!("{head}{region}{tail}");
    let parsed = polyfold_frontend::parse(
        &source,
        &polyfold_frontend::instrument(&source),
        &polyfold_frontend::Options::default(),
    );
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.scops.into_iter().next().expect("there is a scop")
}

pub(crate) fn array(scop: &Scop, name: &str) -> ArrayId {
    scop.array_named(name).expect("it is used")
}
