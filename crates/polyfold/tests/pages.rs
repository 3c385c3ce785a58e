//! The pages that people read: every command on them runs, and prints what the page shows.
//!
//! A page is a test in the manner of a doctest. Its commands run in the order of the page, in a fresh directory that
//! holds copies of `examples/` and `corpus/`, with `polyfold` in the path.
//!
//! * A block ` ```console ` holds lines `$ command`, each with what it prints: both streams, as in a terminal.
//! * `<!-- file: NAME -->` in front of a block: the block is the text of the file NAME.
//! * `<!-- shows: NAME -->` in front of a block: the file NAME, made by commands further up, reads like that.
//! * `<!-- not run: REASON -->` in front of a console block: what a test can't run.
//! * A line `…` stands for any lines.
//!
//! `POLYFOLD_BLESS=1 cargo test -p polyfold --test all pages::` writes what was printed into the pages.
//!
//! Invariant: a page without such a mismatch is never written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const ELLIPSIS: &str = "…";

/// What the comment in front of a block says of it.
enum Role {
    /// No comment of ours.
    Plain,
    File(String),
    Shows(String),
    NotRun,
}

/// A fenced block: its language, what it is for, and its lines.
struct Block<'a> {
    /// Line of the page at which the first line of the block stands, from 0.
    begin: usize,
    language: &'a str,
    role: Role,
    lines: Vec<&'a str>,
}

/// A command of a console block and what the page says that it prints.
struct Step<'a> {
    begin: usize,
    command: &'a str,
    printed: Vec<&'a str>,
}

/// A place of a page that doesn't hold.
struct Fault {
    begin: usize,
    why: String,
    /// How many lines from `begin` on have to read like what; none where writing can't mend it.
    mend: Option<(usize, Vec<String>)>,
}

#[test]
fn pages_show_what_commands_print() {
    let pages = pages();
    let next = AtomicUsize::new(0);
    let faults = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check(page);
                    faults.lock().expect("no thread panicked").extend(found);
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no thread panicked");
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn links_lead_to_files() {
    let broken: Vec<String> = pages().iter().flat_map(|page| broken_links(page)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn readme_is_one_screen_or_two() {
    let text = read(&root().join("README.md"));
    assert!(text.lines().count() <= 120, "README.md has {} lines", text.lines().count());
    let wide: Vec<&str> = text.lines().filter(|l| l.chars().count() > 100).collect();
    assert!(wide.is_empty(), "wider than 100 columns:\n{}", wide.join("\n"));
}

#[test]
fn ellipses_stand_for_any_lines() {
    assert!(alike(&["a", "…", "d"], &["a", "b", "c", "d"]));
    assert!(alike(&["a", "  …", "d"], &["a", "d"]));
    assert!(alike(&["…"], &[]));
    assert!(!alike(&["a", "…", "d"], &["a", "d", "e"]));
    assert!(!alike(&["a"], &["a", "b"]));
    assert!(!alike(&["a", "b"], &["a"]));
}

#[test]
fn a_page_that_shows_something_else_is_found() {
    let page = "# t\n```console\n$ printf 'one\\ntwo\\n'\none\nthree\n$ true\n```\n\n<!-- file: a.txt -->\n```c\nint x;\n```\n\
                ```console\n$ cat a.txt; exit 7\nint x;\n```\n<!-- shows: a.txt -->\n```c\nint y;\n```\n\
                <!-- not run: no network -->\n```console\n$ false\nnothing\n```\n";
    let faults = differences(page, tempfile::tempdir().expect("a directory").path());
    let at: Vec<usize> = faults.iter().map(|f| f.begin).collect();
    assert_eq!(at, [3, 14, 18], "{:?}", faults.iter().map(|f| &f.why).collect::<Vec<_>>());
    assert!(mended(page, &faults).contains("two\\n'\none\ntwo\n$ true"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// README and all that is below `docs/`.
fn pages() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md"), root().join("CHANGELOG.md")];
    found.retain(|page| page.exists());
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of pages") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Runs a page; what differs, or nothing after `POLYFOLD_BLESS=1` wrote it.
fn check(page: &Path) -> Vec<String> {
    let text = read(page);
    let name = page.strip_prefix(root()).unwrap_or(page).display();
    let unmarked = blocks(&text).into_iter().filter(|b| ["sh", "bash", "shell"].contains(&b.language));
    let mut faults: Vec<String> =
        unmarked.map(|b| format!("{name}:{}: commands stand in ```console blocks", b.begin)).collect();
    let place = tempfile::tempdir().expect("a directory");
    for folder in ["examples", "corpus"] {
        copy(&root().join(folder), &place.path().join(folder));
    }
    let mut found = differences(&text, place.path());
    if std::env::var_os("POLYFOLD_BLESS").is_some() && found.iter().any(|f| f.mend.is_some()) {
        fs::write(page, mended(&text, &found)).expect("the page can be written");
        found.retain(|f| f.mend.is_none());
    }
    faults.extend(found.iter().map(|f| format!("{name}:{}: {}", f.begin + 1, f.why)));
    faults
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let (mut found, mut open, mut before) = (Vec::new(), None::<Block>, "");
    for (at, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some(Block { begin: at + 1, language: language.trim(), role: role(before), lines: Vec::new() });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => block.lines.push(line),
            (None, None) => {}
        }
        before = line;
    }
    found
}

fn role(comment: &str) -> Role {
    let inner = comment.trim().strip_prefix("<!--").and_then(|c| c.strip_suffix("-->")).map(str::trim);
    match inner.and_then(|c| c.split_once(':')) {
        Some(("file", name)) => Role::File(name.trim().to_string()),
        Some(("shows", name)) => Role::Shows(name.trim().to_string()),
        Some(("not run", reason)) if !reason.trim().is_empty() => Role::NotRun,
        _ => Role::Plain,
    }
}

fn steps<'a>(block: &Block<'a>) -> Vec<Step<'a>> {
    let mut found: Vec<Step> = Vec::new();
    for (at, line) in block.lines.iter().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            found.push(Step { begin: block.begin + at + 1, command, printed: Vec::new() });
        } else if let Some(step) = found.last_mut() {
            step.printed.push(line);
        }
    }
    found
}

/// What a page shows and its commands don't print.
fn differences(text: &str, place: &Path) -> Vec<Fault> {
    let mut found = Vec::new();
    for block in blocks(text) {
        match &block.role {
            Role::File(name) => {
                let path = place.join(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, block.lines.join("\n") + "\n").expect("a file of the page");
            }
            Role::Shows(name) => {
                let made = fs::read_to_string(place.join(name)).unwrap_or_else(|e| format!("{name}: {e}"));
                found.extend(differing(block.begin, &block.lines, &made, &format!("{name} reads")));
            }
            Role::Plain if block.language == "console" => {
                found.extend(steps(&block).iter().filter_map(|step| run(step, place)));
            }
            Role::Plain | Role::NotRun => {}
        }
    }
    found
}

fn run(step: &Step, place: &Path) -> Option<Fault> {
    let tool = Path::new(env!("CARGO_BIN_EXE_polyfold")).parent().expect("a folder");
    let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap_or_default());
    let out = Command::new("bash")
        .args(["-c", &format!("exec 2>&1\n{}", step.command)])
        .current_dir(place)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env_remove("CC")
        .output()
        .expect("bash is there");
    let printed = String::from_utf8_lossy(&out.stdout);
    // A page may show what polyfold refuses, never a panic or a command that is not there.
    if out.status.code().is_none_or(|status| status > 3) {
        let why = format!("`{}` ends with {}:\n{printed}", step.command, out.status);
        return Some(Fault { begin: step.begin, why, mend: None });
    }
    differing(step.begin, &step.printed, &printed, &format!("`{}` prints", step.command))
}

