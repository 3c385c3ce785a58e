//! Sums in the order in which one would write them.
//!
//! isl writes `-n + 2` and, with -j in place of c, `(-j) + 1`; here these are `2 - n` and `1 - j`. A sum is brought into the form
//! `Σ kᵢ·aᵢ + k`, whose aᵢ are no sums, and written with what is added before what is subtracted:
//!
//! ```text
//! -(c0 - n) + 2 * (c0 + 1)     is     c0 + n + 2
//! ```
//!
//! Where a coefficient would need more than 64 bits an expression stays as it is.

use polyfold_isl::{AstExpr, Operation};

/// A sum of multiples of what is no sum itself, in the order in which they were met first.
pub(crate) struct Affine {
    pub(crate) constant: i64,
    pub(crate) terms: Vec<(AstExpr, i64)>,
}

/// The same value, with its sums in order.
pub(crate) fn tidy(expr: &AstExpr) -> AstExpr {
    match expr {
        AstExpr::Operation(Operation::Add | Operation::Subtract | Operation::Minus | Operation::Multiply, _) => {
            Affine::of(expr).and_then(Affine::into_expr).unwrap_or_else(|| expr.clone())
        }
        AstExpr::Operation(operation, operands) => AstExpr::Operation(*operation, operands.iter().map(tidy).collect()),
        AstExpr::Number(_) | AstExpr::Name(_) => expr.clone(),
    }
}

/// The negative of a value: largest and smallest change places.
pub(super) fn negated(expr: &AstExpr) -> AstExpr {
    let all = |operands: &[AstExpr]| operands.iter().map(negated).collect();
    match expr {
        AstExpr::Operation(Operation::Max, operands) => AstExpr::Operation(Operation::Min, all(operands)),
        AstExpr::Operation(Operation::Min, operands) => AstExpr::Operation(Operation::Max, all(operands)),
        other => tidy(&AstExpr::Operation(Operation::Minus, vec![other.clone()])),
    }
}

impl Affine {
    /// `None`: a number is past 64 bits.
    pub(crate) fn of(expr: &AstExpr) -> Option<Affine> {
        match expr {
            AstExpr::Number(value) => Some(Affine { constant: *value, terms: Vec::new() }),
            AstExpr::Operation(Operation::Add, operands) => Affine::sum(operands, 1),
            AstExpr::Operation(Operation::Subtract, operands) => Affine::sum(operands, -1),
            AstExpr::Operation(Operation::Minus, operands) => Affine::of(operands.first()?)?.times(-1),
            AstExpr::Operation(Operation::Multiply, operands) => match &operands[..] {
                [AstExpr::Number(factor), other] | [other, AstExpr::Number(factor)] => {
                    Affine::of(other)?.times(*factor)
                }
                _ => Some(Affine { constant: 0, terms: vec![(expr.clone(), 1)] }),
            },
            other => Some(Affine { constant: 0, terms: vec![(tidy(other), 1)] }),
        }
    }

    /// The first operand, and so many times the others.
    fn sum(operands: &[AstExpr], factor: i64) -> Option<Affine> {
        let (first, others) = operands.split_first()?;
        others.iter().try_fold(Affine::of(first)?, |sum, other| sum.plus(Affine::of(other)?.times(factor)?))
    }

