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

/// Runs a target on its inputs; returns how many there are.
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

/// An input that chose a flavor by its row would change its meaning with each new row.
/// `ACKCLOCK_UPDATE=1` writes the names into new inputs.
#[test]
fn every_committed_input_chooses_its_flavors_by_name() {
    for (name, folder) in
        fuzzing::TARGETS.iter().flat_map(|each| [(each.0, "corpus"), (each.0, "regressions")])
    {
        let Ok(files) = read_dir(inputs(folder).join(name)) else { continue };
        for path in files.map(|file| file.expect("a folder can be read").path()) {
            let input = std::fs::read(&path).expect("an input can be read");
            let kept = fuzzing::kept(name, &input);
            if std::env::var_os("ACKCLOCK_UPDATE").is_some() {
                std::fs::write(&path, &kept).expect("an input can be written");
            } else {
                assert!(input == kept, "{} chooses a flavor by number", path.display());
            }
        }
    }
}

#[test]
fn every_flavor_has_bytes_of_its_own() {
    let codes: std::collections::HashSet<_> = tcp::FLAVORS.iter().map(fuzzing::code_of_flavor).collect();
    assert_eq!(codes.len(), tcp::FLAVORS.len());
    for flavor in tcp::FLAVORS {
        let [first, second] = fuzzing::code_of_flavor(flavor);
        assert_eq!(fuzzing::kept("drill_run", &[first, second, 0]), [first, second, 0], "{}", flavor.name);
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
