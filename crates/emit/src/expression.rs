//! Integers, conditions, places and values as C.
//!
//! Compilers warn of `a && b || c` and of comparisons of comparisons: these get parentheses that
//! they don't need.

use crate::level::Level;
use polyfold_program::{Cond, Int, IntOp, LocalId, Op, Place, Program, Relation, Value};

/// Prints expressions with a program's names.
pub(crate) struct Expressions<'a> {
    pub(crate) program: &'a Program,
}

impl Expressions<'_> {
    pub(crate) fn local(&self, id: LocalId) -> &str {
        &self.program.locals[id.0].name
    }

    pub(crate) fn int(&self, e: &Int, needed: Level) -> String {
        match e {
            Int::Constant(value) if *value < 0 => Level::Unary.within(needed, value.to_string()),
            Int::Constant(value) => value.to_string(),
            Int::Parameter(id) => self.program.parameters[id.0].name.clone(),
            Int::Local(id) => self.local(*id).to_string(),
            Int::Select(cond, yes, no) => {
                let (cond, yes) = (self.cond(cond, Level::Or), self.int(yes, Level::Choice));
                Level::Choice.within(needed, format!("{cond} ? {yes} : {}", self.int(no, Level::Choice)))
            }
            Int::Binary(IntOp::Subtract, left, right) if **left == Int::Constant(0) => {
                Level::Unary.within(needed, format!("-{}", self.int(right, Level::Primary)))
            }
            Int::Binary(op, left, right) => self.binary(*op, left, right, needed),
        }
    }

    fn binary(&self, op: IntOp, left: &Int, right: &Int, needed: Level) -> String {
        let (sign, level) = match op {
            IntOp::Add => ("+", Level::Sum),
            IntOp::Subtract => ("-", Level::Sum),
            IntOp::Multiply => ("*", Level::Product),
            IntOp::Divide => ("/", Level::Product),
            IntOp::Remainder => ("%", Level::Product),
            IntOp::FloorModulo => {
                let (e, b) = (self.int(left, Level::Product), self.int(right, Level::Unary));
                return Level::Product.within(needed, format!("({e} % {b} + {b}) % {b}"));
            }
            IntOp::FloorDivide => {
                let (e, b) = (self.int(left, Level::Unary), self.int(right, Level::Unary));
                let rest = format!("({} % {b} + {b}) % {b}", self.int(left, Level::Product));
                return Level::Product.within(needed, format!("({e} - {rest}) / {b}"));
            }
            IntOp::Minimum | IntOp::Maximum => {
                let sign = if op == IntOp::Minimum { "<" } else { ">" };
                let (a, b) = (self.int(left, Level::Sum), self.int(right, Level::Sum));
                return Level::Choice.within(needed, format!("{a} {sign} {b} ? {a} : {b}"));
            }
        };
        let (left, right) = (self.int(left, level), self.int(right, level.inside()));
        level.within(needed, format!("{left} {sign} {right}"))
    }

    pub(crate) fn cond(&self, cond: &Cond, needed: Level) -> String {
        match cond {
            Cond::Compare(relation, left, right) => {
                let sign = match relation {
                    Relation::Less => "<",
                    Relation::LessOrEqual => "<=",
                    Relation::Greater => ">",
                    Relation::GreaterOrEqual => ">=",
                    Relation::Equal => "==",
                    Relation::NotEqual => "!=",
                };
                let (left, right) = (self.int(left, Level::Sum), self.int(right, Level::Sum));
                Level::Comparison.within(needed, format!("{left} {sign} {right}"))
            }
            Cond::And(left, right) => {
                let (left, right) = (self.cond(left, Level::And), self.cond(right, Level::Comparison));
                Level::And.within(needed, format!("{left} && {right}"))
            }
            Cond::Or(left, right) => {
                let part = |cond: &Cond| match cond {
                    Cond::Or(..) => self.cond(cond, Level::Or),
                    other => self.cond(other, Level::Comparison),
                };
                Level::Or.within(needed, format!("{} || {}", part(left), part(right)))
            }
            Cond::Not(inner) => Level::Unary.within(needed, format!("!{}", self.cond(inner, Level::Primary))),
            Cond::Data(value) => self.value(value, needed),
        }
    }

    pub(crate) fn place(&self, place: &Place) -> String {
        match place {
            Place::Cell { buffer, index } => {
                let index: String = index.iter().map(|e| format!("[{}]", self.int(e, Level::Whole))).collect();
                format!("{}{index}", self.program.buffers[buffer.0].name)
            }
            Place::Through { pointer, index } => format!("{}[{}]", self.local(*pointer), self.int(index, Level::Whole)),
            Place::Select(cond, yes, no) => {
                let cond = self.cond(cond, Level::Or);
                format!("*({cond} ? &{} : &{})", self.place(yes), self.place(no))
            }
        }
    }

    pub(crate) fn value(&self, value: &Value, needed: Level) -> String {
        match value {
            Value::Read(place) => self.place(place),
            Value::Integer(e) => self.int(e, needed),
            Value::Choice(cond, yes, no) => {
                let (cond, yes) = (self.cond(cond, Level::Or), self.value(yes, Level::Choice));
                Level::Choice.within(needed, format!("{cond} ? {yes} : {}", self.value(no, Level::Choice)))
            }
            Value::Apply(op, operands) => self.apply(op, operands, needed),
        }
    }

    fn apply(&self, op: &Op, operands: &[Value], needed: Level) -> String {
        match (op, operands) {
            (Op::Negate, [operand]) => Level::Unary.within(needed, format!("-{}", self.value(operand, Level::Primary))),
            (Op::Not, [operand]) => Level::Unary.within(needed, format!("!{}", self.value(operand, Level::Primary))),
            (Op::Leaf(text), []) => text.clone(),
            (Op::Leaf(text), _) => Level::Choice.within(needed, self.filled(text, operands)),
            (Op::Call(name), _) => {
                let operands: Vec<String> = operands.iter().map(|e| self.value(e, Level::Choice)).collect();
                format!("{name}({})", operands.join(", "))
            }
            (_, [left, right]) => {
                let level = match op {
                    Op::Add | Op::Subtract => Level::Sum,
                    Op::Multiply | Op::Divide | Op::Remainder => Level::Product,
                    _ => Level::Comparison,
                };
                let first = if level == Level::Comparison { Level::Sum } else { level };
                let (left, right) = (self.value(left, first), self.value(right, level.inside()));
                level.within(needed, format!("{left} {} {right}", op.infix().unwrap_or_default()))
            }
            (op, _) => unreachable!("{op:?} has one or two operands"),
        }
    }

    /// A text with its holes filled.
    fn filled(&self, text: &str, operands: &[Value]) -> String {
        let mut parts = text.split('$');
        let mut filled = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            if let Some(operand) = part[..digits].parse::<usize>().ok().and_then(|k| operands.get(k)) {
                filled.push_str(&self.value(operand, Level::Primary));
            }
            filled.push_str(&part[digits..]);
        }
        filled
    }
}
