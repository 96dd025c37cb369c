//! Gives the fuzz targets their committed inputs: `fuzz/corpus`, and `fuzz/regressions` of every
//! fault that fuzzing has found.

#[allow(dead_code, missing_docs, unreachable_pub, reason = "the fuzz targets use the rest")]
#[path = "../../../fuzz/src/lib.rs"]
mod fuzzing;

use std::fs::read_dir;
use std::path::{Path, PathBuf};

fn inputs(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(folder)
}

/// Gives a target its inputs; says how many there are.
fn replay(folder: &str, name: &str, target: fn(&[u8])) -> usize {
    let Ok(files) = read_dir(inputs(folder).join(name)) else { return 0 };
    let mut paths: Vec<_> = files.map(|file| file.expect("a folder can be read").path()).collect();
    paths.sort();
    for path in &paths {
        // Shown if the input fails.
        println!("{}", path.display());
        target(&std::fs::read(path).expect("an input can be read"));
    }
    paths.len()
}

#[test]
fn every_committed_input_holds() {
    for &(name, target) in fuzzing::TARGETS {
        assert!(replay("corpus", name, target) > 0, "fuzz/corpus/{name} has no inputs");
        replay("regressions", name, target);
    }
}

/// Inputs of a target that is not there would never be replayed.
#[test]
fn every_folder_of_inputs_is_of_a_target() {
    for folder in ["corpus", "regressions"] {
        for entry in read_dir(inputs(folder)).expect("a folder can be read") {
            let path = entry.expect("a folder can be read").path();
            let known = fuzzing::TARGETS.iter().any(|target| path.ends_with(target.0));
            assert!(known || !path.is_dir(), "{} is of no target", path.display());
        }
    }
}
