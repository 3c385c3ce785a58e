//! Names for moduli that are long to read.
//!
//! `y[(2 * i + k) % (n <= 2 ? 3 : 2 * n - 3)]` reads better as `y[(2 * i + k) % y_size]`, with
//! `const int y_size = n <= 2 ? 3 : 2 * n - 3;` in front. Where a modulus depends on macros alone its name is an enumeration
//! constant, which may stand in the extents of any array.
//!
//! A name is declared where its modulus is known: beside the array's own declaration if that stays in place and has the name
//! in it, else in front of the scop.

use crate::Decisions;
use crate::growth;
use crate::home::{Home, free_name, home, is_on_stack};
use crate::named_sizes::{NamedSizes, each_new_subscript};
use crate::values::ValueBuffer;
use polyfold_c::code::{Kind, tokens};
use polyfold_emit::{Constant, ConstantKind, Line, Size};
use polyfold_isl::Result;
use polyfold_lattice::Polynomial;
use polyfold_program::{Int, IntOp, IntType, Level, Program};
use polyfold_prove::{LinearRow, Placed, Row};
use polyfold_scop::{Array, ArrayId, Scop};
use std::collections::BTreeMap;

/// Longer texts get a name, and so do those that choose or divide.
const LONG: usize = 20;

/// Where a name is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    AtDeclaration,
    AtScop,
}

/// A modulus with a name.
#[derive(Clone)]
struct NamedModulus {
    array: ArrayId,
    /// The modulus.
    value: Int,
    declared: Constant,
    place: Place,
    /// Whether the array's new declaration has it in an extent.
    in_extent: bool,
}

/// All names of one scop.
#[derive(Default)]
pub(crate) struct Constants(Vec<NamedModulus>);

impl Constants {
    /// Names for the moduli that are long and that a program has more than once, extents included; or none if it is all of them.
    /// `keeps_both`: the program as it was stays beside the new one.
    pub(crate) fn of(source: &str, decisions: &Decisions, after: &Program, keeps_both: bool) -> Result<Constants> {
        let all = Constants::candidates(source, decisions, keeps_both)?;
        let named = NamedSizes { source, decisions, constants: &all, program: after }.all()?;
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        each_new_subscript(decisions, after, &mut |e| {
            named.iter().filter(|own| own.value == *e).for_each(|own| *counts.entry(&own.name).or_default() += 1);
        });
        let is_rare = |c: &&NamedModulus| {
            let count = counts.get(c.declared.name.as_str()).copied().unwrap_or_default();
            count + usize::from(c.in_extent) < 2 || count == 0
        };
        Ok(Constants(all.0.iter().filter(|c| !is_rare(c)).cloned().collect()))
    }

    /// Names for all moduli that are long.
    fn candidates(source: &str, decisions: &Decisions, keeps_both: bool) -> Result<Constants> {
        let naming =
            Naming { source, decisions, keeps_both, may_be_variables: !lists_its_variables(source, decisions.scop) };
        let mut found = Constants::default();
        for mapped in &decisions.mapped {
            found.0.extend(naming.of(mapped)?);
        }
        for buffer in &decisions.value_buffers {
            let places =
                decisions.values.iter().flat_map(|values| values.placed().accesses()).filter_map(|a| a.place.as_ref());
            if let Some(place) = places.into_iter().find(|place| place.array() == buffer.first) {
                found.0.extend(naming.of_values(buffer, place)?);
            }
        }
        Ok(found)
    }

    /// The name of an array's modulus.
    pub(crate) fn name(&self, array: ArrayId, value: &Int) -> Option<&str> {
        self.0.iter().find(|c| c.array == array && c.value == *value).map(|c| c.declared.name.as_str())
    }

    /// Whether a name stands for a `long`.
    pub(crate) fn is_long(&self, name: &str) -> bool {
        self.0.iter().any(|c| c.declared.name == name && c.declared.kind == ConstantKind::Long)
    }

    /// Whether the new declaration of an array uses a name.
    pub(crate) fn is_in_extent(&self, name: &str) -> bool {
        self.0.iter().any(|c| c.declared.name == name && c.in_extent)
    }

    /// The declarations of an array's names.
    pub(crate) fn declarations(&self, array: ArrayId, place: Place) -> impl Iterator<Item = Line> {
        let here = self.0.iter().filter(move |c| c.array == array && c.place == place);
        here.map(|c| Line::Constant(c.declared.clone()))
    }
}

/// What names depend on.
struct Naming<'a> {
    source: &'a str,
    decisions: &'a Decisions<'a>,
    keeps_both: bool,
    may_be_variables: bool,
}

