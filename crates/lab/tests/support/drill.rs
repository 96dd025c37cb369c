//! What a script is run against.

use lab::drill::Setup;
use std::collections::BTreeMap;

/// A flavor with its presets and round numbers for the rest.
pub(crate) fn setup(flavor: &str) -> Setup {
    let (.., options) = lab::flavors().into_iter().find(|row| row.0 == flavor).unwrap();
    let options: serde_json::Value = serde_json::from_str(&options).unwrap();
    let tcp = serde_json::json!({
        "flavor": flavor, "options": options, "smss_bytes": 1460, "initial_window_segments": 10,
        "initial_ssthresh_bytes": 1u64 << 40, "receive_buffer_bytes": 65535, "window_scale": 7, "nagle": false,
        "sws_avoidance": true, "idle_restart": true,
        "restart_window_segments": null, "historic": lab::plan::HistoricTcp::OFF,
    });
    let tcp = tcp.as_object().unwrap().clone();
    let (kept, files) = (Vec::new(), BTreeMap::new());
    Setup {
        tcp,
        kept,
        tick_ps: 1_000_000_000,
        check_psh: false,
        check_left: false,
        tolerance_us: None,
        files,
    }
}
