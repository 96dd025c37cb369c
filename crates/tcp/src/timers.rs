//! The timers: retransmission, the wait of a fast retransmit, persist, delayed ACK.
//!
//! Source: RFC 6298 section 5; RFC 9293 section 3.8.6.1 for probes of a closed window, which go
//! out after a time-out, and then after twice the time again and again; 002 task 7 for the wait, a share of
//! SRTT, during which the retransmission timer goes on. What starts that timer anew ends the wait, so both share
//! a deadline, the earlier one.

use crate::config::{LossWindow, WindowProbe};
use crate::congestion::Cause;
use crate::connection::Connection;
use crate::recovery::CaState;
use base::Time;

/// Between these, a time-out long, a sender waits for more than a small part of the window
/// (RFC 9293, section 3.8.6.2.1).
const OVERRIDE: (Time, Time) = (Time::from_ms(100), Time::from_ms(1000));

/// What probes a closed window, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Persist {
    /// [`Time::NEVER`] if no probe is to come.
    at: Time,
    probes: u32,
    due: bool,
}

impl Default for Persist {
    fn default() -> Self {
        Self { at: Time::NEVER, probes: 0, due: false }
    }
}

/// A segment that probes a closed window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) seq: u64,
    pub(crate) len: u32,
    pub(crate) fin: bool,
}

/// So many millionths of a time.
fn share(of: Time, ppm: u32) -> Time {
    Time::from_ps((u128::from(of.as_ps()) * u128::from(ppm) / 1_000_000) as u64)
}

impl Connection {
    /// When [`Connection::on_timer`] wants to be called; [`Time::NEVER`] if not at all.
    #[must_use]
    pub fn next_timer(&self) -> Time {
        // Of these one runs at most.
        self.rto_at.min(self.persist.at).min(self.acks.next_timer())
    }

    /// Lets the timers run out that are due. Calling it too early does nothing.
    pub fn on_timer(&mut self, now: Time) {
        self.acks.on_timer(now);
        if self.rto_at <= now {
            self.on_retransmission_timer(now);
        }
        if self.persist.at <= now {
            self.persist.at = Time::NEVER;
            self.persist.probes += 1;
            self.persist.due = true;
        }
    }

    /// The retransmission timer has run out, or before it the wait of a fast retransmit.
    fn on_retransmission_timer(&mut self, now: Time) {
        if self.recovery.is_waiting() && now < self.rto_in_wait {
            self.recovery.on_wait_over();
            self.restart_timer(now);
        } else {
            self.on_rto(now);
        }
    }

    /// RFC 6298, section 5, rules 5.4 to 5.6, and RFC 5681, section 3.1.
    fn on_rto(&mut self, now: Time) {
        self.counters.timeouts += 1;
        let is_first = self.timeouts_in_a_row == 0;
        let cause = if is_first { Cause::Rto } else { Cause::RepeatedRto };
        if is_first {
            self.counters.first_timeouts += 1;
            self.counters.first_timeout_ps += self.rtt.rto().as_ps();
        }
        self.timeouts_in_a_row += 1;
        self.timed = None;
        self.rtt.back_off();
        let window = &mut self.window;
        window.snd_nxt = window.snd_una;
        self.loss_until = window.snd_max;
        // A lost SYN says nothing of a window.
        if window.snd_una > 0 {
            let loss_window = self.config.options.loss_window;
            let recovering = self.recovery.state() == CaState::Recovery;
            let before = window.ssthresh;
            if recovering && loss_window == LossWindow::Deflated {
                window.cwnd = window.cwnd.min(window.ssthresh);
            }
            window.ssthresh = self.congestion.ssthresh(window, cause);
            if recovering && loss_window == LossWindow::Bounded {
                window.ssthresh = window.ssthresh.min(before);
            }
            window.cwnd = window.smss;
            self.recovery.on_rto(window);
            self.ecn.on_loss(window.snd_max);
        }
        self.restart_timer(now);
    }

    /// A recovery has begun: what it sends goes out now, or waits for its share of SRTT. Before the first
    /// sample that is nothing.
    pub(crate) fn begin_retransmission(&mut self, now: Time) {
        if self.recovery.is_waiting() {
            let srtt = self.rtt.smoothed().map_or(Time::ZERO, |(srtt, _)| srtt);
            self.rto_in_wait = self.rto_at;
            self.rto_at = self.rto_at.min(now + share(srtt, self.config.retransmit_wait_ppm));
        } else {
            self.restart_timer(now);
        }
    }

