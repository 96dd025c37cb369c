//! Tells what an input of the target `endpoint` means: every step, up to the one that fails.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(file) = std::env::args_os().nth(1) else {
        eprintln!("usage: explain FILE");
        return ExitCode::from(2);
    };
    match std::fs::read(&file) {
        Ok(bytes) => {
            fuzzing::explain_endpoint(&bytes);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            ExitCode::from(2)
        }
    }
}
