//! Statements that are to run in local memory: where they are, and what the user says of them.
//!
//! The idea: `#pragma polyfold local` stands in front of one statement between `#pragma scop` and `#pragma endscop`. That statement is
//! read as a scop of its own, so that the counters of loops around it are sizes.
//!
//! Example:
//!
//! ```
//! let source = "void f(int n, int x[n]) {\n#pragma scop\n#pragma polyfold local\n  for (int i = 0; i < n; i++) x[i] = 0;\n#pragma endscop\n}\n";
//! let (regions, diagnostics) = polyfold_frontend::local_regions(source);
//! assert!(diagnostics.is_empty());
//! assert_eq!(&source[regions[0].statement.clone()], "for (int i = 0; i < n; i++) x[i] = 0;");
//! ```
//!
//! `#pragma compact region` is read like `#pragma polyfold local`. Clauses behind either: `arrays(A, B)`, `capacity(64 KiB)`,
//! `buffers(2)`, `async`, `hoist(C, k)`, `live_out(A)`.
//!
//! Limits: no region inside another; the statement's end is found among tokens, so that a macro must not make a part of its braces.

use crate::diagnostic::Diagnostic;
use polyfold_c::lex::{Token, TokenKind, tokens};
use polyfold_c::source::{Directive, directives, line_of, masked};
use polyfold_scop::{Code, Span};

/// A statement that is to run in local memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRegion {
    /// Bytes of the pragma.
    pub pragma: Span,
    /// Bytes of the statement.
    pub statement: Span,
    /// What the user says besides.
    pub clauses: Clauses,
    /// Pragmas of scops, anywhere in the file.
    scops: Vec<Span>,
}

/// What the user says in a region's pragma.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses {
    /// The arrays that may be copied; `None`: all.
    pub arrays: Option<Vec<String>>,
    /// The arrays whose values are needed behind the region; `None`: all but those declared in it.
    pub live_out: Option<Vec<String>>,
    /// Bytes of local memory.
    pub capacity: Option<u64>,
    /// How many buffers rotate.
    pub buffers: Option<u64>,
    /// Whether transfers go on while the region runs.
    pub is_async: bool,
    /// Arrays that are to be copied outside a loop.
    pub hoists: Vec<Hoist>,
}

/// An array that is to be copied outside a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hoist {
    /// Its name.
    pub array: String,
    /// The loop's counter.
    pub counter: String,
}

impl LocalRegion {
    /// A statement that no pragma stands in front of.
    pub fn unmarked(statement: Span) -> LocalRegion {
        let pragma = statement.start..statement.start + 3;
        LocalRegion { pragma, statement, clauses: Clauses::default(), scops: Vec::new() }
    }

    /// The pragma that begins the scop around it.
    pub(crate) fn scop_pragma(&self) -> Option<Span> {
        self.scops.iter().rfind(|scop| scop.end <= self.pragma.start).cloned()
    }

    /// Bytes of the pragma and the statement.
    pub fn span(&self) -> Span {
        self.pragma.start..self.statement.end
    }
}

