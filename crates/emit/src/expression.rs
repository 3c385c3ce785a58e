//! Conditions, places and values as C.
//!
//! Compilers warn of `a && b || c` and of comparisons of comparisons: these get parentheses that
//! they don't need.

use crate::Unprintable;
use crate::kept::Kept;
use crate::moved::Moved;
use crate::ranges::Ranges;
use crate::source::Additions;
use polyfold_program::{
    BufferId, Cond, Int, IntType, Level, LocalId, Op, Place, Program, Real, Relation, Value, Values, Written, filled,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Prints expressions with a program's names.
pub(crate) struct Expressions<'a> {
    pub(crate) program: &'a Program,
    pub(crate) additions: Additions<'a>,
    /// Counters that are declared in front of the source.
    pub(crate) outside: Rc<BTreeSet<LocalId>>,
    /// Which values its integers have.
    pub(crate) ranges: Rc<Ranges>,
    /// What the source's counters stand for in the statement that is printed.
    pub(crate) moved: Vec<Moved>,
}

impl<'a> Expressions<'a> {
    pub(crate) fn of(program: &'a Program, additions: &Additions<'a>, ranges: Ranges) -> Expressions<'a> {
        let (ranges, outside) = (Rc::new(ranges), Rc::default());
        Expressions { program, additions: *additions, outside, ranges, moved: Vec::new() }
    }
}

/// An integer that a variable stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The integer.
    pub value: Int,
    /// The variable.
    pub name: String,
    /// The variable's type.
    pub held: IntType,
}

/// The text of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Printed {
    text: String,
    level: Level,
    /// Whether the source has it there, but for its parts.
    is_kept: bool,
}

impl Printed {
    pub(crate) fn new(level: Level, text: String) -> Printed {
        Printed { text, level, is_kept: false }
    }

    /// In the place of what the source has there.
    pub(crate) fn in_its_place(written: &Written, text: String) -> Printed {
        Printed { text, level: written.level, is_kept: true }
    }

    /// Where something at least as tight as `needed` has to stand.
    pub(crate) fn within(self, needed: Level) -> String {
        self.level.within(needed, self.text)
    }

    /// In the place of what the source has there.
    pub(crate) fn in_place(self, needed: Level) -> String {
        if self.is_kept { self.text } else { self.within(needed) }
    }
}

/// A node and how the source writes it.
pub(crate) type Own<'s, T> = Option<(&'s T, &'s Written)>;

