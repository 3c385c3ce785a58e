//! What the user can type.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const FIRST_EXAMPLE: &str = "\
Example: put `#pragma scop` in front of a function's loops and `#pragma endscop` behind them

  $ polyfold optimize program.c -o smaller.c --verify

writes the program with smaller arrays, runs both, and says what was saved. Where to go on:
docs/start.md leads through one program; docs/how-to/which-option.md tells which option you want.";

/// Ordinary C in, C that computes the same in less memory out, with a proof.
#[derive(Debug, Parser)]
#[command(name = "polyfold", version, about, max_term_width = 100, after_help = FIRST_EXAMPLE)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Shrink the storage of temporary arrays between `#pragma scop` and `#pragma endscop`
    Optimize(OptimizeCommand),
    /// Write a page that shows what `optimize` does, and why it is right
    Report(ReportCommand),
    /// Tell one array's story: who writes it, who reads it, and why it isn't smaller; or what a message means
    Explain(ExplainCommand),
    /// For experts: show what the optimizer sees: domains, schedule, dataflow, lifetimes, conflicts, differences, max live
    Analyze(AnalyzeArguments),
    /// Write a program as OpenScop or as a problem in isl notation, or such a file as C
    Convert(ConvertArguments),
    /// Compile two programs, run both on the same data, and compare bit for bit
    Check(CheckArguments),
    /// For experts: find storage mappings for a symmetric set of differences: minima, heuristics, optimum, families for all sizes
    Lattice(LatticeArguments),
    /// For experts: choose which loop nests of a data-flow graph to fuse, so that arrays between them need no memory
    Fuse(FuseArguments),
    /// Copy the cells that a region touches into small dense local arrays, compute there, copy back
    Compact(CompactArguments),
    /// Print a shell's completions of commands and options
    Completions(CompletionsArguments),
    /// Print the manual page, in roff
    Man(ManArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// As Markdown, the page docs/reference/command-line.md
    #[arg(long)]
    pub(crate) markdown: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Headings of options, in the order of `--help`; those that most people use have none.
const MORE: &str = "More options";
const ROLES: &str = "What the source can't say";
const COMPILER: &str = "As for a C compiler";
const EXPERTS: &str = "For experts";

/// What is passed on to the user's compiler.
#[derive(Debug, Clone, Args)]
pub(crate) struct CompilerArguments {
    /// Directory for #include
    #[arg(short = 'I', help_heading = COMPILER, value_name = "DIR")]
    pub(crate) include: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', help_heading = COMPILER, value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', help_heading = COMPILER, value_name = "NAME")]
    pub(crate) undefine: Vec<String>,
    /// Language standard
    #[arg(long = "std", help_heading = COMPILER, value_name = "STANDARD")]
    pub(crate) standard: Option<String>,
}

/// What is known about the program beyond its text.
#[derive(Debug, Clone, Args)]
pub(crate) struct ProgramArguments {
    #[command(flatten)]
    pub(crate) compiler: CompilerArguments,
    /// Arrays whose values nobody outside the scop needs, where the source cannot say so
    #[arg(long, value_name = "ARRAY", value_delimiter = ',')]
    pub(crate) temporary: Vec<String>,
    /// Arrays that hold values before the scop
    #[arg(long, help_heading = ROLES, value_name = "ARRAY", value_delimiter = ',')]
    pub(crate) live_in: Vec<String>,
    /// Arrays whose values are needed after the scop
    #[arg(long, help_heading = ROLES, value_name = "ARRAY", value_delimiter = ',')]
    pub(crate) live_out: Vec<String>,
    /// Functions whose only effects are through the addresses that a call gives them
    ///
    /// They keep none of these addresses. Of `&a[i][j]` or `&s` a parameter `const T *` reads that one element. A parameter `T *`
    /// writes it, always, and doesn't read it before. The source can say so by `#pragma polyfold pure(f, g)`.
    #[arg(long, help_heading = ROLES, value_name = "FUNCTION", value_delimiter = ',')]
    pub(crate) pure: Vec<String>,
    /// Sizes at which cells are counted, and mappings compared
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', value_parser = size)]
    pub(crate) param: Vec<(String, i64)>,
    /// A fact about sizes, such as 'N >= 3', in C or isl syntax
    #[arg(long, help_heading = ROLES, value_name = "FACT")]
    pub(crate) assume: Vec<String>,
    /// Bound on analysis work per array, in elementary steps; past it the array is kept
    #[arg(long, help_heading = EXPERTS, value_name = "N", default_value_t = 200_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_ops: u64,
}

