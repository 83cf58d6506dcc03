//! What the degree-3 algorithm refuses. That it is exact is tested in `literature`.

use sprague_geography::Graph;
use sprague_geography::value::subcubic::{self, NotSubcubic};

#[test]
fn a_wider_vertex_is_refused_where_it_can_be_reached() {
    let graph = Graph::from_edges(7, [(0, 1), (0, 2), (0, 3), (0, 4), (5, 6)]).unwrap();
    assert_eq!(subcubic::value(&graph, 3), Err(NotSubcubic { vertex: 0, degree: 4 }));
    assert_eq!(subcubic::value(&graph, 5).unwrap().value, 1);
}
