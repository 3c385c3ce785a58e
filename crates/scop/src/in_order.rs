//! A scop in another order, made from its program in that order.
//!
//! ```text
//! for (i …) S0: t[i] = a[i];                     for (c …) {
//! for (i …) S1: b[i] = t[i] + t[i - 1];    =>      S0: t[c] = a[c];
//!                                                  if (c >= 1) S1: b[c - 1] = t[c - 1] + t[c - 2];   }
//! ```
//!
//! The idea: statements are the source's, with other counters in their accesses. Loops and conditions are the program's. A condition
//! on data is the source's around the same statement. So nothing is printed or read between two transformations.
//!
//! Its places are those of the source's text. Where a statement stands twice in the order, two of its statements have one place.
//! What it prints is printed with the source's own statements, which [`InOrder::in_source`] says.
//!
//! Invariant: it runs the same instances as the program.

use crate::numbered::LoopsAround;
use crate::{
    Array, ArrayId, Computed, Counter, Declaration, Expr, Guard, Loop, LoopId, Node, Scop, Span, Statement,
    StatementId, StatementKind, Surroundings,
};
use polyfold_program::{
    Assign, BufferId, Cond, Int, IntType, LocalId, Opaque, Program, StatementId as Id, Stmt, With, Written,
};
use std::collections::BTreeMap;

/// What a scop in another order has of the source.
#[derive(Clone, Debug)]
pub struct InOrder {
    /// The scop in the file's order.
    pub source: Scop,
    /// Its program.
    pub program: Program,
    /// How the file writes that.
    pub written: Written,
    /// Of each statement, the source's.
    instances: Vec<Instance>,
    /// What the text around becomes.
    pub around: Around,
}

/// What becomes of the text around loops that are gone.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// By statement of the source, in what C holds the counters around it, outermost first.
    pub counters: Vec<Vec<Option<IntType>>>,
    /// A line in front of each loop whose iterations run at once, in the order of the loops.
    pub pragmas: Vec<Option<String>>,
    /// Counters that no loop sets any more, and whose declarations go.
    pub dropped: Vec<Declaration>,
    /// Those whose declarations stay.
    pub unused: Vec<String>,
    /// Declarations between the old loops of variables that no statement declares now.
    pub in_front: Vec<InFront>,
}

/// A variable that is declared in front of the new loops.
#[derive(Clone, Debug)]
pub struct InFront {
    /// Which.
    pub array: ArrayId,
    /// What it is called there.
    pub name: String,
    /// Its declaration.
    pub text: String,
}

/// An instance of one of the source's statements.
#[derive(Clone, Debug)]
struct Instance {
    statement: Id,
    /// The counters around it.
    counters: Vec<LocalId>,
    /// The values of the source's counters, computed with these.
    at: Vec<Int>,
    /// The same as the scop has them.
    values: Vec<Expr>,
}

impl InOrder {
    /// A program of the scop's statements as one of the source's.
    pub fn in_source(&self, program: &Program) -> Program {
        let statements = self.program.statements.clone();
        Program { body: self.list(&program.body), statements, ..program.clone() }
    }

    /// The source's statement that one of the scop's is, and the values of the counters around that.
    pub fn instance_of(&self, id: StatementId) -> (StatementId, &[Expr]) {
        let own = &self.instances[id.0];
        (StatementId(own.statement.0), &own.values)
    }

    fn list(&self, list: &[Stmt]) -> Vec<Stmt> {
        list.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::For(own) => Stmt::For(polyfold_program::Loop { body: self.list(&own.body), ..own.clone() }),
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: cond.clone(), then: self.list(then), other: self.list(other) }
            }
            Stmt::With(own) => Stmt::With(With { body: self.list(&own.body), ..own.clone() }),
            Stmt::Assign(own) => {
                let (statement, at) = self.instance(own.statement, &own.at);
                Stmt::Assign(Assign { statement, at, ..own.clone() })
            }
            Stmt::Opaque(own) => {
                let (statement, at) = self.instance(own.statement, &own.at);
                Stmt::Opaque(Opaque { statement, at, ..own.clone() })
            }
            other => other.clone(),
        }
    }

    fn instance(&self, id: Id, at: &[Int]) -> (Id, Vec<Int>) {
        let own = &self.instances[id.0];
        let mut leaf = |e: &Int| {
            let place = own.counters.iter().position(|counter| *e == Int::Local(*counter));
            place.and_then(|place| at.get(place)).unwrap_or(e).clone()
        };
        (own.statement, own.at.iter().map(|e| e.with_leaves(&mut leaf).tidy(&[])).collect())
    }
}

