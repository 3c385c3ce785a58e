//! `--tile`: nests of loops become loops over tiles, with a region in them, before regions are looked at.
//!
//! Where the source has regions, each of them is a nest that is tiled. Where it has none, every outermost nest is that can be; of one that cannot
//! be, the nests in it are tried. The new text is taken once it is proved; what follows reads it like a text with tiles that the user wrote, and
//! messages show where things are in the file.

use super::arguments::CompactArguments;
use super::tiled_text::Text;
use super::tiling_notes::{error, of_obstacle, why};
use super::{Failure, compiler};
use polyfold::tiles::{Wrong, prove_tiles};
use polyfold_codegen::{Nest, tiled};
use polyfold_compact::Overlap;
use polyfold_flow::Model;
use polyfold_frontend::{Diagnostic, LocalRegion, Options, Parsed, Severity};
use polyfold_isl::Context;
use polyfold_plan::overlapping;
use polyfold_schedule::Unlike;
use polyfold_scop::{Loop, Node, Scop, Span};
use std::path::Path;

/// The text with nests in tiles, as `--tile` says.
pub(super) fn in_tiles<'a>(
    text: Text<'a>,
    regions: &[LocalRegion],
    arguments: &'a CompactArguments,
) -> Result<Text<'a>, Failure> {
    let parsed = parsed(&text.now, text.path, arguments)?;
    let mut tiling = Tiling { text, parsed, arguments };
    let is_done = if regions.is_empty() { tiling.every_nest()? } else { tiling.marked(regions)? };
    if is_done { Ok(tiling.text) } else { Err(Failure::Input(None)) }
}

/// Nests are taken from behind, so that those in front stay where they are.
struct Tiling<'a> {
    text: Text<'a>,
    /// The text's scops.
    parsed: Parsed,
    arguments: &'a CompactArguments,
}

/// A nest that is not tiled, and why, at its place in the user's text: the text may change before it is told.
struct Left(Box<Diagnostic>);

