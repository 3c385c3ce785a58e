//! Innermost loops in segments in which no subscript wraps around.
//!
//! A loop that goes through a ring of n + 1 cells divides in every step, and no compiler makes vectors of it. In a segment every
//! subscript is linear:
//!
//! ```c
//! for (int i = 1; i <= n; i++)                 for (int i = 1; i <= n; ) {
//!   a[(t + i) % m] = b[i];                       const long a_at = (t + i) % m - i;
//!                                                int last = n;
//!                                                if (m - 1 - a_at < last)
//!                                                  last = m - 1 - a_at;
//!                                                for (; i <= last; i++)
//!                                                  a[a_at + i] = b[i];
//!                                              }
//! ```
//!
//! Nothing is proved here, and nothing has to be: that a remainder grows with its value until the next multiple of its modulus
//! holds for every value that is not negative, which is what lets a subscript be written as a remainder in the first place.
//!
//! Loops stay as they are whose counter is compared otherwise than with one sum of variables, those of several threads, and
//! those of moduli so small that segments would be shorter than they cost.

mod common;
mod frame;
mod head;
mod parts;
mod pointed;
mod window;

use crate::Decisions;
use crate::accesses::{Accesses, FoundRemainder, FoundRow, View};
use crate::edit::{Edit, Edits};
use crate::frame::Frame;
use crate::home::{free_name, words};
use crate::indent::{deeper, step};
use crate::linear::{Variables, hides_counters};
use crate::rows::Rows;
use crate::subscript::Positions;
use crate::tokens::{Kind, Token, tokens};
use common::Common;
use frame::LoopFrame;
use head::Head;
use parts::{Part, Whole, parts};
use pointed::{PointedRows, UsedRow};
use polyfold_isl::Result;
use polyfold_scop::{Certainty, Loop, Node, Span, StatementId};
use window::Window;

/// Smaller moduli stay.
const LEAST_MODULUS: i64 = 32;

/// Puts the loops in segments in place of the changes inside them; `gone`: statements that are taken away.
pub(crate) fn in_segments(accesses: &Accesses, gone: &[StatementId], edits: &mut Edits) -> Result<()> {
    let scop = accesses.decisions.scop;
    if hides_counters(&scop.body, &mut Vec::new()) {
        return Ok(());
    }
    for innermost in innermost_loops(&scop.body) {
        if innermost.statements.iter().any(|id| gone.contains(id)) {
            continue;
        }
        let Some(segments) = Segments::of(accesses, &innermost, edits) else { continue };
        if let Some(edit) = segments.edit()? {
            edits.drop_inside(std::slice::from_ref(&innermost.node.span));
            edits.push(edit);
        }
    }
    Ok(())
}

/// A loop without loops in it.
struct Innermost<'a> {
    node: &'a Loop,
    statements: Vec<StatementId>,
}

fn innermost_loops(nodes: &[Node]) -> Vec<Innermost<'_>> {
    nodes.iter().fold(Vec::new(), |mut found, node| {
        match node {
            Node::Loop(l) => match statements(&l.body) {
                Some(statements) => found.push(Innermost { node: l, statements }),
                None => found.extend(innermost_loops(&l.body)),
            },
            Node::Guard(g) => {
                found.extend([&g.then, &g.otherwise].into_iter().flat_map(|branch| innermost_loops(branch)))
            }
            Node::Statement(_) => {}
        }
        found
    })
}

/// The statements of a body; `None`: there is a loop in it.
fn statements(nodes: &[Node]) -> Option<Vec<StatementId>> {
    nodes.iter().try_fold(Vec::new(), |mut found, node| {
        match node {
            Node::Loop(_) => return None,
            Node::Statement(id) => found.push(*id),
            Node::Guard(g) => {
                found.extend(statements(&g.then)?);
                found.extend(statements(&g.otherwise)?);
            }
        }
        Some(found)
    })
}

/// Where a block stands.
struct Block {
    span: Span,
    opening: String,
    indent: String,
    closing: String,
}

