//! A `main` for files that have none.
//!
//! For each function that holds a scop it allocates every array parameter with the extents that the declaration says,
//! fills it with made-up data, calls the function, and prints a hash of each array. The program takes the number of a
//! *trial*: sizes grow with it, and differ from parameter to parameter. A trial may be meaningless for a function (a
//! stencil that needs three cells, on two); the caller leaves out trials at which the original fails.

use polyfold_frontend::{FunctionParameter, FunctionSignature};
use std::fmt::Write;

/// Number of trials.
pub const TRIALS: usize = 6;

const PRELUDE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static int polyfold_size(int trial, int parameter) {
  static const int sizes[] = {1, 2, 5, 8, 13, 24};
  return sizes[trial] + (trial % 2 ? parameter : 0);
}
static void polyfold_hash(const char *name, const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  unsigned long long h = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, h);
}
"#;

/// The text of a `main` to be put behind a file, which takes the number of a trial as its argument; `sizes` are values
/// that the user gave to parameters.
///
/// # Errors
/// When an array's extent is not in its declaration: one sentence that names it.
pub fn main_text(functions: &[FunctionSignature], sizes: &[(String, i64)]) -> Result<String, String> {
    if functions.is_empty() {
        return Err("there is no function with a scop".to_string());
    }
    let mut out = PRELUDE.to_string();
    for function in functions {
        out += &call(function, sizes)?;
    }
    out += "int main(int argc, char **argv) {\n  int trial = argc > 1 ? atoi(argv[1]) : 0;\n";
    for function in functions {
        let _ = writeln!(out, "  polyfold_call_{}(trial);", function.name);
    }
    out += "  return 0;\n}\n";
    Ok(out)
}

fn call(function: &FunctionSignature, sizes: &[(String, i64)]) -> Result<String, String> {
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
        out += &allocate(array)?;
    }
    let arguments: Vec<String> = function.parameters.iter().map(|p| argument(p, function)).collect();
    let invocation = format!("{name}({})", arguments.join(", "));
    let _ = match function.returns_void {
        true => writeln!(out, "  {invocation};"),
        false => writeln!(out, "  printf(\"{name} %.17g\\n\", (double){invocation});"),
    };
    for array in &arrays {
        let array = &array.name;
        let _ = writeln!(out, "  polyfold_hash(\"{name} {array}\", polyfold_{array}, polyfold_bytes_{array});");
        let _ = writeln!(out, "  free(polyfold_{array});");
    }
    out += "  (void)trial;\n}\n";
    Ok(out)
}

fn allocate(array: &FunctionParameter) -> Result<String, String> {
    let name = &array.name;
    let mut cells = String::new();
    for extent in &array.extents {
        let extent = extent.as_ref().ok_or(format!("the declaration of `{name}` does not say how large it is"))?;
        let _ = write!(cells, "{}(size_t)({extent})", if cells.is_empty() { "" } else { " * " });
    }
    let element = &array.element;
    Ok(format!(
        "  size_t polyfold_bytes_{name} = sizeof({element}) * {cells};\n  \
         {element} *polyfold_{name} = ({element} *)malloc(polyfold_bytes_{name});\n  \
         for (size_t i = 0; i < {cells}; i++) polyfold_{name}[i] = ({element})(i * 7919 % 17 + 1);\n"
    ))
}

fn argument(parameter: &FunctionParameter, function: &FunctionSignature) -> String {
    match (parameter.extents.is_empty(), is_size(parameter, function)) {
        (false, _) => format!("(void *)polyfold_{}", parameter.name),
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
