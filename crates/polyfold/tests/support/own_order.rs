//! Programs in their own order of execution, with loops that isl writes for it.

use super::parse;
use polyfold_codegen::{
    Decisions, Dialect, Form, LoopForm, NewLoops, Order, ProvedForms, Rewritten, SizesInC, pieces, rewrite,
};
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
    let loops = NewLoops::of(text, &pieces, &order).map_err(|misfit| format!("{misfit:?}"))?;
    let ordered = loops.scop(scop).map_err(|misfit| format!("{misfit:?}"))?.ok_or("it has no program in its order")?;
    printed(text, &ordered, &model).map_err(|e| e.to_string())?.ok_or_else(|| "its text can't be written".to_string())
}

/// The file with a scop in its order and nothing else that is new. `None`: it can't be written.
fn printed(text: &str, scop: &Scop, model: &Model) -> Result<Option<String>, Error> {
    let names = SizesInC::to_read(&model.known, &model.parameters, scop)?;
    let decisions = Decisions {
        scop,
        parameters: &model.parameters,
        names: &names,
        mapped: Vec::new(),
        values: Vec::new(),
        value_buffers: Vec::new(),
        removed: Vec::new(),
        dead: Vec::new(),
        known: &model.known,
        proved: &model.known,
        program: scop.program.clone(),
        in_windows: None,
        facts: Vec::new(),
        form: Form::Plain,
        forms: ProvedForms::default(),
    };
    let Rewritten { text, left, .. } = rewrite(text, &[decisions], Dialect::C)?;
    Ok(left.is_empty().then_some(text))
}

fn dates(model: &Model) -> Result<Vec<Map>, Error> {
    model.statements.iter().map(|statement| statement.schedule.intersect_domain(&statement.domain)).collect()
}
