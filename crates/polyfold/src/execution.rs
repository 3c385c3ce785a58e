//! A scop and its new storage as data that can be run, for the report.
//!
//! Expressions of the tree are printed with all parentheses that C needs, those of the storage as a program has them.
//!
//! Invariant: counters of loops inside each other have different names.

use crate::story::text_of;
use crate::summary::{buffer_names, shape};
use polyfold_codegen::{SizesInC, ValueCase, new_statement, storage_name};
use polyfold_flow::sure_writes;
use polyfold_isl::{Error, PwAff};
use polyfold_plan::{Optimized, Outcome};
use polyfold_program::{Local, LocalKind, Program};
use polyfold_prove::{Placed, RowForm};
use polyfold_report::{
    ExecutedAccess, ExecutedArray, ExecutedBuffer, ExecutedCase, ExecutedNode, ExecutedPlace, ExecutedStatement,
    Execution,
};
use polyfold_scop::{
    Access, ArrayId, Certainty, Condition, Expr, LoopId, Node, Parameter, Scop, Statement, StatementId,
};
use std::collections::BTreeMap;

/// A scop in its own order with the storage that was found for it.
///
/// # Errors
/// Only after an earlier failure of isl.
pub fn executed(scop: &Scop, source: &str, result: &Optimized) -> Result<Execution, Error> {
    let names = SizesInC::to_read(&result.proved, &result.parameters, scop)?;
    let useful = result.useful(scop);
    let storage = Storage::of(&useful, source, result, &names)?;
    let mut execution = counting(&useful, source, |id| result.counted.contains(&id));
    execution.buffers = storage.buffers;
    for (id, outcome) in &result.outcomes {
        let array = &mut execution.arrays[id.0];
        array.is_kept = matches!(outcome, Outcome::Kept { .. });
        match outcome {
            Outcome::Mapped { storage: own, .. } => array.place = storage.places.of(own.place(), &names)?,
            Outcome::Shared { buffer, member } => {
                array.place = storage.places.of(result.buffers[*buffer].storage.place(*member), &names)?;
            }
            Outcome::Values { values, .. } => {
                for (statement, access, cases) in values.cases() {
                    let words = at_statement(scop, statement);
                    let case = |case: ValueCase| {
                        let place = case.place.map(|place| storage.places.of(place, &names)).transpose()?.flatten();
                        let version = case.version.iter().map(|e| words.text_of(e)).collect();
                        Ok(ExecutedCase { when: words.text_of_cond(case.test), version, place })
                    };
                    let cases: Vec<ExecutedCase> = cases.map(case).collect::<Result<_, Error>>()?;
                    if let Some(access) = execution.statements[statement.0].accesses.get_mut(access) {
                        access.values = cases;
                    }
                }
            }
            Outcome::Hosted { .. } | Outcome::Removed | Outcome::Kept { .. } => {}
        }
    }
    Ok(execution)
}

/// A scop in its own order, with its arrays as they are: the values of its own ones are counted.
pub fn in_order(scop: &Scop, source: &str) -> Execution {
    counting(scop, source, |id| scop.array(id).is_temporary() && !scop.array(id).is_scalar())
}

fn counting(scop: &Scop, source: &str, is_counted: impl Fn(ArrayId) -> bool) -> Execution {
    let text = Text { scop, counters: counters(scop) };
    let arrays = scop.arrays.iter().enumerate().map(|(k, array)| ExecutedArray {
        name: array.name.clone(),
        extents: array.extents.iter().map(|extent| Some(text.of(extent.as_ref()?))).collect(),
        is_counted: is_counted(ArrayId(k)),
        is_temporary: array.is_temporary() && !array.is_scalar(),
        is_new: scop.is_new(ArrayId(k)),
        is_kept: !scop.is_gone(ArrayId(k)),
        place: None,
    });
    let sure = sure_writes(scop);
    let access = |id: StatementId, (k, access): (usize, &Access)| ExecutedAccess {
        array: access.array.0,
        is_write: access.is_write(),
        is_late: access.is_in_call(),
        is_certain: access.certainty == Certainty::Must,
        is_sure: sure.contains(&(id, k)),
        when: text.condition(&access.condition),
        cell: access.subscripts.as_ref().map(|all| all.iter().map(|subscript| text.of(subscript)).collect()),
        values: Vec::new(),
    };
    let statement = |(k, statement): (usize, &Statement)| ExecutedStatement {
        name: statement.name.clone(),
        line: Some(statement.line),
        text: text_of(source, scop, StatementId(k)),
        sets: first_set(scop, StatementId(k), source),
        counters: statement.loops.iter().map(|id| text.counters[id].clone()).collect(),
        accesses: statement.accesses.iter().enumerate().map(|at| access(StatementId(k), at)).collect(),
    };
    Execution {
        arrays: arrays.collect(),
        buffers: Vec::new(),
        statements: scop.statements.iter().enumerate().map(statement).collect(),
        body: text.nodes(&scop.body),
    }
}

