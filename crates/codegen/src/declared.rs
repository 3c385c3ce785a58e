//! Variables that are declared in front of a statement, whatever becomes of that.
//!
//! ```c
//! double t;            double t = a[i];
//! t = a[i];      ->    b[i] = t;
//! b[i] = t;
//! ```
//!
//! Only the text says what is left of a statement when all changes are made, in a part of a loop, say, in which nobody reads the variable. Compilers warn of what is written and not read: the
//! variable goes there if it does nothing but take a value, and is mentioned (`(void)t;`) otherwise.

use crate::assigned::assigned_value;
use crate::frame::begins_statement;
use crate::home::words;
use crate::removal::removal;
use crate::tokens::{Token, tokens};
use polyfold_scop::Span;

/// A variable and where it is declared: by the statement there, if that is `name = value;`, or else in front of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) at: usize,
    /// `double t`.
    pub(crate) declaration: String,
    pub(crate) name: String,
    /// What stands between two lines there.
    pub(crate) separator: String,
    /// Whether statements that write it do nothing else.
    pub(crate) is_all_they_do: bool,
}

impl Declared {
    /// The line in front of the statement.
    pub(crate) fn line(&self) -> String {
        format!("{};{}", self.declaration, self.separator)
    }

    /// What of a text that begins with the line the declaration stands for, where the statement behind it assigns a value.
    fn joined(&self, text: &str) -> Option<usize> {
        let line = self.line();
        let rest = text.strip_prefix(&line)?;
        let all = tokens(rest, &(0..rest.len()));
        let [name, behind @ ..] = &all[..] else { return None };
        let end = behind.iter().position(|t| t.is(';'))?;
        let value = assigned_value(&behind[..=end])?;
        let is_plain = !value.iter().any(|t| t.text == self.name || t.is_any(&['{', '}']));
        let is_assigned = name.at == 0 && name.text == self.name && is_plain;
        is_assigned.then(|| line.len() + self.name.len())
    }

    /// Its declaration, which stands at a place of a text, and how it is mentioned behind that up to the end of the block.
    fn use_in(&self, text: &str, at: usize) -> Option<(Span, Mentioned)> {
        let all = tokens(text, &(at..text.len()));
        let block = &all[..end_of_block(&all)?];
        let (own, behind) = block.split_at(block.iter().position(|t| t.is(';'))? + 1);
        let declaration = at..own.last()?.span().end;
        let mentions = |k: &usize| words(behind[*k].text).any(|(_, word)| word == self.name);
        let mentions: Vec<usize> = (0..behind.len()).filter(mentions).collect();
        let kind = match mentions[..] {
            [] => Mentioned::Nowhere,
            _ if mentions.iter().all(|k| is_assigned(behind, *k)) => Mentioned::OnlyWritten,
            _ => Mentioned::Read,
        };
        Some((declaration, kind))
    }

    fn mention(&self) -> String {
        format!("{}(void){};", self.separator, self.name)
    }
}

/// How a variable stands behind its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mentioned {
    Nowhere,
    OnlyWritten,
    Read,
}

/// Puts declarations, which stand at places of a text, by the statements behind them, and takes away those whose variables nothing reads.
pub(crate) fn settled(text: String, declared: Vec<(usize, &Declared)>) -> String {
    let mut settled = Settled { text, declared };
    settled.join();
    while settled.leaves_one_out() {}
    settled.mention_unread();
    settled.text
}

/// A text, and where in it variables are declared.
struct Settled<'a> {
    text: String,
    declared: Vec<(usize, &'a Declared)>,
}

