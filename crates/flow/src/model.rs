//! Domains, schedule, context and access relations of a scop.

use crate::accesses::{Accesses, union};
use crate::lower::Constraints;
use crate::names::{Names, acceptable};
use crate::sure::sure_writes;
use polyfold_isl::{Context, Map, Result, Set};
use polyfold_scop::{
    Access, ArrayId, Certainty, Comparison, Condition, Expr, Loop, LoopId, Node, Obligation, Scop, Statement,
    StatementId,
};

use std::collections::BTreeSet;

/// The polyhedral view of one scop.
pub struct Model<'s> {
    /// What it is a view of.
    pub scop: &'s Scop,
    /// Parameter names in isl notation, in the scop's order.
    pub parameters: Vec<String>,
    /// Parameter values that C itself allows: extents are positive, and no access surely leaves its array.
    pub known: Set,
    /// `known` without values that the user's assumptions or wrapping unsigned bounds exclude. Everything below
    /// describes the program for these values only; a result that is to hold for all of `known` needs a guard.
    pub context: Set,
    /// By [`StatementId`].
    pub statements: Vec<StatementModel>,
    /// Pairs of dates that the source allows to happen in either order, or at once; `None` if there are none.
    pub unordered: Option<Map>,
    /// Number of dimensions of a date.
    pub date_dimensions: usize,
    /// Temporaries whose subscripts leave their declared extents for every size, or when data decides so: they may
    /// be addressed across rows on purpose, and cells are then not what their subscripts say.
    pub leaves_bounds: Vec<ArrayId>,
    accesses: Vec<Accesses>,
    extents: Vec<Option<Set>>,
}

/// One statement in the polyhedral view.
pub struct StatementModel {
    /// `{ S[i] }`: its operations, or more where data decides.
    pub domain: Set,
    /// `{ S[i] -> [date] }`.
    pub schedule: Map,
    /// Whether all operations in `domain` surely happen.
    pub certain: bool,
}

impl<'s> Model<'s> {
    /// Builds the view.
    ///
    /// # Errors
    /// When the work bound of `ctx` is reached.
    pub fn build(ctx: &Context, scop: &'s Scop) -> Result<Model<'s>> {
        let builder = Builder { ctx, scop, names: Names::of(scop), sure: sure_writes(scop) };
        builder.build()
    }

    /// The same view for fewer parameter values.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn within(mut self, facts: &Set) -> Result<Model<'s>> {
        self.context = self.context.intersect(facts)?.coalesce()?;
        self.accesses = self.accesses.iter().map(|a| a.map(|r| r.intersect_params(facts))).collect::<Result<_>>()?;
        Ok(self)
    }

    /// Reads and writes of an array, as relations from dates to cells.
    pub fn accesses(&self, array: ArrayId) -> &Accesses {
        &self.accesses[array.0]
    }

    /// The declared cells `{ A[c] : 0 <= c < extent }` of an array; `None` where the source does not say them.
    pub fn declared_cells(&self, array: ArrayId) -> Option<&Set> {
        self.extents[array.0].as_ref()
    }

    /// The whole schedule in isl notation.
    pub fn schedule_text(&self) -> String {
        let parts: Vec<String> = self.statements.iter().map(|s| s.schedule.to_string()).collect();
        join_text(&parts)
    }
}

/// `{ A }` and `{ B }` with the same parameters as `{ A; B }`.
fn join_text(parts: &[String]) -> String {
    let Some(first) = parts.first() else { return "{ }".to_string() };
    let prefix = first.split_once('{').map_or("", |(prefix, _)| prefix);
    let inner =
        |t: &String| t.split_once('{').map_or(String::new(), |(_, b)| b.trim_end_matches('}').trim().to_string());
    format!("{prefix}{{ {} }}", parts.iter().map(inner).collect::<Vec<_>>().join("; "))
}

/// The way from the root of the tree to a statement.
#[derive(Clone, Default)]
struct Path<'a> {
    loops: Vec<&'a Loop>,
    guards: Vec<(&'a Condition, bool)>,
    /// Position in the innermost sequence, one per nesting level.
    positions: Vec<usize>,
}

/// Parameter values for which some access leaves its array's extents.
struct Outside {
    surely: Set,
    perhaps: Set,
}

struct Builder<'a, 's> {
    ctx: &'a Context,
    scop: &'s Scop,
    names: Names,
    sure: BTreeSet<(StatementId, ArrayId)>,
}

