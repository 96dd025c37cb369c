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

use crate::congestion::Ack;
use crate::connection::{Connection, State};
use crate::limits::Limit;
use crate::recovery::{CaState, Timer};
use crate::segment::Segment;
use crate::timers::Persist;
use base::Time;

/// The time-out with which data transmission begins after a lost SYN.
const RTO_AFTER_LOST_SYN: Time = Time::from_secs(3);

impl Connection {
    /// Takes what an acceptable segment acknowledges: no more than was sent.
    pub(crate) fn on_ack(&mut self, now: Time, segment: &Segment) {
        let Some(ack) = segment.ack else { return };
        let same_window = !self.update_window(segment, ack);
        let snd_max = self.window.snd_max;
        if self.ecn.on_ack(segment, ack, snd_max) && self.ca_state() < CaState::Cwr {
            self.recovery.on_ecn(&mut self.window, &mut *self.congestion);
        }
        let news = self.sack && self.recovery.on_sack(&self.window, segment.sack.as_slice());
        let is_plain = segment.len == 0 && !segment.syn && !segment.fin;
        let is_duplicate = ack == self.window.snd_una && is_plain && same_window && self.window.rwnd > 0;
        if ack > self.window.snd_una {
            self.on_new_ack(now, ack, segment);
        }
        if (news || is_duplicate) && self.window.flight_size() > 0 {
            self.on_dup_ack(now);
        }
    }

    /// SND.WND, from the youngest segment; what acknowledges something new is young enough, since
    /// the window counts from there. True if it changed.
    fn update_window(&mut self, segment: &Segment, ack: u64) -> bool {
        let una = self.window.snd_una;
        if ack < una || (ack == una && self.window_update > (segment.seq, ack)) {
            return false;
        }
        self.window_update = (segment.seq, ack);
        let shift = self.scale.filter(|_| !segment.syn).map_or(0, |scale| scale.0);
        let rwnd = u64::from(segment.window) << shift;
        if rwnd > 0 && self.window.rwnd == 0 {
            self.persist = Persist::default();
        }
        self.max_offered = self.max_offered.max(rwnd);
        std::mem::replace(&mut self.window.rwnd, rwnd) != rwnd
    }

    fn on_dup_ack(&mut self, now: Time) {
        if self.recovery.on_dup_ack(&mut self.window, &mut *self.congestion) {
            self.counters.fast_retransmits += 1;
            self.timed = None;
            self.ecn.on_loss(self.window.snd_max);
            self.begin_retransmission(now);
        }
    }

    fn on_new_ack(&mut self, now: Time, ack: u64, segment: &Segment) {
        let of_syn = self.window.snd_una == 0;
        let acked = ack - self.window.snd_una;
        self.window.snd_una = ack;
        self.window.snd_nxt = self.window.snd_nxt.max(ack);
        if of_syn && !self.config.handshake_sample {
            self.timed = None;
        } else {
            self.take_sample(now, ack, segment);
        }
        // The ACK of a SYN acknowledges no data, so by itself it moves no window.
        let timer = if of_syn {
            self.on_syn_acked(now);
            Timer::Restart
        } else {
            let validation = self.validation.as_deref();
            self.window.cwnd_limited = validation.is_none_or(|validation| validation.limited(&self.window));
            let srtt = self.rtt.smoothed().map(|(srtt, _)| srtt);
            let ack = Ack { acked, now, srtt };
            self.recovery.on_ack(&mut self.window, &ack, &mut *self.congestion)
        };
        if self.timed.is_some() && !self.config.options.recovery_samples && self.is_recovering() {
            self.timed = None;
        }
        self.timeouts_in_a_row = 0;
        if self.window.flight_size() == 0 {
            self.rto_at = Time::NEVER;
            self.on_all_acked(now);
        } else if timer == Timer::Restart {
            self.restart_timer(now);
        }
    }

    fn is_recovering(&self) -> bool {
        self.recovery.state() == CaState::Recovery
    }

    /// Karn's rule: what was sent twice is timed by its timestamp or not at all.
    fn take_sample(&mut self, now: Time, ack: u64, segment: &Segment) {
        let timed = self.timed.take_if(|timed| timed.0 < ack).map(|(_, sent)| sent);
        let echoed = || self.timestamps.echoed(now, segment).filter(|_| self.timed.is_none());
        if let Some(sent) = timed.or_else(echoed) {
            self.rtt.sample(sent, now);
            self.counters.rtt_samples += 1;
            self.counters.rtt_ps += (now - sent).as_ps();
        }
    }

    fn on_syn_acked(&mut self, now: Time) {
        if self.timeouts_in_a_row > 0 {
            self.window.cwnd = self.window.smss;
            self.rtt.start_anew(RTO_AFTER_LOST_SYN);
        }
        self.window.max_cwnd = self.window.cwnd;
        if self.config.handshake_growth {
            let srtt = self.rtt.smoothed().map(|(srtt, _)| srtt);
            let ack = Ack { acked: self.window.smss, now, srtt };
            self.congestion.on_ack(&mut self.window, &ack);
        }
    }

    /// Everything sent was acknowledged; if that includes a FIN, the state moves on.
    fn on_all_acked(&mut self, now: Time) {
        if self.window.snd_una >= self.written {
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
