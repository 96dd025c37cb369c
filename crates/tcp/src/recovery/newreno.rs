//! NewReno: stay in recovery until everything that was out at its beginning is acknowledged.
//!
//! Source: RFC 6582; for the presets [`NewRenoParameters::HOE`] and [`NewRenoParameters::FULL`] 000
//! section 2.1, whose text (Hoe 1996 as ns-2.1b3 had it) can be read in two ways: `FULL` is the
//! recovery as it describes it, `HOE` is what that version of ns did with Hoe's changes on.
//!
//! | parameter | RFC 6582 | `HOE` (`FULL` where it differs) |
//! |---|---|---|
//! | deflation on a partial ACK | by what was acknowledged, plus one segment | cwnd = ssthresh |
//! | timer restarts on | the first partial ACK ("impatient") or every one | every one |
//! | further duplicate ACKs | inflate cwnd by a segment each | every second one lets out one new segment, whatever cwnd is (as RFC 6582) |
//! | a time-out in recovery | halves the flight size (flavor `newreno`: ssthresh stays, if that is less) | (as RFC 6582) |
//! | a partial ACK lets out | the next hole, and what the window allows | the next hole only (as RFC 6582) |
//! | duplicate ACKs for data sent before a time-out or a recovery's end | ignored ("careful") | begin a recovery |
//!
//! Why ssthresh stays: in a recovery of many holes the duplicate ACKs keep data flowing, half a window in each
//! round trip, while `snd_una` moves by a segment. The impatient timer ends it with many windows in flight. Half of
//! that (RFC 5681, equation 4) is no measure of the path: slow start overruns the queue by as much, loses hundreds
//! of segments, and the next recovery ends in the same way, without end. When RFC 6582 was written, the receive
//! window was the bound (section 3.2, step 3). Linux does not compute ssthresh anew when a time-out interrupts a
//! recovery (`tcp_enter_loss`); ns-2 keeps the inflation apart from cwnd (`dupwnd_`) and halves cwnd alone. RFC 5681
//! asks for no more than half of the flight size; what stays is less.
//!
//! With limited transmit the first two duplicate ACKs let out a new segment each (RFC 3042).

use super::{CaState, DUP_THRESH, LossRecovery, Timer, Transmit, first_unacked, next_in_window};
use crate::config::Options;
use crate::congestion::{Ack, Cause, CongestionControl};
use crate::window::Window;

/// What NewReno leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRenoParameters {
    /// What a partial ACK does to cwnd.
    pub deflation: Deflation,
    /// Which partial ACKs restart the retransmission timer.
    pub partial_ack_timer: PartialAckTimer,
    /// What duplicate ACKs after the third do.
    pub on_dup_ack: OnDupAck,
    /// What a time-out in recovery does to ssthresh.
    pub timeout_in_recovery: TimeoutInRecovery,
    /// Whether a recovery begins only for data sent since the last recovery or time-out.
    pub careful: bool,
}

/// What a partial ACK does to cwnd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deflation {
    /// Back to ssthresh.
    Full,
    /// Less by what was acknowledged, plus one segment.
    Partial,
}

/// Which partial ACKs restart the retransmission timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialAckTimer {
    /// Only the first.
    First,
    /// Every one.
    Every,
}

/// What duplicate ACKs after the third do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDupAck {
    /// Each inflates cwnd by a segment.
    Inflate,
    /// Every second one lets out one new segment, and nothing else is sent.
    EverySecond,
}

/// What a time-out in recovery does to ssthresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutInRecovery {
    /// It stays as the recovery has set it, or falls.
    Keep,
    /// The same as any other time-out.
    Halve,
}

