//! What a statement about cells is about.
//!
//! Conflicts and differences are facts about one array, for some sizes. They carry which, so that nobody can prove a mapping
//! of another array with them, or for sizes of which they say nothing.

use polyfold_flow::Model;
use polyfold_isl::{Result, Set};
use polyfold_scop::ArrayId;

/// An array and the sizes for which something is said of it.
#[derive(Clone, Debug)]
pub struct Subject {
    array: ArrayId,
    context: Set,
    touched: Option<Set>,
    declared: Option<Set>,
    may_be_empty: bool,
}

impl Subject {
    /// An array in a model's context.
    pub(crate) fn of(model: &Model, array: ArrayId) -> Result<Subject> {
        Ok(Subject {
            array,
            context: model.context.clone(),
            touched: model.accesses(array).cells()?,
            declared: model.declared_cells(array).cloned(),
            may_be_empty: model.may_be_empty(array),
        })
    }

    /// Which array.
    pub fn array(&self) -> ArrayId {
        self.array
    }

    /// The parameter values for which something is said.
    pub fn context(&self) -> &Set {
        &self.context
    }

    /// The cells that the program touches; `None`: there are none.
    pub fn touched(&self) -> Option<&Set> {
        self.touched.as_ref()
    }

    /// Whether the array may have no cells at all, and nothing is touched then.
    pub fn may_be_empty(&self) -> bool {
        self.may_be_empty
    }

    /// The cells that the declaration has; `None` where the source does not say them.
    pub fn declared(&self) -> Option<&Set> {
        self.declared.as_ref()
    }
}
