//! The way from the root of the tree to a statement, and the dates it gives.
//!
//! A date is `[position, iterator, position, iterator, …]`, padded with zeros: the 2d+1 form of a sequential schedule.
//! The iterator of a downward loop counts negated.
//!
//! Example: the second statement of `for (i = n; i > 0; i--) { S0; S1; }` has the dates `[0, -i, 1]`.

use crate::names::Names;
use polyfold_scop::{Condition, Loop, LoopId, Node, StatementId};

/// The loops and guards around a statement or loop.
#[derive(Clone)]
pub(crate) struct Path<'a> {
    pub(crate) loops: Vec<&'a Loop>,
    pub(crate) guards: Vec<(&'a Condition, bool)>,
    /// Position in the innermost sequence, one per nesting level.
    pub(crate) positions: Vec<usize>,
}

impl<'a> Path<'a> {
    fn root() -> Path<'a> {
        Path { loops: Vec::new(), guards: Vec::new(), positions: vec![0] }
    }

    /// The date's components in isl text, padded to `dimensions`.
    pub(crate) fn date(&self, names: &Names, dimensions: usize) -> Vec<String> {
        let mut date = Vec::new();
        for (depth, position) in self.positions.iter().enumerate() {
            date.push(position.to_string());
            if let Some(l) = self.loops.get(depth) {
                let name = &names.iterators[&l.id];
                date.push(if l.step > 0 { name.clone() } else { format!("-{name}") });
            }
        }
        date.resize(dimensions, "0".to_string());
        date
    }

    fn enter(&mut self, l: &'a Loop) {
        self.loops.push(l);
        self.positions.push(0);
    }

    fn leave(&mut self) {
        self.positions.pop();
        self.loops.pop();
        self.advance();
    }

    fn advance(&mut self) {
        if let Some(position) = self.positions.last_mut() {
            *position += 1;
        }
    }
}

/// By statement, the path to it.
pub(crate) fn paths_to_statements(body: &[Node], statements: usize) -> Vec<Path<'_>> {
    let mut paths = vec![Path::root(); statements];
    walk(body, &mut Path::root(), &mut |path, reached| {
        if let Reached::Statement(id) = reached {
            paths[id.0] = path.clone();
        }
    });
    paths
}

/// Paths that end with a parallel loop; the last position is the one inside it.
pub(crate) fn paths_to_parallel_loops(body: &[Node]) -> Vec<Path<'_>> {
    let mut paths = Vec::new();
    walk(body, &mut Path::root(), &mut |path, reached| {
        if matches!(reached, Reached::Loop(l) if l.parallel) {
            paths.push(path.clone());
        }
    });
    paths
}

/// The path that ends with a loop; the last position is the one inside it.
pub(crate) fn path_to_loop(body: &[Node], id: LoopId) -> Option<Path<'_>> {
    let mut found = None;
    walk(body, &mut Path::root(), &mut |path, reached| {
        if matches!(reached, Reached::Loop(l) if l.id == id) {
            found = Some(path.clone());
        }
    });
    found
}

/// What a walk has come to; a loop has just been entered.
enum Reached<'a> {
    Loop(&'a Loop),
    Statement(StatementId),
}

/// Calls `found` for every loop and statement with the path to it. The branches of a guard follow one another.
fn walk<'a>(nodes: &'a [Node], path: &mut Path<'a>, found: &mut impl FnMut(&Path<'a>, Reached<'a>)) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                path.enter(l);
                found(path, Reached::Loop(l));
                walk(&l.body, path, found);
                path.leave();
            }
            Node::Guard(g) => {
                for (branch, holds) in [(&g.then, true), (&g.otherwise, false)] {
                    path.guards.push((&g.condition, holds));
                    walk(branch, path, found);
                    path.guards.pop();
                }
            }
            Node::Statement(id) => {
                found(path, Reached::Statement(*id));
                path.advance();
            }
        }
    }
}
