//! Sizes with which a test at run time cannot compute.
//!
//! A test computes as `long`, since `n + 3` overflows for the largest `int n`, and `n - 2` wraps
//! around for a small unsigned one. Of a `size_t n` past 2^63 that makes a negative number, and a
//! sum with a `long n` near the largest one overflows. Such sizes are of no use to anyone, but they
//! must not pass: they take the branch with the program as it was. What is only compared needs no
//! bound.
//!
//! Example: `n <= 1000000000000 && m >= n + 3` for `long n, m`, and for `size_t n, m`; `m` as a
//! negative number would be too small anyway. For `int n, m` it is just `m >= (long)n + 3`.
//!
//! What is right for `long` is right in the types that `emit` takes: it takes others only where they
//! hold all operands and the result.
//!
//! Intervals say what may overflow: each size has all values between the ends of its range. Nothing
//! is known of how sizes belong together, so that more overflows than really does. That is safe.
//!
//! Macros are taken to be no larger than these bounds, or than they are.

use crate::loops::widths::{LONG, Range, hull, value_range};
use crate::sizes_in_c::named;
use crate::{Decisions, fault};
use polyfold_isl::{AstExpr, CText, ErrorKind, Operation, Result, Set};
use polyfold_program::{Cond, Int, ParameterId};
use polyfold_scop::ParameterOrigin;
use polyfold_transform::cond_of;

/// Sizes past the first of these, which is more than memory holds, take the branch with the program
/// as it was where a test might mistake them; those past another one, where the test multiplies by
/// so large a number that this is not enough.
const LIMITS: [i64; 5] = [1_000_000_000_000, 1_000_000_000, 1_000_000, 1_000, 1];

const TRUTH: Range = (0, 1);

/// The condition that holds for the parameter values in `sizes`, computed as `long`, and fails
/// where `long` does not hold what is computed.
pub(crate) fn kept_out(sizes: &Set, decisions: &Decisions) -> Result<Cond> {
    for limit in LIMITS {
        let test = Test { decisions, sizes, limit };
        if let Some(conjuncts) = test.settled()? {
            return test.in_program(conjuncts);
        }
    }
    Err(fault("a test on sizes computes with numbers past 64 bits"))
}

struct Test<'a> {
    decisions: &'a Decisions<'a>,
    sizes: &'a Set,
    /// What a bound says.
    limit: i64,
}

/// How a size stands in a test.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// It is compared with a number.
    BesideNumber,
    /// It is compared with something else.
    BesideOther,
    /// Something is computed with it.
    InSum,
}

/// A bound of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bound {
    parameter: usize,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Most,
}

