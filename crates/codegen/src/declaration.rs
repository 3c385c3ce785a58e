//! New declarations for changed arrays, collected over all scops of a file: one declaration may hold arrays of several.

use crate::constants::Place;
use crate::definite::is_written_before_read;
use crate::edit::{Edit, Edits};
use crate::home::{Home, home};
use crate::region::{Region, may_be_wide};
use crate::{Decisions, subscript};
use polyfold_isl::Result;
use polyfold_prove::Placed;
use polyfold_scop::{Array, Declaration, Scop, Span, StatementId, Storage};
use std::collections::BTreeMap;

/// What one scop needs besides the changes of declarations that stand outside it.
#[derive(Default)]
pub(crate) struct NewStorage {
    /// Changes of declarations between the pragmas.
    pub(crate) in_scop: Vec<Edit>,
    /// Declarations in front of the scop.
    pub(crate) at_scop: Vec<String>,
    /// Declarations for the program as it was, if both are kept.
    pub(crate) old: Vec<String>,
    /// Statements after the scop that use what would draw a warning.
    pub(crate) uses: Vec<String>,
}

/// The parts of a new declarator, in C's order.
#[derive(Clone)]
struct Declarator {
    /// `y[2][n]`.
    cells: String,
    attributes: String,
    /// ` = 0`, or nothing.
    initializer: &'static str,
}

impl Declarator {
    fn text(&self) -> String {
        format!("{}{}", attributed(&self.cells, &self.attributes), self.initializer)
    }
}

fn attributed(cells: &str, attributes: &str) -> String {
    if attributes.is_empty() { cells.to_string() } else { format!("{cells} {attributes}") }
}

/// What becomes of one declarator.
#[derive(Clone)]
struct Change {
    declaration: Declaration,
    /// The new declarator; `None`: it goes.
    new: Option<Declarator>,
    /// Whether it declares a variable, which need not be static.
    is_variable: bool,
    /// Comments and declarations in front.
    lines: Vec<String>,
}

/// Changes of declarations outside scops, by the place of the statement.
#[derive(Default)]
pub(crate) struct Declarations(BTreeMap<usize, Vec<Change>>);

impl Declarations {
    /// Declares the new storage of one scop; `keeps_both`: the program as it was stays beside the new one.
    pub(crate) fn declare(
        &mut self,
        source: &str,
        decisions: &Decisions,
        keeps_both: bool,
        region: &Region,
    ) -> Result<NewStorage> {
        let mut storage = NewStorage::default();
        let mut in_scop: BTreeMap<usize, Vec<Change>> = BTreeMap::new();
        for mapped in &decisions.mapped {
            let array = decisions.array(mapped.array());
            let Some(declaration) = &array.declaration else { continue };
            let name = decisions.name(mapped, source);
            let text = Text { source, decisions, mapped, name: &name, region };
            let (declarator, comment) = (text.declarator(declaration)?, text.comment()?);
            let constants = |place| region.constants.declarations(mapped.array(), place);
            let is_variable = mapped.rows().is_empty();
            match home(source, decisions, mapped)? {
                Home::Apart => {
                    storage.at_scop.push(comment);
                    storage.at_scop.extend(constants(Place::AtScop));
                    storage.at_scop.push(text.apart(declaration, &declarator)?);
                    if declaration.storage == Storage::Parameter {
                        storage.uses.push(format!("(void){};", array.name));
                    }
                }
                Home::InPlace if declaration.inside_scop || !keeps_both => {
                    storage.at_scop.extend(constants(Place::AtScop));
                    let into = if declaration.inside_scop { &mut in_scop } else { &mut self.0 };
                    let change = Change {
                        declaration: declaration.clone(),
                        new: Some(declarator),
                        is_variable,
                        lines: [comment].into_iter().chain(constants(Place::AtDeclaration)).collect(),
                    };
                    into.entry(declaration.statement.start).or_default().push(change);
                }
                Home::InPlace | Home::AtScop => {
                    if mapped.shared().is_none_or(|first| first == mapped.array()) {
                        storage.at_scop.extend(text.comments()?);
                        storage.at_scop.extend(constants(Place::AtScop));
                        storage.at_scop.push(format!("{} {};", declaration.specifiers, declarator.text()));
                    }
                    self.take_away(source, decisions.scop, declaration, keeps_both, &mut storage, Vec::new());
                }
            }
            if mapped.shared().is_none() && !is_read(decisions.scop, mapped, region) {
                storage.uses.push(format!("(void){name};"));
            }
        }
        for id in &decisions.removed {
            let array = decisions.array(*id);
            let Some(declaration) = &array.declaration else { continue };
            storage.uses.extend(region.unused.sizes_of(declaration));
            let comment = format!("/* {} is gone: nothing reads it */", array.name);
            match declaration.storage {
                Storage::Local | Storage::StaticLocal if declaration.inside_scop => {
                    let change = Change {
                        declaration: declaration.clone(),
                        new: None,
                        is_variable: false,
                        lines: vec![comment],
                    };
                    in_scop.entry(declaration.statement.start).or_default().push(change);
                }
                Storage::Local | Storage::StaticLocal => {
                    self.take_away(source, decisions.scop, declaration, keeps_both, &mut storage, vec![comment]);
                }
                Storage::Parameter => storage.uses.push(format!("(void){};", array.name)),
                Storage::Global => {}
            }
        }
        storage.uses.extend(region.unused.mentions_behind());
        storage.in_scop = in_scop.into_values().map(|changes| statement_edit(source, &changes)).collect();
        Ok(storage)
    }

