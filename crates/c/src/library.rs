//! Functions of C's library that compute a number from numbers.
//!
//! The idea: a call of one is a value (C11 §7.12), so that it may be computed where its arguments are. Some are one instruction of most processors; the others stay calls, also in
//! loops of which compilers could make vectors otherwise, since they may set `errno` or raise flags.
//!
//! ```
//! use polyfold_c::library::{is_value, stays_a_call};
//! assert!(is_value("sqrtf") && stays_a_call("sqrtf"));
//! assert!(is_value("__builtin_fabs") && !stays_a_call("__builtin_fabs"));
//! assert!(!is_value("printf") && !stays_a_call("printf"));
//! ```
//!
//! Source: which ones stay calls was read from what gcc 12 makes of a loop with each, at `-O3 -march=native` on x86-64.
//!
//! Limits: `lgamma` sets `signgam`, too, which nobody is taken to read. Where `fmax` or `round` is an instruction, as on ARM, loops with it could share one with vectors, and are kept apart all the same: that
//! costs memory.

const INSTRUCTIONS: &[&str] = &["fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "copysign", "fma"];

const CALLS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fdim",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "pow",
    "remainder",
    "round",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
];

/// Of integers: they have names of their own for each type.
const INTEGERS: &[&str] = &["abs", "labs", "llabs"];

/// Whether a name is that of such a function, in any of its types, or of the compiler's own form of it.
pub fn is_value(name: &str) -> bool {
    is_one_of(INSTRUCTIONS, name) || is_one_of(CALLS, name) || INTEGERS.contains(&plain(name))
}

/// Whether it is one that stays a call.
pub fn stays_a_call(name: &str) -> bool {
    is_one_of(CALLS, name)
}

/// Names end in `f` and `l` for `float` and `long double`; `erf` does so for itself.
fn is_one_of(names: &[&str], name: &str) -> bool {
    let name = plain(name);
    names.contains(&name) || name.strip_suffix(['f', 'l']).is_some_and(|stem| names.contains(&stem))
}

fn plain(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_in_their_type() {
        assert!(["erf", "erff", "erfl", "fmaxl", "__builtin_powf", "llabs"].into_iter().all(is_value));
        assert!(!["er", "sqrtd", "absf", "f", "__builtin_", "builtin_pow"].into_iter().any(is_value));
        assert!(["erf", "erff", "fmax", "__builtin_sqrt"].into_iter().all(stays_a_call));
        assert!(!["fabsf", "abs", "floor"].into_iter().any(stays_a_call));
    }
}