/// What `optimize --help` ends with.
const CONFLICTS_EXAMPLE: &str = "\
A conflict set can take the place of a program: pairs of values of statements that may not share a cell

  $ echo '[N] -> { S[i] -> S[j] : 0 <= i < j < N; T[i] -> T[j] : 0 <= i < j < N;
                   S[i] -> T[j] : 0 <= j <= i < N }' > pairs.isl
  $ polyfold optimize pairs.isl

prints where each statement's values are kept: S and T together in N + 1 cells, proved for all N.";

#[derive(Debug, Args)]
#[command(after_help = CONFLICTS_EXAMPLE)]
pub(crate) struct OptimizeCommand {
    /// Where the new program goes; standard output without it
    #[arg(short, value_name = "FILE", conflicts_with_all = ["in_place", "diff"])]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) optimize: OptimizeArguments,
    /// Print what changes as a unified diff, in place of the program
    #[arg(long, help_heading = MORE, conflicts_with = "in_place")]
    pub(crate) diff: bool,
    /// Replace the C file by the new program
    #[arg(long, help_heading = MORE)]
    pub(crate) in_place: bool,
    /// Write the report as JSON
    #[arg(long, help_heading = MORE, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

/// What `report --help` ends with.
const REPORT_EXAMPLE: &str = "\
Example: see what was done, and why it is right

  $ polyfold report program.c -o report.html

writes one page that any browser shows from disk. It takes the options of `optimize`. For a file with regions for local memory, or with \
--tile, it shows what `compact` does.";

#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLE)]
pub(crate) struct ReportCommand {
    /// Where the page goes
    #[arg(short, value_name = "FILE.html")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) optimize: OptimizeArguments,
    #[command(flatten, next_help_heading = "Local memory, as `compact` has it")]
    pub(crate) local: LocalArguments,
}

/// What is to be optimized, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct OptimizeArguments {
    /// The C file, or with the methods `auto`, `smo`, `joint` and `fast` a conflict set in isl notation (.isl)
    pub(crate) input: PathBuf,
    /// The order of the loops: keep, fuse, fuse-rows, strips, or a schedule in isl notation
    ///
    /// `keep`: the source's own. `fuse`: loops fused and shifted where that needs the fewest cells. `fuse-rows`: the same without
    /// carrying values between iterations of innermost loops, so that they vectorise. `strips`: as `fuse`, with innermost loops that
    /// carry values in strips of 128 iterations, which vectorise, too.
    ///
    /// Or a date for every operation of the scop, in isl notation, such as '{ S0[i, j] -> [j, i]; S1[i] -> [i, 0] }', or a file that
    /// holds that. Statements have their C labels' names, or S0, S1, … in the order of the text (`analyze` shows them).
    #[arg(long, value_name = "keep|fuse|fuse-rows|strips|MAP", default_value = "keep", hide_default_value = true)]
    pub(crate) schedule: String,
    /// Compile and run the old and the new program and compare, before anything is written; says so where they can't be run
    #[arg(long)]
    pub(crate) verify: bool,
    /// Fail if anything deserves a warning: what had to be left as it is, and loops that do more than their source
    #[arg(long, help_heading = MORE)]
    pub(crate) strict: bool,
    /// Which engine chooses the storage
    #[arg(long, help_heading = EXPERTS, value_enum, default_value_t = MethodArgument::Auto)]
    pub(crate) method: MethodArgument,
    /// Whether arrays may share storage with one another (not with the methods `successive-modulo`, `lattice` and `optimal`)
    #[arg(long, help_heading = EXPERTS, value_enum, default_value_t = ScopeArgument::Inter)]
    pub(crate) scope: ScopeArgument,
    /// Let temporaries live in the memory of outputs
    ///
    /// They do while the outputs hold nothing that is needed. Outputs must not overlap other arrays that the function uses. Signal
    /// handlers and other threads may see what they hold meanwhile.
    #[arg(long, help_heading = MORE)]
    pub(crate) reuse_outputs: bool,
    /// Give every statement that writes a temporary an array of its own first
    ///
    /// Which array held what is forgotten, and storage is found for these.
    #[arg(long, help_heading = MORE)]
    pub(crate) reallocate: bool,
    /// The form of the new code
    #[arg(long, help_heading = MORE, value_enum, default_value_t = EmitArgument::Fast)]
    pub(crate) emit: EmitArgument,
    /// Up to so many percent more cells than suffice, where subscripts are plainer then
    ///
    /// Plainer are fewer remainders, cells one behind the other in innermost loops, and rows of a grid that keep their ends. 0: not a
    /// single one. Without this option up to 3 percent, or a few cells; with `--method` none.
    #[arg(long, help_heading = EXPERTS, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true)]
    pub(crate) room: Option<u64>,
    /// Dimensions of the schedule that run in parallel, by number, 0 the outermost
    ///
    /// Their loops get an OpenMP pragma. Of the source's own order, which `analyze` shows, 1 is the outermost loops.
    #[arg(long, help_heading = EXPERTS, value_name = "DIMENSION", value_delimiter = ',')]
    pub(crate) parallel: Vec<usize>,
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
}

