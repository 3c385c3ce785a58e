//! Which counters and sums of new loops are `int`, and which `long`.
//!
//! What new loops compute may be larger than what the old ones did. Interval arithmetic shows that a value fits into an `int`: a size has the
//! values of its type that the context allows (extents are positive, and on the stack, at run time, at most 2^27), a counter those
//! between its bounds, and the one behind them. A counter that does not fit is a `long`, unless it just is one of the user's, which
//! goes the same way, and begins with what fits or what the source computes as `int`; and so is a sum, from its first operand on:
//!
//! ```text
//! for (long c0 = 0; c0 < (long)n + 2 * (long)m; c0++)     n and m are int
//! ```
//!
//! Over-approximated: nothing is known of how sizes belong together, so that more is `long` than has to be.

use super::affine::Affine;
use super::counters::Counters;
use super::{LoopForm, Order};
use polyfold_c::code::words;
use polyfold_isl::{Ast, AstExpr, Operation, Result, Set};
use polyfold_program::IntType;
use polyfold_scop::{Declaration, Expr, ParameterId, ParameterOrigin, Scop, Storage};
use std::collections::{BTreeMap, BTreeSet};

/// The least and the largest value.
pub(crate) type Range = (i128, i128);

pub(crate) const INT: Range = (i32::MIN as i128, i32::MAX as i128);
pub(crate) const LONG: Range = (i64::MIN as i128, i64::MAX as i128);

/// An array of run-time size on the stack is taken to have no more rows.
pub(crate) const MOST_ROWS_ON_STACK: i128 = polyfold_program::Home::MOST_ROWS_ON_STACK as i128;

/// What is known of names in new loops.
#[derive(Default)]
pub(super) struct Widths {
    /// By name in isl's loops.
    names: BTreeMap<String, Name>,
}

struct Name {
    range: Range,
    is_long: bool,
}

impl Widths {
    /// Of all sizes and counters.
    pub(super) fn of(source: &str, order: &Order, ast: &Ast, counters: &Counters) -> Result<Widths> {
        let mut widths = Widths { names: sizes(counters.scop(), order)? };
        let has_long = computes_in_long(source, counters.scop());
        widths.collect(ast, counters, (order.form, has_long));
        Ok(widths)
    }

    /// What is a `long`.
    pub(super) fn long(&self) -> BTreeSet<String> {
        self.names.iter().filter(|(_, name)| name.is_long).map(|(name, _)| name.clone()).collect()
    }

    /// The values that an expression may have.
    fn range(&self, expr: &AstExpr) -> Range {
        match expr {
            AstExpr::Number(value) => (i128::from(*value), i128::from(*value)),
            AstExpr::Name(name) => self.names.get(name).map_or(LONG, |name| name.range),
            AstExpr::Operation(operation, operands) => {
                value_range(*operation, &operands.iter().map(|operand| self.range(operand)).collect::<Vec<Range>>())
            }
        }
    }

    /// Adds the counters, those of outer loops first. What is called the same gets one type.
    fn collect(&mut self, ast: &Ast, counters: &Counters, (form, has_long): (LoopForm, bool)) {
        let long_sizes: BTreeSet<String> = self.long();
        let mut loops = Vec::new();
        ast.each(&mut |ast| {
            if let Ast::For { dimension, iterator, first, condition, step, body } = ast {
                loops.push((*dimension, iterator, first, condition, *step, &**body));
            }
        });
        for (dimension, counter, first, condition, step, body) in loops {
            let is_wide = form.is_over_strips(dimension, step);
            let is_of_long = has_long || first.mentions(&|name| long_sizes.contains(name));
            let (first, last) = (self.range(first), self.last(counter, condition, step));
            let (inside, behind) = match step > 0 {
                true => ((first.0, first.0.max(last.1)), (first.0, first.1.max(last.1 + i128::from(step)))),
                false => ((first.1.min(last.0), first.1), (first.0.min(last.0 + i128::from(step)), first.1)),
            };
            // Conditions of the source become first values; what it computes as `int` fits one.
            let may_begin = fits(first) || !is_of_long;
            let is_kept = may_begin && counters.keeps(counter, step, body);
            let is_long = is_wide || !counters.are_int() || !(fits(behind) || is_kept);
            let range = if is_long { inside } else { within(inside, INT) };
            let known = self.names.get(counter);
            let name = Name {
                range: known.map_or(range, |known| hull(known.range, range)),
                is_long: is_long || known.is_some_and(|known| known.is_long),
            };
            self.names.insert(counter.clone(), name);
        }
    }

