//! What C guarantees about the sizes, whatever the program does.
//!
//! A declared array has at least one element in each dimension, and no more than fit into memory. An unsigned extent that
//! may fall below 0 wraps around to a large number, so that only its being 0 is ruled out: the rest is an obligation.

use super::Lowering;
use super::unsigned::is_signed;
use polyfold_c::syntax::{Derivation, Expression, ExpressionKind, Scalar, VariableId};
use polyfold_scop::{
    Array, ArrayId, Bound, Comparison, Condition, Declaration, Expr, ExtentOf, Limit, Obligation, Parameter,
    ParameterId, Role, Storage,
};

/// Facts about the sizes.
#[derive(Default)]
pub(super) struct SizeFacts {
    pub(super) known: Vec<Condition>,
    pub(super) limits: Vec<Limit>,
}

/// An extent of an array that is an expression of sizes.
struct Extent<'a> {
    array: &'a Array,
    dimension: usize,
    value: &'a Expr,
    scalar: Scalar,
    /// What its value obliges to.
    obligations: Vec<Obligation>,
}

impl Lowering<'_> {
    /// The facts that hold in every run. What extents of arrays that may change oblige to is added; cells of others are not plain
    /// if there is any such thing.
    pub(super) fn size_facts(&mut self, arrays: &mut [Array], variables: &[Option<VariableId>]) -> SizeFacts {
        let (mut facts, mut inexact) = (SizeFacts::default(), Vec::new());
        for (k, (array, variable)) in arrays.iter().zip(variables).enumerate() {
            let of = ExtentOf { array: ArrayId(k), most_rows: self.most_rows(array) };
            self.linear_facts(array, &mut facts);
            let says = array.extent_texts.is_none();
            for extent in variable.iter().filter(|_| says).flat_map(|id| self.extents(*id, array)).collect::<Vec<_>>() {
                self.extent_facts(&extent, &mut facts);
                if array.is_temporary() {
                    for obligation in extent.obligations {
                        let is_own = obligation.expression == *extent.value;
                        self.add_obligation(Obligation { extent: is_own.then_some(of), ..obligation });
                    }
                } else if extent.dimension >= unsaid(array) && !extent.obligations.is_empty() {
                    inexact.push(k);
                }
            }
        }
        for k in inexact {
            if let Role::Kept(kept) = &mut arrays[k].role {
                kept.plain = false;
            }
        }
        for id in self.unsigned_sizes() {
            add(&mut facts.known, compare(&Expr::Parameter(id), Comparison::GreaterEqual, 0));
        }
        if self.obligations.is_empty() {
            facts.limits.clear();
        } else {
            facts.limits.extend((0..self.parameters.len()).map(|id| self.type_limit(ParameterId(id))));
        }
        facts
    }

    /// No factor of an array's size is negative; a declared array has cells, besides.
    fn linear_facts(&self, array: &Array, facts: &mut SizeFacts) {
        let least = match &array.declaration {
            Some(declaration) if declaration.allocation().is_some() => 0,
            Some(Declaration { storage: Storage::Local | Storage::StaticLocal, inside_scop: false, .. })
                if array.linearised =>
            {
                1
            }
            _ => return,
        };
        for extent in array.extents.iter().flatten().filter(|extent| extent.as_constant().is_none()) {
            add(&mut facts.known, compare(extent, Comparison::GreaterEqual, least));
        }
    }

    fn extents<'e>(&mut self, variable: VariableId, array: &'e Array) -> Vec<Extent<'e>> {
        let site = self.site;
        let mut extents = Vec::new();
        for (dimension, (value, derivation)) in
            array.extents.iter().zip(&site.unit.variables[variable].shape).enumerate()
        {
            let (Some(value), Derivation::Array(Some(e))) = (value, derivation) else { continue };
            let before = self.computed.len();
            let obligations = self.obligations_of(|walk| walk.note_exact(e));
            if array.declaration.as_ref().is_none_or(|declaration| declaration.inside_scop) {
                self.computed.truncate(before);
            }
            extents.push(Extent { array, dimension, value, scalar: self.scalar_of(e), obligations });
        }
        extents
    }

    /// The facts that an extent gives.
    fn extent_facts(&self, extent: &Extent, facts: &mut SizeFacts) {
        let is_constant = extent.value.as_constant().is_some();
        if is_constant || extent.dimension < unsaid(extent.array) {
            return;
        }
        let is_own = |o: &Obligation| o.expression == *extent.value;
        if !extent.obligations.iter().all(is_own) {
            return;
        }
        let may_be_below = extent.obligations.iter().any(|o| matches!(o.bound, Bound::Least(_)));
        add(
            &mut facts.known,
            match may_be_below {
                true => compare(extent.value, Comparison::NotEqual, 0),
                false => compare(extent.value, Comparison::GreaterEqual, 1),
            },
        );
        let bits = (!is_signed(extent.scalar)).then(|| extent.scalar.bits());
        let most = self.most_rows(extent.array);
        facts.limits.push(Limit { expression: extent.value.clone(), bits, least: 1, most });
    }

    fn type_limit(&self, id: ParameterId) -> Limit {
        let scalar = match self.parameter_variables.get(&id) {
            Some(variable) => self.variable_scalar(*variable),
            None => {
                let kind = ExpressionKind::Name(self.parameters[id.0].name.clone(), None);
                self.scalar_of(&Expression { kind, span: 0..0 })
            }
        };
        let (least, most) = scalar.range().into_inner();
        Limit { expression: Expr::Parameter(id), bits: None, least, most }
    }

    /// The parameters, with what their types hold.
    pub(super) fn take_parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = std::mem::take(&mut self.parameters);
        for (id, variable) in &self.parameter_variables {
            let scalar = self.variable_scalar(*variable);
            let widest = i128::from(u64::MAX);
            parameters[id.0].most = Some(if scalar == Scalar::Unknown { widest } else { *scalar.range().end() });
        }
        parameters
    }

    /// Sizes that no value of their type makes negative: a test whether they are draws a compiler's warning.
    fn unsigned_sizes(&self) -> Vec<ParameterId> {
        let is_unsigned = |id: &ParameterId| {
            let variable = self.parameter_variables.get(id);
            variable.is_some_and(|v| matches!(self.variable_scalar(*v), Scalar::Integer { signed: false, .. }))
        };
        (0..self.parameters.len()).map(ParameterId).filter(is_unsigned).collect()
    }
}

/// How many extents a declaration does not guarantee: the first extent of a parameter is not a part of its type. Nor does a
/// declaration in the scop guarantee anything, if it may never be reached.
fn unsaid(array: &Array) -> usize {
    match &array.declaration {
        Some(declaration) if !declaration.inside_scop => usize::from(declaration.storage == Storage::Parameter),
        _ => array.extents.len(),
    }
}

fn add(known: &mut Vec<Condition>, fact: Condition) {
    if !known.contains(&fact) {
        known.push(fact);
    }
}

fn compare(expression: &Expr, comparison: Comparison, value: i64) -> Condition {
    Condition::Compare(expression.clone(), comparison, Expr::Constant(value))
}
