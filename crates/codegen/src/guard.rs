//! What keeps a conditional result from being silently wrong.
//!
//! * Values taken from macros, and conditions on macros alone: `_Static_assert` in front of the scop.
//! * Conditions on run-time sizes: `if (n >= 3) { new program } else { the program as it was }`.

use crate::assertions::Assertions;
use crate::declaration::NewStorage;
use crate::edit::{Edit, Edits};
use crate::frame::Frame;
use crate::indent::{deeper, step};
use crate::{CNames, Decisions, Dialect, fault, huge, parameters_in_c};
use polyfold_isl::{ErrorKind, Result, Set};
use polyfold_prove::Placed;
use polyfold_scop::ParameterOrigin;

/// The conditions of a result.
pub(crate) struct Guard {
    /// Of macros, for the loops and for the storage.
    assertions: [Assertions; 2],
    run_time: Option<String>,
}

impl Guard {
    pub(crate) fn of(decisions: &Decisions, dialect: Dialect) -> Result<Guard> {
        let scop = decisions.scop;
        let (own, others): (&[_], &[_]) = (&scop.pinned, &[]);
        let (of_loops, of_storage) = if scop.order.is_some() { (own, others) } else { (others, own) };
        let loops = Assertions::of_values("the loops below were written", of_loops, dialect);
        let mut storage = Assertions::of_values("the storage below was chosen", of_storage, dialect);
        let mut run_time = None;
        if let Some(sizes) = tested_sizes(decisions)? {
            let names = CNames::new(decisions.known, decisions.parameters, &parameters_in_c(scop))?;
            let is_variable = |name: &str| {
                let all = scop.parameters.iter().zip(decisions.parameters);
                all.into_iter().any(|(p, isl)| isl == name && p.origin == ParameterOrigin::Variable)
            };
            let is_of_run_time = match names.test(&sizes) {
                // Only variables have values that large.
                Err(error) if error.kind == ErrorKind::Limit => true,
                test => test?.mentions(&is_variable),
            };
            match is_of_run_time {
                true => run_time = Some(huge::kept_out(&sizes, decisions)?),
                false => storage.push(names.condition(&sizes)?),
            }
        }
        Ok(Guard { assertions: [loops, storage], run_time })
    }

    /// Whether the program as it was stays in the text beside the new one.
    pub(crate) fn keeps_both(&self) -> bool {
        self.run_time.is_some()
    }

    /// The test that the program as it was has in its other branch.
    pub(crate) fn test(&self) -> Option<&str> {
        self.run_time.as_deref()
    }
}

/// The sizes that the new program is tested to have; `None`: all that C allows. Nothing is taken on trust: of the sizes that C
/// allows these must be none but proved ones, for the scop and for each mapping.
fn tested_sizes(decisions: &Decisions) -> Result<Option<Set>> {
    let Decisions { proved, .. } = *decisions;
    if !decisions.has_new_storage() {
        return Ok(None);
    }
    let known = &typed(decisions)?;
    let tested = if known.is_subset(proved)? { None } else { Some(proved.gist_params(known)?.coalesce()?) };
    let reached = tested.as_ref().map_or(Ok(known.clone()), |tested| tested.intersect(known))?;
    let scopes =
        decisions.mapped.iter().map(Placed::scope).chain(decisions.values.iter().map(|values| values.placed().scope()));
    for scope in [proved].into_iter().chain(scopes) {
        if !reached.is_subset(scope)? {
            return Err(fault("a test on sizes lets sizes pass for which nothing is proved"));
        }
    }
    Ok(tested)
}

/// Parameter values that C allows and the types of the variables hold: a comparison with more would draw a warning.
fn typed(decisions: &Decisions) -> Result<Set> {
    let Decisions { scop, parameters, known, .. } = *decisions;
    let bounds = scop.parameters.iter().zip(parameters).filter_map(|(parameter, name)| {
        let most = i64::try_from(parameter.most?).ok()?;
        (parameter.origin == ParameterOrigin::Variable).then(|| format!("{name} <= {most}"))
    });
    let bounds: Vec<String> = bounds.collect();
    if bounds.is_empty() {
        return Ok(known.clone());
    }
    let text = format!("[{}] -> {{ : {} }}", parameters.join(", "), bounds.join(" and "));
    known.intersect(&Set::read(known.context(), &text)?)
}

/// Puts the parts together. `loses_lead`: pragmas in front are about loops that are gone.
pub(crate) fn assemble(
    source: &str,
    (frame, loses_lead): (&Frame, bool),
    (guard, storage, text): (&Guard, &NewStorage, String),
    edits: &mut Edits,
) {
    let indent = &frame.indent;
    let lines = |texts: &[String]| texts.iter().map(|t| format!("{indent}{t}\n")).collect::<String>();
    let before: String = guard.assertions.iter().map(|own| own.lines(&source[..frame.lines.start], indent)).collect();
    let Some(condition) = &guard.run_time else {
        edits.push(Edit { span: frame.body.clone(), text });
        if loses_lead {
            edits.push(Edit { span: frame.lead.clone(), text: String::new() });
        }
        let before = before + &lines(&storage.at_scop);
        edits.push(Edit { span: frame.lines.start..frame.lines.start, text: before });
        edits.push(Edit { span: frame.lines.end..frame.lines.end, text: lines(&storage.uses) });
        return;
    };
    let opening = &source[if loses_lead { frame.lead.end } else { frame.lines.start }..frame.body.start];
    let closing = &source[frame.body.end..frame.lines.end];
    let step = step(&source[frame.body.clone()], indent);
    let inside = |text: &str| deeper(text, &step);
    let mut both = before;
    both += &format!("{indent}if ({condition}) {{\n");
    both += &inside(&lines(&storage.at_scop));
    both += opening;
    both += &inside(&text);
    both += closing;
    both += &inside(&lines(&storage.uses));
    both +=
        &format!("{indent}}} else {{ /* the storage above is proved for {condition} only: the program as it was */\n");
    both += &inside(&lines(&storage.old));
    both += &source[frame.lead.clone()];
    both += &inside(without_labels(source, frame).trim_start_matches(['\r', '\n']));
    both += &format!("{indent}}}\n");
    edits.push(Edit { span: frame.lines.clone(), text: both });
}

fn without_labels(source: &str, frame: &Frame) -> String {
    let mut edits = Edits::new();
    for label in &frame.labels {
        edits.push(Edit { span: label.clone(), text: String::new() });
    }
    edits.apply_within(source, &frame.body)
}
