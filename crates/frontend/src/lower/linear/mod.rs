//! Linearised arrays: `t[i * m + j]` read as `t[i][j]`, where that is provable.
//!
//! The idea: a subscript that multiplies counters by sizes is a polynomial p. For extents e₁, …, eₖ of rows (see [`strides`])
//! division gives
//!
//! ```text
//! p = (… (s₀ · e₁ + s₁) · e₂ + …) · eₖ + sₖ        with    0 <= sᵢ < eᵢ  for i >= 1
//! ```
//!
//! and where every reference to the array has affine subscripts of this kind, within these bounds wherever it happens and for all
//! sizes, then different subscripts are different cells, and the array is one of k + 1 dimensions. Quotients may be off by a row
//! (`t[i * m + m - 1 - j]` divides to row i + 1 and column -1 - j), so that a few neighbours are tried.
//!
//! Example: with `double *t = malloc(n * m * sizeof(double))`, `t[(i + 1) * m + j - 1]` for `1 <= j < m` is `t[i + 1][j - 1]`; with j from 0
//! on it is refused, since the last cell of the row before would have two names.
//!
//! Over-approximation: a condition on data is taken to hold. What cannot be shown stays one dimension of which any cell may be
//! touched.
//!
//! Papers: see [`strides`].

mod arithmetic;
mod polynomial;
mod size;
mod split;
mod strides;

pub(super) use polynomial::{Atoms, Polynomial};

use super::affine::NotAffine;
use super::arrays::Obstacle;
use super::{Lowered, Lowering, Meaning};
use crate::assume::assumptions;
pub(super) use arithmetic::Arithmetic;
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, UnaryOperator, Variable};
use polyfold_isl::Context;
use polyfold_scop::{ArrayId, Certainty, Code, Comparison, Condition, Expr, Node, Place, Scop, Span};
use split::Split;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use strides::{Rows, candidates};

/// Steps of isl for one question about a subscript.
const MOST_STEPS: u64 = 20_000_000;

/// A subscript that is a polynomial.
pub(super) struct Linear {
    /// The reference.
    place: Place,
    subscript: Polynomial,
    arithmetic: Option<Arithmetic>,
    /// Names in its text.
    names: HashSet<String>,
    text: String,
    span: Span,
    /// What it wants if it is to be affine.
    pins: BTreeSet<String>,
}

/// What a linearised array is read as.
pub(super) struct ReadAs {
    /// Extents behind the first.
    pub(super) rows: Vec<Expr>,
    /// The first, if the source says it.
    pub(super) first: Option<Expr>,
    pub(super) is_narrow: bool,
}

/// Why an array is not read so.
struct Refusal {
    reason: String,
    span: Span,
    help: &'static str,
}

const HELP: &str =
    "write subscripts that plainly stay in their row, or a pointer to rows: `double (*t)[m] = malloc(n * sizeof *t)`";

