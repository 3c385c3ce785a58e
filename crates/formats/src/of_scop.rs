//! A scop as a problem.
//!
//! Domains, dates and relations of a piece ([`pieces`](crate::pieces)) are those of its statements together, by the loops around it.

use crate::body::body;
use crate::pieces::{At, Obstacle, Piece, pieces};
use crate::problem::{Access, AccessKind, Array, Parameter, Problem, Role, Statement};
use polyfold_flow::{Model, isl_name};
use polyfold_isl::{Error, Map, Result, Set};
use polyfold_scop::{Certainty, Expr, Kept, Liveness, ParameterOrigin, Scop, StatementId};

/// Why a scop is no problem.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Something keeps it in one piece.
    Whole(Obstacle),
    /// The work bound is reached.
    Isl(Error),
    /// Its arithmetic may wrap around, and sets have none that does.
    Wraps,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Isl(error)
    }
}

impl From<Obstacle> for Refusal {
    fn from(obstacle: Obstacle) -> Refusal {
        Refusal::Whole(obstacle)
    }
}

impl Problem {
    /// The problem that a scop is, without the lines that its bodies may need.
    ///
    /// # Errors
    /// When it cannot be taken apart into statements with a text of their own, or the work bound is reached.
    pub fn of(model: &Model) -> std::result::Result<Problem, Refusal> {
        let scop = model.scop;
        if !model.known.is_subset(&model.context)? {
            return Err(Refusal::Wraps);
        }
        let written = scop.written.as_ref().ok_or_else(not_apart)?;
        let reading = Reading { model };
        Ok(Problem {
            name: scop.function.clone(),
            parameters: reading.parameters(),
            context: model.known.clone(),
            arrays: reading.arrays(),
            statements: pieces(scop, written)?
                .iter()
                .map(|piece| reading.statement(piece))
                .collect::<std::result::Result<_, _>>()?,
            prelude: Vec::new(),
            place: None,
        })
    }
}

fn not_apart() -> Obstacle {
    let what = "a macro makes several of its statements, or parts of one".to_string();
    Obstacle { what, at: At::Scop, help: "write out what it stands for" }
}

struct Reading<'a> {
    model: &'a Model<'a>,
}

