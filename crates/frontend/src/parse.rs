//! From text to scops: finding the regions, and lowering each in its function.

use crate::diagnostic::{Diagnostic, Severity};
use crate::local::LocalRegion;
use crate::lower::{Site, Team, lower, misread_declaration};
use crate::pragma::{Pragmas, declared_pure, idle};
use crate::region::{
    Enclosing, Region, enclosing, jump_into, label_in_front, may_come_back, only, regions, starting_at,
};
use crate::signature::{FunctionSignature, signature};
use polyfold_c::compiled::{Compiled, Surroundings, difference, without_escapes};
use polyfold_c::expand::Expanded;
use polyfold_c::instrument::Preprocessed;
use polyfold_c::macros::MacroTable;
use polyfold_c::prototypes::Prototypes;
use polyfold_c::source::{Directive, blanked, directives, line_of, masked};
use polyfold_c::syntax::{Function, Members, Typedefs, Unit, parse_unit};
use polyfold_scop::{Code, Scop, Span};

/// What the user says beside the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Arrays that nobody outside the scop looks at.
    pub temporary: Vec<String>,
    /// Arrays whose values from before the scop matter.
    pub live_in: Vec<String>,
    /// Arrays whose values after the scop matter.
    pub live_out: Vec<String>,
    /// Functions whose only effects are through the addresses that they get.
    pub pure: Vec<String>,
    /// Facts about sizes, in C or isl syntax.
    pub assume: Vec<String>,
    /// Macros and enumeration constants that are taken at their values.
    pub pinned: Vec<String>,
    /// Whether the scop is to run in local memory: then what surrounds it is read, too.
    pub local: bool,
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

/// Whether a file declares a function of a name, or defines a macro of it.
pub fn can_call(source: &str, preprocessed: &str, name: &str) -> bool {
    let preprocessed = &without_escapes(preprocessed);
    let prototypes = Prototypes::read(preprocessed, &[name.to_string()], &Typedefs::read(preprocessed));
    let macros = || MacroTable::new(Preprocessed::read(source, preprocessed).definitions_at(usize::MAX));
    prototypes.of(name).is_some() || macros().has(name)
}

/// Reads the scops of a file.
///
/// `preprocessed` is what the compiler printed for [`instrument(source)`](polyfold_c::instrument).
pub fn parse(source: &str, preprocessed: &str, options: &Options) -> Parsed {
    parse_some(source, preprocessed, options, None)
}

/// Reads one region of a file as its only scop. `regions`: all of them.
pub fn parse_region(
    source: &str,
    preprocessed: &str,
    options: &Options,
    (own, regions): (&LocalRegion, &[LocalRegion]),
) -> Parsed {
    let (scop, span) = (own.pragma.clone(), own.pragma.end..own.statement.end);
    let region = Region { scop, span, endscop: None };
    parse_some(source, preprocessed, options, Some(Only { region, regions, blocks: Vec::new() }))
}

/// Reads a statement around some regions, or one of these, as the only scop. The counters of loops around regions are sizes, but
/// counters in the program. The regions are blocks of the program.
pub fn parse_around(
    source: &str,
    preprocessed: &str,
    options: &Options,
    (span, regions): (&Span, &[LocalRegion]),
) -> Option<Scop> {
    let is_in = |own: &Span| span.start <= own.start && own.end <= span.end;
    let blocks: Vec<Span> = regions.iter().map(|own| own.statement.clone()).filter(is_in).collect();
    let first = regions.iter().find(|own| is_in(&own.statement))?;
    let region = Region { scop: first.scop_pragma()?, span: span.clone(), endscop: None };
    parse_some(source, preprocessed, options, Some(Only { region, regions, blocks })).scops.pop()
}

/// What is read alone.
struct Only<'a> {
    region: Region,
    /// Regions of the file.
    regions: &'a [LocalRegion],
    /// Those that are blocks of the program.
    blocks: Vec<Span>,
}

