//! New loops that inherit a pragma of the source which gives iterations to several threads.
//!
//! A new loop with the counter c goes through the iterations of an old one with the counter i if, for each of its statements,
//!
//! ```text
//! i = ±c + e,    where e is fixed inside the new loop: sizes and counters around it
//! ```
//!
//! It inherits the pragma of that old loop, and of several that have none but such in it, if no two of its iterations depend on each
//! other. That is proved, whatever the pragma promises. Of nested loops the outermost one inherits.
//!
//! ```text
//! #pragma omp parallel for           becomes, in the order [j, i],       for (j …)
//! for (i …) for (j …)                                                      #pragma omp parallel for
//!   a[i][j] = a[i][j - 1];                                                 for (i …)
//! ```

use super::affine::Affine;
use super::parallel::is_canonical;
use super::threads::{ThreadPragma, Threads};
use polyfold_isl::{Ast, AstExpr, Result};
use polyfold_scop::{Scop, Span, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// A new loop that goes through iterations of loops with pragmas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heir {
    /// The dimension of the dates that it goes through.
    pub dimension: usize,
    /// What runs in it, in the order of the scop of pieces.
    pub statements: Vec<StatementId>,
    /// The pragmas of its old loops.
    pub pragmas: Vec<Span>,
    /// What the pragma in front of it says, without names of counters.
    pub(super) directive: String,
    threads: Threads,
}

/// A pragma of which some statement's loops have nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The directive.
    pub span: Span,
    /// Whether all of its statements run in loops that inherit another one.
    pub is_nested: bool,
}

/// What becomes of the pragmas.
#[derive(Clone, Debug, Default)]
pub(super) struct Inheritance {
    /// Loops that get one.
    pub(super) heirs: Vec<Heir>,
    /// What nobody gets.
    pub(super) lost: Vec<Lost>,
}

/// Finds the heirs, asking whether no two iterations of a loop depend on each other.
pub(super) fn inherited(
    ast: &Ast,
    scop: &Scop,
    pragmas: &[ThreadPragma],
    are_independent: &mut dyn FnMut(&Heir) -> Result<bool>,
) -> Result<Inheritance> {
    let mut search = Search { scop, pragmas, are_independent, heirs: Vec::new() };
    search.visit(ast)?;
    let heirs = search.heirs;
    let lost = pragmas.iter().filter_map(|pragma| lost(scop, pragma, &heirs)).collect();
    Ok(Inheritance { heirs, lost })
}

/// Whether some statement of a pragma's loops has no heir of it.
fn lost(scop: &Scop, pragma: &ThreadPragma, heirs: &[Heir]) -> Option<Lost> {
    let is_own = |id: &StatementId| scop.statement(*id).loops.iter().any(|l| pragma.loops.contains(l));
    let own: Vec<StatementId> = (0..scop.statements.len()).map(StatementId).filter(is_own).collect();
    let all_in = |is_asked_for: &dyn Fn(&Heir) -> bool| {
        own.iter().all(|id| heirs.iter().any(|heir| is_asked_for(heir) && heir.statements.contains(id)))
    };
    let is_lost = !all_in(&|heir| heir.pragmas.contains(&pragma.span));
    is_lost.then(|| Lost { span: pragma.span.clone(), is_nested: all_in(&|_| true) })
}

impl Inheritance {
    /// The pragma in front of a loop, without names of counters.
    pub(super) fn directive(&self, dimension: usize, body: &Ast, scop: &Scop) -> Option<&str> {
        let heir = self.heirs.iter().find(|heir| heir.is(dimension, body, scop))?;
        Some(&heir.directive)
    }

    /// Whether all that runs is divided among threads that run the scop.
    pub(super) fn divides_all(&self, ast: &Ast, scop: &Scop) -> bool {
        match ast {
            Ast::For { dimension, body, .. } => {
                let divides = |heir: &Heir| heir.threads == Threads::Around && heir.is(*dimension, body, scop);
                self.heirs.iter().any(divides) || self.divides_all(body, scop)
            }
            Ast::If { then, otherwise, .. } => {
                self.divides_all(then, scop) && otherwise.iter().all(|ast| self.divides_all(ast, scop))
            }
            Ast::Block(all) => all.iter().all(|ast| self.divides_all(ast, scop)),
            Ast::Point { .. } => false,
        }
    }
}

impl Heir {
    /// Whether it is the loop of a dimension with this body.
    fn is(&self, dimension: usize, body: &Ast, scop: &Scop) -> bool {
        let names: BTreeSet<&str> = self.statements.iter().map(|id| scop.statement(*id).name.as_str()).collect();
        self.dimension == dimension && names == statements_of(body)
    }
}

