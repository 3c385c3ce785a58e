//! Windows that loops over strips carry along, against runs: each read finds its value in the cell to which it has been moved.
//!
//! A value is in the cell v − c − lowest of a strip or tile from c on, and the cells that the next strip needs are copied at the end of each turn, as the generated code does
//! it. What is proved of strips and sizes has no part in it. Without the copies, and with reads one cell further up, the replay is to fail.

use super::SEARCH;
use super::counted::Counted;
use super::judge::{Counts, Verdict, judge_file};
use super::run::{Run, borrow};
use polyfold_flow::Model;
use polyfold_plan::{Optimized, Outcome};
use polyfold_prove::{Carried, Placed, TileWindow, tile_windows};
use polyfold_replay::{Event, Home, Operation, Slot, replay_moving};
use polyfold_scop::LoopId;

/// Judges the windows of a program.
pub(crate) fn judge_windows(model: &Model, result: &Optimized, runs: &[Run], counts: &mut Counts) -> Verdict {
    let places = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Mapped { storage, .. } => Some(storage.place().clone()),
        _ => None,
    });
    let (places, program): (Vec<Placed>, _) = (places.collect(), (model.scop, &model.statements[..]));
    let found = tile_windows(program, &places, &result.dead.statements, &result.proved).map_err(|e| e.to_string())?;
    for window in found.iter().filter(|window| window.rows().len() == 1) {
        let place = places.iter().find(|place| place.array() == window.array()).ok_or("no place")?;
        for run in runs {
            let here = result.proved.at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
            if here.is_empty().map_err(|e| e.to_string())? {
                continue;
            }
            let replayed = |beside, copies| replay(model, (window, place), run, (beside, copies));
            replayed(0, true).map_err(|why| format!("{window:?} at {:?}: {why}", run.sizes))?;
            counts.windows_replayed += 1;
            counts.moved_windows_caught += usize::from(replayed(1, true).is_err());
            counts.lost_windows_caught += usize::from(replayed(0, false).is_err());
        }
    }
    Ok(())
}

/// With reads so many cells further up, and copies or none.
fn replay(model: &Model, (window, place): (&TileWindow, &Placed), run: &Run, (beside, copies): (i64, bool)) -> Verdict {
    let row = &place.rows()[0];
    let cells = row.modulus.as_constant().ok().flatten().ok_or("no circular buffer of a constant size")?;
    let counted = Counted { row, origin: window.rows()[0].as_ref().ok_or("no origin")?, cells };
    let home = |operation: &Operation, event: &Event| {
        if event.array != window.array() {
            return Home::Elsewhere;
        }
        let place = counted.place(model.scop, (operation, event), beside);
        place.map_or(Home::Nowhere, |place| Home::At((0, vec![place])))
    };
    let cell = |at: i64| -> Slot { (0, vec![at]) };
    let moves = |id: LoopId| {
        let Some(Carried { to, from, count }) = window.carried().filter(|_| id == window.tiles() && copies) else {
            return Vec::new();
        };
        let in_order = |k: i64| if to < from { k } else { count - 1 - k };
        (0..count).map(in_order).map(|k| (cell(to + k), cell(from + k))).collect()
    };
    replay_moving(&run.trace, &home, &moves).map_err(|e| e.to_string())
}

/// Windows of rows and columns of tiles, of tiles that go up while rows go down, of a tile that keeps what it has, and of strips over every other cell; and a ring that is none: rows of tiles that read
/// those of the tiles above.
const TILES: &str = "
#define N 53
#define M 40
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
void along_rows(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N];
#pragma scop
  for (int I = 0; I < M; I += 16)
    for (int J = 0; J < N; J += 16)
      for (int i = I; i < min(I + 16, M); i++) {
        for (int j = J; j < min(J + 16, N); j++) w[i][j] = 3 * x[i][j];
        for (int j = max(J, 2); j < min(J + 16, N); j++) out[i][j] = w[i][j - 2] + w[i][j];
      }
#pragma endscop
}
void down_the_rows(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N];
#pragma scop
  for (int I = 0; I < M; I += 16)
    for (int J = 0; J < N; J += 20)
      for (int i = min(I + 15, M - 1); i >= I; i--) {
        for (int j = J; j < min(J + 20, N); j++) w[i][j] = x[i][j] + j;
        for (int j = max(J, 1); j < min(J + 20, N); j++) out[i][j] = w[i][j - 1] + w[i][j];
      }
#pragma endscop
}
void from_the_right(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N];
#pragma scop
  for (int I = 0; I < M; I += 16)
    for (int J = N - 1; J >= 0; J -= 16)
      for (int i = I; i < min(I + 16, M); i++) {
        for (int j = J; j > max(J - 16, -1); j--) w[i][j] = 3 * x[i][j];
        for (int j = min(J, N - 3); j > max(J - 16, -1); j--) out[i][j] = w[i][j + 2] + w[i][j];
      }
#pragma endscop
}
void of_its_own(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N];
#pragma scop
  for (int I = 0; I < M; I += 16)
    for (int J = 0; J < N; J += 16) {
      for (int i = I; i < min(I + 16, M); i++)
        for (int j = J; j < min(J + 16, N); j++) w[i][j] = 3 * x[i][j];
      for (int i = I; i < min(I + 16, M); i++)
        for (int j = J; j < min(J + 16, N); j++) { if (i > I) out[i][j] = w[i - 1][j] + w[i][j]; else out[i][j] = w[i][j]; }
    }
