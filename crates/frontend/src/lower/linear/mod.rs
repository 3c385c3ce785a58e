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
mod strides;

pub(super) use polynomial::{Atoms, Polynomial};

use super::affine::NotAffine;
use super::arrays::Obstacle;
use super::{Lowered, Lowering, Meaning};
use crate::syntax::{BinaryOperator, Derivation, Expression, ExpressionKind, UnaryOperator, Variable, VariableId};
pub(super) use arithmetic::Arithmetic;
use polyfold_flow::stays_within;
use polyfold_isl::Context;
use polyfold_scop::{ArrayId, Certainty, Comparison, Condition, Expr, Node, Place, Scop, Span, StatementId, Storage};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use strides::{Rows, candidates};

/// Steps of isl for all linearised arrays of a scop.
const MOST_STEPS: u64 = 20_000_000;

/// How many rows a quotient may be off.
const NEIGHBOURS: [i64; 5] = [0, 1, -1, 2, -2];

/// A subscript that is a polynomial.
pub(super) struct Linear {
    /// The reference.
    place: Place,
    subscript: Polynomial,
    arithmetic: Option<Arithmetic>,
    /// Whether the reference surely happens where its condition holds.
    is_sure: bool,
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

/// A reference with its subscripts.
struct Split {
    statement: usize,
    access: usize,
    subscripts: Vec<Expr>,
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
    pub(super) fn note_linear(
        &mut self,
        array: ArrayId,
        (e, place): (&Expression, &Place),
        is_sure: bool,
        error: &NotAffine,
    ) -> bool {
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
            is_sure,
            names,
            text,
            span: e.span.clone(),
            pins: error.pins.clone(),
        });
        true
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
        let trial = self.trial(body);
        let ctx = Context::new();
        for ((array, linear), size) in noted.into_iter().zip(sizes) {
            if self.arrays.entries[array.0].obstacle.is_some() {
                continue;
            }
            match self.read_as(&ctx, &trial, (array, size), &linear) {
                Ok((read, splits)) => self.apply(array, read, splits, &linear),
                Err(refusal) => self.refuse_linear(array, refusal, &linear),
            }
        }
        self.check_pins()
    }

    fn refuse_linear(&mut self, array: ArrayId, refusal: Refusal, linear: &[Linear]) {
        if self.may_shrink(array) {
            self.wanted_pins.extend(linear.iter().flat_map(|l| l.pins.iter().cloned()));
        }
        let Refusal { reason, span, help } = refusal;
        self.arrays.obstruct(array, Obstacle { reason, span, label: "not affine", help });
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

    /// All references to an array as polynomials, with statement and number of the access.
    fn references(&mut self, array: ArrayId, linear: &[Linear]) -> Result<Vec<(usize, usize, Polynomial)>, Refusal> {
        if let Some(wraps) = linear.iter().find(|l| l.arithmetic.is_none()) {
            let line = self.line(&wraps.span);
            let reason =
                format!("its subscript at line {line} multiplies in unsigned arithmetic, which may wrap around");
            let help = "compute it as `int`, or as `size_t` from sizes that are `int`";
            return Err(Refusal { reason, span: wraps.span.clone(), help });
        }
        let mut found = Vec::new();
        for (statement, accesses) in self.statements.iter().map(|s| &s.accesses).enumerate() {
            for (at, access) in accesses.iter().enumerate().filter(|(_, a)| a.array == array) {
                let polynomial = match access.subscripts.as_deref() {
                    Some([affine]) => Polynomial::of(affine, &mut self.atoms),
                    _ => linear.iter().find(|l| l.place == access.place).map(|l| l.subscript.clone()),
                };
                let Some(polynomial) = polynomial else {
                    let reason = format!(
                        "line {} uses it in a way that polyfold does not follow",
                        self.statements[statement].line
                    );
                    return Err(Refusal { reason, span: linear[0].span.clone(), help: HELP });
                };
                found.push((statement, at, polynomial));
            }
        }
        Ok(found)
    }

    fn split_all(
        &self,
        ctx: &Context,
        trial: &Scop,
        rows: &Rows,
        references: &[(usize, usize, Polynomial)],
        linear: &[Linear],
    ) -> Result<Vec<Split>, Refusal> {
        let mut splits: Vec<Split> = Vec::new();
        for (statement, access, polynomial) in references {
            let at = (StatementId(*statement), &trial.statements[*statement].accesses[*access].condition);
            let found = self.split(ctx, trial, rows, at, polynomial);
            let Some(subscripts) = found.filter(|s| self.can_be_written(s, trial, *statement, *access, linear)) else {
                return Err(self.outside_row(rows, (*statement, *access), linear, trial));
            };
            splits.push(Split { statement: *statement, access: *access, subscripts });
        }
        Ok(splits)
    }

    /// The subscripts of one reference, innermost row first settled.
    fn split(
        &self,
        ctx: &Context,
        trial: &Scop,
        rows: &Rows,
        at: (StatementId, &Condition),
        polynomial: &Polynomial,
    ) -> Option<Vec<Expr>> {
        let mut rest = polynomial.clone();
        let mut subscripts = Vec::new();
        for (extent, bound) in rows.iter().rev() {
            let (quotient, within) = rest.divided_by(extent)?;
            let neighbour = NEIGHBOURS.into_iter().find_map(|by| {
                let moved = within.clone().plus(by, extent)?.affine(&self.atoms)?;
                let stays = ctx.with_quota(MOST_STEPS, || stays_within(ctx, trial, at, &[(&moved, bound)]));
                stays.unwrap_or(false).then_some((by, moved))
            });
            let (by, moved) = neighbour?;
            subscripts.push(moved);
            rest = quotient.plus(-by, &Polynomial::constant(1))?;
        }
        subscripts.push(rest.affine(&self.atoms)?);
        subscripts.reverse();
        Some(subscripts)
    }

    /// Modulo 2^64 subscripts are exact if they are inside the array.
    fn check_inside(
        &self,
        ctx: &Context,
        trial: &Scop,
        (first, rows): (Option<&Expr>, &Rows),
        splits: &[Split],
        linear: &[Linear],
    ) -> Result<(), Refusal> {
        for split in splits {
            let access = &trial.statements[split.statement].accesses[split.access];
            let Some(noted) = linear.iter().find(|l| l.place == access.place) else { continue };
            if noted.arithmetic != Some(Arithmetic::Modular) {
                continue;
            }
            let extents = first.into_iter().chain(rows.iter().map(|(_, extent)| extent));
            let bounds: Vec<_> = split.subscripts.iter().zip(extents).collect();
            let at = (StatementId(split.statement), &access.condition);
            let is_all = bounds.len() == split.subscripts.len() && first.is_some();
            let stays = is_all && ctx.with_quota(MOST_STEPS, || stays_within(ctx, trial, at, &bounds)).unwrap_or(false);
            if !stays {
                let line = self.line(&noted.span);
                let reason = format!(
                    "its subscript at line {line} multiplies two 64-bit sizes, which may wrap around where it is outside the array"
                );
                let help = "make the sizes `int`, and multiply as `(size_t)i * n`";
                return Err(Refusal { reason, span: noted.span.clone(), help });
            }
        }
        Ok(())
    }

    /// Whether every cell's number is computed as an `int`; what stands in the first row is one.
    fn is_narrow(&self, splits: &[Split], linear: &[Linear]) -> bool {
        splits.iter().all(|split| {
            let access = &self.statements[split.statement].accesses[split.access];
            match linear.iter().find(|l| l.place == access.place) {
                Some(noted) => noted.arithmetic == Some(Arithmetic::Narrow),
                None => split.subscripts.iter().rev().skip(1).all(|row| *row == Expr::Constant(0)),
            }
        })
    }

    fn outside_row(&self, rows: &Rows, (statement, at): (usize, usize), linear: &[Linear], trial: &Scop) -> Refusal {
        let access = &self.statements[statement].accesses[at];
        let lengths: Vec<String> = rows.iter().map(|(_, extent)| format!("`{}`", trial.show(extent))).collect();
        let noted = linear.iter().find(|l| l.place == access.place);
        let (text, span) = match noted {
            Some(noted) => (format!(", `{}`,", noted.text), noted.span.clone()),
            None => (String::new(), linear[0].span.clone()),
        };
        let line = self.statements[statement].line;
        let line = noted.map_or(line, |noted| self.line(&noted.span));
        let reason = format!(
            "its subscript at line {line}{text} may leave its row of {} cells, and is not affine as a whole",
            lengths.join(" by ")
        );
        Refusal { reason, span, help: HELP }
    }

    /// Whether subscripts of an array that may change can stand in the text: each name means the same there.
    fn can_be_written(
        &self,
        subscripts: &[Expr],
        trial: &Scop,
        statement: usize,
        at: usize,
        linear: &[Linear],
    ) -> bool {
        let access = &self.statements[statement].accesses[at];
        if !self.may_shrink(access.array) {
            return true;
        }
        let Some(noted) = linear.iter().find(|l| l.place == access.place) else { return true };
        let loops = trial.loops();
        let mut names = Vec::new();
        subscripts.iter().for_each(|subscript| names_in(subscript, trial, &mut names));
        let around: Vec<&str> =
            self.statements[statement].loops.iter().map(|id| loops[id.0].iterator.as_str()).collect();
        let is_hidden = |name: &String| around.iter().filter(|other| *other == name).count() > 1;
        let is_declared_again = |name: &String| {
            let mut inside =
                self.facts.declared_inside.iter().filter(|id| self.site.unit.variables[**id].name == *name);
            inside.any(|id| !self.facts.counters.contains(id))
        };
        names.iter().all(|name| noted.names.contains(name) || !(is_hidden(name) || is_declared_again(name)))
    }

    fn apply(&mut self, array: ArrayId, read: ReadAs, splits: Vec<Split>, linear: &[Linear]) {
        for Split { statement, access, subscripts } in splits {
            let access = &mut self.statements[statement].accesses[access];
            if let Some(noted) = linear.iter().find(|l| l.place == access.place && access.subscripts.is_none())
                && noted.is_sure
            {
                access.certainty = Certainty::Must;
            }
            access.subscripts = Some(subscripts);
        }
        self.arrays.entries[array.0].dimensions = read.rows.len() + 1;
        self.arrays.entries[array.0].read_as = Some(read);
    }

    /// The factors of an array's number of cells; `None` where the source does not say it, or sizes change after that.
    pub(super) fn size_of(&mut self, id: VariableId) -> Option<Vec<Polynomial>> {
        let variable = &self.site.unit.variables[id];
        let (expressions, at) = match (self.facts.allocations.get(&id), variable.shape.as_slice()) {
            (Some(Ok(found)), _) => (found.factors.clone(), found.statement.start),
            (None, [Derivation::Array(Some(extent))])
                if variable.storage != Storage::Parameter || self.is_forced(&variable.name) =>
            {
                let mut factors = Vec::new();
                product(extent, &mut factors);
                (factors, self.declared_at(variable))
            }
            _ => return None,
        };
        if expressions.iter().any(|e| self.changes_after(e, at)) {
            return None;
        }
        let mark = self.mark();
        let factors: Result<Vec<Polynomial>, NotAffine> = expressions.iter().map(|e| self.polynomial(e)).collect();
        if factors.is_err() {
            self.forget_since(mark);
        }
        factors.ok()
    }

    /// The first extent of an array with so many cells in such rows.
    pub(super) fn first_extent(&self, factors: &[Polynomial], rows: &Rows) -> Option<Expr> {
        let all = factors.iter().try_fold(Polynomial::constant(1), |all, factor| all.times(factor))?;
        let row = rows.iter().try_fold(Polynomial::constant(1), |all, (extent, _)| all.times(extent))?;
        match all.divided_by(&row)? {
            (quotient, rest) if rest == Polynomial::default() => quotient.affine(&self.atoms),
            _ => None,
        }
    }

    /// An extent of rows.
    pub(super) fn as_row(&mut self, extent: &Expr) -> Option<(Polynomial, Expr)> {
        Some((Polynomial::of(extent, &mut self.atoms)?, extent.clone()))
    }

    /// A size as C text.
    pub(super) fn size_text(&self, size: &Expr) -> String {
        self.trial(&[]).show(size)
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
            obligations: Vec::new(),
            limits: Vec::new(),
            pinned: Vec::new(),
            repeats: false,
            outlived: Vec::new(),
            arrays: Vec::new(),
            statements: self.statements.clone(),
            body: body.to_vec(),
            fragments: Vec::new(),
        }
    }
}

