//! Fewer ingredients, while the program still fails.

use crate::options::{Feature, Options};

/// Switches off every feature, and lowers the number of statements, as long as `fails` still holds; `fails` is asked
/// about the options it gets, for a seed of its own choice.
///
/// The result is small, not smallest: each feature is tried once, in the order of [`Feature::ALL`].
pub fn shrink(options: &Options, mut fails: impl FnMut(&Options) -> bool) -> Options {
    let mut small = options.clone();
    for max_statements in 1..small.max_statements {
        let fewer = Options { max_statements, ..small.clone() };
        if fails(&fewer) {
            small = fewer;
            break;
        }
    }
    for feature in Feature::ALL {
        let without = small.clone().without(*feature);
        if without != small && fails(&without) {
            small = without;
        }
    }
    small
}
