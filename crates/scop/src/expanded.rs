//! A scop in which the values of an array have cells of their own (array expansion).
//!
//! ```text
//! s = 0;                     s_turns[t] = 0;
//! for i: s += x[t][i];   =>  for i: s_turns[t] += x[t][i];
//! ```
//!
//! The idea: accesses go to other arrays, which the file doesn't declare. All else is as it was, and so are places in the text.
//!
//! Invariant: no access of the array is left.

use crate::numbered::LoopsAround;
use crate::{Access, Array, ArrayId, Condition, Declaration, Expr, Scop, Span, Statement, StatementId};
use polyfold_program::{Int, LocalId, Place, Program, Stmt};

/// What a scop with other arrays, or more statements, has of the source.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The source's program.
    pub program: Program,
    /// Arrays that nothing uses any more, and whose declarations go.
    pub gone: Vec<ArrayId>,
}

/// Where an access finds its cell.
#[derive(Clone, Debug)]
pub struct OtherCell {
    /// Whose it is.
    pub statement: StatementId,
    /// Which of its accesses.
    pub access: usize,
    /// In the program.
    pub place: Place,
}

impl Scop {
    /// The program that the file writes.
    pub fn in_file(&self) -> Option<&Program> {
        self.expanded.as_ref().map(|own| &own.program).or(self.program.as_ref())
    }

    /// Whether an array isn't declared in the file.
    pub fn is_new(&self, array: ArrayId) -> bool {
        self.expanded.as_ref().is_some_and(|own| array.0 >= own.program.buffers.len())
    }

    /// Whether nothing uses an array any more, since its values have others.
    pub fn is_gone(&self, array: ArrayId) -> bool {
        self.expanded.as_ref().is_some_and(|own| own.gone.contains(&array))
    }

    /// The scop with cells in new arrays for those of one. The program has the arrays as its last buffers, in their order. `None`: its loops
    /// are in another order, or a subscript isn't affine.
    pub fn with_cells_in(
        &self,
        gone: ArrayId,
        (arrays, program): (Vec<Array>, Program),
        cells: &[OtherCell],
    ) -> Option<Scop> {
        let is_whole = program.buffers.len() == self.arrays.len() + arrays.len();
        if self.order.is_some() || self.under_assumptions.is_some() || !is_whole {
            return None;
        }
        let earlier = self.expanded.iter().flat_map(|own| own.gone.iter().copied());
        let expanded = Expanded { program: self.in_file()?.clone(), gone: earlier.chain([gone]).collect() };
        let of_statement = |(k, own): (usize, &Statement)| {
            let cells: Vec<&OtherCell> = cells.iter().filter(|cell| cell.statement.0 == k).collect();
            if cells.is_empty() { Some(own.clone()) } else { with_cells(&program, (k, own), &cells) }
        };
        let statements = self.statements.iter().enumerate().map(of_statement).collect::<Option<Vec<Statement>>>()?;
        let is_left = statements.iter().any(|own| own.accesses.iter().any(|access| access.array == gone));
        let nowhere = self.span.start..self.span.start;
        let arrays = arrays.into_iter().map(|array| Array {
            declaration: array.declaration.map(|own| Declaration {
                statement: nowhere.clone(),
                siblings: 1,
                inside_scop: false,
                ..own
            }),
            ..array
        });
        let arrays = self.arrays.iter().cloned().chain(arrays).collect();
        let outline = Some(Program { body: Vec::new(), ..program.clone() });
        let scop = Scop {
            statements,
            arrays,
            program: Some(program),
            outline,
            expanded: Some(Box::new(expanded)),
            ..self.clone()
        };
        (!is_left).then_some(scop)
    }

    /// Whether nothing of a declaration is left in the text: it stood between loops that are gone, or nowhere.
    pub fn has_lost(&self, declaration: &Declaration) -> bool {
        let Span { start, end } = declaration.statement;
        start == end || self.order.is_some() && self.span.start <= start && end <= self.span.end
    }
}

/// A statement with other cells in the place of some.
fn with_cells(program: &Program, (k, own): (usize, &Statement), cells: &[&OtherCell]) -> Option<Statement> {
    let around = loops_around(program, (k, own))?;
    let mut accesses = Vec::new();
    for (number, access) in own.accesses.iter().enumerate() {
        match cells.iter().find(|cell| cell.access == number) {
            Some(cell) => add(&around, access, (&cell.place, Condition::always()), &mut accesses)?,
            None => accesses.push(access.clone()),
        }
    }
    Some(Statement { accesses, ..own.clone() })
}

/// The loops around a statement, whose counters it has in the program.
fn loops_around(program: &Program, (k, own): (usize, &Statement)) -> Option<LoopsAround> {
    let mut found = None;
    let mut visit = |stmt: &Stmt| {
        if let Some((_, at)) = stmt.instance().filter(|(id, _)| id.0 == k) {
            let counter = |e: &Int| if let Int::Local(local) = e { Some(*local) } else { None };
            found = at.iter().map(counter).collect::<Option<Vec<LocalId>>>();
        }
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    Some(LoopsAround(own.loops.iter().copied().zip(found?).collect()))
}

/// Adds an access for each cell that a place may be.
fn add(around: &LoopsAround, access: &Access, (place, when): (&Place, Condition), to: &mut Vec<Access>) -> Option<()> {
    match place {
        Place::Cell { buffer, index } => {
            let subscripts = index.iter().map(|e| around.expr(e)).collect::<Option<Vec<Expr>>>()?;
            let condition = access.condition.clone().and(when);
            to.push(Access { array: ArrayId(buffer.0), subscripts: Some(subscripts), condition, ..access.clone() });
            Some(())
        }
        Place::Select(cond, yes, no) if access.is_read() => {
            let cond = around.condition(cond)?;
            add(around, access, (yes, when.clone().and(cond.clone())), to)?;
            add(around, access, (no, when.and(cond.negate())), to)
        }
        _ => None,
    }
}
