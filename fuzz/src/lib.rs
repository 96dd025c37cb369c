//! What is fed to the endpoint and to the readers of packets and scripts, and what must hold.
//!
//! Each target is a function of bytes that panics if something does not hold. `fuzz_targets/`
//! hands it to libFuzzer; `crates/lab/tests/fuzz_corpus.rs` includes this file and gives it the
//! committed inputs; `explain` tells what an input means. See `docs/validation/fuzzing.md`.

mod bytes;
mod drill;
mod endpoint;
mod flavors;
mod wire;

/// A target, by name.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] =
    &[("endpoint", endpoint), ("drill_parser", drill_parser), ("drill_run", drill_run), ("wire", wire)];

/// The bytes that choose a flavor.
pub fn code_of_flavor(flavor: &tcp::Flavor) -> [u8; 2] {
    flavors::code(flavor)
}

/// An input of a target as it is kept: flavors in it are chosen by name. See `flavors.rs`.
pub fn kept(target: &str, input: &[u8]) -> Vec<u8> {
    match target {
        "endpoint" => flavors::by_name(input, endpoint::FLAVORS_AT, endpoint::CHOICES),
        "drill_run" => flavors::by_name(input, 0, 1),
        _ => input.to_vec(),
    }
}

/// Two endpoints, or one that gets any segments at all; see `endpoint/mod.rs`.
pub fn endpoint(bytes: &[u8]) {
    endpoint::run(bytes, false);
}

/// As [`endpoint`]; prints every step.
pub fn explain_endpoint(bytes: &[u8]) {
    endpoint::run(bytes, true);
}

/// Packets of any bytes; see `wire.rs`.
pub fn wire(bytes: &[u8]) {
    wire::run(bytes);
}

/// Scripts of any text; see `drill.rs`.
pub fn drill_parser(bytes: &[u8]) {
    drill::parse(bytes);
}

/// Scripts that can be read, run; see `drill.rs`.
pub fn drill_run(bytes: &[u8]) {
    drill::run(bytes);
}
