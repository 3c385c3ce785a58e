//! What the compiler reads, token by token.
//!
//! The idea: the parser reads the file with the macros in force at the scop, and in a grammar that knows few
//! extensions. The compiler's own text is the measure of both: between a scop's pragmas the two have to be the same,
//! and around them a name that the compiler sees more often than the parser is used in a way that nobody understood.
//!
//! Example: with `#define LAST t[n - 1]` *behind* the scop, `return LAST;` mentions `t` only in the compiler's text.

use crate::lex::{TokenKind, tokens};
use crate::macros::Piece;
use std::collections::HashMap;
use std::ops::Range;

/// A token of the compiler's text.
#[derive(Clone, Debug)]
pub struct Word<'a> {
    /// Its bytes.
    pub text: &'a str,
    pub(crate) kind: TokenKind,
    /// The line of the file that it comes from; of included text, that of the `#include`.
    pub line: usize,
    /// Whether it names a member: it stands behind `.` or `->`.
    is_member: bool,
}

/// All tokens of the compiler's text, markers left out.
#[derive(Clone, Debug, Default)]
pub struct Compiled<'a> {
    words: Vec<Word<'a>>,
    /// How many tokens come before the marker of a line.
    markers: HashMap<usize, usize>,
}

/// The tokens around a scop.
#[derive(Clone, Debug)]
pub struct Surroundings<'c> {
    /// Everything in front of the scop, in any function.
    pub earlier: &'c [Word<'c>],
    /// From the opening brace of the scop's function to the scop.
    pub before: &'c [Word<'c>],
    /// Between the scop's pragmas.
    pub inside: &'c [Word<'c>],
    /// From the scop to the closing brace of its function.
    pub after: &'c [Word<'c>],
}

impl<'a> Compiled<'a> {
    /// Reads the compiler's text; `prefix` begins the markers, `instrumented` is the text that the compiler was given.
    pub(crate) fn read(output: &'a str, instrumented: &str, prefix: &str) -> Compiled<'a> {
        let mut compiled = Compiled::default();
        let mut position = Position::new(instrumented, prefix);
        for line in output.lines() {
            if let Some(directive) = line.trim_start().strip_prefix('#') {
                position.jump(directive);
                // The parser never sees these pragmas: what they name counts as mentioned.
                if !position.in_main && directive.trim_start().starts_with("pragma") {
                    compiled.read_line(directive, position.line, prefix);
                }
                continue;
            }
            let number = position.advance();
            compiled.read_line(line, number, prefix);
        }
        compiled
    }

    fn read_line(&mut self, line: &'a str, number: usize, prefix: &str) {
        for token in tokens(line) {
            if matches!(token.kind, TokenKind::Space | TokenKind::Newline) {
                continue;
            }
            let text = &line[token.span];
            if let Some(marked) = text.strip_prefix(prefix).and_then(|digits| digits.parse().ok()) {
                self.markers.entry(marked).or_insert(self.words.len());
                continue;
            }
            let is_member = self.words.last().is_some_and(|last| matches!(last.text, "." | "->"));
            self.words.push(Word { text, kind: token.kind, line: number, is_member });
        }
    }

    /// The tokens around a scop, by the lines of its pragmas. `None`: the compiler's text doesn't
    /// show both pragmas, in this order, in one function.
    pub fn around(&self, scop: usize, endscop: usize) -> Option<Surroundings<'_>> {
        self.between(*self.markers.get(&scop)?, *self.markers.get(&endscop)?)
    }

    /// The tokens around some that stand behind a pragma, by its line and their numbers from there on.
    pub fn behind(&self, pragma: usize, tokens: Range<usize>) -> Option<Surroundings<'_>> {
        let start = *self.markers.get(&pragma)?;
        self.between(start + tokens.start, start + tokens.end)
    }

    fn between(&self, start: usize, end: usize) -> Option<Surroundings<'_>> {
        let body = self.body(start)?;
        (start <= end && end <= body.end).then(|| Surroundings {
            earlier: &self.words[..start],
            before: &self.words[body.start..start],
            inside: &self.words[start..end],
            after: &self.words[end..body.end],
        })
    }

    /// The outermost braces around a token; those of `extern "C" { }` do not count.
    fn body(&self, at: usize) -> Option<Range<usize>> {
        let mut open = Vec::new();
        for (index, word) in self.words[..at].iter().enumerate() {
            match word.text {
                "{" => open.push(index),
                "}" => drop(open.pop()),
                _ => {}
            }
        }
        let is_linkage = |index: usize| index > 0 && self.words[index - 1].kind == TokenKind::Quoted;
        let outermost = open.iter().position(|&index| !is_linkage(index))?;
        let mut depth = open.len() - outermost;
        for (index, word) in self.words.iter().enumerate().skip(at) {
            match word.text {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(open[outermost]..index);
            }
        }
        None
    }
}

/// The text with universal character names such as `\u00e9` as characters: compilers print identifiers with them.
pub fn without_escapes(text: &str) -> String {
    unescape(&unescape(text, "\\u", 4), "\\U", 8)
}

fn unescape(text: &str, mark: &str, digits: usize) -> String {
    let mut parts = text.split(mark);
    let mut plain = parts.next().unwrap_or("").to_string();
    for part in parts {
        let code = part.get(..digits).and_then(|code| u32::from_str_radix(code, 16).ok());
        match code.and_then(char::from_u32).filter(|c| c.is_alphanumeric() && !c.is_ascii()) {
            Some(c) => {
                plain.push(c);
                plain.push_str(&part[digits..]);
            }
            None => {
                plain.push_str(mark);
                plain.push_str(part);
            }
        }
    }
    plain
}

