//! Runs a result beside its source, over terms, in every run of the command.
//!
//! The proof says that no value is lost, for all sizes. This is a judge that shares nothing with it: the scop's program and the
//! one with new storage run at small sizes for which the storage was proved, and leave the same terms.

use crate::applied::{BufferNames, with_new_storage};
use crate::optimize::Optimized;
use polyfold_isl::{Result, Set};
use polyfold_program::{Int, ParameterId, Program, Role};
use polyfold_prove::Placed;
use polyfold_replay::terms::{Difference, Fault, FaultKind, Ran, Why, agree, sizes_to_run};
use polyfold_scop::Scop;

/// Statements and iterations of both programs, in all.
const WORK: u64 = 200_000;

/// What came of running both.
#[derive(Clone, Debug)]
pub enum Judgement {
    /// They agree, at so many sizes.
    Agree(Ran),
    /// They don't: the result is wrong. At which sizes, and how.
    Differ(String),
    /// They weren't run.
    NotRun,
}

/// Judges the storage that was found for a scop.
///
/// # Errors
/// When isl fails.
pub fn judged(scop: &Scop, result: &Optimized) -> Result<Judgement> {
    let of_storage = |place: &Placed| match place.shared() {
        Some(first) => format!("buffer of {}", scop.array(first).name),
        None => format!("storage of {}", scop.array(place.array()).name),
    };
    let of_values = |place: &Placed| format!("values {}", place.shared().unwrap_or(place.array()).0);
    let names = BufferNames { of_storage: &of_storage, of_values: &of_values, of_locals: &str::to_string };
    match with_new_storage(scop, result, &names)? {
        Some(after) => judged_printed(scop, &after, result),
        None => Ok(Judgement::NotRun),
    }
}

/// Judges the program that a scop's new text is printed from.
///
/// # Errors
/// When isl fails.
pub fn judged_printed(scop: &Scop, after: &Program, result: &Optimized) -> Result<Judgement> {
    let is_allowed = |sizes: &[i64]| is_proved(&result.proved, &result.parameters, sizes);
    scop.program.as_ref().map_or(Ok(Judgement::NotRun), |program| run("storage", (program, after), is_allowed))
}

/// Judges a program in another order, at sizes that C itself allows.
///
/// # Errors
/// When isl fails.
pub(crate) fn judged_order(
    program: &Program,
    after: &Program,
    (known, parameters): (&Set, &[String]),
) -> Result<Judgement> {
    run("order", (program, after), |sizes: &[i64]| is_proved(known, parameters, sizes))
}

/// Sizes that some instance of a region may have: the region, and the sizes by their names in isl notation.
pub type Instances<'a> = (&'a Scop, &'a Set, &'a [String]);

