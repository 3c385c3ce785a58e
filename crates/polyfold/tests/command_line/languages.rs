//! C++.

use crate::files::{file, path, run, text};
use crate::programs::SIMPLE;

/// A parameter with a run-time extent is no C++.
fn cpp() -> String {
    SIMPLE.replace("int n, int x[n]", "int x[50]").replace("[n]", "[50]").replace("< n", "< 50")
}

#[test]
fn cpp_files_are_optimized() {
    file("plus.cpp", cpp());
    let output = path("plus.out.cpp").display().to_string();
    let run = run("optimize", &["plus.cpp"], &["-o", &output]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(text("plus.out.cpp").matches("    int t = 2 * x[i];").count(), 1);
}

#[test]
fn cpp_files_are_checked() {
    file("checked.cpp", cpp());
    let checked = run("check", &["checked.cpp", "checked.cpp"], &[]);
    assert_eq!(checked.status, 0, "{}", checked.stderr);
}
