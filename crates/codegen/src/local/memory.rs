//! A region's program with local arrays.
//!
//! The idea: a plan says in sets which cells live where, and which are copied. As integers and conditions of the region's program
//! this is what [`copy_in`] makes the new program of. Where copies stand in front of loops around the region, these loops are loops of both
//! programs.
//!
//! Accesses are simplified by what their loops say:
//!
//! ```text
//! A[2i + n][3i]    x -> (x0 - n) / 2    for 0 <= i < n    is    A_local[i]
//! ```
//!
//! Where one finds its cells in several arrays, a condition chooses: `j == i ? A_local[i] : A_local2[j]`.

use super::LocalNames;
use super::condition::shortest;
use super::copying::{Copied, Copying};
use super::frame::Framed;
use super::held::held_by_stack;
use super::in_tree::InTree;
use super::sizes::{Counters, Sizes, always};
use crate::fault;
use crate::loops::tidy;
use crate::sizes_in_c::named;
use polyfold_compact::{Local, Motion};
use polyfold_emit::Declaration;
use polyfold_isl::{CText, Result, Set};
use polyfold_program::{self as tree, Cond, Int, LocalId, LocalKind, Program, StatementId, Stmt, Use};
use polyfold_prove::{PlacedLocals, positive};
use polyfold_scop::{Node, StatementKind};
use polyfold_transform::{LocalAccess, LocalArray, LocalCase, LocalVersion, Step, Steps, copy_in, int_of};

/// A version of a region.
struct Version<'a> {
    number: usize,
    /// `None`: in all other cases.
    cond: Option<Cond>,
    /// For these sizes.
    context: Set,
    placed: &'a PlacedLocals,
}

impl InTree<'_> {
    /// A program with the region in local memory, whose arrays are called `names` by plan. `is_all`: where its tests fail, nothing happens in
    /// the loops that copies stand in front of. `None`: the region has no local arrays for any sizes.
    ///
    /// # Errors
    /// When something in it can't be said in a program.
    pub(super) fn copied_in(
        &self,
        program: &Program,
        (copying, names): (&Copying, &[LocalNames]),
        is_all: bool,
        declarations: &mut Vec<Declaration>,
    ) -> Result<Option<Program>> {
        let (all, runs_otherwise) = self.versions(is_all)?;
        if all.iter().all(|version| version.placed.plan().locals.is_empty()) {
            return Ok(None);
        }
        let (mut versions, mut used, mut declared) = (Vec::new(), Vec::new(), Vec::new());
        for version in &all {
            let writing = Writing::new(self, program, version, (copying, &names[version.number]))?;
            versions.push(writing.version()?);
            used.push(held_by_stack(version.placed.plan(), &version.context)?);
            declared.push(writing.declared()?);
        }
        let mut fault = None;
        let mut known = |own: Option<&LocalVersion>, list: &[Stmt]| {
            let at = own.and_then(|own| Some((own, versions.iter().position(|version| std::ptr::eq(own, version))?)));
            let facts = self.facts(list, at.map(|(own, at)| (own, &used[at])));
            facts.unwrap_or_else(|error| {
                fault = Some(error);
                Vec::new()
            })
        };
        let after = copy_in(program, self.block(), (&versions, runs_otherwise), &mut known);
        if let Some(error) = fault {
            return Err(error);
        }
        // The last version's come first.
        declarations.extend(declared.into_iter().rev().flatten());
        let unknown = || crate::fault("an access of this region isn't one that its program has");
        after.map(Some).ok_or_else(unknown)
    }

    /// The plans that are used for some sizes, and when; and whether something is done for others.
    fn versions(&self, is_all: bool) -> Result<(Vec<Version<'_>>, bool)> {
        if let [placed] = self.plans
            && placed.frame().loops > 0
        {
            let framed = Framed::new(self, placed)?;
            let version = |own: Framed| {
                let cond = own.tests.into_iter().reduce(and);
                Version { number: 0, cond, context: own.own, placed }
            };
            return Ok((framed.into_iter().map(version).collect(), !is_all));
        }
        let mut versions = Vec::new();
        let mut left = self.known.clone();
        for (number, placed) in self.plans.iter().enumerate() {
            let plan = placed.plan();
            let holds = plan.context.intersect(&positive(plan)?)?.coalesce()?;
            let context = left.intersect(&holds)?.coalesce()?;
            if context.is_empty()? {
                continue;
            }
            let mut rest = left.subtract(&holds)?.intersect(self.defined)?.coalesce()?;
            if !rest.is_empty()? {
                left = left.intersect(&self.of_types()?)?.coalesce()?;
                rest = rest.intersect(&left)?;
            }
            if rest.is_empty()? {
                versions.push(Version { number, cond: None, context, placed });
                return Ok((versions, false));
            }
            let cond = Some(Sizes::new(self, None, &left, &[])?.cond(&shortest(&holds, &left)?)?);
            versions.push(Version { number, cond, context, placed });
            left = rest;
        }
        let runs_otherwise = !left.intersect(self.running)?.is_empty()?;
        Ok((versions, runs_otherwise))
    }

    /// The values of sizes that their types hold: compilers warn of comparisons that always come out the same.
    pub(super) fn of_types(&self) -> Result<Set> {
        let bounded = self.scop.parameters.iter().zip(self.parameters);
        let bounded = bounded.filter_map(|(parameter, name)| Some((name, parameter.most?)));
        let facts: Vec<String> = bounded.map(|(name, most)| format!("{} <= {name} <= {most}", -most - 1)).collect();
        let facts = if facts.is_empty() { "true".to_string() } else { facts.join(" and ") };
        Set::read(self.known.context(), &format!("[{}] -> {{ : {facts} }}", self.parameters.join(", ")))
    }

    /// Sizes that have other values at the next instance.
    pub(super) fn changing_inside(&self) -> Vec<String> {
        let changing = self.scop.surroundings.as_deref().map(|around| &around.changing[..]).unwrap_or_default();
        changing.iter().map(|id| self.parameters[id.0].clone()).collect()
    }

    /// The statements that read for conditions on data, in their order.
    fn tests(&self) -> Vec<StatementId> {
        type Id = polyfold_scop::StatementId;
        fn of(nodes: &[Node], is_test: &dyn Fn(Id) -> bool, found: &mut Vec<Id>) {
            for node in nodes {
                match node {
                    Node::Statement(id) => found.extend(is_test(*id).then_some(*id)),
                    Node::Loop(own) => of(&own.body, is_test, found),
                    Node::Guard(own) => {
                        [&own.then, &own.otherwise].into_iter().for_each(|list| of(list, is_test, found))
                    }
                }
            }
        }
        let mut found = Vec::new();
        of(&self.scop.body, &|id| self.scop.statement(id).kind == StatementKind::Condition, &mut found);
        found.into_iter().map(|id| self.statement(id)).collect()
    }
}

