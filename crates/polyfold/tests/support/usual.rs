//! What the command does to a file when nothing is asked for.

use polyfold_codegen::{Dialect, Form, Rewritten, SizesInC, TextLimits, rewrite};
use polyfold_isl::Context;
use polyfold_plan::{Optimized, Options, Scope, Slack, decisions, optimize};
use polyfold_scop::Scop;

/// The storage that is found for a scop of a file, within a bound of work.
pub fn solved(ctx: &Context, scop: &Scop, source: &str) -> Optimized {
    let options = Options {
        method: None,
        scope: Scope::Inter,
        sizes: Vec::new(),
        assumptions: Vec::new(),
        max_operations: 200_000_000,
        slack: Slack::Usual,
        text: TextLimits::of(source, scop),
        in_strips: false,
    };
    optimize(ctx, scop, &options, &mut |_| {}).expect("it is within the bound")
}

/// A file with that storage.
pub fn rewritten(source: &str, scops: &[Scop], results: &[Optimized], form: Form) -> Rewritten {
    let names = scops.iter().zip(results).map(|(scop, result)| {
        let (proved, isl, scop) = (&result.proved, &result.parameters, result.scop(scop));
        SizesInC::computed(proved, isl, scop).expect("sizes have names")
    });
    let names: Vec<SizesInC> = names.collect();
    let all = scops.iter().zip(results).zip(&names).map(|((scop, result), names)| {
        decisions(result.scop(scop), source, (result, names), (form, false)).expect("isl works")
    });
    rewrite(source, &all.collect::<Vec<_>>(), Dialect::C).expect("it is printed")
}
