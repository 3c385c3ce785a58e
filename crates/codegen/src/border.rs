//! A program whose steps take the border of their grids along, as text.
//!
//! Around the loops that write the inside of a grid come copies of the cells beside it ([`polyfold_flow::grids`]):
//!
//! ```c
//! for (int j = 0; j < n; j++)
//!   P[0][j] = Q[0][j];
//! for (int i = 1; i < n - 1; i++) {
//!   P[i][0] = Q[i][0];
//!   for (int j = 1; j < n - 1; j++)
//!     P[i][j] = f(Q[i][j - 1], Q[i][j], Q[i][j + 1]);
//!   P[i][n - 1] = Q[i][n - 1];
//! }
//! for (int j = 0; j < n; j++)
//!   P[n - 1][j] = Q[n - 1][j];
//! ```
//!
//! Where n = 1 the first row is the last one. It may be copied twice, which changes nothing; but where values go to and fro by copies in both directions, the second
//! one finds what the other direction has moved already, as far as storage is concerned. There `if (n > 1)` stands in front of the last row and the last cell. (Grids that
//! take turns in one array have copies in one direction in each turn.)
//!
//! Of a border that is two cells wide and more, each cell is copied once for small sizes, too: `for (int i = 0; i < 2 && i < n; i++)` in front, and
//! `for (int i = n - 2 > 2 ? n - 2 : 2; i < n; i++)` behind.

use crate::edit::in_line_endings_of;
use crate::indent::{indent_at, step};
use crate::linear::Linear;
use crate::loops::seen_behind;
use crate::removal::is_plain_copy;
use crate::tokens::{Token, tokens};
use polyfold_flow::{Ends, GridNest, Grids};
use polyfold_scop::{Access, Expr, Loop, LoopId, Scop, Span, StatementId};
use std::cmp::Ordering;

/// A longer program.
#[derive(Default)]
pub struct Longer {
    /// The whole file.
    pub text: String,
    /// Where the added statements stand in it, in text order.
    pub added: Vec<Span>,
    /// Where it is not as it was, in text order.
    pub changes: Vec<Change>,
}

/// Some new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where it stands.
    pub span: Span,
    /// How many bytes stood there before.
    pub bytes_before: usize,
}

/// The program with the border copied; `None`: the text leaves no room for statements, or an end is no sum of a variable and a number.
///
/// Loops that do no more than copy the inside go through all of it instead, if nobody reads what is left in their counters.
pub fn with_border(source: &str, scop: &Scop, grids: &Grids, ends: Ends) -> Option<Longer> {
    let mut copies = Copies { source, scop, grids, once: false };
    let (whole, others): (Vec<&GridNest>, Vec<&GridNest>) = grids.nests.iter().partition(|nest| copies.is_copy(nest));
    copies.once = whole.is_empty() && others.iter().all(|nest| nest.turn.is_none());
    let mut edits: Vec<(Span, Vec<Piece>)> = Vec::new();
    for dimension in grids.dimensions(ends).filter(|k| grids.width[*k] != (0, 0)) {
        for nest in &whole {
            edits.push(copies.longer_head(nest, dimension)?);
        }
        let mut along: Vec<LoopId> = others.iter().map(|nest| nest.loops[dimension]).collect();
        along.dedup();
        for id in along {
            let l = scop.loops()[id.0];
            let room = Room::of(source, scop, l)?;
            let nests: Vec<&GridNest> = others.iter().copied().filter(|nest| nest.loops[dimension] == id).collect();
            let mut front = vec![Piece::Text(room.opening.clone())];
            let in_front = copies.in_front((&nests, dimension), &room)?;
            // A head may end right where the loop inside begins.
            match room.head_ends.end == l.span.start {
                true => front.extend(in_front),
                false => edits.push((l.span.start..l.span.start, in_front)),
            }
            edits.push((room.head_ends.clone(), front));
            edits.push((l.span.end..l.span.end, copies.behind((&nests, dimension), &room)?));
        }
    }
    // What belongs to a loop inside ends with it, in front of what belongs to the one around.
    edits.reverse();
    edits.sort_by_key(|(span, _)| span.start);
    Some(Longer::of(source, edits))
}

/// Something that is added.
enum Piece {
    Text(String),
    Statement(String),
}

