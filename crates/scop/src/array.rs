//! Arrays and scalars: shape, role, and where they are declared.
//!
//! Only an array with [`Role::Temporary`] may change; everything else is the program's interface or has a
//! stated reason to stay. A scalar is an array without dimensions.

use crate::{Code, Expr, ParameterId, Place, Pointer, Qualifiers, Span};
use polyfold_program::Scalar;

/// Index into [`Scop::arrays`](crate::Scop::arrays).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(pub usize);

/// An array, or a scalar, that the scop reads or writes.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name in the source.
    pub name: String,
    /// The element type as the source writes it, without qualifiers and storage class (`unsigned`, `DATA_TYPE`).
    pub element: String,
    /// Bytes of one element, when the front end knows the type.
    pub element_bytes: Option<u64>,
    /// What one element is, when the front end knows the type.
    pub kind: Option<Scalar>,
    /// Extent of each dimension, outermost first; `None` where the source does not say (`float a[]`, `float *a`),
    /// or says it with something that is not affine. Empty: a scalar.
    pub extents: Vec<Option<Expr>>,
    /// Whether it may change, and if not, why.
    pub role: Role,
    /// Where and how it is declared; `None` if not in this file.
    pub declaration: Option<Declaration>,
    /// Its extents as C text, where these are not between the brackets of its declaration: `?` for one that nothing says.
    pub extent_texts: Option<Vec<String>>,
    /// Whether its references write all subscripts as one: `t[i * m + j]` for `t[i][j]`.
    pub linearised: bool,
    /// Whether C computes every such subscript as an `int`.
    pub is_narrow: bool,
    /// Whether it is what a pointer leads to that is neither a parameter nor from `malloc`: other arrays' memory, perhaps.
    pub leads_anywhere: bool,
    /// For a parameter: the pointer that it is, wherever that is written.
    pub parameter: Option<Pointer>,
}

/// What the program outside the scop has to do with an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Declared in the function, used only inside the scop: its layout is nobody else's business.
    Temporary,
    /// Everything else.
    Kept(Kept),
}

/// Why an array keeps its layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Which values cross the border of the scop.
    pub liveness: Liveness,
    /// What kind of reason it is.
    pub code: Code,
    /// One sentence in the user's words, for the report, such as
    /// "it is a parameter of the function: its layout is the program's interface".
    pub reason: String,
    /// Whether the user would expect the array to change, so that keeping it deserves a warning.
    pub surprising: bool,
    /// Whether its cells are plain elements, named by just what its subscripts say: others may live in it while it is dead.
    pub plain: bool,
}

/// Which values of an array cross the border of the scop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// None.
    Internal,
    /// Values from before the scop may be read in it.
    In,
    /// Values of the scop may be read after it.
    Out,
    /// Both.
    InOut,
}

/// Where an array's memory comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A local variable with automatic storage.
    Local,
    /// A local variable declared `static`.
    StaticLocal,
    /// Memory that a local pointer gets from `malloc` or `calloc`.
    Allocated(Box<Allocation>),
    /// A parameter of the function.
    Parameter,
    /// A variable at file scope.
    Global,
}

impl From<polyfold_c::syntax::Storage> for Storage {
    fn from(declared: polyfold_c::syntax::Storage) -> Storage {
        match declared {
            polyfold_c::syntax::Storage::Local => Storage::Local,
            polyfold_c::syntax::Storage::StaticLocal => Storage::StaticLocal,
            polyfold_c::syntax::Storage::Parameter => Storage::Parameter,
            polyfold_c::syntax::Storage::Global => Storage::Global,
        }
    }
}

/// Where an array is declared, for rewriting the declaration in place.
///
/// In `static unsigned alpha[N], beta[N];` the declaration of `beta` has `specifiers` "static unsigned",
/// `declarator` over `beta[N]`, `name` over `beta`, and `statement` over the whole line's text with its `;`.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Kind of storage.
    pub storage: Storage,
    /// Type and storage class in front of the declarators, as written.
    pub specifiers: String,
    /// Attributes behind the declarator, as the compiler reads them.
    pub attributes: String,
    /// The pointer that it is; `None`: it is an array itself.
    pub pointer: Option<Pointer>,
    /// Qualifiers of its elements.
    pub elements: Qualifiers,
    /// Whether it says `static`.
    pub is_static: bool,
    /// The declarator: name and extents, without initializer.
    pub declarator: Place,
    /// The name inside the declarator.
    pub name: Place,
    /// The expression between each pair of brackets, outermost first.
    pub extents: Vec<Place>,
    /// The whole declaration, in the file, including the semicolon (for a parameter: its own text).
    pub statement: Span,
    /// How many declarators share the statement.
    pub siblings: usize,
    /// Whether the declaration stands between the scop's pragmas.
    pub inside_scop: bool,
}

/// A call of `malloc` or `calloc` in front of the scop.
///
/// In `double *t = malloc(n * m * sizeof(double));` `arguments` is over `n * m * sizeof(double)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The declaration or statement with the call, in the file.
    pub statement: Span,
    /// What stands between the call's parentheses, in the file.
    pub arguments: Span,
    /// The call itself, in the file.
    pub call: Span,
    /// What it takes to have others' cells there; `None`: the text does not allow it.
    pub sharing: Option<Sharing>,
    /// Whether the call is `calloc`, which takes a number of elements and the size of one.
    pub is_cleared: bool,
    /// The parameters that have the same values there as in the scop.
    pub known: Vec<ParameterId>,
}

/// How memory from `malloc` may be shared: a pointer that is one of several gets its value from another one, and is not freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// Calls of `free` with the pointer, in the file.
    pub frees: Vec<Span>,
    /// Whether the memory is there from its allocation until behind the scop, whatever happens: it may be the others'.
    pub lasts: bool,
}

impl Declaration {
    /// Where its memory comes from, if that is a call.
    pub fn allocation(&self) -> Option<&Allocation> {
        match &self.storage {
            Storage::Allocated(allocation) => Some(allocation),
            Storage::Local | Storage::StaticLocal | Storage::Parameter | Storage::Global => None,
        }
    }

    /// Whether it says how the array is aligned, and not its type alone.
    pub fn says_alignment(&self) -> bool {
        [&self.specifiers, &self.attributes].iter().any(|text| text.to_lowercase().contains("align"))
    }
}

impl Array {
    /// Whether this is a scalar.
    pub fn is_scalar(&self) -> bool {
        self.extents.is_empty()
    }

    /// Whether its layout may change.
    pub fn is_temporary(&self) -> bool {
        self.role == Role::Temporary
    }

    /// Whether its values are needed behind the scop.
    pub fn is_live_out(&self) -> bool {
        matches!(&self.role, Role::Kept(kept) if matches!(kept.liveness, Liveness::Out | Liveness::InOut))
    }
}
