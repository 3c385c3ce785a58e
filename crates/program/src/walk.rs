//! Goes through programs, and makes others of the same form.

use crate::{
    Assign, Cond, Copy, Int, Invariant, LocalValue, Loop, Op, Opaque, Operand, Place, Range, Region, Stmt, Touched,
    Value, With,
};

impl Stmt {
    /// The lists of statements inside it.
    pub fn lists(&self) -> Vec<&[Stmt]> {
        match self {
            Stmt::For(own) => vec![&own.body],
            Stmt::If { then, other, .. } => vec![then, other],
            Stmt::With(own) => vec![&own.body],
            _ => Vec::new(),
        }
    }

    /// Whether this statement is such a one, or one inside.
    pub fn any(&self, is_such: &dyn Fn(&Stmt) -> bool) -> bool {
        is_such(self) || self.lists().into_iter().flatten().any(|inner| inner.any(is_such))
    }

    /// Calls `visit` for this statement, and then for all inside, in their order.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        self.lists().into_iter().flatten().for_each(|inner| inner.each(visit));
    }
}

impl Stmt {
    /// Calls `visit` for all integers that the statement itself computes with, not those of statements inside it.
    pub fn each_int<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        match self {
            Stmt::For(own) => {
                own.first.iter().for_each(|first| first.each(visit));
                own.test.each_int(visit);
            }
            Stmt::If { cond, .. } => cond.each_int(visit),
            Stmt::Assign(own) => {
                own.target.each_int(visit);
                own.value.each_int(visit);
            }
            Stmt::Let { value, .. } | Stmt::Set { value, .. } => match value {
                LocalValue::Integer(e) => e.each(visit),
                LocalValue::Address(place) => place.each_int(visit),
            },
            Stmt::Copy(copy) => {
                for range in copy.to.ranges.iter().chain(&copy.from.ranges) {
                    range.first.each(visit);
                    range.count.each(visit);
                }
                copy.tag.iter().for_each(|tag| tag.each(visit));
            }
            Stmt::Wait(tag) => tag.each(visit),
            Stmt::With(_) => {}
            Stmt::Opaque(own) => own.each_int(visit),
        }
    }
}

impl Stmt {
    /// Calls `visit` for the texts of all that the statement itself computes with, and that isn't understood.
    pub fn each_text<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        match self {
            Stmt::If { cond, .. } => cond.each_text(visit),
            Stmt::Assign(own) => {
                own.target.each_text(visit);
                own.value.each_text(visit);
            }
            Stmt::Opaque(own) => visit(&own.text),
            _ => {}
        }
    }
}

impl Value {
    fn each_text<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        match self {
            Value::Read(place) => place.each_text(visit),
            Value::Integer(e, _) => e.each(&mut |e| e.each_text(visit)),
            Value::Apply(op, operands) => {
                if let Op::Leaf(text) | Op::Call(text) = op {
                    visit(text);
                }
                operands.iter().for_each(|operand| operand.each_text(visit));
            }
            Value::Choice(cond, yes, no) => {
                cond.each_text(visit);
                yes.each_text(visit);
                no.each_text(visit);
            }
        }
    }
}

impl Cond {
    fn each_text<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        match self {
            Cond::Compare(_, left, right) => {
                [left, right].into_iter().for_each(|e| e.each(&mut |e| e.each_text(visit)))
            }
            Cond::And(left, right) | Cond::Or(left, right) => {
                left.each_text(visit);
                right.each_text(visit);
            }
            Cond::Not(inner) => inner.each_text(visit),
            Cond::Data(value) => value.each_text(visit),
        }
    }
}

impl Place {
    fn each_text<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        match self {
            Place::Cell { index, .. } | Place::Through { index, .. } => {
                index.iter().for_each(|e| e.each(&mut |e| e.each_text(visit)));
            }
            Place::Select(cond, yes, no) => {
                cond.each_text(visit);
                yes.each_text(visit);
                no.each_text(visit);
            }
        }
    }
}

impl Int {
    /// Of what data decide, not of its parts.
    fn each_text<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        if let Int::Data(value) = self {
            value.each_text(visit);
        }
    }
}

