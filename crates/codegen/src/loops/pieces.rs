//! What new loops visit: statements, and parts of the source that stay in one piece.
//!
//! Where data decides, or a block declares what its statements use, a statement's own text is not all of what it does. Such a part
//! without loops in it is one piece, and moves as a whole:
//!
//! ```text
//! if (c[i][k] < best[i]) {      one piece, whose operations read c and best, and may write best and at
//!   best[i] = c[i][k];
//!   at[i] = k;
//! }
//! ```
//!
//! Of a block that has loops in it, or that the order takes apart, statements stay together that use a variable of the block:
//!
//! ```text
//! for (…) {
//!   float p = x[i];          one piece, if no later statement uses p
//!   t[i] = p * p;
//!   y[i] = t[i - 1];         one piece
//! }
//! ```
//!
//! Where there are loops in that, too, or the order takes it apart, each statement stands behind its conditions, which are then asked again:
//! `if (c[i][k] < best[i])` in front of each. So each statement is taken to read what its conditions read, at its own date, and
//! nothing that may run between the condition and the statement may write that.
//!
//! Declarations that are in no piece move in front ([`moved`](mod@super::moved)).
//!
//! Invariants: the pieces do what the scop does, each statement is in one of them, and a piece's name is that of its first statement.

use super::in_tree::unknown;
use super::mentions;
use super::moved::moved;
use super::refusal::{Obstacle, declaration, not_understood, why_not};
use super::regions::Regions;
use polyfold_c::code::{Kind, tokens};
use polyfold_scop::{
    Access, ArrayId, Condition, Effect, Guard, InFront, Loop, Node, Scop, Span, Statement, StatementId, StatementKind,
};
use std::collections::BTreeSet;

/// A part of the source that moves as one.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its statements in the scop, in the order of the text.
    pub statements: Vec<StatementId>,
    /// Its text.
    pub span: Span,
    /// Conditions on data around it, outermost first, and whether they hold there.
    pub conditions: Vec<(Span, bool)>,
    /// Of the conditions around it, outermost first, whether they are asked again in front of it: all but those on counters and sizes.
    pub(super) guards: Vec<bool>,
    /// Declarations in its text.
    pub(super) declarations: Vec<Span>,
}

/// The pieces of a scop.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The scop with one statement for each piece.
    pub scop: Scop,
    /// By statement of that scop.
    pub all: Vec<Piece>,
    /// Declarations that are to stand in front of it.
    pub(super) in_front: Vec<InFront>,
}

/// The pieces of a scop, of which the parts in `apart` are taken apart.
///
/// # Errors
/// What keeps the scop's loops as they are.
pub fn pieces(source: &str, scop: &Scop, apart: &[Span]) -> Result<Pieces, Obstacle> {
    if let Some(obstacle) = why_not(source, scop) {
        return Err(obstacle);
    }
    let regions = Regions::of(source, scop);
    let mut builder =
        Builder { guards: Vec::new(), source, scop, regions: &regions, apart, statements: Vec::new(), all: Vec::new() };
    let body = builder.nodes(&scop.body, &mut Vec::new())?;
    let Builder { statements, all, .. } = builder;
    let is_inside = |at: &Span| all.iter().any(|piece| piece.declarations.contains(at));
    let outside = regions.declarations.iter().filter(|at| !is_inside(at));
    let (mut in_front, mut taken) = (Vec::new(), BTreeSet::new());
    for at in outside {
        let own = moved(source, (scop, &regions), at, &taken).ok_or_else(|| declaration(at.clone()))?;
        taken.extend(own.iter().map(|own| own.name.clone()));
        in_front.extend(own);
    }
    if let Some(piece) = unknown(scop, &all) {
        return Err(not_understood(scop, piece));
    }
    Ok(Pieces { scop: Scop { statements, body, ..scop.clone() }, all, in_front })
}

impl Pieces {
    /// Whether each is a statement of the scop that they are of: their scop is then that one. (What moves as a whole with more than its
    /// statement has another span.)
    pub fn are_statements_of(&self, scop: &Scop) -> bool {
        self.scop.statements == scop.statements
    }
}

