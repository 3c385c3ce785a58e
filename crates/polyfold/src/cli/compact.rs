//! `polyfold compact`.

use super::arguments::{CompactArguments, OnError, OnOverflow};
use super::around::{around, is_in};
use super::changes::changes;
use super::optimize::Detail;
use super::progress::doing;
use super::texts::{Alone, text_of, texts};
use super::tiling::tiled;
use super::{Failure, compiler, input, messages, moving, output, texts};
use polyfold::local_summary::summarize;
use polyfold::motion::move_copies;
use polyfold_codegen::{
    Around, Compacted, InLocalMemory, LocalNames, Localized, Manner, Transfer, in_local_memory, names_of,
};
use polyfold_compact::{Kept, Overlap, Request, Why};
use polyfold_frontend::{Diagnostic, LocalRegion, Options, Parsed, Severity, local_regions};
use polyfold_isl::{Context, Error, ErrorKind};
use polyfold_plan::{
    Compaction, Fit, Instances, Judgement, Overflow, compact, fit, gains_nothing, judged_regions, needed_behind,
    overlapping,
};
use polyfold_report::{LocalReport, Message, local_table, to_json};
use polyfold_scop::{Code, Pinned, Scop, Span};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

/// A region whose text is understood.
struct Read {
    region: LocalRegion,
    scop: Scop,
    /// Bytes of the loops around that copies may stand in front of, innermost first.
    loops: Vec<Span>,
    /// The text that it is a part of.
    whole: Rc<Scop>,
    /// What is wrong with options, if this region is the only one.
    about_options: Vec<Diagnostic>,
}

impl Read {
    fn of(own: Alone, whole: Rc<Scop>) -> Read {
        let Alone { region, scop, mut loops, about_options } = own;
        loops.retain(|span| texts::is_in(span, &whole.span));
        Read { region, scop, loops, whole, about_options }
    }
}

/// What was found for a region.
struct Found<'a> {
    read: &'a Read,
    compaction: Compaction<'a>,
    /// The arrays whose values are needed behind it; `None`: all.
    live_out: Option<Vec<String>>,
    /// Values of macros that its text rests on.
    pinned: Vec<Pinned>,
}

pub(crate) fn run(arguments: &CompactArguments) -> Result<(), Failure> {
    let detail = if arguments.json.is_some() { Detail::Whole } else { Detail::Table };
    let report = reported(arguments, detail)?;
    let table = local_table(&report);
    let json = to_json(&report).map_err(Failure::report)?;
    let text_file = arguments.output.as_deref().map(|path| (path, report.result.as_str()));
    let json_file = arguments.json.as_deref().map(|path| (path, json.as_str()));
    output::write_all(&text_file.into_iter().chain(json_file).collect::<Vec<_>>())?;
    if arguments.output.is_some() {
        return output::print(&table);
    }
    output::tell(table.trim_end_matches('\n'));
    output::print(&report.result)
}

/// Whether a file has regions for local memory.
pub(super) fn has_regions(path: &Path) -> Result<bool, Failure> {
    let (regions, faults) = local_regions(&input::text(path)?);
    Ok(!regions.is_empty() || !faults.is_empty())
}

