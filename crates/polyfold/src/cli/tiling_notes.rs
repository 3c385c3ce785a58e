//! Why a nest is not tiled, in the user's words.

use polyfold::tiles::Wrong;
use polyfold_codegen::Obstacle;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_schedule::{Dependence, Operation, Unlike, Violation};
use polyfold_scop::{Code, Loop, Scop, Span};

/// An error at a place.
pub(super) fn error(message: String, span: Span, label: &str, help: &str) -> Diagnostic {
    let (label, help) = (label.to_string(), Some(help.to_string()));
    Diagnostic { severity: Severity::Error, code: Code::NotTiled, message, span, about_options: false, label, help }
}

/// Of loops that do not become tiles.
pub(super) fn of_obstacle(obstacle: Obstacle) -> Diagnostic {
    error(format!("these loops are not tiled: {}", obstacle.what), obstacle.span, "here", obstacle.help)
}

/// Why a nest stays as it is.
pub(super) fn why(scop: &Scop, l: &Loop, sizes: &[i64], wrong: Wrong) -> Diagnostic {
    let head = l.span.clone();
    let at = |id: polyfold_scop::StatementId| scop.statement(id).span.clone();
    let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
    let tiles = format!("the loop of `{}` cannot run in tiles of {}", l.iterator, sizes.join(" by "));
    let plainer = "write its bounds as plain sums of counters and sizes, or give fewer sizes, so that only loops around are tiled";
    match wrong {
        Wrong::Obstacle(obstacle) => of_obstacle(obstacle),
        Wrong::Wraps => {
            let help =
                "use signed types for what is unsigned, and fewer sizes where a loop begins at a counter around it";
            error(format!("{tiles}: sums of its sizes and counters may get past their types"), head, "this nest", help)
        }
        Wrong::Unlike(Unlike::Operations(id) | Unlike::Cells(id)) => error(
            format!("{tiles}: what bounds and subscripts mean there is not followed"),
            at(id),
            "for this",
            plainer,
        ),
        Wrong::Unlike(Unlike::Statements | Unlike::Sizes) => {
            error(format!("{tiles}: the loops over tiles are not understood"), head, "this nest", plainer)
        }
        Wrong::Order(violation) => {
            let help = match violation.dependence {
                Dependence::Effects => "say with --pure which functions only compute, or give fewer sizes",
                _ => "give fewer sizes, so that only loops further out are tiled, or skew the loops first",
            };
            error(
                format!("{tiles}: {}", broken(scop, &violation)),
                at(violation.second.statement),
                "this statement",
                help,
            )
        }
    }
}

/// The two operations that change places, and what they do.
fn broken(scop: &Scop, violation: &Violation) -> String {
    let (first, second) = (operation(scop, &violation.first), operation(scop, &violation.second));
    let name = |id| &scop.array(id).name;
    let what = match violation.dependence {
        Dependence::Value(array) => {
            format!("{second} reads what {first} writes to `{}`, and would run before it", name(array))
        }
        Dependence::Memory(array) => {
            format!("{second} uses a cell of `{}` that {first} uses, too, and would run before it", name(array))
        }
        Dependence::Overlap(one, other) => {
            format!(
                "{second} would run before {first}, and `{}` and `{}` may be the same memory",
                name(one),
                name(other)
            )
        }
        Dependence::Effects => {
            format!("{second} would run before {first}, and one of them may do more than can be seen, as a call does")
        }
        Dependence::Date => format!("{first} and {second} are not in order"),
    };
    let sizes: Vec<String> = violation.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if sizes.is_empty() { what } else { format!("{what} ({})", sizes.join(", ")) }
}

/// `line 7 at i = 1, j = 0`.
fn operation(scop: &Scop, operation: &Operation) -> String {
    let (statement, loops) = (scop.statement(operation.statement), scop.loops());
    let name = |id| loops.iter().find(|l| l.id == id).map_or("?", |l| &l.iterator);
    let counters = statement.loops.iter().zip(&operation.iterators);
    let counters: Vec<String> = counters.map(|(id, value)| format!("{} = {value}", name(*id))).collect();
    format!("line {} at {}", statement.line, counters.join(", "))
}
