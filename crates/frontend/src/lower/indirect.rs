//! Members of structures, and memory behind pointers.
//!
//! The idea: a member is a part of a cell as long as it is no array without its subscripts and no pointer that is
//! followed. What is behind a pointer is not followed: nothing of it is an array that may change.

use super::access::Collector;
use super::{Lowered, Lowering};
use crate::syntax::{Derivation, Expression, ExpressionKind, VariableId};
use polyfold_scop::{AccessKind, ArrayId, Certainty};

impl Lowering<'_> {
    /// A member with some subscripts: a part of a cell, an address inside it, or what a pointer in it leads to.
    pub(super) fn member(
        &mut self,
        e: &Expression,
        subscripts: usize,
        kind: AccessKind,
        to: &mut Collector,
    ) -> Lowered<()> {
        let ExpressionKind::Field(inner, member) = &e.kind else { return self.collect(e, to) };
        if member.through_pointer {
            to.effects |= kind == AccessKind::Write;
            return self.through(inner, to);
        }
        to.touches_volatile |= self.site.typedefs.has_volatile_members();
        let takes = self.site.members.subscripts(&member.name);
        if subscripts > takes.least {
            to.touches_volatile = true;
            to.effects |= kind == AccessKind::Write;
        }
        if subscripts < takes.most {
            let doubt = takes.doubt(&member.name);
            return self.address(e, inner, doubt.as_ref(), to);
        }
        if subscripts > takes.least {
            self.reference(inner, AccessKind::Read, to)?;
        }
        if subscripts > takes.most {
            return Ok(());
        }
        let first = to.accesses.len();
        self.reference(inner, kind, to)?;
        for access in to.accesses[first..].iter_mut().filter(|a| a.is_write()) {
            access.certainty = Certainty::May;
        }
        Ok(())
    }

    /// More subscripts than `wanted`: an element of the array is a pointer, and leads to other memory.
    pub(super) fn beyond(
        &mut self,
        e: &Expression,
        array: ArrayId,
        (subscripts, wanted): (&[&Expression], usize),
        kind: AccessKind,
        to: &mut Collector,
    ) -> Lowered<()> {
        to.effects |= kind == AccessKind::Write;
        to.touches_volatile = true;
        let mut inner = e;
        for _ in wanted..subscripts.len() {
            if let ExpressionKind::Index(base, subscript) = &inner.kind {
                self.collect(subscript, to)?;
                inner = base;
            }
        }
        self.subscripted(inner, array, &subscripts[..wanted], AccessKind::Read, to)
    }

    /// Memory behind a pointer: nothing of it is an array that may change.
    pub(super) fn through(&mut self, pointer: &Expression, to: &mut Collector) -> Lowered<()> {
        to.touches_volatile = true;
        let is_pointer = |id: VariableId| {
            let variable = &self.site.unit.variables[id];
            matches!(variable.shape.first(), Some(Derivation::Pointer)) && !variable.hides_array
        };
        match pointer.variable() {
            Some(id) if is_pointer(id) => {
                self.followed.insert(pointer.span.start);
                if self.facts.allocations.contains_key(&id) {
                    self.escape(id, &pointer.span, None, to);
                }
                Ok(())
            }
            _ => self.collect(pointer, to),
        }
    }
}