/// The regions of a file, in text order, and what is wrong with others.
pub fn local_regions(source: &str) -> (Vec<LocalRegion>, Vec<Diagnostic>) {
    let all = directives(source);
    let masked = masked(source, &all, &[]);
    let scops: Vec<&Directive> = all.iter().filter(|d| matches!(d.pragma(), Some("scop" | "endscop"))).collect();
    let (mut regions, mut diagnostics): (Vec<LocalRegion>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for directive in &all {
        let Some(words) = directive.region() else { continue };
        let inside =
            scops.iter().rfind(|d| d.span.end <= directive.span.start).is_some_and(|d| d.pragma() == Some("scop"));
        let statement = statement_behind(&masked, directive.span.end);
        let (Some(statement), true) = (statement, inside) else {
            let message = "this pragma stands in front of no statement between `#pragma scop` and `#pragma endscop`";
            let help = "put it in front of the loop that is to run in local memory, inside a scop";
            diagnostics
                .push(Diagnostic::error(Code::Region, message, directive.span.clone()).label("no region").help(help));
            continue;
        };
        let behind = scops.iter().find(|d| d.span.start >= statement.end);
        if behind.is_none_or(|d| d.pragma() == Some("scop")) {
            let message = "the scop of this region has no end";
            let help = "write `#pragma endscop` behind its last statement";
            diagnostics.push(
                Diagnostic::error(Code::Region, message, directive.span.clone()).label("in this region").help(help),
            );
            continue;
        }
        if let Some(outer) = regions.last().filter(|outer| directive.span.start < outer.statement.end) {
            let line = line_of(source, outer.pragma.start);
            let message = format!("this region lies inside the one of line {line}");
            let help = "leave one of the pragmas out";
            diagnostics.push(
                Diagnostic::error(Code::Region, message, directive.span.clone()).label("inside another").help(help),
            );
            continue;
        }
        match read_clauses(&words) {
            Ok(clauses) => regions.push(LocalRegion {
                pragma: directive.span.clone(),
                statement,
                clauses,
                scops: scops.iter().map(|d| d.span.clone()).collect(),
            }),
            Err((message, help)) => {
                diagnostics.push(
                    Diagnostic::error(Code::Region, message, directive.span.clone()).label("in this pragma").help(help),
                );
            }
        }
    }
    (regions, diagnostics)
}

/// How clauses with arguments are written.
const HOW: [(&str, &str); 5] = [
    ("arrays", "write names in parentheses, as in arrays(A, B)"),
    ("live_out", "write names in parentheses, as in live_out(A, B)"),
    ("capacity", "write a whole number of bytes in parentheses, as in capacity(1536) or capacity(64 KiB)"),
    ("buffers", "write how many in parentheses, as in buffers(2)"),
    ("hoist", "write an array and the counter of a loop around the region in parentheses, as in hoist(A, k)"),
];

/// The clauses, or what is wrong with the first that is none, and what to write.
fn read_clauses(words: &[String]) -> Result<Clauses, (String, &'static str)> {
    let mut clauses = Clauses::default();
    let mut seen: Vec<&String> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let arguments = arguments(&words[at + 1..]);
        let refused = || match HOW.iter().find(|(name, _)| name == word) {
            Some((_, how)) => (format!("what stands behind `{word}` is not understood"), *how),
            None => {
                let help = "arrays(A, …), capacity(BYTES), buffers(2), async, hoist(A, COUNTER) and live_out(A, …) are";
                (format!("`{word}` is not read here"), help)
            }
        };
        if seen.contains(&word) && word != "hoist" {
            let help = match word.as_str() {
                "arrays" | "live_out" => "name all arrays in one pair of parentheses",
                _ => "leave one of them out",
            };
            return Err((format!("`{word}` stands here twice"), help));
        }
        seen.push(word);
        let number = || arguments.as_ref().and_then(|list| bytes(&list.concat())).ok_or_else(refused);
        let names = || arguments.as_ref().map(|list| names(list)).ok_or_else(refused);
        match word.as_str() {
            "arrays" => clauses.arrays = Some(names()?),
            "live_out" => clauses.live_out = Some(names()?),
            "capacity" => clauses.capacity = Some(number()?),
            "buffers" => clauses.buffers = Some(number()?),
            "async" => clauses.is_async = true,
            "hoist" => match &names()?[..] {
                [array, counter] => clauses.hoists.push(Hoist { array: array.clone(), counter: counter.clone() }),
                _ => return Err(refused()),
            },
            _ => return Err(refused()),
        }
        let has_arguments = word != "async";
        at += 1 + if has_arguments { arguments.map_or(0, |list| list.len() + 2) } else { 0 };
    }
    Ok(clauses)
}

/// What stands between the parentheses that follow.
fn arguments(words: &[String]) -> Option<Vec<String>> {
    let inner = words.strip_prefix(&["(".to_string()])?;
    let end = inner.iter().position(|w| w == ")")?;
    Some(inner[..end].to_vec())
}

fn names(words: &[String]) -> Vec<String> {
    words.iter().filter(|w| *w != ",").cloned().collect()
}

/// A number of bytes: `65536`, `64KiB` or `64 K` are the same, `64KB` is 64,000.
pub fn bytes(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let factor = match text[digits..].trim() {
        "" | "B" => 1,
        "KiB" | "K" | "k" => 1 << 10,
        "MiB" | "M" => 1 << 20,
        "KB" | "kB" => 1_000,
        "MB" => 1_000_000,
        _ => return None,
    };
    text[..digits].parse::<u64>().ok()?.checked_mul(factor)
}

/// Bytes of the statement that begins behind a place.
fn statement_behind(masked: &str, at: usize) -> Option<Span> {
    let behind = &masked[at..];
    let words: Vec<Token> =
        tokens(behind).into_iter().filter(|t| !matches!(t.kind, TokenKind::Space | TokenKind::Newline)).collect();
    let end = Reader { text: behind, words: &words }.statement(0)?;
    Some(at + words.first()?.span.start..at + words[end - 1].span.end)
}