impl Int {
    /// Calls `visit` for this integer and all inside it, those in conditions too.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        visit(self);
        match self {
            Int::Constant(_) | Int::Parameter(_) | Int::Local(_) => {}
            Int::Binary(_, left, right) => [left, right].into_iter().for_each(|e| e.each(visit)),
            Int::Select(cond, yes, no) => {
                cond.each_int(visit);
                [yes, no].into_iter().for_each(|e| e.each(visit));
            }
            Int::Data(value) => value.each_int(visit),
        }
    }
}

impl Cond {
    /// Calls `visit` for all integers inside.
    pub fn each_int<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        match self {
            Cond::Compare(_, left, right) => [left, right].into_iter().for_each(|e| e.each(visit)),
            Cond::And(left, right) | Cond::Or(left, right) => {
                [left, right].into_iter().for_each(|cond| cond.each_int(visit));
            }
            Cond::Not(inner) => inner.each_int(visit),
            Cond::Data(value) => value.each_int(visit),
        }
    }
}

impl Cond {
    /// Whether it reads memory that no buffer names.
    pub fn is_volatile(&self) -> bool {
        match self {
            Cond::Compare(..) => false,
            Cond::And(left, right) | Cond::Or(left, right) => left.is_volatile() || right.is_volatile(),
            Cond::Not(inner) => inner.is_volatile(),
            Cond::Data(value) => matches!(&**value, Value::Apply(Op::Volatile, _)),
        }
    }

    /// The same, reading such memory wherever data are read.
    pub fn volatile(self) -> Cond {
        match self {
            Cond::Compare(..) => self,
            Cond::And(left, right) => Cond::And(Box::new(left.volatile()), Box::new(right.volatile())),
            Cond::Or(left, right) => Cond::Or(Box::new(left.volatile()), Box::new(right.volatile())),
            Cond::Not(inner) => Cond::Not(Box::new(inner.volatile())),
            Cond::Data(value) => Cond::Data(Box::new(Value::Apply(Op::Volatile, vec![*value]))),
        }
    }
}

impl Place {
    /// Calls `visit` for all integers inside.
    pub fn each_int<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        match self {
            Place::Cell { index, .. } | Place::Through { index, .. } => index.iter().for_each(|e| e.each(visit)),
            Place::Select(cond, yes, no) => {
                cond.each_int(visit);
                [yes, no].into_iter().for_each(|place| place.each_int(visit));
            }
        }
    }
}

impl Value {
    /// Calls `visit` for all integers inside.
    pub fn each_int<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        match self {
            Value::Read(place) => place.each_int(visit),
            Value::Integer(e, _) => e.each(visit),
            Value::Apply(_, operands) => operands.iter().for_each(|value| value.each_int(visit)),
            Value::Choice(cond, yes, no) => {
                cond.each_int(visit);
                [yes, no].into_iter().for_each(|value| value.each_int(visit));
            }
        }
    }

    /// Calls `visit` for all places that are read, in the order in which they are written.
    pub fn each_read<'a>(&'a self, visit: &mut dyn FnMut(&'a Place)) {
        match self {
            Value::Read(place) => {
                visit(place);
                place.each_read(visit);
            }
            Value::Integer(e, _) => e.each_read(visit),
            Value::Apply(_, operands) => operands.iter().for_each(|value| value.each_read(visit)),
            Value::Choice(cond, yes, no) => {
                cond.each_read(visit);
                [yes, no].into_iter().for_each(|value| value.each_read(visit));
            }
        }
    }
}

impl Place {
    /// Calls `visit` for all places that are read to know which cell it is.
    pub fn each_read<'a>(&'a self, visit: &mut dyn FnMut(&'a Place)) {
        match self {
            Place::Cell { index, .. } | Place::Through { index, .. } => index.iter().for_each(|e| e.each_read(visit)),
            Place::Select(cond, yes, no) => {
                cond.each_read(visit);
                [yes, no].into_iter().for_each(|place| place.each_read(visit));
            }
        }
    }
}

impl Cond {
    /// Calls `visit` for all places that data in it are read from.
    pub fn each_read<'a>(&'a self, visit: &mut dyn FnMut(&'a Place)) {
        match self {
            Cond::Compare(_, left, right) => [left, right].into_iter().for_each(|e| e.each_read(visit)),
            Cond::And(left, right) | Cond::Or(left, right) => {
                [left, right].into_iter().for_each(|cond| cond.each_read(visit));
            }
            Cond::Not(inner) => inner.each_read(visit),
            Cond::Data(value) => value.each_read(visit),
        }
    }
}

