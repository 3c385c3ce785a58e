//! What was fused, what runs behind what, and what kept the rest apart, in the user's words.

use super::refusals::no_new_loops;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_nests::{Apart, Fused, FusedLoop, Obstacle, Ratio};
use polyfold_plan::{Kept, MayOverlap, Stuck, is_reuse};
use polyfold_scop::{ArrayId, Code, Effect, Scop, Statement, StatementId, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

/// More of them say nothing new.
const MOST_OBSTACLES: usize = 4;

/// Of an order that is taken.
pub(super) fn notes(scop: &Scop, order: &Fused) -> Vec<Diagnostic> {
    let mut by_statements: BTreeMap<Vec<StatementId>, Vec<&FusedLoop>> = BTreeMap::new();
    for fused in &order.loops {
        by_statements.entry(fused.behind.keys().copied().collect()).or_default().push(fused);
    }
    let fused = by_statements.into_iter().map(|(statements, loops)| fused_note(scop, &statements, loops));
    let fused = fused.chain(loops_note(scop, &order.exchanged, "stand in another order"));
    let fused = fused.chain(loops_note(scop, &order.skewed, "run along diagonals"));
    let apart = told_obstacles(scop, still_apart(order));
    fused.chain(apart.into_iter().map(|(_, note)| note)).collect()
}

/// What keeps statements of a fused order apart, in the words of its notes.
pub(super) fn why_apart(scop: &Scop, order: &Fused) -> Vec<(StatementId, StatementId, String)> {
    let told = told_obstacles(scop, still_apart(order));
    told.into_iter().map(|(obstacle, note)| (obstacle.from, obstacle.to, note.message)).collect()
}

/// Obstacles between statements that share no loop now.
fn still_apart(order: &Fused) -> impl Iterator<Item = &Obstacle> {
    let together = |from: StatementId, to: StatementId| {
        order.loops.iter().any(|fused| fused.behind.contains_key(&from) && fused.behind.contains_key(&to))
    };
    order.obstacles.iter().filter(move |o| !together(o.from, o.to))
}

/// Of innermost loops that are fused with statements which keep vectors from them.
pub(super) fn notes_without_vectors(scop: &Scop, order: &Fused, statements: &BTreeSet<StatementId>) -> Vec<Diagnostic> {
    let is_innermost = |fused: &FusedLoop, id: StatementId| scop.statement(id).loops.len() == fused.level + 1;
    let slowed = order.loops.iter().filter_map(|fused| {
        let mut all = fused.behind.keys().copied();
        let others = all.clone().any(|id| !statements.contains(&id));
        all.find(|id| others && statements.contains(id) && is_innermost(fused, *id))
    });
    let slowed: BTreeSet<StatementId> = slowed.collect();
    slowed.into_iter().map(|id| note_without_vectors(scop, id)).collect()
}

fn note_without_vectors(scop: &Scop, id: StatementId) -> Diagnostic {
    let message = format!(
        "line {} keeps what shares its loop from vectors: it computes floating numbers behind a choice, which takes masks (AVX-512, SVE), or \
         calls the C library, which may set errno",
        scop.statement(id).line
    );
    let help =
        "`--schedule strips` gives it a loop of its own, and gcc makes vectors with -fno-trapping-math -fno-math-errno"
            .to_string();
    Diagnostic { help: Some(help), ..note(Code::NoVectors, message, scop.statement(id).span.clone(), "this one") }
}

/// Of a scop whose loops stay as they are. Where pointers make a fused order illegal, that is why.
pub(super) fn kept_notes(scop: &Scop, kept: &Kept) -> Vec<Diagnostic> {
    if let Some(overlap) = kept.overlap {
        return std::iter::once(overlap_note(scop, overlap)).chain(obstacles(scop, kept.obstacles.iter())).collect();
    }
    let has_own = scop.arrays.iter().any(|array| array.is_temporary() && !array.is_scalar());
    let message = match kept.could_fuse {
        _ if !has_own => "no array is the scop's own, so that fusing these loops saves nothing: they stay as they are",
        _ if kept.is_cut_short => {
            "these loops stay as they are: the search for an order that needs fewer cells ended at its bound; --max-ops raises it"
        }
        true => "no fused order of these loops needs fewer cells: they stay as they are",
        false => "no loops that pass arrays on can be fused here: they stay as they are",
    };
    let start = scop.statements.first().map_or(scop.span.clone(), |statement| statement.span.clone());
    let first = note(Code::LoopsStay, message.to_string(), start, "from here on");
    std::iter::once(first).chain(obstacles(scop, kept.obstacles.iter())).collect()
}

fn overlap_note(scop: &Scop, overlap: MayOverlap) -> Diagnostic {
    let [first, second] = overlap.statements.map(|id| scop.statement(id));
    let [pointer, other] = overlap.arrays.map(|id| &scop.array(id).name);
    let message = format!(
        "these loops stay as they are: `{pointer}` and `{other}` may be the same memory, which lines {} and {} use",
        first.line, second.line
    );
    let help = format!(
        "put the loops into a function with `{pointer}` and `{other}` as parameters: parameters are taken not to overlap"
    );
    Diagnostic { help: Some(help), ..note(Code::MayOverlap, message, second.span.clone(), "this one") }
}

/// Of a scop that cannot get new loops.
pub(super) fn stuck_note(scop: &Scop, why: &Stuck) -> Diagnostic {
    match why {
        Stuck::NoNewLoops(obstacle) => no_new_loops(obstacle, Severity::Note),
        Stuck::PastBound => past_bound_note(scop),
        Stuck::NeverRuns(id) => never_note(scop, *id),
    }
}

/// Of a scop with a statement that never runs.
fn never_note(scop: &Scop, id: StatementId) -> Diagnostic {
    let message = "loops stay as they are: this statement never runs, and new loops would leave it out".to_string();
    let help = Some("take it out, and what only it uses".to_string());
    Diagnostic { help, ..note(Code::LoopsStay, message, scop.statement(id).span.clone(), "for no sizes") }
}

/// Of a scop that takes too much work.
fn past_bound_note(scop: &Scop) -> Diagnostic {
    let start = scop.statements.first().map_or(scop.span.clone(), |statement| statement.span.clone());
    let message =
        "loops stay as they are: what depends on what takes more analysis work than the bound allows".to_string();
    Diagnostic {
        help: Some("--max-ops raises the bound".to_string()),
        ..note(Code::LoopsStay, message, start, "from here on")
    }
}

/// Of statements whose loops are new ones in some way.
fn loops_note(scop: &Scop, statements: &BTreeSet<StatementId>, what_they_do: &str) -> Option<Diagnostic> {
    let first = statements.first()?;
    let lines: BTreeSet<usize> = statements.iter().map(|id| scop.statement(*id).line).collect();
    let what = if lines.len() == 1 { "line" } else { "lines" };
    let message = format!("the loops around {what} {} {what_they_do} now", list(&lines));
    Some(note(Code::NewOrder, message, scop.statement(*first).span.clone(), "the first of them"))
}

fn fused_note(scop: &Scop, statements: &[StatementId], mut loops: Vec<&FusedLoop>) -> Diagnostic {
    loops.sort_by_key(|fused| fused.level);
    let lines: BTreeSet<usize> = statements.iter().map(|id| scop.statement(*id).line).collect();
    let levels = if loops.len() == 1 { String::new() } else { format!(", {} loops deep", loops.len()) };
    let what = if lines.len() == 1 { "line" } else { "lines" };
    let computes = if lines.len() == 1 { "computes" } else { "compute" };
    let mut message = format!("what {what} {} {computes} is in one loop now{levels}", list(&lines));
    let mut by_pace: BTreeMap<Pace, BTreeSet<usize>> = BTreeMap::new();
    for id in statements {
        by_pace.entry(Pace::of(*id, &loops)).or_default().insert(scop.statement(*id).line);
    }
    by_pace.iter().for_each(|(pace, lines)| message += &pace.told(lines));
    note(
        Code::NewOrder,
        message + &courses(scop, &loops),
        scop.statement(statements[0]).span.clone(),
        "the first of them",
    )
}

/// When a statement runs in loops that it shares, from the outermost on.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Pace {
    /// How many iterations behind, of the loops of which it does not run in one iteration.
    behind: Vec<i64>,
    /// In one of how many iterations, where it does not run in each.
    rates: Vec<i64>,
}

