//! Generates the messages and services of the wire contract, without protoc.

use std::error::Error;

const CONTRACT: [&str; 3] =
    ["sprague/v1/session.proto", "sprague/v1/slot.proto", "sprague/v1/operator.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=sprague");
    let files = protox::compile(CONTRACT, ["."])?;
    tonic_prost_build::configure().compile_fds(files)?;
    Ok(())
}
