//! Statements next to each other in an innermost loop, no turn of which uses what another one writes.
//!
//! That is read off the subscripts: a cell that the loop writes is written and read with the same ones, or in rows that differ, and a variable is written in front of all its
//! uses, in each turn. A loop with `d[j] = a[j] - a[j - 1]` is one, if it does not write `a`; one with `a[j] = c ? a[j - 1] : b` is not.
//!
//! Source: the condition that all dependences are loop-independent (Allen and Kennedy, Optimizing Compilers for Modern Architectures, §2.4).

use crate::segments::reads;
use polyfold_flow::constant_difference;
use polyfold_scop::{
    Access, ArrayId, Certainty, Condition, Expr, Guard, Loop, Node, Scop, Span, Statement, StatementId,
};

/// The statements that stand side by side in an innermost loop, or behind one `if` on sizes and counters in it.
pub(super) struct Siblings<'a> {
    scop: &'a Scop,
    node: &'a Loop,
    nodes: &'a [Node],
}

/// A statement, or an `if` with its branches.
pub(super) struct Candidate {
    /// What is in it, conditions included.
    pub(super) ids: Vec<StatementId>,
    pub(super) span: Span,
    pub(super) is_guard: bool,
}

/// Those of each innermost loop of a scop.
pub(super) fn siblings(scop: &Scop) -> Vec<Vec<Siblings<'_>>> {
    let of_loop = |node| {
        let mut found = Vec::new();
        collect(scop, node, &node.body, &mut found);
        found
    };
    scop.loops().into_iter().filter(|node: &&Loop| !has_loops(&node.body)).map(of_loop).collect()
}

fn collect<'a>(scop: &'a Scop, node: &'a Loop, nodes: &'a [Node], found: &mut Vec<Siblings<'a>>) {
    found.push(Siblings { scop, node, nodes });
    for own in nodes {
        // Under a condition on data there are no vectors.
        if let Node::Guard(guard) = own
            && !guard.condition.depends_on_data()
        {
            collect(scop, node, &guard.then, found);
            collect(scop, node, &guard.otherwise, found);
        }
    }
}

