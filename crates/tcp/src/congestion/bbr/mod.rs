//! BBR, version 1: the sender paces at the bandwidth that it measures, with little more in flight than fills the path.
//!
//! Source: Cardwell et al. 2016 as Linux 6 has it (`net/ipv4/tcp_bbr.c`). Losses and delays do not by themselves reduce the rate.
//!
//! | file | part |
//! |---|---|
//! | `model.rs` | round trips, bandwidth, smallest RTT, full pipe |
//! | `states.rs` | STARTUP, DRAIN, PROBE_BW, PROBE_RTT |
//! | `cwnd.rs` | cwnd, recovery |
//! | `policer.rs` | the long-term bandwidth of a token bucket |
//! | `aggregation.rs` | ACKs that come together |
//! | `bandwidth.rs` | integers: bandwidths, gains |
//!
//! Deviations from Linux: data are counted in bytes, not in packets, and times in picoseconds, not in microseconds and jiffies;
//! windows are whole segments all the same. A segment counts as in flight from its departure on, and none has been handed to a
//! queue of the host before, so what is in flight at the next departure is what is in flight now. In flight before an ACK is what is now and
//! what it delivered or lost. The losses of a time-out count for the policer from the next ACK on. PROBE_RTT and the idle restart
//! go by the whole time, not by jiffies. A mark of the network (ECN) changes nothing, as there.
//!
//! | parameter | value |
//! |---|---|
//! | gains | 2885/1000 + 1/256, 1000/2885, 1.25, 0.75, 1; of cwnd 2 |
//! | pacing | 1 % below the gain times the bandwidth |
//! | first rate | the high gain times the initial window in each SRTT, or in 1 ms |
//! | quantum | 1/1024 s of the rate, 1 segment below 1.2 Mbit/s, else 2 at least; 127 segments and 64 kB at most |

use super::random::Random;
use super::{
    AckSample, Cause, Congestion, CongestionControl, CongestionWindow, Idle, Needs, Pacing, Sent, Spurious,
};
use crate::sender::Sender;
use crate::sender_state::SenderState;
use aggregation::Aggregation;
use bandwidth::{Bandwidth, Gain};
use base::Time;
use cwnd::Recovery;
use model::{Ack, Model};
use policer::{Event, Policer};
use states::Mode;

mod aggregation;
mod bandwidth;
mod cwnd;
mod model;
mod policer;
mod states;
#[cfg(test)]
mod tests;

const RTT_BEFORE_THE_FIRST: Time = Time::from_ms(1);
const LEAST_RTT: Time = Time::from_us(1);
/// Below this a quantum is one segment, bytes per second.
const SMALL_RATE: u64 = 1_200_000 / 8;
/// `sk_pacing_shift`: a quantum is 1/1024 s of the rate.
const QUANTUM_SHIFT: u32 = 10;
/// `GSO_LEGACY_MAX_SIZE` without the headers of Linux.
const MOST_QUANTUM: u64 = 65_536 - 1 - 320;
const MOST_SEGMENTS: u64 = 127;

/// BBR, version 1.
#[derive(Clone, Copy, Debug)]
pub struct Bbr {
    model: Model,
    mode: Mode,
    recovery: Recovery,
    policer: Policer,
    aggregation: Aggregation,
    random: Random,
    /// Bytes per second; 0 before the handshake is over.
    pacing_rate: u64,
    /// The rate came from an RTT, and not from a guess.
    has_rtt: bool,
    /// The flow was idle and nothing that it sent since then is delivered.
    is_restarting: bool,
    /// PROBE_RTT limited what was sent while what had been delivered was between these.
    own_limit: (u64, u64),
}

impl Default for Bbr {
    fn default() -> Self {
        Self::new()
    }
}

impl Bbr {
    /// Of a connection that is not open yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            model: Model::new(),
            mode: Mode::Startup,
            recovery: Recovery::default(),
            policer: Policer::default(),
            aggregation: Aggregation::default(),
            random: Random::default(),
            pacing_rate: 0,
            has_rtt: false,
            is_restarting: false,
            own_limit: (u64::MAX, 0),
        }
    }

    /// The bandwidth that it goes by.
    fn bandwidth(&self) -> Bandwidth {
        self.policer.bandwidth().unwrap_or_else(|| self.model.bandwidth())
    }

    /// The rate of a window in each round trip, and twice that in the next.
    fn init_pacing_rate(&mut self, cwnd: u64, srtt: Option<Time>) {
        self.has_rtt = srtt.is_some();
        let rtt = srtt.map_or(RTT_BEFORE_THE_FIRST, |srtt| srtt.max(LEAST_RTT));
        self.pacing_rate = Bandwidth::of(cwnd, rtt).pacing_rate(Gain::HIGH);
    }

    fn set_pacing_rate(&mut self, cwnd: u64, srtt: Option<Time>, gain: Gain) {
        if !self.has_rtt && srtt.is_some() {
            self.init_pacing_rate(cwnd, srtt);
        }
        let rate = self.bandwidth().pacing_rate(gain);
        // Before the pipe is full, a sample below the rate says only that the rate was not needed.
        if self.model.is_full || rate > self.pacing_rate {
            self.pacing_rate = rate;
        }
    }

    fn publish(&self, window: &mut CongestionWindow, smss: u64) {
        window.set_pacing(Pacing { rate: self.pacing_rate.max(1), quantum: self.quantum(smss) });
    }

    /// What leaves at once, bytes in whole segments.
    fn quantum(&self, smss: u64) -> u64 {
        let least = if self.pacing_rate < SMALL_RATE { 1 } else { 2 };
        let bytes = (self.pacing_rate >> QUANTUM_SHIFT).min(MOST_QUANTUM);
        (bytes / smss).max(least).min(MOST_SEGMENTS) * smss
    }

    fn is_app_limited(&self, ack: &Ack) -> bool {
        ack.rate.is_some_and(|rate| rate.is_app_limited)
            || ack.prior_delivered().is_some_and(|prior| self.limited_itself(prior))
    }

    /// Round trips, bandwidth and the policer, if the ACK has a valid sample of the rate.
    fn update_bandwidth(&mut self, ack: &Ack, is_app_limited: bool) {
        self.model.count_round(ack);
        let Some(rate) = ack.rate else { return };
        if self.model.round_start {
            self.recovery.on_round();
        }
        self.sample_policer(ack.lost > 0, is_app_limited);
        self.model.update_bandwidth(&rate, is_app_limited);
    }

    fn sample_policer(&mut self, has_losses: bool, is_app_limited: bool) {
        let event = Event {
            totals: self.model.totals,
            has_losses,
            is_app_limited,
            round_start: self.model.round_start,
            in_probe_bw: self.mode.is_probe_bw(),
        };
        if self.policer.on_event(&event) {
            self.enter_probe_bw();
        }
    }
}