impl Test<'_> {
    /// What has to hold behind as few bounds as it takes, one less leaving it wrong; `None`: all of
    /// them are not enough.
    fn settled(&self) -> Result<Option<Vec<AstExpr>>> {
        let parameters = 0..self.decisions.scop.parameters.len();
        let ranges = parameters.clone().map(|k| self.range(k)).collect::<Result<Vec<Range>>>()?;
        let mut bounds = Vec::new();
        if let Some(plain) = self.behind(&bounds, &ranges)? {
            return Ok(Some(plain));
        }
        let ends = |parameter| [End::Least, End::Most].map(|end| Bound { parameter, end });
        bounds = parameters.flat_map(ends).filter(|b| self.bounds_something(*b, &ranges)).collect();
        let Some(mut found) = self.behind(&bounds, &ranges)? else { return Ok(None) };
        for bound in bounds.clone() {
            let fewer: Vec<Bound> = bounds.iter().copied().filter(|b| *b != bound).collect();
            if let Some(shorter) = self.behind(&fewer, &ranges)? {
                (bounds, found) = (fewer, shorter);
            }
        }
        Ok(Some(found))
    }

    /// What has to hold, behind bounds of some parameters; `None`: it overflows, or takes a size
    /// for a negative number.
    fn behind(&self, bounds: &[Bound], ranges: &[Range]) -> Result<Option<Vec<AstExpr>>> {
        let Decisions { known, .. } = *self.decisions;
        let mut small = known.clone();
        let mut rest = self.sizes.clone();
        if !bounds.is_empty() {
            let all: Vec<String> = bounds.iter().map(|b| self.bound_in_isl(*b)).collect();
            let text = format!("[{}] -> {{ : {} }}", self.decisions.parameters.join(", "), all.join(" and "));
            small = known.intersect(&Set::read(known.context(), &text)?)?;
            rest = self.sizes.gist_params(&small)?.coalesce()?;
        }
        let test = match CText::new(&small)?.test(&rest) {
            Err(error) if error.kind == ErrorKind::Limit => return Ok(None),
            test => test?,
        };
        let mut conjuncts = conjuncts(test);
        if !bounds.is_empty() {
            conjuncts.sort_by_key(|own| self.has_cast(own));
        }
        let all: Vec<AstExpr> = bounds.iter().map(|b| self.bound(*b)).chain(conjuncts).collect();
        Ok(self.is_right(&all, ranges).then_some(all))
    }

    fn is_right(&self, all: &[AstExpr], ranges: &[Range]) -> bool {
        let said: Vec<&AstExpr> = all.iter().take_while(|own| !self.has_cast(own)).collect();
        let left: Vec<Range> = ranges.iter().enumerate().map(|(k, range)| self.narrowed(*range, &said, k)).collect();
        let is_mistaken = |k: usize| self.wraps(k) && left[k].1 > LONG.1 && all.iter().any(|own| self.casts(own, k));
        (0..left.len()).all(|k| !is_mistaken(k) || self.fails_by_itself(all, k))
            && all.iter().all(|own| self.truth(own, &left).is_some())
    }

    /// What is left of a range where comparisons with numbers hold.
    fn narrowed(&self, range: Range, said: &[&AstExpr], k: usize) -> Range {
        said.iter().fold(range, |(least, most), said| {
            let AstExpr::Operation(comparison, operands) = said else { return (least, most) };
            let [AstExpr::Name(name), AstExpr::Number(number)] = &operands[..] else { return (least, most) };
            let number = i128::from(*number);
            match comparison {
                _ if self.parameter(name) != Some(k) => (least, most),
                Operation::GreaterEqual | Operation::Greater => (number.max(least), most),
                Operation::LessEqual | Operation::Less => (least, number.min(most)),
                Operation::Equal => (number.max(least), number.min(most)),
                _ => (least, most),
            }
        })
    }

    fn parameter(&self, isl: &str) -> Option<usize> {
        self.decisions.parameters.iter().position(|own| own == isl)
    }

    fn is_signed(&self, k: usize) -> bool {
        self.decisions.scop.size_type(k).is_signed()
    }

    /// Whether a `long` may make a negative number of the parameter.
    fn wraps(&self, k: usize) -> bool {
        self.decisions.scop.parameters[k].is_past_long() && !self.is_signed(k)
    }

    fn is_cast(&self, name: &str, stands: Stands) -> bool {
        match stands {
            Stands::BesideNumber => false,
            Stands::BesideOther => self.parameter(name).is_some_and(|k| !self.is_signed(k)),
            Stands::InSum => true,
        }
    }

    /// Whether some size is cast to `long`.
    fn has_cast(&self, expr: &AstExpr) -> bool {
        let mut found = false;
        each_name(expr, &mut |name, stands| found |= self.is_cast(name, stands));
        found
    }

    /// Whether a size is.
    fn casts(&self, expr: &AstExpr, k: usize) -> bool {
        let mut found = false;
        each_name(expr, &mut |name, stands| found |= self.parameter(name) == Some(k) && self.is_cast(name, stands));
        found
    }

    /// The values that a parameter may have.
    fn range(&self, parameter: usize) -> Result<Range> {
        let Decisions { scop, parameters, known, .. } = *self.decisions;
        let most = match scop.parameters[parameter].origin {
            ParameterOrigin::Variable => scop.parameters[parameter].most.unwrap_or(LONG.1),
            ParameterOrigin::Constant(value) => i128::from(value).abs().max(LIMITS[0].into()),
        };
        for least in [0, -self.limit] {
            let text = format!("[{}] -> {{ : {} >= {least} }}", parameters.join(", "), parameters[parameter]);
            if known.is_subset(&Set::read(known.context(), &text)?)? {
                return Ok((i128::from(least).max(-most - 1), most));
            }
        }
        Ok(((-most - 1).max(LONG.0), most))
    }

    /// Whether a variable may have values out of the bound.
    fn bounds_something(&self, bound: Bound, ranges: &[Range]) -> bool {
        let (least, most) = ranges[bound.parameter];
        let is_variable = self.decisions.scop.parameters[bound.parameter].origin == ParameterOrigin::Variable;
        is_variable
            && match bound.end {
                End::Least => least < -i128::from(self.limit),
                End::Most => most > self.limit.into(),
            }
    }

    /// `n <= 1000000000000`.
    fn bound(&self, Bound { parameter, end }: Bound) -> AstExpr {
        let (comparison, number) = match end {
            End::Least => (Operation::GreaterEqual, -self.limit),
            End::Most => (Operation::LessEqual, self.limit),
        };
        let name = self.decisions.parameters[parameter].clone();
        AstExpr::Operation(comparison, vec![AstExpr::Name(name), AstExpr::Number(number)])
    }

    fn bound_in_isl(&self, Bound { parameter, end }: Bound) -> String {
        let name = &self.decisions.parameters[parameter];
        match end {
            End::Least => format!("{name} >= -{}", self.limit),
            End::Most => format!("{name} <= {}", self.limit),
        }
    }

    /// Whether the test fails where a parameter, cast to `long`, is negative: it stands there once,
    /// as that which is not to be less than a sum of sizes that are not negative.
    fn fails_by_itself(&self, all: &[AstExpr], k: usize) -> bool {
        let mut count = 0;
        all.iter().for_each(|own| each_name(own, &mut |name, _| count += usize::from(self.parameter(name) == Some(k))));
        let is_floor = |own: &AstExpr| match own {
            AstExpr::Operation(Operation::GreaterEqual | Operation::Greater | Operation::Equal, operands) => {
                matches!(&operands[..], [AstExpr::Name(name), sum]
                    if self.parameter(name) == Some(k) && self.casts(own, k) && self.is_natural(sum))
            }
            _ => false,
        };
        count == 1 && all.iter().any(is_floor)
    }

    /// Whether only numbers and sizes without a sign are added up and multiplied.
    fn is_natural(&self, sum: &AstExpr) -> bool {
        match sum {
            AstExpr::Number(number) => *number >= 0,
            AstExpr::Name(name) => self.parameter(name).is_some_and(|k| self.wraps(k)),
            AstExpr::Operation(Operation::Add | Operation::Multiply, operands) => {
                operands.iter().all(|operand| self.is_natural(operand))
            }
            AstExpr::Operation(..) => false,
        }
    }

    /// `None`: a value may be past `long`, or is compared with one that is.
    fn truth(&self, cond: &AstExpr, ranges: &[Range]) -> Option<Range> {
        let AstExpr::Operation(operation, operands) = cond else { return self.value(cond, ranges) };
        match (operation, &operands[..]) {
            (Operation::And | Operation::Or, all) => {
                all.iter().try_for_each(|own| self.truth(own, ranges).map(|_| ()))?;
                Some(TRUTH)
            }
            (operation, [a, b]) if is_comparison(*operation) => {
                let (one, other) = (self.side(a, b, ranges)?, self.side(b, a, ranges)?);
                let are_long = within_long(one).and(within_long(other)).is_some();
                (are_long || one.0.min(other.0) >= 0).then_some(TRUTH)
            }
            _ => self.value(cond, ranges),
        }
    }

    /// The values of what is compared with something else: a size that isn't cast has those of its
    /// type.
    fn side(&self, own: &AstExpr, other: &AstExpr, ranges: &[Range]) -> Option<Range> {
        match own {
            AstExpr::Name(name) if !self.is_cast(name, stands_beside(other)) => {
                Some(self.parameter(name).map_or(LONG, |k| ranges[k]))
            }
            own => self.value(own, ranges),
        }
    }

    fn value(&self, expr: &AstExpr, ranges: &[Range]) -> Option<Range> {
        match expr {
            AstExpr::Number(number) => Some((i128::from(*number), i128::from(*number))),
            AstExpr::Name(name) => {
                let range = self.parameter(name).map_or(LONG, |k| ranges[k]);
                Some(within_long(range).unwrap_or(LONG))
            }
            AstExpr::Operation(operation, _) if is_truth(*operation) => self.truth(expr, ranges),
            AstExpr::Operation(operation, operands) => {
                let of = |(k, operand)| match (operation, k) {
                    (Operation::Select, 0) => self.truth(operand, ranges),
                    _ => within_long(self.value(operand, ranges)?),
                };
                let values = operands.iter().enumerate().map(of).collect::<Option<Vec<Range>>>()?;
                if let (Operation::FloorDivide, [a, b]) = (operation, &values[..]) {
                    within_long((b.0 - 1 - a.1, b.1 - 1 - a.0))?;
                }
                if let (Operation::Multiply, [a, b]) = (operation, &values[..]) {
                    let ends = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                    return within_long(ends.into_iter().fold((ends[0], ends[0]), |all, end| hull(all, (end, end))));
                }
                within_long(value_range(*operation, &values))
            }
        }
    }

    fn in_program(&self, all: Vec<AstExpr>) -> Result<Cond> {
        let size = |(k, name): (usize, &String)| (name.clone(), Int::Parameter(ParameterId(k)));
        let names: Vec<(String, Int)> = self.decisions.parameters.iter().enumerate().map(size).collect();
        let and = |a, b| AstExpr::Operation(Operation::And, vec![a, b]);
        let whole = all.into_iter().reduce(and).unwrap_or(AstExpr::Number(1));
        cond_of(&whole, &|name| named(&names, name)).ok_or_else(|| fault("a test on what has no name"))
    }
}