struct Search<'a> {
    scop: &'a Scop,
    pragmas: &'a [ThreadPragma],
    are_independent: &'a mut dyn FnMut(&Heir) -> Result<bool>,
    heirs: Vec<Heir>,
}

impl Search<'_> {
    fn visit(&mut self, ast: &Ast) -> Result<()> {
        match ast {
            Ast::For { dimension, iterator, condition, body, .. } => {
                let heir = self.heir(*dimension, iterator, body).filter(|_| is_canonical(iterator, condition));
                match heir {
                    Some(heir) if self.heirs.contains(&heir) => Ok(()),
                    Some(heir) if (self.are_independent)(&heir)? => {
                        self.heirs.push(heir);
                        Ok(())
                    }
                    _ => self.visit(body),
                }
            }
            Ast::If { then, otherwise, .. } => {
                self.visit(then)?;
                otherwise.iter().try_for_each(|ast| self.visit(ast))
            }
            Ast::Block(all) => all.iter().try_for_each(|ast| self.visit(ast)),
            Ast::Point { .. } => Ok(()),
        }
    }

    /// What a loop might be.
    fn heir(&self, dimension: usize, counter: &str, body: &Ast) -> Option<Heir> {
        let (mut points, mut inner) = (Vec::new(), BTreeSet::new());
        collect(body, &mut points, &mut inner);
        let is_fixed = |name: &str| name != counter && !inner.contains(name);
        let mut by_statement = BTreeMap::new();
        for (name, coordinates) in points {
            let id = self.scop.statements.iter().position(|statement| statement.name == *name)?;
            let pragma = self.pragma_of(StatementId(id), coordinates, (counter, &is_fixed))?;
            by_statement.insert(StatementId(id), pragma);
        }
        let mut own: Vec<&ThreadPragma> = by_statement.values().copied().collect();
        own.sort_by_key(|pragma| pragma.span.start);
        own.dedup();
        Some(Heir {
            dimension,
            statements: by_statement.into_keys().collect(),
            directive: directive(&own)?,
            threads: own.first()?.threads,
            pragmas: own.into_iter().map(|pragma| pragma.span.clone()).collect(),
        })
    }

    /// The pragma of the loop whose counter is, at a point, `±counter + e` with a fixed e.
    fn pragma_of(
        &self,
        id: StatementId,
        coordinates: &[AstExpr],
        (counter, is_fixed): (&str, &dyn Fn(&str) -> bool),
    ) -> Option<&ThreadPragma> {
        let goes_through = |value: &AstExpr| {
            let factor = Affine::of(value).and_then(|sum| sum.factor_of(counter));
            matches!(factor, Some(1 | -1)) && !value.mentions(&|name| name != counter && !is_fixed(name))
        };
        let loops = self.scop.statement(id).loops.iter().zip(coordinates);
        let mut own = loops.filter(|(_, value)| goes_through(value)).map(|(id, _)| id);
        own.find_map(|id| self.pragmas.iter().find(|pragma| pragma.loops.contains(id)))
    }
}

fn collect<'a>(ast: &'a Ast, points: &mut Vec<(&'a String, &'a [AstExpr])>, counters: &mut BTreeSet<&'a str>) {
    ast.each(&mut |ast| match ast {
        Ast::For { iterator, .. } => drop(counters.insert(iterator)),
        Ast::Point { name, coordinates } => points.push((name, coordinates)),
        Ast::If { .. } | Ast::Block(_) => {}
    });
}

/// What some pragmas have in common; `None`: only some make threads.
fn directive(pragmas: &[&ThreadPragma]) -> Option<String> {
    let (first, others) = pragmas.split_first()?;
    let head = match first.threads {
        Threads::Own => "#pragma omp parallel for",
        Threads::Around => "#pragma omp for",
    };
    let is_common = |clause: &&String| others.iter().all(|other| other.clauses.contains(clause));
    let clauses: String = first.clauses.iter().filter(is_common).map(|clause| format!(" {clause}")).collect();
    others.iter().all(|other| other.threads == first.threads).then(|| format!("{head}{clauses}"))
}

/// The names of what runs in a loop.
fn statements_of(body: &Ast) -> BTreeSet<&str> {
    let (mut points, mut counters) = (Vec::new(), BTreeSet::new());
    collect(body, &mut points, &mut counters);
    points.into_iter().map(|(name, _)| name.as_str()).collect()
}
