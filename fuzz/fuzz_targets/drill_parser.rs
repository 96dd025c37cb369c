//! Fuzzes `fuzzing::drill_parser`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::drill_parser(bytes));
