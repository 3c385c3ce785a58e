//! What is known of symbols, and what follows from it.
//!
//! Facts are linear: sums that are 0, and sums that aren't negative. isl decides whether integers
//! exist that meet them. A product of a symbolic modulus isn't linear, so a multiple of `b` is a
//! symbol of its own, of which only this is remembered:
//!
//! ```text
//! e is a multiple of b   if   e = α b + Σ βₖ mₖ + Σ γⱼ zⱼ    for integers α, β, γ,
//!                             multiples mₖ of b, and sums zⱼ that are 0
//! ```
//!
//! A product of two symbols is a symbol, too. Where both factors have least values, so has the product:
//! `(a - l) (b - k) >= 0`.
//!
//! Whether a sum is a multiple is whether a vector is in a lattice, and Hermite's form decides it. The sums that are 0 are
//! those of the affine hull, and what is 0 when a multiple of it is.

use super::linear::{Linear, Symbol};
use polyfold_isl::{Context, Error, ErrorKind, Polyhedron, Result, Set};
use polyfold_lattice::{Matrix, hermite_form};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// What is known of symbols.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) zero: Vec<Linear>,
    pub(super) not_negative: Vec<Linear>,
    /// Symbols that are multiples of a modulus.
    pub(super) multiples: BTreeMap<Symbol, Linear>,
    /// Whether some symbols stand for products.
    pub(super) has_products: bool,
}

impl Facts {
    pub(super) fn with_zero(&self, sum: Linear) -> Facts {
        let mut facts = self.clone();
        if sum.as_number() != Some(0) && !facts.zero.contains(&sum) {
            facts.zero.push(sum);
        }
        facts
    }

    pub(super) fn with_not_negative(&self, sum: Linear) -> Facts {
        let mut facts = self.clone();
        if sum.as_number().is_none_or(|number| number < 0) && !facts.not_negative.contains(&sum) {
            facts.not_negative.push(sum);
        }
        facts
    }

    /// The symbols in the sums.
    fn symbols(&self) -> BTreeSet<Symbol> {
        self.zero.iter().chain(&self.not_negative).flat_map(|sum| sum.terms().iter().map(|own| own.0)).collect()
    }

    /// Whether a sum without symbols says that it can't be.
    fn is_plainly_false(&self) -> bool {
        self.zero.iter().any(|sum| sum.as_number().is_some_and(|number| number != 0))
            || self.not_negative.iter().any(|sum| sum.as_number().is_some_and(|number| number < 0))
    }

    /// The same facts without the symbols that a sum says the value of; all of them where numbers get long.
    fn solved(&self) -> (Vec<Linear>, Vec<Linear>) {
        let (mut zero, mut not_negative) = (self.zero.clone(), self.not_negative.clone());
        let unit = |(k, sum): (usize, &Linear)| {
            let (symbol, factor) = sum.terms().iter().find(|(_, factor)| factor.abs() == 1)?;
            Some((k, *symbol, *factor))
        };
        while let Some((k, symbol, factor)) = zero.iter().enumerate().find_map(unit) {
            let solved = zero.swap_remove(k);
            for sum in zero.iter_mut().chain(&mut not_negative) {
                let own = sum.factor(symbol);
                if own != 0 {
                    *sum = sum.plus(&solved, -own * factor);
                }
            }
            if !zero.iter().chain(&not_negative).all(Linear::is_short) {
                return (self.zero.clone(), self.not_negative.clone());
            }
        }
        (zero, not_negative)
    }
}

/// Whether two sums that aren't negative add up to a negative number.
fn contradict(not_negative: &[Linear]) -> bool {
    let opposite = |sum: &Linear, other: &Linear| {
        sum.terms().len() == other.terms().len()
            && sum.constant + other.constant < 0
            && sum.terms().iter().zip(other.terms()).all(|(own, other)| own.0 == other.0 && own.1 == -other.1)
    };
    let behind = |k: usize| not_negative[k + 1..].iter();
    not_negative.iter().enumerate().any(|(k, sum)| behind(k).any(|other| opposite(sum, other)))
}

