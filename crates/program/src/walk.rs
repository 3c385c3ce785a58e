//! Goes through programs.

use crate::{Cond, Int, Place, Stmt, Value};

impl Stmt {
    /// The lists of statements inside it.
    pub fn lists(&self) -> Vec<&[Stmt]> {
        match self {
            Stmt::For(own) => vec![&own.body],
            Stmt::If { then, other, .. } => vec![then, other],
            _ => Vec::new(),
        }
    }

    /// Calls `visit` for this statement, and then for all inside, in their order.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        self.lists().into_iter().flatten().for_each(|inner| inner.each(visit));
    }
}

impl Int {
    /// Calls `visit` for this integer and all inside it, those in conditions too.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        visit(self);
        match self {
            Int::Constant(_) | Int::Parameter(_) | Int::Local(_) => {}
            Int::Binary(_, left, right) => [left, right].into_iter().for_each(|e| e.each(visit)),
            Int::Select(cond, yes, no) => {
                cond.each_int(visit);
                [yes, no].into_iter().for_each(|e| e.each(visit));
            }
        }
    }
}

impl Cond {
    /// Calls `visit` for all integers inside.
    pub fn each_int<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        match self {
            Cond::Compare(_, left, right) => [left, right].into_iter().for_each(|e| e.each(visit)),
            Cond::And(left, right) | Cond::Or(left, right) => {
                [left, right].into_iter().for_each(|cond| cond.each_int(visit));
            }
            Cond::Not(inner) => inner.each_int(visit),
            Cond::Data(value) => value.each_int(visit),
        }
    }
}

impl Place {
    /// Calls `visit` for all integers inside.
    pub fn each_int<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        match self {
            Place::Cell { index, .. } => index.iter().for_each(|e| e.each(visit)),
            Place::Through { index, .. } => index.each(visit),
            Place::Select(cond, yes, no) => {
                cond.each_int(visit);
                [yes, no].into_iter().for_each(|place| place.each_int(visit));
            }
        }
    }
}

impl Value {
    /// Calls `visit` for all integers inside.
    pub fn each_int<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        match self {
            Value::Read(place) => place.each_int(visit),
            Value::Integer(e) => e.each(visit),
            Value::Apply(_, operands) => operands.iter().for_each(|value| value.each_int(visit)),
            Value::Choice(cond, yes, no) => {
                cond.each_int(visit);
                [yes, no].into_iter().for_each(|value| value.each_int(visit));
            }
        }
    }

    /// Calls `visit` for all places that are read, in the order in which they are written.
    pub fn each_read<'a>(&'a self, visit: &mut dyn FnMut(&'a Place)) {
        match self {
            Value::Read(place) => visit(place),
            Value::Integer(_) => {}
            Value::Apply(_, operands) => operands.iter().for_each(|value| value.each_read(visit)),
            Value::Choice(cond, yes, no) => {
                cond.each_read(visit);
                [yes, no].into_iter().for_each(|value| value.each_read(visit));
            }
        }
    }
}

impl Cond {
    /// Calls `visit` for all places that data in it are read from.
    pub fn each_read<'a>(&'a self, visit: &mut dyn FnMut(&'a Place)) {
        match self {
            Cond::Compare(..) => {}
            Cond::And(left, right) | Cond::Or(left, right) => {
                [left, right].into_iter().for_each(|cond| cond.each_read(visit));
            }
            Cond::Not(inner) => inner.each_read(visit),
            Cond::Data(value) => value.each_read(visit),
        }
    }
}