fn differing(begin: usize, shown: &[&str], made: &str, what: &str) -> Option<Fault> {
    let made: Vec<&str> = made.lines().map(str::trim_end).collect();
    let trimmed: Vec<&str> = shown.iter().map(|l| l.trim_end()).collect();
    (!alike(&trimmed, &made)).then(|| Fault {
        begin,
        why: format!("{what}\n{}\nand the page shows\n{}", made.join("\n"), shown.join("\n")),
        mend: Some((shown.len(), made.iter().map(|l| l.to_string()).collect())),
    })
}

/// Whether lines read as a page shows them, where `…` stands for any.
fn alike(shown: &[&str], made: &[&str]) -> bool {
    match shown.split_first() {
        None => made.is_empty(),
        Some((line, rest)) if line.trim() == ELLIPSIS => (0..=made.len()).any(|skip| alike(rest, &made[skip..])),
        Some((line, rest)) => made.first() == Some(line) && alike(rest, &made[1..]),
    }
}

fn mended(text: &str, faults: &[Fault]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for fault in faults.iter().rev() {
        if let Some((shown, printed)) = &fault.mend {
            lines.splice(fault.begin..fault.begin + shown, printed.iter().cloned());
        }
    }
    lines.join("\n") + "\n"
}

/// A page without its blocks.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let outside = text.lines().filter(|line| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        !fence && !fenced
    });
    outside.collect::<Vec<_>>().join("\n")
}

fn broken_links(page: &Path) -> Vec<String> {
    let text = prose(&read(page));
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|t| !t.contains("://") && !t.starts_with('#') && !t.contains(' '));
    local
        .filter(|t| !page.parent().expect("a folder").join(t.split('#').next().unwrap_or(t)).exists())
        .map(|t| format!("{}: no file {t}", page.display()))
        .collect()
}
