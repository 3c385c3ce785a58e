//! The result for people: one row per array, largest change first in the eye, and one line of sums.

use crate::{ArrayReport, BufferReport, Decision, Report, Rewritten, ScopReport, Verdict};
use comfy_table::{CellAlignment, Table, presets};

/// The result as text, with a trailing newline.
pub fn table(report: &Report) -> String {
    report.scops.iter().map(scop).collect::<Vec<_>>().join("\n")
}

fn scop(scop: &ScopReport) -> String {
    let mut out = format!("{} (line {})\n", scop.function, scop.line);
    let temporaries: Vec<&ArrayReport> = scop.arrays.iter().filter(|a| a.role == "temporary").collect();
    let others: Vec<&ArrayReport> = scop.arrays.iter().filter(|a| a.role != "temporary").collect();
    if temporaries.is_empty() && others.is_empty() {
        out += "  the scop uses no array: nothing to shrink (functions that it calls are not entered: put their loops here)\n";
    } else if temporaries.is_empty() {
        out += "  nothing to shrink: no array is the scop's own\n";
    } else {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["array", "cells before", "after", "max live", "now"]);
        for array in &temporaries {
            table.add_row([
                format!("{}{}{}", array.name, brackets(&array.extent), apart(scop, array)),
                count(array.cells_before),
                if array.decision == Decision::Shared { "shared".to_string() } else { count(array.cells_after) },
                count(array.max_live),
                now(scop, array),
            ]);
        }
        for column in 1..=3 {
            if let Some(column) = table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for line in table.lines() {
            out += &format!("  {}\n", line.trim_end());
        }
    }
    let (interface, others): (Vec<&ArrayReport>, Vec<&ArrayReport>) =
        others.into_iter().partition(|array| array.is_interface);
    if !interface.is_empty() {
        let names: Vec<&str> = interface.iter().map(|array| array.name.as_str()).collect();
        out += &format!("  kept: {} (parameters are the program's interface)\n", names.join(", "));
    }
    for (k, array) in others.iter().enumerate() {
        let reason = array.reason.as_deref().unwrap_or("");
        let is_alike = |other: &&&ArrayReport| other.reason == array.reason;
        if others[..k].iter().any(|other| is_alike(&other)) {
            continue;
        }
        let names: Vec<String> =
            others.iter().filter(is_alike).map(|other| format!("{}{}", other.name, apart(scop, other))).collect();
        out += &match names.as_slice() {
            [name] => format!("  {name} stays: {reason}\n"),
            names => format!("  kept: {} ({reason})\n", names.join(", ")),
        };
    }
    out + &sums(scop)
}

fn sums(scop: &ScopReport) -> String {
    let totals = &scop.totals;
    if totals.cells_before == Some(0) {
        return String::new();
    }
    let at: Vec<String> = totals.at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let at = if at.is_empty() { String::new() } else { format!(" at {}", at.join(", ")) };
    let mut out = format!("  {} cells -> {}", count(totals.cells_before), count(totals.cells_after));
    if let (Some(before), Some(after)) = (totals.bytes_before, totals.bytes_after) {
        out += &format!(" ({} -> {})", bytes(before), bytes(after));
    }
    out += &format!("; {} alive at once{at}\n  {}\n", count(totals.max_live), proof(scop));
    if scop.arrays.iter().any(|array| array.decision == Decision::Hosted) {
        out += "  (outputs hold other values meanwhile: they must overlap no other array of the function)\n";
    }
    if let (Some(after), Some(suffice)) = (totals.cells_after, totals.cells_suffice)
        && after > suffice
    {
        out += &format!("  ({} more than suffice, for plainer loops; --room 0 takes none)\n", after - suffice);
    }
    if totals.max_live.is_none() {
        out += "  (?: to count the values alive at these sizes takes more steps than --max-ops allows)\n";
    }
    for room in &scop.room {
        let (arrays, percent, cells) = (room.arrays.join(", "), room.percent, room.cells);
        out += &format!("  (--room {percent} would make loops over {arrays} plainer, with {cells} cells for it)\n");
    }
    for own in &scop.vectors {
        let instead = match (own.percent, own.cells) {
            (Some(percent), Some(cells)) => format!("--room {percent} would not, with {cells} cells for it"),
            _ => "--scope intra shares nothing".to_string(),
        };
        out += &format!("  (sharing takes vectors from loops over {}; {instead})\n", own.arrays.join(", "));
    }
    if !scop.strips.is_empty() {
        let arrays = scop.strips.join(", ");
        out += &format!(
            "  (--schedule strips would let loops over {arrays} vectorise, for some 128 cells more of each)\n"
        );
    }
    for reason in &scop.proof.reasons {
        out += &format!("  ({reason})\n");
    }
    if !totals.examples.is_empty() {
        out += &format!(
            "  (counted at example sizes for {}; --param {}=… counts at your own)\n",
            totals.examples.join(", "),
            totals.examples[0]
        );
    }
    out
}

