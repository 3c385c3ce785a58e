//! Expressions and conditions of a scop in its program.
//!
//! Example: the sum of `i` and -1 is `i - 1` there.

use crate::{Comparison, Condition, Expr, ParameterId, Surroundings};
use polyfold_program as program;
use polyfold_program::{Cond, Int, IntOp};

impl Surroundings {
    /// A number, size or counter as a program has it: a product is made of its factors there.
    pub fn in_program(&self, e: &Int) -> Int {
        let size = |id: &ParameterId| Int::Parameter(program::ParameterId(id.0));
        let product = self.products.iter().find(|own| *e == size(&own.parameter));
        let factors = product.into_iter().flat_map(|own| &own.factors).map(size);
        factors.reduce(|product, factor| Int::binary(IntOp::Multiply, product, factor)).unwrap_or_else(|| e.clone())
    }
}

impl Expr {
    /// The same in the scop's program, where counters are numbered as loops are. `None`: data decide.
    pub fn in_program(&self) -> Option<Int> {
        int(self)
    }
}

impl Condition {
    /// The same in the scop's program. `None`: data decide.
    pub fn in_program(&self) -> Option<Cond> {
        cond(self)
    }
}

fn int(e: &Expr) -> Option<Int> {
    let both = |op: IntOp, left: &Expr, right: &Expr| Some(Int::binary(op, int(left)?, int(right)?));
    let with = |op: IntOp, e: &Expr, by: i64| Some(Int::binary(op, int(e)?, Int::Constant(by)));
    Some(match e {
        Expr::Constant(value) => Int::Constant(*value),
        Expr::Iterator(id) => Int::Local(program::LocalId(id.0)),
        Expr::Parameter(ParameterId(id)) => Int::Parameter(program::ParameterId(*id)),
        Expr::Add(left, right) => match &**right {
            Expr::Scale(-1, right) => both(IntOp::Subtract, left, right)?,
            Expr::Constant(value) if *value < 0 && *value > i64::MIN => with(IntOp::Subtract, left, -value)?,
            right => both(IntOp::Add, left, right)?,
        },
        Expr::Scale(-1, e) => Int::binary(IntOp::Subtract, Int::Constant(0), int(e)?),
        Expr::Scale(factor, e) => Int::binary(IntOp::Multiply, Int::Constant(*factor), int(e)?),
        Expr::Divide(e, by) => with(IntOp::Divide, e, *by)?,
        Expr::Remainder(e, by) => with(IntOp::Remainder, e, *by)?,
        Expr::Select(condition, yes, no) => {
            Int::Select(Box::new(cond(condition)?), Box::new(int(yes)?), Box::new(int(no)?))
        }
    })
}

fn cond(condition: &Condition) -> Option<Cond> {
    let always = || Cond::compare(Int::Constant(0), program::Relation::Equal, Int::Constant(0));
    Some(match condition {
        Condition::Compare(left, comparison, right) => Cond::compare(int(left)?, relation(*comparison), int(right)?),
        Condition::Not(inner) => Cond::Not(Box::new(cond(inner)?)),
        Condition::All(parts) => {
            let parts = parts.iter().map(cond).collect::<Option<Vec<Cond>>>()?;
            parts.into_iter().reduce(|a, b| Cond::And(Box::new(a), Box::new(b))).unwrap_or_else(always)
        }
        Condition::Any(parts) => {
            let parts = parts.iter().map(cond).collect::<Option<Vec<Cond>>>()?;
            let never = || Cond::Not(Box::new(always()));
            parts.into_iter().reduce(|a, b| Cond::Or(Box::new(a), Box::new(b))).unwrap_or_else(never)
        }
        Condition::Unknown => return None,
    })
}

/// The relation of a comparison in a scop's program.
pub fn relation(comparison: Comparison) -> program::Relation {
    match comparison {
        Comparison::Less => program::Relation::Less,
        Comparison::LessEqual => program::Relation::LessOrEqual,
        Comparison::Greater => program::Relation::Greater,
        Comparison::GreaterEqual => program::Relation::GreaterOrEqual,
        Comparison::Equal => program::Relation::Equal,
        Comparison::NotEqual => program::Relation::NotEqual,
    }
}