/// What becomes of the regions of a file; nothing is written.
pub(super) fn reported(arguments: &CompactArguments, detail: Detail) -> Result<LocalReport, Failure> {
    if arguments.output.as_ref().is_some_and(|file| output::is_same(file, &arguments.input)) {
        let message = "-o names the input file, which would be lost: name another one";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    let source = &input::text(&arguments.input)?;
    let skips = arguments.local.on_error == OnError::Skip;
    let told = Told { path: &arguments.input, source, skips, said: RefCell::default() };
    let regions = told.regions(arguments)?;
    let manner = moving::manner(&arguments.local.manner);
    let (understood, scops, mut failed) = understood(&told, regions, arguments, &manner)?;
    if told.misunderstood(&understood, arguments) {
        return Err(Failure::Input(None));
    }
    let ctx = Context::new();
    let mut found = Vec::new();
    'regions: for read in &understood {
        let mut request = request(read, arguments);
        if request.live_out.is_none() {
            request.live_out = needed(&ctx, &scops, &read.scop, arguments.program.max_ops);
        }
        let moves = moving::moves(&read.region, &read.scop, read.loops.len(), arguments);
        let found_for = |request: &Request| {
            let _progress = doing(format!("{}: local arrays", read.scop.function));
            let mut compaction = compact(&ctx, &read.scop, request, arguments.program.max_ops)?;
            move_copies(&mut compaction, &moves, arguments.program.max_ops)?;
            Ok(compaction)
        };
        let Some(mut compaction) = told.unless_beyond(read, found_for(&request))? else {
            failed = true;
            continue;
        };
        let mut pinned = read.scop.pinned.clone();
        while let Some(bytes) = read.region.clauses.capacity.or(arguments.local.capacity) {
            let overflow = match fit(&read.scop, &compaction, (bytes, &manner)).map_err(|error| internal(&error))? {
                Fit::Fits(values) => {
                    pinned.extend(values);
                    break;
                }
                Fit::Overflows(overflow) => overflow,
            };
            if arguments.local.on_overflow == OnOverflow::Error {
                told.overflows(read, &overflow);
                failed = true;
                break;
            }
            told.demotes(read, &overflow);
            request.arrays = Some(overflow.others(&read.scop, request.arrays));
            let Some(fewer) = told.unless_beyond(read, found_for(&request))? else {
                failed = true;
                continue 'regions;
            };
            compaction = fewer;
        }
        let unfit = moving::unfit_space(&read.region, &read.scop, &compaction, &manner);
        if let Some(unfit) = unfit.map_err(|error| internal(&error))? {
            told.tell(&unfit);
            return Err(Failure::Input(None));
        }
        failed |= told.kept(read, &compaction);
        if !told.leaves(read, &compaction, arguments).map_err(|error| internal(&error))? {
            let remarks = moving::remarks(&read.region, &read.scop, &compaction, &moves, &manner);
            remarks.map_err(|error| internal(&error))?.iter().for_each(|remark| told.tell(remark));
            found.push(Found { read, compaction, live_out: request.live_out, pinned });
        }
    }
    if failed && !told.skips {
        return Err(Failure::Input(None));
    }
    let write = |found: &[Found]| {
        let regions: Vec<(&Scop, &[Pinned])> = found.iter().map(|own| (&own.read.scop, &own.pinned[..])).collect();
        let around = around(&scops, &regions, source);
        let compacted = compacted(found, &around, &manner);
        let bound = arguments.program.max_ops.saturating_mul(compacted.len().max(1) as u64);
        let dialect = compiler::dialect(told.path);
        let written = ctx.with_quota(bound, || in_local_memory(source, &compacted, &around, dialect))?;
        Ok((written, names_of(source, &compacted)))
    };
    let mut written = write(&found);
    if written.as_ref().is_err_and(|error: &Error| error.is_bound() || error.kind == ErrorKind::Refused) {
        // Which region it is shows when each is written alone.
        let mut all = Vec::new();
        for one in found {
            let alone = write(std::slice::from_ref(&one));
            all.extend(told.if_written(one.read, alone)?.map(|_| one));
        }
        found = all;
        if !told.skips {
            return Err(Failure::Input(None));
        }
        written = write(&found);
    }
    let (InLocalMemory { text: written, printed }, names) = written.map_err(|error| internal(&error))?;
    for (own, printed) in &printed {
        judge(&own.iter().map(|k| &found[*k]).collect::<Vec<_>>(), printed)?;
    }
    report(arguments, &told, (&found, &names), (written, detail)).map_err(|error| internal(&error))
}