fn parse_some(source: &str, preprocessed: &str, options: &Options, only: Option<Only>) -> Parsed {
    let mut parsed = Parsed::default();
    let preprocessed = &without_escapes(preprocessed);
    let output = Preprocessed::read(source, preprocessed);
    let all = directives(source);
    let inactive = output.inactive(source, &all);
    let active: Vec<&Directive> =
        all.iter().filter(|d| !inactive.iter().any(|span| span.contains(&d.span.start))).collect();
    let (local, blocks) = only.as_ref().map_or((&[][..], &[][..]), |own| (own.regions, &own.blocks));
    let regions = match &only {
        Some(own) if active.iter().any(|d| d.span == own.region.scop) => vec![own.region.clone()],
        Some(_) => regions(source, &[], true, &mut parsed.diagnostics),
        None => regions(source, &active, all.len() > active.len(), &mut parsed.diagnostics),
    };
    let typedefs = Typedefs::read(preprocessed);
    let file = File {
        source,
        masked: masked(source, &all, &inactive),
        active,
        inactive,
        blocks,
        regions: local,
        members: Members::read(preprocessed, &typedefs),
        typedefs,
        compiled: &output.compiled,
    };
    let pure = options.pure.iter().cloned().chain(declared_pure(file.active.iter().copied())).collect::<Vec<_>>();
    let prototypes = Prototypes::read(preprocessed, &pure, &file.typedefs);
    let mut reading: Option<Reading> = None;
    for region in &regions {
        let table = MacroTable::new(output.definitions_at(line_of(source, region.scop.start)));
        let reading = match reading.take().filter(|r| r.table == table) {
            Some(same) => reading.insert(same),
            None => reading.insert(file.reading(table)),
        };
        parsed.has_main |= reading.has_main();
        if let Some(other) = other_model(&reading.table) {
            let warning = Diagnostic::warning(Code::OtherModel, other, region.scop.clone()).label("this scop");
            parsed.diagnostics.push(warning.help("compile for a 64-bit system other than Windows"));
            continue;
        }
        let said = Said { options, prototypes: &prototypes };
        if let Err(diagnostic) = file.lower_region(region, reading, said, &mut parsed) {
            parsed.diagnostics.push(diagnostic);
        }
    }
    if regions.is_empty() {
        parsed.has_main = file.reading(MacroTable::new(output.definitions_at(1))).has_main();
    }
    complain_about_options(options, &mut parsed);
    parsed.diagnostics.extend(idle(&file.masked, file.active.iter().copied()));
    for name in pure.iter().filter(|name| !mentions(&file.masked, name)) {
        let message = format!("`{name}` is declared pure, and the file does not mention it");
        let warning = Diagnostic::about_options(Severity::Warning, Code::UnknownName, message);
        parsed.diagnostics.push(warning.help("check the spelling"));
    }
    parsed
}

/// What the types of numbers are like here, if that is not what [`Scalar`](polyfold_c::syntax::Scalar) takes them for.
fn other_model(table: &MacroTable) -> Option<String> {
    let expected =
        [("CHAR_BIT", 8), ("SIZEOF_SHORT", 2), ("SIZEOF_INT", 4), ("SIZEOF_LONG", 8), ("SIZEOF_LONG_LONG", 8)];
    let sizes = expected.into_iter().chain([("SIZEOF_SIZE_T", 8), ("SIZEOF_POINTER", 8)]);
    let other = sizes.filter_map(|(name, expected)| {
        let value: u64 = table.object(&format!("__{name}__"))?.trim().parse().ok()?;
        (value != expected)
            .then(|| format!("here the compiler's `__{name}__` is {value}, and polyfold knows {expected}"))
    });
    other.into_iter().next()
}

/// What is known of a program beside its scops.
#[derive(Clone, Copy)]
struct Said<'a> {
    options: &'a Options,
    prototypes: &'a Prototypes,
}

