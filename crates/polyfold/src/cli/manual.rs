//! What is made from the definitions behind `--help`: completions for a shell, and the manual page, as roff or Markdown.

use super::arguments::Arguments;
use super::{Failure, output};
use clap::builder::PossibleValue;
use clap::{Arg, Command, CommandFactory};
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

/// Prints the same for the manual's reference.
pub(crate) fn markdown() -> Result<(), Failure> {
    let mut command = Arguments::command();
    command.build();
    let mut out = "# The command line\n\nThis page is made by `polyfold man --markdown`, from the definitions behind `--help`.\n\n\
                   | command | does |\n|---|---|\n"
        .to_string();
    let commands: Vec<&Command> = command.get_subcommands().filter(|c| c.get_name() != "help").collect();
    for c in &commands {
        out += &format!("| [`polyfold {0}`](#polyfold-{0}) | {1} |\n", c.get_name(), about(c));
    }
    commands.iter().for_each(|c| out += &section(c));
    output::print(&out)
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

fn section(command: &Command) -> String {
    let mut usage = command.clone();
    let usage = usage.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let mut out = format!("\n## polyfold {}\n\n{}.\n\n```text\n{usage}\n```\n", command.get_name(), about(command));
    for heading in headings(command) {
        let title = heading.map_or(String::new(), |heading| format!("\n{heading}:\n"));
        out += &format!("{title}\n| option | meaning |\n|---|---|\n");
        let of_it = command.get_arguments().filter(|arg| arg.get_help_heading() == heading && !arg.is_hide_set());
        of_it.for_each(|arg| out += &row(arg));
    }
    out
}

/// Of a command's options, in the order in which `--help` shows them.
fn headings(command: &Command) -> Vec<Option<&str>> {
    let mut found = Vec::new();
    for arg in command.get_arguments() {
        let heading = arg.get_help_heading();
        if !found.contains(&heading) {
            found.push(heading);
        }
    }
    found.sort_by_key(Option::is_some);
    found
}

fn row(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_string();
    let mut said: Vec<String> = help.split("\n\n").map(line).collect();
    if arg.get_action().takes_values() {
        let values: Vec<String> = arg.get_possible_values().iter().map(value).collect();
        said.extend((!values.is_empty()).then(|| values.join("; ")));
        let default: Vec<_> = arg.get_default_values().iter().map(|v| v.to_string_lossy()).collect();
        said.extend((!default.is_empty()).then(|| format!("Default: `{}`", default.join(" "))));
    }
    format!("| `{}` | {} |\n", arg.to_string().replace('|', "\\|"), said.join(". ").replace('|', "\\|"))
}

/// `` `fast`: innermost loops in segments without `%` ``.
fn value(value: &PossibleValue) -> String {
    match value.get_help() {
        Some(help) => format!("`{}`: {help}", value.get_name()),
        None => format!("`{}`", value.get_name()),
    }
}