/// What `explain --help` ends with.
const EXPLAIN_EXAMPLE: &str = "\
Examples: why does `rows` need three rows, and what is P0203?

  $ polyfold explain rows examples/blur.c
  $ polyfold explain P0203

names the two values that would share a cell in less, and prints what the manual says of a message.";

/// Stands for no file, which a code needs none of.
pub(crate) const NO_FILE: &str = "-";

#[derive(Debug, Args)]
#[command(after_help = EXPLAIN_EXAMPLE)]
#[command(mut_arg("input", |input| input.required(false).default_value(NO_FILE).hide_default_value(true)))]
pub(crate) struct ExplainCommand {
    /// The array, or the code of a message, such as P0203
    pub(crate) subject: String,
    #[command(flatten)]
    pub(crate) optimize: OptimizeArguments,
}

#[derive(Debug, Args)]
pub(crate) struct AnalyzeArguments {
    /// The C file
    pub(crate) input: PathBuf,
    /// Only this array
    #[arg(long, value_name = "ARRAY")]
    pub(crate) array: Option<String>,
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
}

/// What `convert --help` ends with.
const CONVERT_EXAMPLE: &str = "\
Example: another tool finds new loops for a scop

  $ polyfold convert kernel.c -o kernel.scop
  $ another-tool kernel.scop > faster.scop
  $ polyfold convert faster.scop --into kernel.c -o faster.c

What stands in the file is written, right or wrong: `optimize kernel.c --schedule faster.scop` proves the order first.";

#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLE)]
pub(crate) struct ConvertArguments {
    /// The C file, an OpenScop file (.scop), or problems in isl notation (.isl)
    pub(crate) input: PathBuf,
    /// Where the result goes, which its ending names: .scop, .isl or C; standard output without it, as OpenScop for C, else as C
    #[arg(short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// A C file of which the scops are to have the loops that the input describes
    #[arg(long, value_name = "FILE.c")]
    pub(crate) into: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The program as it was
    pub(crate) original: PathBuf,
    /// The program as it is now
    pub(crate) changed: PathBuf,
    #[command(flatten)]
    pub(crate) compiler: CompilerArguments,
    /// Arrays whose values nobody outside the scop needs: they may differ
    #[arg(long, value_name = "ARRAY", value_delimiter = ',')]
    pub(crate) temporary: Vec<String>,
    /// Sizes to call functions with, where the files have no main
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', value_parser = size)]
    pub(crate) param: Vec<(String, i64)>,
    /// Seconds that one run may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) timeout: u64,
}

/// What `lattice --help` ends with.
const LATTICE_EXAMPLE: &str = "\
Example: the differences of a triangle's cells, all in use at the same time (Bee, Figure 3, mean)

  $ echo '[n] -> { [i, j] : -n < i < n and -n < j < n and -n < i - j < n }' |
      polyfold lattice --param n=6

shows that i mod n, j mod n is proved for all n (36 cells), that 3 ceil(n/2)^2 cells suffice for all n,
and that these 27 cells are optimal for n = 6.";

