//! Loops that do more than their source are said, with the reason and the place.

use super::files::{file, path, run, text};
use crate::support::compiler::warnings;
use crate::support::declared::declares;
use crate::support::tool::Run;

/// Two grids of one dimension that become one circular buffer of n + 1 cells.
const GRIDS: &str = "#include <stddef.h>
void relax(int n, int steps, double in[n], double out[n]) {
  double now[n], next[n];
#pragma scop
  for (int i = 0; i < n; i++)
    now[i] = in[i];
  for (int t = 0; t < steps; t++) {
    next[0] = now[0];
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
    next[n - 1] = now[n - 1];
    for (int i = 0; i < n; i++)
      now[i] = next[i];
  }
  for (int i = 0; i < n; i++)
    out[i] = now[i];
#pragma endscop
}
";

const HEAD: &str = "    for (int i = 1; i < n - 1; i++)\n";
const BODY: &str = "      next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];\n";

/// `polyfold optimize --strict` in a form.
fn strict(name: &str, source: &str, more: &[&str]) -> Run {
    let input = format!("{name}.c");
    file(&input, source);
    let output = path(&format!("{name}.out.c")).display().to_string();
    run("optimize", &[&input], &[&["-o", &output, "--strict"], more].concat())
}

/// Layout changes nothing: a loop is split whatever stands in it, in its head and in front of it.
#[test]
fn loops_are_split_whatever_their_text_is() {
    let head = |text: &str| GRIDS.replace(HEAD, text);
    let cases = [
        ("type", head("    for (size_t i = 1; i < n - 1; i++)\n")),
        ("comment", head("    for (int i = 1; i < n - 1 /* inside */; i++) // behind\n")),
        ("pragma", head(&format!("#pragma GCC unroll 4\n{HEAD}"))),
        ("directive", GRIDS.replace(BODY, &format!("#if 1\n{BODY}#endif\n"))),
        ("label", GRIDS.replace(BODY, &format!("      here:{BODY}"))),
        ("begun", head(&format!("      here:{HEAD}"))),
        ("condition", head("    for (int i = 1; i < n - 1 && i < 2 * n; i++)\n")),
        (
            "variable",
            GRIDS.replace(
                BODY,
                "    { double both = now[i - 1] + now[i + 1]; next[i] = 0.25 * both + 0.5 * now[i]; }\n",
            ),
        ),
        ("braces", GRIDS.replace(BODY, &format!("    {{\n{BODY}    }}\n"))),
    ];
    for (name, source) in cases {
        let said = strict(&format!("slow_{name}"), &source, &["--emit", "fast"]);
        assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{name}");
        let output = path(&format!("slow_{name}.out.c"));
        // Of a `size_t` beside an `int` compilers warn in the source, too.
        let warned = if name == "type" { Ok(()) } else { warnings(&output) };
        warned.unwrap_or_else(|message| panic!("{name}: {message}"));
    }
}

/// Nothing is said of segments, nor of a comment in another place, nor where the user asks for remainders.
#[test]
fn loops_in_segments_are_not_warned_of() {
    let beside = GRIDS.replace(BODY, &format!("      /* size_t, #if 1, unroll: inside */\n{BODY}"));
    let counter = GRIDS.replace(HEAD, "    for (size_t i = 1; i < n - 1; i++)\n");
    for (name, source, form) in
        [("plain", GRIDS, "fast"), ("beside", beside.as_str(), "fast"), ("form", counter.as_str(), "plain")]
    {
        let said = strict(&format!("not_slow_{name}"), source, &["--emit", form]);
        assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{name}");
    }
}

/// Circular buffers of rows whose cells come to lie beside each other.
#[test]
fn loops_that_go_across_rows_are_said() {
    let source = "void blur(long h, long w, const unsigned char in[h][w * 3], unsigned char out[h][w * 3]) {
  unsigned char tmp[h][w * 3];
#pragma scop
  for (long y = 0; y < h; y++) {
    for (long x = 1; x < w - 1; x++)
      for (int c = 0; c < 3; c++)
        tmp[y][x * 3 + c] = (in[y][x * 3 - 3 + c] + in[y][x * 3 + c] + in[y][x * 3 + 3 + c]) / 3;
    if (y >= 2)
      for (long x = 1; x < w - 1; x++)
        for (int c = 0; c < 3; c++)
          out[y - 1][x * 3 + c] = (tmp[y - 2][x * 3 + c] + tmp[y - 1][x * 3 + c] + tmp[y][x * 3 + c]) / 3;
  }
#pragma endscop
}
";
    let said = strict("slow_strides", source, &["--emit", "fast"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let expected = "the loop over `x`, as that in line 9, now steps over cells of `tmp`, where the source goes from one to the next";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
    let kept = strict("slow_strides_kept", source, &["--emit", "fast", "--live-out", "tmp"]);
    assert_eq!((kept.status, kept.stderr.as_str()), (0, ""));
}

/// One loop across rows that others, deeper inside, now go along is no loss.
#[test]
fn strides_that_spare_others_are_not_warned_of() {
    let source = "void planes(int n, int m, const int in[n][m], int out[m][n]) {
  int t[3][n][m];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[0][i][j] = in[i][j];
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++) {
        t[k + 1][i][j] = t[k][i][j] + 1;
        out[j][i] = t[k + 1][i][j];
      }
#pragma endscop
}
";
    let said = strict("not_slow_strides", source, &["--emit", "fast"]);
    assert_eq!((said.status, said.stderr.as_str()), (0, ""));
    assert!(declares(&text("not_slow_strides.out.c"), "t", &["m", "n"]), "the rows lie across the first loop");
}