/// The parts of a condition that all have to hold.
fn conjuncts(test: AstExpr) -> Vec<AstExpr> {
    match test {
        AstExpr::Operation(Operation::And, operands) => operands.into_iter().flat_map(conjuncts).collect(),
        AstExpr::Number(1) => Vec::new(),
        other => vec![other],
    }
}

fn is_comparison(operation: Operation) -> bool {
    use Operation::{Equal, Greater, GreaterEqual, Less, LessEqual};
    matches!(operation, Equal | Greater | GreaterEqual | Less | LessEqual)
}

fn is_truth(operation: Operation) -> bool {
    matches!(operation, Operation::And | Operation::Or) || is_comparison(operation)
}

fn stands_beside(other: &AstExpr) -> Stands {
    if matches!(other, AstExpr::Number(_)) { Stands::BesideNumber } else { Stands::BesideOther }
}

fn each_name(expr: &AstExpr, visit: &mut dyn FnMut(&str, Stands)) {
    with_names(expr, Stands::InSum, &mut |name, stands| {
        visit(name, stands);
        name.to_string()
    });
}

/// The same with other names.
fn with_names(expr: &AstExpr, stands: Stands, of: &mut dyn FnMut(&str, Stands) -> String) -> AstExpr {
    match expr {
        AstExpr::Number(_) => expr.clone(),
        AstExpr::Name(name) => AstExpr::Name(of(name, stands)),
        AstExpr::Operation(operation, operands) => {
            let beside = |k: usize| match &operands[..] {
                [a, b] if is_comparison(*operation) => stands_beside(if k == 0 { b } else { a }),
                _ => Stands::InSum,
            };
            let all = operands.iter().enumerate().map(|(k, own)| with_names(own, beside(k), of)).collect();
            AstExpr::Operation(*operation, all)
        }
    }
}

fn within_long(range: Range) -> Option<Range> {
    (range.0 >= LONG.0 && range.1 <= LONG.1).then_some(range)
}
