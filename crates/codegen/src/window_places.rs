//! How comments call places in windows of tiles: `y - Y - 2 * (x - X) + 512`.
//!
//! Each coordinate is counted from the counter of its tile. The program says the same ([`rebase`](polyfold_transform::rebase)).

use polyfold_prove::Origin;
use polyfold_scop::Scop;

/// The place of a cell called by coordinates, which stand for counters: `j - J - 2 * (i - I) + 32`; `None`: tiles begin at other multiples of counters.
pub(crate) fn of_cell(scop: &Scop, origin: &Origin, coordinates: &[String], factors: &[i64]) -> Option<String> {
    let loops = scop.loops();
    let mut begins = origin.terms().to_vec();
    let mut terms = Vec::new();
    for (own, factor) in coordinates.iter().zip(factors).rev().filter(|(_, factor)| **factor != 0) {
        let factor = if origin.is_turned() { -factor } else { *factor };
        let at = begins.iter().rposition(|(_, begin)| *begin == factor)?;
        terms.push(Term { factor, own, begin: Some(&loops[begins.remove(at).0.0].iterator) });
    }
    begins.is_empty().then(|| leading(&(sum(&terms) + &signed_number(-origin.lowest()))))
}

/// A multiple of how far a counter is from where it begins.
struct Term<'a> {
    factor: i64,
    own: &'a str,
    begin: Option<&'a str>,
}

impl Term<'_> {
    fn text(&self) -> String {
        let Term { factor, own, begin } = *self;
        match (begin, factor) {
            (Some(begin), 1) => format!(" + {own} - {begin}"),
            (Some(begin), -1) => format!(" + {begin} - {own}"),
            (Some(begin), _) => signed(&format!("{} * ({own} - {begin})", factor.unsigned_abs()), factor),
            (None, 1 | -1) => signed(own, factor),
            (None, _) => signed(&format!("{} * {own}", factor.unsigned_abs()), factor),
        }
    }
}

/// ` + y - Y - 2 * (x - X)`: what grows comes first.
fn sum(all: &[Term]) -> String {
    let (up, down): (Vec<&Term>, Vec<&Term>) = all.iter().partition(|term| term.factor > 0);
    up.into_iter().chain(down).map(Term::text).collect()
}

fn signed_number(number: i64) -> String {
    if number == 0 { String::new() } else { signed(&number.unsigned_abs().to_string(), number) }
}

/// A text that is not negative, with the sign of a number.
fn signed(text: &str, sign: i64) -> String {
    format!(" {} {text}", if sign < 0 { '-' } else { '+' })
}

/// A sum without the sign in front of its first term, if that is added.
fn leading(sum: &str) -> String {
    match sum.strip_prefix(" + ") {
        Some(sum) => sum.to_string(),
        None if sum.is_empty() => "0".to_string(),
        None => format!("-{}", sum.trim_start_matches(" - ")),
    }
}
