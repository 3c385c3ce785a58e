//! Storage for a conflict set without a program: a mapping for every statement.
//!
//! ```text
//! [N] -> { S[i] -> T[j] : … }     values S(i) and T(j) may not share a cell
//! ```
//!
//! It is solved, and proved, for the parameter values for which there is a conflict and all assumptions hold. Paper: SMO §3.4.1
//! for what a conflict set is, §4 for the engine.
//!
//! ```
//! use polyfold::conflicts::{Question, study};
//! use polyfold_isl::{Context, Map};
//! use polyfold_smo::Engine;
//! let pairs = Map::read_each(&Context::new(), "[N] -> { S[i] -> S[j] : 0 <= i < j < N; S[i] -> T[j] : 0 <= j <= i < N }")?;
//! let question = Question { pairs, assumptions: vec![], sizes: vec![], engine: Engine::Auto, max_operations: 10_000_000 };
//! let report = study(&question).unwrap();
//! assert_eq!(report.statements[0].text, "A0[(i) mod (N)]");
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

use polyfold_isl::{CText, Error, ErrorKind, Map, Result, Set};
use polyfold_report::{ConflictReport, SharedBuffer, StatementMapping};
use polyfold_smo::{Allocation, ConflictSet, Engine, Outcome, Refusal, storage_mapping_by};

/// A conflict set, and what is known of its parameters.
#[derive(Clone, Debug)]
pub struct Question {
    /// For pairs of statements the values that conflict.
    pub pairs: Vec<Map>,
    /// Sets of parameter values.
    pub assumptions: Vec<Set>,
    /// Names and values of parameters.
    pub sizes: Vec<(String, i64)>,
    /// What finds the storage.
    pub engine: Engine,
    /// Bound on the work, in elementary steps.
    pub max_operations: u64,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The conflict set is at fault.
    Conflicts(String),
    /// The assumptions or sizes are at fault.
    Sizes(String),
    /// A result failed its own check: a bug.
    Check(String),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        match error.kind {
            ErrorKind::Quota => Fault::Conflicts("the bound on work was reached; --max-ops N raises it".to_string()),
            ErrorKind::Invalid | ErrorKind::Limit | ErrorKind::Refused => Fault::Conflicts(error.message),
        }
    }
}

/// Finds storage for a conflict set.
///
/// # Errors
/// When the set, assumptions or sizes are at fault, the work bound is reached, or no mapping could be proved.
pub fn study(question: &Question) -> std::result::Result<ConflictReport, Fault> {
    let Some(first) = question.pairs.first() else {
        return Err(Fault::Conflicts("there is no conflict: one cell is enough for everything".to_string()));
    };
    first.context().with_quota(question.max_operations, || answer(question))?
}

fn answer(question: &Question) -> Result<std::result::Result<ConflictReport, Fault>> {
    let context = context(question)?;
    if context.is_empty()? {
        return Ok(Err(Fault::Sizes("there is no conflict for any sizes that are left".to_string())));
    }
    let conflicts = ConflictSet::new(context, &question.pairs)?;
    let given: Vec<(&str, i64)> = question.sizes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let Some(sizes) = conflicts.sizes(&given)? else {
        return Ok(Err(Fault::Sizes("--param: there is no conflict at these sizes".to_string())));
    };
    let solution = storage_mapping_by(question.engine, &conflicts, &sizes)?;
    match solution.outcome {
        Outcome::Proved(allocation) => {
            report(question, &conflicts, allocation.value(), solution.engine.name(), &sizes).map(Ok)
        }
        Outcome::Refused(Refusal::Unproved) => Ok(Err(Fault::Conflicts("no mapping could be proved".to_string()))),
        Outcome::Refused(refusal) => Ok(Err(Fault::Check(format!("a mapping was refuted: {refusal:?}")))),
        Outcome::Unbounded => Ok(Err(Fault::Conflicts(
            "some conflicts have no bound that is affine in the parameters: an iterator may lack a bound, or a fact \
             about sizes is missing, such as --assume 'N >= 1'"
                .to_string(),
        ))),
    }
}

/// The parameter values for which there is a conflict and all assumptions hold.
fn context(question: &Question) -> Result<Set> {
    let all = question.pairs.iter().map(Map::params).collect::<Result<Vec<Set>>>()?;
    let Some((first, others)) = all.split_first() else { return Err(no_pairs()) };
    let somewhere = others.iter().try_fold(first.clone(), |all, some| all.union(some))?;
    question.assumptions.iter().try_fold(somewhere, |all, some| all.intersect(some))?.coalesce()
}

fn no_pairs() -> Error {
    Error { kind: ErrorKind::Refused, message: "there is no conflict".to_string() }
}

fn report(
    question: &Question,
    conflicts: &ConflictSet,
    allocation: &Allocation,
    method: &'static str,
    sizes: &[i64],
) -> Result<ConflictReport> {
    let parameters = conflicts.parameters();
    let is_given = |name: &String| question.sizes.iter().any(|(known, _)| known == name);
    let (intra, inter) = conflicts.count();
    Ok(ConflictReport {
        schema: "polyfold-conflicts/1",
        method,
        parameters: parameters.to_vec(),
        context: conflicts.context().to_string(),
        condition: CText::new(&Set::read(conflicts.context().context(), "{ : }")?)?.condition(conflicts.context())?,
        at: parameters.iter().cloned().zip(sizes.iter().copied()).collect(),
        examples: parameters.iter().filter(|name| !is_given(name)).cloned().collect(),
        polyhedra: [intra, inter],
        buffers: buffers(conflicts, allocation, sizes),
        statements: statements(conflicts, allocation),
        cells: allocation.cells(sizes).try_into().ok(),
    })
}

fn buffers(conflicts: &ConflictSet, allocation: &Allocation, sizes: &[i64]) -> Vec<SharedBuffer> {
    let names = conflicts.parameters();
    let boxes = allocation.buffers.iter().map(|buffer| {
        (buffer.moduli.iter().map(|modulus| modulus.text(names)).collect(), Vec::new(), buffer.cells(sizes))
    });
    let lines = allocation.lines.iter().map(|line| {
        let strides = line.strides.iter().map(|stride| stride.text(names)).collect();
        (vec![line.modulus.text(names)], strides, line.cells(sizes))
    });
    let buffer = |(place, (extents, strides, cells)): (usize, (Vec<String>, Vec<String>, i128))| SharedBuffer {
        name: format!("A{place}"),
        extents,
        strides,
        cells: cells.try_into().ok(),
    };
    boxes.chain(lines).enumerate().map(buffer).collect()
}

fn statements(conflicts: &ConflictSet, allocation: &Allocation) -> Vec<StatementMapping> {
    let boxes = allocation.buffers.iter().map(|buffer| &buffer.members);
    let members = boxes.chain(allocation.lines.iter().map(|line| &line.members));
    let mut all = Vec::new();
    for (place, member) in members.enumerate().flat_map(|(place, all)| all.iter().map(move |member| (place, member))) {
        let statement = &conflicts.statements()[member.statement];
        all.push(StatementMapping {
            name: statement.name.clone(),
            iterators: statement.iterators.clone(),
            buffer: format!("A{place}"),
            rows: member.rows.iter().map(|row| row.coefficients.clone()).collect(),
            offsets: member.rows.iter().map(|row| row.offset).collect(),
            text: allocation.place(conflicts, member.statement).unwrap_or_default(),
        });
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}
