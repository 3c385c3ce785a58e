//! The spaces of a scop in isl text: parameters, operations of a statement, cells of an array.
//!
//! Example: statement `S0` in loops `i` and `j` of a scop with parameter `n` is `[n] -> { S0[i, j] : … }`, cells of its
//! array `A` are `[n] -> { A[c0, c1] : … }`.

use crate::lower::Constraints;
use crate::names::{Names, acceptable};
use crate::path::Path;
use polyfold_isl::{Context, Map, Result, Set};
use polyfold_scop::{Access, ArrayId, Comparison, Condition, Expr, Loop, LoopId, Scop, Statement, Storage};

/// What is needed to write sets and relations of a scop.
pub(crate) struct Space<'a, 's> {
    pub(crate) ctx: &'a Context,
    pub(crate) scop: &'s Scop,
    pub(crate) names: Names,
}

impl Space<'_, '_> {
    /// The parameter values that fulfil the constraints.
    pub(crate) fn parameters(&self, constraints: Constraints) -> Result<Set> {
        self.set("", constraints)
    }

    /// `{ tuple : constraints }`.
    pub(crate) fn set(&self, tuple: &str, constraints: Constraints) -> Result<Set> {
        Set::read(self.ctx, &self.text(tuple, constraints))
    }

    /// `{ from -> to : constraints }`.
    pub(crate) fn map(&self, from: &str, to: &str, constraints: Constraints) -> Result<Map> {
        Map::read(self.ctx, &self.text(&format!("{from} -> {to}"), constraints))
    }

    fn text(&self, tuple: &str, constraints: Constraints) -> String {
        format!("[{}] -> {{ {tuple} : {} }}", self.names.parameters.join(", "), constraints.finish())
    }

    /// `S[i, j]`, an operation of a statement.
    pub(crate) fn operation(&self, statement: &Statement) -> String {
        format!("{}[{}]", acceptable(&statement.name), self.iterators(&statement.loops))
    }

    /// `i, j`.
    pub(crate) fn iterators(&self, loops: &[LoopId]) -> String {
        let names: Vec<&str> = loops.iter().map(|id| self.names.iterators[id].as_str()).collect();
        names.join(", ")
    }

    /// `A[c0, c1]`, a cell of an array.
    fn cell(&self, array: ArrayId) -> String {
        let array = self.scop.array(array);
        format!("{}[{}]", acceptable(&array.name), self.names.cells(array.extents.len()).join(", "))
    }

    /// Adds that the counter of a loop has one of its values.
    pub(crate) fn require_loop(&self, constraints: &mut Constraints, l: &Loop) {
        let counter = Expr::Iterator(l.id);
        let starts = |comparison| Condition::Compare(counter.clone(), comparison, l.first.clone());
        match l.step {
            1 => constraints.require_condition(&starts(Comparison::GreaterEqual), true),
            -1 => constraints.require_condition(&starts(Comparison::LessEqual), true),
            step => {
                let (i, first) = (self.names.iterators[&l.id].clone(), constraints.expr(&l.first));
                let turn = constraints.fresh();
                constraints.require(format!("{turn} >= 0 and {i} = {first} + {step} * {turn}"));
            }
        }
        constraints.require_condition(&l.condition, true);
    }

    /// `{ S[i] }`: the operations that the path leads to, or more where data decides.
    pub(crate) fn domain(&self, statement: &Statement, path: &Path) -> Result<Set> {
        let mut constraints = Constraints::new(&self.names);
        for l in &path.loops {
            self.require_loop(&mut constraints, l);
        }
        for (condition, holds) in &path.guards {
            constraints.require_condition(condition, *holds);
        }
        self.set(&self.operation(statement), constraints)?.coalesce()
    }

    /// `{ S[i] -> [date] }`, not restricted to the domain.
    pub(crate) fn schedule(&self, statement: &Statement, path: &Path, dimensions: usize) -> Result<Map> {
        let date = path.date(&self.names, dimensions).join(", ");
        self.map(&self.operation(statement), &format!("[{date}]"), Constraints::new(&self.names))
    }

