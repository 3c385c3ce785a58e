//! Sums of multiples of integers.
//!
//! Example: `2 * (i - 1) + n + 2` is `2 i + n`, with no constant.

use crate::{Cond, Int, IntOp, Relation};

/// `Σ factor * term + constant`, with each term once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// In the order in which they came.
    terms: Vec<(Int, i64)>,
    constant: i64,
    /// Whether a number left 64 bits: then nothing is added up.
    is_large: bool,
    /// What the sum was made of.
    parts: Vec<(Int, i64)>,
}

impl Sum {
    /// A multiple of an integer.
    pub fn of(e: &Int, factor: i64) -> Sum {
        Sum::default().plus(e, factor)
    }

    /// The sum with a multiple of an integer.
    pub fn plus(mut self, e: &Int, factor: i64) -> Sum {
        if factor != 0 && *e != Int::Constant(0) {
            self.parts.push((e.clone(), factor));
        }
        self.is_large |= factor == i64::MIN || self.add(e, factor).is_none();
        self
    }

    /// The sum with an integer that stays as it is, since it may have a name in it.
    pub fn plus_term(mut self, e: &Int) -> Sum {
        self.parts.push((e.clone(), 1));
        self.is_large |= self.add_term(e, 1).is_none();
        self
    }

    fn add(&mut self, e: &Int, factor: i64) -> Option<()> {
        match e {
            Int::Constant(value) => self.constant = self.constant.checked_add(value.checked_mul(factor)?)?,
            Int::Binary(IntOp::Add, left, right) => {
                self.add(left, factor)?;
                self.add(right, factor)?;
            }
            Int::Binary(IntOp::Subtract, left, right) => {
                self.add(left, factor)?;
                self.add(right, factor.checked_neg()?)?;
            }
            Int::Binary(IntOp::Multiply, left, right) => match (&**left, &**right) {
                (Int::Constant(value), e) | (e, Int::Constant(value)) => self.add(e, factor.checked_mul(*value)?)?,
                _ => self.add_term(e, factor)?,
            },
            _ => self.add_term(e, factor)?,
        }
        Some(())
    }

    fn add_term(&mut self, e: &Int, factor: i64) -> Option<()> {
        match self.terms.iter_mut().find(|(own, _)| is_same_product(own, e)) {
            Some((_, own)) => *own = own.checked_add(factor)?,
            None => self.terms.push((e.clone(), factor)),
        }
        Some(())
    }

    /// What an integer is more than another one, if that is a number.
    pub fn difference(e: &Int, other: &Int) -> Option<i64> {
        Sum::of(e, 1).plus(other, -1).number()
    }

    /// What a sum is more than another one, if that is a number.
    pub fn less(&self, other: &Sum) -> Option<i64> {
        let all =
            other.parts.iter().try_fold(self.clone(), |sum, (e, factor)| Some(sum.plus(e, factor.checked_neg()?)));
        all?.number()
    }

    /// What an integer is more than another one but for a multiple of a modulus, if that is a number: the smallest one.
    pub fn difference_modulo((e, other): (&Int, &Int), modulus: &Int) -> Option<i64> {
        let found = (-2..=2).find_map(|times| Sum::of(e, 1).plus(other, -1).plus(modulus, times).number())?;
        Some(match modulus {
            Int::Constant(modulus @ 1..) => {
                let rest = found.rem_euclid(*modulus);
                if rest > modulus / 2 { rest - modulus } else { rest }
            }
            _ => found,
        })
    }

    /// The sum once for each of what its first maximum is of, or minimum.
    pub fn extremes(&self, is_maximum: bool) -> Vec<Sum> {
        let extreme = self.plain().into_iter().find_map(|(e, factor)| {
            let of = extreme_of(&e, is_maximum == (factor > 0))?;
            Some((e, factor, of))
        });
        let Some((e, factor, of)) = extreme.filter(|(_, factor, _)| *factor > i64::MIN) else {
            return vec![self.clone()];
        };
        let without = self.clone().plus(&e, -factor);
        of.iter().flat_map(|one| without.clone().plus(one, factor).extremes(is_maximum)).collect()
    }

    /// The sum, if it is a number.
    pub fn number(&self) -> Option<i64> {
        (!self.is_large && self.plain().is_empty()).then_some(self.constant)
    }

    /// The factor of an integer, and the other integers. `None`: a number left 64 bits.
    pub fn without(&self, e: &Int) -> Option<(i64, Vec<Int>)> {
        let factor = self.terms.iter().find(|(own, _)| own == e).map_or(0, |(_, factor)| *factor);
        let rest = self.plain().into_iter().map(|(own, _)| own).filter(|own| own != e).collect();
        (!self.is_large).then_some((factor, rest))
    }