impl<'s> Builder<'_, 's> {
    fn build(self) -> Result<Model<'s>> {
        let scop = self.scop;
        let mut paths = vec![Path::default(); scop.statements.len()];
        let mut parallel = Vec::new();
        visit(&scop.body, &mut Path { positions: vec![0], ..Path::default() }, &mut |path, id| {
            paths[id.0] = path.clone();
        });
        collect_parallel(&scop.body, &mut Path { positions: vec![0], ..Path::default() }, &mut parallel);
        let date_dimensions = 1 + 2 * paths.iter().map(|p| p.loops.len()).max().unwrap_or(0);

        let statements: Vec<StatementModel> = (scop.statements.iter().zip(&paths))
            .map(|(statement, path)| self.statement(statement, path, date_dimensions))
            .collect::<Result<_>>()?;
        let mut known = self.declared()?;
        let (mut accesses, mut leaves_bounds, mut perhaps) = (Vec::new(), Vec::new(), Vec::new());
        for id in (0..scop.arrays.len()).map(ArrayId) {
            let (relations, outside) = self.array(id, &statements)?;
            accesses.push(relations);
            let Some(outside) = outside else { continue };
            let inside = known.subtract(&outside.surely)?.coalesce()?;
            if inside.is_empty()? {
                leaves_bounds.push(id);
            } else {
                known = inside;
                perhaps.push((id, outside.perhaps));
            }
        }
        for (id, sizes) in perhaps {
            if !sizes.intersect(&known)?.is_empty()? {
                leaves_bounds.push(id);
            }
        }
        let context = self.restrict(&known)?;
        Ok(Model {
            scop,
            parameters: self.names.parameters.clone(),
            unordered: self.unordered(&parallel, date_dimensions)?,
            statements,
            date_dimensions,
            leaves_bounds,
            accesses: accesses.iter().map(|a| a.map(|r| r.intersect_params(&context))).collect::<Result<_>>()?,
            extents: (0..scop.arrays.len()).map(|k| self.extents(ArrayId(k))).collect::<Result<_>>()?,
            known,
            context,
        })
    }

    fn prefix(&self) -> String {
        format!("[{}] ->", self.names.parameters.join(", "))
    }

    /// What the declarations alone say about the parameters.
    fn declared(&self) -> Result<Set> {
        let mut constraints = Constraints::new(&self.names);
        for fact in &self.scop.known {
            constraints.require_condition(fact, true);
        }
        Set::read(self.ctx, &format!("{} {{ : {} }}", self.prefix(), constraints.finish()))?.coalesce()
    }

    /// Excludes what the user rules out, and values for which unsigned bounds would wrap.
    fn restrict(&self, known: &Set) -> Result<Set> {
        let mut constraints = Constraints::new(&self.names);
        for fact in &self.scop.assumed {
            constraints.require_condition(fact, true);
        }
        let text = format!("{} {{ : {} }}", self.prefix(), constraints.finish());
        let mut context = known.intersect(&Set::read(self.ctx, &text)?)?;
        for obligation in &self.scop.obligations {
            context = context.subtract(&self.violations(obligation)?)?;
        }
        context.coalesce()
    }

    /// Parameter values for which an obligation fails at some iteration.
    fn violations(&self, obligation: &Obligation) -> Result<Set> {
        let loops = self.scop.loops();
        let mut constraints = Constraints::new(&self.names);
        for id in &obligation.loops {
            self.require_loop(&mut constraints, loops[id.0]);
        }
        for condition in &obligation.conditions {
            constraints.require_condition(condition, true);
        }
        let value = constraints.expr(&obligation.expression);
        constraints.require(format!("{value} < 0"));
        let iterators = self.iterators(&obligation.loops);
        let text = format!("{} {{ [{}] : {} }}", self.prefix(), iterators.join(", "), constraints.finish());
        Set::read(self.ctx, &text)?.params()
    }

    /// `S[i, j]`, an operation of a statement.
    fn tuple(&self, statement: &Statement) -> String {
        format!("{}[{}]", acceptable(&statement.name), self.iterators(&statement.loops).join(", "))
    }

    fn iterators(&self, loops: &[LoopId]) -> Vec<String> {
        loops.iter().map(|id| self.names.iterators[id].clone()).collect()
    }

    fn require_loop(&self, constraints: &mut Constraints, l: &Loop) {
        let counter = Expr::Iterator(l.id);
        let starts = |comparison| Condition::Compare(counter.clone(), comparison, l.first.clone());
        match l.step {
            1 => constraints.require_condition(&starts(Comparison::GreaterEqual), true),
            -1 => constraints.require_condition(&starts(Comparison::LessEqual), true),
            step => {
                let (i, first) = (self.names.iterators[&l.id].clone(), constraints.expr(&l.first));
                let turn = constraints.fresh();
                constraints.require(format!("{turn} >= 0 and {i} = {first} + {step} * {turn}"));
            }
        }
        constraints.require_condition(&l.condition, true);
    }

    fn require_path(&self, constraints: &mut Constraints, path: &Path) {
        for l in &path.loops {
            self.require_loop(constraints, l);
        }
        for (condition, holds) in &path.guards {
            constraints.require_condition(condition, *holds);
        }
    }

    fn statement(&self, statement: &Statement, path: &Path, date_dimensions: usize) -> Result<StatementModel> {
        let mut constraints = Constraints::new(&self.names);
        self.require_path(&mut constraints, path);
        let tuple = self.tuple(statement);
        let domain = format!("{} {{ {tuple} : {} }}", self.prefix(), constraints.finish());
        let domain = Set::read(self.ctx, &domain)?.coalesce()?;
        let date = self.date(path, date_dimensions).join(", ");
        let schedule = format!("{} {{ {tuple} -> [{date}] }}", self.prefix());
        Ok(StatementModel {
            schedule: Map::read(self.ctx, &schedule)?.intersect_domain(&domain)?,
            domain,
            certain: !path.guards.iter().any(|(c, _)| c.depends_on_data()),
        })
    }

    /// `[position, iterator, position, …]`, padded with zeros.
    fn date(&self, path: &Path, dimensions: usize) -> Vec<String> {
        let mut date = Vec::new();
        for (depth, position) in path.positions.iter().enumerate() {
            date.push(position.to_string());
            if let Some(l) = path.loops.get(depth) {
                let name = &self.names.iterators[&l.id];
                date.push(if l.step > 0 { name.clone() } else { format!("-{name}") });
            }
        }
        date.resize(dimensions, "0".to_string());
        date
    }

    /// The relations of one array, and for a temporary the parameter values for which it is accessed out of bounds.
    fn array(&self, id: ArrayId, statements: &[StatementModel]) -> Result<(Accesses, Option<Outside>)> {
        let mut relations = Accesses::default();
        let extents = if self.scop.array(id).is_temporary() { self.extents(id)? } else { None };
        let nowhere = Set::read(self.ctx, &format!("{} {{ : false }}", self.prefix()))?;
        let mut outside = Outside { surely: nowhere.clone(), perhaps: nowhere };
        for (k, (statement, model)) in self.scop.statements.iter().zip(statements).enumerate() {
            let (mut reads, mut must_writes, mut may_writes) = (Vec::new(), Vec::new(), Vec::new());
            for access in statement.accesses.iter().filter(|a| a.array == id) {
                let relation = self.access(statement, access)?.intersect_domain(&model.domain)?;
                let sure = model.certain || (access.is_write() && self.sure.contains(&(StatementId(k), id)));
                let certain = sure && is_certain(access);
                if let Some(extents) = &extents {
                    let leaves = relation.range()?.subtract(extents)?.params()?;
                    let into = if certain { &mut outside.surely } else { &mut outside.perhaps };
                    *into = into.union(&leaves)?;
                }
                match (access.is_read(), certain) {
                    (true, _) => reads.push(relation),
                    (false, true) => must_writes.push(relation),
                    (false, false) => may_writes.push(relation),
                }
            }
            let by_date = |of: &[Map]| match union(of)? {
                None => Ok(None),
                Some(all) => model.schedule.reverse()?.apply_range(&all)?.coalesce().map(Some),
            };
            relations.reads.extend(by_date(&reads)?);
            relations.must_writes.extend(by_date(&must_writes)?);
            relations.may_writes.extend(by_date(&may_writes)?);
        }
        Ok((relations, extents.map(|_| outside)))
    }

    /// `{ S[i] -> A[cell] }` of one access, not yet restricted to the statement's domain.
    fn access(&self, statement: &Statement, access: &Access) -> Result<Map> {
        let array = self.scop.array(access.array);
        let cells = self.names.cells(array.extents.len());
        let mut constraints = Constraints::new(&self.names);
        constraints.require_condition(&access.condition, true);
        for (cell, subscript) in cells.iter().zip(access.subscripts.iter().flatten()) {
            let value = constraints.expr(subscript);
            constraints.require(format!("{cell} = {value}"));
        }
        let tuple = self.tuple(statement);
        let text = format!(
            "{} {{ {tuple} -> {}[{}] : {} }}",
            self.prefix(),
            acceptable(&array.name),
            cells.join(", "),
            constraints.finish()
        );
        Map::read(self.ctx, &text)
    }

    /// The declared cells `{ A[c] : 0 <= c < extent }`; `None` where the source does not say them.
    fn extents(&self, id: ArrayId) -> Result<Option<Set>> {
        let array = self.scop.array(id);
        let Some(extents) = array.extents.iter().map(Option::as_ref).collect::<Option<Vec<&Expr>>>() else {
            return Ok(None);
        };
        let cells = self.names.cells(extents.len());
        let mut constraints = Constraints::new(&self.names);
        for (cell, extent) in cells.iter().zip(extents) {
            let extent = constraints.expr(extent);
            constraints.require(format!("0 <= {cell} < {extent}"));
        }
        let name = acceptable(&array.name);
        let text = format!("{} {{ {name}[{}] : {} }}", self.prefix(), cells.join(", "), constraints.finish());
        Set::read(self.ctx, &text).map(Some)
    }

    /// Pairs of dates in different iterations of one parallel loop.
    fn unordered(&self, parallel: &[Path], dimensions: usize) -> Result<Option<Map>> {
        let mut all: Option<Map> = None;
        for path in parallel {
            let x: Vec<String> = (0..dimensions).map(|k| format!("x{k}")).collect();
            let y: Vec<String> = (0..dimensions).map(|k| format!("y{k}")).collect();
            let split = 2 * path.loops.len() - 1;
            let mut constraints: Vec<String> = (0..split).map(|k| format!("x{k} = y{k}")).collect();
            constraints.extend(path.positions.iter().enumerate().map(|(k, p)| format!("x{} = {p}", 2 * k)));
            constraints.push(format!("x{split} != y{split}"));
            let text = format!("{{ [{}] -> [{}] : {} }}", x.join(", "), y.join(", "), constraints.join(" and "));
            let pairs = Map::read(self.ctx, &text)?;
            all = Some(match all {
                None => pairs,
                Some(others) => others.union(&pairs)?,
            });
        }
        Ok(all)
    }
}