/// Draws conclusions.
pub(super) struct Judge<'a> {
    ctx: &'a Context,
    fresh: Cell<u32>,
    /// Facts that were asked about, and whether no integers meet them.
    known: RefCell<HashMap<Polyhedron, bool>>,
    /// Facts that were asked about, and generators of the sums that are 0.
    hulls: RefCell<HashMap<Polyhedron, Rc<[Vec<i128>]>>>,
    asked: Cell<usize>,
    /// For what was divided by what: the symbols of the quotient and the remainder.
    divided: RefCell<HashMap<(Linear, Linear), (Symbol, Symbol)>>,
    /// For two factors, the smaller symbol first.
    products: RefCell<HashMap<(Symbol, Symbol), Symbol>>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(ctx: &'a Context) -> Judge<'a> {
        Judge {
            ctx,
            fresh: Cell::new(0),
            known: RefCell::default(),
            hulls: RefCell::default(),
            asked: Cell::new(0),
            divided: RefCell::default(),
            products: RefCell::default(),
        }
    }

    /// How often isl was asked.
    pub(super) fn asked(&self) -> usize {
        self.asked.get()
    }

    pub(super) fn fresh(&self) -> Symbol {
        let number = self.fresh.get();
        self.fresh.set(number + 1);
        Symbol(number)
    }

    /// The symbols of a quotient, or of a multiple of the divisor, and of the remainder: the same for the same operands.
    pub(super) fn divided(&self, e: &Linear, by: &Linear) -> (Symbol, Symbol) {
        let known = self.divided.borrow().get(&(e.clone(), by.clone())).copied();
        known.unwrap_or_else(|| {
            let symbols = (self.fresh(), self.fresh());
            self.divided.borrow_mut().insert((e.clone(), by.clone()), symbols);
            symbols
        })
    }

    /// The symbol of a product: the same for the same factors.
    pub(super) fn multiplied(&self, a: Symbol, b: Symbol) -> Symbol {
        let mut products = self.products.borrow_mut();
        *products.entry((a.min(b), a.max(b))).or_insert_with(|| self.fresh())
    }

    /// 1 or 0, if a sum is no less.
    pub(super) fn is_at_least(&self, facts: &Facts, sum: &Linear) -> Result<Option<i128>> {
        for least in [1, 0] {
            if self.entails(facts, &sum.and(-least))? {
                return Ok(Some(least));
            }
        }
        Ok(None)
    }

    /// Whether no integers meet the facts.
    pub(super) fn is_empty(&self, facts: &Facts) -> Result<bool> {
        if facts.is_plainly_false() {
            return Ok(true);
        }
        // Most questions need no more than this.
        let (zero, not_negative) = facts.solved();
        let facts = &Facts { zero, not_negative, ..Facts::default() };
        if facts.is_plainly_false() || contradict(&facts.not_negative) {
            return Ok(true);
        }
        let (polyhedron, symbols) = rows(facts, &[])?;
        if let Some(known) = self.known.borrow().get(&polyhedron) {
            return Ok(*known);
        }
        let empty = self.set(&polyhedron, symbols.len())?.is_empty()?;
        self.known.borrow_mut().insert(polyhedron, empty);
        Ok(empty)
    }

    fn set(&self, polyhedron: &Polyhedron, dimensions: usize) -> Result<Set> {
        self.asked.set(self.asked.get() + 1);
        Set::of_rows(self.ctx, dimensions, polyhedron)
    }

    /// Whether a sum is never negative.
    pub(super) fn entails(&self, facts: &Facts, sum: &Linear) -> Result<bool> {
        match sum.as_number() {
            Some(number) => Ok(number >= 0),
            None => self.is_empty(&facts.with_not_negative(sum.times(-1).and(-1))),
        }
    }

    /// Whether a sum is always 0.
    pub(super) fn is_zero(&self, facts: &Facts, sum: &Linear) -> Result<bool> {
        Ok(self.entails(facts, sum)? && self.entails(facts, &sum.times(-1))?)
    }

    /// The least value of a sum; `None` if there is none.
    pub(super) fn least(&self, facts: &Facts, sum: &Linear) -> Result<Option<i128>> {
        let value = self.fresh();
        let facts = facts.with_zero(sum.minus(&Linear::symbol(value)));
        let (polyhedron, symbols) = rows(&facts, &[value])?;
        let Some(at) = symbols.iter().position(|symbol| *symbol == value) else { return Ok(sum.as_number()) };
        Ok(self.set(&polyhedron, symbols.len())?.dim_min_value(at)?.map(i128::from))
    }

    /// Whether a sum is always a multiple of a modulus.
    pub(super) fn is_multiple(&self, facts: &Facts, sum: &Linear, modulus: &Linear) -> Result<bool> {
        if let Some(number) = modulus.as_number().filter(|number| *number > 0) {
            return self.leaves_nothing(facts, sum, number);
        }
        let (polyhedron, symbols) = rows(facts, &[])?;
        let known = self.hull(polyhedron, &symbols)?;
        let own = facts.multiples.iter().filter(|(_, own)| *own == modulus).map(|(symbol, _)| Linear::symbol(*symbol));
        let generators: Vec<Linear> = known.into_iter().chain(own).chain([modulus.clone()]).collect();
        Ok(is_in_lattice(sum, &generators))
    }

    fn leaves_nothing(&self, facts: &Facts, sum: &Linear, number: i128) -> Result<bool> {
        let (quotient, rest) = (Linear::symbol(self.fresh()), Linear::symbol(self.fresh()));
        let whole = sum.minus(&rest).plus(&quotient, -number);
        let facts = facts.with_zero(whole).with_not_negative(rest.and(-1));
        self.is_empty(&facts.with_not_negative(rest.times(-1).and(number - 1)))
    }

    /// Generators of the sums that are 0.
    fn hull(&self, polyhedron: Polyhedron, symbols: &[Symbol]) -> Result<Vec<Linear>> {
        let known = self.hulls.borrow().get(&polyhedron).cloned();
        let rows = match known {
            Some(rows) => rows,
            None => {
                let rows: Rc<[Vec<i128>]> = self.hull_rows(&polyhedron, symbols.len())?.into();
                self.hulls.borrow_mut().insert(polyhedron, Rc::clone(&rows));
                rows
            }
        };
        let sum = |row: &Vec<i128>| Linear::of(row[0], symbols.iter().copied().zip(row[1..].iter().copied()));
        Ok(rows.iter().map(sum).collect())
    }

    /// The same as rows over the symbols of the facts.
    fn hull_rows(&self, polyhedron: &Polyhedron, symbols: usize) -> Result<Vec<Vec<i128>>> {
        let hull = self.set(polyhedron, symbols)?.affine_hull()?;
        let mut rows = Vec::new();
        for piece in hull.polyhedra()? {
            let plain = |row: &Vec<i64>| row[1 + symbols..].iter().all(|entry| *entry == 0);
            let without = 1 + symbols..1 + symbols + piece.locals;
            let own = piece.equalities.iter().filter(|row| row[without.clone()].iter().all(|entry| *entry == 0));
            rows.extend(own.filter(|row| plain(row)).map(|row| row[..=symbols].to_vec()));
        }
        Ok(saturated(1 + symbols, &rows))
    }
}

