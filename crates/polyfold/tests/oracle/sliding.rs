//! Windows that slide, against runs: each read finds its value in the cell to which it has been moved.
//!
//! The window begins at `from`, which goes down by the slope in each turn, and all cells move back when there are none below it, as the generated code does it. How many turns are left
//! is counted in the run. Without the moves, and with moves one cell beside their places, the replay is to fail.

use super::SEARCH;
use super::judge::{Counts, Search, Verdict, judge_file};
use super::run::{Run, borrow};
use super::values::Homes;
use polyfold_isl::PwAff;
use polyfold_plan::{Optimized, Outcome, Slack};
use polyfold_prove::{PlacedValues, SlidingWindow, sliding_windows};
use polyfold_replay::{Home, Slot, replay_moving};
use polyfold_scop::{LoopId, Scop};
use std::cell::Cell;

/// Judges the windows of a program.
pub(crate) fn judge_slides(scop: &Scop, result: &Optimized, runs: &[Run], counts: &mut Counts) -> Verdict {
    let values = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Values { values, .. } => Some(values.placed().clone()),
        _ => None,
    });
    let values: Vec<PlacedValues> = values.collect();
    let named: Vec<&PlacedValues> = values.iter().collect();
    for window in sliding_windows(scop, &values, &result.proved).map_err(|e| e.to_string())? {
        for run in runs {
            let Some(homes) = Homes::of(&named, run)? else { continue };
            let replayed = |moves, beside| Slide::of(&window, run, (moves, beside))?.replay(&homes, run);
            replayed(true, 0).map_err(|why| format!("{window:?} at {:?}: {why}", run.sizes))?;
            counts.slides_replayed += 1;
            counts.lost_slides_caught += usize::from(replayed(false, 0).is_err());
            counts.moved_slides_caught += usize::from(replayed(true, 1).is_err());
        }
    }
    Ok(())
}

/// A window in a run.
struct Slide<'a> {
    window: &'a SlidingWindow,
    lowest: i64,
    cells: i64,
    room: i64,
    /// Turns of the loop, and where the window is in the one that runs.
    left: Cell<i64>,
    from: Cell<i64>,
    moves: bool,
    /// How far beside its place each move puts a cell.
    beside: i64,
}

impl<'a> Slide<'a> {
    fn of(window: &'a SlidingWindow, run: &Run, (moves, beside): (bool, i64)) -> Result<Slide<'a>, String> {
        let value = |function: &PwAff| {
            let value = function.eval(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
            value.ok_or(format!("{function} has no value at {:?}", run.sizes))
        };
        let room = value(window.room())?;
        let turns = run.trace.turns.iter().filter(|turn| turn.of == window.time()).count();
        Ok(Slide {
            window,
            lowest: value(window.lowest())?,
            cells: value(window.cells())?,
            room,
            left: Cell::new(turns as i64),
            from: Cell::new(room),
            moves,
            beside,
        })
    }

    fn replay(&self, homes: &Homes, run: &Run) -> Verdict {
        let buffer = self.window.buffer();
        let home = |operation: &_, event: &_| match homes.position(operation, event, buffer) {
            None => homes.home(operation, event),
            Some(position) => {
                let at = position - self.window.slope() * self.left.get() - self.lowest;
                let is_inside = (0..self.cells).contains(&at);
                if is_inside { Home::At(self.slot(self.from.get() + at)) } else { Home::Nowhere }
            }
        };
        replay_moving(&run.trace, &home, &|id| self.turn(id)).map_err(|e| e.to_string())
    }

    fn slot(&self, at: i64) -> Slot {
        (self.window.buffer().0, vec![at])
    }

    /// The end of a turn: first the cell that gets something.
    fn turn(&self, id: LoopId) -> Vec<(Slot, Slot)> {
        if id != self.window.time() {
            return Vec::new();
        }
        self.left.set(self.left.get() - 1);
        let (from, slope) = (self.from.get(), self.window.slope());
        if from >= slope {
            self.from.set(from - slope);
            return Vec::new();
        }
        self.from.set(self.room);
        let kept = (0..self.cells - slope).rev().filter(|_| self.moves);
        kept.map(|at| (self.slot(at + self.room + slope + self.beside), self.slot(at + from))).collect()
    }
}

/// Two grids that become one and slide down, by one and by two cells, and with counters that go down.
const GRIDS: &str = "
void to_and_fro(int n, int T, double in[n], double out[n]) {
  double p[n], q[n];
#pragma scop
  for (int i = 0; i < n; i++) q[i] = in[i];
  for (int t = 0; t < T + 9; t++) {
    for (int i = 1; i < n - 1; i++) p[i] = q[i - 1] + q[i] + q[i + 1];
    for (int i = 1; i < n - 1; i++) q[i] = p[i];
  }
  for (int i = 0; i < n; i++) out[i] = q[i];
#pragma endscop
}
void five_points(int n, int T, double in[n], double out[n]) {
  double p[n], q[n];
#pragma scop
  for (int i = 0; i < n; i++) q[i] = in[i];
  for (int t = 0; t < T + 9; t++) {
    for (int i = 2; i < n - 2; i++) p[i] = q[i - 2] + q[i] + q[i + 2];
    for (int i = 2; i < n - 2; i++) q[i] = p[i];
  }
  for (int i = 0; i < n; i++) out[i] = q[i];
#pragma endscop
}
void from_above(int n, int T, double in[n], double out[n]) {
  double p[n], q[n];
#pragma scop
  for (int i = 0; i < n; i++) q[i] = in[i];
  for (int t = T + 9; t > 0; t--) {
    for (int i = n - 2; i >= 1; i--) p[i] = q[i - 1] + q[i] + q[i + 1];
    for (int i = n - 2; i >= 1; i--) q[i] = p[i];
  }
  for (int i = 0; i < n; i++) out[i] = q[i];
#pragma endscop
}
";

#[test]
fn windows_that_slide_have_values_where_they_are_read() {
    let counts = judge_file(GRIDS, Search { slack: Slack::Percent(6), ..SEARCH }).expect("no complaints");
    println!("{counts:?}");
    assert!(counts.slides_replayed >= 3 && counts.lost_slides_caught >= 1 && counts.moved_slides_caught >= 1);
}
