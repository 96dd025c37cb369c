//! Shell lines: the settings of `sysctl` commands that are supported.
//!
//! Nothing is executed. A line is cut into commands; of these `sysctl name=value`, scripts named
//! `set_sysctls.py` and `echo value` into a file of the proc file system set what the table below
//! knows, and a `.sh` file is read if the setup has its text. Everything else is reported as not
//! applied.
//!
//! | name (net.ipv4.) | effect |
//! |---|---|
//! | tcp_sack, tcp_dsack, tcp_timestamps | 0 switches it off; 1 leaves it as the flavor has it |
//! | tcp_ecn | 0 off, 1 on, 2 on for passive opens only, 3 on with accurate feedback |
//! | tcp_window_scaling | 0: none is offered |
//! | tcp_slow_start_after_idle | restart after idle |
//! | tcp_congestion_control | reno or cubic, under a recovery with SACK |
//! | tcp_rmem | the second number is the receive buffer of what SO_RCVBUF does not give one |
//! | tcp_rto_min_us, tcp_rto_max_ms | smallest and largest RTO |
//! | tcp_recovery | 0: losses are found by number (RFC 6675); 1 leaves it as the flavor has it |
//! | tcp_early_retrans, tcp_frto | 0: no loss probes, no F-RTO; another number leaves it as the flavor has it |
//! | tcp_reordering, tcp_fack | accepted if 3 and 0, as a loss detection by time has it |
//! | tcp_min_tso_segs, tcp_tso_win_divisor, tcp_tso_rtt_log | none: segments leave one by one, as soon as they may |
//!
//! Of `ip link set ... mtu N` the segment size is taken (N less the headers), of `ip route ...
//! initcwnd N` the initial window, of `tc qdisc ... root fq` that segments leave at a rate, and of the file `hystart` of the
//! module `tcp_cubic` how slow start ends.

use super::problem::Position;
use super::report::Note;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tcp::{FLAVORS, Flavor, Outstanding};

const DEEPEST: u32 = 4;
/// The most commands of one shell line, with the files that it names.
const MOST_COMMANDS: usize = 10_000;

/// The TCP settings of shell lines and socket options.
#[derive(Clone, Debug, Default)]
pub(super) struct Host {
    /// The plan's TCP object.
    pub(super) tcp: Map<String, Value>,
    /// Keys of it that the user has chosen: no script changes them.
    pub(super) kept: Vec<String>,
    /// tcp_ecn = 2: an active open does not request ECN.
    pub(super) ecn_passive_only: bool,
    /// tcp_window_scaling = 0.
    pub(super) no_window_scale: bool,
    /// Bytes of the headers of IP and TCP.
    pub(super) headers: u64,
}

impl Host {
    /// Whether the user has set a key.
    pub(super) fn keeps(&self, name: &str) -> bool {
        self.kept.iter().any(|kept| kept == name)
    }

    /// Sets a key of the TCP, or of its options. Returns whether there is such a key.
    pub(super) fn put(&mut self, name: &str, value: Value) -> bool {
        let options = self.tcp.get_mut("options").and_then(Value::as_object_mut);
        let place = match options.and_then(|options| options.get_mut(name)) {
            Some(place) => Some(place),
            None => self.tcp.get_mut(name),
        };
        place.map(|place| *place = value).is_some()
    }
}

/// The effects of commands.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) applied: Vec<Note>,
    pub(super) not_applied: Vec<Note>,
}

impl Outcome {
    fn note(&mut self, at: Position, command: &str, result: Result<String, String>) {
        let text = command.to_owned();
        match result {
            Ok(reason) => self.applied.push(Note { at, text, reason }),
            Err(reason) => self.not_applied.push(Note { at, text, reason }),
        }
    }
}

/// Applies a shell line.
pub(super) fn apply(host: &mut Host, files: &BTreeMap<String, String>, at: Position, text: &str) -> Outcome {
    let mut outcome = Outcome::default();
    apply_text(host, files, at, text, DEEPEST, &mut outcome);
    outcome
}

fn apply_text(
    host: &mut Host,
    files: &BTreeMap<String, String>,
    at: Position,
    text: &str,
    depth: u32,
    outcome: &mut Outcome,
) {
    for command in commands(text) {
        if outcome.applied.len() + outcome.not_applied.len() >= MOST_COMMANDS {
            return;
        }
        let words = words(&command);
        let Some(first) = words.first() else { continue };
        let file = if matches!(first.as_str(), "source" | ".") { words.get(1) } else { Some(first) };
        if let Some(file) = file.filter(|file| file.ends_with(".sh")) {
            match files.get(file.as_str()) {
                Some(text) if depth > 0 => apply_text(host, files, at, text, depth - 1, outcome),
                _ => outcome.note(at, &command, Err("the file is not beside the script".to_owned())),
            }
            continue;
        }
        for (shown, name, value) in settings(&words) {
            outcome.note(at, &shown, set(host, &name, &value));
        }
        if settings(&words).is_empty() {
            outcome.note(at, &command, Err("no command runs here".to_owned()));
        }
    }
}

