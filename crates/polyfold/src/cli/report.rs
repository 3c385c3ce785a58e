//! `polyfold report`: a page that shows what `optimize` does.

use super::arguments::ReportCommand;
use super::hint::hint;
use super::optimize::{Detail, NewProgram, optimized, refuse_input};
use super::{Failure, conflicts, output};
use polyfold_report::page;

pub(crate) fn run(command: &ReportCommand) -> Result<(), Failure> {
    let arguments = &command.optimize;
    if conflicts::is_conflict_set(&arguments.input) {
        let message = "report shows programs: of a conflict set, `optimize` prints what was found";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    refuse_input("-o", Some(&command.output), arguments)?;
    let NewProgram { input, mut report } = optimized(arguments, Detail::Whole)?;
    report.hint = hint(&input, &report, arguments).map(|hint| hint.trim().to_string());
    let page = page(&report).map_err(Failure::report)?;
    output::write_all(&[(command.output.as_path(), page.as_str())])?;
    output::print(&format!("{} shows what was done; open it in a browser\n", command.output.display()))
}
