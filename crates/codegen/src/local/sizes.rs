//! Functions of a region's sizes, and conditions on them, as its program has them.
//!
//! Example: where `it * T` is a size of its own for isl, it is the product of two sizes in the program. Of the loops around, those that
//! copies stand in front of are loops of the program: their counters are no sizes there, and may be those of the next iteration.

use super::held::{held_by_memory, held_by_stack};
use super::in_tree::InTree;
use crate::fault;
use crate::loops::tidy;
use crate::sizes_in_c::{facts_of, named, strict, strict_int};
use polyfold_compact::Plan;
use polyfold_isl::{CText, PwAff, Result, Set};
use polyfold_program::{Cond, Int, IntOp, LocalId, ParameterId, Program, Relation, Stmt};
use polyfold_scop::StatementId;
use polyfold_transform::{LocalVersion, cond_of, int_of};

/// Names in isl notation, with what they are in the program.
pub(super) type Names = Vec<(String, Int)>;

/// Functions of sizes that have some values.
#[derive(Clone)]
pub(super) struct Sizes {
    pub(super) context: Set,
    pub(super) names: Names,
}

impl Sizes {
    /// For sizes in `context`, for which a plan is used; `unnamed`: those that have no value there.
    pub(super) fn new(region: &InTree, plan: Option<&Plan>, context: &Set, unnamed: &[String]) -> Result<Sizes> {
        let mut known = region.held(context)?;
        if let Some(plan) = plan {
            known = held_by_stack(plan, &known)?;
        }
        // What always holds is not tested; nor are pieces told apart in which it does for different reasons.
        let context = context.intersect(&known.simple_hull()?)?.for_any(unnamed)?;
        Ok(Sizes { context, names: region.names(&Counters::Same) })
    }

    /// The same with more names, for sizes and these in another context.
    pub(super) fn with(&self, more: &[(String, Int)], context: Set) -> Sizes {
        Sizes { context, names: self.names.iter().chain(more).cloned().collect() }
    }

    /// The value of a function.
    pub(super) fn int(&self, function: &PwAff) -> Result<Int> {
        let simpler = function.intersect_params(&self.context)?.gist_params(&self.context)?.coalesce()?;
        let tree = tidy(&CText::new(&self.context)?.tree(&simpler)?);
        let int = int_of(&tree, &|name| named(&self.names, name)).ok_or_else(|| fault("a size that has no name"))?;
        Ok(strict_int(&int.tidy(&[])))
    }

    /// The only point of a set at each choice of sizes.
    pub(super) fn point(&self, places: &Set) -> Result<Vec<Int>> {
        if places.dimensions()? == 0 {
            return Ok(Vec::new());
        }
        places.coordinates_of_point()?.iter().map(|function| self.int(function)).collect()
    }

    /// Whether sizes are in a set.
    pub(super) fn cond(&self, set: &Set) -> Result<Cond> {
        let tree = tidy(&CText::new(&self.context)?.test(set)?);
        let cond = cond_of(&tree, &|name| named(&self.names, name));
        cond.map(|cond| strict(&cond)).ok_or_else(|| fault("a condition on what has no name"))
    }
}

/// Which values counters of loops around have.
pub(super) enum Counters {
    /// Those of this iteration.
    Same,
    /// Those of the next iteration of the innermost loop.
    Next,
    /// Those of its first one.
    First,
}

impl InTree<'_> {
    /// What isl's names are in the region's program.
    pub(super) fn names(&self, counters: &Counters) -> Names {
        let int = |k: usize| self.in_tree(&self.in_program(k), counters).tidy(&[]);
        self.parameters.iter().cloned().enumerate().map(|(k, name)| (name, int(k))).collect()
    }

    fn in_program(&self, parameter: usize) -> Int {
        let own = Int::Parameter(ParameterId(parameter));
        self.scop.surroundings.as_deref().map_or_else(|| own.clone(), |around| around.in_program(&own))
    }

    /// Something of sizes, where the counters of loops around are those of the program's loops.
    pub(super) fn in_tree(&self, e: &Int, counters: &Counters) -> Int {
        let innermost = self.loops_inside().next();
        let counted = innermost.map(|around| Int::Parameter(ParameterId(around.counter.0)));
        let same = |e: &Int| match e {
            Int::Parameter(id) => self.value(id.0).clone(),
            e => e.clone(),
        };
        e.with_leaves(&mut |e| match (innermost.filter(|_| counted.as_ref() == Some(e)), counters) {
            (Some(around), Counters::Next) => Int::binary(IntOp::Add, same(e), Int::Constant(around.step)).tidy(&[]),
            (Some(around), Counters::First) => {
                let first = around.first.in_program();
                first.map_or_else(|| same(e), |first| self.with_products(&first).with_leaves(&mut |e| same(e)))
            }
            _ => same(e),
        })
    }

    /// Something of sizes, made of factors where these are products.
    pub(super) fn with_products(&self, e: &Int) -> Int {
        let around = self.scop.surroundings.as_deref();
        e.with_leaves(&mut |e| around.map_or_else(|| e.clone(), |around| around.in_program(e)))
    }

    /// The counters around a statement, outermost first, by their names in isl notation. `None`: two have one name.
    pub(super) fn counters(&self, program: &Program, id: StatementId) -> Option<Vec<(String, Int)>> {
        let loops = self.scop.loops();
        let around = self.scop.statement(id).loops.iter().map(|own| &loops[own.0].iterator);
        let local = |(k, name): (usize, &String)| {
            let local = program.locals.iter().position(|own| own.name == *name)?;
            Some((format!("_i{k}"), Int::Local(LocalId(local))))
        };
        let found: Vec<(String, Int)> = around.enumerate().map(local).collect::<Option<_>>()?;
        let is_once = |(k, (_, own)): (usize, &(String, Int))| found[..k].iter().all(|(_, other)| other != own);
        found.iter().enumerate().all(is_once).then_some(found)
    }

    /// Those out of some sizes that types and memory hold, and for which nothing overflows that the region computes.
    fn held(&self, sizes: &Set) -> Result<Set> {
        held_by_memory(self.scop, self.parameters, &sizes.intersect(self.defined)?.intersect(&self.of_types()?)?)
    }

    /// What sums of sizes in a version of the region are at least and at most, and those in its extents; or those in conditions, which are
    /// asked for all sizes.
    pub(super) fn facts(&self, list: &[Stmt], version: Option<(&LocalVersion, &Set)>) -> Result<Vec<Cond>> {
        let names = self.names(&Counters::Same);
        let mut sums: Vec<&Int> = Vec::new();
        match version {
            None => {
                let mut list = list;
                while let [Stmt::If { cond, other, .. }] = list {
                    cond.each_int(&mut |e| sums.push(e));
                    list = other;
                }
            }
            Some((version, _)) => {
                list.iter().for_each(|stmt| stmt.each(&mut |stmt| stmt.each_int(&mut |e| sums.push(e))));
                let extents = version.arrays.iter().flat_map(|own| &own.extents);
                extents.for_each(|extent| extent.each(&mut |e| sums.push(e)));
            }
        }
        let known = &self.held(version.map_or(self.known, |(_, used)| used))?;
        facts_of(sums, &names, known)
    }
}

/// What always holds.
pub(super) fn always() -> Cond {
    Cond::compare(Int::Constant(0), Relation::Equal, Int::Constant(0))
}