/// The commands of a shell text: without comments, `\` at the end of a line joins it with the next.
fn commands(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let (mut quote, mut last) = (None, ' ');
    let joined = text.replace("\\\n", " ");
    let mut signs = joined.chars().peekable();
    while let Some(sign) = signs.next() {
        let current = found.last_mut().expect("there is one at the start");
        match sign {
            _ if quote == Some(sign) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(sign),
            '#' if last.is_whitespace() => {
                while signs.peek().is_some_and(|sign| *sign != '\n') {
                    signs.next();
                }
                continue;
            }
            '\n' | ';' => {
                found.push(String::new());
                last = ' ';
                continue;
            }
            '&' if signs.peek() == Some(&'&') => {
                signs.next();
                found.push(String::new());
                last = ' ';
                continue;
            }
            _ => {}
        }
        current.push(sign);
        last = sign;
    }
    found.into_iter().map(|command| command.trim().to_owned()).filter(|command| !command.is_empty()).collect()
}

/// The words of a command, quotes taken off.
fn words(command: &str) -> Vec<String> {
    let (mut found, mut quote, mut inside) = (Vec::new(), None, false);
    for sign in command.chars() {
        match sign {
            _ if quote == Some(sign) => quote = None,
            '"' | '\'' if quote.is_none() => {
                quote = Some(sign);
                if !inside {
                    found.push(String::new());
                    inside = true;
                }
            }
            _ if sign.is_whitespace() && quote.is_none() => inside = false,
            _ => {
                if !inside {
                    found.push(String::new());
                    inside = true;
                }
                found.last_mut().expect("a word has begun").push(sign);
            }
        }
    }
    found
}

/// The settings of a command, as (text, name, value).
fn settings(words: &[String]) -> Vec<(String, String, String)> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    if first == "echo" && rest.len() == 3 && rest[1] == ">" && rest[2].contains("proc/sys") {
        return vec![(format!("{}={}", rest[2], rest[0]), plain(&rest[2]), rest[0].clone())];
    }
    if first == "echo" && rest.len() == 3 && rest[2].ends_with("tcp_cubic/parameters/hystart") {
        return vec![(words.join(" "), "tcp_cubic hystart".to_owned(), rest[0].clone())];
    }
    if first == "tc" {
        return of_tc(rest);
    }
    if !matches!(first.as_str(), "sysctl" | "ip") && !first.ends_with("set_sysctls.py") {
        return Vec::new();
    }
    if first == "ip" {
        return of_ip(rest);
    }
    let named = |word: &String| {
        word.split_once('=').map(|(name, value)| (word.clone(), plain(name), value.to_owned()))
    };
    rest.iter().filter(|word| !word.starts_with('-') && !word.contains('>')).filter_map(named).collect()
}

/// Segment size and initial window from `ip link` and `ip route`.
fn of_ip(words: &[String]) -> Vec<(String, String, String)> {
    let (key, name) = match words.first().map(String::as_str) {
        Some("link") => ("mtu", "link mtu"),
        Some("route") => ("initcwnd", "route initcwnd"),
        _ => return Vec::new(),
    };
    let value = words.iter().skip_while(|word| *word != key).nth(1);
    value.map(|value| (format!("ip {name} {value}"), name.to_owned(), value.clone())).into_iter().collect()
}

/// The queueing discipline at the root of `tc qdisc`, if it is one without parameters that decides when segments leave.
fn of_tc(words: &[String]) -> Vec<(String, String, String)> {
    let Some(at) = words.iter().position(|word| word == "root") else { return Vec::new() };
    match words.get(at + 1..) {
        Some([kind]) if words[0] == "qdisc" && matches!(kind.as_str(), "fq" | "pfifo") => {
            vec![(format!("tc qdisc {kind}"), "root qdisc".to_owned(), kind.clone())]
        }
        _ => Vec::new(),
    }
}

/// `net.ipv4.x`, also as the path of a file -> `x`.
fn plain(name: &str) -> String {
    let name = name.replace('/', ".");
    name.split_once("net.ipv4.").map_or(name.as_str(), |(_, name)| name).to_owned()
}

