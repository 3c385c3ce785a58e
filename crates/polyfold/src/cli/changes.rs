//! What changes from one text to another, by lines.
//!
//! Example: of a file of 100 lines in which line 50 changes, lines 1 to 46 are a gap, 47 to 49 the same, 50 is changed, and so on.
//!
//! Invariant: the parts follow each other, and together are all lines of both texts.

use polyfold_report::{Change, ChangeKind};
use similar::{DiffTag, TextDiff};
use std::path::Path;

/// What changes, as `diff -u` prints it.
pub(super) fn difference(path: &Path, before: &str, after: &str) -> String {
    let name = path.display();
    let lines = TextDiff::from_lines(before, after);
    lines.unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}

/// Unchanged lines this near to changed ones are shown.
const CONTEXT: usize = 3;

/// All lines of two texts, by what changed.
pub(super) fn changes(before: &str, after: &str) -> Vec<Change> {
    let mut found: Vec<Change> = Vec::new();
    let operations = TextDiff::from_lines(before, after);
    for operation in operations.ops() {
        let (old, new) = (operation.old_range(), operation.new_range());
        let lines = [old.start, old.end, new.start, new.end];
        match (operation.tag(), found.last_mut()) {
            (DiffTag::Equal, _) => found.push(Change { kind: ChangeKind::Same, lines }),
            (_, Some(Change { kind: ChangeKind::Changed, lines })) => (lines[1], lines[3]) = (old.end, new.end),
            _ => found.push(Change { kind: ChangeKind::Changed, lines }),
        }
    }
    let last = found.len().saturating_sub(1);
    let is_near = |k: usize| (k > 0, k < last);
    found.into_iter().enumerate().flat_map(|(k, change)| with_gap(change, is_near(k))).collect()
}

/// Lines that are the same, without those far from changed ones; these may be in front of them, and behind.
fn with_gap(change: Change, (has_before, has_behind): (bool, bool)) -> Vec<Change> {
    let [from, to, new_from, new_to] = change.lines;
    let first = if has_before { CONTEXT } else { 0 };
    let last = if has_behind { CONTEXT } else { 0 };
    if change.kind != ChangeKind::Same || to - from <= first + last + 1 {
        return vec![change];
    }
    let part = |kind, begin: usize, end: usize| Change {
        kind,
        lines: [from + begin, from + end, new_from + begin, new_from + end],
    };
    debug_assert_eq!(to - from, new_to - new_from);
    let parts = [
        part(ChangeKind::Same, 0, first),
        part(ChangeKind::Gap, first, to - from - last),
        part(ChangeKind::Same, to - from - last, to - from),
    ];
    parts.into_iter().filter(|part| part.lines[0] < part.lines[1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_lines_of_both_texts() {
        let text = |changed: &[usize], more: usize| -> String {
            let line = |k| if changed.contains(&k) { format!("new {k}\n").repeat(more) } else { format!("{k}\n") };
            (0..60).map(line).collect()
        };
        let before = text(&[], 1);
        for (changed, gaps) in [(&[][..], 1), (&[0], 1), (&[30], 2), (&[59], 1), (&[20, 24], 2), (&[20, 50], 3)] {
            for more in [0, 1, 3] {
                let after = text(changed, more);
                let found = changes(&before, &after);
                let mut at = [0, 0];
                for Change { kind, lines: [from, to, new_from, new_to] } in &found {
                    assert_eq!([*from, *new_from], at, "{found:?}");
                    let is_same = before
                        .lines()
                        .skip(*from)
                        .take(to - from)
                        .eq(after.lines().skip(*new_from).take(new_to - new_from));
                    assert_eq!(is_same, *kind != ChangeKind::Changed, "{found:?}");
                    at = [*to, *new_to];
                }
                assert_eq!(at, [before.lines().count(), after.lines().count()]);
                assert_eq!(found.iter().filter(|change| change.kind == ChangeKind::Gap).count(), gaps, "{found:?}");
            }
        }
    }
}
