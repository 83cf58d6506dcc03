//! graph6: what is read, what is refused and where, and that writing is the way back.

use proptest::prelude::*;
use sprague_geography::{Graph, graph6};

use crate::data;
use crate::random::{graphs, small};

fn unescape(text: &str) -> Vec<u8> {
    let escapes = [("\\n", "\n"), ("\\r", "\r"), ("\\0", "\0")];
    escapes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to)).into_bytes()
}

#[test]
fn the_good_corpus_is_read() {
    for row in data::rows("tests/data/graph6-good.tsv") {
        let graph = graph6::parse(&unescape(&row[0])).unwrap();
        let edges = row[2].split_whitespace().map(|edge| {
            let (v, w) = edge.split_once('-').unwrap();
            (v.parse().unwrap(), w.parse().unwrap())
        });
        assert_eq!(graph, Graph::from_edges(row[1].parse().unwrap(), edges).unwrap(), "{}", row[0]);
    }
}

#[test]
fn the_bad_corpus_is_refused_with_the_place_of_the_fault() {
    for row in data::rows("tests/data/graph6-bad.tsv") {
        let fault = graph6::parse(&unescape(&row[0])).unwrap_err();
        assert_eq!(fault.to_string(), row[1], "{:?}", row[0]);
    }
}

#[test]
fn the_largest_order_that_is_read_is_one_that_is_written() {
    let mut graph = Graph::edgeless(graph6::MAX_ORDER);
    graph.join(0, graph6::MAX_ORDER - 1).unwrap();
    assert_eq!(graph6::parse(graph6::write(&graph).as_bytes()).unwrap(), graph);
    let larger = graph6::write(&Graph::edgeless(graph6::MAX_ORDER + 1));
    let order = graph6::MAX_ORDER as u64 + 1;
    assert_eq!(
        graph6::parse(larger.as_bytes()),
        Err(graph6::Graph6Error::Order { position: 0, order })
    );
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(graph in graphs(0..=70)) {
        let text = graph6::write(&graph);
        prop_assert_eq!(graph6::parse(text.as_bytes()), Ok(graph));
    }

    #[test]
    fn a_small_graph_is_written_as_any_other(graph in graphs(0..=16)) {
        let mut text = b"before".to_vec();
        graph6::append_small(&small(&graph), &mut text);
        prop_assert_eq!(String::from_utf8(text).unwrap(), format!("before{}", graph6::write(&graph)));
    }

    #[test]
    fn what_is_read_is_written_back(text in "[?-~]{1,6}") {
        if let Ok(graph) = graph6::parse(text.as_bytes()) {
            prop_assert_eq!(graph6::write(&graph), text);
        }
    }

    #[test]
    fn no_bytes_make_the_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = graph6::parse(&bytes);
    }

    #[test]
    fn no_change_of_a_byte_makes_the_parser_panic(
        graph in graphs(0..=70),
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut text = graph6::write(&graph).into_bytes();
        let place = place.index(text.len());
        text[place] = byte;
        if let Ok(other) = graph6::parse(&text) {
            prop_assert_eq!(graph6::write(&other).into_bytes(), text.strip_suffix(b"\n").unwrap_or(&text));
        }
    }
}
