//! Where a sum of `int`s may be past `int`, it is computed as `long`.
//!
//! The least and the greatest value of each sum are exact: those of an affine function over a set, which isl finds by integer programming. What a
//! condition says in `?:`, and what stands in front of `&&`, holds for what comes behind:
//!
//! ```text
//! lo + 1 >= hi ? 1 : hi - lo     for any two ints is     (long)lo + 1 >= hi ? 1 : (long)hi - lo
//! n <= 3 ? 1 : n - 2             for n >= 1 stays
//! hi >= lo + 1                   for any two ints is     hi > lo
//! ```
//!
//! Ranges are asked for again and again, of nested expressions and for casts in several orders: those found are kept ([`Found`]).
//!
//! Invariant: the value is the same wherever the given text has one; no operation on `int`s overflows. Of `long`s that is taken for granted.

use crate::loops::tidy;
use crate::loops::widths::{INT, LONG, Range, fits, hull, is_value, long, negated_and_rounded, value_range};
use crate::notation::in_isl;
use polyfold_isl::{AstExpr, Operation, Result, Set};
use std::cell::RefCell;
use std::rc::Rc;

/// What is known of the names in expressions.
#[derive(Clone)]
pub(crate) struct Widening {
    ints: Vec<String>,
    /// Of parameters, `ints` within `int`.
    values: Set,
    ranges: Rc<Found<Range>>,
    /// Where conditions hold and where they do not; `None`: that cannot be said by affine functions.
    truths: Rc<Found<Option<(Set, Set)>>>,
}

/// What was found of expressions that are computed where a set of values holds.
struct Found<T>(RefCell<Vec<(Set, AstExpr, T)>>);

impl<T: Clone> Found<T> {
    fn none() -> Rc<Found<T>> {
        Rc::new(Found(RefCell::new(Vec::new())))
    }

