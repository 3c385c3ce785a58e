//! `--emit fast`: sums whose first term moves into their loop.

use crate::files::{agree, optimized};
use crate::forms::{Function, all_agree};

const SIZES: &str = "0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 18, 31, 32, 33, 34";
const BEGINS_WITH_0: &[&str] = &[" = 0;\n", "for (int k = 0;"];
const STAYS: &[&str] = &["! = 0;\n", "for (int k = 1;"];

/// A function that sums up to i terms for each i.
fn sum(
    name: &'static str,
    locals: &'static str,
    body: &'static str,
    says: &'static [&'static str],
) -> Function<'static> {
    Function { name, locals, body, n: SIZES, t: "0, 5", says }
}

#[test]
fn sums_of_integers_begin_with_0() {
    let functions = [
        sum(
            "natural",
            "unsigned s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    s[i][0] = (unsigned)in[0] * 4000000000u;
    for (int k = 1; k <= i; k++)
      s[i][k] = s[i][k - 1] + (unsigned)in[k] * 4000000000u;
    out[i] = s[i][i];
  }",
            BEGINS_WITH_0,
        ),
        sum(
            "whole",
            "int s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    s[i][0] = -(int)(in[i] - t);
    for (int k = 1; k <= i; k++)
      s[i][k] = -(int)(in[i - k] - t) + s[i][k - 1];
    out[i] = s[i][i];
  }",
            BEGINS_WITH_0,
        ),
        sum(
            "bytes",
            "unsigned char s[n + 1];",
            "  for (int i = 0; i < n; i++) {
    s[i] = in[2 * i] > 3 ? 200 : (int)in[2 * i + 1];
    for (int k = i + 1; k <= n; k++)
      s[i] += in[i + k] > 3 ? 200 : (int)in[i + k + 1];
    out[i] = s[i];
  }",
            &[" = 0;\n", "for (int k = i;"],
        ),
        sum(
            "of_an_array",
            "long s[n + 1][n + 1], a[n + 1];",
            "  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= i; k++)
      a[k] = (long)in[k] * i;
    s[i][0] = (a[0] + 1);
    for (int k = 1; k <= i; k++)
      s[i][k] = s[i][k - 1] + (a[k] + 1);
    out[i] = s[i][i];
  }",
            BEGINS_WITH_0,
        ),
    ];
    all_agree("sums_from_0", &functions, &[]);
}

#[test]
fn other_sums_stay() {
    let functions = [
        sum(
            "floating",
            "double s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    s[i][0] = -in[0];
    for (int k = 1; k <= i; k++)
      s[i][k] = -in[k] + s[i][k - 1];
    out[i] = s[i][i];
  }",
            STAYS,
        ),
        sum(
            "another_first_term",
            "int s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    s[i][0] = (int)in[1];
    for (int k = 1; k <= i; k++)
      s[i][k] = s[i][k - 1] + (int)in[k];
    out[i] = s[i][i];
  }",
            STAYS,
        ),
        sum(
            "counted",
            "int s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    s[i][0] = (int)in[0] * 1;
    for (int k = 1; k <= i; k++)
      s[i][k] = s[i][k - 1] + (int)in[k] * k;
    out[i] = s[i][i];
  }",
            STAYS,
        ),
        sum(
            "put_together_otherwise",
            "unsigned s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    s[i][0] = (int)in[0] + 20 + 0.5;
    for (int k = 1; k <= i; k++)
      s[i][k] = s[i][k - 1] + (int)in[k] + 20 + 0.5;
    out[i] = (int)(s[i][i] % 3);
  }",
            STAYS,
        ),
        sum(
            "perhaps_without_a_turn",
            "int s[n + 1][n + 9];",
            "  for (int i = 0; i < n; i++) {
    s[i][0] = (int)in[0];
    for (int k = 1; k < t; k++)
      s[i][k] = s[i][k - 1] + (int)in[k];
    out[i] = t >= 1 ? s[i][t - 1] : s[i][0];
  }",
            STAYS,
        ),
        sum(
            "with_something_between",
            "int s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    s[i][0] = (int)in[0];
    out[i] = s[i][0];
    for (int k = 1; k <= i; k++)
      s[i][k] = s[i][k - 1] + (int)in[k];
    out[i] += s[i][i];
  }",
            STAYS,
        ),
        sum(
            "of_others_too",
            "int s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    s[i][0] = (int)in[0];
    for (int k = 1; k <= i; k++)
      s[i][k] = s[i][k - 1] + (int)in[k] * (s[i][k - 1] > 9);
    out[i] = s[i][i];
  }",
            STAYS,
        ),
    ];
    all_agree("sums_from_their_first", &functions, &[]);
}

/// `q->a` and `q->b` are in one cell, and two numbers.
#[test]
fn members_of_a_structure_are_different_terms() {
    for (member, moves) in [("a", true), ("b", false)] {
        let source = format!(
            "#include <stdio.h>
typedef struct {{ int a, b; }} pair;
static void f(int n, const pair *q, const int in[n][n], int s[n]) {{
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {{
    t[i] = q->a * in[i][0];
    for (int k = 1; k < n; k++)
      t[i] += q->{member} * in[i][k];
    s[i] = t[i];
  }}
#pragma endscop
}}
int main(void) {{
  pair q = {{ 3, 5 }};
  int in[100], s[10];
  for (int i = 0; i < 100; i++)
    in[i] = i * 7 % 13;
  for (int n = 1; n <= 10; n++) {{
    f(n, &q, (int (*)[n])in, s);
    for (int i = 0; i < n; i++)
      printf(\"%d \", s[i]);
  }}
  puts(\"\");
  return 0;
}}
"
        );
        let name = format!("members_{member}");
        let result = optimized(&name, &source, &["--emit", "fast"]);
        agree(&name);
        assert_eq!(result.contains(" = 0;\n"), moves, "{result}");
    }
}
