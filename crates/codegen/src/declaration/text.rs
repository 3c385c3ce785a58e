//! How new storage reads: its declarator, and the comment that tells where the old cells live.
//!
//! Example: for `unsigned y[n][n]` under `[k mod 2][i]`, the declarator is `y[2][n]`, with the source's own word for the extent
//! that stays, and the comment `/* y[i][j] lives in y[j mod 2][i] */`.
//!
//! Compilers warn of storage that they cannot see to be written first; small arrays and variables then begin with 0.

use crate::constants::{Constants, Place};
use crate::definite::is_written_before_read;
use crate::described::{Words, flat};
use crate::flat::{Shape, arguments, shape, stays_narrow};
use crate::home::is_on_stack;
use crate::region::Region;
use crate::sizes_in_c::SizesInC;
use crate::{Decisions, Form, growth, shifting, tile_windows};
use polyfold_c::code::words;
use polyfold_emit::{Declarator, Line, New, Size};
use polyfold_isl::Result;
use polyfold_program::{Int, Level, Program};
use polyfold_prove::{Placed, Row, ShiftRegister, TileWindow};
use polyfold_scop::{self as scop, Allocation, Array, Declaration, Scop, Storage};

/// The texts about one array's new storage.
pub(super) struct Text<'a> {
    pub(super) source: &'a str,
    pub(super) decisions: &'a Decisions<'a>,
    pub(super) mapped: &'a Placed,
    pub(super) name: &'a str,
    pub(super) region: &'a Region,
    /// The program with new storage.
    pub(super) after: &'a Program,
}

