//! `polyfold compact`.

use super::arguments::{CompactArguments, OnError};
use super::{Failure, compiler, input, messages, output};
use polyfold::compact::{Compaction, compact};
use polyfold_codegen::{Compacted, in_local_memory};
use polyfold_compact::{Kept, Request, Why};
use polyfold_frontend::{Diagnostic, LocalRegion, Options, Severity, local_regions};
use polyfold_isl::{Context, Error};
use polyfold_scop::Scop;
use std::path::Path;

/// A region whose text is understood.
struct Read {
    region: LocalRegion,
    scop: Scop,
}

pub(crate) fn run(arguments: &CompactArguments) -> Result<(), Failure> {
    if arguments.output.as_ref().is_some_and(|file| output::is_same(file, &arguments.input)) {
        let message = "-o names the input file, which would be lost: name another one";
        return Err(Failure::Usage(Some(message.to_string())));
    }
    let source = input::text(&arguments.input)?;
    let told = Told { path: &arguments.input, source: &source, skips: arguments.on_error == OnError::Skip };
    let (regions, faults) = local_regions(&source);
    faults.iter().for_each(|fault| told.tell(fault));
    if !faults.is_empty() {
        return Err(Failure::Input(None));
    }
    let mut understood = Vec::new();
    let mut failed = false;
    for region in regions {
        match read(region, &told, arguments)? {
            Some(read) => understood.push(read),
            None => failed = true,
        }
    }
    let ctx = Context::new();
    let mut found = Vec::new();
    for read in &understood {
        let compaction = compact(&ctx, &read.scop, &request(read, arguments), arguments.program.max_ops);
        let compaction = compaction.map_err(|error| internal(&error))?;
        failed |= told.kept(read, &compaction);
        found.push((read, compaction));
    }
    if failed && !told.skips {
        return Err(Failure::Input(None));
    }
    let text = new_text(&source, &found)?;
    match &arguments.output {
        Some(file) => output::write_all(&[(file, &text)]),
        None => output::print(&text),
    }
}

/// A region as a scop of its own; `None`: it cannot be handled, and the user was told why.
fn read(region: LocalRegion, told: &Told, arguments: &CompactArguments) -> Result<Option<Read>, Failure> {
    let marked = region.marked(told.source);
    let flags = arguments.program.compiler.flags();
    let instrumented = polyfold_frontend::instrument(&marked);
    let language = compiler::language(told.path);
    let preprocessed = compiler::preprocess(&instrumented, told.path, language, &flags)?;
    let options = Options {
        pure: arguments.program.pure.clone(),
        assume: arguments.program.assume.clone(),
        local: true,
        ..Options::default()
    };
    let parsed = polyfold_frontend::parse(&marked, &preprocessed, &options);
    let scop = parsed.scops.into_iter().next();
    // That an array keeps its layout is no news: it is copied, not changed.
    let matters = |d: &&Diagnostic| d.severity == Severity::Error || scop.is_none();
    for diagnostic in parsed.diagnostics.iter().filter(matters) {
        told.tell(&Diagnostic { severity: told.severity(), ..diagnostic.clone() });
    }
    Ok(scop.map(|scop| Read { region, scop }))
}

fn request(read: &Read, arguments: &CompactArguments) -> Request {
    let named = |names: &[String]| (!names.is_empty()).then(|| names.to_vec());
    Request {
        arrays: read.region.clauses.arrays.clone(),
        live_out: read.region.clauses.live_out.clone().or_else(|| named(&arguments.program.live_out)),
        sizes: arguments.program.param.clone(),
    }
}

fn new_text(source: &str, found: &[(&Read, Compaction)]) -> Result<String, Failure> {
    let regions: Vec<Compacted> = (found.iter())
        .map(|(read, compaction)| Compacted {
            scop: &read.scop,
            parameters: &compaction.model.parameters,
            span: read.region.span(),
            statement: read.region.statement.clone(),
            known: &compaction.known,
            running: &compaction.running,
            plans: &compaction.plans,
        })
        .collect();
    in_local_memory(source, &regions).map_err(|error| internal(&error))
}

fn internal(error: &Error) -> Failure {
    Failure::Check(format!("{error}; nothing was written"))
}

/// Who is told what.
struct Told<'a> {
    path: &'a Path,
    source: &'a str,
    /// Whether what cannot be handled is left as it is.
    skips: bool,
}

impl Told<'_> {
    fn tell(&self, diagnostic: &Diagnostic) {
        output::tell(&messages::render(self.path, self.source, diagnostic));
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
        Why::Address => (
            "a function gets its address",
            "passed here",
            "which cells the function touches is not known: leave the call outside the region",
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
