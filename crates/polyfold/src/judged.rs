//! Runs a result beside its source, over terms, in every run of the command.
//!
//! The proof says that no value is lost, for all sizes. This is a judge that shares nothing with it: the scop's program and the
//! same without dead statements ([`sweep`]) and with the new storage ([`apply_storage`]) run at small sizes for which the storage was proved, and leave the same terms.
//!
//! Not judged yet: scops that are no programs, values that live in several places, arrays in the memory of outputs, storage
//! whose only row grows with a size, and programs in which a cell with new storage says which cell is meant elsewhere.

use crate::optimize::{Optimized, Outcome};
use polyfold_isl::{AstExpr, CText, Operation, PwAff, Result, Set};
use polyfold_program::{BufferId, Cond, Int, IntOp, Place, Program, Relation, StatementId, Stmt};
use polyfold_prove::{Placed, RowForm};
use polyfold_replay::terms::{Difference, Fault, FaultKind, Ran, Why, agree, sizes_to_run};
use polyfold_scop::Scop;
use polyfold_transform::{Coordinate, Storage, apply_storage, sweep};

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
    let Some(program) = &scop.program else { return Ok(Judgement::NotRun) };
    let text = CText::new(&result.proved)?;
    let sizes = Sizes { parameters: &result.parameters, program, text };
    let mut storages = Vec::new();
    for (id, outcome) in &result.outcomes {
        let (place, buffer) = match outcome {
            Outcome::Kept { .. } | Outcome::Removed => continue,
            Outcome::Mapped { storage, .. } => (storage.place(), format!("storage of {}", scop.array(*id).name)),
            Outcome::Shared { buffer, member } => {
                (result.buffers[*buffer].storage.place(*member), format!("buffer {buffer}"))
            }
            Outcome::Hosted { .. } | Outcome::Values { .. } => return Ok(Judgement::NotRun),
        };
        let Some(coordinates) = sizes.coordinates(place)? else { return Ok(Judgement::NotRun) };
        storages.push(Storage { array: BufferId(id.0), buffer, coordinates });
    }
    let dead: Vec<StatementId> = result.dead.statements.iter().map(|id| StatementId(id.0)).collect();
    run(program, &dead, &storages, |sizes| is_proved(&result.proved, &result.parameters, sizes))
}

/// Runs a program beside the same without dead statements and with new storage, at the sizes that are allowed.
fn run(
    program: &Program,
    dead: &[StatementId],
    storages: &[Storage],
    is_allowed: impl Fn(&[i64]) -> Result<bool>,
) -> Result<Judgement> {
    let swept = sweep(program, dead);
    if chooses_by_some(&swept, storages) {
        return Ok(Judgement::NotRun);
    }
    let Some(after) = apply_storage(&swept, storages) else { return Ok(Judgement::NotRun) };
    let mut allowed = Vec::new();
    for candidate in sizes_to_run(program, &after) {
        if is_allowed(&candidate)? {
            allowed.push(candidate);
        }
    }
    Ok(match agree(program, &after, &allowed, WORK) {
        Ok(ran) if ran.agreed == 0 => Judgement::NotRun,
        Ok(ran) => Judgement::Agree(ran),
        Err(difference) => Judgement::Differ(described(program, &difference)),
    })
}

/// Whether a cell with new storage is read to know which cell another access means.
fn chooses_by_some(program: &Program, storages: &[Storage]) -> bool {
    let mut found = false;
    let mut choose = |place: &Place| {
        if let Place::Cell { buffer, .. } = place {
            found |= storages.iter().any(|storage| storage.array == *buffer);
        }
    };
    let mut visit = |stmt: &Stmt| match stmt {
        Stmt::Assign(own) => {
            own.target.each_read(&mut choose);
            own.value.each_read(&mut |place| place.each_read(&mut choose));
        }
        Stmt::If { cond, .. } => cond.each_read(&mut |place| place.each_read(&mut choose)),
        _ => {}
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

/// The sizes, and what is wrong there.
fn described(program: &Program, difference: &Difference) -> String {
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
            format!("two iterations of a parallel loop use one cell of the {buffer}")
        }
        Why::Fault(_) => "a subscript has no value".to_string(),
    };
    format!("the new storage is wrong{at}: {what}")
}

fn is_proved(proved: &Set, parameters: &[String], sizes: &[i64]) -> Result<bool> {
    let named: Vec<(&str, i64)> = parameters.iter().map(String::as_str).zip(sizes.iter().copied()).collect();
    Ok(!proved.at(&named)?.is_empty()?)
}

/// Prints functions of sizes as a program's integers.
struct Sizes<'a> {
    /// In isl notation.
    parameters: &'a [String],
    program: &'a Program,
    text: CText,
}

