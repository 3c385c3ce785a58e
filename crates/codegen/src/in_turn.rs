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
//! The program says where a variable may be declared ([`privatize`]). It stays where the array was if
//!
//! * something may jump over its declaration,
//! * the scop has lines of the preprocessor that are no pragmas,
//! * a word of its type means something else where it would be declared.

use crate::Decisions;
use crate::home::{Home, home};
use crate::printed::printed;
use polyfold_c::code::{Kind, is_type_declared, labels, tokens, words};
use polyfold_emit::{Additions, attributed};
use polyfold_isl::Result;
use polyfold_program::{BufferId, Program, Stmt};
use polyfold_prove::Placed;
use polyfold_scop::{ArrayId, Declaration, Scop, StatementId};
use polyfold_transform::privatize;

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
    if !is_plain(source, decisions.scop) {
        return Ok(found);
    }
    let alone = |place: &&Placed| place.is_one_cell() && place.shared().is_none() && place.inside().is_none();
    for place in decisions.mapped.iter().filter(alone) {
        let name = decisions.name(place, source);
        let id = after.newest_buffer(&name);
        let is_fine = |own: &Program| {
            (own.is_well_scoped() || !after.is_well_scoped()) && is_printed((source, decisions.scop), own)
        };
        let own = id.and_then(|id| Some((id, privatize(&program, id).filter(is_fine)?)));
        if let Some((id, own)) = own
            && matches!(home(source, decisions, place)?, Home::InPlace | Home::AtScop)
            && let Some(declaration) = declaration(source, decisions, (place, &name), &declaring(&own, id))
        {
            program = own;
            found.push(InTurn { array: place.array(), declaration });
        }
    }
    Ok(found)
}

/// Whether declarations of variables can stand in the text: a label takes none, and blocks of its own end there.
fn is_printed((source, scop): (&str, &Scop), after: &Program) -> bool {
    let additions = Additions { declaration: &|_| Some(String::new()), ..Additions::none() };
    let text = scop.written_in_file().and_then(|written| printed(source, scop, written, (after, &additions)));
    text.is_some()
}

/// The statements that declare a variable.
fn declaring(program: &Program, variable: BufferId) -> Vec<StatementId> {
    let mut found = Vec::new();
    let mut visit = |stmt: &Stmt| {
        if stmt.declared() == Some(variable) {
            found.extend(stmt.instance().map(|(id, _)| StatementId(id.0)));
        }
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

/// How a variable is declared by some statements; `None`: it can't be.
fn declaration(
    source: &str,
    decisions: &Decisions,
    (place, name): (&Placed, &str),
    by: &[StatementId],
) -> Option<String> {
    let scop = decisions.scop;
    let declaration = decisions.array(place.array()).declaration.as_ref()?;
    let is_fine = |id: &StatementId| means_the_same(source, scop, declaration, scop.statement(*id).span.start);
    let specifiers = specifiers(declaration).filter(|_| !by.is_empty() && by.iter().all(is_fine))?;
    Some(attributed(&format!("{specifiers} {name}"), &declaration.attributes))
}

/// Whether a scop is gone through from its beginning to its end, and directives in it are pragmas.
fn is_plain(source: &str, scop: &Scop) -> bool {
    let jumps = ["goto", "switch", "case", "default", "asm", "__asm", "__asm__"];
    let is_pragma = |text: &str| words(text).next().is_some_and(|(_, word)| word == "pragma");
    let all = tokens(source, &scop.span);
    let is_aimed_at = || tokens(source, &(0..source.len())).iter().any(|t| t.text == "goto");
    (labels(source, &scop.span).is_empty() || !is_aimed_at())
        && all.iter().all(|t| if t.kind == Kind::Directive { is_pragma(t.text) } else { !jumps.contains(&t.text) })
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
