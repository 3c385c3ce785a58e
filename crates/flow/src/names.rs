//! Names that isl accepts for parameters, iterators, statements and arrays.

use polyfold_scop::{LoopId, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// Words that isl's parser takes for operators or values.
const RESERVED: [&str; 16] = [
    "mod", "floor", "floord", "ceil", "ceild", "min", "max", "exists", "and", "or", "not", "implies", "true", "false",
    "infty", "NaN",
];

/// The names used in the isl view of one scop.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// By parameter index.
    pub(crate) parameters: Vec<String>,
    /// By loop; loops that enclose one another never share a name, nor do they share one with a parameter.
    pub(crate) iterators: BTreeMap<LoopId, String>,
    /// What the coordinates of cells are called, up to their numbers.
    cell: String,
}

impl Names {
    pub(crate) fn of(scop: &Scop) -> Names {
        let mut taken = BTreeSet::new();
        let parameters = scop.parameters.iter().map(|p| unique(&p.name, &mut taken)).collect();
        let mut names = Names { parameters, iterators: BTreeMap::new(), cell: "c".to_string() };
        names.visit(&scop.body, &taken);
        while names.all().any(|name| is_numbered(name, &names.cell)) {
            names.cell.push('_');
        }
        names
    }

    /// Names for the coordinates of a cell.
    pub(crate) fn cells(&self, dimensions: usize) -> Vec<String> {
        (0..dimensions).map(|k| format!("{}{k}", self.cell)).collect()
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        self.parameters.iter().chain(self.iterators.values())
    }

    fn visit(&mut self, nodes: &[polyfold_scop::Node], taken: &BTreeSet<String>) {
        use polyfold_scop::Node;
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    let mut inner = taken.clone();
                    self.iterators.insert(l.id, unique(&l.iterator, &mut inner));
                    self.visit(&l.body, &inner);
                }
                Node::Guard(g) => {
                    self.visit(&g.then, taken);
                    self.visit(&g.otherwise, taken);
                }
                Node::Statement(_) => {}
            }
        }
    }
}

/// Whether the name is the prefix with a number behind it.
fn is_numbered(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

/// A name that is no word of isl's, and none that polyfold makes itself: those begin with an underscore.
pub(crate) fn acceptable(name: &str) -> String {
    match name {
        _ if RESERVED.contains(&name) => format!("{name}_"),
        _ if name.starts_with('_') => format!("u{name}"),
        _ => name.to_string(),
    }
}

fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = acceptable(name);
    while !taken.insert(candidate.clone()) {
        candidate.push('_');
    }
    candidate
}