impl Int {
    /// Calls `visit` for all places that data in it are read from.
    pub fn each_read<'a>(&'a self, visit: &mut dyn FnMut(&'a Place)) {
        match self {
            Int::Constant(_) | Int::Parameter(_) | Int::Local(_) => {}
            Int::Binary(_, left, right) => [left, right].into_iter().for_each(|e| e.each_read(visit)),
            Int::Select(cond, yes, no) => {
                cond.each_read(visit);
                [yes, no].into_iter().for_each(|e| e.each_read(visit));
            }
            Int::Data(value) => value.each_read(visit),
        }
    }
}

impl Value {
    /// The same with other places to read from, where there is one instead of a place.
    pub fn with_reads(&self, of: &mut dyn FnMut(&Place) -> Option<Place>) -> Value {
        match self {
            Value::Read(place) => of(place).map_or_else(|| self.clone(), Value::Read),
            Value::Integer(..) => self.clone(),
            Value::Apply(op, operands) => {
                Value::Apply(op.clone(), operands.iter().map(|operand| operand.with_reads(of)).collect())
            }
            Value::Choice(cond, yes, no) => {
                let (yes, no) = (Box::new(yes.with_reads(of)), Box::new(no.with_reads(of)));
                Value::Choice(cond.clone(), yes, no)
            }
        }
    }
}

/// What takes the place of a cell.
pub type Cells<'a> = dyn FnMut(Place) -> Place + 'a;

impl Int {
    /// The same with other cells.
    pub fn with_cells(&self, of: &mut Cells) -> Int {
        match self {
            Int::Constant(_) | Int::Parameter(_) | Int::Local(_) => self.clone(),
            Int::Binary(op, left, right) => Int::binary(*op, left.with_cells(of), right.with_cells(of)),
            Int::Select(cond, yes, no) => {
                let cond = Box::new(cond.with_cells(of));
                Int::Select(cond, Box::new(yes.with_cells(of)), Box::new(no.with_cells(of)))
            }
            Int::Data(value) => Int::Data(Box::new(value.with_cells(of))),
        }
    }
}

impl Cond {
    /// The same with other cells.
    pub fn with_cells(&self, of: &mut Cells) -> Cond {
        let mut boxed = |cond: &Cond| Box::new(cond.with_cells(of));
        match self {
            Cond::And(left, right) => Cond::And(boxed(left), boxed(right)),
            Cond::Or(left, right) => Cond::Or(boxed(left), boxed(right)),
            Cond::Not(inner) => Cond::Not(boxed(inner)),
            Cond::Compare(relation, left, right) => Cond::Compare(*relation, left.with_cells(of), right.with_cells(of)),
            Cond::Data(value) => Cond::Data(Box::new(value.with_cells(of))),
        }
    }
}

impl Place {
    /// The same with other cells: those that are read for a subscript before the one that it is for.
    pub fn with_cells(&self, of: &mut Cells) -> Place {
        match self {
            Place::Cell { buffer, index } => {
                let index = index.iter().map(|e| e.with_cells(of)).collect();
                of(Place::Cell { buffer: *buffer, index })
            }
            Place::Through { pointer, index } => {
                let index = index.iter().map(|e| e.with_cells(of)).collect();
                of(Place::Through { pointer: *pointer, index })
            }
            Place::Select(cond, yes, no) => {
                let cond = Box::new(cond.with_cells(of));
                Place::Select(cond, Box::new(yes.with_cells(of)), Box::new(no.with_cells(of)))
            }
        }
    }
}

impl Value {
    /// The same with other cells.
    pub fn with_cells(&self, of: &mut Cells) -> Value {
        match self {
            Value::Read(place) => Value::Read(place.with_cells(of)),
            Value::Integer(e, held) => Value::Integer(e.with_cells(of), *held),
            Value::Apply(op, operands) => {
                Value::Apply(op.clone(), operands.iter().map(|operand| operand.with_cells(of)).collect())
            }
            Value::Choice(cond, yes, no) => {
                let cond = Box::new(cond.with_cells(of));
                Value::Choice(cond, Box::new(yes.with_cells(of)), Box::new(no.with_cells(of)))
            }
        }
    }
}

impl LocalValue {
    /// The same with other cells.
    pub fn with_cells(&self, of: &mut Cells) -> LocalValue {
        match self {
            LocalValue::Integer(e) => LocalValue::Integer(e.with_cells(of)),
            LocalValue::Address(place) => LocalValue::Address(place.with_cells(of)),
        }
    }
}

