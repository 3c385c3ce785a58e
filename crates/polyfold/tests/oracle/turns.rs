//! Variables of a loop's turns against runs: with a cell for each turn, each read finds its value.
//!
//! What is proved of subscripts has no part in it: where a value is, is what the counters around are. Where values go on from turn to turn of the next loop inside, a replay with a cell for each of those has to fail: `from_turn_to_turn` shows that it does.

use crate::SEARCH;
use crate::apart::placed;
use crate::judge::{Counts, Verdict, judge};
use crate::run::{Run, borrow};
use crate::support::parse;
use polyfold::optimize::Optimized;
use polyfold_flow::Model;
use polyfold_prove::{TurnVariable, turn_variables};
use polyfold_replay::{Event, Home, Operation, replay_moving};
use polyfold_scop::LoopId;

/// Judges the variables of a program.
pub(crate) fn judge_turn_variables(model: &Model, result: &Optimized, runs: &[Run], counts: &mut Counts) -> Verdict {
    let (places, program) = (placed(result), (model.scop, &model.statements[..]));
    let found = turn_variables(program, &places, &result.dead.statements, &result.proved).map_err(|e| e.to_string())?;
    for variable in &found {
        for run in runs {
            let here = result.proved.at(&borrow(&run.sizes)).map_err(|e| e.to_string())?;
            if here.is_empty().map_err(|e| e.to_string())? {
                continue;
            }
            let turns: Vec<LoopId> = variable.turns().iter().map(|turn| turn.of).collect();
            replay(model, variable, &turns, run).map_err(|why| format!("{variable:?} at {:?}: {why}", run.sizes))?;
            counts.variables_replayed += 1;
            let inside: Option<Vec<LoopId>> = variable.turns().iter().map(|turn| turn.inside).collect();
            let lost = inside.is_some_and(|inside| replay(model, variable, &inside, run).is_err());
            counts.lost_variables_caught += usize::from(lost);
        }
    }
    Ok(())
}

/// With a cell for each turn of loops.
fn replay(model: &Model, variable: &TurnVariable, turns: &[LoopId], run: &Run) -> Verdict {
    let home = |operation: &Operation, event: &Event| {
        if event.array != variable.array() {
            return Home::Elsewhere;
        }
        let loops = &model.scop.statement(operation.statement).loops;
        let depth = loops.iter().position(|own| turns.contains(own));
        let turn = |depth: usize| [vec![loops[depth].0 as i64], operation.iteration[..=depth].to_vec()].concat();
        depth.map_or(Home::Nowhere, |depth| Home::At((0, turn(depth))))
    };
    replay_moving(&run.trace, &home, &|_| Vec::new()).map_err(|e| e.to_string())
}

/// Variables of the innermost turn, of one around a loop, one of which values go on, of two loops, and none.
const VARIABLES: &str = "
#define N 9
void innermost(unsigned x[N], unsigned out[N]) {
  unsigned t[N];
#pragma scop
  for (int i = 0; i < N; i++) {
    t[i] = 3 * x[i];
    out[i] = t[i] * t[i];
  }
#pragma endscop
}
void around_a_loop(unsigned x[N][N], unsigned out[N]) {
  unsigned s[N][N + 1];
#pragma scop
  for (int i = 0; i < N; i++) {
    s[i][0] = 0;
    for (int j = 0; j < N; j++) s[i][j + 1] = s[i][j] + x[i][j];
    out[i] = s[i][N];
  }
#pragma endscop
}
void from_turn_to_turn(unsigned x[N][N], unsigned out[N][N]) {
  unsigned s[N][N];
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      if (j == 0)
        s[i][0] = 1;
      else
        s[i][j] = s[i][j - 1] * 3 + x[i][j];
      out[i][j] = s[i][j];
    }
#pragma endscop
}
void twice(unsigned x[N], unsigned out[N]) {
  unsigned t[N];
#pragma scop
  for (int i = 0; i < N; i++) {
    t[i] = 3 * x[i];
    out[i] = t[i] * t[i];
  }
  for (int i = 0; i < N; i++) {
    t[i] = x[i] - 1;
    for (int j = 0; j < N; j++) out[j] += t[i] * t[i];
  }
#pragma endscop
}
void none(unsigned x[N], unsigned out[N]) {
  unsigned s[N];
#pragma scop
  s[0] = 1;
  for (int i = 1; i < N; i++) {
    s[i] = s[i - 1] * x[i];
    out[i] = s[i];
  }
#pragma endscop
}
";

#[test]
fn each_turn_has_its_own_variable() {
    let found = parse(VARIABLES).scops.into_iter().map(|scop| {
        let counts = judge(VARIABLES, &scop, SEARCH).expect("all agree");
        (scop.function, counts.variables_replayed > 0, counts.lost_variables_caught > 0)
    });
    let found: Vec<(String, bool, bool)> = found.collect();
    let found: Vec<(&str, bool, bool)> = found.iter().map(|(name, one, other)| (&name[..], *one, *other)).collect();
    let wanted = [
        ("innermost", true, false),
        ("around_a_loop", true, false),
        ("from_turn_to_turn", true, true),
        ("twice", true, false),
        ("none", false, false),
    ];
    assert_eq!(found, wanted);
}
