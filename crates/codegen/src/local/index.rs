//! Places in local arrays, as C.
//!
//! The place of an access is the composition of its subscripts with the map of the local array, simplified by what its loops say:
//!
//! ```text
//! A[2i + n][3i]    x -> (x0 - n) / 2    for 0 <= i < n    is    A_local[i]
//! ```
//!
//! Where an access finds its cells in several arrays, a condition chooses: `(i == j ? A_local[i] : A_local2[j])`.

use super::names::in_c;
use super::types::widening;
use super::{Compacted, LocalNames};
use crate::fault;
use crate::home::free_name;
use crate::loops::{outside_parentheses, printed, tidy};
use crate::names::LONG;
use crate::widening::Widening;
use polyfold_compact::{Local, Plan, Step};
use polyfold_isl::{AstExpr, CText, PwAff, Result, Set};
use polyfold_scop::StatementId;

/// Prints expressions of parameters and of other names, for parameters in a context.
pub struct Expressions {
    pub(super) context: Set,
    /// Names in isl notation, and what they are in C.
    names: Vec<(String, String)>,
    /// The values that macros have among its parameters; `None`: there are no such parameters.
    pub(super) own_sizes: Option<Set>,
    /// Parameters that have other values at the next instance.
    pub(super) changing: Vec<String>,
    /// Which sums are `long`; `None`: what is printed is for people.
    pub(super) widening: Option<Widening>,
    /// Whether some number is past `int`.
    pub(super) is_wide: bool,
    /// Names for counters that the source does not use.
    pub(super) counters: Vec<String>,
    /// And one for the cells of a run.
    pub(super) run_counter: String,
}

impl Expressions {
    /// For parameters in `context`, where also `known` holds of them.
    pub(super) fn new(region: &Compacted, source: &str, (context, known): (&Set, &Set)) -> Result<Expressions> {
        let names = region.parameters.iter().cloned().zip(in_c(region.scop)).collect();
        let narrow = i128::from(i32::MAX);
        let products = region.scop.surroundings.iter().flat_map(|around| &around.products);
        let products: Vec<usize> = products.map(|product| product.parameter.0).collect();
        let own = region.scop.parameters.iter().enumerate().filter(|(k, _)| !products.contains(k));
        let is_wide = own.map(|(_, p)| p).any(|p| p.most.is_some_and(|most| most > narrow));
        let most = region.scop.arrays.iter().map(|array| array.extents.len()).max().unwrap_or(0);
        // A cell, its place and the length of a run.
        let counters = (0..2 * most + 1).map(|k| free_name(&format!("c{k}"), region.scop, source)).collect();
        let run_counter = free_name("r0", region.scop, source);
        let widening = widening(region, &context.intersect(known)?)?;
        // What types always meet is not tested; nor are pieces told apart in which sums fit for different reasons.
        let context = context.intersect(&widening.values().simple_hull()?)?;
        let (own_sizes, changing) = (own_sizes(region, &context)?, changing(region));
        let widening = Some(widening);
        Ok(Expressions { context, names, own_sizes, changing, widening, is_wide, counters, run_counter })
    }

    /// A size or condition's name in C, as a `long` if it says so.
    pub(super) fn name(&self, isl: &str) -> String {
        if let Some(own) = isl.strip_prefix(LONG) {
            return format!("{LONG}{}", self.name(own).trim_start_matches(LONG));
        }
        self.names.iter().find(|(own, _)| own == isl).map_or_else(|| isl.to_string(), |(_, c)| c.clone())
    }

    /// The value of a function of the parameters.
    pub(super) fn value(&self, function: &PwAff) -> Result<String> {
        let simpler = function.intersect_params(&self.context)?.gist_params(&self.context)?.coalesce()?;
        self.in_types(CText::new(&self.context)?.tree(&simpler)?)
    }

    /// A condition on parameters.
    pub(super) fn condition(&self, set: &Set) -> Result<String> {
        self.in_types(CText::new(&self.context)?.test(set)?)
    }

    /// The text of an expression whose sums fit their types.
    fn in_types(&self, expr: AstExpr) -> Result<String> {
        let expr = tidy(&expr);
        let wide = self.widening.as_ref().map(|widening| widening.widened(&expr, Some(&self.context))).transpose()?;
        printed(&wide.flatten().unwrap_or(expr), &|name| self.name(name))
    }

