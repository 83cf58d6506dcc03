//! `sprague geography ...`, a verb a file.

pub(crate) mod construct;
pub(crate) mod draw;
pub(crate) mod generate;
pub(crate) mod play;
pub(crate) mod position;
mod read;
mod stream;