    /// The sum of the opposites.
    pub fn negated(&self) -> Sum {
        self.parts.iter().fold(Sum::default(), |sum, (e, factor)| sum.plus(e, factor.checked_neg().unwrap_or(i64::MIN)))
    }

    /// What the sum leaves of a positive modulus, if that is a number.
    pub fn modulo(&self, modulus: i64) -> Option<i64> {
        let is_settled = !self.is_large && self.plain().iter().all(|(_, factor)| factor % modulus == 0);
        is_settled.then(|| self.constant.rem_euclid(modulus))
    }

    /// What is left of the sum without multiples of a positive modulus; its number is from 0 on and below that. `None`: a number left
    /// 64 bits.
    pub fn without_multiples(&self, modulus: i64) -> Option<Sum> {
        let number = Int::Constant(self.constant.rem_euclid(modulus));
        let rest = self.plain().into_iter().filter(|(_, factor)| factor % modulus != 0);
        let rest = rest.fold(Sum::of(&number, 1), |sum, (e, factor)| sum.plus(&e, factor));
        (!self.is_large && !rest.is_large).then_some(rest)
    }

    /// The sum with so many times a modulus that its number isn't negative.
    pub fn lifted(self, modulus: i64) -> Sum {
        let more = self
            .constant
            .checked_neg()
            .filter(|less| *less > 0 && modulus > 0)
            .map_or(0, |less| less / modulus + i64::from(less % modulus != 0));
        match more.checked_mul(modulus) {
            Some(more) => self.plus(&Int::Constant(more), 1),
            None => self,
        }
    }

    /// As an integer: one of `known`, if it is the same, so that it stays as it is written.
    pub fn print(&self, known: &[Int]) -> Int {
        if self.is_large {
            let parts = self.parts.iter().map(|(e, factor)| (e.clone(), *factor));
            return added_up(parts.collect(), 0);
        }
        match known.iter().find(|e| self.is_same(&Sum::of(e, 1))) {
            Some(e) => e.clone(),
            None => added_up(in_pairs(self.plain()), self.constant),
        }
    }

    fn is_same(&self, other: &Sum) -> bool {
        let (own, others) = (self.plain(), other.plain());
        let has_all = others.len() == own.len() && others.iter().all(|term| own.contains(term));
        !other.is_large && self.constant == other.constant && has_all
    }

    /// Terms that don't vanish; a positive one first, if there is one.
    fn plain(&self) -> Vec<(Int, i64)> {
        let mut plain: Vec<(Int, i64)> = self.terms.iter().filter(|(_, factor)| *factor != 0).cloned().collect();
        if let Some(positive) = plain.iter().position(|(_, factor)| *factor > 0) {
            let first = plain.remove(positive);
            plain.insert(0, first);
        }
        plain
    }
}

impl Int {
    /// The same with its sums in order, here and inside. If it is one of `known`, it is that.
    pub fn tidy(&self, known: &[Int]) -> Int {
        let inside = |e: &Int| Box::new(e.tidy(&[]));
        match self {
            Int::Data(_) => self.clone(),
            e if let Some(value) = e.as_constant() => Int::Constant(value),
            Int::Binary(op @ (IntOp::Add | IntOp::Subtract | IntOp::Multiply), left, right) => {
                Sum::of(&Int::Binary(*op, inside(left), inside(right)), 1).print(known)
            }
            Int::Binary(op, left, right) => Int::Binary(*op, inside(left), inside(right)),
            e => e.clone(),
        }
    }

    /// Whether another one is shown to be the same by putting sums in order.
    pub fn is_same(&self, other: &Int) -> bool {
        self == other || Sum::difference(&self.tidy(&[]), &other.tidy(&[])) == Some(0)
    }
}

/// Whether two integers are products of the same factors, in any order.
fn is_same_product(one: &Int, other: &Int) -> bool {
    fn factors<'e>(e: &'e Int, found: &mut Vec<&'e Int>) {
        match e {
            Int::Binary(IntOp::Multiply, left, right) => [left, right].into_iter().for_each(|e| factors(e, found)),
            e => found.push(e),
        }
    }
    let (mut own, mut others) = (Vec::new(), Vec::new());
    factors(one, &mut own);
    factors(other, &mut others);
    own.len() == others.len()
        && own.iter().all(|e| others.iter().position(|other| other == e).map(|at| others.swap_remove(at)).is_some())
}

/// What an integer is the maximum of, or the minimum.
fn extreme_of(e: &Int, is_maximum: bool) -> Option<[Int; 2]> {
    match e {
        Int::Binary(IntOp::Maximum, left, right) if is_maximum => Some([(**left).clone(), (**right).clone()]),
        Int::Binary(IntOp::Minimum, left, right) if !is_maximum => Some([(**left).clone(), (**right).clone()]),
        Int::Select(cond, yes, no) => {
            let Cond::Compare(relation, left, right) = &**cond else { return None };
            // Which side the condition finds to be larger, or as large.
            let (large, small) = match relation {
                Relation::Greater | Relation::GreaterOrEqual => (left, right),
                Relation::Less | Relation::LessOrEqual => (right, left),
                Relation::Equal | Relation::NotEqual => return None,
            };
            let chosen = if is_maximum { (large, small) } else { (small, large) };
            ((&**yes, &**no) == chosen).then(|| [(**yes).clone(), (**no).clone()])
        }
        _ => None,
    }
}

