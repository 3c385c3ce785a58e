//! The C compiler, with everything switched on that finds fault.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::root;

/// What programs printed, by their directory, text and flags: the same one is asked for by several tests, and as the original of several results.
static PRINTED: LazyLock<Mutex<HashMap<Asked, Result<String, String>>>> = LazyLock::new(Mutex::default);

/// Directory, text, flags.
type Asked = (Option<PathBuf>, String, Vec<String>);

/// The linker that is fast where it is installed: sanitizers are a large library, and binutils' other one reads it in half the time of making a program.
static LINKER: LazyLock<&[&str]> = LazyLock::new(|| {
    let gold: &[&str] = &["-fuse-ld=gold"];
    let asked = Command::new("gcc").args(gold).arg("-Wl,--version").output();
    if asked.is_ok_and(|output| output.status.success()) { gold } else { &[] }
});

/// Whether clang, too, is asked for warnings.
static HAS_CLANG: LazyLock<bool> = LazyLock::new(|| Command::new("clang").arg("--version").output().is_ok());

/// Warnings are errors. A label is there to name its statement; nobody jumps to it.
const WARNINGS: &[&str] = &["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-label"];

/// What finds fault at run time.
const CHECKS: &[&str] =
    &["-O1", "-g1", "-ffp-contract=off", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Compiles and runs a file, sanitized; what it prints. A text that was compiled and run like that before prints what it did.
///
/// # Errors
/// What the compiler or the program complains about.
pub fn run(source: &Path, flags: &[&str]) -> Result<String, String> {
    let text = std::fs::read_to_string(source).map_err(|e| format!("{}: {e}", source.display()))?;
    let asked = (source.parent().map(Path::to_path_buf), text, flags.iter().map(|flag| flag.to_string()).collect());
    let printed = || PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = printed().get(&asked) {
        return known.clone();
    }
    let found = compile(source, flags).and_then(|program| succeed(&mut Command::new(program)));
    printed().insert(asked, found.clone());
    found
}

/// The same of a program that polyfold was given: nobody asks for warnings that come with optimizing, and it is made in half the time without.
///
/// # Errors
/// What the compiler or the program complains about.
pub fn run_source(source: &Path, flags: &[&str]) -> Result<String, String> {
    run(source, &[&["-O0", "-g1"], flags].concat())
}

/// Compiles and runs a file for speed, vectors and all; what it prints. `None`: it promises compilers nothing, and no values move, so that nothing is new.
///
/// # Errors
/// What the compiler or the program complains about.
pub fn run_for_speed(source: &Path) -> Result<Option<String>, String> {
    let text = std::fs::read_to_string(source).map_err(|e| e.to_string())?;
    let is_new = |line: &str| line.trim() == "POLYFOLD_IVDEP" || line.contains("moves one place down");
    if !text.lines().any(is_new) {
        return Ok(None);
    }
    let program = source.with_extension("fast.exe");
    let mut compiler = Command::new("gcc");
    // At this level gcc guesses that some value may have none, in sources too.
    compiler
        .args(WARNINGS)
        .args(["-O3", "-Wno-maybe-uninitialized", "-ffp-contract=off", "-I"])
        .arg(root().join("corpus"))
        .arg(source);
    succeed(compiler.arg("-o").arg(&program).arg("-lm"))?;
    succeed(&mut Command::new(program)).map(Some)
}

/// Compiles a file; the program is put beside it.
///
/// # Errors
/// What the compiler complains about.
pub fn compile(source: &Path, flags: &[&str]) -> Result<PathBuf, String> {
    let program = source.with_extension("exe");
    let mut compiler = Command::new("gcc");
    compiler.args(WARNINGS).args(CHECKS).args(flags).arg("-I").arg(root().join("corpus")).arg(source);
    compiler.args(*LINKER).arg("-o").arg(&program).arg("-lm");
    succeed(&mut compiler)?;
    Ok(program)
}

/// What gcc and, where it is installed, clang say of a file. Some warnings of gcc come only with optimizing, some only without.
///
/// # Errors
/// What a compiler complains about.
pub fn warnings(source: &Path) -> Result<(), String> {
    warnings_at(source, "-O2")
}

/// The same with -O3, with which gcc follows values through loops.
///
/// # Errors
/// What a compiler complains about.
pub fn all_warnings(source: &Path) -> Result<(), String> {
    warnings_at(source, "-O3")
}

/// What gcc alone says with -O2: a source with helpers that nobody calls draws warnings of clang.
///
/// # Errors
/// What gcc complains about. It takes subscripts in branches that never run for ones out of bounds, and values on paths that never run for ones
/// without a value; which ones really are, sanitizers say.
pub fn optimizer_warnings(source: &Path) -> Result<(), String> {
    warnings_of("gcc", &["-O2", "-Wno-array-bounds", "-Wno-maybe-uninitialized", "-c"], source)
}

/// Runs a file so that each use of a value that was never written ends it; what it prints. `None`: clang, which can do that, is not installed.
///
/// # Errors
/// What the compiler or the program complains about.
pub fn run_without_unwritten(source: &Path) -> Result<Option<String>, String> {
    if !*HAS_CLANG {
        return Ok(None);
    }
    let program = source.with_extension("written.exe");
    let mut compiler = Command::new("clang");
    compiler.args(["-std=gnu11", "-w", "-O1", "-g1", "-ffp-contract=off", "-fsanitize=memory", "-I"]);
    compiler.arg(root().join("corpus")).arg(source).arg("-o").arg(&program).arg("-lm");
    succeed(&mut compiler)?;
    succeed(&mut Command::new(program)).map(Some)
}

fn warnings_at(source: &Path, level: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(source).map_err(|e| format!("{}: {e}", source.display()))?;
    // Clang warns of promises that it does not use when it makes code, and of all else when it reads the text.
    let is_promised = ["unroll", "simd", "clang loop"].iter().any(|word| text.contains(word));
    let clang = HAS_CLANG.then_some(("clang", "-O2", if is_promised { "-c" } else { "-fsyntax-only" }));
    for (compiler, level, mode) in [("gcc", "-O0", "-c"), ("gcc", level, "-c")].into_iter().chain(clang) {
        warnings_of(compiler, &[level, mode], source)?;
    }
    Ok(())
}

fn warnings_of(compiler: &str, flags: &[&str], source: &Path) -> Result<(), String> {
    let mut command = Command::new(compiler);
    command.args(WARNINGS).args(flags).arg("-I").arg(root().join("corpus")).arg(source);
    succeed(command.arg("-o").arg(source.with_extension("o"))).map(drop)
}

/// What a command prints, if it ends well.
fn succeed(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}
