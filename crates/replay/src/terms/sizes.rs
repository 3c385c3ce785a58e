//! The sizes at which two programs are compared.
//!
//! ```text
//! all sizes k                              k = 1 to 6
//! one size k, then two sizes k and l,      all others 4
//! one size j * S - 1, j * S, j * S + 1     j = 1, 2, for each constant S >= 7 in a condition or modulus; all others 4
//! ```
//!
//! Why the last: a loop in strips of 64 that is wrong for what is left over shows it at 127 and 129
//! only.

use polyfold_program::{Int, Program, Stmt};
use std::collections::BTreeSet;

/// A value for each parameter, in the order of the program before.
pub type Sizes = Vec<i64>;

const SMALL: std::ops::RangeInclusive<i64> = 1..=6;
const OTHERS: i64 = 4;

/// Past this a constant is no width of strips that a small run could reach.
const MOST: i64 = 1024;

/// Sizes for two programs, those that cost little first. Some may not be ones that the programs
/// allow.
pub fn sizes_to_run(before: &Program, after: &Program) -> Vec<Sizes> {
    let count = before.parameters.len();
    let mut all: Vec<Sizes> = Vec::new();
    let mut add = |sizes: Sizes| {
        if !all.contains(&sizes) {
            all.push(sizes);
        }
    };
    let with = |changed: &[(usize, i64)]| {
        let mut sizes = vec![OTHERS; count];
        changed.iter().for_each(|(k, value)| sizes[*k] = *value);
        sizes
    };
    SMALL.for_each(|value| add(vec![value; count]));
    for k in 0..count {
        SMALL.for_each(|value| add(with(&[(k, value)])));
    }
    for (k, l) in (0..count).flat_map(|k| (k + 1..count).map(move |l| (k, l))) {
        SMALL.for_each(|value| SMALL.for_each(|other| add(with(&[(k, value), (l, other)]))));
    }
    let constants: BTreeSet<i64> = [before, after].into_iter().flat_map(constants).collect();
    for constant in constants {
        for (k, value) in (0..count).flat_map(|k| [1, 2].map(|j| (k, j * constant))) {
            [value - 1, value, value + 1].into_iter().for_each(|value| add(with(&[(k, value)])));
        }
    }
    all
}

/// Constants that a form may depend on.
fn constants(program: &Program) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    let mut note = |e: &Int| {
        if let Int::Constant(value) = e {
            let size = value.unsigned_abs();
            found.extend(i64::try_from(size).ok().filter(|size| (7..=MOST).contains(size)));
        }
    };
    let mut visit = |stmt: &Stmt| {
        if let Stmt::For(own) = stmt {
            own.step.iter().for_each(|step| note(&Int::Constant(*step)));
        }
        stmt.each_int(&mut note);
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}
