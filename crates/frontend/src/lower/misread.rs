//! Declarations that the compiler has read with other macros.
//!
//! Example: `#define N 4`, `int t[N];`, and then another `N` in front of the scop.

use super::Site;
use super::facts::scop_range;
use crate::diagnostic::Diagnostic;
use polyfold_c::compiled::contains;
use polyfold_c::syntax::Variable;
use polyfold_scop::Code;
use std::collections::BTreeSet;

/// A complaint about a variable of the scop, declared in front of it, whose extents or value mean something else to
/// the compiler.
pub(crate) fn misread_declaration(site: &Site) -> Option<Diagnostic> {
    let scop = scop_range(site);
    let mut used = BTreeSet::new();
    site.statements.iter().for_each(|statement| statement.walk(&mut |e| used.extend(e.variable())));
    let mut variables = used.into_iter().map(|id| &site.unit.variables[id]);
    let misread = variables.find(|variable| {
        let matters = !variable.shape.is_empty() || variable.constant.is_some();
        matters && !scop.contains(&variable.name_span.start) && !is_read_alike(site, variable)
    })?;
    let message = format!("the compiler reads another declaration of `{}` than polyfold does", misread.name);
    let warning = Diagnostic::warning(Code::ReadOtherwise, message, site.expanded.to_file(&misread.declarator))
        .label("declared here");
    Some(warning.help("define the macros in it once, before the function, or write them out here"))
}

fn is_read_alike(site: &Site, variable: &Variable) -> bool {
    let end = if variable.constant.is_some() { variable.statement.end } else { variable.declarator.end };
    let place = site.expanded.to_file(&(variable.statement.start..end));
    let ours = site.masked.get(place).and_then(|text| site.table.compiled(text));
    ours.is_some_and(|ours| contains(site.compiled.earlier, &ours))
}
