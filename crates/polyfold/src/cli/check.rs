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
use super::{Failure, compiler, input};
use polyfold::driver;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How to compile and run.
pub(crate) struct Settings {
    pub(crate) flags: Vec<String>,
    pub(crate) sizes: Vec<(String, i64)>,
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
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let how = if self.sanitized { ", with address and undefined-behaviour sanitizers" } else { "" };
        let by = if self.driven { " by a generated main, on made-up data" } else { "" };
        write!(
            f,
            "both versions were compiled and run{by}{how}; they agree ({} line{} of output)",
            self.lines,
            if self.lines == 1 { "" } else { "s" }
        )
    }
}

const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

pub(crate) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let original = input::text(&arguments.original)?;
    let changed = input::text(&arguments.changed)?;
    let settings =
        Settings { flags: arguments.compiler.flags(), sizes: arguments.param.clone(), seconds: arguments.timeout };
    let agreement = compare(
        &Program { text: &original, path: &arguments.original },
        &Program { text: &changed, path: &arguments.changed },
        &settings,
    )?;
    println!("{agreement}");
    Ok(())
}

/// Compiles and runs both programs.
///
/// # Errors
/// [`Failure::Check`] when they differ, [`Failure::Input`] when the original does not compile or run.
pub(crate) fn compare(original: &Program, changed: &Program, settings: &Settings) -> Result<Agreement, Failure> {
    let directory = tempfile::tempdir().map_err(|e| Failure::input(format!("no temporary directory: {e}")))?;
    let main = generated_main(original, settings)?;
    let bench = Bench { directory: directory.path(), settings, main: main.as_deref() };
    let trials: Vec<Option<usize>> = if main.is_some() { (0..driver::TRIALS).map(Some).collect() } else { vec![None] };
    let (expected, sanitized) = match bench.run_all(original, "original", true, &trials) {
        Ok(outputs) if outputs.iter().any(Output::is_usable) => (outputs, true),
        _ => (bench.run_all(original, "original", false, &trials).map_err(|why| bench.unusable(&why))?, false),
    };
    let usable: Vec<&Output> = expected.iter().filter(|o| o.is_usable() || (main.is_none() && !o.crashed())).collect();
    if usable.is_empty() {
        return Err(Failure::input("the original program crashes, so there is nothing to compare with"));
    }
    let trials: Vec<Option<usize>> = usable.iter().map(|o| o.trial).collect();
    let found = bench.run_all(changed, "changed", sanitized, &trials);
    let found = found.map_err(|e| Failure::Check(format!("the new program {e}")))?;
    for (expected, found) in usable.iter().zip(&found) {
        if let Some(difference) = difference(expected, found) {
            return Err(Failure::Check(format!("the programs differ: {difference}")));
        }
    }
    let lines = usable.iter().map(|o| o.text.lines().count()).sum();
    if lines == 0 {
        return Err(Failure::input("the original program prints nothing, so there is nothing to compare"));
    }
    Ok(Agreement { lines, sanitized, driven: main.is_some() })
}

/// A `main` for files that have none.
fn generated_main(original: &Program, settings: &Settings) -> Result<Option<String>, Failure> {
    let language = compiler::language(original.path);
    let text = polyfold_frontend::instrument(original.text);
    let preprocessed = compiler::preprocess(&text, original.path, language, &settings.flags)?;
    let parsed = polyfold_frontend::parse(original.text, &preprocessed, &polyfold_frontend::Options::default());
    if parsed.has_main {
        return Ok(None);
    }
    match driver::main_text(&parsed.functions, &parsed.scops, &settings.sizes) {
        Some(main) => Ok(Some(main)),
        None => Err(Failure::input(format!(
            "{} has no main, and no function with a scop that a generated one could call",
            original.path.display()
        ))),
    }
}

struct Bench<'a> {
    directory: &'a Path,
    settings: &'a Settings,
    main: Option<&'a str>,
}

/// How a run ended and what it printed.
struct Output {
    trial: Option<usize>,
    status: std::process::ExitStatus,
    text: String,
    said: String,
}

impl Output {
    fn is_usable(&self) -> bool {
        self.status.success()
    }

    /// Ended by a signal.
    fn crashed(&self) -> bool {
        self.status.code().is_none()
    }
}

impl Bench<'_> {
    /// The original does not compile, or does not end.
    fn unusable(&self, why: &str) -> Failure {
        let generated = match self.main {
            None => "",
            Some(_) => {
                "\nthe file has no main, and the one that polyfold made may not fit it: add one that calls the function \
                 and prints its results"
            }
        };
        Failure::input(format!("the original program {why}{generated}"))
    }

    fn run_all(
        &self,
        program: &Program,
        name: &str,
        sanitize: bool,
        trials: &[Option<usize>],
    ) -> Result<Vec<Output>, String> {
        let executable = self.compile(program, name, sanitize)?;
        trials.iter().map(|trial| self.execute(&executable, *trial)).collect()
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
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot be compiled: {e}"))?;
        let text = format!("{}\n{}", program.text, self.main.unwrap_or(""));
        let mut stdin = child.stdin.take();
        let writer = std::thread::spawn(move || stdin.take().map(|mut pipe| pipe.write_all(text.as_bytes())));
        let output = child.wait_with_output().map_err(|e| format!("cannot be compiled: {e}"))?;
        let _ = writer.join();
        match output.status.success() {
            true => Ok(executable),
            false => {
                let said =
                    String::from_utf8_lossy(&output.stderr).replace("<stdin>", &program.path.display().to_string());
                Err(format!("does not compile:\n{}", said.trim_end()))
            }
        }
    }

    /// Runs with a large stack, where big local arrays live.
    fn execute(&self, executable: &Path, trial: Option<usize>) -> Result<Output, String> {
        let (printed, said) = (executable.with_extension("out"), executable.with_extension("err"));
        let create = |path: &Path| std::fs::File::create(path).map_err(|e| e.to_string());
        let script = "ulimit -s 4194304 2>/dev/null || ulimit -s $(ulimit -H -s) 2>/dev/null; exec \"$0\" \"$@\"";
        let mut child = Command::new("sh")
            .args(["-c", script])
            .arg(executable)
            .args(trial.map(|t| t.to_string()))
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .stdin(Stdio::null())
            .stdout(create(&printed)?)
            .stderr(create(&said)?)
            .spawn()
            .map_err(|e| format!("cannot be run: {e}"))?;
        let deadline = Instant::now() + Duration::from_secs(self.settings.seconds);
        let status = loop {
            match child.try_wait().map_err(|e| e.to_string())? {
                Some(status) => break status,
                None if Instant::now() > deadline => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!("runs for more than {} seconds", self.settings.seconds));
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let read =
            |path: &Path| std::fs::read(path).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
        Ok(Output { trial, status, text: read(&printed), said: read(&said) })
    }
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
