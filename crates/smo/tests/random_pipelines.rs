//! Random one-dimensional pipelines: every engine's answer is proved and replayed, and is no larger than separate buffers.

use crate::pipeline::Numbers;
use crate::replay;
use polyfold_isl::{Context, Map, Set};
use polyfold_smo::{Allocation, ConflictSet, Engine, Outcome, storage_mapping, storage_mapping_by, verify};

const PROGRAMS: u64 = 100;

/// The same allocation with one number changed by one.
fn mutant(numbers: &mut Numbers, allocation: &Allocation) -> Allocation {
    let mut mutant = allocation.clone();
    let count = mutant.buffers.len() as u64;
    let buffer = &mut mutant.buffers[numbers.below(count)];
    if buffer.moduli.is_empty() {
        return mutant;
    }
    let (row, member) = (numbers.below(buffer.moduli.len() as u64), numbers.below(buffer.members.len() as u64));
    let change = if numbers.below(2) == 0 { 1 } else { -1 };
    match numbers.below(3) {
        0 => buffer.moduli[row].constant -= 1,
        1 => buffer.members[member].rows[row].offset += change,
        _ => buffer.members[member].rows[row].coefficients[0] += change,
    }
    mutant
}

fn solved(ctx: &Context, maps: &[Map], told: &str) -> (ConflictSet, Allocation) {
    let context = Set::read(ctx, "[N] -> { : N >= 8 }").unwrap();
    let conflicts = ConflictSet::new(context, maps).unwrap();
    let outcome = storage_mapping(&conflicts).unwrap();
    let Outcome::Proved(proved) = outcome else { panic!("{told}: {outcome:?}") };
    (conflicts, proved.value().clone())
}

/// Cells with a buffer for each statement.
fn separate(ctx: &Context, maps: &[Map], size: i64, told: &str) -> i128 {
    let own = maps.iter().filter(|map| map.tuple_names().0 == map.tuple_names().1);
    own.map(|map| solved(ctx, std::slice::from_ref(map), told).1.cells(&[size])).sum()
}

/// No conflicting pair shares a cell, at two sizes.
#[track_caller]
fn replayed(conflicts: &ConflictSet, maps: &[Map], allocation: &Allocation, told: &str) {
    for (size, map) in [8, 11].into_iter().flat_map(|size| maps.iter().map(move |map| (size, map))) {
        let clash = replay::clash_of(conflicts, map, allocation, &[size]);
        assert_eq!(clash, None, "{told}{}", allocation.text(conflicts));
    }
}

#[test]
fn random_pipelines_are_proved_and_replayed() {
    let (mut all, mut all_separate, mut accepted) = (0, 0, 0);
    for seed in 0..PROGRAMS {
        let mut numbers = Numbers(seed);
        let pipeline = numbers.pipeline();
        let told = format!("seed {seed}, {pipeline}");
        let ctx = Context::new();
        let maps = pipeline.conflicts(&ctx).unwrap();
        let (conflicts, allocation) = solved(&ctx, &maps, &told);
        replayed(&conflicts, &maps, &allocation, &told);
        for _ in 0..4 {
            let mutant = mutant(&mut numbers, &allocation);
            if verify(&conflicts, mutant.clone()).unwrap().is_ok() {
                accepted += 1;
                replayed(&conflicts, &maps, &mutant, &told);
            }
        }
        let (cells, apart) = (allocation.cells(&[100]), separate(&ctx, &maps, 100, &told));
        assert!(cells <= apart, "{told}{}", allocation.text(&conflicts));
        (all, all_separate) = (all + cells, all_separate + apart);
    }
    println!("{PROGRAMS} programs: {all} cells, {all_separate} with separate buffers");
    println!("{} mutants, {accepted} of them valid", 4 * PROGRAMS);
    assert!((1..2 * PROGRAMS).contains(&accepted), "most mutants are invalid, some are not");
}

/// Cells at N = 100, by the engine's own means or, where it finds nothing smaller, another's.
fn cells_by(engine: Engine, conflicts: &ConflictSet, maps: &[Map], told: &str) -> i128 {
    let solution = storage_mapping_by(engine, conflicts, &[100]).unwrap();
    let Outcome::Proved(proved) = &solution.outcome else { panic!("{told}{engine:?}: {:?}", solution.outcome) };
    replayed(conflicts, maps, proved.value(), &format!("{told}{engine:?}\n"));
    proved.value().cells(&[100])
}

#[test]
fn no_engine_is_worse_than_those_behind_it() {
    let (mut all, mut smaller) = ([0; 5], 0);
    for seed in 0..PROGRAMS {
        let pipeline = Numbers(seed).pipeline();
        let told = format!("seed {seed}, {pipeline}");
        let ctx = Context::new();
        let maps = pipeline.conflicts(&ctx).unwrap();
        let conflicts = ConflictSet::new(Set::read(&ctx, "[N] -> { : N >= 8 }").unwrap(), &maps).unwrap();
        let engines = [Engine::Separate, Engine::Smo, Engine::Joint, Engine::Fast, Engine::Auto];
        let cells = engines.map(|engine| cells_by(engine, &conflicts, &maps, &told));
        let [separate, smo, joint, fast, auto] = cells;
        assert!(smo <= separate && joint <= smo && fast <= separate, "{told}{cells:?}");
        assert!(auto <= joint.min(fast), "{told}{cells:?}");
        all.iter_mut().zip(cells).for_each(|(all, cells)| *all += cells);
        smaller += usize::from(joint < smo);
    }
    println!(
        "{PROGRAMS} programs at N = 100: {all:?} cells separate, by smo, joint, fast, auto; joint smaller in {smaller}"
    );
    assert!(smaller > PROGRAMS as usize / 10, "joint finds less than smo in many programs: {smaller}");
    assert!(all[2] < all[1] && all[3] < all[1] && all[1] < all[0], "so do all engines in sum: {all:?}");
}
