//! What the names of a program stand for, and the values of its integers and conditions.
//!
//! Integers become sums of symbols. Where C would choose, the facts are split into cases:
//!
//! ```text
//! e mod b     r with 0 <= r < b and r = e + m for a multiple m of b
//! e % b       the same where e >= 0; below, r with -b < r <= 0
//! c ? d : e   d where c holds, e elsewhere
//! ```

use super::facts::{Facts, Judge};
use super::linear::Linear;
use super::{Obligation, Stop};
use polyfold_program::{Cond, Int, IntOp, LocalId, Relation};
use std::collections::BTreeMap;

/// Values of a program's sizes and integer locals.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) parameters: Vec<Linear>,
    pub(super) locals: BTreeMap<LocalId, Linear>,
}

type Cases = Vec<(Facts, Linear)>;

impl Judge<'_> {
    /// The values of an integer, each with the facts of its case.
    pub(super) fn int(&self, facts: &Facts, names: &Names, e: &Int) -> Result<Cases, Stop> {
        match e {
            Int::Constant(number) => Ok(vec![(facts.clone(), Linear::number(i128::from(*number)))]),
            Int::Parameter(id) => Ok(vec![(facts.clone(), names.parameters[id.0].clone())]),
            Int::Local(id) => match names.locals.get(id) {
                Some(value) => Ok(vec![(facts.clone(), value.clone())]),
                None => Err(Obligation::NoValue.into()),
            },
            Int::Data(_) => Err(Obligation::Unsupported("subscripts that data decide").into()),
            Int::Select(cond, yes, no) => {
                let mut all = Vec::new();
                for (holds, e) in [(true, yes), (false, no)] {
                    for case in self.assume(facts, names, cond, holds)? {
                        all.extend(self.int(&case, names, e)?);
                    }
                }
                Ok(all)
            }
            Int::Binary(op, left, right) => {
                let mut all = Vec::new();
                for (facts, left) in self.int(facts, names, left)? {
                    for (facts, right) in self.int(&facts, names, right)? {
                        all.extend(self.binary(&facts, *op, &left, &right)?);
                    }
                }
                Ok(all)
            }
        }
    }

    /// The values of several integers at once.
    pub(super) fn ints(&self, facts: &Facts, names: &Names, all: &[Int]) -> Result<Vec<(Facts, Vec<Linear>)>, Stop> {
        let mut cases = vec![(facts.clone(), Vec::new())];
        for e in all {
            let mut next = Vec::new();
            for (facts, values) in cases {
                for (facts, value) in self.int(&facts, names, e)? {
                    next.push((facts, [&values[..], &[value]].concat()));
                }
            }
            cases = next;
        }
        Ok(cases)
    }

    fn binary(&self, facts: &Facts, op: IntOp, left: &Linear, right: &Linear) -> Result<Cases, Stop> {
        let one = |value: Linear| match value.is_short() {
            true => Ok(vec![(facts.clone(), value)]),
            false => Err(Obligation::Bound.into()),
        };
        match op {
            IntOp::Add => one(left.plus(right, 1)),
            IntOp::Subtract => one(left.minus(right)),
            IntOp::Multiply => match (left.as_number(), right.as_number()) {
                (Some(number), _) => one(right.times(number)),
                (_, Some(number)) => one(left.times(number)),
                _ => self.product(facts, left, right),
            },
            IntOp::Minimum | IntOp::Maximum => {
                let (less, more) = if op == IntOp::Minimum { (left, right) } else { (right, left) };
                let cases = [(right.minus(left), less), (left.minus(right).and(-1), more)];
                self.possible(cases.map(|(sum, value)| (facts.with_not_negative(sum), value.clone())).into())
            }
            IntOp::FloorModulo => self.remainder(facts, left, right),
            IntOp::FloorDivide => self.quotient(facts, left, right),
            IntOp::Remainder | IntOp::Divide => {
                let mut all = Vec::new();
                for sign in [1, -1] {
                    let sum = if sign == 1 { left.clone() } else { left.times(-1).and(-1) };
                    let case = facts.with_not_negative(sum);
                    if self.is_empty(&case)? {
                        continue;
                    }
                    let size = left.times(sign);
                    let found = match op {
                        IntOp::Divide => self.quotient(&case, &size, right)?,
                        _ => self.remainder(&case, &size, right)?,
                    };
                    all.extend(found.into_iter().map(|(facts, value)| (facts, value.times(sign))));
                }
                Ok(all)
            }
        }
    }

    /// A product, whose terms are products of symbols.
    fn product(&self, facts: &Facts, left: &Linear, right: &Linear) -> Result<Cases, Stop> {
        let both = left.times(right.constant).plus(right, left.constant);
        let mut value = both.and(-left.constant * right.constant);
        for (a, one) in left.terms() {
            for (b, other) in right.terms() {
                value = value.plus(&Linear::symbol(self.multiplied(*a, *b)), one * other);
            }
        }
        let mut facts = Facts { has_products: true, ..facts.clone() };
        if let (Some(l), Some(r)) = (self.is_at_least(&facts, left)?, self.is_at_least(&facts, right)?) {
            facts = facts.with_not_negative(value.plus(left, -r).plus(right, -l).and(l * r));
        }
        if value.is_short() { Ok(vec![(facts, value)]) } else { Err(Obligation::Bound.into()) }
    }

    fn possible(&self, cases: Cases) -> Result<Cases, Stop> {
        let mut all = Vec::new();
        for (facts, value) in cases {
            if !self.is_empty(&facts)? {
                all.push((facts, value));
            }
        }
        Ok(all)
    }

    /// `e mod b` for a positive b.
    fn remainder(&self, facts: &Facts, e: &Linear, b: &Linear) -> Result<Cases, Stop> {
        if !self.entails(facts, &b.and(-1))? {
            return Err(Obligation::ModulusMayBeZero.into());
        }
        if let Some(number) = b.as_number() {
            let quotients = self.quotient(facts, e, b)?;
            return Ok(quotients.into_iter().map(|(facts, own)| (facts, e.plus(&own, -number))).collect());
        }
        let (multiple, rest) = self.divided(e, b);
        let rest = Linear::symbol(rest);
        let facts = facts.with_not_negative(rest.clone()).with_not_negative(b.minus(&rest).and(-1));
        let mut facts = facts.with_zero(rest.minus(e).minus(&Linear::symbol(multiple)));
        facts.multiples.insert(multiple, b.clone());
        Ok(vec![(facts, rest)])
    }

    /// `e div b` for a positive number b.
    fn quotient(&self, facts: &Facts, e: &Linear, b: &Linear) -> Result<Cases, Stop> {
        let Some(number) = b.as_number() else { return Err(Obligation::NotLinear.into()) };
        if number <= 0 {
            return Err(Obligation::ModulusMayBeZero.into());
        }
        let quotient = Linear::symbol(self.divided(e, b).0);
        let rest = e.plus(&quotient, -number);
        let facts = facts.with_not_negative(rest.clone()).with_not_negative(rest.times(-1).and(number - 1));
        Ok(vec![(facts, quotient)])
    }

    /// The possible cases in which a condition holds, or doesn't.
    pub(super) fn assume(&self, facts: &Facts, names: &Names, cond: &Cond, holds: bool) -> Result<Vec<Facts>, Stop> {
        match cond {
            Cond::Not(inner) => self.assume(facts, names, inner, !holds),
            Cond::Data(_) => Err(Obligation::Unsupported("a condition on data").into()),
            Cond::And(left, right) | Cond::Or(left, right) => {
                let is_both = matches!(cond, Cond::And(..)) == holds;
                if is_both {
                    return self.assume_all(self.assume(facts, names, left, holds)?, names, right, holds);
                }
                // One, or the other alone: the cases exclude each other.
                let mut all = self.assume(facts, names, left, holds)?;
                let without = self.assume(facts, names, left, !holds)?;
                all.extend(self.assume_all(without, names, right, holds)?);
                Ok(all)
            }
            Cond::Compare(relation, left, right) => {
                let relation = if holds { *relation } else { relation.negated() };
                let mut all = Vec::new();
                for (facts, left) in self.int(facts, names, left)? {
                    for (facts, right) in self.int(&facts, names, right)? {
                        all.extend(compared(&facts, &left.minus(&right), relation));
                    }
                }
                let mut possible = Vec::new();
                for facts in all {
                    if !self.is_empty(&facts)? {
                        possible.push(facts);
                    }
                }
                Ok(possible)
            }
        }
    }

    fn assume_all(&self, cases: Vec<Facts>, names: &Names, cond: &Cond, holds: bool) -> Result<Vec<Facts>, Stop> {
        let mut all = Vec::new();
        for case in cases {
            all.extend(self.assume(&case, names, cond, holds)?);
        }
        Ok(all)
    }
}

/// The cases of a comparison of a sum with 0.
fn compared(facts: &Facts, sum: &Linear, relation: Relation) -> Vec<Facts> {
    let above = |sum: &Linear| facts.with_not_negative(sum.and(-1));
    match relation {
        Relation::Less => vec![above(&sum.times(-1))],
        Relation::LessOrEqual => vec![facts.with_not_negative(sum.times(-1))],
        Relation::Greater => vec![above(sum)],
        Relation::GreaterOrEqual => vec![facts.with_not_negative(sum.clone())],
        Relation::Equal => vec![facts.with_zero(sum.clone())],
        Relation::NotEqual => vec![above(sum), above(&sum.times(-1))],
    }
}