    fn or_find(&self, expr: &AstExpr, here: &Set, find: impl FnOnce() -> Result<T>) -> Result<T> {
        let is_it = |(place, own, _): &&(Set, AstExpr, T)| place.is_same_object(here) && own == expr;
        let found = self.0.borrow().iter().find(is_it).map(|(_, _, found)| found.clone());
        if let Some(found) = found {
            return Ok(found);
        }
        let found = find()?;
        self.0.borrow_mut().push((here.clone(), expr.clone(), found.clone()));
        Ok(found)
    }
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
        let ints = ints.into_iter().map(|(name, _)| name.clone()).collect();
        Ok(Widening { ints, values, ranges: Found::none(), truths: Found::none() })
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
            return match expr {
                AstExpr::Name(name) => Ok(Typed { expr: expr.clone(), is_long: !self.ints.contains(name) }),
                _ => Ok(Typed { expr: expr.clone(), is_long: !fits(self.range(expr, here)?) }),
            };
        };
        if let Some(plain) = self.without_casts(*operation, operands, here)? {
            return Ok(Typed { expr: plain, is_long: false });
        }
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

    /// `a > b` in place of `a >= b + 1`, if that needs no casts, and the other would; `None`: both or neither do, or it is no comparison.
    fn without_casts(&self, operation: Operation, operands: &[AstExpr], here: &Set) -> Result<Option<AstExpr>> {
        let [a, b] = operands else { return Ok(None) };
        let (other, more) = match operation {
            Operation::GreaterEqual => (Operation::Greater, -1),
            Operation::LessEqual => (Operation::Less, 1),
            Operation::Greater => (Operation::GreaterEqual, 1),
            Operation::Less => (Operation::LessEqual, -1),
            _ => return Ok(None),
        };
        let is_plain =
            |a: &AstExpr, b: &AstExpr| Ok(self.typed(a, here)?.expr == *a && self.typed(b, here)?.expr == *b);
        if is_plain(a, b)? {
            return Ok(None);
        }
        let plus = |e: &AstExpr, number: i64| {
            let sum = AstExpr::Operation(Operation::Add, vec![e.clone(), AstExpr::Number(number)]);
            tidy(&sum)
        };
        for (a, b) in [(a.clone(), plus(b, more)), (plus(a, -more), b.clone())] {
            if is_plain(&a, &b)? {
                return Ok(Some(AstExpr::Operation(other, vec![a, b])));
            }
        }
        Ok(None)
    }

    /// The operands, each where those in front let it be computed.
    fn operands(&self, operation: Operation, operands: &[AstExpr], here: &Set) -> Result<Vec<Typed>> {
        let places = self.places(operation, operands, here)?;
        operands.iter().zip(&places).map(|(operand, place)| self.typed(operand, place)).collect()
    }

    /// Where each operand is computed.
    fn places(&self, operation: Operation, operands: &[AstExpr], here: &Set) -> Result<Vec<Set>> {
        let mut places = vec![here.clone(); operands.len()];
        let condition = match operation {
            Operation::Select | Operation::And | Operation::Or => operands.first(),
            _ => None,
        };
        let Some((holds, fails)) = condition.map(|condition| self.truth(condition, here)).transpose()?.flatten() else {
            return Ok(places);
        };
        match (operation, &mut places[1..]) {
            (Operation::Select, [yes, no]) => (*yes, *no) = (holds, fails),
            (Operation::And, others) => others.fill(holds),
            (_, others) => others.fill(fails),
        }
        Ok(places)
    }

    /// Where a condition holds, and where it does not.
    fn truth(&self, condition: &AstExpr, here: &Set) -> Result<Option<(Set, Set)>> {
        self.truths.or_find(condition, here, || {
            let holds = self.where_true(condition, here)?;
            holds.map(|holds| here.subtract(&holds).map(|fails| (holds, fails))).transpose()
        })
    }

    /// Where a condition holds; `None`: that cannot be said by affine functions.
    pub(crate) fn where_true(&self, condition: &AstExpr, here: &Set) -> Result<Option<Set>> {
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
        // Each bound of several by itself, which keeps sets convex.
        if let (Operation::LessEqual | Operation::Less, AstExpr::Operation(Operation::Min, bounds))
        | (Operation::GreaterEqual | Operation::Greater, AstExpr::Operation(Operation::Max, bounds)) = (operation, b)
        {
            let each = |here: Option<Set>, bound: &AstExpr| {
                let Some(here) = here else { return Ok(None) };
                self.where_true(&AstExpr::Operation(*operation, vec![a.clone(), bound.clone()]), &here)
            };
            return bounds.iter().try_fold(Some(here.clone()), each);
        }
        let (Some(a), Some(b)) = (in_isl(a), in_isl(b)) else { return Ok(None) };
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
    pub(crate) fn range(&self, expr: &AstExpr, here: &Set) -> Result<Range> {
        self.ranges.or_find(expr, here, || self.exact_range(expr, here))
    }

    fn exact_range(&self, expr: &AstExpr, here: &Set) -> Result<Range> {
        let is_one_of_several = matches!(expr, AstExpr::Operation(Operation::Max | Operation::Min, _));
        if let Some(value) = in_isl(expr).filter(|_| !is_one_of_several) {
            let names = here.parameter_names()?.join(", ");
            let values = Set::read(here.context(), &format!("[{names}] -> {{ [x] : x = {value} }}"))?;
            let values = values.intersect_params(here)?;
            if values.is_empty()? {
                return Ok((0, 0));
            }
            let least = values.dim_min_value(0)?.map_or(LONG.0, i128::from);
            return Ok((least, values.dim_max_value(0)?.map_or(LONG.1, i128::from)));
        }
        let AstExpr::Operation(operation, operands) = expr else { return Ok(LONG) };
        let places = self.places(*operation, operands, here)?;
        let ranges = operands.iter().zip(&places).map(|(operand, place)| self.range(operand, place));
        Ok(value_range(*operation, &ranges.collect::<Result<Vec<_>>>()?))
    }
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
    fn comparisons_are_strict_where_that_spares_casts() {
        let ctx = Context::new();
        let all = Set::read(&ctx, "[lo, hi] -> { : }").expect("a set");
        let widening = Widening::new(&all, &["lo", "hi"].map(|name| (name.to_string(), INT))).expect("a set");
        let written = |condition: &str| {
            let holds = Set::read(&ctx, &format!("[lo, hi] -> {{ : {condition} }}")).expect("a set");
            let test = CText::new(&all).and_then(|printer| printer.test(&holds)).expect("a tree");
            let widened = widening.widened(&test, None).expect("it can be bounded").unwrap_or(test);
            printed(&widened, &str::to_string).expect("it can be printed")
        };
        assert_eq!(written("hi > lo"), "hi > lo");
        assert_eq!(written("hi > lo + 1"), "hi >= (long)lo + 2");
        assert_eq!(written("hi >= lo"), "hi >= lo");
    }

    #[test]
    fn the_last_int_counts() {
        assert_eq!(widened("lo >= 0 and hi <= 2147483647", "hi + 1"), "(long)hi + 1");
        assert_eq!(widened("lo >= 1 and hi <= 1073741823", "2 * lo"), "2 * (long)lo");
        assert_eq!(widened("1 <= lo <= 1073741823", "2 * lo"), "");
    }
}
