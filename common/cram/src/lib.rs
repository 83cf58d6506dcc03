//! Nimbers of Cram positions: rules, canonical shapes and independent search methods.
