//! What the counters of new loops are called.
//!
//! A loop is called like the user's counter that it is, give or take a constant, for most of the statements in it, unless a loop around
//! it has that name, or a statement means something else by it. Others keep the name that they came with.
//!
//! ```text
//! for (c0 = 0; …) { R(c0); for (c1 = 0; …) S(c0, c1); }
//! ```
//!
//! is, if R has the counter t, and S has t and j,
//!
//! ```text
//! for (t = 0; …) { R(t); for (j = 0; …) S(t, j); }
//! ```

use super::affine::Affine;
use polyfold_isl::{Ast, AstExpr};

/// What loops go through, as far as names tell.
pub trait Operations {
    /// The counters that the text of the statement of this name has, outermost first.
    fn counters(&self, name: &str) -> Vec<String>;

    /// Whether a loop's counter may be called so.
    fn may_be_counter(&self, name: &str) -> bool;
}

/// The same program, its counters named like the user's.
pub(super) fn named(ast: Ast, operations: &dyn Operations) -> Ast {
    Naming { operations, around: Vec::new() }.named(ast)
}

struct Naming<'a> {
    operations: &'a dyn Operations,
    /// The names of the loops around.
    around: Vec<String>,
}

impl Naming<'_> {
    fn named(&mut self, ast: Ast) -> Ast {
        match ast {
            Ast::For { dimension, iterator, first, condition, step, body } => {
                let own = self.own_name(&iterator, &body).unwrap_or_else(|| iterator.clone());
                let name = AstExpr::Name(own.clone());
                let (condition, body) = (condition.with(&iterator, &name), body.with(&iterator, &name));
                self.around.push(own.clone());
                let body = Box::new(self.named(body));
                self.around.pop();
                Ast::For { dimension, iterator: own, first, condition, step, body }
            }
            Ast::If { condition, then, otherwise } => Ast::If {
                condition,
                then: Box::new(self.named(*then)),
                otherwise: otherwise.map(|ast| Box::new(self.named(*ast))),
            },
            Ast::Block(all) => Ast::Block(all.into_iter().map(|ast| self.named(ast)).collect()),
            point @ Ast::Point { .. } => point,
        }
    }

    /// The name that most statements have for a loop's counter, of several the first.
    fn own_name(&self, counter: &str, body: &Ast) -> Option<String> {
        let mut votes: Vec<(String, usize)> = Vec::new();
        self.collect(counter, body, &mut votes);
        let most = votes.iter().map(|(_, count)| *count).max()?;
        votes.into_iter().find(|(_, count)| *count == most).map(|(name, _)| name)
    }

    fn collect(&self, counter: &str, ast: &Ast, votes: &mut Vec<(String, usize)>) {
        ast.each(&mut |ast| {
            let Ast::Point { name, coordinates } = ast else { return };
            let own = self.operations.counters(name);
            let its = own.into_iter().zip(coordinates).filter(|(_, value)| is_shift_of(value, counter));
            for (name, _) in its.filter(|(name, _)| self.is_free(name)) {
                match votes.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, count)) => *count += 1,
                    None => votes.push((name, 1)),
                }
            }
        });
    }

    fn is_free(&self, name: &str) -> bool {
        !self.around.iter().any(|other| other == name) && self.operations.may_be_counter(name)
    }
}

fn is_shift_of(value: &AstExpr, counter: &str) -> bool {
    Affine::of(value).is_some_and(|sum| sum.terms.len() == 1 && sum.factor_of(counter) == Some(1))
}
