//! Where a sum of `int`s may be past `int`, it is computed as `long`.
//!
//! The least and the greatest value of each sum are exact: those of an affine function over a set, which isl finds by integer programming. What a
//! condition says in `?:`, and what stands in front of `&&`, holds for what comes behind:
//!
//! ```text
//! lo + 1 >= hi ? 1 : hi - lo     for any two ints is     (long)lo + 1 >= hi ? 1 : (long)hi - lo
//! n <= 3 ? 1 : n - 2             for n >= 1 stays
//! ```
//!
//! Invariant: the value is the same wherever the given text has one; no operation on `int`s overflows. Of `long`s that is taken for granted.

use crate::loops::widths::{INT, LONG, fits, hull, is_value, long, negated_and_rounded, value_range};
use crate::loops::{Affine, tidy};
use crate::overflow::Range;
use polyfold_isl::{AstExpr, Operation, Result, Set};

/// What is known of the names in expressions.
pub(crate) struct Widening {
    ints: Vec<String>,
    /// Of parameters, `ints` within `int`.
    values: Set,
}

/// An expression, and whether its type is `long`.
struct Typed {
    expr: AstExpr,
    is_long: bool,
}

impl Widening {
    /// For parameters in `values`: `ints` of type `int`, each with the values that it may have, all others `long`.
    pub(crate) fn new(values: &Set, ints: &[(String, Range)]) -> Result<Widening> {
        let own = values.parameter_names()?;
        let ints: Vec<&(String, Range)> = ints.iter().filter(|(name, _)| own.contains(name)).collect();
        let bound =
            |(name, range): &&(String, Range)| format!("{} <= {name} <= {}", range.0.max(INT.0), range.1.min(INT.1));
        let bounds: Vec<String> = ["true".to_string()].into_iter().chain(ints.iter().map(bound)).collect();
        let bounds = format!("[{}] -> {{ : {} }}", own.join(", "), bounds.join(" and "));
        let values = values.intersect(&Set::read(values.context(), &bounds)?)?;
        Ok(Widening { ints: ints.into_iter().map(|(name, _)| name.clone()).collect(), values })
    }

    /// An expression in the order in which one would write it, with casts; `None`: it has no need of any. Parameters are in a
    /// set, too, if there is one.
    pub(crate) fn widened(&self, expr: &AstExpr, holds: Option<&Set>) -> Result<Option<AstExpr>> {
        let here = holds.map_or_else(|| Ok(self.values.clone()), |holds| self.values.intersect_params(holds))?;
        let fits = self.typed(expr, &here)?.expr == *expr;
        if fits { Ok(None) } else { Ok(Some(self.typed(&tidy(expr), &here)?.expr)) }
    }

    /// An expression that is computed where a set of values holds.
    fn typed(&self, expr: &AstExpr, here: &Set) -> Result<Typed> {
        let AstExpr::Operation(operation, operands) = expr else {
            let is_long = match expr {
                AstExpr::Name(name) => !self.ints.contains(name),
                _ => !fits(self.range(expr, here)?),
            };
            return Ok(Typed { expr: expr.clone(), is_long });
        };
        let mut all = self.operands(*operation, operands, here)?;
        let values = usize::from(*operation == Operation::Select);
        let mut is_long = is_value(*operation) && all[values..].iter().any(|operand| operand.is_long);
        if is_value(*operation) && !is_long && !fits(self.computed(*operation, operands, here)?) {
            let first = all[values..].iter_mut().find(|operand| !matches!(operand.expr, AstExpr::Number(_)));
            first.into_iter().for_each(|operand| operand.expr = long(&operand.expr));
            is_long = true;
        }
        let all = all.into_iter().map(|operand| operand.expr).collect();
        Ok(Typed { expr: AstExpr::Operation(*operation, all), is_long })
    }

    /// The operands, each where those in front let it be computed.
    fn operands(&self, operation: Operation, operands: &[AstExpr], here: &Set) -> Result<Vec<Typed>> {
        let [first, others @ ..] = operands else { return Ok(Vec::new()) };
        let holds = match operation {
            Operation::Select | Operation::And | Operation::Or => self.where_true(first, here)?,
            _ => None,
        };
        let fails = holds.as_ref().map(|holds| here.subtract(holds)).transpose()?;
        let places = match operation {
            Operation::Select => [holds, fails],
            Operation::And => [holds, None],
            _ => [fails, None],
        };
        let mut all = vec![self.typed(first, here)?];
        for (k, operand) in others.iter().enumerate() {
            let place = places.get(k).and_then(Option::as_ref).unwrap_or(here);
            all.push(self.typed(operand, place)?);
        }
        Ok(all)
    }

