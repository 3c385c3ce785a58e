//! Lines of C: loops and conditionals around other lines.

/// Lines, indented relative to what surrounds them.
pub(crate) type Lines = Vec<String>;

pub(crate) fn line(text: impl Into<String>) -> Lines {
    vec![text.into()]
}

pub(crate) fn indent(lines: Lines) -> Lines {
    lines.into_iter().map(|l| if l.starts_with('#') { l } else { format!("  {l}") }).collect()
}

/// `header body`, with braces where C or a reader needs them.
pub(crate) fn block(header: String, body: Lines) -> Lines {
    let brace = body.len() > 1;
    let mut lines = vec![if brace { format!("{header} {{") } else { header }];
    lines.extend(indent(body));
    if brace {
        lines.push("}".into());
    }
    lines
}

/// `if (condition) then else otherwise`; no `else` if `otherwise` is empty.
pub(crate) fn choice(condition: &str, then: Lines, otherwise: Lines) -> Lines {
    let mut lines = vec![format!("if ({condition}) {{")];
    lines.extend(indent(then));
    if !otherwise.is_empty() {
        lines.push("} else {".into());
        lines.extend(indent(otherwise));
    }
    lines.push("}".into());
    lines
}

/// How many statements there are.
pub(crate) fn statements(lines: &[String]) -> usize {
    lines.iter().filter(|l| l.ends_with(';')).count()
}

/// `base + offset` as a person writes it.
pub(crate) fn plus(base: &str, offset: i64) -> String {
    match offset {
        0 => base.into(),
        o if o > 0 => format!("{base} + {o}"),
        o => format!("{base} - {}", -o),
    }
}
