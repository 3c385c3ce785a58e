//! Speed of new loops: programs in their own order, with the loops that isl writes for it, against the source.
//!
//! `cargo bench -p polyfold --bench loops`
//!
//! Storage stays as it is, so that nothing differs but the loops. Both are compiled with `-O2`, and run in turns; times are the
//! least user time of eleven runs each, and what counts is their ratio. Goal: within 5 % of the source.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use support::own_order::in_own_order;
use wait4::Wait4;

#[path = "../tests/support/mod.rs"]
mod support;

const RUNS: usize = 11;

/// A name, parameters, and a body for the function `f`, which `main` calls so many times.
struct Case {
    name: &'static str,
    body: &'static str,
    calls: usize,
}

const CASES: [Case; 6] = [
    Case {
        name: "matrix product",
        calls: 50,
        body: "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }",
    },
    Case {
        name: "jacobi",
        calls: 400,
        body: "  for (int t = 0; t < 20; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
  }",
    },
    Case {
        name: "seidel",
        calls: 60,
        body: "  for (int t = 0; t < 20; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]) * 0.2;",
    },
    Case {
        name: "lu",
        calls: 80,
        body: "  for (int k = 0; k < n; k++) {
    for (int j = k + 1; j < n; j++)
      a[k][j] = a[k][j] / (a[k][k] + 2.0);
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
  }",
    },
    Case {
        name: "triangle",
        calls: 300,
        body: "  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      c[i][j] = a[i][j] * 0.5;
      for (int k = 0; k < j; k += 2)
        c[i][j] += a[i][k] * b[j][k];
    }",
    },
    Case {
        name: "blur",
        calls: 4000,
        body: "  for (int i = 0; i < n; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = a[i][j - 1] + a[i][j] + a[i][j + 1];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      c[i][j] = b[i - 1][j] + b[i][j] + b[i + 1][j];",
    },
];

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("{:<16} {:>10} {:>10} {:>8}", "", "source ms", "new ms", "ratio");
    for case in &CASES {
        let source = case.source();
        let new = in_own_order(&source, 0).unwrap_or_else(|why| panic!("{}: {why}", case.name));
        let programs = [source, new].map(|text| compiled(folder.path(), &text));
        let mut least = [Duration::MAX; 2];
        for _ in 0..RUNS {
            for (least, program) in least.iter_mut().zip(&programs) {
                *least = user_time(program).min(*least);
            }
        }
        let [old, new] = least.map(|time| time.as_secs_f64() * 1000.0);
        println!("{:<16} {old:>10.1} {new:>10.1} {:>8.3}", case.name, new / old);
    }
}

impl Case {
    fn source(&self) -> String {
        let Case { body, calls, .. } = self;
        format!(
            "enum {{ SIZE = 256 }};
static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
__attribute__((noinline)) static void f(int n, double a[n][n], double b[n][n], double c[n][n]) {{
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      a[i][j] = (i * 7 + j) % 11 * 0.125, b[i][j] = (i + j * 5) % 13 * 0.25;
  for (int call = 0; call < {calls}; call++)
    f(SIZE, a, b, c);
  return a[5][9] + c[7][3] == 0.125;
}}
"
        )
    }
}

fn compiled(folder: &Path, text: &str) -> PathBuf {
    let number = std::fs::read_dir(folder).expect("the folder can be read").count();
    let (source, program) = (folder.join(format!("{number}.c")), folder.join(format!("{number}.exe")));
    std::fs::write(&source, text).expect("the folder can be written");
    let status = Command::new("cc").args(["-O2", "-Wno-unknown-pragmas"]).arg(&source).arg("-o").arg(&program).status();
    assert!(status.is_ok_and(|status| status.success()), "{text}");
    program
}

fn user_time(program: &Path) -> Duration {
    let mut child = Command::new(program).stdout(Stdio::null()).spawn().expect("the program starts");
    child.wait4().expect("it ends").rusage.utime
}