    /// Where a condition holds; `None`: that cannot be said by affine functions.
    fn where_true(&self, condition: &AstExpr, here: &Set) -> Result<Option<Set>> {
        let AstExpr::Operation(operation, operands) = condition else { return Ok(None) };
        let [a, b] = &operands[..] else { return Ok(None) };
        let sign = match operation {
            Operation::And | Operation::Or => {
                let (Some(a), Some(b)) = (self.where_true(a, here)?, self.where_true(b, here)?) else {
                    return Ok(None);
                };
                return Ok(Some(if *operation == Operation::And { a.intersect(&b)? } else { a.union(&b)? }));
            }
            Operation::Equal => "=",
            Operation::LessEqual => "<=",
            Operation::Less => "<",
            Operation::GreaterEqual => ">=",
            Operation::Greater => ">",
            _ => return Ok(None),
        };
        let (Some(a), Some(b)) = (sum(a), sum(b)) else { return Ok(None) };
        let names = here.parameter_names()?.join(", ");
        Ok(Some(here.intersect(&Set::read(here.context(), &format!("[{names}] -> {{ : {a} {sign} {b} }}"))?)?))
    }

    /// The values of an operation, and of what C computes on the way to them.
    fn computed(&self, operation: Operation, operands: &[AstExpr], here: &Set) -> Result<Range> {
        let range = self.range(&AstExpr::Operation(operation, operands.to_vec()), here)?;
        if operation != Operation::FloorDivide {
            return Ok(range);
        }
        let ranges = operands.iter().map(|operand| self.range(operand, here)).collect::<Result<Vec<_>>>()?;
        Ok(hull(range, negated_and_rounded(&ranges)))
    }

    /// The least and the greatest value of an expression.
    fn range(&self, expr: &AstExpr, here: &Set) -> Result<Range> {
        if let Some(sum) = sum(expr) {
            let names = here.parameter_names()?.join(", ");
            let values = Set::read(here.context(), &format!("[{names}] -> {{ [x] : x = {sum} }}"))?;
            let values = values.intersect_params(here)?;
            if values.is_empty()? {
                return Ok((0, 0));
            }
            let least = values.dim_min_value(0)?.map_or(LONG.0, i128::from);
            return Ok((least, values.dim_max_value(0)?.map_or(LONG.1, i128::from)));
        }
        let AstExpr::Operation(operation, operands) = expr else { return Ok(LONG) };
        let ranges = operands.iter().map(|operand| self.range(operand, here)).collect::<Result<Vec<_>>>()?;
        Ok(value_range(*operation, &ranges))
    }
}

/// An affine function of names in isl notation; `None`: it is none.
fn sum(expr: &AstExpr) -> Option<String> {
    let sum = Affine::of(expr)?;
    let term = |(atom, factor): &(AstExpr, i64)| match atom {
        AstExpr::Name(name) => Some(format!("{factor}*{name} + ")),
        _ => None,
    };
    let terms = sum.terms.iter().map(term).collect::<Option<String>>()?;
    Some(format!("{terms}{}", sum.constant))
}

#[cfg(test)]
mod tests {
    use super::{INT, Widening};
    use crate::loops::printed;
    use polyfold_isl::{CText, Context, PwAff, Set};

    /// The text of a function of the `int`s lo and hi and the `long` m; empty if it may stay.
    fn widened(values: &str, function: &str) -> String {
        let ctx = Context::new();
        let values = Set::read(&ctx, &format!("[lo, hi, m] -> {{ : {values} }}")).expect("a set");
        let function = PwAff::read(&ctx, &format!("[lo, hi, m] -> {{ [({function})] }}")).expect("a function");
        let tree = CText::new(&values).and_then(|printer| printer.tree(&function)).expect("a tree");
        let widening = Widening::new(&values, &["lo", "hi"].map(|name| (name.to_string(), INT))).expect("a set");
        let widened = widening.widened(&tree, None).expect("it can be bounded");
        widened.map_or_else(String::new, |tree| printed(&tree, &str::to_string).expect("it can be printed"))
    }

    #[test]
    fn differences_that_may_not_fit_are_long() {
        assert_eq!(widened("", "hi - lo"), "(long)hi - lo");
        assert_eq!(widened("", "max(1, hi - lo)"), "((long)lo + 1 >= hi ? 1 : (long)hi - lo)");
    }

    #[test]
    fn what_fits_stays() {
        assert_eq!(widened("lo >= 0 and hi >= 0", "hi - lo"), "");
        assert_eq!(widened("lo >= 2 and m >= 0", "lo - 2 + m"), "");
        assert_eq!(widened("lo >= 0 and hi < 2147483647", "hi + 1"), "");
    }

    #[test]
    fn an_order_that_fits_is_taken() {
        assert_eq!(widened("0 <= hi - lo <= 100", "-lo + hi"), "hi - lo");
    }

    #[test]
    fn the_last_int_counts() {
        assert_eq!(widened("lo >= 0 and hi <= 2147483647", "hi + 1"), "(long)hi + 1");
        assert_eq!(widened("lo >= 1 and hi <= 1073741823", "2 * lo"), "2 * (long)lo");
        assert_eq!(widened("1 <= lo <= 1073741823", "2 * lo"), "");
    }
}
