//! Loops of which a pass makes several.
//!
//! The idea: a loop that is cut becomes a block with its counter, and the parts that go on with it. A loop that is split becomes
//! a loop again. Its head is the source's without the step. In it stand variables, and loops that go on with its counter. Their
//! bodies are the source's, with other cells. Comments and macros of the body stay in each.
//!
//! ```text
//! for (int i = 0; i < n; i++)  // rows        for (int i = 0; i < n; ) {
//!   W[(t + i) % m] = A[i];                =>    const long W_at = (t + i) % m - i;
//!                                               const int end = m - W_at < n ? m - W_at : n;
//!                                               for (; i < end; i++)  // rows
//!                                                 W[W_at + i] = A[i];
//!                                             }
//! ```
//!
//! Limit: between head and body no directive but `#if 1`, which goes in front of the loop.

use crate::Unprintable;
use crate::source::Printer;
use polyfold_c::written::{ends_in_comment, without_labels};
use polyfold_program::{Int, Level, LocalValue, Loop, Piece, Stmt, Written};

/// The blanks in front of the lines of a node's parts; the node's own line has `around`.
pub(crate) fn indents<'a>(written: &'a Written, around: &'a str) -> Vec<&'a str> {
    let (mut found, mut here) = (Vec::new(), around);
    for piece in &written.pieces {
        match piece {
            Piece::Text(text) => here = indent(text).unwrap_or(here),
            Piece::Part(_) => found.push(here),
        }
    }
    found
}

/// The blanks behind the last line's end.
fn indent(text: &str) -> Option<&str> {
    let line = &text[text.rfind('\n')? + 1..];
    Some(&line[..line.len() - line.trim_start().len()])
}

