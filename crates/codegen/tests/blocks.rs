//! Groups of statements in blocks of their own, as text.

#![allow(missing_docs)]

use polyfold_codegen::in_blocks;
use polyfold_scop::{Scop, StatementId};

const HEAD: &str = "void f(int n, const float x[n], float y[n]) {
  float t[n];
#pragma scop
";
const TAIL: &str = "
#pragma endscop
}
";

fn scop(source: &str) -> Scop {
    let instrumented = polyfold_frontend::instrument(source);
    let parsed = polyfold_frontend::parse(source, &instrumented, &polyfold_frontend::Options::default());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.scops.into_iter().next().expect("there is a scop")
}

/// What the loops are with these groups in the one; `None`: they stay.
fn grouped(loops: &str, groups: &[&[usize]]) -> Option<String> {
    let source = format!("{HEAD}{loops}{TAIL}");
    let groups = groups.iter().map(|group| group.iter().map(|id| StatementId(*id)).collect()).collect();
    let text = in_blocks(&source, &scop(&source), &[groups])?;
    let inside = text.strip_prefix(HEAD).and_then(|text| text.strip_suffix(TAIL));
    Some(inside.expect("nothing else changes").to_string())
}

const SQUARES: &str = "  for (int i = 1; i < n; i++) {
    float p = x[i];
    t[i] = p * p;
    y[i] = t[i - 1] + t[i];
  }";

#[test]
fn what_a_group_declares_stands_in_its_block() {
    let expected = "  for (int i = 1; i < n; i++) {
    {
      float p = x[i];
      t[i] = p * p;
    }
    y[i] = t[i - 1] + t[i];
  }";
    assert_eq!(grouped(SQUARES, &[&[0, 1], &[2]]).as_deref(), Some(expected));
}

#[test]
fn each_group_that_declares_something_has_a_block() {
    let loops = "  for (int i = 1; i < n; i++) {
    float p = x[i];
    t[i] = p * p;
    /* behind it */
    float q;
    if (i > 2)
      q = t[i - 1];
    else
      q = 0;
    y[i] = q + t[i];
  }";
    let expected = "  for (int i = 1; i < n; i++) {
    {
      float p = x[i];
      t[i] = p * p;
    }
    /* behind it */
    {
      float q;
      if (i > 2)
        q = t[i - 1];
      else
        q = 0;
      y[i] = q + t[i];
    }
  }";
    assert_eq!(grouped(loops, &[&[0, 1], &[2, 3, 4]]).as_deref(), Some(expected));
}

#[test]
fn a_variable_that_a_later_group_uses_keeps_its_scope() {
    assert_eq!(grouped(&SQUARES.replace("+ t[i]", "+ p"), &[&[0, 1], &[2]]), None);
}

#[test]
fn groups_without_declarations_stay_as_they_are() {
    let loops = "  for (int i = 1; i < n; i++) {
    t[i] = x[i];
    y[i] = t[i - 1] + t[i];
  }";
    assert_eq!(grouped(loops, &[&[0], &[1]]), None);
}

#[test]
fn statements_in_no_group_or_in_two_leave_all_as_it_is() {
    assert_eq!(grouped(SQUARES, &[&[0, 1]]), None);
    assert_eq!(grouped(SQUARES, &[&[0], &[1, 2], &[2]]), None);
    let together = SQUARES.replace(
        "    t[i] = p * p;\n    y[i]",
        "    if (i > 2) {\n      t[i] = p * p;\n      t[i] += 1;\n    }\n    y[i]",
    );
    assert_eq!(grouped(&together, &[&[0, 1], &[2, 3]]), None);
}
