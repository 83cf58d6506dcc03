//! Generates the messages and services of the wire contract, without protoc, and their description for
//! reflection.

use std::error::Error;
use std::path::PathBuf;

use prost::Message as _;

const CONTRACT: [&str; 3] =
    ["sprague/v1/session.proto", "sprague/v1/slot.proto", "sprague/v1/operator.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=sprague");
    let files = protox::compile(CONTRACT, ["."])?;
    let descriptors = PathBuf::from(std::env::var("OUT_DIR")?).join("sprague.v1.bin");
    std::fs::write(descriptors, files.encode_to_vec())?;
    // What others are filed under has an order, so that a worker does everything in the same one.
    let ordered = "#[derive(PartialOrd, Ord)]";
    tonic_prost_build::configure()
        .type_attribute(".sprague.v1.AttemptId", ordered)
        .type_attribute(".sprague.v1.TaskId", ordered)
        .compile_fds(files)?;
    Ok(())
}