fn proof(scop: &ScopReport) -> String {
    let keeps_storage = scop.arrays.iter().all(|a| a.decision == Decision::Kept);
    match (scop.proof.status, scop.before_storage) {
        (Verdict::Failed, _) => "not proved".to_string(),
        (Verdict::Proved, None) if keeps_storage => "nothing is changed".to_string(),
        (Verdict::Proved, Some(Rewritten::Loops)) if keeps_storage => format!("only loops are new; {}", proved(scop)),
        (Verdict::Proved, Some(Rewritten::Arrays)) if keeps_storage => format!("only arrays are new; {}", proved(scop)),
        (Verdict::Proved, _) => proved(scop),
    }
}

fn proved(scop: &ScopReport) -> String {
    match scop.proof.condition.as_str() {
        "1" if scop.parameters.is_empty() => "proved".to_string(),
        "1" => "proved for all sizes".to_string(),
        condition => format!("proved for {condition}"),
    }
}

fn now(scop: &ScopReport, array: &ArrayReport) -> String {
    match array.decision {
        Decision::Removed => "gone: nothing reads it".to_string(),
        Decision::Hosted => format!("in {}", array.place.as_deref().unwrap_or("an output")),
        Decision::Scalar => "a variable".to_string(),
        Decision::Kept => format!("as it was: {}", array.reason.as_deref().unwrap_or("")),
        Decision::Contracted => {
            let has_buffer = |a: &&ArrayReport| matches!(a.decision, Decision::Contracted | Decision::Scalar);
            let before = scop.arrays.iter().take_while(|other| !std::ptr::eq(*other, array)).filter(has_buffer).count();
            scop.buffers.get(before).map_or(String::new(), place)
        }
        Decision::Shared => {
            let holds = |b: &&BufferReport| b.members.iter().any(|m| m.of == array.name);
            let places: Vec<String> = scop.buffers.iter().filter(holds).map(place).collect();
            match places.as_slice() {
                [] => String::new(),
                [place] => place.clone(),
                [first, others @ ..] => format!("{first} and {} more", others.len()),
            }
        }
    }
}

/// ` (line 7)` where another array of the scop has the same name.
fn apart(scop: &ScopReport, array: &ArrayReport) -> String {
    let is_unique = scop.arrays.iter().filter(|other| other.name == array.name).count() == 1;
    match array.line {
        Some(line) if !is_unique => format!(" (line {line})"),
        _ => String::new(),
    }
}

fn place(buffer: &BufferReport) -> String {
    format!("{}{}", buffer.name, brackets(&buffer.shape))
}

fn brackets(extents: &[String]) -> String {
    extents.iter().map(|e| format!("[{e}]")).collect()
}

fn count(cells: Option<u64>) -> String {
    cells.map_or("?".to_string(), |c| c.to_string())
}

fn bytes(count: u64) -> String {
    match count {
        0..10_240 => format!("{count} B"),
        10_240..10_485_760 => format!("{:.1} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}
