//! Storage that is counted from where tiles begin, against runs: each read finds its value, in the cell that the generated code names.
//!
//! What is proved of tiles and sizes has no part in it. With reads one cell further in one of the rows the replay is to fail.

use super::SEARCH;
use super::counted::Counted;
use super::judge::{Counts, Verdict, judge_file};
use super::row::RowHere;
use super::run::{Run, borrow};
use polyfold_flow::Model;
use polyfold_plan::Optimized;
use polyfold_prove::{Placed, TileWindow, tile_windows};
use polyfold_replay::{Event, Home, Operation, Slot, replay_moving};
use polyfold_scop::ArrayId;

/// Judges the tiles of a program, buffer by buffer.
pub(crate) fn judge_tiles(model: &Model, result: &Optimized, runs: &[Run], counts: &mut Counts) -> Verdict {
    let places = result.outcomes.iter().filter_map(|(_, outcome)| outcome.place(&result.buffers).cloned());
    let (places, program): (Vec<Placed>, _) = (places.collect(), (model.scop, &model.statements[..]));
    let found = tile_windows(program, &places, &result.dead.statements, &result.proved).map_err(|e| e.to_string())?;
    let buffer = |array: ArrayId| {
        let place = places.iter().find(|place| place.array() == array);
        place.map(|place| place.shared().unwrap_or(array))
    };
    let found: Vec<TileWindow> = found.into_iter().filter(|window| window.rows().len() > 1).collect();
    for first in found.iter().filter(|tiled| buffer(tiled.array()) == Some(tiled.array())) {
        let members: Vec<(&TileWindow, &Placed)> = (found.iter())
            .filter(|tiled| buffer(tiled.array()) == Some(first.array()))
            .filter_map(|tiled| Some((tiled, places.iter().find(|place| place.array() == tiled.array())?)))
            .collect();
        let all = places.iter().filter(|place| buffer(place.array()) == Some(first.array())).count();
        assert_eq!(members.len(), all, "all arrays of a buffer, or none");
        for run in runs {
            let here = result.proved.at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
            if here.is_empty().map_err(|e| e.to_string())? {
                continue;
            }
            replay(model, &members, run, 0).map_err(|why| format!("{first:?} at {:?}: {why}", run.sizes))?;
            counts.tiles_replayed += 1;
            counts.moved_tiles_caught += usize::from(replay(model, &members, run, 1).is_err());
        }
    }
    Ok(())
}

/// With reads so many cells further in the rows that are counted.
fn replay(model: &Model, members: &[(&TileWindow, &Placed)], run: &Run, beside: i64) -> Verdict {
    let mut rows = Vec::new();
    for (_, place) in members {
        rows.push(RowHere::all(place, &run.sizes)?);
    }
    let home = |operation: &Operation, event: &Event| {
        let Some(at) = members.iter().position(|(tiled, _)| tiled.array() == event.array) else {
            return Home::Elsewhere;
        };
        let mut cell = Vec::new();
        for ((origin, here), row) in members[at].0.rows().iter().zip(&rows[at]).zip(members[at].1.rows()) {
            let place = match origin {
                None => Some(here.place(&event.cell)),
                Some(origin) => {
                    let counted = Counted { row, origin, cells: here.modulus };
                    counted.place(model.scop, (operation, event), beside)
                }
            };
            let Some(place) = place else { return Home::Nowhere };
            cell.push(place);
        }
        Home::At((0, cell))
    };
    let moves = |_| Vec::<(Slot, Slot)>::new();
    replay_moving(&run.trace, &home, &moves).map_err(|e| e.to_string())
}

/// Tiles with two rows more on both sides, of two arrays in one buffer, that go down, that multiply their counters, and of which one dimension stays a ring; and one whose values the next tile reads.
const TILES: &str = "
#define N 37
#define M 33
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
void with_halo(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N];
#pragma scop
  for (int I = 2; I < M - 2; I += 8)
    for (int J = 0; J < N; J += 8) {
      for (int i = I - 2; i < min(I + 8, M - 2) + 2; i++)
        for (int j = J; j < min(J + 8, N); j++) w[i][j] = 3 * x[i][j];
      for (int i = I; i < min(I + 8, M - 2); i++)
        for (int j = J; j < min(J + 8, N); j++) out[i][j] = w[i - 2][j] + w[i][j] - w[i + 2][j];
    }
#pragma endscop
}
void of_two_arrays(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N], v[M][N];
#pragma scop
  for (int I = 0; I < M; I += 8)
    for (int J = 0; J < N; J += 8) {
      for (int i = I; i < min(I + 8, M); i++)
        for (int j = J; j < min(J + 8, N); j++) w[i][j] = x[i][j] + i;
      for (int i = I + 1; i < min(I + 8, M); i++)
        for (int j = J; j < min(J + 8, N); j++) v[i][j] = w[i - 1][j] + w[i][j];
      for (int i = I + 1; i < min(I + 8, M); i++)
        for (int j = J + 1; j < min(J + 8, N); j++) out[i][j] = v[i][j - 1] - v[i][j];
    }
#pragma endscop
}
void downwards(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N];
#pragma scop
  for (int I = M - 1; I >= 0; I -= 6)
    for (int J = N - 1; J >= 0; J -= 8) {
      for (int i = I; i > max(I - 6, -1); i--)
        for (int j = J; j > max(J - 8, -1); j--) w[i][j] = 3 * x[i][j] + j;
      for (int i = I; i > max(I - 6, 0); i--)
        for (int j = J; j > max(J - 8, -1); j--) { if (i > I - 5) out[i][j] = w[i - 1][j] + w[i][j]; }
    }
#pragma endscop
}
void multiplied(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N];
#pragma scop
  for (int I = 0; I < M / 8; I++)
    for (int J = 0; J < N / 8; J++) {
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) w[8 * I + i][8 * J + j] = 3 * x[8 * I + i][8 * J + j];
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) out[8 * I + i][8 * J + j] = w[8 * I + j][8 * J + i];
    }
#pragma endscop
}
void for_the_next_one(unsigned x[M][N], unsigned out[M][N]) {
  unsigned w[M][N];
#pragma scop
  for (int I = 0; I < M; I += 8)
    for (int J = 0; J < N; J += 8) {
      for (int i = I; i < min(I + 8, M); i++)
        for (int j = J; j < min(J + 8, N); j++) w[i][j] = 3 * x[i][j];
      for (int i = max(I, 1); i < min(I + 8, M); i++)
        for (int j = J; j < min(J + 8, N); j++) out[i][j] = w[i - 1][j] + w[i][j];
    }
#pragma endscop
}
";

#[test]
fn tiles_have_values_where_they_are_read() {
    let counts = judge_file(TILES, SEARCH).expect("no complaints");
    println!("{counts:?}");
    assert!(counts.tiles_replayed >= 8 && counts.moved_tiles_caught >= 4, "{counts:?}");
}
