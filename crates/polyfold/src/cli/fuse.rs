//! `polyfold fuse`.

use super::arguments::{FuseArguments, ObjectiveArgument};
use super::{Failure, input, output};
use polyfold::fuse::{read, study};
use polyfold_fusion::{Budget, Objective};
use polyfold_report::{fusion_table, to_json};
use std::path::Path;

pub(crate) fn run(arguments: &FuseArguments) -> Result<(), Failure> {
    let (name, text) = match arguments.graph.as_deref() {
        Some(path) if path != Path::new("-") => (path.display().to_string(), input::text(path)?),
        _ => ("standard input".to_string(), input::standard()?),
    };
    let graph = read(&text).map_err(|message| Failure::input(format!("{name}: {message}")))?;
    let objective = match arguments.objective {
        ObjectiveArgument::Removed => Objective::Removed,
        ObjectiveArgument::Memory => Objective::Memory,
    };
    let report = study(&graph, objective, Budget::new(arguments.max_ops));
    if let Some(json) = &arguments.json {
        let text = to_json(&report).map_err(Failure::report)?;
        output::write_all(&[(json, &text)])?;
    }
    output::print(&fusion_table(&report))
}