#pragma endscop
}
void twice_as_far(unsigned x[N], unsigned out[N]) {
  unsigned w[2 * N];
#pragma scop
  for (int c = 0; c < N; c += 16) {
    for (int j = c; j < min(c + 16, N); j++) { w[2 * j] = x[j]; w[2 * j + 1] = x[j] + 7; }
    for (int j = max(c, 1); j < min(c + 16, N); j++) out[j] = w[2 * j - 1] + w[2 * j];
  }
#pragma endscop
}
void from_above(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N];
#pragma scop
  for (int I = 0; I < M; I += 16)
    for (int J = 0; J < N; J += 16)
      for (int i = I; i < min(I + 16, M); i++) {
        for (int j = J; j < min(J + 16, N); j++) w[i][j] = 3 * x[i][j];
        for (int j = J; j < min(J + 16, N); j++) { if (i > 0) out[i][j] = w[i - 1][j]; }
      }
#pragma endscop
}
";

/// Seven windows, of rows, of several stages, where data decide, in a loop that goes down, and of a ring that does; and two rings that are none: of a value from in front of the strips, and of values that the
/// next row reads.
const STRIPS: &str = "
#define N 53
#define M 70
void rows(unsigned x[3][M], unsigned out[3][M]) {
  unsigned w[3][M];
#pragma scop
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < M; c += 16) {
      for (int j = c; j < (c + 16 < M ? c + 16 : M); j++) w[i][j] = x[i][j];
      for (int j = (c > 2 ? c : 2); j < (c + 16 < M ? c + 16 : M); j++) out[i][j] = w[i][j - 2] + w[i][j];
    }
#pragma endscop
}
void stages(unsigned x[N], unsigned out[N]) {
  unsigned v[N], w[N];
#pragma scop
  for (int c = 0; c < N; c += 16) {
    for (int j = c; j < (c + 16 < N ? c + 16 : N); j++) v[j] = 3 * x[j];
    for (int j = (c > 3 ? c : 3); j < (c + 16 < N ? c + 16 : N); j++) w[j] = v[j - 3] + v[j];
    for (int j = (c > 5 ? c : 5); j < (c + 16 < N ? c + 16 : N); j++) out[j] = w[j - 2] - v[j - 5];
  }
#pragma endscop
}
void on_data(unsigned x[N], unsigned out[N]) {
  unsigned w[N];
#pragma scop
  for (int c = 0; c < N; c += 20) {
    for (int j = c; j < (c + 20 < N ? c + 20 : N); j++) { if (x[j] > 4) w[j] = x[j]; else w[j] = 1; }
    for (int j = (c > 2 ? c : 2); j < (c + 20 < N ? c + 20 : N); j++) out[j] = w[j - 2] + w[j - 1] + w[j];
  }
#pragma endscop
}
void twice(unsigned x[N], unsigned out[N]) {
  unsigned w[2 * N];
#pragma scop
  for (int c = 0; c < N; c += 16) {
    for (int j = c; j < (c + 16 < N ? c + 16 : N); j++) { w[j] = x[j]; }
    for (int j = c; j < (c + 16 < N ? c + 16 : N); j++) { if (j > 0) out[j] = w[j - 1]; else out[j] = 5; }
  }
#pragma endscop
}
void down(unsigned x[N], unsigned out[N]) {
  unsigned w[N];
#pragma scop
  for (int c = N - 1; c >= 0; c -= 16) {
    for (int j = c; j > (c - 16 > -1 ? c - 16 : -1); j--) w[j] = 3 * x[j];
    for (int j = c; j > (c - 16 > -1 ? c - 16 : -1); j--) { if (j < N - 3) out[j] = w[j + 3] + w[j]; }
  }
#pragma endscop
}
void turned(unsigned x[N], unsigned out[N]) {
  unsigned w[61];
#pragma scop
  for (int c = 0; c < N; c += 16) {
    for (int j = c; j < (c + 16 < N ? c + 16 : N); j++) w[60 - j] = 3 * x[j];
    for (int j = (c > 2 ? c : 2); j < (c + 16 < N ? c + 16 : N); j++) out[j] = w[62 - j] + w[60 - j];
  }
#pragma endscop
}
void from_in_front(unsigned x[N], unsigned out[N]) {
  unsigned w[N];
#pragma scop
  w[0] = 7;
  for (int c = 1; c < N; c += 16) {
    for (int j = c; j < (c + 16 < N ? c + 16 : N); j++) w[j] = x[j];
    for (int j = c; j < (c + 16 < N ? c + 16 : N); j++) out[j] = w[j - 1] + w[j];
  }
#pragma endscop
}
void next_row(unsigned x[4][N], unsigned out[4][N]) {
  unsigned w[N];
#pragma scop
  for (int i = 0; i < 4; i++)
    for (int c = 0; c < N; c += 16) {
      for (int j = c; j < (c + 16 < N ? c + 16 : N); j++) { if (i > 0) out[i][j] = w[j]; }
      for (int j = c; j < (c + 16 < N ? c + 16 : N); j++) w[j] = x[i][j];
    }
#pragma endscop
}
";

#[test]
fn windows_have_values_where_they_are_read() {
    let counts = judge_file(STRIPS, SEARCH).expect("no complaints");
    println!("{counts:?}");
    assert!(counts.windows_replayed >= 30 && counts.moved_windows_caught >= 20, "{counts:?}");
    // Only at the sizes of the program is there more than one strip.
    assert_eq!(counts.lost_windows_caught, 7, "{counts:?}");
}

#[test]
fn windows_in_tiles_have_values_where_they_are_read() {
    let counts = judge_file(TILES, SEARCH).expect("no complaints");
    println!("{counts:?}");
    assert!(counts.windows_replayed >= 5 && counts.moved_windows_caught >= 5, "{counts:?}");
    assert_eq!(counts.lost_windows_caught, 4, "{counts:?}");
}
