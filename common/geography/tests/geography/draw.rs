//! Pictures: everything is in them.

use std::sync::atomic::{AtomicBool, AtomicU64};

use proptest::prelude::*;
use sprague_geography::{Limits, analyse, draw};

use crate::random::positions;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_picture_has_every_vertex_edge_pair_and_value((graph, start) in positions(1..=9)) {
        let (cancel, progress) = (AtomicBool::new(false), AtomicU64::new(0));
        let limits = Limits { memory: 1 << 20, cancel: &cancel, progress: &progress };
        let analysis = analyse(&graph, start, &limits).unwrap();
        let values = 1 + analysis.options.len();

        let dot = draw::dot(&graph, &analysis);
        prop_assert_eq!(dot.matches("label=").count(), graph.order());
        prop_assert_eq!(dot.matches(" -- ").count(), graph.size());
        prop_assert_eq!(dot.matches("crimson").count(), analysis.pairs.len());
        prop_assert_eq!(dot.matches("gold").count(), 1);
        let missed = graph.order() - 2 * analysis.pairs.len();
        prop_assert_eq!(dot.matches("dashed").count(), missed);
        prop_assert_eq!(dot.matches("\\n*").count(), values);

        let svg = draw::svg(&graph, &analysis);
        prop_assert_eq!(svg.matches("<circle").count(), graph.order());
        prop_assert_eq!(svg.matches("<line").count(), graph.size());
        prop_assert_eq!(svg.matches("stroke-width=\"4\"").count(), analysis.pairs.len());
        prop_assert_eq!(svg.matches(">*").count(), values);
        prop_assert_eq!(svg.matches("stroke-dasharray").count(), missed);
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        prop_assert_eq!(&svg, &draw::svg(&graph, &analysis), "nothing in it is random");
    }
}