impl Text<'_> {
    pub(super) fn array(&self) -> &Array {
        self.decisions.array(self.mapped.array())
    }

    /// Declarations of the names that moduli have, for one place.
    pub(super) fn constants(&self, place: Place) -> impl Iterator<Item = Line> {
        self.region.constants.declarations(self.mapped.array(), place)
    }

    /// The extents of the place in C, outermost first.
    fn extents(&self, constants: &Constants) -> Result<Vec<Size>> {
        extents_in_c((self.mapped, self.array()), self.decisions.names, constants)
    }

    fn words(&self) -> Words<'_> {
        let array = self.mapped.shared().unwrap_or(self.mapped.array());
        Words::new(array, self.decisions.names, &self.region.constants)
    }

    /// What becomes of the array's own declarator.
    pub(super) fn changed(&self, declaration: &Declaration) -> Result<New> {
        let declarator = self.declarator(declaration)?;
        Ok(if self.mapped.is_one_cell() { New::Variable(declarator) } else { New::Array(declarator) })
    }

    /// `y[2][n]`, with the source's own words for extents that stay; a variable with a value if it needs one.
    pub(super) fn declarator(&self, declaration: &Declaration) -> Result<Declarator> {
        let mut out = self.name.to_string();
        let own_extents = self.mapped.rows().iter().map(|row| row.own_extent).chain([None]);
        for (own, new) in own_extents.zip(self.extents(&self.region.constants)?) {
            let extent = match own.and_then(|dimension| declaration.extents.get(dimension)) {
                Some(place) => {
                    let fragments = &self.decisions.scop.fragments;
                    let text = place.fragment.map_or(self.source, |f| fragments[f.0].text.as_str());
                    text[place.span.clone()].trim().to_string()
                }
                None => new.within(Level::Whole),
            };
            out.push_str(&format!("[{extent}]"));
        }
        let attributes = if declaration.storage == Storage::Parameter { "" } else { &declaration.attributes };
        Ok(Declarator { initializer: self.initializer(declaration), attributes: attributes.to_string(), cells: out })
    }

    /// What keeps compilers from warning of storage that they cannot see to be written first.
    fn initializer(&self, declaration: &Declaration) -> &'static str {
        let (is_variable, few) = (self.mapped.is_one_cell(), self.cells_if_few(declaration));
        // Hardware would take its time for each cell.
        let is_ring = self.mapped.rows().iter().any(|row| row.own_extent.is_none());
        let all = few.filter(|_| !is_variable && is_ring && self.decisions.form != Form::Hls);
        match self.array().element_bytes {
            _ if self.window().is_some_and(|window| tile_windows::begins_with_zeros(self.decisions, window)) => {
                " = {0}"
            }
            _ if !is_variable && few.is_none() => "",
            _ if self.is_written_before_read(all) => "",
            Some(_) if is_variable => " = 0",
            _ => " = {0}",
        }
    }

    /// As far as a compiler can see; `all` cells, if they are that many.
    fn is_written_before_read(&self, all: Option<u64>) -> bool {
        let id = self.after.newest_buffer(self.name);
        id.is_none_or(|id| is_written_before_read(&self.after.body, id, all))
    }

    /// The number of its cells, if it is small, and surely no variable-length array, which takes no initial value: extents are made of
    /// macros and enumerators.
    fn cells_if_few(&self, declaration: &Declaration) -> Option<u64> {
        let sizes = self.decisions.constants();
        if self.mapped.linear().is_some() {
            return None;
        }
        let mut cells = 1u64;
        for row in self.mapped.rows() {
            let own = row.own_extent.and_then(|dimension| declaration.extents.get(dimension));
            let is_fixed = own.is_none_or(|place| self.is_of_constants(place));
            let extent = if is_fixed { row.modulus.eval(&sizes).ok().flatten() } else { None };
            cells = cells.saturating_mul(extent.and_then(|extent| u64::try_from(extent).ok()).unwrap_or(u64::MAX));
        }
        Some(cells).filter(|cells| *cells <= FEW_CELLS)
    }

    /// Whether an extent in the source is made of numbers, macros and enumerators.
    fn is_of_constants(&self, place: &scop::Place) -> bool {
        let scop = self.decisions.scop;
        let is_constant = |word: &str| scop.parameters.iter().any(|p| p.name == word && p.constant().is_some());
        let text = place.fragment.map_or(self.source, |f| scop.fragments[f.0].text.as_str());
        words(&text[place.span.clone()])
            .all(|(_, word)| word.starts_with(|c: char| c.is_ascii_digit()) || is_constant(word))
    }

    /// A buffer for an array that stays declared; static if that was, and if its size is constant.
    pub(super) fn apart(&self, declaration: &Declaration) -> Result<Line> {
        let mut constant = self.mapped.coordinates().is_some() && declaration.storage == Storage::Global;
        constant &= self.mapped.linear().is_none();
        for row in self.mapped.rows() {
            constant &= row.modulus.as_constant()?.is_some();
        }
        let class = if constant { "static " } else { "" };
        let specifiers = format!("{class}{}", self.array().element);
        Ok(Line::Declaration { specifiers, declarator: self.declarator(declaration)? })
    }

    /// One comment for each array of the buffer.
    pub(super) fn comments(&self) -> Result<Vec<Line>> {
        let Some(first) = self.mapped.shared() else { return Ok(vec![self.comment()?]) };
        let members = self.decisions.mapped.iter().filter(|mapped| mapped.shared() == Some(first));
        members.map(|mapped| Text { mapped, ..*self }.comment()).collect()
    }

    /// `/* y[i][k] lives in y[k mod 2][i] */`.
    pub(super) fn comment(&self) -> Result<Line> {
        let (array, storage) = (self.array(), self.mapped);
        if storage.is_one_cell() && shape(array) == Shape::Flat {
            let what = format!("{} is one cell: no two cells of {} are needed at a time", self.name, array.name);
            return Ok(Line::Comment(what));
        }
        if storage.is_one_cell() {
            let what = format!("{} is one variable: no two cells of {} are needed at a time", self.name, array.name);
            return Ok(Line::Comment(what));
        }
        let mut words = self.words();
        let names = coordinates(self.decisions.scop, array.extents.len());
        let coordinates = words.all_named(&names);
        let old = words.cell(&array.name, &coordinates);
        if let Some(register) = self.register() {
            return Ok(Line::Comment(format!("{old} {}", moves(self.name, register))));
        }
        if let Some(window) = self.window() {
            let scop = self.decisions.scop;
            let new = words.place_in_window(storage, &coordinates, (window.rows(), scop))?;
            let (new, begins) = (words.cell(self.name, &new), tile_windows::begins(scop, window));
            return Ok(Line::Comment(format!("{old} lives in {new} in the {begins} on")));
        }
        let new = words.place(storage, &coordinates)?;
        let new = match shape(array) {
            Shape::Flat if storage.linear().is_none() => vec![flat(&new, &words.extents(storage)?)],
            _ => new,
        };
        let old = match &array.extent_texts {
            Some(extents) if array.linearised => {
                let extents: Vec<Int> = extents.iter().map(|text| words.in_source(text)).collect();
                words.cell(&array.name, &[flat(&coordinates, &extents)])
            }
            _ => old,
        };
        Ok(Line::Comment(format!("{old} lives in {}", words.cell(self.name, &new))))
    }

    /// The shift register that the array is; `None`: it is none.
    fn register(&self) -> Option<&ShiftRegister> {
        let registers = shifting::written(self.source, self.decisions);
        registers.into_iter().find(|register| register.array() == self.mapped.array())
    }

    /// The window that the array is; `None`: it is none.
    fn window(&self) -> Option<&TileWindow> {
        let windows = tile_windows::written(self.source, self.decisions);
        windows.into_iter().find(|window| window.array() == self.mapped.array())
    }

    /// The arguments of the call that allocates the storage.
    pub(super) fn arguments(&self, allocation: &Allocation) -> Result<String> {
        Ok(arguments(self.array(), allocation, &self.extents(&Constants::default())?))
    }
}

