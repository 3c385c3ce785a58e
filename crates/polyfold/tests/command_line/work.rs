//! Long inputs, and ones that are hard to analyse.

use super::files::{file, optimized, run};
use super::programs::SIMPLE;
use crate::support::code::has;

#[test]
fn a_function_of_five_thousand_lines() {
    let lines: String = (0..2500).map(|k| format!("  x[0] += {k};\n  x[0] ^= {k};\n")).collect();
    let source = SIMPLE.replace("  int t[n];\n", &format!("  int t[n];\n{lines}"));
    let result = optimized("long", &source, &[]);
    assert!(result.contains(&lines) && has(&result, "int t = 2 * x[i];"));
}

#[test]
#[ignore = "long, in ./check-more"]
fn many_divisors_do_not_take_minutes() {
    let source = "void f(int n, const int x[n], int out[n]) {
  int t[n][7][11][13];
#pragma scop
  for (int i = 0; i < n; i++)
    t[i / 3][i % 7][i % 11][i % 13] = 2 * x[i];
  for (int i = 0; i < n; i++)
    out[i] = t[i / 3][i % 7][i % 11][i % 13];
#pragma endscop
}
";
    file("divisors.c", source);
    let begun = std::time::Instant::now();
    let run = run("optimize", &["divisors.c"], &["--max-ops", "40000000"]);
    assert!(run.stderr.contains("more work than --max-ops allows"), "{}", run.stderr);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

/// The table says why it does not say how many values are alive.
#[test]
fn values_that_are_not_counted_are_said() {
    file("uncounted.c", SIMPLE);
    let said = |more: &[&str]| run("optimize", &["uncounted.c"], &[&["--param", "n=3000000"], more].concat()).stderr;
    let note = "(?: to count the values alive at these sizes takes more steps than --max-ops allows)";
    let few = said(&["--max-ops", "1000000"]);
    assert!(few.contains("; ? alive at once") && few.contains(note), "{few}");
    assert!(!said(&[]).contains(note));
}

/// What one interval per cell shows is enough: dataflow between a hundred writes and reads is left out.
#[test]
#[ignore = "long, in ./check-more"]
fn two_hundred_statements() {
    let pairs: String = (0..100).map(|k| format!("    t[i] = x[i] + {k};\n    out[i] += t[i];\n")).collect();
    let source = format!(
        "void f(int n, const int x[n], int out[n]) {{\n  int t[n];\n#pragma scop\n  \
         for (int i = 0; i < n; i++) {{\n{pairs}  }}\n#pragma endscop\n}}\n"
    );
    assert!(has(&optimized("statements", &source, &[]), "int t = x[i] + 0;"));
}
