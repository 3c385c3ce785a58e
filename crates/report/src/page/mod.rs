//! The report as one page of HTML that needs nothing else.
//!
//! It holds the report as JSON, and a script that runs each scop at small sizes and draws what it sees: `expression` reads C expressions, `run`
//! walks the loops, `draw` and `stages` make SVG, `main` lays the page out. So drawings follow when the reader changes a size.
//!
//! Invariant: the page makes no request, and nothing in the report ends the element that holds it.

use crate::{Report, to_json};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 5] = [
    include_str!("expression.js"),
    include_str!("run.js"),
    include_str!("draw.js"),
    include_str!("stages.js"),
    include_str!("main.js"),
];

/// The page.
///
/// # Errors
/// What cannot be written as JSON, in words.
pub fn page(report: &Report) -> Result<String, String> {
    let title = escaped(&format!("polyfold: {}", report.input));
    // In JSON a `<` stands in strings only.
    let json = to_json(report)?.replace('<', "\\u003c");
    let parts = [("{title}", title.as_str()), ("{style}", STYLE), ("{report}", &json), ("{script}", &SCRIPTS.concat())];
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
