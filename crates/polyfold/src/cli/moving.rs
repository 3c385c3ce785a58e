//! What a user says of copies: how they are written, and when they happen.

use super::arguments::{CompactArguments, MannerArguments};
use super::motion_notes;
use polyfold::motion::Moves;
use polyfold::motion_reasons::Stays;
use polyfold_codegen::{Functions, Manner, Transfer};
use polyfold_compact::Motion;
use polyfold_frontend::{Diagnostic, LocalRegion, Severity, can_call};
use polyfold_isl::Error;
use polyfold_plan::{Compaction, loose};
use polyfold_scop::{Code, LoopAround, ParameterOrigin, Scop, Span};

/// How copies and declarations are written.
pub(super) fn manner(arguments: &MannerArguments) -> Manner {
    let transfer = match (&arguments.get, &arguments.put, &arguments.wait) {
        (Some(get), Some(put), Some(wait)) => Transfer::Functions(Functions {
            get: get.clone(),
            put: put.clone(),
            wait: wait.clone(),
            least: arguments.min_transfer.unwrap_or(0),
            most: arguments.max_transfer,
        }),
        _ if arguments.memcpy => Transfer::Memcpy,
        _ => Transfer::Assignments,
    };
    Manner { transfer, space: arguments.space.clone(), align: arguments.align, padding: arguments.pad }
}

/// What is wrong with what the user says of copies.
pub(super) fn refusal(region: &LocalRegion, manner: &Manner, texts: (&str, &str)) -> Option<Diagnostic> {
    if let Some(name) = undeclared(manner, texts) {
        let message = format!("`{name}` is not declared in this file, and copies are to call it");
        let help = "declare it in front of the function, or include the header that does";
        return Some(about(region, Severity::Error, message, help));
    }
    if region.clauses.buffers.is_some_and(|buffers| !(1..=3).contains(&buffers)) {
        let help = "2 fetch ahead; 3 let cells be on their way back at the same time";
        return Some(about(region, Severity::Error, "buffers(…) is 1, 2 or 3".to_string(), help));
    }
    None
}

fn about(region: &LocalRegion, severity: Severity, message: String, help: &str) -> Diagnostic {
    let (span, label) = (region.pragma.clone(), "this region".to_string());
    Diagnostic {
        severity,
        code: Code::Copies,
        message,
        span,
        about_options: false,
        label,
        help: Some(help.to_string()),
    }
}

/// Of the functions that copies call, the first that is not declared.
fn undeclared(manner: &Manner, (source, preprocessed): (&str, &str)) -> Option<String> {
    let names: Vec<&String> = match &manner.transfer {
        Transfer::Assignments => Vec::new(),
        Transfer::Memcpy => return (!can_call(source, preprocessed, "memcpy")).then(|| "memcpy".to_string()),
        Transfer::Functions(functions) => vec![&functions.get, &functions.put, &functions.wait],
    };
    names.into_iter().find(|name| !can_call(source, preprocessed, name)).cloned()
}

/// Bytes of the loops around a region that copies may stand in front of, innermost first. Where local memory has a capacity, no region's
/// arrays are there while another region runs.
pub(super) fn loops(region: &LocalRegion, scop: &Scop, all: &[LocalRegion], arguments: &CompactArguments) -> Vec<Span> {
    let others: Vec<&LocalRegion> = all.iter().filter(|other| other.span() != region.span()).collect();
    let has_capacity = |region: &LocalRegion| region.clauses.capacity.or(arguments.local.capacity).is_some();
    let is_free = |own: &&LoopAround| {
        let mut inside = others.iter().filter(|other| own.span.contains(&other.statement.start));
        own.takes_lines && !inside.any(|other| has_capacity(other) || has_capacity(region))
    };
    let loops = scop.surroundings.iter().flat_map(|around| &around.loops);
    loops.take_while(is_free).map(|own| own.span.clone()).collect()
}

/// What is asked for in a region.
pub(super) fn moves(region: &LocalRegion, scop: &Scop, loops: usize, arguments: &CompactArguments) -> Moves {
    let buffers = region.clauses.buffers.or(arguments.local.buffers).unwrap_or(1);
    let loose = if arguments.local.assume_noalias { Vec::new() } else { loose(scop) };
    Moves { buffers: usize::try_from(buffers).unwrap_or(usize::MAX), loose, loops }
}