impl Reading<'_> {
    fn scop(&self) -> &Scop {
        self.model.scop
    }

    fn parameters(&self) -> Vec<Parameter> {
        let words = |(k, parameter): (usize, &polyfold_scop::Parameter)| match (&parameter.origin, parameter.most) {
            (ParameterOrigin::Constant(_), _) if self.scop().size_type(k).is_signed() => "int",
            (ParameterOrigin::Constant(_), _) => "unsigned",
            (_, Some(most)) if most == i128::from(i32::MAX) => "int",
            (_, Some(most)) if most == i128::from(u32::MAX) => "unsigned",
            (_, Some(most)) if most == i128::from(i16::MAX) => "short",
            (_, Some(most)) if most == i128::from(u16::MAX) => "unsigned short",
            (_, Some(most)) if most > i128::from(i64::MAX) => "unsigned long",
            _ => "long",
        };
        let value = |origin: &ParameterOrigin| match origin {
            ParameterOrigin::Constant(value) => Some(*value),
            ParameterOrigin::Variable => None,
        };
        (self.scop().parameters.iter().zip(&self.model.parameters).enumerate())
            .map(|(k, (p, isl))| Parameter {
                name: p.name.clone(),
                isl: isl.clone(),
                words: words((k, p)).to_string(),
                value: value(&p.origin),
            })
            .collect()
    }

    fn arrays(&self) -> Vec<Array> {
        let is_ours = |a: &&polyfold_scop::Array| !a.declaration.as_ref().is_some_and(|d| d.inside_scop);
        let array = |a: &polyfold_scop::Array| Array {
            name: a.name.clone(),
            isl: isl_name(&a.name),
            declaration: self.declaration(a),
            role: role(&a.role),
        };
        self.scop().arrays.iter().filter(is_ours).map(array).collect()
    }

    /// `float rows[h][w]`; the first extent may be missing.
    fn declaration(&self, array: &polyfold_scop::Array) -> Option<String> {
        let shown = |extent: &Option<Expr>| extent.as_ref().map(|extent| self.scop().show(extent));
        let extents: Vec<Option<String>> = array.extents.iter().map(shown).collect();
        let text = if array.linearised { format!("[{}]", cells(&extents)) } else { brackets(&extents)? };
        Some(format!("{} {}{text}", array.element, array.name))
    }

    fn statement(&self, piece: &Piece) -> std::result::Result<Statement, Refusal> {
        let name = isl_name(&self.scop().statement(piece.statements[0]).name);
        let domain = self.domain(piece, &name)?;
        Ok(Statement {
            iterators: piece.loops.iter().map(|l| l.iterator.clone()).collect(),
            dates: self.dates(piece, &name)?.gist_domain(&domain)?,
            domain,
            accesses: self.accesses(piece, &name)?,
            body: Some(body(piece)?),
            name,
        })
    }

    fn domain(&self, piece: &Piece, name: &str) -> Result<Set> {
        let own =
            |id: &StatementId| self.of_piece(piece, name, &self.model.statements[id.0].domain.identity()?)?.domain();
        let (first, others) = piece.statements.split_at(1);
        others.iter().try_fold(own(&first[0])?, |all, id| all.union(&own(id)?))?.coalesce()
    }

    /// Where the first of its statements stands that runs at all, up to the position in the innermost loop around the piece; other
    /// dimensions are 0.
    fn dates(&self, piece: &Piece, name: &str) -> Result<Map> {
        let own = |id: &StatementId| self.of_piece(piece, name, &self.model.statements[id.0].schedule);
        let (first, others) = piece.statements.split_at(1);
        let dates = others.iter().try_fold(own(&first[0])?, |earlier, id| {
            let own = own(id)?;
            earlier.union(&own.intersect_domain(&own.domain()?.subtract(&earlier.domain()?)?)?)
        })?;
        let (known, all) = (2 * piece.loops.len() + 1, dates.dimensions()?.1);
        let from: Vec<String> = (0..all).map(|k| format!("d{k}")).collect();
        let to: Vec<String> = (0..all).map(|k| if k < known { format!("d{k}") } else { "0".to_string() }).collect();
        let cut = format!("{{ [{}] -> [{}] }}", from.join(", "), to.join(", "));
        dates.apply_range(&Map::read(self.model.context.context(), &cut)?)
    }

    fn accesses(&self, piece: &Piece, name: &str) -> Result<Vec<Access>> {
        let is_one_statement = piece.statements.len() == 1;
        let mut all = Vec::new();
        for id in &piece.statements {
            for (k, access) in self.scop().statement(*id).accesses.iter().enumerate() {
                if self.scop().array(access.array).declaration.as_ref().is_some_and(|d| d.inside_scop) {
                    continue;
                }
                let is_sure = is_one_statement
                    && access.certainty == Certainty::Must
                    && access.subscripts.is_some()
                    && !access.condition.depends_on_data()
                    && self.model.statements[id.0].certain;
                let kind = match (access.is_read(), is_sure) {
                    (true, _) => AccessKind::Read,
                    (false, true) => AccessKind::Write,
                    (false, false) => AccessKind::MayWrite,
                };
                let relation = self.cells(piece, *id, k)?;
                all.push(Access { kind, relation: self.of_piece(piece, name, &relation)?.coalesce()? });
            }
        }
        Ok(all)
    }

    /// What inner loops access is known by their bounds.
    fn cells(&self, piece: &Piece, id: StatementId, access: usize) -> Result<Map> {
        let relation = self.model.cells_of_access(id, access)?;
        let has_inner_loops = self.scop().statement(id).loops.len() > piece.loops.len();
        if has_inner_loops { relation.intersect_domain(&self.model.statements[id.0].domain) } else { Ok(relation) }
    }

    /// A relation from points of a statement as one from points of the piece, by its outer loops.
    fn of_piece(&self, piece: &Piece, name: &str, relation: &Map) -> Result<Map> {
        let first = &self.model.statements[piece.statements[0].0].domain;
        let is_whole =
            relation.dimensions()?.0 == piece.loops.len() && relation.tuple_names().0.as_deref() == Some(name);
        if is_whole {
            return Ok(relation.clone());
        }
        let mut names: Vec<String> = first.dimension_names()?.into_iter().map(Option::unwrap_or_default).collect();
        names.truncate(piece.loops.len());
        let inner = (0..relation.dimensions()?.0 - names.len()).map(|k| format!("inner{k}_"));
        let from: Vec<String> = names.iter().cloned().chain(inner).collect();
        let statement = relation.tuple_names().0.unwrap_or_default();
        let text = format!("{{ {statement}[{}] -> {name}[{}] }}", from.join(", "), names.join(", "));
        relation.apply_domain(&Map::read(self.model.context.context(), &text)?)
    }
}

/// `[h][w]`; the first extent may be missing.
fn brackets(extents: &[Option<String>]) -> Option<String> {
    let one = |(k, extent): (usize, &Option<String>)| match extent {
        Some(extent) => Some(format!("[{extent}]")),
        None => (k == 0).then(|| "[]".to_string()),
    };
    extents.iter().enumerate().map(one).collect()
}

/// How many cells an array has whose references are one subscript, `(long)h * (w + 2)`; nothing if that is not known.
fn cells(extents: &[Option<String>]) -> String {
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let factor = |text: &String| if is_word(text) { text.clone() } else { format!("({text})") };
    let factors: Option<Vec<String>> = extents.iter().map(|extent| extent.as_ref().map(factor)).collect();
    factors.map_or(String::new(), |factors| format!("(long){}", factors.join(" * ")))
}

fn role(role: &polyfold_scop::Role) -> Role {
    match role {
        polyfold_scop::Role::Temporary => Role::Temporary,
        polyfold_scop::Role::Kept(Kept { liveness, .. }) => match liveness {
            Liveness::In => Role::In,
            Liveness::Out => Role::Out,
            Liveness::InOut | Liveness::Internal => Role::InOut,
        },
    }
}
