//! How the file writes a scop's program.
//!
//! The idea: statements say themselves how they are written, when what they compute is noted. Loops and guards say where
//! their heads and branches stand. What lies between statements is the file's own text: comments, blank lines, pragmas,
//! braces, labels, and declarations that compute nothing.
//!
//! Example: of `for (i = 0; i < n; i++) { x = 0; /* a */ }` the body's pieces are `{ `, the assignment and ` /* a */ }`.

use super::Lowering;
use super::blocks::in_blocks;
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use polyfold_c::written::Texts;
use polyfold_program as tree;
use polyfold_program::{Level, Piece, Written};
use polyfold_scop::{Node, Scop, Span, StatementKind};

/// What a loop or guard is made of.
pub(super) struct Branches {
    /// A loop's head, or a guard's test.
    head: (Span, Written),
    /// Where its branches stand in the expanded text.
    lists: Vec<Span>,
}

/// What isn't written.
pub(super) fn nothing() -> Written {
    Written {
        whole: String::new(),
        pieces: Vec::new(),
        parts: Vec::new(),
        level: Level::Primary,
        held: None,
        is_plain: false,
    }
}

/// A block, which is all in its body's text.
fn block_written(body: Written) -> Written {
    let pieces = vec![Piece::Part(0), Piece::Part(1)];
    Written { whole: body.whole.clone(), pieces, parts: vec![nothing(), body], ..nothing() }
}

