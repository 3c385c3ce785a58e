//! Products of sizes that do not change, as sizes of their own.
//!
//! A statement that runs in local memory is looked at while the counters around it stand still: there `it * T` is one number, about which
//! nothing is known but what [`surroundings`](super::surroundings) finds. Sums are multiplied out, so that
//!
//! ```text
//! (it + 1) * T    and    it * T + T    are both    it_x_T + T
//! ```

use super::Lowering;
use polyfold_scop::{Expr, Parameter, ParameterId, ParameterOrigin, Product};

/// Whole multiples of products of parameters, whose factors are in ascending order.
type Terms = Vec<(i64, Vec<ParameterId>)>;

impl Lowering<'_> {
    /// The product of two sums of sizes; `None`: the statement does not run in local memory, something else is in it, or a factor is
    /// past 64 bits.
    pub(super) fn product(&mut self, left: &Expr, right: &Expr) -> Option<Expr> {
        if !self.site.options.local {
            return None;
        }
        let (left, right) = (self.terms(left)?, self.terms(right)?);
        let mut sum = Expr::Constant(0);
        for (a, own) in &left {
            for (b, others) in &right {
                let mut factors = [own.as_slice(), others].concat();
                factors.sort();
                sum = sum.add(self.term(factors).scale(a.checked_mul(*b)?));
            }
        }
        Some(sum)
    }

    fn terms(&self, e: &Expr) -> Option<Terms> {
        Some(match e {
            Expr::Constant(value) => vec![(*value, Vec::new())],
            Expr::Parameter(id) => {
                let product = self.products.iter().find(|product| product.parameter == *id);
                vec![(1, product.map_or_else(|| vec![*id], |product| product.factors.clone()))]
            }
            Expr::Add(a, b) => [self.terms(a)?, self.terms(b)?].concat(),
            Expr::Scale(factor, e) => {
                let scaled = self.terms(e)?.into_iter().map(|(a, own)| Some((a.checked_mul(*factor)?, own)));
                scaled.collect::<Option<Terms>>()?
            }
            Expr::Iterator(_) | Expr::Divide(..) | Expr::Remainder(..) | Expr::Select(..) => return None,
        })
    }

    fn term(&mut self, factors: Vec<ParameterId>) -> Expr {
        match factors[..] {
            [] => Expr::Constant(1),
            [one] => Expr::Parameter(one),
            _ => Expr::Parameter(self.parameter_for(factors)),
        }
    }

    fn parameter_for(&mut self, factors: Vec<ParameterId>) -> ParameterId {
        if let Some(known) = self.products.iter().find(|product| product.factors == factors) {
            return known.parameter;
        }
        let names: Vec<&str> = factors.iter().map(|id| self.parameters[id.0].name.as_str()).collect();
        let mut name = names.join("_x_");
        while self.site.unit.variables.iter().any(|v| v.name == name) || self.parameters.iter().any(|p| p.name == name)
        {
            name.push('_');
        }
        let parameter = ParameterId(self.parameters.len());
        self.parameters.push(Parameter { name, origin: ParameterOrigin::Variable, most: Some(i128::from(i64::MAX)) });
        self.products.push(Product { parameter, factors });
        parameter
    }
}