impl Longer {
    fn of(source: &str, edits: Vec<(Span, Vec<Piece>)>) -> Longer {
        let (mut longer, mut from) = (Longer::default(), 0);
        for (span, pieces) in edits {
            longer.text += &source[from..span.start];
            from = span.end;
            let start = longer.text.len();
            pieces.iter().for_each(|piece| longer.add(piece, source));
            longer.changes.push(Change { span: start..longer.text.len(), bytes_before: span.len() });
        }
        longer.text += &source[from..];
        longer
    }

    /// A piece in the line endings of the source.
    fn add(&mut self, piece: &Piece, source: &str) {
        let start = self.text.len();
        match piece {
            Piece::Text(text) | Piece::Statement(text) => self.text += &in_line_endings_of(source, text),
        }
        if matches!(piece, Piece::Statement(_)) {
            self.added.push(start..self.text.len());
        }
    }
}

/// Cells beside the inside, along one dimension.
enum Strip {
    /// One cell, under a condition where it may be one that was copied already.
    Cell { cell: String, guard: Option<String> },
    /// From one on, below all bounds: where sizes are small there are fewer than the border is wide.
    Loop { from: String, bounds: Vec<String> },
}

/// The copies of a program.
struct Copies<'a> {
    source: &'a str,
    scop: &'a Scop,
    grids: &'a Grids,
    /// Whether no cell may be copied twice in one turn.
    once: bool,
}

