//! Names that mean one thing around the scop and another inside it.
//!
//! The idea: what is written into the scop (new subscripts, conditions, extents) names sizes. A size whose name is
//! declared again inside the scop would be another variable there, so such a scop is declined.
//!
//! Example: with a parameter `n`, `for (…) { int n = 3; t[n] = 0; }`.

use super::{Lowered, Lowering};
use polyfold_c::syntax::{Derivation, ExpressionKind, VariableId};
use polyfold_scop::{Code, ParameterId};
use std::collections::HashMap;

impl Lowering<'_> {
    /// Declines a scop in which the name of a size is declared again.
    pub(super) fn check_shadowing(&self, temporaries: impl Iterator<Item = VariableId>) -> Lowered<()> {
        let sizes = self.sizes(temporaries);
        let mut inside: Vec<VariableId> = self.facts.declared_inside.iter().copied().collect();
        inside.sort_unstable();
        for id in inside {
            let variable = &self.site.unit.variables[id];
            if sizes.get(&variable.name).is_some_and(|meant| *meant != Some(id)) {
                let name = &variable.name;
                let message = format!("`{name}` is declared again here, and the outer `{name}` is a size of this scop");
                let help = format!("rename this `{name}`");
                return Err(self.decline(
                    Code::DeclaredAgain,
                    message,
                    &variable.name_span,
                    "another variable of the same name",
                    &help,
                ));
            }
        }
        Ok(())
    }

    /// The names of sizes, each with the variable that it means.
    fn sizes(&self, temporaries: impl Iterator<Item = VariableId>) -> HashMap<String, Option<VariableId>> {
        let mut sizes: HashMap<String, Option<VariableId>> = HashMap::new();
        for variable in temporaries {
            for derivation in &self.site.unit.variables[variable].shape {
                let Derivation::Array(Some(extent)) = derivation else { continue };
                extent.walk(&mut |e| {
                    if let ExpressionKind::Name(name, meant) = &e.kind {
                        sizes.insert(name.clone(), *meant);
                    }
                });
            }
        }
        sizes.extend(self.used_pins.keys().map(|name| (name.clone(), None)));
        sizes.extend(
            self.parameters.iter().enumerate().map(|(at, parameter)| {
                (parameter.name.clone(), self.parameter_variables.get(&ParameterId(at)).copied())
            }),
        );
        sizes
    }
}
