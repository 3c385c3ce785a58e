//! From text to scops: finding the regions, and lowering each in its function.

use crate::diagnostic::{Diagnostic, Severity};
use crate::expand::Expanded;
use crate::instrument::Preprocessed;
use crate::lower::{Site, lower};
use crate::macros::MacroTable;
use crate::pragma::Pragmas;
use crate::signature::{FunctionSignature, signature};
use crate::source::{Directive, directives, line_of, masked};
use crate::syntax::{Statement, StatementKind, Typedefs, Unit, parse_unit};
use polyfold_scop::{Scop, Span};

/// What the user says beside the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Arrays that nobody outside the scop looks at.
    pub temporary: Vec<String>,
    /// Arrays whose values from before the scop matter.
    pub live_in: Vec<String>,
    /// Arrays whose values after the scop matter.
    pub live_out: Vec<String>,
    /// Facts about sizes, in C or isl syntax.
    pub assume: Vec<String>,
}

/// What a file holds.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The scops that can be handled, in text order.
    pub scops: Vec<Scop>,
    /// The functions that hold scops, in text order.
    pub functions: Vec<FunctionSignature>,
    /// Whether the file defines `main`.
    pub has_main: bool,
    /// What the user should know.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the scops of a file.
///
/// `preprocessed` is what the compiler printed for [`instrument(source)`](crate::instrument).
pub fn parse(source: &str, preprocessed: &str, options: &Options) -> Parsed {
    let mut parsed = Parsed::default();
    let output = Preprocessed::read(source, preprocessed);
    let all = directives(source);
    let inactive = output.inactive(source, &all);
    let active: Vec<&Directive> =
        all.iter().filter(|d| !inactive.iter().any(|span| span.contains(&d.span.start))).collect();
    let regions = regions(source, &active, all.len() > active.len(), &mut parsed.diagnostics);
    let file = File {
        source,
        masked: masked(source, &all, &inactive),
        active,
        inactive,
        typedefs: Typedefs::read(preprocessed),
    };
    for region in &regions {
        let table = MacroTable::new(output.definitions_at(line_of(source, region.scop.start)));
        file.lower_region(region, &table, options, &mut parsed);
    }
    complain_about_options(options, &mut parsed);
    parsed
}

struct File<'a> {
    source: &'a str,
    masked: String,
    active: Vec<&'a Directive>,
    inactive: Vec<Span>,
    typedefs: Typedefs,
}

/// The spans of a pair of pragmas.
struct Region {
    scop: Span,
    endscop: Span,
}

/// Pairs the pragmas.
fn regions(source: &str, active: &[&Directive], some_skipped: bool, diagnostics: &mut Vec<Diagnostic>) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut open: Option<Span> = None;
    for directive in active {
        match (directive.pragma(), open.take()) {
            (Some("scop"), None) => open = Some(directive.span.clone()),
            (Some("scop"), Some(outer)) => {
                let line = line_of(source, outer.start);
                let message = format!("this scop starts inside the one of line {line}");
                let help = "end the first one with `#pragma endscop`";
                diagnostics.push(Diagnostic::error(message, directive.span.clone()).label("starts here").help(help));
                open = Some(directive.span.clone());
            }
            (Some("endscop"), Some(scop)) => regions.push(Region { scop, endscop: directive.span.clone() }),
            (Some("endscop"), None) => {
                let message = "this `#pragma endscop` ends no scop";
                let help = "write `#pragma scop` before the region";
                diagnostics.push(Diagnostic::error(message, directive.span.clone()).label("nothing to end").help(help));
            }
            (_, unchanged) => open = unchanged,
        }
    }
    if let Some(scop) = open {
        let help = "write `#pragma endscop` after the region";
        diagnostics.push(Diagnostic::error("this scop has no end", scop).label("starts here").help(help));
    }
    if regions.is_empty() && diagnostics.is_empty() {
        let help = "write `#pragma scop` before the loops to be optimized, `#pragma endscop` after them";
        let message = match some_skipped {
            true => "no `#pragma scop` in the parts of this file that are compiled",
            false => "no `#pragma scop` in this file",
        };
        diagnostics.push(Diagnostic::error(message, 0..0).help(help));
    }
    regions
}

