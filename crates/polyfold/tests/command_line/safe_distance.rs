//! `--emit fast`: loops of which only iterations near each other are apart. They are promised nothing.

use super::files::{agree, file, optimized, path, text};
use crate::support::code::mentions;
use crate::support::declared::declares;
use crate::support::{self, compiler, tool};

/// Echoes of `x`, `taps` iterations before, in a ring as long as the last of them; runs with lengths around multiples of it.
fn echo(taps: &[usize], output: &str) -> String {
    let last = taps.last().expect("there are some");
    let sum: String = taps.iter().map(|tap| format!(" + 0.0625 * y[i - {tap}]")).collect();
    format!(
        "#include <stdio.h>
static void f(int n, const double *x, double {output}) {{
  double y[n];
#pragma scop
  for (int i = 0; i < {last} && i < n; i++)
    y[i] = x[i];
  for (int i = {last}; i < n; i++) {{
    y[i] = x[i]{sum};
    out[i] = y[i];
  }}
#pragma endscop
}}
int main(void) {{
  static double x[2000], out[2000];
  for (int i = 0; i < 2000; i++)
    x[i] = i * 7 % 13;
  for (int n = 1; n < 2000; n = n < {last} - 2 ? {last} - 2 : n < {last} + 140 ? n + 1 : n + 311) {{
    f(n, x, out);
    for (int i = {last}; i < n; i++)
      printf(\"%.17g \", out[i]);
  }}
  puts(\"\");
  return 0;
}}
"
    )
}

/// In a ring of 161 cells what is 97 iterations before is 64 behind, too.
const TAPS: [usize; 11] = [65, 68, 70, 73, 76, 80, 83, 86, 90, 97, 161];

/// The result, which has to compute the same, without warnings.
#[track_caller]
fn result(name: &str, source: &str) -> String {
    let result = optimized(name, source, &["--emit", "fast"]);
    agree(name);
    compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    result
}

/// Whatever is near, far or restricted: an iteration reads what others wrote.
#[test]
fn echoes_are_promised_nothing() {
    let taps = [&TAPS[..], &TAPS[6..], &[&TAPS[..9], &[130, 161]].concat(), &[&[31], &TAPS[..]].concat()];
    for (k, taps) in taps.into_iter().enumerate() {
        for (output, declared) in [("restricted", "*restrict out"), ("plain", "*out"), ("brackets", "out[restrict n]")]
        {
            let text = result(&format!("echo_{k}_{output}"), &echo(taps, declared));
            assert!(declares(&text, "y", &["161"]) && !mentions(&text, "POLYFOLD_IVDEP"), "{text}");
        }
    }
}

/// The word stands in a comment, and in a macro's name.
#[test]
fn words_beside_a_declaration_promise_nothing() {
    for (name, output) in [("echo_comment", "* /* restrict */ out"), ("echo_macro", "*restrict_not out")] {
        let text = result(name, &format!("#define restrict_not\n{}", echo(&TAPS, output)));
        assert!(!mentions(&text, "POLYFOLD_IVDEP"), "{name}: {text}");
    }
}

/// Rows that are read before they are written get conditions with their new storage: nothing is promised of them then.
#[test]
fn conditions_of_new_storage_take_the_order_away() {
    let in_corpus = support::root().join("corpus/orders/pyramid_three.c");
    let source = file("pyramid.c", std::fs::read(in_corpus).expect("it is there"));
    let result = path("pyramid.out.c");
    let run = tool::optimize(&source, &result, &["--emit", "fast"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(compiler::run(&result, &[]), compiler::run_source(&source, &[]));
    let text = text("pyramid.out.c");
    assert!(declares(&text, "a_values", &["4 * h + 5", "2 * w + 3"]) && !mentions(&text, "POLYFOLD_IVDEP"), "{text}");
}
