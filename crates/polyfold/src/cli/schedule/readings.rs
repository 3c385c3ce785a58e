//! Other readings of a program, in which more of its loops may be fused.
//!
//! * *Values in place*: an integer that keeps the sum of counters and sizes which it is declared as gives way to that sum.
//! * *One declaration each*: `float a = 0, b = 0;` is two declarations, so that each can move with what uses it.
//! * *Own names*: where several blocks declare a variable of one name, each gets its own, so that declarations can move in front.
//! * *At values*: a constant that is a size, such as the radius of a filter, stands for all sizes, and a loop from −R to R may need what comes any
//!   number of iterations later. At its value it does not; the result asserts that value.
//!
//! Invariant: whoever takes a result of such a reading takes its text, too.

use super::super::Failure;
use super::super::arguments::ProgramArguments;
use super::super::compiler::{language, preprocess};
use super::super::input::{Input, reread, reread_at_values};
use polyfold_codegen::{OwnNames, stands_in_a_block};
use polyfold_scop::{Declaration, StandIn};
use std::collections::BTreeMap;
use std::ops::Range;

/// The program without the integers of one scop that stand for what they are declared as; `None`: it has none.
///
/// # Errors
/// When the text is malformed.
pub(super) fn with_values_in_place(
    input: &Input,
    place: usize,
    program: &ProgramArguments,
) -> Result<Option<Input>, Failure> {
    let mut current: Option<Input> = None;
    loop {
        let now = current.as_ref().unwrap_or(input);
        let Some(text) = values_in_place(now, place) else { return Ok(current) };
        let Some(next) = reread(now, text, program)? else { return Ok(current) };
        current = Some(next);
    }
}

/// The same for those whose value mentions no other one.
fn values_in_place(input: &Input, place: usize) -> Option<String> {
    let (source, all) = (&input.source, &input.parsed.scops.get(place)?.stand_ins);
    let holds = |value: &Range<usize>, used: &Range<usize>| value.start <= used.start && used.end <= value.end;
    let is_first = |one: &&StandIn| !all.iter().flat_map(|other| &other.uses).any(|used| holds(&one.value, used));
    // A comment could swallow what follows.
    let is_plain = |one: &&StandIn| {
        !source[one.declaration.clone()].contains("//") && stands_in_a_block(source, one.declaration.start)
    };
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for one in all.iter().filter(is_first).filter(is_plain) {
        // Lines stay where they are.
        let breaks = source[one.declaration.clone()].matches('\n').count();
        edits.push((one.declaration.clone(), "\n".repeat(breaks)));
        edits.extend(one.uses.iter().map(|used| (used.clone(), format!("({})", &source[one.value.clone()]))));
    }
    edits.sort_by_key(|(span, _)| span.start);
    let mut text = source.clone();
    for (span, new) in edits.iter().rev() {
        text.replace_range(span.clone(), new);
    }
    (!edits.is_empty()).then_some(text)
}

/// The program in which each variable that one scop declares has a declaration of its own; `None`: they have.
///
/// # Errors
/// When the text is malformed.
pub(super) fn with_one_declaration_each(
    input: &Input,
    place: usize,
    program: &ProgramArguments,
) -> Result<Option<Input>, Failure> {
    let mut groups: BTreeMap<(usize, usize), Vec<&Declaration>> = BTreeMap::new();
    for declaration in input.parsed.scops[place].arrays.iter().filter_map(|array| array.declaration.as_ref()) {
        if declaration.inside_scop && declaration.siblings > 1 && declaration.declarator.fragment.is_none() {
            groups.entry((declaration.statement.start, declaration.statement.end)).or_default().push(declaration);
        }
    }
    let mut text = input.source.clone();
    for ((start, end), group) in groups.into_iter().rev() {
        if let Some(apart) = taken_apart(&input.source, start..end, group) {
            text.replace_range(start..end, &apart);
        }
    }
    if text == input.source { Ok(None) } else { reread(input, text, program) }
}

/// `float a = 0; float b = 0;`; `None`: some of its variables are not the scop's, or it is no statement by itself.
fn taken_apart(source: &str, statement: Range<usize>, mut group: Vec<&Declaration>) -> Option<String> {
    let whole = &source[statement.clone()];
    let is_statement = stands_in_a_block(source, statement.start);
    // A comment may hold a comma.
    if !is_statement || group.len() != group[0].siblings || whole.contains("/*") || whole.contains("//") {
        return None;
    }
    group.sort_by_key(|declaration| declaration.declarator.span.start);
    let last = statement.start + whole.trim_end().strip_suffix(';')?.len();
    let starts: Vec<usize> = group.iter().map(|declaration| declaration.declarator.span.start).collect();
    let ends =
        starts[1..].iter().map(|next| source[..*next].trim_end().strip_suffix(',').map(str::len)).chain([Some(last)]);
    let parts = group.iter().zip(starts.iter().zip(ends)).map(|(declaration, (start, end))| {
        Some(format!("{} {};", declaration.specifiers.trim(), source[*start..end?].trim()))
    });
    Some(parts.collect::<Option<Vec<String>>>()?.join(" "))
}

/// The program in which the variables of one scop have names of their own; `None`: they have.
///
/// # Errors
/// When there is no compiler, or it rejects the text.
pub(super) fn with_own_names(
    input: &Input,
    place: usize,
    program: &ProgramArguments,
) -> Result<Option<Input>, Failure> {
    let Some(named) = OwnNames::of(&input.source, &input.parsed.scops[place]) else { return Ok(None) };
    let flags = program.compiler.flags();
    let compiled = |text: &str| preprocess(text, &input.path, language(&input.path), &flags);
    if !named.differ_only(&compiled(&input.source)?, &compiled(&named.text)?) {
        return Ok(None);
    }
    reread(input, named.text, program)
}

/// The program with some constants taken at their values.
///
/// # Errors
/// When the text is malformed.
pub(super) fn at_values(input: &Input, names: &[String], program: &ProgramArguments) -> Result<Option<Input>, Failure> {
    reread_at_values(input, input.source.clone(), [&input.pinned, names].concat(), program)
}
