//! A variable stands for a cell while loops use it (scalar replacement).
//!
//! ```text
//! W[i] = 0;                                      let x = 0;
//! for k = 0 while k < n { W[i] = W[i] + A[k]; }  =>  for k = 0 while k < n { x = x + A[k]; }
//!                                                copy W[i : 1] = x;
//! ```
//!
//! The idea: compilers keep a sum in a register where they know that nothing else writes its cell. Of cells of one array that
//! hold several arrays' values they don't know it.
//!
//! Paper: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables", 1990.
//!
//! Invariants: order stays. That nothing else touches the cell in the meantime is the caller's to know.
//!
//! Where the first of the statements doesn't only write the cell, the variable begins with what that holds.

use crate::fresh::{Name, fresh_variable};
use polyfold_program::{BufferId, Copy, Int, Place, Program, Range, Region, StatementId, Stmt, Value};

/// A cell that nothing else touches from the first of some statements to the last one.
#[derive(Clone, Debug)]
pub struct HeldCell {
    /// The statements: all that some neighbours in a list have.
    pub statements: Vec<StatementId>,
    /// One that writes the cell.
    pub writer: StatementId,
    /// How many of their accesses use the cell.
    pub accesses: usize,
    /// What the variable's name begins with.
    pub stem: String,
}

/// The program with a variable for the cell, and which. `None`: such statements aren't neighbours, or don't use a cell so often.
pub fn scalarize(program: &Program, held: &HeldCell, name: &Name) -> Option<(Program, BufferId)> {
    let scalar = BufferId(program.buffers.len());
    let mut found = None;
    let body = in_list(&program.body, held, scalar, &mut found);
    let mut program = Program { body, ..program.clone() };
    let element = program.buffers[found?.0].element.clone();
    fresh_variable(&mut program, name, (&held.stem, element));
    Some((program, scalar))
}

/// A list with the variable, if the statements are neighbours in it or further inside; `found`: the buffer that the cell is in.
fn in_list(list: &[Stmt], held: &HeldCell, scalar: BufferId, found: &mut Option<BufferId>) -> Vec<Stmt> {
    let has_any = |stmt: &Stmt| statements(stmt).iter().any(|id| held.statements.contains(id));
    let ends = list.iter().position(has_any).zip(list.iter().rposition(has_any));
    let Some((first, last)) = ends else { return list.to_vec() };
    // The cell is another one in each iteration of a loop around all of its statements.
    let is_further_in = first == last && !list[first].lists().is_empty();
    if !is_further_in && let Some((cell, now, store)) = with_variable(&list[first..=last], held, scalar) {
        *found = Some(cell);
        // Behind those of other cells: in the order in which their values began.
        let (front, behind) = (&list[..first], &list[last + 1..]);
        let stores = behind.iter().take_while(|stmt| matches!(stmt, Stmt::Copy(_))).count();
        return [front, &now, &behind[..stores], &[store], &behind[stores..]].concat();
    }
    let mut inside = |stmt: &Stmt| match stmt {
        Stmt::For(own) => {
            let body = in_list(&own.body, held, scalar, found);
            Stmt::For(polyfold_program::Loop { body, ..own.clone() })
        }
        Stmt::If { cond, then, other } => Stmt::If {
            cond: cond.clone(),
            then: in_list(then, held, scalar, found),
            other: in_list(other, held, scalar, found),
        },
        other => other.clone(),
    };
    list.iter().map(&mut inside).collect()
}

/// The cell's buffer, the statements with the variable in the cell's place, and what stores it.
fn with_variable(list: &[Stmt], held: &HeldCell, scalar: BufferId) -> Option<(BufferId, Vec<Stmt>, Stmt)> {
    let mut all: Vec<StatementId> = list.iter().flat_map(statements).collect();
    let mut wanted = held.statements.clone();
    [&mut all, &mut wanted].into_iter().for_each(|ids| ids.sort());
    all.dedup();
    if all != wanted {
        return None;
    }
    let mut cell = None;
    let mut note = |stmt: &Stmt| match stmt {
        Stmt::Assign(own) if cell.is_none() && own.statement == held.writer => cell = Some(own.target.clone()),
        _ => {}
    };
    list.iter().for_each(|stmt| stmt.each(&mut note));
    in_place_of(&cell?, list, held, scalar)
}

