//! Parallel loops of kernels, contracted, with their iterations in another order than the loop's.
//!
//! A loop `for (int i = a; i < b; i += s)` behind `#pragma omp parallel for` becomes one that visits the k-th of its m turns at
//! `a + s (7919 k + 13 mod m)`: as 7919 is prime, each once. If storage were shared between iterations, or one needed another, results
//! would differ.

use super::files::{file, path};
use crate::support::{compiler, root, tool, two_threads};

/// Kernels of the corpus, and the dimension of their own order that is parallel.
const KERNELS: [(&str, usize); 13] = [
    ("adi", 3),
    ("blur_5x5", 3),
    ("doitgen", 1),
    ("fdtd_2d", 3),
    ("fir_decimate", 1),
    ("floyd_warshall", 3),
    ("jacobi_1d", 3),
    ("life", 3),
    ("nine_points", 3),
    ("opening", 1),
    ("pyramid", 1),
    ("two_grids_2d", 3),
    ("wavelet", 3),
];

/// Work for each array with which all of these get the storage that they get with more.
const ENOUGH: &str = "40000000";

#[test]
#[ignore = "long, in ./check-more"]
fn contracted_parallel_loops_run_in_any_order() {
    let changed = two_threads::map(KERNELS.to_vec(), |(name, dimension)| changes_in_any_order(name, dimension));
    let changed = changed.into_iter().filter(|changed| *changed).count();
    assert!(changed >= 10, "storage of {changed} kernels is new");
}

/// Whether storage is new in a kernel that computes the same in another order.
fn changes_in_any_order(name: &str, dimension: usize) -> bool {
    let source = file(&format!("{name}.before.c"), corpus(name));
    let (result, shuffled) = (path(&format!("{name}.parallel.c")), path(&format!("{name}.shuffled.c")));
    let more = ["--parallel", &dimension.to_string(), "--max-ops", ENOUGH];
    let run = tool::optimize(&source, &result, &more);
    assert_eq!(run.status, 0, "{name}: {}", run.stderr);
    let text = std::fs::read_to_string(&result).unwrap();
    let (other, loops) = in_another_order(&text);
    assert!(loops > 0, "{name} has no parallel loop: {text}");
    std::fs::write(&shuffled, &other).unwrap();
    let expected = compiler::run_source(&source, &[]).unwrap();
    assert_eq!(compiler::run(&shuffled, &[]), Ok(expected.clone()), "{name}: {other}");
    assert_eq!(compiler::run(&result, &["-fopenmp"]), Ok(expected), "{name} on several threads: {text}");
    text.contains(" lives in ") || text.contains(" is one variable")
}

fn corpus(name: &str) -> Vec<u8> {
    std::fs::read(root().join("corpus").join(format!("{name}.c"))).expect("it is in the corpus")
}

/// The text with all parallel loops shuffled, and how many.
pub(crate) fn in_another_order(text: &str) -> (String, usize) {
    let (mut out, mut loops, mut is_next) = (String::new(), 0, false);
    for line in text.lines() {
        let head = line.trim_start().strip_prefix("for (int ").filter(|_| is_next);
        match head.and_then(|head| shuffled(head, loops)) {
            Some(new) => {
                out.push_str(&new);
                loops += 1;
            }
            None => out.push_str(line),
        }
        is_next = line.trim_start().starts_with("#pragma omp parallel for");
        out.push('\n');
    }
    (out, loops)
}

/// `i = a; i < b; i++) …` as two loops: over the turns, and once for each.
fn shuffled(head: &str, number: usize) -> Option<String> {
    let (first, rest) = head.split_once("; ")?;
    let (condition, rest) = rest.split_once("; ")?;
    let (counter, first) = first.split_once(" = ")?;
    let (step, body) = closed(rest)?;
    let step = step.strip_prefix(counter)?.trim();
    let step = if step == "++" { "1" } else { step.strip_prefix("+= ")? };
    let bound = condition.strip_prefix(counter)?.trim_start();
    let end = match bound.strip_prefix("<= ") {
        Some(last) => format!("({last}) + 1"),
        None => format!("({})", bound.strip_prefix("< ")?),
    };
    let turns = format!("({end} - ({first}) + {step} - 1) / {step}");
    let (turn, once) = (format!("turn{number}"), format!("once{number}"));
    let place = format!("(int)(({turn} * 7919 + 13) % ({turns}))");
    Some(format!(
        "for (long {turn} = 0; {turn} < {turns}; {turn}++) for (int {once} = 1, {counter} = ({first}) + {step} * {place}; {once}; {once} = 0){body}"
    ))
}

/// What stands before the parenthesis that closes the head, and behind it.
fn closed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let end = text.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth < 0
    });
    end.map(|(at, _)| (&text[..at], &text[at + 1..]))
}
