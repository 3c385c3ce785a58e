//! Programs with one mistake, as a pass may make them.
//!
//! ```text
//! e + 1, e - 1          for subscripts, starts, bounds and values of locals
//! e                     for e mod b
//! d, or e               for c ? d : e
//! <=                    for <, and so on; one part of c && d
//! nothing               for a statement
//! swapped               two statements in a row
//! the written cell      for one that is read
//! ```
//!
//! What a loop says of its head, and the counters of statements, stay: these are claims, not code.

use polyfold_program::{
    Assign, Cond, Int, IntOp, IntType, LocalValue, Loop, Op, Place, Program, Relation, Stmt, Value,
};

/// A program with a mistake.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The kind of the mistake.
    pub kind: &'static str,
    /// The program.
    pub program: Program,
}

/// All mutants of a program, in the order of its text.
pub fn mutants(program: &Program) -> Vec<Mutant> {
    let mut found = Vec::new();
    loop {
        let mut own = program.clone();
        let mut mistake = Mistake { left: found.len(), kind: None };
        mistake.list(&mut own.body);
        match mistake.kind {
            Some(kind) => found.push(Mutant { kind, program: own }),
            None => return found,
        }
    }
}

/// Makes one mistake: the one behind so many others.
struct Mistake {
    left: usize,
    kind: Option<&'static str>,
}

impl Mistake {
    /// Whether the mistake is made here.
    fn is_here(&mut self, kind: &'static str) -> bool {
        if self.kind.is_some() {
            return false;
        }
        if self.left > 0 {
            self.left -= 1;
            return false;
        }
        self.kind = Some(kind);
        true
    }

    fn list(&mut self, body: &mut Vec<Stmt>) {
        for k in 0..body.len() {
            if !matches!(body[k], Stmt::Let { .. }) && self.is_here("statement gone") {
                body.remove(k);
                return;
            }
            if k + 1 < body.len() && is_swappable(&body[k], &body[k + 1]) && self.is_here("statements swapped") {
                body.swap(k, k + 1);
                return;
            }
            self.stmt(&mut body[k]);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::For(Loop { first, test, body, .. }) => {
                first.iter_mut().for_each(|e| self.whole(e, "start"));
                self.cond(test, "bound");
                self.list(body);
            }
            Stmt::If { cond, then, other } => {
                self.cond(cond, "guard");
                self.list(then);
                self.list(other);
            }
            Stmt::Assign(Assign { target, value, .. }) => {
                let written = target.clone();
                self.place(target);
                self.value(value, &written);
            }
            Stmt::Let { value, .. } | Stmt::Set { value, .. } => match value {
                LocalValue::Integer(e) => self.whole(e, "local"),
                LocalValue::Address(place) => self.place(place),
            },
            Stmt::Copy(copy) => {
                let ranges = copy.to.ranges.iter_mut().chain(&mut copy.from.ranges);
                for range in ranges {
                    self.whole(&mut range.first, "copy");
                    self.whole(&mut range.count, "copy");
                }
            }
            Stmt::With(own) => self.list(&mut own.body),
            Stmt::Opaque(_) | Stmt::Wait(_) => {}
        }
    }

    /// An integer that isn't a part of another one.
    fn whole(&mut self, e: &mut Int, kind: &'static str) {
        for step in [1, -1] {
            if self.is_here(kind) {
                let step = Int::Constant(step);
                *e = match e.as_data() {
                    Some(value) => Int::Data(Box::new(Value::Apply(
                        Op::Add,
                        vec![value.clone(), Value::Integer(step, IntType::INT)],
                    ))),
                    None => Int::binary(IntOp::Add, e.clone(), step),
                };
                return;
            }
        }
        self.parts(e);
    }

    fn parts(&mut self, e: &mut Int) {
        match e {
            Int::Binary(op, left, right) => {
                if matches!(op, IntOp::FloorModulo | IntOp::Remainder) && self.is_here("no modulus") {
                    *e = (**left).clone();
                    return;
                }
                self.parts(left);
                self.parts(right);
            }
            Int::Select(cond, yes, no) => {
                if self.is_here("no wrap") {
                    *e = (**yes).clone();
                    return;
                }
                if self.is_here("always wraps") {
                    *e = (**no).clone();
                    return;
                }
                self.cond(cond, "test of a wrap");
                self.parts(yes);
                self.whole(no, "wraps to");
            }
            Int::Constant(_) | Int::Parameter(_) | Int::Local(_) | Int::Data(_) => {}
        }
    }

    fn cond(&mut self, cond: &mut Cond, kind: &'static str) {
        match cond {
            Cond::Compare(relation, _, right) => {
                if self.is_here(kind) {
                    *relation = beside(*relation);
                    return;
                }
                self.whole(right, kind);
            }
            Cond::And(left, right) | Cond::Or(left, right) => {
                for part in [left.clone(), right.clone()] {
                    if self.is_here("part of a condition gone") {
                        *cond = *part;
                        return;
                    }
                }
                self.cond(left, kind);
                self.cond(right, kind);
            }
            Cond::Not(inner) => self.cond(inner, kind),
            Cond::Data(_) => {}
        }
    }

    fn place(&mut self, place: &mut Place) {
        match place {
            Place::Cell { index, .. } | Place::Through { index, .. } => {
                index.iter_mut().for_each(|e| self.whole(e, "subscript"));
            }
            Place::Select(cond, yes, no) => {
                self.cond(cond, "case");
                self.place(yes);
                self.place(no);
            }
        }
    }

    fn value(&mut self, value: &mut Value, written: &Place) {
        match value {
            Value::Read(place) => {
                if place != written && self.is_here("the written cell") {
                    *place = written.clone();
                    return;
                }
                self.place(place);
            }
            Value::Integer(e, _) => self.whole(e, "integer"),
            Value::Apply(_, operands) => operands.iter_mut().for_each(|operand| self.value(operand, written)),
            Value::Choice(cond, yes, no) => {
                self.cond(cond, "case");
                self.value(yes, written);
                self.value(no, written);
            }
        }
    }
}

fn is_swappable(first: &Stmt, second: &Stmt) -> bool {
    let is_one = |stmt: &Stmt| matches!(stmt, Stmt::Set { .. } | Stmt::Assign(_) | Stmt::Copy(_));
    is_one(first) && is_one(second)
}

/// The relation that differs at one value; for equality, the opposite.
fn beside(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::LessOrEqual,
        Relation::LessOrEqual => Relation::Less,
        Relation::Greater => Relation::GreaterOrEqual,
        Relation::GreaterOrEqual => Relation::Greater,
        Relation::Equal => Relation::NotEqual,
        Relation::NotEqual => Relation::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::mutants;
    use polyfold_program::Program;

    #[test]
    fn every_mutant_is_another_program() {
        let text = "\
            program p(n) { in A[n]; out B[n]; temporary W[2];
              for i = 0 while i < n && n >= 2 step 1 {
                S0(i): W[i mod 2] = A[i];
                S1(i): B[i] = W[(i >= 1 ? i - 1 : 0) mod 2];
              }
            }";
        let program = Program::read(text).expect("a program");
        let all = mutants(&program);
        for (k, mutant) in all.iter().enumerate() {
            assert_ne!(mutant.program, program, "{}", mutant.kind);
            assert!(all[..k].iter().all(|other| other.program != mutant.program), "{}", mutant.kind);
        }
        let kinds: std::collections::BTreeSet<_> = all.iter().map(|mutant| mutant.kind).collect();
        assert!(kinds.len() >= 9, "{kinds:?}");
    }
}