/// Applies a setting, or returns why not.
fn set(host: &mut Host, name: &str, value: &str) -> Result<String, String> {
    let number = value.trim().parse::<u64>();
    match name {
        "tcp_sack" => off(host, "sack", number == Ok(0)),
        "tcp_dsack" => off(host, "dsack", number == Ok(0)),
        "tcp_timestamps" => off(host, "timestamps", number == Ok(0)),
        "tcp_early_retrans" => off(host, "tlp", number == Ok(0)),
        "tcp_frto" => off(host, "f_rto", number == Ok(0)),
        "tcp_recovery" if number == Ok(0) => key(host, "loss_detection", Value::from("rfc6675")),
        "tcp_recovery" if number == Ok(1) => Ok("loss_detection stays as the flavor has it".to_owned()),
        "tcp_reordering" if number == Ok(3) => Ok("three SACKed segments mean a loss".to_owned()),
        "tcp_fack" if number == Ok(0) => Ok("the highest SACKed segment does not count".to_owned()),
        "tcp_min_tso_segs" | "tcp_tso_win_divisor" | "tcp_tso_rtt_log" => {
            Err("segments leave one by one".to_owned())
        }
        "root qdisc" => pacing(host, value == "fq"),
        "tcp_cubic hystart" => off_slow_start(host, number == Ok(0)),
        "tcp_slow_start_after_idle" => key(host, "idle_restart", Value::Bool(number != Ok(0))),
        "tcp_ecn" if matches!(number, Ok(0..=3)) => {
            host.ecn_passive_only = number == Ok(2);
            let ecn = key(host, "ecn", Value::Bool(number != Ok(0)))?;
            if number == Ok(3) {
                return key(host, "ecn_feedback", Value::from("accurate")).map(|how| format!("{ecn}, {how}"));
            }
            Ok(ecn)
        }
        "tcp_window_scaling" => {
            host.no_window_scale = number == Ok(0);
            Ok(if number == Ok(0) { "no window scale is offered" } else { "a window scale is offered" }
                .to_owned())
        }
        "tcp_congestion_control" => congestion(host, value),
        "tcp_rmem" => match value.split_whitespace().nth(1).map(str::parse::<u32>) {
            Some(Ok(bytes)) if bytes > 0 => key(host, "receive_buffer_bytes", Value::from(bytes)),
            _ => Err("is not minimum, default and maximum".to_owned()),
        },
        "link mtu" => match number.ok().and_then(|mtu| mtu.checked_sub(host.headers)) {
            Some(smss @ 1..=65_535) => key(host, "smss_bytes", Value::from(smss)),
            _ => Err("is no MTU".to_owned()),
        },
        "route initcwnd" => match number {
            Ok(segments @ 1..=1000) => key(host, "initial_window_segments", Value::from(segments)),
            _ => Err("is no initial window".to_owned()),
        },
        "tcp_rto_min_us" => rto(host, "min_rto_ps", number.ok().and_then(|us| us.checked_mul(1_000_000))),
        "tcp_rto_max_ms" => rto(host, "max_rto_ps", number.ok().and_then(|ms| ms.checked_mul(1_000_000_000))),
        _ => Err("has no meaning here".to_owned()),
    }
}

fn rto(host: &mut Host, name: &str, ps: Option<u64>) -> Result<String, String> {
    match ps {
        Some(ps) if ps > 0 => key(host, name, Value::from(ps)),
        _ => Err("is no time".to_owned()),
    }
}

/// Switches something off, or leaves it as it is.
fn off(host: &mut Host, name: &str, off: bool) -> Result<String, String> {
    if off { key(host, name, Value::Bool(false)) } else { Ok(format!("{name} stays as the flavor has it")) }
}

/// fq lets the segments of every flow leave at a rate; without it only a congestion control that has a rate does so.
fn pacing(host: &mut Host, is_fq: bool) -> Result<String, String> {
    let value = if is_fq { "rate" } else { "off" };
    match host.tcp.get("options").and_then(|options| options["pacing"].as_str()) {
        Some("cc") => Ok("segments leave at the rate of the congestion control".to_owned()),
        _ => key(host, "pacing", Value::from(value)),
    }
}

fn off_slow_start(host: &mut Host, off: bool) -> Result<String, String> {
    if off {
        return key(host, "slow_start", Value::from("standard"));
    }
    Ok("slow_start stays as the flavor has it".to_owned())
}

fn key(host: &mut Host, name: &str, value: Value) -> Result<String, String> {
    if host.keeps(name) {
        return Err(format!("{name} is set by the command"));
    }
    let setting = format!("{name} = {value}");
    if host.put(name, value) { Ok(setting) } else { Err("has no meaning here".to_owned()) }
}

