//! What local arrays are called, and how parameters read.
//!
//! Example: the first local array of A is `A_local`, the next one `A_local2`; where the source has such a name, an underscore follows. A
//! parameter that stands for a product reads `it * T`.

use crate::home::free_name;
use crate::parameters_in_c;
use polyfold_compact::Plan;
use polyfold_scop::{ArrayId, Scop};

/// The names of a plan's local arrays, in its order.
pub struct LocalNames {
    /// By local array.
    pub names: Vec<String>,
}

impl LocalNames {
    /// Names that the source does not use.
    pub fn of(source: &str, scop: &Scop, plan: &Plan) -> LocalNames {
        let mut seen: Vec<ArrayId> = Vec::new();
        let names = plan.locals.iter().map(|local| {
            seen.push(local.array);
            let count = seen.iter().filter(|id| **id == local.array).count();
            let number = if count > 1 { count.to_string() } else { String::new() };
            free_name(&format!("{}_local{number}", scop.array(local.array).name), scop, source)
        });
        LocalNames { names: names.collect() }
    }
}

/// How each parameter reads in C, as a signed number.
pub(super) fn in_c(scop: &Scop, source: &str) -> Vec<String> {
    let mut names = parameters_in_c(scop, source);
    let products = scop.surroundings.iter().flat_map(|around| &around.products);
    for product in products {
        let factors: Vec<&str> = product.factors.iter().map(|id| names[id.0].as_str()).collect();
        names[product.parameter.0] = factors.join(" * ");
    }
    names
}
