//! Why a sender sent a segment, inferred from its state before and after it acted.

use std::fmt;
use tcp::{CaState, Connection, Segment};

/// Why a segment was sent again, or before its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reason {
    /// The retransmission timer ran out.
    TimeOut,
    /// It was in flight when the timer ran out.
    AfterTimeOut,
    /// Duplicate ACKs began a recovery.
    FastRetransmit,
    /// In a recovery, SACK blocks revealed a hole.
    Hole,
    /// In a recovery, an ACK was partial.
    PartialAck,
    /// In a recovery, and none of these.
    Recovery,
    /// No ACK had come for so long that the last segments might be lost.
    TailLossProbe,
    /// It asks whether a closed window has opened.
    WindowProbe,
    /// New data beyond cwnd, since one of the first duplicate ACKs came.
    LimitedTransmit,
    /// The state does not show the reason.
    #[default]
    Unknown,
}

impl Reason {
    /// In a few words; none if it is unknown.
    #[must_use]
    pub const fn words(self) -> Option<&'static str> {
        match self {
            Self::TimeOut => Some("time-out (RTO)"),
            Self::AfterTimeOut => Some("was outstanding at the time-out"),
            Self::FastRetransmit => Some("fast retransmit"),
            Self::Hole => Some("hole below SACKed data"),
            Self::PartialAck => Some("partial ACK"),
            Self::Recovery => Some("in loss recovery"),
            Self::TailLossProbe => Some("tail loss probe"),
            Self::WindowProbe => Some("window probe"),
            Self::LimitedTransmit => Some("limited transmit"),
            Self::Unknown => None,
        }
    }
}

/// Of a retransmission.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("retransmission")?;
        self.words().map_or(Ok(()), |words| write!(f, ": {words}"))
    }
}

/// One end of a connection as it sends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sending {
    /// One above the highest sequence number sent.
    highest: u64,
    snd_una: u64,
    timeouts: u64,
    fast_retransmits: u64,
    loss_probes: u32,
    window_probes: u32,
    /// One above the highest sequence number sent before the last time-out.
    lost_below: u64,
    /// Where the new data end that may leave without limited transmit.
    limit: u64,
    /// Whether a recovery has begun, of which nothing has gone out yet: a paced segment leaves later than the ACK comes.
    recovery_begins: bool,
    /// Whether the last segment that it received had SACK blocks.
    sack_came: bool,
    /// Why it would retransmit now.
    reason: Reason,
    /// A probe is what it sends first.
    probe: Option<Reason>,
}

impl Sending {
    /// A segment has reached it. It acts next.
    pub(crate) fn delivered(&mut self, segment: &Segment) {
        self.sack_came = !segment.sack.is_empty();
    }

    /// It has acted; this is reported before the segments that it sends.
    pub(crate) fn acted(&mut self, connection: &Connection) {
        let (counters, sender) = (connection.counters(), connection.sender());
        let (snd_una, in_recovery) = (sender.snd_una, connection.in_recovery());
        self.recovery_begins |= counters.fast_retransmits > self.fast_retransmits;
        self.reason = if counters.timeouts > self.timeouts {
            self.lost_below = self.highest;
            self.recovery_begins = false;
            Reason::TimeOut
        } else if in_recovery && std::mem::take(&mut self.sack_came) {
            Reason::Hole
        } else if in_recovery && snd_una > self.snd_una {
            Reason::PartialAck
        } else if in_recovery {
            Reason::Recovery
        } else if snd_una < self.lost_below {
            Reason::AfterTimeOut
        } else {
            Reason::Unknown
        };
        self.snd_una = snd_una;
        self.timeouts = counters.timeouts;
        self.fast_retransmits = counters.fast_retransmits;
        let is_limited = !in_recovery && connection.ca_state() == CaState::Disorder;
        self.limit = if is_limited { snd_una + connection.window().cwnd() } else { u64::MAX };
        let probes = (connection.loss_probes(), connection.window_probes());
        self.probe = if probes.0 > self.loss_probes {
            Some(Reason::TailLossProbe)
        } else if probes.1 > self.window_probes && sender.rwnd == 0 {
            Some(Reason::WindowProbe)
        } else {
            None
        };
        (self.loss_probes, self.window_probes) = probes;
    }

    /// It sends a segment. Returns whether that is a retransmission, and why it leaves if that is not just its turn.
    pub(crate) fn sent(&mut self, segment: &Segment) -> (bool, Option<Reason>) {
        let (seq, end) = (segment.seq, segment.end());
        if end == seq {
            return (false, None);
        }
        let is_again = seq < self.highest;
        self.highest = self.highest.max(end);
        let reason = if let Some(probe) = self.probe.take() {
            Some(probe)
        } else if is_again && std::mem::take(&mut self.recovery_begins) {
            Some(Reason::FastRetransmit)
        } else if is_again {
            Some(self.reason)
        } else {
            (end > self.limit).then_some(Reason::LimitedTransmit)
        };
        (is_again, reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Time;
    use tcp::{Config, Flavor, TickClock};

    fn sent(connection: &mut Connection, sending: &mut Sending, now: Time) -> Vec<(u64, Option<Reason>)> {
        let segments: Vec<_> = std::iter::from_fn(|| connection.poll(now)).collect();
        sending.acted(connection);
        segments.iter().map(|segment| (segment.seq, sending.sent(segment).1)).collect()
    }

    /// Two segments go out and are acknowledged, and the window is closed. The first probe goes out after a time-out.
    #[test]
    fn a_probe_of_a_closed_window_is_known() {
        let flavor = Flavor::named("newreno").expect("a flavor");
        let config = Config {
            flavor,
            options: flavor.presets,
            smss: 1000,
            initial_window: 10,
            initial_ssthresh: u64::MAX,
            receive_buffer: 65_535,
            initial_receive_buffer: None,
            window_scale: None,
            nagle: false,
            idle_restart: true,
            restart_window: None,
        };
        let clock = TickClock { tick: Time::from_ms(100), phase: Time::ZERO };
        let mut connection = Connection::new(config, clock);
        let mut sending = Sending::default();
        let ack = |ack, window| Segment { seq: 1, ack: Some(ack), window, ..Segment::default() };
        connection.connect();
        connection.write(9000);
        assert_eq!(sent(&mut connection, &mut sending, Time::ZERO), [(0, None)]);
        connection
            .on_segment(Time::from_ms(50), &Segment { syn: true, seq: 0, mss: Some(1000), ..ack(1, 2000) });
        assert_eq!(sent(&mut connection, &mut sending, Time::from_ms(50)), [(1, None), (1001, None)]);
        connection.on_segment(Time::from_ms(100), &ack(2001, 0));
        assert_eq!(sent(&mut connection, &mut sending, Time::from_ms(100)), []);
        for _ in 0..2 {
            let now = connection.next_timer();
            connection.on_timer(now);
            assert_eq!(sent(&mut connection, &mut sending, now), [(2001, Some(Reason::WindowProbe))]);
        }
        // The window opens: the byte of the probe is one of those that follow.
        let now = connection.next_timer();
        connection.on_segment(now, &ack(2001, 4000));
        assert!(
            sent(&mut connection, &mut sending, now).iter().all(|its| its.1 != Some(Reason::WindowProbe))
        );
    }

    #[test]
    fn words_are_of_captures_and_of_tables() {
        assert_eq!(Reason::TimeOut.to_string(), "retransmission: time-out (RTO)");
        assert_eq!(Reason::Unknown.to_string(), "retransmission");
        assert_eq!((Reason::Hole.words(), Reason::Unknown.words()), (Some("hole below SACKed data"), None));
    }
}