/// Runs the program of some regions with local arrays beside the one without.
fn judge(regions: &[&Found], printed: &Localized) -> Result<(), Failure> {
    // What one of them needs, a later one may write without need.
    let is_needed = |name: &str| {
        regions.iter().all(|own| match &own.live_out {
            Some(names) => own.read.scop.array_named(name).is_none() || names.iter().any(|needed| needed == name),
            None => true,
        })
    };
    let mut instances: Vec<Instances> = Vec::new();
    for Found { read, compaction, .. } in regions {
        instances.push((&read.scop, &compaction.known, &compaction.model.parameters));
    }
    let judgement = judged_regions((&printed.before, &printed.after), &is_needed, &instances);
    match judgement.map_err(|error| internal(&error))? {
        Judgement::Differ(message) => Err(Failure::Check(format!("{message}; nothing was written"))),
        Judgement::Agree(_) | Judgement::NotRun => Ok(()),
    }
}

/// The regions that are understood, the file's scops, and whether there are others: loops that the source marks, or those that `--tile` makes.
fn understood(
    told: &Told,
    regions: Vec<LocalRegion>,
    arguments: &CompactArguments,
    manner: &Manner,
) -> Result<(Vec<Read>, Vec<Scop>, bool), Failure> {
    let (mut understood, mut failed) = (Vec::new(), false);
    let preprocessed = told.preprocessed(told.source, arguments)?;
    if arguments.local.tile.is_empty() {
        let (all, mut alone) = (regions.clone(), Vec::new());
        for region in regions {
            match read(region, (told, &preprocessed), arguments, (&all, manner))? {
                Some(own) => alone.push(own),
                None => failed = true,
            }
        }
        let own = options_of(arguments);
        let around = |span: &Span, all: &[LocalRegion]| {
            polyfold_frontend::parse_around(told.source, &preprocessed, &own, (span, all))
        };
        let texts = texts(&alone, &around);
        for own in alone {
            match text_of(&own, &texts) {
                Some(whole) => understood.push(Read::of(own, whole)),
                None => {
                    told.tell(&told.not_understood(&own.region));
                    failed = true;
                }
            }
        }
        let options = Options { pure: arguments.program.pure.clone(), ..Options::default() };
        let whole = polyfold_frontend::parse(told.source, &preprocessed, &options);
        return Ok((understood, whole.scops, failed));
    }
    let tiles = tiled(told, &regions, arguments)?;
    let (about, _): (Vec<Diagnostic>, Vec<Diagnostic>) =
        tiles.parsed.diagnostics.into_iter().partition(|d| d.about_options && d.severity == Severity::Error);
    let mut scops = Vec::new();
    for (whole, parts) in tiles.scops {
        let text = Rc::new(whole.clone());
        let all: Vec<LocalRegion> = parts.iter().map(|(region, _)| region.clone()).collect();
        for (region, scop) in parts {
            if let Some(refusal) = moving::refusal(&region, manner, (told.source, &preprocessed)) {
                told.tell(&refusal);
                return Err(Failure::Input(None));
            }
            let loops = moving::loops(&region, &scop, &all, arguments);
            understood.push(Read { region, scop, loops, whole: Rc::clone(&text), about_options: about.clone() });
        }
        scops.push(whole);
    }
    Ok((understood, scops, failed))
}

fn no_region() -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: Code::Region,
        message: "no region for local memory in this file".to_string(),
        span: 0..0,
        about_options: false,
        label: String::new(),
        help: Some("write `#pragma polyfold local` in front of a loop between `#pragma scop` and `#pragma endscop`, or let --tile make regions".to_string()),
    }
}

fn report(
    arguments: &CompactArguments,
    told: &Told,
    (found, names): (&[Found], &[Vec<LocalNames>]),
    (written, detail): (String, Detail),
) -> Result<LocalReport, Error> {
    let regions = found.iter().zip(names).map(|(Found { read, compaction, .. }, names)| {
        let reason = |why| words(why).0.to_string();
        let (line, _) = messages::position(told.source, read.region.pragma.start);
        summarize(&read.scop, told.source, line, (compaction, names), (&reason, detail == Detail::Whole))
    });
    Ok(LocalReport {
        schema: "polyfold-local/2",
        input: arguments.input.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        regions: regions.collect::<Result<_, Error>>()?,
        transfers: match moving::manner(&arguments.local.manner).transfer {
            Transfer::Assignments => "assignments",
            Transfer::Memcpy => "memcpy",
            Transfer::Functions(_) => "functions",
        },
        diagnostics: told.said.borrow().clone(),
        source: told.source.to_string(),
        changes: changes(told.source, &written),
        result: written,
    })
}

