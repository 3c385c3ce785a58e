//! Reports as text for programs.

use serde::Serialize;

/// A report as one line of JSON, for a page to hold.
///
/// # Errors
/// What cannot be written as JSON, in words.
pub(crate) fn to_line(report: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(report).map_err(|error| error.to_string())
}

/// A report as JSON text.
///
/// # Errors
/// What cannot be written as JSON, in words.
pub fn to_json(report: &impl Serialize) -> Result<String, String> {
    serde_json::to_string_pretty(report).map(|text| text + "\n").map_err(|error| error.to_string())
}
