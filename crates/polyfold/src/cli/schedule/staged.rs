//! The stages of a fused scop, for the report.

use super::fusion_notes::why_apart;
use polyfold_nests::{Fused, FusedLoop};
use polyfold_report::{Stage, StageFlow, StageInLoop, StageLoop, Stages, StagesApart};
use polyfold_scop::{Access, ArrayId, Scop, StatementId};

/// Of a scop with the places of the file, whose text that is.
pub(super) fn stages(scop: &Scop, source: &str, order: &Fused) -> Stages {
    let text = |span: &std::ops::Range<usize>| {
        source.get(span.clone()).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let stage = |statement: &polyfold_scop::Statement| Stage { line: statement.line, text: text(&statement.span) };
    Stages {
        stages: scop.statements.iter().map(stage).collect(),
        flows: flows(scop),
        loops: order.loops.iter().map(stage_loop).collect(),
        apart: why_apart(scop, order)
            .into_iter()
            .map(|(from, to, why)| StagesApart { from: from.0, to: to.0, why })
            .collect(),
    }
}

/// From statements that write an array of the scop's own to others that read it.
fn flows(scop: &Scop) -> Vec<StageFlow> {
    let touches = |k: usize, array: ArrayId, is_meant: fn(&Access) -> bool| {
        scop.statements[k].accesses.iter().any(|access| access.array == array && is_meant(access))
    };
    let own =
        (0..scop.arrays.len()).map(ArrayId).filter(|id| scop.array(*id).is_temporary() && !scop.array(*id).is_scalar());
    let mut found = Vec::new();
    for array in own {
        let those = |is_meant| (0..scop.statements.len()).filter(move |k| touches(*k, array, is_meant));
        for from in those(Access::is_write) {
            let to = those(Access::is_read).filter(|to| *to != from);
            found.extend(to.map(|to| StageFlow { from, to, array: scop.array(array).name.clone() }));
        }
    }
    found
}

fn stage_loop(fused: &FusedLoop) -> StageLoop {
    let member = |(id, behind): (&StatementId, &i64)| StageInLoop {
        stage: id.0,
        behind: *behind,
        every: fused.rates.get(id).copied().unwrap_or(1),
        is_turned: fused.turned.contains(id),
        is_once: fused.once.contains(id),
    };
    StageLoop { level: fused.level, members: fused.behind.iter().map(member).collect() }
}
