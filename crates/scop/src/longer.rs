//! A scop with statements that the file doesn't have: they copy cells.
//!
//! ```text
//! for (t …)                      for (t …) {
//!   for (i …)                =>    P[0] = Q[0];
//!     S0: P[i] = f(Q, i);          for (i …)
//!                                    S0: P[i] = f(Q, i);   }
//! ```
//!
//! The idea: loops and conditions are those of the longer program. Where both have a statement, it
//! is the scop's own. One that comes stands beside one of the scop's: messages show that place.
//!
//! Invariants: the scop's statements keep their numbers, and come first. Its loops keep theirs.

use crate::numbered::LoopsAround;
use crate::{
    Access, Condition, Counter, Expanded, Guard, Loop, LoopId, Node, Scop, Statement, StatementId, StatementKind,
};
use polyfold_program::{Assign, Int, Place, Program, Stmt, Value};

/// A statement that comes: which of the scop's accesses are as its own.
#[derive(Clone, Copy, Debug)]
pub struct Copied {
    /// The statement that it stands beside.
    pub statement: StatementId,
    /// Which of its accesses writes.
    pub write: usize,
    /// A statement that reads.
    pub reader: StatementId,
    /// Which of its accesses does.
    pub read: usize,
}

impl Scop {
    /// Whether a statement isn't in the file.
    pub fn comes(&self, id: StatementId) -> bool {
        self.expanded.as_ref().is_some_and(|own| id.0 >= own.program.statements.len())
    }

    /// The scop of a program with more statements, which copy cells. `None`: its loops are in
    /// another order, or the program isn't the scop's own otherwise.
    pub fn with_copies(&self, program: Program, copied: &[Copied]) -> Option<Scop> {
        let is_whole = program.statements.len() == self.statements.len() + copied.len();
        if self.order.is_some() || self.under_assumptions.is_some() || !is_whole {
            return None;
        }
        let mut longer = Longer {
            scop: self,
            program: &program,
            copied,
            loops: self.loops().len(),
            around: LoopsAround::default(),
            statements: self.statements.iter().cloned().map(Some).chain(copied.iter().map(|_| None)).collect(),
        };
        let body = longer.list(&program.body, &self.body)?;
        let statements = longer.statements.into_iter().collect::<Option<Vec<Statement>>>()?;
        let gone = self.expanded.as_ref().map(|own| own.gone.clone()).unwrap_or_default();
        let expanded = Expanded { program: self.in_file()?.clone(), gone };
        Some(Scop {
            statements,
            body,
            outline: Some(Program { body: Vec::new(), ..program.clone() }),
            program: Some(program),
            expanded: Some(Box::new(expanded)),
            ..self.clone()
        })
    }
}

struct Longer<'a> {
    scop: &'a Scop,
    program: &'a Program,
    copied: &'a [Copied],
    /// How many there are so far.
    loops: usize,
    around: LoopsAround,
    /// By number; `None`: it comes, and wasn't reached yet.
    statements: Vec<Option<Statement>>,
}

