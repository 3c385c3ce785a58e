//! Statements that a pass adds: integers and pointers that begin and change, and copies of cells.
//!
//! Example: `const long at = (t + 1) % m;`, and `if (at + i >= m)` with `at -= m;` under it; `const double *row = W[at];`, and
//! `row += n;`. A loop copies many cells.

use crate::Unprintable;
use crate::expression::Expressions;
use polyfold_program::{
    Buffer, BufferId, Copy, Int, IntOp, IntType, Level, LocalId, LocalValue, Place, Program, Range, Region, Stmt, Use,
};

impl Expressions<'_> {
    /// Its text, whose first line stands behind an indent already.
    pub(crate) fn added(&self, stmt: &Stmt, indent: &str) -> Result<String, Unprintable> {
        let program = self.program;
        Ok(match stmt {
            Stmt::Let { local, value: LocalValue::Integer(e) } if self.outside.contains(local) => {
                format!("{} = {};", self.local(*local), self.value_of(e))
            }
            Stmt::Let { local, value: LocalValue::Integer(e) } => {
                let constant = if changes(program, *local) { "" } else { "const " };
                format!("{constant}{}", self.variable(*local, e)?)
            }
            Stmt::Let { local, value: LocalValue::Address(place) } => self.pointer(*local, place)?,
            Stmt::Set { local, value: LocalValue::Address(place) } => {
                let name = self.local(*local);
                match place {
                    Place::Through { pointer, index } if pointer == local => {
                        let by = cells(index, self.buffer_of(*local)?).ok_or(Unprintable::Local)?;
                        format!("{name} += {};", self.value_of(&by))
                    }
                    place => format!("{name} = {};", self.address(place)?),
                }
            }
            Stmt::Set { local, value: LocalValue::Integer(e) } => {
                let name = self.local(*local);
                match e {
                    Int::Binary(op @ (IntOp::Add | IntOp::Subtract), from, by) if **from == Int::Local(*local) => {
                        let sign = if *op == IntOp::Add { '+' } else { '-' };
                        format!("{name} {sign}= {};", self.value_of(by))
                    }
                    e => format!("{name} = {};", self.value_of(e)),
                }
            }
            Stmt::Wait(tag) => {
                let calls = self.additions.memory.calls.ok_or(Unprintable::Copy)?;
                format!("{}({});", calls.wait, self.value_of(tag))
            }
            Stmt::Copy(copy) if copy.tag.is_some() || cell(&copy.to).is_err() => self.transfer(copy)?,
            Stmt::Copy(copy) => {
                let text = |region| Ok(self.place(&cell(region)?, None));
                let declared = if copy.declares { self.declared_by(copy)? } else { String::new() };
                format!("{declared}{} = {};", text(&copy.to)?, text(&copy.from)?)
            }
            stmt => self.new_statements(std::slice::from_ref(stmt), (indent, "  "))?,
        })
    }
}

impl Expressions<'_> {
    /// What copies several cells, or goes on for a while.
    fn transfer(&self, Copy { to, from, tag, .. }: &Copy) -> Result<String, Unprintable> {
        let first = |region: &Region| {
            let index = region.ranges.iter().map(|range| range.first.clone()).collect();
            format!("&{}", self.place(&Place::Cell { buffer: region.buffer, index }, None))
        };
        // Cells side by side are those of a row.
        let is_one = |range: &Range| range.count == Int::Constant(1);
        let is_row = |region: &Region| region.ranges.iter().rev().skip(1).all(is_one);
        let one = Int::Constant(1);
        let [count, other] = [to, from].map(|region| region.ranges.last().map_or(&one, |range| &range.count));
        if count != other || !is_row(to) || !is_row(from) {
            return Err(Unprintable::Copy);
        }
        let element = &self.program.buffers[to.buffer.0].element;
        if element.is_empty() {
            return Err(Unprintable::Copy);
        }
        let size = match count {
            Int::Constant(1) => format!("sizeof({element})"),
            Int::Constant(count) => format!("{count} * sizeof({element})"),
            count => format!("(size_t)({}) * sizeof({element})", self.value_of(count)),
        };
        let both = format!("{}, {}, {size}", first(to), first(from));
        Ok(match (tag, self.additions.memory.calls) {
            (None, _) => format!("memcpy({both});"),
            (Some(tag), Some(calls)) => {
                let is_into = self.is_local(to.buffer);
                format!("{}({both}, {});", if is_into { calls.get } else { calls.put }, self.value_of(tag))
            }
            (Some(_), None) => return Err(Unprintable::Copy),
        })
    }

    /// Whether a buffer is there for some statements only.
    fn is_local(&self, buffer: BufferId) -> bool {
        let is_here = |stmt: &Stmt| matches!(stmt, Stmt::With(own) if own.buffers.contains(&buffer));
        self.program.body.iter().any(|stmt| stmt.any(&is_here))
    }

    /// The type in front of a variable that a copy declares.
    fn declared_by(&self, copy: &Copy) -> Result<String, Unprintable> {
        let element = &self.program.buffers[copy.to.buffer.0].element;
        let constant = if is_written_again(self.program, copy.to.buffer) { "" } else { "const " };
        if element.is_empty() { Err(Unprintable::Declaration) } else { Ok(format!("{constant}{element} ")) }
    }

    /// How an integer that changes is declared, with what it begins with.
    pub(crate) fn variable(&self, local: LocalId, e: &Int) -> Result<String, Unprintable> {
        let own = &self.program.locals[local.0];
        Ok(format!("{} {} = {};", c_type(own.held)?, own.name, self.value_of(e)))
    }

    /// How a pointer is declared, with the cell that it begins at.
    fn pointer(&self, local: LocalId, place: &Place) -> Result<String, Unprintable> {
        let element = &self.buffer_of(local)?.element;
        if element.is_empty() {
            return Err(Unprintable::Local);
        }
        let constant = if writes_through(self.program, local) { "" } else { "const " };
        Ok(format!("{constant}{element} *{} = {};", self.local(local), self.address(place)?))
    }

    /// A cell's address: that of a row's first one is the row.
    fn address(&self, place: &Place) -> Result<String, Unprintable> {
        match place {
            Place::Cell { buffer, index } => {
                let own = &self.program.buffers[buffer.0];
                match index.split_last() {
                    Some((Int::Constant(0), leading)) if !own.layout.is_flat() => {
                        Ok(self.place(&Place::Cell { buffer: *buffer, index: leading.to_vec() }, None))
                    }
                    _ => Ok(format!("&{}", self.place(place, None))),
                }
            }
            Place::Through { pointer, index } if index[..] == [Int::Constant(0)] => {
                Ok(self.local(*pointer).to_string())
            }
            Place::Through { .. } => Ok(format!("&{}", self.place(place, None))),
            Place::Select(cond, yes, no) => {
                let cond = self.cond(cond, None).within(Level::Or);
                Ok(format!("{cond} ? {} : {}", self.address(yes)?, self.address(no)?))
            }
        }
    }

    /// The buffer that a pointer points into where it begins.
    fn buffer_of(&self, local: LocalId) -> Result<&Buffer, Unprintable> {
        let program = self.program;
        let mut found = None;
        let mut visit = |stmt: &Stmt| {
            if let Stmt::Let { local: own, value: LocalValue::Address(place) } = stmt
                && *own == local
            {
                found = cell_of(place).map(|buffer| &program.buffers[buffer.0]);
            }
        };
        program.body.iter().for_each(|stmt| stmt.each(&mut visit));
        found.ok_or(Unprintable::Local)
    }
}

