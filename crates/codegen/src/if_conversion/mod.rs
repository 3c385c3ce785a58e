//! Choices without branches, so that compilers make vectors of the loops around them.
//!
//! What stands behind `?`, `&&` and `||` is computed only where C asks for it, and where it is floating arithmetic gcc keeps it so, since it might raise a flag
//! (`choices.rs`). No value depends on a flag. Computed in each turn, and kept where the condition says so, it is
//!
//! ```c
//! out[j] = d < 0.02 && -d * w < 0.02 ? in[j] : in[j] + d;            {
//!                                                                      const int out_choice = (d < 0.02) & (-d * w < 0.02);
//!                                                                      const double out_value = in[j];
//!                                                                      out[j] = in[j] + d;
//!                                                                      if (out_choice)
//!                                                                        out[j] = out_value;
//!                                                                    }
//! ```
//!
//! A value is stored and another one stored over it, since gcc would move what only one side of a `?` uses behind the choice again. For the same reason an `if` whose value is
//! computed says that it is likely: what runs most of the time is not worth being moved. A variable has no memory to store to: of two values one may be computed there.
//!
//! * What is computed without being asked for is sums, differences and products of floating numbers, and comparisons (`speculation.rs`): no division, no calls.
//! * It reads variables, and cells that the same turn surely uses or that are shown to lie inside their arrays.
//! * No turn of the loop uses what another one writes (`apart.rs`); in others a choice that is foreseen is faster.
//! * All values have the type of what is assigned, or one that it holds: C gives both sides of a choice a common type.
//! * The file does not ask for flags, nor change what happens when they are raised.
//!
//! The form is found in the source, and made of the text that all other changes leave (`written.rs`).
//!
//! Source: J. R. Allen, K. Kennedy, C. Porterfield, J. Warren, Conversion of Control Dependence to Data Dependence (POPL 1983); C11 7.6.1 (what may be taken for granted of flags); GCC,
//! tree-if-conv.c and tree-ssa-sink.c.
//!
//! Invariant: what is written gives the same values, bit for bit; it may raise flags that the source does not.

mod apart;
mod shape;
mod speculation;
mod written;

pub(crate) use written::{Converted, macro_lines};

use crate::choices::computes_behind_a_choice;
use crate::tokens::{Kind, tokens};
use apart::{Siblings, siblings};
use polyfold_isl::Context;
use polyfold_scop::{Scop, StatementId, StatementKind};
use shape::Shape;
use speculation::Speculation;
use std::collections::BTreeSet;

/// The statements whose choices have a form without branches.
pub(crate) fn convertible(ctx: &Context, source: &str, scop: &Scop) -> BTreeSet<StatementId> {
    converted(ctx, source, scop).iter().map(Converted::statement).collect()
}

/// Their forms.
pub(crate) fn converted(ctx: &Context, source: &str, scop: &Scop) -> Vec<Converted> {
    if asks_for_flags(source) {
        return Vec::new();
    }
    let own = siblings(scop).into_iter().filter(Siblings::are_apart);
    let of_all = |own: Siblings| {
        let found = own.ids().into_iter().filter_map(|id| of_statement((ctx, source, scop), &own, id));
        found.collect::<Vec<_>>()
    };
    own.flat_map(of_all).collect()
}

fn of_statement((ctx, source, scop): (&Context, &str, &Scop), own: &Siblings, id: StatementId) -> Option<Converted> {
    let statement = scop.statement(id);
    let is_plain = matches!(statement.kind, StatementKind::Assignment | StatementKind::Declaration);
    let text = &source[statement.span.clone()];
    if !is_plain || text.contains("//") || text.contains("/*") || !computes_behind_a_choice(source, scop, id) {
        return None;
    }
    let all = tokens(source, &statement.span);
    let shape = Shape::of(&all)?;
    let target = statement.accesses.iter().find(|a| a.is_write())?;
    let place = (target.place.fragment.is_none(), &target.place.span);
    if place != (true, &shape.target_span()) || statement.accesses.iter().filter(|a| a.is_write()).count() > 1 {
        return None;
    }
    let computed = Speculation { ctx, source, scop, own, id }.of_values(&shape, &scop.array(target.array).element)?;
    // A block has each name once.
    let is_of_target =
        |other: &StatementId| scop.statement(*other).accesses.iter().any(|a| a.is_write() && a.array == target.array);
    let count = (0..id.0).map(StatementId).filter(is_of_target).count();
    let name = &scop.array(target.array).name;
    let name = if count == 0 { name.clone() } else { format!("{name}{}", count + 1) };
    Some(Converted::new((source, scop), id, &name, computed))
}

/// What asks for floating point's flags, or changes what happens when they are raised.
const OF_FLAGS: [&str; 5] = ["fenv", "fexcept", "except", "FENV", "MM_SET"];

/// Whether a file says that it does.
fn asks_for_flags(source: &str) -> bool {
    let all = tokens(source, &(0..source.len()));
    let is_of_flags = |word: &str| OF_FLAGS.iter().any(|part| word.contains(part));
    all.iter().any(|t| matches!(t.kind, Kind::Word | Kind::Directive) && is_of_flags(t.text))
}