impl Pace {
    fn of(id: StatementId, loops: &[&FusedLoop]) -> Pace {
        let along = loops.iter().filter(|fused| !fused.once.contains(&id));
        Pace {
            behind: along.map(|fused| fused.behind[&id]).collect(),
            rates: loops.iter().filter_map(|fused| fused.rates.get(&id).copied()).collect(),
        }
    }

    fn told(&self, lines: &BTreeSet<usize>) -> String {
        let (line, runs) = if lines.len() == 1 { ("line", "runs") } else { ("lines", "run") };
        let by: Vec<String> = self.behind.iter().map(i64::to_string).collect();
        let by = if by.len() == 1 { by[0].clone() } else { format!("({})", by.join(", ")) };
        let iterations = if self.behind == [1] { "iteration" } else { "iterations" };
        let rates: Vec<String> = self.rates.iter().map(|rate| format!("in one of {rate} iterations")).collect();
        let rates = rates.join(", and of those ");
        let how = match (self.rates.is_empty(), self.behind.iter().all(|by| *by == 0)) {
            (true, true) => return String::new(),
            (true, false) => format!("{by} {iterations} behind"),
            (false, true) => rates,
            (false, false) => format!("{rates}, {by} behind"),
        };
        format!("; {line} {} {runs} {how}", list(lines))
    }
}

