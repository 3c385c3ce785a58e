//! A kernel at one size as a program with all of its variants.

use crate::kernels::Kernel;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The forms of code that `polyfold optimize` is asked for.
pub(crate) const EMITS: &[&str] = &["plain", "fast"];

/// What is held against the goals.
pub(crate) const FAST: &str = EMITS[EMITS.len() - 1];

/// The same with cells given for speed; only where that makes another text.
const ROOMY: &str = "roomy";

/// Percent of more cells.
const ROOM: &str = "35";

/// What is left of the source's order without border and ring, as fast as the compiler makes it; it computes something else.
pub(crate) const FLOOR: &str = "floor";

/// All variants that compute the same, the source first, the expert last.
pub(crate) fn variants() -> Vec<&'static str> {
    [&["source"], EMITS, &[ROOMY, "expert"]].concat()
}

const HARNESS: &str = include_str!("harness.c");

/// How programs are compiled: for this machine, or for one that knows AVX2.
#[derive(Clone, Copy)]
pub(crate) enum Machine {
    This,
    Avx2,
}

/// A kernel with its sizes.
pub(crate) struct Case<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) n: u64,
    pub(crate) steps: u64,
}

pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// The variants that it has.
    names: Vec<&'static str>,
    pub(crate) sizes: [String; 2],
    /// Bytes of the function's own arrays, in the source and in the code of the last emit.
    pub(crate) bytes: [u64; 2],
    /// Of the last emit with cells given for speed, where that is another text.
    pub(crate) roomy_bytes: Option<u64>,
}

impl Case<'_> {
    /// Writes the variants and compiles them.
    pub(crate) fn program(&self, folder: &Path, machine: Machine) -> Program {
        let at = |name: &str| folder.join(name);
        let source = |name: &str| at(&format!("{name}.c"));
        write(&at("source.c"), self.kernel.source);
        write(&at("expert.c"), self.kernel.expert);
        write(&at("harness.c"), HARNESS);
        if let Some(floor) = self.kernel.floor {
            write(&source(FLOOR), floor);
        }
        let mut bytes = [0; 2];
        for emit in EMITS {
            bytes = self.optimized(folder, emit, &["--emit", emit]);
        }
        let roomy_bytes = self.optimized(folder, ROOMY, &["--emit", FAST, "--room", ROOM])[1];
        let roomy_bytes = (read(&source(ROOMY)) != read(&source(FAST))).then_some(roomy_bytes);
        let names: Vec<&str> = (variants().into_iter().filter(|name| *name != ROOMY || roomy_bytes.is_some()))
            .chain(self.kernel.floor.map(|_| FLOOR))
            .collect();
        write(&at("case.h"), &self.header(&names));
        let objects: Vec<PathBuf> =
            (names.iter().chain(&["harness"])).map(|name| compiled(&source(name), machine)).collect();
        let path = at("program");
        succeed(compiler().args(objects).args(["-pthread", "-o"]).arg(&path));
        Program { path, names, sizes: [self.n, self.steps].map(|size| size.to_string()), bytes, roomy_bytes }
    }

    /// Writes `NAME.c`; bytes of the function's own arrays before and after.
    fn optimized(&self, folder: &Path, name: &str, options: &[&str]) -> [u64; 2] {
        let json = folder.join("report.json");
        let output = Command::new(env!("CARGO_BIN_EXE_polyfold"))
            .args(["optimize".as_ref(), folder.join("source.c").as_os_str()])
            .args(["-o".as_ref(), folder.join(format!("{name}.c")).as_os_str(), "--json".as_ref(), json.as_os_str()])
            .args(options)
            .args(["--schedule", self.kernel.schedule])
            .args(["--param", &format!("n={}", self.n), "--param", &format!("steps={}", self.steps)])
            .output()
            .expect("polyfold starts");
        assert!(output.status.success(), "{}: {}", self.kernel.name, String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(json).expect("the report is written");
        let report: Value = serde_json::from_str(&text).expect("the report is JSON");
        ["bytes_before", "bytes_after"].map(|key| report["scops"][0]["totals"][key].as_u64().expect("bytes are known"))
    }

    /// What the harness has to know.
    fn header(&self, names: &[&str]) -> String {
        let Kernel { element, input_cells, output_cells, value, .. } = self.kernel;
        let cells = |name: &str, cells: &str| {
            format!("static size_t {name}(size_t n, size_t steps) {{ return (void)steps, {cells}; }}\n")
        };
        let element = element.text();
        let declared: String = names.iter().map(|name| format!("kernel {name};\n")).collect();
        let listed: String =
            names.iter().map(|name| format!("  {{\"{name}\", {name}, {}}},\n", u8::from(*name != FLOOR))).collect();
        format!(
            "typedef {element} element;\n{}{}{declared}static const struct variant variants[] = {{\n{listed}}};\n\
             static element value(size_t i, element noise) {{ return (void)i, {value}; }}\n",
            cells("input_cells", input_cells),
            cells("output_cells", output_cells)
        )
    }
}

impl Program {
    /// The place of a variant among those that it has.
    pub(crate) fn place(&self, variant: &str) -> Option<usize> {
        self.names.iter().position(|name| *name == variant)
    }

    /// Runs it with these arguments behind its sizes; what it prints.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(&self.path);
        succeed(command.args(&self.sizes).args(arguments))
    }
}

/// A file with the function `kernel`, which gets the file's name, as an object.
fn compiled(source: &Path, machine: Machine) -> PathBuf {
    let object = source.with_extension("o");
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let target = match machine {
        Machine::This => "-march=native",
        Machine::Avx2 => "-mavx2",
    };
    let mut command = compiler();
    command.args(["-O3", "-std=gnu11", "-ffp-contract=off", "-Wno-unknown-pragmas", target, "-c"]);
    command.args(["-falign-functions=64", "-falign-loops=64"]);
    if name != "harness" {
        command.arg(format!("-Dkernel={name}"));
    }
    succeed(command.arg(source).arg("-o").arg(&object));
    object
}

fn compiler() -> Command {
    Command::new(std::env::var_os("CC").unwrap_or("gcc".into()))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("it was written")
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the folder can be written");
}

/// What a command prints, which has to end well.
fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