impl NewRenoParameters {
    /// RFC 6582 with the impatient timer.
    pub const RFC6582: Self = Self {
        deflation: Deflation::Partial,
        partial_ack_timer: PartialAckTimer::First,
        on_dup_ack: OnDupAck::Inflate,
        timeout_in_recovery: TimeoutInRecovery::Halve,
        careful: true,
    };
    /// The same, with an ssthresh that no recovery raises.
    pub const KEEPING: Self = Self { timeout_in_recovery: TimeoutInRecovery::Keep, ..Self::RFC6582 };
    /// The variant of 000, as ns-2.1b3 had it.
    pub const HOE: Self = Self {
        deflation: Deflation::Full,
        partial_ack_timer: PartialAckTimer::Every,
        on_dup_ack: OnDupAck::EverySecond,
        timeout_in_recovery: TimeoutInRecovery::Halve,
        careful: false,
    };
    /// The variant of 000, as its text describes it.
    pub const FULL: Self = Self { on_dup_ack: OnDupAck::Inflate, ..Self::HOE };
}

/// NewReno.
#[derive(Clone, Copy, Debug)]
pub struct NewReno {
    parameters: NewRenoParameters,
    limited_transmit: bool,
    dup_acks: u32,
    /// One above the highest sequence number sent when the recovery, or a time-out, began.
    recover: u64,
    recovering: bool,
    /// As the recovery has set it.
    ssthresh: u64,
    partial_acks: u32,
    retransmit: bool,
    one_new: bool,
}

impl NewReno {
    /// With these parameters.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            parameters: options.newreno,
            limited_transmit: options.limited_transmit,
            dup_acks: 0,
            recover: 0,
            recovering: false,
            ssthresh: 0,
            partial_acks: 0,
            retransmit: false,
            one_new: false,
        }
    }

    fn inflates(&self) -> bool {
        self.parameters.on_dup_ack == OnDupAck::Inflate
    }

    fn enter(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) {
        self.recovering = true;
        self.recover = window.snd_max;
        self.partial_acks = 0;
        self.retransmit = true;
        window.ssthresh = congestion.ssthresh(window, Cause::FastRetransmit);
        self.ssthresh = window.ssthresh;
        window.cwnd = window.ssthresh;
        if self.inflates() {
            window.cwnd += u64::from(DUP_THRESH) * window.smss;
        }
    }

    fn on_partial_ack(&mut self, window: &mut Window, acked: u64) -> Timer {
        self.partial_acks += 1;
        self.retransmit = true;
        window.cwnd = match self.parameters.deflation {
            Deflation::Full => window.ssthresh,
            Deflation::Partial if acked >= window.smss => window.cwnd.saturating_sub(acked) + window.smss,
            Deflation::Partial => window.cwnd.saturating_sub(acked).max(window.smss),
        };
        match self.parameters.partial_ack_timer {
            PartialAckTimer::First if self.partial_acks > 1 => Timer::Keep,
            _ => Timer::Restart,
        }
    }
}

impl LossRecovery for NewReno {
    fn on_ack(&mut self, window: &mut Window, ack: &Ack, congestion: &mut dyn CongestionControl) -> Timer {
        if self.recovering && window.snd_una < self.recover {
            return self.on_partial_ack(window, ack.acked);
        }
        if self.recovering {
            window.cwnd = window.ssthresh;
        } else {
            congestion.on_ack(window, ack);
        }
        self.recovering = false;
        self.dup_acks = 0;
        Timer::Restart
    }

    fn on_dup_ack(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) -> bool {
        self.dup_acks += 1;
        if self.recovering {
            if self.inflates() {
                window.cwnd += window.smss;
            } else {
                self.one_new = self.dup_acks % 2 == 1;
            }
            return false;
        }
        let old = self.parameters.careful && window.snd_una <= self.recover;
        if self.dup_acks != DUP_THRESH || old {
            return false;
        }
        self.enter(window, congestion);
        true
    }

    fn on_rto(&mut self, window: &mut Window) {
        if self.recovering && self.parameters.timeout_in_recovery == TimeoutInRecovery::Keep {
            window.ssthresh = window.ssthresh.min(self.ssthresh);
        }
        self.recover = window.snd_max;
        self.recovering = false;
        self.dup_acks = 0;
        self.partial_acks = 0;
        self.retransmit = false;
        self.one_new = false;
    }

