//! Functions of a scop's sizes and conditions on them, as a program has them, and as C.
//!
//! The idea: isl says in a tree what a function is ([`AstExpr`](polyfold_isl::AstExpr)); it becomes an integer of a program
//! ([`int_of`]), which `emit` prints in types that hold what is computed. Where sizes depend on each other, isl says what their sums
//! are at least and at most ([`facts_of`]):
//!
//! ```text
//! max(1, hi - lo)    for any two ints is    (long)lo + 1 >= hi ? 1 : (long)hi - lo
//! hi - lo            for 0 <= lo <= hi stays
//! ```
//!
//! Invariant: the value is that of the function for all sizes of the context.

use crate::growth::in_closed_form;
use crate::loops::tidy;
use crate::loops::widths::{INT, MOST_ROWS_ON_STACK, int_sizes, stack_facts};
use polyfold_emit::{Size, size, test};
use polyfold_isl::{AstExpr, CText, ErrorKind, Operation, PwAff, Result, Set};
use polyfold_lattice::Polynomial;
use polyfold_program::{Cond, Int, IntOp, Level, Local, LocalId, LocalKind, Parameter, ParameterId, Program, Relation};
use polyfold_prove::LinearRow;
use polyfold_scop::Scop;
use polyfold_transform::{cond_of, int_of};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};

/// Whether a size or condition needs functions that C does not have.
pub(crate) fn needs_helpers(expr: &AstExpr) -> bool {
    expr.has(&|own| matches!(own, Operation::Max | Operation::Min | Operation::FloorDivide))
}

/// Sizes and conditions for parameters in a context.
pub struct SizesInC {
    trees: CText,
    /// What isl's names are.
    names: Vec<(String, Int)>,
    /// The names and types of the sizes, and nothing else.
    program: Program,
    /// The values over which sums are bounded; `None`: nothing is computed.
    values: Option<Set>,
    /// Extents that were asked for: all accesses ask for the same.
    extents: RefCell<BTreeMap<String, Int>>,
}

