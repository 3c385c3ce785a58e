//! Sums that begin with nothing, as the lockstep reads them: with their first term in front of the loop.
//!
//! ```text
//! S0(): x = 0;                                              S0(): x = A[0];
//! for k = 0 while k < n { S1(k): x = x + A[k]; }    =>      if (0 < n) {} else { S0(): x = 0; }
//!                                                           for k = 1 while k < n { S1(k): x = x + A[k]; }
//! ```
//!
//! The idea: a pass may move the first term of a sum of integers into its loop (`unpeel`). Where the program before gives the
//! variable something else than 0, the term has moved. That the loop has it is for the lockstep to show: `S0()` mustn't run twice.
//!
//! Invariant: the program does the same. As an integer, `0 + e` is e. No pointer leads to the variable.

use polyfold_program::{Assign, BufferId, Int, LocalValue, Loop, Place, Program, StatementId, Stmt, Sum, Value};

/// The program after, with first terms in front where the program before has them.
pub(super) fn with_first_terms(before: &Program, after: Program) -> Program {
    let body = Sums { before, after: &after }.list(&after.body);
    Program { body, ..after }
}

struct Sums<'a> {
    before: &'a Program,
    after: &'a Program,
}

impl Sums<'_> {
    fn list(&self, list: &[Stmt]) -> Vec<Stmt> {
        let mut now: Vec<Stmt> = list.iter().map(|stmt| self.inside(stmt)).collect();
        for at in (0..now.len()).rev() {
            if let Some((end, stmts)) = self.peeled(&now[at..]) {
                now.splice(at..at + end, stmts);
            }
        }
        now
    }

    fn inside(&self, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::For(own) => Stmt::For(Loop { body: self.list(&own.body), ..own.clone() }),
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: cond.clone(), then: self.list(then), other: self.list(other) }
            }
            other => other.clone(),
        }
    }

    /// A 0 and the loop that adds to it, with what begins between them: how many statements these are, and what they become.
    fn peeled(&self, list: &[Stmt]) -> Option<(usize, Vec<Stmt>)> {
        let (Stmt::Assign(zero), rest) = list.split_first()? else { return None };
        let Place::Cell { buffer: variable, .. } = zero.target else { return None };
        let is_apart = |stmt: &&Stmt| matches!(stmt, Stmt::Let { .. }) && !stmt.uses(variable);
        let lets = rest.iter().take_while(is_apart).count();
        let Some(Stmt::For(own)) = rest.get(lets) else { return None };
        if !is_zero(&zero.value) || !self.is_new(zero.statement) || !self.is_integer(variable) {
            return None;
        }
        let start = own.first.as_ref()?;
        let (value, next) =
            (own.term(variable, start)?, Sum::of(start, 1).plus(&Int::Constant(own.step?), 1).print(&[]));
        let leaf = &mut |leaf: &Int| if *leaf == Int::Local(own.counter) { start.clone() } else { leaf.clone() };
        let test = own.test.with_leaves(leaf);
        let again = Stmt::Assign(Assign { declares: false, ..zero.clone() });
        let mut stmts = rest[..lets].to_vec();
        stmts.push(Stmt::Assign(Assign { value, ..zero.clone() }));
        stmts.push(Stmt::If { cond: test, then: Vec::new(), other: vec![again] });
        stmts.push(Stmt::For(Loop { first: Some(next), ..own.clone() }));
        Some((lets + 2, stmts))
    }

    /// Whether the program before doesn't give it 0.
    fn is_new(&self, statement: StatementId) -> bool {
        let name = &self.after.statements[statement.0];
        let own = self.before.statement(name).and_then(|id| self.before.assignment(id));
        own.is_some_and(|own| !is_zero(&own.value))
    }

    /// Whether it holds an integer, and no pointer leads to it.
    fn is_integer(&self, variable: BufferId) -> bool {
        let leads_there = |stmt: &Stmt| match stmt {
            Stmt::Let { value: LocalValue::Address(_), .. } | Stmt::Set { value: LocalValue::Address(_), .. } => {
                let mut found = false;
                stmt.each_use(&mut |_, id| found |= id == variable);
                found
            }
            _ => false,
        };
        let own = &self.after.buffers[variable.0];
        own.element.is_integer() && !self.after.body.iter().any(|stmt| stmt.any(&leads_there))
    }
}

fn is_zero(value: &Value) -> bool {
    matches!(value, Value::Integer(Int::Constant(0), _))
}
