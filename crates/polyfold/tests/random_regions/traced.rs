//! A program in local memory that says which cells it copies, and begins with local arrays full of bytes that are no number.
//!
//! ```text
//! A_local[e] = A[x][y];    becomes    { A_local[e] = A[x][y]; TRACE("in", A, A[x][y], A_local, A_local[e]); }
//! ```
//!
//! The counter of the loop around is -1 where copies stand in front of it, or behind. What goes to one of two buffers is for the iteration
//! whose buffer that is: the first one in front of the loop, and this one or the next one in it.

/// What a line of a copy calls.
const HEAD: &str = "enum { p = -1 };\n#define TRACE(at, way, of, cell, local, place) \\\n  \
    printf(\"@ %s %d %d %s %s %d %s %d\\n\", __func__, n, at, way, #of, (int)(&(cell) - &of[0][0]), #local, \\\n         \
    (int)(((const char *)&(place) - (const char *)&local) / (long)sizeof(double)))\n";

/// The text with both.
pub(crate) fn traced(text: &str) -> String {
    // Local arrays of several functions may have one name.
    let functions: Vec<String> = text.split(FUNCTION).map(traced_function).collect();
    functions.join(FUNCTION).replacen("#include \"harness.h\"\n", &format!("#include \"harness.h\"\n{HEAD}"), 1)
}

/// What a function begins with.
const FUNCTION: &str = "static void ";

fn traced_function(text: &str) -> String {
    let line = |line: &str| match (copy(line, text), declared(line)) {
        (Some(call), _) => format!("{{ {} {call} }}\n", line.trim()),
        (_, Some(name)) => format!("{line}\nmemset(&{name}, 255, sizeof {name});\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The iteration that a cell of a local array is for: the one that chooses the buffer, if there are two.
fn iteration<'a>(place: &'a str, text: &str) -> &'a str {
    match place.split_once('[').and_then(|(name, rest)| Some((name, rest.split_once(']')?.0))) {
        Some((name, chosen)) if text.contains(&format!("lives in {name}[p % 2]")) => chosen.trim_end_matches(" % 2"),
        _ => "p",
    }
}

/// The name of a local array that a line declares.
fn declared(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("double ").filter(|rest| rest.ends_with(';'))?;
    rest.split(['[', ' ', ';']).next().filter(|name| name.contains("_local"))
}

/// The call for a line that copies a cell.
fn copy(line: &str, text: &str) -> Option<String> {
    let (to, from) = line.trim().strip_suffix(';')?.split_once(" = ")?;
    let name = |side: &str| side.split('[').next().unwrap_or(side).to_string();
    let is_local = |name: &str| name.contains("_local") && !name.contains([' ', '(', '*']);
    let is_array = |name: &str| name == "A" || name == "B";
    let (of_to, of_from) = (name(to), name(from));
    if is_local(&of_to) && is_array(&of_from) && is_one_access(from) {
        return Some(format!("TRACE({}, \"in\", {of_from}, {from}, {of_to}, {to});", iteration(to, text)));
    }
    (is_array(&of_to) && is_local(&of_from) && is_one_access(from))
        .then(|| format!("TRACE({}, \"back\", {of_to}, {to}, {of_from}, {from});", iteration(from, text)))
}

/// Whether all of a text is an access, not a sum.
fn is_one_access(text: &str) -> bool {
    let mut depth = 0;
    let outside = |c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth == 0 && c.is_whitespace()
    };
    !text.contains(outside)
}
