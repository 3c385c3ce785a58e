//! What statements compute, and where cells are.
//!
//! Of `x * 1` and `x * k` with an `unsigned k` only one may be an `int`. So an integer has a type, which stays where another integer
//! takes the place of k: then it is `x * (1 as u32)`.
//!
//! Invariants: an operation on integers alone is an integer ([`Value::Integer`]); what is read from
//! one of two places is a choice of two reads, so that [`Place::Select`] stands only where a cell is
//! written or its address is taken.

use crate::{BufferId, Cond, Int, IntType, Level, LocalId};

/// What a statement computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// What a cell holds.
    Read(Place),
    /// An integer that the program computes with, as C converts it to a type: the one that it has in C where it meets other operands.
    Integer(Int, IntType),
    /// An operation on values.
    Apply(Op, Vec<Value>),
    /// The first if the condition holds, else the second.
    Choice(Box<Cond>, Box<Value>, Box<Value>),
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a % b`
    Remainder,
    /// `a < b`
    Less,
    /// `a <= b`
    LessOrEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterOrEqual,
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
    /// `-a`
    Negate,
    /// `!a`
    Not,
    /// Its operand, which is a choice, all of which is computed whatever it chooses.
    Select(Real),
    /// Its operand, which reads memory that no buffer names: it is read whether somebody asks for it or not.
    Volatile,
    /// A function without side effects.
    Call(String),
    /// The source's own tokens, with holes `$0`, `$1`, … for the operands. A literal has none.
    Leaf(String),
}

/// A type of floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Real {
    /// `float`
    Float,
    /// `double`
    Double,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// `A[i][j]`
    Cell {
        /// Whose cell it is.
        buffer: BufferId,
        /// One subscript for each dimension.
        index: Vec<Int>,
    },
    /// `p[i]`: a cell so far behind the one that a pointer stands at; `p[1][0]` is one of the next row.
    Through {
        /// The pointer.
        pointer: LocalId,
        /// How far, in the last dimensions.
        index: Vec<Int>,
    },
    /// The first if the condition holds, else the second.
    Select(Box<Cond>, Box<Place>, Box<Place>),
}

impl Value {
    /// A number, as C has it.
    pub fn number(value: i64) -> Value {
        Value::Integer(Int::Constant(value), IntType::of_number(value))
    }
}

impl Op {
    /// How tightly it binds.
    pub fn level(&self) -> Level {
        match self {
            Op::Add | Op::Subtract => Level::Sum,
            Op::Multiply | Op::Divide | Op::Remainder => Level::Product,
            Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual | Op::Equal | Op::NotEqual => {
                Level::Comparison
            }
            Op::Negate | Op::Not => Level::Unary,
            Op::Call(_) | Op::Select(_) | Op::Volatile => Level::Primary,
            // Nothing says which operators are in it.
            Op::Leaf(_) => Level::Choice,
        }
    }

    /// How it is written between two operands.
    pub fn infix(&self) -> Option<&'static str> {
        Some(match self {
            Op::Add => "+",
            Op::Subtract => "-",
            Op::Multiply => "*",
            Op::Divide => "/",
            Op::Remainder => "%",
            Op::Less => "<",
            Op::LessOrEqual => "<=",
            Op::Greater => ">",
            Op::GreaterOrEqual => ">=",
            Op::Equal => "==",
            Op::NotEqual => "!=",
            Op::Negate | Op::Not | Op::Select(_) | Op::Volatile | Op::Call(_) | Op::Leaf(_) => return None,
        })
    }
}

impl Real {
    pub(crate) const ALL: [Real; 2] = [Real::Float, Real::Double];

    /// As C writes it.
    pub fn name(self) -> &'static str {
        match self {
            Real::Float => "float",
            Real::Double => "double",
        }
    }

    /// The type of a name.
    pub fn called(name: &str) -> Option<Real> {
        Real::ALL.into_iter().find(|own| own.name() == name)
    }
}
