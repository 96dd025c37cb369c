//! Taking acknowledgments.
//!
//! Source: RFC 9293 section 3.10.7.4, RFC 5681 section 2 (what a duplicate ACK is), RFC 6298
//! sections 3 and 5. After a lost SYN the initial window is one segment (RFC 5681, section 3.1) and
//! the time-out at least 3 s (RFC 6298, rule 5.7).
//!
//! Deviation, if `handshake_growth` asks for it: the ACK of the SYN opens cwnd as that of a full
//! segment does, at both ends. BSD did not ask what an ACK is of; its data began with a segment
//! more. RFC 5681, section 3.1, forbids it.
//!
//! Deviation, if `handshake_sample` is off: the ACK of the SYN is no measurement of the RTT, as if the
//! SYN were not timed. A first flight that is lost then waits for the initial time-out.

use crate::congestion::{AckSample, Cause, Congestion, Phase, Spurious};
use crate::connection::{Connection, State};
use crate::limits::Limit;
use crate::loss::{CaState, Feedback, Verdict};
use crate::segment::Segment;
use crate::sender::Sender;
use crate::timers::{Persist, Timer};
use base::Time;

/// The time-out with which data transmission begins after a lost SYN.
const RTO_AFTER_LOST_SYN: Time = Time::from_secs(3);

impl Connection {
    /// Processes the ACK of an acceptable segment. It acknowledges no more than was sent.
    pub(crate) fn on_ack(&mut self, now: Time, segment: &Segment) {
        let Some(ack) = segment.ack else { return };
        let same_window = !self.update_window(segment, ack);
        let (snd_una, snd_max) = (self.sender.snd_una, self.sender.snd_max);
        let ecn = self.ecn.is_on();
        if ecn && self.ecn.on_ack(segment, ack, ack.saturating_sub(snd_una), snd_max) {
            self.on_mark();
        }
        let is_plain = segment.len == 0 && !segment.syn && !segment.fin;
        let is_duplicate = ack == self.sender.snd_una && is_plain && same_window && self.sender.rwnd > 0;
        // Without data in flight, only what came twice may be news.
        let has_news = self.sender.queue.is_some()
            && (snd_max > snd_una || is_duplicate || !segment.sack.is_empty())
            && self.take_sack(now, segment, is_duplicate);
        if ecn {
            self.take_marks(segment, ack);
        }
        if ack > self.sender.snd_una {
            self.on_new_ack(now, ack, segment);
        }
        if has_news || is_duplicate {
            // Without data in flight the news is of what was sent again before.
            let (was_sending, is_sending) = (snd_max > snd_una, self.sender.flight_size() > 0);
            if is_sending || (has_news && !was_sending) {
                self.on_dup_ack(now, segment);
            }
        }
    }

    /// The peer has reported the first mark of a window: reacts to it (RFC 3168), unless congestion control does that itself.
    fn on_mark(&mut self) {
        let decides_itself = self.needs.marks && self.sender.reports_marks;
        if self.ca_state() < CaState::Cwr && !decides_itself {
            self.loss.on_ecn(&mut self.sender);
            self.on_congestion(Cause::Ecn);
        }
    }

    /// Finds out what an ACK reports of marks. `snd_una` has not moved yet.
    #[inline(never)]
    fn take_marks(&mut self, segment: &Segment, ack: u64) {
        if self.ecn.has_counters() {
            self.take_counters(segment, ack);
        }
        if self.ecn.reports_mark(segment) {
            self.loss.on_marked_ack();
        }
    }

    fn take_counters(&mut self, segment: &Segment, ack: u64) {
        let Sender { snd_una, snd_max, smss, .. } = self.sender;
        if segment.syn || snd_una == 0 {
            return;
        }
        let delivered = match &self.sender.queue {
            Some(queue) => queue.unsacked(snd_una, ack) + queue.newly_sacked(),
            None => ack.saturating_sub(snd_una),
        };
        if self.ecn.on_counters(segment, ack, (delivered, smss), snd_max) {
            self.on_mark();
        }
    }

    /// Passes the SACK blocks to the transmit queue. Returns true if they make this segment a duplicate ACK whatever else
    /// it carries.
    fn take_sack(&mut self, now: Time, segment: &Segment, is_duplicate: bool) -> bool {
        self.note_app_limited();
        let (snd_una, snd_max) = (self.sender.snd_una, self.sender.snd_max);
        let queue = self.sender.queue();
        queue.begin_ack(now);
        if !self.sack {
            return false;
        }
        let blocks = segment.sack.as_slice();
        queue.sack(snd_una, snd_max, blocks);
        let feedback = if self.has_loss_timers {
            let (ack, echo) = (segment.ack.unwrap_or(0), self.timestamps.echo(segment));
            Feedback { ack, is_duplicate, echo, duplicate: duplicate(ack, blocks) }
        } else {
            Feedback::default()
        };
        self.loss.on_sack(now, &mut self.sender, &feedback)
    }

