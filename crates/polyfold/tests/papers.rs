//! Tables and figures of the papers: Bee+Cl@k (LCTES'07).
//!
//! Figure 3 gives the storage that the heuristics find, and the optimum by exhaustive search, which is found here without
//! search, for all sizes. The values alive at once are counted, the paper does not have them.

use crate::kernels;
use crate::support::scop;
use polyfold_alloc::Method;
use polyfold_codegen::TextLimits;
use polyfold_flow::Model;
use polyfold_isl::{Context, Set};
use polyfold_live::{DifferenceSet, Lifetimes, Precision, conflicts};
use polyfold_plan::{Options, Outcome, Scope, Slack, optimize};
use polyfold_replay::{Trace, replay_mapping};
use polyfold_scop::AccessKind;
use std::collections::BTreeMap;

/// Cells by one modulus per axis, cells by the best mapping, values alive at once; 0 cells: nobody reads the array.
type Row = (u64, u64, u64);

/// The row of an array in a kernel's table, at the kernel's own sizes, or n = 100.
#[track_caller]
fn storage(kernel: &str, array: &str) -> Row {
    let (plain, _) = storage_by(Some(Method::SuccessiveModulo), kernel, array);
    let (best, live) = storage_by(None, kernel, array);
    (plain, best, live)
}

#[track_caller]
fn storage_by(method: Option<Method>, kernel: &str, array: &str) -> (u64, u64) {
    let (ctx, scop) = (Context::new(), scop(kernel));
    let options = Options {
        method,
        scope: Scope::Intra,
        sizes: Vec::new(),
        assumptions: Vec::new(),
        max_operations: 200_000_000,
        slack: Slack::NONE,
        text: TextLimits::default(),
        in_strips: false,
    };
    let result = optimize(&ctx, &scop, &options, &mut |_| {}).expect("the kernel is small");
    let id = scop.array_named(array).expect("the kernel has this array");
    let (_, outcome) = result.outcomes.iter().find(|(other, _)| *other == id).expect("every array has an outcome");
    let sizes = polyfold_plan::borrow(&result.sizes.values);
    let cells = match outcome {
        Outcome::Mapped { storage, .. } => {
            storage.get().mapping.cells(&sizes).expect("the sizes fit").expect("it is defined")
        }
        Outcome::Removed => 0,
        Outcome::Shared { .. } | Outcome::Values { .. } | Outcome::Hosted { .. } => unreachable!("each array is alone"),
        Outcome::Kept { .. } => {
            polyfold_plan::declared_cells(&scop, id, &result.sizes.values).expect("the extents are declared")
        }
    };
    let (counted, live) = (&result.counted, result.live(&scop));
    let place = counted.iter().position(|other| *other == id).expect("it is counted");
    (cells, live.as_ref().expect("the kernel is short").each[place])
}

#[test]
fn bee_fig3_durbin() {
    for array in ["alpha", "beta", "sum"] {
        assert_eq!(storage(kernels::DURBIN, array), (1, 1, 1), "{array}");
    }
}

#[test]
fn bee_fig3_durbin_y() {
    assert_eq!(storage(kernels::DURBIN, "y"), (200, 197, 148));
}

#[test]
fn bee_fig3_reg_detect() {
    assert_eq!(storage(kernels::REG_DETECT, "sum_t"), (36, 27, 21));
    assert_eq!(storage(kernels::REG_DETECT, "mean"), (36, 27, 21));
    assert_eq!(storage(kernels::REG_DETECT, "diff"), (2304, 1728, 1344));
    assert_eq!(storage(kernels::REG_DETECT, "sum_d"), (1, 1, 1));
}

#[test]
fn bee_fig3_dynprog_sum_c() {
    assert_eq!(storage(kernels::DYNPROG, "sum_c"), (1, 1, 1));
}