/// A region as a scop of its own; `None`: it cannot be handled, and the user was told why.
fn read(
    region: LocalRegion,
    (told, preprocessed): (&Told, &str),
    arguments: &CompactArguments,
    (all, manner): (&[LocalRegion], &Manner),
) -> Result<Option<Alone>, Failure> {
    if let Some(refusal) = moving::refusal(&region, manner, (told.source, preprocessed)) {
        told.tell(&refusal);
        return Err(Failure::Input(None));
    }
    let parsed = polyfold_frontend::parse_region(told.source, preprocessed, &options_of(arguments), (&region, all));
    let scop = parsed.scops.into_iter().next();
    // That an array keeps its layout is no news: it is copied, not changed.
    let (about_options, others): (Vec<Diagnostic>, Vec<Diagnostic>) = parsed
        .diagnostics
        .into_iter()
        .partition(|d| d.about_options && d.severity == Severity::Error && scop.is_some());
    let matters = |d: &&Diagnostic| d.severity == Severity::Error || scop.is_none();
    for diagnostic in others.iter().filter(matters) {
        told.tell(&Diagnostic { severity: told.severity(), ..diagnostic.clone() });
    }
    let Some(scop) = scop else { return Ok(None) };
    if scop.program.is_none() || scop.written.is_none() {
        told.tell(&told.not_understood(&region));
        return Ok(None);
    }
    let loops = moving::loops(&region, &scop, all, arguments);
    Ok(Some(Alone { region, scop, loops, about_options }))
}

/// What the user says of regions.
fn options_of(arguments: &CompactArguments) -> Options {
    let (pure, assume) = (arguments.program.pure.clone(), arguments.program.assume.clone());
    Options { pure, assume, local: true, ..Options::default() }
}

fn request(read: &Read, arguments: &CompactArguments) -> Request {
    let named = |names: &[String]| (!names.is_empty()).then(|| names.to_vec());
    Request {
        arrays: read.region.clauses.arrays.clone(),
        live_out: read.region.clauses.live_out.clone().or_else(|| named(&arguments.program.live_out)),
        sizes: arguments.program.param.clone(),
        overlap: if arguments.local.assume_noalias { Overlap::default() } else { overlapping(&read.scop) },
    }
}

/// The arrays of a region that are needed behind it; `None`: all, since more is not known.
fn needed(ctx: &Context, scops: &[Scop], region: &Scop, max_ops: u64) -> Option<Vec<String>> {
    let whole = scops.iter().find(|scop| is_in(region, scop))?;
    needed_behind(ctx, (whole, region), max_ops).ok()
}

/// The regions to be written.
fn compacted<'a>(found: &'a [Found], around: &[Around], manner: &'a Manner) -> Vec<Compacted<'a>> {
    let has_room = |region: &Scop| around.iter().any(|around| is_in(region, around.scop));
    let one = |Found { read, compaction, pinned, .. }: &'a Found| Compacted {
        scop: &read.scop,
        parameters: &compaction.model.parameters,
        pragma: read.region.pragma.clone(),
        span: if read.whole.order.is_some() { read.scop.span.clone() } else { read.region.span() },
        whole: &read.whole,
        statement: read.region.statement.clone(),
        known: &compaction.known,
        running: &compaction.running,
        defined: &compaction.defined,
        plans: &compaction.plans,
        loops: read.loops.clone(),
        manner,
        pinned: if has_room(&read.scop) { &[] } else { pinned },
    };
    found.iter().map(one).collect()
}