impl Scop {
    /// The scop in the order of a program of its statements. `None`: it is followed under assumptions only, or the program has something
    /// that isn't a statement of the scop.
    pub fn in_order(&self, program: &Program, around: Around) -> Option<Scop> {
        if self.under_assumptions.is_some() || self.order.is_some() {
            return None;
        }
        let (own, written) = (self.in_file()?.clone(), self.written_for_order(&crate::as_it_is, &[])?);
        let mut chains = BTreeMap::new();
        asked(&self.body, &mut Vec::new(), &mut chains);
        let mut building = Building {
            scop: self,
            program,
            chains,
            loops: LoopsAround::default(),
            begun: 0,
            statements: Vec::new(),
            instances: Vec::new(),
        };
        let (body, nodes) = building.list(&program.body, 0)?;
        let surroundings = self.surroundings.as_deref().map(|around| {
            let computed = around.computed.iter().filter_map(|own| building.computed(own)).collect();
            Box::new(Surroundings { computed, ..around.clone() })
        });
        let Building { statements, instances, .. } = building;
        let in_front = |(k, array)| in_front(array, BufferId(k), (program, &around));
        let arrays: Vec<Array> = self.arrays.iter().enumerate().map(in_front).collect();
        let names: Vec<String> = statements.iter().map(|own| own.name.clone()).collect();
        let mut buffers = program.buffers.clone();
        buffers.iter_mut().zip(&arrays).for_each(|(buffer, array)| buffer.name.clone_from(&array.name));
        let program = Program { body, buffers, statements: names, ..program.clone() };
        let outline = Program { body: Vec::new(), ..program.clone() };
        Some(Scop {
            statements,
            body: nodes,
            arrays,
            obligations: Vec::new(),
            stand_ins: Vec::new(),
            surroundings,
            program: Some(program),
            outline: Some(outline),
            order: Some(Box::new(InOrder { source: self.clone(), program: own, written, instances, around })),
            ..self.clone()
        })
    }

    /// Whether pragmas in front are about its first loop.
    pub fn has_lead(&self) -> bool {
        self.lead.is_some() && self.order.is_none()
    }
}

/// An array that no statement of a program declares stands in front of the new loops, under a name of its own.
fn in_front(array: &Array, id: BufferId, (program, around): (&Program, &Around)) -> Array {
    let declares = |stmt: &Stmt| stmt.declared() == Some(id);
    let is_declared = program.body.iter().any(|stmt| stmt.any(&declares));
    let in_front = |own: &Declaration| Declaration { inside_scop: own.inside_scop && is_declared, ..own.clone() };
    let other = around.in_front.iter().find(|own| own.array.0 == id.0).map(|own| own.name.clone());
    Array {
        name: other.unwrap_or_else(|| array.name.clone()),
        declaration: array.declaration.as_ref().map(in_front),
        ..array.clone()
    }
}

/// A condition on data around a statement.
#[derive(Clone)]
struct Asked<'a> {
    guard: &'a Guard,
    /// The statement that reads for it.
    reads: Option<StatementId>,
    holds: bool,
}

/// The conditions on data around each statement, outermost first.
fn asked<'a>(nodes: &'a [Node], around: &mut Vec<Asked<'a>>, found: &mut BTreeMap<StatementId, Vec<Asked<'a>>>) {
    let mut reads = None;
    for node in nodes {
        match node {
            Node::Loop(l) => asked(&l.body, around, found),
            Node::Guard(guard) if guard.condition.depends_on_data() => {
                for (branch, holds) in [(&guard.then, true), (&guard.otherwise, false)] {
                    around.push(Asked { guard, reads, holds });
                    asked(branch, around, found);
                    around.pop();
                }
            }
            Node::Guard(guard) => {
                asked(&guard.then, around, found);
                asked(&guard.otherwise, around, found);
            }
            Node::Statement(id) => drop(found.insert(*id, around.clone())),
        }
        reads = match node {
            Node::Statement(id) => Some(*id),
            _ => None,
        };
    }
}

struct Building<'a> {
    scop: &'a Scop,
    program: &'a Program,
    chains: BTreeMap<StatementId, Vec<Asked<'a>>>,
    loops: LoopsAround,
    /// How many loops there are so far.
    begun: usize,
    statements: Vec<Statement>,
    instances: Vec<Instance>,
}

