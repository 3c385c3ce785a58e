//! Conditions of the source's own, where a part of a loop settles them.
//!
//! `if (i > 0 && i < n - 1 && j > 0 && j < n - 1)` keeps compilers from making vectors of a loop over j. The loop is cut where the answer
//! changes with j, as it is for reads (`parts`), and a part has the branch that is left, or what is left of the condition:
//!
//! ```text
//! j = 0: the other branch        0 < j < n − 1: if (i > 0 && i < n - 1)        j = n − 1: the other branch
//! ```
//!
//! Conditions on data stay, and so do those in which something divides or is chosen.

use super::Segments;
use super::branches::Branches;
use super::frame::LoopFrame;
use super::parts::Part;
use super::spelling::Spelling;
use crate::accesses::View;
use crate::edit::{Edit, Edits};
use crate::home::words;
use crate::removal::removal;
use crate::rows::Rows;
use crate::subscript::Positions;
use crate::values::counter_in_isl;
use crate::{CNames, Decisions, needs_helpers};
use polyfold_isl::{Result, Set};
use polyfold_scop::{Guard, Node, Span, StatementId};

/// What some iterations say of a condition.
enum Settled {
    Holds(Branches),
    Fails(Branches),
    /// This is left of it.
    Asks(Branches, Set),
    /// It stays as it is.
    Unknown,
}