impl Piece {
    /// Its text and those of its conditions.
    pub(super) fn spans(&self) -> impl Iterator<Item = &Span> {
        self.conditions.iter().map(|(span, _)| span).chain([&self.span])
    }
}

struct Builder<'a> {
    source: &'a str,
    scop: &'a Scop,
    regions: &'a Regions,
    apart: &'a [Span],
    statements: Vec<Statement>,
    all: Vec<Piece>,
    /// Of the conditions around, whether they are asked again.
    guards: Vec<bool>,
}

/// A condition on data, and the branch of it.
struct Held<'a> {
    guard: &'a Guard,
    text: Span,
    holds: bool,
    /// What it reads.
    reads: Vec<Access>,
}

impl<'a> Builder<'a> {
    fn nodes(&mut self, nodes: &'a [Node], around: &mut Vec<Held<'a>>) -> Result<Vec<Node>, Obstacle> {
        let (mut made, mut at) = (Vec::new(), 0);
        while let Some(node) = nodes.get(at) {
            let span = self.scop.span_of(node);
            if let Some(region) = self.whole_around(&span) {
                let count = nodes[at..].iter().take_while(|node| holds(&region, &self.scop.span_of(node))).count();
                made.extend(self.whole(region, &nodes[at..at + count], around));
                at += count;
                continue;
            }
            if let Some(Group { span, count }) = self.group_at(&nodes[at..]) {
                made.extend(self.whole(span, &nodes[at..at + count], around));
                at += count;
                continue;
            }
            let before = at.checked_sub(1).and_then(|before| nodes.get(before));
            made.extend(self.node(node, before, around)?);
            at += 1;
        }
        Ok(made)
    }

    fn node(
        &mut self,
        node: &'a Node,
        before: Option<&'a Node>,
        around: &mut Vec<Held<'a>>,
    ) -> Result<Option<Node>, Obstacle> {
        Ok(match node {
            Node::Loop(l) => Some(Node::Loop(Loop { body: self.nodes(&l.body, around)?, ..l.clone() })),
            Node::Guard(g) => Some(Node::Guard(self.guard(g, before, around)?)),
            Node::Statement(id) => match self.scop.statement(*id).kind {
                StatementKind::Condition => None,
                _ => Some(self.single(*id, around)),
            },
        })
    }