    pub(crate) fn restart_timer(&mut self, now: Time) {
        self.rto_at = self.rtt.deadline(now);
        // Something is in flight whose ACK will tell of the window.
        self.persist.at = Time::NEVER;
    }

    /// Nothing is sent: if that is because the window is closed, and no answer is on its way that
    /// would tell of its opening, it is to be probed; if it is open, but not enough for a segment,
    /// what it leaves is to be sent after a while.
    pub(crate) fn watch_window(&mut self, now: Time) {
        if self.window.snd_nxt >= self.written && (!self.closing || self.fin_sent()) {
            self.persist.at = Time::NEVER;
        } else if self.rto_at == Time::NEVER && self.persist.at == Time::NEVER {
            let rto = self.rtt.rto();
            let wait = if self.window.rwnd > 0 {
                rto.clamp(OVERRIDE.0, OVERRIDE.1)
            } else {
                let wait = rto.as_ps().saturating_mul(1 << self.persist.probes.min(31));
                Time::from_ps(wait).min(self.config.options.max_rto)
            };
            self.persist.at = now + wait;
        }
    }

    /// One above the highest sequence number that may be acknowledged.
    pub(crate) fn highest_acknowledgeable(&self) -> u64 {
        self.window.snd_max.max(self.probed)
    }

    /// Whether what a small window leaves may be sent now.
    pub(crate) fn persist_is_due(&self) -> bool {
        self.persist.due
    }

    /// Probes of the closed window so far.
    pub(crate) fn probes(&self) -> u32 {
        self.persist.probes
    }

