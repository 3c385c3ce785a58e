//! `polyfold optimize`.

use super::arguments::{EmitArgument, MethodArgument, OptimizeArguments, OptimizeCommand, ScopeArgument};
use super::border::with_borders;
use super::changes::{changes, difference};
use super::hint::hint;
use super::input::Input;
use super::progress::progress;
use super::reallocate::reallocated;
use super::schedule::{Reordered, Solution};
use super::{Failure, check, compiler, conflicts, input, messages, output, problems, schedule, slow_loops};
use indicatif::ProgressBar;
use polyfold::execution::{executed, in_order};
use polyfold::reasons::{Reason, reasons};
use polyfold::story::{Told, story};
use polyfold::summary::summarize;
use polyfold_alloc::Method;
use polyfold_codegen::{Decisions, Form, Rewritten, SizesInC, TextLimits, can_declare_before, rewrite};
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::{Context, Error, ErrorKind};
use polyfold_plan::{
    Judgement, Optimized, Options, Outcome, Scope, Slack, contradiction, decisions, declared_cells, impossible, judged,
    judged_printed, optimize,
};
use polyfold_report::{Executed, Report, Rewritten as Before, ScopReport, table, to_json};
use polyfold_scop::{ArrayId, Code, Scop, StatementId};
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(command: &OptimizeCommand) -> Result<(), Failure> {
    let arguments = &command.optimize;
    if conflicts::is_conflict_set(&arguments.input) {
        return conflicts::run(command);
    }
    if command.output.is_some() && command.output == command.json {
        return Err(Failure::Usage(Some("-o and --json name the same file".to_string())));
    }
    for (option, file) in [("-o", &command.output), ("--json", &command.json)] {
        refuse_input(option, file.as_deref(), arguments)?;
    }
    if command.in_place && problems::is_problem(&arguments.input) {
        let message = "--in-place replaces a C file, and this is none: name the new one with -o";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    let detail = if command.json.is_some() { Detail::Whole } else { Detail::Table };
    finish(command, optimized(arguments, detail)?)
}

/// A file that is written must not be the one that is read.
pub(super) fn refuse_input(option: &str, file: Option<&Path>, arguments: &OptimizeArguments) -> Result<(), Failure> {
    if file.is_some_and(|file| output::is_same(file, &arguments.input)) {
        let message = format!("{option} names the input file, which would be lost: name another one");
        return Err(Failure::Usage(Some(message)));
    }
    Ok(())
}

/// How much a report holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// What the table shows.
    Table,
    /// With executions, and the stories of arrays.
    Whole,
}

/// A file with its new program.
pub(super) struct NewProgram {
    pub(super) input: Input,
    /// With everything that there is to know, if both were run, too.
    pub(super) report: Report,
}

