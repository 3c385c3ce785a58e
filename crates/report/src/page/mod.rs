//! The report as one page of HTML that needs nothing else.
//!
//! It holds the report as JSON, and a script that draws it. Of a program: `expression` reads C expressions, `run` walks the loops at small
//! sizes, `draw` and `stages` make SVG, and `main` lays the page out, so that drawings follow when the reader changes a size. Of regions for
//! local memory: `local` draws the cells that the report lists. Both show both texts side by side (`code`).
//!
//! Invariant: the page makes no request, and nothing in the report ends the element that holds it.

use crate::json::to_line;
use crate::{LocalReport, Report};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const DRAW: &str = include_str!("draw.js");
const CODE: &str = include_str!("code.js");
const OF_PROGRAM: [&str; 6] = [
    include_str!("expression.js"),
    include_str!("run.js"),
    DRAW,
    include_str!("stages.js"),
    CODE,
    include_str!("main.js"),
];
const OF_REGIONS: [&str; 3] = [DRAW, CODE, include_str!("local.js")];

/// The page of a program.
///
/// # Errors
/// What cannot be written as JSON, in words.
pub fn page(report: &Report) -> Result<String, String> {
    with_script(&report.input, to_line(report)?, &OF_PROGRAM.concat())
}

/// The page of a program with regions for local memory.
///
/// # Errors
/// What cannot be written as JSON, in words.
pub fn local_page(report: &LocalReport) -> Result<String, String> {
    with_script(&report.input, to_line(report)?, &OF_REGIONS.concat())
}

fn with_script(input: &str, json: String, script: &str) -> Result<String, String> {
    let title = escaped(&format!("polyfold: {input}"));
    // In JSON a `<` stands in strings only.
    let json = json.replace('<', "\\u003c");
    let parts = [("{title}", title.as_str()), ("{style}", STYLE), ("{report}", &json), ("{script}", script)];
    Ok(filled(TEMPLATE, &parts))
}

/// A text with its fields filled in, none of which is looked for in what others are filled with.
fn filled(template: &str, parts: &[(&str, &str)]) -> String {
    let next = parts.iter().filter_map(|(field, text)| Some((template.find(field)?, *field, *text))).min();
    match next {
        None => template.to_string(),
        Some((at, field, text)) => {
            format!("{}{text}{}", &template[..at], filled(&template[at + field.len()..], parts))
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