/// The names of sizes, and of the counters around a statement by their depth.
fn at_statement(scop: &Scop, id: StatementId) -> Program {
    let parameter = |own: &Parameter| polyfold_program::Parameter { name: own.name.clone(), held: None, most: None };
    let loops = scop.loops();
    let counters = scop.statement(id).loops.iter().map(|own| loops[own.0].iterator.clone());
    let locals = counters.map(|name| Local { name, kind: LocalKind::Integer, held: None }).collect();
    Program { parameters: scop.parameters.iter().map(parameter).collect(), locals, ..Program::default() }
}

/// The text of what a statement writes first, if that stands in the file.
pub(crate) fn first_set(scop: &Scop, id: StatementId, source: &str) -> Option<String> {
    if let Some(new) = new_statement(scop, id) {
        return new.split_once(" = ").map(|(set, _)| set.to_string());
    }
    let place = &scop.statement(id).accesses.iter().find(|access| access.is_write())?.place;
    let text = source.get(place.span.clone()).filter(|_| place.fragment.is_none())?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Buffers, and which places are in which.
struct Storage {
    buffers: Vec<ExecutedBuffer>,
    places: Places,
}

/// By array or class of values, its buffer.
struct Places(BTreeMap<ArrayId, usize>);

impl Storage {
    /// Those of single arrays come first, as in the report.
    fn of(scop: &Scop, source: &str, result: &Optimized, names: &SizesInC) -> Result<Storage, Error> {
        let (mut buffers, mut places) = (Vec::new(), BTreeMap::new());
        for (id, outcome) in &result.outcomes {
            if let Outcome::Mapped { storage, .. } = outcome {
                places.insert(*id, buffers.len());
                let name = storage_name(scop.array(*id), scop, source);
                buffers.push(ExecutedBuffer { name, extents: shape(storage.place(), names)? });
            }
        }
        for (shared, name) in result.buffers.iter().zip(buffer_names(scop, source, result)) {
            for member in 0..shared.arrays.len() {
                places.insert(shared.storage.place(member).array(), buffers.len());
            }
            buffers.push(ExecutedBuffer { name, extents: shape(shared.storage.place(0), names)? });
        }
        Ok(Storage { buffers, places: Places(places) })
    }
}

impl Places {
    fn of(&self, place: &Placed, names: &SizesInC) -> Result<Option<ExecutedPlace>, Error> {
        let Some(buffer) = self.0.get(&place.array()) else { return Ok(None) };
        Ok(Some(ExecutedPlace { buffer: *buffer, at: subscripts(place, names)? }))
    }
}

/// One for each dimension of a place's buffer, of coordinates of versions and cells.
fn subscripts(place: &Placed, names: &SizesInC) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for row in place.rows() {
        let value = combination(&row.coefficients);
        found.push(match &row.form {
            RowForm::Fits { lowest } if is_zero(lowest)? => value,
            RowForm::Fits { lowest } => format!("{value} - ({})", names.value(lowest)?),
            _ if is_zero(&row.shift)? => format!("mod({value}, {})", names.value(&row.modulus)?),
            _ => format!("mod({value} + ({}), {})", names.value(&row.shift)?, names.value(&row.modulus)?),
        });
    }
    if let Some(row) = place.linear() {
        let text = |polynomial: &_| names.of_row(polynomial, row);
        let factors = row.coefficients.iter().enumerate();
        let terms = factors.map(|(k, factor)| format!("({}) * @{k}", text(&(*factor).into())));
        let shift = (!row.shift.coefficients().is_empty()).then(|| format!("({})", text(&row.shift)));
        let terms: Vec<String> = terms.chain(shift).collect();
        found.push(format!("mod({}, {})", terms.join(" + "), text(&row.modulus)));
    }
    Ok(found)
}

