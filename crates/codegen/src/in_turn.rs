//! Variables that are declared in the innermost block of their life.
//!
//! ```c
//! double t[n];                                    for (int i = 0; i < n; i++) {
//! for (int i = 0; i < n; i++) {                     double t = a[i] + 1;
//!   t[i] = a[i] + 1;                                b[i] = t * t;
//!   b[i] = t[i] * t[i];                           }
//! }
//! ```
//!
//! That a variable of each turn will do is proved ([`turn_variables`](polyfold_prove::turn_variables)). The block is the innermost one between braces with all uses in it, and with the next loop inside from turn to
//! turn of which values go on. The statement of the block with the first use declares it.
//!
//! It stays where the array was if the loop has no braces; if something jumps there, or directives are more than promises; if the array's name or a word of its type has another
//! meaning there; and if compilers would warn that it has no value at first.

use crate::Decisions;
use crate::declaration::attributed;
use crate::frame::labels;
use crate::home::{Home, home, words};
use crate::redeclared::is_type_declared;
use crate::tokens::{Kind, Token, closing, tokens};
use polyfold_isl::Result;
use polyfold_program::{BufferId, Program};
use polyfold_prove::{Placed, Turn};
use polyfold_scop::{Access, ArrayId, Declaration, Scop, Span, StatementId};
use polyfold_transform::privatize;
use std::collections::BTreeSet;

/// A variable that is declared where its values live.
pub(crate) struct InTurn {
    array: ArrayId,
    declaration: String,
}

impl InTurn {
    pub(crate) fn array(&self) -> ArrayId {
        self.array
    }

    /// `double t`.
    pub(crate) fn declaration(&self) -> &str {
        &self.declaration
    }
}

/// The variables that are declared so.
///
/// # Errors
/// When a size has no form.
pub(crate) fn written(source: &str, decisions: &Decisions, after: &Program) -> Result<Vec<InTurn>> {
    let (mut found, mut program) = (Vec::new(), after.clone());
    for variable in &decisions.turn_variables {
        let place = decisions.mapped.iter().find(|place| place.array() == variable.array());
        let Some(place) = place else { continue };
        if matches!(home(source, decisions, place)?, Home::InPlace | Home::AtScop) {
            let name = decisions.name(place, source);
            let id = after.buffers.iter().rposition(|buffer| buffer.name == name).map(BufferId);
            let own =
                id.and_then(|id| privatize(&program, id)).filter(|own| own.is_well_scoped() || !after.is_well_scoped());
            let all = variable.turns().iter().map(|turn| in_turn(source, decisions, place, turn));
            if let (Some(own), Some(all)) = (own, all.collect::<Option<Vec<InTurn>>>()) {
                program = own;
                found.extend(all);
            }
        }
    }
    Ok(found)
}

/// Where in the file accesses to an array, or the macro calls with them, stand.
struct Uses(Vec<Span>);

impl Uses {
    fn of(scop: &Scop, array: ArrayId, statements: &BTreeSet<StatementId>) -> Uses {
        let place = |access: &Access| match access.place.fragment {
            None => access.place.span.clone(),
            Some(fragment) => scop.fragments[fragment.0].replaces.clone(),
        };
        let all = statements.iter().flat_map(|id| &scop.statement(*id).accesses);
        Uses(all.filter(|access| access.array == array).map(place).collect())
    }

    /// From the first one to the last one.
    fn span(&self) -> Option<Span> {
        Some(self.first()?..self.0.iter().map(|span| span.end).max()?)
    }

    fn first(&self) -> Option<usize> {
        self.0.iter().map(|span| span.start).min()
    }

    fn has(&self, place: usize) -> bool {
        self.0.iter().any(|span| span.contains(&place))
    }
}