impl Printer<'_> {
    /// What stands in the place of a loop that has another head.
    pub(crate) fn reshaped(&self, own: Reshaped, after: &Loop) -> Result<String, Unprintable> {
        let Reshaped { before, written, around } = own;
        let is_headed =
            (before.counter, before.declares, before.parallel) == (after.counter, after.declares, after.parallel);
        let [head, _] = &written.parts[..] else { return Err(Unprintable::Order) };
        if !is_headed || after.step.is_some() || !head.mentions(1) {
            return Err(Unprintable::Order);
        }
        let (directives, between) = own.between().ok_or(Unprintable::Order)?;
        let lead = if directives.is_empty() { String::new() } else { format!("\n{directives}{around}") };
        let head = match (&before.first, &before.test) == (&after.first, &after.test) {
            true => head.filled(&[None, Some(String::new())]),
            false => format!("for ({} )", self.bounds(own, after)?),
        };
        Ok(format!("{lead}{head} {}", self.rounds(own, &after.body, (&mut Some(&between), around))?))
    }

    /// Where a loop begins, and its test, each with its `;`.
    pub(crate) fn bounds(&self, own: Reshaped, now: &Loop) -> Result<String, Unprintable> {
        let head = own.written.parts.first().ok_or(Unprintable::Order)?;
        let (name, first) = (self.expressions.local(now.counter), now.first.as_ref().ok_or(Unprintable::Order)?);
        let first = self.expressions.value_of(first);
        let begun = if now.declares { own.with_first(name, &first) } else { Some(format!("{name} = {first};")) };
        let test = self.expressions.cond(&now.test, Some((&own.before.test, &head.parts[0]))).within(Level::Whole);
        Ok(format!("{} {test};", begun.ok_or(Unprintable::Local)?))
    }

    /// The block of a loop around others that go on with its counter. The first of them takes the source's text `between` head and
    /// body.
    fn rounds(
        &self,
        own: Reshaped,
        body: &[Stmt],
        (between, around): (&mut Option<&str>, &str),
    ) -> Result<String, Unprintable> {
        let inner = format!("{around}{}", own.unit());
        let mut text = "{\n".to_string();
        for stmt in body {
            let line = match stmt {
                Stmt::For(inside) => self.inside(own, (";", inside), (between, &inner))?,
                other => self.expressions.new_statements(std::slice::from_ref(other), (&inner, &own.unit()))?,
            };
            text.push_str(&format!("{inner}{line}\n"));
        }
        Ok(format!("{text}{around}}}"))
    }

    /// A loop in parts, which go on with its counter; the first of the statements begins with it.
    pub(crate) fn in_parts(&self, own: Reshaped, parts: &[Stmt]) -> Result<String, Unprintable> {
        let Some((begun, parts)) = parts.split_first() else { return Err(Unprintable::Order) };
        let (directives, between) = own.between().ok_or(Unprintable::Order)?;
        if !directives.is_empty() {
            return Err(Unprintable::Order);
        }
        let inner = format!("{}{}", own.around, own.unit());
        let declared = match begun {
            Stmt::Let { value: LocalValue::Integer(first), local } => match own.declaration(first) {
                None => Some(self.expressions.variable(*local, first)?),
                kept => kept,
            },
            _ => None,
        };
        let begun = declared.map_or_else(|| self.expressions.added(begun, &inner), Ok)?;
        if let [Stmt::For(part @ Loop { step: Some(_), .. })] = parts
            && own.before.declares
        {
            return self.inside(own, (&begun, part), (&mut Some(&between), own.around));
        }
        let rounds = self.rounds(own, parts, (&mut Some(&between), own.around))?;
        let parts = rounds.strip_prefix('{').unwrap_or(&rounds);
        Ok(format!("{{\n{inner}{begun}{parts}"))
    }

    /// A loop whose body has no braces, and gets some, with statements around the one that it has.
    pub(crate) fn in_block(&self, own: Reshaped, after: &Loop) -> Result<String, Unprintable> {
        let Reshaped { before, written, around } = own;
        let [head, body] = &written.parts[..] else { return Err(Unprintable::Order) };
        // What else stands there would be lost.
        if !own.gap().trim().is_empty() {
            return Err(Unprintable::Order);
        }
        let block = self.in_braces((&before.body, body), &after.body, (around, &own.unit()))?;
        Ok(format!("{} {block}", head.whole))
    }

    /// A statement alone that gets braces, with statements around it.
    pub(crate) fn in_braces(
        &self,
        (before, written): (&[Stmt], &Written),
        after: &[Stmt],
        (around, unit): (&str, &str),
    ) -> Result<String, Unprintable> {
        if before.len() != 1 || written.pieces != [Piece::Part(0)] {
            return Err(Unprintable::Order);
        }
        let inner = format!("{around}{unit}");
        let begin = Piece::Text(format!("{{\n{inner}"));
        let block =
            Written { pieces: vec![begin, Piece::Part(0), Piece::Text(format!("\n{around}}}"))], ..written.clone() };
        self.list((before, &block), after, &inner)?.ok_or(Unprintable::Order)
    }

    /// A loop that goes on with the counter, or begins with it; `between`: the source's text between head and body, for the first one.
    fn inside(
        &self,
        own: Reshaped,
        (begun, inside): (&str, &Loop),
        (between, indent): (&mut Option<&str>, &str),
    ) -> Result<String, Unprintable> {
        let Reshaped { before, written, .. } = own;
        let goes_on = inside.counter == before.counter && !inside.declares && inside.first.is_none();
        if !goes_on || inside.parallel {
            return Err(Unprintable::Order);
        }
        let test = self.expressions.cond(&inside.test, None).within(Level::Whole);
        if inside.step.is_none() {
            return Ok(format!("for ({begun} {test}; ) {}", self.rounds(own, &inside.body, (between, indent))?));
        }
        if inside.step != before.step {
            return Err(Unprintable::Order);
        }
        let [head, body] = &written.parts[..] else { return Err(Unprintable::Order) };
        let is_block = matches!(body.pieces.first(), Some(Piece::Text(text)) if text.starts_with('{'));
        let (unit, deeper) = (own.unit(), indent.strip_prefix(own.around).unwrap_or_default());
        let (between, body) = match between.take() {
            Some(text) => (shifted(text, deeper), body.clone()),
            None if is_block => (" ".to_string(), without_labels_in(&before.body, body)),
            None => (format!("\n{indent}{unit}"), without_labels_in(&before.body, body)),
        };
        // As deep as the source has it.
        let (text, is_braced) = match self.list((&before.body, &body), &inside.body, indent) {
            Err(Unprintable::Block) => {
                (self.in_braces((&before.body, &body), &inside.body, (own.around, &unit))?, true)
            }
            changed => (changed?.unwrap_or_else(|| body.whole.clone()), false),
        };
        // A branch that becomes the body brings its braces, which stand deeper.
        let begins = !is_block && text.starts_with('{') && between.trim().is_empty();
        let deeper = if begins && !is_braced { deeper.strip_suffix(&unit).unwrap_or(deeper) } else { deeper };
        let between = if begins { " ".to_string() } else { between };
        let text = format!("for ({begun} {test}; {}){between}{}", head.parts[1].whole, shifted(&text, deeper));
        Ok(if inside.vector { self.promised(&text, indent) } else { text })
    }
}

/// A loop, and how the source writes it.
#[derive(Clone, Copy)]
pub(crate) struct Reshaped<'a> {
    pub(crate) before: &'a Loop,
    pub(crate) written: &'a Written,
    /// The blanks in front of its line.
    pub(crate) around: &'a str,
}