/// The same for a cell. `None`: the statements don't use it so often.
fn in_place_of(cell: &Place, list: &[Stmt], held: &HeldCell, scalar: BufferId) -> Option<(BufferId, Vec<Stmt>, Stmt)> {
    let Place::Cell { buffer, index } = cell else { return None };
    let variable = Place::Cell { buffer: scalar, index: Vec::new() };
    let mut count = 0;
    let mut replaced = |place: Place| {
        let is_own = place == *cell;
        count += usize::from(is_own);
        if is_own { variable.clone() } else { place }
    };
    let mut now: Vec<Stmt> = list.iter().map(|stmt| stmt.with_cells(&mut replaced)).collect();
    let ranges = index.iter().map(|e| Range { first: e.clone(), count: Int::Constant(1) }).collect();
    let (memory, own) = (Region { buffer: *buffer, ranges }, Region { buffer: scalar, ranges: Vec::new() });
    match now.first_mut()? {
        Stmt::Assign(first) if first.target == variable && !first.declares && !reads(&first.value, &variable) => {
            first.declares = true;
        }
        _ => now.insert(0, Stmt::Copy(Copy { declares: true, to: own.clone(), from: memory.clone(), tag: None })),
    }
    let store = Stmt::Copy(Copy { declares: false, to: memory, from: own, tag: None });
    (count == held.accesses).then_some((*buffer, now, store))
}

fn reads(value: &Value, place: &Place) -> bool {
    let mut found = false;
    value.each_read(&mut |other| found |= other == place);
    found
}

/// The source's statements in one.
fn statements(stmt: &Stmt) -> Vec<StatementId> {
    let mut found = Vec::new();
    stmt.each(&mut |stmt| match stmt {
        Stmt::Assign(own) => found.push(own.statement),
        Stmt::Opaque(own) => found.push(own.statement),
        _ => {}
    });
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::{HeldCell, scalarize};
    use polyfold_isl::Context;
    use polyfold_program::{Program, StatementId};
    use polyfold_prove::validate::{Verdict, dataflow};
    use polyfold_replay::terms::{agree, sizes_to_run};

    fn scalarized(body: &str, statements: &[usize], accesses: usize) -> Option<(Program, Program)> {
        let text = format!("program p(n) where n >= 1 {{ in A[n][n]; out B[n]; temporary W[n + 2]; {body} }}");
        let program = Program::read(&text).expect("a program");
        let statements: Vec<StatementId> = statements.iter().map(|id| StatementId(*id)).collect();
        let held = HeldCell { writer: statements[0], statements, accesses, stem: "W_cell".to_string() };
        let (after, _) = scalarize(&program, &held, &str::to_string)?;
        Some((program, after))
    }

    const SUM: &str = "for i = 0 while i < n + 2 step 1 { S3(i): W[i] = 1; }
        for i = 0 while i < n step 1 {
        S0(i): W[i + 2] = 0;
        for k = 0 while k < n step 1 { S1(i, k): W[i + 2] = W[i + 2] + A[i][k]; }
        S2(i): B[i] = W[i + 2] + W[0]; }";

    #[test]
    fn a_sum_goes_to_a_variable() {
        let (program, after) = scalarized(SUM, &[1, 2], 3).expect("it is held");
        let ran = agree(&program, &after, &sizes_to_run(&program, &after), 100_000);
        assert!(ran.as_ref().is_ok_and(|ran| ran.agreed >= 3), "{ran:?}\n{after}");
        let verdict = dataflow(&Context::new(), &program, &after, 200_000_000).expect("isl works");
        assert!(matches!(verdict, Verdict::Same { .. }), "{verdict:?}\n{after}");
        assert!(after.to_string().contains("copy W[i + 2 : 1] = W_cell;"), "{after}");
    }

    #[test]
    fn what_something_else_uses_in_the_meantime_is_found() {
        let other = SUM.replace("A[i][k]", "W[2]");
        let (program, after) = scalarized(&other, &[1, 2], 3).expect("nothing looks at other cells");
        assert!(agree(&program, &after, &sizes_to_run(&program, &after), 100_000).is_err());
    }

    #[test]
    fn other_statements_and_numbers_of_accesses_are_refused() {
        assert!(scalarized(SUM, &[1, 2], 4).is_none());
        assert!(scalarized(SUM, &[1, 3], 2).is_none());
    }

    #[test]
    fn a_variable_begins_with_what_its_cell_holds() {
        let going_on = SUM.replace("W[i + 2] = 0", "W[i + 2] = 2 * W[i + 2]");
        let (program, after) = scalarized(&going_on, &[1, 2], 4).expect("it is held");
        assert!(agree(&program, &after, &sizes_to_run(&program, &after), 100_000).is_ok(), "{after}");
        assert!(after.is_well_scoped() && after.to_string().contains("copy let W_cell = W[i + 2 : 1];"), "{after}");
    }
}