impl Stmt {
    /// The same with other cells; those of regions that are copied stay.
    pub fn with_cells(&self, of: &mut Cells) -> Stmt {
        let list = |list: &[Stmt], of: &mut Cells| list.iter().map(|stmt| stmt.with_cells(of)).collect();
        match self {
            Stmt::For(own) => Stmt::For(Loop {
                first: own.first.as_ref().map(|first| first.with_cells(of)),
                test: own.test.with_cells(of),
                body: list(&own.body, of),
                ..own.clone()
            }),
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: cond.with_cells(of), then: list(then, of), other: list(other, of) }
            }
            Stmt::Assign(own) => {
                let (target, value) = (own.target.with_cells(of), own.value.with_cells(of));
                Stmt::Assign(Assign { target, value, ..own.clone() })
            }
            Stmt::Let { local, value } => Stmt::Let { local: *local, value: value.with_cells(of) },
            Stmt::Set { local, value } => Stmt::Set { local: *local, value: value.with_cells(of) },
            Stmt::Copy(_) | Stmt::Wait(_) => self.clone(),
            Stmt::With(own) => Stmt::With(With { body: list(&own.body, of), ..own.clone() }),
            Stmt::Opaque(own) => Stmt::Opaque(own.with_cells(of)),
        }
    }
}

impl Opaque {
    /// Calls `visit` for all integers inside.
    pub fn each_int<'a>(&'a self, visit: &mut dyn FnMut(&'a Int)) {
        self.operands.iter().for_each(|operand| match operand {
            Operand::Integer(e) => e.each(visit),
            Operand::Cell(own) => own.place.each_int(visit),
        });
    }

    /// The same with other cells.
    pub fn with_cells(&self, of: &mut Cells) -> Opaque {
        let operands = self.operands.iter().map(|operand| match operand {
            Operand::Integer(e) => Operand::Integer(e.with_cells(of)),
            Operand::Cell(own) => Operand::Cell(Touched { place: own.place.with_cells(of), ..own.clone() }),
        });
        Opaque { operands: operands.collect(), ..self.clone() }
    }

    /// The same with other numbers, sizes and locals in its operands.
    pub fn with_leaves(&self, leaf: &mut Leaves) -> Opaque {
        let operands = self.operands.iter().map(|operand| match operand {
            Operand::Integer(e) => Operand::Integer(e.with_leaves(leaf)),
            Operand::Cell(own) => Operand::Cell(Touched { place: own.place.with_leaves(leaf), ..own.clone() }),
        });
        Opaque { operands: operands.collect(), ..self.clone() }
    }
}

/// What takes the place of a number, a size or a local.
pub type Leaves<'a> = dyn FnMut(&Int) -> Int + 'a;

impl Int {
    /// The same with other numbers, sizes and locals.
    pub fn with_leaves(&self, leaf: &mut Leaves) -> Int {
        match self {
            Int::Constant(_) | Int::Parameter(_) | Int::Local(_) => leaf(self),
            Int::Binary(op, left, right) => Int::binary(*op, left.with_leaves(leaf), right.with_leaves(leaf)),
            Int::Select(cond, yes, no) => {
                let cond = Box::new(cond.with_leaves(leaf));
                Int::Select(cond, Box::new(yes.with_leaves(leaf)), Box::new(no.with_leaves(leaf)))
            }
            Int::Data(value) => Int::Data(Box::new(value.with_leaves(leaf))),
        }
    }
}

impl Cond {
    /// The same with other numbers, sizes and locals.
    pub fn with_leaves(&self, leaf: &mut Leaves) -> Cond {
        let mut boxed = |cond: &Cond| Box::new(cond.with_leaves(leaf));
        match self {
            Cond::And(left, right) => Cond::And(boxed(left), boxed(right)),
            Cond::Or(left, right) => Cond::Or(boxed(left), boxed(right)),
            Cond::Not(inner) => Cond::Not(boxed(inner)),
            Cond::Compare(relation, left, right) => {
                Cond::Compare(*relation, left.with_leaves(leaf), right.with_leaves(leaf))
            }
            Cond::Data(value) => Cond::Data(Box::new(value.with_leaves(leaf))),
        }
    }
}