fn in_turn(source: &str, decisions: &Decisions, place: &Placed, turn: &Turn) -> Option<InTurn> {
    let (scop, array) = (decisions.scop, decisions.array(place.array()));
    let (declaration, name) = (array.declaration.as_ref()?, decisions.name(place, source));
    let (uses, loops) = (Uses::of(scop, place.array(), &turn.statements), scop.loops());
    let gone = Uses::of(scop, place.array(), &decisions.dead.iter().copied().collect());
    let (span, first_place) = (uses.span()?, uses.first()?);
    let span = turn.inside.map_or(span.clone(), |inside| hull(&span, &loops[inside.0].span));
    let text = tokens(source, &loops[turn.of.0].span);
    let block = Block::around(&text, &span)?;
    let at = block.statement(first_place)?;
    let is_fine = block.is_plain(source)
        && block.mentions(&array.name).all(|place| uses.has(place) || gone.has(place))
        && means_the_same(source, scop, declaration, at);
    let declaration =
        attributed(&format!("{} {name}", specifiers(declaration).filter(|_| is_fine)?), &declaration.attributes);
    Some(InTurn { array: place.array(), declaration })
}

fn hull(one: &Span, other: &Span) -> Span {
    one.start.min(other.start)..one.end.max(other.end)
}

/// What stands between two braces.
struct Block<'a, 'b> {
    inside: &'a [Token<'b>],
}

impl<'a, 'b> Block<'a, 'b> {
    /// The innermost one around a span.
    fn around(all: &'a [Token<'b>], span: &Span) -> Option<Block<'a, 'b>> {
        let opening = (0..all.len()).rev().filter(|k| all[*k].is('{') && all[*k].at < span.start);
        let mut pairs = opening.filter_map(|open| Some((open, closing(all, open)?)));
        let (open, close) = pairs.find(|(_, close)| all[*close].at >= span.end)?;
        Some(Block { inside: &all[open + 1..close] })
    }

    /// Where the statement of the block begins that a place is in.
    fn statement(&self, place: usize) -> Option<usize> {
        let (mut depth, mut begin, mut begins) = (0, None, true);
        for token in self.inside.iter().take_while(|token| token.at <= place) {
            if begins && depth == 0 && token.text != "else" {
                begin = Some(token.at);
            }
            depth += i32::from(token.is_any(&['{', '('])) - i32::from(token.is_any(&['}', ')']));
            begins = token.is_any(&[';', '}']);
        }
        begin
    }

    /// Whether it is gone through from its beginning to its end, and directives in it are promises to compilers.
    fn is_plain(&self, source: &str) -> bool {
        let jumps = ["goto", "switch", "case", "default", "asm", "__asm", "__asm__"];
        let promises = ["GCC ivdep", "GCC unroll", "omp simd", "clang loop"];
        let is_promise = |t: &Token| {
            let said: Vec<&str> = words(t.text).map(|(_, word)| word).skip(1).take(2).collect();
            promises.contains(&said.join(" ").as_str())
        };
        let span = self.inside.first().zip(self.inside.last()).map(|(first, last)| first.at..last.span().end);
        span.is_some_and(|span| labels(source, &span).is_empty())
            && self.inside.iter().all(|t| match t.kind {
                Kind::Directive => is_promise(t),
                _ => !jumps.contains(&t.text),
            })
    }

    /// Where a name stands.
    fn mentions(&self, name: &str) -> impl Iterator<Item = usize> {
        self.inside.iter().filter(move |t| words(t.text).any(|(_, word)| word == name)).map(|t| t.at)
    }
}

/// Whether the words of a declaration are what they were where it stood.
fn means_the_same(source: &str, scop: &Scop, declaration: &Declaration, at: usize) -> bool {
    let between = tokens(source, &(declaration.statement.end.min(at)..at));
    let is_again = |word: &str| (0..between.len()).any(|k| is_type_declared(&between, k, word));
    let is_size = |word: &str| scop.parameters.iter().any(|parameter| parameter.name == word);
    let mut all = words(&declaration.specifiers).chain(words(&declaration.attributes));
    all.all(|(_, word)| !is_again(word) && !is_size(word))
}

/// The specifiers of a variable that is declared in a block; `None`: they cannot stand there.
fn specifiers(declaration: &Declaration) -> Option<String> {
    let stays = |word: &&str| *word != "static";
    let is_plain = words(&declaration.specifiers).all(|(_, word)| {
        let is_of_types = word.contains("typeof") || word == "decltype" || word == "extern";
        !is_of_types && !["_Thread_local", "__thread", "thread_local"].contains(&word)
    });
    let all: Vec<&str> = declaration.specifiers.split_whitespace().filter(stays).collect();
    (is_plain && !declaration.specifiers.contains('{')).then(|| all.join(" "))
}
