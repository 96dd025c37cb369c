//! The timestamps option: RTT measurement and protection against old segments.
//!
//! Source: RFC 7323 sections 3 to 5. The clock ticks every millisecond.
//!
//! Deviation: an echo is used for the RTT only where Karn's rule leaves no other sample, not
//! for every ACK (section 4.1 permits either), so that the estimator's gains stay those of RFC 6298.

use crate::segment::{Segment, Timestamps};
use base::Time;

/// How often the clock of the option ticks.
pub(crate) const TIMESTAMP_TICK: Time = Time::from_ms(1);
/// An older TS.Recent says nothing, since the peer's clock may have gone round (section 5.5).
const OUTDATED: Time = Time::from_secs(24 * 24 * 3600);

/// What an endpoint keeps for the option.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TimestampState {
    /// Both ends have offered it.
    pub(crate) on: bool,
    /// TS.Recent.
    recent: u32,
    /// When it came.
    recent_at: Time,
    /// Last.ACK.sent.
    last_ack_sent: u64,
}

impl TimestampState {
    /// The peer's SYN has come; `on` if both offer the option.
    pub(crate) fn on_syn(&mut self, now: Time, syn: &Segment, on: bool) {
        self.on = on;
        if let Some(timestamps) = syn.timestamps.filter(|_| on) {
            (self.recent, self.recent_at) = (timestamps.value, now);
            self.last_ack_sent = syn.end();
        }
    }

    /// The option of a segment that leaves now and acknowledges `ack`.
    pub(crate) fn stamp(&mut self, now: Time, ack: Option<u64>) -> Timestamps {
        if let Some(ack) = ack {
            self.last_ack_sent = ack;
        }
        Timestamps {
            value: now.div_floor(TIMESTAMP_TICK) as u32,
            echo: if ack.is_some() { self.recent } else { 0 },
        }
    }

    /// Whether a segment is younger than what has come already (PAWS, section 5.3, rules R1 and R2),
    /// or need not be.
    pub(crate) fn passes(&self, now: Time, segment: &Segment) -> Passes {
        match segment.timestamps {
            _ if !self.on || segment.rst => Passes::Yes,
            None => Passes::NoOption,
            Some(_) if now.saturating_sub(self.recent_at) > OUTDATED => Passes::Yes,
            Some(timestamps) if (timestamps.value.wrapping_sub(self.recent) as i32) < 0 => Passes::TooOld,
            Some(_) => Passes::Yes,
        }
    }

    /// TS.Recent follows the segments that were there when the last ACK was sent (rule R3).
    pub(crate) fn remember(&mut self, now: Time, segment: &Segment) {
        if let Some(timestamps) = segment.timestamps.filter(|_| self.on && segment.seq <= self.last_ack_sent)
        {
            (self.recent, self.recent_at) = (timestamps.value, now);
        }
    }

    /// What an ACK echoes.
    pub(crate) fn echo(&self, segment: &Segment) -> Option<u32> {
        segment.timestamps.filter(|timestamps| self.on && timestamps.echo != 0).map(|its| its.echo)
    }

    /// When the segment left that an ACK at `now` echoes.
    pub(crate) fn echoed(&self, now: Time, segment: &Segment) -> Option<Time> {
        let echo = self.echo(segment)?;
        let ticks = (now.div_floor(TIMESTAMP_TICK) as u32).wrapping_sub(echo);
        let ago = TIMESTAMP_TICK * u64::from(ticks);
        (ago <= now).then(|| Time::from_ps(now.as_ps() - ago.as_ps()))
    }
}

/// What the option says of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passes {
    Yes,
    /// It lacks the option that was agreed on.
    NoOption,
    TooOld,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(seq: u64, value: u32) -> Segment {
        let timestamps = Some(Timestamps { value, echo: 5 });
        Segment { seq, timestamps, ..Segment::default() }
    }

    #[test]
    fn old_segments_fail_also_when_the_clock_wraps() {
        let mut state = TimestampState::default();
        state.on_syn(Time::ZERO, &Segment { syn: true, ..segment(0, u32::MAX - 1) }, true);
        assert_eq!(state.passes(Time::ZERO, &segment(1, 3)), Passes::Yes);
        assert_eq!(state.passes(Time::ZERO, &segment(1, u32::MAX - 9)), Passes::TooOld);
        assert_eq!(state.passes(Time::ZERO, &Segment::default()), Passes::NoOption);
        let later = OUTDATED + Time::from_secs(1);
        assert_eq!(state.passes(later, &segment(1, u32::MAX - 9)), Passes::Yes);
    }

    /// A segment after a hole must not be echoed before the hole is filled (section 4.3).
    #[test]
    fn the_echo_is_of_the_segment_that_filled_the_hole() {
        let mut state = TimestampState::default();
        state.on_syn(Time::ZERO, &Segment { syn: true, ..segment(0, 10) }, true);
        state.remember(Time::ZERO, &segment(101, 12));
        assert_eq!(state.stamp(Time::from_ms(7), Some(1)), Timestamps { value: 7, echo: 10 });
        state.remember(Time::ZERO, &segment(1, 13));
        assert_eq!(state.stamp(Time::from_ms(7), Some(201)).echo, 13);
    }

    #[test]
    fn an_echo_tells_when_its_segment_left() {
        let state = TimestampState { on: true, ..TimestampState::default() };
        let at = state.echoed(Time::from_ms(12), &segment(1, 1));
        assert_eq!(at, Some(Time::from_ms(5)));
    }
}
