//! The words of an OpenScop file, with their lines.
//!
//! Comments go from `#` to the end of a line. What stands between `<tag>` and `</tag>` is taken line by line.

use crate::fault::Fault;
use std::ops::RangeInclusive;

/// What is left of a file.
pub(crate) struct Lines<'a> {
    lines: Vec<&'a str>,
    /// From 0.
    line: usize,
    /// Byte of that line.
    at: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines().collect(), line: 0, at: 0 }
    }

    /// Moves to the next word; whether there is one.
    pub(crate) fn has_more(&mut self) -> bool {
        while let Some(line) = self.lines.get(self.line) {
            let rest = code(line).get(self.at..).unwrap_or("");
            if !rest.trim_start().is_empty() {
                self.at += rest.len() - rest.trim_start().len();
                return true;
            }
            (self.line, self.at) = (self.line + 1, 0);
        }
        false
    }

    /// The next word, without taking it.
    pub(crate) fn peek(&mut self) -> Option<&'a str> {
        if !self.has_more() {
            return None;
        }
        code(self.lines[self.line]).get(self.at..).and_then(|rest| rest.split_whitespace().next())
    }

    /// Leaves the rest of the line.
    pub(crate) fn skip_line(&mut self) {
        (self.line, self.at) = (self.line + 1, 0);
    }

    /// The next word and its line, from 1.
    pub(crate) fn word(&mut self, what: &str) -> Result<(usize, &'a str), Fault> {
        let Some(word) = self.peek() else {
            let message = format!("the file ends where {what} should be");
            return Err(Fault::at(self.lines.len().max(1), message, "is it complete?"));
        };
        self.at += word.len();
        Ok((self.line + 1, word))
    }

    /// The next number and its line.
    pub(crate) fn number(&mut self, what: &str, range: RangeInclusive<i64>) -> Result<(usize, i64), Fault> {
        let (line, word) = self.word(what)?;
        match word.parse::<i64>() {
            Ok(number) if range.contains(&number) => Ok((line, number)),
            Ok(number) => Err(Fault::at(line, format!("{number} is not {what}"), "is the file damaged?")),
            Err(_) => {
                let message = format!("`{word}` stands where {what} should be");
                Err(Fault::at(line, message, "whole numbers of at most 64 bits are understood; is a row too short?"))
            }
        }
    }

    /// Whether the line of the next word has no other.
    pub(crate) fn has_one_number(&mut self) -> bool {
        self.has_more() && {
            let rest = code(self.lines[self.line]).get(self.at..).unwrap_or("");
            rest.split_whitespace().count() == 1
        }
    }

    /// The lines from `<tag>` to `</tag>`, which comes next; `None`: something else does.
    pub(crate) fn extension(&mut self) -> Result<Option<Extension<'a>>, Fault> {
        let Some(name) = self.peek().and_then(tag).filter(|name| !name.starts_with('/')) else { return Ok(None) };
        let (first, end) = (self.line + 1, format!("</{name}>"));
        let Some(length) = self.lines[first..].iter().position(|line| line.trim() == end) else {
            return Err(Fault::at(first, format!("<{name}> has no {end}"), "put it on a line of its own"));
        };
        (self.line, self.at) = (first + length + 1, 0);
        let lines = self.lines[first..first + length].iter().enumerate().map(|(k, line)| (first + k + 1, *line));
        Ok(Some(Extension { name, line: first, lines: lines.collect() }))
    }
}

/// What stands in an extension.
pub(crate) struct Extension<'a> {
    pub(crate) name: &'a str,
    /// Of its tag, from 1.
    pub(crate) line: usize,
    /// With their numbers, from 1.
    pub(crate) lines: Vec<(usize, &'a str)>,
}

impl<'a> Extension<'a> {
    /// Lines that say something.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, &'a str)> {
        let lines = self.lines.iter().map(|(k, line)| (*k, line.trim()));
        lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    }
}

/// The name in `<name>`.
fn tag(word: &str) -> Option<&str> {
    word.strip_prefix('<')?.strip_suffix('>').filter(|name| !name.is_empty())
}

/// A line without its comment.
fn code(line: &str) -> &str {
    line.split('#').next().unwrap_or("")
}
