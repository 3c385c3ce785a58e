//! Pragmas that are about the old loops only.
//!
//! They say how fast loops may run, or on how many threads: without them a program computes the same, but for those that
//! [`threads`](super::threads) sees to. So new loops go without them, unless they [inherit](super::inherited) one.

use crate::frame::frame_of;
use polyfold_c::code::{Kind, tokens};
use polyfold_scop::{Scop, Span};

/// The pragmas between the loops, and in front of the scop, that new loops go without.
pub fn dropped_pragmas(source: &str, scop: &Scop) -> Vec<Span> {
    let lead = scop.lead.clone().unwrap_or(scop.span.start..scop.span.start);
    let directives = [lead, scop.span.clone()].into_iter().flat_map(|part| tokens(source, &part));
    directives.filter(|t| t.kind == Kind::Directive && is_about_speed(t.text)).map(|t| t.span()).collect()
}

/// Whether all pragmas in front of the scop may go, with their lines.
pub(super) fn lead_may_go(source: &str, scop: &Scop) -> bool {
    let Some(lead) = &scop.lead else { return true };
    let has_lines = frame_of(source, scop).lead.start <= lead.start;
    has_lines && tokens(source, lead).iter().all(|t| t.kind == Kind::Directive && is_about_speed(t.text))
}

/// What OpenMP and OpenACC call the loop behind a pragma.
const ON_LOOPS: [&str; 5] = ["for", "simd", "loop", "taskloop", "distribute"];

/// Whether a directive is a pragma without which loops compute the same.
pub(super) fn is_about_speed(directive: &str) -> bool {
    let words = directive.strip_prefix('#').unwrap_or_default().trim_start().strip_prefix("pragma").unwrap_or_default();
    let words: Vec<&str> =
        words.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
    match &words[..] {
        ["omp" | "acc", first, ..] if ON_LOOPS.contains(first) => true,
        ["omp" | "acc", "parallel" | "teams" | "target" | "kernels" | "serial", more @ ..] => {
            more.iter().any(|word| ON_LOOPS.contains(word))
        }
        ["ivdep" | "unroll" | "nounroll" | "vector" | "novector" | "simd", ..] => true,
        ["GCC", "ivdep" | "unroll", ..] | ["clang", "loop", ..] => true,
        ["HLS", what, ..] => {
            ["dependence", "pipeline", "unroll", "loop_tripcount"].contains(&what.to_lowercase().as_str())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_about_speed;

    #[test]
    fn some_pragmas_mean_more() {
        for speed in ["#pragma omp parallel for private(j)", "# pragma GCC ivdep", "#pragma HLS PIPELINE II=1"] {
            assert!(is_about_speed(speed), "{speed}");
        }
        for more in
            ["#define N 3", "#pragma STDC FP_CONTRACT OFF", "#pragma GCC optimize", "#if 1", "#pragma omp barrier"]
        {
            assert!(!is_about_speed(more), "{more}");
        }
    }
}