    /// The values that a condition allows at the end where the counter goes.
    fn last(&self, counter: &str, condition: &AstExpr, step: i64) -> Range {
        let AstExpr::Operation(operation, operands) = condition else { return LONG };
        match (operation, &operands[..]) {
            (Operation::And, [a, b]) => {
                let (a, b) = (self.last(counter, a, step), self.last(counter, b, step));
                if step > 0 { (a.0.min(b.0), a.1.min(b.1)) } else { (a.0.max(b.0), a.1.max(b.1)) }
            }
            (comparison, [AstExpr::Name(name), bound]) if name == counter => {
                let range = self.range(bound);
                match comparison {
                    Operation::Less => (range.0 - 1, range.1 - 1),
                    Operation::Greater => (range.0 + 1, range.1 + 1),
                    Operation::LessEqual | Operation::GreaterEqual => range,
                    _ => LONG,
                }
            }
            _ => LONG,
        }
    }
}

/// Whether all points of a loop have its counter by itself as one of these.
pub(super) fn is_kept(counter: &str, body: &Ast, is_asked_for: &dyn Fn(&str, usize) -> bool) -> bool {
    let is_it = |value: &AstExpr| {
        Affine::of(value)
            .is_some_and(|sum| sum.constant == 0 && sum.terms.len() == 1 && sum.factor_of(counter) == Some(1))
    };
    let mut are_all = true;
    body.each(&mut |ast| {
        if let Ast::Point { name, coordinates } = ast {
            are_all &= coordinates.iter().enumerate().any(|(k, value)| is_it(value) && is_asked_for(name, k));
        }
    });
    are_all
}

/// Whether a scop, or a macro of its file, may compute in a type that is wider than `int`.
fn computes_in_long(source: &str, scop: &Scop) -> bool {
    const WIDE: [&str; 7] = ["long", "int64_t", "ptrdiff_t", "ssize_t", "intptr_t", "size_t", "sizeof"];
    let is_wide = |word: &str| {
        WIDE.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(['l', 'L'])
    };
    let lines = source.lines().filter(|line| line.trim_start().starts_with('#'));
    lines.chain([&source[scop.span.clone()]]).any(|text| words(text).any(|(_, word)| is_wide(word)))
}

/// The sizes, by their names in isl notation.
fn sizes(scop: &Scop, order: &Order) -> Result<BTreeMap<String, Name>> {
    let all = order.parameters.iter().take(scop.parameters.len()).enumerate();
    all.map(|(k, isl)| {
        let range = within(size_range(scop, k), known_range(order, isl)?);
        let is_long = !is_int(scop, k);
        Ok((isl.clone(), Name { range, is_long }))
    })
    .collect()
}

/// The sizes of type `int`, by their names in isl notation, with what C says of them.
pub(crate) fn int_sizes(scop: &Scop, isl: &[String]) -> Vec<(String, Range)> {
    let ints = isl.iter().take(scop.parameters.len()).enumerate().filter(|(k, _)| is_int(scop, *k));
    ints.map(|(k, isl)| (isl.clone(), size_range(scop, k))).collect()
}

/// What extents on the stack say of the sizes, for parameters with these names in isl notation.
pub(crate) fn stack_facts(scop: &Scop, isl: &[String]) -> String {
    let declared = scop.arrays.iter().filter(|array| array.declaration.as_ref().is_some_and(is_on_stack));
    let extents = declared.filter(|array| !array.linearised).flat_map(|array| array.extents.iter().flatten());
    let facts =
        extents.filter_map(|extent| Some(format!("1 <= {} <= {MOST_ROWS_ON_STACK}", extent_in_isl(extent, isl)?)));
    let facts: Vec<String> = ["true".to_string()].into_iter().chain(facts).collect();
    format!("[{}] -> {{ : {} }}", isl.join(", "), facts.join(" and "))
}

/// Of run-time size, and there whenever the scop runs.
fn is_on_stack(declaration: &Declaration) -> bool {
    !declaration.inside_scop && declaration.allocation().is_none() && declaration.storage == Storage::Local
}

/// An extent without quotients and choices, in isl notation.
pub(crate) fn extent_in_isl(extent: &Expr, isl: &[String]) -> Option<String> {
    Some(match extent {
        Expr::Constant(value) => format!("({value})"),
        Expr::Parameter(id) => isl.get(id.0)?.clone(),
        Expr::Add(a, b) => format!("({} + {})", extent_in_isl(a, isl)?, extent_in_isl(b, isl)?),
        Expr::Scale(factor, e) => format!("({factor} * {})", extent_in_isl(e, isl)?),
        _ => return None,
    })
}