impl Expressions<'_> {
    pub(crate) fn local(&self, id: LocalId) -> &str {
        &self.program.locals[id.0].name
    }

    /// What a variable holds.
    pub(crate) fn value_of(&self, e: &Int) -> String {
        self.int(e, &Kept::default()).within(Level::Choice)
    }

    pub(crate) fn cond(&self, cond: &Cond, own: Own<Cond>) -> Printed {
        if let Some(same) = same(cond, own).or_else(|| self.moved_test(cond, own)) {
            return same;
        }
        match cond {
            // Compilers warn of less.
            Cond::Compare(Relation::Equal, Int::Constant(holds @ (0 | 1)), Int::Constant(1)) => {
                Printed::new(Level::Primary, holds.to_string())
            }
            Cond::Compare(relation, left, right) => {
                let kept = match own {
                    Some((Cond::Compare(_, left, right), written)) => Kept::of([left, right], written),
                    _ => Kept::default(),
                };
                self.compared(*relation, [left, right], &kept)
            }
            Cond::And(left, right) => {
                if let Some((Cond::And(one, two), written)) = own.filter(|(_, written)| written.mentions(1)) {
                    return self.both([left, right], [one, two], written, [Level::And, Level::Comparison]);
                }
                let (left, right) = (self.cond(left, None), self.cond(right, None));
                let text = format!("{} && {}", left.within(Level::And), right.within(Level::Comparison));
                Printed::new(Level::And, text)
            }
            Cond::Or(left, right) => {
                if let Some((Cond::Or(one, two), written)) = own.filter(|(_, written)| written.mentions(1)) {
                    return self.both([left, right], [one, two], written, [Level::Comparison, Level::Comparison]);
                }
                let part = |cond: &Cond| {
                    let needed = if matches!(cond, Cond::Or(..)) { Level::Or } else { Level::Comparison };
                    self.cond(cond, None).within(needed)
                };
                Printed::new(Level::Or, format!("{} || {}", part(left), part(right)))
            }
            Cond::Not(inner) => {
                if let Some((Cond::Not(one), written)) = own.filter(|(_, written)| written.mentions(0)) {
                    let inner = self.cond(inner, part(one, written, 0)).in_place(Level::Primary);
                    return Printed::in_its_place(written, written.filled(&[Some(inner)]));
                }
                Printed::new(Level::Unary, format!("!{}", self.cond(inner, None).within(Level::Primary)))
            }
            Cond::Data(value) => {
                let own = own.and_then(|(cond, written)| match cond {
                    Cond::Data(value) => Some((&**value, written)),
                    _ => None,
                });
                self.value(value, own)
            }
        }
    }

    fn both(&self, now: [&Cond; 2], source: [&Cond; 2], written: &Written, needed: [Level; 2]) -> Printed {
        let text = |k: usize| self.cond(now[k], part(source[k], written, k)).in_place(needed[k]);
        Printed::in_its_place(written, written.filled(&[Some(text(0)), Some(text(1))]))
    }

    pub(crate) fn place(&self, place: &Place, own: Own<Place>) -> String {
        if own.is_some_and(|(source, _)| source != place)
            && let Some(moved) = self.moved_place(place, own)
        {
            return moved.within(Level::Whole);
        }
        match (place, own) {
            (place, Some((source, written))) if place == source => written.whole.clone(),
            (Place::Cell { buffer, index }, own) => {
                let kept = match own {
                    Some((Place::Cell { buffer, index }, written)) => Kept::of_cell(index, written, self.rows(*buffer)),
                    _ => Kept::default(),
                };
                let buffer = &self.program.buffers[buffer.0];
                format!("{}{}", buffer.name, self.subscripts(buffer, index, &kept))
            }
            (Place::Through { pointer, index }, own) => {
                // The row's subscript stands as in the source, if it is the same.
                let kept = match own {
                    Some((Place::Cell { buffer, index }, written)) => Kept::of_cell(index, written, self.rows(*buffer)),
                    _ => Kept::default(),
                };
                let subscript = |e: &Int| format!("[{}]", self.int(e, &kept).within(Level::Whole));
                format!("{}{}", self.local(*pointer), index.iter().map(subscript).collect::<String>())
            }
            (Place::Select(cond, yes, no), _) => {
                let cond = self.cond(cond, None).within(Level::Or);
                format!("*({cond} ? &{} : &{})", self.place(yes, None), self.place(no, None))
            }
        }
    }

    /// How a buffer is declared.
    pub(crate) fn declaration(&self, id: BufferId) -> Result<String, Unprintable> {
        let buffer = &self.program.buffers[id.0];
        let index = buffer.extents.iter().cloned().collect::<Option<_>>().ok_or(Unprintable::Extent)?;
        Ok(format!("{} {};", buffer.element, self.place(&Place::Cell { buffer: id, index }, None)))
    }

    /// The subscripts that a buffer's dimensions have.
    fn rows(&self, buffer: BufferId) -> Vec<Option<Values>> {
        self.program.buffers[buffer.0].extents.iter().map(|extent| self.rows_of(extent.as_ref())).collect()
    }

    /// The subscripts of a dimension.
    pub(crate) fn rows_of(&self, extent: Option<&Int>) -> Option<Values> {
        extent.map(|extent| (0, (self.ranges.int(extent).1 - 1).max(0)))
    }

    pub(crate) fn value(&self, value: &Value, own: Own<Value>) -> Printed {
        if let Some(same) = same(value, own).or_else(|| self.moved_value(value, own)) {
            return same;
        }
        match (value, own) {
            // What is read of several places is a choice between their values.
            (Value::Read(Place::Select(cond, yes, no)), _) => {
                let cond = self.cond(cond, None).within(Level::Or);
                let side = |place: &Place| self.value(&Value::Read(place.clone()), None).within(Level::Choice);
                Printed::new(Level::Choice, format!("{cond} ? {} : {}", side(yes), side(no)))
            }
            (Value::Read(place), own) => {
                let own = own.and_then(|(value, written)| match value {
                    Value::Read(place) => Some((place, written)),
                    _ => None,
                });
                Printed { text: self.place(place, own), level: Level::Primary, is_kept: own.is_some() }
            }
            (Value::Integer(e, held), Some((Value::Integer(source, own), written))) if own == held => {
                match self.moved.is_empty() {
                    true => self.integer(e, *held, &Kept::whole(source, written)),
                    false => {
                        let moved = self.moved_int((source, written), e);
                        moved.unwrap_or_else(|| self.integer(e, *held, &Kept::default()))
                    }
                }
            }
            (Value::Integer(e, held), _) => self.integer(e, *held, &Kept::default()),
            (Value::Choice(cond, yes, no), Some((Value::Choice(test, first, second), written)))
                if written.mentions(0) && (written.mentions(1) || (yes == first && no == second)) =>
            {
                let cond = self.cond(cond, part(&**test, written, 0)).in_place(Level::Or);
                let side = |now: &Value, source, k| self.value(now, part(source, written, k)).in_place(Level::Choice);
                let parts = [Some(cond), Some(side(yes, &**first, 1)), Some(side(no, &**second, 2))];
                Printed::in_its_place(written, written.filled(&parts))
            }
            (Value::Choice(cond, yes, no), _) => {
                let cond = self.cond(cond, None).within(Level::Or);
                let [yes, no] = [yes, no].map(|value| self.value(value, None).within(Level::Choice));
                Printed::new(Level::Choice, format!("{cond} ? {yes} : {no}"))
            }
            (Value::Apply(Op::Select(of), operands), own) if let [Value::Choice(cond, yes, no)] = &operands[..] => {
                let own = match own {
                    Some((Value::Choice(test, first, second), written)) if (0..3).all(|k| written.mentions(k)) => {
                        Some((&**test, [&**first, &**second], written))
                    }
                    _ => None,
                };
                let cond = (&**cond, own.and_then(|(test, _, written)| part(test, written, 0)));
                let side = |now, k: usize| {
                    let own = own.and_then(|(_, sides, written)| part(sides[k], written, k + 1));
                    self.value(now, own).within(Level::Choice)
                };
                self.selected(*of, cond, [side(yes, 0), side(no, 1)])
            }
            (Value::Apply(Op::Volatile, operands), own) if let [now] = &operands[..] => {
                let own = own.and_then(|(value, written)| match value {
                    Value::Apply(Op::Volatile, operands) => Some((operands.first()?, written)),
                    _ => None,
                });
                self.value(now, own)
            }
            (Value::Apply(op, operands), Some((Value::Apply(source, theirs), written)))
                if op == source
                    && operands.len() == theirs.len()
                    && (0..operands.len()).all(|k| written.mentions(k)) =>
            {
                let operand = |(k, (now, source)): (usize, (&Value, &Value))| {
                    let printed = self.value(now, part(source, written, k));
                    // What stands around it isn't known, nor whether it had parentheses.
                    let is_bare = matches!(op, Op::Leaf(_)) && !printed.is_kept;
                    Some(if is_bare { format!("({})", printed.text) } else { printed.in_place(needed_by(op, k)) })
                };
                let parts: Vec<Option<String>> = operands.iter().zip(theirs).enumerate().map(operand).collect();
                Printed::in_its_place(written, written.filled(&parts))
            }
            (Value::Apply(op, operands), _) => self.apply(op, operands),
        }
    }

    /// One of two values that are both computed.
    pub(crate) fn selected(&self, of: Real, (cond, own): (&Cond, Own<Cond>), [yes, no]: [String; 2]) -> Printed {
        let text = format!("{}({}, {yes}, {no})", (self.additions.select)(of), self.mask(cond, own));
        Printed::new(Level::Primary, text)
    }

    /// A condition of which all is computed: 0 or 1.
    fn mask(&self, cond: &Cond, own: Own<Cond>) -> String {
        let (left, right, sign) = match cond {
            Cond::And(left, right) => (left, right, '&'),
            Cond::Or(left, right) => (left, right, '|'),
            cond => return self.cond(cond, own).within(Level::Choice),
        };
        let own = match own {
            Some((Cond::And(one, two) | Cond::Or(one, two), written)) => {
                [part(&**one, written, 0), part(&**two, written, 1)]
            }
            _ => [None, None],
        };
        format!("({}) {sign} ({})", self.mask(left, own[0]), self.mask(right, own[1]))
    }

    /// An operation on two operands; `None`: it has another number of them.
    pub(crate) fn applied_to(&self, op: &Op, left: Printed, right: Printed) -> Option<Printed> {
        let sides = [left.within(needed_by(op, 0)), right.within(needed_by(op, 1))];
        match (op, op.infix()) {
            (Op::Leaf(text), _) => {
                Some(Printed::new(Level::Choice, filled(text, &mut |hole| sides[hole.number].clone())))
            }
            (_, Some(sign)) => Some(Printed::new(op.level(), format!("{} {sign} {}", sides[0], sides[1]))),
            _ => None,
        }
    }

    fn apply(&self, op: &Op, operands: &[Value]) -> Printed {
        let operand = |k: usize| self.value(&operands[k], None).within(needed_by(op, k));
        let all = || (0..operands.len()).map(operand);
        match (op, operands) {
            (Op::Negate, [_]) => Printed::new(Level::Unary, format!("-{}", operand(0))),
            (Op::Not, [_]) => Printed::new(Level::Unary, format!("!{}", operand(0))),
            (Op::Select(_) | Op::Volatile, [own]) => self.value(own, None),
            (Op::Leaf(text), []) => Printed::new(Level::Primary, filled(text, &mut |_| String::new())),
            (Op::Leaf(text), _) => Printed::new(Level::Choice, filled(text, &mut |hole| operand(hole.number))),
            (Op::Call(name), _) => {
                Printed::new(Level::Primary, format!("{name}({})", all().collect::<Vec<_>>().join(", ")))
            }
            (_, [_, _]) => {
                Printed::new(op.level(), format!("{} {} {}", operand(0), op.infix().unwrap_or_default(), operand(1)))
            }
            (op, _) => unreachable!("{op:?} has one or two operands"),
        }
    }
}

/// The text of an expression that is as it was.
fn same<T: PartialEq>(node: &T, own: Own<T>) -> Option<Printed> {
    own.filter(|(source, _)| *source == node).map(|(_, written)| Printed::in_its_place(written, written.whole.clone()))
}

/// A part of what the source has.
fn part<'s, T>(node: &'s T, written: &'s Written, k: usize) -> Own<'s, T> {
    Some((node, written.parts.get(k)?))
}

/// How tightly an operand has to bind.
fn needed_by(op: &Op, k: usize) -> Level {
    match op {
        Op::Call(_) | Op::Select(_) | Op::Volatile => Level::Choice,
        Op::Leaf(_) | Op::Negate | Op::Not => Level::Primary,
        _ if op.level() == Level::Comparison || k > 0 => op.level().inside(),
        _ => op.level(),
    }
}
