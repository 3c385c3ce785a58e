//! What a text declares, whatever its layout.

use polyfold_c::macros::MacroTable;
use polyfold_c::source::{directives, masked};
use polyfold_c::syntax::{Derivation, Typedefs, parse_unit};

/// Whether a text declares an array of a name with these extents, as it writes them.
pub fn declares(text: &str, name: &str, extents: &[&str]) -> bool {
    let text = masked(text, &directives(text), &[]);
    let unit = parse_unit(&text, &MacroTable::new(&[]), &Typedefs::read(&text));
    let extent = |own: &Derivation| match own {
        Derivation::Array(Some(extent)) => text.get(extent.span.clone()).map(str::to_string),
        _ => None,
    };
    let mut named = unit.variables.iter().filter(|own| own.name == name);
    named.any(|own| own.shape.iter().map(extent).eq(extents.iter().map(|extent| Some((*extent).to_string()))))
}

#[test]
fn arrays_are_found_by_their_extents() {
    let text = "void f(int n) {\n  double t[2]\n    [n + 1] = {0};\n  {\n    int *t;\n  }\n}\n";
    assert!(declares(text, "t", &["2", "n + 1"]));
    assert!(!declares(text, "t", &["2"]) && !declares(text, "u", &["2", "n + 1"]));
}