/// Both conditions, one behind the other.
fn and(one: Cond, other: Cond) -> Cond {
    match other {
        Cond::And(left, right) => Cond::And(Box::new(and(one, *left)), right),
        other => Cond::And(Box::new(one), Box::new(other)),
    }
}

/// What is needed to write one version of a region.
pub(super) struct Writing<'a> {
    pub(super) region: &'a InTree<'a>,
    program: &'a Program,
    version: &'a Version<'a>,
    pub(super) sizes: Sizes,
    copying: &'a Copying,
    names: &'a LocalNames,
}

impl<'a> Writing<'a> {
    fn new(
        region: &'a InTree<'a>,
        program: &'a Program,
        version: &'a Version<'a>,
        (copying, names): (&'a Copying, &'a LocalNames),
    ) -> Result<Writing<'a>> {
        let sizes = Sizes::new(region, Some(version.placed.plan()), &version.context, &[])?;
        Ok(Writing { region, program, version, sizes, copying, names })
    }

    /// The local arrays, each with its number and motion.
    pub(super) fn locals(&self) -> impl Iterator<Item = (usize, &'a Local, &'a Motion)> {
        let placed = self.version.placed;
        let pairs = placed.plan().locals.iter().zip(placed.motions());
        pairs.enumerate().map(|(number, (local, motion))| (number, local, motion))
    }

    /// What C says of the local arrays besides their extents.
    fn declared(&self) -> Result<Vec<Declaration>> {
        let manner = self.region.manner;
        let one = |(number, local, motion): (usize, &Local, &Motion)| {
            Ok(Declaration {
                above: format!("/* {} */", self.lives_in(local, &self.name(number, motion))?),
                before: manner.space.as_ref().map_or(String::new(), |space| format!("{space} ")),
                behind: manner.align.map_or(String::new(), |align| format!(" __attribute__((aligned({align})))")),
            })
        };
        self.locals().map(one).collect()
    }

    /// A local array's name, with the number of its buffer.
    fn name(&self, number: usize, motion: &Motion) -> String {
        let name = &self.names.names[number];
        let (Motion::Rotating { buffers, .. }, Some(around)) = (motion, self.region.loops_inside().next()) else {
            return name.clone();
        };
        let counter = &self.region.scop.parameters[around.counter.0].name;
        match around.step.unsigned_abs() {
            1 => format!("{name}[{counter} % {buffers}]"),
            step => format!("{name}[{counter} / {step} % {buffers}]"),
        }
    }

    /// Where the cells of an array live: `A[x][y] lives in A_local[(x - n) / 2]`.
    fn lives_in(&self, local: &Local, name: &str) -> Result<String> {
        const LETTERS: [&str; 3] = ["x", "y", "z"];
        let count = local.cells.dimensions()?;
        let isl: Vec<String> = (0..count).map(|k| format!("_x{k}")).collect();
        let letters: Vec<String> =
            (0..count).map(|k| if count <= 3 { LETTERS[k].to_string() } else { format!("x{k}") }).collect();
        let cell: String = letters.iter().map(|letter| format!("[{letter}]")).collect();
        // The strides of the cells make quotients exact; their bounds are many words.
        let natural: Vec<String> = isl.iter().map(|x| format!("{x} >= 0")).collect();
        let natural = if count == 0 { "true".to_string() } else { natural.join(" and ") };
        let natural = Set::read(local.cells.context(), &format!("{{ [{}] : {natural} }}", isl.join(", ")))?;
        let cells = local.cells.intersect_params(&self.sizes.context)?;
        let has_remainders = local.shape.steps.iter().any(|step| matches!(step, polyfold_compact::Step::Modulo(_)));
        let hull = if has_remainders { cells.simple_hull()? } else { cells.affine_hull()? };
        let cells = hull.intersect(&natural)?;
        let places = local.shape.map.intersect_domain(&cells)?.intersect_params(&self.sizes.context)?.by_start(&isl)?;
        let text = CText::new(&places.params()?)?;
        let mut program = self.program.clone();
        let mut names = self.region.names(&Counters::Same);
        for (isl, letter) in isl.iter().zip(letters) {
            names.push((isl.clone(), Int::Local(LocalId(program.locals.len()))));
            program.locals.push(tree::Local { name: letter, kind: LocalKind::Integer, held: None });
        }
        let functions = if places.dimensions()? == 0 { Vec::new() } else { places.coordinates_of_point()? };
        let place = functions.iter().map(|function| {
            let simpler = function.gist_params(&places.params()?)?.coalesce()?;
            let e = int_of(&tidy(&text.tree(&simpler)?), &|name| named(&names, name));
            Ok(format!("[{}]", program.text_of(&e.ok_or_else(|| fault("a place that has no name"))?)))
        });
        let array = &self.region.scop.array(local.array).name;
        Ok(format!("{array}{cell} lives in {name}{}", place.collect::<Result<String>>()?))
    }

    fn version(&self) -> Result<LocalVersion> {
        Ok(LocalVersion {
            cond: self.version.cond.clone(),
            arrays: self.arrays()?,
            accesses: self.accesses()?,
            around: self.around()?,
            tests: self.region.tests(),
        })
    }

    fn arrays(&self) -> Result<Vec<LocalArray>> {
        // What extents are depends on nothing that changes.
        let changing = self.region.changing_inside();
        let context = self.sizes.context.for_any(&changing)?.coalesce()?;
        let constants = Sizes { context, ..self.sizes.clone() };
        let one = |(number, local, motion): (usize, &Local, &Motion)| {
            let array = self.region.scop.array(local.array);
            let extents = local.shape.extents.iter().map(|e| constants.int(e)).collect::<Result<Vec<Int>>>()?;
            Ok(LocalArray {
                array: self.region.buffer(local.array),
                name: self.names.names[number].clone(),
                extents: self.region.manner.extents(extents, motion.buffers(), array.element_bytes),
                turn: self.region.turn(motion, &Counters::Same),
            })
        };
        self.locals().map(one).collect()
    }

    fn around(&self) -> Result<Vec<Steps>> {
        let depth = self.region.loops_inside().count();
        let mut around = vec![self.iteration()?];
        for inside in 1..=depth {
            around.push(self.in_front(inside)?);
        }
        for (number, _, motion) in self.locals() {
            around[motion.depth()].arrays.push(number);
        }
        Ok(around)
    }

    /// What stands in front of one of the loops around, and behind it.
    fn in_front(&self, depth: usize) -> Result<Steps> {
        let (region, version) = (self.region, self.version);
        let changing = region.changing(depth);
        let before = version.context.for_any(&changing)?.coalesce()?;
        let outside = Sizes::new(region, Some(version.placed.plan()), &before, &changing)?;
        let (mut into, mut back) = (Vec::new(), Vec::new());
        for (number, local, motion) in self.locals() {
            if !matches!(motion, Motion::Outside(own) if *own == depth) {
                continue;
            }
            let all = |cells: &Set| cells.intersect_params(&version.context)?.for_any(&changing);
            let (cells_into, cells_back) = (all(&local.copies.into)?, all(&local.copies.back)?);
            let moved = |is_into, cells: &Set| self.moved((number, local), (is_into, cells), &outside);
            into.extend(moved(true, &cells_into)?);
            back.extend(moved(false, &cells_back)?);
        }
        let mut steps = Steps { before: self.awaited_in(into), ..Steps::default() };
        if depth == 1 {
            steps.before.extend(self.first_iteration()?);
            steps.behind.extend(self.last_iteration()?);
        }
        steps.behind.extend(self.awaited_back(back));
        Ok(steps)
    }

    /// Steps that copy some cells.
    pub(super) fn copied(
        &self,
        (number, local): (usize, &Local),
        (is_into, cells, tag): (bool, &Set, Int),
        (turn, counters, sizes): (Option<Int>, &Counters, &Sizes),
    ) -> Result<Vec<Step>> {
        let bytes = self.region.scop.array(local.array).element_bytes;
        let (copying, manner) = (self.copying, self.region.manner);
        let copied = Copied { copying, local: (number, local), cells, is_into, turn, bytes, manner, tag };
        copied.steps(sizes, &self.region.names(counters))
    }
}

