//! Programs in their own order of execution, with loops that isl writes for it.

use super::parse;
use polyfold_codegen::{LoopForm, Order, pieces, with_new_loops};
use polyfold_flow::Model;
use polyfold_isl::{Context, Error, Map};
use polyfold_schedule::{Given, Together};
use polyfold_scop::Scop;

/// The text with new loops for one of its scops.
///
/// # Errors
/// Why that scop's loops cannot be replaced.
pub fn in_own_order(text: &str, scop: usize) -> Result<String, String> {
    let parsed = parse(text);
    let scop: &Scop = parsed.scops.get(scop).ok_or("the front end declines it")?;
    let pieces = pieces(text, scop, &[]).map_err(|obstacle| format!("{}: {}", obstacle.what, obstacle.help))?;
    let ctx = Context::new();
    let model = Model::build(&ctx, scop).map_err(|e| e.to_string())?;
    let dates = dates(&model).map_err(|e| e.to_string())?;
    let together: Vec<Together> = (pieces.scop.statements.iter().zip(&pieces.all))
        .map(|(statement, piece)| Together { name: &statement.name, statements: &piece.statements })
        .collect();
    let given = Given { dates }.of_pieces(&together).map_err(|e| e.to_string())?;
    let dates = given.map_err(|piece| format!("the order takes piece {piece} apart"))?.dates;
    let order = Order {
        dates: &dates,
        context: &model.context,
        parameters: &model.parameters,
        parallel: &[],
        form: LoopForm::Plain,
    };
    with_new_loops(text, &pieces, &order).map_err(|misfit| format!("{misfit:?}"))
}

fn dates(model: &Model) -> Result<Vec<Map>, Error> {
    model.statements.iter().map(|statement| statement.schedule.intersect_domain(&statement.domain)).collect()
}
