//! `polyfold check`, and `--verify`: two programs compiled, run on the same data, and compared bit for bit.
//!
//! Programs with a `main` are run as they are, and everything they print is compared, with their exit status. For
//! files without one a driver is generated that calls each function that holds a scop with made-up data, at several
//! sizes, and prints its results.
//!
//! Both are compiled with `-ffp-contract=off` (else a compiler may fuse operations across statements in one version
//! only), and with the address and undefined-behaviour sanitizers where the compiler has them and the original runs
//! clean under them.

use super::arguments::CheckArguments;
use super::progress::doing;
use super::run::{Output, Runner};
use super::{Failure, compiler, input, output};
use polyfold::driver::{self, NoMain};
use polyfold_frontend::Options;
use polyfold_isl::Context;
use polyfold_plan::impossible_in;
use std::fmt;
use std::path::{Path, PathBuf};

/// How to compile and run.
pub(crate) struct Settings {
    pub(crate) flags: Vec<String>,
    pub(crate) sizes: Vec<(String, i64)>,
    /// Arrays whose values nobody needs after a scop.
    pub(crate) temporary: Vec<String>,
    pub(crate) seconds: u64,
}

/// A program's text, and the file it stands for.
pub(crate) struct Program<'a> {
    pub(crate) text: &'a str,
    pub(crate) path: &'a Path,
}

/// What two programs agree on.
pub(crate) struct Agreement {
    lines: usize,
    sanitized: bool,
    driven: bool,
    /// How a program without a made-up main ends, if it says that something is wrong.
    ends_with: Option<i32>,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let how = if self.sanitized { ", with address and undefined-behaviour sanitizers" } else { "" };
        let by = if self.driven { " by a generated main, on made-up data" } else { "" };
        let ends = self.ends_with.map_or(String::new(), |code| format!(", and both end with exit status {code}"));
        write!(
            f,
            "both versions were compiled and run{by}{how}; they agree ({} line{} of output{ends})",
            self.lines,
            if self.lines == 1 { "" } else { "s" }
        )
    }
}

/// Work on finding out what sizes a scop takes.
const FEW_STEPS: u64 = 10_000_000;

const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

pub(crate) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let original = input::text(&arguments.original)?;
    let changed = input::text(&arguments.changed)?;
    let settings = Settings {
        flags: arguments.compiler.flags(),
        sizes: arguments.param.clone(),
        temporary: arguments.temporary.clone(),
        seconds: arguments.timeout,
    };
    let agreement = compare(
        &Program { text: &original, path: &arguments.original },
        &Program { text: &changed, path: &arguments.changed },
        &settings,
    )?;
    output::print(&format!("{agreement}\n"))
}

/// Compiles and runs both programs.
///
/// # Errors
/// [`Failure::Differ`] when they do, [`Failure::Input`] when the original does not compile or run.
pub(crate) fn compare(original: &Program, changed: &Program, settings: &Settings) -> Result<Agreement, Failure> {
    let directory = tempfile::tempdir().map_err(|e| Failure::input(format!("no temporary directory: {e}")))?;
    let main = generated_main(original, settings)?;
    let runner = Runner::new(directory.path(), settings.seconds).map_err(Failure::input)?;
    let mut bench = Bench { directory: directory.path(), settings, main: main.as_deref(), runner };
    let progress = doing("compiling and running the original program");
    let trials: Vec<Option<usize>> = if main.is_some() { (0..driver::TRIALS).map(Some).collect() } else { vec![None] };
    let (expected, sanitized) = match bench.run_all(original, "original", true, &trials) {
        Ok(outputs) if outputs.iter().any(|(_, o)| o.status.success()) => (outputs, true),
        _ => {
            (bench.run_all(original, "original", false, &trials).map_err(|why| unusable(&why, main.is_some()))?, false)
        }
    };
    let crashed = |o: &Output| o.status.code().is_none();
    let is_usable = |(_, o): &&Trial| o.status.success() || (main.is_none() && !crashed(o));
    let usable: Vec<&Trial> = expected.iter().filter(is_usable).collect();
    if usable.is_empty() {
        let sizes: Vec<String> = settings.sizes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let at = if sizes.is_empty() { String::new() } else { format!(" with --param {}", sizes.join(",")) };
        let made = ": with a main made for it, which gives a pointer without sizes 65536 elements";
        let made = if main.is_some() { made } else { "" };
        return Err(Failure::input(format!(
            "the original program crashes{at}, so there is nothing to compare with{made}"
        )));
    }
    let trials: Vec<Option<usize>> = usable.iter().map(|(trial, _)| *trial).collect();
    progress.set_message("compiling and running the new program");
    let found = bench.run_all(changed, "changed", sanitized, &trials);
    let found = found.map_err(|e| Failure::Differ(format!("the new program {e}")))?;
    for ((_, expected), (_, found)) in usable.iter().zip(&found) {
        if let Some(difference) = difference(expected, found) {
            return Err(Failure::Differ(format!("the programs differ: {difference}")));
        }
    }
    let lines = usable.iter().map(|(_, o)| o.text.lines().count()).sum();
    if lines == 0 {
        return Err(Failure::input("the original program prints nothing, so there is nothing to compare"));
    }
    let ends_with = usable.iter().filter_map(|(_, o)| o.status.code()).find(|code| *code != 0);
    Ok(Agreement { lines, sanitized, driven: main.is_some(), ends_with })
}