impl Copies<'_> {
    fn in_front(&self, at: (&[&GridNest], usize), room: &Room) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        for strip in self.strips_in_front(at.1)? {
            for copy in self.copies(at, &strip, room)? {
                pieces.extend(copy);
                pieces.push(Piece::Text(room.separator.clone()));
            }
        }
        Some(pieces)
    }

    fn behind(&self, at: (&[&GridNest], usize), room: &Room) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        for strip in self.strips_behind(at.1)? {
            for copy in self.copies(at, &strip, room)? {
                pieces.push(Piece::Text(room.separator.clone()));
                pieces.extend(copy);
            }
        }
        pieces.push(Piece::Text(room.closing.clone()));
        Some(pieces)
    }

    /// What asks whether a dimension has more than one cell, if it may have only one and that matters.
    fn unless_one(&self, dimension: usize) -> Option<String> {
        let ((before, behind), (first, last)) = (self.grids.width[dimension], &self.grids.inside[dimension]);
        if !self.once || (before, behind) != (1, 1) {
            return None;
        }
        let first = Linear::of(first, &self.scop.show(first), self.scop)?.as_constant()?;
        let last = Linear::of(last, &self.scop.show(last), self.scop)?;
        let [(size, 1)] = last.terms().filter(|(_, factor)| *factor != 0).collect::<Vec<_>>()[..] else { return None };
        Some(format!("if ({size} > {})", first.checked_sub(last.constant)?.checked_sub(2)?))
    }

    /// The cells in front of the inside.
    fn strips_in_front(&self, dimension: usize) -> Option<Vec<Strip>> {
        let ((width, behind), (first, last)) = (self.grids.width[dimension], &self.grids.inside[dimension]);
        if width < 2 || self.has_room(dimension) {
            return (-width..0).map(|by| Some(Strip::Cell { cell: self.cell(first, by)?, guard: None })).collect();
        }
        let bounds = [self.cell(first, 0)?, self.cell(last, behind + 1)?];
        Some(vec![Strip::Loop { from: self.cell(first, -width)?, bounds: bounds.to_vec() }])
    }

    /// Those behind it, but for those that stand in front of it, too.
    fn strips_behind(&self, dimension: usize) -> Option<Vec<Strip>> {
        let ((_, width), (first, last)) = (self.grids.width[dimension], &self.grids.inside[dimension]);
        if width < 2 || self.has_room(dimension) {
            let cell = |by| Some(Strip::Cell { cell: self.cell(last, by)?, guard: self.unless_one(dimension) });
            return (1..=width).map(cell).collect();
        }
        let (first, next) = (self.cell(first, 0)?, self.cell(last, 1)?);
        let bounds = vec![self.cell(last, width + 1)?];
        Some(vec![Strip::Loop { from: format!("{next} > {first} ? {next} : {first}"), bounds }])
    }

    /// Whether there is an inside, whatever the sizes.
    fn has_room(&self, dimension: usize) -> bool {
        let (first, last) = &self.grids.inside[dimension];
        let of = |end: &Expr| Linear::of(end, &self.scop.show(end), self.scop);
        let cells = of(last).zip(of(first)).and_then(|(mut last, first)| last.add(-1, &first).map(|()| last));
        cells.and_then(|cells| cells.as_constant()).is_some_and(|more| more >= 0)
    }

    /// Of each nest, the copies of some cells.
    fn copies(&self, (nests, dimension): (&[&GridNest], usize), strip: &Strip, room: &Room) -> Option<Vec<Vec<Piece>>> {
        nests.iter().map(|nest| self.copy(nest, (dimension, strip), room)).collect()
    }

    fn copy(&self, nest: &GridNest, (dimension, strip): (usize, &Strip), room: &Room) -> Option<Vec<Piece>> {
        let mut heads = Vec::new();
        let (cell, outer) = match strip {
            Strip::Cell { cell, guard } => (cell.as_str(), guard.clone().map(Some)),
            Strip::Loop { from, bounds } => {
                (self.counter(nest, dimension), Some(self.head(nest, dimension, (from, bounds))))
            }
        };
        let inner = (dimension + 1..nest.loops.len()).map(|inner| {
            let (from, to) = self.all_cells(inner, 0)?;
            self.head(nest, inner, (&from, &[to]))
        });
        for (level, head) in outer.into_iter().chain(inner).enumerate() {
            heads.push(Piece::Text(format!("{}{}", head?, room.deeper(level + 1))));
        }
        let access = |id: StatementId, access: usize| &self.scop.statement(id).accesses[access];
        let (written, read) = (access(nest.statement, nest.write), access(nest.reader, nest.read));
        // A comment in one line would take in what follows.
        let is_plain = |text: &&str| !text.contains(['\n', '/']);
        let text_of = |access: &Access, k: usize| {
            self.source.get(access.subscript_spans[k].clone()).map(str::trim).filter(is_plain)
        };
        let along = nest.along();
        let subscript = |k: usize| match k.cmp(&dimension) {
            Ordering::Less => text_of(written, along[k]),
            Ordering::Equal => Some(cell),
            Ordering::Greater => Some(self.counter(nest, k)),
        };
        let subscripts = (0..nest.loops.len()).map(subscript).collect::<Option<Vec<_>>>()?;
        let place = |access: &Access| {
            let name = &self.scop.array(access.array).name;
            let is_written = self.source.get(access.place.span.start..)?.starts_with(name.as_str());
            let mut all = subscripts.clone();
            if let Some(turn) = nest.turn {
                all.insert(turn, text_of(access, turn)?);
            }
            is_written.then(|| format!("{name}[{}]", all.join("][")))
        };
        heads.push(Piece::Statement(format!("{} = {};", place(written)?, place(read)?)));
        Some(heads)
    }

    fn counter(&self, nest: &GridNest, dimension: usize) -> &str {
        &self.scop.loops()[nest.loops[dimension].0].iterator
    }

    /// The head of a loop over cells of a dimension, from one to those below all bounds; `None`: its counter is declared in front of the loops, and somebody
    /// asks for it behind them.
    fn head(&self, nest: &GridNest, dimension: usize, (from, bounds): (&str, &[String])) -> Option<String> {
        let l = self.scop.loops()[nest.loops[dimension].0];
        let counter = &l.iterator;
        let tests: Vec<String> = bounds.iter().map(|bound| format!("{counter} < {bound}")).collect();
        let head = || format!("for ({}{counter} = {from}; {}; {counter}++)", declaring(l), tests.join(" && "));
        self.is_unseen(l).then(head)
    }

    /// Whether nobody asks for a loop's counter behind the loop.
    fn is_unseen(&self, l: &Loop) -> bool {
        seen_behind(self.source, l).is_none() && self.scop.array_named(&l.iterator).is_none()
    }

    /// The first cell of a dimension and the one behind the last, as counters that are so many behind.
    fn all_cells(&self, dimension: usize, ahead: i64) -> Option<(String, String)> {
        let ((before, behind), (first, last)) = (self.grids.width[dimension], &self.grids.inside[dimension]);
        Some((self.cell(first, -before - ahead)?, self.cell(last, behind + 1 - ahead)?))
    }

    /// Whether loops do no more than copy the inside to the same cells of another grid, with counters that nobody asks for behind them.
    fn is_copy(&self, nest: &GridNest) -> bool {
        let statement = self.scop.statement(nest.statement);
        let is_unseen = |id: &LoopId| self.is_unseen(self.scop.loops()[id.0]);
        let is_alone = self.grids.nests.iter().filter(|other| other.loops == nest.loops).count() == 1
            && self.scop.loops()[nest.loops[nest.loops.len() - 1].0].body.len() == 1;
        let of = |access: usize, k: usize| statement.accesses[access].subscripts.as_ref().map(|all| &all[k]);
        let is_same_cell = || nest.along().into_iter().all(|k| of(nest.write, k) == of(nest.read, k));
        nest.reader == nest.statement
            && is_alone
            && is_same_cell()
            && is_plain_copy(self.source, statement)
            && nest.loops.iter().all(is_unseen)
    }

    /// The new text of a loop's head, up to how it goes on.
    fn longer_head(&self, nest: &GridNest, dimension: usize) -> Option<(Span, Vec<Piece>)> {
        let l = self.scop.loops()[nest.loops[dimension].0];
        let all = tokens(self.source, &l.span);
        let opening = all.get(1).filter(|token| token.is('('))?;
        let ends: Vec<usize> = all.iter().filter(|token| token.is(';')).map(|token| token.at).take(2).collect();
        let first = Linear::of(&l.first, &self.scop.show(&l.first), self.scop)?;
        let inside = &self.grids.inside[dimension].0;
        let mut ahead = Linear::of(inside, &self.scop.show(inside), self.scop)?;
        ahead.add(-1, &first)?;
        let (from, to) = self.all_cells(dimension, ahead.as_constant()?)?;
        let counter = &l.iterator;
        let text = format!("{}{counter} = {from}; {counter} < {to}", declaring(l));
        Some((opening.at + 1..*ends.get(1)?, vec![Piece::Text(text)]))
    }

    /// A cell so many behind another one.
    fn cell(&self, end: &Expr, by: i64) -> Option<String> {
        let sum = Linear::of(end, &self.scop.show(end), self.scop)?;
        let variable = match sum.terms().filter(|(_, factor)| *factor != 0).collect::<Vec<_>>()[..] {
            [] => "0",
            [(variable, 1)] => variable,
            _ => return None,
        };
        Some(Linear::plus(variable, sum.constant.checked_add(by)?))
    }
}

