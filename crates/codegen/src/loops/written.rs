//! The text of a file with new loops.

use super::counters::{Counters, Leftover, fresh_names};
use super::in_tree::{held, in_order, lines};
use super::inherited::{Heir, Inheritance, Lost, inherited};
use super::moved::declarations;
use super::original::Original;
use super::parallel::{self, Misfit};
use super::peeled::{Peeled, peeled};
use super::threads::{divided, thread_pragmas};
use super::widths::Widths;
use super::{LoopForm, Order, Pieces, readable};
use crate::Dialect;
use crate::assertions::Assertions;
use crate::declaration::Declarations;
use crate::edit::{Edit, Edits, in_line_endings_of};
use crate::fault;
use crate::frame::Frame;
use crate::unused::Mentioned;
use polyfold_isl::Ast;
use polyfold_program::{Program, Stmt};
use polyfold_scop::{Around, InFront, LoopId, Scop, Span};
use std::collections::BTreeSet;

/// New loops for one scop of a file.
pub struct NewLoops<'a> {
    ast: Ast,
    operations: Original<'a>,
}

/// The new text of a file of which one scop runs in another order, with the pragmas of parallel dimensions alone.
///
/// # Errors
/// As those of [`NewLoops`].
pub fn with_new_loops(source: &str, pieces: &Pieces, order: &Order) -> Result<String, Misfit> {
    NewLoops::of(source, pieces, order)?.text(Dialect::C)
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
        let is_like = |own: &Stmt, stmt: &Stmt| matches!((own, stmt), (Stmt::Opaque(own), Stmt::Opaque(stmt)) if own.is_like(stmt));
        let is_own = |stmt: &Stmt| before.body.iter().any(|own| own.any(&|own: &Stmt| is_like(own, stmt)));
        let is_text = |stmt: &Stmt| matches!(stmt, Stmt::Opaque(_)) && !is_own(stmt);
        let after = in_order(&self.ast, &self.operations);
        Some((before, after.filter(|after| !after.body.iter().any(|stmt| stmt.any(&is_text)))?))
    }

    /// Whether some new loop has this pragma of the source.
    pub fn has_heir(&self, pragma: &Span) -> bool {
        self.operations.inheritance.heirs.iter().any(|heir| heir.pragmas.contains(pragma))
    }

    /// A scop in this order, of whose statements the pieces are. `None`: it has to be written and read.
    ///
    /// # Errors
    /// When threads that run the scop divided its loops, and would not now.
    pub fn scop(&self, scop: &Scop) -> Result<Option<Scop>, Misfit> {
        let Original { source, pieces, counters, .. } = &self.operations;
        self.check_threads()?;
        let Some((_, program)) = self.programs() else { return Ok(None) };
        let in_front: Vec<InFront> = pieces.moved.iter().flat_map(|own| own.own.clone()).collect();
        let Leftover { dropped, unused } = counters.leftover(source, &pieces.scop, &self.set_counters());
        let mut pragmas = Vec::new();
        self.ast.each(&mut |ast| {
            if let Ast::For { dimension, body, .. } = ast {
                pragmas.push(self.operations.pragma(*dimension, body));
            }
        });
        let held = |id: &LoopId| counters.users(*id).ok().map(held);
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

    /// The text of the file.
    ///
    /// # Errors
    /// When an expression or a statement cannot be printed; and when threads that run the scop divided its loops, and would not now.
    pub fn text(&self, dialect: Dialect) -> Result<String, Misfit> {
        let Original { source, scop, pieces, counters, .. } = &self.operations;
        self.check_threads()?;
        let frame = Frame::of(source, scop);
        let first = if source[..frame.body.start].ends_with('\n') { "" } else { "\n" };
        let program = in_order(&self.ast, &self.operations);
        let lines = program.and_then(|own| lines(&self.ast, &self.operations, &own, &frame.indent));
        let lines = lines.ok_or_else(|| fault("loops that can't be printed"))?;
        let Mentioned { text: lines, behind: mentioned } =
            Mentioned::in_place_of(source, scop, format!("{first}{lines}"), (&[], &BTreeSet::new()));
        let Leftover { dropped, unused } = counters.leftover(source, scop, &self.set_counters());
        let mut without = Declarations::default();
        dropped.iter().for_each(|declaration| without.without(declaration));
        let mut edits = Edits::new();
        without.edits(source).into_iter().for_each(|edit| edits.push(edit));
        let assertions = Assertions::of_values("the loops below were written", &scop.pinned, dialect);
        let assertions = assertions.lines(&source[..frame.lines.start], &frame.indent);
        let lead = declarations(&pieces.moved, &frame.indent) + &assertions;
        edits.push(Edit { span: frame.lead.clone(), text: lead });
        let before = edits.in_line_endings_of(source).apply_within(source, &(0..frame.body.start));
        let (closing, behind) = (&source[frame.body.end..frame.lines.end], &source[frame.lines.end..]);
        let mut uses: Vec<String> = unused.iter().map(|name| format!("(void){name};")).collect();
        let dropped: Vec<&str> = dropped.iter().map(|own| &source[own.name.span.clone()]).collect();
        let is_said = |line: &str| {
            let mut names = unused.iter().map(String::as_str).chain(dropped.iter().copied());
            names.any(|name| line == format!("(void){name};"))
        };
        uses.extend(mentioned.into_iter().filter(|line| !is_said(line)));
        let uses: String = uses.iter().map(|line| format!("{}{line}\n", frame.indent)).collect();
        let [loops, uses] = [&lines, &uses].map(|lines| in_line_endings_of(source, lines));
        Ok(format!("{before}{loops}{closing}{uses}{behind}"))
    }
}
