//! What the user is told: place, what is wrong, and what to do about it.

use polyfold_scop::{Code, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something worth knowing.
    Note,
    /// Something is left as it is.
    Warning,
    /// The input is malformed.
    Error,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What kind of message it is.
    pub code: Code,
    /// What is wrong, in the user's words.
    pub message: String,
    /// Bytes of the file that it is about.
    pub span: Span,
    /// Whether it is about the [`Options`](crate::Options) instead: then `span` says nothing.
    pub about_options: bool,
    /// Text under the underlined place.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(severity: Severity, code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
        let (message, label) = (message.into(), String::new());
        Diagnostic { severity, code, message, span, about_options: false, label, help: None }
    }

    pub(crate) fn error(code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message, span)
    }

    pub(crate) fn warning(code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message, span)
    }

    /// About what the user says beside the source.
    pub(crate) fn about_options(severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { about_options: true, ..Diagnostic::new(severity, code, message, 0..0) }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}