/// What is refused is the program's; everything else would be a mistake of polyfold's.
fn internal(error: &Error) -> Failure {
    let message = format!("{error}; nothing was written");
    if error.kind == ErrorKind::Refused { Failure::input(message) } else { Failure::Check(message) }
}

/// Who is told what.
pub(super) struct Told<'a> {
    pub(super) path: &'a Path,
    pub(super) source: &'a str,
    /// Whether what cannot be handled is left as it is.
    skips: bool,
    /// Messages that were shown.
    said: RefCell<Vec<Message>>,
}

impl Told<'_> {
    pub(super) fn tell(&self, diagnostic: &Diagnostic) {
        output::tell(&messages::render(self.path, self.source, diagnostic));
        self.said.borrow_mut().push(messages::message(self.source, diagnostic));
    }

    fn preprocessed(&self, text: &str, arguments: &CompactArguments) -> Result<String, Failure> {
        let instrumented = polyfold_frontend::instrument(text);
        let flags = arguments.program.compiler.flags();
        compiler::preprocess(&instrumented, self.path, compiler::language(self.path), &flags)
    }

    pub(super) fn parsed(
        &self,
        text: &str,
        options: &Options,
        arguments: &CompactArguments,
    ) -> Result<Parsed, Failure> {
        Ok(polyfold_frontend::parse(text, &self.preprocessed(text, arguments)?, options))
    }

    /// The file's regions.
    fn regions(&self, arguments: &CompactArguments) -> Result<Vec<LocalRegion>, Failure> {
        let (regions, mut faults) = local_regions(self.source);
        if regions.is_empty() && faults.is_empty() && arguments.local.tile.is_empty() {
            faults.push(no_region());
        }
        faults.iter().for_each(|fault| self.tell(fault));
        if faults.is_empty() { Ok(regions) } else { Err(Failure::Input(None)) }
    }

    fn severity(&self) -> Severity {
        if self.skips { Severity::Warning } else { Severity::Error }
    }

    /// Says which arrays stay where they are; whether there are any.
    fn kept(&self, read: &Read, compaction: &Compaction) -> bool {
        let mut told: Vec<Kept> = Vec::new();
        for kept in compaction.plans().flat_map(|plan| &plan.kept) {
            if !told.contains(kept) {
                self.tell(&kept_message(read, kept, self.severity()));
                told.push(kept.clone());
            }
        }
        !told.is_empty()
    }
}

