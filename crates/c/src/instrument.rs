//! Asking the user's own compiler what the preprocessor decides.
//!
//! The idea: marker lines go through the compiler with the program. A marker that comes out again stands in a
//! branch that is compiled; the `#define` and `#undef` lines before a marker are the macro table at that point; the
//! markers of a scop's pragmas show where its text is in the compiler's.
//!
//! Example: after `#ifdef FAST` in line 7 stands `polyfold_line_7`; it comes out only if `FAST` is defined.

use crate::compiled::Compiled;
use crate::source::Span;
use crate::source::{Directive, directives, line_of};
use std::collections::HashSet;

/// Text to be fed to `cc -E -dD … -x c -`: the user's source with marker lines in it, and without `#line`.
///
/// ```
/// let text = polyfold_c::instrument::instrument("#if 1\nint a;\n#endif\n");
/// assert_eq!(text, "#if 1\npolyfold_line_1\nint a;\n#endif\npolyfold_line_3\n");
/// ```
pub fn instrument(source: &str) -> String {
    let prefix = marker_prefix(source);
    let mut text = String::new();
    let mut copied = 0;
    for directive in directives(source) {
        let marker = format!("{prefix}{}", line_of(source, directive.span.start));
        if directive.is_conditional() {
            text.push_str(&source[copied..directive.span.end]);
            text.push_str(&format!("\n{marker}"));
            copied = directive.span.end;
        } else if directive.name == "line" || directive.name.starts_with(|c: char| c.is_ascii_digit()) {
            text.push_str(&source[copied..directive.span.start]);
            text.push_str(&"\n".repeat(source[directive.span.clone()].matches('\n').count()));
            copied = directive.span.end;
        } else if directive.pragma() == Some("scop") || directive.region().is_some() {
            text.push_str(&source[copied..directive.span.start]);
            text.push_str(&format!("{marker}\n"));
            copied = directive.span.start;
        } else if directive.pragma() == Some("endscop") {
            text.push_str(&source[copied..directive.span.end]);
            text.push_str(&format!("\n{marker}"));
            copied = directive.span.end;
        }
    }
    text.push_str(&source[copied..]);
    text
}

fn marker_prefix(source: &str) -> String {
    let mut prefix = "polyfold_line_".to_string();
    while source.contains(&prefix) {
        prefix.push('_');
    }
    prefix
}

/// What the compiler's output says about the file.
pub struct Preprocessed<'a> {
    lines: Vec<String>,
    markers: Vec<(usize, usize)>,
    /// Its tokens.
    pub compiled: Compiled<'a>,
}

impl<'a> Preprocessed<'a> {
    /// Reads the compiler's output for `instrument(source)`.
    pub fn read(source: &str, output: &'a str) -> Preprocessed<'a> {
        let prefix = marker_prefix(source);
        let compiled = Compiled::read(output, &instrument(source), &prefix);
        let mut read = Preprocessed { lines: Vec::new(), markers: Vec::new(), compiled };
        for line in output.lines() {
            let trimmed = line.trim();
            if trimmed.starts_with("#define ") || trimmed.starts_with("#undef ") {
                read.lines.push(trimmed.to_string());
            }
            for (at, _) in line.match_indices(&prefix) {
                let digits: String = line[at + prefix.len()..].chars().take_while(|c| c.is_ascii_digit()).collect();
                if let Ok(number) = digits.parse() {
                    read.markers.push((number, read.lines.len()));
                }
            }
        }
        read
    }

    /// The `#define` and `#undef` lines in force at the marker of a line, or all of them if it did not come out.
    pub fn definitions_at(&self, line: usize) -> &[String] {
        let marker = self.markers.iter().find(|(number, _)| *number == line);
        &self.lines[..marker.map_or(self.lines.len(), |(_, seen)| *seen)]
    }

    /// The parts of the file that the compiler skips.
    pub fn inactive(&self, source: &str, directives: &[Directive]) -> Vec<Span> {
        let active: HashSet<usize> = self.markers.iter().map(|(number, _)| *number).collect();
        let borders: Vec<&Directive> = directives.iter().filter(|d| d.is_conditional()).collect();
        let mut skipped = Vec::new();
        for (index, border) in borders.iter().enumerate() {
            let end = borders.get(index + 1).map_or(source.len(), |next| next.span.start);
            if !active.contains(&line_of(source, border.span.start)) && border.span.end < end {
                skipped.push(border.span.end..end);
            }
        }
        skipped
    }
}
