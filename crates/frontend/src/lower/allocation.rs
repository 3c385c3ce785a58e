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

use super::Site;
use super::arrays::dimensions;
use super::facts::{Facts, scop_range};
use super::sharing::Uses;
use crate::syntax::{
    BinaryOperator, Derivation, Expression, ExpressionKind, Statement, StatementKind, UnaryOperator, Variable,
    VariableId,
};
use polyfold_scop::{Comparison, Span, Storage};
use std::collections::HashSet;

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
    let is_pointer = matches!(variable.shape.first(), Some(Derivation::Pointer));
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

/// The function's name and arguments, if an expression calls `malloc` or the like, maybe with a cast in front.
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
        if !matches!((name, arguments.len()), ("malloc", 1) | ("calloc", 2)) || !self.is_the_librarys(name) {
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

    /// Whether a function is that of the C library.
    fn is_the_librarys(&self, name: &str) -> bool {
        self.site.table.object(name).is_none() && self.site.unit.functions.iter().all(|f| f.name != name)
    }

    /// Whether a statement is in a block around the scop, in front of it.
    fn is_in_line(&self, wanted: &Statement) -> bool {
        let scop = scop_range(self.site);
        let mut around = Some(&self.site.function.body);
        while let Some(statement) = around {
            let parts = inner(statement);
            let is_block = matches!(statement.kind, StatementKind::Block(_));
            if is_block && parts.iter().any(|part| std::ptr::eq(*part, wanted)) {
                return wanted.span.end <= scop.start;
            }
            around = parts.into_iter().find(|part| part.span.start <= scop.start && scop.end <= part.span.end);
        }
        false
    }

    /// A label between the allocation and what holds the scop, or in that: who comes from there may bring other memory along.
    fn way_around(&self, statement: &Statement, own: &Statement) -> Option<usize> {
        let scop = scop_range(self.site);
        let parts = inner(statement);
        if let Some(place) = parts.iter().position(|part| std::ptr::eq(*part, own)) {
            let with_scop = parts.iter().position(|part| part.span.start <= scop.start && scop.end <= part.span.end);
            let end = with_scop.map_or(scop.end, |with_scop| parts[with_scop].span.end);
            let between = parts[place + 1..].iter().take_while(|part| part.span.start < end);
            return between.into_iter().find_map(|part| self.label(part, &scop));
        }
        parts.into_iter().find_map(|part| self.way_around(part, own))
    }

    /// A label outside the scop.
    fn label(&self, statement: &Statement, scop: &Span) -> Option<usize> {
        let text = self.site.expanded.text.get(statement.span.clone()).unwrap_or("");
        let is_label = match &statement.kind {
            StatementKind::Label(..) | StatementKind::Other("this construct", ..) => true,
            StatementKind::Empty => text.contains(':'),
            _ => false,
        };
        let start = statement.span.start;
        if is_label && !scop.contains(&start) {
            return Some(start);
        }
        inner(statement).into_iter().find_map(|part| self.label(part, scop))
    }

    /// A mention outside the scop that may hand the memory to somebody, or use it.
    fn other_mention(&self, own: &Statement) -> Option<usize> {
        let scop = scop_range(self.site);
        let mut harmless = HashSet::new();
        self.note_harmless(&self.site.function.body, own, &mut harmless);
        let body = self.site.function.body.span.clone();
        let mentions = self.facts.named(&self.variable.name, body).filter(|(_, meant)| *meant == self.id);
        let mut places = mentions.map(|(at, _)| at).filter(|at| *at != self.variable.name_span.start);
        places.find(|at| !scop.contains(at) && !harmless.contains(at) && !self.is_asserted(*at))
    }

    /// Whether a mention is made by `assert(t)` or `assert(t != NULL)`, as the C library has it.
    fn is_asserted(&self, at: usize) -> bool {
        let expanded = self.site.expanded;
        let Some(segment) = expanded.segment_at(at).map(|segment| &expanded.segments[segment]) else { return false };
        if !expanded.text.get(segment.at.clone()).is_some_and(|text| text.contains("__assert")) {
            return false;
        }
        let text = self.site.source.get(segment.replaces.clone()).unwrap_or("");
        let Some(tested) = text.strip_prefix("assert") else { return false };
        let name = &self.variable.name;
        let plain: String = tested.chars().filter(|c| !c.is_whitespace()).collect();
        [format!("({name})"), format!("({name}!=NULL)"), format!("({name}!=0)")].contains(&plain)
    }

    fn note_harmless(&self, statement: &Statement, own: &Statement, harmless: &mut HashSet<usize>) {
        if std::ptr::eq(statement, own) {
            self.note_in_own(own, harmless);
        }
        match &statement.kind {
            StatementKind::Expression(e) => match &e.kind {
                ExpressionKind::Assign(operator, place, value) if operator == "=" && is_null(value) => {
                    self.note_name(place, harmless);
                }
                ExpressionKind::Cast(_, inner) => self.note_name(inner, harmless),
                _ => {}
            },
            StatementKind::If(condition, ..) => self.note_name(condition, harmless),
            _ => {}
        }
        direct(statement).into_iter().for_each(|e| e.walk(&mut |part| self.note_in(part, harmless)));
        inner(statement).into_iter().for_each(|s| self.note_harmless(s, own, harmless));
    }

    /// What the statement with the call mentions: the pointer where it is set, and in the call.
    fn note_in_own(&self, own: &Statement, harmless: &mut HashSet<usize>) {
        let set = match &own.kind {
            StatementKind::Declaration(list) => {
                let values = list.iter().filter(|(id, _)| *id == self.id).filter_map(|(_, value)| value.as_ref());
                return values.for_each(|value| self.note_in_call(value, harmless));
            }
            StatementKind::Expression(e) => e,
            StatementKind::If(e, ..) => tested(e),
            _ => return,
        };
        if let ExpressionKind::Assign(_, place, value) = &set.kind {
            self.note_name(place, harmless);
            self.note_in_call(value, harmless);
        }
    }

    /// Tests and `free`.
    fn note_in(&self, e: &Expression, harmless: &mut HashSet<usize>) {
        match &e.kind {
            ExpressionKind::Unary(UnaryOperator::Not, inner) => self.note_name(inner, harmless),
            ExpressionKind::Binary(BinaryOperator::And | BinaryOperator::Or, a, b)
            | ExpressionKind::Binary(BinaryOperator::Compare(Comparison::Equal | Comparison::NotEqual), a, b) => {
                self.note_name(a, harmless);
                self.note_name(b, harmless);
            }
            ExpressionKind::Ternary(condition, ..) => self.note_name(condition, harmless),
            ExpressionKind::Call(callee, arguments) => {
                let is_free = matches!(&callee.kind, ExpressionKind::Name(name, None) if name == "free");
                if let ([argument], true) = (arguments.as_slice(), is_free && self.is_the_librarys("free")) {
                    let inner = if let ExpressionKind::Cast(_, inner) = &argument.kind { inner } else { argument };
                    self.note_name(inner, harmless);
                }
            }
            _ => {}
        }
    }

    fn note_name(&self, e: &Expression, harmless: &mut HashSet<usize>) {
        if e.variable() == Some(self.id) {
            harmless.insert(e.span.start);
        }
    }

    /// `sizeof *t` in the call.
    fn note_in_call(&self, call: &Expression, harmless: &mut HashSet<usize>) {
        call.walk(&mut |e| {
            if let ExpressionKind::Sizeof(parts) = &e.kind {
                parts.iter().for_each(|part| part.walk(&mut |inner| self.note_name(inner, harmless)));
            }
        });
    }

    /// The factors of the number of elements; `None` where that is not what the arguments say.
    fn elements(&self, arguments: &[Expression]) -> Option<Vec<Expression>> {
        let mut factors = Vec::new();
        arguments.iter().for_each(|argument| flatten(argument, &mut factors));
        let mut elements = Vec::new();
        let mut measured = 0;
        for factor in factors {
            match &factor.kind {
                ExpressionKind::Sizeof(parts) => {
                    measured += 1;
                    elements.extend(self.elements_in(parts)?);
                }
                _ => elements.push(factor.clone()),
            }
        }
        (measured == 1).then_some(elements)
    }

    /// How many elements an operand of `sizeof` has.
    fn elements_in(&self, parts: &[Expression]) -> Option<Vec<Expression>> {
        let [operand] = parts else { return None };
        let text = self.site.expanded.text.get(operand.span.clone())?;
        if text.split_whitespace().collect::<Vec<_>>().join(" ") == self.variable.element {
            return Some(Vec::new());
        }
        if let ExpressionKind::Other("a type", parts) = &operand.kind {
            let mut extents = Vec::new();
            parts.iter().for_each(|part| leaves(part, &mut extents));
            let words = text.split('[').next()?.split_whitespace().collect::<Vec<_>>().join(" ");
            let brackets = text.matches('[').count();
            extents.retain(|e| e.span.start > operand.span.start + words.len() - 1);
            return (words == self.variable.element && brackets == extents.len()).then_some(extents);
        }
        let depth = self.depth(operand)?;
        let inner = self.variable.shape.get(depth..dimensions(self.variable))?;
        inner.iter().map(|d| if let Derivation::Array(Some(e)) = d { Some(e.clone()) } else { None }).collect()
    }

    /// How many dimensions an expression takes off the pointer.
    fn depth(&self, e: &Expression) -> Option<usize> {
        match &e.kind {
            ExpressionKind::Name(_, Some(id)) => (*id == self.id).then_some(0),
            ExpressionKind::Unary(UnaryOperator::Dereference, inner) | ExpressionKind::Index(inner, _) => {
                Some(self.depth(inner)? + 1)
            }
            _ => None,
        }
        .filter(|depth| *depth <= dimensions(self.variable))
    }
}

