//! Local pointers to memory that the function allocates, and that nobody else sees.
//!
//! The idea: a pointer that gets its memory from one call of `malloc` or `calloc`, in front of the scop and in straight line with
//! it, is as good as a local array if it stands nowhere else but in the scop, in `free`, and in tests whether the call
//! succeeded. The number of its elements is the product of the factors in the call, but for a `sizeof` of them:
//!
//! ```text
//! malloc(f₁ * … * sizeof(T) * … * fₖ)    has    f₁ · … · fₖ    elements
//! ```
//!
//! Example: `double *t = malloc(n * m * sizeof(double)); if (!t) return 1;` has the factors n and m.
//!
//! What is assumed: the product in the call does not wrap, and no factor is negative.

mod elements;
mod line;
mod mentions;
mod sharing;

use super::Site;
use super::facts::Facts;
use polyfold_c::syntax::{
    Derivation, Expression, ExpressionKind, Statement, StatementKind, Storage, Variable, VariableId,
};
use polyfold_scop::Span;
use sharing::Uses;

/// Where a pointer gets its memory. All spans are of the expanded text.
#[derive(Clone)]
pub(super) struct Allocated {
    pub(super) statement: Span,
    /// Between the call's parentheses.
    pub(super) arguments: Span,
    pub(super) is_cleared: bool,
    /// What the numbers of elements are multiplied of, in text order.
    pub(super) factors: Vec<Expression>,
    /// The call, with its parentheses.
    pub(super) call: Span,
    pub(super) uses: Uses,
}

/// Why it is not understood where a pointer gets its memory, or who has it.
#[derive(Clone)]
pub(super) struct Unclear {
    /// One sentence in the user's words.
    pub(super) reason: String,
    /// Whether the user would expect the array to change.
    pub(super) is_surprising: bool,
}

fn unclear<T>(reason: String) -> Result<T, Unclear> {
    Err(Unclear { reason, is_surprising: true })
}

/// Where a pointer of the function gets its memory, or why that is not understood; `None` if it is no such pointer.
pub(super) fn allocation(site: &Site, facts: &Facts, id: VariableId) -> Option<Result<Allocated, Unclear>> {
    let variable = &site.unit.variables[id];
    let is_pointer = matches!(variable.shape.first(), Some(Derivation::Pointer(_)));
    if variable.storage != Storage::Local || !is_pointer || variable.hides_array {
        return None;
    }
    let mut found = Vec::new();
    calls(&site.function.body, id, &mut found);
    let (statement, call) = found.first()?;
    Some(match found.len() {
        1 => Search { site, facts, id, variable }.understood(statement, call),
        _ => unclear(format!(
            "it gets its memory at several places, the second at line {}",
            line(site, &found[1].1.span)
        )),
    })
}

/// The calls that give a variable its memory, with the statements that they stand in.
fn calls<'a>(statement: &'a Statement, id: VariableId, found: &mut Vec<(&'a Statement, &'a Expression)>) {
    let mut note = |value: &'a Expression| {
        if allocating(value).is_some() {
            found.push((statement, value));
        }
    };
    match &statement.kind {
        StatementKind::Declaration(list) => {
            list.iter().filter(|(declared, _)| *declared == id).filter_map(|(_, value)| value.as_ref()).for_each(note);
        }
        StatementKind::Block(_) => {}
        _ => direct(statement).into_iter().for_each(|e| {
            e.walk(&mut |part| {
                if let ExpressionKind::Assign(_, place, value) = &part.kind
                    && place.variable() == Some(id)
                {
                    note(value);
                }
            });
        }),
    }
    inner(statement).into_iter().for_each(|statement| calls(statement, id, found));
}

/// The expressions of a statement that stand in none of those in it.
fn direct(statement: &Statement) -> Vec<&Expression> {
    match &statement.kind {
        StatementKind::Expression(e) | StatementKind::If(e, ..) => vec![e],
        StatementKind::For { condition, update, .. } => condition.iter().chain(update).collect(),
        StatementKind::Other(_, _, expressions) => expressions.iter().collect(),
        _ => Vec::new(),
    }
}

