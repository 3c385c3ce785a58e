//! Warnings of innermost loops that do more than their source.
//!
//! Loops of one cause are one warning: all with a counter of type `size_t`, say, or all that step over
//! cells of one storage.

use polyfold_codegen::{Cost, SlowLoop, Uncut};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_plan::Optimized;
use polyfold_scop::{ArrayId, Code, Loop, Scop, Span, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// A warning.
pub(super) struct Told {
    pub(super) warning: Diagnostic,
    /// What it advises, if that is an option for some arrays.
    advised: Option<Vec<String>>,
}

impl Told {
    /// Whether it advises what another remark on these arrays would.
    pub(super) fn says_of(&self, arrays: &[String]) -> bool {
        self.advised.as_ref().is_some_and(|advised| arrays.iter().all(|array| advised.contains(array)))
    }
}

/// The loops of one scop, one warning for each cause.
pub(super) fn warnings(scop: &Scop, result: &Optimized, slow: &[SlowLoop]) -> Vec<Told> {
    let mut causes: BTreeMap<&Cost, (Vec<&Loop>, BTreeSet<ArrayId>)> = BTreeMap::new();
    for SlowLoop { id, arrays, cost } in slow {
        let (loops, all) = causes.entry(cost).or_default();
        loops.push(scop.loops()[id.0]);
        all.extend(arrays);
    }
    let warning = |(cost, (loops, arrays)): (&Cost, (Vec<&Loop>, BTreeSet<ArrayId>))| {
        let (subject, what) = (subject(&loops), names(scop, &arrays, "`, `"));
        let does = match cost {
            Cost::Divides(None) => format!("divides for each access to `{what}`"),
            Cost::Divides(Some(uncut)) => format!("divides for each access to `{what}`, since {}", reason(uncut)),
            Cost::Strides => format!("steps over cells of `{what}`, where the source goes from one to the next"),
        };
        let (help, advised) = cure(scop, result, cost, &arrays);
        let (span, label) = place(scop, loops[0]);
        let warning = Diagnostic {
            severity: Severity::Warning,
            code: if matches!(cost, Cost::Strides) { Code::Strides } else { Code::Divides },
            message: format!("{subject} now {does}: that may be much slower"),
            span,
            about_options: false,
            label: label.to_string(),
            help,
        };
        Told { warning, advised }
    };
    causes.into_iter().map(warning).collect()
}

/// What a message about a loop points at. A new loop isn't in the file, but its statements are.
fn place(scop: &Scop, l: &Loop) -> (Span, &'static str) {
    let first = scop.statements.iter().position(|statement| statement.loops.contains(&l.id));
    let is_new = |k: &usize| scop.order.is_some() || scop.comes(StatementId(*k));
    match first.filter(is_new).map(|k| &scop.statements[k]) {
        Some(first) => (first.span.clone(), "the new loop runs this first"),
        None => (l.span.start..l.span.start + "for".len(), "this loop"),
    }
}

/// The loops, as the subject of a sentence.
fn subject(loops: &[&Loop]) -> String {
    let lines: BTreeSet<usize> = loops.iter().map(|l| l.line).collect();
    let others: Vec<String> = lines.iter().skip(1).map(usize::to_string).collect();
    let counter = &loops[0].iterator;
    match others.as_slice() {
        [] => format!("the loop over `{counter}`"),
        [other] => format!("the loop over `{counter}`, as that in line {other},"),
        several => format!("the loop over `{counter}`, as those in lines {},", several.join(", ")),
    }
}

fn reason(whole: &Uncut) -> &'static str {
    match whole {
        Uncut::Pragma => "a pragma stands in front of the scop",
        Uncut::Parallel => "its iterations run in parallel",
    }
}

/// What to do about it, if anything, and for which arrays that is an option.
fn cure(
    scop: &Scop,
    result: &Optimized,
    cost: &Cost,
    arrays: &BTreeSet<ArrayId>,
) -> (Option<String>, Option<Vec<String>>) {
    let edit = match cost {
        Cost::Divides(Some(Uncut::Pragma)) => Some("take the pragma away"),
        Cost::Divides(_) | Cost::Strides => None,
    };
    if let Some(edit) = edit {
        return (Some(edit.to_string()), None);
    }
    let named = |ids: &mut dyn Iterator<Item = &ArrayId>| Some(ids.map(|id| scop.array(*id).name.clone()).collect());
    let room = result.slack_hints.iter().find(|hint| hint.arrays.iter().any(|id| arrays.contains(id)));
    if let Some(room) = room {
        let help = format!("`--room {}` makes the loops plainer, with {} cells", room.percent, room.cells);
        return (Some(help), named(&mut room.arrays.iter()));
    }
    let mut strips = result.strip_hints.iter().filter(|id| arrays.contains(id)).peekable();
    if strips.peek().is_some() {
        let help = "`--schedule strips` lets the loops vectorise, with some 128 cells more for each array";
        return (Some(help.to_string()), named(&mut strips));
    }
    (None, None)
}

fn names(scop: &Scop, arrays: &BTreeSet<ArrayId>, between: &str) -> String {
    arrays.iter().map(|id| scop.array(*id).name.as_str()).collect::<Vec<_>>().join(between)
}