impl Told<'_> {
    /// What was found for a region; `None`: it takes more than the bounds on work and numbers allow, as is said.
    fn unless_beyond<T>(&self, read: &Read, found: Result<T, Error>) -> Result<Option<T>, Failure> {
        let error = match found {
            Ok(found) => return Ok(Some(found)),
            Err(error) if error.is_bound() => error,
            Err(error) => return Err(internal(&error)),
        };
        let help = match error.kind {
            ErrorKind::Quota => "--max-ops N raises the bound",
            _ => "count with signed counters, such as `int` or `long`",
        };
        let message = format!("this region stays as it is: {error}");
        self.tell(&self.of_region(read, (Code::RegionStays, self.severity()), message, help));
        Ok(None)
    }

    /// The same for a region's text; `None`: it can't be written.
    fn if_written<T>(&self, read: &Read, written: Result<T, Error>) -> Result<Option<T>, Failure> {
        match written {
            Err(error) if error.kind == ErrorKind::Refused => {
                let message = format!("this region stays as it is: {error}");
                let help = "leave out of the region what stands in the way";
                self.tell(&self.of_region(read, (Code::RegionStays, self.severity()), message, help));
                Ok(None)
            }
            other => self.unless_beyond(read, other),
        }
    }

    /// That all of a region has to be understood.
    fn not_understood(&self, region: &LocalRegion) -> Diagnostic {
        let message = "this region stays as it is: not all that its statements do is understood".to_string();
        let help = "data may decide no loop's end in it, and no counter may have the name of a variable of the region";
        of_region(region, (Code::RegionStays, self.severity()), message, help)
    }

    /// Says that local arrays do not fit, for all sizes.
    fn overflows(&self, read: &Read, overflow: &Overflow) {
        let help = match overflow.bytes {
            Some(_) => {
                "put the pragma in front of an inner loop, take smaller tiles, name fewer arrays with arrays(…), or leave the largest ones where they are with --on-overflow demote"
            }
            None => "bound the sizes with --assume, such as --assume 'n <= 4096'",
        };
        self.tell(&self.of_region(read, (Code::TooLarge, self.severity()), overflow.message(), help));
    }

    /// Says that an array stays where it is for want of local memory.
    fn demotes(&self, read: &Read, overflow: &Overflow) {
        let name = &read.scop.array(overflow.largest).name;
        let message = format!("`{name}` stays where it is: {}", overflow.message());
        self.tell(&self.of_region(
            read,
            (Code::TooLarge, Severity::Warning),
            message,
            "take smaller tiles if it is to be copied, too",
        ));
    }

    /// Says which names and assumptions mean nothing; whether that is an error.
    fn misunderstood(&self, understood: &[Read], arguments: &CompactArguments) -> bool {
        let mut is_error = false;
        let is_array = |read: &Read, name: &String| read.scop.arrays.iter().any(|array| array.name == *name);
        for read in understood {
            let clauses = &read.region.clauses;
            // What is not said to be needed is lost.
            let hoisted = Some(clauses.hoists.iter().map(|hoist| hoist.array.clone()).collect());
            let named = [
                ("arrays", &clauses.arrays, Severity::Warning),
                ("live_out", &clauses.live_out, Severity::Error),
                ("hoist", &hoisted, Severity::Warning),
            ];
            for (clause, names, severity) in named {
                for name in names.iter().flatten().filter(|name| !is_array(read, name)) {
                    let message = format!("`{clause}({name})`: the region uses no array of this name");
                    self.tell(&self.of_region(read, (Code::UnknownName, severity), message, "check the spelling"));
                    is_error |= severity == Severity::Error;
                }
            }
        }
        for name in &arguments.program.live_out {
            if !understood.is_empty() && !understood.iter().any(|read| is_array(read, name)) {
                let message = format!("`--live-out {name}`: no region uses an array of this name; check the spelling");
                output::tell(&messages::plain(Severity::Error, Code::UnknownName, &message));
                is_error = true;
            }
        }
        for text in &arguments.program.assume {
            // A size of one region need not be one of the others.
            let about = |d: &&Diagnostic| d.about_options && d.message.contains(&format!("'{text}'"));
            let complaints: Vec<&Diagnostic> =
                understood.iter().filter_map(|read| read.about_options.iter().find(about)).collect();
            if let Some(first) = complaints.first().filter(|_| complaints.len() == understood.len()) {
                self.tell(first);
                is_error = true;
            }
        }
        is_error
    }

    /// Says what is good to know of a region; whether it is left as it is, since nothing would be gained.
    fn leaves(&self, read: &Read, compaction: &Compaction, arguments: &CompactArguments) -> Result<bool, Error> {
        if compaction.plans().all(|plan| plan.locals.is_empty() && plan.kept.is_empty()) {
            let is_empty = compaction.running.is_empty()?;
            let (message, help) = match is_empty {
                true => ("the region touches no cells of an array: it stays as it is", "its loops are empty"),
                false => (
                    "no array of the region is copied: it stays as it is",
                    "members of structures and single variables are not copied, nor arrays that arrays(…) does not name",
                ),
            };
            self.tell(&self.of_region(read, (Code::RegionStays, Severity::Note), message.to_string(), help));
            return Ok(true);
        }
        let mut nothing = true;
        for plan in compaction.plans() {
            nothing &= gains_nothing(&compaction.model, plan)?;
        }
        let all = compaction.plans().all(|plan| plan.kept.is_empty());
        if nothing && all && !arguments.local.always {
            let message =
                "nothing would be gained: local arrays would be as large as the arrays, and each cell is used once";
            let help = "say --always if it is to run in local memory anyway";
            self.tell(&self.of_region(read, (Code::RegionStays, Severity::Note), message.to_string(), help));
            return Ok(true);
        }
        let mut told = Vec::new();
        for local in compaction.plans().flat_map(|plan| &plan.locals) {
            if !local.copies.unsure.is_empty()? && !told.contains(&local.array) {
                told.push(local.array);
                let name = &read.scop.array(local.array).name;
                let message = format!(
                    "data decides which cells of `{name}` are written: they are copied in before they are copied back"
                );
                self.tell(&self.of_region(
                    read,
                    (Code::WrittenPerhaps, Severity::Note),
                    message,
                    "nothing has to be done",
                ));
            }
        }
        Ok(false)
    }

    fn of_region(&self, read: &Read, how: (Code, Severity), message: String, help: &str) -> Diagnostic {
        of_region(&read.region, how, message, help)
    }
}

