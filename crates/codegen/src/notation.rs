//! Expressions of isl's trees in isl's notation again, so that sets can be made of what C computes.
//!
//! ```text
//! (n < it + 32 ? n : it + 32) - 1    comes as    Min(n, it + 32) - 1    and is    1*min(n, 1*it + 32) + -1
//! ```
//!
//! Quotients are isl's own: rounded down, or exact. A remainder of what may be negative is only compared with 0, and both remainders are 0 at once.

use crate::loops::Affine;
use polyfold_isl::{AstExpr, Operation};

/// An affine function of names, with quotients and the largest or smallest of several, in isl notation; `None`: it is none.
pub(crate) fn in_isl(expr: &AstExpr) -> Option<String> {
    let AstExpr::Operation(operation, operands) = expr else {
        return match expr {
            AstExpr::Name(name) => Some(name.clone()),
            _ => sum_in_isl(expr),
        };
    };
    let of_all = |word: &str| {
        let operands = operands.iter().map(in_isl).collect::<Option<Vec<_>>>()?;
        operands.into_iter().reduce(|best, next| format!("{word}({best}, {next})"))
    };
    match (operation, &operands[..]) {
        (Operation::Max, _) => of_all("max"),
        (Operation::Min, _) => of_all("min"),
        (Operation::FloorDivide | Operation::Divide, [a, AstExpr::Number(by @ 1..)]) => {
            Some(format!("floor(({})/{by})", in_isl(a)?))
        }
        (Operation::Remainder, [a, AstExpr::Number(by @ 1..)]) => Some(format!("(({}) mod {by})", in_isl(a)?)),
        (Operation::Add | Operation::Subtract | Operation::Minus | Operation::Multiply, _) => sum_in_isl(expr),
        _ => None,
    }
}

fn sum_in_isl(expr: &AstExpr) -> Option<String> {
    let sum = Affine::of(expr)?;
    let is_product = |atom: &AstExpr| matches!(atom, AstExpr::Operation(Operation::Multiply, _));
    let term = |(atom, factor): &(AstExpr, i64)| {
        if is_product(atom) { None } else { Some(format!("{factor}*{} + ", in_isl(atom)?)) }
    };
    let terms = sum.terms.iter().map(term).collect::<Option<String>>()?;
    Some(format!("{terms}{}", sum.constant))
}

#[cfg(test)]
mod tests {
    use super::in_isl;
    use polyfold_isl::{AstExpr, CText, Context, Operation, PwAff, Set};

    /// Whether the tree for a function of n and m means the same in isl's notation.
    fn is_same(function: &str) -> bool {
        let ctx = Context::new();
        let values = Set::read(&ctx, "[n, m] -> { : n >= 0 and m >= 0 }").expect("a set");
        let function = PwAff::read(&ctx, &format!("[n, m] -> {{ [({function})] }}")).expect("a function");
        let tree = CText::new(&values).and_then(|printer| printer.tree(&function)).expect("a tree");
        let text = in_isl(&tree).expect("it is affine");
        let read = Set::read(&ctx, &format!("[n, m] -> {{ [x] : x = {text} }}")).expect("it is isl");
        let graph = function.graph().expect("a set").intersect_params(&values).expect("a set");
        read.intersect_params(&values).and_then(|read| read.is_equal(&graph)).expect("they are small")
    }

    #[test]
    fn trees_mean_what_they_came_from() {
        for function in ["2n - 3m + 1", "3 * floor((n - m)/4) + m", "n mod 3 - 2 * (m mod 5)"] {
            assert!(is_same(function), "{function}");
        }
    }

    #[test]
    fn the_smallest_of_several_is_in_notation() {
        let [n, m] = ["n", "m"].map(|name| AstExpr::Name(name.to_string()));
        let sum = AstExpr::Operation(Operation::Add, vec![m.clone(), AstExpr::Number(32)]);
        let least = AstExpr::Operation(Operation::Min, vec![n.clone(), sum, AstExpr::Number(7)]);
        assert_eq!(in_isl(&least).as_deref(), Some("min(min(n, 1*m + 32), 7)"));
        assert_eq!(in_isl(&AstExpr::Operation(Operation::Multiply, vec![n, m])), None);
    }
}