    /// Removes a declarator from where it stands, and keeps it for the program as it was.
    fn take_away(
        &mut self,
        source: &str,
        scop: &Scop,
        declaration: &Declaration,
        keeps_both: bool,
        storage: &mut NewStorage,
        lines: Vec<String>,
    ) {
        if keeps_both {
            let place = &declaration.declarator;
            let text = place.fragment.map_or(source, |f| scop.fragments[f.0].text.as_str());
            let old = attributed(&text[place.span.clone()], &declaration.attributes);
            storage.old.push(format!("{} {old};", declaration.specifiers));
        }
        let change = Change { declaration: declaration.clone(), new: None, is_variable: false, lines };
        self.0.entry(declaration.statement.start).or_default().push(change);
    }

    /// One edit for each declaration that changes.
    pub(crate) fn edits(&self, source: &str) -> Vec<Edit> {
        self.0.values().map(|changes| statement_edit(source, changes)).collect()
    }
}

/// Larger arrays are not taken apart by compilers.
const FEW_CELLS: u64 = 64;

/// Whether an array has few cells, and their number is plain.
fn is_small(declarator: &str) -> bool {
    let extents = declarator.split('[').skip(1).map(|extent| extent.trim_end_matches(']').trim().parse::<u64>());
    let cells = extents.map(|extent| extent.unwrap_or(u64::MAX)).fold(1, u64::saturating_mul);
    cells <= FEW_CELLS
}

fn is_read(scop: &Scop, mapped: &Placed, region: &Region) -> bool {
    let stays = |id: &usize| !region.gone.contains(&StatementId(*id));
    let accesses = (0..scop.statements.len()).filter(stays).flat_map(|id| &scop.statements[id].accesses);
    accesses.into_iter().any(|a| a.array == mapped.array() && a.is_read())
}

/// The texts about one array's new storage.
struct Text<'a> {
    source: &'a str,
    decisions: &'a Decisions<'a>,
    mapped: &'a Placed,
    name: &'a str,
    region: &'a Region<'a>,
}

impl Text<'_> {
    fn array(&self) -> &Array {
        self.decisions.array(self.mapped.array())
    }

    fn moduli(&self) -> subscript::Moduli<'_> {
        let (array, names) = (self.mapped.shared().unwrap_or(self.mapped.array()), self.decisions.names);
        let wide = may_be_wide(self.decisions.scop, self.array());
        subscript::Moduli { array, names, constants: &self.region.constants, wide }
    }

    /// `y[2][n]`, with the source's own words for extents that stay; a variable with a value if it needs one.
    fn declarator(&self, declaration: &Declaration) -> Result<Declarator> {
        let mut out = self.name.to_string();
        for row in self.mapped.rows() {
            let extent = match row.own_extent.and_then(|dimension| declaration.extents.get(dimension)) {
                Some(place) => {
                    let fragments = &self.decisions.scop.fragments;
                    let text = place.fragment.map_or(self.source, |f| fragments[f.0].text.as_str());
                    text[place.span.clone()].trim().to_string()
                }
                None => self.moduli().text(&row.modulus)?,
            };
            out.push_str(&format!("[{extent}]"));
        }
        let attributes = if declaration.storage == Storage::Parameter { "" } else { &declaration.attributes };
        Ok(Declarator { initializer: self.initializer(&out), attributes: attributes.to_string(), cells: out })
    }

    /// What keeps compilers from warning of storage that they cannot see to be written first.
    fn initializer(&self, declarator: &str) -> &'static str {
        let is_variable = self.mapped.rows().is_empty();
        let Region { cells, gone, .. } = self.region;
        match self.array().element_bytes {
            _ if !is_variable && !is_small(declarator) => "",
            _ if is_written_before_read(self.decisions.scop, self.mapped.array(), cells, gone) => "",
            Some(_) if is_variable => " = 0",
            _ => " = {0}",
        }
    }

    /// A buffer for an array that stays declared; static if that was, and if its size is constant.
    fn apart(&self, declaration: &Declaration, declarator: &Declarator) -> Result<String> {
        let rows = self.mapped.rows();
        let mut constant = !rows.is_empty() && declaration.storage == Storage::Global;
        for row in rows {
            constant &= row.modulus.as_constant()?.is_some();
        }
        let class = if constant { "static " } else { "" };
        Ok(format!("{class}{} {};", self.array().element, declarator.text()))
    }

    /// One comment for each array of the buffer.
    fn comments(&self) -> Result<Vec<String>> {
        let Some(first) = self.mapped.shared() else { return Ok(vec![self.comment()?]) };
        let members = self.decisions.mapped.iter().filter(|mapped| mapped.shared() == Some(first));
        members.map(|mapped| Text { mapped, ..*self }.comment()).collect()
    }

    /// `/* y[i][k] lives in y[k mod 2][i] */`.
    fn comment(&self) -> Result<String> {
        let (array, storage) = (self.array(), self.mapped);
        if storage.rows().is_empty() {
            return Ok(format!(
                "/* {} is one variable: no two cells of {} are needed at a time */",
                self.name, array.name
            ));
        }
        let taken = |name: &str| self.decisions.scop.parameters.iter().any(|p| p.name == name);
        let coordinates: Vec<String> = ["i", "j", "k", "l", "p", "q", "r", "s", "t", "u", "v", "w", "x", "z"]
            .iter()
            .filter(|name| !taken(name))
            .take(array.extents.len())
            .map(|name| (*name).to_string())
            .collect();
        let old: String = coordinates.iter().map(|c| format!("[{c}]")).collect();
        let moduli = subscript::Moduli { wide: false, ..self.moduli() };
        let new = subscript::description(self.name, storage, &coordinates, &moduli)?;
        Ok(format!("/* {}{old} lives in {new} */", array.name))
    }
}