impl Siblings<'_> {
    /// Those that stand here themselves.
    fn ids(&self) -> Vec<StatementId> {
        let id = |node: &Node| if let Node::Statement(id) = node { Some(*id) } else { None };
        self.nodes.iter().filter_map(id).collect()
    }

    /// Statements, and `if`s that data alone decide, each with what belongs to it.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let by_data = |node: &&Node| match node {
            Node::Statement(_) => true,
            Node::Guard(guard) => is_by_data(guard),
            Node::Loop(_) => false,
        };
        let of = |node: &Node| {
            let span = self.scop.span_of(node);
            let is_inside = |own: &Span| span.start <= own.start && own.end <= span.end;
            let all = self.of_loop().into_iter().filter(|(_, s)| is_inside(&s.span));
            Candidate {
                ids: all.map(|(id, _)| id).collect(),
                is_guard: matches!(node, Node::Guard(_)),
                span: span.clone(),
            }
        };
        self.nodes.iter().filter(by_data).map(of).collect()
    }

    /// Whether a turn that comes here surely uses a cell.
    pub(super) fn surely_use(&self, array: ArrayId, subscripts: &[Expr]) -> bool {
        let own = self.ids().into_iter().flat_map(|id| &self.scop.statement(id).accesses);
        own.filter(|a| is_sure(a)).any(|a| a.array == array && a.subscripts.as_deref() == Some(subscripts))
    }

    /// The text of the loop.
    pub(super) fn span_of_loop(&self) -> &Span {
        &self.node.span
    }

    /// What the loop uses.
    pub(super) fn accesses_of_loop(&self) -> impl Iterator<Item = &Access> {
        self.of_loop().into_iter().flat_map(|(_, s)| &s.accesses)
    }

    /// Conditions on data that stand here, with their branches.
    pub(super) fn by_data(&self) -> Vec<Span> {
        let by_data = |node: &&Node| matches!(node, Node::Guard(guard) if guard.condition.depends_on_data());
        self.nodes.iter().filter(by_data).map(|node| self.scop.span_of(node)).collect()
    }

    /// Whether no turn of the loop uses what another one writes.
    pub(super) fn are_apart(&self) -> bool {
        let all: Vec<&Access> = self.accesses_of_loop().collect();
        let written = all.iter().filter(|a| a.is_write());
        written.into_iter().all(|write| {
            let mut own = all.iter().filter(|a| a.array == write.array);
            match self.scop.array(write.array).extents.is_empty() {
                true => self.is_written_first(write.array),
                false => own.all(|other| self.are_apart_in_turns(write, other)),
            }
        })
    }

    /// Whether each turn writes a variable in front of all its uses.
    fn is_written_first(&self, variable: ArrayId) -> bool {
        self.node.body.iter().find_map(|node| self.begins_with_a_write(node, variable)).unwrap_or(false)
    }

    /// Whether a node surely writes a variable in front of all its uses; `None`: it does not use it.
    fn begins_with_a_write(&self, node: &Node, variable: ArrayId) -> Option<bool> {
        match node {
            Node::Statement(id) => {
                let mut own = self.scop.statement(*id).accesses.iter().filter(|a| a.array == variable);
                own.next().map(|first| first.is_write() && is_sure(first))
            }
            Node::Guard(guard) => {
                let first = |nodes: &[Node]| nodes.iter().find_map(|own| self.begins_with_a_write(own, variable));
                let both = [first(&guard.then), first(&guard.otherwise)];
                both.iter().any(Option::is_some).then(|| both.iter().all(|own| *own == Some(true)))
            }
            Node::Loop(_) => Some(false),
        }
    }

    /// Whether two accesses, one of which writes, share no cell but in one turn: both have the same subscripts, one of which moves, or they are in different rows.
    fn are_apart_in_turns(&self, write: &Access, other: &Access) -> bool {
        let (Some(one), Some(two)) = (&write.subscripts, &other.subscripts) else { return false };
        let moves = |subscript: &Expr| reads(subscript, self.node.id);
        let are_two_rows = |(a, b): (&Expr, &Expr)| {
            !moves(a) && !moves(b) && constant_difference(a, b).is_some_and(|difference| difference != 0)
        };
        one == two && one.iter().any(moves) || one.iter().zip(two).any(are_two_rows)
    }

    /// All statements of the loop.
    fn of_loop(&self) -> Vec<(StatementId, &Statement)> {
        let all = self.scop.statements.iter().enumerate();
        all.filter(|(_, s)| s.loops.last() == Some(&self.node.id)).map(|(id, s)| (StatementId(id), s)).collect()
    }
}

fn has_loops(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(_) => true,
        Node::Guard(guard) => has_loops(&guard.then) || has_loops(&guard.otherwise),
        Node::Statement(_) => false,
    })
}

/// Whether nothing but data say which branch runs, here and in the branches.
fn is_by_data(guard: &Guard) -> bool {
    let inner = |node: &Node| match node {
        Node::Statement(_) => true,
        Node::Guard(guard) => is_by_data(guard),
        Node::Loop(_) => false,
    };
    is_up_to_data(&guard.condition) && !guard.reads_beyond && guard.then.iter().chain(&guard.otherwise).all(inner)
}

/// Whether nothing but data say when a condition holds.
pub(super) fn is_up_to_data(condition: &Condition) -> bool {
    match condition {
        Condition::Unknown => true,
        Condition::Compare(..) => false,
        Condition::All(parts) | Condition::Any(parts) => parts.iter().all(is_up_to_data),
        Condition::Not(inner) => is_up_to_data(inner),
    }
}

fn is_sure(access: &Access) -> bool {
    access.certainty == Certainty::Must && access.condition.is_always()
}
