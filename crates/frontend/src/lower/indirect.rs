//! Members of structures, and memory behind pointers.
//!
//! The idea: a member is a part of a cell as long as it is no array without its subscripts and no pointer that is
//! followed. `*p` and `p->m` are in the first cell of the array that the variable `p` stands for, `p[0]` and `p[0].m`; their text has no subscript to rewrite, so that this
//! array keeps its layout. What is behind other pointers is not followed: nothing of it is an array that may change.

use super::access::{Collector, all_of};
use super::arrays::Obstacle;
use super::{Lowered, Lowering};
use polyfold_c::syntax::{Derivation, Expression, ExpressionKind, VariableId};
use polyfold_scop::{Access, AccessKind, ArrayId, Certainty, Code, Expr, Moment, Place};

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
        let takes = self.site.members.subscripts(&member.name);
        if member.through_pointer && (subscripts < takes.most || self.pointer_to_cells(inner).is_none()) {
            return self.beyond_arrays(inner, kind, to);
        }
        to.touches_volatile |= self.site.typedefs.has_volatile_members();
        if subscripts > takes.least {
            to.touches_volatile = true;
            to.effects |= kind == AccessKind::Write;
        }
        if subscripts < takes.most {
            let doubt = takes.doubt(&member.name);
            return self.address(e, inner, doubt.as_ref(), to);
        }
        let mut reached = |kind, to: &mut Collector| match member.through_pointer {
            // The member's name stays behind the place, as it does for `s[i].m`.
            true => self.through((inner, inner), kind, to),
            false => self.reference(inner, kind, to),
        };
        if subscripts > takes.least {
            reached(AccessKind::Read, to)?;
        }
        if subscripts > takes.most {
            return Ok(());
        }
        let first = to.accesses.len();
        reached(kind, to)?;
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

    /// What `e` reads or writes behind a pointer: the first of its cells, or memory of which nothing is an array that may change.
    pub(super) fn through(
        &mut self,
        (e, pointer): (&Expression, &Expression),
        kind: AccessKind,
        to: &mut Collector,
    ) -> Lowered<()> {
        if let Some(id) = self.pointer_to_cells(pointer) {
            self.followed.insert(pointer.span.start);
            self.first_cell(e, id, kind, to);
            return Ok(());
        }
        self.beyond_arrays(pointer, kind, to)
    }

    /// Memory behind a pointer of which nothing is an array that may change.
    fn beyond_arrays(&mut self, pointer: &Expression, kind: AccessKind, to: &mut Collector) -> Lowered<()> {
        to.effects |= kind == AccessKind::Write;
        to.touches_volatile = true;
        match pointer.variable() {
            Some(id) if self.is_pointer(id) => {
                self.followed.insert(pointer.span.start);
                if self.facts.allocations.contains_key(&id) {
                    self.escape(id, &pointer.span, None, to);
                }
                Ok(())
            }
            _ => self.collect(pointer, to),
        }
    }

    /// The variable that a pointer is, if it stands for an array of one dimension which was not allocated for it alone, and is not volatile.
    fn pointer_to_cells(&self, pointer: &Expression) -> Option<VariableId> {
        let is_found = |id: &VariableId| {
            let variable = &self.site.unit.variables[*id];
            let is_plain = variable.dimensions() == 1 && !variable.is_volatile && !variable.may_be_volatile;
            is_plain && self.is_pointer(*id) && !self.facts.allocations.contains_key(id)
        };
        pointer.variable().filter(is_found)
    }

    fn is_pointer(&self, id: VariableId) -> bool {
        let variable = &self.site.unit.variables[id];
        matches!(variable.shape.first(), Some(Derivation::Pointer(_))) && !variable.hides_array
    }

    /// Cell 0, by a text without a subscript that could be another one.
    fn first_cell(&mut self, e: &Expression, id: VariableId, kind: AccessKind, to: &mut Collector) {
        let variable = &self.site.unit.variables[id];
        let array = self.arrays.id(&variable.name, Some(id), 1);
        // What a local pointer leads to stays anyway.
        if !variable.is_local() {
            let reason = format!("the reference at line {} has no subscript", self.line(&e.span));
            let help = "write `p[0]` for `*p`, and `p[0].m` for `p->m`";
            self.arrays.obstruct(
                array,
                Obstacle { code: Code::NoSubscript, reason, span: e.span.clone(), label: "its first cell", help },
            );
        }
        let place = self.place_inside(&e.span, &[]).1.map(|(place, _)| place);
        to.accesses.push(Access {
            array,
            kind,
            certainty: if to.is_sure() { Certainty::Must } else { Certainty::May },
            subscripts: Some(vec![Expr::Constant(0)]),
            condition: all_of(&to.conditions),
            moment: Moment::InOrder,
            place: place.unwrap_or_else(|| Place::in_file(self.site.expanded.to_file(&e.span))),
            subscript_spans: Vec::new(),
        });
    }
}
