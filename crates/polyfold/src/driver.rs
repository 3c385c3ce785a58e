//! A `main` for files that have none.
//!
//! For each function that holds a scop it allocates every array parameter with the extents that the declaration says (an
//! array without a size gets 65,536 cells), fills it and the global arrays of the scops with made-up data, calls the
//! function, and prints a hash of each parameter and global that is not a temporary of a scop. The program takes the
//! number of a *trial*: sizes grow with it, and differ from parameter to parameter. A trial may be meaningless for a
//! function (a stencil that needs three cells, on two); the caller leaves out trials at which the original fails.

use polyfold_frontend::{FunctionParameter, FunctionSignature};
use polyfold_scop::{Array, Scop, Storage};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Number of trials.
pub const TRIALS: usize = 6;

const PRELUDE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int polyfold_size(int trial, int parameter) {
  static const int sizes[] = {1, 2, 5, 8, 13, 24};
  return sizes[trial] + (trial % 2 ? parameter : 0);
}
#ifdef __cplusplus
template <class T> static void polyfold_fill(T *data, size_t cells) {
  for (size_t i = 0; i < cells; i++) {
    unsigned long long value = i * 7919 % 17 + 1;
    memset((void *)(data + i), (int)(i % 5), sizeof(T));
    if (sizeof(T) <= sizeof value) memcpy((void *)(data + i), &value, sizeof(T));
  }
}
static void polyfold_fill(float *data, size_t cells) {
  for (size_t i = 0; i < cells; i++) data[i] = (float)(i * 7919 % 17 + 1);
}
static void polyfold_fill(double *data, size_t cells) {
  for (size_t i = 0; i < cells; i++) data[i] = (double)(i * 7919 % 17 + 1);
}
struct polyfold_pointer {
  void *data;
  template <class T> operator T *() const { return (T *)data; }
};
#define POLYFOLD_FILL(array, cells) polyfold_fill((array), (cells))
#define POLYFOLD_POINTER(array) polyfold_pointer{array}
#else
#define POLYFOLD_POINTER(array) ((void *)(array))
static void polyfold_fill_integers(void *data, size_t cells, size_t bytes) {
  for (size_t i = 0; i < cells; i++) {
    unsigned long long value = i * 7919 % 17 + 1;
    memcpy((unsigned char *)data + i * bytes, &value, bytes);
  }
}
static void polyfold_fill_floats(void *data, size_t cells, size_t bytes) {
  for (size_t i = 0; i < cells; i++) ((float *)data)[i] = (float)(i * 7919 % 17 + 1);
  (void)bytes;
}
static void polyfold_fill_doubles(void *data, size_t cells, size_t bytes) {
  for (size_t i = 0; i < cells; i++) ((double *)data)[i] = (double)(i * 7919 % 17 + 1);
  (void)bytes;
}
static void polyfold_fill_bytes(void *data, size_t cells, size_t bytes) {
  for (size_t i = 0; i < cells * bytes; i++) ((unsigned char *)data)[i] = (unsigned char)(i % 5);
}
#define POLYFOLD_FILL(array, cells) \
  _Generic(*(array), float: polyfold_fill_floats, double: polyfold_fill_doubles, char: polyfold_fill_integers, \
    signed char: polyfold_fill_integers, unsigned char: polyfold_fill_integers, short: polyfold_fill_integers, \
    unsigned short: polyfold_fill_integers, int: polyfold_fill_integers, unsigned: polyfold_fill_integers, \
    long: polyfold_fill_integers, unsigned long: polyfold_fill_integers, long long: polyfold_fill_integers, \
    unsigned long long: polyfold_fill_integers, default: polyfold_fill_bytes)((array), (cells), sizeof *(array))
#endif
static void polyfold_hash(const char *name, const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  unsigned long long h = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, h);
}
"#;

/// Why there is no `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMain {
    /// No function holds a scop.
    NoFunction,
    /// Nothing can be made up for a parameter: it leads to a function, or to more pointers.
    Parameter {
        /// The function.
        function: String,
        /// Its parameter.
        name: String,
    },
}

/// The text of a `main` to be put behind a file, which takes the number of a trial as its argument; `sizes` are values
/// that the user gave to parameters.
///
/// # Errors
/// When there is no function to call, or one with a parameter for which nothing can be made up.
pub fn main_text(functions: &[FunctionSignature], scops: &[Scop], sizes: &[(String, i64)]) -> Result<String, NoMain> {
    if functions.is_empty() {
        return Err(NoMain::NoFunction);
    }
    for function in functions {
        if let Some(parameter) = function.parameters.iter().find(|parameter| parameter.leads_further) {
            let (function, name) = (function.name.clone(), parameter.name.clone());
            return Err(NoMain::Parameter { function, name });
        }
    }
    let globals = globals(scops);
    let mut out = PRELUDE.to_string();
    for function in functions {
        out += &call(function, sizes, &temporaries(scops, function));
    }
    out += "int main(int argc, char **argv) {\n  int trial = argc > 1 ? atoi(argv[1]) : 0;\n";
    for array in globals.values().filter(|a| !a.is_scalar()) {
        let (name, element) = (&array.name, &array.element);
        let _ = writeln!(out, "  POLYFOLD_FILL(({element} *)(void *)&{name}, sizeof {name} / sizeof({element}));");
    }
    for function in functions {
        let _ = writeln!(out, "  polyfold_call_{}(trial);", function.name);
    }
    for name in globals.keys() {
        let _ = writeln!(out, "  polyfold_hash(\"{name}\", &{name}, sizeof {name});");
    }
    out += "  return 0;\n}\n";
    Ok(out)
}

