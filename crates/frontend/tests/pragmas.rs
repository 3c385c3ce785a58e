//! Other tools' pragmas around a scop.

#[allow(dead_code)]
mod support;
use polyfold_scop::Role;
use support::*;

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
fn polyfold_pragmas_with_unknown_names_are_reported() {
    let source =
        "void f(int n, int x[n]) {\n#pragma polyfold temporary(zz)\n#pragma scop\n x[0] = 1;\n#pragma endscop\n}\n";
    let parsed = read(source);
    assert_eq!(parsed.scops.len(), 1);
    assert!(parsed.diagnostics[0].message.contains("`zz`, which is not declared"));
}
