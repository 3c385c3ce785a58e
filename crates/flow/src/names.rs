//! Names that isl accepts for parameters, iterators, statements and arrays.

use polyfold_scop::{LoopId, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// Words that isl's parser takes for operators or values, whichever letters are capitals.
const RESERVED: [&str; 18] = [
    "mod", "floor", "floord", "ceil", "ceild", "min", "max", "exists", "and", "or", "not", "implies", "true", "false",
    "infty", "infinity", "nan", "rat",
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
pub fn acceptable(name: &str) -> String {
    match name {
        _ if RESERVED.contains(&name.to_ascii_lowercase().as_str()) => format!("{name}_"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::{Context, Set};

    #[test]
    fn every_word_is_a_name_in_every_spelling() {
        let ctx = Context::new();
        let is_read = |name: &str| Set::read(&ctx, &format!("[{name}] -> {{ {name}[i] : i < {name} }}")).is_ok();
        for word in RESERVED {
            let (first, rest) = word.split_at(1);
            for spelling in [word.to_string(), word.to_uppercase(), first.to_uppercase() + rest] {
                assert!(!is_read(&spelling), "{spelling} is no word of isl's");
                assert!(is_read(&acceptable(&spelling)), "{spelling}");
            }
        }
    }
}
