//! What happens when a timer runs out.
//!
//! Source: RFC 6298 section 5; RFC 9293 section 3.8.6.1 for probes of a closed window. The first probe goes out after a
//! time-out; each later one waits twice as long. The timers of loss detection run beside the retransmission timer; if both
//! run out at once, it is a time-out.

use crate::congestion::{AckSample, Cause, Congestion, Phase};
use crate::connection::Connection;
use crate::loss::{Deadlines, LossTimer};
use crate::options::WindowProbe;
use crate::timers::Timer;
use base::Time;

/// Between these, a time-out long, a sender waits for more than a small part of the window
/// (RFC 9293, section 3.8.6.2.1).
const OVERRIDE: (Time, Time) = (Time::from_ms(100), Time::from_ms(1000));

/// A segment that probes a closed window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) seq: u64,
    pub(crate) len: u32,
    pub(crate) fin: bool,
}

impl Connection {
    /// When [`Connection::on_timer`] wants to be called; [`Time::NEVER`] if not at all.
    #[must_use]
    #[inline]
    pub fn next_timer(&self) -> Time {
        self.timers.next()
    }

    /// Handles every timer that has run out by `now`. Calling it too early does nothing.
    pub fn on_timer(&mut self, now: Time) {
        self.sender.now = now;
        self.note_app_limited();
        if self.timers.take_due(Timer::DelayedAck, now) {
            self.acks.on_timer();
        }
        // A probe replaces the time-out that is due at once with it (RFC 8985, section 7.2).
        if self.timers.take_due(Timer::LossProbe, now) {
            self.on_loss_timer(now, LossTimer::LossProbe);
        }
        if self.timers.take_due(Timer::Rto, now) {
            self.on_rto(now);
        }
        if self.timers.take_due(Timer::Reordering, now) {
            self.on_loss_timer(now, LossTimer::Reordering);
        }
        if self.timers.take_due(Timer::Persist, now) {
            self.persist.probes += 1;
            self.persist.due = true;
        }
        self.timers.take_due(Timer::Pacing, now);
    }

    fn on_loss_timer(&mut self, now: Time, timer: LossTimer) {
        if let Some(queue) = &mut self.sender.queue {
            queue.begin_ack(now);
        }
        if self.loss.on_timer(now, &mut self.sender, timer) {
            self.enter_recovery(now);
            self.sample_ack(false, AckSample { phase: Phase::Entered, ..AckSample::open(now, 0, None) });
        }
        // What it lets out is a retransmission or a probe (RFC 6298, rule 5.1).
        self.start_rto(now);
        self.set_loss_timers();
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
        self.loss_until = self.sender.snd_max;
        self.sender.snd_nxt = self.sender.snd_una;
        // A lost SYN says nothing of a window.
        if self.sender.snd_una > 0 {
            let in_recovery = self.in_recovery();
            let recover_fs = self.sender.flight_size();
            let congestion = Congestion { cause, recover_fs, in_recovery };
            self.congestion.on_congestion(&mut self.window, &self.sender, &congestion);
            self.set_pacing(now);
            self.sender.snd_nxt = self.loss.on_rto(now, &mut self.sender);
            self.ecn.on_loss(self.sender.snd_max);
        }
        self.start_rto(now);
        self.set_loss_timers();
    }

    /// Sets the timers for which loss detection asks.
    #[inline]
    pub(crate) fn set_loss_timers(&mut self) {
        if self.has_loss_timers {
            let Deadlines { reordering, loss_probe } = self.loss.deadlines();
            self.timers.set(Timer::Reordering, reordering);
            // A probe leaves no later than a time-out would (RFC 8985, section 7.2).
            let latest = if loss_probe < Time::NEVER { self.timers.at(Timer::Rto) } else { Time::NEVER };
            self.timers.set(Timer::LossProbe, loss_probe.min(latest));
        }
    }

    /// Restarts the retransmission timer.
    pub(crate) fn start_rto(&mut self, now: Time) {
        self.timers.set(Timer::Rto, self.rtt.deadline(now));
        // Data are in flight, and their ACK will carry the window.
        self.timers.stop(Timer::Persist);
    }

    /// Called when nothing can be sent. Data may be waiting for the window with no ACK on its way that would report a
    /// larger one. Then the persist timer runs: it probes a closed window, and sends a short segment into one that is too
    /// small for a full one.
    pub(crate) fn watch_window(&mut self, now: Time) {
        if self.sender.snd_nxt >= self.sender.written && (!self.closing || self.fin_sent()) {
            self.timers.stop(Timer::Persist);
        } else if !self.timers.is_on(Timer::Rto) && !self.timers.is_on(Timer::Persist) {
            let rto = self.rtt.rto();
            let wait = if self.sender.rwnd > 0 {
                rto.clamp(OVERRIDE.0, OVERRIDE.1)
            } else {
                let wait = rto.as_ps().saturating_mul(1 << self.persist.probes.min(31));
                Time::from_ps(wait).min(self.config.options.max_rto)
            };
            self.timers.set(Timer::Persist, now + wait);
        }
    }

