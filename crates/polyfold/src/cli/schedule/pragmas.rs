//! What there is to say of the source's pragmas that new loops don't have.

use super::refusals::why_wrong;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_plan::{LeftOut, Ordered, WhyLeftOut};
use polyfold_scop::{Code, Scop};

const LEFT_OUT: &str = "the new loops do not have this pragma of the old ones";
const HELP: &str = "--parallel writes one for loops whose iterations may run at once";

pub(super) fn notes(ordered: &Ordered) -> Vec<Diagnostic> {
    ordered.left_out.iter().map(|pragma| note(&ordered.pieces, pragma)).collect()
}

fn note(pieces: &Scop, pragma: &LeftOut) -> Diagnostic {
    let why = pragma.why.as_ref().map(|why| match why {
        WhyLeftOut::Nested => "loops around have one".to_string(),
        WhyLeftOut::Dependent(violation) => why_wrong(pieces, violation),
        WhyLeftOut::NoLoop => "none goes through the iterations of its loop alone".to_string(),
    });
    Diagnostic {
        severity: Severity::Note,
        code: Code::PragmaLeft,
        message: why.as_ref().map_or(LEFT_OUT.to_string(), |why| format!("{LEFT_OUT}: {why}")),
        span: pragma.span.clone(),
        about_options: false,
        label: "left out".to_string(),
        help: why.is_none().then(|| HELP.to_string()),
    }
}