/// The lines where a name stands that may be a variable's.
pub fn lines_of(words: &[Word], name: &str) -> Vec<usize> {
    words.iter().filter(|w| w.text == name && !w.is_member).map(|w| w.line).collect()
}

/// The first word at which two readings of a stretch differ, or where one ends.
pub fn difference(ours: &[Piece], theirs: &[Word]) -> Option<usize> {
    let common = ours.iter().zip(theirs).position(|(piece, word)| !is_same(piece, word));
    common.or_else(|| (ours.len() != theirs.len()).then(|| ours.len().min(theirs.len())))
}

/// Whether `ours` stands somewhere in `theirs`.
pub fn contains(theirs: &[Word], ours: &[Piece]) -> bool {
    let matches = |window: &[Word]| ours.iter().zip(window).all(|(piece, word)| is_same(piece, word));
    ours.is_empty() || theirs.windows(ours.len()).any(matches)
}

/// Macros whose value nobody but the compiler knows.
const CHANGING: [&str; 9] = [
    "__LINE__",
    "__FILE__",
    "__FILE_NAME__",
    "__BASE_FILE__",
    "__COUNTER__",
    "__INCLUDE_LEVEL__",
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
];

/// Strings may differ in their blanks.
fn is_same(piece: &Piece, word: &Word) -> bool {
    let are_strings = piece.text.starts_with('"') && word.text.starts_with('"');
    let is_changing =
        || matches!(word.kind, TokenKind::Number | TokenKind::Quoted) && CHANGING.contains(&piece.text.as_str());
    piece.text == word.text || are_strings || is_changing()
}

/// Where the compiler's text stands in the file.
struct Position {
    /// The file's line for each line that the compiler was given.
    lines: Vec<usize>,
    main: Option<String>,
    in_main: bool,
    /// The next line of what the compiler was given, from 1.
    next: usize,
    line: usize,
}

impl Position {
    fn new(instrumented: &str, prefix: &str) -> Position {
        let mut line = 0;
        let lines = instrumented.lines().map(|text| {
            line += usize::from(!text.contains(prefix));
            line
        });
        Position { lines: lines.collect(), main: None, in_main: true, next: 1, line: 1 }
    }

    /// The line of the file for one more line of text.
    fn advance(&mut self) -> usize {
        if self.in_main {
            self.line = self.line_ahead();
            self.next += 1;
        }
        self.line
    }

    fn line_ahead(&self) -> usize {
        self.next.checked_sub(1).and_then(|at| self.lines.get(at)).copied().unwrap_or(self.line)
    }

    /// Follows `# 12 "file" 1`; any other directive takes a line of its own.
    fn jump(&mut self, directive: &str) {
        let mut words = directive.splitn(2, '"');
        let number = words.next().and_then(|number| number.trim().parse().ok());
        let file = words.next().and_then(|rest| rest.split('"').next());
        let (Some(number), Some(file)) = (number, file) else {
            self.advance();
            return;
        };
        self.line = if self.in_main { self.line_ahead() } else { self.line };
        self.in_main = *self.main.get_or_insert_with(|| file.to_string()) == file;
        if self.in_main {
            self.next = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::macros::pieces;

    #[test]
    fn tokens_know_their_lines() {
        let given = "int a;\n#include \"x.h\"\n#pragma endscop\nmark_3\nint d = s.d;\n";
        let output = "# 1 \"<stdin>\"\nint a;\n# 1 \"x.h\" 1\nint b;\nint c;\n\
            # 3 \"<stdin>\" 2\n#pragma endscop\nmark_3\nint d = s.d;\n";
        let compiled = Compiled::read(output, given, "mark_");
        let line = |name| lines_of(&compiled.words, name);
        assert_eq!((line("a"), line("b"), line("c"), line("d")), (vec![1], vec![2], vec![2], vec![4]));
        assert_eq!(compiled.markers[&3], 9);
    }

    #[test]
    fn the_function_is_the_outermost_pair_of_braces() {
        let text = "extern \"C\" { int a; void f() { int b; { m_1 c; m_2 d; } e; } int g; }";
        let compiled = Compiled::read(text, text, "m_");
        let around = compiled.around(1, 2).unwrap();
        let join = |words: &[Word]| words.iter().map(|w| w.text).collect::<Vec<_>>().join(" ");
        assert_eq!([join(around.before), join(around.inside), join(around.after)], ["{ int b ; {", "c ;", "d ; } e ;"]);
        assert!(compiled.around(1, 3).is_none());
    }

    #[test]
    fn escapes_in_names_are_characters() {
        assert_eq!(without_escapes("caf\\U000000e9 + \\u00e9t\\u00E9 '\\u0041' \\u12"), "café + été '\\u0041' \\u12");
    }

    #[test]
    fn readings_are_compared_token_by_token() {
        let compiled = Compiled::read("x = \"a b\" + 7", "", "m_");
        assert_eq!(difference(&pieces("x=\"a  b\"+__LINE__"), &compiled.words), None);
        assert_eq!(difference(&pieces("x = \"a b\" + 8"), &compiled.words), Some(4));
        assert_eq!(difference(&pieces("x = "), &compiled.words), Some(2));
        assert!(contains(&compiled.words, &pieces("+ 7")) && !contains(&compiled.words, &pieces("7 +")));
    }
}