impl Place {
    /// The same with other numbers, sizes and locals in subscripts.
    pub fn with_leaves(&self, leaf: &mut Leaves) -> Place {
        match self {
            Place::Cell { buffer, index } => {
                Place::Cell { buffer: *buffer, index: index.iter().map(|e| e.with_leaves(leaf)).collect() }
            }
            Place::Through { pointer, index } => {
                Place::Through { pointer: *pointer, index: index.iter().map(|e| e.with_leaves(leaf)).collect() }
            }
            Place::Select(cond, yes, no) => {
                let cond = Box::new(cond.with_leaves(leaf));
                Place::Select(cond, Box::new(yes.with_leaves(leaf)), Box::new(no.with_leaves(leaf)))
            }
        }
    }
}

impl Value {
    /// The same with other numbers, sizes and locals. Integers keep their types.
    pub fn with_leaves(&self, leaf: &mut Leaves) -> Value {
        match self {
            Value::Read(place) => Value::Read(place.with_leaves(leaf)),
            Value::Integer(e, held) => Value::Integer(e.with_leaves(leaf), *held),
            Value::Apply(op, operands) => {
                Value::Apply(op.clone(), operands.iter().map(|operand| operand.with_leaves(leaf)).collect())
            }
            Value::Choice(cond, yes, no) => {
                let cond = Box::new(cond.with_leaves(leaf));
                Value::Choice(cond, Box::new(yes.with_leaves(leaf)), Box::new(no.with_leaves(leaf)))
            }
        }
    }
}

impl LocalValue {
    /// The same with other numbers, sizes and locals.
    pub fn with_leaves(&self, leaf: &mut Leaves) -> LocalValue {
        match self {
            LocalValue::Integer(e) => LocalValue::Integer(e.with_leaves(leaf)),
            LocalValue::Address(place) => LocalValue::Address(place.with_leaves(leaf)),
        }
    }
}

impl Region {
    /// The same with other numbers, sizes and locals.
    pub fn with_leaves(&self, leaf: &mut Leaves) -> Region {
        let ranges = self.ranges.iter();
        let ranges = ranges.map(|own| Range { first: own.first.with_leaves(leaf), count: own.count.with_leaves(leaf) });
        Region { ranges: ranges.collect(), buffer: self.buffer }
    }
}

impl Stmt {
    /// The same with other numbers, sizes and locals that are read. What is known at heads of loops goes.
    pub fn with_leaves(&self, leaf: &mut Leaves) -> Stmt {
        let list = |list: &[Stmt], leaf: &mut Leaves| list.iter().map(|stmt| stmt.with_leaves(leaf)).collect();
        let ints = |all: &[Int], leaf: &mut Leaves| all.iter().map(|e| e.with_leaves(leaf)).collect();
        match self {
            Stmt::For(own) => Stmt::For(Loop {
                first: own.first.as_ref().map(|first| first.with_leaves(leaf)),
                test: own.test.with_leaves(leaf),
                body: list(&own.body, leaf),
                invariant: Invariant::default(),
                ..own.clone()
            }),
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: cond.with_leaves(leaf), then: list(then, leaf), other: list(other, leaf) }
            }
            Stmt::Assign(own) => {
                let (target, value) = (own.target.with_leaves(leaf), own.value.with_leaves(leaf));
                Stmt::Assign(Assign { at: ints(&own.at, leaf), target, value, ..own.clone() })
            }
            Stmt::Let { local, value } => Stmt::Let { local: *local, value: value.with_leaves(leaf) },
            Stmt::Set { local, value } => Stmt::Set { local: *local, value: value.with_leaves(leaf) },
            Stmt::Copy(own) => {
                let (to, from) = (own.to.with_leaves(leaf), own.from.with_leaves(leaf));
                let tag = own.tag.as_ref().map(|tag| tag.with_leaves(leaf));
                Stmt::Copy(Copy { declares: own.declares, to, from, tag })
            }
            Stmt::Wait(tag) => Stmt::Wait(tag.with_leaves(leaf)),
            Stmt::With(own) => {
                let known = own.known.iter().map(|cond| cond.with_leaves(leaf)).collect();
                Stmt::With(With { buffers: own.buffers.clone(), known, body: list(&own.body, leaf) })
            }
            Stmt::Opaque(own) => {
                let at = ints(&own.at, leaf);
                Stmt::Opaque(Opaque { at, ..own.with_leaves(leaf) })
            }
        }
    }
}
