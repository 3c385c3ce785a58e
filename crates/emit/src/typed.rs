//! The types in which C computes integers.
//!
//! The idea: C computes `a + b` in the common type of both (C17 6.3.1.8). Where that type doesn't hold an operand or the
//! result, an operand becomes a `long`: the first one that is no number, if that is enough. A cast of a sum goes to its first
//! operand.
//!
//! ```text
//! i - n + 3         size_t i, n       (long)i - (long)n + 3
//! (i + 2 * n) % n   int i, n          (i + 2 * (long)n) % n, unless 2 * n fits an int
//! (i + 1) % n       size_t i, n       stays: nothing is below 0
//! ```
//!
//! The source's own text for an integer stays, in the type that it has there.
//!
//! Over-approximated: values are those of intervals ([`Ranges`](crate::ranges::Ranges)). Those past 64 bits are taken not to be.

use crate::expression::{Expressions, Printed};
use crate::kept::Kept;
use crate::ranges::{clamped, of_operation};
use polyfold_program::{Cond, Int, IntOp, IntType, Level, Relation, Values};

/// An integer with its type in C.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) node: Node,
    pub(crate) held: Held,
    values: Values,
}

/// What an integer is made of, in operations that C has.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A number.
    Number(i64),
    /// What isn't computed here: a name, or the source's text.
    Word(Printed),
    /// As a `long`.
    Cast(Box<Typed>),
    /// Of two operands.
    Operation(IntOp, Box<[Typed; 2]>),
    /// The first if a condition holds, else the second.
    Choice(String, Box<[Typed; 2]>),
}

/// What C holds an integer in; `None`: it has no bounds.
type Held = Option<IntType>;

/// What is known where an integer stands.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a, 's> {
    /// What stands as the source writes it.
    pub(crate) kept: &'a Kept<'s>,
    /// Where the values lie.
    pub(crate) limit: Option<Limit>,
}

/// Where the values of an integer lie, and those of the operations that it begins with.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) values: Values,
    /// How many operations, one within the other: the first operand of an operation has one less.
    pub(crate) depth: usize,
}

/// How two operands meet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// One result comes of both.
    Computed(IntOp),
    /// One of them is taken.
    Chosen,
    /// They are compared.
    Compared,
}

impl Expressions<'_> {
    /// An integer in types that hold all that is computed.
    pub(crate) fn typed(&self, e: &Int, setting: Setting) -> Typed {
        let typed = self.word(e, setting.kept).unwrap_or_else(|| self.computed(e, setting));
        Typed { values: setting.limit.map_or(typed.values, |limit| clamped(typed.values, limit.values)), ..typed }
    }

    /// What isn't computed here; `None`: it is.
    fn word(&self, e: &Int, kept: &Kept) -> Option<Typed> {
        let values = self.ranges.int(e);
        let word = |printed, held| Typed { node: Node::Word(printed), held, values };
        let primary = |text: &str| Printed::new(Level::Primary, text.to_string());
        if let Some((written, rows)) = kept.written(e) {
            let printed = Printed::new(written.level, written.whole.clone());
            let values = rows.map_or(values, |rows| clamped(values, rows));
            // Who says no type of a text knows none.
            let held = Some(written.held.unwrap_or(IntType::Unknown));
            return Some(Typed { node: Node::Word(printed), held, values });
        }
        if let Some(named) = self.additions.named.iter().find(|own| own.value == *e) {
            return Some(word(primary(&named.name), Some(named.held)));
        }
        if let Some((before, written, rows)) = kept.moved(&|before| self.is_another(before, e)) {
            let typed = match self.moved_call((before, written), e) {
                Some(printed) => word(printed, Some(written.held.unwrap_or(IntType::Unknown))),
                None => self.typed(e, Setting::of(&Kept::default())),
            };
            return Some(Typed { values: rows.map_or(typed.values, |rows| clamped(typed.values, rows)), ..typed });
        }
        Some(match e {
            Int::Parameter(id) => {
                let own = &self.program.parameters[id.0];
                word(primary(&own.name), own.held)
            }
            Int::Local(id) => word(primary(self.local(*id)), self.program.locals[id.0].held),
            Int::Data(value) => word(self.value(value, None), Some(IntType::Unknown)),
            Int::Constant(value) => number(*value),
            Int::Binary(..) | Int::Select(..) => return None,
        })
    }

    fn computed(&self, e: &Int, setting: Setting) -> Typed {
        match e {
            Int::Select(cond, yes, no) => {
                let cond = self.cond(cond, None).within(Level::Or);
                let both = self.met([yes, no], Setting { limit: None, ..setting }, Meeting::Chosen);
                let held = common(&both);
                Typed { node: Node::Choice(cond, Box::new(both)), held, values: self.ranges.int(e) }
            }
            Int::Binary(op, left, right) => match in_operations_of_c(*op, left, right) {
                Some(e) => self.computed(&e, setting),
                None => {
                    let known = || self.ranges.known(e).map(|values| Limit { values, depth: 0 });
                    let setting = Setting { limit: setting.limit.or_else(known), ..setting };
                    let both = self.met([left, right], setting, Meeting::Computed(*op));
                    let values = of_operation(*op, both[0].values, both[1].values);
                    let values = setting.limit.map_or(values, |limit| clamped(values, limit.values));
                    let held = common(&both);
                    Typed { node: Node::Operation(*op, Box::new(both)), held, values }
                }
            },
            other => unreachable!("{other:?} is a word"),
        }
    }

    /// Two operands in a type that holds both, and what comes of them.
    pub(crate) fn met(&self, [left, right]: [&Int; 2], setting: Setting, meeting: Meeting) -> [Typed; 2] {
        let [first, second] = setting.of_operands(meeting, [left, right].map(|e| self.ranges.int(e)));
        // `-i` has no text for its 0, though the source may write one elsewhere.
        let is_negated = meeting == Meeting::Computed(IntOp::Subtract) && *left == Int::Constant(0);
        let left = if is_negated { number(0) } else { self.typed(left, first) };
        let both = [left, self.typed(right, second)];
        let fits = |both: &[Typed; 2]| are_held(both, meeting, setting.limit);
        if fits(&both) { both } else { with_long(both, fits) }
    }
}