fn is_zero(function: &PwAff) -> Result<bool, Error> {
    Ok(function.as_constant()? == Some(0))
}

/// `@0 - 2 * @1`.
fn combination(coefficients: &[i64]) -> String {
    let terms = coefficients.iter().enumerate().filter(|(_, factor)| **factor != 0);
    let terms: Vec<String> =
        terms.map(|(k, factor)| if *factor == 1 { format!("@{k}") } else { format!("{factor} * @{k}") }).collect();
    if terms.is_empty() { "0".to_string() } else { terms.join(" + ") }
}

/// Names of counters, different ones for loops inside each other.
fn counters(scop: &Scop) -> BTreeMap<LoopId, String> {
    fn name(nodes: &[Node], around: &mut Vec<String>, found: &mut BTreeMap<LoopId, String>) {
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    let is_new = |name: &String| !around.contains(name);
                    let numbered = (2..).map(|k| format!("{}_{k}", l.iterator));
                    let own = std::iter::once(l.iterator.clone()).chain(numbered).find(is_new);
                    let own = own.expect("one of ever more names is new");
                    found.insert(l.id, own.clone());
                    around.push(own);
                    name(&l.body, around, found);
                    around.pop();
                }
                Node::Guard(g) => {
                    name(&g.then, around, found);
                    name(&g.otherwise, around, found);
                }
                Node::Statement(_) => {}
            }
        }
    }
    let mut found = BTreeMap::new();
    name(&scop.body, &mut scop.parameters.iter().map(|p| p.name.clone()).collect(), &mut found);
    found
}

/// Expressions as C text.
struct Text<'a> {
    scop: &'a Scop,
    counters: BTreeMap<LoopId, String>,
}

impl Text<'_> {
    fn of(&self, expr: &Expr) -> String {
        match expr {
            Expr::Constant(value) => value.to_string(),
            Expr::Iterator(id) => self.counters[id].clone(),
            Expr::Parameter(id) => self.scop.parameters[id.0].name.clone(),
            Expr::Add(a, b) => match self.of(b) {
                text if text.starts_with('-') => format!("{} - {}", self.of(a), &text[1..]),
                text => format!("{} + {text}", self.of(a)),
            },
            Expr::Scale(-1, e) => format!("-{}", self.factor(e)),
            Expr::Scale(factor, e) => format!("{factor} * {}", self.factor(e)),
            Expr::Divide(e, by) => format!("{} / {by}", self.factor(e)),
            Expr::Remainder(e, by) => format!("{} % {by}", self.factor(e)),
            Expr::Select(c, a, b) => format!("({} ? {} : {})", self.condition(c), self.of(a), self.of(b)),
        }
    }

    /// With parentheses unless it is a number or a name.
    fn factor(&self, expr: &Expr) -> String {
        match (expr, self.of(expr)) {
            (Expr::Iterator(_) | Expr::Parameter(_) | Expr::Select(..), text) => text,
            (Expr::Constant(value), text) if *value >= 0 => text,
            (_, text) => format!("({text})"),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        let joined = |parts: &[Condition], by: &str, none: &str| match parts {
            [] => none.to_string(),
            [one] => self.condition(one),
            parts => parts.iter().map(|part| format!("({})", self.condition(part))).collect::<Vec<_>>().join(by),
        };
        match condition {
            Condition::Compare(a, comparison, b) => format!("{} {} {}", self.of(a), comparison.sign(), self.of(b)),
            Condition::All(parts) => joined(parts, " && ", "1"),
            Condition::Any(parts) => joined(parts, " || ", "0"),
            Condition::Not(inner) => format!("!({})", self.condition(inner)),
            Condition::Unknown => "@".to_string(),
        }
    }

    fn nodes(&self, nodes: &[Node]) -> Vec<ExecutedNode> {
        let node = |node: &Node| match node {
            Node::Statement(id) => ExecutedNode::Statement { statement: id.0 },
            Node::Guard(g) => ExecutedNode::Guard {
                condition: self.condition(&g.condition),
                then: self.nodes(&g.then),
                otherwise: self.nodes(&g.otherwise),
            },
            Node::Loop(l) => ExecutedNode::Loop {
                counter: self.counters[&l.id].clone(),
                first: self.of(&l.first),
                condition: self.condition(&l.condition),
                step: l.step,
                body: self.nodes(&l.body),
            },
        };
        nodes.iter().map(node).collect()
    }
}
