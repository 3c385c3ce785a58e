//! Mathematical integers, and conditions on them.

use crate::{LocalId, ParameterId, Value};

/// An integer, as sizes, counters and subscripts are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// A number.
    Constant(i64),
    /// A size of the program.
    Parameter(ParameterId),
    /// A counter, or another local integer.
    Local(LocalId),
    /// Two operands.
    Binary(IntOp, Box<Int>, Box<Int>),
    /// The first if the condition holds, else the second.
    Select(Box<Cond>, Box<Int>, Box<Int>),
    /// What the program's data decide, as the `key[i]` of `bins[key[i]]`. It stands for a whole subscript.
    Data(Box<Value>),
}

/// What two integers make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntOp {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a div b`: the quotient rounded down.
    FloorDivide,
    /// `a mod b`: what `div` leaves, from 0 to `b - 1` for a positive `b`.
    FloorModulo,
    /// `a / b` as in C: rounded towards 0.
    Divide,
    /// `a % b` as in C: what `/` leaves, with the sign of `a`.
    Remainder,
    /// `min(a, b)`
    Minimum,
    /// `max(a, b)`
    Maximum,
}

/// Whether something holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// Of two integers.
    Compare(Relation, Int, Int),
    /// Both.
    And(Box<Cond>, Box<Cond>),
    /// One, or both.
    Or(Box<Cond>, Box<Cond>),
    /// Not.
    Not(Box<Cond>),
    /// What the program's data decide: the value isn't 0.
    Data(Box<Value>),
}

/// How two integers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Int {
    /// `left op right`
    pub fn binary(op: IntOp, left: Int, right: Int) -> Int {
        Int::Binary(op, Box::new(left), Box::new(right))
    }

    /// The value that it is, if the program's data decide it.
    pub fn as_data(&self) -> Option<&Value> {
        match self {
            Int::Data(value) => Some(value),
            _ => None,
        }
    }

    /// Whether a local is named in it.
    pub fn names(&self, local: LocalId) -> bool {
        let mut found = false;
        self.each(&mut |e| found |= *e == Int::Local(local));
        found
    }

    /// Whether data decide a part of it.
    pub fn has_data(&self) -> bool {
        let mut found = false;
        self.each(&mut |e| found |= matches!(e, Int::Data(_)));
        found
    }

    /// Its value, if it names nothing.
    pub fn as_constant(&self) -> Option<i64> {
        match self {
            Int::Constant(value) => Some(*value),
            Int::Binary(op, left, right) => op.apply(left.as_constant()?, right.as_constant()?),
            _ => None,
        }
    }
}

impl IntOp {
    /// The result; `None` if it is past 64 bits, or divided by 0.
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            IntOp::Add => left.checked_add(right),
            IntOp::Subtract => left.checked_sub(right),
            IntOp::Multiply => left.checked_mul(right),
            IntOp::Divide => left.checked_div(right),
            IntOp::Remainder => left.checked_rem(right),
            IntOp::FloorDivide => {
                let down = left.checked_rem(right)? != 0 && (left < 0) != (right < 0);
                left.checked_div(right)?.checked_sub(i64::from(down))
            }
            IntOp::FloorModulo => {
                let rest = left.checked_rem(right)?;
                if rest != 0 && (rest < 0) != (right < 0) { rest.checked_add(right) } else { Some(rest) }
            }
            IntOp::Minimum => Some(left.min(right)),
            IntOp::Maximum => Some(left.max(right)),
        }
    }
}

impl Cond {
    /// `left relation right`
    pub fn compare(left: Int, relation: Relation, right: Int) -> Cond {
        Cond::Compare(relation, left, right)
    }

    /// Whether data decide a part of it.
    pub fn has_data(&self) -> bool {
        match self {
            Cond::Compare(..) => false,
            Cond::And(left, right) | Cond::Or(left, right) => left.has_data() || right.has_data(),
            Cond::Not(inner) => inner.has_data(),
            Cond::Data(_) => true,
        }
    }
}

impl std::ops::Not for Cond {
    type Output = Cond;

    fn not(self) -> Cond {
        match self {
            Cond::Not(inner) => *inner,
            Cond::Compare(relation, left, right) => Cond::Compare(relation.negated(), left, right),
            other => Cond::Not(Box::new(other)),
        }
    }
}

impl Relation {
    /// What holds when this doesn't.
    pub fn negated(self) -> Relation {
        match self {
            Relation::Less => Relation::GreaterOrEqual,
            Relation::LessOrEqual => Relation::Greater,
            Relation::Greater => Relation::LessOrEqual,
            Relation::GreaterOrEqual => Relation::Less,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
        }
    }

    /// How it is written between two sides.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessOrEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterOrEqual => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
        }
    }

    /// Whether it holds of two numbers.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::LessOrEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterOrEqual => left >= right,
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IntOp;

    #[test]
    fn quotients_round_as_they_are_named() {
        let of = |op: IntOp, left, right| op.apply(left, right);
        assert_eq!(of(IntOp::Divide, -7, 2), Some(-3));
        assert_eq!(of(IntOp::Remainder, -7, 2), Some(-1));
        assert_eq!(of(IntOp::FloorDivide, -7, 2), Some(-4));
        assert_eq!(of(IntOp::FloorModulo, -7, 2), Some(1));
        assert_eq!(of(IntOp::FloorModulo, 7, -2), Some(-1));
        assert_eq!(of(IntOp::FloorDivide, -8, 2), Some(-4));
        assert_eq!(of(IntOp::FloorModulo, 1, 0), None);
        assert_eq!(of(IntOp::Add, i64::MAX, 1), None);
    }
}
