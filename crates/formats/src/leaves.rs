//! A problem's statements as a program: each is a leaf, which may stand in any loops.
//!
//! What another compiler says of a statement may be its accesses only. Then the statement is a function of what it reads. A text has a
//! hole for each iterator:
//!
//! ```text
//! S0 reads B[i][j] and C[i], writes A[i][j]      S0(i, j): A[i][j] = S0(B[i][j], C[i]);
//! S1 is  t[i] += s.i;                            S1(i): opaque "t[$0] += s.i;" of (i);
//! ```
//!
//! Such a function is pure, which its declaration says (see `function`). A statement that writes several cells does so one after the other,
//! with a function for each; it may then read none of them.

use crate::extents::extents;
use crate::fault::Fault;
use crate::problem::{AccessKind, Array, Problem, Role, Statement};
use crate::sizes::{context, integer, size};
use crate::text::declared_brackets;
use polyfold_emit::template;
use polyfold_isl::{CText, Map};
use polyfold_program::{
    self as program, Assign, Buffer, BufferId, Element, Home, Int, IntType, Layout, Local, LocalId, LocalKind, Op,
    Opaque, Operand, Place, Program, Real, Scalar, StatementId, Stmt, Value,
};

/// The statements of a problem, each at its iterators, in the order of the text.
pub(crate) fn leaves(problem: &Problem) -> Result<Program, Fault> {
    let mut program = Program {
        parameters: problem.parameters.iter().map(size).collect(),
        context: context(problem)?.into_iter().collect(),
        buffers: problem.arrays.iter().map(|array| buffer(problem, array)).collect::<Result<_, _>>()?,
        statements: problem.statements.iter().map(|statement| statement.name.clone()).collect(),
        ..Program::default()
    };
    for (k, statement) in problem.statements.iter().enumerate() {
        let at = iterators(&mut program, &statement.iterators);
        let leaf = Leaf { problem, program: &program, statement, id: StatementId(k), at };
        let body = match &statement.body {
            Some(text) => vec![of_text(leaf.id, text, &statement.iterators, leaf.at)],
            None => leaf.calls()?,
        };
        program.body.extend(body);
    }
    Ok(program)
}

/// The functions that stand for statements without text: name and number of arguments.
pub(crate) fn called(leaves: &Program) -> Vec<(&str, usize)> {
    leaves.body.iter().filter_map(function).collect()
}

fn function(leaf: &Stmt) -> Option<(&str, usize)> {
    match leaf {
        Stmt::Assign(Assign { value: Value::Apply(Op::Call(name), operands), .. }) => Some((name, operands.len())),
        _ => None,
    }
}

/// A text at some values of its iterators.
pub(crate) fn of_text(statement: StatementId, text: &str, names: &[String], at: Vec<Int>) -> Stmt {
    let operands = at.iter().cloned().map(Operand::Integer).collect();
    Stmt::Opaque(Opaque { statement, at, text: template(text, names), operands, has_effects: true })
}

/// New counters.
pub(crate) fn iterators(program: &mut Program, names: &[String]) -> Vec<Int> {
    let first = program.locals.len();
    let local = |name: &String| Local { name: name.clone(), kind: LocalKind::Integer, held: Some(IntType::INT) };
    program.locals.extend(names.iter().map(local));
    (first..program.locals.len()).map(|k| Int::Local(LocalId(k))).collect()
}

/// An array. Of one that is declared nobody asks for the type and the extents.
fn buffer(problem: &Problem, own: &Array) -> Result<Buffer, Fault> {
    let (role, home) = match own.role {
        Role::Temporary => (program::Role::Temporary, Home::Stack),
        Role::In => (program::Role::In, Home::Outside),
        Role::Out => (program::Role::Out, Home::Outside),
        Role::InOut => (program::Role::InOut, Home::Outside),
    };
    let extents = if own.declaration.is_none() { extents(problem, own)? } else { Vec::new() };
    let (name, element) =
        (own.name.clone(), Element { text: "double".to_string(), kind: Some(Scalar::Real(Real::Double)) });
    Ok(Buffer { name, role, extents, layout: Layout::Rows, home, element })
}

/// A statement without a text.
struct Leaf<'a> {
    problem: &'a Problem,
    program: &'a Program,
    statement: &'a Statement,
    id: StatementId,
    at: Vec<Int>,
}

