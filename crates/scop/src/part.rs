//! A loop of a scop as a scop of its own, which runs again and again.
//!
//! ```text
//! for (k = 0; k < n; k++)                            (k, n)  with 0 <= k < n known
//!   for (i = k; i < n; i++) S0: a[i] = b[k];    =>     for (i = k; i < n; i++) S0: a[i] = b[k];
//! ```
//!
//! The counters of the loops around it are sizes. What these loops and conditions say is known there. Its arrays, and its program's
//! buffers and locals, have the numbers that they have in the whole.
//!
//! Limits: a loop around it has to declare its counter for copies to stand in front of it, and no `if` on data may stand between.

use crate::{
    Array, Beside, Code, Comparison, Computed, Condition, Expr, Guard, Kept, Liveness, Loop, LoopAround, LoopId, Node,
    Parameter, ParameterId, ParameterOrigin, Role, Scop, Statement, StatementId, Surroundings,
};
use polyfold_program::{Cond, Int, IntType, LocalId, Names, Program, Stmt};
use std::collections::BTreeMap;

/// What stands around a part, outermost first.
enum Outer<'a> {
    Loop(&'a Loop),
    Guard(&'a Guard, bool),
}

impl Scop {
    /// The loop around a statement that has so many loops around it. `None`: there is none, or no program.
    pub fn part(&self, statement: StatementId, depth: usize) -> Option<Scop> {
        let mut around = Vec::new();
        let own = find(&self.body, statement, depth, &mut around)?;
        let loops = around.iter().filter_map(|outer| if let Outer::Loop(own) = outer { Some(own.id) } else { None });
        let sizes = loops.zip((self.parameters.len()..).map(ParameterId)).collect();
        Part { whole: self, around, sizes, loops: numbered(own) }.scop(own)
    }
}

/// The loop of a statement at a depth, with what stands around it.
fn find<'a>(nodes: &'a [Node], id: StatementId, depth: usize, around: &mut Vec<Outer<'a>>) -> Option<&'a Loop> {
    match nodes.iter().find(|node| node.holds(id))? {
        Node::Loop(own) if depth == 0 => Some(own),
        Node::Loop(own) => {
            around.push(Outer::Loop(own));
            find(&own.body, id, depth - 1, around)
        }
        Node::Guard(own) => {
            let is_then = own.then.iter().any(|node| node.holds(id));
            around.push(Outer::Guard(own, is_then));
            find(if is_then { &own.then } else { &own.otherwise }, id, depth, around)
        }
        Node::Statement(_) => None,
    }
}

/// New numbers for a loop and those in it.
fn numbered(own: &Loop) -> BTreeMap<LoopId, LoopId> {
    fn each(nodes: &[Node], found: &mut BTreeMap<LoopId, LoopId>) {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    found.insert(l.id, LoopId(found.len()));
                    each(&l.body, found);
                }
                Node::Guard(g) => [&g.then, &g.otherwise].into_iter().for_each(|list| each(list, found)),
                Node::Statement(_) => {}
            }
        }
    }
    let mut found = BTreeMap::from([(own.id, LoopId(0))]);
    each(&own.body, &mut found);
    found
}

struct Part<'a> {
    whole: &'a Scop,
    around: Vec<Outer<'a>>,
    /// The size that a counter of a loop around is.
    sizes: BTreeMap<LoopId, ParameterId>,
    /// The numbers of the loops.
    loops: BTreeMap<LoopId, LoopId>,
}