/// The buffer of a place's first cell that isn't found through a pointer.
fn cell_of(place: &Place) -> Option<BufferId> {
    match place {
        Place::Cell { buffer, .. } => Some(*buffer),
        Place::Through { .. } => None,
        Place::Select(_, yes, no) => cell_of(yes).or_else(|| cell_of(no)),
    }
}

/// How many cells a pointer moves by, from subscripts in the last dimensions.
fn cells(index: &[Int], buffer: &Buffer) -> Option<Int> {
    let extents = &buffer.extents[buffer.extents.len().checked_sub(index.len())?..];
    let in_dimension = |(k, e): (usize, &Int)| {
        extents[k + 1..].iter().try_fold(e.clone(), |product, extent| Some(times(product, extent.as_ref()?)))
    };
    let parts = index.iter().enumerate().filter(|(_, e)| **e != Int::Constant(0)).map(in_dimension);
    let parts = parts.collect::<Option<Vec<Int>>>()?;
    Some(parts.into_iter().reduce(|sum, e| Int::binary(IntOp::Add, sum, e)).unwrap_or(Int::Constant(0)))
}

fn times(product: Int, extent: &Int) -> Int {
    match product {
        Int::Constant(1) => extent.clone(),
        product => Int::binary(IntOp::Multiply, product, extent.clone()),
    }
}

/// Whether a cell is written through a pointer, or another one stands there.
fn writes_through(program: &Program, local: LocalId) -> bool {
    let mut found = false;
    let mut visit = |stmt: &Stmt| {
        let is_own_step = matches!(stmt, Stmt::Set { local: own, .. } if *own == local);
        stmt.each_place(&mut |how, place| {
            let is_here = matches!(place, Place::Through { pointer, .. } if *pointer == local);
            found |= is_here && how == Use::Write && !is_own_step;
        });
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

/// A region's only cell.
fn cell(region: &Region) -> Result<Place, Unprintable> {
    let is_one = region.ranges.iter().all(|range| range.count == Int::Constant(1));
    let index = region.ranges.iter().map(|range| range.first.clone()).collect();
    if is_one { Ok(Place::Cell { buffer: region.buffer, index }) } else { Err(Unprintable::Copy) }
}

/// Whether a variable that a copy declares gets other values.
fn is_written_again(program: &Program, variable: BufferId) -> bool {
    let mut found = false;
    let mut visit = |stmt: &Stmt| {
        let declares = stmt.declared() == Some(variable);
        stmt.each_use(&mut |how, id| found |= how == Use::Write && id == variable && !declares);
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

/// Whether a local gets other values than the one that it begins with, as the counter of a loop does.
fn changes(program: &Program, local: LocalId) -> bool {
    let mut found = false;
    let mut visit = |stmt: &Stmt| {
        found |= match stmt {
            Stmt::Set { local: own, .. } => *own == local,
            Stmt::For(own) => own.counter == local,
            _ => false,
        };
    };
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
