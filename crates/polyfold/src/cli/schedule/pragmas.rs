//! The source's pragmas in front of new loops: which ones stay, and why others go.

use super::super::Failure;
use super::super::input::Input;
use super::refusals::{Refused, failed, misfit, why_wrong};
use super::wish::Wish;
use polyfold_codegen::{Heir, Lost, Misfit, NewLoops, Order, Pieces, dropped_pragmas};
use polyfold_flow::Model;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::Context;
use polyfold_plan::{Judgement, judged_order};
use polyfold_schedule::{Legal, Violation, dependent_at_once};
use polyfold_scop::{Code, Scop, Span};

/// A scop with new loops in an order, and what there is to say about their pragmas. Those of the source stay where no two iterations of
/// a new loop depend on each other, unless the user says which dimensions are parallel.
pub(super) fn written(
    ctx: &Context,
    input: &Input,
    (pieces, legal, model): (&Pieces, &Legal, &Model),
    wish: &Wish,
) -> Result<(Scop, Vec<Diagnostic>), Refused> {
    let (context, parameters, parallel) = (&model.context, &model.parameters, wish.parallel);
    let order = Order { dates: legal.dates(), context, parameters, parallel, form: wish.form };
    let refused = |why: Misfit| misfit(&input.source, why);
    let mut loops = NewLoops::of(&input.source, pieces, &order).map_err(refused)?;
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
        [] => Some(loops.inherit(&mut are_independent).map_err(refused)?.to_vec()),
        _ => None,
    };
    if let Some((before, after)) = loops.programs() {
        let judgement = judged_order(before, &after, (context, parameters)).map_err(failed)?;
        if let Judgement::Differ(why) = judgement {
            return Err(Failure::Check(format!("`{}`: {why}; nothing was written", model.scop.function)).into());
        }
    }
    let scop = input.parsed.scops.iter().find(|own| own.span == model.scop.span);
    let new = scop.map_or(Ok(None), |scop| loops.scop(scop)).map_err(refused)?;
    let Some(new) = new else {
        return Err(
            Failure::input("--schedule: polyfold finds no loops of this scop's statements for this order").into()
        );
    };
    let notes = dropped_pragmas(&input.source, &pieces.scop).into_iter().filter_map(|span| match &lost {
        Some(lost) if loops.has_heir(&span) || lost.iter().any(|lost| lost.span == span) => {
            let lost = lost.iter().find(|lost| lost.span == span)?;
            Some(note(span, why_lost(pieces, lost, &dependent), None))
        }
        _ => Some(note(span, LEFT_OUT.to_string(), Some(HELP.to_string()))),
    });
    Ok((new, notes.collect()))
}

const LEFT_OUT: &str = "the new loops do not have this pragma of the old ones";
const HELP: &str = "--parallel writes one for loops whose iterations may run at once";

fn note(span: Span, message: String, help: Option<String>) -> Diagnostic {
    Diagnostic {
        severity: Severity::Note,
        code: Code::PragmaLeft,
        message,
        span,
        about_options: false,
        label: "left out".to_string(),
        help,
    }
}

fn why_lost(pieces: &Pieces, lost: &Lost, dependent: &[(Vec<Span>, Violation)]) -> String {
    let violation = dependent.iter().find(|(pragmas, _)| pragmas.contains(&lost.span));
    let why = match violation {
        _ if lost.is_nested => "loops around have one".to_string(),
        Some((_, violation)) => why_wrong(&pieces.scop, violation),
        None => "none goes through the iterations of its loop alone".to_string(),
    };
    format!("{LEFT_OUT}: {why}")
}