    /// `{ S[i] -> A[cell] }` of one access, not restricted to the statement's domain.
    pub(crate) fn access(&self, statement: &Statement, access: &Access) -> Result<Map> {
        let cells = self.names.cells(self.scop.array(access.array).extents.len());
        let mut constraints = Constraints::new(&self.names);
        constraints.require_condition(&access.condition, true);
        for (cell, subscript) in cells.iter().zip(access.subscripts.iter().flatten()) {
            let value = constraints.expr(subscript);
            constraints.require(format!("{cell} = {value}"));
        }
        self.map(&self.operation(statement), &self.cell(access.array), constraints)
    }

    /// `{ S[i] -> T[v] }` of some expressions, not restricted to the statement's domain.
    pub(crate) fn values(&self, statement: &Statement, (tuple, all): (&str, &[Expr])) -> Result<Map> {
        let names = self.names.cells(all.len());
        let mut constraints = Constraints::new(&self.names);
        for (name, e) in names.iter().zip(all) {
            let value = constraints.expr(e);
            constraints.require(format!("{name} = {value}"));
        }
        self.map(&self.operation(statement), &format!("{}[{}]", acceptable(tuple), names.join(", ")), constraints)
    }

    /// The cells `{ A[c] : c >= rows }`, in some dimension.
    pub(crate) fn cells_from(&self, array: ArrayId, rows: i128) -> Result<Set> {
        let cells = self.names.cells(self.scop.array(array).extents.len());
        let mut constraints = Constraints::new(&self.names);
        let beyond: Vec<String> = cells.iter().map(|cell| format!("{cell} >= {rows}")).collect();
        constraints.require(if beyond.is_empty() { "false".to_string() } else { format!("({})", beyond.join(" or ")) });
        self.set(&self.cell(array), constraints)
    }

    /// The cells `{ A[c] : c >= 0 }`, in all dimensions.
    pub(crate) fn cells_from_zero(&self, array: ArrayId) -> Result<Set> {
        let mut constraints = Constraints::new(&self.names);
        for cell in self.names.cells(self.scop.array(array).extents.len()) {
            constraints.require(format!("{cell} >= 0"));
        }
        self.set(&self.cell(array), constraints)
    }

    /// The declared cells `{ A[c] : 0 <= c < extent }`; `None` where the source does not say them.
    pub(crate) fn declared_cells(&self, array: ArrayId) -> Result<Option<Set>> {
        let declared = &self.scop.array(array).extents;
        let Some(extents) = declared.iter().map(Option::as_ref).collect::<Option<Vec<&Expr>>>() else {
            return Ok(None);
        };
        let mut constraints = Constraints::new(&self.names);
        for (cell, extent) in self.names.cells(extents.len()).iter().zip(extents) {
            let extent = constraints.expr(extent);
            constraints.require(format!("0 <= {cell} < {extent}"));
        }
        self.set(&self.cell(array), constraints).map(Some)
    }

    /// The cells that stay inside the rows of an array, in whichever rows; `None` where the source does not say how long they are.
    pub(crate) fn cells_in_rows(&self, array: ArrayId) -> Result<Option<Set>> {
        let declared = &self.scop.array(array).extents;
        let mut constraints = Constraints::new(&self.names);
        for (cell, extent) in self.names.cells(declared.len()).iter().zip(declared).skip(1) {
            let Some(extent) = extent else { return Ok(None) };
            let extent = constraints.expr(extent);
            constraints.require(format!("0 <= {cell} < {extent}"));
        }
        self.set(&self.cell(array), constraints).map(Some)
    }

    /// The cells that C lets subscripts name: the first extent of a parameter is not a part of its type.
    pub(crate) fn allowed_cells(&self, array: ArrayId) -> Result<Set> {
        let declared = self.scop.array(array);
        let is_parameter = declared.declaration.as_ref().is_some_and(|d| d.storage == Storage::Parameter);
        let mut constraints = Constraints::new(&self.names);
        let cells = self.names.cells(declared.extents.len());
        for (cell, extent) in cells.iter().zip(&declared.extents).skip(usize::from(is_parameter)) {
            if let Some(extent) = extent {
                let extent = constraints.expr(extent);
                constraints.require(format!("0 <= {cell} < {extent}"));
            }
        }
        self.set(&self.cell(array), constraints)
    }
}
