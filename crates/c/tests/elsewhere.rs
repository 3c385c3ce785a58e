//! How often other crates still read C token by token.
//!
//! The idea: what a crate finds out from tokens, the tree here should tell it. Each line that names
//! tokens counts, those of unit tests included.
//!
//! Limit: lines count by their words. Only crates that depend on this one are looked at, since
//! nobody else can ask it for tokens.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of each crate's `src` that use C tokens. These numbers only ever get smaller; a crate that
/// isn't listed has none.
const AT_MOST: [(&str, usize); 3] = [("codegen", 35), ("emit", 3), ("frontend", 15)];

#[test]
fn tokens_are_used_no_more_than_before() {
    let allowed = BTreeMap::from(AT_MOST);
    let found = uses();
    let more: Vec<_> =
        found.iter().filter(|(name, count)| **count > allowed.get(&***name).copied().unwrap_or(0)).collect();
    assert!(more.is_empty(), "more lines use C tokens than the table allows: {more:?}\nall counts: {found:?}");
}

/// How many lines of each crate that depends on this one use C tokens.
fn uses() -> BTreeMap<String, usize> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(&crates).unwrap() {
        let folder = entry.unwrap();
        let name = folder.file_name().into_string().unwrap();
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).unwrap_or_default();
        if name == "c"
            || !manifest.lines().any(|line| line.starts_with("polyfold-c.") || line.starts_with("polyfold-c "))
        {
            continue;
        }
        let texts = sources(&folder.path().join("src")).into_iter().map(|file| fs::read_to_string(file).unwrap());
        found.insert(name, texts.map(|text| uses_in(&text)).sum());
    }
    found
}

/// All `.rs` files in a folder and those in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// How many lines of a file use tokens. Those of `polyfold_c::macros`, its `pieces`, are some, too.
fn uses_in(text: &str) -> usize {
    let functions: &[&str] = if text.contains("polyfold_c::macros") { &["tokens", "pieces"] } else { &["tokens"] };
    text.lines().filter(|line| uses_tokens(line, functions)).count()
}

/// Whether a line imports tokens, asks for those of a text, or for the kind of one.
fn uses_tokens(line: &str, functions: &[&str]) -> bool {
    let is_code = !line.trim_start().starts_with("//");
    let names_them = ["polyfold_c::lex", "TokenKind"].iter().any(|name| line.contains(name));
    is_code && (names_them || functions.iter().any(|name| calls(line, name)))
}

/// Whether a line calls a function of this name, not one whose name ends in it, nor a method.
fn calls(line: &str, name: &str) -> bool {
    line.match_indices(&format!("{name}(")).any(|(at, _)| {
        let before = &line[..at];
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.') && !before.ends_with("fn ")
    })
}

#[test]
fn only_calls_count() {
    assert!(calls("let all = tokens(text);", "tokens") && calls("lex::tokens(text)", "tokens"));
    assert!(!calls("own_tokens(text) + x.tokens() + tokens", "tokens"));
    assert!(!calls("pub(crate) fn tokens(text: &str) {", "tokens"));
    assert!(!uses_tokens("    // tokens(text) are …", &["tokens"]));
    assert_eq!(uses_in("let all = pieces(text);\nlet more = tokens(text);"), 1);
    assert_eq!(uses_in("use polyfold_c::macros::pieces;\nlet all = pieces(text);\nlet more = tokens(text);"), 2);
}
