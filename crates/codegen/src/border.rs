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

use crate::indent::{indent_at, step};
use crate::linear::Linear;
use crate::loops::seen_behind;
use crate::removal::is_plain_copy;
use crate::tokens::{Token, tokens};
use polyfold_flow::{Ends, GridNest, Grids};
use polyfold_scop::{Access, Expr, Loop, LoopId, Scop, Span};
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
    let copies = Copies { source, scop, grids };
    let (whole, others): (Vec<&GridNest>, Vec<&GridNest>) = grids.nests.iter().partition(|nest| copies.is_copy(nest));
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
            let (in_front, behind) =
                (copies.in_front((&nests, dimension), &room)?, copies.behind((&nests, dimension), &room)?);
            let places = [room.head_ends, l.span.start, l.span.end].map(|at| at..at);
            edits.extend(places.into_iter().zip([vec![Piece::Text(room.opening.to_string())], in_front, behind]));
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
            pieces.iter().for_each(|piece| longer.add(piece));
            longer.changes.push(Change { span: start..longer.text.len(), bytes_before: span.len() });
        }
        longer.text += &source[from..];
        longer
    }

    fn add(&mut self, piece: &Piece) {
        let start = self.text.len();
        match piece {
            Piece::Text(text) | Piece::Statement(text) => self.text += text,
        }
        if matches!(piece, Piece::Statement(_)) {
            self.added.push(start..self.text.len());
        }
    }
}

/// The copies of a program.
struct Copies<'a> {
    source: &'a str,
    scop: &'a Scop,
    grids: &'a Grids,
}

impl Copies<'_> {
    fn in_front(&self, at: (&[&GridNest], usize), room: &Room) -> Option<Vec<Piece>> {
        let (first, width) = (&self.grids.inside[at.1].0, self.grids.width[at.1].0);
        let mut pieces = Vec::new();
        for by in -width..0 {
            for copy in self.copies(at, (first, by), room)? {
                pieces.extend(copy);
                pieces.push(Piece::Text(room.separator.clone()));
            }
        }
        Some(pieces)
    }

    fn behind(&self, at: (&[&GridNest], usize), room: &Room) -> Option<Vec<Piece>> {
        let (last, width) = (&self.grids.inside[at.1].1, self.grids.width[at.1].1);
        let mut pieces = Vec::new();
        for by in 1..=width {
            for copy in self.copies(at, (last, by), room)? {
                pieces.push(Piece::Text(room.separator.clone()));
                pieces.extend(copy);
            }
        }
        pieces.push(Piece::Text(room.closing.clone()));
        Some(pieces)
    }

    /// Of each nest, the copies of cells so far behind an end.
    fn copies(
        &self,
        (nests, dimension): (&[&GridNest], usize),
        (end, by): (&Expr, i64),
        room: &Room,
    ) -> Option<Vec<Vec<Piece>>> {
        let cell = self.cell(end, by)?;
        nests.iter().map(|nest| self.copy(nest, (dimension, &cell), room)).collect()
    }

    fn copy(&self, nest: &GridNest, (dimension, cell): (usize, &str), room: &Room) -> Option<Vec<Piece>> {
        let (mut heads, mut deeper) = (Vec::new(), 0);
        for inner in dimension + 1..nest.loops.len() {
            heads.push(Piece::Text(format!("{}{}", self.head(nest, inner)?, room.deeper(deeper + 1))));
            deeper += 1;
        }
        let accesses = &self.scop.statement(nest.statement).accesses;
        let written = &accesses[nest.write];
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
        heads.push(Piece::Statement(format!("{} = {};", place(written)?, place(&accesses[nest.read])?)));
        Some(heads)
    }

    fn counter(&self, nest: &GridNest, dimension: usize) -> &str {
        &self.scop.loops()[nest.loops[dimension].0].iterator
    }

    /// The head of a loop over all cells of a dimension; `None`: its counter is declared in front of the loops, and somebody asks for it behind them.
    fn head(&self, nest: &GridNest, dimension: usize) -> Option<String> {
        let l = self.scop.loops()[nest.loops[dimension].0];
        let (from, to) = self.all_cells(dimension, 0)?;
        let counter = &l.iterator;
        self.is_unseen(l).then(|| format!("for ({}{counter} = {from}; {counter} < {to}; {counter}++)", declaring(l)))
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
        let is_same_cell = nest.along().into_iter().all(|k| of(nest.write, k) == of(nest.read, k));
        is_alone && is_same_cell && is_plain_copy(self.source, statement) && nest.loops.iter().all(is_unseen)
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

/// Where statements may stand around a loop.
struct Room {
    /// Where the head of the loop around ends, if the loop is all of its body: braces open there.
    head_ends: usize,
    opening: &'static str,
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
        let separator = if begins_line { format!("\n{indent}") } else { " ".to_string() };
        let body = &source[scop.span.clone()];
        let step = step(body, indent_at(source, scop.span.end - body.trim_start().len()));
        let is_in_block = |token: &Token| token.is_any(&['{', '}', ';']);
        let Some(last) = before.last().filter(|last| !is_in_block(last)) else {
            return Some(Room { head_ends: start, opening: "", separator, closing: String::new(), step });
        };
        let outer = indent_at(source, last.at);
        let closing = if begins_line { format!("\n{outer}}}") } else { " }".to_string() };
        last.is(')').then(|| Room { head_ends: last.span().end, opening: " {", separator, closing, step })
    }

    /// Between a head and its body, so many levels inside.
    fn deeper(&self, levels: usize) -> String {
        match self.separator.starts_with('\n') {
            true => format!("{}{}", self.separator, self.step.repeat(levels)),
            false => self.separator.clone(),
        }
    }
}