    /// One above the highest sequence number that may be acknowledged.
    pub(crate) fn highest_acknowledgeable(&self) -> u64 {
        self.sender.snd_max.max(self.probed)
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
        if !due || self.sender.rwnd > 0 {
            return None;
        }
        let una = self.sender.snd_una;
        if self.config.options.window_probe == WindowProbe::Ack {
            return Some(Probe { seq: una.saturating_sub(1), len: 0, fin: false });
        }
        let fin = self.closing && una == self.sender.written;
        if una >= self.sender.written && !fin {
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
    use crate::config::Config;
    use crate::flavor::Flavor;
    use crate::loss::{LossDetection, Transmit, Verdict};
    use crate::options::{Historic, Options, SsthreshFrom, Timers};
    use crate::rtt::TickClock;
    use crate::segment::Segment;
    use crate::sender::Sender;

    const MS: fn(u64) -> Time = Time::from_ms;

    /// Ten segments of 1000 bytes are out since 100 ms, which is the SRTT; the first three duplicate ACKs come at
    /// 200 ms. The variance is half of that, so the RTO is 300 ms.
    fn waiting(retransmit_wait_ppm: u32) -> Connection {
        let preset = Config::preset(Flavor::named("sack").expect("a flavor"));
        let historic = Historic { retransmit_wait_ppm, ..Historic::OFF };
        let options = Options { timers: Timers::Fine, min_rto: MS(200), historic, ..preset.options };
        let config = Config { options, ..preset };
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
    fn ssthresh_after_a_time_out_in_recovery(flavor: &str, ssthresh_from: SsthreshFrom) -> u64 {
        let preset = Config::preset(Flavor::named(flavor).expect("a flavor"));
        let config = Config { options: Options { ssthresh_from, ..preset.options }, ..preset };
        let mut sender = with_ten_segments_out(config, 100_000);
        for _ in 0..23 {
            sender.on_segment(MS(200), &ack(1));
            sent(&mut sender, MS(200));
        }
        assert_eq!(sender.window.ssthresh(), 5000);
        sender.on_timer(sender.next_timer());
        sender.window.ssthresh()
    }

    #[test]
    fn a_time_out_in_a_recovery_does_not_raise_ssthresh() {
        for flavor in ["reno", "newreno", "newreno_full"] {
            let found = |of| ssthresh_after_a_time_out_in_recovery(flavor, of);
            assert_eq!(found(SsthreshFrom::FlightSizeBounded), 5000, "{flavor}");
            assert_eq!(found(SsthreshFrom::CwndDeflated), 2500, "{flavor}");
            assert_eq!(found(SsthreshFrom::FlightSize), 14_000, "{flavor}: 28 segments are not acknowledged");
            assert_eq!(found(SsthreshFrom::Cwnd), 14_000, "{flavor}");
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

    /// Asks for its timers once, and notes which have run out and when.
    struct Timed {
        deadlines: Deadlines,
        ran_out: std::sync::Arc<std::sync::Mutex<Vec<(LossTimer, Time)>>>,
    }

    impl LossDetection for Timed {
        fn on_ack(&mut self, _: Time, _: &mut Sender, acked: u64) -> Verdict {
            Verdict { restarts_rto: false, ..Verdict::new(Phase::Open, acked) }
        }

        fn on_dup_ack(&mut self, _: Time, _: &mut Sender, _: u64) -> Verdict {
            Verdict::new(Phase::Open, 0)
        }

        fn on_rto(&mut self, _: Time, sender: &mut Sender) -> u64 {
            sender.snd_una
        }

        fn deadlines(&self) -> Deadlines {
            self.deadlines
        }

        fn on_timer(&mut self, now: Time, _: &mut Sender, timer: LossTimer) -> bool {
            match timer {
                LossTimer::Reordering => self.deadlines.reordering = Time::NEVER,
                LossTimer::LossProbe => self.deadlines.loss_probe = Time::NEVER,
            }
            self.ran_out.lock().unwrap().push((timer, now));
            false
        }

        fn next(&mut self, _: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit> {
            let end = sender.snd_una + cwnd;
            (sender.snd_nxt < end).then_some(Transmit::Next(end))
        }
    }

    /// Each timer of loss detection runs out at its time, whatever the others do, and before the retransmission timer.
    #[test]
    fn timers_of_loss_detection_run_out_by_themselves() {
        let preset = Config::preset(Flavor::named("reno").expect("a flavor"));
        for (reordering, loss_probe) in [(250, 300), (300, 250), (270, 270)] {
            let mut sender = with_ten_segments_out(preset, 100_000);
            let ran_out = std::sync::Arc::default();
            let deadlines = Deadlines { reordering: MS(reordering), loss_probe: MS(loss_probe) };
            sender.has_loss_timers = true;
            sender.loss = Box::new(Timed { deadlines, ran_out: std::sync::Arc::clone(&ran_out) });
            let rto = sender.timers.at(Timer::Rto);
            sender.on_segment(MS(200), &ack(1001));
            assert_eq!(sender.timers.at(Timer::Rto), rto, "they leave the retransmission timer alone");
            while sender.next_timer() < rto {
                sender.on_timer(sender.next_timer());
            }
            let mut expected =
                vec![(LossTimer::LossProbe, MS(loss_probe)), (LossTimer::Reordering, MS(reordering))];
            expected.sort_by_key(|its| its.1);
            assert_eq!(*ran_out.lock().unwrap(), expected);
            assert_eq!(sender.counters().timeouts, 0);
            assert!(sender.timers.is_on(Timer::Rto));
        }
    }
}