impl Tiling<'_> {
    /// Tiles the nests that are regions; whether all are.
    fn marked(&mut self, regions: &[LocalRegion]) -> Result<bool, Failure> {
        let mut all = true;
        for region in regions.iter().rev() {
            if let Some(Left(why)) = self.nest(region.statement.start, Some(&region.pragma))? {
                self.text.tell_of_source(&why);
                all = false;
            }
        }
        Ok(all)
    }

    /// Tiles what can be; whether anything is.
    fn every_nest(&mut self) -> Result<bool, Failure> {
        let roots: Vec<usize> = self.parsed.scops.iter().flat_map(|scop| starts(&scop.body)).collect();
        let is_scop = |line: &&str| line.trim_start().starts_with("#pragma scop");
        let are_refused = self.parsed.scops.len() < self.text.now.lines().filter(is_scop).count();
        let is_explained = (roots.is_empty() || are_refused) && self.explain();
        let mut all = Vec::new();
        for start in roots.iter().rev() {
            all.push(self.outermost(*start)?);
        }
        let some = all.iter().any(Vec::is_empty);
        let severity = if some { Severity::Note } else { Severity::Error };
        for Left(why) in all.iter().rev().flatten() {
            self.text.tell_of_source(&Diagnostic { severity, ..(**why).clone() });
        }
        if roots.is_empty() {
            let message = "no loops to tile in this file";
            let help = match is_explained {
                true => "what is said above keeps the loops between the pragmas from being understood",
                false => "put `#pragma scop` and `#pragma endscop` around the loops",
            };
            self.text.tell(&error(message.to_string(), 0..0, "", help));
        }
        Ok(some)
    }

    /// Tiles the outermost nests from some loop on that can be; why none is.
    fn outermost(&mut self, start: usize) -> Result<Vec<Left>, Failure> {
        let Some(left) = self.nest(start, None)? else { return Ok(Vec::new()) };
        let deep = |l: &&Loop| depth(&l.body) + 1 >= self.arguments.local.tile.len();
        let inside = self.at(start).map_or(Vec::new(), |(_, l)| outermost(&l.body));
        let inside: Vec<usize> = inside.into_iter().filter(deep).map(|l| l.span.start).collect();
        let mut reasons = Vec::new();
        for start in inside.iter().rev() {
            reasons.push(self.outermost(*start)?);
        }
        if reasons.iter().any(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let inside = reasons.into_iter().rev().flatten();
        Ok(std::iter::once(left).chain(inside).collect())
    }

    /// Tiles the nest that begins at a place; why it is not.
    fn nest(&mut self, start: usize, pragma: Option<&Span>) -> Result<Option<Left>, Failure> {
        let Some((place, l)) = self.at(start) else {
            self.explain();
            let help = "tiles are made of `for` loops between `#pragma scop` and `#pragma endscop`, which are understood without the pragma, too";
            let span = pragma.cloned().unwrap_or(start..start);
            return Ok(Some(self.left(error(
                "no loop that can be tiled is behind this pragma".to_string(),
                span,
                "this region",
                help,
            ))));
        };
        let scop = &self.parsed.scops[place];
        if let Some(name) = self.overlap(scop, l) {
            let message = format!(
                "the loop of `{}` stays as it is: `{name}` is a pointer, and may lead to another array of it",
                l.iterator
            );
            let help = "declare it with `restrict` or with brackets, or say --assume-noalias if it never does";
            return Ok(Some(self.left(error(message, l.span.clone(), "this nest", help))));
        }
        let nest = Nest { outermost: l, pragma: pragma.cloned(), sizes: &self.arguments.local.tile };
        let tiled = match tiled(&self.text.now, scop, &nest) {
            Ok(tiled) => tiled,
            Err(obstacle) => return Ok(Some(self.left(of_obstacle(obstacle)))),
        };
        if let Some((iterations, size)) = self.shorter_than_a_tile(scop, l)? {
            let message = format!(
                "the loop of `{}` stays as it is: with the sizes of the source a loop of its nest has {iterations} iterations, and a tile {size}",
                l.iterator
            );
            let help = "give sizes of tiles that its loops have iterations for";
            return Ok(Some(self.left(error(message, l.span.clone(), "this nest", help))));
        }
        let parsed = parsed(&tiled.text, self.text.path, self.arguments)?;
        match self.wrong((place, l), &parsed)? {
            Some(why) => Ok(Some(self.left(why))),
            None => {
                self.parsed = parsed;
                self.text.becomes(tiled);
                Ok(None)
            }
        }
    }

    /// The iterations of a loop that has fewer than a tile, and the tile's, where constants say so: what is written for whole tiles would
    /// never run, and compilers warn of it.
    fn shorter_than_a_tile(&self, scop: &Scop, l: &Loop) -> Result<Option<(i64, i64)>, Failure> {
        let ctx = Context::new();
        let found = ctx.with_quota(self.arguments.program.max_ops, || {
            let model = Model::build(&ctx, scop)?;
            let named = model.parameters.iter().map(String::as_str).zip(&scop.parameters);
            let sizes: Vec<(&str, i64)> = named.filter_map(|(name, p)| Some((name, p.constant()?))).collect();
            for (statement, modelled) in scop.statements.iter().zip(&model.statements) {
                let Some(at) = statement.loops.iter().position(|id| *id == l.id) else { continue };
                let domain = modelled.domain.at(&sizes)?;
                for (axis, size) in (at..statement.loops.len()).zip(&self.arguments.local.tile) {
                    let step = scop.loops()[statement.loops[axis].0].step.abs();
                    let ends = (domain.dim_min_value(axis)?, domain.dim_max_value(axis)?);
                    if let (Some(first), Some(last)) = ends
                        && (last - first) / step + 1 < *size
                    {
                        return Ok(Some(((last - first) / step + 1, *size)));
                    }
                }
            }
            Ok(None)
        });
        // What takes too much work is looked at when it is proved.
        Ok(found.unwrap_or(None))
    }

    /// What is wrong with the new text of a nest; `None`: it is proved.
    fn wrong(&self, (place, l): (usize, &Loop), parsed: &Parsed) -> Result<Option<Diagnostic>, Failure> {
        let (scop, sizes) = (&self.parsed.scops[place], &self.arguments.local.tile);
        let found = parsed.scops.get(place).filter(|_| parsed.scops.len() == self.parsed.scops.len());
        let wrong = match found {
            None => Wrong::Unlike(Unlike::Statements),
            Some(text) => {
                let ctx = Context::new();
                let proof = ctx
                    .with_quota(self.arguments.program.max_ops, || prove_tiles(&ctx, scop, (text, l.id, sizes.len())));
                let failed = |error| Failure::input(format!("--tile: {error}; --max-ops raises the bound"));
                match proof.map_err(failed)? {
                    Ok(()) => return Ok(None),
                    Err(wrong) => wrong,
                }
            }
        };
        Ok(Some(why(scop, l, sizes, &wrong)))
    }

    /// A nest of the text as it is now that is not tiled.
    fn left(&self, why: Diagnostic) -> Left {
        Left(Box::new(self.text.of_source(why)))
    }

    /// The scop and the loop that begins at a place.
    fn at(&self, start: usize) -> Option<(usize, &Loop)> {
        let scops = self.parsed.scops.iter().enumerate();
        scops
            .flat_map(|(place, scop)| scop.loops().into_iter().map(move |l| (place, l)))
            .find(|(_, l)| l.span.start == start)
    }

    /// A pointer of a nest that may lead to another of its arrays.
    fn overlap(&self, scop: &Scop, l: &Loop) -> Option<String> {
        let is_inside = |span: &Span| l.span.start <= span.start && span.end <= l.span.end;
        let statements = scop.statements.iter().filter(|statement| is_inside(&statement.span)).cloned().collect();
        let nest = Scop { statements, ..scop.clone() };
        let found = if self.arguments.local.assume_noalias { Overlap::default() } else { overlapping(&nest) };
        found.pointers.first().map(|id| scop.array(*id).name.clone())
    }

    /// Says what keeps scops from being understood; whether something does.
    fn explain(&self) -> bool {
        let matters = |d: &&Diagnostic| !d.about_options && d.severity >= Severity::Warning;
        let all = self.parsed.diagnostics.iter().filter(matters);
        all.map(|diagnostic| self.text.tell(diagnostic)).count() > 0
    }
}