/// The declaration with its changed declarators replaced or dropped, comments in front.
fn statement_edit(source: &str, changes: &[Change]) -> Edit {
    let statement = &changes[0].declaration.statement;
    let separator = separator(source, statement);
    let mut lines: Vec<String> = changes.iter().flat_map(|c| c.lines.clone()).collect();
    lines.extend(statement_text(source, changes));
    if lines.is_empty() {
        return Edit { span: whole_line(source, statement), text: String::new() };
    }
    Edit { span: statement.clone(), text: lines.join(&separator) }
}

/// The new declaration; `None` if no declarator is left.
fn statement_text(source: &str, changes: &[Change]) -> Option<String> {
    let first = &changes[0].declaration;
    let specifiers = specifiers(changes);
    if first.declarator.fragment.is_some() {
        let kept: Vec<String> = changes.iter().filter_map(|c| Some(c.new.as_ref()?.text())).collect();
        return if kept.is_empty() { None } else { Some(format!("{specifiers} {};", kept.join(", "))) };
    }
    let text = &source[first.statement.clone()];
    let in_place = |c: &Change| {
        let new = c.new.as_ref().filter(|new| new.attributes.is_empty() || new.initializer.is_empty())?;
        let span = relative(&c.declaration.declarator.span, &first.statement);
        Some(Edit { span, text: format!("{}{}", new.cells, new.initializer) })
    };
    let replaced: Option<Vec<Edit>> = changes.iter().map(in_place).collect();
    if let Some(replaced) = replaced.filter(|_| specifiers == first.specifiers) {
        let mut edits = Edits::new();
        replaced.into_iter().for_each(|edit| edits.push(edit));
        return Some(edits.apply(text));
    }
    let mut kept = Vec::new();
    for item in declarators(text, first.specifiers.len()) {
        let change = changes.iter().find(|c| {
            let span = relative(&c.declaration.declarator.span, &first.statement);
            item.start <= span.start && span.end <= item.end
        });
        match change {
            None => kept.push(text[item].trim().to_string()),
            Some(change) => kept.extend(change.new.as_ref().map(Declarator::text)),
        }
    }
    if kept.is_empty() { None } else { Some(format!("{specifiers} {};", kept.join(", "))) }
}

/// The specifiers; a static local declaration of which only variables are left need not be static.
fn specifiers(changes: &[Change]) -> String {
    let first = &changes[0].declaration;
    let all_variables = changes.len() == first.siblings && changes.iter().all(|c| c.is_variable);
    match first.storage == Storage::StaticLocal && all_variables {
        true => first.specifiers.split_whitespace().filter(|w| *w != "static").collect::<Vec<_>>().join(" "),
        false => first.specifiers.clone(),
    }
}

fn relative(span: &Span, to: &Span) -> Span {
    span.start - to.start..span.end - to.start
}

/// The ranges between the commas of a declaration's list.
fn declarators(text: &str, specifiers: usize) -> Vec<Span> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0, specifiers);
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < specifiers) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' | ';' if depth == 0 => {
                items.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    items
}

/// What separates a comment from the declaration: a new line with its indentation if it begins its line.
fn separator(source: &str, statement: &Span) -> String {
    let line = line_start(source, statement.start);
    let indent = &source[line..statement.start];
    if indent.trim().is_empty() { format!("\n{indent}") } else { " ".to_string() }
}

fn line_start(source: &str, at: usize) -> usize {
    source[..at].rfind('\n').map_or(0, |n| n + 1)
}

/// The statement with its line, if it has one for itself.
fn whole_line(source: &str, statement: &Span) -> Span {
    let start = line_start(source, statement.start);
    let end = source[statement.end..].find('\n').map_or(source.len(), |n| statement.end + n + 1);
    let alone = source[start..statement.start].trim().is_empty() && source[statement.end..end].trim().is_empty();
    if alone { start..end } else { statement.clone() }
}
