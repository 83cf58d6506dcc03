//! Undirected Vertex Geography: graphs, Grundy values, exhaustive sweeps, matchings.
