//! What keeps a conditional result from being silently wrong.
//!
//! * Values taken from macros, and conditions on macros alone: `_Static_assert` in front of the scop.
//! * Conditions on run-time sizes: `if (n >= 3) { new program } else { the program as it was }`.

use crate::sizes_in_c::SizesInC;
use crate::{Decisions, fault, huge};
use polyfold_emit::Assertions;
use polyfold_isl::{ErrorKind, Result, Set};
use polyfold_prove::Placed;
use polyfold_scop::{ParameterOrigin, Pinned};

/// The conditions of a result.
pub(crate) struct Guard {
    /// Of macros, for the loops and for the storage.
    pub(crate) assertions: [Assertions; 2],
    /// Of sizes: the program as it was has its other branch.
    pub(crate) test: Option<String>,
}

impl Guard {
    pub(crate) fn of(decisions: &Decisions) -> Result<Guard> {
        let scop = decisions.scop;
        let (own, others): (&[_], &[_]) = (&scop.pinned, &[]);
        let (of_loops, of_storage) = if scop.order.is_some() { (own, others) } else { (others, own) };
        let loops = of_values("the loops below were written", of_loops);
        let mut storage = of_values("the storage below was chosen", of_storage);
        let mut test = None;
        if let Some(sizes) = tested_sizes(decisions)? {
            let names = SizesInC::computed(decisions.known, decisions.parameters, scop)?;
            let is_variable = |name: &str| {
                let all = scop.parameters.iter().zip(decisions.parameters);
                all.into_iter().any(|(p, isl)| isl == name && p.origin == ParameterOrigin::Variable)
            };
            let is_of_run_time = match names.test(&sizes) {
                // Only variables have values that large.
                Err(error) if error.kind == ErrorKind::Limit => true,
                found => found?.mentions(&is_variable),
            };
            match is_of_run_time {
                true => test = Some(names.test_in_c(&huge::kept_out(&sizes, decisions)?)?),
                false => storage.conditions.push(names.condition(&sizes)?),
            }
        }
        Ok(Guard { assertions: [loops, storage], test })
    }

    /// Whether the program as it was stays in the text beside the new one.
    pub(crate) fn keeps_both(&self) -> bool {
        self.test.is_some()
    }
}

/// That macros have the values that they had.
pub(crate) fn of_values(subject: &'static str, pinned: &[Pinned]) -> Assertions {
    let conditions = pinned.iter().map(|pinned| format!("{} == {}", pinned.name, pinned.value)).collect();
    Assertions { subject, conditions }
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