fn of_region(region: &LocalRegion, (code, severity): (Code, Severity), message: String, help: &str) -> Diagnostic {
    let (label, span) = ("this region".to_string(), region.pragma.clone());
    Diagnostic { severity, code, message, span, about_options: false, label, help: Some(help.to_string()) }
}

fn kept_message(read: &Read, kept: &Kept, severity: Severity) -> Diagnostic {
    let name = &read.scop.array(kept.array).name;
    let access = kept.at.map(|(id, at)| &read.scop.statement(id).accesses[at]);
    let span = match access {
        Some(access) => {
            access.place.fragment.map_or(access.place.span.clone(), |f| read.scop.fragments[f.0].replaces.clone())
        }
        None => read.region.pragma.clone(),
    };
    let (why, label, help) = words(kept.why);
    Diagnostic {
        severity,
        code: Code::NotCopied,
        message: format!("`{name}` stays where it is: {why}"),
        span,
        about_options: false,
        label: label.to_string(),
        help: Some(help.to_string()),
    }
}

/// Why, what is underlined, and what to do.
fn words(why: Why) -> (&'static str, &'static str, &'static str) {
    match why {
        Why::NotAffine => (
            "this subscript is no sum of counters and sizes",
            "not affine",
            "name the arrays that are to be copied with arrays(…), or fix the sizes that are multiplied by a macro",
        ),
        Why::NoSubscript => (
            "no subscript of this reference stands in the text",
            "without a subscript",
            "write the reference out: `p[0]` for `*p`, and `p[0].m` for `p->m`",
        ),
        Why::Address => (
            "a function gets its address",
            "passed here",
            "which cells the function touches is not known: leave the call outside the region",
        ),
        Why::Call => (
            "the region calls a function, or goes by a pointer, that may read or write it",
            "in this region",
            "leave the call or the pointer outside the region, or say with --pure what the function does",
        ),
        Why::Overlaps => (
            "it is a pointer, and may lead to another array of the region",
            "in this region",
            "declare it with `restrict` or with brackets, or say --assume-noalias if it never does",
        ),
        Why::Reached => (
            "a pointer of the region may lead to it",
            "in this region",
            "declare the pointer with `restrict`, or say --assume-noalias if it never does",
        ),
        Why::LeavesRow => (
            "this subscript may leave its row, and two subscripts may then name one cell",
            "leaves its row",
            "correct the bound, or say what keeps it inside with --assume",
        ),
        Why::PerhapsOutside => (
            "data decides which of its cells are touched, and the declaration does not say that all of them are there",
            "in this region",
            "declare the array with its extents, or say what keeps the subscripts inside with --assume",
        ),
        Why::Unbounded => (
            "the number of cells that one instance of the region touches has no bound",
            "in this region",
            "put the pragma in front of an inner loop, or bound the sizes with --assume",
        ),
        Why::Parallel => (
            "instances of the region run at the same time, and data decides which cells they write",
            "in this region",
            "copying cells back that were not written would undo what others write: leave the array out with arrays(…)",
        ),
    }
}
