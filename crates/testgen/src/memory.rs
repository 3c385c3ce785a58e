//! Temporaries in memory from `malloc`.
//!
//! A program is made with declared arrays first. Some of these become pointers then, and references to most of them one subscript:
//!
//! ```text
//! double A[n][m + 1];  A[i][j - 1]      double *A = malloc(sizeof *A * n * (m + 1));  A[i * (m + 1) + j - 1]
//!                                       double (*A)[m + 1] = malloc(sizeof *A * n);   A[i][j - 1]
//! ```
//!
//! Decisions are drawn from a stream of their own, so that other programs stay as they are.

use crate::array::{Array, Kind, Memory};
use crate::draft::Draft;
use crate::options::Feature;
use crate::random::Random;
use crate::text::Lines;

/// Moves some temporaries, if the feature is on; a block with an array of the same name would be rewritten with them.
pub(crate) fn allocate(draft: &mut Draft) {
    draft.random = Random::stream(draft.seed, 502);
    let is_shadowed = draft.features.contains(&Feature::Shadowed);
    if is_shadowed || !draft.chance(Feature::Allocated, 35) {
        return;
    }
    for at in 0..draft.arrays.len() {
        let (is_chosen, is_in_rows) = (draft.random.percent(75), draft.random.percent(20));
        let array = &mut draft.arrays[at];
        if array.kind == Kind::Temporary && is_chosen {
            let has_rows = is_in_rows && array.extents.len() > 1;
            array.memory = if has_rows { Memory::Rows } else { Memory::Flat };
        }
    }
    let flat: Vec<Array> = draft.arrays.iter().filter(|a| a.memory == Memory::Flat).cloned().collect();
    for array in &flat {
        let lines = std::mem::take(&mut draft.lines);
        draft.lines = lines.iter().map(|line| flattened(draft, array, line)).collect();
    }
}

/// The call for a temporary, and what is done if it fails.
pub(crate) fn allocation(draft: &Draft, array: &Array) -> Lines {
    let Array { name, element, .. } = array;
    let sizes: Vec<String> = array.extents.iter().map(|size| operand(&draft.size(*size))).collect();
    let (pointer, counted) = match array.memory {
        Memory::Rows => {
            let rows: String = array.extents[1..].iter().map(|size| format!("[{}]", draft.size(*size))).collect();
            (format!("(*{name}){rows}"), &sizes[..1])
        }
        Memory::Declared | Memory::Flat => (format!("*{name}"), &sizes[..]),
    };
    let call = format!("{element} {pointer} = malloc(sizeof *{name} * {});", counted.join(" * "));
    vec![call, format!("if (!{name})"), "  abort();".into()]
}

/// A line with one subscript in each reference to an array.
fn flattened(draft: &Draft, array: &Array, line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(at) = rest.find(&array.name) {
        let end = at + array.name.len();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let begins = !rest[..at].ends_with(is_part) && rest[end..].starts_with('[');
        out.push_str(&rest[..end]);
        rest = &rest[end..];
        if !begins {
            continue;
        }
        let mut subscripts = Vec::new();
        while subscripts.len() < array.extents.len()
            && let Some(closing) = closing(rest)
        {
            subscripts.push(flattened(draft, array, &rest[1..closing]));
            rest = &rest[closing + 1..];
        }
        out.push_str(&format!("[{}]", joined(draft, array, &subscripts)));
    }
    out + rest
}

/// By Horner's rule.
fn joined(draft: &Draft, array: &Array, subscripts: &[String]) -> String {
    let mut all = subscripts[0].clone();
    for (subscript, size) in subscripts.iter().zip(&array.extents).skip(1) {
        let summand = if subscript.contains(['?', '<', '>']) { format!("({subscript})") } else { subscript.clone() };
        all = format!("{} * {} + {summand}", operand(&all), operand(&draft.size(*size)));
    }
    all
}

/// Where the bracket in front of a text is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.starts_with('[').then_some(())?;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        (depth == 0).then_some(at)
    })
}

fn operand(text: &str) -> String {
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word { text.to_string() } else { format!("({text})") }
}