/// The operands of a product, whichever integer types they are cast to.
fn flatten<'e>(e: &'e Expression, factors: &mut Vec<&'e Expression>) {
    match &e.kind {
        ExpressionKind::Binary(BinaryOperator::Multiply, a, b) => {
            flatten(a, factors);
            flatten(b, factors);
        }
        ExpressionKind::Cast(to, inner) if to.bits() == 64 => flatten(inner, factors),
        _ => factors.push(e),
    }
}

/// The expressions in an abstract declarator, in text order.
fn leaves(e: &Expression, found: &mut Vec<Expression>) {
    match &e.kind {
        ExpressionKind::Other(_, parts) => parts.iter().for_each(|part| leaves(part, found)),
        _ => {
            found.push(e.clone());
            found.sort_by_key(|e| e.span.start);
        }
    }
}

/// What is cast.
pub(super) fn without_cast(e: &Expression) -> &Expression {
    if let ExpressionKind::Cast(_, inner) = &e.kind { without_cast(inner) } else { e }
}

/// What a condition compares with nothing.
fn tested(e: &Expression) -> &Expression {
    match &e.kind {
        ExpressionKind::Unary(UnaryOperator::Not, inner) => tested(inner),
        ExpressionKind::Binary(BinaryOperator::Compare(_), a, b) if is_null(b) => tested(a),
        ExpressionKind::Binary(BinaryOperator::Compare(_), a, b) if is_null(a) => tested(b),
        _ => e,
    }
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
    crate::source::line_of(site.source, site.expanded.to_file(span).start)
}