/// The scop for sizes with which an array has cells: for others no reference to it has a meaning in C.
fn with_cells(trial: &Scop, first: Option<&Expr>, rows: &Rows) -> Scop {
    let has_some = |extent: &Expr| Condition::Compare(extent.clone(), Comparison::GreaterEqual, Expr::Constant(1));
    let extents = first.into_iter().flat_map(|first| std::iter::once(first).chain(rows.iter().map(|(_, row)| row)));
    Scop { known: extents.map(has_some).collect(), ..trial.clone() }
}

fn past_64_bits(e: &Expression) -> NotAffine {
    NotAffine { span: e.span.clone(), why: "it has a number past 64 bits".to_string(), pins: BTreeSet::new() }
}

/// The operands of a product.
fn product(e: &Expression, factors: &mut Vec<Expression>) {
    match &e.kind {
        ExpressionKind::Binary(BinaryOperator::Multiply, a, b) => {
            product(a, factors);
            product(b, factors);
        }
        _ => factors.push(e.clone()),
    }
}

/// The names of counters and sizes in an expression.
fn names_in(e: &Expr, scop: &Scop, names: &mut Vec<String>) {
    match e {
        Expr::Constant(_) => {}
        Expr::Iterator(id) => names.push(scop.loops()[id.0].iterator.clone()),
        Expr::Parameter(id) => names.push(scop.parameters[id.0].name.clone()),
        Expr::Add(a, b) => {
            names_in(a, scop, names);
            names_in(b, scop, names);
        }
        Expr::Scale(_, a) | Expr::Divide(a, _) | Expr::Remainder(a, _) => names_in(a, scop, names),
        Expr::Select(condition, a, b) => {
            names_in_condition(condition, scop, names);
            names_in(a, scop, names);
            names_in(b, scop, names);
        }
    }
}

fn names_in_condition(condition: &Condition, scop: &Scop, names: &mut Vec<String>) {
    match condition {
        Condition::Unknown => {}
        Condition::Not(inner) => names_in_condition(inner, scop, names),
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().for_each(|part| names_in_condition(part, scop, names));
        }
        Condition::Compare(a, _, b) => {
            names_in(a, scop, names);
            names_in(b, scop, names);
        }
    }
}

/// The noted subscripts, by array.
pub(super) type Noted = BTreeMap<ArrayId, Vec<Linear>>;
