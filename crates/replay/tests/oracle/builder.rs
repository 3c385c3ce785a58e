//! Scops by hand, without a source text.

use std::collections::BTreeMap;

use polyfold_program::{IntType, Scalar};
use polyfold_replay::{ReplayError, Trace};
use polyfold_scop::*;

/// A scop under construction: arrays and statements; the tree is built from the free functions below.
pub(crate) struct Builder(Scop);

impl Builder {
    pub(crate) fn new(parameters: &[&str]) -> Builder {
        let parameters = parameters.iter();
        let parameters = parameters
            .map(|name| Parameter { name: (*name).into(), origin: ParameterOrigin::Variable, most: None })
            .collect();
        Builder(Scop {
            function: "f".into(),
            line: 1,
            span: 0..0,
            parameters,
            known: vec![],
            assumed: vec![],
            obligations: vec![],
            limits: vec![],
            pinned: vec![],
            repeats: false,
            outlived: vec![],
            stand_ins: vec![],
            lead: None,
            arrays: vec![],
            statements: vec![],
            body: vec![],
            fragments: vec![],
            under_assumptions: None,
            surroundings: None,
            program: None,
            outline: None,
            written: None,
            order: None,
            expanded: None,
        })
    }

    pub(crate) fn array(&mut self, name: &str, role: Role) -> ArrayId {
        self.0.arrays.push(Array {
            name: name.into(),
            element: "unsigned".into(),
            element_bytes: Some(4),
            kind: Some(Scalar::Integer(IntType::Unsigned(32))),
            extents: vec![],
            role,
            declaration: None,
            extent_texts: None,
            linearised: false,
            is_narrow: false,
            leads_anywhere: false,
            parameter: None,
        });
        ArrayId(self.0.arrays.len() - 1)
    }

    pub(crate) fn temporary(&mut self, name: &str) -> ArrayId {
        self.array(name, Role::Temporary)
    }

    pub(crate) fn statement(&mut self, loops: &[usize], accesses: Vec<Access>) -> Node {
        let id = StatementId(self.0.statements.len());
        self.0.statements.push(Statement {
            name: format!("S{}", id.0),
            loops: loops.iter().copied().map(LoopId).collect(),
            accesses,
            kind: StatementKind::Assignment,
            span: 0..0,
            line: 1,
        });
        Node::Statement(id)
    }

    pub(crate) fn body(mut self, body: Vec<Node>) -> Scop {
        self.0.body = body;
        self.0
    }
}

pub(crate) fn kept(liveness: Liveness) -> Role {
    Role::Kept(Kept {
        liveness,
        code: Code::Interface,
        reason: "it is a parameter".into(),
        surprising: false,
        plain: true,
    })
}

pub(crate) fn read(array: ArrayId, subscripts: &[Expr]) -> Access {
    access(array, AccessKind::Read, subscripts)
}

pub(crate) fn write(array: ArrayId, subscripts: &[Expr]) -> Access {
    access(array, AccessKind::Write, subscripts)
}

pub(crate) fn may(access: Access) -> Access {
    Access { certainty: Certainty::May, ..access }
}

fn access(array: ArrayId, kind: AccessKind, subscripts: &[Expr]) -> Access {
    Access {
        array,
        kind,
        certainty: Certainty::Must,
        subscripts: Some(subscripts.to_vec()),
        condition: Condition::always(),
        moment: Moment::InOrder,
        place: Place::in_file(0..0),
        subscript_spans: vec![],
    }
}

/// `for (first; condition; += step)`.
pub(crate) fn repeat(id: usize, first: Expr, condition: Condition, step: i64, body: Vec<Node>) -> Node {
    let id = LoopId(id);
    let (iterator, counter) = ("i".into(), Counter::int());
    Node::Loop(Loop {
        id,
        iterator,
        counter,
        first,
        condition,
        step,
        parallel: false,
        pragmas: Vec::new(),
        body,
        span: 0..0,
        line: 1,
    })
}

/// `for (i = first; i < end; i++)`.
pub(crate) fn up(id: usize, first: Expr, end: Expr, body: Vec<Node>) -> Node {
    repeat(id, first, compare(i(id), Comparison::Less, end), 1, body)
}

pub(crate) fn guard(condition: Condition, then: Vec<Node>, otherwise: Vec<Node>) -> Node {
    Node::Guard(Guard { condition, then, otherwise, reads_beyond: false, span: 0..0 })
}

pub(crate) fn compare(a: Expr, comparison: Comparison, b: Expr) -> Condition {
    Condition::Compare(a, comparison, b)
}

pub(crate) fn i(id: usize) -> Expr {
    Expr::Iterator(LoopId(id))
}

pub(crate) fn n() -> Expr {
    Expr::Parameter(ParameterId(0))
}

pub(crate) fn c(value: i64) -> Expr {
    Expr::Constant(value)
}

pub(crate) fn sum(parts: &[Expr]) -> Expr {
    parts.iter().cloned().fold(c(0), Expr::add)
}

pub(crate) fn minus(e: Expr) -> Expr {
    e.scale(-1)
}

/// Runs with every parameter at the given size and every data-dependent condition true.
pub(crate) fn run(scop: &Scop, size: i64) -> Trace {
    try_run(scop, size, 1_000_000).unwrap()
}

pub(crate) fn try_run(scop: &Scop, size: i64, limit: usize) -> Result<Trace, ReplayError> {
    let sizes: BTreeMap<_, _> = scop.parameters.iter().map(|p| (p.name.clone(), size)).collect();
    Trace::run(scop, &sizes, || true, limit)
}
