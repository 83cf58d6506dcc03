//! A graph that was written in some language, and where.

use std::path::PathBuf;

use serde_json::{Value as Json, json};
use sprague_work::counted;

use super::{Document, Paint};
use crate::args::{DrawingFormat, GraphFormat};

/// A position that was constructed or drawn.
pub(crate) struct WrittenGraph {
    /// The words that construct it, if it was.
    pub(crate) construction: Option<String>,
    /// The graph's one text, without header.
    pub(crate) graph6: String,
    pub(crate) vertices: usize,
    pub(crate) edges: usize,
    pub(crate) start: usize,
    pub(crate) format: GraphFormat,
    pub(crate) place: Place,
}

/// Where it was written.
pub(crate) enum Place {
    /// To standard output, as this text.
    Here(String),
    File(PathBuf),
}

impl From<DrawingFormat> for GraphFormat {
    fn from(format: DrawingFormat) -> Self {
        match format {
            DrawingFormat::Svg => Self::Svg,
            DrawingFormat::Dot => Self::Dot,
        }
    }
}

impl WrittenGraph {
    /// How large it is and where it starts.
    pub(crate) fn summary(&self) -> String {
        let vertices = counted(self.vertices as u64, "vertex", "vertices");
        let edges = counted(self.edges as u64, "edge", "edges");
        let start = self.start;
        format!("{vertices}, {edges}, the start is {start}")
    }

    fn format(&self) -> &'static str {
        match self.format {
            GraphFormat::Graph6 => "graph6",
            GraphFormat::Dot => "dot",
            GraphFormat::Svg => "svg",
        }
    }
}

impl Document for WrittenGraph {
    fn json(&self) -> Json {
        let mut document = json!({
            "graph6": self.graph6,
            "vertices": self.vertices,
            "edges": self.edges,
            "start": self.start,
            "format": self.format(),
        });
        if let Some(construction) = &self.construction {
            document["construction"] = json!(construction);
        }
        match &self.place {
            Place::File(file) => document["file"] = json!(file.display().to_string()),
            // The graph itself is there already.
            Place::Here(_) if self.format == GraphFormat::Graph6 => {}
            Place::Here(text) => document["drawing"] = json!(text),
        }
        document
    }

    fn text(&self, _paint: Paint) -> String {
        match &self.place {
            Place::Here(text) => text.clone(),
            Place::File(file) => format!("{}: {}", file.display(), self.summary()),
        }
    }
}
