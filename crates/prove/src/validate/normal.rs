//! Programs as the lockstep reads them: copies of one cell are statements, conditions on data are apart from others, and where data
//! choose between assignments of one cell, one assignment chooses between values.
//!
//! ```text
//! for i … { let x = 0; …  copy W[i : 1] = x; }   =>   for i … { let x = 0; …  W = x(i): W[i] = x; }
//! if (i > 0 && A[i] > 1) { S0(i) }               =>   if (i > 0) { if (A[i] > 1) { S0(i) } }
//! if (i > 0 || A[i] > 1) { S0(i) }               =>   if (i > 0) { S0(i) } else { if (A[i] > 1) { S0(i) } }
//! if (A[i] > 1) { S0(i): B = 1; } else { S1(i): B = 2; }   =>   S0(i): B = (A[i] > 1 ? 1 : 2);
//! ```
//!
//! The idea: a pass that changes loops keeps the copies in them. A copy has the loops' counters around it for an instance; loops that
//! go on with a counter have it in common. Whether these are the same instances is for the lockstep to show.

use polyfold_program::{
    Assign, Cond, Copy, Int, LocalId, Loop, Place, Program, Region, StatementId, Stmt, Value, With,
};

/// The program in this form.
pub(super) fn normal_form(program: &Program) -> Program {
    let mut naming = Naming { program: program.clone(), counters: Vec::new() };
    let body = naming.list(&program.body);
    Program { body, ..naming.program }
}

struct Naming {
    /// With the statements that come.
    program: Program,
    /// Of the loops around.
    counters: Vec<LocalId>,
}

impl Naming {
    fn list(&mut self, list: &[Stmt]) -> Vec<Stmt> {
        list.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::For(own) => {
                let known = self.counters.len();
                if !self.counters.contains(&own.counter) {
                    self.counters.push(own.counter);
                }
                let body = self.list(&own.body);
                self.counters.truncate(known);
                Stmt::For(Loop { body, ..own.clone() })
            }
            Stmt::If { cond, then, other } => {
                let (then, other) = (self.list(then), self.list(other));
                if_(cond, then, other)
            }
            Stmt::Copy(copy) => match self.assign(copy) {
                Some(assign) => Stmt::Assign(assign),
                None => stmt.clone(),
            },
            Stmt::With(own) => Stmt::With(With { body: self.list(&own.body), ..own.clone() }),
            other => other.clone(),
        }
    }

    fn assign(&mut self, copy: &Copy) -> Option<Assign> {
        if copy.tag.is_some() {
            return None;
        }
        let (target, value) = (cell(&copy.to)?, Value::Read(cell(&copy.from)?));
        let buffers = &self.program.buffers;
        let name = format!("{} = {}", buffers[copy.to.buffer.0].name, buffers[copy.from.buffer.0].name);
        let statements = &mut self.program.statements;
        let known = statements.iter().position(|own| *own == name);
        let statement = StatementId(known.unwrap_or_else(|| {
            statements.push(name);
            statements.len() - 1
        }));
        let at = self.counters.iter().copied().map(Int::Local).collect();
        Some(Assign { statement, at, declares: copy.declares, target, value })
    }
}

/// A condition of statements. What is asked first without data is asked outside of what is asked of data: so a pass may settle it.
fn if_(cond: &Cond, then: Vec<Stmt>, other: Vec<Stmt>) -> Stmt {
    match first_of(cond) {
        Some((first, rest, is_and)) if cond.has_data() && !first.has_data() => {
            let (mut yes, mut no) = (then.clone(), other.clone());
            let inside = vec![if_(&rest, then, other)];
            if is_and {
                yes = inside;
            } else {
                no = inside;
            }
            Stmt::If { cond: first, then: yes, other: no }
        }
        _ => {
            let own = Stmt::If { cond: cond.clone(), then, other };
            let choice = if cond.has_data() { own.as_choice() } else { None };
            choice.map_or(own, Stmt::Assign)
        }
    }
}

/// What is asked first of several, and the others; whether all have to hold. `None`: one thing is asked.
fn first_of(cond: &Cond) -> Option<(Cond, Cond, bool)> {
    let (left, right, is_and) = match cond {
        Cond::And(left, right) => (left, right, true),
        Cond::Or(left, right) => (left, right, false),
        _ => return None,
    };
    let joined = |left: Cond| match is_and {
        true => Cond::And(Box::new(left), right.clone()),
        false => Cond::Or(Box::new(left), right.clone()),
    };
    match first_of(left) {
        Some((first, rest, is_same)) if is_same == is_and => Some((first, joined(rest), is_and)),
        _ => Some(((**left).clone(), (**right).clone(), is_and)),
    }
}

/// The only cell of a region.
fn cell(region: &Region) -> Option<Place> {
    let first = |range: &polyfold_program::Range| (range.count == Int::Constant(1)).then(|| range.first.clone());
    let index = region.ranges.iter().map(first).collect::<Option<_>>()?;
    Some(Place::Cell { buffer: region.buffer, index })
}
