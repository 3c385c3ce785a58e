//! The stages of a scop whose loops were fused: what passes between them, which loops became one, and what keeps others apart.

use serde::Serialize;

/// Stages before and after.
#[derive(Clone, Debug, Serialize)]
pub struct Stages {
    /// Statements, in text order.
    pub stages: Vec<Stage>,
    /// What passes between them.
    pub flows: Vec<StageFlow>,
    /// Loops that became one.
    pub loops: Vec<StageLoop>,
    /// What keeps loops apart.
    pub apart: Vec<StagesApart>,
}

/// A statement of the file.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// Its line, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
}

/// An array of the scop's own that one stage writes and another one reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageFlow {
    /// The writer, as an index into the stages.
    pub from: usize,
    /// The reader.
    pub to: usize,
    /// The array.
    pub array: String,
}

/// A loop that several became.
#[derive(Clone, Debug, Serialize)]
pub struct StageLoop {
    /// How many loops are around it.
    pub level: usize,
    /// The stages in it.
    pub members: Vec<StageInLoop>,
}

/// A stage in a loop that it shares.
#[derive(Clone, Debug, Serialize)]
pub struct StageInLoop {
    /// Which one.
    pub stage: usize,
    /// How many iterations it runs behind.
    pub behind: i64,
    /// In one of how many iterations it runs.
    pub every: i64,
    /// Whether its loop goes in the other direction now.
    pub is_turned: bool,
    /// Whether all of it runs in one iteration.
    pub is_once: bool,
}

/// Two stages that stay apart.
#[derive(Clone, Debug, Serialize)]
pub struct StagesApart {
    /// The one in front.
    pub from: usize,
    /// The one behind.
    pub to: usize,
    /// Why, in the words of the message.
    pub why: String,
}