/// Whether an access happens, to the whole cell, whenever its statement runs and its own condition says so.
fn is_certain(access: &Access) -> bool {
    access.certainty == Certainty::Must && access.subscripts.is_some() && !access.condition.depends_on_data()
}

/// Calls `found` for every statement with the path to it. The branches of a guard follow one another.
fn visit<'a>(nodes: &'a [Node], path: &mut Path<'a>, found: &mut impl FnMut(&Path<'a>, StatementId)) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                path.loops.push(l);
                path.positions.push(0);
                visit(&l.body, path, found);
                path.positions.pop();
                path.loops.pop();
                advance(path);
            }
            Node::Guard(g) => {
                for (branch, holds) in [(&g.then, true), (&g.otherwise, false)] {
                    path.guards.push((&g.condition, holds));
                    visit(branch, path, found);
                    path.guards.pop();
                }
            }
            Node::Statement(id) => {
                found(path, *id);
                advance(path);
            }
        }
    }
}

/// Paths that end with a parallel loop; the last position is the loop's own.
fn collect_parallel<'a>(nodes: &'a [Node], path: &mut Path<'a>, found: &mut Vec<Path<'a>>) {
    for node in nodes {
        match node {
            Node::Loop(l) => {
                path.loops.push(l);
                if l.parallel {
                    found.push(path.clone());
                }
                path.positions.push(0);
                collect_parallel(&l.body, path, found);
                path.positions.pop();
                path.loops.pop();
                advance(path);
            }
            Node::Guard(g) => {
                collect_parallel(&g.then, path, found);
                collect_parallel(&g.otherwise, path, found);
            }
            Node::Statement(_) => advance(path),
        }
    }
}

fn advance(path: &mut Path) {
    if let Some(position) = path.positions.last_mut() {
        *position += 1;
    }
}