impl SizesInC {
    /// To be read by people, for parameters of a scop that are called `isl` in isl notation.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn to_read(context: &Set, isl: &[String], scop: &Scop) -> Result<SizesInC> {
        let parameter = |own: &polyfold_scop::Parameter| Parameter { name: own.name.clone(), held: None, most: None };
        let parameters = scop.parameters.iter().map(parameter).collect();
        SizesInC::new(context, isl, Program { parameters, ..Program::default() }, None)
    }

    /// To be computed in front of a scop.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn computed(context: &Set, isl: &[String], scop: &Scop) -> Result<SizesInC> {
        let values = context.intersect(&Set::read(context.context(), &stack_facts(scop, isl))?)?;
        let values = values.intersect(&Set::read(context.context(), &type_facts(scop, isl))?)?;
        SizesInC::new(context, isl, sizes_of(scop), Some(values))
    }

    fn new(context: &Set, isl: &[String], program: Program, values: Option<Set>) -> Result<SizesInC> {
        let size = |(k, name): (usize, &String)| (name.clone(), Int::Parameter(ParameterId(k)));
        let names = isl.iter().take(program.parameters.len()).enumerate().map(size).collect();
        Ok(SizesInC { trees: CText::new(context)?, names, program, values, extents: RefCell::default() })
    }

    /// The same with more names.
    pub(crate) fn with_counters<'n>(mut self, more: impl Iterator<Item = (&'n String, &'n String)>) -> SizesInC {
        for (isl, name) in more {
            let id = LocalId(self.program.locals.len());
            self.program.locals.push(Local { name: name.clone(), kind: LocalKind::Integer, held: None });
            self.names.push((isl.clone(), Int::Local(id)));
        }
        self
    }

    /// What a name in isl notation is.
    pub(crate) fn named(&self, isl: &str) -> Option<Int> {
        named(&self.names, isl)
    }

    /// The names and types of the sizes.
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// A size as an integer.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn int(&self, function: &PwAff) -> Result<Int> {
        let tree = tidy(&self.trees.tree(function)?);
        Ok(int_of(&tree, &|name| self.named(name)).ok_or_else(|| crate::fault("a size that has no name"))?.tidy(&[]))
    }

    /// A condition on sizes.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn cond(&self, set: &Set) -> Result<Cond> {
        let tree = tidy(&self.test(set)?);
        cond_of(&tree, &|name| self.named(name)).ok_or_else(|| crate::fault("a condition on what has no name"))
    }

    /// The same in isl's tree.
    pub(crate) fn test(&self, set: &Set) -> Result<AstExpr> {
        self.trees.test(set)
    }

    /// A size in isl's tree.
    pub(crate) fn tree(&self, function: &PwAff) -> Result<AstExpr> {
        self.trees.tree(function)
    }

    /// Whether a size needs functions that C does not have.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn needs_helpers(&self, function: &PwAff) -> Result<bool> {
        Ok(needs_helpers(&self.tree(function)?))
    }

    /// The extent of an array, or a modulus, which is one.
    pub(crate) fn extent(&self, function: &PwAff) -> Result<Int> {
        let key = function.to_string();
        if let Some(known) = self.extents.borrow().get(&key) {
            return Ok(known.clone());
        }
        let extent = self.int(function)?;
        self.extents.borrow_mut().insert(key, extent.clone());
        Ok(extent)
    }

    /// Such an extent in C. `is_small`: `int` needn't hold one that is too large for the stack.
    pub(crate) fn extent_in_c(&self, function: &PwAff, is_small: bool) -> Result<Size> {
        let values = match self.values.as_ref().filter(|_| is_small) {
            Some(values) => Some(values.intersect_params(&at_most(function, MOST_ROWS_ON_STACK)?)?),
            None => self.values.clone(),
        };
        self.in_c_for(&strict_int(&self.extent(function)?), values.as_ref())
    }

    /// An integer of sizes in C.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn in_c(&self, e: &Int) -> Result<Size> {
        self.in_c_for(e, self.values.as_ref())
    }

    fn in_c_for(&self, e: &Int, values: Option<&Set>) -> Result<Size> {
        let mut sums = Vec::new();
        e.each(&mut |e| sums.push(e));
        Ok(size(&self.with_facts(sums, values)?, e))
    }

    fn with_facts(&self, sums: Vec<&Int>, values: Option<&Set>) -> Result<Program> {
        let facts = values.map_or(Ok(Vec::new()), |values| facts_of(sums, &self.names, values))?;
        let context = self.program.context.iter().cloned().chain(facts).collect();
        Ok(Program { context, ..self.program.clone() })
    }

    /// A size in C.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn value(&self, function: &PwAff) -> Result<String> {
        Ok(self.in_c(&self.int(function)?)?.within(Level::Whole))
    }

    /// A polynomial that belongs to a row, to be read.
    pub fn of_row(&self, polynomial: &Polynomial, row: &LinearRow) -> String {
        let size = self.named(&row.parameter).unwrap_or(Int::Constant(0));
        self.program.text_of(&in_closed_form(polynomial, row, &size))
    }

    /// A condition on sizes in C.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn condition(&self, set: &Set) -> Result<String> {
        let cond = match self.cond(set) {
            // Only people read it.
            Err(error) if error.kind == ErrorKind::Limit && self.values.is_none() => return self.trees.condition(set),
            cond => cond?,
        };
        self.test_in_c(&if self.values.is_some() { strict(&cond) } else { cond })
    }

    /// The same of one that is a tree already.
    pub(crate) fn test_in_c(&self, cond: &Cond) -> Result<String> {
        let mut sums = Vec::new();
        cond.each_int(&mut |e| sums.push(e));
        Ok(test(&self.with_facts(sums, self.values.as_ref())?, cond))
    }
}

