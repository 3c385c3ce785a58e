//! The storage that was found, applied to a scop's program.
//!
//! Statements whose results nobody reads go ([`sweep`]). Arrays get their new cells ([`apply_storage`]). Statements that copy a
//! cell to itself then go, too ([`without_self_copies`]). The result runs beside the source in every run of the command, and
//! `--emit plain` prints it.
//!
//! Not applied yet:
//!
//! * scops that are no programs, or in which new storage computes with what data decide,
//! * values that live in several places, and arrays in the memory of outputs.

use crate::optimize::{Optimized, Outcome};
use polyfold_codegen::{growing_coordinate, new_layout};
use polyfold_isl::{AstExpr, CText, Operation, PwAff, Result, Set};
use polyfold_program::{BufferId, Cond, Int, IntOp, ParameterId, Place, Program, Relation, StatementId, Stmt};
use polyfold_prove::{Placed, RowForm};
use polyfold_scop::Scop;
use polyfold_transform::{Coordinate, Remainder, Storage, apply_storage, sweep, without_self_copies};

/// A scop's program with new storage; `name` says what a buffer is called, which has to be the same for all that share it.
/// `None`: something isn't applied yet.
///
/// # Errors
/// When isl fails.
pub fn with_new_storage(scop: &Scop, result: &Optimized, name: &dyn Fn(&Placed) -> String) -> Result<Option<Program>> {
    let Some(program) = &scop.program else { return Ok(None) };
    let text = CText::new(&result.proved)?;
    let sizes = Sizes { parameters: &result.parameters, program, text };
    let mut storages = Vec::new();
    for (id, outcome) in &result.outcomes {
        let place = match outcome {
            Outcome::Kept { .. } | Outcome::Removed => continue,
            Outcome::Mapped { storage, .. } => storage.place(),
            Outcome::Shared { buffer, member } => result.buffers[*buffer].storage.place(*member),
            Outcome::Hosted { .. } | Outcome::Values { .. } => return Ok(None),
        };
        let Some(coordinates) = sizes.coordinates(place)? else { return Ok(None) };
        let layout = new_layout(scop.array(*id), place);
        storages.push(Storage { array: BufferId(id.0), buffer: name(place), layout, coordinates });
    }
    let dead: Vec<StatementId> = result.dead.statements.iter().map(|id| StatementId(id.0)).collect();
    let after = apply_storage(&sweep(program, &dead), &storages).filter(|after| !computes_with_data(after));
    Ok(after.map(|after| without_self_copies(&after)))
}

/// Whether a subscript is computed from what data decide: execution over terms follows whole subscripts only.
fn computes_with_data(program: &Program) -> bool {
    let mut found = false;
    let mut in_subscript = |own: &Int| own.each(&mut |e| found |= matches!(e, Int::Data(_)) && own.as_data().is_none());
    let mut in_place = |place: &Place| {
        if let Place::Cell { index, .. } = place {
            index.iter().for_each(&mut in_subscript);
        }
    };
    let mut in_stmt = |stmt: &Stmt| stmt.each_place(&mut |_, place| in_place(place));
    program.body.iter().for_each(|stmt| stmt.each(&mut in_stmt));
    found
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
        if place.inside().is_some() {
            return Ok(None);
        }
        if let Some(row) = place.linear() {
            let size = self.parameter(&row.parameter);
            return Ok(size.and_then(|size| growing_coordinate(row, &size)).map(|own| vec![own]));
        }
        let mut found = Vec::new();
        for row in place.rows() {
            let (shift, remainder) = match &row.form {
                RowForm::Fits { lowest } => (self.int(lowest)?.map(negated), Remainder::Fits),
                RowForm::Modulo { lift } => (self.int(&row.shift)?, Remainder::Lifted(*lift)),
                RowForm::SignedModulo => (self.int(&row.shift)?, Remainder::Floor),
            };
            let (Some(shift), Some(modulus)) = (shift, self.int(&row.modulus)?) else { return Ok(None) };
            let least = least(&row.modulus, place.scope())?;
            found.push(Coordinate {
                coefficients: row.coefficients.iter().map(|own| Int::Constant(*own)).collect(),
                shift,
                modulus,
                least,
                remainder,
            });
        }
        Ok(Some(found))
    }

    fn parameter(&self, name: &str) -> Option<Int> {
        let position = self.parameters.iter().position(|own| own == name)?;
        (position < self.program.parameters.len()).then_some(Int::Parameter(ParameterId(position)))
    }

    fn int(&self, function: &PwAff) -> Result<Option<Int>> {
        let tree = self.text.tree(function)?;
        Ok(self.of_tree(&tree))
    }

    fn of_tree(&self, e: &AstExpr) -> Option<Int> {
        let (operation, operands) = match e {
            AstExpr::Number(number) => return Some(Int::Constant(*number)),
            AstExpr::Name(name) => return self.parameter(name),
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

/// Constants past this aren't compared with sizes.
const MOST: i64 = 4;

/// A number that a modulus is never below, if it is small.
fn least(modulus: &PwAff, sizes: &Set) -> Result<i64> {
    let mut least = 0;
    while least < MOST {
        let more = PwAff::read(sizes.context(), &format!("{{ [({})] }}", least + 1))?;
        if !sizes.is_subset(&modulus.at_least(&more)?)? {
            break;
        }
        least += 1;
    }
    Ok(least)
}

fn negated(e: Int) -> Int {
    match e {
        Int::Constant(value) if value > i64::MIN => Int::Constant(-value),
        e => Int::binary(IntOp::Subtract, Int::Constant(0), e),
    }
}

#[cfg(test)]
mod tests {
    use super::computes_with_data;
    use polyfold_program::{Int, Layout, Program};
    use polyfold_transform::{Coordinate, Remainder, Storage, apply_storage};

    #[test]
    fn data_may_choose_a_cell_but_no_remainder_is_taken_of_them() {
        let text = "program p(n) { in K[n]; inout B[n]; temporary W[n];
            for i = 0 while i < n step 1 { S0(i): W[i] = K[i]; S1(i): B[K[i]] = W[K[i]]; } }";
        let program = Program::read(text).expect("a program");
        assert!(!computes_with_data(&program));
        let coordinate = Coordinate {
            coefficients: vec![Int::Constant(1)],
            shift: Int::Constant(0),
            modulus: Int::Constant(2),
            least: 2,
            remainder: Remainder::Floor,
        };
        let array = program.buffer("W").expect("a buffer");
        let storage =
            Storage { array, buffer: "ring".to_string(), layout: Layout::Rows, coordinates: vec![coordinate] };
        let after = apply_storage(&program, &[storage]).expect("a temporary");
        assert!(computes_with_data(&after));
    }
}
