//! Shift registers against runs: each read finds its value in the cell to which it has been moved.
//!
//! Values move at the end of each turn as the generated code moves them, one assignment after the other, through a variable where they go round. What
//! is proved of turns, windows and sizes has no part in it. With all reads some places further up the replay is to fail, but where a run is too short for that: how often
//! it does is counted.

use super::SEARCH;
use super::judge::{Counts, Verdict, judge_file};
use super::row::RowHere;
use super::run::{Run, borrow};
use polyfold_flow::Model;
use polyfold_plan::{Optimized, Outcome};
use polyfold_prove::{Placed, Reach, ShiftRegister, shift_registers};
use polyfold_replay::{Event, Home, Operation, Slot, replay_moving};
use polyfold_scop::LoopId;

/// Judges the registers of a program, wherever their accesses may stand.
pub(crate) fn judge_registers(model: &Model, result: &Optimized, runs: &[Run], counts: &mut Counts) -> Verdict {
    let places = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Mapped { storage, .. } => Some(storage.place().clone()),
        _ => None,
    });
    let places: Vec<Placed> = places.collect();
    let (program, gone) = ((model.scop, &model.statements[..]), &result.dead.statements);
    for reach in [Reach::InnermostLoops, Reach::Around] {
        let found = shift_registers(program, &places, gone, &result.proved, reach).map_err(|e| e.to_string())?;
        for register in &found {
            let place = places.iter().find(|place| place.array() == register.array()).ok_or("no place")?;
            for run in runs {
                judge_register(register, place, result, run, counts)
                    .map_err(|why| format!("{register:?} at {:?}: {why}", run.sizes))?;
            }
        }
    }
    Ok(())
}

fn judge_register(
    register: &ShiftRegister,
    place: &Placed,
    result: &Optimized,
    run: &Run,
    counts: &mut Counts,
) -> Verdict {
    let here = result.proved.at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
    if here.is_empty().map_err(|e| e.to_string())? {
        return Ok(());
    }
    let rows = RowHere::all(place, &run.sizes)?;
    let cells = register.cells();
    replay(register, &rows, run, 0)?;
    counts.registers_replayed += 1;
    for beside in 1..cells {
        counts.moved_registers_caught += usize::from(replay(register, &rows, run, beside).is_err());
    }
    Ok(())
}

/// With reads so many places further up.
fn replay(register: &ShiftRegister, rows: &[RowHere], run: &Run, beside: usize) -> Verdict {
    let home = |operation: &Operation, event: &Event| {
        if event.array != register.array() {
            return Home::Elsewhere;
        }
        let Some(own) = register.place(operation.statement, event.access) else { return Home::Nowhere };
        let by = if event.kind == polyfold_scop::AccessKind::Read { beside } else { 0 };
        let mut at: Vec<i64> = rows.iter().map(|row| row.place(&event.cell)).collect();
        at[register.row()] = ((own + by) % register.cells()) as i64;
        Home::At((0, at))
    };
    let moves = |id: LoopId| if register.loops().contains(&id) { moves(register) } else { Vec::new() };
    replay_moving(&run.trace, &home, &moves).map_err(|e| e.to_string())
}

/// The slot that gets a value, and the one that has it, at the end of a turn.
fn moves(register: &ShiftRegister) -> Vec<(Slot, Slot)> {
    let mut moved = Vec::new();
    for row in rows(register) {
        let cell = |at: usize| -> Slot {
            let mut cell = row.clone();
            cell[register.row()] = at as i64;
            (0, cell)
        };
        let (variable, last) = ((1, Vec::new()), register.cells() - 1);
        if register.goes_round() {
            moved.push((variable.clone(), cell(0)));
        }
        moved.extend((register.first()..last).map(|at| (cell(at), cell(at + 1))));
        if register.goes_round() {
            moved.push((cell(last), variable));
        }
    }
    moved
}

/// One cell of each row along which values move.
fn rows(register: &ShiftRegister) -> Vec<Vec<i64>> {
    let mut rows = vec![Vec::new()];
    for (k, extent) in register.extents().iter().enumerate() {
        let own = if k == register.row() { 1 } else { *extent as i64 };
        rows = rows.iter().flat_map(|row: &Vec<i64>| (0..own).map(|at| [row.clone(), vec![at]].concat())).collect();
    }
    rows
}

