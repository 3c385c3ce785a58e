//! What is made from the definitions behind `--help`.

use crate::support::golden::same;
use crate::support::root;
use crate::support::tool::polyfold;

#[test]
fn the_page_of_the_command_line_is_that_of_the_tool() {
    let page = root().join("docs/reference/command-line.md");
    let printed = polyfold(&["man", "--markdown"]).stdout;
    if std::env::var_os("POLYFOLD_BLESS").is_some() {
        std::fs::write(&page, &printed).expect("the page can be written");
    }
    let shown = std::fs::read_to_string(&page).expect("the page is there");
    same(&shown, &printed).unwrap_or_else(|why| panic!("docs/reference/command-line.md: {why}"));
}

#[test]
fn completions_and_the_manual_name_every_command() {
    let help = polyfold(&["--help"]).stdout;
    let listed = help.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next()).expect("commands");
    // Long descriptions go on in further lines.
    let named = listed.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let commands: Vec<&str> = named.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 8, "{help}");
    for shell in ["bash", "zsh", "fish"] {
        let completions = polyfold(&["completions", shell]);
        assert_eq!(completions.status, 0);
        assert!(commands.iter().all(|command| completions.stdout.contains(command)), "{shell}");
    }
    let manual = polyfold(&["man"]).stdout;
    let sections = manual.lines().filter_map(|line| line.strip_prefix(".SH ")).map(str::to_lowercase);
    let sections: Vec<String> = sections.collect();
    let missing = commands.iter().filter(|command| **command != "help" && !sections.iter().any(|s| s == *command));
    assert_eq!(missing.count(), 0, "{sections:?}");
}