struct Reader<'a> {
    text: &'a str,
    words: &'a [Token],
}

impl Reader<'_> {
    fn word(&self, at: usize) -> Option<&str> {
        self.words.get(at).map(|t| &self.text[t.span.clone()])
    }

    /// How many tokens end the statement that begins at one.
    fn statement(&self, at: usize) -> Option<usize> {
        match self.word(at)? {
            "{" => self.closed(at),
            "}" => None,
            "for" | "while" | "switch" => self.statement(self.closed(at + 1)?),
            "if" => {
                let then = self.statement(self.closed(at + 1)?)?;
                if self.word(then) == Some("else") { self.statement(then + 1) } else { Some(then) }
            }
            "do" => self.simple(self.statement(at + 1)?),
            _ if self.word(at + 1) == Some(":") => self.statement(at + 2),
            _ => self.simple(at),
        }
    }

    /// Behind the bracket that closes the one at a place.
    fn closed(&self, at: usize) -> Option<usize> {
        let mut depth = 0usize;
        for k in at..self.words.len() {
            match self.word(k)? {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return (k > at).then_some(k + 1);
            }
        }
        None
    }

    /// Behind the next semicolon outside brackets.
    fn simple(&self, at: usize) -> Option<usize> {
        let mut k = at;
        loop {
            match self.word(k)? {
                ";" => return Some(k + 1),
                "(" | "{" | "[" => k = self.closed(k)?,
                ")" | "}" | "]" => return None,
                _ => k += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        let all = ["65536", "64KiB", "64 K", "64k", "64KB", "1MiB", "2MB", "0x10", "64XB", "-1"].map(bytes);
        let (k, m) = (1 << 10, 1 << 20);
        let some = [64 * k, 64 * k, 64 * k, 64 * k, 64_000, m, 2_000_000].map(Some);
        assert_eq!(all[..7], some);
        assert_eq!(all[7..], [None; 3]);
        assert_eq!(bytes("99999999999999999999"), None);
    }

    fn texts(body: &str) -> Vec<String> {
        let source = format!("void f(void) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n");
        let (regions, diagnostics) = local_regions(&source);
        let found = regions.iter().map(|r| source[r.statement.clone()].to_string());
        found.chain(diagnostics.into_iter().map(|d| d.message)).collect()
    }

    #[test]
    fn a_region_is_one_statement() {
        assert_eq!(
            texts("#pragma polyfold local\n if (a) { b; } else for (;;) c[1] = 2; d;"),
            ["if (a) { b; } else for (;;) c[1] = 2;"]
        );
        assert_eq!(texts("#pragma compact region\n S1: x = f(a; b); y;"), ["S1: x = f(a; b);"]);
        assert_eq!(
            texts("{\n#pragma polyfold local\n}"),
            ["this pragma stands in front of no statement between `#pragma scop` and `#pragma endscop`"]
        );
        assert_eq!(
            texts("{\n#pragma polyfold local\n{\n#pragma polyfold local\n a; } }")[1],
            "this region lies inside the one of line 4"
        );
    }

    #[test]
    fn clauses_are_read() {
        let words = |text: &str| directives(&format!("#pragma {text}\n"))[0].region().expect("it is one");
        let clauses = read_clauses(&words("polyfold local arrays(A, B) capacity(64 KiB) async buffers(2) hoist(C, k)"));
        let clauses = clauses.expect("they are clauses");
        assert_eq!(clauses.arrays, Some(vec!["A".to_string(), "B".to_string()]));
        assert_eq!((clauses.capacity, clauses.buffers, clauses.is_async), (Some(65536), Some(2), true));
        assert_eq!(clauses.hoists, [Hoist { array: "C".into(), counter: "k".into() }]);
        let said = |text: &str| read_clauses(&words(text)).expect_err("it is no clause").0;
        assert_eq!(said("compact region fast"), "`fast` is not read here");
        assert_eq!(said("compact region arrays(A) arrays(B)"), "`arrays` stands here twice");
        for wrong in
            ["capacity(1.5 MiB)", "capacity(-1)", "capacity(99999999999 GiB)", "capacity", "arrays(A", "hoist(A)"]
        {
            let name = wrong.split('(').next().unwrap_or_default();
            let wanted = format!("what stands behind `{name}` is not understood");
            assert_eq!(said(&format!("polyfold local {wrong}")), wanted);
        }
    }
}