impl Naming<'_> {
    /// Names for the long moduli of an array.
    fn of(&self, mapped: &Placed) -> Result<Vec<NamedModulus>> {
        if mapped.shared().is_some_and(|first| first != mapped.array()) {
            return Ok(Vec::new());
        }
        let array = self.decisions.array(mapped.array());
        self.named(&array.name, array, mapped, |rows| {
            let is_allocated = array.declaration.as_ref().is_some_and(|d| d.allocation().is_some());
            let in_extent = !is_allocated && rows.iter().any(|row| mapped.rows()[*row].own_extent.is_none());
            Ok((self.place(mapped, in_extent)?, in_extent))
        })
    }

    /// Names for the long moduli of a buffer of values, which is declared in front of the scop.
    fn of_values(&self, buffer: &ValueBuffer, place: &Placed) -> Result<Vec<NamedModulus>> {
        self.named(&buffer.name, self.decisions.array(buffer.owner), place, |_| Ok((Place::AtScop, true)))
    }

    /// Names for the long moduli of storage that is called `storage`, for values like those of `array`; `declared` says for the
    /// rows of a modulus where its name is, and whether an extent has it.
    fn named(
        &self,
        storage: &str,
        array: &Array,
        placed: &Placed,
        declared: impl Fn(&[usize]) -> Result<(Place, bool)>,
    ) -> Result<Vec<NamedModulus>> {
        if let Some(row) = placed.linear() {
            return self.growing(storage, placed.array(), row);
        }
        let Decisions { scop, names, .. } = *self.decisions;
        let values = long_moduli(self.decisions, placed)?;
        let count = values.len();
        let mut found = Vec::new();
        for (k, (value, rows)) in values.into_iter().enumerate() {
            let number = if count > 1 { k.to_string() } else { String::new() };
            let name = free_name(&format!("{storage}_size{number}"), scop, self.source);
            let (place, in_extent) = declared(&rows)?;
            let row = &placed.rows()[rows[0]];
            let size = names.extent_in_c(&row.modulus, is_on_stack(array))?;
            if let Some(kind) = self.kind(row, &size)? {
                let declared = Constant { name, value: size.within(Level::Choice), kind };
                found.push(NamedModulus { array: placed.array(), value, declared, place, in_extent });
            }
        }
        Ok(found)
    }

    /// Names for the modulus of a row and for those of its coefficients that grow.
    fn growing(&self, storage: &str, array: ArrayId, row: &LinearRow) -> Result<Vec<NamedModulus>> {
        let Decisions { scop, names, .. } = *self.decisions;
        let mut strides: Vec<Polynomial> = Vec::new();
        for stride in row.coefficients.iter().filter(|c| c.slope != 0).map(|c| Polynomial::from(*c)) {
            if !strides.contains(&stride) {
                strides.push(stride);
            }
        }
        let number = |k: usize| if strides.len() > 1 { k.to_string() } else { String::new() };
        let strides = strides.iter().enumerate().map(|(k, stride)| (format!("stride{}", number(k)), stride, false));
        let all = [("size".to_string(), &row.modulus, true)].into_iter().chain(strides);
        let Some(size) = names.named(&row.parameter) else { return Ok(Vec::new()) };
        let constant = |(what, polynomial, in_extent): (String, &Polynomial, bool)| {
            let name = free_name(&format!("{storage}_{what}"), scop, self.source);
            let value = growth::in_closed_form(polynomial, row, &size);
            let text = names.in_c(&value)?.within(Level::Choice);
            let declared = Constant { name, value: text, kind: ConstantKind::Long };
            Ok(NamedModulus { array, value, declared, place: Place::AtScop, in_extent })
        };
        all.filter(|_| self.may_be_variables).map(constant).collect()
    }

    fn place(&self, mapped: &Placed, in_extent: bool) -> Result<Place> {
        let array = self.decisions.array(mapped.array());
        let is_inside = array.declaration.as_ref().is_some_and(|d| d.inside_scop);
        let is_in_place = home(self.source, self.decisions, mapped)? == Home::InPlace;
        let stays = is_in_place && !is_inside && !self.keeps_both;
        Ok(if in_extent && stays { Place::AtDeclaration } else { Place::AtScop })
    }

    /// What the name of a modulus is; `None` if an `int` cannot hold a constant's value, or if a pragma would have to list the new
    /// variable.
    fn kind(&self, row: &Row, size: &Size) -> Result<Option<ConstantKind>> {
        let used = row.modulus.parameters()?;
        let mut known = self.decisions.constants();
        known.retain(|(name, _)| used.iter().any(|p| p == name));
        if known.len() == used.len() {
            let fits = row.modulus.eval(&known)?.is_some_and(|v| i32::try_from(v).is_ok());
            return Ok(fits.then_some(ConstantKind::Enumerator));
        }
        let is_int = size.held == Some(IntType::INT);
        Ok(self.may_be_variables.then_some(if is_int { ConstantKind::Int } else { ConstantKind::Long }))
    }
}

/// The long moduli of an array, each with its rows.
fn long_moduli(decisions: &Decisions, mapped: &Placed) -> Result<Vec<(Int, Vec<usize>)>> {
    let mut found: Vec<(Int, Vec<usize>)> = Vec::new();
    for (k, row) in mapped.rows().iter().enumerate() {
        let value = decisions.names.extent(&row.modulus)?;
        match found.iter_mut().find(|(other, _)| *other == value) {
            Some((_, rows)) => rows.push(k),
            None if is_long(decisions, &value) => found.push((value, vec![k])),
            None => {}
        }
    }
    Ok(found)
}

fn is_long(decisions: &Decisions, value: &Int) -> bool {
    let mut chooses = false;
    value.each(&mut |e| {
        chooses |= matches!(e, Int::Select(..) | Int::Binary(IntOp::Divide | IntOp::FloorDivide | IntOp::Remainder, ..))
    });
    chooses || decisions.names.program().text_of(value).len() > LONG
}

/// Whether a pragma such as `omp parallel for default(none) shared(n)` says which variables there are.
fn lists_its_variables(source: &str, scop: &Scop) -> bool {
    let start = scop.lead.as_ref().map_or(scop.span.start, |lead| lead.start);
    tokens(source, &(start..scop.span.end)).iter().any(|t| t.kind == Kind::Directive && t.text.contains("default"))
}