/// What declares a loop's counter in its head, where the source does so: not every C has such heads.
fn declaring(l: &Loop) -> String {
    if l.counter.outside.is_none() { format!("{} ", l.counter.element) } else { String::new() }
}

/// Where statements may stand around a loop, each in a line of its own.
struct Room {
    /// Where the head of the loop around ends, if the loop is all of its body: braces open there, in place of blanks in one line with the loop.
    head_ends: Span,
    opening: String,
    /// Between two statements.
    separator: String,
    closing: String,
    /// What a line is indented by against the one around.
    step: String,
}

impl Room {
    /// `None`: a label, a directive or something else stands in front.
    fn of(source: &str, scop: &Scop, l: &Loop) -> Option<Room> {
        let start = l.span.start;
        let before = tokens(source, &(scop.span.start..start));
        let indent = indent_at(source, start);
        let begins_line = source[..start].ends_with(&format!("\n{indent}"));
        let body = &source[scop.span.clone()];
        let step = step(body, indent_at(source, scop.span.end - body.trim_start().len()));
        let separator = if begins_line { format!("\n{indent}") } else { format!("\n{indent}{step}") };
        let is_in_block = |token: &Token| token.is_any(&['{', '}', ';']);
        let Some(last) = before.last().filter(|last| !is_in_block(last)) else {
            return Some(Room {
                head_ends: start..start,
                opening: String::new(),
                separator,
                closing: String::new(),
                step,
            });
        };
        let (head_ends, outer) = (last.span().end, indent_at(source, last.at));
        let closing = format!("\n{outer}}}");
        let is_in_line = source[head_ends..start].chars().all(|c| c == ' ' || c == '\t');
        let (head_ends, opening) = match is_in_line {
            true => (head_ends..start, format!(" {{{separator}")),
            false => (head_ends..head_ends, " {".to_string()),
        };
        last.is(')').then_some(Room { head_ends, opening, separator, closing, step })
    }

    /// Between a head and its body, so many levels inside.
    fn deeper(&self, levels: usize) -> String {
        format!("{}{}", self.separator, self.step.repeat(levels))
    }
}
