//! A trace of one sender with reasons: a line for each segment that it sends or receives and for each
//! time-out, with cwnd and ssthresh (bytes) and the RTO (seconds) after it, and the rule.
//!
//! `>` is sent, `<` arrives, `x` is lost. Left out is what nearly every segment has: the timestamps,
//! `ack 1`, and an unchanged window.

use crate::host::PeerHost;
use crate::network::OPENER;
use crate::stack::Stack;
use base::Time;
use sim::link::LinkEvent;
use sim::{Event, Observer};
use tcp::congestion::CongestionWindow;
use tcp::{CaState, Counters, Info, Segment, Sender};

/// The state that is compared before and after each event.
#[derive(Clone)]
struct Standing {
    sender: Sender,
    window: CongestionWindow,
    state: CaState,
    counters: Counters,
    info: Info,
}

const LOST: &str = "lost";

/// Records the actions of the opener, with their reasons.
#[derive(Default)]
pub(crate) struct Annotated {
    lines: Vec<(Time, String)>,
    before: Option<Standing>,
    /// What has just arrived.
    arrived: Option<Segment>,
    duplicates: u32,
    highest: u64,
    /// Why a segment is retransmitted.
    again: &'static str,
    /// The windows that were last advertised by the opener and to it.
    windows: [Option<u16>; 2],
}

impl Annotated {
    pub(crate) fn into_text(self) -> String {
        self.lines.into_iter().map(|line| line.1).collect()
    }

    fn line(&mut self, at: Time, what: &str, standing: Option<&Standing>, why: &str) {
        let numbers = standing.map_or(String::new(), |standing| {
            let (cwnd, ssthresh) = (standing.window.cwnd(), standing.window.ssthresh());
            let ssthresh = if ssthresh > NO_LIMIT { "-".into() } else { ssthresh.to_string() };
            format!("{cwnd:>6} {ssthresh:>6} {:>7.3}", standing.info.rto.as_secs_f64())
        });
        let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = format!("{at}  {what:<44} {numbers:<21}  {why}");
        // A link may report a loss late, so its line is inserted at the time of the loss.
        let place = self.lines.partition_point(|line| if why == LOST { line.0 < at } else { line.0 <= at });
        self.lines.insert(place, (at, format!("{}\n", line.trim_end())));
    }

    /// The opener has dealt with a segment or a timer.
    fn acted(&mut self, at: Time, now: &Standing) {
        let Some(before) = self.before.replace(now.clone()) else { return };
        if now.counters.timeouts > before.counters.timeouts {
            let why = self.why_timeout(&before, now);
            return self.line(at, "* time-out", Some(now), &why);
        }
        let Some(segment) = self.arrived.take() else { return self.acted_by_itself(at, &before, now) };
        let why = self.why_ack(&before, now, &segment);
        let text = brief(&segment, self.windows[1].replace(segment.window));
        self.line(at, &format!("< {text}"), Some(now), &why);
    }

    /// No segment has come, and no time-out: a timer of loss detection, or the restart after a pause.
    fn acted_by_itself(&mut self, at: Time, before: &Standing, now: &Standing) {
        if now.counters.fast_retransmits > before.counters.fast_retransmits {
            self.again = FAST_RETRANSMIT;
            let why = format!("what left before a SACKed segment is lost{}", pipe(now));
            self.line(at, "* reordering timer", Some(now), &why);
        } else if now.window.cwnd() < before.window.cwnd() {
            let why = "so cwnd falls before the next data";
            self.line(at, "* nothing was sent for an RTO", Some(now), why);
        } else if now.state < CaState::Recovery && sends_too_much(before, now) {
            self.again = "the last segment";
            self.line(at, "* loss probe timer", Some(now), "no ACK for two round trips");
        }
    }

    fn why_timeout(&mut self, before: &Standing, now: &Standing) -> String {
        self.duplicates = 0;
        self.again = "from snd_una on again";
        let next = format!("the next after {}", seconds(now.info.rto));
        if before.sender.snd_una == 0 {
            self.again = "the SYN again";
            return format!("no answer to the SYN; {next}");
        }
        if now.window.ssthresh() == before.window.ssthresh() {
            return format!("for the same data: ssthresh stays; {next}");
        }
        format!("{} in flight; cwnd 1 SMSS; {next}", before.sender.flight_size())
    }

    fn why_ack(&mut self, before: &Standing, now: &Standing, segment: &Segment) -> String {
        let acked = now.sender.snd_una - before.sender.snd_una;
        // Before anything was sent in answer.
        let flight = before.sender.snd_max - now.sender.snd_una;
        if before.sender.snd_una == 0 {
            let grown = now.window.cwnd().saturating_sub(before.window.cwnd());
            let growth = if grown > 0 { format!("; slow start + {grown}") } else { String::new() };
            return format!("the SYN is acknowledged{growth}");
        }
        if acked == 0 {
            return self.why_nothing_new(before, now, segment, flight);
        }
        self.duplicates = 0;
        let change = change(before.window.cwnd(), now.window.cwnd());
        let recovered = matches!(before.state, CaState::Recovery | CaState::Cwr);
        match (recovered, now.state) {
            (true, CaState::Recovery | CaState::Cwr) => {
                self.again = "the next hole";
                format!("partial ACK of {acked}: cwnd {change}{}", pipe(now))
            }
            (true, _) => format!("recovery is over: cwnd = ssthresh ({change})"),
            _ if change == "as it was" => format!("{acked} acknowledged"),
            _ if now.window.ssthresh() < before.window.ssthresh() => {
                format!("{acked} acknowledged; the probe has repaired a loss: cwnd {change}")
            }
            _ if before.window.cwnd() < before.window.ssthresh() => {
                format!("{acked} acknowledged; slow start {change}")
            }
            _ => format!("{acked} acknowledged; congestion avoidance {change}"),
        }
    }