impl Lowering<'_> {
    /// Notes what a guard is made of. Its test is a whole where data don't decide.
    pub(super) fn note_guard(&mut self, guard: &Span, e: &Expression, test: Option<Written>, lists: Vec<Span>) {
        let test = test.unwrap_or_else(|| self.texts().whole(e));
        let branches = Branches { head: (e.span.clone(), test), lists };
        self.computations.branches.insert(self.place_in_file(guard), branches);
    }

    /// Notes what a loop is made of: where its test, its step and its body stand.
    pub(super) fn note_loop(&mut self, own: &Span, [test, step, body]: [&Span; 3]) {
        let head = &self.site.expanded.text[own.start..body.start];
        let head = own.start..own.start + head.trim_end().len();
        let parts = [test, step].map(|part| (Some(part.clone()), self.texts().leaf(part, Level::Whole)));
        let written = self.texts().node(&head, Level::Whole, parts.into());
        let branches = Branches { head: (head, written), lists: vec![body.clone()] };
        self.computations.branches.insert(self.place_in_file(own), branches);
    }

    pub(super) fn texts(&self) -> Texts<'_> {
        Texts { file: self.site.source, expanded: self.site.expanded }
    }

    /// An integer, which is whole or not at all.
    pub(super) fn integer_written(&self, e: &Expression) -> Written {
        let (held, is_plain) = (Some(self.int_type_of(e)), self.is_plain(e));
        Written { held, is_plain, ..self.texts().whole(e) }
    }

    /// Whether an integer is made of sums, products and quotients in signed types.
    fn is_plain(&self, e: &Expression) -> bool {
        use BinaryOperator::{Add, Divide, Multiply, Remainder, Subtract};
        let is_of_such = match &e.kind {
            ExpressionKind::Integer(..) | ExpressionKind::Name(..) => true,
            ExpressionKind::Unary(UnaryOperator::Plus | UnaryOperator::Minus, inner) => self.is_plain(inner),
            ExpressionKind::Binary(Add | Subtract | Multiply | Divide | Remainder, left, right) => {
                self.is_plain(left) && self.is_plain(right)
            }
            _ => false,
        };
        is_of_such && self.int_type_of(e).is_signed()
    }

    pub(super) fn place_in_file(&self, span: &Span) -> (usize, usize) {
        let span = self.site.expanded.to_file(span);
        (span.start, span.end)
    }

    /// A reference around its subscripts, if it has one for each dimension.
    pub(super) fn cell_written(&self, e: &Expression, place: &tree::Place) -> Written {
        let (mut subscripts, mut at) = (Vec::new(), e);
        while let ExpressionKind::Index(array, subscript) = &at.kind {
            let (span, written) = self.texts().bare(subscript);
            let held = Some(self.int_type_of(subscript));
            subscripts.push((Some(span), Written { held, ..written }));
            at = array;
        }
        subscripts.reverse();
        match place {
            tree::Place::Cell { index, .. } if index.len() == subscripts.len() => {
                self.texts().expression(e, subscripts)
            }
            _ => self.texts().whole(e),
        }
    }

    /// How the file writes what stands between the pragmas, if all of it is understood.
    pub(super) fn written(&self, scop: &Scop) -> Option<Written> {
        self.list_written((scop, self.site.blocks), &scop.body, &scop.span)
    }

    /// The text of a place in the file around the nodes in it.
    fn list_written(&self, of: (&Scop, &[Span]), nodes: &[Node], span: &Span) -> Option<Written> {
        let mut all = Vec::new();
        for (block, part) in in_blocks(of.0, nodes, of.1) {
            match block {
                Some(block) => {
                    let body = self.list_written((of.0, &[]), part, &block)?;
                    all.push((block, block_written(body)));
                }
                None => {
                    for node in part {
                        all.extend(self.node_written(of, node)?);
                    }
                }
            }
        }
        let (mut pieces, mut parts, mut at) = (Vec::new(), Vec::new(), span.start);
        for (own, written) in all {
            pieces.extend(self.text_piece(at, own.start)?);
            pieces.push(Piece::Part(parts.len()));
            parts.push(written);
            at = own.end;
        }
        pieces.extend(self.text_piece(at, span.end)?);
        let whole = self.site.source.get(span.clone())?.to_string();
        Some(Written { whole, pieces, parts, level: Level::Whole, held: None, is_plain: false })
    }

    /// What a node is made of, each with its place in the file.
    fn node_written(&self, of: (&Scop, &[Span]), node: &Node) -> Option<Vec<(Span, Written)>> {
        Some(match node {
            Node::Loop(own) => vec![(own.span.clone(), self.branches_written(of, &own.span, &[&own.body])?)],
            Node::Guard(own) => {
                vec![(own.span.clone(), self.branches_written(of, &own.span, &[&own.then, &own.otherwise])?)]
            }
            Node::Statement(id) if of.0.statement(*id).kind == StatementKind::Condition => Vec::new(),
            Node::Statement(id) => {
                let all = self.computations.noted.get(id)?;
                all.iter().map(|own| (self.site.expanded.to_file(&own.span), own.written.clone())).collect()
            }
        })
    }

    fn branches_written(&self, of: (&Scop, &[Span]), span: &Span, lists: &[&[Node]]) -> Option<Written> {
        let Branches { head, lists: places } = self.computations.branches.get(&(span.start, span.end))?;
        let head_at = self.site.expanded.to_file(&head.0);
        let mut pieces: Vec<Piece> = self.text_piece(span.start, head_at.start)?.into_iter().collect();
        pieces.push(Piece::Part(0));
        let (mut parts, mut at) = (vec![head.1.clone()], head_at.end);
        for (nodes, place) in lists.iter().zip(places) {
            let place = self.site.expanded.to_file(place);
            pieces.extend(self.text_piece(at, place.start)?);
            pieces.push(Piece::Part(parts.len()));
            parts.push(self.list_written(of, nodes, &place)?);
            at = place.end;
        }
        pieces.extend(self.text_piece(at, span.end)?);
        let whole = self.site.source.get(span.clone())?.to_string();
        Some(Written { whole, pieces, parts, level: Level::Whole, held: None, is_plain: false })
    }

    /// `Some(None)`: nothing stands there. `None`: the places overlap.
    fn text_piece(&self, from: usize, to: usize) -> Option<Option<Piece>> {
        let text = self.site.source.get(from..to)?;
        Some((!text.is_empty()).then(|| Piece::Text(text.to_string())))
    }
}
