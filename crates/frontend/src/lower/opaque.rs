//! Statements that aren't understood, as their text with holes.
//!
//! The idea: whatever a statement does, the walk knows the cells that it reads and writes, and where its text names them. So the text
//! has a hole for each of these cells, and for each integer with a counter in it. What is around the holes stays.
//!
//! Example: `f(&x[i], y[0] = i)` is `"f(&$0, $1 = $2)" of (call read write x[i], write y[0], i)`.
//!
//! A part of a value that isn't understood is such a text, too, if it writes nothing.

use super::Lowering;
use super::access::chain;
use super::tree::{Computing, Does, Noted};
use super::written::nothing;
use polyfold_c::syntax::{Expression, ExpressionKind, UnaryOperator};
use polyfold_program as tree;
use polyfold_program::{Int, IntType, Level, Op, Operand, Touched, Value, Written, escaped};
use polyfold_scop::{Access, AccessKind, Certainty, Span};

/// An operand, with its place in the expanded text if it has a hole there.
type Part = (Option<Span>, Operand, Written);

impl Lowering<'_> {
    /// A statement whose text stays around its cells. `None`: one of them isn't known.
    pub(super) fn opaque_statement(
        &mut self,
        span: &Span,
        roots: &[&Expression],
        computing: &Computing,
    ) -> Option<Noted> {
        let all: Vec<usize> = (0..computing.accesses.len()).collect();
        let parts = self.parts(roots, &all, computing)?;
        let text = self.with_holes(span, &parts)?;
        let operands = parts.iter().map(|(_, operand, _)| operand.clone()).collect();
        let parts = parts.into_iter().map(|(at, _, written)| (at, written)).collect();
        let written = self.texts().node(span, Level::Whole, parts);
        Some(Noted { does: Does::Opaque { text, operands }, span: span.clone(), written })
    }

    /// A value whose text stays around the cells that it reads. `None`: it writes some.
    pub(super) fn opaque_value(&mut self, e: &Expression, computing: &Computing) -> Option<(Value, Written)> {
        let mut inside = Vec::new();
        e.walk(&mut |part| inside.push(part));
        let mut own: Vec<usize> = inside.into_iter().flat_map(|part| self.accesses_at(part, computing)).collect();
        own.sort_unstable();
        own.dedup();
        if own.iter().any(|k| computing.accesses[*k].is_write()) {
            return None;
        }
        let parts = self.parts(&[e], &own, computing)?;
        let text = self.with_holes(&e.span, &parts)?;
        let value = |(_, operand, written): &Part| match operand {
            Operand::Integer(e) => Value::Integer(e.clone(), written.held.unwrap_or(IntType::Unknown)),
            Operand::Cell(cell) => Value::Read(cell.place.clone()),
        };
        let operands = parts.iter().map(value).collect();
        let parts = parts.into_iter().map(|(at, _, written)| (at, written)).collect();
        Some((Value::Apply(Op::Leaf(text), operands), self.texts().expression(e, parts)))
    }

    /// The text of a span with holes.
    fn with_holes(&self, span: &Span, parts: &[Part]) -> Option<String> {
        let mut holes: Vec<(&Span, usize)> =
            parts.iter().enumerate().filter_map(|(k, (at, ..))| Some((at.as_ref()?, k))).collect();
        holes.sort_by_key(|(at, _)| at.start);
        let (mut text, mut at) = (String::new(), span.start);
        for (hole, k) in holes {
            text.push_str(&escaped(self.site.expanded.text.get(at..hole.start)?));
            text.push_str(&format!("${k}"));
            at = hole.end;
        }
        Some(text + &escaped(self.site.expanded.text.get(at..span.end)?))
    }

    /// The operands of some expressions: those with holes, and then all other cells of some accesses.
    fn parts(&mut self, roots: &[&Expression], own: &[usize], computing: &Computing) -> Option<Vec<Part>> {
        let (mut parts, mut seen) = (Vec::new(), vec![false; computing.accesses.len()]);
        roots.iter().try_for_each(|e| self.each_part(e, computing, (&mut parts, &mut seen)))?;
        let others = own.iter().filter(|k| !seen[**k]);
        for access in others.map(|k| &computing.accesses[*k]) {
            let place = match &access.subscripts {
                Some(all) if !self.is_flat(access.array) => super::tree::affine_cell(access, all)?,
                _ => self.any_cell(access),
            };
            parts.push((None, Operand::Cell(touched(place, &[access])), nothing()));
        }
        Some(parts)
    }

    fn each_part(
        &mut self,
        e: &Expression,
        computing: &Computing,
        (parts, seen): (&mut Vec<Part>, &mut [bool]),
    ) -> Option<()> {
        use ExpressionKind::{Field, Index, Name, Unary};
        if matches!(e.kind, Name(..) | Index(..) | Field(..) | Unary(UnaryOperator::Dereference, _)) {
            let here: Vec<usize> = self.accesses_at(e, computing);
            if let Some(first) = here.first()
                && let Some(place) = self.known_place(e, *first, computing)
            {
                here.iter().for_each(|k| seen[*k] = true);
                // They are read with the cell.
                chain(e).subscripts.into_iter().for_each(|own| self.note_seen(own, computing, seen));
                let own: Vec<&Access> = here.iter().map(|k| &computing.accesses[*k]).collect();
                let written = self.cell_written(e, &place);
                parts.push((Some(e.span.clone()), Operand::Cell(touched(place, &own)), written));
                return Some(());
            }
        }
        // What unsigned operators make stays in the text: it may wrap around.
        let is_exact = matches!(e.kind, Name(..)) || self.int_type_of(e).is_signed();
        if let Some(int) = self.integer(e).filter(|int| is_exact && has_local(int)) {
            parts.push((Some(e.span.clone()), Operand::Integer(int), self.integer_written(e)));
            return Some(());
        }
        e.parts().into_iter().try_for_each(|part| self.each_part(part, computing, (&mut *parts, &mut *seen)))
    }

    fn note_seen(&mut self, e: &Expression, computing: &Computing, seen: &mut [bool]) {
        self.accesses_at(e, computing).into_iter().for_each(|k| seen[k] = true);
        e.parts().into_iter().for_each(|part| self.note_seen(part, computing, seen));
    }

    /// The accesses that a reference is: one that is read and written is two.
    fn accesses_at(&mut self, e: &Expression, computing: &Computing) -> Vec<usize> {
        let Some((place, _)) = self.place_inside(&e.span, &[]).1 else { return Vec::new() };
        (0..computing.accesses.len()).filter(|k| computing.accesses[*k].place == place).collect()
    }

    /// Some cell, nobody says which.
    fn any_cell(&self, access: &Access) -> tree::Place {
        let any = || Int::Data(Box::new(Value::Apply(Op::Leaf("any".to_string()), Vec::new())));
        let index = (0..self.arrays.entries[access.array.0].dimensions).map(|_| any()).collect();
        tree::Place::Cell { buffer: tree::BufferId(access.array.0), index }
    }
}

/// A cell with all that becomes of it. What may be written keeps its value, too.
fn touched(place: tree::Place, accesses: &[&Access]) -> Touched {
    let may_stay = |access: &&Access| access.certainty == Certainty::May;
    Touched {
        place,
        is_read: accesses.iter().any(|access| access.kind == AccessKind::Read || may_stay(access)),
        is_written: accesses.iter().any(|access| access.is_write()),
        in_call: accesses.iter().any(|access| access.is_in_call()),
    }
}

fn has_local(e: &Int) -> bool {
    let mut found = false;
    e.each(&mut |e| found |= matches!(e, Int::Local(_)));
    found
}
