//! `polyfold report`: a page that shows what `optimize` does, or `compact`.

use super::arguments::{CompactArguments, LocalArguments, OptimizeArguments, ReportCommand};
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
    if let Some(option) = of_regions_only(&command.local) {
        let message = format!(
            "{option} is for regions in local memory, and the file has none: mark a loop with `#pragma polyfold local`, or say --tile"
        );
        return Err(Failure::Usage(Some(message)));
    }
    let NewProgram { input, mut report } = optimized(arguments, Detail::Whole)?;
    report.hint = hint(&input, &report, arguments).map(|hint| hint.trim().to_string());
    write(command, &page(&report).map_err(Failure::report)?)
}

/// The page of a file with regions for local memory.
fn of_regions(command: &ReportCommand) -> Result<(), Failure> {
    let OptimizeArguments { input, program, schedule, verify, strict, .. } = command.optimize.clone();
    let given = [("--schedule", schedule != "keep"), ("--verify", verify), ("--strict", strict)];
    if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
        let message = format!("{option} is for scops, and the page of a file with regions shows what `compact` does");
        return Err(Failure::Usage(Some(message)));
    }
    let arguments = CompactArguments { input, output: None, json: None, program, local: command.local.clone() };
    let report = reported(&arguments, Detail::Whole)?;
    write(command, &local_page(&report).map_err(Failure::report)?)
}

/// The first option that says something of regions only.
fn of_regions_only(local: &LocalArguments) -> Option<&'static str> {
    let given = [
        ("--capacity", local.capacity.is_some()),
        ("--buffers", local.buffers.is_some()),
        ("--assume-noalias", local.assume_noalias),
        ("--always", local.always),
        ("--memcpy", local.manner.memcpy),
        ("--get", local.manner.get.is_some()),
        ("--align", local.manner.align.is_some()),
        ("--space", local.manner.space.is_some()),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
}

fn write(command: &ReportCommand, page: &str) -> Result<(), Failure> {
    output::write_all(&[(command.output.as_path(), page)])?;
    output::print(&format!("{} shows what was done; open it in a browser\n", command.output.display()))
}
