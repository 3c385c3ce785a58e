//! `--schedule fuse` and `fuse-rows`: loops fused where that saves memory.

use super::super::arguments::OptimizeArguments;
use super::super::input::{self, Input};
use super::super::optimize::options;
use super::super::progress::progress;
use super::super::{Failure, messages, output};
use super::fusion_notes::{kept_notes, notes, notes_without_vectors, stuck_note};
use super::refusals::told;
use super::staged::stages;
use super::{Reordered, Solution, pragmas};
use polyfold_codegen::without_vectors;
use polyfold_frontend::Diagnostic;
use polyfold_isl::Context;
use polyfold_plan::{Aim, Found, Fusing, InReading, Looking};
use polyfold_scop::Scop;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Instant;

/// A program with loops fused.
pub(super) struct Fusion {
    /// `None`: it stays as it is.
    pub(super) input: Option<Input>,
    /// What there is to say about it, with places in the text as it was.
    pub(super) said: Vec<Diagnostic>,
    /// As of [`Reordered`].
    pub(super) solved: BTreeMap<usize, Solution>,
}

impl Fusion {
    /// The program, after all is said.
    pub(super) fn told(self, input: Input) -> Reordered {
        let Fusion { input: fused, said, solved } = self;
        said.iter().for_each(|note| output::tell(&messages::render(&input.path, &input.source, note)));
        Reordered { input: fused.unwrap_or(input), said, solved }
    }
}

/// The program with loops fused where that saves memory.
pub(super) fn fuse(ctx: &Context, input: &Input, arguments: &OptimizeArguments, aim: Aim) -> Result<Fusion, Failure> {
    let (mut current, mut said, mut solved, progress) = (None, Vec::new(), BTreeMap::new(), progress());
    for (place, scop) in input.parsed.scops.iter().enumerate() {
        let begun = Instant::now();
        let failure = RefCell::new(None);
        let at_values = |names: &[String]| match at_values(input, place, names, arguments) {
            Ok(read) => read,
            Err(failed) => {
                failure.replace(Some(failed));
                None
            }
        };
        let tell = |looking: Looking| progress.set_message(format!("{}: {}", scop.function, doing(&looking)));
        let fusing = Fusing {
            source: input.search_source(&arguments.program),
            options: options(scop, &input.source, arguments),
            aim,
            at_values: &at_values,
            tell: &tell,
        };
        let found = fusing.fuse(ctx, scop).map_err(|refused| told(&refused, input, scop))?;
        if let Some(failure) = failure.take() {
            return Err(failure);
        }
        let InReading { found, scop } = found;
        let (stages, result) = match found {
            Found::Fused(found, result) => {
                said.extend(notes(&scop, &found.order));
                said.extend(pragmas::notes(&found.ordered));
                if aim == Aim::Rows {
                    let statements = without_vectors(&input.source, &scop);
                    said.extend(notes_without_vectors(&scop, &found.order, &statements));
                }
                let stages = stages(&scop, &input.source, &found.order);
                current = Some(current.as_ref().unwrap_or(input).with_scop(place, found.ordered.scop));
                (Some(stages), Some(result))
            }
            Found::Kept(kept) => {
                said.extend(kept_notes(&scop, &kept));
                (None, kept.result)
            }
            Found::Stuck(why) => {
                said.push(stuck_note(&scop, &why));
                (None, None)
            }
        };
        if let Some(result) = result {
            solved.insert(place, Solution { result: *result, seconds: begun.elapsed().as_secs_f64(), stages });
        }
    }
    progress.finish_and_clear();
    Ok(Fusion { input: current, said, solved })
}

/// A scop with some constants taken at their values.
fn at_values(
    input: &Input,
    place: usize,
    names: &[String],
    arguments: &OptimizeArguments,
) -> Result<Option<Scop>, Failure> {
    let read = input::at_values(input, names.to_vec(), &arguments.program)?;
    let is_same = |scop: &&Scop| scop.function == input.parsed.scops[place].function;
    Ok(read.parsed.scops.get(place).filter(is_same).cloned())
}

fn doing(looking: &Looking) -> String {
    match looking {
        Looking::Orders => "orders of its loops".to_string(),
        Looking::Order { number, of, cells } => {
            let best = cells.map_or(String::new(), |cells| format!(", {cells} cells so far"));
            format!("order {number} of {of}{best}")
        }
    }
}