/// The statements directly in a statement.
pub(super) fn inner(statement: &Statement) -> Vec<&Statement> {
    match &statement.kind {
        StatementKind::Block(list) | StatementKind::Other(_, list, _) => list.iter().collect(),
        StatementKind::For { body, .. } | StatementKind::Label(_, body) => vec![body],
        StatementKind::If(_, then, otherwise) => std::iter::once(then).chain(otherwise).map(|s| &**s).collect(),
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => Vec::new(),
    }
}

/// Functions of the C library that give memory that nobody else has.
const LIBRARY: [&str; 5] = ["malloc", "calloc", "realloc", "aligned_alloc", "alloca"];

/// Whether an expression calls one of them, maybe with a cast in front.
pub(super) fn is_allocating(site: &Site, e: &Expression) -> bool {
    allocating(e).is_some_and(|(name, _)| LIBRARY.contains(&name) && is_the_librarys(site, name))
}

/// Whether a function is that of the C library.
fn is_the_librarys(site: &Site, name: &str) -> bool {
    site.table.object(name).is_none() && site.unit.functions.iter().all(|f| f.name != name)
}

/// The function's name and arguments, if an expression calls `malloc`, or something with such a name, maybe with a cast in front.
fn allocating(e: &Expression) -> Option<(&str, &[Expression])> {
    match &e.kind {
        ExpressionKind::Cast(_, inner) => allocating(inner),
        ExpressionKind::Call(callee, arguments) => match &callee.kind {
            ExpressionKind::Name(name, None) if name.contains("alloc") => Some((name, arguments)),
            _ => None,
        },
        _ => None,
    }
}

struct Search<'a> {
    site: &'a Site<'a>,
    facts: &'a Facts,
    id: VariableId,
    variable: &'a Variable,
}

impl Search<'_> {
    fn understood(&self, statement: &Statement, call: &Expression) -> Result<Allocated, Unclear> {
        let Search { site, variable, .. } = *self;
        let at = |span: &Span| line(site, span);
        let (name, arguments) = allocating(call)
            .ok_or_else(|| Unclear { reason: "its memory is not from a call".to_string(), is_surprising: true })?;
        if !matches!((name, arguments.len()), ("malloc", 1) | ("calloc", 2)) || !is_the_librarys(site, name) {
            return unclear(format!(
                "its memory is from `{name}` at line {}: only malloc and calloc are known",
                at(&call.span)
            ));
        }
        if !self.is_in_line(statement) {
            let what = "which does not stand in front of the scop, in straight line with it";
            return unclear(format!("it is allocated at line {}, {what}", at(&call.span)));
        }
        if let Some(place) = self.way_around(&site.function.body, statement) {
            let what = "a jump to which may pass over its allocation";
            return unclear(format!("there is a label at line {}, {what}", at(&(place..place + 1))));
        }
        if let Some(place) = self.other_mention(statement) {
            let reason = format!("it is also used outside the scop, at line {}", at(&(place..place + 1)));
            return Err(Unclear { reason, is_surprising: false });
        }
        let factors = self.elements(arguments).ok_or_else(|| {
            let element = &variable.element;
            let reason = format!("the call at line {} does not multiply sizes by `sizeof({element})`", at(&call.span));
            Unclear { reason, is_surprising: true }
        })?;
        Ok(Allocated {
            statement: statement.span.clone(),
            arguments: arguments[0].span.start..arguments[arguments.len() - 1].span.end,
            is_cleared: name == "calloc",
            factors,
            call: without_cast(call).span.clone(),
            uses: Uses::of(site, self.id, statement),
        })
    }
}

/// What is cast.
pub(super) fn without_cast(e: &Expression) -> &Expression {
    if let ExpressionKind::Cast(_, inner) = &e.kind { without_cast(inner) } else { e }
}

pub(super) fn is_null(e: &Expression) -> bool {
    match &e.kind {
        ExpressionKind::Integer(0, _) | ExpressionKind::Literal => true,
        ExpressionKind::Name(name, None) => name == "NULL" || name == "nullptr",
        ExpressionKind::Cast(_, inner) => is_null(inner),
        _ => false,
    }
}

fn line(site: &Site, span: &Span) -> usize {
    polyfold_c::source::line_of(site.source, site.expanded.to_file(span).start)
}