impl File<'_> {
    fn lower_region(&self, region: &Region, table: &MacroTable, options: &Options, parsed: &mut Parsed) {
        let expanded = Expanded::new(&self.masked, table);
        let unit = parse_unit(&expanded.text, table, &self.typedefs);
        parsed.has_main |= unit.functions.iter().any(|f| f.name == "main");
        let span = region.scop.end..region.endscop.start;
        let range = expanded.position_of(span.start)..expanded.position_of(span.end);
        if let Some(diagnostic) = syntax_error(&expanded, &unit, &range) {
            parsed.diagnostics.push(diagnostic);
            return;
        }
        let Some(function) = unit.functions.iter().find(|f| f.span.contains(&range.start) && range.end <= f.span.end)
        else {
            let help = "put both pragmas into the body of one function";
            let message = "this scop is not inside a function";
            parsed.diagnostics.push(Diagnostic::error(message, region.scop.clone()).label("here").help(help));
            return;
        };
        let Some(found) = enclosing(&function.body, &range) else {
            let help = "put `#pragma scop` and `#pragma endscop` between statements of the same pair of braces";
            let message = "this scop does not start and end in the same block";
            parsed.diagnostics.push(Diagnostic::error(message, region.scop.clone()).label("here").help(help));
            return;
        };
        let new = signature(function, &unit, &expanded.text);
        if !parsed.functions.contains(&new) {
            parsed.functions.push(new);
        }
        let function_span = expanded.to_file(&function.span);
        let pragmas = Pragmas::read(self.source, &self.masked, &self.active, &function_span, &span);
        if let Some((message, span)) = &pragmas.unhandled {
            let help = "leave it outside `#pragma scop` … `#pragma endscop`";
            let warning = Diagnostic::warning(message.clone(), span.clone()).label("not handled").help(help);
            parsed.diagnostics.push(warning);
            return;
        }
        let skipped = self.skipped(&function_span);
        if skipped.iter().any(|s| s.start >= span.start && s.end <= span.end) {
            let message = "the result holds only for this configuration: a part of the scop is not compiled";
            parsed.diagnostics.push(Diagnostic::new(Severity::Warning, message, region.scop.clone()));
        }
        let site = Site {
            source: self.source,
            expanded: &expanded,
            unit: &unit,
            table,
            typedefs: &self.typedefs,
            function,
            statements: found.statements,
            span,
            line: line_of(self.source, region.scop.start),
            repeats: found.repeats || has_goto(&function.body),
            pragmas,
            skipped,
            options,
        };
        for name in site.pragmas.names().filter(|name| unit.variables.iter().all(|v| v.name != **name)) {
            let message = format!("`#pragma polyfold` names `{name}`, which is not declared in this file");
            let warning = Diagnostic::warning(message, region.scop.clone()).label("for this scop");
            parsed.diagnostics.push(warning.help("check the spelling"));
        }
        let Some(scop) = lower(&site, &mut parsed.diagnostics) else { return };
        match self.redefinition(&scop, &function_span) {
            Some(diagnostic) => parsed.diagnostics.push(diagnostic),
            None => parsed.scops.push(scop),
        }
    }

    /// A macro of the scop that means something else in another part of the function.
    fn redefinition(&self, scop: &Scop, function: &Span) -> Option<Diagnostic> {
        let inside = |d: &&&Directive| d.name == "undef" && function.contains(&d.span.start);
        let directive = self.active.iter().filter(inside).filter(|d| d.span.start < scop.span.end).find(|d| {
            scop.parameters.iter().any(|p| p.name == d.text) || scop.pinned.iter().any(|p| p.name == d.text)
        })?;
        let message = format!("`{}` changes its meaning inside the function", directive.text);
        let warning = Diagnostic::warning(message, directive.span.clone()).label("undefined here");
        Some(warning.help("define it once, before the function"))
    }

    /// Inactive text of a function that is not blank.
    fn skipped(&self, function: &Span) -> Vec<Span> {
        let inside = |span: &&Span| span.start >= function.start && span.end <= function.end;
        let speaks = |span: &&Span| !crate::macros::pieces(&self.source[(*span).clone()]).is_empty();
        self.inactive.iter().filter(inside).filter(speaks).cloned().collect()
    }
}

