//! Messages that show the place.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_report::Message;
use polyfold_scop::Code;
use std::io::IsTerminal;
use std::path::Path;

/// A message about a place in the source, as text for standard error.
pub(crate) fn render(path: &Path, source: &str, diagnostic: &Diagnostic) -> String {
    let title = level(diagnostic.severity).primary_title(diagnostic.message.as_str()).id(diagnostic.code.to_string());
    if diagnostic.about_options {
        let mut group = Group::with_title(title);
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        return renderer().render(&[group]);
    }
    let name = path.display().to_string();
    let mut group = title.element(
        Snippet::source(source)
            .path(name.as_str())
            .annotation(AnnotationKind::Primary.span(visible(source, diagnostic)).label(diagnostic.label.as_str())),
    );
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer().render(&[group])
}

/// A message without a place.
pub(crate) fn plain(severity: Severity, code: Code, message: &str) -> String {
    renderer().render(&[Group::with_title(level(severity).primary_title(message).id(code.to_string()))])
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

fn renderer() -> Renderer {
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    if colours { Renderer::styled() } else { Renderer::plain() }
}

/// The place, cut to its first line: a whole loop would fill the screen.
fn visible(source: &str, diagnostic: &Diagnostic) -> std::ops::Range<usize> {
    let start = diagnostic.span.start.min(source.len());
    let end = diagnostic.span.end.clamp(start, source.len());
    let line_end = source[start..end].find('\n').map_or(end, |n| start + n);
    start..line_end
}

/// A message as data.
pub(crate) fn message(source: &str, diagnostic: &Diagnostic) -> Message {
    let (line, column) = position(source, diagnostic.span.start);
    Message {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        code: diagnostic.code.to_string(),
        line,
        column,
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
    }
}

/// Line and column of a byte, both from 1, the column in characters.
pub(crate) fn position(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..at.min(source.len())];
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
