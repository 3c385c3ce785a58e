//! Statements that a pass adds: integers that begin and change, and copies of cells.
//!
//! Example: `const long at = (t + 1) % m;`, and `if (at + i >= m)` with `at -= m;` under it.

use crate::Unprintable;
use crate::source::Printer;
use polyfold_program::{Int, IntOp, IntType, Level, LocalId, LocalValue, Place, Program, Region, Stmt};

/// Whether a statement is such a one.
pub(crate) fn is_added(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { .. } | Stmt::Set { .. } | Stmt::Copy(_) => true,
        Stmt::If { then, other, .. } => !then.is_empty() && then.iter().chain(other).all(is_added),
        _ => false,
    }
}

impl Printer<'_> {
    /// Its text, whose first line stands behind an indent already.
    pub(crate) fn added(&self, stmt: &Stmt, indent: &str) -> Result<String, Unprintable> {
        let program = self.expressions.program;
        Ok(match stmt {
            Stmt::Let { local, value: LocalValue::Integer(e) } => {
                let own = &program.locals[local.0];
                let constant = if changes(program, *local) { "" } else { "const " };
                format!("{constant}{} {} = {};", c_type(own.held)?, own.name, self.expressions.value_of(e))
            }
            Stmt::Set { local, value: LocalValue::Integer(e) } => {
                let name = self.expressions.local(*local);
                match e {
                    Int::Binary(op @ (IntOp::Add | IntOp::Subtract), from, by) if **from == Int::Local(*local) => {
                        let sign = if *op == IntOp::Add { '+' } else { '-' };
                        format!("{name} {sign}= {};", self.expressions.value_of(by))
                    }
                    e => format!("{name} = {};", self.expressions.value_of(e)),
                }
            }
            Stmt::If { cond, then, other } if other.is_empty() => {
                let inner = format!("{indent}  ");
                let lines = then.iter().map(|stmt| self.added(stmt, &inner)).collect::<Result<Vec<_>, _>>()?;
                let head = format!("if ({})", self.expressions.cond(cond, None).within(Level::Whole));
                match &lines[..] {
                    [line] => format!("{head}\n{inner}{line}"),
                    lines => format!("{head} {{\n{inner}{}\n{indent}}}", lines.join(&format!("\n{inner}"))),
                }
            }
            Stmt::Copy(copy) => {
                let text = |region| Ok(self.expressions.place(&cell(region)?, None));
                format!("{} = {};", text(&copy.to)?, text(&copy.from)?)
            }
            _ => return Err(Unprintable::Order),
        })
    }
}

/// A region's only cell.
fn cell(region: &Region) -> Result<Place, Unprintable> {
    let is_one = region.ranges.iter().all(|range| range.count == Int::Constant(1));
    let index = region.ranges.iter().map(|range| range.first.clone()).collect();
    if is_one { Ok(Place::Cell { buffer: region.buffer, index }) } else { Err(Unprintable::Copy) }
}

/// Whether a local gets other values than the one that it begins with.
fn changes(program: &Program, local: LocalId) -> bool {
    let mut found = false;
    let mut visit = |stmt: &Stmt| found |= matches!(stmt, Stmt::Set { local: own, .. } if *own == local);
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

/// A local's type.
pub(crate) fn c_type(held: Option<IntType>) -> Result<&'static str, Unprintable> {
    match held {
        Some(IntType::INT) => Ok("int"),
        Some(IntType::LONG) => Ok("long"),
        _ => Err(Unprintable::Local),
    }
}
