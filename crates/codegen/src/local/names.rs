//! What local arrays are called.
//!
//! Example: the first local array of A is `A_local`, the next one `A_local2`, also that of another region beside the first one; where the source
//! has such a name, an underscore follows.

use super::Compacted;
use crate::home::free_name;
use polyfold_compact::Plan;
use polyfold_scop::Scop;

/// The names of a plan's local arrays, in its order.
pub struct LocalNames {
    /// By local array.
    pub names: Vec<String>,
}

impl LocalNames {
    /// Names that neither the source nor others use.
    fn of(source: &str, scop: &Scop, plan: &Plan, others: &[&String]) -> LocalNames {
        let mut names: Vec<String> = Vec::new();
        for local in &plan.locals {
            let wanted = format!("{}_local", scop.array(local.array).name);
            let numbers = std::iter::once(String::new()).chain((2..).map(|number: usize| number.to_string()));
            let free = numbers.map(|number| free_name(&format!("{wanted}{number}"), scop, source));
            names.extend(free.into_iter().find(|name| !names.contains(name) && !others.contains(&name)));
        }
        LocalNames { names }
    }
}

/// The names of all local arrays of a file, by region and plan. Those of regions that share a loop in front of which copies stand differ.
pub fn names_of(source: &str, regions: &[Compacted]) -> Vec<Vec<LocalNames>> {
    let mut all: Vec<Vec<LocalNames>> = Vec::new();
    for region in regions {
        let meeting = regions.iter().zip(&all).filter(|(other, _)| other.shares_loop_with(region));
        let others: Vec<&String> = meeting.flat_map(|(_, names)| names).flat_map(|names| &names.names).collect();
        let own = region.plans.iter().map(|placed| LocalNames::of(source, region.scop, placed.plan(), &others));
        all.push(own.collect());
    }
    all
}

impl Compacted<'_> {
    /// Whether copies of one of two regions stand in front of a loop around both.
    fn shares_loop_with(&self, other: &Compacted) -> bool {
        let is_around = |own: &Compacted, other: &Compacted| {
            let l = own.outermost();
            own.depth() > 0 && l.start <= other.span.start && other.span.end <= l.end
        };
        is_around(self, other) || is_around(other, self)
    }
}
