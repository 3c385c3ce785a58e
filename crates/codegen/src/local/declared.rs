//! Declarations in a region, without the arrays that live in local ones.

use crate::edit::Edit;
use crate::tokens::{Token, tokens};
use polyfold_scop::{Declaration, Span};
use std::collections::BTreeMap;

/// Takes arrays out of their declarations: those that declare nothing else go, with their line.
pub(super) fn without(source: &str, declarations: &[&Declaration]) -> Vec<Edit> {
    let mut statements: BTreeMap<usize, Vec<&Declaration>> = BTreeMap::new();
    for declaration in declarations {
        statements.entry(declaration.statement.start).or_default().push(declaration);
    }
    statements.values().flat_map(|gone| without_some(source, gone)).collect()
}

fn without_some(source: &str, gone: &[&Declaration]) -> Vec<Edit> {
    let statement = &gone[0].statement;
    let all = declarators(source, statement);
    let of = |declarator: &Span| gone.iter().find(|d| declarator.contains(&d.name.span.start));
    let first_left = all.iter().position(|declarator| of(declarator).is_none());
    let Some(first_left) = first_left.filter(|_| all.len() == gone[0].siblings) else {
        return vec![Edit { span: whole_line(source, statement), text: String::new() }];
    };
    let mut edits = Vec::new();
    for (k, declarator) in all.iter().enumerate() {
        let Some(own) = of(declarator) else { continue };
        // With the comma in front of it, or behind it if nothing in front is left.
        let span = match (k < first_left, k) {
            (true, 0) => source[..own.declarator.span.start].trim_end().len()..all[1].start,
            (true, _) => declarator.start..declarator.end + 1,
            (false, _) => declarator.start - 1..declarator.end,
        };
        edits.push(Edit { span, text: String::new() });
    }
    edits
}

/// Between specifiers, commas and the semicolon of a declaration.
fn declarators(source: &str, statement: &Span) -> Vec<Span> {
    let all = tokens(source, statement);
    let mut depth = 0;
    let mut ends: Vec<&Token> = Vec::new();
    for token in &all {
        depth += i32::from(token.is_any(&['(', '[', '{'])) - i32::from(token.is_any(&[')', ']', '}']));
        if depth == 0 && token.is_any(&[',', ';']) {
            ends.push(token);
        }
    }
    let starts = [statement.start].into_iter().chain(ends.iter().map(|end| end.span().end));
    starts.zip(&ends).map(|(start, end)| start..end.at).collect()
}

/// A statement with the line break and the blanks in front of it.
fn whole_line(source: &str, statement: &Span) -> Span {
    let before = &source[..statement.start];
    let blank = before.len() - before.trim_end_matches([' ', '\t']).len();
    let start = statement.start - blank;
    if source[..start].ends_with('\n') { start - 1..statement.end } else { statement.clone() }
}