    fn guard(
        &mut self,
        guard: &'a Guard,
        before: Option<&Node>,
        around: &mut Vec<Held<'a>>,
    ) -> Result<Guard, Obstacle> {
        let on_data = guard.condition.depends_on_data();
        self.guards.push(on_data);
        let reads = if on_data { self.reads(guard, before) } else { Vec::new() };
        let text = if on_data { self.condition(guard)? } else { guard.span.clone() };
        let mut branch = |nodes: &'a [Node], holds: bool| {
            if !on_data {
                return self.nodes(nodes, around);
            }
            let held = Held { guard, text: text.clone(), holds, reads: reads.clone() };
            self.keeps_its_condition(&held, nodes)?;
            around.push(held);
            let made = self.nodes(nodes, around);
            around.pop();
            made
        };
        let [then, otherwise] = [branch(&guard.then, true), branch(&guard.otherwise, false)];
        self.guards.pop();
        let (then, otherwise) = (then?, otherwise?);
        Ok(Guard { then, otherwise, ..guard.clone() })
    }

    /// What a condition reads: the statement in front of its guard says it, if the scop may change any of it.
    fn reads(&self, guard: &Guard, before: Option<&Node>) -> Vec<Access> {
        let Some(Node::Statement(id)) = before else { return Vec::new() };
        let statement = self.scop.statement(*id);
        let is_it = statement.kind == StatementKind::Condition && holds(&guard.span, &statement.span);
        if is_it { statement.accesses.clone() } else { Vec::new() }
    }

    /// The text between the parentheses of an `if`.
    fn condition(&self, guard: &Guard) -> Result<Span, Obstacle> {
        let all = tokens(self.source, &guard.span);
        let mut depth = 0;
        let closing = all.iter().skip(1).find(|token| {
            depth += i32::from(token.is('(')) - i32::from(token.is(')'));
            depth == 0
        });
        match (all.get(1), closing) {
            (Some(opening), Some(closing)) if closing.is(')') => Ok(opening.at + 1..closing.at),
            _ => Err(Obstacle {
                what: "a macro makes the parentheses of this `if`".to_string(),
                span: guard.span.clone(),
                help: "write them out",
            }),
        }
    }

    /// Whether a condition, asked again in front of each statement of a branch, says what it said in front of the first one.
    fn keeps_its_condition(&self, held: &Held, branch: &[Node]) -> Result<(), Obstacle> {
        let read: BTreeSet<ArrayId> = held.reads.iter().map(|access| access.array).collect();
        let mut statements = Vec::new();
        in_order(branch, None, &mut statements);
        for (at, (id, own_loop)) in statements.iter().enumerate() {
            let repeats = |other: &Option<usize>| own_loop.is_some() && own_loop == other;
            let earlier = statements.iter().enumerate().filter(|(k, (_, other))| *k < at || repeats(other));
            for (_, (other, _)) in earlier {
                let statement = self.scop.statement(*other);
                let is_read = |access: &&Access| read.iter().any(|id| self.scop.may_be_same(*id, access.array));
                let written = statement.accesses.iter().find(|access| access.is_write() && is_read(access));
                if let Some(access) = written {
                    return Err(self.changed(held, &self.scop.array(access.array).name, *id));
                }
                if statement.is_effectful() || held.guard.reads_beyond {
                    return Err(self.unseen(held, *id));
                }
            }
        }
        Ok(())
    }

    fn changed(&self, held: &Held, name: &str, statement: StatementId) -> Obstacle {
        let line = self.source[..held.guard.span.start].matches('\n').count() + 1;
        Obstacle {
            what: format!(
                "`{name}` may change between the condition at line {line}, which reads it, and this statement"
            ),
            span: self.scop.statement(statement).span.clone(),
            help: "let them stay together, or keep the condition's value in an array of its own",
        }
    }

    fn unseen(&self, held: &Held, statement: StatementId) -> Obstacle {
        let line = self.source[..held.guard.span.start].matches('\n').count() + 1;
        Obstacle {
            what: format!("what the condition at line {line} reads may have changed when this statement runs"),
            span: self.scop.statement(statement).span.clone(),
            help: "let them stay together, or keep the condition's value in an array of its own",
        }
    }

    /// A statement behind its conditions.
    fn single(&mut self, id: StatementId, around: &[Held]) -> Node {
        let mut statement = self.scop.statement(id).clone();
        let conditions = around.iter().map(|held| (held.text.clone(), held.holds)).collect();
        self.add_reads(&mut statement, around);
        let span = statement.span.clone();
        let guards = self.guards.clone();
        self.push(statement, Piece { statements: vec![id], span, conditions, guards, declarations: Vec::new() })
    }

    fn add_reads(&self, statement: &mut Statement, around: &[Held]) {
        statement.accesses.extend(around.iter().flat_map(|held| held.reads.iter().cloned()));
        if around.iter().any(|held| held.guard.reads_beyond) {
            statement.kind = StatementKind::Effectful(Effect::Memory);
        }
    }

    /// All of a region as one statement; `None`: nothing happens in it.
    fn whole(&mut self, region: Span, nodes: &'a [Node], around: &[Held]) -> Option<Node> {
        let mut inside =
            Inside { scop: self.scop, region: &region, statements: Vec::new(), accesses: Vec::new(), stays: None };
        inside.collect(nodes, &Condition::always());
        let Inside { statements, accesses, stays, .. } = inside;
        let first = self.scop.statement(*statements.first()?);
        let mut statement = Statement {
            name: first.name.clone(),
            loops: first.loops.clone(),
            accesses,
            kind: stays.map_or(StatementKind::Assignment, StatementKind::Effectful),
            line: self.source[..region.start].matches('\n').count() + 1,
            span: region.clone(),
        };
        self.add_reads(&mut statement, around);
        let conditions = around.iter().map(|held| (held.text.clone(), held.holds)).collect();
        let declarations = self.regions.declarations.iter().filter(|at| holds(&region, at)).cloned().collect();
        let guards = self.guards.clone();
        Some(self.push(statement, Piece { statements, span: region, conditions, guards, declarations }))
    }

    fn push(&mut self, statement: Statement, piece: Piece) -> Node {
        self.statements.push(statement);
        self.all.push(piece);
        Node::Statement(StatementId(self.all.len() - 1))
    }

    /// The largest part around some text that moves as a whole.
    fn whole_around(&self, span: &Span) -> Option<Span> {
        let may_move = |region: &&Span| holds(region, span) && !self.apart.contains(region) && self.is_movable(region);
        self.regions.parts.iter().filter(may_move).min_by_key(|region| region.start).cloned()
    }

    /// Statements from the first node on that use variables which one of them is the first to use, and which nothing behind them mentions.
    fn group_at(&self, nodes: &[Node]) -> Option<Group> {
        let first = self.scop.span_of(nodes.first()?);
        let block = self.regions.parts.iter().filter(|part| holds(part, &first)).max_by_key(|part| part.start)?;
        let (mut count, mut known) = (1, BTreeSet::new());
        let mut span = first.clone();
        while let Some((id, declaration)) = self.declared_at(block, &nodes[..count], &known) {
            known.insert(id);
            let uses = |node: &Node| self.uses(node, id);
            count = count.max(nodes.iter().rposition(uses).map_or(0, |last| last + 1));
            span.start = span.start.min(declaration.start);
        }
        span.end = self.scop.span_of(&nodes[count - 1]).end;
        let names: BTreeSet<&str> = known.iter().map(|id| self.scop.array(*id).name.as_str()).collect();
        let is_whole = !mentions(&self.source[span.end..block.end], &names) && self.has_all_of(&span, &known);
        let is_one = count > 1 && is_whole && !self.apart.contains(&span) && self.is_movable(&span);
        is_one.then_some(Group { span, count })
    }

    /// A variable that is declared in a block, directly in front of some of its nodes or by one of them.
    fn declared_at(&self, block: &Span, nodes: &[Node], known: &BTreeSet<ArrayId>) -> Option<(ArrayId, Span)> {
        let ids = (0..self.scop.arrays.len()).map(ArrayId).filter(|id| !known.contains(id));
        let mut all = ids.filter_map(|id| Some((id, self.scop.array(id).declaration.as_ref()?)));
        let is_used = |id: ArrayId| nodes.iter().any(|node| self.uses(node, id));
        let is_here =
            |at: &Span| self.regions.parts.iter().filter(|part| holds(part, at)).max_by_key(|part| part.start);
        let found = all.find(|(id, own)| own.inside_scop && is_here(&own.statement) == Some(block) && is_used(*id));
        found.map(|(id, own)| (id, own.statement.clone()))
    }

    /// Whether all statements that use some variables stand in a part of the text, and so do their declarations.
    fn has_all_of(&self, part: &Span, variables: &BTreeSet<ArrayId>) -> bool {
        let is_own = |access: &Access| variables.contains(&access.array);
        let mut users = self.scop.statements.iter().filter(|own| own.accesses.iter().any(is_own));
        let in_part = |at: &Span| holds(part, at);
        let mut declared =
            self.scop.arrays.iter().enumerate().filter_map(|(k, own)| Some((k, own.declaration.as_ref()?)));
        users.all(|own| in_part(&own.span))
            && declared.all(|(k, own)| !in_part(&own.statement) || variables.contains(&ArrayId(k)))
    }

    /// Whether some statement in a node uses an array.
    fn uses(&self, node: &Node, id: ArrayId) -> bool {
        let is_user = |own: &Statement| own.accesses.iter().any(|access| access.array == id);
        let mut all = self.scop.statements.iter().enumerate().filter(|(_, own)| is_user(own));
        all.any(|(k, _)| node.holds(StatementId(k)))
    }

    /// Whether a part has no loops in it, and means nothing else by a counter's name.
    fn is_movable(&self, region: &Span) -> bool {
        let loops = self.scop.loops();
        let has_loops = loops.iter().any(|l| holds(region, &l.span));
        let around: BTreeSet<&str> =
            loops.iter().filter(|l| holds(&l.span, region)).map(|l| l.iterator.as_str()).collect();
        let declared = self.regions.declarations.iter().filter(|at| holds(region, at));
        let is_static = |at: &Span| mentions(&self.source[at.clone()], &BTreeSet::from(["static", "extern"]));
        !has_loops && !declared.into_iter().any(|at| declares(self.source, at, &around) || is_static(at))
    }
}

