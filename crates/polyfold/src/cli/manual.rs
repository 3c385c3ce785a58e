//! What is made from the definitions behind `--help`: completions for a shell, and the manual page.

use super::arguments::Arguments;
use super::{Failure, output};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

/// Prints a shell's completions.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "polyfold", &mut text);
    output::print(&String::from_utf8_lossy(&text))
}

/// Prints the manual page: the command, and each of its commands with its options.
pub(crate) fn page() -> Result<(), Failure> {
    let mut text = Vec::new();
    let mut command = Arguments::command();
    command.build();
    let written = clap_mangen::Man::new(command.clone()).render(&mut text).and_then(|()| {
        let commands = command.get_subcommands().filter(|c| c.get_name() != "help");
        commands.cloned().try_for_each(|c| {
            let man = clap_mangen::Man::new(c.clone());
            writeln!(text, ".SH {}", c.get_name().to_uppercase())?;
            man.render_synopsis_section(&mut text)?;
            man.render_description_section(&mut text)?;
            man.render_options_section(&mut text)?;
            man.render_extra_section(&mut text)
        })
    });
    written.map_err(|e| Failure::input(format!("the manual page can't be printed: {e}")))?;
    output::print(&String::from_utf8_lossy(&text))
}
