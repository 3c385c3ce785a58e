//! Loops directly inside each other, which one kind of tiles goes through.
//!
//! Between the heads of two of them there are only blocks, and `if`s that data does not decide: these stay in the tile. A statement there
//! would run once for each tile of the inner loops, and a variable that is declared there would be another one in each.

use crate::loops::Obstacle;
use crate::tokens::{Kind, tokens};
use polyfold_scop::{Loop, Node, Scop, Span};

/// The outermost loops of a nest, so many of them.
pub(super) fn band<'a>(
    source: &str,
    scop: &'a Scop,
    outermost: &'a Loop,
    count: usize,
) -> Result<Vec<&'a Loop>, Obstacle> {
    let mut loops = vec![outermost];
    while let Some(last) = loops.last().filter(|_| loops.len() < count) {
        let inner = only_loop(scop, &last.body).map_err(|other| match other {
            Some(span) => beside(last, span),
            None => too_few(&loops, count),
        })?;
        loops.push(inner);
    }
    for l in &loops {
        whole(source, l)?;
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
        _ => Err(body.iter().map(|node| span_of(scop, node)).min_by_key(|span| span.start)),
    }
}

fn holds_loops(node: &Node) -> bool {
    match node {
        Node::Loop(_) => true,
        Node::Guard(g) => g.then.iter().chain(&g.otherwise).any(holds_loops),
        Node::Statement(_) => false,
    }
}

fn span_of(scop: &Scop, node: &Node) -> Span {
    match node {
        Node::Loop(l) => l.span.clone(),
        Node::Guard(g) => g.span.clone(),
        Node::Statement(id) => scop.statement(*id).span.clone(),
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

/// Bytes of the word `for`.
pub(super) const WORD: usize = 3;

/// Where a loop's `for` is.
pub(super) fn head_of(l: &Loop) -> Span {
    l.span.start..l.span.start + WORD
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
fn whole(source: &str, l: &Loop) -> Result<(), Obstacle> {
    if l.parallel {
        return Err(Obstacle {
            what: format!("a pragma says that the iterations of `{}` may run at once, and tiles would not", l.iterator),
            span: head_of(l),
            help: "take the pragma out, and put it in front of the loop of tiles afterwards",
        });
    }
    let directive = tokens(source, &l.span).into_iter().find(|token| token.kind == Kind::Directive);
    match directive {
        None => Ok(()),
        Some(token) => Err(Obstacle {
            what: "a preprocessor line or pragma stands between the loops".to_string(),
            span: token.span(),
            help: "take it out of the nest",
        }),
    }
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
