//! Fuzzes `fuzzing::drill_run`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::drill_run(bytes));
