//! How the file writes a scop's program where some of its text is another one.
//!
//! In another order an integer that stands for its value is where it was declared no more, so its value is written instead:
//!
//! ```text
//! const int at = y * w + x;  a[at] = 1;      =>      a[y * w + x] = 1;
//! ```
//!
//! The idea: all places are those of the file. So everything that changes is changed at once.

use crate::{ArrayId, Scop, Span};
use polyfold_program::{BufferId, OtherText, Program, Use, Written};

/// A local integer that keeps the value of its declaration, a sum of counters and sizes: wherever it is read, the value's text means the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// Its name in its declaration.
    pub name: Span,
    /// The value there.
    pub value: Span,
    /// Where it is read.
    pub uses: Vec<Span>,
}

/// Another text for a piece, as long as that, and where the piece begins in the scop's text. In what a macro makes that isn't known.
pub type Pieces<'p> = dyn Fn(Option<usize>, &str) -> String + 'p;

/// Pieces as they are.
pub fn as_it_is(_: Option<usize>, text: &str) -> String {
    text.to_string()
}

impl Scop {
    /// How the file writes the program that is printed.
    pub fn written_in_file(&self) -> Option<&Written> {
        self.order.as_ref().map(|order| &order.written).or(self.written.as_ref())
    }

    /// The same with other pieces, and with other texts for some bytes of the file. `None`: a macro makes what is around one.
    pub fn written_with(&self, pieces: &Pieces, texts: &[OtherText]) -> Option<Written> {
        match &self.order {
            Some(order) => order.source.written_for_order(pieces, texts),
            None => self.with_texts(&self.written.as_ref()?.with_pieces(pieces), texts),
        }
    }

    /// How the file writes the program for another order: with the values of integers that stand for them.
    pub(crate) fn written_for_order(&self, pieces: &Pieces, texts: &[OtherText]) -> Option<Written> {
        let written = self.written.as_ref()?.with_pieces(pieces);
        self.with_texts(&written, &[&self.values(&written.whole)[..], texts].concat())
    }

    fn with_texts(&self, written: &Written, texts: &[OtherText]) -> Option<Written> {
        let start = self.span.start;
        let here = |own: &OtherText| OtherText { bytes: own.bytes.start - start..own.bytes.end - start, ..own.clone() };
        written.with_texts(&texts.iter().map(here).collect::<Vec<_>>())
    }

    /// The values of integers that stand for them, where these are read; `whole` is the scop's text.
    fn values(&self, whole: &str) -> Vec<OtherText> {
        let ids = (0..self.arrays.len()).map(ArrayId).filter(|id| self.stands_in(*id));
        let all: Vec<&StandIn> = ids.filter_map(|id| self.kept_value(id)).collect();
        let is_in_value =
            |span: &Span| all.iter().any(|own| own.value.start <= span.start && span.end <= own.value.end);
        let start = self.span.start;
        let value = |used: &Span, own| {
            let value = value_of(own, &all, (whole, start));
            let (before, behind) = (&whole[..used.start - start], &whole[used.end - start..]);
            let is_subscript = before.ends_with('[') && behind.starts_with(']');
            let text = if is_subscript { value } else { format!("({value})") };
            OtherText { bytes: used.clone(), text, where_changed: false }
        };
        let uses = all.iter().flat_map(|own| own.uses.iter().map(move |used| (used, own)));
        uses.filter(|(used, _)| !is_in_value(used)).map(|(used, own)| value(used, own)).collect()
    }

    /// What an integer is declared as and keeps, if its text may stand wherever it is read.
    fn kept_value(&self, id: ArrayId) -> Option<&StandIn> {
        let name = self.array(id).declaration.as_ref().map(|own| &own.name).filter(|own| own.fragment.is_none())?;
        self.stand_ins.iter().find(|own| own.name == name.span)
    }

    /// Whether an integer stands for what it is declared as: the program has its value wherever the text has its name.
    pub fn stands_in(&self, id: ArrayId) -> bool {
        let is_read = |program: &Program| program.used(Use::Read).contains(&BufferId(id.0));
        self.kept_value(id).is_some() && !self.in_file().is_some_and(is_read)
    }
}

/// The text of a value, in which no integer stands for another one. The scop's text begins at a byte of the file.
fn value_of(own: &StandIn, all: &[&StandIn], (whole, start): (&str, usize)) -> String {
    let (mut text, mut at) = (String::new(), own.value.start);
    let is_here = |used: &Span| own.value.start <= used.start && used.end <= own.value.end;
    let others = all.iter().flat_map(|other| other.uses.iter().map(move |used| (used, *other)));
    let mut inside: Vec<(&Span, &StandIn)> = others.filter(|(used, _)| is_here(used)).collect();
    inside.sort_by_key(|(used, _)| used.start);
    for (used, other) in inside {
        text.push_str(&whole[at - start..used.start - start]);
        text.push_str(&format!("({})", value_of(other, all, (whole, start))));
        at = used.end;
    }
    text + &whole[at - start..own.value.end - start]
}