/// One loop in parts and segments.
struct Segments<'a> {
    accesses: &'a Accesses<'a>,
    innermost: &'a Innermost<'a>,
    head: Head<'a>,
    variables: Variables<'a>,
    step: String,
}

impl<'a> Segments<'a> {
    /// `None`: the loop stays as it is.
    fn of(accesses: &'a Accesses<'a>, innermost: &'a Innermost<'a>, edits: &Edits) -> Option<Segments<'a>> {
        let (source, scop) = (accesses.source, accesses.decisions.scop);
        let variables = Variables { scop, signed: &accesses.signed, wide: false };
        let head = Head::of(source, innermost.node, &variables)?;
        let step = step(&source[scop.span.clone()], "");
        let segments = Segments { accesses, innermost, head, variables, step };
        segments.can_be_split(edits).then_some(segments)
    }

    /// Whether all that changes in the loop is in its body, and it may stand in another one: nothing about threads is said of it, and it
    /// has no label.
    fn can_be_split(&self, edits: &Edits) -> bool {
        let (source, scop) = (self.accesses.source, self.accesses.decisions.scop);
        let Span { start, end } = self.innermost.node.span;
        let touches = |span: &Span| span.start < end && start < span.end;
        let body = &self.head.body;
        let is_inside = |span: &Span| body.start <= span.start && span.end <= body.end;
        let before = tokens(source, &(scop.span.start..start));
        let has_pragma = before.last().map_or(scop.lead.is_some(), |t| t.kind == Kind::Directive);
        let is_labelled = Frame::of(source, scop).labels.iter().any(touches);
        !self.innermost.node.parallel
            && !declares_something(source, body)
            && !has_pragma
            && !is_labelled
            && edits.spans().filter(|span| touches(span)).all(is_inside)
    }

    /// The loop's new text; `None`: it stays as it is.
    fn edit(&self) -> Result<Option<Edit>> {
        let Some(statement) = self.innermost.statements.first() else { return Ok(None) };
        let frame = LoopFrame::of(self.accesses.decisions, *statement, self.innermost.node)?;
        let parts = frame.as_ref().map_or(Ok(None), |frame| self.parts(*statement, frame))?;
        let is_cut = parts.is_some();
        let parts = parts.unwrap_or_else(|| vec![Part::default()]);
        let rows = frame.as_ref().map_or(Ok(PointedRows::default()), |_| self.rows(&parts))?;
        let runs = frame.map_or(Ok(false), |frame| frame.always_runs())?;
        if is_cut || !rows.is_empty() {
            return self.in_block(&parts, &rows, runs).map(Some);
        }
        let windows = self.windows(&parts[0], 0)?;
        if windows.is_empty() {
            return Ok(None);
        }
        let body = self.body(&windows, &rows, &parts[0])?;
        let Head { first, condition, .. } = &self.head;
        let text = self.segments(&windows, &body, &parts[0], &self.indent());
        Ok(Some(Edit { span: self.innermost.node.span.clone(), text: format!("for ({first}; {condition}; ) {text}") }))
    }

    /// The parts in which accesses find their values in one place.
    fn parts(&self, statement: StatementId, frame: &LoopFrame) -> Result<Option<Vec<Part>>> {
        if self.innermost.node.step != 1 {
            return Ok(None);
        }
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let view = View { statements: Some(&self.innermost.statements), positions, rows, part: None };
        let values = self.accesses.values(&view);
        let names = &values.names(statement, &frame.context)?;
        let whole = Whole { outer: frame.outer, last: &frame.last, names, context: &frame.context };
        let Some(parts) = parts(&values.iterations()?, &whole)? else { return Ok(None) };
        for part in &parts {
            let view = View { part: part.operations.as_ref(), ..view };
            if !self.accesses.values(&view).can_be_written()? {
                return Ok(None);
            }
        }
        Ok(Some(parts))
    }

    /// Pointers to rows that all iterations use, and names for what does not change in their subscripts.
    fn rows(&self, parts: &[Part]) -> Result<PointedRows> {
        let Decisions { scop, .. } = self.accesses.decisions;
        let fixed = self.commons(parts)?.into_iter();
        let fixed = fixed.filter(|common| common.slope(self.head.counter) == Some(0) && common.text().contains('%'));
        let mut fixed: Vec<(String, Common)> =
            fixed.enumerate().map(|(k, common)| (self.position_name(&common, k), common)).collect();
        let positions = PointedRows { fixed: fixed.clone(), ..PointedRows::default() }.positions();
        let mut found: Vec<Vec<FoundRow>> = Vec::new();
        for part in parts {
            let (statements, rows) = (Some(&self.innermost.statements[..]), &Rows::default());
            let view = View { statements, positions: &positions, rows, part: part.operations.as_ref() };
            found.push(self.accesses.rows(&view)?);
        }
        let taken = fixed.len();
        let has = |row: &str, name: &str| words(row).any(|(_, word)| word == name);
        fixed.retain(|(name, _)| found.iter().flatten().any(|found| has(&found.row, name)));
        let is_sure = |row: &str| {
            let is_it = |found: &FoundRow| found.row == row && self.is_in_all_iterations(found);
            found.iter().all(|part| part.iter().any(is_it))
        };
        let names: Vec<String> = fixed.iter().map(|(name, _)| name.clone()).collect();
        let can_be_used = |found: &&FoundRow| is_sure(&found.row) && self.is_plain_row(&found.row, &names);
        let used = found.iter().flatten().filter(can_be_used).map(|found| UsedRow {
            row: found.row.clone(),
            array: scop.array(found.access.array),
            is_written: found.access.is_write(),
        });
        let free = |wanted: &str| free_name(wanted, scop, self.accesses.source);
        Ok(PointedRows { taken, ..PointedRows::of(fixed, used.collect(), free) })
    }

    /// Whether an access happens in each iteration, in a row that is the same for all of them.
    fn is_in_all_iterations(&self, found: &FoundRow) -> bool {
        let access = &found.access;
        access.condition.is_always()
            && access.certainty == Certainty::Must
            && self.runs_in_all_iterations(found.statement)
            && words(&found.row).all(|(_, word)| word != self.head.counter)
    }

    fn runs_in_all_iterations(&self, statement: StatementId) -> bool {
        self.innermost.node.body.iter().any(|node| matches!(node, Node::Statement(id) if *id == statement))
    }

    /// A name for the position of a subscript in a loop that has others.
    fn position_name(&self, common: &Common, others: usize) -> String {
        free_name(&format!("{}_at{others}", common.storage()), self.accesses.decisions.scop, self.accesses.source)
    }

    /// All parts, one after the other, in a block.
    fn in_block(&self, parts: &[Part], rows: &PointedRows, runs: bool) -> Result<Edit> {
        let Head { first, condition, counter, next, .. } = &self.head;
        let is_one = parts.len() == 1 && runs;
        let needs_test = !runs && !rows.is_empty();
        let Block { span, opening, mut indent, closing } = self.block();
        let mut text = opening;
        if !is_one {
            text += &format!("{indent}{first};\n");
        }
        if needs_test {
            text += &format!("{indent}if ({condition}) {{\n");
            indent += &self.step;
        }
        let steps = indent.len().saturating_sub(self.indent().len()) / self.step.len().max(1);
        rows.declarations().iter().for_each(|line| text += &format!("{indent}{line}\n"));
        for part in parts {
            let windows = if part.is_short { Vec::new() } else { self.windows(part, rows.taken)? };
            let body = self.deeper_behind(&self.body(&windows, rows, part)?, steps);
            let goes_on = match &part.last {
                None => condition.to_string(),
                Some(last) if part.may_end || part.is_short => format!("{condition} && {counter} <= {last}"),
                Some(last) => format!("{counter} <= {last}"),
            };
            let first = if is_one { first } else { "" };
            text += &indent;
            text += &match windows.is_empty() {
                true => format!("for ({first}; {goes_on}; {next}){body}"),
                false => format!("for ({first}; {goes_on}; ) {}", self.segments(&windows, &body, part, &indent)),
            };
            text += "\n";
        }
        if needs_test {
            let outer = indent.strip_suffix(self.step.as_str()).unwrap_or_default();
            text += &format!("{outer}}}\n");
        }
        Ok(Edit { span, text: text + &closing })
    }

    /// A block in the loop's place: that of the loop around, if nothing else is in it.
    fn block(&self) -> Block {
        let (source, Span { start, end }) = (self.accesses.source, self.innermost.node.span.clone());
        let own = self.indent();
        let before = source[..start].trim_end();
        let last = tokens(source, &(self.accesses.decisions.scop.span.start..start)).last().map(Token::span);
        let is_token = last.is_some_and(|last| last.end == before.len());
        let is_body = is_token && before.ends_with(')');
        let is_first = is_token && before.ends_with('{') && self.is_in_a_loop();
        if is_first && source[end..].trim_start().starts_with('}') {
            let line = source[..start].rfind('\n').map_or(start, |n| n + 1);
            return Block {
                span: line.max(before.len())..end,
                opening: String::new(),
                indent: own,
                closing: String::new(),
            };
        }
        if is_body && let Some(outer) = own.strip_suffix(self.step.as_str()) {
            let (opening, closing) = (" {\n".to_string(), format!("{outer}}}"));
            return Block { span: before.len()..end, opening, indent: own.clone(), closing };
        }
        let (indent, closing) = (format!("{own}{}", self.step), format!("{own}}}"));
        Block { span: start..end, opening: "{\n".to_string(), indent, closing }
    }

    /// Whether a loop is around: its block is no other one's.
    fn is_in_a_loop(&self) -> bool {
        let scop = self.accesses.decisions.scop;
        let statement = self.innermost.statements.first();
        statement.is_some_and(|id| scop.statement(*id).loops.len() > 1)
    }

    /// A text behind a head, so many steps deeper.
    fn deeper_behind(&self, text: &str, steps: usize) -> String {
        let more = self.step.repeat(steps);
        deeper(&format!(".{text}"), &more)[more.len() + 1..].to_string()
    }

    /// The text behind the head, with what stands for subscripts and rows.
    fn body(&self, windows: &[Window], rows: &PointedRows, part: &Part) -> Result<String> {
        let mut positions = rows.positions();
        positions.0.extend(windows.iter().flat_map(|w| w.positions(self.head.counter)));
        let (statements, positions) = (Some(&self.innermost.statements[..]), &positions);
        let view = View { statements, positions, rows: &rows.names(), part: part.operations.as_ref() };
        let (own, _) = self.accesses.rewritten(&view)?;
        Ok(own.apply_within(self.accesses.source, &self.head.body))
    }

    /// The remainders of parts, those of equal values together.
    fn commons(&self, parts: &[Part]) -> Result<Vec<Common>> {
        let (positions, rows) = (&Positions::default(), &Rows::default());
        let statements = Some(&self.innermost.statements[..]);
        let mut found = Vec::new();
        for part in parts {
            let view = View { statements, positions, rows, part: part.operations.as_ref() };
            for FoundRemainder { remainder, statement, is_sure } in self.accesses.remainders(&view)? {
                if self.is_plain(&remainder.text) && self.is_plain(&remainder.modulus) {
                    found.push((remainder, is_sure && self.runs_in_all_iterations(statement)));
                }
            }
        }
        Ok(Common::all(found))
    }

    /// What stands for subscripts that grow or shrink with the counter, beside so many that do not.
    fn windows(&self, part: &Part, others: usize) -> Result<Vec<Window>> {
        let mut windows = Vec::new();
        for common in self.commons(std::slice::from_ref(part))? {
            let is_large = common.modulus().parse::<i64>().map_or(true, |modulus| modulus >= LEAST_MODULUS);
            if let Some(slope) = common.slope(self.head.counter).filter(|slope| *slope != 0 && is_large) {
                let name = self.position_name(&common, others + windows.len());
                windows.push(Window::new(name, common, slope));
            }
        }
        Ok(windows)
    }

    /// A block with one segment.
    fn segments(&self, windows: &[Window], body: &str, part: &Part, indent: &str) -> String {
        let Head { counter, word, next, last, is_upward, .. } = &self.head;
        let step = &self.step;
        let inner = format!("{indent}{step}");
        let mut text = "{\n".to_string();
        for (k, window) in windows.iter().enumerate() {
            let before = windows[..k].iter().find(|before| window.follows(before) && *is_upward);
            text += &format!("{inner}const long {};\n", window.declaration(&self.head, before));
        }
        let (first, nearest) = match &part.last {
            None => (last.clone(), None),
            Some(own) if part.may_end => (last.clone(), Some(own.clone())),
            Some(own) => (own.clone(), None),
        };
        let nearest_end = free_name("last", self.accesses.decisions.scop, self.accesses.source);
        text += &format!("{inner}{word} {nearest_end} = {first};\n");
        let (nearer, goes_on) = if *is_upward { ('<', "<=") } else { ('>', ">=") };
        for own in nearest.into_iter().chain(windows.iter().map(|w| w.last(&self.head))) {
            text += &format!("{inner}if ({own} {nearer} {nearest_end})\n{inner}{step}{nearest_end} = {own};\n");
        }
        let segment = format!("{indent}for (; {counter} {goes_on} {nearest_end}; {next}){body}");
        text += &deeper(&segment, step);
        text + &format!("\n{indent}}}")
    }

    /// Whether a text can be computed in front of the loop, and is signed: all its names are sizes that are plainly signed or cast,
    /// counters, or constants of ours. A macro may mean anything.
    fn is_plain(&self, text: &str) -> bool {
        let Decisions { scop, .. } = self.accesses.decisions;
        let is_size = |word: &str| scop.parameters.iter().any(|p| p.name == word);
        let is_counter = |word: &str| scop.loops().iter().any(|l| l.iterator == word);
        words(text).all(|(at, word)| {
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            let is_cast = text[..at].ends_with("(long)");
            let is_ours = word == "long" || self.accesses.constants.has(word);
            is_ours || self.variables.are_signed(word) && is_number || {
                (is_size(word) || is_counter(word)) && (is_cast || self.variables.are_signed(word))
            }
        })
    }

    /// Whether a row's place can be computed in front of the loop.
    fn is_plain_row(&self, row: &str, names: &[String]) -> bool {
        let Decisions { scop, value_buffers, .. } = self.accesses.decisions;
        let is_storage =
            |word: &str| value_buffers.iter().any(|buffer| buffer.name == word) || self.accesses.is_storage(word);
        let known = |word: &str| {
            let is_size = scop.parameters.iter().any(|p| p.name == word);
            is_size || scop.loops().iter().any(|l| l.iterator == word) || names.iter().any(|name| name == word)
        };
        words(row).all(|(_, word)| {
            let is_number = word.bytes().all(|b| b.is_ascii_digit());
            is_number || word == "long" || is_storage(word) || known(word)
        })
    }

    fn indent(&self) -> String {
        indent_at(self.accesses.source, self.innermost.node.span.start)
    }
}

/// Whether a body declares variables: they are known in it alone.
fn declares_something(source: &str, body: &Span) -> bool {
    let all = tokens(source, body);
    let starts = (0..all.len()).filter(|at| *at == 0 || all[at - 1].is_any(&['{', '}', ';', ')']));
    let is_type =
        |t: &Token| t.kind == Kind::Word && !["else", "return", "goto", "do", "case", "sizeof"].contains(&t.text);
    starts
        .into_iter()
        .any(|at| is_type(&all[at]) && all.get(at + 1).is_some_and(|next| next.kind == Kind::Word || next.is('*')))
}

/// The white space in front of a line.
fn indent_at(source: &str, at: usize) -> String {
    let line = source[..at].rfind('\n').map_or(0, |n| n + 1);
    source[line..].chars().take_while(|c| c.is_whitespace() && *c != '\n').collect()
}