impl Longer<'_> {
    /// A list of which the scop has some nodes.
    fn list(&mut self, list: &[Stmt], nodes: &[Node]) -> Option<Vec<Node>> {
        let (mut found, mut rest) = (Vec::new(), nodes.iter());
        for stmt in list {
            if self.comes(stmt) {
                found.push(self.new_node(stmt)?);
                continue;
            }
            // A declaration of several variables is several assignments.
            if let (Some((id, _)), Some(Node::Statement(last))) = (stmt.instance(), found.last())
                && id.0 == last.0
            {
                continue;
            }
            loop {
                let node = rest.next()?;
                match (self.old_node(stmt, node), node) {
                    (Some(own), _) => {
                        found.push(own);
                        break;
                    }
                    // The program has nothing of a condition's statement.
                    (None, Node::Statement(_)) => found.push(node.clone()),
                    _ => return None,
                }
            }
        }
        found.extend(rest.cloned());
        Some(found)
    }

    /// Whether nothing in a statement is the scop's.
    fn comes(&self, stmt: &Stmt) -> bool {
        let all = stmt.assigned();
        !all.is_empty() && all.iter().all(|id| id.0 >= self.scop.statements.len())
    }

    /// What a node of the scop became.
    fn old_node(&mut self, stmt: &Stmt, node: &Node) -> Option<Node> {
        Some(match (stmt, node) {
            (Stmt::For(own), Node::Loop(l)) => {
                let first = self.around.expr(own.first.as_ref()?)?;
                self.around.0.push((l.id, own.counter));
                let (condition, body) = (self.around.condition(&own.test)?, self.list(&own.body, &l.body)?);
                self.around.0.pop();
                Node::Loop(Loop { first, condition, body, ..l.clone() })
            }
            (Stmt::If { then, other, .. }, Node::Guard(guard)) => {
                let (then, otherwise) = (self.list(then, &guard.then)?, self.list(other, &guard.otherwise)?);
                Node::Guard(Guard { then, otherwise, ..guard.clone() })
            }
            (stmt, Node::Statement(id)) if stmt.instance()?.0.0 == id.0 => node.clone(),
            _ => return None,
        })
    }

    /// What comes.
    fn new_node(&mut self, stmt: &Stmt) -> Option<Node> {
        let beside = self.copied.get(stmt.assigned().first()?.0 - self.scop.statements.len())?;
        let Statement { span, line, .. } = self.scop.statement(beside.statement).clone();
        Some(match stmt {
            Stmt::For(own) => {
                let (id, iterator) = (LoopId(self.loops), self.program.locals[own.counter.0].name.clone());
                self.loops += 1;
                let first = self.around.expr(own.first.as_ref()?)?;
                self.around.0.push((id, own.counter));
                let (condition, body) = (self.around.condition(&own.test)?, self.new_list(&own.body)?);
                self.around.0.pop();
                let (counter, step) = (self.counter(&iterator)?, own.step?);
                Node::Loop(Loop {
                    id,
                    iterator,
                    counter,
                    first,
                    condition,
                    step,
                    parallel: false,
                    pragmas: Vec::new(),
                    body,
                    span,
                    line,
                })
            }
            Stmt::If { cond, then, other } => {
                let condition = self.around.condition(cond)?;
                let (then, otherwise) = (self.new_list(then)?, self.new_list(other)?);
                Node::Guard(Guard { condition, then, otherwise, reads_beyond: false, span })
            }
            Stmt::Assign(own) => Node::Statement(self.copy(own, *beside)?),
            _ => return None,
        })
    }

    fn new_list(&mut self, list: &[Stmt]) -> Option<Vec<Node>> {
        list.iter().map(|stmt| self.new_node(stmt)).collect()
    }

    /// The counter of loops of the scop.
    fn counter(&self, iterator: &str) -> Option<Counter> {
        self.scop.loops().into_iter().find(|l| l.iterator == iterator).map(|l| l.counter.clone())
    }

    fn copy(&mut self, own: &Assign, beside: Copied) -> Option<StatementId> {
        let Value::Read(from) = &own.value else { return None };
        let access = |id: StatementId, k: usize, place: &Place| {
            let Place::Cell { index, .. } = place else { return None };
            let subscripts = index.iter().map(|e: &Int| self.around.expr(e)).collect::<Option<Vec<_>>>()?;
            let like = &self.scop.statement(id).accesses[k];
            Some(Access { subscripts: Some(subscripts), condition: Condition::always(), ..like.clone() })
        };
        let accesses =
            vec![access(beside.reader, beside.read, from)?, access(beside.statement, beside.write, &own.target)?];
        let name = self.program.statements[own.statement.0].clone();
        let like = self.scop.statement(beside.statement).clone();
        let copy = Statement { name, loops: self.around.ids(), accesses, kind: StatementKind::Assignment, ..like };
        *self.statements.get_mut(own.statement.0)? = Some(copy);
        Some(StatementId(own.statement.0))
    }
}
