//! What is said of regions in local memory: at its place, and in words that one can act on.

use crate::support::compacted::compact;
use crate::support::scratch;

/// The exit status, and what the command says of a text.
fn said(name: &str, text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let directory = scratch("local_messages");
    let (input, output) = (directory.join(format!("{name}.c")), directory.join(format!("{name}_out.c")));
    std::fs::write(&input, text).expect("the directory is writable");
    let said = compact(&input, &output, arguments);
    (said.status.code(), String::from_utf8_lossy(&said.stderr).into_owned())
}

#[test]
fn a_counter_used_behind_the_scop_is_shown_where_it_is_used() {
    let text = "double A[48][48];
int f(int n, int m) {
  int i, k;
#pragma scop
  for (k = 0; k < n; k++) {
#pragma polyfold local
    for (i = 0; i < m; i++)
      A[k][i] = A[i][k] + 1;
  }
#pragma endscop
  return n > 0 && m > 1 ? i + k : 0;
}
";
    let (status, said) = said("behind", text, &[]);
    assert_eq!(status, Some(1));
    assert!(said.contains("behind.c:11:27") && said.contains("`i` is used after the scop"), "{said}");
}

/// Nests are tiled from behind: that those in front of it become longer moves no message.
#[test]
fn a_nest_behind_one_that_is_tiled_is_shown_where_it_stands() {
    let text = "void f(int n, int in[n], int out[n], int wide[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      wide[i][j] = in[i] + in[j];
  for (int i = 0; i < n; i++)
    out[i] = in[i] + in[n - 1 - i];
#pragma endscop
}
";
    let (status, said) = said("behind_tiles", text, &["--tile", "4,4"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("behind_tiles.c:6:3"), "{said}");
}

#[test]
fn a_scop_without_an_end_is_an_error() {
    let open = "void f(int n, double a[n]) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    a[i] = a[n - 1 - i];
}
";
    for (name, text) in
        [("open", open.to_string()), ("open_in_front", format!("{open}#pragma scop\n#pragma endscop\n"))]
    {
        let (status, said) = said(name, &text, &[]);
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains("the scop of this region has no end") && said.contains(":3:1"), "{said}");
    }
}

#[test]
fn clauses_about_loops_that_are_not_there_say_so() {
    let of = |clauses: &str, head: &str| {
        format!(
            "void f(int n, double A[n][n], double B[n][n]) {{
#pragma scop
  {head}
#pragma polyfold local {clauses}
    for (int j = 0; j < n; j++)
      A[0][j] += B[j][n - 1];
#pragma endscop
}}
"
        )
    };
    let head = "for (int k = 0; k < n; k++)";
    for (name, clauses, head, wanted) in [
        ("other_loop", "hoist(A, z)", head, "`hoist(A, z)`: no loop of `z` stands around the region"),
        ("other_loop_help", "hoist(A, j)", head, "name the counter of a loop around it: `k`"),
        ("no_loop", "hoist(A, k)", "", "leave it out: the region is in no loop"),
        ("other_array", "hoist(Q, k)", head, "`hoist(Q)`: the region uses no array of this name"),
        ("no_buffers", "buffers(2)", "", "no local array rotates, each has one buffer; the region is in no loop"),
    ] {
        let (status, said) = said(name, &of(clauses, head), &["--always"]);
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains(wanted) && !said.contains("between the region"), "{name}: {said}");
    }
    let (_, said) = said("twice", &of("async async", head), &[]);
    assert!(said.contains("leave one of them out"), "{said}");
}
