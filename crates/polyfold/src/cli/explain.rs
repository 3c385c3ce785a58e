//! `polyfold explain`: one array's story, or what the manual says of a message.
//!
//! The manual's pages are part of the command: what it prints is what the pages say.

use super::arguments::{ExplainCommand, NO_FILE};
use super::optimize::{Detail, optimized};
use super::{Failure, conflicts, output};
use polyfold_report::{ArrayReport, BufferReport, Decision, ScopReport, story_text};
use polyfold_scop::Code;

/// The manual's pages on messages. Each has a section `## CODE: TITLE` for each code.
const MANUAL: [&str; 7] = [
    include_str!("../../../../docs/reference/messages/reading.md"),
    include_str!("../../../../docs/reference/messages/declined.md"),
    include_str!("../../../../docs/reference/messages/kept.md"),
    include_str!("../../../../docs/reference/messages/results.md"),
    include_str!("../../../../docs/reference/messages/orders.md"),
    include_str!("../../../../docs/reference/messages/local.md"),
    include_str!("../../../../docs/reference/messages/others.md"),
];

pub(crate) fn run(command: &ExplainCommand) -> Result<(), Failure> {
    if command.optimize.input.as_os_str() == NO_FILE {
        return of_code(&command.subject);
    }
    if conflicts::is_conflict_set(&command.optimize.input) {
        let message = "explain is for arrays of programs, not for conflict sets";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    let report = optimized(&command.optimize, Detail::Whole)?.report;
    let all = || report.scops.iter().flat_map(|scop| scop.arrays.iter().map(move |array| (scop, array)));
    let mut text = String::new();
    for (scop, array) in all().filter(|(_, array)| array.name == command.subject) {
        if let Some(story) = &array.story {
            text += &story_text(&heading(scop, array), story);
        }
    }
    if text.is_empty() {
        return Err(Failure::input(unknown(&command.subject, all().map(|(_, array)| array.name.clone()).collect())));
    }
    output::print(&text)
}

fn of_code(text: &str) -> Result<(), Failure> {
    let code = text.to_uppercase().parse::<Code>().map_err(|()| {
        let known = [Code::ALL[0], Code::ALL[Code::ALL.len() - 1]].map(|code| code.to_string()).join(" to ");
        let message = format!("`{text}` is no message's code ({known}); for an array, name the C file behind it");
        Failure::Usage(Some(message))
    })?;
    output::print(&section(code).unwrap_or_default())
}

/// What the manual says of a code, without the comments that tests read.
fn section(code: Code) -> Option<String> {
    let heading = format!("## {code}: ");
    let page = MANUAL.into_iter().find(|page| page.contains(&heading))?;
    let from = &page[page.find(&heading)?..];
    let end = from[heading.len()..].find("\n## ").map_or(from.len(), |at| heading.len() + at + 1);
    let is_shown = |line: &&str| !line.starts_with("<!--");
    let lines: Vec<&str> = from[..end].trim_end().lines().filter(is_shown).collect();
    Some(lines.join("\n") + "\n")
}

/// `y: double[n][n], 10000 cells, now y[2][n], 200 cells; 148 of its values are alive at once (n = 100)`
fn heading(scop: &ScopReport, array: &ArrayReport) -> String {
    let extent: String = array.extent.iter().map(|extent| format!("[{extent}]")).collect();
    let cells = |cells: Option<u64>| cells.map_or("? cells".to_string(), |cells| format!("{cells} cells"));
    let now = match array.decision {
        Decision::Kept => "as it was".to_string(),
        Decision::Removed => "gone: nothing reads it".to_string(),
        Decision::Scalar => "one variable now".to_string(),
        Decision::Hosted => format!("in an output now: {}", array.place.as_deref().unwrap_or("?")),
        Decision::Contracted | Decision::Shared => {
            let own = scop.buffers.iter().filter(|buffer| buffer.members.iter().any(|member| member.of == array.name));
            own.map(|buffer| now_in(buffer, array)).collect::<Vec<_>>().join("; ")
        }
    };
    let sizes: Vec<String> = scop.totals.at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let at = if sizes.is_empty() { String::new() } else { format!(" ({})", sizes.join(", ")) };
    let alive = array.max_live.map_or(String::new(), |alive| format!("; {alive} of its values are alive at once"));
    format!("{}: {}{extent}, {}, {now}{alive}{at}", array.name, array.element, cells(array.cells_before))
}

/// `now y[2][n], 200 cells`
fn now_in(buffer: &BufferReport, array: &ArrayReport) -> String {
    let shape: String = buffer.shape.iter().map(|extent| format!("[{extent}]")).collect();
    let others: Vec<&str> = buffer.members.iter().map(|m| m.of.as_str()).filter(|of| *of != array.name).collect();
    let with = if others.is_empty() { String::new() } else { format!(" with {}", others.join(", ")) };
    let cells = buffer.cells.map_or("?".to_string(), |cells| cells.to_string());
    format!("now in {}{shape}{with}, {cells} cells", buffer.name)
}

fn unknown(name: &str, arrays: Vec<String>) -> String {
    match arrays.as_slice() {
        [] => "no scop of this file has arrays that could be explained".to_string(),
        arrays => format!("no scop of this file has an array `{name}`; there are {}", arrays.join(", ")),
    }
}