/// What goes in the other direction now, or in none.
fn courses(scop: &Scop, loops: &[&FusedLoop]) -> String {
    let lines = |ids: &mut dyn Iterator<Item = &StatementId>| ids.map(|id| scop.statement(*id).line).collect();
    let turned: BTreeSet<usize> = lines(&mut loops.iter().flat_map(|fused| &fused.turned));
    let once: BTreeSet<usize> = lines(&mut loops.iter().flat_map(|fused| &fused.once));
    let turned = match turned.len() {
        0 => String::new(),
        1 => format!("; the loop of line {} is turned over", list(&turned)),
        _ => format!("; the loops of lines {} are turned over", list(&turned)),
    };
    let once = match once.len() {
        0 => String::new(),
        1 => format!("; line {} runs in one iteration of it", list(&once)),
        _ => format!("; lines {} run in one iteration of it each", list(&once)),
    };
    turned + &once
}

fn obstacles<'a>(scop: &Scop, found: impl Iterator<Item = &'a Obstacle>) -> impl Iterator<Item = Diagnostic> {
    told_obstacles(scop, found).into_iter().map(|(_, note)| note)
}

/// Of each cause once, and of the first few only.
fn told_obstacles<'a>(scop: &Scop, found: impl Iterator<Item = &'a Obstacle>) -> Vec<(&'a Obstacle, Diagnostic)> {
    let found: Vec<&Obstacle> = found.collect();
    let reused: BTreeSet<ArrayId> = found.iter().filter(|o| is_reuse(scop, o)).filter_map(|o| o.array).collect();
    let cause = |o: &&Obstacle| match o.array {
        Some(_) if is_reuse(scop, o) => Cause::Reused,
        Some(array) => Cause::Waits(array, scop.statement(o.from).line, std::mem::discriminant(&o.why)),
        None => Cause::Effects(effects(scop.statement(o.from), scop.statement(o.to))),
    };
    let mut seen = Vec::new();
    let mut told = Vec::new();
    for found in &found {
        let cause = cause(found);
        let said = match cause {
            _ if seen.contains(&cause) => None,
            Cause::Reused => Some(reuse(scop, found, &reused)),
            Cause::Waits(..) | Cause::Effects(_) => obstacle(scop, found),
        };
        if said.is_some() {
            seen.push(cause);
        }
        told.extend(said.map(|note| (*found, note)));
    }
    told.truncate(MOST_OBSTACLES);
    told
}

/// What keeps loops apart, of which one note is enough.
#[derive(PartialEq)]
enum Cause {
    /// Several loops use the same temporaries for values that have nothing to do with each other.
    Reused,
    /// A loop waits for what a line does with an array.
    Waits(ArrayId, usize, std::mem::Discriminant<Apart>),
    /// What a statement does besides its writes, in words.
    Effects(String),
}