/// The extents of a place in C for values like those of an array, outermost first, by their names if they have some.
pub(super) fn extents_in_c(
    (place, array): (&Placed, &Array),
    sizes: &SizesInC,
    constants: &Constants,
) -> Result<Vec<Size>> {
    let owner = place.shared().unwrap_or(place.array());
    let named = |value: &Int| constants.name(owner, value).map(Size::of_name);
    if let Some(row) = place.linear() {
        let size = sizes.named(&row.parameter).unwrap_or(Int::Constant(0));
        let extent = growth::in_closed_form(&row.modulus, row, &size);
        return Ok(vec![named(&extent).map_or_else(|| sizes.in_c(&extent), Ok)?]);
    }
    let one = |(k, row): (usize, &Row)| {
        // What stays is computed as the source does it.
        let is_small = is_on_stack(array) || k > 0 && stays_narrow(array, place);
        named(&sizes.extent(&row.modulus)?).map_or_else(|| sizes.extent_in_c(&row.modulus, is_small), Ok)
    };
    place.rows().iter().enumerate().map(one).collect()
}

/// How values move: `is written to w[2] and moves one place down with each iteration`.
fn moves(name: &str, register: &ShiftRegister) -> String {
    let before = "[…]".repeat(register.row());
    let cell = |place: usize| format!("{name}{before}[{place}]");
    let written = register.newest().map(|newest| format!("is written to {} and ", cell(newest)));
    let last = register.cells() - 1;
    let round = register.goes_round().then(|| format!(", from {} to {}", cell(0), cell(last)));
    let (written, round) = (written.unwrap_or_default(), round.unwrap_or_default());
    format!("{written}moves one place down with each iteration{round}")
}

/// How the place of an array's cells in its host reads: `out[i][j + 1]`; `None` if it lives in no other array.
///
/// # Errors
/// When a size cannot be printed as C.
pub fn place_in_host(scop: &Scop, mapped: &Placed, sizes: &SizesInC) -> Result<Option<String>> {
    let Some(inside) = mapped.inside() else { return Ok(None) };
    let constants = Constants::default();
    let mut words = Words::new(mapped.array(), sizes, &constants);
    let coordinates = words.all_named(&coordinates(scop, inside.shift.len()));
    let place = words.place(mapped, &coordinates)?;
    Ok(Some(words.cell(&scop.array(inside.host).name, &place)))
}

/// Names for coordinates that no size has.
pub(super) fn coordinates(scop: &Scop, count: usize) -> Vec<String> {
    let is_free = |name: &&&str| scop.parameters.iter().all(|p| p.name != **name);
    let letters = ["i", "j", "k", "l", "p", "q", "r", "s", "t", "u", "v", "w", "x", "z"];
    letters.iter().filter(is_free).take(count).map(|name| (*name).to_string()).collect()
}

/// Larger arrays are not taken apart by compilers.
const FEW_CELLS: u64 = 64;

/// The number of a place's cells, if it is a small number.
pub(super) fn few_cells(place: &Placed) -> Option<u64> {
    let extent = |row: &Row| u64::try_from(row.modulus.as_constant().ok()??).ok();
    let cells = place.rows().iter().try_fold(1, |cells: u64, row| cells.checked_mul(extent(row)?))?;
    Some(cells).filter(|cells| *cells <= FEW_CELLS && place.linear().is_none())
}
