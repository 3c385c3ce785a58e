//! A graph as JSON; docs/reference/formats.md describes it.

use polyfold_fusion::{Graph, NamedArray, NamedDependence, NamedRead};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Number;
use std::fmt;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    nodes: Vec<String>,
    arrays: Vec<ArrayEntry>,
    #[serde(default)]
    dependences: Vec<DependenceEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArrayEntry {
    name: String,
    size: Number,
    #[serde(default)]
    producer: Option<String>,
    #[serde(default)]
    readers: Vec<Reader>,
    #[serde(default)]
    live_out: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DependenceEntry {
    from: String,
    to: String,
    #[serde(default)]
    prevents_fusion: bool,
}

/// `"L3"`, or `{ "node": "L3", "prevents_fusion": true }`.
struct Reader(NamedRead);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReaderEntry {
    node: String,
    #[serde(default)]
    prevents_fusion: bool,
}

impl<'de> Deserialize<'de> for Reader {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Reader, D::Error> {
        deserializer.deserialize_any(ReaderVisitor)
    }
}

struct ReaderVisitor;

impl<'de> Visitor<'de> for ReaderVisitor {
    type Value = Reader;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, r#"a node's name, or {{ "node": …, "prevents_fusion": … }}"#)
    }

    fn visit_str<E: Error>(self, node: &str) -> Result<Reader, E> {
        Ok(Reader(NamedRead::new(node, false)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Reader, A::Error> {
        let entry = ReaderEntry::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Reader(NamedRead::new(&entry.node, entry.prevents_fusion)))
    }
}

/// The graph that a text describes.
///
/// # Errors
/// What is wrong with it, in the text's own terms.
pub fn read(text: &str) -> Result<Graph, String> {
    let file: File =
        serde_json::from_str(text).map_err(|error| format!("not a graph (docs/reference/formats.md): {error}"))?;
    let arrays = file.arrays.into_iter().map(array).collect::<Result<Vec<_>, _>>()?;
    let dependence = |entry: DependenceEntry| NamedDependence {
        from: entry.from,
        to: entry.to,
        prevents_fusion: entry.prevents_fusion,
    };
    let dependences: Vec<NamedDependence> = file.dependences.into_iter().map(dependence).collect();
    Graph::new(&file.nodes, &arrays, &dependences).map_err(|error| error.to_string())
}

fn array(entry: ArrayEntry) -> Result<NamedArray, String> {
    let size = cells(&entry.size).map_err(|why| format!("array {}: its size {} {why}", entry.name, entry.size))?;
    let readers = entry.readers.into_iter().map(|Reader(read)| read).collect();
    Ok(NamedArray { name: entry.name, size, producer: entry.producer, readers, is_live_out: entry.live_out })
}

fn cells(size: &Number) -> Result<u64, &'static str> {
    match size.as_u64() {
        Some(cells) => Ok(cells),
        None if size.as_f64().is_some_and(|value| value < 0.0) => Err("is negative"),
        None if size.as_f64().is_some_and(|value| value >= 1.8e19) => Err("is past 64 bits"),
        None => Err("is not a whole number"),
    }
}
