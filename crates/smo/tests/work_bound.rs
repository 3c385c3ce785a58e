//! What was proved is not lost when the work bound is reached later.

use crate::kernels;
use polyfold_isl::{Context, ErrorKind, Result};
use polyfold_smo::{ConflictSet, Engine, Outcome, storage_mapping_by};

/// Cells of jacobi, all parameters 20, within a bound on the engine. Nothing is remembered from bound to bound.
fn cells(engine: Engine, bound: u64) -> Result<i128> {
    let (ctx, kernel) = (Context::new(), &kernels::TABLE_1[3]);
    let conflicts = ConflictSet::read(&ctx, kernel.context, kernel.conflicts)?;
    let sizes = vec![20; conflicts.parameters().len()];
    let solution = ctx.with_quota(bound, || storage_mapping_by(engine, &conflicts, &sizes))?;
    let Outcome::Proved(proved) = solution.outcome else { panic!("{}: {:?}", kernel.name, solution.outcome) };
    Ok(proved.value().cells(&sizes))
}

/// The least power of two, times a number, that is enough.
fn enough(engine: Engine, times: u64) -> u64 {
    (8..40).map(|k| times << k).find(|bound| cells(engine, *bound).is_ok()).expect("an engine ends")
}

#[test]
fn auto_keeps_what_an_engine_before_has_proved() {
    let (fast, auto) = (cells(Engine::Fast, u64::MAX).unwrap(), cells(Engine::Auto, u64::MAX).unwrap());
    assert!(auto <= fast);
    for times in [5, 6, 7, 8] {
        let bound = enough(Engine::Fast, times);
        for more in [0, 1, 1000, bound / 4, bound / 2, bound] {
            let found = cells(Engine::Auto, bound + more).expect("the result of `fast` is kept");
            assert!((auto..=fast).contains(&found), "{found} cells within {}", bound + more);
        }
    }
}

#[test]
fn without_anything_proved_the_bound_is_an_error() {
    for engine in [Engine::Fast, Engine::Joint, Engine::Smo, Engine::Auto] {
        assert_eq!(cells(engine, 100).unwrap_err().kind, ErrorKind::Quota);
    }
}