impl<'a> Building<'a> {
    /// `asked`: how many conditions on data are around.
    fn list(&mut self, list: &[Stmt], asked: usize) -> Option<(Vec<Stmt>, Vec<Node>)> {
        let (mut stmts, mut nodes) = (Vec::new(), Vec::new());
        for stmt in list {
            let (stmt, mut own) = self.stmt(stmt, asked)?;
            stmts.push(stmt);
            nodes.append(&mut own);
        }
        Some((stmts, nodes))
    }

    fn stmt(&mut self, stmt: &Stmt, asked: usize) -> Option<(Stmt, Vec<Node>)> {
        match stmt {
            Stmt::For(own) => {
                let id = LoopId(self.begun);
                self.begun += 1;
                let first = self.loops.expr(own.first.as_ref()?)?;
                self.loops.0.push((id, own.counter));
                let (condition, from) = (self.loops.condition(&own.test)?, self.statements.len());
                let (body, nodes) = self.list(&own.body, asked)?;
                self.loops.0.pop();
                let span = self.span_from(from);
                let node = Loop {
                    id,
                    iterator: self.program.locals[own.counter.0].name.clone(),
                    counter: self.counter(own)?,
                    first,
                    condition,
                    step: own.step?,
                    parallel: own.parallel,
                    pragmas: Vec::new(),
                    body: nodes,
                    line: self.statements.get(from).map_or(self.scop.line, |first| first.line),
                    span,
                };
                Some((Stmt::For(polyfold_program::Loop { body, ..own.clone() }), vec![Node::Loop(node)]))
            }
            Stmt::If { cond, then, other } if cond.has_data() => self.on_data((cond, then, other), asked),
            Stmt::If { cond, then, other } => {
                let (condition, from) = (self.loops.condition(cond)?, self.statements.len());
                let ((then, yes), (other, no)) = (self.list(then, asked)?, self.list(other, asked)?);
                let span = self.span_from(from);
                let guard = Guard { condition, then: yes, otherwise: no, reads_beyond: false, span };
                Some((Stmt::If { cond: cond.clone(), then, other }, vec![Node::Guard(guard)]))
            }
            Stmt::With(own) if own.buffers.is_empty() => {
                let (body, nodes) = self.list(&own.body, asked)?;
                Some((Stmt::With(With { body, ..own.clone() }), nodes))
            }
            Stmt::Assign(own) => {
                let (statement, at) = self.statement(own.statement, &own.at)?;
                if let Some(last) =
                    self.statements.last_mut().filter(|last| last.kind == StatementKind::Declaration && !own.declares)
                {
                    last.kind = StatementKind::Assignment;
                }
                Some((Stmt::Assign(Assign { statement, at, ..own.clone() }), vec![node(statement)]))
            }
            Stmt::Opaque(own) => {
                let (statement, at) = self.statement(own.statement, &own.at)?;
                Some((Stmt::Opaque(Opaque { statement, at, ..own.clone() }), vec![node(statement)]))
            }
            _ => None,
        }
    }

    /// A condition of the source that is asked here.
    fn on_data(&mut self, (cond, then, other): (&Cond, &[Stmt], &[Stmt]), asked: usize) -> Option<(Stmt, Vec<Node>)> {
        let (is_then, (id, at)) = match first_instance(then) {
            Some(own) => (true, own),
            None => (false, first_instance(other)?),
        };
        let Asked { guard, reads, holds } = self.chains.get(&StatementId(id.0))?.get(asked)?.clone();
        let mut nodes = Vec::new();
        if let Some(reads) = reads.filter(|id| self.scop.statement(*id).kind == StatementKind::Condition) {
            let (own, _) = self.statement(Id(reads.0), at)?;
            nodes.push(node(own));
        }
        let condition = guard.condition.with_counters(&self.values_of(StatementId(id.0), self.exprs(at)?))?;
        let condition = if holds == is_then { condition } else { condition.negate() };
        let ((then, yes), (other, no)) = (self.list(then, asked + 1)?, self.list(other, asked + 1)?);
        let guard = Guard { condition, then: yes, otherwise: no, ..guard.clone() };
        nodes.push(Node::Guard(guard));
        Some((Stmt::If { cond: cond.clone(), then, other }, nodes))
    }