fn syntax_error(expanded: &Expanded, unit: &Unit, range: &Span) -> Option<Diagnostic> {
    let inside = |e: &&Span| e.start < range.end && e.end > range.start || e.is_empty() && range.contains(&e.start);
    let error = unit.errors.iter().filter(inside).min_by_key(|e| e.len())?;
    let start = error.start.max(range.start);
    let place = expanded.to_file(&(start..error.end.min(range.end).max(start)));
    Some(match expanded.segment_at(start) {
        Some(segment) => {
            let name = &expanded.segments[segment].name;
            let message = format!("polyfold cannot read what the macro `{name}` expands to");
            Diagnostic::warning(message, place).label("expands to this").help("write it out")
        }
        None => Diagnostic::error("this is not C, as far as polyfold can read it", place)
            .label("unexpected")
            .help("check for a missing `;`, `)` or `}`; language extensions in a scop are not handled"),
    })
}

struct Enclosing<'a> {
    statements: &'a [Statement],
    repeats: bool,
}

/// The statements between the pragmas: those of the innermost block around both.
fn enclosing<'a>(statement: &'a Statement, range: &Span) -> Option<Enclosing<'a>> {
    let around = |s: &Statement| s.span.start < range.start && s.span.end > range.end;
    match &statement.kind {
        StatementKind::Block(list) => {
            if let Some(inner) = list.iter().find(|s| around(s)) {
                return enclosing(inner, range);
            }
            let first = list.iter().position(|s| s.span.start >= range.start).unwrap_or(list.len());
            let count = list[first..].iter().take_while(|s| s.span.end <= range.end).count();
            let starts_whole = first == 0 || list[first - 1].span.end <= range.start;
            let ends_whole = list.get(first + count).is_none_or(|s| s.span.start >= range.end);
            let statements = &list[first..first + count];
            (starts_whole && ends_whole).then_some(Enclosing { statements, repeats: false })
        }
        StatementKind::For { body, .. } => enclosing(body, range).map(|e| Enclosing { repeats: true, ..e }),
        StatementKind::Label(_, inner) => enclosing(inner, range),
        StatementKind::If(_, then, otherwise) => {
            let inner = std::iter::once(then).chain(otherwise).find(|s| around(s))?;
            enclosing(inner, range)
        }
        StatementKind::Other(_, list, _) => {
            let inner = list.iter().find(|s| around(s))?;
            enclosing(inner, range).map(|e| Enclosing { repeats: true, ..e })
        }
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => None,
    }
}

fn has_goto(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Other("a `goto`", ..) => true,
        StatementKind::Other(_, list, _) | StatementKind::Block(list) => list.iter().any(has_goto),
        StatementKind::For { body, .. } | StatementKind::Label(_, body) => has_goto(body),
        StatementKind::If(_, then, otherwise) => has_goto(then) || otherwise.iter().any(|s| has_goto(s)),
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => false,
    }
}

fn complain_about_options(options: &Options, parsed: &mut Parsed) {
    let lists =
        [("--temporary", &options.temporary), ("--live-in", &options.live_in), ("--live-out", &options.live_out)];
    for (option, names) in lists {
        for name in names.iter().filter(|name| parsed.scops.iter().all(|s| s.array_named(name).is_none())) {
            let message = format!("`{option} {name}`: no scop uses an array or variable of this name");
            parsed.diagnostics.push(Diagnostic::warning(message, 0..0).help("check the spelling"));
        }
    }
    for text in &options.assume {
        if let Some(message) = crate::assume::complaint(&parsed.scops, text) {
            parsed.diagnostics.push(Diagnostic::error(message, 0..0).help("write it like `N >= 3 && M > N`"));
        }
    }
}
