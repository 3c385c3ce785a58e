//! A nest of loops as loops over its tiles, and one over the iterations of each.
//!
//! ```text
//! for (int i = 0; i < n; i++)          for (long it = 0; it < n; it += 32)
//!   for (int j = 0; j < i; j++)          for (long jt = 0; jt < (n < it + 32 ? n : it + 32) - 1; jt += 32) {
//!     a statement                      #pragma polyfold local
//!                                          for (int i = it; i < (n < it + 32 ? n : it + 32); i++)
//!                                            for (int j = jt; j < (i < jt + 32 ? i : jt + 32); j++)
//!                                              a statement
//!                                        }
//! ```
//!
//! Tiles are counted from where a loop begins, so that only the last ones are cut off. The nest's own text stays, but for two bounds in each head.
//!
//! Nothing here is proved: whether the new text does the same, in an order that computes the same, is asked of that text once it is read
//! (`polyfold_schedule`).

mod band;
mod ends;
mod head;
mod places;
mod strip;

pub use places::Places;

use crate::edit::{Edit, Edits};
use crate::home::words;
use crate::indent::{deeper, indent_at, step};
use crate::loops::Obstacle;
use crate::tokens::{Kind, tokens};
use band::{band, head_of};
use head::Head;
use polyfold_scop::{Loop, Scop, Span};
use strip::Strip;

/// The pragma in front of each tile, where the source has none.
const PRAGMA: &str = "#pragma polyfold local";

/// A nest that is to be tiled.
pub struct Nest<'a> {
    /// Its outermost loop.
    pub outermost: &'a Loop,
    /// Bytes of the pragma in front of it that makes it a region.
    pub pragma: Option<Span>,
    /// Iterations of a tile, outermost loop first; each positive.
    pub sizes: &'a [i64],
}

/// A text with a nest in tiles.
#[derive(Clone, Debug)]
pub struct Tiled {
    /// The text of the file.
    pub text: String,
    /// What is where in it.
    pub places: Places,
}

/// The text of a file with a nest in tiles.
///
/// # Errors
/// What keeps the nest as it is.
pub fn tiled(source: &str, scop: &Scop, nest: &Nest) -> Result<Tiled, Obstacle> {
    let loops = band(source, scop, nest.outermost, nest.sizes.len())?;
    let mut strips: Vec<Strip> = Vec::new();
    let (mut lines, mut inside) = (Vec::new(), Edits::new());
    for (l, size) in loops.into_iter().zip(nest.sizes) {
        let stride = size.checked_mul(l.step).filter(|stride| stride.unsigned_abs() < 1 << 31);
        let stride = stride.ok_or_else(|| Obstacle {
            what: format!("tiles of {size} iterations of `{}` are too large", l.iterator),
            span: head_of(l),
            help: "give a smaller size",
        })?;
        let name = name(source, scop, nest.outermost, &strips, l);
        let strip = Strip { source, l, head: Head::of(source, l)?, name, stride };
        lines.push(strip.tiles(&strips)?);
        strip.inside(&strips)?.into_iter().for_each(|edit| inside.push(edit));
        strips.push(strip);
    }
    Ok(written(source, nest, &lines, &inside))
}

/// A name for the counter of the tiles of a loop: `it`, or `row_tile` for longer ones.
fn name(source: &str, scop: &Scop, outermost: &Loop, before: &[Strip], l: &Loop) -> String {
    let span = &outermost.span;
    let directives = tokens(source, &(0..source.len())).into_iter().filter(|t| t.kind == Kind::Directive);
    let directives = directives.filter(|t| !t.text.trim_start_matches(['#', ' ', '\t']).starts_with("pragma"));
    let fragments = scop.fragments.iter().map(|fragment| fragment.text.as_str());
    let texts: Vec<&str> = directives.map(|t| t.text).chain(fragments).chain([&source[span.clone()]]).collect();
    let around = scop.loops().into_iter().filter(|other| other.span.start <= span.start && other.span.end >= span.end);
    let counters: Vec<&str> = around.map(|other| other.iterator.as_str()).collect();
    let sizes: Vec<&str> = scop.parameters.iter().map(|size| size.name.as_str()).collect();
    let is_taken = |name: &str| {
        texts.iter().any(|text| words(text).any(|(_, word)| word == name))
            || counters.contains(&name)
            || sizes.contains(&name)
            || before.iter().any(|strip| strip.name == name)
    };
    let mut name = if l.iterator.len() == 1 { format!("{}t", l.iterator) } else { format!("{}_tile", l.iterator) };
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// The new text: the heads of the loops over tiles, the pragma, the nest with other bounds.
fn written(source: &str, nest: &Nest, heads: &[String], inside: &Edits) -> Tiled {
    let span = &nest.outermost.span;
    let indent = indent_at(source, span.start);
    let step = step(&source[span.clone()], indent);
    let level = |depth: usize| format!("{indent}{}", step.repeat(depth));
    let (replaced, lead) = lead(source, nest, indent);
    let mut text = lead.clone();
    for (depth, head) in heads.iter().enumerate() {
        text.push_str(&if depth == 0 { head.clone() } else { format!("\n{}{head}", level(depth)) });
    }
    let pragma = nest.pragma.as_ref().map_or(PRAGMA, |span| &source[span.clone()]);
    let body = deeper(&format!("{indent}{}", inside.apply_within(source, span)), &step.repeat(heads.len()));
    text.push_str(&format!(" {{\n{pragma}\n{body}\n{}}}", level(heads.len() - 1)));
    let mut edits = Edits::new();
    edits.push(Edit { span: replaced.clone(), text });
    let text = edits.apply(source);
    let places = Places {
        by: replaced.start..replaced.end + text.len() - source.len(),
        replaced,
        nest: span.clone(),
        pragma: nest.pragma.clone(),
        heads: lead.matches('\n').count() + heads.len(),
        deeper: step.len() * heads.len(),
    };
    Tiled { text, places }
}

/// The bytes that are replaced, and what stands in front of the first loop in their place: the nest's pragma goes into its tiles.
fn lead(source: &str, nest: &Nest, indent: &str) -> (Span, String) {
    let span = &nest.outermost.span;
    let Some(pragma) = &nest.pragma else { return (span.clone(), String::new()) };
    let missing = indent.strip_prefix(indent_at(source, pragma.start)).unwrap_or("");
    let between = source[pragma.end..span.start].trim_start();
    (pragma.start..span.end, format!("{missing}{between}"))
}
