//! Small functions in one file, in the fast form or another one, run at the sizes where their loops change.

use super::files::{agree, optimized, path};
use crate::support::code;
use crate::support::compiler;

/// A function of two sizes.
#[derive(Clone)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'static str,
    /// What it declares in front of its loops.
    pub(crate) locals: &'static str,
    pub(crate) body: &'a str,
    /// The sizes, in C.
    pub(crate) n: &'static str,
    pub(crate) t: &'static str,
    /// Parts of the text that the result has, or has not if they begin with `!`.
    pub(crate) says: &'static [&'static str],
}

const MAIN: &str = "typedef void function(int n, int t, const double *in, double *out);
static void run(const char *name, function *f, const int *n, const int *end_n, const int *t, const int *end_t) {
  static double in[300], out[300];
  for (; n < end_n; n++) {
    unsigned long sum = 0;
    for (const int *own = t; own < end_t; own++) {
      for (int i = 0; i < 300; i++)
        in[i] = i * 7 % 13 + *own, out[i] = 0;
      f(*n, *own, in, out);
      for (int i = 0; i < 300; i++) {
        unsigned long bits;
        memcpy(&bits, &out[i], sizeof bits);
        sum = (sum ^ bits) * 0x100000001b3;
      }
    }
    printf(\"%s %d %lx\\n\", name, *n, sum);
  }
}
";

/// Optimizes all functions, in one file named after the test: they compute the same, without warnings, and say what they should.
#[track_caller]
pub(crate) fn all_agree(name: &str, functions: &[Function], more: &[&str]) {
    let form: &[&str] = if more.contains(&"--emit") { &[] } else { &["--emit", "fast"] };
    let result = optimized(name, &source(functions), &[form, more].concat());
    for function in functions {
        let text = code::function(&result, function.name);
        for piece in function.says {
            let (piece, wanted) = piece.strip_prefix('!').map_or((*piece, true), |piece| (piece, false));
            assert_eq!(code::has(text, piece), wanted, "{}: `{piece}` in {text}", function.name);
        }
    }
    agree(name);
    compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
}

fn source(functions: &[Function]) -> String {
    let mut text = "#include <stdio.h>\n#include <string.h>\n".to_string();
    let mut calls = String::new();
    for Function { name, locals, body, n, t, .. } in functions {
        text += &format!(
            "static void {name}(int n, int t, const double *in, double *out) {{
  {locals}
#pragma scop
{body}
#pragma endscop
  (void)t;
}}
"
        );
        calls += &format!(
            "  {{\n    static const int n[] = {{{n}}}, t[] = {{{t}}};
    run(\"{name}\", {name}, n, n + sizeof n / sizeof *n, t, t + sizeof t / sizeof *t);\n  }}\n"
        );
    }
    format!("{text}{MAIN}int main(void) {{\n{calls}  return 0;\n}}\n")
}
