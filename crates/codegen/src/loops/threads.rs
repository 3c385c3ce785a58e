//! Pragmas of the source that give the iterations of a loop to several threads.
//!
//! `#pragma omp parallel for` makes threads for one loop: without it the program computes the same. `#pragma omp for` divides a loop among
//! threads that there are already, each of which runs all of what is not divided: without it each would run all iterations.
//!
//! Of the clauses those stay that say how many threads there are and which of them gets what. Names in these mean the same for another
//! loop if they are no counters or variables of the scop, and are read whenever the scop runs:
//!
//! ```text
//! omp parallel for private(j) schedule(static, 4) num_threads(k)     keeps     schedule(static, 4) num_threads(k)
//! ```

use super::pragmas::is_about_speed;
use polyfold_c::code::{Kind, Token, tokens, words};
use polyfold_scop::{Loop, LoopId, Node, Scop, Span};

/// Such a pragma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ThreadPragma {
    /// The directive.
    pub(super) span: Span,
    /// Where its threads come from.
    pub(super) threads: Threads,
    /// The clauses that stay.
    pub(super) clauses: Vec<String>,
    /// The loops whose iterations it is about, outermost first.
    pub(super) loops: Vec<LoopId>,
}

/// Where threads come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threads {
    /// The pragma makes them.
    Own,
    /// They run the scop.
    Around,
}

/// The pragmas of a scop that OpenMP has for C's loops.
pub(super) fn thread_pragmas(source: &str, scop: &Scop) -> Vec<ThreadPragma> {
    let directives = directives(source, scop);
    directives.iter().filter_map(|directive| thread_pragma(source, scop, directive)).collect()
}

/// A pragma that divides a loop among threads that run the scop, in whichever words.
pub(super) fn divided(source: &str, scop: &Scop) -> Option<Span> {
    let divides = |t: &&Token| {
        let words: Vec<&str> = words(t.text).map(|(_, word)| word).collect();
        matches!(words[..], ["pragma", "omp", "for" | "loop" | "distribute", ..] | ["pragma", "acc", "loop", ..])
    };
    directives(source, scop).iter().find(divides).map(Token::span)
}

fn directives<'a>(source: &'a str, scop: &Scop) -> Vec<Token<'a>> {
    let lead = scop.lead.clone().unwrap_or(scop.span.start..scop.span.start);
    let all = [lead, scop.span.clone()].into_iter().flat_map(|part| tokens(source, &part));
    all.filter(|t| t.kind == Kind::Directive && is_about_speed(t.text)).collect()
}

fn thread_pragma(source: &str, scop: &Scop, directive: &Token) -> Option<ThreadPragma> {
    let words: Vec<&str> = words(directive.text).map(|(_, word)| word).collect();
    let threads = match words[..] {
        ["pragma", "omp", "parallel", "for", ..] => Threads::Own,
        ["pragma", "omp", "for", ..] => Threads::Around,
        _ => return None,
    };
    let first = behind(source, scop, directive.span().end)?;
    let count = clause(directive.text, "collapse").map_or(Some(1), |count| count.parse().ok());
    let loops = nest(first).take(count.unwrap_or(1)).map(|l| l.id).collect();
    let always = scop.body.iter().any(|node| matches!(node, Node::Loop(l) if l.id == first.id));
    let clauses = ["schedule", "num_threads"].into_iter().filter_map(|name| {
        let text = clause(directive.text, name)?;
        means_the_same(scop, &text, always).then(|| format!("{name}({text})"))
    });
    Some(ThreadPragma { span: directive.span(), threads, clauses: clauses.collect(), loops })
}

/// The loop that a pragma is in front of, with nothing but other directives between.
fn behind<'a>(source: &str, scop: &'a Scop, at: usize) -> Option<&'a Loop> {
    let loops = scop.loops().into_iter().filter(|l| l.parallel && l.span.start >= at);
    let next = loops.min_by_key(|l| l.span.start)?;
    tokens(source, &(at..next.span.start)).iter().all(|t| t.kind == Kind::Directive).then_some(next)
}

/// A loop, and those that are all of the body of the one before.
fn nest(outermost: &Loop) -> impl Iterator<Item = &Loop> {
    std::iter::successors(Some(outermost), |l| match &l.body[..] {
        [Node::Loop(inner)] => Some(inner),
        _ => None,
    })
}

/// What stands between a clause's parentheses, if there are no others inside.
fn clause(directive: &str, name: &str) -> Option<String> {
    let text = directive.replace("\\\n", " ");
    let behind = words(&text).find(|(_, word)| *word == name).map(|(at, _)| text[at + name.len()..].trim_start())?;
    let inside = behind.strip_prefix('(')?.split_once(')')?.0;
    let is_plain = !inside.contains(['(', '/', '"']);
    is_plain.then(|| inside.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Words that OpenMP has in clauses.
const KINDS: [&str; 8] = ["static", "dynamic", "guided", "auto", "runtime", "monotonic", "nonmonotonic", "simd"];

/// Whether a clause means the same for another loop, in front of which it may be read more often if it is `always` read.
fn means_the_same(scop: &Scop, text: &str, always: bool) -> bool {
    let is_ours = |name: &str| {
        scop.loops().iter().any(|l| l.iterator == name) || scop.arrays.iter().any(|array| array.name == name)
    };
    words(text).all(|(_, word)| {
        let is_fixed = KINDS.contains(&word) || word.chars().all(|c| c.is_ascii_digit());
        is_fixed || (always && !is_ours(word))
    })
}

#[cfg(test)]
mod tests {
    use super::clause;

    #[test]
    fn clauses_have_plain_text() {
        let text = "#pragma omp parallel for schedule( static,\\\n  4 ) num_threads(f(2))";
        assert_eq!(clause(text, "schedule").as_deref(), Some("static, 4"));
        assert_eq!(clause(text, "num_threads"), None);
        assert_eq!(clause(text, "collapse"), None);
    }
}