    /// The same with more names, some of them of type `int`.
    fn with(&self, more: &[(String, String)], ints: &[String], context: Set) -> Expressions {
        let names = self.names.iter().chain(more).cloned().collect();
        let widening = self.widening.as_ref().map(|widening| widening.with_ints(ints.iter().cloned()));
        Expressions {
            context,
            names,
            own_sizes: self.own_sizes.clone(),
            changing: self.changing.clone(),
            widening,
            is_wide: self.is_wide,
            counters: Vec::new(),
            run_counter: String::new(),
        }
    }
}

/// The values that macros have in this compilation.
fn own_sizes(region: &Compacted, like: &Set) -> Result<Option<Set>> {
    let own = region.parameters.iter().zip(&region.scop.parameters);
    let equal = own.filter_map(|(name, parameter)| Some(format!("{name} = {}", parameter.constant()?)));
    let equal: Vec<String> = equal.collect();
    if equal.is_empty() {
        return Ok(None);
    }
    let text = format!("[{}] -> {{ : {} }}", region.parameters.join(", "), equal.join(" and "));
    Ok(Some(Set::read(like.context(), &text)?))
}

/// Parameters that have other values at the next instance.
pub(super) fn changing(region: &Compacted) -> Vec<String> {
    let changing = region.scop.surroundings.as_deref().map(|around| &around.changing[..]).unwrap_or_default();
    changing.iter().map(|id| region.parameters[id.0].clone()).collect()
}

/// Where the cells of an array live: `A[x][y] lives in A_local[(x - n) / 2]`.
///
/// # Errors
/// When the map cannot be printed.
pub fn index_text(local: &Local, array: &str, name: &str, expressions: &Expressions) -> Result<String> {
    const LETTERS: [&str; 3] = ["x", "y", "z"];
    let count = local.cells.dimensions()?;
    let isl: Vec<String> = (0..count).map(|k| format!("_x{k}")).collect();
    let letters: Vec<String> =
        (0..count).map(|k| if count <= 3 { LETTERS[k].to_string() } else { format!("x{k}") }).collect();
    let cell: String = letters.iter().map(|letter| format!("[{letter}]")).collect();
    // The strides of the cells make quotients exact; their bounds are many words.
    let natural: Vec<String> = isl.iter().map(|x| format!("{x} >= 0")).collect();
    let natural = if count == 0 { "true".to_string() } else { natural.join(" and ") };
    let natural = Set::read(local.cells.context(), &format!("{{ [{}] : {natural} }}", isl.join(", ")))?;
    let cells = local.cells.intersect_params(&expressions.context)?;
    let has_remainders = local.shape.steps.iter().any(|step| matches!(step, Step::Modulo(_)));
    let hull = if has_remainders { cells.simple_hull()? } else { cells.affine_hull()? };
    let cells = hull.intersect(&natural)?;
    let map = local.shape.map.intersect_domain(&cells)?.intersect_params(&expressions.context)?;
    let places = map.by_start(&isl)?;
    let letters: Vec<(String, String)> = isl.into_iter().zip(letters).collect();
    let inner = Expressions { widening: None, ..expressions.with(&letters, &[], places.params()?) };
    let place = subscripts(&places, &inner)?;
    Ok(format!("{array}{cell} lives in {name}{place}"))
}

/// `[…][…]` for the only point at each choice of parameters.
fn subscripts(places: &Set, expressions: &Expressions) -> Result<String> {
    if places.dimensions()? == 0 {
        return Ok(String::new());
    }
    let functions = places.coordinates_of_point()?;
    functions.iter().map(|function| Ok(format!("[{}]", outside_parentheses(expressions.value(function)?)))).collect()
}