impl<'a, 's> Setting<'a, 's> {
    /// Without limits.
    pub(crate) fn of(kept: &'a Kept<'s>) -> Setting<'a, 's> {
        Setting { kept, limit: None }
    }

    /// That of the operands of an operation that stands here, of which these are the values.
    fn of_operands(self, meeting: Meeting, values: [Values; 2]) -> [Setting<'a, 's>; 2] {
        let Some(limit) = self.limit else { return [self, self] };
        let limits = match limit.depth {
            0 => limit.of_operands(meeting, values),
            depth => [Some(Limit { depth: depth - 1, ..limit }), Some(Limit { depth: 0, ..limit })],
        };
        limits.map(|limit| Setting { limit, ..self })
    }
}

impl Limit {
    /// Where the operands of a sum or a difference lie: what it is says what each of them is beside the other.
    fn of_operands(self, meeting: Meeting, [left, right]: [Values; 2]) -> [Option<Limit>; 2] {
        let ((least, most), limit) = (self.values, |least, most| Some(Limit { values: (least, most), depth: 0 }));
        match meeting {
            Meeting::Computed(IntOp::Add) => {
                [limit(least - right.1, most - right.0), limit(least - left.1, most - left.0)]
            }
            Meeting::Computed(IntOp::Subtract) => {
                [limit(least + right.0, most + right.1), limit(left.0 - most, left.1 - least)]
            }
            _ => [None, None],
        }
    }
}

impl Typed {
    pub(crate) fn is_number(&self) -> bool {
        matches!(self.node, Node::Number(_))
    }

    fn is_long(&self) -> bool {
        matches!(self.held, None | Some(IntType::LONG))
    }

    /// The same as a `long`.
    fn long(self) -> Typed {
        if self.is_long() {
            return self;
        }
        let held = Some(IntType::LONG);
        let is_long = |both: &[Typed; 2]| common(both) == held;
        let node = match self.node {
            Node::Operation(op @ (IntOp::Add | IntOp::Subtract | IntOp::Multiply), both) => {
                Node::Operation(op, Box::new(with_long(*both, is_long)))
            }
            Node::Choice(cond, both) => Node::Choice(cond, Box::new(with_long(*both, is_long))),
            _ => Node::Cast(Box::new(self.clone())),
        };
        Typed { node, held, values: self.values }
    }
}

fn number(value: i64) -> Typed {
    let values = (value.into(), value.into());
    Typed { node: Node::Number(value), held: Some(IntType::of_number(value)), values }
}

/// Two operands, as few of them as a `long` as will do. Casts of numbers say nothing.
fn with_long(both: [Typed; 2], will_do: impl Fn(&[Typed; 2]) -> bool) -> [Typed; 2] {
    let [left, right] = both;
    let is_number = [left.is_number(), right.is_number()];
    let [long_left, long_right] = [left.clone().long(), right.clone().long()];
    let (first, second) = ([long_left.clone(), right], [left, long_right.clone()]);
    match is_number {
        [false, _] if will_do(&first) => first,
        [_, false] if will_do(&second) => second,
        _ => [long_left, long_right],
    }
}

fn common(both: &[Typed; 2]) -> Held {
    Some(both[0].held?.with(both[1].held?))
}

/// Whether the common type holds two operands and what comes of them.
fn are_held(both: &[Typed; 2], meeting: Meeting, limit: Option<Limit>) -> bool {
    let Some(held) = common(both) else { return true };
    let are_operands = both.iter().all(|e| held.holds(e.values));
    match meeting {
        Meeting::Computed(op) => {
            let values = of_operation(op, both[0].values, both[1].values);
            are_operands && held.holds(limit.map_or(values, |limit| clamped(values, limit.values)))
        }
        // Compilers warn where a sign goes.
        Meeting::Chosen | Meeting::Compared => {
            let keeps_no_sign = |e: &Typed| e.is_number() || e.held.is_some_and(|held| !held.is_signed());
            are_operands && (held.is_signed() || both.iter().all(keeps_no_sign))
        }
    }
}

/// An operation that C doesn't have, in those that it has.
fn in_operations_of_c(op: IntOp, e: &Int, b: &Int) -> Option<Int> {
    let with = |op: IntOp, left: Int| Int::binary(op, left, b.clone());
    Some(match op {
        IntOp::FloorModulo => with(IntOp::Remainder, with(IntOp::Add, with(IntOp::Remainder, e.clone()))),
        IntOp::FloorDivide => {
            let less = Int::binary(IntOp::Subtract, e.clone(), with(IntOp::FloorModulo, e.clone()));
            with(IntOp::Divide, less)
        }
        IntOp::Minimum | IntOp::Maximum => {
            let relation = if op == IntOp::Minimum { Relation::Less } else { Relation::Greater };
            let cond = Cond::compare(e.clone(), relation, b.clone());
            Int::Select(Box::new(cond), Box::new(e.clone()), Box::new(b.clone()))
        }
        IntOp::Add | IntOp::Subtract | IntOp::Multiply | IntOp::Divide | IntOp::Remainder => return None,
    })
}