    /// The probe that is due.
    pub(crate) fn take_probe(&mut self) -> Option<Probe> {
        let due = std::mem::take(&mut self.persist.due);
        if !due || self.window.rwnd > 0 {
            return None;
        }
        let una = self.window.snd_una;
        if self.config.options.window_probe == WindowProbe::Ack {
            return Some(Probe { seq: una.saturating_sub(1), len: 0, fin: false });
        }
        let fin = self.closing && una == self.written;
        if una >= self.written && !fin {
            return None;
        }
        self.probed = una + 1;
        if fin {
            self.note_fin_sent();
        }
        Some(Probe { seq: una, len: u32::from(!fin), fin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Options, Timers};
    use crate::flavor::Flavor;
    use crate::rtt::TickClock;
    use crate::segment::Segment;

    const MS: fn(u64) -> Time = Time::from_ms;

    /// Ten segments of 1000 bytes are out since 100 ms, which is the SRTT; the first three duplicate ACKs come at
    /// 200 ms. The variance is half of that, so the RTO is 300 ms.
    fn waiting(retransmit_wait_ppm: u32) -> Connection {
        let preset = Config::preset(Flavor::named("sack").expect("a flavor"));
        let options = Options { timers: Timers::Fine, min_rto: MS(200), ..preset.options };
        let config = Config { retransmit_wait_ppm, options, ..preset };
        let mut sender = with_ten_segments_out(config, 10_000);
        assert_eq!(sender.next_timer(), MS(400));
        (0..3).for_each(|_| sender.on_segment(MS(200), &ack(1)));
        sender
    }

    /// A connection that was opened at 100 ms and has sent its initial window of so many bytes to send.
    fn with_ten_segments_out(config: Config, bytes: u64) -> Connection {
        let mut sender = Connection::new(config, TickClock { tick: MS(100), phase: Time::ZERO });
        sender.connect();
        sender.write(bytes);
        assert!(sender.poll(Time::ZERO).is_some_and(|segment| segment.syn));
        let mss = Some(1000);
        sender.on_segment(MS(100), &Segment { syn: true, seq: 0, mss, sack_permitted: true, ..ack(1) });
        assert_eq!(sent(&mut sender, MS(100)).len(), 10);
        sender
    }

    /// Of ten segments the third duplicate ACK halves the window; twenty more, as of other holes, let out new ones.
    fn ssthresh_after_a_time_out_in_recovery(flavor: &str, loss_window: LossWindow) -> u64 {
        let preset = Config::preset(Flavor::named(flavor).expect("a flavor"));
        let config = Config { options: Options { loss_window, ..preset.options }, ..preset };
        let mut sender = with_ten_segments_out(config, 100_000);
        for _ in 0..23 {
            sender.on_segment(MS(200), &ack(1));
            sent(&mut sender, MS(200));
        }
        assert_eq!(sender.window.ssthresh, 5000);
        sender.on_timer(sender.next_timer());
        sender.window.ssthresh
    }

    #[test]
    fn a_time_out_in_a_recovery_does_not_raise_ssthresh() {
        for flavor in ["reno", "newreno", "newreno_full"] {
            let found = |of| ssthresh_after_a_time_out_in_recovery(flavor, of);
            assert_eq!(found(LossWindow::Bounded), 5000, "{flavor}");
            assert_eq!(found(LossWindow::Deflated), 2500, "{flavor}");
            assert_eq!(found(LossWindow::FlightSize), 14_000, "{flavor}: 28 segments are not acknowledged");
            assert_eq!(found(LossWindow::Cwnd), 14_000, "{flavor}");
        }
    }

    /// The go-back-N sends again what had arrived: that the receiver says so is no loss.
    #[test]
    fn duplicate_acks_after_a_time_out_set_off_no_fast_retransmit() {
        for flavor in ["reno", "newreno", "newreno_full", "newreno_hoe"] {
            let preset = Config::preset(Flavor::named(flavor).expect("a flavor"));
            let mut sender = with_ten_segments_out(preset, 100_000);
            sender.on_timer(sender.next_timer());
            (0..5).for_each(|_| sender.on_segment(MS(2000), &ack(2001)));
            assert_eq!(sender.counters().fast_retransmits, 0, "{flavor}");
            sender.on_segment(MS(2000), &ack(10_001));
            sent(&mut sender, MS(2000));
            sender.on_segment(MS(2100), &ack(11_001));
            sent(&mut sender, MS(2100));
            (0..3).for_each(|_| sender.on_segment(MS(2200), &ack(11_001)));
            assert_eq!(sender.counters().fast_retransmits, 1, "{flavor}: of data sent since");
        }
    }

    fn ack(ack: u64) -> Segment {
        Segment { seq: 1, ack: Some(ack), window: 60_000, ..Segment::default() }
    }

    fn sent(sender: &mut Connection, now: Time) -> Vec<u64> {
        std::iter::from_fn(|| sender.poll(now)).map(|segment| segment.seq).collect()
    }

    #[test]
    fn a_fast_retransmit_goes_out_when_the_wait_is_over_and_starts_the_timer_anew() {
        let mut sender = waiting(500_000);
        assert_eq!(sent(&mut sender, MS(200)), []);
        assert_eq!(sender.next_timer(), MS(250));
        sender.on_timer(MS(249));
        assert_eq!(sent(&mut sender, MS(249)), []);
        sender.on_timer(MS(250));
        assert_eq!(sent(&mut sender, MS(250)), [1]);
        assert_eq!(sender.next_timer(), MS(550));
        assert_eq!(sender.counters().fast_retransmits, 1);
    }

    #[test]
    fn without_a_wait_it_goes_out_at_once() {
        let mut sender = waiting(0);
        assert_eq!((sent(&mut sender, MS(200)), sender.next_timer()), (vec![1], MS(500)));
    }

    /// What waited is late, not lost: it is not sent again, and leaves no timer behind.
    #[test]
    fn a_new_ack_ends_the_wait() {
        let mut sender = waiting(500_000);
        sender.on_segment(MS(210), &ack(4001));
        assert_eq!(sent(&mut sender, MS(210)), []);
        assert!(sender.in_recovery() && sender.next_timer() > MS(250), "the RTO alone");
        sender.on_segment(MS(220), &ack(10_001));
        assert!(!sender.in_recovery());
        assert_eq!(sender.next_timer(), Time::NEVER);
    }

    #[test]
    fn a_time_out_ends_the_wait() {
        let mut sender = waiting(4_000_000);
        assert_eq!(sender.next_timer(), MS(400));
        sender.on_timer(MS(400));
        assert_eq!(sent(&mut sender, MS(400)), [1]);
        assert_eq!(sender.next_timer(), MS(1000), "600 ms, and not the wait's 600");
        assert!(!sender.in_recovery());
    }

    #[test]
    fn a_reset_ends_the_wait() {
        let mut sender = waiting(500_000);
        sender.abort();
        assert_eq!(sender.next_timer(), Time::NEVER);
    }
}
