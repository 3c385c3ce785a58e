//! Messages that show the place.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use polyfold_frontend::{Diagnostic, Severity};
use std::io::IsTerminal;
use std::path::Path;

/// A message about a place in the source, as text for standard error.
pub(crate) fn render(path: &Path, source: &str, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    if diagnostic.about_options {
        let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        return renderer().render(&[group]);
    }
    let name = path.display().to_string();
    let mut group = level.primary_title(diagnostic.message.as_str()).element(
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
pub(crate) fn plain_error(message: &str) -> String {
    renderer().render(&[Group::with_title(Level::ERROR.primary_title(message))])
}

/// A warning without a place.
pub(crate) fn plain_warning(message: &str) -> String {
    renderer().render(&[Group::with_title(Level::WARNING.primary_title(message))])
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

/// Line and column of a byte, both from 1, the column in characters.
pub(crate) fn position(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..at.min(source.len())];
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