/// Whether a size is computed with as `int`.
fn is_int(scop: &Scop, k: usize) -> bool {
    let held = scop.size_type(k);
    held.is_signed() && held.values().is_some_and(|values| IntType::INT.holds(values))
}

/// What C says of a size.
fn size_range(scop: &Scop, k: usize) -> Range {
    let parameter = &scop.parameters[k];
    let taken = scop.outline.as_ref().and_then(|outline| outline.parameters.get(k)?.most);
    let most = match parameter.origin {
        ParameterOrigin::Constant(_) => taken.map_or(LONG.1, i128::from),
        ParameterOrigin::Variable => parameter.most.unwrap_or(LONG.1),
    };
    let is_variable = parameter.origin == ParameterOrigin::Variable;
    let is_in_front = |d: &Declaration| !d.inside_scop && d.allocation().is_none();
    let on_stack = |d: &Declaration| is_variable && is_on_stack(d);
    let rows = added(scop, k, &on_stack).max().map_or(most, |added| MOST_ROWS_ON_STACK - added);
    let least = added(scop, k, &is_in_front).min().map_or(-most - 1, |added| 1 - added);
    (least, most.min(rows))
}

/// What is added to a size in extents of declared arrays, all of which are positive.
fn added(scop: &Scop, k: usize, is_asked_for: &dyn Fn(&Declaration) -> bool) -> impl Iterator<Item = i128> {
    let declared = scop.arrays.iter().filter(|array| array.declaration.as_ref().is_some_and(is_asked_for));
    let extents = declared.filter(|array| !array.linearised).flat_map(|array| array.extents.iter().flatten());
    let added: Vec<i128> = extents.filter_map(|extent| added_to(extent, ParameterId(k))).map(i128::from).collect();
    added.into_iter()
}

/// k, of `size + k`.
fn added_to(extent: &Expr, id: ParameterId) -> Option<i64> {
    match extent {
        Expr::Parameter(known) if *known == id => Some(0),
        Expr::Add(a, b) => match (&**a, &**b) {
            (Expr::Parameter(known), Expr::Constant(k)) | (Expr::Constant(k), Expr::Parameter(known)) => {
                (*known == id).then_some(*k)
            }
            _ => None,
        },
        _ => None,
    }
}

/// What the context says of a size.
fn known_range(order: &Order, isl: &str) -> Result<Range> {
    let names = order.parameters.join(", ");
    let values = Set::read(order.context.context(), &format!("[{names}] -> {{ [x] : x = {isl} }}"))?;
    let values = values.intersect_params(order.context)?;
    let least = values.dim_min_value(0)?.map_or(LONG.0, i128::from);
    Ok((least, values.dim_max_value(0)?.map_or(LONG.1, i128::from)))
}

fn within(a: Range, b: Range) -> Range {
    (a.0.max(b.0), a.1.min(b.1))
}

pub(crate) fn hull(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

pub(crate) fn fits(range: Range) -> bool {
    range.0 >= INT.0 && range.1 <= INT.1
}

/// The values of an operation on operands with any of these.
pub(crate) fn value_range(operation: Operation, operands: &[Range]) -> Range {
    use Operation::*;
    match (operation, operands) {
        (Minus, [a]) => (-a.1, -a.0),
        (Add, [a, b]) => (a.0 + b.0, a.1 + b.1),
        (Subtract, [a, b]) => (a.0 - b.1, a.1 - b.0),
        (Multiply, [a, b]) => {
            let ends =
                [a.0.saturating_mul(b.0), a.0.saturating_mul(b.1), a.1.saturating_mul(b.0), a.1.saturating_mul(b.1)];
            within(ends.into_iter().fold((LONG.1, LONG.0), |all, end| hull(all, (end, end))), LONG)
        }
        (Divide | FloorDivide | Remainder, [a, _]) => hull(*a, (0, 0)),
        (Max, all) => {
            all.iter().fold((i128::from(i64::MIN), i128::from(i64::MIN)), |m, r| (m.0.max(r.0), m.1.max(r.1)))
        }
        (Min, all) => {
            all.iter().fold((i128::from(i64::MAX), i128::from(i64::MAX)), |m, r| (m.0.min(r.0), m.1.min(r.1)))
        }
        (Select, [_, a, b]) => hull(*a, *b),
        _ => (0, 1),
    }
}