    fn next(&mut self, window: &Window) -> Option<Transmit> {
        if std::mem::take(&mut self.retransmit) {
            return Some(first_unacked(window));
        }
        if self.recovering && !self.inflates() {
            let one_new = std::mem::take(&mut self.one_new);
            return one_new.then_some(Transmit::UpTo(window.snd_nxt + window.smss));
        }
        let limited = self.limited_transmit && !self.recovering;
        next_in_window(window, if limited { self.dup_acks.min(DUP_THRESH - 1) } else { 0 })
    }

    fn state(&self) -> CaState {
        match (self.recovering, self.dup_acks) {
            (true, _) => CaState::Recovery,
            (false, 0) => CaState::Open,
            (false, _) => CaState::Disorder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::congestion::Reno;
    use crate::flavor::Flavor;
    use sim::time::Time;

    const SMSS: u64 = 1000;

    struct Sender {
        recovery: NewReno,
        congestion: Reno,
        window: Window,
    }

    impl Sender {
        /// Ten segments are out, and the third duplicate ACK has come: ssthresh is five segments.
        fn recovering(timeout_in_recovery: TimeoutInRecovery) -> Self {
            let mut config = Config::preset(Flavor::named("newreno").unwrap());
            config.options.newreno.timeout_in_recovery = timeout_in_recovery;
            let (snd_una, snd_max, rwnd) = (1, 10 * SMSS + 1, 1 << 30);
            let window = Window {
                smss: SMSS,
                snd_una,
                snd_nxt: snd_max,
                snd_max,
                rwnd,
                max_rwnd: rwnd,
                cwnd: 10 * SMSS,
                ..Window::default()
            };
            let recovery = NewReno::new(&config.options);
            let mut sender = Self { recovery, congestion: Reno::new(&config), window };
            (0..3).for_each(|_| sender.dup_ack());
            assert_eq!((sender.window.ssthresh, sender.window.cwnd), (5 * SMSS, 8 * SMSS));
            sender
        }

        /// A duplicate ACK, and what cwnd then lets out.
        fn dup_ack(&mut self) {
            self.recovery.on_dup_ack(&mut self.window, &mut self.congestion);
            self.window.snd_max = self.window.snd_max.max(self.window.cwnd_end());
            self.window.snd_nxt = self.window.snd_max;
        }

        fn ack(&mut self, segments: u64) {
            self.window.snd_una += segments * SMSS;
            let ack = Ack { acked: segments * SMSS, now: Time::ZERO, srtt: None };
            self.recovery.on_ack(&mut self.window, &ack, &mut self.congestion);
        }

        /// As a connection has it.
        fn rto(&mut self) {
            self.window.ssthresh = self.congestion.ssthresh(&self.window, Cause::Rto);
            self.recovery.on_rto(&mut self.window);
        }
    }

    /// Nine holes: in each round trip six duplicate ACKs let out as many segments, and one is acknowledged.
    #[test]
    fn a_time_out_in_a_recovery_of_many_holes_does_not_raise_ssthresh() {
        for (how, ssthresh) in [(TimeoutInRecovery::Keep, 5 * SMSS), (TimeoutInRecovery::Halve, 30_500)] {
            let mut sender = Sender::recovering(how);
            for _ in 0..9 {
                (0..6).for_each(|_| sender.dup_ack());
                sender.ack(1);
            }
            assert_eq!(sender.window.flight_size(), 61 * SMSS, "{how:?}");
            sender.rto();
            assert_eq!(sender.window.ssthresh, ssthresh, "{how:?}");
        }
    }

    /// What is left of the flight is less than ssthresh: a time-out takes half of it (RFC 5681: no more than that).
    #[test]
    fn it_lowers_ssthresh_if_little_is_out() {
        let mut sender = Sender::recovering(TimeoutInRecovery::Keep);
        sender.ack(6);
        sender.rto();
        assert_eq!(sender.window.ssthresh, 2 * SMSS);
    }

    #[test]
    fn a_time_out_after_a_recovery_halves_what_is_out() {
        let mut sender = Sender::recovering(TimeoutInRecovery::Keep);
        sender.ack(10);
        sender.window.snd_max = sender.window.snd_una + 20 * SMSS;
        sender.rto();
        assert_eq!(sender.window.ssthresh, 10 * SMSS);
    }
}
