//! `--tile`: nests of loops run in tiles, each of which is a region.
//!
//! Where the source has regions, each of them is a nest that is tiled. Where it has none, every outermost nest is that can be; of one that cannot
//! be, the nests in it are tried. A nest is taken once it is proved. All places are those of the file.

use super::Failure;
use super::arguments::CompactArguments;
use super::compact::Told;
use super::tiling_notes::{error, of_obstacle, why};
use polyfold::tiles::{Nest, Wrong, in_tiles, prove_tiles};
use polyfold_codegen::{Obstacle, free_name};
use polyfold_compact::Overlap;
use polyfold_flow::Model;
use polyfold_frontend::{Diagnostic, LocalRegion, Options, Parsed, Severity};
use polyfold_isl::Context;
use polyfold_plan::overlapping;
use polyfold_scop::{Loop, Node, Scop};

/// The scops of a file, some in tiles.
pub(super) struct Tiled {
    pub(super) parsed: Parsed,
    /// Those in tiles, each with its regions: a tile's loops, as a scop of their own.
    pub(super) scops: Vec<(Scop, Vec<(LocalRegion, Scop)>)>,
}

/// A file's scops with nests in tiles, as `--tile` says.
pub(super) fn tiled(told: &Told, regions: &[LocalRegion], arguments: &CompactArguments) -> Result<Tiled, Failure> {
    let parsed = parsed(told, arguments)?;
    // Pragmas may name the counters of tiles.
    let mut named = told.source.to_string();
    regions.iter().for_each(|own| named.replace_range(own.pragma.clone(), &" ".repeat(own.pragma.len())));
    let tiling = Tiling { told, named: &named, parsed: &parsed, arguments };
    let found = if regions.is_empty() { tiling.every_nest()? } else { tiling.marked(regions)? };
    let Some(found) = found else { return Err(Failure::Input(None)) };
    let mut scops = Vec::new();
    for (place, scop) in parsed.scops.iter().enumerate() {
        let own = found.iter().filter(|(at, _, _)| *at == place);
        let (nests, regions): (Vec<Nest>, Vec<&LocalRegion>) = own.map(|(_, nest, own)| (nest.clone(), own)).unzip();
        let unread = || Failure::Check("loops in tiles are not followed; nothing was written".to_string());
        if nests.is_empty() {
            continue;
        }
        let whole = in_tiles(scop, &nests).map_err(|_| unread())?;
        let part = |(nest, region): (&Nest, &&LocalRegion)| Some(((*region).clone(), nest.part(scop, &whole)?));
        let parts = nests.iter().zip(&regions).map(part).collect::<Option<Vec<_>>>().ok_or_else(unread)?;
        scops.push((whole, parts));
    }
    Ok(Tiled { parsed, scops })
}

struct Tiling<'a> {
    told: &'a Told<'a>,
    /// The file without the regions' pragmas.
    named: &'a str,
    /// The file's scops.
    parsed: &'a Parsed,
    arguments: &'a CompactArguments,
}

/// A nest that is tiled, in which scop, and the region that its tiles are.
type Found = (usize, Nest, LocalRegion);

/// A nest that is not tiled, and why.
struct Left(Box<Diagnostic>);

