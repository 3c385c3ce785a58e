//! Functions and conditions of the parameters, as C text with the source's own names.

use crate::signed::Signed;
use polyfold_isl::{CText, PwAff, Result, Set};
use polyfold_scop::{ParameterOrigin, Scop};

/// How each parameter of a scop reads in C: its name, or a cast of it to `long` where the source does not plainly declare it
/// as a signed integer, since `n - 2` and `n <= -1` mean something else for an unsigned `n`.
pub fn parameters_in_c(scop: &Scop, source: &str) -> Vec<String> {
    let signed = Signed::at(source, scop.span.start);
    let in_c = |p: &polyfold_scop::Parameter| match p.origin {
        ParameterOrigin::Constant(_) if !signed.is_unsigned_macro(&p.name) => p.name.clone(),
        ParameterOrigin::Constant(_) => format!("(long){}", p.name),
        ParameterOrigin::Variable if signed.contains(&p.name) => p.name.clone(),
        ParameterOrigin::Variable => format!("(long){}", p.name),
    };
    scop.parameters.iter().map(in_c).collect()
}

/// Prints sizes and conditions.
pub struct CNames {
    printer: CText,
    /// Names that differ between isl notation and C (`min_` for a variable called `min`).
    renamed: Vec<(String, String)>,
}

impl CNames {
    /// For parameters in `context`, called `isl` in isl notation and `c` in C.
    ///
    /// # Errors
    /// Only after an earlier failure of isl.
    pub fn new(context: &Set, isl: &[String], c: &[String]) -> Result<CNames> {
        let renamed = isl.iter().cloned().zip(c.iter().cloned()).filter(|(i, c)| i != c).collect();
        Ok(CNames { printer: CText::new(context)?, renamed })
    }

    /// A size.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn value(&self, function: &PwAff) -> Result<String> {
        Ok(self.in_c(&self.printer.value(function)?))
    }

    /// A condition on sizes.
    ///
    /// # Errors
    /// When it depends on more than parameters.
    pub fn condition(&self, set: &Set) -> Result<String> {
        Ok(self.in_c(&self.printer.condition(set)?))
    }

    fn in_c(&self, text: &str) -> String {
        let mut out = String::new();
        let mut word = String::new();
        for c in text.chars().chain([' ']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            let renamed = self.renamed.iter().find(|(isl, _)| *isl == word);
            out.push_str(renamed.map_or(&word, |(_, c)| c));
            out.push(c);
            word.clear();
        }
        out.pop();
        out
    }
}
