//! Connects TCP endpoints, applications and a network.
//!
//! [`run`] is a pure function: the same plan and seed give the same columns, on every machine, with any
//! probes, and in any slices of a [`Run`].
//!
//! | module | what |
//! |---|---|
//! | [`plan`], [`columns`] | input and output of a run |
//! | [`host`] | a TCP endpoint and its application, or an end of datagrams, as a host of the network |
//! | [`workload`] | applications: one file per model |
//! | [`build`] | plan -> world |
//! | [`control`] | congestion controls of another program, which a plan names |
//! | `path` | how links change over time: one file per model |
//! | [`outside`] | applications for programs with their own connections |
//! | [`drill`] | scripts in packetdrill's language against one endpoint |
//! | [`probes`], [`trace`] | observers: what a plan asks to record over time; a readable trace |
//! | [`pixels`] | which of the recorded points a picture can show |
//! | [`causes`] | why a segment was sent again, why a packet was lost |
//! | [`wire`], [`capture`] | packets as bytes of IPv4 and TCP or UDP; a run's packets as pcapng |

pub mod build;
mod by_connection;
pub mod capture;
pub mod causes;
pub mod columns;
pub mod control;
pub mod drill;
mod error;
pub mod host;
mod losses;
pub mod outside;
mod path;
pub mod pixels;
pub mod plan;
pub mod probes;
mod recorder;
mod run;
mod totals;
pub mod trace;
pub mod wire;
pub mod workload;

pub use capture::capture;
pub use columns::{Columns, Recorded, Table, Values, Words};
pub use error::Error;
pub use host::{Content, DatagramHost, Host, MakeControl, Payload, TcpHost};
pub use plan::Plan;
pub use run::{Run, run};
pub use totals::LinkTotals;
pub use workload::{Response, Step, Transfer, View, Workload};

use serde_json::json;
use sim::queue::DefaultValue;
use tcp::Options;

/// Names and one-line summaries of the TCP flavors that a plan can ask for, and their presets as the
/// JSON of a plan's `options`.
#[must_use]
pub fn flavors() -> Vec<(&'static str, &'static str, String)> {
    let row = |flavor: &tcp::Flavor| (flavor.name, flavor.summary, json_of(&flavor.presets));
    tcp::FLAVORS.iter().map(row).collect()
}

/// The presets of a flavor whose code is in the plan, on each of [`stacks`], and its properties as those of
/// [`flavor_properties`], as JSON.
#[must_use]
pub fn flavor_of_code() -> (Vec<String>, String) {
    let presets = |stack: &build::Stack| json_of(&(stack.presets)(tcp::OUTSIDE.presets));
    (build::STACKS.iter().map(presets).collect(), properties(&tcp::OUTSIDE))
}

/// Names of the stacks whose presets a scenario can ask for, the one of [`flavors`] first, and the presets of each of
/// [`flavors`] there.
#[must_use]
pub fn stacks() -> Vec<(&'static str, Vec<String>)> {
    let presets = |stack: &build::Stack| {
        let flavors = tcp::FLAVORS.iter();
        (stack.name, flavors.map(|flavor| json_of(&(stack.presets)(flavor.presets))).collect())
    };
    build::STACKS.iter().map(presets).collect()
}

fn json_of(options: &Options) -> String {
    serde_json::to_string(&build::stated(options)).expect("options have a JSON form")
}

/// Further properties of each of [`flavors`], as JSON.
#[must_use]
pub fn flavor_properties() -> Vec<String> {
    tcp::FLAVORS.iter().map(properties).collect()
}

fn properties(flavor: &tcp::Flavor) -> String {
    serde_json::json!({
        "careful_as_published": flavor.careful_as_published,
        "ignores": flavor.ignores.concat(),
        "in_linux": flavor.in_linux,
        "is_random": flavor.is_random(),
    })
    .to_string()
}

/// The queue disciplines that a plan can ask for, as JSON: a list of `name`, `title`, `summary`, `is_random` and
/// `parameters`, each of which has a `name` in a scenario, a `key` in a plan, a `unit`, a `default` in the unit of a
/// plan (null if it depends on the link) and a `meaning`.
#[must_use]
pub fn queue_disciplines() -> String {
    let parameter = |its: &sim::queue::Parameter| {
        let default = match its.default {
            DefaultValue::Is(value) => json!(value),
            DefaultValue::Auto => json!("auto"),
            DefaultValue::Off => json!("off"),
        };
        json!({
            "name": its.name, "key": its.key(), "unit": its.unit.name(), "words": its.unit.words(),
            "default": default, "meaning": its.meaning,
        })
    };
    let row = |row: &sim::queue::Discipline<()>| {
        let parameters: Vec<_> = row.parameters.iter().map(parameter).collect();
        json!({
            "name": row.name, "title": row.title, "summary": row.summary, "limit": row.limit,
            "is_random": row.is_random,
            "parameters": parameters,
        })
    };
    sim::queue::disciplines().iter().map(row).collect::<serde_json::Value>().to_string()
}

/// Names of the frame policies that a plan can ask for, and of the parameters of each.
#[must_use]
pub fn frame_policies() -> Vec<(&'static str, Vec<&'static str>)> {
    atm::FRAME_POLICIES.iter().map(|policy| (policy.name, policy.parameters.to_vec())).collect()
}