/// The outermost loops of some nodes.
fn outermost(nodes: &[Node]) -> Vec<&Loop> {
    nodes.iter().flat_map(outermost_of).collect()
}

fn outermost_of(node: &Node) -> Vec<&Loop> {
    match node {
        Node::Loop(l) => vec![l],
        Node::Guard(g) => [outermost(&g.then), outermost(&g.otherwise)].concat(),
        Node::Statement(_) => Vec::new(),
    }
}

/// Where they begin.
fn starts(nodes: &[Node]) -> Vec<usize> {
    outermost(nodes).into_iter().map(|l| l.span.start).collect()
}

/// How many loops are inside each other.
fn depth(nodes: &[Node]) -> usize {
    outermost(nodes).into_iter().map(|l| depth(&l.body) + 1).max().unwrap_or(0)
}

fn parsed(text: &str, path: &Path, arguments: &CompactArguments) -> Result<Parsed, Failure> {
    let flags = arguments.program.compiler.flags();
    let instrumented = polyfold_frontend::instrument(text);
    let preprocessed = compiler::preprocess(&instrumented, path, compiler::language(path), &flags)?;
    let options = Options { pure: arguments.program.pure.clone(), ..Options::default() };
    Ok(polyfold_frontend::parse(text, &preprocessed, &options))
}