/// Terms with what they are counted from next to them: `y - Y - 2 * (x - X)` of y − 2 x + 2 X − Y.
fn in_pairs(terms: Vec<(Int, i64)>) -> Vec<(Int, i64)> {
    let (mut paired, mut rest) = (Vec::new(), terms);
    while !rest.is_empty() {
        let (e, factor) = rest.remove(0);
        let other = rest.iter().position(|(_, other)| factor.checked_neg() == Some(*other));
        match (other.map(|at| rest.remove(at)), factor) {
            (None, _) => paired.push((e, factor)),
            (Some(other), 1 | -1) => paired.extend([(e, factor), other]),
            (Some((other, _)), _) => paired.push((Int::binary(IntOp::Subtract, e, other), factor)),
        }
    }
    paired
}

/// A positive number comes first where nothing else is positive, so that no sum begins with a minus where it needn't.
fn added_up(terms: Vec<(Int, i64)>, constant: i64) -> Int {
    let is_first = constant > 0 && terms.first().is_none_or(|(_, factor)| *factor < 0);
    let begun = is_first.then_some(Int::Constant(constant));
    let sum = terms.into_iter().fold(begun, |sum, (e, factor)| {
        let size = factor.checked_abs().unwrap_or(factor);
        let term = if size == 1 { e } else { Int::binary(IntOp::Multiply, Int::Constant(size), e) };
        let op = if factor < 0 { IntOp::Subtract } else { IntOp::Add };
        Some(match sum {
            None if factor > 0 => term,
            sum => Int::binary(op, sum.unwrap_or(Int::Constant(0)), term),
        })
    });
    match (sum, if is_first { 0 } else { constant }) {
        (None, constant) => Int::Constant(constant),
        (Some(sum), 0) => sum,
        (Some(sum), i64::MIN..0) if constant > i64::MIN => Int::binary(IntOp::Subtract, sum, Int::Constant(-constant)),
        (Some(sum), constant) => Int::binary(IntOp::Add, sum, Int::Constant(constant)),
    }
}

#[cfg(test)]
mod tests {
    use super::Sum;
    use crate::Program;
    use crate::{Int, Place, Stmt};

    fn int(text: &str) -> Int {
        let program = format!("program p(n, i, j) {{ temporary x[1]; S0(): x[{text}] = 0; }}");
        match &Program::read(&program).expect("a program").body[0] {
            Stmt::Assign(own) => match &own.target {
                Place::Cell { index, .. } => index[0].clone(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn terms_are_added_up() {
        let sum = |text: &str| Sum::of(&int(text), 1).print(&[]);
        assert_eq!(sum("2 * (i - 1) + n + 2"), int("2 * i + n"));
        assert_eq!(sum("j - i - j + 3"), int("3 - i"));
        assert_eq!(sum("i - i"), int("0"));
        assert_eq!(sum("n * i * j - j * (n * i) + 1"), int("1"));
        assert_ne!(sum("n * i - n * j"), int("0"));
        assert_eq!(sum("i - 2 * j + 2 * n - i + 3"), int("2 * (n - j) + 3"));
    }

    #[test]
    fn maxima_and_minima_are_taken_apart() {
        let of = |text: &str, is_maximum| -> Vec<Int> {
            Sum::of(&int(text), 1).extremes(is_maximum).iter().map(|own| own.print(&[])).collect()
        };
        assert_eq!(of("max(0, i - n) + 1", true), [int("1"), int("i - n + 1")]);
        assert_eq!(of("max(0, i - n) + 1", false), [int("max(0, i - n) + 1")]);
        assert_eq!(of("n - max(0, i)", false), [int("n"), int("n - i")]);
        assert_eq!(of("(i < n ? i : n)", false), [int("i"), int("n")]);
        assert_eq!(of("(i < n ? n : i)", false).len(), 1);
    }

    #[test]
    fn what_is_known_stays_as_it_is() {
        let known = int("n - 1 + i");
        assert_eq!(Sum::of(&int("i + n"), 1).plus(&int("1"), -1).print(std::slice::from_ref(&known)), known);
    }

    #[test]
    fn numbers_past_64_bits_are_not_added_up() {
        let large = Int::Constant(i64::MAX);
        assert_eq!(Sum::of(&large, 1).plus(&large, 1).print(&[]), Int::binary(super::IntOp::Add, large.clone(), large));
    }
}