impl Segments<'_> {
    /// For each condition the iterations in which it holds, and the others, by the counters around.
    pub(super) fn guard_cases(&self, frame: &LoopFrame) -> Result<Vec<Vec<Set>>> {
        let mut cases = Vec::new();
        if !self.has_changes()? {
            return Ok(cases);
        }
        let stays = |guard: &&Guard| !guard.reads_beyond && !self.inside.removed.contains(&guard.span);
        for guard in guards(&self.inside.node.body).into_iter().filter(stays) {
            let own = "x";
            let Some(condition) = self.spelling(own, frame).condition(&guard.condition) else { continue };
            let holds = self.set(frame.outer, &format!("[{own}] : {condition}"))?;
            let range = frame.iterations()?;
            cases.push(vec![range.intersect(&holds)?, range.subtract(&holds)?]);
        }
        Ok(cases)
    }

    /// Takes the branch that is left in a part, or shortens the condition.
    pub(super) fn settle(&self, part: &Part, edits: &mut Edits) -> Result<()> {
        let (Some(operations), Some(frame), Some(names)) = (&part.operations, self.frame()?, self.names(part)?) else {
            return Ok(());
        };
        self.settle_all(&self.inside.node.body, (operations, &frame, &names), edits)
    }

    fn settle_all(
        &self,
        nodes: &[Node],
        (operations, frame, names): (&Set, &LoopFrame, &CNames),
        edits: &mut Edits,
    ) -> Result<()> {
        for node in nodes {
            let Node::Guard(guard) = node else { continue };
            if self.inside.removed.contains(&guard.span) {
                continue;
            }
            let inside = (operations, frame, names);
            match self.settled(guard, operations, frame)? {
                Settled::Holds(pieces) => {
                    self.settle_all(&guard.then, inside, edits)?;
                    pieces.keep(self.accesses.source, &pieces.then, &guard.span, edits);
                }
                Settled::Fails(pieces) => {
                    self.settle_all(&guard.otherwise, inside, edits)?;
                    match &pieces.otherwise {
                        Some(otherwise) => pieces.keep(self.accesses.source, otherwise, &guard.span, edits),
                        None => self.drop_guard(&guard.span, edits),
                    }
                }
                open => {
                    self.settle_all(&guard.then, inside, edits)?;
                    self.settle_all(&guard.otherwise, inside, edits)?;
                    if let Settled::Asks(pieces, rest) = open {
                        self.shorten(&pieces, &names.condition(&rest)?, edits);
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes a condition away with what it stands for.
    fn drop_guard(&self, guard: &Span, edits: &mut Edits) {
        let (source, scop) = (self.accesses.source, self.accesses.decisions.scop);
        edits.drop_inside(std::slice::from_ref(guard));
        edits.push(removal(source, &scop.span, guard));
    }

    /// The statements that run in every iteration of a part, and those that run in none.
    pub(super) fn always_and_never(&self, part: &Part) -> Result<(Vec<StatementId>, Vec<StatementId>)> {
        let (mut always, mut sometimes) = (Vec::new(), Vec::new());
        let frame = self.frame()?.zip(part.operations.as_ref());
        self.collect_running(&self.inside.node.body, frame.as_ref(), true, &mut |id, is_sure| {
            if is_sure { always.push(id) } else { sometimes.push(id) }
        })?;
        let runs = |id: &&StatementId| always.contains(id) || sometimes.contains(id);
        let never = self.inside.statements.iter().filter(|id| !runs(id)).copied().collect();
        Ok((always, never))
    }

    fn collect_running(
        &self,
        nodes: &[Node],
        frame: Option<&(LoopFrame, &Set)>,
        is_sure: bool,
        found: &mut dyn FnMut(StatementId, bool),
    ) -> Result<()> {
        for node in nodes {
            match node {
                Node::Statement(id) => found(*id, is_sure),
                Node::Loop(inner) => self.collect_running(&inner.body, None, false, found)?,
                Node::Guard(guard) => {
                    let settled = frame.map(|(frame, operations)| self.settled(guard, operations, frame));
                    match settled.transpose()? {
                        Some(Settled::Holds(_)) => self.collect_running(&guard.then, frame, is_sure, found)?,
                        Some(Settled::Fails(_)) => self.collect_running(&guard.otherwise, frame, is_sure, found)?,
                        _ => {
                            self.collect_running(&guard.then, frame, false, found)?;
                            self.collect_running(&guard.otherwise, frame, false, found)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts what is left of a condition in its place, if the loop does not change it, or it is shorter.
    fn shorten(&self, pieces: &Branches, condition: &str, edits: &mut Edits) {
        let span = pieces.condition.clone();
        let is_fixed = words(condition).all(|(_, word)| word != self.head.counter);
        let is_better = is_fixed || condition.len() < self.accesses.source[span.clone()].len();
        if is_better && !needs_helpers(condition) {
            edits.drop_inside(std::slice::from_ref(&span));
            edits.push(Edit { span, text: condition.to_string() });
        }
    }

    /// What some iterations say of a condition.
    fn settled(&self, guard: &Guard, operations: &Set, frame: &LoopFrame) -> Result<Settled> {
        let own = counter_in_isl(frame.outer);
        let condition = self.spelling(&own, frame).condition(&guard.condition).filter(|_| !guard.reads_beyond);
        let (Some(condition), Some(pieces)) = (condition, Branches::of(self.accesses.source, &guard.span)) else {
            return Ok(Settled::Unknown);
        };
        let holds = self.set(frame.outer + 1, &format!(": {condition}"))?;
        Ok(if operations.is_subset(&holds)? {
            Settled::Holds(pieces)
        } else if operations.intersect(&holds)?.is_empty()? {
            Settled::Fails(pieces)
        } else {
            Settled::Asks(pieces, holds.gist_params(operations)?.coalesce()?)
        })
    }

    /// Whether it has accesses that read otherwise than in the source.
    pub(super) fn has_changes(&self) -> Result<bool> {
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&self.inside.statements), positions, rows, part: None };
        Ok(!self.accesses.rewritten(&view)?.0.is_empty())
    }

    fn spelling<'b>(&'b self, own: &'b str, frame: &'b LoopFrame) -> Spelling<'b> {
        Spelling { decisions: self.accesses.decisions, around: &frame.around, own }
    }

    /// A set with sizes and so many counters as parameters.
    pub(super) fn set(&self, counters: usize, text: &str) -> Result<Set> {
        let Decisions { parameters, proved, .. } = self.accesses.decisions;
        let counters = (0..counters).map(counter_in_isl);
        let all: Vec<String> = parameters.iter().cloned().chain(counters).collect();
        Set::read(proved.context(), &format!("[{}] -> {{ {text} }}", all.join(", ")))
    }
}

/// All conditions of a body without loops.
fn guards(nodes: &[Node]) -> Vec<&Guard> {
    nodes.iter().fold(Vec::new(), |mut found, node| {
        if let Node::Guard(guard) = node {
            found.push(guard);
            found.extend(guards(&guard.then));
            found.extend(guards(&guard.otherwise));
        }
        found
    })
}