fn reuse(scop: &Scop, obstacle: &Obstacle, arrays: &BTreeSet<ArrayId>) -> Diagnostic {
    let (from, to) = (scop.statement(obstacle.from), scop.statement(obstacle.to));
    let names: Vec<String> = arrays.iter().map(|id| format!("`{}`", scop.array(*id).name)).collect();
    let message = format!(
        "the loops of lines {} and {} stay apart: both keep values in {}, and the second one would overwrite those of the first",
        from.line,
        to.line,
        joined(&names)
    );
    note(Code::NotFused, message, to.span.clone(), "this one")
}

/// What one of two statements may do besides its writes.
fn effects(from: &Statement, to: &Statement) -> String {
    let with = |effect| [from, to].into_iter().find(|statement| statement.kind == StatementKind::Effectful(effect));
    if let Some(Statement { line, .. }) = with(Effect::Call) {
        return format!("line {line} calls a function that may do anything (`--pure` says what does not)");
    }
    let line = with(Effect::Memory).unwrap_or(to).line;
    format!(
        "line {line} reads or writes memory that is in none of the scop's arrays, or may be volatile (behind a pointer that is no variable by itself, \
         or in a structure, if the file has one with a volatile member)"
    )
}

fn obstacle(scop: &Scop, obstacle: &Obstacle) -> Option<Diagnostic> {
    let (from, to) = (scop.statement(obstacle.from), scop.statement(obstacle.to));
    let array = obstacle.array.map_or("", |array| &scop.array(array).name);
    // What the second loop waits for.
    let (needs, does) = match obstacle.is_flow {
        true => (format!("line {} needs values of `{array}` that line {}", to.line, from.line), "sets"),
        false => (format!("line {} sets cells of `{array}` that line {}", to.line, from.line), "uses"),
    };
    let why = match obstacle.why {
        Apart::NoLoop | Apart::Lasting => return None,
        _ if obstacle.array.is_none() => effects(from, to),
        Apart::Directions(first, second) => {
            let lines = [first, second].map(|id| scop.statement(id).line);
            let held = list(&lines.into());
            format!(
                "they go in opposite directions, in which lines {held} hold them: they use what earlier iterations of their own loops \
                 set or use"
            )
        }
        Apart::NoShift => cannot_follow(obstacle, (from.line, to.line), array),
        Apart::Rates(Ratio { over, under }) => {
            let often = match (over, under) {
                (1, 1) => format!("run as often as line {}", to.line),
                (_, 1) => format!("run {over} times as often as line {}", to.line),
                _ => format!("run {over} times while line {} runs {under} times", to.line),
            };
            format!(
                "line {} would have to {often}, and what else connects their loops asks for another ratio",
                from.line
            )
        }
        Apart::Far(by) => format!("{needs} {does} up to {by} iterations later, which is too many to wait for"),
        Apart::Serial => {
            "one of them hands values on from iteration to iteration, and would keep the other one from vectors".into()
        }
        Apart::Innermost => format!("{needs} {does} in another iteration of an innermost loop"),
    };
    let message = format!("the loops of lines {} and {} stay apart: {why}", from.line, to.line);
    Some(note(Code::NotFused, message, to.span.clone(), "this one"))
}

/// One that needs values from iterations of the other one that no number bounds.
fn cannot_follow(obstacle: &Obstacle, (from, to): (usize, usize), array: &str) -> String {
    let all = match obstacle.level {
        0 => format!("all of `{array}`"),
        _ => format!("all that an iteration of the loops around sets in `{array}`"),
    };
    match obstacle.is_flow {
        true => format!(
            "line {to} can't follow line {from} by some iterations, since it needs {all}, or values that are set ever further ahead"
        ),
        false => format!(
            "line {to} can't follow line {from} by some iterations, since it would overwrite cells of `{array}` that line {from} uses \
             ever further ahead"
        ),
    }
}

fn list(lines: &BTreeSet<usize>) -> String {
    joined(&lines.iter().map(usize::to_string).collect::<Vec<_>>())
}

/// `a, b and c`.
fn joined(words: &[String]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// Something to know about a place.
pub(super) fn note(code: Code, message: String, span: std::ops::Range<usize>, label: &str) -> Diagnostic {
    let label = label.to_string();
    Diagnostic { severity: Severity::Note, code, message, span, about_options: false, label, help: None }
}
