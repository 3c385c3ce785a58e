//! Pragmas: where scops are, what runs in parallel, what the user says about arrays.
//!
//! Example: `#pragma omp parallel for collapse(2) private(t)` makes the next two nested loops parallel and names
//! `t` in a clause.

use crate::source::{Directive, line_of};
use polyfold_scop::Span;
use std::collections::HashMap;

/// The pragmas that matter for one scop.
#[derive(Debug, Default)]
pub(crate) struct Pragmas {
    pub(crate) temporary: Vec<String>,
    pub(crate) live_in: Vec<String>,
    pub(crate) live_out: Vec<String>,
    /// Words of other tools' pragmas that may be names, with the pragma's line.
    mentions: Vec<(Vec<String>, usize)>,
    /// How many nested loops are parallel, by the byte where the outermost one starts.
    parallel: HashMap<usize, usize>,
    /// A pragma that makes the scop one we do not handle.
    pub(crate) unhandled: Option<(String, Span)>,
}

impl Pragmas {
    /// Reads the pragmas of a function that count for one of its scops.
    pub(crate) fn read(source: &str, masked: &str, directives: &[&Directive], function: &Span, scop: &Span) -> Pragmas {
        let mut pragmas = Pragmas::default();
        for directive in directives.iter().filter(|d| function.contains(&d.span.start)) {
            let inside = directive.span.start >= scop.start && directive.span.end <= scop.end;
            match directive.pragma() {
                Some(text) => {
                    pragmas.note_mentions(text, line_of(source, directive.span.start));
                    if directive.span.end <= scop.end {
                        pragmas.add(masked, directive, text, inside);
                    }
                }
                None if inside && !directive.is_conditional() => {
                    let what = format!("`#{}` in a scop is not handled", directive.name);
                    pragmas.unhandled.get_or_insert((what, directive.span.clone()));
                }
                None => {}
            }
        }
        pragmas
    }

    /// The line of another tool's pragma that names a variable.
    pub(crate) fn mention_of(&self, name: &str) -> Option<usize> {
        self.mentions.iter().find(|(words, _)| words.iter().any(|w| w == name)).map(|(_, line)| *line)
    }

    fn note_mentions(&mut self, text: &str, line: usize) {
        let words = words(text);
        let names = match words.first().map(String::as_str) {
            Some("polyfold") | None => return,
            _ => words.iter().position(|w| w == "(" || w == "=").map_or(words.len(), |at| at + 1),
        };
        self.mentions.push((words[names..].to_vec(), line));
    }

    /// How many loops, from the one at `at` inward, are parallel.
    pub(crate) fn parallel_before(&self, at: usize) -> usize {
        self.parallel.get(&at).copied().unwrap_or(0)
    }

    /// All names in polyfold's own pragmas.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.temporary.iter().chain(&self.live_in).chain(&self.live_out)
    }

    fn add(&mut self, masked: &str, directive: &Directive, text: &str, inside: bool) {
        let words = words(text);
        let loops = match words.first().map(String::as_str) {
            Some("polyfold") => {
                self.temporary.extend(clause(text, "temporary"));
                self.live_in.extend(clause(text, "live_in"));
                self.live_out.extend(clause(text, "live_out"));
                0
            }
            Some("omp") if inside => self.openmp(directive, text, &words),
            Some("ivdep") => 1,
            Some("GCC") if words.iter().any(|w| w == "ivdep") => 1,
            Some("clang") if words.iter().any(|w| w == "assume_safety") => 1,
            Some("HLS") if words.iter().any(|w| w.eq_ignore_ascii_case("dependence")) => 1,
            _ => 0,
        };
        if loops > 0 && inside {
            let after = &masked[directive.span.end..];
            let start = directive.span.end + (after.len() - after.trim_start().len());
            let entry = self.parallel.entry(start).or_insert(0);
            *entry = (*entry).max(loops);
        }
    }

    fn openmp(&mut self, directive: &Directive, text: &str, words: &[String]) -> usize {
        let head: Vec<&str> = words[1..].iter().map(String::as_str).take_while(|w| *w != "(").collect();
        let is_loop = head.iter().any(|w| matches!(*w, "for" | "simd" | "taskloop" | "distribute" | "loop"));
        if !is_loop {
            let what = format!("`#pragma omp {}` in a scop is not handled", head.join(" "));
            self.unhandled.get_or_insert((what, directive.span.clone()));
            return 0;
        }
        clause(text, "collapse").first().and_then(|count| count.parse().ok()).unwrap_or(1)
    }
}

fn words(text: &str) -> Vec<String> {
    crate::macros::pieces(text).into_iter().map(|p| p.text).collect()
}

/// The names in `name(…)`; of `reduction(+: x)`, what follows the colon.
fn clause(text: &str, name: &str) -> Vec<String> {
    let words = words(text);
    let mut found = Vec::new();
    for at in 0..words.len() {
        if words[at] != name || words.get(at + 1).map(String::as_str) != Some("(") {
            continue;
        }
        let list = &words[at + 2..];
        let list = &list[..list.iter().position(|w| w == ")").unwrap_or(list.len())];
        let from = list.iter().position(|w| w == ":").map_or(0, |colon| colon + 1);
        found.extend(list[from..].iter().filter(|w| *w != ",").cloned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_hold_names() {
        let text = "omp parallel for reduction(+: a, b) private(t) collapse(2)";
        assert_eq!(clause(text, "reduction"), ["a", "b"]);
        assert_eq!(clause(text, "private"), ["t"]);
        assert_eq!(clause(text, "collapse"), ["2"]);
    }
}
