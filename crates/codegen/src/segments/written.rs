//! The text of a loop in parts and segments.

use super::Segments;
use super::block::Block;
use super::chain::Chain;
use super::edges::used;
use super::head::Head;
use super::known::declares_something;
use super::parts::{Length, Part};
use super::pointed::{PointedRow, PointedRows};
use super::window::Window;
use crate::accesses::View;
use crate::edit::{Edit, Edits};
use crate::home::free_name;
use crate::indent::deeper;
use crate::removal::removal;
use crate::rows::Rows;
use crate::slow::{Uncut, note_whole};
use crate::subscript::Positions;
use crate::tokens::tokens;
use crate::unbraced::unbraced;
use polyfold_isl::Result;
use polyfold_scop::{Span, StatementId};

impl Segments<'_> {
    /// All parts, one after the other, in a block; `bound`: the line that declares the loop's.
    pub(super) fn in_block(
        &self,
        parts: &[Part],
        (rows, chain): (&PointedRows, Option<&Chain>),
        runs: bool,
        bound: Option<&str>,
    ) -> Result<Edit> {
        let Head { first, condition, next, .. } = &self.head;
        // Of a bound that is the least number of the counter's type, the last turn would be the greatest one.
        let needs_place = |chain: &Chain| !chain.is_known() || chain.is_one_round();
        let needs_test = !runs && (!rows.is_empty() || chain.is_some_and(needs_place));
        let is_one = parts.len() == 1 && !needs_test && chain.is_none();
        let Block { span, opening, mut indent, closing } = self.block();
        let mut text = opening;
        bound.iter().for_each(|line| text += &format!("{indent}{line}\n"));
        if !is_one {
            text += &format!("{indent}{first};\n");
        }
        if needs_test {
            text += &format!("{indent}if ({condition}) {{\n");
            indent += &self.step;
        }
        let (steps, mut loops) = (self.steps(&indent), String::new());
        chain.iter().for_each(|chain| loops += &format!("{indent}{}\n", chain.declaration(&self.head)));
        let parts = self.without_idle_end(parts)?;
        for (k, part) in parts.iter().enumerate() {
            let goes_on = self.goes_on(part);
            if let Some(chain) = chain {
                let own = self.part_along((chain, part, rows), &indent, k + 1 == parts.len())?;
                loops += &format!("{indent}{}\n", self.behind_rows(part, rows, own, (&goes_on, &indent)));
                continue;
            }
            let is_short = part.length != Length::Any;
            let windows = if is_short { Vec::new() } else { self.windows(part, rows.taken)? };
            let strips = if windows.is_empty() { self.strips(part, rows.taken)? } else { None };
            let mut moving = Window::positions(&windows, self.head.counter);
            moving.0.extend(strips.iter().flat_map(|strips| strips.positions(part).0));
            let body = self.deeper_behind(&self.body(&moving, rows, part)?, steps);
            let first = if is_one { first } else { "" };
            let is_once = part.length == Length::One && !is_one && self.has_no_continue();
            let near = if windows.is_empty() { None } else { self.near(&windows, part)? };
            let own = match windows.is_empty() {
                true if is_once && part.always && part.last.is_some() => self.surely_once(&body, &indent),
                true if is_once => self.once(&goes_on, &body, part.last.is_none(), &indent),
                true if is_short => format!("for ({first}; {goes_on}; {next}){body}"),
                true if let Some(strips) = &strips => self.in_strips(strips, (first, &goes_on), &body, &indent),
                // gcc warns of promises for loops whose iterations it cannot count.
                true if goes_on.contains("&&") => format!("for ({first}; {goes_on}; {next}){body}"),
                true => format!("{}for ({first}; {goes_on}; {next}){body}", self.promise(&indent)),
                false if let Some(near) = &near => {
                    let text = self.near_segments((near, part, rows), (&indent, "last"))?;
                    format!("for ({first}; {goes_on}; ) {text}")
                }
                false => {
                    format!("for ({first}; {goes_on}; ) {}", self.segments(&windows, &body, part, (&indent, "last")))
                }
            };
            loops += &format!("{indent}{}\n", self.behind_rows(part, rows, own, (&goes_on, &indent)));
        }
        used(&rows.declarations(), &loops, &[]).iter().for_each(|line| text += &format!("{indent}{line}\n"));
        text += &loops;
        if needs_test {
            let outer = indent.strip_suffix(self.step.as_str()).unwrap_or_default();
            text += &format!("{outer}}}\n");
        }
        Ok(Edit { span, text: text + &closing })
    }

    /// Whether the counter is in a part.
    pub(super) fn goes_on(&self, part: &Part) -> String {
        let Head { condition, counter, .. } = &self.head;
        match &part.last {
            None => condition.to_string(),
            Some(last) if part.may_end || part.length != Length::Any => format!("{condition} && {counter} <= {last}"),
            Some(last) => format!("{counter} <= {last}"),
        }
    }

    /// The parts but for last ones in which nothing is done, where nobody asks for the counter behind them.
    fn without_idle_end<'p>(&self, mut parts: &'p [Part]) -> Result<&'p [Part]> {
        while let [others @ .., last] = parts
            && !others.is_empty()
            && self.head.declares_counter()
            && self.is_idle(last)?
        {
            parts = others;
        }
        Ok(parts)
    }

    /// Whether nothing is done in a part.
    fn is_idle(&self, part: &Part) -> Result<bool> {
        let (_, never) = self.always_and_never(part)?;
        if never.len() == self.inside.statements.len() {
            return Ok(true);
        }
        let text = self.body_with(&self.rewritten(&Positions::default(), &PointedRows::default(), part)?);
        Ok(text.chars().all(|c| c.is_whitespace() || matches!(c, '{' | '}' | ';')))
    }

    /// How many steps deeper than the loop something stands.
    pub(super) fn steps(&self, indent: &str) -> usize {
        indent.len().saturating_sub(self.indent().len()) / self.step.len().max(1)
    }

    /// The head as it is.
    pub(super) fn source_head(&self) -> &str {
        &self.accesses.source[self.inside.node.span.start..self.head.body.start]
    }

    pub(super) fn has_no_continue(&self) -> bool {
        tokens(self.accesses.source, &self.head.body).iter().all(|token| token.text != "continue")
    }

    /// One iteration that there always is, with others behind it; in its braces if it declares something.
    pub(super) fn surely_once(&self, body: &str, indent: &str) -> String {
        let body = body.trim_matches(['\n', ' ']);
        let inside = body.trim_start().strip_prefix('{').and_then(|body| body.strip_suffix('}'));
        let is_plain = |inside: &&str| !inside.contains(['{', '}', '\\', '#', '"']) && !inside.contains("/*");
        let plain = inside.filter(is_plain).filter(|inside| !declares_something(inside, &(0..inside.len())));
        let text = plain.map_or(body.trim_start().to_string(), |inside| moved_to(inside, indent));
        if text.is_empty() {
            return format!("{};", self.head.next);
        }
        format!("{text}\n{indent}{};", self.head.next)
    }

    /// One iteration, under its condition; nobody asks for the counter of the loop's own behind the last one.
    pub(super) fn once(&self, condition: &str, body: &str, is_last: bool, indent: &str) -> String {
        if is_last && self.head.declares_counter() {
            let asks = body.trim_start().starts_with("if");
            return if asks {
                format!("if ({condition}) {{{body}\n{indent}}}")
            } else {
                format!("if ({condition}){body}")
            };
        }
        let (step, next) = (&self.step, self.head.next);
        let body = match body.trim_start().strip_prefix('{').and_then(|body| body.trim_end().strip_suffix('}')) {
            Some(inside) => inside.trim_end().to_string(),
            None if body.starts_with('\n') => body.to_string(),
            None => format!("\n{indent}{step}{}", body.trim_start()),
        };
        format!("if ({condition}) {{{body}\n{indent}{step}{next};\n{indent}}}")
    }

    /// A text behind a head, so many steps deeper.
    pub(super) fn deeper_behind(&self, text: &str, steps: usize) -> String {
        let more = self.step.repeat(steps);
        deeper(&format!(".{text}"), &more)[more.len() + 1..].to_string()
    }

    /// The text behind the head, with what stands for subscripts and rows; notes what it divides for all the same.
    pub(super) fn body(&self, moving: &Positions, rows: &PointedRows, part: &Part) -> Result<String> {
        if self.inside.levels == 0 && part.length == Length::Any {
            let known = [&rows.positions(), &self.known.positions, moving];
            let (_, never) = self.always_and_never(part)?;
            let runs: Vec<StatementId> =
                self.inside.statements.iter().copied().filter(|id| !never.contains(id)).collect();
            let (positions, own) = (&Positions::default(), &Rows::default());
            let view = View { statements: Some(&runs), positions, rows: own, part: part.operations.as_ref() };
            let is_known = |text: &str| known.iter().any(|positions| positions.0.contains_key(text));
            note_whole(self.accesses, self.inside.node, &view, is_known, &Uncut::Other)?;
        }
        Ok(self.body_with(&self.rewritten(moving, rows, part)?))
    }

    /// The same with changes of all kinds. What forms the text knows one kind of line ends; the source's are put in last ([`Edits::apply`]).
    pub(super) fn body_with(&self, edits: &Edits) -> String {
        let text = edits.apply_within(self.accesses.source, &self.head.body).replace("\r\n", "\n");
        unbraced(&text, &self.step)
    }

    /// The accesses of the body, with what stands for subscripts and rows.
    pub(super) fn rewritten(&self, moving: &Positions, rows: &PointedRows, part: &Part) -> Result<Edits> {
        let mut positions = rows.positions();
        positions.0.extend(self.known.positions.0.clone());
        positions.0.extend(moving.0.clone());
        let (statements, positions) = (Some(&self.inside.statements[..]), &positions);
        let names = rows.rows.iter().chain(&self.known.rows).chain(&part.rows).map(PointedRow::named).collect();
        let view = View { statements, positions, rows: &names, part: part.operations.as_ref() };
        let (mut edits, _) = self.accesses.rewritten(&view)?;
        self.settle(part, &mut edits)?;
        self.remove(&mut edits);
        Ok(edits)
    }

    /// Takes statements away that do not go with a condition.
    fn remove(&self, edits: &mut Edits) {
        let (source, scop) = (self.accesses.source, self.accesses.decisions.scop);
        for span in &self.inside.removed {
            let is_inside = |own: &Span| span.start <= own.start && own.end <= span.end;
            let is_apart = |own: &Span| own.end <= span.start || span.end <= own.start;
            if edits.spans().all(|own| is_inside(own) || is_apart(own)) {
                edits.drop_inside(std::slice::from_ref(span));
                edits.push(removal(source, &scop.span, span));
            }
        }
    }

    /// A block with one segment: how deep it stands, and how its end is called.
    pub(super) fn segments(&self, windows: &[Window], body: &str, part: &Part, (indent, end): (&str, &str)) -> String {
        let Head { counter, next, is_upward, .. } = &self.head;
        let goes_on = if *is_upward { "<=" } else { ">=" };
        let (lines, last) = self.segment(windows, part, &format!("{indent}{}", self.step), end);
        let promise = self.promise(indent);
        let segment = format!("{indent}{promise}for (; {counter} {goes_on} {last}; {next}){body}");
        format!("{{\n{lines}{}\n{indent}}}", deeper(&segment, &self.step))
    }

    /// The lines that say where subscripts are in a segment, and how far it goes; the name of its last iteration.
    pub(super) fn segment(&self, windows: &[Window], part: &Part, inner: &str, end: &str) -> (String, String) {
        let Head { word, last, is_upward, .. } = &self.head;
        let mut text = String::new();
        for (k, window) in windows.iter().enumerate() {
            let before = windows[..k].iter().find(|before| window.follows(before) && *is_upward);
            text += &format!("{inner}const long {};\n", window.declaration(&self.head, before));
        }
        let (first, nearest) = match &part.last {
            None => (last.clone(), None),
            Some(own) if part.may_end => (last.clone(), Some(own.clone())),
            Some(own) => (own.clone(), None),
        };
        let nearest_end = free_name(end, self.accesses.decisions.scop, self.accesses.source);
        text += &format!("{inner}{word} {nearest_end} = {first};\n");
        let nearer = if *is_upward { '<' } else { '>' };
        for own in nearest.into_iter().chain(windows.iter().filter_map(|w| w.last(&self.head))) {
            text += &self.no_further(&format!("{own} {nearer} {nearest_end}"), &own, inner, &nearest_end);
        }
        (text, nearest_end)
    }

    /// That a segment ends at another place on a condition.
    pub(super) fn no_further(&self, condition: &str, own: &str, inner: &str, end: &str) -> String {
        format!("{inner}if ({condition})\n{inner}{}{end} = {own};\n", self.step)
    }
}

/// Lines of plain code with their least indented one at another place.
fn moved_to(text: &str, indent: &str) -> String {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let least = lines().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let moved: Vec<String> = lines().map(|line| format!("{indent}{}", &line[least..])).collect();
    moved.join("\n").trim_start().to_string()
}