fn mentions(text: &str, name: &str) -> bool {
    polyfold_c::macros::pieces(text).iter().any(|piece| piece.text == name)
}

struct File<'a> {
    source: &'a str,
    masked: String,
    active: Vec<&'a Directive>,
    inactive: Vec<Span>,
    /// Statements that are blocks of the only scop's program.
    blocks: &'a [Span],
    regions: &'a [LocalRegion],
    typedefs: Typedefs,
    members: Members,
    compiled: &'a Compiled<'a>,
}

/// The file as it reads with one macro table.
struct Reading {
    table: MacroTable,
    /// The file without comments, directives, and macro calls that make only pragmas.
    masked: String,
    /// Directives that the compiler sees, those that macros make included, in text order.
    directives: Vec<Directive>,
    expanded: Expanded,
    unit: Unit,
}

impl Reading {
    fn has_main(&self) -> bool {
        self.unit.functions.iter().any(|f| f.name == "main")
    }
}

impl File<'_> {
    fn reading(&self, table: MacroTable) -> Reading {
        let mut directives: Vec<Directive> = self.active.iter().map(|d| (*d).clone()).collect();
        let mut expanded = Expanded::new(&self.masked, &table);
        let made = expanded.take_pragmas();
        let alone = made.iter().filter(|(_, is_alone)| *is_alone).map(|(directive, _)| directive.span.clone());
        let masked = blanked(self.masked.clone(), alone);
        directives.extend(made.into_iter().map(|(directive, is_alone)| match is_alone {
            true => directive,
            false => Directive { name: "_Pragma".to_string(), ..directive },
        }));
        directives.sort_by_key(|d| d.span.start);
        let unit = parse_unit(&expanded.text, &table, &self.typedefs);
        Reading { table, masked, directives, expanded, unit }
    }

    /// Lowers one scop and checks that it means what the compiler reads.
    fn lower_region(
        &self,
        region: &Region,
        reading: &Reading,
        said: Said,
        parsed: &mut Parsed,
    ) -> Result<(), Diagnostic> {
        let (function, found) = find(region, reading, said.options.local)?;
        let new = signature(function, &reading.unit, &reading.expanded.text);
        if !parsed.functions.contains(&new) {
            parsed.functions.push(new);
        }
        let site = self.site(region, reading, function, found, said)?;
        parsed.diagnostics.extend(remarks(&site, region));
        let Some(scop) = lower(&site, &mut parsed.diagnostics) else { return Ok(()) };
        let redefined = self.redefinition(&scop, &reading.expanded.to_file(&function.span));
        match redefined.or_else(|| misread_declaration(&site)) {
            Some(diagnostic) => return Err(diagnostic),
            None => parsed.scops.push(scop),
        }
        Ok(())
    }

    /// A scop with its surroundings.
    fn site<'s>(
        &'s self,
        region: &Region,
        reading: &'s Reading,
        function: &'s Function,
        found: Enclosing<'s>,
        said: Said<'s>,
    ) -> Result<Site<'s>, Diagnostic> {
        let Reading { table, masked, directives, expanded, unit } = reading;
        let span = region.span.clone();
        let function_span = expanded.to_file(&function.span);
        let pragmas = Pragmas::read(self.source, masked, directives, &function_span, &span);
        if let Some(diagnostic) = pragmas.unhandled {
            return Err(diagnostic);
        }
        let compiled = self.compiled(region, reading)?;
        if let Some(line) = jump_into(found.statements, &compiled) {
            let message = format!("line {line} has a jump into this scop");
            let warning = Diagnostic::warning(Code::JumpInto, message, region.scop.clone()).label("this scop");
            return Err(warning.help("let the scop begin at the label"));
        }
        let around = expanded.position_of(span.start)..expanded.position_of(span.end);
        Ok(Site {
            source: self.source,
            masked,
            repeats: found.repeats || may_come_back(&compiled, outside(function, expanded, &around)),
            compiled,
            expanded,
            unit,
            table,
            typedefs: &self.typedefs,
            members: &self.members,
            function,
            statements: found.statements,
            blocks: self.blocks,
            regions: self.regions,
            directives,
            span,
            line: line_of(self.source, region.scop.start),
            threads: teams(&pragmas, function, expanded, &around),
            pragmas,
            skipped: self.skipped(&function_span),
            options: said.options,
            prototypes: said.prototypes,
        })
    }

    /// What the compiler reads in the scop's function, if polyfold reads the scop like it.
    fn compiled(&self, region: &Region, reading: &Reading) -> Result<Surroundings<'_>, Diagnostic> {
        let decline = |message: String, help: &str| {
            Diagnostic::warning(Code::ReadOtherwise, message, region.scop.clone()).label("this scop").help(help)
        };
        let line = |span: &Span| line_of(self.source, span.start);
        let read = |span: Span| reading.table.compiled(&reading.masked[span]).unwrap_or_default();
        let ours = read(region.span.clone());
        let found = match &region.endscop {
            Some(endscop) => self.compiled.around(line(&region.scop), line(endscop)),
            None => {
                let start = read(region.scop.end..region.span.start).len();
                self.compiled.behind(line(&region.scop), start..start + ours.len())
            }
        };
        let found = found.ok_or_else(|| {
            let message = "the compiler's preprocessor does not show where this scop is";
            decline(message.to_string(), "put both pragmas outside macros and their arguments")
        })?;
        let Some(at) = difference(&ours, found.inside) else { return Ok(found) };
        let (text, place) = match found.inside.get(at) {
            Some(word) => (word.text, format!("at line {}", word.line)),
            None => ("nothing", "at its end".to_string()),
        };
        let message = format!("the compiler reads something else in this scop, {place}: `{text}`");
        Err(decline(message, "write out what the macros there make"))
    }

    /// A macro of the scop that means something else in another part of the function.
    fn redefinition(&self, scop: &Scop, function: &Span) -> Option<Diagnostic> {
        let inside = |d: &&&Directive| d.name == "undef" && function.contains(&d.span.start);
        let directive = self.active.iter().filter(inside).filter(|d| d.span.start < scop.span.end).find(|d| {
            scop.parameters.iter().any(|p| p.name == d.text) || scop.pinned.iter().any(|p| p.name == d.text)
        })?;
        let message = format!("`{}` changes its meaning inside the function", directive.text);
        let warning = Diagnostic::warning(Code::Redefined, message, directive.span.clone()).label("undefined here");
        Some(warning.help("define it once, before the function"))
    }

    /// Inactive text of a function that is not blank.
    fn skipped(&self, function: &Span) -> Vec<Span> {
        let inside = |span: &&Span| span.start >= function.start && span.end <= function.end;
        let speaks = |span: &&Span| !polyfold_c::macros::pieces(&self.source[(*span).clone()]).is_empty();
        self.inactive.iter().filter(inside).filter(speaks).cloned().collect()
    }
}

