//! Integers, conditions, places and values as C.
//!
//! Compilers warn of `a && b || c` and of comparisons of comparisons: these get parentheses that
//! they don't need.

use crate::kept::Kept;
use polyfold_program::{Buffer, Cond, Int, IntOp, Level, LocalId, Op, Place, Program, Value, Written};

/// Prints expressions with a program's names.
pub(crate) struct Expressions<'a> {
    pub(crate) program: &'a Program,
    /// Integers that variables stand for.
    pub(crate) named: &'a [(Int, String)],
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
    fn new(level: Level, text: String) -> Printed {
        Printed { text, level, is_kept: false }
    }

    fn of_source(written: &Written, text: String) -> Printed {
        Printed { text, level: written.level, is_kept: true }
    }

    /// Where something at least as tight as `needed` has to stand.
    pub(crate) fn within(self, needed: Level) -> String {
        self.level.within(needed, self.text)
    }

    /// In the place of what the source has there.
    fn in_place(self, needed: Level) -> String {
        if self.is_kept { self.text } else { self.within(needed) }
    }
}

/// A node and how the source writes it.
type Own<'s, T> = Option<(&'s T, &'s Written)>;

impl Expressions<'_> {
    pub(crate) fn local(&self, id: LocalId) -> &str {
        &self.program.locals[id.0].name
    }

    /// The text; integers that are kept stand as the source writes them.
    pub(crate) fn int(&self, e: &Int, kept: &Kept) -> Printed {
        if let Some(written) = kept.written(e) {
            return Printed { text: written.whole.clone(), level: written.level, is_kept: false };
        }
        if let Some((_, name)) = self.named.iter().find(|(own, _)| own == e) {
            return Printed::new(Level::Primary, name.clone());
        }
        match e {
            Int::Constant(value) if *value < 0 => Printed::new(Level::Unary, value.to_string()),
            Int::Constant(value) => Printed::new(Level::Primary, value.to_string()),
            Int::Parameter(id) => Printed::new(Level::Primary, self.program.parameters[id.0].name.clone()),
            Int::Local(id) => Printed::new(Level::Primary, self.local(*id).to_string()),
            Int::Data(value) => self.value(value, None),
            Int::Select(cond, yes, no) => {
                let cond = self.cond(cond, None).within(Level::Or);
                let [yes, no] = [yes, no].map(|e| self.int(e, kept).within(Level::Choice));
                Printed::new(Level::Choice, format!("{cond} ? {yes} : {no}"))
            }
            Int::Binary(IntOp::Subtract, left, right) if **left == Int::Constant(0) => {
                Printed::new(Level::Unary, format!("-{}", self.int(right, kept).within(Level::Primary)))
            }
            Int::Binary(op, left, right) => self.binary(*op, left, right, kept),
        }
    }

    fn binary(&self, op: IntOp, left: &Int, right: &Int, kept: &Kept) -> Printed {
        let int = |e: &Int, needed: Level| self.int(e, kept).within(needed);
        let (sign, level) = match op {
            IntOp::Add => ("+", Level::Sum),
            IntOp::Subtract => ("-", Level::Sum),
            IntOp::Multiply => ("*", Level::Product),
            IntOp::Divide => ("/", Level::Product),
            IntOp::Remainder => ("%", Level::Product),
            IntOp::FloorModulo => {
                let (e, b) = (int(left, Level::Product), int(right, Level::Unary));
                return Printed::new(Level::Product, format!("({e} % {b} + {b}) % {b}"));
            }
            IntOp::FloorDivide => {
                let (e, b) = (int(left, Level::Unary), int(right, Level::Unary));
                let rest = format!("({} % {b} + {b}) % {b}", int(left, Level::Product));
                return Printed::new(Level::Product, format!("({e} - {rest}) / {b}"));
            }
            IntOp::Minimum | IntOp::Maximum => {
                let sign = if op == IntOp::Minimum { "<" } else { ">" };
                let (a, b) = (int(left, Level::Sum), int(right, Level::Sum));
                return Printed::new(Level::Choice, format!("{a} {sign} {b} ? {a} : {b}"));
            }
        };
        let (left, right) = (int(left, level), int(right, level.inside()));
        Printed::new(level, format!("{left} {sign} {right}"))
    }

    pub(crate) fn cond(&self, cond: &Cond, own: Own<Cond>) -> Printed {
        if let Some(same) = same(cond, own) {
            return same;
        }
        match cond {
            Cond::Compare(relation, left, right) => {
                let sign = relation.sign();
                let kept = match own {
                    Some((Cond::Compare(_, left, right), written)) => Kept::of([left, right], written),
                    _ => Kept::default(),
                };
                let [left, right] = [left, right].map(|e| self.int(e, &kept).within(Level::Sum));
                Printed::new(Level::Comparison, format!("{left} {sign} {right}"))
            }
            Cond::And(left, right) => {
                if let Some((Cond::And(one, two), written)) = own {
                    return self.both([left, right], [one, two], written, [Level::And, Level::Comparison]);
                }
                let (left, right) = (self.cond(left, None), self.cond(right, None));
                let text = format!("{} && {}", left.within(Level::And), right.within(Level::Comparison));
                Printed::new(Level::And, text)
            }
            Cond::Or(left, right) => {
                if let Some((Cond::Or(one, two), written)) = own {
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
                    return Printed::of_source(written, written.filled(&[Some(inner)]));
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
        Printed::of_source(written, written.filled(&[Some(text(0)), Some(text(1))]))
    }

    pub(crate) fn place(&self, place: &Place, own: Own<Place>) -> String {
        match (place, own) {
            (place, Some((source, written))) if place == source => written.whole.clone(),
            (Place::Cell { buffer, index }, own) => {
                let kept = match own {
                    Some((Place::Cell { index, .. }, written)) => Kept::of(index, written),
                    _ => Kept::default(),
                };
                let Buffer { name, extents, is_flat, .. } = &self.program.buffers[buffer.0];
                let subscript = |e: &Int| format!("[{}]", self.int(e, &kept).within(Level::Whole));
                match is_flat {
                    true => format!("{name}{}", subscript(&flat(index, extents))),
                    false => format!("{name}{}", index.iter().map(subscript).collect::<String>()),
                }
            }
            (Place::Through { pointer, index }, _) => {
                format!("{}[{}]", self.local(*pointer), self.int(index, &Kept::default()).within(Level::Whole))
            }
            (Place::Select(cond, yes, no), _) => {
                let cond = self.cond(cond, None).within(Level::Or);
                format!("*({cond} ? &{} : &{})", self.place(yes, None), self.place(no, None))
            }
        }
    }

    pub(crate) fn value(&self, value: &Value, own: Own<Value>) -> Printed {
        if let Some(same) = same(value, own) {
            return same;
        }
        match (value, own) {
            (Value::Read(place), own) => {
                let own = own.and_then(|(value, written)| match value {
                    Value::Read(place) => Some((place, written)),
                    _ => None,
                });
                Printed { text: self.place(place, own), level: Level::Primary, is_kept: own.is_some() }
            }
            (Value::Integer(e), Some((Value::Integer(source), written))) => self.int(e, &Kept::whole(source, written)),
            (Value::Integer(e), _) => self.int(e, &Kept::default()),
            (Value::Choice(cond, yes, no), Some((Value::Choice(test, first, second), written)))
                if written.mentions(0) && (written.mentions(1) || (yes == first && no == second)) =>
            {
                let cond = self.cond(cond, part(&**test, written, 0)).in_place(Level::Or);
                let side = |now: &Value, source, k| self.value(now, part(source, written, k)).in_place(Level::Choice);
                let parts = [Some(cond), Some(side(yes, &**first, 1)), Some(side(no, &**second, 2))];
                Printed::of_source(written, written.filled(&parts))
            }
            (Value::Choice(cond, yes, no), _) => {
                let cond = self.cond(cond, None).within(Level::Or);
                let [yes, no] = [yes, no].map(|value| self.value(value, None).within(Level::Choice));
                Printed::new(Level::Choice, format!("{cond} ? {yes} : {no}"))
            }
            (Value::Apply(op, operands), Some((Value::Apply(source, theirs), written)))
                if op == source
                    && operands.len() == theirs.len()
                    && (0..operands.len()).all(|k| written.mentions(k)) =>
            {
                let operand = |(k, (now, source)): (usize, (&Value, &Value))| {
                    Some(self.value(now, part(source, written, k)).in_place(needed_by(op, k)))
                };
                let parts: Vec<Option<String>> = operands.iter().zip(theirs).enumerate().map(operand).collect();
                Printed::of_source(written, written.filled(&parts))
            }
            (Value::Apply(op, operands), _) => self.apply(op, operands),
        }
    }

    fn apply(&self, op: &Op, operands: &[Value]) -> Printed {
        let operand = |k: usize| self.value(&operands[k], None).within(needed_by(op, k));
        let all = || (0..operands.len()).map(operand);
        match (op, operands) {
            (Op::Negate, [_]) => Printed::new(Level::Unary, format!("-{}", operand(0))),
            (Op::Not, [_]) => Printed::new(Level::Unary, format!("!{}", operand(0))),
            (Op::Leaf(text), []) => Printed::new(Level::Primary, text.clone()),
            (Op::Leaf(text), _) => Printed::new(Level::Choice, with_operands(text, &all().collect::<Vec<_>>())),
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

/// The one subscript for all dimensions of rows: `i * n + j`.
fn flat(index: &[Int], extents: &[Option<Int>]) -> Int {
    let inner = |flat: Int, (extent, e): (&Option<Int>, &Int)| {
        let rows = extent.iter().fold(flat, |flat, extent| Int::binary(IntOp::Multiply, flat, extent.clone()));
        Int::binary(IntOp::Add, rows, e.clone())
    };
    let mut rest = extents.iter().zip(index);
    rest.next().map_or(Int::Constant(0), |(_, first)| rest.fold(first.clone(), inner))
}

/// The text of an expression that is as it was.
fn same<T: PartialEq>(node: &T, own: Own<T>) -> Option<Printed> {
    own.filter(|(source, _)| *source == node).map(|(_, written)| Printed::of_source(written, written.whole.clone()))
}

/// A part of what the source has.
fn part<'s, T>(node: &'s T, written: &'s Written, k: usize) -> Own<'s, T> {
    Some((node, written.parts.get(k)?))
}

/// How tightly an operand has to bind.
fn needed_by(op: &Op, k: usize) -> Level {
    match op {
        Op::Call(_) => Level::Choice,
        Op::Leaf(_) | Op::Negate | Op::Not => Level::Primary,
        _ if op.level() == Level::Comparison || k > 0 => op.level().inside(),
        _ => op.level(),
    }
}

/// A text with its holes filled.
fn with_operands(text: &str, operands: &[String]) -> String {
    let mut parts = text.split('$');
    let mut filled = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        if let Some(operand) = part[..digits].parse::<usize>().ok().and_then(|k| operands.get(k)) {
            filled.push_str(operand);
        }
        filled.push_str(&part[digits..]);
    }
    filled
}
