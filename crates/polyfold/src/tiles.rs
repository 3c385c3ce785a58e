//! Nests of a scop in tiles.
//!
//! [`tile`] makes a program with loops over tiles, which is a scop in another order ([`Scop::in_order`]). Its operations
//! have to be those of the source, each once, and their order has to keep all dependences, for all sizes. Variables that are declared in a
//! loop's body are new at each iteration ([`renewed`]).
//!
//! That every distance of a dependence is nowhere negative in the tiled loops is enough for that, and is not asked: tiles that are as long as the loop,
//! or one iteration, may be right without it.

use polyfold_codegen::Obstacle;
use polyfold_emit::with_types;
use polyfold_flow::{Model, isl_name};
use polyfold_isl::{Context, Error, Set};
use polyfold_schedule::{Given, Unlike, Violation, check, renewed};
use polyfold_scop::{Around, Loop, LoopId, Node, Parameter, ParameterOrigin, Scop, Span, StatementId};
use polyfold_transform::{Tiling, Untiled, tile};
use std::collections::BTreeSet;
use std::ops::Range;

/// Why a nest is not tiled.
#[derive(Clone, Debug)]
pub enum Wrong {
    /// Something stands in the way.
    Obstacle(Obstacle),
    /// It would be another program.
    Unlike(Unlike),
    /// Two operations that depend on each other change places.
    Order(Box<Violation>),
    /// Sums of sizes and counters may get past their types.
    Wraps,
}

/// A nest that is tiled.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Its outermost loop.
    pub outermost: LoopId,
    /// A statement in it.
    statement: StatementId,
    /// How many loops are around it.
    depth: usize,
    /// Iterations of a tile, outermost loop first; each positive.
    sizes: Vec<i64>,
    /// The names of the counters of the loops over tiles.
    names: Vec<String>,
}

impl Nest {
    /// The nest of a loop in tiles of some sizes. `name`: a name like this that nothing in the file has.
    ///
    /// # Errors
    /// What keeps it as it is.
    pub fn of(scop: &Scop, outermost: &Loop, sizes: &[i64], name: &dyn Fn(&str) -> String) -> Result<Nest, Obstacle> {
        let mut names: Vec<String> = Vec::new();
        for own in band(scop, outermost, sizes.len())? {
            let mut wanted =
                if own.iterator.len() == 1 { format!("{}t", own.iterator) } else { format!("{}_tile", own.iterator) };
            while names.contains(&wanted) || scop.parameters.iter().any(|size| size.name == wanted) {
                wanted.push('_');
            }
            names.push(name(&wanted));
        }
        let assigned = scop.program.iter().flat_map(|program| &program.body).flat_map(|stmt| stmt.assigned());
        let inside = |id: &StatementId| outermost.body.iter().any(|node| node.holds(*id));
        let statement = assigned.map(|id| StatementId(id.0)).find(inside).ok_or_else(|| {
            obstacle(
                format!("not all that the loop of `{}` does is understood", outermost.iterator),
                outermost,
                "write its statements as plain assignments",
            )
        })?;
        let depth = scop.statement(statement).loops.iter().position(|id| *id == outermost.id).unwrap_or(0);
        Ok(Nest { outermost: outermost.id, statement, depth, sizes: sizes.to_vec(), names })
    }

    /// The loop over one tile's iterations as a scop of its own. `None`: it has no program.
    pub fn part(&self, scop: &Scop, in_tiles: &Scop) -> Option<Scop> {
        let name = &scop.statement(self.statement).name;
        let statement = in_tiles.statements.iter().position(|own| own.name == *name)?;
        in_tiles.part(StatementId(statement), self.depth + self.sizes.len())
    }
}