/// The facts as rows over their symbols, in a fixed order, and those symbols with `more`.
fn rows(facts: &Facts, more: &[Symbol]) -> Result<(Polyhedron, Vec<Symbol>)> {
    let mut symbols: Vec<Symbol> = facts.symbols().into_iter().collect();
    symbols.extend(more.iter().filter(|symbol| !facts.symbols().contains(symbol)));
    let narrow = |number: i128| {
        i64::try_from(number)
            .map_err(|_| Error { kind: ErrorKind::Limit, message: "a number is past 64 bits".to_string() })
    };
    let row = |sum: &Linear| -> Result<Vec<i64>> {
        let factor = |symbol: &Symbol| narrow(sum.factor(*symbol));
        let mut row = vec![narrow(sum.constant)?];
        for symbol in &symbols {
            row.push(factor(symbol)?);
        }
        Ok(row)
    };
    let all = |sums: &[Linear]| -> Result<Vec<Vec<i64>>> {
        let mut all = sums.iter().map(row).collect::<Result<Vec<_>>>()?;
        all.sort();
        all.dedup();
        Ok(all)
    };
    let (equalities, inequalities) = (all(&facts.zero)?, all(&facts.not_negative)?);
    Ok((Polyhedron { equalities, inequalities, locals: 0 }, symbols))
}

