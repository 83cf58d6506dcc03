//! The kinds of jobs, one module each.

mod boards;
mod cram;
mod flags;
mod found;
mod geography;
mod geography_cover;
mod geography_literature;
mod geography_search;
mod geography_sweep;
mod methods;
mod remarks;
mod whole;

use remarks::{marks, troubles};

pub use cram::Cram;
pub use geography_cover::GeographyCover;
pub use geography_literature::GeographyLiterature;
pub use geography_search::GeographySearch;
pub use geography_sweep::GeographySweep;
