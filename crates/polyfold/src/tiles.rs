//! Whether a text with a nest in tiles computes what the program does.
//!
//! The text is read like any other program. Its operations have to be those of the program, each once, and their order has to keep all
//! dependences, for all sizes; the order of tiles is found nowhere but in the text. Variables that are declared in a loop's body are new at each
//! iteration ([`renewed`]).
//!
//! That every distance of a dependence is nowhere negative in the tiled loops is enough for that, and is not asked: tiles that are as long as the loop,
//! or one iteration, may be right without it.

use polyfold_flow::{Model, isl_name};
use polyfold_isl::{Context, Error, Set};
use polyfold_schedule::{Given, Unlike, Violation, check, renewed};
use polyfold_scop::{LoopId, Parameter, ParameterOrigin, Scop};
use std::ops::Range;

/// Why a text in tiles is not taken.
#[derive(Clone, Debug)]
pub enum Wrong {
    /// It is another program.
    Unlike(Unlike),
    /// Two operations that depend on each other change places.
    Order(Violation),
    /// Sums of sizes and counters may get past their types.
    Wraps,
}

/// Proves that a text with so many loops over tiles, in front of a nest whose outermost loop is given, computes the same for all sizes.
///
/// # Errors
/// When the work bound is reached.
pub fn prove_tiles(
    ctx: &Context,
    scop: &Scop,
    (text, outermost, count): (&Scop, LoopId, usize),
) -> Result<Result<(), Wrong>, Error> {
    let (scop, text) = (general(scop), general(text));
    let (model, new) = (Model::build(ctx, &scop)?, Model::build(ctx, &text)?);
    let defined = defined(&model)?;
    for model in [&model, &new] {
        if !model.known.intersect(&defined)?.is_subset(&model.context)? {
            return Ok(Err(Wrong::Wraps));
        }
    }
    let model = model.within(&defined)?;
    let added: Vec<Range<usize>> = (scop.statements.iter())
        .map(|statement| statement.loops.iter().position(|id| *id == outermost).map_or(0..0, |at| at..at + count))
        .collect();
    let given = match Given::of_text(&model, &new, &added)? {
        Ok(given) => given,
        Err(unlike) => return Ok(Err(Wrong::Unlike(unlike))),
    };
    let apart = renewed(&scop);
    let verdict = check(&Model::build(ctx, &apart)?.within(&defined)?, given, &[])?;
    Ok(verdict.map(|_| ()).map_err(Wrong::Order))
}

/// Known sizes that signed variables hold.
fn of_types(model: &Model) -> Result<Set, Error> {
    let sizes = model.parameters.iter().zip(&model.scop.parameters);
    let signed = [i128::from(i32::MAX), i128::from(i64::MAX)];
    let bound = |(isl, size): (&String, &Parameter)| {
        let most = size.most.filter(|most| size.origin == ParameterOrigin::Variable && signed.contains(most))?;
        Some(format!("{} <= {isl} <= {most}", -most - 1))
    };
    let bounds: Vec<String> = ["true".to_string()].into_iter().chain(sizes.filter_map(bound)).collect();
    let bounds = format!("[{}] -> {{ : {} }}", model.parameters.join(", "), bounds.join(" and "));
    model.known.intersect(&Set::read(model.known.context(), &bounds)?)
}

/// Sizes that their types hold, and for which no counter of the program surely gets past an `int` that it is: for others C gives the
/// program no meaning.
fn defined(model: &Model) -> Result<Set, Error> {
    let mut defined = of_types(model)?;
    let loops = model.scop.loops();
    for (statement, modelled) in model.scop.statements.iter().zip(&model.statements).filter(|(_, m)| m.certain) {
        let counters: Vec<String> = (0..statement.loops.len()).map(|k| format!("i{k}")).collect();
        for (k, id) in statement.loops.iter().enumerate() {
            if !loops.iter().any(|l| l.id == *id && l.counter.is_int()) {
                continue;
            }
            let past = format!(
                "{{ {}[{}] : i{k} < {} or i{k} > {} }}",
                isl_name(&statement.name),
                counters.join(", "),
                i32::MIN,
                i32::MAX
            );
            let past = modelled.domain.intersect(&Set::read(defined.context(), &past)?)?;
            defined = defined.subtract(&past.params()?)?;
        }
    }
    defined.coalesce()
}

/// The scop for all sizes, its iterations one after the other.
fn general(scop: &Scop) -> Scop {
    Scop { assumed: Vec::new(), ..scop.in_sequence() }
}