    /// Updates SND.WND from the newest segment. A segment that acknowledges new data is always new enough, because the
    /// window counts from its ACK. Returns true if the window changed.
    fn update_window(&mut self, segment: &Segment, ack: u64) -> bool {
        let una = self.sender.snd_una;
        if ack < una || (ack == una && self.window_update > (segment.seq, ack)) {
            return false;
        }
        self.window_update = (segment.seq, ack);
        let shift = self.scale.filter(|_| !segment.syn).map_or(0, |scale| scale.0);
        let rwnd = u64::from(segment.window) << shift;
        if rwnd > 0 && self.sender.rwnd == 0 {
            self.persist = Persist::default();
        }
        self.max_offered = self.max_offered.max(rwnd);
        std::mem::replace(&mut self.sender.rwnd, rwnd) != rwnd
    }

    fn on_congestion(&mut self, cause: Cause) {
        let recover_fs = self.loss.recover_fs(&self.sender);
        let congestion = Congestion { cause, recover_fs, in_recovery: false };
        self.congestion.on_congestion(&mut self.window, &self.sender, &congestion);
    }

    fn on_dup_ack(&mut self, now: Time, segment: &Segment) {
        if let Some(sent) = self.sample_departure() {
            self.add_sample(now, sent);
        }
        let verdict = self.loss.on_dup_ack(now, &mut self.sender, self.window.cwnd());
        self.on_verdict(now, segment, 0, verdict);
        self.set_loss_timers();
    }

    /// Passes an ACK of `acked` bytes, and what it means, to congestion control.
    #[inline(always)]
    fn on_verdict(&mut self, now: Time, segment: &Segment, acked: u64, verdict: Verdict) {
        let Verdict { phase, delivered, spurious, ends, .. } = verdict;
        let mut acked = acked;
        if let Some(cause) = spurious {
            // What this ACK acknowledges is in what cwnd is restored to (RFC 4015, section 3.2).
            self.on_spurious(cause, std::mem::take(&mut acked));
        }
        match phase {
            Phase::Open | Phase::Recovery | Phase::Exit => {}
            Phase::Entered => {
                if ends {
                    let exit = AckSample { phase: Phase::Exit, ..AckSample::open(now, 0, self.sender.srtt) };
                    self.congestion.on_ack(&mut self.window, &self.sender, &exit);
                }
                self.enter_recovery(now);
            }
            Phase::Repaired => self.on_congestion(Cause::Loss),
        }
        self.sample_ack(
            self.ecn.echoes(segment),
            AckSample { phase, delivered, ..AckSample::open(now, acked, None) },
        );
    }

    fn on_spurious(&mut self, cause: Cause, acked: u64) {
        let initial_window = u64::from(self.config.initial_window) * self.sender.smss;
        let spurious = Spurious { cause, acked, initial_window, undo: self.config.options.undo };
        self.congestion.on_spurious(&mut self.window, &self.sender, &spurious);
        self.loss_until = 0;
    }

    /// A fast retransmit goes out now, or after a wait that loss detection has asked for.
    pub(crate) fn enter_recovery(&mut self, now: Time) {
        self.on_congestion(Cause::Loss);
        self.counters.fast_retransmits += 1;
        self.timed = None;
        self.ecn.on_loss(self.sender.snd_max);
        self.set_loss_timers();
        if !self.timers.is_on(Timer::Reordering) {
            self.start_rto(now);
        }
    }

    #[inline(always)]
    fn on_new_ack(&mut self, now: Time, ack: u64, segment: &Segment) {
        let of_syn = self.sender.snd_una == 0;
        let acked = ack - self.sender.snd_una;
        self.sender.snd_una = ack;
        self.sender.snd_nxt = self.sender.snd_nxt.max(ack);
        if let Some(queue) = &mut self.sender.queue {
            queue.acknowledge(ack);
        }
        if of_syn && !self.config.options.historic.handshake_sample {
            self.timed = None;
        } else {
            self.take_sample(now, ack, segment);
        }
        // The ACK of a SYN acknowledges no data, so by itself it moves no window.
        let restarts_rto = if of_syn {
            self.on_syn_acked(now);
            true
        } else {
            let verdict = self.loss.on_ack(now, &mut self.sender, acked);
            self.on_verdict(now, segment, acked, verdict);
            verdict.restarts_rto
        };
        if self.timed.is_some() && !self.config.options.recovery_samples && self.in_recovery() {
            self.timed = None;
        }
        self.timeouts_in_a_row = 0;
        if self.sender.flight_size() == 0 {
            self.timers.stop(Timer::Rto);
            self.on_all_acked(now);
        } else if restarts_rto {
            self.start_rto(now);
        }
        self.set_loss_timers();
    }