impl Lowering<'_> {
    /// Notes a subscript that is not affine, if it is a polynomial and the only one of its reference.
    pub(super) fn note_linear(&mut self, array: ArrayId, (e, place): (&Expression, &Place), error: &NotAffine) -> bool {
        let mark = self.mark();
        let found = self.polynomial(e).ok().filter(|found| found.coefficients(&self.atoms).is_some());
        let Some(subscript) = found else {
            self.forget_since(mark);
            return false;
        };
        let mut arithmetic = None;
        let noted = self.obligations_of(|walk| arithmetic = walk.linear_arithmetic(e));
        self.note_obligations(array, noted);
        let mut names = HashSet::new();
        e.walk(&mut |part| {
            if let ExpressionKind::Name(name, _) = &part.kind {
                names.insert(name.clone());
            }
        });
        let text = self.site.expanded.text.get(e.span.clone()).unwrap_or("").to_string();
        self.linear.entry(array).or_default().push(Linear {
            place: place.clone(),
            subscript,
            arithmetic,
            names,
            text,
            span: e.span.clone(),
            pins: error.pins.clone(),
        });
        true
    }

    /// Whether the subscript of a reference is noted.
    pub(super) fn is_noted(&self, array: ArrayId, place: &Place) -> bool {
        self.linear.get(&array).is_some_and(|noted| noted.iter().any(|l| l.place == *place))
    }

    /// What a local integer stands for that is set once, to a polynomial that C computes as such.
    pub(super) fn linear_value(&mut self, variable: &Variable, value: &Expression) -> Option<Meaning> {
        let mark = self.mark();
        let Ok(polynomial) = self.polynomial(value) else {
            self.forget_since(mark);
            return None;
        };
        let mut arithmetic = None;
        let noted = self.obligations_of(|walk| arithmetic = walk.linear_arithmetic(value));
        let kept = arithmetic.filter(|kind| noted.is_empty() && self.keeps(value, variable.scalar, *kind))?;
        Some(Meaning::Linear(polynomial, kept))
    }

    /// The polynomial that an expression is.
    pub(super) fn polynomial(&mut self, e: &Expression) -> Result<Polynomial, NotAffine> {
        if let Some(Meaning::Linear(value, _)) = e.variable().and_then(|id| self.meaning(id)) {
            return Ok(value.clone());
        }
        let error = match self.affine(e) {
            Ok(affine) => return Polynomial::of(&affine, &mut self.atoms).ok_or_else(|| past_64_bits(e)),
            Err(error) => error,
        };
        let both = |walk: &mut Self, a: &Expression, b: &Expression| Ok((walk.polynomial(a)?, walk.polynomial(b)?));
        let found = match &e.kind {
            ExpressionKind::Cast(to, inner) if to.is_wide_integer() => return self.polynomial(inner),
            ExpressionKind::Unary(UnaryOperator::Plus, inner) => return self.polynomial(inner),
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => {
                Polynomial::default().plus(-1, &self.polynomial(inner)?)
            }
            ExpressionKind::Binary(BinaryOperator::Add, a, b) => both(self, a, b).map(|(a, b)| a.plus(1, &b))?,
            ExpressionKind::Binary(BinaryOperator::Subtract, a, b) => both(self, a, b).map(|(a, b)| a.plus(-1, &b))?,
            ExpressionKind::Binary(BinaryOperator::Multiply, a, b) => both(self, a, b).map(|(a, b)| a.times(&b))?,
            _ => return Err(error),
        };
        found.ok_or_else(|| past_64_bits(e))
    }

    /// Reads the arrays with noted subscripts as ones of several dimensions, or says why not.
    pub(super) fn delinearise(&mut self, body: &[Node]) -> Lowered<()> {
        let noted = std::mem::take(&mut self.linear);
        if noted.is_empty() {
            return Ok(());
        }
        let variables: Vec<_> = noted.keys().map(|array| self.arrays.entries[array.0].variable).collect();
        let sizes: Vec<_> = variables.into_iter().map(|id| self.size_of(id?)).collect();
        let mut trial = self.trial(body);
        if self.takes_assumptions {
            trial.known = assumptions(&trial, &self.site.options.assume);
        }
        let ctx = Context::new();
        for ((array, linear), size) in noted.into_iter().zip(sizes) {
            if self.arrays.entries[array.0].obstacle.is_some() {
                self.touch_any_cell(array);
                continue;
            }
            match self.read_as(&ctx, &trial, (array, size), &linear) {
                Ok((read, splits)) => self.apply(array, read, splits),
                Err(refusal) => self.refuse_linear(array, refusal, &linear),
            }
        }
        self.check_pins()
    }

    fn refuse_linear(&mut self, array: ArrayId, refusal: Refusal, linear: &[Linear]) {
        self.refused_linear |= self.may_shrink(array);
        if self.may_shrink(array) {
            self.wanted_pins.extend(linear.iter().flat_map(|l| l.pins.iter().cloned()));
        }
        self.touch_any_cell(array);
        let Refusal { reason, span, help } = refusal;
        self.arrays.obstruct(array, Obstacle { code: Code::RowsNotKept, reason, span, label: "not affine", help });
    }

    /// References that were taken to be read as rows may touch any cell after all.
    fn touch_any_cell(&mut self, array: ArrayId) {
        for access in self.statements.iter_mut().flat_map(|statement| &mut statement.accesses) {
            if access.array == array && access.subscripts.is_none() {
                access.certainty = Certainty::May;
            }
        }
    }

    fn read_as(
        &mut self,
        ctx: &Context,
        trial: &Scop,
        (array, size): (ArrayId, Option<Vec<Polynomial>>),
        linear: &[Linear],
    ) -> Result<(ReadAs, Vec<Split>), Refusal> {
        let references = self.references(array, linear)?;
        let polynomials: Vec<Polynomial> = references.iter().map(|(_, _, p)| p.clone()).collect();
        let factors = size.clone().unwrap_or_default();
        let candidates = candidates(&polynomials, &factors, &self.atoms);
        let mut refusal = None;
        for rows in &candidates {
            let first = size.as_ref().and_then(|factors| self.first_extent(factors, rows));
            let trial = &with_cells(trial, first.as_ref(), rows);
            match self.split_all(ctx, trial, rows, &references, linear) {
                Ok(splits) => {
                    self.check_inside(ctx, trial, (first.as_ref(), rows), &splits, linear)?;
                    let rows = rows.iter().map(|(_, extent)| extent.clone()).collect();
                    let is_narrow = self.is_narrow(&splits, linear);
                    return Ok((ReadAs { rows, first, is_narrow }, splits));
                }
                Err(why) => {
                    refusal.get_or_insert(why);
                }
            }
        }
        Err(refusal.unwrap_or_else(|| {
            let line = self.line(&linear[0].span);
            let reason = format!(
                "its subscript at line {line} is not affine, and `{}` does not show rows of one length",
                linear[0].text
            );
            Refusal { reason, span: linear[0].span.clone(), help: HELP }
        }))
    }

    fn apply(&mut self, array: ArrayId, read: ReadAs, splits: Vec<Split>) {
        for Split { statement, access, subscripts } in splits {
            self.statements[statement].accesses[access].subscripts = Some(subscripts);
        }
        self.arrays.entries[array.0].dimensions = read.rows.len() + 1;
        self.arrays.entries[array.0].read_as = Some(read);
    }

    /// The scop as far as it is known, to ask for the values of subscripts.
    fn trial(&self, body: &[Node]) -> Scop {
        Scop {
            function: String::new(),
            line: self.site.line,
            span: self.site.span.clone(),
            lead: None,
            parameters: self.parameters.clone(),
            known: Vec::new(),
            assumed: Vec::new(),
            under_assumptions: None,
            surroundings: None,
            obligations: Vec::new(),
            limits: Vec::new(),
            pinned: Vec::new(),
            repeats: false,
            outlived: Vec::new(),
            stand_ins: Vec::new(),
            arrays: Vec::new(),
            statements: self.statements.clone(),
            body: body.to_vec(),
            fragments: Vec::new(),
            program: None,
            outline: None,
            written: None,
            order: None,
            expanded: None,
        }
    }
}

/// The scop for sizes with which an array, besides, has cells: for others no reference to it has a meaning in C.
fn with_cells(trial: &Scop, first: Option<&Expr>, rows: &Rows) -> Scop {
    let has_some = |extent: &Expr| Condition::Compare(extent.clone(), Comparison::GreaterEqual, Expr::Constant(1));
    let extents = first.into_iter().flat_map(|first| std::iter::once(first).chain(rows.iter().map(|(_, row)| row)));
    Scop { known: trial.known.iter().cloned().chain(extents.map(has_some)).collect(), ..trial.clone() }
}

fn past_64_bits(e: &Expression) -> NotAffine {
    NotAffine {
        span: e.span.clone(),
        why: "it has a number past 64 bits".to_string(),
        pins: BTreeSet::new(),
        help: None,
    }
}

/// The noted subscripts, by array.
pub(super) type Noted = BTreeMap<ArrayId, Vec<Linear>>;
