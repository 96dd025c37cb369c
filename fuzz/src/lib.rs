//! What is fed to the endpoint and to the readers of packets and scripts, and what must hold.
//!
//! Each target is a function of bytes that panics if something does not hold. `fuzz_targets/`
//! hands it to libFuzzer; `crates/lab/tests/fuzz_corpus.rs` includes this file and gives it the
//! committed inputs; `explain` tells what an input means. See `docs/validation/fuzzing.md`.

mod bytes;
mod drill;
mod endpoint;
mod wire;

/// A target, by name.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] =
    &[("endpoint", endpoint), ("drill_parser", drill_parser), ("drill_run", drill_run), ("wire", wire)];

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