impl Leaf<'_> {
    fn calls(&self) -> Result<Vec<Stmt>, Fault> {
        let (reads, writes) = (self.cells(true)?, self.cells(false)?);
        let name = &self.statement.name;
        if writes.is_empty() {
            return Err(Fault::of_problem(format!("{name} writes nothing"), "give it a body"));
        }
        if writes.len() > 1 && reads.iter().any(|(read, _)| writes.iter().any(|(write, _)| read == write)) {
            let message = format!("{name} writes several cells, of arrays that it reads");
            return Err(Fault::of_problem(message, "give it a body"));
        }
        let place = |(buffer, index): &(BufferId, Vec<Int>)| Place::Cell { buffer: *buffer, index: index.clone() };
        let operands: Vec<Value> = reads.iter().map(|cell| Value::Read(place(cell))).collect();
        let assign = |(k, cell): (usize, &(BufferId, Vec<Int>))| {
            let function = if writes.len() == 1 { name.clone() } else { format!("{name}_{k}") };
            let value = Value::Apply(Op::Call(function), operands.clone());
            Stmt::Assign(Assign {
                statement: self.id,
                at: self.at.clone(),
                declares: false,
                target: place(cell),
                value,
            })
        };
        Ok(writes.iter().enumerate().map(assign).collect())
    }

    /// The cells that are read, or written.
    fn cells(&self, reads: bool) -> Result<Vec<(BufferId, Vec<Int>)>, Fault> {
        let Leaf { problem, statement, .. } = self;
        let domain = statement.domain.intersect_params(&problem.context)?;
        let mut all = Vec::new();
        for access in statement.accesses.iter().filter(|access| (access.kind == AccessKind::Read) == reads) {
            let relation = access.relation.intersect_domain(&domain)?;
            let isl = relation.tuple_names().1.unwrap_or_default();
            let id = problem.arrays.iter().position(|array| array.isl == isl).map(BufferId);
            let id = id.ok_or_else(|| Fault::of_problem(format!("`{isl}` is no array"), "name it among the arrays"))?;
            let name = &self.program.buffers[id.0].name;
            for function in functions(&relation)? {
                if !domain.is_subset(&function.domain()?)? || access.kind == AccessKind::MayWrite {
                    let message = format!("{} does not access `{name}` at all of its points", statement.name);
                    return Err(Fault::of_problem(message, "give it a body, or make two statements of it"));
                }
                self.has_its_brackets(&problem.arrays[id.0], &relation)?;
                all.push((id, self.index(&function)?));
            }
        }
        Ok(all)
    }

    /// An array that is declared as one row has references with one subscript, which only a text has.
    fn has_its_brackets(&self, array: &Array, relation: &Map) -> Result<(), Fault> {
        let (isl, dimensions) = (&array.isl, relation.dimensions()?.1);
        let declared = array.declaration.as_ref().and_then(|text| declared_brackets(text));
        if declared.is_none_or(|declared| declared == dimensions) {
            return Ok(());
        }
        let name = &self.statement.name;
        let message = format!("{name} has no body, and `{isl}` has other dimensions than its declaration says");
        Err(Fault::of_problem(message, "give it a body, or declare the array with all its dimensions"))
    }

    /// The subscripts of a cell, by iterators.
    fn index(&self, function: &Map) -> Result<Vec<Int>, Fault> {
        let names = &self.statement.iterators;
        let values = function.by_start(names)?;
        let printer = CText::new(&values.params()?)?;
        let iterator = |isl: &str| names.iter().position(|own| own == isl).map(|k| self.at[k].clone());
        let value = |k| integer(self.problem, &printer, &values.dim_max(k)?, &iterator);
        (0..function.dimensions()?.1).map(value).collect()
    }
}

/// Past so many cells a statement has no text that somebody would write.
const MOST_CELLS: usize = 64;

/// Relations with one cell each for a point, that together are the relation.
fn functions(relation: &Map) -> Result<Vec<Map>, Fault> {
    let (mut rest, mut all) = (relation.clone(), Vec::new());
    while !rest.is_empty()? {
        if all.len() == MOST_CELLS || !rest.range()?.is_bounded()? {
            let name = rest.tuple_names().0.unwrap_or_default();
            let message = format!("{name} has no body, and accesses more than {MOST_CELLS} cells of an array");
            return Err(Fault::of_problem(message, "give it a body"));
        }
        let first = rest.lexmin()?;
        rest = rest.subtract(&first)?;
        all.push(first);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::leaves;
    use crate::isl_text;
    use polyfold_isl::Context;

    /// The leaves of some entries, and what is said if there are none.
    fn of(entries: &str) -> Result<Vec<String>, String> {
        let problems = isl_text::read(&Context::new(), entries).expect("it is a problem");
        let program = leaves(&problems[0]).map_err(|fault| fault.message)?.to_string();
        let is_leaf = |line: &&str| line.starts_with('S') || line.starts_with('T');
        Ok(program.lines().map(str::trim).filter(is_leaf).map(str::to_string).collect())
    }

    #[test]
    fn statements_are_texts_with_holes_or_calls() {
        let found = of("domain := [n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n };
            schedule := { S[i, j] -> [0, i, j]; T[i] -> [1, i, 0] };
            reads := { S[i, j] -> B[i, j + 1]; S[i, j] -> B[i, j]; S[i, j] -> C[] };
            writes := { S[i, j] -> A[j, 2i]; T[i] -> A[i, 0] };
            body T[k] := \"A[k][0] = f(s.k, \\\"$\\\");\";");
        let wanted = [
            "T(k): opaque \"A[$0][0] = f(s.k, \\\"$$\\\");\" of (k) with effects;",
            "S(i, j): A[j][2 * i] = S(B[i][j], B[i][j + 1], C);",
        ];
        assert_eq!(found.expect("there are leaves"), wanted);
    }

    #[test]
    fn several_cells_have_a_function_each() {
        let entries = |reads: &str| {
            format!(
                "domain := {{ S[i] : 0 <= i < 9 }}; schedule := {{ S[i] -> [i] }}; reads := {{ S[i] -> {reads} }};
                 writes := {{ S[i] -> A[c] : i <= c <= i + 1 }};"
            )
        };
        let wanted = ["S(i): A[i] = S_0(B[i]);", "S(i): A[i + 1] = S_1(B[i]);"];
        assert_eq!(of(&entries("B[i]")).expect("there are leaves"), wanted);
        assert_eq!(of(&entries("A[i]")), Err("S writes several cells, of arrays that it reads".to_string()));
        let message = "S has no body, and accesses more than 64 cells of an array";
        assert_eq!(of(&entries("B[c] : c >= i")), Err(message.to_string()));
    }
}
