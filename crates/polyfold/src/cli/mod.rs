//! The command line: the only place with files, processes and clocks.
//!
//! Exit status: 0 done, 1 the input is at fault, 2 the command line is at fault, 3 a result failed its own check,
//! 141 nobody reads what is printed.

mod analyze;
mod arguments;
mod around;
mod border;
mod changes;
mod check;
mod closed;
mod compact;
mod compiler;
mod conflicts;
mod convert;
mod encoding;
mod explain;
mod fuse;
mod hint;
mod input;
mod lattice;
mod manual;
mod messages;
mod motion_notes;
mod moving;
mod optimize;
mod output;
mod problems;
mod progress;
mod reallocate;
mod report;
mod run;
mod schedule;
mod slow_loops;
mod texts;
mod tiling;
mod tiling_notes;

use arguments::{Arguments, Command};
use clap::Parser;
use polyfold_frontend::Severity;
use polyfold_scop::Code;
use std::ffi::OsString;
use std::process::ExitCode;

/// What shells show of a program that a closed pipe has ended.
const UNREAD: u8 = 141;

/// How a command ends other than well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is at fault; the messages are already printed, or this is the message.
    Input(Option<String>),
    /// The command line is at fault; the messages are already printed, or this is the message.
    Usage(Option<String>),
    /// A result failed its own proof or check: nothing was written.
    Check(String),
    /// Two programs of the user's differ.
    Differ(String),
    /// Nobody reads what is printed.
    Unread,
}

impl Failure {
    /// A report that JSON cannot say.
    fn report(error: String) -> Failure {
        Failure::Check(format!("the report is no JSON: {error}; nothing was written"))
    }

    fn input(message: impl Into<String>) -> Failure {
        Failure::Input(Some(message.into()))
    }
}

pub(crate) fn run() -> ExitCode {
    let arguments = Arguments::parse_from(std::env::args_os().map(as_long_option));
    let outcome = std::panic::catch_unwind(|| match &arguments.command {
        Command::Optimize(options) => optimize::run(options),
        Command::Report(options) => report::run(options),
        Command::Explain(options) => explain::run(options),
        Command::Analyze(options) => analyze::run(options),
        Command::Convert(options) => convert::run(options),
        Command::Check(options) => check::run(options),
        Command::Lattice(options) => lattice::run(options),
        Command::Fuse(options) => fuse::run(options),
        Command::Compact(options) => compact::run(options),
        Command::Completions(options) => manual::completions(options.shell),
        Command::Man(options) if options.markdown => manual::markdown(),
        Command::Man(_) => manual::page(),
    });
    let Ok(outcome) = outcome else {
        return fail(3, Code::OwnFault, Some("this is a bug in polyfold; nothing was written".to_string()));
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Input(message)) => fail(1, Code::Unusable, message),
        Err(Failure::Usage(message)) => fail(2, Code::Usage, message),
        Err(Failure::Differ(message)) => fail(3, Code::Differ, Some(message)),
        Err(Failure::Check(message)) => fail(3, Code::OwnFault, Some(message)),
        Err(Failure::Unread) => ExitCode::from(UNREAD),
    }
}

/// `-std=c99`, as compilers take it, is a long option with one dash.
fn as_long_option(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
        _ => argument,
    }
}

fn fail(status: u8, code: Code, message: Option<String>) -> ExitCode {
    if let Some(message) = message {
        output::tell(&messages::plain(Severity::Error, code, &message));
    }
    ExitCode::from(status)
}