impl Writing<'_> {
    /// The accesses to arrays that have local ones.
    fn accesses(&self) -> Result<Vec<LocalAccess>> {
        let plan = self.version.placed.plan();
        let mut found = Vec::new();
        for (id, statement) in self.region.scop.statements.iter().enumerate() {
            let id = polyfold_scop::StatementId(id);
            let twice = || fault("two loops around each other have one counter");
            let counters = self.region.counters(self.program, id).ok_or_else(twice)?;
            for (at, access) in statement.accesses.iter().enumerate() {
                let Some(first) = plan.locals.iter().position(|local| local.array == access.array) else { continue };
                let subscripts = access.subscripts.iter().flatten().map(|own| own.in_program());
                let data = || fault("an access whose cells data decide");
                let index: Vec<Int> = subscripts.collect::<Option<_>>().ok_or_else(data)?;
                let mut leaf = |e: &Int| match e {
                    Int::Local(own) => {
                        let depth = statement.loops.iter().position(|other| other.0 == own.0);
                        depth.map_or_else(|| e.clone(), |depth| counters[depth].1.clone())
                    }
                    e => self.region.in_tree(&self.region.with_products(e), &Counters::Same),
                };
                found.push(LocalAccess {
                    statement: self.region.statement(id),
                    how: if access.is_write() { Use::Write } else { Use::Read },
                    array: self.region.buffer(access.array),
                    index: index.iter().map(|e| e.with_leaves(&mut leaf)).collect(),
                    cases: self.cases((id, at), first, &counters)?,
                });
            }
        }
        Ok(found)
    }

    /// Where an access finds its cells. `first`: a local array of its array.
    fn cases(
        &self,
        (id, at): (polyfold_scop::StatementId, usize),
        first: usize,
        counters: &[(String, Int)],
    ) -> Result<Vec<LocalCase>> {
        let own =
            |local: &Local| local.served.iter().find(|s| (s.statement, s.access) == (id, at)).map(|s| s.cells.clone());
        let serving: Vec<(usize, &Local)> =
            self.locals().map(|(k, local, _)| (k, local)).filter(|(_, local)| own(local).is_some()).collect();
        let isl: Vec<String> = counters.iter().map(|(isl, _)| isl.clone()).collect();
        let of_counters = |operations: &Set| operations.identity()?.by_start(&isl)?.params();
        let mut cases = Vec::new();
        if let Some(cells) = serving.first().and_then(|(_, local)| own(local)) {
            let all = cells.intersect_params(&self.sizes.context)?;
            let mut left = all.domain()?;
            for (number, local) in serving {
                let inside = all.intersect_range(&local.cells)?.intersect_domain(&left)?;
                if inside.is_empty()? {
                    continue;
                }
                // The set of cells may take many more words than the subscripts do.
                let is_all = left.is_subset(&inside.domain()?)?;
                let own = if is_all { all.intersect_domain(&left)? } else { inside };
                let around = of_counters(&left)?;
                left = if is_all { left.subtract(&left)? } else { left.subtract(&own.domain()?)?.coalesce()? };
                let inner = self.sizes.with(counters, around.clone());
                let cond = match left.is_empty()? {
                    true => always(),
                    false => inner.cond(&of_counters(&own.domain()?)?.gist_params(&around)?)?,
                };
                let places = own.apply_range(&local.shape.map)?.by_start(&isl)?;
                let index = self.sizes.with(counters, places.params()?).point(&places)?;
                cases.push(LocalCase { cond, local: number, index });
            }
        }
        if cases.is_empty() {
            // It never happens: any place is right.
            let dimensions = self.version.placed.plan().locals[first].shape.extents.len();
            cases.push(LocalCase { cond: always(), local: first, index: vec![Int::Constant(0); dimensions] });
        }
        Ok(cases)
    }
}
