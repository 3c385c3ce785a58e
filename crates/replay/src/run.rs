//! The interpreter: walks the loop tree as C would and writes down what each operation touches.
//!
//! It knows nothing of sets, dates or mappings. An operation's reads come before its writes; what a function reads or writes through
//! an address is needed once more behind them, since nobody knows when it reads. Memory from before the scop
//! is there for what is live-in; whatever the tree leaves to data is up to the caller's `choose`.
//!
//! Example: `for (i = 0; i < 2; i++) t[i] = x[i];` gives two operations: `x[0]` read and `t[0]` written, then `x[1]` and `t[1]`.
//!
//! Invariant: the same sizes and choices give the same trace.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use polyfold_scop::{
    Access, AccessKind, ArrayId, Certainty, Guard, Liveness, Loop, Node, Parameter, ParameterOrigin, Role, Scop,
    StatementId,
};

use crate::evaluate::Environment;
use crate::trace::{Event, Operation, Trace, Turn};

/// Why a scop could not be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// No value was given for this parameter, and it has none of its own.
    MissingParameter(String),
    /// There are more operations, or more turns of loops, than this.
    TooLong(usize),
    /// A bound, condition or subscript does not fit 64 bits.
    Overflow,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::MissingParameter(name) => write!(f, "no value for the parameter {name}"),
            ReplayError::TooLong(limit) => write!(f, "the run takes more than {limit} operations"),
            ReplayError::Overflow => write!(f, "an expression does not fit 64 bits"),
        }
    }
}

impl std::error::Error for ReplayError {}

impl Trace {
    /// Runs `scop.body` at the given sizes; a macro that is absent from `sizes` keeps its own value.
    ///
    /// `choose` decides each evaluation of a data-dependent condition, and whether each access that merely may
    /// happen does. `limit` bounds the number of operations, and that of loop turns.
    ///
    /// # Errors
    /// See [`ReplayError`].
    pub fn run(
        scop: &Scop,
        sizes: &BTreeMap<String, i64>,
        mut choose: impl FnMut() -> bool,
        limit: usize,
    ) -> Result<Trace, ReplayError> {
        let parameters = scop.parameters.iter().map(|p| size_of(p, sizes)).collect::<Result<_, _>>()?;
        let loops = scop.loops().last().map_or(0, |l| l.id.0 + 1);
        let mut runner = Runner {
            scop,
            environment: Environment { counters: vec![0; loops], parameters },
            choose: &mut choose,
            limit,
            turns: 0,
            trace: Trace {
                operations: Vec::new(),
                turns: Vec::new(),
                unknown_accesses: 0,
                live_in: crossing(scop, |liveness| matches!(liveness, Liveness::In | Liveness::InOut)),
                live_out: crossing(scop, |liveness| matches!(liveness, Liveness::Out | Liveness::InOut)),
            },
        };
        runner.nodes(&scop.body)?;
        Ok(runner.trace)
    }
}

fn size_of(parameter: &Parameter, sizes: &BTreeMap<String, i64>) -> Result<i64, ReplayError> {
    match (sizes.get(&parameter.name), &parameter.origin) {
        (Some(value), _) | (None, ParameterOrigin::Constant(value)) => Ok(*value),
        (None, ParameterOrigin::Variable) => Err(ReplayError::MissingParameter(parameter.name.clone())),
    }
}

fn crossing(scop: &Scop, wanted: impl Fn(Liveness) -> bool) -> BTreeSet<ArrayId> {
    let crosses = |role: &Role| match role {
        Role::Temporary => false,
        Role::Kept(kept) => wanted(kept.liveness),
    };
    (0..scop.arrays.len()).map(ArrayId).filter(|id| crosses(&scop.array(*id).role)).collect()
}

struct Runner<'a> {
    scop: &'a Scop,
    environment: Environment,
    choose: &'a mut dyn FnMut() -> bool,
    limit: usize,
    turns: usize,
    trace: Trace,
}

impl Runner<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Result<(), ReplayError> {
        for node in nodes {
            match node {
                Node::Loop(l) => self.repeat(l)?,
                Node::Guard(g) => self.guard(g)?,
                Node::Statement(id) => self.statement(*id)?,
            }
        }
        Ok(())
    }

    fn repeat(&mut self, l: &Loop) -> Result<(), ReplayError> {
        let mut counter = self.environment.value(&l.first, self.choose).ok_or(ReplayError::Overflow)?;
        loop {
            self.environment.counters[l.id.0] = counter;
            if !self.environment.holds(&l.condition, self.choose).ok_or(ReplayError::Overflow)? {
                return Ok(());
            }
            self.turns += 1;
            if self.turns > self.limit {
                return Err(ReplayError::TooLong(self.limit));
            }
            self.nodes(&l.body)?;
            self.trace.turns.push(Turn { of: l.id, end: self.trace.operations.len() });
            counter = counter.checked_add(l.step).ok_or(ReplayError::Overflow)?;
        }
    }

    fn guard(&mut self, g: &Guard) -> Result<(), ReplayError> {
        let holds = self.environment.holds(&g.condition, self.choose).ok_or(ReplayError::Overflow)?;
        self.nodes(if holds { &g.then } else { &g.otherwise })
    }

    fn statement(&mut self, id: StatementId) -> Result<(), ReplayError> {
        if self.trace.operations.len() == self.limit {
            return Err(ReplayError::TooLong(self.limit));
        }
        let statement = self.scop.statement(id);
        let iteration = statement.loops.iter().map(|l| self.environment.counters[l.0]).collect();
        let (mut events, mut still): (Vec<Event>, Vec<Event>) = (Vec::new(), Vec::new());
        type Numbered<'a> = Vec<(usize, &'a Access)>;
        let all = statement.accesses.iter().enumerate();
        let (reads, writes): (Numbered, Numbered) = all.partition(|(_, a)| a.is_read());
        for (number, access) in reads.into_iter().chain(writes) {
            let Some(event) = self.access(number, access)? else { continue };
            still.extend(access.is_in_call().then(|| event.clone()));
            match event.kind {
                AccessKind::Read => events.push(event),
                AccessKind::Write => record_write(&mut events, event),
            }
        }
        self.trace.operations.push(Operation { statement: id, iteration, events, still });
        Ok(())
    }

    fn access(&mut self, number: usize, access: &Access) -> Result<Option<Event>, ReplayError> {
        if !self.environment.holds(&access.condition, self.choose).ok_or(ReplayError::Overflow)? {
            return Ok(None);
        }
        if access.certainty == Certainty::May && !(self.choose)() {
            return Ok(None);
        }
        let Some(subscripts) = &access.subscripts else {
            self.trace.unknown_accesses += 1;
            return Ok(None);
        };
        let cell: Option<_> = subscripts.iter().map(|s| self.environment.value(s, self.choose)).collect();
        let cell = cell.ok_or(ReplayError::Overflow)?;
        Ok(Some(Event { access: number, array: access.array, cell, kind: access.kind, certainty: access.certainty }))
    }
}

/// Several writes of one cell in one operation are one write.
fn record_write(events: &mut Vec<Event>, event: Event) {
    let earlier = events.iter_mut().find(|e| e.kind == event.kind && e.array == event.array && e.cell == event.cell);
    match earlier {
        Some(earlier) if event.certainty == Certainty::Must => earlier.certainty = Certainty::Must,
        Some(_) => {}
        None => events.push(event),
    }
}
