//! Texts that tests expect, in files: `POLYFOLD_BLESS=1` writes them anew.

use super::root;

/// Compares a text with a golden file, or writes it there if asked to.
///
/// # Errors
/// The first lines that differ.
pub fn expect(name: &str, found: &str) -> Result<(), String> {
    let path = root().join("crates/polyfold/tests/golden").join(name);
    if std::env::var_os("POLYFOLD_BLESS").is_some() {
        return std::fs::write(&path, found).map_err(|e| e.to_string());
    }
    let expected = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    same(&expected, found).map_err(|why| format!("{name}: {why}"))
}

/// Whether two texts are the same.
///
/// # Errors
/// The first lines that differ.
pub fn same(expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    let differs = |(a, b): &(&str, &str)| a != b;
    let lines = expected.lines().chain(std::iter::repeat("")).zip(found.lines().chain(std::iter::repeat("")));
    let longest = expected.lines().count().max(found.lines().count());
    let line = lines.take(longest).enumerate().find(|(_, pair)| differs(pair));
    Err(match line {
        Some((at, (expected, found))) => format!("line {}:\n  expected: {expected}\n  found:    {found}", at + 1),
        None => "the ends of lines differ".to_string(),
    })
}