/// The new program of a file; all messages are told.
///
/// # Errors
/// When the file or the command line is at fault, or `--strict` or `--verify` says no.
pub(super) fn optimized(arguments: &OptimizeArguments, detail: Detail) -> Result<NewProgram, Failure> {
    if arguments.reuse_outputs && (arguments.scope, arguments.method) != (ScopeArgument::Inter, MethodArgument::Auto) {
        let message = "--reuse-outputs shares storage between arrays: it takes --scope inter and --method auto";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    let input = input::read(&arguments.input, &arguments.program)?;
    let (as_read, file) = (input.parsed.scops.clone(), input.source.clone());
    let input = if arguments.reallocate { reallocated(input, &arguments.program, &mut output::tell)? } else { input };
    let ctx = Context::new();
    let ordered = schedule::in_order(&ctx, input, arguments)?;
    let progress = progress();
    let Reordered { input, said, solved: mut known } = with_borders(&ctx, ordered, arguments, &progress)?;
    let mut scops = Vec::new();
    let mut warnings: Vec<Diagnostic> = input.parsed.diagnostics.clone();
    let mut solved = Vec::new();
    let tell = |told: &[Diagnostic]| {
        let shown = |d: &Diagnostic| messages::render(&input.path, &input.source, d);
        progress.suspend(|| told.iter().for_each(|d| output::tell(&shown(d))));
    };
    for (place, scop) in input.parsed.scops.iter().enumerate() {
        if !can_declare_before(&input.source, scop) {
            let warning = no_room(scop);
            tell(std::slice::from_ref(&warning));
            warnings.push(warning);
            continue;
        }
        let solution = known.remove(&place).map_or_else(|| solve(&ctx, scop, &input, arguments, &progress), Ok);
        match solution.and_then(|solution| Ok((all_names(scop, &solution.result)?, solution))) {
            Ok(((to_read, names), Solution { mut result, seconds, stages })) => {
                if arguments.schedule == "strips" {
                    result.strip_hints.clear();
                }
                let scop = result.scop(scop);
                let summary = summarize(scop, &input.source, &result, &to_read, seconds).map_err(internal)?;
                let summary = counted_from(summary, &as_read[place], &result.sizes.values);
                let before_storage = before_storage(scop);
                let mut summary = ScopReport { before_storage, stages, ..summary };
                summary.proof.executed = executed_beside(scop, &result)?;
                if detail == Detail::Whole {
                    summary.execution = Some(executed(scop, &input.source, &result).map_err(internal)?);
                    summary.source_execution = before_storage.map(|_| in_order(&as_read[place], &file));
                    add_stories(&mut summary, (scop, &input), &result).map_err(internal)?;
                }
                scops.push(summary);
                let mut kept = kept_warnings(scop, &result, &input.source);
                kept.extend(notes(&reasons(scop, &result).map_err(internal)?));
                if arguments.method == MethodArgument::Optimal {
                    kept.extend(not_proved_optimal(scop, &result, &input.source));
                }
                tell(&kept);
                warnings.extend(kept);
                solved.push((scop, result, names));
            }
            Err(error) => {
                let warning = unsolved(scop, &error);
                tell(std::slice::from_ref(&warning));
                warnings.push(warning);
            }
        }
    }
    progress.finish_and_clear();
    let unused = unused_sizes(&input, &arguments.program.param);
    tell(&unused);
    warnings.extend(unused);
    for (scop, result, _) in &solved {
        refuse_contradictions(scop, result, &arguments.program.assume)?;
        refuse_impossible_sizes(scop, result, &arguments.program.param)?;
    }
    let Rewritten { text, slow, printed, left } = new_text(&input, &solved, arguments)?;
    let told: Vec<Diagnostic> = left.iter().map(|k| not_written(solved[*k].0)).collect();
    tell(&told);
    warnings.extend(told);
    for ((scop, result, _), program) in solved.iter().zip(&printed) {
        if let Some(program) = program {
            agreed(scop, judged_printed(scop, program, result))?;
        }
    }
    for (((scop, result, _), slow), summary) in solved.iter().zip(&slow).zip(&mut scops) {
        let told = slow_loops::warnings(scop, result, slow);
        summary.room.retain(|room| !told.iter().any(|own| own.says_of(&room.arrays)));
        summary.strips.retain(|array| !told.iter().any(|own| own.says_of(std::slice::from_ref(array))));
        let told: Vec<Diagnostic> = told.into_iter().map(|own| own.warning).collect();
        tell(&told);
        warnings.extend(told);
    }
    let refused = warnings.iter().filter(|w| w.severity == Severity::Warning).count();
    if arguments.strict && refused > 0 {
        let warnings = if refused == 1 { "warning" } else { "warnings" };
        return Err(Failure::input(format!("--strict: {refused} {warnings}; nothing was written")));
    }
    let scops = scops.into_iter().enumerate().filter(|(k, _)| !left.contains(k)).map(|(_, own)| own).collect();
    let said = said.iter().chain(&warnings).map(|note| messages::message(&input.source, note));
    let report = Report {
        schema: "polyfold/2",
        input: input.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        scops,
        diagnostics: said.collect(),
        checked: if arguments.verify { Some(verify(arguments, &input, &text)?) } else { None },
        hint: None,
        changes: changes(&input.source, &text),
        source: input.source.clone(),
        result: text,
    };
    Ok(NewProgram { input, report })
}

/// Tells of each array who uses it, and why it is not smaller.
fn add_stories(summary: &mut ScopReport, (scop, input): (&Scop, &Input), result: &Optimized) -> Result<(), Error> {
    let is_in_file = summary.before_storage != Some(Before::Loops);
    let line = |id: StatementId| is_in_file.then(|| scop.statement(id).line);
    let told = Told { scop, source: &input.source, line: &line };
    let statements = summary.execution.iter_mut().flat_map(|execution| execution.statements.iter_mut().enumerate());
    statements.for_each(|(k, statement)| statement.line = line(StatementId(k)));
    for ((id, _), array) in result.outcomes.iter().zip(&mut summary.arrays) {
        array.story = Some(story(&told, result, *id)?);
    }
    Ok(())
}

/// The new storage, tried beside the source.
fn executed_beside(scop: &Scop, result: &Optimized) -> Result<Option<Executed>, Failure> {
    agreed(scop, judged(scop, result))
}

pub(super) fn agreed(scop: &Scop, judgement: Result<Judgement, Error>) -> Result<Option<Executed>, Failure> {
    match judgement.map_err(internal)? {
        Judgement::Agree(ran) => Ok(Some(Executed { agreed: ran.agreed, left_out: ran.left_out })),
        Judgement::NotRun => Ok(None),
        Judgement::Differ(why) => Err(Failure::Check(format!("`{}`: {why}; nothing was written", scop.function))),
    }
}

pub(super) fn solve(
    ctx: &Context,
    scop: &Scop,
    input: &Input,
    arguments: &OptimizeArguments,
    progress: &ProgressBar,
) -> Result<Solution, Error> {
    let begun = Instant::now();
    let result = optimize(ctx, scop, &options(scop, &input.source, arguments), &mut |array| {
        progress.set_message(format!("{}: {array}", scop.function));
        progress.tick();
    })?;
    Ok(Solution { result, seconds: begun.elapsed().as_secs_f64(), stages: None })
}

/// Sizes for people, and for the new program.
fn all_names(scop: &Scop, result: &Optimized) -> Result<(SizesInC, SizesInC), Error> {
    let (proved, isl, scop) = (&result.proved, &result.parameters, result.scop(scop));
    let to_read = SizesInC::to_read(proved, isl, scop)?;
    Ok((to_read, SizesInC::computed(proved, isl, scop)?))
}

/// What a scop has already that is not in the file.
fn before_storage(scop: &Scop) -> Option<Before> {
    let has_copies = (0..scop.statements.len()).any(|k| scop.comes(StatementId(k)));
    match scop.expanded {
        _ if scop.order.is_some() => Some(Before::Loops),
        Some(_) if has_copies => Some(Before::Copies),
        Some(_) => Some(Before::Arrays),
        None => None,
    }
}

/// The same where some values have got arrays of their own: what there was before is what the file declares.
fn counted_from(mut summary: ScopReport, as_read: &Scop, sizes: &[(String, i64)]) -> ScopReport {
    let was_there = |name: &str| as_read.array_named(name).is_some();
    if summary.arrays.iter().all(|array| was_there(&array.name)) {
        return summary;
    }
    summary.arrays.iter_mut().filter(|array| !was_there(&array.name)).for_each(|array| array.cells_before = Some(0));
    let temporaries = (0..as_read.arrays.len()).map(ArrayId).filter(|id| as_read.array(*id).is_temporary());
    let cells: Option<Vec<(ArrayId, u64)>> =
        temporaries.map(|id| Some((id, declared_cells(as_read, id, sizes)?))).collect();
    let bytes = |(id, cells): &(ArrayId, u64)| as_read.array(*id).element_bytes?.checked_mul(*cells);
    summary.totals.cells_before = cells.as_ref().map(|cells| cells.iter().map(|(_, cells)| cells).sum());
    summary.totals.bytes_before = cells.and_then(|cells| cells.iter().map(bytes).sum());
    summary
}

/// What the user asks for, of one scop.
pub(super) fn options(scop: &Scop, source: &str, arguments: &OptimizeArguments) -> Options {
    Options {
        method: method(arguments.method),
        scope: match (arguments.scope, arguments.method) {
            (_, MethodArgument::SuccessiveModulo | MethodArgument::Lattice | MethodArgument::Optimal) => Scope::Intra,
            (ScopeArgument::Intra, _) => Scope::Intra,
            (ScopeArgument::Inter, MethodArgument::Auto) if arguments.reuse_outputs => Scope::Outputs,
            (ScopeArgument::Inter, _) => Scope::Inter,
        },
        sizes: arguments.program.param.clone(),
        assumptions: arguments.program.assume.clone(),
        max_operations: arguments.program.max_ops,
        slack: room(arguments),
        text: TextLimits::of(source, scop),
        in_strips: arguments.emit == EmitArgument::Fast,
    }
}

/// More cells that plainer subscripts are worth. What an engine finds that the user asks for is shown as it is.
fn room(arguments: &OptimizeArguments) -> Slack {
    let usual = if method(arguments.method).is_some() { Slack::NONE } else { Slack::Usual };
    arguments.room.map_or(usual, Slack::Percent)
}

/// `None`: all that fit.
fn method(argument: MethodArgument) -> Option<Method> {
    match argument {
        MethodArgument::Auto => None,
        MethodArgument::SuccessiveModulo => Some(Method::SuccessiveModulo),
        MethodArgument::Lattice => Some(Method::Lattice),
        MethodArgument::Optimal => Some(Method::Optimal),
        MethodArgument::Fast => Some(Method::Fast),
        MethodArgument::Joint => Some(Method::Joint),
        MethodArgument::Smo => Some(Method::Smo),
    }
}

/// How loops are written.
pub(super) fn form(argument: EmitArgument) -> Form {
    match argument {
        EmitArgument::Plain => Form::Plain,
        EmitArgument::Fast => Form::Fast,
        EmitArgument::Hls => Form::Hls,
    }
}

fn new_text(
    input: &Input,
    solved: &[(&Scop, Optimized, SizesInC)],
    arguments: &OptimizeArguments,
) -> Result<Rewritten, Failure> {
    let form = form(arguments.emit);
    let decisions: Vec<Decisions> = (solved.iter())
        .map(|(scop, result, names)| decisions(scop, &input.source, (result, names), (form, scop.order.is_some())))
        .collect::<Result<_, _>>()
        .map_err(internal)?;
    if form == Form::Hls {
        decisions.iter().try_for_each(|decisions| refuse_sizes_of_run_time(input, decisions))?;
    }
    rewrite(&input.source, &decisions, compiler::dialect(&input.path)).map_err(internal)
}

/// Writes what was asked for, and prints the table.
fn finish(command: &OptimizeCommand, NewProgram { input, report }: NewProgram) -> Result<(), Failure> {
    let arguments = &command.optimize;
    let checked = report.checked.iter().map(|checked| format!("{checked}\n")).collect::<String>();
    let table = table(&report) + &checked;
    let json = to_json(&report).map_err(Failure::report)?;
    let target = if command.in_place { Some(arguments.input.as_path()) } else { command.output.as_deref() };
    let text_file = target.map(|path| (path, report.result.as_str()));
    let json_file = command.json.as_deref().map(|path| (path, json.as_str()));
    output::write_all(&text_file.into_iter().chain(json_file).collect::<Vec<_>>())?;
    // What would help more is looked for when nothing can be lost any more.
    let hint = || hint(&input, &report, arguments).unwrap_or_default();
    if target.is_some() {
        return output::print(&(table + &hint()));
    }
    output::tell(table.trim_end_matches('\n'));
    if command.diff {
        output::print(&difference(&input.path, &report.source, &report.result))?;
    } else {
        output::print(&report.result)?;
    }
    Some(hint()).filter(|hint| !hint.is_empty()).iter().for_each(|hint| output::tell(hint.trim_end_matches('\n')));
    Ok(())
}

/// Runs both programs. One that cannot be run is no fault of the result, whose proof stands.
fn verify(arguments: &OptimizeArguments, input: &Input, text: &str) -> Result<String, Failure> {
    let settings = check::Settings {
        flags: arguments.program.compiler.flags(),
        sizes: arguments.program.param.clone(),
        temporary: arguments.program.temporary.clone(),
        seconds: 120,
    };
    let changed = check::Program { text, path: &input.path };
    let original = check::Program { text: &input.source, path: &input.path };
    if original.text == changed.text {
        return Ok("nothing to check: the program is as it was".to_string());
    }
    match check::compare(&original, &changed, &settings) {
        Ok(agreement) => Ok(format!("checked: {agreement}")),
        Err(Failure::Input(Some(why))) if !arguments.strict => Ok(format!("not checked by running it: {why}")),
        Err(Failure::Differ(why)) => Err(Failure::Check(why)),
        Err(failure) => Err(failure),
    }
}

/// Warnings for arrays that the user would have expected to shrink.
fn kept_warnings(scop: &Scop, result: &Optimized, source: &str) -> Vec<Diagnostic> {
    let surprising = result.outcomes.iter().filter_map(|(id, outcome)| match outcome {
        Outcome::Kept { code, reason, surprising: true, help } if scop.array(*id).is_temporary() => {
            Some((*id, *code, reason, help))
        }
        _ => None,
    });
    surprising
        .map(|(id, code, reason, help)| {
            let array = scop.array(id);
            let place = array.declaration.as_ref().filter(|d| d.name.fragment.is_none()).map(|d| d.name.span.clone());
            Diagnostic {
                severity: Severity::Warning,
                code,
                message: format!("`{}` stays as it is: {reason}", array.name),
                span: place.unwrap_or_else(|| first_line(source, scop)),
                about_options: false,
                label: "declared here".to_string(),
                help: help.clone(),
            }
        })
        .collect()
}

/// Arrays whose storage may not be the smallest, though that was asked for.
fn not_proved_optimal(scop: &Scop, result: &Optimized, source: &str) -> Vec<Diagnostic> {
    let sizes: Vec<(&str, i64)> = result.sizes.values.iter().map(|(name, size)| (name.as_str(), *size)).collect();
    let alive = |id: ArrayId| {
        let place = result.counted.iter().position(|other| *other == id)?;
        result.live(scop).as_ref().ok().map(|count| count.each[place])
    };
    let open = result.outcomes.iter().filter_map(|(id, outcome)| {
        let Outcome::Mapped { storage, .. } = outcome else { return None };
        let cells = storage.get().mapping.cells(&sizes).ok().flatten();
        let is_least = result.fewest.contains(id) || cells.is_some() && cells == alive(*id);
        (!is_least).then_some((*id, cells))
    });
    let is_fixed = scop.parameters.iter().all(|parameter| parameter.constant().is_some());
    let why = if is_fixed { "the search for fewer ended at its bound" } else { "they are for all sizes" };
    open.map(|(id, cells)| {
        let array = scop.array(id);
        let cells = cells.map_or("the".to_string(), |cells| format!("the {cells}"));
        Diagnostic {
            severity: Severity::Note,
            code: Code::NotFewest,
            message: format!("{cells} cells of `{}` are not proved to be the fewest: {why}", array.name),
            span: first_line(source, scop),
            about_options: false,
            label: "the scop".to_string(),
            help: None,
        }
    })
    .collect()
}

/// The places that leave sizes out, or their arrays.
fn notes(reasons: &[Reason]) -> Vec<Diagnostic> {
    let note = |reason: &Reason| Diagnostic {
        severity: if reason.is_fault { Severity::Warning } else { Severity::Note },
        code: if reason.is_fault { Code::LeavesArray } else { Code::SomeSizes },
        message: format!("{} {}", reason.sizes, reason.consequence),
        span: reason.span.clone(),
        about_options: false,
        label: reason.what.clone(),
        help: Some(reason.help.to_string()),
    };
    reasons.iter().map(note).collect()
}

/// A size that is no parameter of any scop was probably misspelled, unless it is one of a scop that was not read.
fn unused_sizes(input: &Input, sizes: &[(String, i64)]) -> Vec<Diagnostic> {
    let known = |name: &str| {
        let mut scops = input.parsed.scops.iter();
        input.parsed.scops.is_empty() || scops.any(|s| s.parameters.iter().any(|p| p.name == name))
    };
    let warning = |(name, _): &(String, i64)| Diagnostic {
        severity: Severity::Warning,
        code: Code::UnknownName,
        message: format!("--param {name}=…: no scop has a size of that name"),
        span: 0..0,
        about_options: true,
        label: String::new(),
        help: None,
    };
    sizes.iter().filter(|(name, _)| !known(name)).map(warning).collect()
}

fn refuse_contradictions(scop: &Scop, result: &Optimized, assumptions: &[String]) -> Result<(), Failure> {
    if !result.contradicts {
        return Ok(());
    }
    let message = contradiction(&result.known, &result.parameters, scop, assumptions).map_err(internal)?;
    Err(Failure::Usage(Some(message)))
}

fn refuse_impossible_sizes(scop: &Scop, result: &Optimized, sizes: &[(String, i64)]) -> Result<(), Failure> {
    let fault = impossible(&result.known, &result.parameters, scop, sizes).map_err(internal)?;
    fault.map_or(Ok(()), |message| Err(Failure::Usage(Some(message))))
}

/// Hardware has no memory whose size is known at run time only.
fn refuse_sizes_of_run_time(input: &Input, decisions: &Decisions) -> Result<(), Failure> {
    let Some(id) = decisions.of_run_time_size().map_err(internal)?.first().copied() else { return Ok(()) };
    let scop = decisions.scop;
    let name = &scop.array(id).name;
    let declared = scop.array(id).declaration.as_ref().map(|d| d.declarator.span.clone());
    let fault = Diagnostic {
        severity: Severity::Error,
        code: Code::RunTimeSize,
        message: format!("the new storage of `{name}` would have a size that is known at run time only"),
        span: declared.unwrap_or(scop.span.start..scop.span.start),
        about_options: false,
        label: "declared here".to_string(),
        help: Some(
            "`--emit hls` needs sizes that are constants (`#define`); --emit plain has the same loops".to_string(),
        ),
    };
    output::tell(&messages::render(&input.path, &input.source, &fault));
    Err(Failure::Input(None))
}

fn no_room(scop: &Scop) -> Diagnostic {
    let help = "put `{` before `#pragma scop` and `}` after `#pragma endscop`";
    stays(scop, Code::NoPlace, "no declaration can be put in front of it", Some(help))
}

fn unsolved(scop: &Scop, error: &Error) -> Diagnostic {
    let help = (error.kind == ErrorKind::Quota).then_some("--max-ops N raises the bound on analysis work");
    stays(scop, Code::Unsolved, &error.to_string(), help)
}

fn not_written(scop: &Scop) -> Diagnostic {
    let help = "take labels and lines that begin with `#` out of it";
    stays(scop, Code::NotWritten, "new storage can't be written around its text", Some(help))
}

/// A scop isn't changed, and why.
fn stays(scop: &Scop, code: Code, why: &str, help: Option<&str>) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code,
        message: format!("the scop of `{}` stays as it is: {why}", scop.function),
        span: scop.span.start..scop.span.start,
        about_options: false,
        label: "this scop".to_string(),
        help: help.map(str::to_string),
    }
}

fn first_line(source: &str, scop: &Scop) -> std::ops::Range<usize> {
    let text = &source[scop.span.clone()];
    let start = scop.span.start + text.len() - text.trim_start().len();
    start..start
}

pub(super) fn internal(error: Error) -> Failure {
    Failure::Check(format!("{error}; nothing was written"))
}