/// A scop with some of its nests in tiles.
///
/// # Errors
/// Why one isn't.
pub fn in_tiles(scop: &Scop, nests: &[Nest]) -> Result<Scop, Wrong> {
    let unlike = || Wrong::Unlike(Unlike::Statements);
    let mut program = scop.program.clone().ok_or_else(unlike)?;
    for nest in nests {
        let Nest { statement, depth, sizes, names, .. } = nest;
        let tiling = Tiling { statement: polyfold_program::StatementId(statement.0), depth: *depth, sizes, names };
        program = tile(&program, &tiling).map_err(|why| Wrong::Obstacle(untiled(scop, nest, why)))?;
    }
    let scop = Scop { under_assumptions: None, ..scop.clone() };
    scop.in_order(&with_types(&program), Around::default()).ok_or_else(unlike)
}

fn untiled(scop: &Scop, nest: &Nest, Untiled { number, why }: Untiled) -> Obstacle {
    let own = scop.loops()[scop.statement(nest.statement).loops[nest.depth + number].0];
    let help = "give fewer or smaller sizes, so that only loops around it are tiled, or write it with plainer bounds";
    obstacle(format!("the loop of `{}` {why}", own.iterator), own, help)
}

fn obstacle(what: String, own: &Loop, help: &'static str) -> Obstacle {
    Obstacle { what, span: head_of(own), help }
}

/// Where a loop's `for` is.
fn head_of(own: &Loop) -> Span {
    own.span.start..own.span.start + 3
}

/// Proves that a scop with a nest in tiles computes the same for all sizes.
///
/// # Errors
/// When the work bound is reached.
pub fn prove_tiles(ctx: &Context, scop: &Scop, (tiled, nest): (&Scop, &Nest)) -> Result<Result<(), Wrong>, Error> {
    let (scop, tiled) = (general(scop), general(tiled));
    let mut sizes = BTreeSet::new();
    let loops = scop.loops();
    let outermost = &loops[nest.outermost.0].span;
    for own in loops.iter().filter(|own| outermost.start <= own.span.start && own.span.end <= outermost.end) {
        own.first.collect_parameters(&mut sizes);
        own.condition.collect_parameters(&mut sizes);
    }
    if sizes.iter().any(|id| scop.parameters[id.0].is_past_long()) {
        return Ok(Err(Wrong::Wraps));
    }
    let (model, new) = (Model::build(ctx, &scop)?, Model::build(ctx, &tiled)?);
    let defined = defined(&model)?;
    for model in [&model, &new] {
        if !model.known.intersect(&defined)?.is_subset(&model.context)? {
            return Ok(Err(Wrong::Wraps));
        }
    }
    let model = model.within(&defined)?;
    let added: Vec<Range<usize>> = (scop.statements.iter())
        .map(|statement| {
            let at = statement.loops.iter().position(|id| *id == nest.outermost);
            at.map_or(0..0, |at| at..at + nest.sizes.len())
        })
        .collect();
    let given = match Given::of_text(&model, &new, &added)? {
        Ok(given) => given,
        Err(unlike) => return Ok(Err(Wrong::Unlike(unlike))),
    };
    let apart = renewed(&scop);
    let verdict = check(&Model::build(ctx, &apart)?.within(&defined)?, given, &[])?;
    Ok(verdict.map(|_| ()).map_err(|violation| Wrong::Order(Box::new(violation))))
}

/// The outermost loops of a nest, so many of them.
///
/// Between the heads of two of them there are only blocks, and `if`s that data does not decide: these stay in the tile. A statement there
/// would run once for each tile of the inner loops, and a variable that is declared there would be another one in each.
fn band<'a>(scop: &'a Scop, outermost: &'a Loop, count: usize) -> Result<Vec<&'a Loop>, Obstacle> {
    let mut loops = vec![outermost];
    while let Some(last) = loops.last().filter(|_| loops.len() < count) {
        let inner = only_loop(scop, &last.body).map_err(|other| match other {
            Some(span) => beside(last, span),
            None => too_few(&loops, count),
        })?;
        loops.push(inner);
    }
    for l in &loops {
        whole(l)?;
    }
    declared_between(scop, &loops)?;
    counters(outermost)?;
    Ok(loops)
}