/// The sizes of a scop, with their types, and the arrays that are there already.
fn sizes_of(scop: &Scop) -> Program {
    let unknown = |own: &polyfold_scop::Parameter| Parameter { name: own.name.clone(), held: None, most: None };
    let named = |k: usize| {
        let own = scop.outline.as_ref().and_then(|outline| outline.parameters.get(k).cloned());
        own.unwrap_or_else(|| unknown(&scop.parameters[k]))
    };
    Program { parameters: (0..scop.parameters.len()).map(named).collect(), ..Program::default() }
}

/// What C's types say of the sizes.
fn type_facts(scop: &Scop, isl: &[String]) -> String {
    let bound =
        |(name, range): &(String, (i128, i128))| format!("{} <= {name} <= {}", range.0.max(INT.0), range.1.min(INT.1));
    let bounds: Vec<String> = ["true".to_string()].into_iter().chain(int_sizes(scop, isl).iter().map(bound)).collect();
    format!("[{}] -> {{ : {} }}", isl.join(", "), bounds.join(" and "))
}

/// What a name is.
pub(crate) fn named(names: &[(String, Int)], isl: &str) -> Option<Int> {
    names.iter().find(|(own, _)| own == isl).map(|(_, e)| e.clone())
}

/// Where a function of the parameters is no larger than a number.
pub(crate) fn at_most(function: &PwAff, most: i128) -> Result<Set> {
    let values = function.graph()?;
    values.intersect(&Set::read(values.context(), &format!("{{ [x] : x <= {most} }}"))?)?.params()
}

/// What sums of sizes are at least and at most for some values; these names are those of isl's notation.
pub(crate) fn facts_of(sums: Vec<&Int>, names: &[(String, Int)], values: &Set) -> Result<Vec<Cond>> {
    let (mut facts, mut seen): (Vec<Cond>, HashSet<&Int>) = Default::default();
    let parameters = values.parameter_names()?.join(", ");
    for e in sums {
        if !seen.insert(e) {
            continue;
        }
        let Some(isl) = in_isl(e, names) else { continue };
        let function = PwAff::read(values.context(), &format!("[{parameters}] -> {{ [({isl})] }}"))?;
        let values = function.intersect_params(values)?.graph()?;
        let ends = [
            (Relation::GreaterOrEqual, end(values.dim_min_value(0))?),
            (Relation::LessOrEqual, end(values.dim_max_value(0))?),
        ];
        let fact =
            |(relation, end): (Relation, Option<i64>)| Some(Cond::compare(e.clone(), relation, Int::Constant(end?)));
        facts.extend(ends.into_iter().filter_map(fact));
    }
    Ok(facts)
}

/// The last of some values; none where it is past 64 bits.
fn end(value: Result<Option<i64>>) -> Result<Option<i64>> {
    match value {
        Err(error) if error.kind == ErrorKind::Limit => Ok(None),
        value => value,
    }
}

/// A size, or a sum of sizes, in isl notation.
fn in_isl(e: &Int, names: &[(String, Int)]) -> Option<String> {
    if let Some((name, _)) = names.iter().find(|(_, own)| own == e) {
        return Some(name.clone());
    }
    let Int::Binary(op, left, right) = e else { return None };
    let part = |e: &Int| e.as_constant().map_or_else(|| in_isl(e, names), |value| Some(value.to_string()));
    let sign = match op {
        IntOp::Add => '+',
        IntOp::Subtract => '-',
        IntOp::Multiply if left.as_constant().is_some() || right.as_constant().is_some() => '*',
        _ => return None,
    };
    Some(format!("({} {sign} {})", part(left)?, part(right)?))
}

/// `a > b` in place of `a >= b + 1`: the sum may be past the type.
pub(crate) fn strict(cond: &Cond) -> Cond {
    let less = |e: &Int| match e {
        Int::Binary(IntOp::Add, e, one) if **one == Int::Constant(1) => Some((**e).clone()),
        _ => None,
    };
    match cond {
        Cond::Compare(Relation::GreaterOrEqual, left, right) if let Some(right) = less(right) => {
            Cond::compare(left.clone(), Relation::Greater, right)
        }
        Cond::Compare(Relation::LessOrEqual, left, right) if let Some(left) = less(left) => {
            Cond::compare(left, Relation::Less, right.clone())
        }
        Cond::And(left, right) => Cond::And(Box::new(strict(left)), Box::new(strict(right))),
        Cond::Or(left, right) => Cond::Or(Box::new(strict(left)), Box::new(strict(right))),
        Cond::Not(inner) => Cond::Not(Box::new(strict(inner))),
        other => other.clone(),
    }
}