/// The global variables that scops use and may change, except those that hold nothing after them.
fn globals(scops: &[Scop]) -> BTreeMap<&str, &Array> {
    let is_open = |array: &&Array| {
        let known = array.extents.iter().all(Option::is_some);
        let global = array.declaration.as_ref().filter(|d| d.storage == Storage::Global);
        let is_const = global.is_some_and(|d| d.elements.is_const);
        global.is_some() && known && !is_const && !array.is_temporary()
    };
    scops.iter().flat_map(|s| &s.arrays).filter(is_open).map(|a| (a.name.as_str(), a)).collect()
}

/// Arrays that hold nothing after a function's scops.
fn temporaries<'a>(scops: &'a [Scop], function: &FunctionSignature) -> BTreeSet<&'a str> {
    let own = scops.iter().filter(|scop| scop.function == function.name).flat_map(|scop| &scop.arrays);
    own.filter(|array| array.is_temporary()).map(|array| array.name.as_str()).collect()
}

fn call(function: &FunctionSignature, sizes: &[(String, i64)], temporaries: &BTreeSet<&str>) -> String {
    let name = &function.name;
    let mut out = format!("static void polyfold_call_{name}(int trial) {{\n");
    let is_size = |p: &&FunctionParameter| p.extents.is_empty() && is_size(p, function);
    for (k, parameter) in function.parameters.iter().filter(is_size).enumerate() {
        let given = sizes.iter().find(|(n, _)| *n == parameter.name);
        let value = given.map_or(format!("polyfold_size(trial, {k})"), |(_, value)| value.to_string());
        let _ = writeln!(out, "  {} {} = {value};", parameter.element, parameter.name);
    }
    let arrays: Vec<&FunctionParameter> = function.parameters.iter().filter(|p| !p.extents.is_empty()).collect();
    for array in &arrays {
        out += &allocate(array);
    }
    let arguments: Vec<String> = function.parameters.iter().map(|p| argument(p, function)).collect();
    let invocation = format!("{name}({})", arguments.join(", "));
    let _ = match function.returns_void {
        true => writeln!(out, "  {invocation};"),
        false => writeln!(out, "  printf(\"{name} %.17g\\n\", (double){invocation});"),
    };
    for array in &arrays {
        let array = &array.name;
        if temporaries.contains(array.as_str()) {
            let _ = writeln!(out, "  free(polyfold_{array});");
            continue;
        }
        let _ = writeln!(out, "  polyfold_hash(\"{name} {array}\", polyfold_{array}, polyfold_bytes_{array});");
        let _ = writeln!(out, "  free(polyfold_{array});");
    }
    out += "  (void)trial;\n}\n";
    out
}

fn allocate(array: &FunctionParameter) -> String {
    let (name, element) = (&array.name, &array.element);
    let extents: Vec<String> =
        array.extents.iter().map(|e| format!("(size_t)({})", e.as_deref().unwrap_or("65536"))).collect();
    let cells = extents.join(" * ");
    format!(
        "  size_t polyfold_bytes_{name} = sizeof({element}) * {cells};\n  \
         {element} *polyfold_{name} = ({element} *)malloc(polyfold_bytes_{name});\n  \
         POLYFOLD_FILL(polyfold_{name}, {cells});\n"
    )
}

fn argument(parameter: &FunctionParameter, function: &FunctionSignature) -> String {
    match (parameter.extents.is_empty(), is_size(parameter, function)) {
        (false, _) => format!("POLYFOLD_POINTER(polyfold_{})", parameter.name),
        (true, true) => parameter.name.clone(),
        (true, false) => format!("({})3", parameter.element),
    }
}

/// Whether a number looks like a size: an extent mentions it, or it is an integer.
fn is_size(parameter: &FunctionParameter, function: &FunctionSignature) -> bool {
    let extents = function.parameters.iter().flat_map(|p| p.extents.iter().flatten());
    let integer = ["int", "long", "short", "unsigned", "size_t", "int32_t", "int64_t", "uint32_t", "uint64_t"];
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_string).collect()
    };
    words(&parameter.element).iter().any(|w| integer.contains(&w.as_str()))
        || extents.into_iter().any(|e| words(e).contains(&parameter.name))
}
