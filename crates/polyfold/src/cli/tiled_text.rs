//! A file whose nests become tiles one after the other, and where things are in it.

use super::{messages, output};
use polyfold_codegen::{Places, Tiled};
use polyfold_frontend::Diagnostic;
use polyfold_report::Message;
use polyfold_scop::Span;
use std::cell::RefCell;
use std::path::Path;

/// The text of a file, perhaps with nests in tiles.
pub(super) struct Text<'a> {
    pub(super) path: &'a Path,
    /// The texts before each nest was tiled, the user's own first, and what became of their places.
    before: Vec<(String, Places)>,
    /// The text now.
    pub(super) now: String,
    /// Messages about the user's text that were shown.
    said: RefCell<Vec<Message>>,
}

impl<'a> Text<'a> {
    pub(super) fn of(path: &'a Path, source: String) -> Text<'a> {
        Text { path, before: Vec::new(), now: source, said: RefCell::default() }
    }

    /// The user's own text.
    pub(super) fn source(&self) -> &str {
        self.before.first().map_or(&self.now, |(source, _)| source)
    }

    /// Bytes of the user's text that bytes of this one come from.
    pub(super) fn in_source(&self, span: &Span) -> Span {
        let (mut span, mut after) = (span.clone(), &self.now);
        for (before, places) in self.before.iter().rev() {
            span = places.in_source(before, after, &span);
            after = before;
        }
        span
    }

    /// Shows a message about this text in the user's one.
    pub(super) fn tell(&self, diagnostic: &Diagnostic) {
        self.tell_of_source(&self.of_source(diagnostic.clone()));
    }

    /// A message about this text as one about the user's.
    pub(super) fn of_source(&self, diagnostic: Diagnostic) -> Diagnostic {
        Diagnostic { span: self.in_source(&diagnostic.span), ..diagnostic }
    }

    /// Shows a message about the user's text.
    pub(super) fn tell_of_source(&self, diagnostic: &Diagnostic) {
        output::tell(&messages::render(self.path, self.source(), diagnostic));
        self.said.borrow_mut().push(messages::message(self.source(), diagnostic));
    }

    /// The messages that were shown.
    pub(super) fn said(&self) -> Vec<Message> {
        self.said.borrow().clone()
    }

    /// One more nest is in tiles.
    pub(super) fn becomes(&mut self, tiled: Tiled) {
        let before = std::mem::replace(&mut self.now, tiled.text);
        self.before.push((before, tiled.places));
    }
}
