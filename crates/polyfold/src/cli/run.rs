//! Running programs that nobody vouches for: bounded in time, memory and output, and nothing of them stays behind.
//!
//! Each program runs in a process group of its own, which is killed when the program has ended or its time is up.
//! Should polyfold itself be ended before, a caretaker does that, and removes the directory: it is a shell that waits for its
//! standard input to close.

use std::fs::File;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// More than this is no result that anybody compares.
const PRINTED_MEBIBYTES: u64 = 64;

/// Memory that one program may use.
const MEMORY_MEBIBYTES: u64 = 8192;

const FILE_SIZE_EXCEEDED: i32 = 25;

/// Reads the number of the running process group; at the end of its input kills the last, and removes directory `$0`.
const CARETAKER: &str = "
while read -r line; do group=$line; done
[ -n \"$group\" ] && kill -9 -\"$group\" 2>/dev/null
rm -rf -- \"$0\"";

/// How a run ended and what it printed.
pub(crate) struct Output {
    pub(crate) status: ExitStatus,
    pub(crate) text: String,
    pub(crate) said: String,
}

/// Runs programs one after the other, with their output in one directory.
pub(crate) struct Runner<'a> {
    directory: &'a Path,
    seconds: u64,
    caretaker: Child,
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        drop(self.caretaker.stdin.take());
        let _ = self.caretaker.wait();
    }
}

impl<'a> Runner<'a> {
    /// For a directory that may go afterwards.
    ///
    /// # Errors
    /// When there is no shell.
    pub(crate) fn new(directory: &'a Path, seconds: u64) -> Result<Runner<'a>, String> {
        let mut command = Command::new("sh");
        command.args(["-c", CARETAKER]).arg(directory).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let caretaker = command.spawn().map_err(|e| format!("cannot be run: {e}"))?;
        Ok(Runner { directory, seconds, caretaker })
    }

    /// Runs a program with a large stack, where big local arrays live, and with nothing to read.
    ///
    /// # Errors
    /// When it does not start, does not end, or prints without end.
    pub(crate) fn run(&mut self, program: &Path, arguments: &[String], sanitized: bool) -> Result<Output, String> {
        let [printed, said] = ["out", "err"].map(|name| self.directory.join(name));
        let create = |path: &Path| File::create(path).map_err(|e| format!("cannot be run: {e}"));
        let mut command = Command::new("sh");
        command.args(["-c", &limits(sanitized)]).arg(program).args(arguments).process_group(0);
        command.env("ASAN_OPTIONS", format!("detect_leaks=0:hard_rss_limit_mb={MEMORY_MEBIBYTES}"));
        command.stdin(Stdio::null()).stdout(create(&printed)?).stderr(create(&said)?);
        let mut child = command.spawn().map_err(|e| format!("cannot be run: {e}"))?;
        self.watch(&child.id().to_string());
        let ended = self.wait(&mut child);
        kill_group(child.id());
        let _ = child.wait();
        self.watch("");
        let status = ended?;
        if status.signal() == Some(FILE_SIZE_EXCEEDED) {
            return Err(format!("prints more than {PRINTED_MEBIBYTES} MiB"));
        }
        let read =
            |path: &Path| std::fs::read(path).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
        Ok(Output { status, text: read(&printed), said: read(&said) })
    }

    /// Tells the caretaker which process group is running.
    fn watch(&mut self, group: &str) {
        if let Some(pipe) = &mut self.caretaker.stdin {
            let _ = writeln!(pipe, "{group}");
        }
    }

    fn wait(&self, child: &mut Child) -> Result<ExitStatus, String> {
        let deadline = Instant::now() + Duration::from_secs(self.seconds);
        loop {
            match child.try_wait().map_err(|e| e.to_string())? {
                Some(status) => return Ok(status),
                None if Instant::now() > deadline => {
                    return Err(format!(
                        "runs for more than {} second{}",
                        self.seconds,
                        if self.seconds == 1 { "" } else { "s" }
                    ));
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }
}

/// Sanitizers reserve more addresses than memory: they have a limit of their own.
fn limits(sanitized: bool) -> String {
    let memory = if sanitized { String::new() } else { format!("ulimit -v {}; ", MEMORY_MEBIBYTES * 1024) };
    format!(
        "ulimit -s 4194304 2>/dev/null || ulimit -s $(ulimit -H -s) 2>/dev/null; ulimit -c 0; \
         ulimit -f {}; {memory}exec \"$0\" \"$@\"",
        PRINTED_MEBIBYTES * 2048
    )
}

/// Kills a program and all its children.
fn kill_group(group: u32) {
    let mut kill = Command::new("sh");
    kill.args(["-c", "kill -9 -\"$0\""]).arg(group.to_string());
    let _ = kill.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}
