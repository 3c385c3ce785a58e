//! Which parts of a scop become one statement of a problem.
//!
//! A statement of a problem has a text of its own, which may stand in any loops. What cannot be taken apart like that stays in one piece:
//!
//! ```text
//! if (a[i] > 0)            data decides: the whole `if` is one statement
//!   b[i] = a[i];
//! for (…) { int t = …; … } what uses t has to stand behind its declaration: the whole loop is one statement
//! ```
//!
//! The idea: the scop's tree says what data decides and where something is declared. The text that the source has for a node is
//! beside it ([`Written`]).

use polyfold_program::Written;
use polyfold_scop::{ArrayId, Loop, LoopId, Node, Scop, StatementId, StatementKind};
use std::collections::BTreeSet;

/// A part of a scop with a text of its own.
pub(crate) struct Piece<'a> {
    /// In the order of the text; the first one gives it its name.
    pub(crate) statements: Vec<StatementId>,
    /// As the source writes it.
    pub(crate) text: &'a str,
    /// Loops around it, outermost first.
    pub(crate) loops: Vec<&'a Loop>,
}

/// Something in a scop that keeps it in one piece.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// What is there, in the user's words.
    pub what: String,
    /// Where.
    pub at: At,
    /// What the user can do.
    pub help: &'static str,
}

/// A place in a scop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// All of it.
    Scop,
    /// The head of a loop.
    Loop(LoopId),
    /// A statement.
    Statement(StatementId),
    /// A declaration between the pragmas.
    Declaration(ArrayId),
}

/// The pieces of a scop, in the order of its text.
///
/// # Errors
/// What cannot be part of any.
pub(crate) fn pieces<'a>(scop: &'a Scop, written: &'a Written) -> Result<Vec<Piece<'a>>, Obstacle> {
    let mut walk = Walk { scop, whole: declaring(scop)?, around: Vec::new(), pieces: Vec::new() };
    walk.list(&scop.body, written)?;
    Ok(walk.pieces)
}

/// The loops that something is declared in.
fn declaring(scop: &Scop) -> Result<BTreeSet<LoopId>, Obstacle> {
    let is_inside = |id: &ArrayId| scop.array(*id).declaration.as_ref().is_some_and(|own| own.inside_scop);
    let around = |id: ArrayId| {
        scop.declaring_loop(id).map(|l| l.id).ok_or_else(|| Obstacle {
            what: "a declaration between the pragmas".to_string(),
            at: At::Declaration(id),
            help: "declare it in front of the scop",
        })
    };
    (0..scop.arrays.len()).map(ArrayId).filter(is_inside).map(around).collect()
}

struct Walk<'a> {
    scop: &'a Scop,
    /// Loops that can't be taken apart.
    whole: BTreeSet<LoopId>,
    around: Vec<&'a Loop>,
    pieces: Vec<Piece<'a>>,
}

impl<'a> Walk<'a> {
    /// A list has a text for each of its nodes, but for what tests data in front of an `if`.
    fn list(&mut self, nodes: &'a [Node], written: &'a Written) -> Result<(), Obstacle> {
        let (mut texts, mut tested) = (written.parts.iter(), Vec::new());
        for node in nodes {
            match node {
                Node::Statement(id) if self.kind(*id) == StatementKind::Condition => {
                    tested.push(*id);
                    continue;
                }
                Node::Guard(own) if own.condition.depends_on_data() => {}
                _ => self.is_understood(tested.first())?,
            }
            let Some(text) = texts.next() else { break };
            self.node(node, text, std::mem::take(&mut tested))?;
        }
        self.is_understood(tested.first())
    }

    fn node(&mut self, node: &'a Node, written: &'a Written, mut statements: Vec<StatementId>) -> Result<(), Obstacle> {
        match node {
            Node::Loop(own) if !self.whole.contains(&own.id) => {
                self.around.push(own);
                let inside = written.parts.get(1).map_or(Ok(()), |body| self.list(&own.body, body));
                self.around.pop();
                return inside;
            }
            Node::Guard(own) if !own.condition.depends_on_data() => {
                let lists = [&own.then, &own.otherwise].into_iter().zip(written.parts.iter().skip(1));
                return lists.into_iter().try_for_each(|(list, written)| self.list(list, written));
            }
            Node::Statement(id) if self.kind(*id) == StatementKind::Declaration => self.is_understood(Some(id))?,
            _ => {}
        }
        each_statement(node, &mut statements);
        let Some(_) = statements.first() else { return Ok(()) };
        self.pieces.push(Piece { statements, text: &written.whole, loops: self.around.clone() });
        Ok(())
    }

    fn kind(&self, id: StatementId) -> StatementKind {
        self.scop.statement(id).kind
    }

    fn is_understood(&self, other: Option<&StatementId>) -> Result<(), Obstacle> {
        let what = || "a condition or declaration that belongs to no statement".to_string();
        let at =
            |id: &StatementId| Obstacle { what: what(), at: At::Statement(*id), help: "write it into a statement" };
        other.map_or(Ok(()), |id| Err(at(id)))
    }
}

fn each_statement(node: &Node, found: &mut Vec<StatementId>) {
    match node {
        Node::Loop(own) => own.body.iter().for_each(|node| each_statement(node, found)),
        Node::Guard(own) => own.then.iter().chain(&own.otherwise).for_each(|node| each_statement(node, found)),
        Node::Statement(id) => found.push(*id),
    }
}
