//! Choices without branches, so that compilers make vectors of the loops around them.
//!
//! What stands behind `?`, `&&` and `||`, or in the branches of an `if`, is computed only where C asks for it, and where it is floating arithmetic gcc keeps it so, since it might
//! raise a flag (`choices.rs`). No value depends on a flag. Computed in each turn, and taken where the condition says so, it is
//!
//! ```c
//! out[j] = d < 0.02 && -d * w < 0.02 ? in[j] : in[j] + d;
//! out[j] = polyfold_select((d < 0.02) & (-d * w < 0.02), in[j], in[j] + d);
//! ```
//!
//! * What is computed without being asked for is sums, differences, products and quotients of floating numbers, and comparisons (`speculation.rs`): no calls, and no division by what the source does not divide by.
//! * It reads variables, and cells that the scop surely uses at some time or that are shown to lie inside their arrays.
//! * No turn of the loop uses what another one writes (`apart.rs`), and no other choice in it keeps its branches: in other loops a choice that is foreseen is faster.
//! * Both values become the type that C gives to the choice, or that of what branches assign. All of a loop is of one precision, for a fault of gcc (`is_of_one_precision`).
//! * The file does not ask for flags, nor change what happens when they are raised.
//!
//! Which statements are written so is found in the source; the text is made of what all other changes leave (`written.rs`). The function that chooses stands in front of the file (`helper.rs`).
//!
//! Source: J. R. Allen, K. Kennedy, C. Porterfield, J. Warren, Conversion of Control Dependence to Data Dependence (POPL 1983); C11 7.6.1 (what may be taken for granted of flags); GCC,
//! tree-if-conv.c and tree-ssa-sink.c.
//!
//! Invariant: what is written gives the same values, bit for bit; it may raise flags that the source does not.

mod apart;
mod helper;
mod speculation;
mod tree;
mod written;

pub(crate) use helper::{functions, words_of};
pub(crate) use written::Converted;

use crate::choices::computes_behind_a_choice;
use crate::home::words;
use crate::tokens::{Kind, tokens};
use apart::{Candidate, Siblings, siblings};
use polyfold_isl::Context;
use polyfold_scop::{ArrayId, Scop, Span, StatementId, StatementKind};
use speculation::{Speculation, is_of_one_precision};
use std::collections::BTreeSet;
use tree::Assigned;

/// The statements whose choices have a form without branches.
pub(crate) fn convertible(ctx: &Context, source: &str, scop: &Scop) -> BTreeSet<StatementId> {
    converted(ctx, source, scop).iter().flat_map(Converted::statements).copied().collect()
}

/// Their forms.
pub(crate) fn converted(ctx: &Context, source: &str, scop: &Scop) -> Vec<Converted> {
    // What may not return may be there to keep cells from being read.
    let may_leave = scop.statements.iter().any(|s| s.is_effectful());
    if may_leave || asks_for_flags(source) {
        return Vec::new();
    }
    siblings(scop).into_iter().flat_map(|own| of_loop(ctx, source, scop, &own)).collect()
}

/// All choices of an innermost loop, or none: one that keeps its branches takes the vectors of all.
fn of_loop(ctx: &Context, source: &str, scop: &Scop, all: &[Siblings]) -> Vec<Converted> {
    let is_of_one_precision = |own: &Siblings| is_of_one_precision(source, scop, own);
    if !all.iter().all(Siblings::are_apart) || !all.first().is_some_and(is_of_one_precision) {
        return Vec::new();
    }
    let candidates: Vec<(&Siblings, Candidate)> =
        all.iter().flat_map(|own| own.candidates().into_iter().map(move |candidate| (own, candidate))).collect();
    let found = candidates.iter().filter_map(|(own, candidate)| of_statement((ctx, source, scop), own, candidate));
    let found: Vec<Converted> = found.collect();
    let has_form = |span: &Span| found.iter().any(|own| own.span.start <= span.start && span.end <= own.span.end);
    let computes = |candidate: &Candidate| candidate.ids.iter().any(|id| computes_behind_a_choice(source, scop, *id));
    let branching = candidates.iter().filter(|(_, own)| computes(own)).map(|(_, own)| own.span.clone());
    let all_have_forms = branching.chain(all.iter().flat_map(Siblings::by_data)).all(|span| has_form(&span));
    if all_have_forms { found } else { Vec::new() }
}

fn of_statement(
    (ctx, source, scop): (&Context, &str, &Scop),
    own: &Siblings,
    candidate: &Candidate,
) -> Option<Converted> {
    let Candidate { ids, span, is_guard } = candidate;
    let computes = *is_guard || ids.iter().any(|id| computes_behind_a_choice(source, scop, *id));
    let text = &source[span.clone()];
    let has_comment = text.contains("//") || text.contains("/*");
    let target = target(scop, ids).filter(|_| computes && !has_comment)?;
    let all = tokens(source, span);
    let speculation = Speculation { ctx, source, scop, own, ids };
    let types = speculation.types(&Assigned::of(&all)?, &scop.array(target).element)?;
    Some(Converted::new((source, scop), ids.clone(), span.clone(), types))
}

/// What statements assign that do nothing else, have no macros around their accesses, and all assign the same.
fn target(scop: &Scop, ids: &[StatementId]) -> Option<ArrayId> {
    let statements = || ids.iter().map(|id| scop.statement(*id));
    let mut assigning = statements().filter(|s| s.kind != StatementKind::Condition);
    let accesses = || statements().flat_map(|s| &s.accesses);
    let writes: Vec<ArrayId> = accesses().filter(|a| a.is_write()).map(|a| a.array).collect();
    let target = *writes.first()?;
    let are_one = writes.len() == assigning.clone().count() && writes.iter().all(|own| *own == target);
    let are_plain = assigning.all(|s| matches!(s.kind, StatementKind::Assignment | StatementKind::Declaration));
    let are_in_file = accesses().all(|a| a.place.fragment.is_none());
    (are_one && are_plain && are_in_file).then_some(target)
}

/// Parts of names that ask for floating point's flags, or change what happens when they are raised.
const OF_FLAGS: [&str; 9] =
    ["fenv", "FENV", "exceptflag", "EXCEPTION_MASK", "etcsr", "mxcsr", "SIGFPE", "fpsetmask", "controlfp"];

/// Whether a file says that it does; `feenableexcept`, `fetestexcept` and their like do, too.
fn asks_for_flags(source: &str) -> bool {
    let all = tokens(source, &(0..source.len()));
    let is_of_flags = |word: &str| {
        word.starts_with("fe") && word.ends_with("except") || OF_FLAGS.iter().any(|part| word.contains(part))
    };
    let texts = all.iter().filter(|t| matches!(t.kind, Kind::Word | Kind::Directive)).map(|t| t.text);
    texts.flat_map(words).any(|(_, word)| is_of_flags(word))
}
