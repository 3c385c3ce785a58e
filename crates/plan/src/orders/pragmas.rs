//! The source's pragmas in front of new loops: which ones stay, and why others go.
//!
//! A pragma stays where no two iterations of a new loop depend on each other, unless somebody says
//! which dimensions are parallel.

use super::Source;
use super::ordered::Ordered;
use super::refused::Refused;
use super::wish::Wish;
use crate::judged::{Judgement, judged_order};
use polyfold_codegen::{Heir, Lost, NewLoops, Order, Pieces, dropped_pragmas};
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_schedule::{Legal, Violation, dependent_at_once};
use polyfold_scop::{Scop, Span};

/// A pragma of the source that new loops don't have.
pub struct LeftOut {
    /// The directive.
    pub span: Span,
    /// `None`: new loops never have pragmas like it.
    pub why: Option<WhyLeftOut>,
}

/// Why no loop has a pragma that it could have.
pub enum WhyLeftOut {
    /// Loops around have one.
    Nested,
    /// Iterations depend on each other.
    Dependent(Box<Violation>),
    /// No loop goes through the iterations of its loop alone.
    NoLoop,
}

/// A scop with new loops in a legal order.
pub(super) fn with_new_loops(
    ctx: &Context,
    source: &Source,
    (scop, model): (&Scop, &Model),
    (pieces, legal, wish): (Pieces, &Legal, &Wish),
) -> Result<Ordered, Refused> {
    let (context, parameters, parallel) = (&model.context, &model.parameters, wish.parallel);
    let order = Order { dates: legal.dates(), context, parameters, parallel, form: wish.form };
    let mut loops = NewLoops::of(source.text, &pieces, &order)?;
    let (mut moved, mut dependent) = (None, Vec::new());
    let mut are_independent = |heir: &Heir| {
        let moved = match &mut moved {
            Some(known) => known,
            unknown => unknown.insert(Model::build(ctx, &pieces.scop)?),
        };
        let found = dependent_at_once(moved, legal, (heir.dimension, &heir.statements))?;
        let are = found.is_none();
        dependent.extend(found.map(|violation| (heir.pragmas.clone(), violation)));
        Ok(are)
    };
    let lost = match parallel {
        [] => Some(loops.inherit(&mut are_independent)?.to_vec()),
        _ => None,
    };
    if let Some((before, after)) = loops.programs()
        && let Judgement::Differ(why) = judged_order(before, &after, (context, parameters))?
    {
        return Err(Refused::Differs(why));
    }
    let new = loops.scop(scop)?.ok_or(Refused::NoLoops)?;
    let left_out = dropped_pragmas(source.text, &pieces.scop).into_iter().filter_map(|span| {
        let Some(all) = &lost else { return Some(LeftOut { span, why: None }) };
        let lost = all.iter().find(|lost| lost.span == span);
        let why = lost.map(|lost| why_left_out(lost, &dependent));
        (why.is_some() || !loops.has_heir(&span)).then_some(LeftOut { span, why })
    });
    let left_out = left_out.collect();
    drop(loops);
    Ok(Ordered { scop: new, pieces: pieces.scop, left_out })
}

fn why_left_out(lost: &Lost, dependent: &[(Vec<Span>, Violation)]) -> WhyLeftOut {
    match dependent.iter().find(|(pragmas, _)| pragmas.contains(&lost.span)) {
        _ if lost.is_nested => WhyLeftOut::Nested,
        Some((_, violation)) => WhyLeftOut::Dependent(Box::new(violation.clone())),
        None => WhyLeftOut::NoLoop,
    }
}
