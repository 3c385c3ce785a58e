//! Pragmas: where scops are, what runs in parallel, what the user says about arrays.
//!
//! Example: `#pragma omp parallel for collapse(2) private(t)` makes the next two nested loops parallel and names
//! `t` in a clause. Around the scop it makes threads, which share every array declared in front of its loop.

use crate::diagnostic::Diagnostic;
use polyfold_c::source::{Directive, line_of};
use polyfold_scop::{Code, Span};
use std::collections::HashMap;

/// The functions that `#pragma polyfold pure(…)` names, wherever in the file.
pub(crate) fn declared_pure<'d>(directives: impl IntoIterator<Item = &'d Directive>) -> Vec<String> {
    let ours = directives.into_iter().filter_map(Directive::pragma);
    let ours = ours.filter(|text| words(text).first().is_some_and(|word| word == "polyfold"));
    ours.flat_map(|text| clause(text, "pure")).collect()
}

/// Words that may follow `#pragma polyfold` in a function, and in the whole file.
const IN_FUNCTIONS: [&str; 4] = ["temporary", "live_in", "live_out", "local"];
const ANYWHERE: [&str; 1] = ["pure"];

/// What to say of polyfold's own pragmas that say nothing to it; `masked`: the text without comments, literals and directives.
pub(crate) fn idle<'d>(masked: &str, directives: impl IntoIterator<Item = &'d Directive>) -> Vec<Diagnostic> {
    let idle = |directive: &Directive| {
        let words = words(directive.pragma()?);
        let word = words.get(1).filter(|_| words[0] == "polyfold").map(String::as_str)?;
        let before = masked.get(..directive.span.start)?;
        let is_outside = before.matches('{').count() == before.matches('}').count();
        let (message, help) = match word {
            _ if ANYWHERE.contains(&word) => return None,
            _ if IN_FUNCTIONS.contains(&word) && !is_outside => return None,
            _ if IN_FUNCTIONS.contains(&word) => (
                format!("`#pragma polyfold {word}` does nothing outside of functions"),
                "put it into the function, in front of its scop".to_string(),
            ),
            _ => {
                let known = [&IN_FUNCTIONS[..], &ANYWHERE[..]].concat().join("`, `");
                (format!("polyfold knows no pragma `{word}`"), format!("it knows `{known}`"))
            }
        };
        Some(Diagnostic::warning(Code::UnknownPragma, message, directive.span.clone()).label("this one").help(&help))
    };
    directives.into_iter().filter_map(idle).collect()
}

/// The pragmas that matter for one scop.
#[derive(Debug, Default)]
pub(crate) struct Pragmas {
    pub(crate) temporary: Vec<String>,
    pub(crate) live_in: Vec<String>,
    pub(crate) live_out: Vec<String>,
    /// Words of other tools' pragmas that may be names, with the pragma's line.
    mentions: Vec<(Vec<String>, usize)>,
    /// By the byte where the outermost of the loops starts.
    parallel: HashMap<usize, Promise>,
    /// Pragmas outside the scop that make threads, with the byte where the statement starts that they are about.
    pub(crate) threads: Vec<Threads>,
    /// The pragmas directly in front of the scop, which belong to its first statement.
    pub(crate) lead: Option<Span>,
    /// A pragma that makes the scop one we do not handle.
    pub(crate) unhandled: Option<Diagnostic>,
}

/// What pragmas in front of a loop promise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Promise {
    /// How many nested loops are parallel, from this one inward.
    pub(crate) loops: usize,
    /// The pragmas, if they stand in the scop.
    pub(crate) pragmas: Vec<Span>,
}

/// A pragma that makes threads.
#[derive(Debug)]
pub(crate) struct Threads {
    /// `omp parallel for`.
    pub(crate) what: String,
    pub(crate) line: usize,
    /// Where its statement starts.
    pub(crate) statement: usize,
}

/// Words of directives that govern no statement.
const STANDALONE: [&str; 24] = [
    "barrier",
    "taskwait",
    "taskyield",
    "flush",
    "threadprivate",
    "declare",
    "cancel",
    "cancellation",
    "update",
    "enter",
    "exit",
    "end",
    "nothing",
    "error",
    "depobj",
    "scan",
    "requires",
    "wait",
    "routine",
    "init",
    "shutdown",
    "set",
    "interop",
    "allocate",
];

/// Words of directives whose statement several threads, or another device, may run.
const THREADS: [&str; 13] = [
    "parallel",
    "for",
    "task",
    "taskloop",
    "sections",
    "section",
    "target",
    "simd",
    "teams",
    "distribute",
    "loop",
    "kernels",
    "serial",
];

