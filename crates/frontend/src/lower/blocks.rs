//! Blocks of a program that run in local memory, and the loops around them.
//!
//! The idea: what is around regions is read as these are. While one of them runs, all that is from outside stands still: it is a
//! size, and so are products of sizes. In the program the counters of the loops around are the counters of its loops.
//!
//! ```text
//! for (int it = 0; it < m; it++) {              for it = 0 while it < m step 1 {
//!   s[it] = 0;                                    S0: s[it] = 0;
//! #pragma polyfold local                     =>   with {
//!   for (int i = it * T; …) s[it] += a[i];          for i = it * T … { S1(i): s[it] = s[it] + a[i]; }
//! }                                             } }
//! ```
//!
//! Limits: the counter of a loop around a block is declared in its head, and signed.

use super::loops::Header;
use super::surroundings::first_value;
use super::{Lowered, Lowering, Meaning};
use polyfold_c::source::line_of;
use polyfold_c::syntax::{ForStart, Statement, StatementKind, VariableId};
use polyfold_program::{Cond, Int, LocalId, Program};
use polyfold_scop::{Code, Condition, Expr, Loop, LoopId, Node, Scop, Span};

/// The nodes of a list that are in no block, and those that are a block's, with its place in the file.
pub(super) fn in_blocks<'n>(scop: &Scop, nodes: &'n [Node], blocks: &[Span]) -> Vec<(Option<Span>, &'n [Node])> {
    let block_of = |node: &Node| {
        let span = scop.span_of(node);
        blocks.iter().find(|block| block.start <= span.start && span.end <= block.end)
    };
    let parts = nodes.chunk_by(|one, next| block_of(one).is_some() && block_of(one) == block_of(next));
    parts.map(|part| (part.first().and_then(block_of).cloned(), part)).collect()
}

impl<'a> Lowering<'a> {
    /// Lowers a block, or a loop around blocks; `None`: it is neither.
    pub(super) fn of_blocks(&mut self, statement: &'a Statement) -> Option<Lowered<Vec<Node>>> {
        let is_loop = matches!(statement.kind, StatementKind::For { .. });
        match self.site.blocks {
            [] => None,
            _ if self.is_block(statement) => Some(self.block_of_program(statement)),
            _ if is_loop && self.is_around_blocks(statement) => {
                Some(self.loop_around_blocks(statement).map(|node| vec![node]))
            }
            _ => None,
        }
    }

    /// Whether a statement has blocks inside it.
    fn is_around_blocks(&self, statement: &Statement) -> bool {
        let own = self.site.expanded.to_file(&statement.span);
        self.site.blocks.iter().any(|block| own.start < block.start && block.end <= own.end)
    }

    /// Whether a statement is a block, and isn't in one.
    fn is_block(&self, statement: &Statement) -> bool {
        self.block.is_none() && self.site.blocks.contains(&self.site.expanded.to_file(&statement.span))
    }

    /// Lowers a block, in which variables from outside are sizes, whatever is known of them.
    fn block_of_program(&mut self, statement: &'a Statement) -> Lowered<Vec<Node>> {
        let outside = self.meanings.clone();
        let counted = self.counted.clone();
        let is_counter =
            |meaning: &Meaning| matches!(meaning, Meaning::Value(Expr::Parameter(size)) if counted.contains(size));
        self.meanings.retain(|(_, meaning)| is_counter(meaning));
        self.block = Some(statement.span.clone());
        let nodes = self.statement(statement, None, 0);
        self.block = None;
        self.meanings = outside;
        nodes
    }

    /// Whether a variable is from outside of the block that is read, and doesn't change in it.
    pub(super) fn is_still_in_block(&self, id: VariableId) -> bool {
        let is_still = |block: &Span| {
            let is_declared = block.contains(&self.site.unit.variables[id].name_span.start);
            !is_declared && !self.assigned_within(id, block).any(|_| true)
        };
        self.block.as_ref().is_some_and(is_still)
    }

    /// Lowers a loop around blocks.
    fn loop_around_blocks(&mut self, statement: &'a Statement) -> Lowered<Node> {
        let refused = |walk: &Self| {
            walk.decline(Code::LoopHead, "this loop around regions is not handled".to_string(), &statement.span, "", "")
        };
        let StatementKind::For { start, condition: Some(test), update: Some(update), body } = &statement.kind else {
            return Err(refused(self));
        };
        let Some((counter, first)) = first_value(start) else { return Err(refused(self)) };
        if !matches!(start, ForStart::Declaration(_)) || !self.is_wide_and_signed(counter) {
            return Err(refused(self));
        }
        self.check_written_out(statement)?;
        self.check_counter(&Header { counter, first }, body)?;
        let (depth, wanted) = (self.meanings.len(), self.wanted_pins.clone());
        let size = self.size_that_counts(counter);
        let (mut value, mut step, mut head) = (None, None, None);
        self.obligations_of(|walk| {
            value = walk.affine(first).ok();
            step = walk.step(counter, update).ok();
            walk.meanings.push((counter, Meaning::Value(Expr::Parameter(size))));
            head = walk.test_of_sizes(test);
        });
        self.wanted_pins = wanted;
        let (Some(first), Some(step), Some(head)) = (value, step, head) else { return Err(refused(self)) };
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        self.note_loop(&statement.span, [&test.span, &update.span, &body.span]);
        let span = self.site.expanded.to_file(&statement.span);
        self.computations.heads.insert((span.start, span.end), head);
        let counter_in_c = self.counter(counter, true);
        let body = self.statement(body, None, 0)?;
        self.meanings.truncate(depth);
        Ok(Node::Loop(Loop {
            id,
            iterator: self.site.unit.variables[counter].name.clone(),
            counter: counter_in_c,
            first,
            condition: Condition::Unknown,
            step,
            parallel: false,
            pragmas: Vec::new(),
            body,
            line: line_of(self.site.source, span.start),
            span,
        }))
    }

    /// A program whose loops count what stood for sizes.
    pub(super) fn with_counters(&self, program: Program) -> Program {
        let size = |e: &Int| if let Int::Parameter(id) = e { Some(id.0) } else { None };
        let is_counter = |e: &Int| self.counted.iter().any(|own| size(e) == Some(own.0));
        let local = |e: &Int| {
            let name = &program.parameters[size(e)?].name;
            program.locals.iter().position(|own| own.name == *name)
        };
        let counted = &mut |e: &Int| {
            let local = if is_counter(e) { local(e) } else { None };
            local.map_or_else(|| e.clone(), |local| Int::Local(LocalId(local)))
        };
        let body = program.body.iter().map(|stmt| stmt.with_leaves(counted)).collect();
        let mut buffers = program.buffers.clone();
        for extent in buffers.iter_mut().flat_map(|buffer| &mut buffer.extents).flatten() {
            *extent = extent.with_leaves(counted);
        }
        // What is known of counters is said by their loops.
        let is_of_sizes = |cond: &&Cond| {
            let mut names_counters = false;
            cond.each_int(&mut |e| e.each(&mut |e| names_counters |= is_counter(e)));
            !names_counters
        };
        let context = program.context.iter().filter(is_of_sizes).cloned().collect();
        Program { body, buffers, context, ..program }
    }
}
