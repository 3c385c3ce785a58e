//! A scop with new loops, in an order that was proved.
//!
//! isl's loops get names and types, and pragmas of the source that still hold ([`NewLoops::inherit`]). Then they go around the
//! statements of the program, which is a scop again ([`NewLoops::scop`]).
//!
//! Invariant: the scop runs the same instances, in the order of their dates.

use super::counters::{Counters, Leftover, fresh_names};
use super::in_tree::in_order;
use super::inherited::{Heir, Inheritance, Lost, inherited};
use super::original::Original;
use super::parallel::{self, Misfit};
use super::peeled::{Peeled, peeled};
use super::threads::{divided, thread_pragmas};
use super::widths::Widths;
use super::{LoopForm, Order, Pieces, readable};
use polyfold_isl::Ast;
use polyfold_program::Program;
use polyfold_scop::{Around, Counter, LoopId, Scop, Span};
use std::collections::BTreeSet;

/// New loops for one scop of a file.
pub struct NewLoops<'a> {
    ast: Ast,
    operations: Original<'a>,
}

/// isl's loops.
fn ast(order: &Order, names: &[String]) -> polyfold_isl::Result<Ast> {
    match order.form {
        LoopForm::Plain => Ast::of(order.dates, order.context, names),
        LoopForm::Strips { dimensions, .. } => Ast::in_whole_loops(order.dates, order.context, names, dimensions),
        LoopForm::Peeled => {
            let Peeled { dates, parts } = peeled(order.dates)?;
            Ast::in_parts(&dates, order.context, names, &parts)
        }
    }
}

impl<'a> NewLoops<'a> {
    /// The loops for an order.
    ///
    /// # Errors
    /// When isl finds none within the work bound, or with numbers past 64 bits; and where a parallel dimension has no loop, or one
    /// that OpenMP does not take.
    pub fn of(source: &'a str, pieces: &'a Pieces, order: &'a Order) -> Result<NewLoops<'a>, Misfit> {
        let scop = &pieces.scop;
        let (counters, inheritance) = (Counters::of(scop), Inheritance::default());
        let ast = ast(order, &fresh_names(source, scop, order)?)?;
        let mut operations = Original { source, scop, pieces, order, counters, inheritance };
        let ast = readable(ast, &operations);
        parallel::fit(&ast, order.parallel)?;
        operations.counters.long = Widths::of(source, order, &ast, &operations.counters)?.long();
        Ok(NewLoops { ast, operations })
    }

    /// Keeps the source's pragmas that give iterations to several threads, in front of loops of which no two iterations depend on each
    /// other. What is lost of these pragmas.
    ///
    /// # Errors
    /// Those of the question.
    pub fn inherit(
        &mut self,
        are_independent: &mut dyn FnMut(&Heir) -> polyfold_isl::Result<bool>,
    ) -> Result<&[Lost], Misfit> {
        let pragmas = thread_pragmas(self.operations.source, self.operations.scop);
        let inheritance = inherited(&self.ast, self.operations.scop, &pragmas, are_independent)?;
        self.operations.inheritance = inheritance;
        Ok(&self.operations.inheritance.lost)
    }

    /// The scop's program before and after, if all of it is understood.
    pub fn programs(&self) -> Option<(&Program, Program)> {
        let before = self.operations.scop.program.as_ref()?;
        Some((before, in_order(&self.ast, &self.operations)?))
    }

    /// Whether some new loop has this pragma of the source.
    pub fn has_heir(&self, pragma: &Span) -> bool {
        self.operations.inheritance.heirs.iter().any(|heir| heir.pragmas.contains(pragma))
    }

    /// A scop in this order, of whose statements the pieces are. `None`: its program can't be in that.
    ///
    /// # Errors
    /// When threads that run the scop divided its loops, and would not now.
    pub fn scop(&self, scop: &Scop) -> Result<Option<Scop>, Misfit> {
        let Original { source, pieces, counters, .. } = &self.operations;
        self.check_threads()?;
        let Some((_, program)) = self.programs() else { return Ok(None) };
        let in_front = pieces.in_front.clone();
        let Leftover { dropped, unused } = counters.leftover(source, &pieces.scop, &self.set_counters());
        let mut pragmas = Vec::new();
        self.ast.each(&mut |ast| {
            if let Ast::For { dimension, body, .. } = ast {
                pragmas.push(self.operations.pragma(*dimension, body));
            }
        });
        let held = |id: &LoopId| counters.users(*id).ok().map(Counter::held);
        let types = scop.statements.iter().map(|own| own.loops.iter().map(held).collect()).collect();
        let around = Around { counters: types, pragmas, dropped, unused: unused.into_iter().collect(), in_front };
        Ok(scop.in_order(&program, around))
    }

    /// The user's counters that new loops set.
    fn set_counters(&self) -> BTreeSet<String> {
        let mut set = BTreeSet::new();
        self.ast.each(&mut |ast| {
            if let Ast::For { iterator, .. } = ast
                && self.operations.counters.is_users(iterator)
            {
                set.insert(iterator.clone());
            }
        });
        set
    }

    fn check_threads(&self) -> Result<(), Misfit> {
        let Original { source, scop, inheritance, .. } = &self.operations;
        match divided(source, scop).filter(|_| !inheritance.divides_all(&self.ast, scop)) {
            Some(pragma) => Err(Misfit::Divided(pragma)),
            None => Ok(()),
        }
    }
}