/// The same in what is chosen by conditions.
pub(crate) fn strict_int(e: &Int) -> Int {
    match e {
        Int::Binary(op, left, right) => Int::binary(*op, strict_int(left), strict_int(right)),
        Int::Select(cond, yes, no) => {
            Int::Select(Box::new(strict(cond)), Box::new(strict_int(yes)), Box::new(strict_int(no)))
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::{SizesInC, strict};
    use polyfold_isl::{Context, PwAff, Set};
    use polyfold_program::{IntType, Level, Parameter, Program};

    /// For the `int`s lo and hi and the `long` m.
    fn sizes(values: &str) -> (Context, SizesInC) {
        let ctx = Context::new();
        let text = |more: &str| format!("[lo, hi, m] -> {{ : {values}{more} }}");
        let types = format!(" and {0} <= lo <= {1} and {0} <= hi <= {1}", i32::MIN, i32::MAX);
        let context = Set::read(&ctx, &text("")).expect("a set");
        let values = Set::read(&ctx, &text(&types)).expect("a set");
        let parameter =
            |(name, held): (&str, IntType)| Parameter { name: name.to_string(), held: Some(held), most: None };
        let all = [("lo", IntType::INT), ("hi", IntType::INT), ("m", IntType::LONG)];
        let isl: Vec<String> = all.iter().map(|(name, _)| (*name).to_string()).collect();
        let program = Program { parameters: all.into_iter().map(parameter).collect(), ..Program::default() };
        (ctx, SizesInC::new(&context, &isl, program, Some(values)).expect("isl works"))
    }

    fn value(values: &str, function: &str) -> String {
        let (ctx, sizes) = sizes(values);
        let function = PwAff::read(&ctx, &format!("[lo, hi, m] -> {{ [({function})] }}")).expect("a function");
        let e = sizes.int(&function).expect("it has a value");
        sizes.in_c(&e).expect("it is bounded").within(Level::Whole)
    }

    #[test]
    fn differences_that_may_not_fit_are_long() {
        assert_eq!(value("true", "hi - lo"), "(long)hi - lo");
        assert_eq!(value("true", "hi + 1"), "(long)hi + 1");
    }

    #[test]
    fn what_fits_stays() {
        assert_eq!(value("lo >= 0 and hi >= 0", "hi - lo"), "hi - lo");
        assert_eq!(value("lo >= 2 and m >= 0", "lo - 2 + m"), "lo + m - 2");
        assert_eq!(value("lo >= 0 and 0 <= hi < 2147483647", "hi + 1"), "hi + 1");
        assert_eq!(value("0 <= hi - lo <= 100", "-lo + hi"), "hi - lo");
        assert_eq!(value("1 <= lo <= 1073741823", "2 * lo"), "2 * lo");
    }

    #[test]
    fn comparisons_are_strict_where_that_spares_sums() {
        let (ctx, sizes) = sizes("true");
        let written = |condition: &str| {
            let holds = Set::read(&ctx, &format!("[lo, hi, m] -> {{ : {condition} }}")).expect("a set");
            sizes.condition(&holds).expect("it is bounded")
        };
        assert_eq!(written("hi > lo"), "hi > lo");
        assert_eq!(written("hi >= lo"), "hi >= lo");
        let cond = |text: &str| {
            let holds = Set::read(&ctx, &format!("[lo, hi, m] -> {{ : {text} }}")).expect("a set");
            sizes.cond(&holds).expect("it is affine")
        };
        assert_ne!(strict(&cond("hi > lo")), cond("hi > lo"));
    }
}