/// Judges the program of some regions with local arrays, at sizes that some instance of each may have. `is_needed`: whether an array's
/// values are needed behind.
///
/// # Errors
/// When isl fails.
pub fn judged_regions(
    (before, after): (&Program, &Program),
    is_needed: &dyn Fn(&str) -> bool,
    regions: &[Instances],
) -> Result<Judgement> {
    let [before, after] = &[before, after].map(|program| without_values_behind(program, is_needed));
    let used = |name: &str| {
        let id = before.parameter(name)?;
        [before, after].iter().any(|program| names(program, id)).then_some(id.0)
    };
    run("local memory", (before, after), |sizes: &[i64]| {
        for (scop, known, isl) in regions {
            let own = |k: usize| Some(sizes[used(&scop.parameters[k].name)?]);
            let products = || scop.surroundings.iter().flat_map(|around| &around.products);
            let value = |(k, name): (usize, &'_ String)| {
                let value = match products().find(|product| product.parameter.0 == k) {
                    Some(product) => product.factors.iter().map(|factor| own(factor.0)).product::<Option<i64>>()?,
                    None => own(k)?,
                };
                Some((name.clone(), value))
            };
            let named: Vec<(String, i64)> = isl.iter().enumerate().filter_map(value).collect();
            let named: Vec<(&str, i64)> = named.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            if known.at(&named)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// A program of which nobody needs the values behind it but those of some arrays.
fn without_values_behind(program: &Program, is_needed: &dyn Fn(&str) -> bool) -> Program {
    let mut program = program.clone();
    for buffer in &mut program.buffers {
        if !is_needed(&buffer.name) {
            buffer.role = if buffer.role.is_in() { Role::In } else { Role::Temporary };
        }
    }
    program
}

/// Whether a program's statements or extents name a size.
fn names(program: &Program, size: ParameterId) -> bool {
    let mut found = false;
    let mut visit = |e: &Int| found |= *e == Int::Parameter(size);
    program.body.iter().for_each(|stmt| stmt.each(&mut |stmt| stmt.each_int(&mut visit)));
    program.buffers.iter().flat_map(|own| own.extents.iter().flatten()).for_each(|extent| extent.each(&mut visit));
    found
}

/// Runs two programs at the sizes that are allowed.
fn run(
    what: &str,
    (program, after): (&Program, &Program),
    is_allowed: impl Fn(&[i64]) -> Result<bool>,
) -> Result<Judgement> {
    let mut allowed = Vec::new();
    for candidate in sizes_to_run(program, after) {
        if is_allowed(&candidate)? {
            allowed.push(candidate);
        }
    }
    Ok(match agree(program, after, &allowed, WORK) {
        Ok(ran) if ran.agreed == 0 => Judgement::NotRun,
        Ok(ran) => Judgement::Agree(ran),
        Err(difference) => Judgement::Differ(described(what, program, &difference)),
    })
}

/// The sizes, and what is wrong there.
fn described(new: &str, program: &Program, difference: &Difference) -> String {
    let sizes = program.parameters.iter().zip(&difference.sizes);
    let sizes: Vec<String> = sizes.map(|(parameter, size)| format!("{} = {size}", parameter.name)).collect();
    let at = if sizes.is_empty() { String::new() } else { format!(" at {}", sizes.join(", ")) };
    let cell = |buffer: &str, index: &[i64]| {
        let index: String = index.iter().map(|k| format!("[{k}]")).collect();
        format!("{buffer}{index}")
    };
    let what = match &difference.why {
        Why::Cell { buffer, index } => format!("`{}` gets another value", cell(buffer, index)),
        Why::Effects => "calls are made in another order".to_string(),
        Why::Interface => "it has other arrays".to_string(),
        Why::Fault(Fault { kind: FaultKind::Outside { buffer, index }, .. }) => {
            format!("`{}` is outside of the {buffer}", cell("", index))
        }
        Why::Fault(Fault { kind: FaultKind::Race { buffer, .. }, .. }) => {
            format!("two iterations that may run at once use one cell of the {buffer}")
        }
        Why::Fault(Fault { kind: FaultKind::UnderWay { buffer, index }, .. }) => {
            format!("`{}` is used, or lost, while it is still being copied", cell(buffer, index))
        }
        Why::Fault(_) => "a subscript has no value".to_string(),
    };
    format!("the new {new} is wrong{at}: {what}")
}

fn is_proved(proved: &Set, parameters: &[String], sizes: &[i64]) -> Result<bool> {
    let named: Vec<(&str, i64)> = parameters.iter().map(String::as_str).zip(sizes.iter().copied()).collect();
    Ok(!proved.at(&named)?.is_empty()?)
}

#[cfg(test)]
mod tests {
    use super::{Judgement, run};
    use polyfold_program::{Int, Layout, Program};
    use polyfold_transform::{Coordinate, Remainder, Storage, StorageHome, apply_storage, sweep};

    const SOURCE: &str = "program p(n) where n >= 1 { in A[n]; out B[n]; temporary W[n]; temporary D[n];
        for i = 0 while i < n step 1 {
          S0(i): W[i] = 2 * A[i];
          if (i >= 1) { S1(i): B[i] = W[i - 1] + W[i]; } else { S2(i): B[i] = W[i]; }
          S3(i): D[i] = B[i];
        } }";

    /// W in so many cells, and nothing said of D but that it is dead or not.
    fn judged(modulus: i64, is_dead: bool, fits: bool) -> Judgement {
        let program = Program::read(SOURCE).expect("a program");
        let coordinate = |modulus: i64| Coordinate {
            coefficients: vec![Int::Constant(1)],
            shift: Int::Constant(0),
            modulus: Int::Constant(modulus),
            least: modulus,
            remainder: if fits { Remainder::Fits } else { Remainder::Floor },
        };
        let storage = |name: &str, modulus: i64| Storage {
            array: program.buffer(name).expect("a buffer"),
            home: StorageHome::New { name: "buffer".to_string(), layout: Layout::Rows },
            coordinates: vec![coordinate(modulus)],
        };
        let dead = program.statement("S3").filter(|_| is_dead);
        let storages = [storage("W", modulus), storage("D", modulus)];
        let after = apply_storage(&sweep(&program, &Vec::from_iter(dead)), &storages).expect("temporaries");
        run("storage", (&program, &after), |_| Ok(true)).expect("no isl is asked")
    }

    #[test]
    fn right_storage_agrees_and_wrong_storage_is_told_with_its_sizes() {
        assert!(matches!(judged(2, true, false), Judgement::Agree(ran) if ran.agreed >= 6));
        let wrong = |judgement| match judgement {
            Judgement::Differ(message) => message,
            other => panic!("{other:?}"),
        };
        assert_eq!(wrong(judged(1, true, false)), "the new storage is wrong at n = 2: `B[1]` gets another value");
        assert_eq!(wrong(judged(2, false, false)), "the new storage is wrong at n = 3: `B[2]` gets another value");
        assert_eq!(wrong(judged(2, true, true)), "the new storage is wrong at n = 3: `[2]` is outside of the buffer");
    }

    #[test]
    fn an_order_that_loses_a_value_is_told() {
        let order = |first: &str, second: &str| {
            let text = format!(
                "program p(n) where n >= 1 {{ in A[n]; out B[n]; temporary W[n];
                   for i = 0 while i < n step 1 {{ {first} {second} }} }}"
            );
            Program::read(&text).expect("a program")
        };
        let (writes, reads) = ("S0(i): W[i] = 2 * A[i];", "S1(i): B[i] = W[i];");
        let (program, turned) = (order(writes, reads), order(reads, writes));
        let judged = run("order", (&program, &turned), |_| Ok(true)).expect("no isl is asked");
        let Judgement::Differ(message) = judged else { panic!("{judged:?}") };
        assert_eq!(message, "the new order is wrong at n = 1: `B[0]` gets another value");
    }

    #[test]
    fn where_no_size_is_proved_nothing_is_claimed() {
        let program = Program::read(SOURCE).expect("a program");
        assert!(matches!(run("storage", (&program, &program), |_| Ok(false)), Ok(Judgement::NotRun)));
    }
}
