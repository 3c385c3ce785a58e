//! One reference to a linearised array as subscripts, each proved to stay in its row.
//!
//! The subscript is divided by the innermost extent, the quotient by the next one, and so on; what is left over each time is a
//! subscript, if it stays within `[0, extent)` wherever the reference happens. Otherwise a row next to it is tried.

use super::super::Lowering;
use super::strides::Rows;
use super::{Arithmetic, HELP, Linear, MOST_STEPS, Polynomial, Refusal};
use polyfold_flow::stays_within;
use polyfold_isl::Context;
use polyfold_scop::{ArrayId, Condition, Expr, Scop, StatementId};

/// How many rows a quotient may be off.
const NEIGHBOURS: [i64; 5] = [0, 1, -1, 2, -2];

/// A reference with its subscripts.
pub(super) struct Split {
    pub(super) statement: usize,
    pub(super) access: usize,
    pub(super) subscripts: Vec<Expr>,
}

impl Lowering<'_> {
    /// All references to an array as polynomials, with statement and number of the access.
    pub(super) fn references(
        &mut self,
        array: ArrayId,
        linear: &[Linear],
    ) -> Result<Vec<(usize, usize, Polynomial)>, Refusal> {
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

    pub(super) fn split_all(
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
    pub(super) fn check_inside(
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
    pub(super) fn is_narrow(&self, splits: &[Split], linear: &[Linear]) -> bool {
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
