//! Random passes over a grid: what `auto` finds is replayed, and no changed line is proved that sends two values to one cell.

use crate::replay::first_clash;
use polyfold_isl::Context;
use polyfold_smo::{Allocation, ConflictSet, Engine, Form, Outcome, Polynomial, storage_mapping_by, verify};

const SETS: u64 = 24;

/// Changes of each line.
const MUTANTS: usize = 12;

/// Sizes at which pairs are enumerated.
const SIZES: [[i64; 2]; 3] = [[4, 4], [4, 6], [6, 5]];

/// A linear congruential generator: the sets are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound) as i64
    }

    /// One pass after the other over N × M values, some of them from the other end: a value of one lives until the next has come so
    /// many rows and columns farther.
    fn passes(&mut self) -> String {
        let count = 1 + self.below(3);
        let mut all = Vec::new();
        for k in 0..count {
            let rows = if self.below(3) == 0 { "i' <= i + 1 and " } else { "" };
            let inside = "0 <= i, i' < N and 0 <= j, j' < M";
            all.push(format!("S{k}[i, j] -> S{k}[i', j'] : {inside} and {rows} i < i'"));
            all.push(format!("S{k}[i, j] -> S{k}[i, j'] : 0 <= i < N and 0 <= j < j' < M"));
            if k + 1 < count {
                let (down, right) = (self.below(3), self.below(4) - 1);
                let row = if self.below(4) == 0 { "N - 1 - i'" } else { "i'" };
                all.push(format!("S{k}[i, j] -> S{}[i', j'] : {inside} and {row} < i + {down}", k + 1));
                all.push(format!(
                    "S{k}[i, j] -> S{}[i', j'] : {inside} and {row} = i + {down} and j' < j + {right}",
                    k + 1
                ));
            }
        }
        format!("[N, M] -> {{ {} }}", all.join(";\n  "))
    }

    /// A line with something else in it.
    fn mutant(&mut self, allocation: &Allocation) -> Allocation {
        let mut mutant = allocation.clone();
        let line = &mut mutant.lines[0];
        let change = if self.below(2) == 0 { 1 } else { -1 };
        let (member, level) = (self.below(line.members.len() as u64) as usize, self.below(2) as usize);
        let form = [Form { slopes: vec![0, 0], constant: change }, Form { slopes: vec![0, change], constant: 0 }];
        let change_of = Polynomial::from(&form[self.below(2) as usize]);
        let rows = &mut line.members[member].rows;
        match self.below(4) {
            0 => line.modulus = line.modulus.plus(&change_of).unwrap(),
            1 => line.strides[level] = line.strides[level].plus(&change_of).unwrap(),
            2 => rows[level].offset += change,
            _ => rows[level].coefficients[self.below(2) as usize] += change,
        }
        mutant
    }
}

#[test]
fn lines_are_replayed_and_wrong_ones_refused() {
    let (mut lines, mut refused, mut accepted) = (0_u64, 0, 0);
    for seed in 0..SETS {
        let mut numbers = Numbers(seed);
        let pairs = numbers.passes();
        let conflicts = ConflictSet::read(&Context::new(), "[N, M] -> { : N >= 4 and M >= 4 }", &pairs).unwrap();
        let solution = storage_mapping_by(Engine::Auto, &conflicts, &[100, 100]).unwrap();
        let Outcome::Proved(proved) = solution.outcome else { panic!("seed {seed} {pairs}\n{:?}", solution.outcome) };
        let clash = |allocation: &Allocation| SIZES.iter().find_map(|s| first_clash(&conflicts, &pairs, allocation, s));
        let told = |allocation: &Allocation| format!("seed {seed} {pairs}\n{}", allocation.text(&conflicts));
        assert_eq!(clash(proved.value()), None, "{}", told(proved.value()));
        if proved.value().lines.is_empty() {
            continue;
        }
        lines += 1;
        for _ in 0..MUTANTS {
            let mutant = numbers.mutant(proved.value());
            match verify(&conflicts, mutant.clone()).unwrap() {
                Ok(_) => {
                    accepted += 1;
                    assert_eq!(clash(&mutant), None, "{}", told(&mutant));
                }
                Err(_) => refused += 1,
            }
        }
    }
    println!("{lines} lines for {SETS} sets; {refused} of their mutants refused, {accepted} accepted");
    assert!(lines >= SETS / 4 && refused > 2 * accepted && accepted > 0);
}