impl Settled<'_> {
    fn join(&mut self) {
        for k in (0..self.declared.len()).rev() {
            let (at, variable) = self.declared[k];
            if let Some(joined) = variable.joined(&self.text[at..]) {
                self.replace(&(at..at + joined), &variable.declaration);
            }
        }
    }

    /// Takes one variable away, whose value others may have been read for.
    fn leaves_one_out(&mut self) -> bool {
        let goes = |(at, variable): &(usize, &Declared)| {
            let (declaration, mentioned) = variable.use_in(&self.text, *at)?;
            (variable.is_all_they_do && mentioned == Mentioned::Nowhere).then_some(declaration)
        };
        let Some((k, declaration)) = self.declared.iter().enumerate().find_map(|(k, own)| Some((k, goes(own)?))) else {
            return false;
        };
        let all = 0..self.text.len();
        self.declared.remove(k);
        self.replace(&removal(&self.text, &all, &declaration).span, "");
        true
    }

    fn mention_unread(&mut self) {
        for k in 0..self.declared.len() {
            let (at, variable) = self.declared[k];
            if let Some((declaration, Mentioned::Nowhere | Mentioned::OnlyWritten)) = variable.use_in(&self.text, at) {
                self.replace(&(declaration.end..declaration.end), &variable.mention());
            }
        }
    }

    /// Replaces a part of the text, in which no other variable is declared.
    fn replace(&mut self, part: &Span, other: &str) {
        self.text.replace_range(part.clone(), other);
        for (at, _) in self.declared.iter_mut().filter(|(at, _)| *at >= part.end) {
            *at = *at + other.len() - part.len();
        }
    }
}

/// The brace that closes the block that tokens are in.
fn end_of_block(all: &[Token]) -> Option<usize> {
    let mut depth = 0;
    all.iter().position(|t| {
        depth += i32::from(t.is('{')) - i32::from(t.is('}'));
        depth < 0
    })
}

/// Whether a name among the tokens behind a statement is a statement's that does nothing but assign to it.
fn is_assigned(behind: &[Token], name: usize) -> bool {
    let all: Vec<&Token> = behind.iter().collect();
    let signs: Vec<&str> = behind[name + 1..].iter().take(4).map(|t| t.text).collect();
    let assigns = match signs[..] {
        ["=", "=", ..] => false,
        ["=", ..] | ["+" | "-" | "*" | "/" | "%" | "&" | "|" | "^", "=", ..] => true,
        ["<", "<", "=", ..] | [">", ">", "=", ..] => true,
        _ => false,
    };
    assigns && begins_statement(&all, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, is_all_they_do: bool) -> Declared {
        Declared {
            at: 0,
            declaration: format!("int {name}"),
            name: name.to_string(),
            separator: "\n".to_string(),
            is_all_they_do,
        }
    }

    /// The text with variables of these names declared where it has their lines.
    fn of(text: &str, is_all_they_do: bool) -> String {
        let variables = ["t", "u"].map(|name| variable(name, is_all_they_do));
        let places = variables.iter().filter_map(|own| Some((text.find(&own.line())?, own)));
        settled(text.to_string(), places.collect())
    }

    #[test]
    fn statements_that_assign_declare() {
        assert_eq!(of("{int t;\nt = a;\nb = t;}", true), "{int t = a;\nb = t;}");
        assert_eq!(of("{int t;\nif (a)\nt = a;\nb = t;}", true), "{int t;\nif (a)\nt = a;\nb = t;}");
        assert_eq!(of("{int t;\nint u;\nu = t = a;\nb = t + u;}", true), "{int t;\nint u = t = a;\nb = t + u;}");
    }

    /// With one, what it alone reads.
    #[test]
    fn what_nobody_reads_goes() {
        assert_eq!(of("{\nint t;\nt = a;\nint u;\nu = t;\nb = 1;}", true), "{\nb = 1;}");
    }

    #[test]
    fn what_has_to_stay_is_mentioned() {
        assert_eq!(of("{int t;\nt = f(a);\nb = 1;}", false), "{int t = f(a);\n(void)t;\nb = 1;}");
        assert_eq!(of("{int t;\nif (a)\nt += a;}", true), "{int t;\n(void)t;\nif (a)\nt += a;}");
        assert_eq!(of("{int t;\nt = a;\nt = t + 1;}", true), "{int t = a;\nt = t + 1;}");
    }

    #[test]
    fn comparisons_read() {
        for text in ["{int t;\nt = a;\nb = (int)t <= 3;}", "{int t;\nt = a;\nif (b)\nt == a ? f() : g();}"] {
            assert!(!of(text, true).contains("(void)"), "{text}");
        }
        assert_eq!(of("{int t;\nfor (;;)\nt <<= a;}", true), "{int t;\n(void)t;\nfor (;;)\nt <<= a;}");
    }

    /// What is behind a part of a text may read it.
    #[test]
    fn parts_of_blocks_stay() {
        assert_eq!(of("int t;\nt = a;\nb = 1;", true), "int t = a;\nb = 1;");
    }
}
