//! One level of the greedy heuristic: a row of every statement's mapping, and what it leaves unsatisfied.
//!
//! ```text
//! row of S:   (Γ_S·s + δ_S) mod e,    e_S = u_S·P + w'_S + 1,    e = max e_S
//! left over:  Kᵢ ∩ { the two rows differ by a multiple of e }
//! ```
//!
//! Paper: SMO §4.3, §4.4, FIND-NEXT-HYPERPLANES and revision (11)–(13). Deviation: (12) compares differences with moduli of the
//! two statements, which may differ. That is wrong, 5 mod 5 = 3 mod 3: all statements of a buffer have one modulus here, and what
//! is left over is exactly what meets in it.

use crate::bound::is_not_negative;
use crate::budget::Budget;
use crate::choice::choose;
use crate::collisions::collisions;
use crate::conflicts::Polyhedron;
use crate::normals::best_normals;
use crate::{ConflictSet, Form, Row};
use polyfold_isl::Result;

/// Rows at one level, by place in the class.
pub(crate) struct Level {
    /// Γ and δ.
    pub(crate) rows: Vec<Row>,
    /// e_S, of each statement by itself: sizes for decoalescing.
    pub(crate) own: Vec<Form>,
    /// e.
    pub(crate) modulus: Form,
}

/// The next level for the polyhedra that are left, and what is left after it. `None` if there is no bound of the form `u·P + w`,
/// or no modulus is the largest for all parameters.
pub(crate) fn next_level(
    conflicts: &ConflictSet,
    class: &[usize],
    left: &[Polyhedron],
    budget: &mut Budget,
) -> Result<Option<(Level, Vec<Polyhedron>)>> {
    let Some((level, satisfied)) = best_level(conflicts, class, left, budget) else { return Ok(None) };
    let mut still_left = Vec::new();
    for (polyhedron, _) in left.iter().zip(satisfied).filter(|(_, satisfied)| !satisfied) {
        let rows = [polyhedron.from, polyhedron.to].map(|statement| &level.rows[place(class, statement)]);
        match collisions(conflicts, &polyhedron.pairs, rows, &level.modulus)? {
            Some(pairs) => still_left.extend(conflicts.polyhedra(polyhedron.from, polyhedron.to, &pairs)?),
            None => still_left.push(polyhedron.clone()),
        }
    }
    Ok(Some((level, still_left)))
}

/// The level, and which polyhedra it is known to satisfy.
fn best_level(
    conflicts: &ConflictSet,
    class: &[usize],
    left: &[Polyhedron],
    budget: &mut Budget,
) -> Option<(Level, Vec<bool>)> {
    let own = |statement| left.iter().filter(|k| k.is_intra() && k.from == statement).collect::<Vec<_>>();
    let member = |statement: &usize| best_normals(conflicts.arity(*statement), &own(*statement), conflicts.corners());
    let members: Vec<_> = class.iter().map(member).collect();
    let placed = |k: &Polyhedron| Polyhedron { from: place(class, k.from), to: place(class, k.to), ..k.clone() };
    let inter: Vec<Polyhedron> = left.iter().filter(|k| !k.is_intra()).map(placed).collect();
    let choice = choose(&members, &inter.iter().collect::<Vec<_>>(), budget)?;
    let size = |k: usize| Form { constant: choice.widths[k] + 1, ..members[k].bound.clone() };
    let own: Vec<Form> = (0..class.len()).map(size).collect();
    let modulus = largest(conflicts, &own)?;
    let rows = choice.normals.into_iter().zip(choice.offsets);
    let rows = rows.map(|(coefficients, offset)| Row { coefficients, offset }).collect();
    let mut inter = choice.satisfied.into_iter();
    let satisfied = left.iter().map(|k| !k.is_intra() && inter.next().unwrap_or(false)).collect();
    Some((Level { rows, own, modulus }, satisfied))
}

fn place(class: &[usize], statement: usize) -> usize {
    class.iter().position(|member| *member == statement).unwrap_or(usize::MAX)
}

/// A function that is at least every one of some functions for all parameters: one of them where possible.
fn largest(conflicts: &ConflictSet, forms: &[Form]) -> Option<Form> {
    let is_largest = |form: &Form| forms.iter().all(|other| is_not_negative(&form.minus(other), conflicts.corners()));
    let join = || forms.iter().skip(1).fold(forms.first().cloned(), |join, form| Some(join?.join(form)));
    forms.iter().find(|form| is_largest(form)).cloned().or_else(|| join().filter(is_largest))
}