/// A `main` for files that have none.
fn generated_main(original: &Program, settings: &Settings) -> Result<Option<String>, Failure> {
    let language = compiler::language(original.path);
    let text = polyfold_frontend::instrument(original.text);
    let preprocessed = compiler::preprocess(&text, original.path, language, &settings.flags)?;
    let options = Options { temporary: settings.temporary.clone(), ..Options::default() };
    let parsed = polyfold_frontend::parse(original.text, &preprocessed, &options);
    if parsed.has_main {
        return Ok(None);
    }
    let ctx = Context::new();
    let mut faults = parsed.scops.iter().filter_map(|scop| impossible_in(&ctx, scop, &settings.sizes, FEW_STEPS));
    if let Some(message) = faults.next() {
        return Err(Failure::Usage(Some(message)));
    }
    match driver::main_text(&parsed.functions, &parsed.scops, &settings.sizes) {
        Ok(main) => Ok(Some(main)),
        Err(NoMain::Parameter { function, name }) => Err(Failure::input(format!(
            "{} has no main, and none can be made up: `{name}` of `{function}` leads to a function, or to more pointers. \
             Add a main that calls `{function}` and prints what is to be compared",
            original.path.display()
        ))),
        Err(NoMain::NoFunction) => Err(Failure::input(format!(
            "{} has no main, and no function with a scop that a generated one could call: add a main that prints what \
             is to be compared, or put the loops between `#pragma scop` and `#pragma endscop`",
            original.path.display()
        ))),
    }
}

struct Bench<'a> {
    directory: &'a Path,
    settings: &'a Settings,
    main: Option<&'a str>,
    runner: Runner<'a>,
}

/// The arguments of the program, and how it ended.
type Trial = (Option<usize>, Output);

impl Bench<'_> {
    fn run_all(
        &mut self,
        program: &Program,
        name: &str,
        sanitize: bool,
        trials: &[Option<usize>],
    ) -> Result<Vec<Trial>, String> {
        let executable = self.compile(program, name, sanitize)?;
        let mut outputs = Vec::new();
        for trial in trials {
            let arguments: Vec<String> = trial.iter().map(usize::to_string).collect();
            outputs.push((*trial, self.runner.run(&executable, &arguments, sanitize)?));
        }
        Ok(outputs)
    }

    fn compile(&self, program: &Program, name: &str, sanitize: bool) -> Result<PathBuf, String> {
        let executable = self.directory.join(name);
        let directory = program.path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut command = compiler::command();
        command.args(["-O1", "-g", "-w", "-ffp-contract=off"]);
        if sanitize {
            command.args(SANITIZERS);
        }
        command.args(&self.settings.flags).arg("-iquote").arg(directory);
        command.args(["-x", compiler::language(program.path), "-", "-o"]).arg(&executable).arg("-lm");
        let text = format!("{}\n{}", program.text, self.main.unwrap_or(""));
        let output = compiler::fed(&mut command, text).map_err(|e| format!("cannot be compiled: {e}"))?;
        match output.status.success() {
            true => Ok(executable),
            false => {
                let said =
                    String::from_utf8_lossy(&output.stderr).replace("<stdin>", &program.path.display().to_string());
                Err(format!("does not compile:\n{}", said.trim_end()))
            }
        }
    }
}

/// The original does not compile, or does not end.
fn unusable(why: &str, generated: bool) -> Failure {
    Failure::input(match generated {
        true => format!(
            "the file has no main: add one that calls the function and prints its results. With the main that polyfold \
             made, the original program {why}"
        ),
        false => format!("the original program {why}"),
    })
}

fn difference(expected: &Output, found: &Output) -> Option<String> {
    if expected.status.code() != found.status.code() {
        let first = found.said.lines().find(|l| !l.trim().is_empty() && !l.starts_with("=====")).unwrap_or("");
        return Some(format!("the original ends with {}, the new one with {}: {first}", expected.status, found.status));
    }
    if expected.text == found.text {
        return None;
    }
    let mut lines = expected.text.lines().zip(found.text.lines()).enumerate();
    Some(match lines.find(|(_, (a, b))| a != b) {
        Some((k, (a, b))) => {
            format!("line {} of the output is `{a}` in the original and `{b}` in the new program", k + 1)
        }
        None => format!(
            "the original prints {} lines, the new program {}",
            expected.text.lines().count(),
            found.text.lines().count()
        ),
    })
}