    fn why_nothing_new(
        &mut self,
        before: &Standing,
        now: &Standing,
        segment: &Segment,
        flight: u64,
    ) -> String {
        if now.sender.rwnd != before.sender.rwnd {
            return format!("the window is {} now", now.sender.rwnd);
        }
        if segment.len > 0 || segment.fin || flight == 0 {
            return String::new();
        }
        self.duplicates += 1;
        let number = self.duplicates;
        if now.counters.fast_retransmits > before.counters.fast_retransmits {
            self.again = FAST_RETRANSMIT;
            return format!("duplicate ACK {number} with {flight} in flight{}", pipe(now));
        }
        match change(before.window.cwnd(), now.window.cwnd()).as_str() {
            "as it was" => format!("duplicate ACK {number}{}", pipe(now)),
            change => format!("duplicate ACK {number}: cwnd {change}{}", pipe(now)),
        }
    }

    fn sent(&mut self, at: Time, segment: &Segment) {
        let again = segment.end() > segment.seq && segment.seq < self.highest;
        self.highest = self.highest.max(segment.end());
        let standing = self.before.clone();
        let closed = standing.is_some_and(|standing| standing.sender.rwnd == 0);
        let why = match (again, closed && segment.len <= 1) {
            (_, true) if segment.end() > segment.seq || segment.seq < self.highest => {
                "probes the closed window"
            }
            (true, _) => self.again,
            (false, _) => "",
        };
        if why == FAST_RETRANSMIT {
            self.again = "the next hole";
        }
        let text = brief(segment, self.windows[0].replace(segment.window));
        self.line(at, &format!("> {text}"), None, why);
    }
}

/// Whether it sends again, or more than cwnd allows.
fn sends_too_much(before: &Standing, now: &Standing) -> bool {
    now.counters.segments_retransmitted > before.counters.segments_retransmitted
        || (now.counters.segments_sent > before.counters.segments_sent
            && now.sender.flight_size() > now.window.cwnd())
}

const FAST_RETRANSMIT: &str = "fast retransmit";
/// Above this ssthresh limits nothing.
const NO_LIMIT: u64 = 1 << 28;

fn change(before: u64, now: u64) -> String {
    match now.cmp(&before) {
        std::cmp::Ordering::Less => format!("- {}", before - now),
        std::cmp::Ordering::Equal => "as it was".into(),
        std::cmp::Ordering::Greater => format!("+ {}", now - before),
    }
}

fn seconds(time: Time) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// What a recovery by RFC 6675 thinks is in the network after what it sent in answer.
fn pipe(standing: &Standing) -> String {
    let Info { unacked, sacked, lost, retrans, .. } = standing.info;
    let known = standing.state == CaState::Recovery && sacked + lost > 0;
    let pipe = (unacked + retrans).saturating_sub(sacked + lost);
    if known { format!("; pipe {pipe} segments") } else { String::new() }
}

/// A segment without what is the same in nearly every one.
fn brief(segment: &Segment, window: Option<u16>) -> String {
    if segment.syn {
        return segment.to_string();
    }
    let plain = segment.len == 0 && !segment.fin;
    let short =
        Segment { timestamps: None, ack: segment.ack.filter(|&ack| plain || ack > 1), ..segment.clone() };
    let text = short.to_string();
    if window == Some(segment.window) { text.replace(&format!("win {}", segment.window), "") } else { text }
}

impl Observer<PeerHost> for Annotated {
    fn on(&mut self, at: Time, event: &Event<'_, PeerHost>) {
        match event {
            Event::Sent(_, packet) if packet.from == OPENER => self.sent(at, &packet.payload),
            Event::Delivered(_, packet) if packet.to == OPENER => {
                self.arrived = Some((*packet.payload).clone());
            }
            Event::Link(_, LinkEvent::Dropped(packet, _)) => {
                let text = brief(&packet.payload, Some(packet.payload.window));
                self.line(at, &format!("x {text}"), None, LOST);
            }
            Event::Acted(id, host) if *id == OPENER => {
                let Stack::Ours(connection, _) = &host.stack else { return };
                let (sender, window) = (connection.sender().clone(), *connection.window());
                let state = connection.ca_state();
                let (counters, info) = (connection.counters(), connection.info());
                self.acted(at, &Standing { sender, window, state, counters, info });
            }
            _ => {}
        }
    }
}
