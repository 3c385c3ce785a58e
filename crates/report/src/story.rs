//! One array's story in a few lines, at sizes small enough to be drawn.

use serde::Serialize;
use std::collections::BTreeMap;

/// Who writes an array, who reads it, and why its storage is not smaller.
#[derive(Clone, Debug, Serialize)]
pub struct Story {
    /// The sizes that it speaks of; empty where none are small enough.
    pub at: BTreeMap<String, i64>,
    /// Statements that write it, each as `line 27: y[k][k] = alpha[k];`.
    pub written: Vec<String>,
    /// Statements that read it.
    pub read: Vec<String>,
    /// Why its storage is not smaller, in sentences; `null`: that isn't known.
    pub why: Option<String>,
    /// A row for each of some cells: its name, and its values over time, `=` where one is needed.
    pub lifetimes: Vec<(String, String)>,
    /// How many cells there are.
    pub cells: usize,
}

/// Columns for the name of each part.
const NAME: usize = 10;

/// Columns of a line.
const WIDTH: usize = 100;

/// An array's story as text, under its name.
pub fn story_text(heading: &str, story: &Story) -> String {
    let mut out = format!("{heading}\n");
    let mut line = |name: &str, text: &str| out += &format!("  {name:NAME$}{text}\n");
    for (name, all) in [("written", &story.written), ("read", &story.read)] {
        if all.is_empty() {
            line(name, "nowhere in the scop");
        }
        all.iter().enumerate().for_each(|(k, text)| line(if k == 0 { name } else { "" }, text));
    }
    if let Some(why) = &story.why {
        let lines = wrapped(why, WIDTH - NAME - 2);
        lines.iter().enumerate().for_each(|(k, text)| line(["why", ""][k.min(1)], text));
    }
    if !story.lifetimes.is_empty() {
        let sizes: Vec<String> = story.at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let at = if sizes.is_empty() { String::new() } else { format!(" at {}", sizes.join(", ")) };
        line("alive", &format!("from its write to its last read{at}, time from left to right"));
        let wide = story.lifetimes.iter().map(|(cell, _)| cell.len()).max().unwrap_or(0);
        story.lifetimes.iter().for_each(|(cell, bar)| line("", &format!("{cell:wide$} {bar}")));
        if story.cells > story.lifetimes.len() {
            line("", &format!("and {} cells more", story.cells - story.lifetimes.len()));
        }
    }
    out
}

/// A text in lines of at most so many characters, where its words allow.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}
