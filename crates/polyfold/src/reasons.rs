//! Why a result holds for some sizes only, in the user's words.
//!
//! Example: "for n >= 1, `i - 1` in line 7 falls below 0 and wraps around, being unsigned".

use polyfold_codegen::SizesInC;
use polyfold_flow::{Cause, Exclusion};
use polyfold_isl::Error;
use polyfold_plan::{Optimized, sizes_text, sizes_to_read};
use polyfold_scop::{Bound, Scop, Span};

/// A place in the source that leaves sizes out.
#[derive(Clone, Debug)]
pub struct Reason {
    /// Bytes of the file.
    pub span: Span,
    /// `for n >= 1`.
    pub sizes: String,
    /// What happens there at these sizes.
    pub what: String,
    /// What that means for the result.
    pub consequence: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// Whether it happens whenever the source runs: a fault of the source.
    pub is_fault: bool,
}

impl Reason {
    /// The reason in one sentence, as part of a report.
    pub fn sentence(&self, source: &str) -> String {
        let text = source[self.span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{}, `{text}` in line {} {}", self.sizes, line_of(source, self.span.start), self.what)
    }
}

/// The reasons for a result, in text order.
///
/// # Errors
/// Only after an earlier failure of isl.
pub fn reasons(scop: &Scop, result: &Optimized) -> Result<Vec<Reason>, Error> {
    let names = sizes_to_read(&result.known, &result.parameters, scop)?;
    let mut reasons = result.left_out.iter().map(|e| reason(scop, e, result, &names)).collect::<Result<Vec<_>, _>>()?;
    reasons.sort_by_key(|reason| reason.span.start);
    Ok(reasons)
}

fn reason(scop: &Scop, exclusion: &Exclusion, result: &Optimized, names: &SizesInC) -> Result<Reason, Error> {
    let sizes = sizes_text(&names.condition(&exclusion.sizes)?);
    let consequence = match exclusion.sizes.intersect(&result.known)?.is_empty()? {
        true => "the program has no meaning in C",
        false => "the scop stays as it is",
    };
    Ok(match exclusion.cause {
        Cause::Wraps(k) => {
            let (what, help) = wraps(scop.obligations[k].bound);
            Reason { span: scop.obligations[k].span.clone(), sizes, consequence, what, help, is_fault: false }
        }
        Cause::Leaves(id, at) => {
            let access = &scop.statement(id).accesses[at];
            let place = &access.place;
            let span = place.fragment.map_or(place.span.clone(), |f| scop.fragments[f.0].replaces.clone());
            let help = "declare the array larger, or change the loops so that they stay inside";
            let name = &scop.array(access.array).name;
            match &exclusion.witness {
                None => {
                    let what = format!("is outside `{name}`");
                    Reason { span, sizes, what, consequence, help, is_fault: false }
                }
                Some(cell) => {
                    let cell: String = cell.iter().map(|k| format!("[{k}]")).collect();
                    let sizes = "for the source's own sizes".to_string();
                    let what = format!("reaches {name}{cell}, which is outside `{name}`");
                    let consequence = "this access leaves its array, which stays as it is";
                    Reason { span, sizes, what, consequence, help, is_fault: true }
                }
            }
        }
    })
}

/// What happens at the end of a type's values, and what to do about it.
fn wraps(bound: Bound) -> (String, &'static str) {
    match bound {
        Bound::Least(0) => (
            "falls below 0 and wraps around, being unsigned".to_string(),
            "use signed types there, or loops in which it cannot be negative",
        ),
        Bound::Least(least) => {
            (format!("falls below {least}, the least that its type holds"), "use a wider type there")
        }
        Bound::Most(most) => (format!("exceeds {most}, the most that its type holds"), "use a wider type there"),
    }
}

/// The line of a byte, from 1.
pub(crate) fn line_of(source: &str, at: usize) -> usize {
    source[..at.min(source.len())].matches('\n').count() + 1
}
