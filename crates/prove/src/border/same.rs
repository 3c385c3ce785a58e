//! The program with copies, but for these, is the one without.
//!
//! Its statements stand in the same order with the same accesses; each operation `S[i]` of the one is `T[i]` of the other and touches the same cells; and
//! two operations come one after the other in the one program just if they do in the other:
//!
//! ```text
//! date_S⁻¹ ∘ lex_lt ∘ date_T   is the same relation for all statements S and T
//! ```
//!
//! What a statement computes of what it reads is in the program, of which nothing else changes.

use super::{Copies, Program};
use polyfold_flow::{Model, isl_name};
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{Scop, StatementId};

impl<'a, 's> Program<'a, 's> {
    /// `None`: the program without copies is another one, or has a meaning for sizes of which nothing is known here.
    pub(super) fn of(before: &Model, model: &'a Model<'s>, copies: &'a Copies<'a>) -> Result<Option<Program<'a, 's>>> {
        let origins: Vec<StatementId> = copies.origins.iter().flatten().copied().collect();
        let is_whole = origins.iter().copied().eq((0..before.scop.statements.len()).map(StatementId))
            && copies.origins.len() == model.scop.statements.len()
            && before.parameters == model.parameters
            && before.unordered.is_none()
            && model.unordered.is_none();
        if !is_whole || !before.known.is_subset(&model.context)? {
            return Ok(None);
        }
        let (mut own, mut pairs) = (Vec::new(), Vec::new());
        for (k, origin) in copies.origins.iter().enumerate() {
            let all = model.statements[k].domain.intersect_params(&model.context)?;
            let Some(origin) = origin else {
                own.push(all.subtract(&all)?);
                continue;
            };
            let pair = Pair::of((before, *origin), (model, StatementId(k)))?;
            if !pair.has_same_accesses(before, model)? || !pair.operations()?.is_subset(&all)? {
                return Ok(None);
            }
            own.push(pair.operations()?);
            pairs.push(pair);
        }
        Ok(have_same_order(&pairs, before, model)?.then_some(Program { model, copies, own }))
    }
}

/// A statement of both programs.
struct Pair {
    old: StatementId,
    new: StatementId,
    /// `{ S[i] -> T[i] }` for the operations that the program without copies has.
    renamed: Map,
}

impl Pair {
    fn of((before, old): (&Model, StatementId), (model, new): (&Model, StatementId)) -> Result<Pair> {
        let (all, context) = (&before.statements[old.0].domain, &before.context);
        let renamed = Map::read(all.context(), &renaming((before.scop, old), (model.scop, new)))?;
        Ok(Pair { old, new, renamed: renamed.intersect_domain(&all.intersect_params(context)?)? })
    }

    fn operations(&self) -> Result<Set> {
        self.renamed.range()
    }

    fn has_same_accesses(&self, before: &Model, model: &Model) -> Result<bool> {
        let (old, new) = (before.scop.statement(self.old), model.scop.statement(self.new));
        let (modelled, others) = (&before.statements[self.old.0], &model.statements[self.new.0]);
        let is_like = old.kind == new.kind
            && modelled.certain == others.certain
            && old.accesses.len() == new.accesses.len()
            && (old.accesses.iter().zip(&new.accesses))
                .all(|(a, b)| (a.kind, a.certainty, a.moment) == (b.kind, b.certainty, b.moment));
        if !is_like {
            return Ok(false);
        }
        for (cells, others) in modelled.cells.iter().zip(&others.cells) {
            let cells = self.renamed.reverse()?.apply_range(cells)?;
            if !cells.is_equal(&others.intersect_domain(&self.operations()?)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn have_same_order(pairs: &[Pair], before: &Model, model: &Model) -> Result<bool> {
    for (k, one) in pairs.iter().enumerate() {
        for other in &pairs[k..] {
            let old = follow((before, one.old, &one.renamed.domain()?), (other.old, &other.renamed.domain()?))?;
            let old = one.renamed.reverse()?.apply_range(&old)?.apply_range(&other.renamed)?;
            if !old.is_equal(&follow((model, one.new, &one.operations()?), (other.new, &other.operations()?))?)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// `{ S[i] -> T[j] : S[i] happens before T[j] }` for operations of two statements.
fn follow((model, one, of_one): (&Model, StatementId, &Set), (other, of_other): (StatementId, &Set)) -> Result<Map> {
    let [one, other] = [(one, of_one), (other, of_other)]
        .map(|(id, operations)| model.statements[id.0].schedule.intersect_domain(operations));
    let (one, other) = (one?, other?);
    one.apply_range(&Map::lex_lt(&one.range()?)?)?.apply_range(&other.reverse()?)
}

/// `{ S[i] -> T[i] }` for a statement's names in both programs.
fn renaming((before, old): (&Scop, StatementId), (longer, new): (&Scop, StatementId)) -> String {
    let (old, new) = (before.statement(old), longer.statement(new));
    let counters = |loops: usize| (0..loops).map(|k| format!("i{k}")).collect::<Vec<_>>().join(", ");
    let tuple = |name: &str, loops: usize| format!("{}[{}]", isl_name(name), counters(loops));
    format!("{{ {} -> {} }}", tuple(&old.name, old.loops.len()), tuple(&new.name, new.loops.len()))
}
