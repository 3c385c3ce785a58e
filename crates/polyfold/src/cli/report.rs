//! `polyfold report`: a page that shows what `optimize` does.

use super::arguments::ReportCommand;
use super::optimize::{Detail, optimized, refuse_input};
use super::{Failure, conflicts, output};
use polyfold_report::page;

pub(crate) fn run(command: &ReportCommand) -> Result<(), Failure> {
    let arguments = &command.optimize;
    if conflicts::is_conflict_set(&arguments.input) {
        let message = "report shows programs: of a conflict set, `optimize` prints what was found";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    refuse_input("-o", Some(&command.output), arguments)?;
    let program = optimized(arguments, Detail::Whole)?;
    let page = page(&program.report).map_err(Failure::report)?;
    output::write_all(&[(command.output.as_path(), page.as_str())])?;
    output::print(&format!("{} shows what was done; open it in a browser\n", command.output.display()))
}