/// The loop that is all of a body; what else there is, or that there is no loop.
fn only_loop<'a>(scop: &Scop, body: &'a [Node]) -> Result<&'a Loop, Option<Span>> {
    match body {
        [Node::Loop(l)] => Ok(l),
        [Node::Guard(g)] if g.otherwise.is_empty() && !g.condition.depends_on_data() && !g.reads_beyond => {
            only_loop(scop, &g.then)
        }
        _ if !body.iter().any(holds_loops) => Err(None),
        _ => Err(body.iter().map(|node| scop.span_of(node)).min_by_key(|span| span.start)),
    }
}

fn holds_loops(node: &Node) -> bool {
    match node {
        Node::Loop(_) => true,
        Node::Guard(g) => g.then.iter().chain(&g.otherwise).any(holds_loops),
        Node::Statement(_) => false,
    }
}

fn beside(around: &Loop, span: Span) -> Obstacle {
    Obstacle {
        what: format!(
            "the loop of `{}` holds more than a loop: what is beside that would run again for every tile",
            around.iterator
        ),
        span,
        help: "give fewer sizes, so that only loops further out are tiled, or put it into a nest of its own",
    }
}

fn too_few(loops: &[&Loop], count: usize) -> Obstacle {
    let loops_in = if loops.len() == 1 {
        "is 1 loop".to_string()
    } else {
        format!("are {} loops directly inside each other", loops.len())
    };
    Obstacle {
        what: format!("tiles have {count} sizes, and there {loops_in}"),
        span: head_of(loops[0]),
        help: "give as many sizes as loops, or fewer",
    }
}

/// A variable that lives through all iterations of an inner loop would live through those of one tile.
fn declared_between(scop: &Scop, loops: &[&Loop]) -> Result<(), Obstacle> {
    let (Some(first), Some(last)) = (loops.first(), loops.last()) else { return Ok(()) };
    for array in &scop.arrays {
        let Some(declared) = array.declaration.as_ref().filter(|declared| declared.inside_scop) else { continue };
        let at = declared.statement.start;
        if first.span.contains(&at) && !last.span.contains(&at) {
            return Err(Obstacle {
                what: format!("`{}` is declared between the loops, and each tile would have its own", array.name),
                span: declared.statement.clone(),
                help: "declare it in the innermost of these loops, or in front of them",
            });
        }
    }
    Ok(())
}

/// Whether nothing is said of a loop's order or of threads.
fn whole(own: &Loop) -> Result<(), Obstacle> {
    if own.parallel {
        return Err(obstacle(
            format!("a pragma says that the iterations of `{}` may run at once, and tiles would not", own.iterator),
            own,
            "take the pragma out, and put it in front of the loop of tiles afterwards",
        ));
    }
    Ok(())
}

/// All counters of a nest are known in their loops alone: tiles leave other values in them.
fn counters(l: &Loop) -> Result<(), Obstacle> {
    if l.counter.outside.is_some() {
        return Err(Obstacle {
            what: format!(
                "the counter `{}` is declared in front of its loop, and tiles leave another value in it",
                l.iterator
            ),
            span: head_of(l),
            help: "declare it in the head: `for (int …`",
        });
    }
    l.body.iter().try_for_each(counters_in)
}

fn counters_in(node: &Node) -> Result<(), Obstacle> {
    match node {
        Node::Loop(l) => counters(l),
        Node::Guard(g) if g.reads_beyond => Err(Obstacle {
            what: "this condition reads memory that no array of the scop stands for".to_string(),
            span: g.span.clone(),
            help: "read it into a variable in front of the loops",
        }),
        Node::Guard(g) => g.then.iter().chain(&g.otherwise).try_for_each(counters_in),
        Node::Statement(_) => Ok(()),
    }
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
