//! Loops that count down.
//!
//! isl's loops count up. One whose counter is only ever needed with a minus sign counts down instead:
//!
//! ```text
//! for (c = -n + 2; c < 0; c++) p[-c] = p[-c + 1];     is     for (c = n - 2; c > 0; c--) p[c] = p[c + 1];
//! ```
//!
//! Deviation from isl's tree in form only: the loop goes through the same points in the same order.

use super::affine::{Affine, negated};
use polyfold_isl::{Ast, AstExpr, Operation};

/// The same program, with such loops counting down.
pub(super) fn counting_down(ast: Ast) -> Ast {
    match ast {
        Ast::For { dimension, iterator, first, condition, step, body } => {
            let body = Box::new(counting_down(*body));
            match reversed(&condition, &iterator).filter(|_| is_needed_with_minus_only(&iterator, &body)) {
                Some(condition) => {
                    let value = AstExpr::Operation(Operation::Minus, vec![AstExpr::Name(iterator.clone())]);
                    let body = Box::new(body.with(&iterator, &value));
                    Ast::For { dimension, iterator, first: negated(&first), condition, step: -step, body }
                }
                None => Ast::For { dimension, iterator, first, condition, step, body },
            }
        }
        Ast::If { condition, then, otherwise } => Ast::If {
            condition,
            then: Box::new(counting_down(*then)),
            otherwise: otherwise.map(|ast| Box::new(counting_down(*ast))),
        },
        Ast::Block(all) => Ast::Block(all.into_iter().map(counting_down).collect()),
        point @ Ast::Point { .. } => point,
    }
}

/// The condition for the counter's negative; `None`: it is not one bound of the counter, or several.
fn reversed(condition: &AstExpr, counter: &str) -> Option<AstExpr> {
    let AstExpr::Operation(operation, operands) = condition else { return None };
    let turned = match operation {
        Operation::And => {
            let both = operands.iter().map(|operand| reversed(operand, counter)).collect::<Option<Vec<_>>>()?;
            return Some(AstExpr::Operation(Operation::And, both));
        }
        Operation::Less => Operation::Greater,
        Operation::LessEqual => Operation::GreaterEqual,
        _ => return None,
    };
    match &operands[..] {
        [name @ AstExpr::Name(known), bound] if known == counter && !bound.mentions(&|name| name == counter) => {
            Some(AstExpr::Operation(turned, vec![name.clone(), negated(bound)]))
        }
        _ => None,
    }
}

/// Whether some point's coordinate has the counter with a minus sign, and none with another one.
fn is_needed_with_minus_only(counter: &str, body: &Ast) -> bool {
    let mut needs = Needs::default();
    needs.collect(counter, body);
    needs.minus && !needs.others
}

/// How points need a counter.
#[derive(Default)]
struct Needs {
    minus: bool,
    others: bool,
}

impl Needs {
    fn collect(&mut self, counter: &str, ast: &Ast) {
        ast.each(&mut |ast| {
            if let Ast::Point { coordinates, .. } = ast {
                coordinates.iter().for_each(|value| self.add(counter, value));
            }
        });
    }

    fn add(&mut self, counter: &str, value: &AstExpr) {
        match Affine::of(value).and_then(|sum| sum.factor_of(counter)) {
            Some(0) => {}
            Some(factor) if factor < 0 => self.minus = true,
            _ => self.others = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::affine::tests::text;
    use polyfold_isl::{Context, Map, Set};

    fn loops(schedule: &str) -> Ast {
        let ctx = Context::new();
        let dates = [Map::read(&ctx, schedule).expect("it is isl")];
        let context = Set::read(&ctx, "[n] -> { : n >= 4 }").expect("it is isl");
        counting_down(Ast::of(&dates, &context, &["c".to_string(), "d".to_string()]).expect("there are loops"))
    }

    #[test]
    fn steps_and_bounds_turn_round() {
        let Ast::For { first, condition, step, body, .. } = loops("[n] -> { S[i] -> [-i] : 0 <= i < n and i % 3 = 1 }")
        else {
            panic!("there is one loop");
        };
        assert_eq!(
            (text(&first), text(&condition), step),
            ("n - (n - 2) % 3 - 1".to_string(), "c >= 0".to_string(), -3)
        );
        let Ast::Point { coordinates, .. } = *body else { panic!("{body:?}") };
        assert_eq!(coordinates.iter().map(text).collect::<Vec<_>>(), ["c"]);
    }

    #[test]
    fn a_counter_that_is_needed_both_ways_counts_up() {
        let Ast::For { step, .. } = loops("[n] -> { S[i, j] -> [i + j, i] : 0 <= i, j < n }") else {
            panic!("there are two loops");
        };
        assert_eq!(step, 1);
        let Ast::For { body, .. } = loops("[n] -> { S[i, j] -> [i, j - i] : 0 <= i, j < n }") else {
            panic!("there are two loops");
        };
        assert!(matches!(*body, Ast::For { step: 1, .. }), "{body:?}");
    }
}
