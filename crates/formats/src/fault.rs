//! What is wrong with a file.

use polyfold_isl::Error;

/// What is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line of the file, from 1; `None`: it is about the whole.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Fault {
    pub(crate) fn at(line: usize, message: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault { line: Some(line), message: message.into(), help: help.into() }
    }

    pub(crate) fn of_problem(message: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault { line: None, message: message.into(), help: help.into() }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::of_problem(error.to_string(), "make it smaller, or raise --max-ops where that is the bound")
    }
}
