//! Loops of isl's as loops of a program.
//!
//! Example: `for (c = 0; c <= n - 1; c += 1) S(c + 1);` is a loop with what the caller puts in the place of `S(c + 1)`.

use crate::from_isl::{cond_of, int_of};
use polyfold_isl::{Ast, AstExpr};
use polyfold_program::{Cond, Int, IntType, Invariant, Local, LocalId, LocalKind, Loop, Stmt};

/// What isl's names are.
pub(crate) struct Scan<'a> {
    /// The size of a name.
    pub(crate) size: &'a dyn Fn(&str) -> Option<Int>,
    /// What holds the counter of a name, and whether its loop declares it.
    pub(crate) counter: &'a dyn Fn(&str) -> (Option<IntType>, bool),
    /// Whether the loops of a dimension of the dates with such a body run in parallel.
    pub(crate) parallel: &'a dyn Fn(usize, &Ast) -> bool,
}

/// Makes statements of a point, by its name and coordinates.
pub(crate) type Point<'a> = dyn FnMut(&str, &[Int]) -> Option<Vec<Stmt>> + 'a;

impl Scan<'_> {
    /// The loops. Counters are added to the locals. `None`: something has no name, or a point no statements.
    pub(crate) fn list(&self, ast: &Ast, locals: &mut Vec<Local>, point: &mut Point) -> Option<Vec<Stmt>> {
        Scanning { scan: self, locals, around: Vec::new() }.list(ast, point)
    }
}

struct Scanning<'a> {
    scan: &'a Scan<'a>,
    locals: &'a mut Vec<Local>,
    /// The counters of the loops around.
    around: Vec<(String, LocalId)>,
}

impl Scanning<'_> {
    fn list(&mut self, ast: &Ast, point: &mut Point) -> Option<Vec<Stmt>> {
        Some(match ast {
            Ast::Block(all) => all.iter().map(|one| self.list(one, point)).collect::<Option<Vec<_>>>()?.concat(),
            Ast::If { condition, then, otherwise } => {
                let cond = self.cond(condition)?;
                let then = self.list(then, point)?;
                let other = otherwise.as_ref().map_or(Some(Vec::new()), |other| self.list(other, point))?;
                vec![Stmt::If { cond, then, other }]
            }
            Ast::For { dimension, iterator, first, condition, step, body } => {
                let first = Some(self.int(first)?.tidy(&[]));
                let (held, declares) = (self.scan.counter)(iterator);
                let counter = self.local(iterator, held);
                self.around.push((iterator.clone(), counter));
                let test = self.cond(condition)?;
                let parallel = (self.scan.parallel)(*dimension, body);
                let body = self.list(body, point)?;
                self.around.pop();
                let (step, invariant) = (Some(*step), Invariant::default());
                vec![Stmt::For(Loop { counter, declares, first, test, step, parallel, vector: false, invariant, body })]
            }
            Ast::Point { name, coordinates } => {
                let values = coordinates.iter().map(|e| self.int(e)).collect::<Option<Vec<Int>>>()?;
                point(name, &values)?
            }
        })
    }

    /// The counter of a name: one that is known, if that is held by the same type.
    fn local(&mut self, name: &str, held: Option<IntType>) -> LocalId {
        let is_it = |own: &Local| own.name == name && own.kind == LocalKind::Integer && own.held == held;
        let known = self.locals.iter().position(is_it);
        LocalId(known.unwrap_or_else(|| {
            self.locals.push(Local { name: name.to_string(), kind: LocalKind::Integer, held });
            self.locals.len() - 1
        }))
    }

    fn int(&self, e: &AstExpr) -> Option<Int> {
        int_of(e, &|name| self.named(name))
    }

    fn cond(&self, e: &AstExpr) -> Option<Cond> {
        cond_of(e, &|name| self.named(name))
    }

    fn named(&self, name: &str) -> Option<Int> {
        let counter = self.around.iter().rev().find(|(own, _)| own == name);
        counter.map(|(_, local)| Int::Local(*local)).or_else(|| (self.scan.size)(name))
    }
}
