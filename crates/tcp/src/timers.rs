//! The timers of a connection, by name.
//!
//! Source: RFC 6298 section 5 for the retransmission timer, RFC 9293 section 3.8.6.1 for the persist timer, RFC 5681
//! section 4.2 for the delayed ACK, RFC 8985 sections 6.3 and 7.2 for reordering and loss probes.

use base::Time;

/// A timer of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timer {
    /// Retransmission.
    Rto,
    /// The peer's window is closed, or too small for a segment.
    Persist,
    /// An ACK waits for a second segment.
    DelayedAck,
    /// Of loss detection: a segment is lost if no ACK has reported its arrival by then.
    Reordering,
    /// Of loss detection: no ACK has come for so long that a probe is sent to get one.
    LossProbe,
    /// The pacer lets the next segment go.
    Pacing,
}

const TIMERS: usize = 6;

/// When each timer runs out; [`Time::NEVER`] if it is off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timers([Time; TIMERS]);

/// Probes of a closed window, which the persist timer sends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Persist {
    /// How many went out.
    pub(crate) probes: u32,
    /// Whether one is due.
    pub(crate) due: bool,
}

impl Default for Timers {
    fn default() -> Self {
        Self([Time::NEVER; TIMERS])
    }
}

impl Timers {
    /// Lets a timer run out at a time; [`Time::NEVER`] turns it off.
    #[inline]
    pub(crate) fn set(&mut self, timer: Timer, at: Time) {
        self.0[timer as usize] = at;
    }

    /// Turns a timer off.
    #[inline]
    pub(crate) fn stop(&mut self, timer: Timer) {
        self.set(timer, Time::NEVER);
    }

    /// When a timer runs out.
    #[inline]
    pub(crate) fn at(&self, timer: Timer) -> Time {
        self.0[timer as usize]
    }

    /// Whether a timer is on.
    #[inline]
    pub(crate) fn is_on(&self, timer: Timer) -> bool {
        self.at(timer) < Time::NEVER
    }

    /// Turns a timer off if it has run out by `now`, and says whether it had.
    #[inline]
    pub(crate) fn take_due(&mut self, timer: Timer, now: Time) -> bool {
        let is_due = self.at(timer) <= now;
        if is_due {
            self.stop(timer);
        }
        is_due
    }

    /// When the next one runs out.
    #[inline]
    pub(crate) fn next(&self) -> Time {
        self.0.iter().copied().fold(Time::NEVER, Time::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Timer; TIMERS] =
        [Timer::Rto, Timer::Persist, Timer::DelayedAck, Timer::Reordering, Timer::LossProbe, Timer::Pacing];

    #[test]
    fn each_timer_is_set_taken_and_stopped_without_the_others() {
        for (n, timer) in ALL.into_iter().enumerate() {
            let mut timers = Timers::default();
            let at = |other: Timer| Time::from_ms(100 + 10 * other as u64);
            ALL.into_iter().for_each(|other| timers.set(other, at(other)));
            let others = |timers: &Timers| {
                ALL.into_iter().filter(|other| *other != timer).all(|other| timers.at(other) == at(other))
            };
            assert_eq!(timer as usize, n);
            assert!(!timers.take_due(timer, at(timer) - Time::from_ps(1)) && timers.is_on(timer));
            assert!(
                timers.take_due(timer, at(timer)) && !timers.is_on(timer) && others(&timers),
                "{timer:?}"
            );
            timers.set(timer, Time::from_ms(1));
            assert!(timers.next() == Time::from_ms(1) && others(&timers), "{timer:?}");
            timers.stop(timer);
            assert!(timers.next() >= Time::from_ms(100) && others(&timers), "{timer:?}");
        }
        assert_eq!(Timers::default().next(), Time::NEVER);
    }
}
