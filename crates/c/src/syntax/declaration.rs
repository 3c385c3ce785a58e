//! What declarations say of variables.

/// What kind of declaration a variable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A local variable with automatic storage.
    Local,
    /// A local variable declared `static`.
    StaticLocal,
    /// A parameter of a function.
    Parameter,
    /// A variable at file scope.
    Global,
}

/// What a type's words say of how it may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qualifiers {
    /// `const`.
    pub is_const: bool,
    /// `volatile`.
    pub is_volatile: bool,
    /// `restrict`, in any of its spellings.
    pub is_restrict: bool,
}

/// The pointer that a declared array is.
///
/// `int *restrict a` is `Plain`, the parameter `int a[restrict n]` is `Brackets`, both with `is_restrict`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// Declared with `*`.
    Plain(Qualifiers),
    /// A parameter that is declared with brackets.
    Brackets(Qualifiers),
    /// A typedef hides what it is.
    Hidden,
}

impl Pointer {
    /// Whether its declaration says that what it leads to is reached in no other way.
    pub fn is_restrict(self) -> bool {
        match self {
            Pointer::Plain(own) | Pointer::Brackets(own) => own.is_restrict,
            Pointer::Hidden => false,
        }
    }
}