/// The function and the statements of a region.
fn find<'r>(
    region: &Region,
    reading: &'r Reading,
    is_local: bool,
) -> Result<(&'r Function, Enclosing<'r>), Diagnostic> {
    let Reading { expanded, unit, .. } = reading;
    let range = expanded.position_of(region.span.start)..expanded.position_of(region.span.end);
    if let Some(diagnostic) = syntax_error(expanded, unit, &range) {
        return Err(diagnostic);
    }
    let misplaced = |message: &str, help: &str| {
        Diagnostic::error(Code::Misplaced, message, region.scop.clone()).label("here").help(help)
    };
    let around = |f: &&Function| f.span.contains(&range.start) && range.end <= f.span.end;
    let function = unit.functions.iter().find(around).ok_or_else(|| {
        misplaced("this scop is not inside a function", "put both pragmas into the body of one function")
    })?;
    let alone = || if is_local { only(&function.body, &range) } else { None };
    let found = enclosing(&function.body, &range).or_else(alone).ok_or_else(|| {
        if let Some((name, label)) = label_in_front(&function.body, range.start) {
            let message =
                format!("the label `{name}` right in front of this scop belongs to the scop's first statement");
            let help = format!("end the label's statement in front of the scop: `{name}:;`");
            return Diagnostic::error(Code::Misplaced, message, expanded.to_file(&label))
                .label("this label")
                .help(help);
        }
        let help = "put `#pragma scop` and `#pragma endscop` between statements of the same pair of braces; behind a \
                    label or `case`, into braces of their own";
        misplaced("this scop does not start and end in the same block", help)
    })?;
    Ok((function, found))
}

