//! Damaged programs: the front end may refuse, but never panics and never points outside the file.

use crate::support::*;
#[allow(dead_code)]
use polyfold_frontend::{Options, instrument, parse};

const PROGRAM: &str = "#include <stddef.h>\n#define N 20\n#define AT(a,i,j) a[i][j]\n#define MAX(a,b) ((a) > (b) ? (a) : (b))\n\
enum { K = 3 };\ntypedef double real;\nstatic const int w = 2;\n\
void kernel(size_t n, real x[N], real (*b)[n]) {\n  int i, j;\n  real t[N][N], s; /* café */\n  static unsigned u[K];\n#pragma polyfold live_in(x)\n\
#pragma scop\n#pragma omp parallel for collapse(2) private(s)\n  for (i = 0; i < N - 1; i++)\n    for (j = MAX(i, K); j <= N - w; j += 2) {\n\
S1:   t[i][j] = x[i] > 0 ? AT(b, i, j-1) : b[i][j] * 0.5f;\n      if (i > 0 && x[j] < 1e-3) u[j % K] += (unsigned)t[i-1][j]; else s = \"q\"[0];\n    }\n\
#ifdef X\n  foo(t);\n#else\n  x[0] = s + sin(t[0][0]);\n#endif\n#pragma endscop\n}\nint main(void) { return 0; }\n";

fn survives(source: &str, preprocessed: &str) {
    let options = Options {
        temporary: vec!["x".into()],
        assume: vec!["N > 3".into(), "((".into(), "{ : }".into()],
        ..Options::default()
    };
    let parsed = parse(source, preprocessed, &options);
    for diagnostic in &parsed.diagnostics {
        assert!(source.get(diagnostic.span.clone()).is_some(), "{diagnostic:?}");
    }
    for scop in &parsed.scops {
        assert!(!scop.to_string().is_empty());
    }
}

#[test]
fn the_program_itself_is_understood() {
    let parsed = read(PROGRAM);
    assert_eq!(parsed.scops.len(), 1, "{:#?}", parsed.diagnostics);
}

#[test]
fn cut_programs() {
    let whole = preprocess(&instrument(PROGRAM));
    for at in (0..PROGRAM.len()).filter(|&at| PROGRAM.is_char_boundary(at)) {
        survives(&PROGRAM[..at], &whole);
        survives(&PROGRAM[at..], &whole);
        if at % 7 == 0 {
            survives(PROGRAM, &whole[..whole.len() * at / PROGRAM.len()]);
        }
    }
}

#[test]
fn changed_bytes() {
    let whole = preprocess(&instrument(PROGRAM));
    let mut state = 12345u32;
    for round in 0..1500 {
        let mut bytes = PROGRAM.as_bytes().to_vec();
        for _ in 0..1 + round % 4 {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            let at = (state >> 8) as usize % bytes.len();
            bytes[at] = b"(){}[];,#\n\\\"'/*=<x0 :?."[(state >> 3) as usize % 23];
        }
        survives(&String::from_utf8_lossy(&bytes), &whole);
    }
}

#[test]
fn deep_nests() {
    for (open, close) in [("(", ")"), ("{", "}"), ("x[", "]"), ("if (1) ", ""), ("-", ""), ("for (;;) ", "")] {
        let scop =
            format!("x[0] = 1; {}{}{};", open.repeat(3000), if open == "{" { "" } else { "1" }, close.repeat(3000));
        let source = function("int x[9]", "", &scop);
        survives(&source, &instrument(&source));
    }
    let sum = vec!["x[0]"; 5000].join(" + ");
    let source = function("int x[9]", "", &format!("x[0] = {sum};"));
    survives(&source, &instrument(&source));
}
