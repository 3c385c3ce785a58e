//! Random conflict sets of statements with none to three iterators: no engine fails, every answer is proved and replayed.

use crate::replay;
use polyfold_isl::{Context, Map};
use polyfold_smo::{ConflictSet, Engine, Outcome, storage_mapping_by};

const SETS: u64 = 40;

/// A linear congruential generator: the sets are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound) as usize
    }

    /// How one iterator of a pair compares with one of the other's.
    fn comparison(&mut self, x: &str, y: &str) -> String {
        let shift = self.below(4) as i64 - 1;
        match self.below(8) {
            0 | 1 => format!("{x} < {y}"),
            2 => format!("{y} <= {x} + {shift}"),
            3 | 4 => format!("{x} = {y}"),
            5 => format!("{y} = {x} + {shift}"),
            6 => format!("{x} <= {y} <= {x} + {}", shift + 1),
            _ => String::new(),
        }
    }

    /// Pairs of two statements, which compare some iterators with those in the same place, or in the mirrored one.
    fn pairs(&mut self, (a, b): (usize, usize), arities: &[usize]) -> String {
        let names = |arity: usize, letter: &str| (0..arity).map(|k| format!("{letter}{k}")).collect::<Vec<_>>();
        let (x, mut y) = (names(arities[a], "x"), names(arities[b], "y"));
        let (from, to) = (format!("S{a}[{}]", x.join(", ")), format!("S{b}[{}]", y.join(", ")));
        let mut conditions: Vec<String> = x.iter().chain(&y).map(|name| format!("0 <= {name} < N")).collect();
        if a != b && self.below(4) == 0 {
            y.reverse();
        }
        let compared: Vec<String> = x.iter().zip(&y).map(|(x, y)| self.comparison(x, y)).collect();
        conditions.extend(compared.into_iter().filter(|condition| !condition.is_empty()));
        let condition = if conditions.is_empty() { "N >= 0".to_string() } else { conditions.join(" and ") };
        format!("{from} -> {to} : {condition}")
    }

    fn conflicts(&mut self) -> String {
        let count = 2 + self.below(2);
        let arities: Vec<usize> = (0..count).map(|_| [0, 1, 1, 2, 2, 2, 3][self.below(7)]).collect();
        let mut all = Vec::new();
        for (a, b) in (0..count).flat_map(|b| (0..=b).map(move |a| (a, b))) {
            for _ in 0..self.below(3) {
                all.push(self.pairs((a, b), &arities));
            }
        }
        all.push(self.pairs((0, 1), &arities));
        format!("[N] -> {{ {} }}", all.join(";\n  "))
    }
}

#[test]
fn every_engine_is_proved_and_replayed() {
    let mut all = [0; 5];
    // in the last one N + 1 cells are the least at small sizes, and 6 at large ones
    for seed in (0..SETS).chain([99]) {
        let pairs = Numbers(seed).conflicts();
        let conflicts = ConflictSet::read(&Context::new(), "[N] -> { : N >= 4 }", &pairs).unwrap();
        let maps = Map::read_each(conflicts.context().context(), &pairs).unwrap();
        let engines = [Engine::Separate, Engine::Smo, Engine::Joint, Engine::Fast, Engine::Auto];
        let cells = engines.map(|engine| {
            let outcome = storage_mapping_by(engine, &conflicts, &[100]).unwrap().outcome;
            let Outcome::Proved(proved) = outcome else { panic!("seed {seed} {pairs}\n{engine:?}: {outcome:?}") };
            for (size, map) in [4, 5].into_iter().flat_map(|size| maps.iter().map(move |map| (size, map))) {
                let clash = replay::clash_of(&conflicts, map, proved.value(), &[size]);
                assert_eq!(clash, None, "seed {seed} {pairs}\n{engine:?}\n{}", proved.value().text(&conflicts));
            }
            proved.value().cells(&[100])
        });
        let [separate, smo, joint, fast, auto] = cells;
        let told = format!("seed {seed} {pairs}\n{cells:?}");
        assert!(smo <= separate && fast <= separate && joint <= smo && auto <= joint.min(fast), "{told}");
        all.iter_mut().zip(cells).for_each(|(all, cells)| *all += cells);
    }
    println!("{SETS} sets at N = 100: {all:?} cells separate, by smo, joint, fast, auto");
    assert!(all[4] < all[3] && all[4] <= all[2] && all[2] < all[1] && all[1] < all[0], "{all:?}");
}