/// The threads that run the scop at the same time.
fn teams(pragmas: &Pragmas, function: &Function, expanded: &Expanded, scop: &Span) -> Vec<Team> {
    let teams = pragmas.threads.iter().filter_map(|pragma| {
        let statement = starting_at(&function.body, expanded.position_of(pragma.statement))?.span.clone();
        let reason = format!("threads of the `{}` at line {} share it", pragma.what, pragma.line);
        (statement.start < scop.start && scop.end < statement.end).then_some(Team { statement, reason })
    });
    teams.collect()
}

/// The function's text before the scop and after it, as it was parsed.
fn outside<'e>(function: &Function, expanded: &'e Expanded, scop: &Span) -> [&'e str; 2] {
    let body = &function.body.span;
    [body.start..scop.start, scop.end..body.end].map(|span| expanded.text.get(span).unwrap_or(""))
}

/// What the user should know whether or not the scop is handled.
fn remarks(site: &Site, region: &Region) -> Vec<Diagnostic> {
    let mut remarks = Vec::new();
    if site.skipped.iter().any(|s| s.start >= site.span.start && s.end <= site.span.end) {
        let message = "the result holds only for this configuration: a part of the scop is not compiled";
        let help = "compile the result with the same options, or move the condition out of the scop";
        remarks.push(
            Diagnostic::warning(Code::OneConfiguration, message, region.scop.clone()).label("this scop").help(help),
        );
    }
    for name in site.pragmas.names().filter(|name| site.unit.variables.iter().all(|v| v.name != **name)) {
        let message = format!("`#pragma polyfold` names `{name}`, which is not declared in this file");
        let warning = Diagnostic::warning(Code::UnknownName, message, region.scop.clone()).label("for this scop");
        remarks.push(warning.help("check the spelling"));
    }
    remarks
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
            Diagnostic::warning(Code::MadeByMacro, message, place).label("expands to this").help("write it out")
        }
        None => Diagnostic::error(Code::NotC, "this is not C, as far as polyfold can read it", place)
            .label("unexpected")
            .help("check for a missing `;`, `)` or `}`; language extensions in a scop are not handled"),
    })
}

fn complain_about_options(options: &Options, parsed: &mut Parsed) {
    let lists =
        [("--temporary", &options.temporary), ("--live-in", &options.live_in), ("--live-out", &options.live_out)];
    for (option, names) in lists {
        for name in names.iter().filter(|name| parsed.scops.iter().all(|s| s.array_named(name).is_none())) {
            let message = format!("`{option} {name}`: no scop uses an array or variable of this name");
            let warning = Diagnostic::about_options(Severity::Warning, Code::UnknownName, message);
            parsed.diagnostics.push(warning.help("check the spelling"));
        }
    }
    for text in &options.assume {
        if let Some((message, help)) = crate::assume::complaint(&parsed.scops, text) {
            parsed.diagnostics.push(Diagnostic::about_options(Severity::Error, Code::Assumption, message).help(help));
        }
    }
}