impl<'a> Part<'a> {
    fn loops_around(&self) -> impl Iterator<Item = &'a Loop> + use<'a, '_> {
        self.around.iter().filter_map(|outer| if let Outer::Loop(own) = outer { Some(*own) } else { None })
    }

    /// What a counter is in the part.
    fn value(&self, id: LoopId) -> Option<Expr> {
        let size = self.sizes.get(&id).map(|size| Expr::Parameter(*size));
        size.or_else(|| Some(Expr::Iterator(*self.loops.get(&id)?)))
    }

    fn expr(&self, e: &Expr) -> Option<Expr> {
        e.with_counters(&|id| self.value(id))
    }

    fn condition(&self, condition: &Condition) -> Option<Condition> {
        condition.with_counters(&|id| self.value(id))
    }

    fn scop(&self, own: &Loop) -> Option<Scop> {
        let ids: Vec<StatementId> =
            (0..self.whole.statements.len()).map(StatementId).filter(|id| holds(own, *id)).collect();
        let (known, loops) = self.known()?;
        let around = self.surroundings(loops)?;
        let statements = ids.iter().map(|id| self.statement(*id)).collect::<Option<Vec<Statement>>>()?;
        let body = vec![self.node(&Node::Loop(own.clone()), &ids)?];
        let context = known.iter().map(Condition::in_program).collect::<Option<_>>()?;
        let (program, outline) = self.program(&ids, context)?;
        Some(Scop {
            span: own.span.clone(),
            line: own.line,
            parameters: self.parameters(),
            known,
            repeats: true,
            surroundings: Some(Box::new(around)),
            arrays: (0..self.whole.arrays.len()).map(|k| self.array(k, own)).collect(),
            statements,
            body,
            program: Some(program),
            outline: Some(outline),
            order: None,
            under_assumptions: None,
            ..self.whole.clone()
        })
    }

    fn parameters(&self) -> Vec<Parameter> {
        let of_counter = |own: &Loop| {
            let bits = 8 * own.counter.bytes as u32;
            let held = if own.counter.signed { IntType::Signed(bits) } else { IntType::Unsigned(bits) };
            let most = held.values().map(|(_, most)| most.min(i64::MAX.into()));
            Parameter { name: own.iterator.clone(), origin: ParameterOrigin::Variable, most }
        };
        self.whole.parameters.iter().cloned().chain(self.loops_around().map(of_counter)).collect()
    }

    /// What is known inside, and the loops around, innermost first.
    fn known(&self) -> Option<(Vec<Condition>, Vec<LoopAround>)> {
        let (mut known, mut loops): (Vec<Condition>, Vec<LoopAround>) = (self.whole.known.clone(), Vec::new());
        for outer in &self.around {
            match outer {
                Outer::Guard(guard, _) if guard.condition.depends_on_data() || guard.reads_beyond => loops.clear(),
                Outer::Guard(guard, is_then) => {
                    let holds = self.condition(&guard.condition)?;
                    let holds = if *is_then { holds } else { holds.negate() };
                    loops.iter_mut().take(1).for_each(|inner| inner.guards.push(holds.clone()));
                    known.push(holds);
                }
                Outer::Loop(own) => {
                    let in_front = known.clone();
                    let (first, test) = (self.expr(&own.first)?, self.condition(&own.condition)?);
                    let at = Expr::Parameter(self.sizes[&own.id]);
                    let towards = if own.step > 0 { Comparison::GreaterEqual } else { Comparison::LessEqual };
                    known.push(Condition::Compare(at, towards, first.clone()));
                    match &test {
                        Condition::All(parts) => known.extend(parts.iter().cloned()),
                        other => known.push(other.clone()),
                    }
                    if !self.may_be_left(own) {
                        loops.clear();
                        continue;
                    }
                    let found = LoopAround {
                        span: own.span.clone(),
                        takes_lines: true,
                        counter: self.sizes[&own.id],
                        first,
                        test: test.in_program()?,
                        step: own.step,
                        entered: None,
                        tested: Some(test),
                        guards: Vec::new(),
                        known: in_front,
                        changing: self.sizes.iter().filter(|(id, _)| **id >= own.id).map(|(_, size)| *size).collect(),
                        beside: self.beside(own),
                    };
                    loops.insert(0, found);
                }
            }
        }
        Some((known, loops))
    }

    /// Whether copies may stand in front of a loop around.
    fn may_be_left(&self, own: &Loop) -> bool {
        let counter = &own.counter;
        let is_counted = counter.signed && counter.bytes >= 4 && counter.outside.is_none();
        is_counted && self.statements_beside(own).all(|beside| !beside.is_effectful())
    }

    /// What else is in a loop around.
    fn statements_beside(&self, own: &Loop) -> impl Iterator<Item = &'a Statement> {
        let (whole, inner) = (self.whole, self.loops.keys().next().copied());
        let ids = (0..whole.statements.len()).map(StatementId).filter(|id| holds(own, *id)).collect::<Vec<_>>();
        let is_beside = move |beside: &&Statement| inner.is_some_and(|inner| !beside.loops.contains(&inner));
        ids.into_iter().map(|id| whole.statement(id)).filter(is_beside)
    }

    /// What else is touched in a loop around.
    fn beside(&self, own: &Loop) -> Vec<Beside> {
        let mut found: BTreeMap<&str, bool> = BTreeMap::new();
        for access in self.statements_beside(own).flat_map(|beside| &beside.accesses) {
            *found.entry(&self.whole.array(access.array).name).or_default() |= access.is_write();
        }
        found.into_iter().map(|(array, is_written)| Beside { array: array.to_string(), is_written }).collect()
    }

    fn surroundings(&self, loops: Vec<LoopAround>) -> Option<Surroundings> {
        let whole = self.whole.surroundings.as_deref().cloned().unwrap_or_default();
        let computed = whole.computed.iter().filter_map(|own| self.computed(own)).collect();
        let counters = self.loops_around().map(|own| own.iterator.clone());
        Some(Surroundings {
            changing: whole.changing.iter().chain(self.sizes.values()).copied().collect(),
            parallel: whole.parallel || self.loops_around().any(|own| own.parallel),
            loops,
            counters: whole.counters.iter().cloned().chain(counters).collect(),
            computed,
            ..whole
        })
    }

    /// What is computed here, or around.
    fn computed(&self, own: &Computed) -> Option<Computed> {
        let is_around = |id: &&LoopId| !self.sizes.contains_key(id);
        let loops = own.loops.iter().filter(is_around).map(|id| self.loops.get(id).copied()).collect::<Option<_>>()?;
        let conditions = own.conditions.iter().map(|own| self.condition(own)).collect::<Option<_>>()?;
        Some(Computed { loops, conditions, expression: self.expr(&own.expression)? })
    }

    fn statement(&self, id: StatementId) -> Option<Statement> {
        let own = self.whole.statement(id);
        let accesses =
            own.accesses.iter().map(|access| access.with_counters(&|id| self.value(id))).collect::<Option<_>>()?;
        let loops = own.loops.iter().filter_map(|id| self.loops.get(id).copied()).collect();
        Some(Statement { accesses, loops, ..own.clone() })
    }

    fn node(&self, node: &Node, ids: &[StatementId]) -> Option<Node> {
        let list = |list: &[Node]| list.iter().map(|node| self.node(node, ids)).collect::<Option<Vec<Node>>>();
        Some(match node {
            Node::Loop(own) => Node::Loop(Loop {
                id: self.loops[&own.id],
                first: self.expr(&own.first)?,
                condition: self.condition(&own.condition)?,
                body: list(&own.body)?,
                ..own.clone()
            }),
            Node::Guard(own) => Node::Guard(Guard {
                condition: self.condition(&own.condition)?,
                then: list(&own.then)?,
                otherwise: list(&own.otherwise)?,
                ..own.clone()
            }),
            Node::Statement(id) => Node::Statement(StatementId(ids.iter().position(|own| own == id)?)),
        })
    }

    /// Others see an array that is used elsewhere.
    fn array(&self, k: usize, own: &Loop) -> Array {
        let array = &self.whole.arrays[k];
        let is_here = |at: usize| own.span.contains(&at);
        let declaration = array.declaration.as_ref().map(|declared| {
            let inside_scop = declared.inside_scop && is_here(declared.statement.start);
            crate::Declaration { inside_scop, ..declared.clone() }
        });
        let is_elsewhere = (0..self.whole.statements.len()).map(StatementId).any(|id| {
            let mut accesses = self.whole.statement(id).accesses.iter();
            !holds(own, id) && accesses.any(|access| access.array.0 == k)
        });
        let is_inside = declaration.as_ref().is_some_and(|declared| declared.inside_scop);
        let role = match &array.role {
            role if is_inside || *role == Role::Temporary && !is_elsewhere => role.clone(),
            Role::Kept(kept) => Role::Kept(Kept { liveness: Liveness::InOut, ..kept.clone() }),
            Role::Temporary => Role::Kept(Kept {
                liveness: Liveness::InOut,
                code: Code::UsedOutside,
                reason: "it is used outside the region".to_string(),
                surprising: false,
                plain: true,
            }),
        };
        Array { declaration, role, ..array.clone() }
    }

    /// The statements of the program where the counters around are sizes, and the same without any.
    fn program(&self, ids: &[StatementId], context: Vec<Cond>) -> Option<(Program, Program)> {
        let whole = self.whole.program.as_ref()?;
        let is_here = |stmt: &&Stmt| stmt.assigned().iter().any(|id| ids.contains(&StatementId(id.0)));
        let (mut counters, mut list) = (Vec::new(), &whole.body[..]);
        let own = loop {
            match list.iter().find(is_here)? {
                own @ Stmt::For(_) if counters.len() == self.sizes.len() => break own,
                Stmt::For(around) => {
                    counters.push(around.counter);
                    list = &around.body;
                }
                other => {
                    list = other.lists().into_iter().find(|list| list.iter().any(|stmt| is_here(&stmt)))?;
                }
            }
        };
        let sizes = self.whole.parameters.len();
        let size = |e: &Int| {
            let at = counters.iter().position(|counter| *e == Int::Local(*counter));
            at.map_or_else(|| e.clone(), |at| Int::Parameter(polyfold_program::ParameterId(sizes + at)))
        };
        let first = ids.first()?.0;
        let names = Names {
            statement: &|id| polyfold_program::StatementId(id.0 - first),
            buffer: &|id| id,
            local: &|id| id,
            size: &Int::Parameter,
        };
        let body = vec![names.stmt(&own.with_leaves(&mut |e| size(e)))];
        let held = |counter: &LocalId| {
            let local = &whole.locals[counter.0];
            polyfold_program::Parameter { name: local.name.clone(), held: local.held, most: None }
        };
        let parameters = whole.parameters.iter().cloned().chain(counters.iter().map(held)).collect();
        let statements = ids.iter().map(|id| whole.statements[id.0].clone()).collect();
        let program = Program { parameters, context, statements, body, ..whole.clone() };
        let outline = Program { body: Vec::new(), ..program.clone() };
        Some((program, outline))
    }
}

fn holds(own: &Loop, id: StatementId) -> bool {
    own.body.iter().any(|node| node.holds(id))
}