impl<'a> Reshaped<'a> {
    /// The text between head and body: directives in it, and the rest. `None`: which lines there are depends on a condition.
    fn between(self) -> Option<(String, String)> {
        let text = self.gap();
        let (directives, rest): (Vec<&str>, Vec<&str>) =
            text.split('\n').partition(|line| line.trim().starts_with('#'));
        let is_active = |line: &&str| line.split_whitespace().collect::<String>() == "#if1";
        let all = || directives.iter().map(|line| format!("{line}\n")).collect();
        directives.iter().all(is_active).then(|| (all(), rest.join("\n")))
    }

    /// How the source declares the counter in the loop's head, with its first value. `None`: it doesn't.
    fn declaration(self, first: &Int) -> Option<String> {
        let is_same = self.before.declares && self.before.first.as_ref() == Some(first);
        self.begun().filter(|_| is_same).map(str::to_string)
    }

    /// The same with another first value.
    pub(crate) fn with_first(self, name: &str, first: &str) -> Option<String> {
        let (declared, _) = self.begun().filter(|_| self.before.declares)?.split_once('=')?;
        declared.trim_end().ends_with(name).then(|| format!("{declared}= {first};"))
    }

    fn begun(self) -> Option<&'a str> {
        let Some(Piece::Text(text)) = self.written.parts.first()?.pieces.first() else { return None };
        let begun = text.trim_end().strip_prefix("for")?.trim_start().strip_prefix('(')?;
        begun.ends_with(';').then(|| begun.trim_start())
    }

    /// The text between head and body.
    pub(crate) fn gap(self) -> &'a str {
        let mut pieces = self.written.pieces.iter().skip_while(|piece| **piece != Piece::Part(0)).skip(1);
        match pieces.next() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }

    /// How much deeper the body stands.
    pub(crate) fn unit(self) -> String {
        let body = self.written.parts.get(1).and_then(|body| body.pieces.first());
        let texts = [
            Some(self.gap()),
            body.and_then(|piece| match piece {
                Piece::Text(text) => Some(text.as_str()),
                Piece::Part(_) => None,
            }),
        ];
        let mut deeper = texts.into_iter().flatten().filter_map(indent).filter_map(|own| own.strip_prefix(self.around));
        deeper.find(|more| !more.is_empty()).unwrap_or("  ").to_string()
    }
}

/// A list without the labels of its statements: a function has each of them once.
fn without_labels_in(list: &[Stmt], written: &Written) -> Written {
    let in_stmt = |(stmt, own): (&Stmt, &Written)| {
        let mut own = own.clone();
        let lists = stmt.lists();
        for (list, part) in lists.iter().zip(own.parts.iter_mut().skip(1)) {
            *part = without_labels_in(list, part);
        }
        if lists.is_empty() { own } else { again(own) }
    };
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => Piece::Text(without_labels(text)),
        part => part.clone(),
    };
    let (pieces, parts) =
        (written.pieces.iter().map(text).collect(), list.iter().zip(&written.parts).map(in_stmt).collect());
    again(Written { pieces, parts, ..written.clone() })
}

/// A node whose text is that of its pieces.
fn again(written: Written) -> Written {
    let is_cut = written.pieces.is_empty() || !written.pieces.iter().any(|piece| matches!(piece, Piece::Part(_)));
    if is_cut { written } else { Written { whole: written.pieced(), ..written } }
}

/// What stands between braces with nothing but statements in them, as deep as the braces. `None`: the braces have to stay.
pub(crate) fn without_braces(text: &str, around: &str) -> Option<String> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    // What comes behind would be in the comment.
    if ends_in_comment(inside) {
        return None;
    }
    let begins = inside.len() - inside.trim_start().len();
    let unit = indent(&inside[..begins]).and_then(|own| own.strip_prefix(around)).unwrap_or_default();
    Some(unshifted(inside.trim(), unit))
}

/// A text whose lines stand less deep.
pub(crate) fn unshifted(text: &str, unit: &str) -> String {
    text.split('\n').map(|line| line.strip_prefix(unit).unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// A text whose lines stand deeper, but for the first one, directives and blank lines.
fn shifted(text: &str, unit: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let deeper = |(k, line): (usize, &&str)| {
        let is_blank = line.trim().is_empty() && k + 1 < lines.len();
        let stays = k == 0 || is_blank || line.starts_with('#');
        format!("{}{line}", if stays { "" } else { unit })
    };
    lines.iter().enumerate().map(deeper).collect::<Vec<String>>().join("\n")
}