impl CongestionControl for Bbr {
    fn needs(&self) -> Needs {
        Needs { sent: true, queue_samples: true, path_samples: true, marks: false }
    }

    fn seed(&mut self, number: u64) -> bool {
        self.random = Random::seeded(number);
        true
    }

    fn on_syn(&mut self, window: &mut CongestionWindow, initial_window: u64) {
        window.set_cwnd(initial_window);
    }

    fn on_established(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        syn_was_lost: bool,
        sample: &AckSample,
    ) {
        if syn_was_lost {
            window.set_cwnd(sender.smss);
        }
        window.count_max_cwnd();
        (self.model.min_rtt, self.model.min_rtt_at) =
            (Some(sender.min_rtt).filter(|&rtt| rtt < Time::NEVER), sample.now);
        self.aggregation.begin_epoch(sample.now);
        self.init_pacing_rate(window.cwnd(), sample.srtt);
        self.publish(window, sender.smss);
    }

    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        let smss = sender.smss;
        let after_rto = self.recovery.on_ack(sample.phase, sender.snd_una);
        let Some(path) = sample.queue.and_then(|queue| queue.path) else { return };
        let mut ack = self.model.read(sample, &path, smss);
        if after_rto {
            // The time-out has reduced cwnd for them.
            ack.lost = 0;
        }
        let is_app_limited = self.is_app_limited(&ack);
        self.update_bandwidth(&ack, is_app_limited);
        if ack.acked > 0 && ack.rate.is_some() {
            let (bandwidth, round_start) = (self.bandwidth(), self.model.round_start);
            self.aggregation.on_ack(ack.now, ack.acked, round_start, bandwidth, (window.cwnd(), smss));
        }
        self.update_phase(&ack);
        self.model.check_full(is_app_limited);
        if let Some(bdp) = self.check_drain(&ack) {
            window.set_ssthresh(bdp);
        }
        self.check_probe_rtt(window, sender.max_rwnd, &ack);
        self.set_pacing_rate(window.cwnd(), sample.srtt, self.pacing_gain());
        self.publish(window, smss);
        self.set_cwnd(window, sender.max_rwnd, &ack, after_rto);
    }

    fn on_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        match congestion.cause {
            Cause::Ecn => {}
            Cause::Loss => {
                self.recovery.save_cwnd(window.cwnd(), self.mode.is_probe_rtt());
                self.recovery.begin();
            }
            Cause::Rto | Cause::RepeatedRto => {
                if congestion.cause == Cause::Rto && !congestion.in_recovery {
                    self.recovery.save_cwnd(window.cwnd(), self.mode.is_probe_rtt());
                }
                self.recovery.on_rto(sender.snd_max);
                self.model.forget_full_bandwidth();
                self.model.round_start = true;
                self.sample_policer(true, false);
                window.set_cwnd(sender.smss);
            }
        }
    }

    fn on_sent(&mut self, window: &mut CongestionWindow, sender: &Sender, sent: Sent) {
        let is_app_limited = || sender.queue.as_ref().is_some_and(|queue| queue.is_app_limited());
        if !sent.was_idle || !(is_app_limited() || self.mode.is_probe_rtt()) {
            return;
        }
        self.is_restarting = true;
        self.aggregation.begin_epoch(sent.now);
        if self.mode.is_probe_bw() {
            // More than the bandwidth would fill buffers for no use.
            self.set_pacing_rate(window.cwnd(), sender.srtt, Gain::ONE);
            self.publish(window, sender.smss);
        }
        self.end_probe_rtt(window, sender.max_rwnd, sent.now);
    }

    fn on_spurious(&mut self, _: &mut CongestionWindow, _: &Sender, _: &Spurious) {
        self.model.forget_full_rounds();
        self.policer.reset();
        self.recovery.end();
    }

    /// Linux leaves a control that paces as it is (`tcp_slow_start_after_idle_check`).
    fn on_idle(&mut self, _: &mut CongestionWindow, _: Idle) {}

    fn state(&self) -> String {
        match self.phase() {
            (phase, "") => phase.to_owned(),
            (phase, part) => format!("{phase}:{part}"),
        }
    }

    /// It acts by its phase, in a recovery as well.
    fn sender_state(&self) -> Option<SenderState> {
        let (phase, part) = self.phase();
        Some(SenderState::Own(phase, part))
    }
}
