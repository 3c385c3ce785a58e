//! What is being done, on a terminal; elsewhere nothing is said.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use std::time::Duration;

/// A line that is cleared when it is dropped.
pub(super) fn progress() -> ProgressBar {
    let progress = ProgressBar::new_spinner().with_style(ProgressStyle::default_spinner());
    let progress = progress.with_finish(ProgressFinish::AndClear);
    progress.enable_steady_tick(Duration::from_millis(200));
    progress
}

/// The same with a message.
pub(super) fn doing(what: impl Into<String>) -> ProgressBar {
    progress().with_message(what.into())
}
