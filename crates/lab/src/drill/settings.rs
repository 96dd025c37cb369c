//! The options at the top of a script.

use super::problem::Problem;
use super::syntax::{Flag, Script};
use base::Time;

/// The settings of a script's options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    /// How far the time of a segment may be from the script's.
    pub(super) tolerance: Time,
    /// Whether the script states it.
    pub(super) tolerance_is_given: bool,
    /// The same as a part of the time since the event before, in thousandths.
    pub(super) tolerance_permille: u64,
    /// The duration of a tick of the script's timestamps; none: their values are not compared.
    pub(super) timestamp_tick: Option<Time>,
    /// Segment size that follows from an MTU, if one is given.
    pub(super) smss: Option<u32>,
    /// Bytes of the headers of IP and TCP.
    pub(super) headers: u32,
    /// Whether a larger segment of the script may match several.
    pub(super) merges: bool,
}

/// packetdrill's.
pub(super) const TOLERANCE: Time = Time::from_us(4_000);

const IP4_HEADERS: u32 = 40;
const IP6_HEADERS: u32 = 60;
const LARGEST_MTU: u32 = 65_535;
const ETHERNET_MTU: u32 = 1500;

/// Options about the wire, the machine and the run, none of which exist here.
const WITHOUT: &[&str] = &[
    "bind_port",
    "code_command",
    "code_format",
    "code_sockopt",
    "connect_port",
    "debug",
    "define",
    "dry_run",
    "gateway_ip",
    "init_scripts",
    "is_anyip",
    "local_ip",
    "mss",
    "netmask_ip",
    "non_fatal",
    "remote_ip",
    "send_omit_free",
    "so_filename",
    "so_flags",
    "speed",
    "tcp_ts_ecr_scaled",
    "verbose",
    "wire_client",
    "wire_client_dev",
    "wire_server",
    "wire_server_at",
    "wire_server_dev",
    "wire_server_ip",
    "wire_server_port",
];

/// The settings of a script's options, and the problems.
pub(super) fn settings(script: &Script) -> (Settings, Vec<Problem>) {
    let mut found = Settings {
        tolerance: TOLERANCE,
        tolerance_is_given: false,
        tolerance_permille: 0,
        timestamp_tick: None,
        smss: None,
        headers: IP4_HEADERS,
        merges: true,
    };
    let (mut mtu, mut problems) = (None, Vec::new());
    for flag in &script.options {
        let result = match flag.name.as_str() {
            "tolerance_usecs" => number(flag, 86_400_000_000).map(|us| {
                (found.tolerance, found.tolerance_is_given) = (Time::from_us(us), true);
            }),
            "tolerance_percent" => permille(flag).map(|part| found.tolerance_permille = part),
            "tcp_ts_tick_usecs" => number(flag, 60_000_000).map(|us| {
                found.timestamp_tick = (us > 0).then(|| Time::from_us(us));
            }),
            "mtu" => number(flag, u64::from(LARGEST_MTU)).map(|bytes| mtu = Some(bytes as u32)),
            "ip_version" => ip_version(flag).map(|bytes| found.headers = bytes),
            "strict_segments" => {
                found.merges = false;
                Ok(())
            }
            name if WITHOUT.contains(&name) => Ok(()),
            name => Err(Problem::new(flag.at, format!("the option --{name} is not known"))),
        };
        problems.extend(result.err());
    }
    if mtu.is_some() || found.headers == IP6_HEADERS {
        found.smss = Some(mtu.unwrap_or(ETHERNET_MTU).saturating_sub(found.headers).max(1));
    }
    (found, problems)
}

fn number(flag: &Flag, most: u64) -> Result<u64, Problem> {
    let read = flag.value.as_deref().and_then(|value| value.parse().ok()).filter(|value| *value <= most);
    read.ok_or_else(|| {
        Problem::new(
            flag.at,
            format!("--{} is a whole number up to {most}; write for example --{0}=1000", flag.name),
        )
    })
}

fn permille(flag: &Flag) -> Result<u64, Problem> {
    let value = flag.value.as_deref().and_then(|value| value.parse::<f64>().ok());
    let value = value.filter(|value| (0.0..=100.0).contains(value));
    value.map(|percent| (percent * 10.0).round() as u64).ok_or_else(|| {
        Problem::new(
            flag.at,
            "--tolerance_percent is a number from 0 to 100; write for example --tolerance_percent=1",
        )
    })
}

fn ip_version(flag: &Flag) -> Result<u32, Problem> {
    match flag.value.as_deref() {
        Some("ipv4" | "ipv4-mapped-ipv6") => Ok(IP4_HEADERS),
        Some("ipv6") => Ok(IP6_HEADERS),
        _ => Err(Problem::new(flag.at, "--ip_version is ipv4, ipv4-mapped-ipv6 or ipv6")),
    }
}
