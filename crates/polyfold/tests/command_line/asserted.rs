//! Values of macros that loops and copies were made with: the compiler refuses the text with others.

use super::files::{file, path};
use crate::support::code::count;
use crate::support::{compiler, tool};

const TAPS: &str = "#include <stdio.h>
#ifndef R
#define R 2
#endif
static void f(int n, const int in[n], int out[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++)
    t[i] = 2 * in[i];
  for (int i = R; i < n - R; i++) {
    out[i] = 0;
    for (int d = -R; d <= R; d++)
      out[i] += t[i + d];
  }
#pragma endscop
}
int main(void) {
  int in[20], out[20] = {0};
  for (int i = 0; i < 20; i++)
    in[i] = i * i % 7;
  f(20, in, out);
  for (int i = 0; i < 20; i++)
    printf(\"%d \", out[i]);
  return 0;
}
";

#[test]
fn other_values_of_macros_are_refused_by_the_compiler() {
    let marked = TAPS.replace("  for (int i = R", "#pragma polyfold local\n  for (int i = R");
    let no_room = marked.replace("#pragma scop", "goto scop;\nscop:\n#pragma scop");
    let cases: [(&str, &str, &[&str]); 4] = [
        ("optimize", TAPS, &["--schedule", "fuse"]),
        ("compact", TAPS, &["--tile", "4"]),
        ("compact", &marked, &[]),
        ("compact", &no_room, &[]),
    ];
    for (k, (command, source, options)) in cases.into_iter().enumerate() {
        let (input, output) = (file(&format!("asserted{k}.c"), source), path(&format!("asserted{k}.out.c")));
        let [from, to] = [&input, &output].map(|path| path.display().to_string());
        let run = tool::polyfold(&[&[command, from.as_str(), "-o", to.as_str()], options].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        let result = std::fs::read_to_string(&output).expect("it is written");
        assert_eq!(count(&result, "_Static_assert(R == 2, _)"), 1, "{result}");
        assert_eq!(compiler::run(&input, &[]), compiler::run(&output, &[]), "{result}");
        let refused = compiler::compile(&output, &["-DR=3"]).expect_err("another value");
        assert!(refused.contains("static assertion failed"), "{refused}");
    }
}