impl Pragmas {
    /// Reads the pragmas of a function that count for one of its scops.
    pub(crate) fn read(source: &str, masked: &str, directives: &[Directive], function: &Span, scop: &Span) -> Pragmas {
        let mut pragmas = Pragmas::default();
        for directive in directives.iter().filter(|d| function.contains(&d.span.start)) {
            let after = masked.get(directive.span.end..).unwrap_or("");
            let statement = directive.span.end + (after.len() - after.trim_start().len());
            let place = match () {
                () if directive.span.start >= scop.end => Side::After,
                () if directive.span.start >= scop.start => Side::Inside,
                () if statement >= scop.start => Side::Front,
                () => Side::Before,
            };
            match directive.pragma() {
                Some(text) => {
                    let line = line_of(source, directive.span.start);
                    pragmas.note_mentions(text, line);
                    pragmas.add(directive, text, line, place, statement);
                }
                None if directive.is_unread_operator() => {
                    pragmas.unhandle(
                        "polyfold cannot read this `_Pragma`".to_string(),
                        directive,
                        "write it as a `#pragma` line of its own",
                    );
                }
                None if place == Side::Inside && !directive.is_conditional() => {
                    pragmas.unhandle(format!("`#{}` in a scop is not handled", directive.name), directive, OUTSIDE);
                }
                None => {}
            }
        }
        pragmas
    }

    fn unhandle(&mut self, message: String, directive: &Directive, help: &str) {
        let warning = Diagnostic::warning(Code::DirectiveInside, message, directive.span.clone()).label("not handled");
        self.unhandled.get_or_insert(warning.help(help));
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

    /// What is promised of the loop at `at`.
    pub(crate) fn promise_before(&self, at: usize) -> Promise {
        self.parallel.get(&at).cloned().unwrap_or_default()
    }

    /// All names in polyfold's own pragmas.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.temporary.iter().chain(&self.live_in).chain(&self.live_out)
    }

    fn add(&mut self, directive: &Directive, text: &str, line: usize, place: Side, statement: usize) {
        let words = words(text);
        let first = words.first().map(String::as_str);
        if place != Side::After && first == Some("polyfold") {
            self.temporary.extend(clause(text, "temporary"));
            self.live_in.extend(clause(text, "live_in"));
            self.live_out.extend(clause(text, "live_out"));
        }
        let is_ours = matches!(first, Some("scop" | "endscop" | "polyfold") | None);
        if place == Side::After || is_ours {
            return;
        }
        if place == Side::Front {
            let start = self.lead.as_ref().map_or(directive.span.start, |lead| lead.start);
            self.lead = Some(start..directive.span.end);
        }
        let makes_threads = matches!(first, Some("omp" | "acc"));
        let loops = match first {
            _ if makes_threads && place == Side::Before => {
                let head = head(&words);
                if head.iter().any(|w| THREADS.contains(w)) && !is_standalone(&head) {
                    let directive = head.iter().take_while(|w| THREADS.contains(w));
                    let what = first.iter().chain(directive).copied().collect::<Vec<_>>().join(" ");
                    self.threads.push(Threads { what, line, statement });
                }
                0
            }
            _ if makes_threads => self.threaded_loops(directive, text, &words, place),
            Some("ivdep") => 1,
            Some("GCC") if words.iter().any(|w| w == "ivdep") => 1,
            Some("clang") if words.iter().any(|w| w == "assume_safety") => 1,
            Some("HLS") if words.iter().any(|w| w.eq_ignore_ascii_case("dependence")) => 1,
            _ => 0,
        };
        if loops > 0 && place != Side::Before {
            let promise = self.parallel.entry(statement).or_default();
            promise.loops = promise.loops.max(loops);
            promise.pragmas.extend((place == Side::Inside).then(|| directive.span.clone()));
        }
    }

    /// How many loops an OpenMP or OpenACC pragma makes parallel.
    fn threaded_loops(&mut self, directive: &Directive, text: &str, words: &[String], place: Side) -> usize {
        let head = head(words);
        if place == Side::Front && is_standalone(&head) {
            return 0;
        }
        if let Some(clause) = words.iter().find(|w| matches!(w.as_str(), "nowait" | "nogroup" | "async")) {
            let message =
                format!("`{clause}` in a scop is not handled: what follows may run before the loop has ended");
            self.unhandle(message, directive, &format!("leave `{clause}` out"));
        }
        if !head.iter().any(|w| matches!(*w, "for" | "simd" | "taskloop" | "distribute" | "loop")) {
            let place = if place == Side::Front { "in front of" } else { "in" };
            let message = format!("`#pragma {} {}` {place} a scop is not handled", words[0], head.join(" "));
            self.unhandle(message, directive, OUTSIDE);
            return 0;
        }
        // A count that cannot be read, such as a macro, may be any: more parallel loops are safe.
        clause(text, "collapse").first().map_or(1, |count| count.parse().unwrap_or(LARGEST_NEST))
    }
}

/// No loops are nested deeper than this.
const LARGEST_NEST: usize = 1000;

const OUTSIDE: &str = "leave it outside `#pragma scop` … `#pragma endscop`";

/// Where a directive of the function stands, seen from the scop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    /// Before it, with nothing between: it belongs to the scop's first statement.
    Front,
    Inside,
    After,
}

fn is_standalone(head: &[&str]) -> bool {
    head.iter().find(|w| **w != "target").is_some_and(|w| STANDALONE.contains(w))
}

/// The words after `omp`, up to the first parenthesis.
fn head(words: &[String]) -> Vec<&str> {
    words[1..].iter().map(String::as_str).take_while(|w| *w != "(").collect()
}

fn words(text: &str) -> Vec<String> {
    polyfold_c::macros::pieces(text).into_iter().map(|p| p.text).collect()
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