/// Statements that stay together since they use variables of their own.
struct Group {
    span: Span,
    /// How many nodes.
    count: usize,
}

/// What happens in a part that moves as a whole.
struct Inside<'a> {
    scop: &'a Scop,
    region: &'a Span,
    statements: Vec<StatementId>,
    accesses: Vec<Access>,
    /// What they may do besides their writes.
    stays: Option<Effect>,
}

impl Inside<'_> {
    fn collect(&mut self, nodes: &[Node], condition: &Condition) {
        for node in nodes {
            match node {
                Node::Loop(l) => self.collect(&l.body, condition),
                Node::Guard(g) => {
                    self.stays = self.stays.or(g.reads_beyond.then_some(Effect::Memory));
                    self.collect(&g.then, &condition.clone().and(g.condition.clone()));
                    self.collect(&g.otherwise, &condition.clone().and(g.condition.clone().negate()));
                }
                Node::Statement(id) => self.add(*id, condition),
            }
        }
    }

    fn add(&mut self, id: StatementId, condition: &Condition) {
        let statement = self.scop.statement(id);
        self.statements.push(id);
        if let StatementKind::Effectful(effect) = statement.kind {
            self.stays = Some(if self.stays == Some(Effect::Call) { Effect::Call } else { effect });
        }
        let is_own = |array: ArrayId| {
            let declaration = self.scop.array(array).declaration.as_ref();
            declaration.is_some_and(|d| d.inside_scop && holds(self.region, &d.statement))
        };
        let accesses = statement.accesses.iter().filter(|access| !is_own(access.array));
        let under =
            |access: &Access| Access { condition: condition.clone().and(access.condition.clone()), ..access.clone() };
        self.accesses.extend(accesses.map(under));
    }
}

/// Statements with the outermost loop around them among the nodes.
fn in_order(nodes: &[Node], own_loop: Option<usize>, into: &mut Vec<(StatementId, Option<usize>)>) {
    for node in nodes {
        match node {
            Node::Loop(l) => in_order(&l.body, own_loop.or(Some(l.id.0)), into),
            Node::Guard(g) => {
                in_order(&g.then, own_loop, into);
                in_order(&g.otherwise, own_loop, into);
            }
            Node::Statement(id) => into.push((*id, own_loop)),
        }
    }
}

pub(super) fn holds(outer: &Span, inner: &Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether a declaration declares one of some names: outside of parentheses and brackets, not behind a `=`.
pub(super) fn declares(source: &str, at: &Span, names: &BTreeSet<&str>) -> bool {
    let (mut depth, mut is_value) = (0, false);
    tokens(source, at).iter().any(|token| {
        depth += i32::from(token.is_any(&['(', '[', '{'])) - i32::from(token.is_any(&[')', ']', '}']));
        is_value = if depth == 0 && token.is_any(&['=', ',']) { token.is('=') } else { is_value };
        token.kind == Kind::Word && depth == 0 && !is_value && names.contains(token.text)
    })
}