impl Tiling<'_> {
    /// Tiles the nests that are regions, if all can be.
    fn marked(&self, regions: &[LocalRegion]) -> Result<Option<Vec<Found>>, Failure> {
        let mut found = Vec::new();
        for region in regions {
            match self.nest(region.statement.start, region)? {
                Ok(nest) => found.push(nest),
                Err(Left(why)) => self.told.tell(&why),
            }
        }
        Ok((found.len() == regions.len()).then_some(found))
    }

    /// Tiles what can be, if anything.
    fn every_nest(&self) -> Result<Option<Vec<Found>>, Failure> {
        let roots: Vec<&Loop> = self.parsed.scops.iter().flat_map(|scop| outermost(&scop.body)).collect();
        let is_scop = |line: &&str| line.trim_start().starts_with("#pragma scop");
        let are_refused = self.parsed.scops.len() < self.told.source.lines().filter(is_scop).count();
        let is_explained = (roots.is_empty() || are_refused) && self.explain();
        let (mut found, mut left) = (Vec::new(), Vec::new());
        for root in &roots {
            match self.outermost(root)? {
                Ok(own) => found.extend(own),
                Err(own) => left.extend(own),
            }
        }
        let severity = if found.is_empty() { Severity::Error } else { Severity::Note };
        for Left(why) in left {
            self.told.tell(&Diagnostic { severity, ..*why });
        }
        if roots.is_empty() {
            let message = "no loops to tile in this file";
            let help = match is_explained {
                true => "what is said above keeps the loops between the pragmas from being understood",
                false => "put `#pragma scop` and `#pragma endscop` around the loops",
            };
            self.told.tell(&error(message.to_string(), 0..0, "", help));
        }
        Ok((!found.is_empty()).then_some(found))
    }

    /// Tiles the outermost nests from some loop on that can be; why none is.
    fn outermost(&self, own: &Loop) -> Result<Result<Vec<Found>, Vec<Left>>, Failure> {
        let left = match self.nest(own.span.start, &LocalRegion::unmarked(own.span.clone()))? {
            Ok(nest) => return Ok(Ok(vec![nest])),
            Err(left) => left,
        };
        let (mut found, mut reasons) = (Vec::new(), vec![left]);
        for inner in outermost(&own.body).into_iter().filter(|l| depth(&l.body) + 1 >= self.arguments.local.tile.len())
        {
            match self.outermost(inner)? {
                Ok(own) => found.extend(own),
                Err(own) => reasons.extend(own),
            }
        }
        Ok(if found.is_empty() { Err(reasons) } else { Ok(found) })
    }

    /// The nest that begins at a place, in tiles; why it is not.
    fn nest(&self, start: usize, region: &LocalRegion) -> Result<Result<Found, Left>, Failure> {
        let left = |why: Diagnostic| Ok(Err(Left(Box::new(why))));
        let Some((place, l)) = self.at(start) else {
            self.explain();
            let help = "tiles are made of `for` loops between `#pragma scop` and `#pragma endscop`, which are understood without the pragma, too";
            let message = "no loop that can be tiled is behind this pragma".to_string();
            return left(error(message, region.pragma.clone(), "this region", help));
        };
        let (scop, sizes) = (&self.parsed.scops[place], &self.arguments.local.tile);
        if let Some(name) = self.overlap(scop, l) {
            let message = format!(
                "the loop of `{}` stays as it is: `{name}` is a pointer, and may lead to another array of it",
                l.iterator
            );
            let help = "declare it with `restrict` or with brackets, or say --assume-noalias if it never does";
            return left(error(message, l.span.clone(), "this nest", help));
        }
        let free = |wanted: &str| free_name(wanted, scop, self.named);
        let found = Nest::of(scop, l, sizes, &free).and_then(|nest| self.without_directives(l).map(|()| nest));
        let nest = match found {
            Ok(nest) => nest,
            Err(obstacle) => return left(of_obstacle(obstacle)),
        };
        let tiled = match in_tiles(scop, std::slice::from_ref(&nest)) {
            Ok(tiled) => tiled,
            Err(wrong) => return left(why(scop, l, sizes, wrong)),
        };
        if let Some((iterations, size)) = self.shorter_than_a_tile(scop, l)? {
            let message = format!(
                "the loop of `{}` stays as it is: with the sizes of the source a loop of its nest has {iterations} iterations, and a tile {size}",
                l.iterator
            );
            let help = "give sizes of tiles that its loops have iterations for";
            return left(error(message, l.span.clone(), "this nest", help));
        }
        match self.wrong(scop, (&tiled, &nest))? {
            Some(wrong) => left(why(scop, l, sizes, wrong)),
            None => Ok(Ok((place, nest, region.clone()))),
        }
    }

    /// A line of the preprocessor in a nest may be about one of its loops.
    fn without_directives(&self, l: &Loop) -> Result<(), Obstacle> {
        let mut at = l.span.start;
        for line in self.told.source[l.span.clone()].split_inclusive('\n') {
            let begin = at + line.len() - line.trim_start().len();
            if line.trim_start().starts_with('#') || line.contains("_Pragma") {
                return Err(Obstacle {
                    what: "a preprocessor line or pragma stands between the loops".to_string(),
                    span: begin..at + line.trim_end().len(),
                    help: "take it out of the nest",
                });
            }
            at += line.len();
        }
        Ok(())
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

    /// What is wrong with a nest in tiles; `None`: it is proved.
    fn wrong(&self, scop: &Scop, tiled: (&Scop, &Nest)) -> Result<Option<Wrong>, Failure> {
        let ctx = Context::new();
        let proof = ctx.with_quota(self.arguments.program.max_ops, || prove_tiles(&ctx, scop, tiled));
        let failed = |error| Failure::input(format!("--tile: {error}; --max-ops raises the bound"));
        Ok(proof.map_err(failed)?.err())
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
        let is_inside = |span: &polyfold_scop::Span| l.span.start <= span.start && span.end <= l.span.end;
        let statements = scop.statements.iter().filter(|statement| is_inside(&statement.span)).cloned().collect();
        let nest = Scop { statements, ..scop.clone() };
        let found = if self.arguments.local.assume_noalias { Overlap::default() } else { overlapping(&nest) };
        found.pointers.first().map(|id| scop.array(*id).name.clone())
    }

    /// Says what keeps scops from being understood; whether something does.
    fn explain(&self) -> bool {
        let matters = |d: &&Diagnostic| !d.about_options && d.severity >= Severity::Warning;
        let all = self.parsed.diagnostics.iter().filter(matters);
        all.map(|diagnostic| self.told.tell(diagnostic)).count() > 0
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

/// How many loops are inside each other.
fn depth(nodes: &[Node]) -> usize {
    outermost(nodes).into_iter().map(|l| depth(&l.body) + 1).max().unwrap_or(0)
}

fn parsed(told: &Told, arguments: &CompactArguments) -> Result<Parsed, Failure> {
    let options = Options {
        pure: arguments.program.pure.clone(),
        assume: arguments.program.assume.clone(),
        local: true,
        ..Options::default()
    };
    told.parsed(told.source, &options, arguments)
}