#[derive(Debug, Args)]
#[command(after_help = LATTICE_EXAMPLE)]
pub(crate) struct LatticeArguments {
    /// A bounded set in isl notation, symmetric about 0, with or without parameters and 0; standard input without it, or for -
    pub(crate) body: Option<PathBuf>,
    /// Sizes at which cells are counted; with all of them the optimum there is found, too
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', value_parser = size)]
    pub(crate) param: Vec<(String, i64)>,
    /// A fact about parameters, such as 'n >= 3' or '[n] -> { : n >= 3 }', for which everything is proved
    #[arg(long, value_name = "FACT")]
    pub(crate) assume: Vec<String>,
    /// Write the result as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Draw the set and the best lattice, in two dimensions and at given sizes
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Bound on the work for each part, in elementary steps; past it the optimum is given as bounds
    #[arg(long, value_name = "N", default_value_t = 200_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_ops: u64,
}

/// What `fuse --help` ends with.
const FUSE_EXAMPLE: &str = r#"Example: L3 may not be fused with L2, which writes what it reads

  $ echo '{ "nodes": ["L1", "L2", "L3"],
            "arrays": [{ "name": "a", "size": 100, "producer": "L1", "readers": ["L2"] },
                       { "name": "b", "size": 100, "producer": "L2",
                         "readers": [{ "node": "L3", "prevents_fusion": true }] }] }' | polyfold fuse

fuses L1 and L2, so that a needs no memory, and b stays."#;

#[derive(Debug, Args)]
#[command(after_help = FUSE_EXAMPLE)]
pub(crate) struct FuseArguments {
    /// The graph, as JSON (docs/reference/formats.md); standard input without it, or for -
    pub(crate) graph: Option<PathBuf>,
    /// What is best
    #[arg(long, value_enum, default_value_t = ObjectiveArgument::Removed)]
    pub(crate) objective: ObjectiveArgument,
    /// Write the result as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Bound on the work for each part, in elementary steps; past it the best fusion so far is given, with a bound
    #[arg(long, value_name = "N", default_value_t = 200_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_ops: u64,
}

/// What `compact --help` ends with.
const COMPACT_EXAMPLE: &str = "\
A region is the statement behind `#pragma polyfold local`, between `#pragma scop` and `#pragma endscop`; the counters of the loops around \
it are fixed there. Clauses behind the pragma: arrays(A, B), live_out(A), capacity(64 KiB), buffers(2), async, hoist(C, k).

Example: a matrix product in tiles of 32 by 32 by 32, each with 3072 cells of local memory

  $ polyfold compact matmul.c --tile 32,32,32 -o tiles.c";

#[derive(Debug, Args)]
#[command(after_help = COMPACT_EXAMPLE)]
pub(crate) struct CompactArguments {
    /// The C file
    pub(crate) input: PathBuf,
    /// Where the new program goes; standard output without it
    #[arg(short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    #[command(flatten)]
    pub(crate) local: LocalArguments,
}

/// What is copied to local memory, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct LocalArguments {
    /// Iterations of a tile for each loop of a nest, at most 1000000, outermost first, such as 32,32: loops behind a pragma, or the outermost nests of a file that
    /// has none, become loops over tiles with a region in them, where that computes the same for all sizes
    #[arg(long, value_name = "SIZE,…", value_delimiter = ',', value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
    pub(crate) tile: Vec<i64>,
    /// Bytes of local memory, such as 65536 or 64KiB, unless the pragma says capacity(…): local arrays have to fit for all sizes
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) capacity: Option<u64>,
    /// What happens if local arrays do not fit
    #[arg(long, value_enum, default_value_t = OnOverflow::Error)]
    pub(crate) on_overflow: OnOverflow,
    /// Take pointers that the source does not declare `restrict` to lead to different memory
    #[arg(long)]
    pub(crate) assume_noalias: bool,
    /// Run in local memory even if nothing is gained
    #[arg(long)]
    pub(crate) always: bool,
    /// Fetch what the next iteration of the loop around needs while one runs, in so many buffers, unless the pragma says buffers(…)
    #[arg(long, value_name = "2|3", value_parser = clap::value_parser!(u64).range(1..=3))]
    pub(crate) buffers: Option<u64>,
    #[command(flatten)]
    pub(crate) manner: MannerArguments,
    /// What happens if some array of a region cannot be copied
    #[arg(long, value_enum, default_value_t = OnError::Fail)]
    pub(crate) on_error: OnError,
}