/// Windows with values from in front of their loops, used behind them, begun anew in each row, in several dimensions, and where data decide.
const WINDOWS: &str = "
void recurrence(int n, unsigned x[n + 2], unsigned out[n + 2]) {
  unsigned w[n + 2];
#pragma scop
  w[0] = x[0];
  w[1] = x[1];
  for (int j = 0; j < n; j++) w[j + 2] = x[j] + 3 * w[j + 1] - w[j];
  out[0] = w[n] + 2 * w[n + 1];
#pragma endscop
}
void rows(int n, int m, unsigned x[n][m + 3], unsigned out[n][m + 3]) {
  unsigned w[n][m + 3];
#pragma scop
  for (int i = 0; i < n; i++) {
    w[i][0] = x[i][0];
    if (x[i][1] > 3) w[i][1] = 1; else w[i][1] = x[i][1];
    w[i][2] = 7;
    for (int j = 3; j < m + 3; j++) {
      w[i][j] = x[i][j] - w[i][j - 3];
      out[i][j] = w[i][j - 1] + w[i][j];
    }
    out[i][0] = w[i][m] + w[i][m + 2];
  }
#pragma endscop
}
void halves(int n, unsigned x[n + 4], unsigned out[n + 4]) {
  unsigned w[2 * n + 4];
#pragma scop
  for (int j = 0; j < n; j++) {
    if (j == 0) w[j] = x[0]; else w[j] = x[j] + w[j - 1];
  }
  if (n > 0) {
    out[0] = w[n - 1];
  }
  for (int j = n; j < 2 * n; j++) {
    w[j] = x[j - n] + w[j - 1];
    if (j >= 2) out[j - n] = w[j - 2];
  }
  if (n > 1) out[1] = w[2 * n - 1];
#pragma endscop
}
void square(int n, unsigned x[3][n + 2], unsigned out[n + 2]) {
  unsigned w[3][n + 2];
#pragma scop
  w[0][0] = x[0][0]; w[1][0] = x[1][0]; w[2][0] = x[2][0];
  w[0][1] = x[0][1]; w[1][1] = x[1][1]; w[2][1] = x[2][1];
  for (int j = 2; j < n + 2; j++) {
    w[0][j] = x[0][j]; w[1][j] = x[1][j]; w[2][j] = x[2][j];
    out[j] = w[0][j - 2] + w[0][j - 1] + w[0][j] + w[1][j - 2] + w[1][j - 1] + w[1][j] + w[2][j - 2] + w[2][j - 1] + w[2][j];
  }
#pragma endscop
}
void downward(int n, unsigned x[n + 4], unsigned out[n + 4]) {
  unsigned w[n + 4];
#pragma scop
  w[n + 3] = x[0]; w[n + 2] = x[1];
  for (int j = n + 1; j >= 0; j--) w[j] = w[j + 2] + 5 * w[j + 1] + x[j];
  out[0] = w[0] - w[1];
#pragma endscop
}
void on_data(int n, unsigned x[n], unsigned out[n]) {
  unsigned w[n];
#pragma scop
  for (int j = 0; j < n; j++) {
    if (x[j] > 4) w[j] = x[j]; else w[j] = 1;
    if (j >= 2) out[j] = w[j - 2] + w[j];
  }
#pragma endscop
}
";

#[test]
fn shift_registers_have_values_where_they_are_read() {
    let counts = judge_file(WINDOWS, SEARCH).expect("no complaints");
    println!("{counts:?}");
    assert!(counts.registers_replayed >= 12 && counts.moved_registers_caught >= 12, "{counts:?}");
}

/// Random ones, those of one loop and those of rows.
#[test]
fn random_shift_registers_have_values_where_they_are_read() {
    let seeds: Vec<u64> = (0..12).collect();
    let counts = judge_file(&polyfold_testgen::recurrences_file(&seeds), SEARCH).expect("no complaints");
    println!("{counts:?}");
    assert!(counts.registers_replayed >= 12 && counts.moved_registers_caught >= 12, "{counts:?}");
}
