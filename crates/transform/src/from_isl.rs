//! Expressions of isl's trees as integers and conditions of a program.
//!
//! Example: `max(0, n - 1)` is [`IntOp::Maximum`] of 0 and the size that the caller knows as `n`, less 1.
//!
//! Invariant: the same value for all values of the names.

use polyfold_isl::{AstExpr, Operation};
use polyfold_program::{Cond, Int, IntOp, Relation};

/// An integer, by what names in it are. `None`: one is unknown, or it is a condition.
pub fn int_of(e: &AstExpr, named: &dyn Fn(&str) -> Option<Int>) -> Option<Int> {
    let (operation, operands) = match e {
        AstExpr::Number(number) => return Some(Int::Constant(*number)),
        AstExpr::Name(name) => return named(name),
        AstExpr::Operation(operation, operands) => (*operation, operands),
    };
    if let (Operation::Select, [cond, yes, no]) = (operation, &operands[..]) {
        let (yes, no) = (Box::new(int_of(yes, named)?), Box::new(int_of(no, named)?));
        return Some(Int::Select(Box::new(cond_of(cond, named)?), yes, no));
    }
    let op = match operation {
        Operation::Max => IntOp::Maximum,
        Operation::Min => IntOp::Minimum,
        Operation::Add => IntOp::Add,
        Operation::Subtract | Operation::Minus => IntOp::Subtract,
        Operation::Multiply => IntOp::Multiply,
        Operation::Divide => IntOp::Divide,
        Operation::FloorDivide => IntOp::FloorDivide,
        Operation::Remainder => IntOp::Remainder,
        _ => return None,
    };
    let mut all = operands.iter().map(|operand| int_of(operand, named)).collect::<Option<Vec<Int>>>()?.into_iter();
    let first = if operation == Operation::Minus { Int::Constant(0) } else { all.next()? };
    Some(all.fold(first, |left, right| combined(op, left, right)))
}

/// An operation, of which less is left where a name is a number.
fn combined(op: IntOp, left: Int, right: Int) -> Int {
    use Int::Constant;
    match (op, left, right) {
        (IntOp::Add, Constant(0), e)
        | (IntOp::Add | IntOp::Subtract, e, Constant(0))
        | (IntOp::Multiply, Constant(1), e)
        | (IntOp::Multiply, e, Constant(1)) => e,
        (IntOp::Multiply, Constant(0), _) | (IntOp::Multiply, _, Constant(0)) => Constant(0),
        (op, left, right) => {
            let all = Int::binary(op, left, right);
            all.as_constant().map_or(all, Constant)
        }
    }
}

/// A condition, by what names in it are. `None`: one is unknown, or it is none.
pub fn cond_of(e: &AstExpr, named: &dyn Fn(&str) -> Option<Int>) -> Option<Cond> {
    if let AstExpr::Number(holds @ (0 | 1)) = e {
        return Some(Cond::compare(Int::Constant(*holds), Relation::Equal, Int::Constant(1)));
    }
    let AstExpr::Operation(operation, operands) = e else { return None };
    let relation = match operation {
        Operation::And | Operation::Or => {
            let parts = operands.iter().map(|operand| cond_of(operand, named)).collect::<Option<Vec<Cond>>>()?;
            return parts.into_iter().reduce(|left, right| {
                let both = (Box::new(left), Box::new(right));
                if *operation == Operation::And { Cond::And(both.0, both.1) } else { Cond::Or(both.0, both.1) }
            });
        }
        Operation::Equal => Relation::Equal,
        Operation::LessEqual => Relation::LessOrEqual,
        Operation::Less => Relation::Less,
        Operation::GreaterEqual => Relation::GreaterOrEqual,
        Operation::Greater => Relation::Greater,
        _ => return None,
    };
    let [left, right] = &operands[..] else { return None };
    Some(Cond::compare(int_of(left, named)?, relation, int_of(right, named)?))
}
