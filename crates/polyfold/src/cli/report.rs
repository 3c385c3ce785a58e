//! `polyfold report`: a page that shows what `optimize` does, or `compact`.

use super::arguments::{CompactArguments, OptimizeArguments, ReportCommand};
use super::compact::{has_regions, reported};
use super::hint::hint;
use super::optimize::{Detail, NewProgram, optimized, refuse_input};
use super::{Failure, conflicts, output};
use polyfold_report::{local_page, page};

pub(crate) fn run(command: &ReportCommand) -> Result<(), Failure> {
    let arguments = &command.optimize;
    if conflicts::is_conflict_set(&arguments.input) {
        let message = "report shows programs: of a conflict set, `optimize` prints what was found";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    refuse_input("-o", Some(&command.output), arguments)?;
    if !command.local.tile.is_empty() || has_regions(&arguments.input)? {
        return of_regions(command);
    }
    let NewProgram { input, mut report } = optimized(arguments, Detail::Whole)?;
    report.hint = hint(&input, &report, arguments).map(|hint| hint.trim().to_string());
    write(command, &page(&report).map_err(Failure::report)?)
}

/// The page of a file with regions for local memory.
fn of_regions(command: &ReportCommand) -> Result<(), Failure> {
    let OptimizeArguments { input, program, .. } = command.optimize.clone();
    let arguments = CompactArguments { input, output: None, json: None, program, local: command.local.clone() };
    let report = reported(&arguments)?;
    write(command, &local_page(&report).map_err(Failure::report)?)
}

fn write(command: &ReportCommand, page: &str) -> Result<(), Failure> {
    output::write_all(&[(command.output.as_path(), page)])?;
    output::print(&format!("{} shows what was done; open it in a browser\n", command.output.display()))
}