/// The text of an access; `None`: its array stays where it is.
pub(super) fn access_text(
    region: &Compacted,
    plan: &Plan,
    names: &LocalNames,
    (id, at): (StatementId, usize),
    expressions: &Expressions,
) -> Result<Option<String>> {
    let access = &region.scop.statement(id).accesses[at];
    let own =
        |local: &'_ Local| local.served.iter().find(|s| (s.statement, s.access) == (id, at)).map(|s| s.cells.clone());
    let serving: Vec<(&Local, &String)> =
        plan.locals.iter().zip(&names.names).filter(|(local, _)| own(local).is_some()).collect();
    let Some(cells) = serving.first().and_then(|(local, _)| own(local)) else {
        return never(plan, names, access.array);
    };
    let variables = Variables::of(region, id)?;
    let all = cells.intersect_params(&expressions.context)?;
    let mut left = all.domain()?;
    let mut cases: Vec<(Option<String>, String)> = Vec::new();
    for (local, name) in serving {
        let inside = all.intersect_range(&local.cells)?.intersect_domain(&left)?;
        if inside.is_empty()? {
            continue;
        }
        // The set of cells may take many more words than the subscripts do.
        let is_all = left.is_subset(&inside.domain()?)?;
        let own = if is_all { all.intersect_domain(&left)? } else { inside };
        let around = variables.set(&left)?;
        left = if is_all { left.subtract(&left)? } else { left.subtract(&own.domain()?)?.coalesce()? };
        let inner = expressions.with(&variables.names, &variables.ints, around.clone());
        let condition = match left.is_empty()? {
            true => None,
            false => Some(inner.condition(&variables.set(&own.domain()?)?.gist_params(&around)?)?),
        };
        let places = own.apply_range(&local.shape.map)?.by_start(&variables.isl)?;
        let inside = expressions.with(&variables.names, &variables.ints, places.params()?);
        cases.push((condition, format!("{name}{}", subscripts(&places, &inside)?)));
    }
    choice(cases, access.is_write()).map(Some)
}

/// An access that no cell is behind, since it never happens: any place is right.
fn never(plan: &Plan, names: &LocalNames, array: polyfold_scop::ArrayId) -> Result<Option<String>> {
    let first = plan.locals.iter().zip(&names.names).find(|(local, _)| local.array == array);
    Ok(first.map(|(local, name)| format!("{name}{}", "[0]".repeat(local.shape.extents.len()))))
}

/// `(c ? a : b)`, as something that can be written if it has to.
fn choice(cases: Vec<(Option<String>, String)>, is_write: bool) -> Result<String> {
    let mut cases = cases.into_iter().rev();
    let Some((_, last)) = cases.next() else { return Err(fault("an access has no cells")) };
    let mut text = last;
    let mut is_choice = false;
    for (condition, case) in cases {
        let condition = condition.ok_or_else(|| fault("an access has no condition"))?;
        let (yes, no) = match (is_write, is_choice) {
            (true, false) => (format!("&{case}"), format!("&{text}")),
            (true, true) => (format!("&{case}"), text),
            (false, _) => (case, text),
        };
        text = format!("({condition} ? {yes} : {no})");
        is_choice = true;
    }
    Ok(if is_write && is_choice { format!("(*{text})") } else { text })
}

/// The counters around a statement.
struct Variables {
    isl: Vec<String>,
    names: Vec<(String, String)>,
    /// Those that are `int`.
    ints: Vec<String>,
}

impl Variables {
    fn of(region: &Compacted, id: StatementId) -> Result<Variables> {
        let loops = region.scop.loops();
        let around = region.scop.statement(id).loops.iter().map(|id| loops[id.0]);
        let (mut names, mut ints): (Vec<(String, String)>, Vec<String>) = Default::default();
        for (k, l) in around.enumerate() {
            if names.iter().any(|(_, c)| c.trim_start_matches("(long)") == l.iterator) {
                return Err(fault(format!("two loops around each other have the counter `{}`", l.iterator)));
            }
            names.push((
                format!("_i{k}"),
                if l.counter.signed { l.iterator.clone() } else { format!("{LONG}{}", l.iterator) },
            ));
            if l.counter.signed && l.counter.bytes <= 4 {
                ints.push(format!("_i{k}"));
            }
        }
        Ok(Variables { isl: names.iter().map(|(isl, _)| isl.clone()).collect(), names, ints })
    }

    /// Operations as values of the counters and parameters.
    fn set(&self, operations: &Set) -> Result<Set> {
        operations.identity()?.by_start(&self.isl)?.params()
    }
}