#[test]
fn bee_fig3_gauss() {
    assert_eq!(storage(kernels::GAUSS, "g_tmp"), (2400, 2400, 2400));
    assert_eq!(storage(kernels::GAUSS, "g_acc1"), (1, 1, 1));
    assert_eq!(storage(kernels::GAUSS, "g_acc2"), (1, 1, 1));
}

/// The paper has 10 for `Delta`: it over-approximates integer divisions, and says so.
#[test]
fn bee_fig3_mot_detect() {
    assert_eq!(storage(kernels::MOT_DETECT, "Delta"), (1, 1, 1));
    assert_eq!(storage(kernels::MOT_DETECT, "ODelta"), (1, 1, 1));
}

/// §4.1.1: the differences of y are the points of a polytope, "when N >= 3".
#[test]
fn bee_fig2_differences_of_durbin_y() {
    let (ctx, scop) = (Context::new(), scop(kernels::DURBIN));
    let model = Model::build(&ctx, &scop).unwrap();
    let y = scop.array_named("y").unwrap();
    let found = conflicts(&Lifetimes::of(&model, y).unwrap(), Precision::Cell).unwrap();
    let differences = DifferenceSet::of(&ctx, found, 2).unwrap().set().clone();
    let printed = "[n] -> { [i, k] : -(n - 1) <= i + 2 k <= n - 1 and -(n - 1) <= i - k <= n - 1 and -1 <= k <= 1 }";
    let polytope = Set::read(&ctx, printed).unwrap();
    let sizes = Set::read(&ctx, "[n] -> { : n >= 3 }").unwrap();
    let [differences, polytope] = [differences, polytope].map(|set| set.intersect_params(&sizes).unwrap());
    assert!(differences.is_equal(&polytope).unwrap(), "{differences}");
    assert_eq!(polytope.at(&[("n", 100)]).unwrap().points().unwrap().len(), 591);
}

/// The write of `A[1]` is dead, but it happens while `A[0]` is alive.
const DEAD_WRITE: &str = "
void f(int in[2], int out[1]) {
  int A[2];
#pragma scop
  A[0] = in[0];
  A[1] = in[1];
  out[0] = A[0];
#pragma endscop
}
";

/// §3.2: x and y conflict iff FW(x) < LR(y) and FW(y) < LR(x). A cell that nobody reads has no last read.
#[test]
fn bee_3_2_formula_misses_dead_writes() {
    let scop = scop(DEAD_WRITE);
    let array = scop.array_named("A").unwrap();
    let trace = Trace::run(&scop, &BTreeMap::new(), || true, 100).unwrap();
    let times = |kind, cell: i64| {
        let touches = move |o: &polyfold_replay::Operation| {
            o.events.iter().any(|e| e.array == array && e.kind == kind && e.cell == [cell])
        };
        trace.operations.iter().enumerate().filter(move |(_, o)| touches(o)).map(|(time, _)| time)
    };
    let before = |x, y| match (times(AccessKind::Write, x).min(), times(AccessKind::Read, y).max()) {
        (Some(first_write), Some(last_read)) => first_write < last_read,
        _ => false,
    };
    assert!(!(before(0, 1) && before(1, 0)), "the printed formula sees no conflict");
    assert!(replay_mapping(&trace, array, &|_| vec![]).is_err(), "and would lose a value");

    let ctx = Context::new();
    let model = Model::build(&ctx, &scop).unwrap();
    for precision in [Precision::Cell, Precision::Value] {
        let found = conflicts(&Lifetimes::of(&model, array).unwrap(), precision).unwrap();
        assert!(found.pairs().unwrap().is_some(), "{precision:?}");
    }
    let in_one_statement =
        DEAD_WRITE.replace("  A[0] = in[0];\n  A[1] = in[1];", "  for (int k = 0; k < 2; k++)\n    A[k] = in[k];");
    assert_eq!(storage(&in_one_statement, "A"), (2, 2, 2));
    assert_eq!(storage(DEAD_WRITE, "A"), (1, 1, 1), "a statement that nobody reads goes");
}