    /// A statement of the source, with other counters. `at`: of those around it, and perhaps of more.
    fn statement(&mut self, id: Id, at: &[Int]) -> Option<(Id, Vec<Int>)> {
        let own = self.scop.statements.get(id.0)?;
        let all = self.exprs(at)?;
        let values = self.values_of(StatementId(id.0), all.clone());
        let accesses = own.accesses.iter().map(|access| access.with_counters(&values)).collect::<Option<_>>()?;
        let counters: Vec<LocalId> = self.loops.0.iter().map(|(_, counter)| *counter).collect();
        let loops = self.loops.ids();
        let (number, name) = (Id(self.statements.len()), self.name(&own.name));
        self.statements.push(Statement { name, loops, accesses, ..own.clone() });
        let around = counters.iter().map(|counter| Int::Local(*counter)).collect();
        self.instances.push(Instance { statement: id, counters, at: at.to_vec(), values: all });
        Some((number, around))
    }

    /// A name for one more instance of a statement.
    fn name(&self, wanted: &str) -> String {
        let is_taken = |name: &str| {
            let others = self.scop.statements.iter().filter(|own| own.name != wanted);
            self.statements.iter().chain(others).any(|own| own.name == name)
        };
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        std::iter::once(wanted.to_string()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
    }

    /// The values of the source's counters around a statement.
    fn values_of(&self, id: StatementId, values: Vec<Expr>) -> impl Fn(LoopId) -> Option<Expr> + use<> {
        let loops = self.scop.statement(id).loops.clone();
        move |id| values.get(loops.iter().position(|own| *own == id)?).cloned()
    }

    fn exprs(&self, all: &[Int]) -> Option<Vec<Expr>> {
        all.iter().map(|e| self.loops.expr(e)).collect()
    }

    /// What is computed in some loops of the source, in those of the first statement there.
    fn computed(&self, own: &Computed) -> Option<Computed> {
        let is_there =
            |instance: &&Instance| self.scop.statement(StatementId(instance.statement.0)).loops.starts_with(&own.loops);
        let at = self.instances.iter().position(|instance| is_there(&instance))?;
        let (loops, Instance { counters, at, .. }) = (&self.statements[at].loops, &self.instances[at]);
        let place = |e: &Int| counters.iter().position(|counter| *e == Int::Local(*counter));
        let places = at.iter().take(own.loops.len()).map(place).collect::<Option<Vec<usize>>>()?;
        let of = |id| Some(Expr::Iterator(loops[places[own.loops.iter().position(|own| *own == id)?]]));
        Some(Computed {
            loops: loops[..places.iter().max().map_or(0, |last| last + 1)].to_vec(),
            conditions: own.conditions.iter().map(|own| own.with_counters(&of)).collect::<Option<_>>()?,
            expression: own.expression.with_counters(&of)?,
        })
    }

    /// The source's own, if its loop doesn't declare it, or is around the same statement.
    fn counter(&self, own: &polyfold_program::Loop) -> Option<Counter> {
        let local = &self.program.locals[own.counter.0];
        let loops = self.scop.loops();
        let around = first_instance(&own.body).map(|(id, _)| &self.scop.statement(StatementId(id.0)).loops);
        let is_held = |counter: &Counter| match local.held {
            Some(IntType::Signed(bits)) => counter.signed && counter.bytes == u64::from(bits / 8),
            Some(IntType::Unsigned(bits)) => !counter.signed && counter.bytes == u64::from(bits / 8),
            _ => true,
        };
        let is_own = |l: &Loop| around.is_some_and(|around| around.contains(&l.id)) && l.counter.outside.is_none();
        let is_around = |l: &&&Loop| !own.declares || is_own(l) && is_held(&l.counter);
        if let Some(l) = loops.iter().filter(|l| l.iterator == local.name).find(is_around) {
            return Some(l.counter.clone());
        }
        let (Some(element), Some(IntType::Signed(bits))) = (local.held?.in_c(), local.held) else { return None };
        Some(Counter { element: element.to_string(), bytes: u64::from(bits / 8), ..Counter::int() })
    }

    /// Where statements stand that came last.
    fn span_from(&self, from: usize) -> Span {
        let spans = || self.statements[from..].iter().map(|own| &own.span);
        let (start, end) = (spans().map(|span| span.start).min(), spans().map(|span| span.end).max());
        start.zip(end).map_or(self.scop.span.start..self.scop.span.start, |(start, end)| start..end)
    }
}

/// The first instance of a statement in a list.
fn first_instance(list: &[Stmt]) -> Option<(Id, &[Int])> {
    let mut found = None;
    list.iter().for_each(|stmt| stmt.each(&mut |stmt| found = found.or(stmt.instance())));
    found
}

fn node(id: Id) -> Node {
    Node::Statement(StatementId(id.0))
}