/// How copies and declarations are written.
#[derive(Debug, Clone, Args)]
pub(crate) struct MannerArguments {
    /// Copy runs of cells by memcpy
    #[arg(long, conflicts_with = "get")]
    pub(crate) memcpy: bool,
    /// A function that starts to copy in: void GET(void *local, const void *global, size_t bytes, int tag)
    #[arg(long, value_name = "NAME", requires = "put", requires = "wait")]
    pub(crate) get: Option<String>,
    /// A function that starts to copy back: void PUT(void *global, const void *local, size_t bytes, int tag)
    #[arg(long, value_name = "NAME", requires = "get")]
    pub(crate) put: Option<String>,
    /// A function that waits until no transfer with a tag is under way: void WAIT(int tag)
    #[arg(long, value_name = "NAME", requires = "get")]
    pub(crate) wait: Option<String>,
    /// With --get: transfers of fewer bytes are assignments
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "get")]
    pub(crate) min_transfer: Option<u64>,
    /// With --get: longer transfers are split
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "get")]
    pub(crate) max_transfer: Option<u64>,
    /// Bytes, a power of two up to 65536, at whose multiples local arrays and their rows begin
    #[arg(long, value_name = "BYTES", value_parser = alignment)]
    pub(crate) align: Option<u64>,
    /// Cells that rows of local arrays are longer than they have to be, so that columns spread over banks of memory
    #[arg(long, value_name = "CELLS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=4096))]
    pub(crate) pad: u64,
    /// What stands in front of declarations of local arrays, such as a macro or 'static __attribute__((section(".spm")))'
    #[arg(long, value_name = "TEXT")]
    pub(crate) space: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnOverflow {
    /// Nothing is written
    Error,
    /// The largest arrays stay where they are, until the others fit
    Demote,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnError {
    /// Nothing is written
    Fail,
    /// It stays where it is
    Skip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectiveArgument {
    /// The largest total size of arrays that are removed
    Removed,
    /// The fewest cells alive at once
    Memory,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodArgument {
    /// Try all engines, keep the smallest result that is proved
    Auto,
    /// Moduli in the order of the array's axes
    SuccessiveModulo,
    /// Moduli in every order of the axes, and families of lattices that mix axes
    Lattice,
    /// The smallest lattice, with the values of macros taken as known
    Optimal,
    /// Hyperplanes that statements share, level by level
    Smo,
    /// Hyperplanes that statements share, all levels at once
    Joint,
    /// Axes and offsets for statements that share
    Fast,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeArgument {
    /// Each array alone
    Intra,
    /// Storage may be shared
    Inter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmitArgument {
    /// Subscripts rewritten in place, loops as they are
    Plain,
    /// Innermost loops in segments without `%`
    Fast,
    /// For high-level synthesis: loops as they are, storage of constant size only, its short dimensions partitioned
    Hls,
}

fn bytes(text: &str) -> Result<u64, String> {
    polyfold_frontend::bytes(text)
        .ok_or_else(|| format!("`{text}` is no number of bytes, such as 64KiB, 64KB (64000) or 65536"))
}

/// Compilers take no larger ones for what is on the stack.
const LARGEST_ALIGNMENT: u64 = 1 << 16;

fn alignment(text: &str) -> Result<u64, String> {
    let number = bytes(text)?;
    match number {
        _ if !number.is_power_of_two() => Err(format!("{number} is no power of two")),
        _ if number > LARGEST_ALIGNMENT => Err(format!("{number} is past {LARGEST_ALIGNMENT}, the largest alignment")),
        _ => Ok(number),
    }
}

/// More than that would be no contraction.
const MOST_PERCENT: u64 = 1000;

fn percent(text: &str) -> Result<u64, String> {
    let percent = text.parse().ok().filter(|percent| *percent <= MOST_PERCENT);
    percent.ok_or_else(|| format!("`{text}` is no whole number from 0 to {MOST_PERCENT}"))
}

fn size(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as N=100")?;
    let value = value.trim();
    let value = value.parse().map_err(|_| match value.parse::<i128>() {
        Ok(_) => format!("{value} is past 64 bits"),
        Err(_) => format!("{value} is not a whole number"),
    })?;
    Ok((name.trim().to_string(), value))
}

impl CompilerArguments {
    /// The same flags, for a compiler.
    pub(crate) fn flags(&self) -> Vec<String> {
        let mut flags: Vec<String> = self.standard.iter().map(|s| format!("-std={s}")).collect();
        for (letter, values) in [('I', &self.include), ('D', &self.define), ('U', &self.undefine)] {
            flags.extend(values.iter().map(|v| format!("-{letter}{v}")));
        }
        flags
    }
}
