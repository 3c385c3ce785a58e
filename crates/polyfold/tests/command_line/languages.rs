//! C++.

use super::files::{file, path, run, text};
use super::programs::SIMPLE;
use crate::support::code::{count, has};

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
    assert_eq!(count(&text("plus.out.cpp"), "int t = 2 * x[i];"), 1);
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
    let cpp = ["formula.cpp", "formula.C", "formula.cxx", "formula.c++"].map(|name| (name, false));
    for (name, goes) in [("formula.c", true)].into_iter().chain(cpp) {
        file(name, source);
        let result = format!("formula.out.{}", name.rsplit('.').next().unwrap());
        let run = run("optimize", &[name], &["-o", &path(&result).display().to_string()]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert_eq!(!has(&text(&result), "twice(i)"), goes, "{}", text(&result));
    }
}

/// A C++ file in which a temporary has elements of a type, declared by `declared`.
fn of_elements(declared: &str, element: &str) -> String {
    let before = "void go(const E *in, E *out) {\n  E t[40];\n#pragma scop\n";
    let scop =
        "  for (int i = 0; i < 40; i++) {\n    t[i] = in[i] + 1;\n    if (i >= 1)\n      out[i] = t[i - 1] + 2;\n  }\n";
    format!(
        "#include <cstdint>\n#include <cstddef>\n#include <complex>\n{declared}\n{before}{scop}#pragma endscop\n}}\n"
    )
    .replace("E t[", &format!("{element} t["))
    .replace("const E *", &format!("const {element} *"))
    .replace("E *out", &format!("{element} *out"))
}

/// What `=` of a class does with the value that a cell held is not known.
#[test]
fn values_of_classes_are_left_alone() {
    let adder = "struct Adder { double x; Adder &operator=(const Adder &o) { x += o.x; return *this; } };\n\
                 inline Adder operator+(const Adder &a, double k) { Adder r = a; r.x += k; return r; }";
    let alias = format!("{adder}\ntypedef Adder Sum;\nusing Total = Adder;");
    for (name, declared, element) in [
        ("class", adder, "Adder"),
        ("class_typedef", &alias, "Sum"),
        ("class_using", &alias, "Total"),
        ("class_complex", "", "std::complex<double>"),
    ] {
        let source = of_elements(declared, element);
        file(&format!("{name}.cpp"), &source);
        let output = path(&format!("{name}.out.cpp")).display().to_string();
        let ended = run("optimize", &[&format!("{name}.cpp")], &["-o", &output]);
        assert!(ended.status != 0 || text(&format!("{name}.out.cpp")) == source, "{name}: {}", ended.stderr);
        let strict = run("optimize", &[&format!("{name}.cpp")], &["-o", &output, "--strict"]);
        // A declaration that isn't understood at all is no surprise.
        assert!(strict.status == 1 || element.contains('<'), "{name}: {}", strict.stderr);
    }
}

#[test]
fn values_of_numbers_in_cpp_shrink() {
    for (name, declared, element) in [
        ("number", "", "double"),
        ("number_std", "", "std::int32_t"),
        ("number_typedef", "typedef unsigned short pixel;", "pixel"),
    ] {
        let source = of_elements(declared, element);
        file(&format!("{name}.cpp"), &source);
        let output = path(&format!("{name}.out.cpp")).display().to_string();
        let ended = run("optimize", &[&format!("{name}.cpp")], &["-o", &output]);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        assert_ne!(text(&format!("{name}.out.cpp")), source, "{name}: {}{}", ended.stderr, ended.stdout);
    }
}