    fn plus(mut self, other: Affine) -> Option<Affine> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (atom, factor) in other.terms {
            match self.terms.iter_mut().find(|(known, _)| *known == atom) {
                Some((_, sum)) => *sum = sum.checked_add(factor)?,
                None => self.terms.push((atom, factor)),
            }
        }
        self.terms.retain(|(_, factor)| *factor != 0);
        Some(self)
    }

    fn times(mut self, factor: i64) -> Option<Affine> {
        self.constant = self.constant.checked_mul(factor)?;
        for (_, own) in &mut self.terms {
            *own = own.checked_mul(factor)?;
        }
        self.terms.retain(|(_, factor)| *factor != 0);
        Some(self)
    }

    /// The factor of a name; `None`: it stands inside another term, too.
    pub(super) fn factor_of(&self, name: &str) -> Option<i64> {
        let is_it = |atom: &AstExpr| matches!(atom, AstExpr::Name(known) if known == name);
        let inside = self.terms.iter().any(|(atom, _)| !is_it(atom) && atom.mentions(&|known| known == name));
        (!inside).then(|| self.terms.iter().find(|(atom, _)| is_it(atom)).map_or(0, |(_, factor)| *factor))
    }

    fn into_expr(self) -> Option<AstExpr> {
        let constant = self.constant;
        let (added, subtracted): (Vec<_>, Vec<_>) = self.terms.into_iter().partition(|(_, factor)| *factor > 0);
        let leads = added.is_empty() && (constant > 0 || subtracted.is_empty());
        let mut sum = leads.then_some(AstExpr::Number(constant));
        for (atom, factor) in added.into_iter().chain(subtracted) {
            sum = Some(match sum {
                None => multiple(atom, factor),
                Some(sum) => {
                    let operation = if factor > 0 { Operation::Add } else { Operation::Subtract };
                    AstExpr::Operation(operation, vec![sum, multiple(atom, factor.checked_abs()?)])
                }
            });
        }
        match (sum, constant) {
            (Some(sum), constant) if leads || constant == 0 => Some(sum),
            (Some(sum), constant) => {
                let operation = if constant > 0 { Operation::Add } else { Operation::Subtract };
                Some(AstExpr::Operation(operation, vec![sum, AstExpr::Number(constant.checked_abs()?)]))
            }
            (None, constant) => Some(AstExpr::Number(constant)),
        }
    }
}

fn multiple(atom: AstExpr, factor: i64) -> AstExpr {
    match factor {
        1 => atom,
        -1 => AstExpr::Operation(Operation::Minus, vec![atom]),
        factor => AstExpr::Operation(Operation::Multiply, vec![AstExpr::Number(factor), atom]),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use polyfold_program::{Int, Local, LocalId, LocalKind, Program};
    use polyfold_transform::{cond_of, int_of};

    fn name(text: &str) -> AstExpr {
        AstExpr::Name(text.to_string())
    }

    fn of(operation: Operation, operands: [AstExpr; 2]) -> AstExpr {
        AstExpr::Operation(operation, operands.to_vec())
    }

    fn minus(operand: AstExpr) -> AstExpr {
        AstExpr::Operation(Operation::Minus, vec![operand])
    }

    /// An integer or a condition of some names, in order.
    pub(crate) fn text(expr: &AstExpr) -> String {
        let names = ["i", "j", "n", "c", "d"];
        let local = |name: &&str| Local { name: (*name).to_string(), kind: LocalKind::Integer, held: None };
        let program = Program { locals: names.iter().map(local).collect(), ..Program::default() };
        let named = |name: &str| names.iter().position(|own| *own == name).map(|k| Int::Local(LocalId(k)));
        let (int, cond) = (int_of(&tidy(expr), &named), cond_of(&tidy(expr), &named));
        let cond = cond.map(|cond| program.text_of_cond(&cond));
        int.map(|e| program.text_of(&e)).or(cond).expect("its names are known")
    }

    #[test]
    fn what_is_added_stands_before_what_is_subtracted() {
        let (n, j) = (name("n"), name("j"));
        assert_eq!(text(&of(Operation::Add, [minus(n.clone()), AstExpr::Number(2)])), "2 - n");
        assert_eq!(text(&of(Operation::Subtract, [AstExpr::Number(-1), n.clone()])), "0 - n - 1");
        let twice = of(Operation::Multiply, [AstExpr::Number(-2), of(Operation::Subtract, [j.clone(), n.clone()])]);
        assert_eq!(text(&twice), "2 * n - 2 * j");
        assert_eq!(text(&of(Operation::Add, [twice, of(Operation::Add, [j.clone(), j])])), "2 * n");
        assert_eq!(text(&of(Operation::Subtract, [n.clone(), n])), "0");
    }

    #[test]
    fn sums_inside_other_operations_are_in_order_too() {
        let sum = of(Operation::Add, [minus(name("i")), name("n")]);
        assert_eq!(text(&of(Operation::Remainder, [sum, AstExpr::Number(3)])), "(n - i) % 3");
    }

    #[test]
    fn what_does_not_fit_into_64_bits_stays() {
        let most = of(Operation::Add, [AstExpr::Number(i64::MAX), AstExpr::Number(1)]);
        assert_eq!(tidy(&most), most);
    }

    #[test]
    fn the_negative_of_the_smallest_is_the_largest() {
        let smallest = of(Operation::Min, [name("n"), AstExpr::Number(4)]);
        assert_eq!(negated(&smallest), of(Operation::Max, [minus(name("n")), AstExpr::Number(-4)]));
    }
}
