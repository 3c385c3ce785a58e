//! What compilers are told of loops, by macros in front of their scop ([`Told`]).
//!
//! Which loops are told of is for passes to say: [`promise`](polyfold_transform::promise) where it is proved that iterations may run
//! side by side (`prove::apart_loops`), and [`if_convert`](polyfold_transform::if_convert) where all of a choice can be computed.

use crate::home::free_name;
use polyfold_emit::{Line, Told};
use polyfold_program::{Op, Program, Real, Stmt, Value};
use polyfold_scop::Scop;

/// The lines that say what the macros mean that a program's text has.
pub(crate) fn lines_in_front(source: &str, scop: &Scop, program: &Program) -> Vec<Line> {
    let is_promised = |stmt: &Stmt| matches!(stmt, Stmt::For(own) if own.vector);
    let promises = program.body.iter().any(|stmt| stmt.any(&is_promised));
    let promise = promises.then(|| Told::Promise { word: word_of_promise(scop, source) });
    let selects = [Real::Float, Real::Double].into_iter().filter(|of| selects(program, *of));
    let selects = selects.map(|of| Told::Select { word: word_of_select(scop, source, of), of });
    promise.into_iter().chain(selects).map(Line::Told).collect()
}

/// The macro that chooses between two values.
pub(crate) fn word_of_select(scop: &Scop, source: &str, of: Real) -> String {
    let own = match of {
        Real::Float => "POLYFOLD_SELECTF",
        Real::Double => "POLYFOLD_SELECT",
    };
    free_name(own, scop, source)
}

/// Whether a program chooses so between values of a type.
fn selects(program: &Program, of: Real) -> bool {
    fn chooses(value: &Value, of: Real) -> bool {
        match value {
            Value::Apply(op, operands) => *op == Op::Select(of) || operands.iter().any(|own| chooses(own, of)),
            _ => false,
        }
    }
    let is_one = |stmt: &Stmt| matches!(stmt, Stmt::Assign(own) if chooses(&own.value, of));
    program.body.iter().any(|stmt| stmt.any(&is_one))
}

/// What stands in front of a loop of which something is promised.
pub(crate) fn word_of_promise(scop: &Scop, source: &str) -> String {
    free_name("POLYFOLD_IVDEP", scop, source)
}