    /// Passes an ACK to congestion control, with a sample of the transmit queue if the flavor has one.
    #[inline(always)]
    pub(crate) fn sample_ack(&mut self, ece: bool, sample: AckSample) {
        let (marked, srtt) = (self.ecn.take_marked(), self.sender.srtt);
        let sample = AckSample { ece, marked, srtt, ..sample };
        if self.needs.queue_samples && self.sender.queue.is_some() {
            self.sample_queue(sample);
        } else {
            self.congestion.on_ack(&mut self.window, &self.sender, &sample);
        }
        self.set_pacing(sample.now);
    }

    fn sample_queue(&mut self, sample: AckSample) {
        let in_flight = if self.needs.path_samples { self.in_flight() } else { 0 };
        let queue = self.sender.queue();
        let (its, rtt, losses) = (queue.sample(), queue.rtt(sample.now), queue.take_losses());
        let sample = AckSample { rtt, in_flight, losses: &losses, queue: Some(&its), ..sample };
        self.congestion.on_ack(&mut self.window, &self.sender, &sample);
    }

    /// Karn's rule: what was sent twice is timed by its timestamp or not at all.
    #[inline(always)]
    fn take_sample(&mut self, now: Time, ack: u64, segment: &Segment) {
        let timed = self.timed.take_if(|timed| timed.0 < ack).map(|(_, sent)| sent);
        let of_queue = self.sample_departure();
        if of_queue.is_some() {
            self.timed = None;
        }
        let echoed = || self.timestamps.echoed(now, segment).filter(|_| self.timed.is_none());
        if let Some(sent) = of_queue.or(timed).or_else(echoed) {
            self.add_sample(now, sent);
        }
    }

    /// The sample of an ACK, with a recovery that times every segment.
    #[inline(always)]
    fn sample_departure(&self) -> Option<Time> {
        let queue = self.sender.queue.as_ref().filter(|_| self.config.options.sample_every_ack);
        queue.and_then(|queue| queue.sample_departure())
    }

    #[inline(never)]
    fn add_sample(&mut self, now: Time, sent: Time) {
        self.rtt.sample(sent, now);
        self.sender.min_rtt = self.sender.min_rtt.min(now - sent);
        self.sender.srtt = self.rtt.smoothed().map(|(srtt, _)| srtt);
        self.counters.rtt_samples += 1;
        self.counters.rtt_ps += (now - sent).as_ps();
    }

    fn on_syn_acked(&mut self, now: Time) {
        let was_lost = self.timeouts_in_a_row > 0;
        if was_lost {
            self.rtt.start_anew(RTO_AFTER_LOST_SYN);
        }
        let sample = AckSample::open(now, self.sender.smss, self.sender.srtt);
        self.sender.reports_marks = self.ecn.reports_marks();
        self.congestion.on_established(&mut self.window, &self.sender, was_lost, &sample);
        self.set_pacing(now);
    }

    /// Everything sent was acknowledged; if that includes a FIN, the state moves on.
    fn on_all_acked(&mut self, now: Time) {
        if self.sender.snd_una >= self.sender.written {
            let limit = (!self.fin_sent()).then_some(Limit::App);
            self.limits.set(now, limit);
        }
        if self.fin_sent() {
            self.state = match self.state {
                State::FinWait1 => State::FinWait2,
                State::Closing => State::TimeWait,
                State::LastAck => State::Closed,
                other => other,
            };
        }
    }
}

/// What the first block reports to have come twice (RFC 2883, section 4): it lies below the acknowledgment, or within the
/// second block.
fn duplicate(ack: u64, blocks: &[(u64, u64)]) -> Option<(u64, u64)> {
    let (&first, others) = blocks.split_first()?;
    let is_within = others.first().is_some_and(|second| second.0 <= first.0 && first.1 <= second.1);
    (first.0 < first.1 && (first.1 <= ack || is_within)).then_some(first)
}
