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

/// In C a small function is a formula, so that dead calls go; in C++ what looks the same may run anything.
#[test]
fn formulas_are_known_in_c() {
    let source = "static int twice(int v) { return v * 2; }
void f(int x[50]) {
  int t[50], u[50];
#pragma scop
  for (int i = 0; i < 50; i++) {
    u[i] = twice(i);
    t[i] = twice(x[i]);
    x[i] = t[i] + 1;
  }
#pragma endscop
}
";
    for (name, goes) in [("formula.c", true), ("formula.cpp", false)] {
        file(name, source);
        let result = format!("formula.out.{}", name.rsplit('.').next().unwrap());
        let run = run("optimize", &[name], &["-o", &path(&result).display().to_string()]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert_eq!(!text(&result).contains("twice(i)"), goes, "{}", text(&result));
    }
}
