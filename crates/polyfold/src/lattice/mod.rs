//! Cl@k on its own: lattices and mappings for a symmetric set of differences, with or without parameters.
//!
//! For all parameter values: heuristic 3 in every order of the axes, and families of lattices, each proved or refuted. At
//! given sizes: successive minima, all heuristics, and the optimum as far as the work bound allows. Everything found is
//! checked against the differences once more before it is shown.
//!
//! Paper: Bee §4 and §5.
//!
//! ```
//! use polyfold::lattice::{Question, study};
//! use polyfold_isl::{Context, Set};
//! let set = Set::read(&Context::new(), "{ [i, k] : -100 < i + 2k < 100 and -100 < i - k < 100 and -1 <= k <= 1 }")?;
//! let answer = study(&Question { set, assumptions: vec![], sizes: vec![], max_operations: 10_000_000 }).unwrap();
//! let best = answer.report.concrete.expect("there are no parameters").best;
//! assert_eq!((best.mapping.text.as_str(), best.cells, best.optimal), ("2i + k mod 197", 197, true));
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

mod bases;
mod concrete;
mod figure;
mod parametric;
mod question;
mod sizes;
mod text;

pub use concrete::Scene;
pub use figure::figure;
pub use question::{Fault, Question};

use polyfold_isl::{CText, ErrorKind, Result};
use polyfold_report::LatticeReport;
use question::Checked;

/// What was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// For people and programs.
    pub report: LatticeReport,
    /// The differences and the best lattice, at given sizes.
    pub scene: Option<Scene>,
}

/// Studies a set of differences.
///
/// # Errors
/// When the set is at fault, the work bound is reached before anything is found, or a result fails its own check.
pub fn study(question: &Question) -> std::result::Result<Answer, Fault> {
    let ctx = question.set.context();
    let quota = question.max_operations;
    let checked = ctx.with_quota(quota, || question::check(question))??;
    let sizes = ctx.with_quota(quota, || sizes::choose(&checked, &question.sizes))??;
    let mut notes = Vec::new();
    let parametric = if checked.parameters.is_empty() {
        None
    } else {
        match ctx.with_quota(quota, || parametric::study(&checked, &sizes.named())) {
            Ok(found) => Some(found),
            Err(error) => {
                notes.push(format!("for all sizes: {}", question::words(&error)));
                None
            }
        }
    };
    let bases = match ctx.with_quota(quota, || bases::study(&checked)) {
        Ok(found) => found,
        // Optima at a few sizes are searched for this, which may well be too much.
        Err(error) if matches!(error.kind, ErrorKind::Quota | ErrorKind::Limit) => {
            notes.push(format!("for every second size: {}", question::words(&error)));
            Vec::new()
        }
        Err(error) => return Err(error.into()),
    };
    let found = if sizes.examples.is_empty() {
        let found = ctx.with_quota(quota, || concrete::study(&checked, &sizes.named(), quota));
        match found {
            Ok(found) => Some(found?),
            Err(error) if parametric.is_some() => {
                notes.push(format!("at these sizes: {}", question::words(&error)));
                None
            }
            Err(error) => return Err(error.into()),
        }
    } else {
        None
    };
    let (concrete, scene) = found.unzip();
    let report = LatticeReport {
        schema: "polyfold-lattice/1",
        set: question.set.to_string(),
        coordinates: checked.names.clone(),
        parameters: checked.parameters.clone(),
        context: checked.context.to_string(),
        condition: condition(&checked)?,
        at: sizes.values.into_iter().collect(),
        examples: sizes.examples,
        parametric,
        bases,
        concrete,
        notes,
    };
    agree(&report)?;
    Ok(Answer { report, scene })
}

/// The context as a condition in C.
fn condition(checked: &Checked) -> Result<String> {
    let everything = polyfold_isl::Set::read(checked.context.context(), "{ : }")?;
    CText::new(&everything)?.condition(&checked.context)
}

/// No proved mapping may have fewer cells than what was shown to be the least at the same sizes.
fn agree(report: &LatticeReport) -> std::result::Result<(), Fault> {
    let (Some(mappings), Some(concrete)) = (&report.parametric, &report.concrete) else { return Ok(()) };
    let proved = mappings.iter().filter(|m| m.status == polyfold_report::ProofStatus::Proved);
    let least = concrete.best.least;
    match proved.into_iter().find(|m| m.cells.is_some_and(|cells| cells < least)) {
        Some(mapping) => Err(Fault::Check(format!("{} is proved but smaller than {least} cells", mapping.text))),
        None => Ok(()),
    }
}