/// A congestion control by Linux's name: another flavor, if one has it and is otherwise the same.
pub(super) fn congestion(host: &mut Host, name: &str) -> Result<String, String> {
    let flavor = host.tcp.get("flavor").and_then(Value::as_str).unwrap_or_default().to_owned();
    let own = Flavor::named(&flavor);
    if own.is_some_and(|own| own.in_linux == name) {
        return Ok(format!("flavor {flavor} has it"));
    }
    // Only a recovery from a scoreboard is the same with every congestion control.
    let alike = |other: &&Flavor| other.in_linux == name && other.in_recovery == Outstanding::Scoreboard;
    match FLAVORS
        .iter()
        .find(alike)
        .filter(|_| own.is_some_and(|own| own.in_recovery == Outstanding::Scoreboard))
    {
        Some(other) => key(host, "flavor", Value::from(other.name)),
        None => Err(format!("flavor {flavor} keeps its own congestion control")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn host() -> Host {
        let tcp = serde_json::json!({"options": {"sack": true}, "idle_restart": true, "flavor": "cubic"});
        Host { tcp: tcp.as_object().unwrap().clone(), ..Host::default() }
    }

    fn run(host: &mut Host, text: &str) -> Outcome {
        let files = BTreeMap::from([("./a.sh".to_owned(), "sysctl -q net.ipv4.tcp_sack=0".to_owned())]);
        apply(host, &files, Position::default(), text)
    }

    #[test]
    fn a_setting_is_found_in_all_its_forms() {
        for text in [
            "sysctl -q net.ipv4.tcp_slow_start_after_idle=0",
            "sysctl -e -q -w net/ipv4/tcp_slow_start_after_idle=\"0\" # why",
            "../x/set_sysctls.py \\\n %proc/sys/net/ipv4/tcp_slow_start_after_idle=0",
            "true; echo 0 > %proc/sys/net/ipv4/tcp_slow_start_after_idle",
        ] {
            let mut host = host();
            let outcome = run(&mut host, &text.replace('%', "/"));
            assert_eq!(host.tcp["idle_restart"], false, "{text}: {outcome:?}");
        }
    }

    #[test]
    fn settings_without_effect_are_listed() {
        let mut host = host();
        let outcome =
            run(&mut host, "./a.sh\n./b.sh && tc qdisc add x\nsysctl net.ipv4.tcp_wmem=\"1 2 $((3*4))\"");
        assert_eq!(host.tcp["options"]["sack"], false);
        let not_applied: Vec<&str> = outcome.not_applied.iter().map(|note| note.text.as_str()).collect();
        assert_eq!(not_applied, ["./b.sh", "tc qdisc add x", "net.ipv4.tcp_wmem=1 2 $((3*4))"]);
    }

    #[test]
    fn options_of_recovery_slow_start_and_pacing_are_switched() {
        let options = json!({"tlp": true, "f_rto": true, "loss_detection": "rack", "slow_start": "hystart", "pacing": "off"});
        let mut host =
            Host { tcp: json!({ "options": options }).as_object().unwrap().clone(), ..Host::default() };
        run(&mut host, "sysctl net.ipv4.tcp_early_retrans=3 net.ipv4.tcp_frto=2 net.ipv4.tcp_recovery=1");
        assert_eq!(host.tcp["options"], options);
        run(&mut host, "sysctl net.ipv4.tcp_early_retrans=0 net.ipv4.tcp_frto=0 net.ipv4.tcp_recovery=0");
        run(
            &mut host,
            "tc qdisc replace dev tun0 root fq; echo 0 > /sys/module/tcp_cubic/parameters/hystart",
        );
        let off = json!({"tlp": false, "f_rto": false, "loss_detection": "rfc6675", "slow_start": "standard", "pacing": "rate"});
        assert_eq!(host.tcp["options"], off);
        host.put("pacing", "cc".into());
        run(&mut host, "tc qdisc replace dev tun0 root pfifo");
        assert_eq!(host.tcp["options"]["pacing"], "cc");
        let outcome = run(&mut host, "tc qdisc add dev tun0 root pfifo limit 0");
        assert_eq!((outcome.applied.len(), outcome.not_applied.len()), (0, 1));
    }

    #[test]
    fn ecn_has_two_kinds_of_feedback() {
        for (number, ecn, feedback) in [(0, false, "classic"), (1, true, "classic"), (3, true, "accurate")] {
            let options = json!({"ecn": !ecn, "ecn_feedback": "classic"});
            let tcp = json!({ "options": options });
            let mut host = Host { tcp: tcp.as_object().unwrap().clone(), ..Host::default() };
            run(&mut host, &format!("sysctl net.ipv4.tcp_ecn={number}"));
            assert_eq!(host.tcp["options"], json!({"ecn": ecn, "ecn_feedback": feedback}), "{number}");
        }
    }

    #[test]
    fn what_the_user_has_chosen_stays() {
        let mut host = Host { kept: vec!["sack".to_owned()], ..host() };
        let outcome = run(&mut host, "sysctl net.ipv4.tcp_sack=0");
        assert_eq!((outcome.applied.len(), &host.tcp["options"]["sack"]), (0, &Value::Bool(true)));
    }
}
