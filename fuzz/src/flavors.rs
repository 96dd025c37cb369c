//! Which flavor an input is about: by name, so that a new row of the table changes no input.
//!
//! An input holds two bytes made of the name. Any other two, as a fuzzer writes them, choose a row by
//! number; an input that is kept has those of a name (`crates/lab/tests/fuzz_corpus.rs`).

use tcp::{FLAVORS, Flavor};

/// How many bytes choose a flavor.
pub const BYTES: usize = 2;

/// The flavor that two bytes choose.
pub fn chosen(code: [u8; BYTES]) -> &'static Flavor {
    let by_row = || &FLAVORS[usize::from(u16::from_le_bytes(code)) % FLAVORS.len()];
    FLAVORS.iter().find(|flavor| self::code(flavor) == code).unwrap_or_else(by_row)
}

/// The two bytes of a flavor: FNV-1a of its name, folded.
pub fn code(flavor: &Flavor) -> [u8; BYTES] {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hash = flavor.name.bytes().fold(0x811c_9dc5, step);
    ((hash >> 16) as u16 ^ hash as u16).to_le_bytes()
}

/// An input with the bytes of names in the place of any others that choose the same flavors.
///
/// `from` is where its choices begin, `count` is how many there are.
pub fn by_name(input: &[u8], from: usize, count: usize) -> Vec<u8> {
    let end = from + count * BYTES;
    let mut named = input.to_vec();
    // What an input does not have is read as zeros.
    named.resize(input.len().max(end), 0);
    for choice in named[from..end].chunks_exact_mut(BYTES) {
        let bytes = code(chosen([choice[0], choice[1]]));
        choice.copy_from_slice(&bytes);
    }
    named
}
