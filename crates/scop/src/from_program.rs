//! Expressions and conditions of a program, as those of a scop.
//!
//! Example: `i - 1` is the sum of `i` and -1. A quotient that is rounded down is one of two of C's, which round towards 0.
//!
//! Invariant: the same value for all counters and sizes. What data decide has none, nor has a product of two of these.

use crate::{Access, Comparison, Condition, Expr, LoopId, ParameterId};
use polyfold_program::{Cond, Int, IntOp, Relation};

impl Expr {
    /// What an integer of a scop's program is, where counters are numbered as loops are.
    pub fn of_program(e: &Int) -> Option<Expr> {
        Some(match e {
            Int::Constant(value) => Expr::Constant(*value),
            Int::Parameter(id) => Expr::Parameter(ParameterId(id.0)),
            Int::Local(id) => Expr::Iterator(LoopId(id.0)),
            Int::Binary(op, left, right) => binary(*op, Expr::of_program(left)?, Expr::of_program(right)?)?,
            Int::Select(cond, yes, no) => {
                select(Condition::of_program(cond)?, Expr::of_program(yes)?, Expr::of_program(no)?)
            }
            Int::Data(_) => return None,
        })
    }

    /// The same with other expressions in the place of counters. `None`: one has none.
    pub fn with_counters(&self, of: &dyn Fn(LoopId) -> Option<Expr>) -> Option<Expr> {
        Some(match self {
            Expr::Constant(_) | Expr::Parameter(_) => self.clone(),
            Expr::Iterator(id) => of(*id)?,
            Expr::Add(a, b) => a.with_counters(of)?.add(b.with_counters(of)?),
            Expr::Scale(factor, e) => e.with_counters(of)?.scale(*factor),
            Expr::Divide(e, by) => divide(e.with_counters(of)?, *by),
            Expr::Remainder(e, by) => remainder(e.with_counters(of)?, *by),
            Expr::Select(condition, a, b) => {
                select(condition.with_counters(of)?, a.with_counters(of)?, b.with_counters(of)?)
            }
        })
    }
}

impl Access {
    /// The same with other expressions in the place of counters. `None`: one has none.
    pub(crate) fn with_counters(&self, of: &dyn Fn(LoopId) -> Option<Expr>) -> Option<Access> {
        let subscripts = match &self.subscripts {
            Some(all) => Some(all.iter().map(|e| e.with_counters(of)).collect::<Option<Vec<Expr>>>()?),
            None => None,
        };
        Some(Access { subscripts, condition: self.condition.with_counters(of)?, ..self.clone() })
    }
}

impl Condition {
    /// What a condition of a scop's program is. `None`: data decide, or it has an integer that is no expression.
    pub fn of_program(cond: &Cond) -> Option<Condition> {
        Some(match cond {
            Cond::Compare(relation, left, right) => {
                Condition::Compare(Expr::of_program(left)?, comparison(*relation), Expr::of_program(right)?)
            }
            Cond::And(left, right) => Condition::of_program(left)?.and(Condition::of_program(right)?),
            Cond::Or(left, right) => Condition::Any(vec![Condition::of_program(left)?, Condition::of_program(right)?]),
            Cond::Not(inner) => Condition::of_program(inner)?.negate(),
            Cond::Data(_) => return None,
        })
    }

    /// The same with other expressions in the place of counters. `None`: one has none.
    pub fn with_counters(&self, of: &dyn Fn(LoopId) -> Option<Expr>) -> Option<Condition> {
        let all = |parts: &[Condition]| parts.iter().map(|part| part.with_counters(of)).collect::<Option<Vec<_>>>();
        Some(match self {
            Condition::Compare(a, comparison, b) => {
                Condition::Compare(a.with_counters(of)?, *comparison, b.with_counters(of)?)
            }
            Condition::All(parts) => Condition::All(all(parts)?),
            Condition::Any(parts) => Condition::Any(all(parts)?),
            Condition::Not(inner) => Condition::Not(Box::new(inner.with_counters(of)?)),
            Condition::Unknown => Condition::Unknown,
        })
    }
}

fn select(condition: Condition, yes: Expr, no: Expr) -> Expr {
    Expr::Select(Box::new(condition), Box::new(yes), Box::new(no))
}

fn binary(op: IntOp, left: Expr, right: Expr) -> Option<Expr> {
    let positive = |e: &Expr| e.as_constant().filter(|by| *by > 0);
    Some(match op {
        IntOp::Add => left.add(right),
        IntOp::Subtract => left.add(right.scale(-1)),
        IntOp::Multiply => match (left.as_constant(), right.as_constant()) {
            (Some(factor), _) => right.scale(factor),
            (_, Some(factor)) => left.scale(factor),
            _ => return None,
        },
        IntOp::Divide => divide(left, positive(&right)?),
        IntOp::Remainder => remainder(left, positive(&right)?),
        IntOp::FloorDivide => floor(left, positive(&right)?),
        IntOp::FloorModulo => left.clone().add(floor(left, positive(&right)?).scale(-positive(&right)?)),
        IntOp::Minimum | IntOp::Maximum => {
            let comparison = if op == IntOp::Minimum { Comparison::Less } else { Comparison::Greater };
            select(Condition::Compare(left.clone(), comparison, right.clone()), left, right)
        }
    })
}

fn divide(e: Expr, by: i64) -> Expr {
    match e {
        Expr::Constant(value) => Expr::Constant(value / by),
        e => Expr::Divide(Box::new(e), by),
    }
}

fn remainder(e: Expr, by: i64) -> Expr {
    match e {
        Expr::Constant(value) => Expr::Constant(value % by),
        e => Expr::Remainder(Box::new(e), by),
    }
}

/// A quotient that is rounded down.
fn floor(e: Expr, by: i64) -> Expr {
    let quotient = |e: Expr| divide(e, by);
    let is_positive = Condition::Compare(e.clone(), Comparison::GreaterEqual, Expr::Constant(0));
    select(is_positive, quotient(e.clone()), quotient(e.add(Expr::Constant(1 - by))))
}

fn comparison(relation: Relation) -> Comparison {
    match relation {
        Relation::Less => Comparison::Less,
        Relation::LessOrEqual => Comparison::LessEqual,
        Relation::Greater => Comparison::Greater,
        Relation::GreaterOrEqual => Comparison::GreaterEqual,
        Relation::Equal => Comparison::Equal,
        Relation::NotEqual => Comparison::NotEqual,
    }
}

#[cfg(test)]
mod tests {
    use crate::Expr;
    use polyfold_program::{Int, IntOp};

    #[test]
    fn all_operations_have_their_values() {
        let two = |op, a, b| Expr::of_program(&Int::binary(op, Int::Constant(a), Int::Constant(b)));
        for a in -7..8 {
            for (op, b) in [
                (IntOp::Add, -3),
                (IntOp::Subtract, 4),
                (IntOp::Multiply, -2),
                (IntOp::Divide, 3),
                (IntOp::Remainder, 3),
                (IntOp::FloorDivide, 3),
                (IntOp::FloorModulo, 3),
                (IntOp::Minimum, 2),
                (IntOp::Maximum, 2),
            ] {
                let value = two(op, a, b).and_then(|e| e.value(&[]));
                assert_eq!(value, op.apply(a, b), "{op:?} of {a} and {b}");
            }
        }
        assert_eq!(two(IntOp::FloorDivide, 1, -1), None);
    }
}
