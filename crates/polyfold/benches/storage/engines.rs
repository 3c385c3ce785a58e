//! What the engines for conflict sets make of a program, each within a time.
//!
//! Not all of their work is counted in steps of isl, so another process does it, which can be stopped: `--engines SEED
//! ENGINE,… ARRAYS SIZES` prints a line when the conflict set is there, and one for each engine in turn. Where one takes too long, a new process goes on behind it.

use crate::Cells;
use crate::support::storage::{Storage, scop_of};
use polyfold::program_conflicts::program_conflicts;
use polyfold_flow::{Model, dead_code};
use polyfold_isl::{Context, Error, ErrorKind};
use polyfold_scop::ArrayId;
use polyfold_smo::{ConflictSet, Engine, Outcome, storage_mapping_by};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// The time for an engine on one program, and for the conflict set before the first.
pub(crate) const MOST_TIME: Duration = Duration::from_secs(4);

/// The bound on the conflict set and on an engine, in steps of isl.
const MOST_STEPS: u64 = 100_000_000;

const ENGINES: [Engine; 4] = [Engine::Smo, Engine::Joint, Engine::Fast, Engine::Auto];

const FLAG: &str = "--engines";

/// The line that says that the conflict set is there.
const READY: &str = "ready";

/// By engine: `smo`, `joint`, `fast`, `auto`.
pub(crate) fn cells(seed: u64, storage: &Storage) -> [Cells; 4] {
    let mut found: Vec<Cells> = Vec::new();
    while found.len() < ENGINES.len() {
        let mut child = started(seed, storage, &ENGINES[found.len()..]);
        let (sender, receiver) = channel();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let reader = std::thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line).map_err(drop))
        });
        let is_ready = receiver.recv_timeout(MOST_TIME).is_ok_and(|line| line == READY);
        while is_ready && let Ok(line) = receiver.recv_timeout(MOST_TIME) {
            found.push(line.parse().map_err(|_| line));
        }
        let _ = child.kill();
        let _ = child.wait();
        let _ = reader.join();
        let seconds = MOST_TIME.as_secs();
        if !is_ready {
            found.resize(ENGINES.len(), Err(format!("the conflict set takes more than {seconds} s")));
        } else if found.len() < ENGINES.len() {
            found.push(Err(format!("it takes more than {seconds} s")));
        }
    }
    found.try_into().expect("one for each engine")
}

fn started(seed: u64, storage: &Storage, engines: &[Engine]) -> Child {
    let joined = |parts: Vec<String>| parts.join(",");
    let engines = joined(engines.iter().map(|engine| engine.name().to_string()).collect());
    let arrays = joined(storage.shared.live.0.iter().map(|id| id.0.to_string()).collect());
    let sizes = joined(storage.shared.sizes.values.iter().map(|(name, value)| format!("{name}={value}")).collect());
    let program = std::env::current_exe().expect("the benchmark knows its own path");
    let mut command = Command::new(program);
    command.args([FLAG, &seed.to_string(), &engines, &arrays, &sizes]).stdout(Stdio::piped());
    command.spawn().expect("the benchmark starts itself")
}

/// Whether this process is one that [`cells`] started.
pub(crate) fn is_child() -> bool {
    std::env::args().nth(1).is_some_and(|argument| argument == FLAG)
}

/// Prints a line for each engine: cells, or why there are none.
pub(crate) fn child() {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    let list = |k: usize| arguments[k].split(',').filter(|part| !part.is_empty());
    let number = |text: &str| text.parse::<i64>().expect("a number");
    let engines: Vec<Engine> =
        list(1).map(|name| *ENGINES.iter().find(|engine| engine.name() == name).expect("an engine")).collect();
    let arrays: Vec<ArrayId> = list(2).map(|id| ArrayId(number(id) as usize)).collect();
    let sizes: Vec<(&str, i64)> =
        list(3).filter_map(|size| size.split_once('=')).map(|(name, value)| (name, number(value))).collect();
    let ctx = Context::new();
    let conflicts = ctx.with_quota(MOST_STEPS, || conflict_set(&ctx, number(&arguments[0]) as u64, &arrays));
    println!("{READY}");
    for engine in engines {
        match conflicts.as_ref().map_err(why).and_then(|conflicts| by_engine(engine, conflicts.as_ref(), &sizes)) {
            Ok(cells) => println!("{cells}"),
            Err(why) => println!("{why}"),
        }
    }
}

/// `None`: nothing conflicts.
fn conflict_set(ctx: &Context, seed: u64, arrays: &[ArrayId]) -> Result<Option<ConflictSet>, Error> {
    let (_, scop) = scop_of(seed).expect("the program was read before");
    let useful = dead_code(&scop).remove_from(&scop);
    let model = Model::build(ctx, &useful)?;
    let pairs = program_conflicts(&model, arrays)?;
    if pairs.is_empty() { Ok(None) } else { ConflictSet::new(model.context.clone(), &pairs).map(Some) }
}

fn by_engine(engine: Engine, conflicts: Option<&ConflictSet>, sizes: &[(&str, i64)]) -> Result<i128, &'static str> {
    let Some(conflicts) = conflicts else { return Ok(1) };
    let size = |name: &String| sizes.iter().find(|(other, _)| other == name).map(|(_, value)| *value);
    let sizes: Option<Vec<i64>> = conflicts.parameters().iter().map(size).collect();
    let sizes = sizes.ok_or("a parameter has no value")?;
    let ctx = conflicts.context().context();
    let solution = ctx.with_quota(MOST_STEPS, || storage_mapping_by(engine, conflicts, &sizes));
    match solution.map_err(|error| why(&error))?.outcome {
        Outcome::Proved(proved) => Ok(proved.value().cells(&sizes)),
        Outcome::Refused(_) => Err("no mapping could be proved"),
        Outcome::Unbounded => Err("conflict differences have no affine bound"),
    }
}

fn why(error: &Error) -> &'static str {
    match error.kind {
        ErrorKind::Quota => "the bound on work is reached",
        ErrorKind::Limit => "numbers are past 64 bits",
        ErrorKind::Invalid | ErrorKind::Refused => "the conflict set is refused",
    }
}
