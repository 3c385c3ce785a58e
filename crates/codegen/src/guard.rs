//! What keeps a conditional result from being silently wrong.
//!
//! * Values taken from macros, and conditions on macros alone: `_Static_assert` in front of the scop.
//! * Conditions on run-time sizes: `if (n >= 3) { new program } else { the program as it was }`.

use crate::declaration::Plan;
use crate::edit::{Edit, Edits};
use crate::{Decisions, Dialect};
use polyfold_isl::Result;
use polyfold_scop::{ParameterOrigin, Scop, Span};

/// Where the scop's pragma lines stand.
pub(crate) struct Frame {
    /// From the line of `#pragma scop` to the end of the line of `#pragma endscop`, newline included.
    lines: Span,
    /// Between the two lines.
    body: Span,
    /// White space in front of the scop's first statement.
    indent: String,
    /// Bytes of the labels between the pragmas, which may not stand twice in a function.
    labels: Vec<Span>,
}

impl Frame {
    pub(crate) fn of(source: &str, scop: &Scop) -> Frame {
        let body = scop.span.clone();
        let before = source[..body.start].trim_end_matches(['\n', '\r']);
        let start = before.rfind('\n').map_or(0, |n| n + 1);
        let end = source[body.end..].find('\n').map_or(source.len(), |n| body.end + n + 1);
        let text = &source[body.clone()];
        let first = text.len() - text.trim_start().len();
        let indent = text[..first].rsplit('\n').next().unwrap_or("").to_string();
        Frame { lines: start..end, labels: labels(source, scop), body, indent }
    }
}

/// `S1:` in front of statements that were named so.
fn labels(source: &str, scop: &Scop) -> Vec<Span> {
    let label = |statement: &polyfold_scop::Statement| {
        let before = source[scop.span.start..statement.span.start].trim_end();
        let name = before.strip_suffix(':')?.trim_end();
        let name_start = name.len() - statement.name.len().min(name.len());
        (name[name_start..] == statement.name).then(|| scop.span.start + name_start..scop.span.start + before.len())
    };
    scop.statements.iter().filter_map(label).collect()
}

/// The conditions of a result.
pub(crate) struct Guard {
    assertions: Vec<String>,
    run_time: Option<String>,
}

impl Guard {
    pub(crate) fn of(decisions: &Decisions, dialect: Dialect) -> Result<Guard> {
        let keyword = if dialect == Dialect::C { "_Static_assert" } else { "static_assert" };
        let mut conditions: Vec<String> =
            decisions.scop.pinned.iter().map(|p| format!("{} == {}", p.name, p.value)).collect();
        let mut run_time = None;
        if !decisions.known.is_subset(decisions.proved)? {
            let needed = decisions.proved.gist_params(decisions.known)?.coalesce()?;
            let condition = decisions.names.condition(&needed)?;
            if decisions.scop.parameters.iter().all(|p| is_constant(&p.origin)) {
                conditions.push(condition);
            } else {
                run_time = Some(condition);
            }
        }
        let assertions = conditions
            .iter()
            .map(|c| format!("{keyword}({c}, \"the storage below was chosen by polyfold for {c}\");"))
            .collect();
        Ok(Guard { assertions, run_time })
    }
}

fn is_constant(origin: &ParameterOrigin) -> bool {
    matches!(origin, ParameterOrigin::Constant(_))
}

/// Puts the parts together.
pub(crate) fn assemble(source: &str, frame: &Frame, guard: Guard, plan: Plan, mut region: Edits, edits: &mut Edits) {
    region.extend(plan.in_scop);
    let indent = &frame.indent;
    let lines = |texts: &[String]| texts.iter().map(|t| format!("{indent}{t}\n")).collect::<String>();
    let asserted = lines(&guard.assertions);
    let Some(condition) = guard.run_time else {
        edits.extend(plan.in_place);
        edits.extend(region);
        let before = asserted + &lines(&plan.buffers);
        edits.push(Edit { span: frame.lines.start..frame.lines.start, text: before });
        edits.push(Edit { span: frame.lines.end..frame.lines.end, text: lines(&plan.uses) });
        return;
    };
    edits.extend(plan.moved);
    let opening = &source[frame.lines.start..frame.body.start];
    let closing = &source[frame.body.end..frame.lines.end];
    let new = region.apply_within(source, &frame.body);
    let mut text = asserted;
    text += &format!("{indent}if ({condition}) {{\n");
    text += &(lines(&plan.buffers) + &lines(&plan.new));
    text += &format!("{opening}{new}{closing}");
    text += &lines(&plan.uses);
    text +=
        &format!("{indent}}} else {{ /* polyfold proved its storage for {condition} only: the program as it was */\n");
    text += &lines(&plan.old);
    text += &without_labels(source, frame);
    text += &format!("{indent}}}\n");
    edits.push(Edit { span: frame.lines.clone(), text });
}

fn without_labels(source: &str, frame: &Frame) -> String {
    let mut edits = Edits::new();
    for label in &frame.labels {
        edits.push(Edit { span: label.clone(), text: String::new() });
    }
    edits.apply_within(source, &frame.body)
}