/// Local arrays of run-time size, where what stands in front of declarations asks for constants.
pub(super) fn unfit_space(
    region: &LocalRegion,
    scop: &Scop,
    compaction: &Compaction,
    manner: &Manner,
) -> Result<Option<Diagnostic>, Error> {
    if !manner.is_static() {
        return Ok(None);
    }
    let sizes = scop.parameters.iter().zip(&compaction.model.parameters);
    let at_run_time = sizes.filter(|(size, _)| size.origin == ParameterOrigin::Variable);
    let at_run_time: Vec<&String> = at_run_time.map(|(_, isl)| isl).collect();
    for local in compaction.plans().flat_map(|plan| &plan.locals) {
        for extent in &local.shape.extents {
            if extent.parameters()?.iter().any(|size| at_run_time.contains(&size)) {
                let name = &scop.array(local.array).name;
                let message = format!(
                    "--space says `static`, and how many cells the local array of `{name}` has is known at run time only"
                );
                let help = "take tiles of sizes that are numbers, or leave `static` out";
                return Ok(Some(about(region, Severity::Error, message, help)));
            }
        }
    }
    Ok(None)
}

/// What the user should know of copies that do not happen as the pragma says, or not as early as they might.
pub(super) fn remarks(
    region: &LocalRegion,
    scop: &Scop,
    compaction: &Compaction,
    moves: &Moves,
    manner: &Manner,
) -> Result<Vec<Diagnostic>, Error> {
    let mut remarks = Vec::new();
    let pairs = || {
        let pairs = |placed: &'_ polyfold_prove::PlacedLocals| {
            let locals = placed.plan().locals.iter().zip(placed.motions());
            locals.map(|(local, motion)| (local.clone(), motion.clone())).collect::<Vec<_>>()
        };
        compaction.plans.iter().flat_map(pairs)
    };
    let loops = || scop.surroundings.iter().flat_map(|around| &around.loops);
    let counters = || scop.surroundings.iter().flat_map(|around| &around.counters);
    let is_array = |name: &String| scop.arrays.iter().any(|array| array.name == *name);
    for hoist in region.clauses.hoists.iter().filter(|hoist| is_array(&hoist.array)) {
        if !counters().any(|counter| *counter == hoist.counter) {
            let (array, counter) = (&hoist.array, &hoist.counter);
            let message = format!("`hoist({array}, {counter})`: no loop of `{counter}` stands around the region");
            let names: Vec<String> = counters().filter(|c| !c.is_empty()).map(|c| format!("`{c}`")).collect();
            let help = match names.is_empty() {
                true => "leave it out: the region is in no loop".to_string(),
                false => format!("name the counter of a loop around it: {}", names.join(", ")),
            };
            remarks.push(about(region, Severity::Warning, message, &help));
            continue;
        }
        let wanted = loops().position(|around| scop.parameters[around.counter.0].name == hoist.counter);
        let is_outside =
            |motion: &Motion| matches!((motion, wanted), (Motion::Outside(depth), Some(at)) if *depth > at);
        let mut own = pairs().filter(|(local, _)| scop.array(local.array).name == hoist.array).peekable();
        if own.peek().is_none() || !own.all(|(_, motion)| is_outside(&motion)) {
            let why = match wanted {
                Some(at) => motion_notes::inside(compaction, moves, &hoist.array, at)?,
                None => motion_notes::words(Stays::NoLoop).to_string(),
            };
            let (array, counter) = (&hoist.array, &hoist.counter);
            let message = format!("`{array}` is not copied in front of the loop of `{counter}`: {why}");
            let help = "its cells have to be the same in every iteration, nothing beside the region may touch it, and only blocks, loops \
                        with an iteration and conditions on sizes and counters may stand between";
            remarks.push(about(region, Severity::Warning, message, help));
        }
    }
    if region.clauses.is_async && !matches!(manner.transfer, Transfer::Functions(_)) {
        let message = "assignments and memcpy copy at once: nothing goes on meanwhile".to_string();
        remarks.push(about(region, Severity::Warning, message, "name functions that do with --get, --put and --wait"));
    }
    if moves.buffers > 1 && !pairs().any(|(_, motion)| motion.buffers() > 1) {
        let why = match counters().next() {
            Some(_) => motion_notes::one_buffer(compaction, moves)?,
            None => "the region is in no loop".to_string(),
        };
        let message = format!("no local array rotates, each has one buffer; {why}");
        let help = "the region has to be all that its innermost loop does with these arrays, in every iteration, with a counter of the loop's \
                    own that is not negative";
        remarks.push(about(region, Severity::Warning, message, help));
    }
    for (local, motion) in pairs() {
        let Motion::Rotating { late, .. } = &motion else { continue };
        if !late.is_empty()? {
            let name = &scop.array(local.array).name;
            let message = format!(
                "an iteration reads cells of `{name}` that one before may write: they are fetched when it begins, not ahead: {late}"
            );
            remarks.push(about(
                region,
                Severity::Warning,
                message,
                "nothing has to be done; the other cells are fetched ahead",
            ));
        }
    }
    Ok(remarks)
}
