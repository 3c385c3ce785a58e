//! What a driver must know to call a function that holds a scop.

use polyfold_c::syntax::{Derivation, Function, Unit};

/// A function that holds a scop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSignature {
    /// Its name.
    pub name: String,
    /// Its parameters, in order.
    pub parameters: Vec<FunctionParameter>,
    /// Whether it returns nothing.
    pub returns_void: bool,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionParameter {
    /// Its name.
    pub name: String,
    /// The type of one element, as written, without qualifiers.
    pub element: String,
    /// For each dimension its extent as written, `None` if it is not written (`a[]`, `*a`). Empty: a number.
    pub extents: Vec<Option<String>>,
    /// Whether the elements are `const`.
    pub is_const: bool,
    /// Whether it leads to a function, or to more pointers: its memory is no array of numbers.
    pub leads_further: bool,
}

/// The signature of a function; `text` is what its spans refer to.
pub(crate) fn signature(function: &Function, unit: &Unit, text: &str) -> FunctionSignature {
    let parameter = |id: &usize| {
        let variable = &unit.variables[*id];
        let extent = |derivation: &Derivation| match derivation {
            Derivation::Array(Some(extent)) => text.get(extent.span.clone()).map(str::to_string),
            _ => None,
        };
        FunctionParameter {
            name: variable.name.clone(),
            element: variable.element.clone(),
            extents: variable.shape.iter().map(extent).collect(),
            is_const: variable.elements().is_const,
            leads_further: variable.shape.iter().skip(1).any(|derivation| !matches!(derivation, Derivation::Array(_)))
                || matches!(variable.shape.first(), Some(Derivation::Function)),
        }
    };
    FunctionSignature {
        name: function.name.clone(),
        parameters: function.parameters.iter().map(parameter).collect(),
        returns_void: function.returns_void,
    }
}
