//! C as a small tree, with every name bound to its declaration.
//!
//! The idea: tree-sitter gives exact places but knows no scopes; this room turns its tree into one with only the
//! kinds that matter for loops over arrays. What it does not know it keeps as `Other`, with its parts, so that no
//! mention of a name is ever lost.

mod attributes;
mod build;
mod declaration;
mod declare;
mod expression;
mod members;
mod parentheses;
mod tree;
mod types;

pub use build::{Unit, expression_from, parse_unit};
pub use declaration::{Pointer, Qualifiers, Storage};
pub use members::{Doubt, Members, Subscripts};
pub use tree::{
    BinaryOperator, Comparison, Derivation, Expression, ExpressionKind, ForStart, Function, Member, Statement,
    StatementKind, UnaryOperator, Variable, VariableId,
};
pub use types::{Scalar, Typedefs};