/// Generators of the integer vectors that are rational combinations of rows.
fn saturated(columns: usize, rows: &[Vec<i64>]) -> Vec<Vec<i128>> {
    if rows.is_empty() {
        return Vec::new();
    }
    let orthogonal = kernel(&Matrix::of(columns, rows));
    let narrow = |row: &Vec<_>| row.iter().map(|entry| i128::try_from(entry).ok()).collect::<Option<Vec<i128>>>();
    kernel(&orthogonal).rows().iter().filter_map(narrow).collect()
}

/// A basis of `{ x : A x = 0 }`, as rows: those of U next to the zero rows of `U Aᵀ`.
fn kernel(matrix: &Matrix) -> Matrix {
    let hermite = hermite_form(&transposed(matrix));
    let rank = hermite.pivots.len();
    Matrix::new(matrix.columns(), hermite.transform.rows()[rank..].to_vec())
}

fn transposed(matrix: &Matrix) -> Matrix {
    let rows = (0..matrix.columns()).map(|k| matrix.rows().iter().map(|row| row[k].clone()).collect()).collect();
    Matrix::new(matrix.rows().len(), rows)
}

/// Whether a sum is an integer combination of others.
fn is_in_lattice(sum: &Linear, generators: &[Linear]) -> bool {
    let mut symbols: Vec<Symbol> =
        generators.iter().chain([sum]).flat_map(|e| e.terms().iter().map(|own| own.0)).collect();
    symbols.sort();
    symbols.dedup();
    let row = |sum: &Linear| {
        let factors = symbols.iter().map(|symbol| sum.factor(*symbol));
        std::iter::once(sum.constant).chain(factors).map(Into::into).collect::<Vec<_>>()
    };
    let hermite = hermite_form(&Matrix::new(symbols.len() + 1, generators.iter().map(row).collect()));
    hermite.generates(row(sum))
}

#[cfg(test)]
mod tests {
    use super::{Facts, Judge, Linear};
    use polyfold_isl::Context;

    /// `x = y + 2`, `y >= n` and `x <= n + 1` can't be; with `x <= n + 2` they can, and with `2 x = 2 y + 3` no integers meet them.
    #[test]
    fn sums_are_solved_for_symbols_before_isl_is_asked() {
        let ctx = Context::new();
        let judge = Judge::new(&ctx);
        let [n, x, y] = [0; 3].map(|_| Linear::symbol(judge.fresh()));
        let facts = Facts::default().with_zero(x.minus(&y).and(-2)).with_not_negative(y.minus(&n));
        assert!(judge.is_empty(&facts.with_not_negative(n.minus(&x).and(1))).expect("isl"));
        assert_eq!(judge.asked(), 0);
        assert!(!judge.is_empty(&facts.with_not_negative(n.minus(&x).and(2))).expect("isl"));
        assert!(judge.is_empty(&Facts::default().with_zero(x.minus(&y).times(2).and(-3))).expect("isl"));
    }

    /// `x = 2 m` for a multiple m of b, and `2 y = x`: so y is one, and y + 1 isn't.
    #[test]
    fn half_of_twice_a_multiple_is_a_multiple() {
        let ctx = Context::new();
        let judge = Judge::new(&ctx);
        let [b, m, x, y] = [0; 4].map(|_| judge.fresh());
        let [b, x, y] = [b, x, y].map(Linear::symbol);
        let mut facts = Facts::default().with_not_negative(b.and(-1));
        facts = facts.with_zero(x.plus(&Linear::symbol(m), -2)).with_zero(y.times(2).minus(&x));
        facts.multiples.insert(m, b.clone());
        assert!(judge.is_multiple(&facts, &y, &b).expect("isl"));
        assert!(judge.is_multiple(&facts, &y.plus(&b, 3), &b).expect("isl"));
        assert!(!judge.is_multiple(&facts, &y.and(1), &b).expect("isl"));
        let five = Linear::number(5);
        let facts = Facts::default().with_zero(x.plus(&y, -10).and(-5));
        assert!(judge.is_multiple(&facts, &x, &five).expect("isl"));
        assert!(!judge.is_multiple(&facts, &x, &Linear::number(10)).expect("isl"));
    }
}
