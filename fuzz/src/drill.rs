//! Scripts of any text.
//!
//! - None makes the reader panic.
//! - What is read, prints as a text that reads back as the same tree.
//! - What is read, runs to its end or to a failure, on every flavor.

use super::flavors;
use lab::drill::{Script, Setup, parse as read, run as perform};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use tcp::Flavor;

const LONGEST: usize = 4_000;

/// Reads a script, and what it prints as.
pub fn parse(bytes: &[u8]) {
    let Some(script) = script(bytes) else { return };
    let printed = script.to_string();
    match read(&printed) {
        Ok(again) => assert_eq!(again, script, "it reads back as something else:\n{printed}"),
        Err(problems) => panic!("it does not read back: {problems:?}\n{printed}"),
    }
}

/// Runs a script; the first bytes say on what, the next one what is checked.
pub fn run(bytes: &[u8]) {
    let Some((&code, rest)) = bytes.split_first_chunk() else { return };
    let Some((&choice, text)) = rest.split_first() else { return };
    let Some(script) = script(text) else { return };
    let setup = Setup {
        tcp: tcp(flavors::chosen(code)),
        kept: Vec::new(),
        tick_ps: 100_000_000_000,
        check_psh: choice & 0x80 != 0,
        check_left: choice & 0x40 != 0,
        tolerance_us: None,
        files: BTreeMap::new(),
    };
    // A refusal of the script would be a problem that reading it should have told.
    let report = perform(&script, &setup).expect("what was read can be run");
    assert!(report.events <= script.events.len());
}

fn script(bytes: &[u8]) -> Option<Script> {
    read(&String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)])).ok()
}

/// A TCP as a plan has it.
fn tcp(flavor: &Flavor) -> Map<String, Value> {
    let mut presets = lab::flavors().into_iter().filter(|row| row.0 == flavor.name).map(|row| row.2);
    let options = presets.next().expect("a flavor");
    let options: Value = serde_json::from_str(&options).expect("presets are JSON");
    let tcp = json!({
        "flavor": flavor.name,
        "options": options,
        "smss_bytes": 1460,
        "initial_window_segments": 10,
        "initial_ssthresh_bytes": u64::MAX,
        "receive_buffer_bytes": 65_535,
        "window_scale": 7,
        "nagle": true,
        "sws_avoidance": true,
        "idle_restart": true,
        "restart_window_segments": null,
        "historic": lab::plan::HistoricTcp::OFF,
    });
    tcp.as_object().expect("it is an object").clone()
}