impl Sizes<'_> {
    /// `None`: this isn't a mapping by rows.
    fn coordinates(&self, place: &Placed) -> Result<Option<Vec<Coordinate>>> {
        if place.linear().is_some() || place.inside().is_some() {
            return Ok(None);
        }
        let mut found = Vec::new();
        for row in place.rows() {
            let (shift, fits) = match &row.form {
                RowForm::Fits { lowest } => {
                    let lowest = self.int(lowest)?;
                    (lowest.map(|lowest| Int::binary(IntOp::Subtract, Int::Constant(0), lowest)), true)
                }
                RowForm::Modulo { .. } | RowForm::SignedModulo => (self.int(&row.shift)?, false),
            };
            let (Some(shift), Some(modulus)) = (shift, self.int(&row.modulus)?) else { return Ok(None) };
            found.push(Coordinate { coefficients: row.coefficients.clone(), shift, modulus, fits });
        }
        Ok(Some(found))
    }

    fn int(&self, function: &PwAff) -> Result<Option<Int>> {
        let tree = self.text.tree(function)?;
        Ok(self.of_tree(&tree))
    }

    fn of_tree(&self, e: &AstExpr) -> Option<Int> {
        let (operation, operands) = match e {
            AstExpr::Number(number) => return Some(Int::Constant(*number)),
            AstExpr::Name(name) => {
                let position = self.parameters.iter().position(|own| own == name)?;
                return (position < self.program.parameters.len())
                    .then_some(Int::Parameter(polyfold_program::ParameterId(position)));
            }
            AstExpr::Operation(operation, operands) => (*operation, operands),
        };
        if let (Operation::Select, [cond, yes, no]) = (operation, &operands[..]) {
            let (yes, no) = (Box::new(self.of_tree(yes)?), Box::new(self.of_tree(no)?));
            return Some(Int::Select(Box::new(self.cond(cond)?), yes, no));
        }
        let op = match operation {
            Operation::Max => IntOp::Maximum,
            Operation::Min => IntOp::Minimum,
            Operation::Add => IntOp::Add,
            Operation::Subtract | Operation::Minus => IntOp::Subtract,
            Operation::Multiply => IntOp::Multiply,
            Operation::Divide => IntOp::Divide,
            Operation::FloorDivide => IntOp::FloorDivide,
            Operation::Remainder => IntOp::Remainder,
            _ => return None,
        };
        let mut all = operands.iter().map(|operand| self.of_tree(operand)).collect::<Option<Vec<Int>>>()?.into_iter();
        let first = if operation == Operation::Minus { Int::Constant(0) } else { all.next()? };
        Some(all.fold(first, |left, right| Int::binary(op, left, right)))
    }

    fn cond(&self, e: &AstExpr) -> Option<Cond> {
        let AstExpr::Operation(operation, operands) = e else { return None };
        let relation = match operation {
            Operation::And | Operation::Or => {
                let parts = operands.iter().map(|operand| self.cond(operand)).collect::<Option<Vec<Cond>>>()?;
                return parts.into_iter().reduce(|left, right| {
                    let both = (Box::new(left), Box::new(right));
                    if *operation == Operation::And { Cond::And(both.0, both.1) } else { Cond::Or(both.0, both.1) }
                });
            }
            Operation::Equal => Relation::Equal,
            Operation::LessEqual => Relation::LessOrEqual,
            Operation::Less => Relation::Less,
            Operation::GreaterEqual => Relation::GreaterOrEqual,
            Operation::Greater => Relation::Greater,
            _ => return None,
        };
        let [left, right] = &operands[..] else { return None };
        Some(Cond::compare(self.of_tree(left)?, relation, self.of_tree(right)?))
    }
}

#[cfg(test)]
mod tests {
    use super::{Judgement, run};
    use polyfold_program::{Int, Program};
    use polyfold_transform::{Coordinate, Storage};

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
            coefficients: vec![1],
            shift: Int::Constant(0),
            modulus: Int::Constant(modulus),
            fits,
        };
        let storage = |name: &str, modulus: i64| Storage {
            array: program.buffer(name).expect("a buffer"),
            buffer: "buffer".to_string(),
            coordinates: vec![coordinate(modulus)],
        };
        let dead = program.statement("S3").filter(|_| is_dead);
        let storages = [storage("W", modulus), storage("D", modulus)];
        run(&program, &Vec::from_iter(dead), &storages, |_| Ok(true)).expect("no isl is asked")
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
    fn where_new_storage_says_which_cell_is_meant_nothing_is_claimed() {
        let text = SOURCE.replace("S3(i): D[i] = B[i];", "S3(i): B[i] = A[W[i]];");
        let program = Program::read(&text).expect("a program");
        let storage = |name: &str| Storage {
            array: program.buffer(name).expect("a buffer"),
            buffer: "buffer".to_string(),
            coordinates: Vec::new(),
        };
        let judged = |name: &str| run(&program, &[], &[storage(name)], |_| Ok(true)).expect("no isl is asked");
        assert!(matches!(judged("W"), Judgement::NotRun));
        assert!(matches!(judged("D"), Judgement::Agree(_)));
    }

    #[test]
    fn where_no_size_is_proved_nothing_is_claimed() {
        let program = Program::read(SOURCE).expect("a program");
        assert!(matches!(run(&program, &[], &[], |_| Ok(false)), Ok(Judgement::NotRun)));
    }
}
