//! BBR, version 3: a model of the path, in rate and in volume, sets the pacing rate and cwnd.
//!
//! Source: draft-ietf-ccwg-bbr, the editors' copy of 2026 after -06; the interval of `ProbeRTT` is that of the drafts up to -06.
//! Names are those of the draft; `c` is what it calls C, the connection.
//!
//! | part | file |
//! |---|---|
//! | states and their gains | `state.rs` |
//! | Startup, Drain; whether the pipe is full | `startup.rs`, `full_pipe.rs` |
//! | the cycle that probes for bandwidth | `probe_bw.rs` |
//! | the smallest RTT, `ProbeRTT`, restart from idle | `probe_rtt.rs` |
//! | rounds, bandwidth, the short-term model | `signals.rs`, `filter.rs` |
//! | the long-term model, losses | `long_term.rs` |
//! | aggregation of ACKs | `aggregation.rs` |
//! | pacing rate, quantum, cwnd | `control.rs` |
//! | recoveries and what they leave | `undo.rs` |
//!
//! Deviations beside those that the files name:
//!
//! - The flow learns of losses that a timer finds with the next ACK, unless they begin a recovery.
//! - cwnd does not grow beyond the largest window of the peer.
//! - A mark (ECN, off by default) is answered as a loss is: in Startup and `ProbeBW_UP` it ends the probe, elsewhere it counts for
//!   the short-term model. The draft leaves the answer open, but asks for one.
//!
//! | value | unit |
//! |---|---|
//! | rates | bytes per second, rounded down |
//! | volumes | bytes |
//! | gains | percent |

use super::random::Random;
use super::{
    AckSample, Cause, Congestion, CongestionControl, CongestionWindow, Idle, Needs, Pacing, Phase, Sent,
    Spurious,
};
use crate::options::Options;
use crate::sender::Sender;
use crate::sender_state::SenderState;
use aggregation::Aggregation;
use base::Time;
use filter::MaxFilter;
use full_pipe::FullPipe;
use probe_bw::ProbeBw;
use probe_rtt::MinRtt;
use signals::{CYCLES, Rs};
use state::State;
use undo::Undo;

mod aggregation;
mod control;
mod filter;
mod full_pipe;
mod long_term;
mod probe_bw;
mod probe_rtt;
mod signals;
mod startup;
mod state;
#[cfg(test)]
mod tests;
mod undo;

/// A bound that is not set.
const INFINITY: u64 = u64::MAX;

/// The least that a reduction leaves: 0.7.
const fn beta(value: u64) -> u64 {
    (value as u128 * 7 / 10) as u64
}

/// What a rate delivers in a time.
fn bytes_in(rate: u64, time: Time) -> u64 {
    const PS_PER_SECOND: u128 = 1_000_000_000_000;
    (u128::from(rate) * u128::from(time.as_ps()) / PS_PER_SECOND) as u64
}

/// `C.*`: the connection at the event at hand. Bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Connection {
    now: Time,
    smss: u64,
    initial_cwnd: u64,
    cwnd: u64,
    inflight: u64,
    delivered: u64,
    pacing_rate: u64,
    send_quantum: u64,
}

/// A recovery that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recovery {
    Fast,
    /// From a time-out, until this is acknowledged.
    Timeout {
        until: u64,
    },
}

/// BBR, version 3.
#[derive(Clone, Debug)]
pub struct Bbr3 {
    random: Random,
    has_selective_acks: bool,
    c: Connection,
    state: State,
    round_count: u64,
    round_start: bool,
    next_round_delivered: u64,
    /// The last round in which cwnd kept a segment back.
    limited_round: Option<u64>,
    max_bw_filter: MaxFilter<CYCLES>,
    cycle_count: u64,
    max_bw: u64,
    bw: u64,
    bw_shortterm: u64,
    inflight_shortterm: u64,
    inflight_longterm: u64,
    bw_latest: u64,
    inflight_latest: u64,
    loss_round_start: bool,
    loss_round_delivered: u64,
    is_loss_in_round: bool,
    /// Ranges that were found lost in this loss round.
    lost_ranges_in_round: u64,
    full_pipe: FullPipe,
    drain_start_round: u64,
    probe: ProbeBw,
    min_rtt: MinRtt,
    idle_restart: bool,
    aggregation: Aggregation,
    undo: Undo,
    recovery: Option<Recovery>,
    /// The first segment that goes out again after a time-out has not left yet.
    awaits_retransmission: bool,
    /// All that the application had written was sent at the last ACK.
    has_sent_all: bool,
}

impl Bbr3 {
    /// With these options: whether SACK is on.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            random: Random::default(),
            has_selective_acks: options.sack,
            c: Connection::default(),
            state: State::Startup,
            round_count: 0,
            round_start: false,
            next_round_delivered: 0,
            limited_round: None,
            max_bw_filter: MaxFilter::EMPTY,
            cycle_count: 0,
            max_bw: 0,
            bw: 0,
            bw_shortterm: INFINITY,
            inflight_shortterm: INFINITY,
            inflight_longterm: INFINITY,
            bw_latest: 0,
            inflight_latest: 0,
            loss_round_start: false,
            loss_round_delivered: 0,
            is_loss_in_round: false,
            lost_ranges_in_round: 0,
            full_pipe: FullPipe::default(),
            drain_start_round: 0,
            probe: ProbeBw::default(),
            min_rtt: MinRtt::default(),
            idle_restart: false,
            aggregation: Aggregation::default(),
            undo: Undo::default(),
            recovery: None,
            awaits_retransmission: false,
            has_sent_all: false,
        }
    }

    /// In Startup with this window, at time 0.
    #[cfg(test)]
    fn for_tests(smss: u64, cwnd: u64) -> Self {
        let c = Connection { smss, cwnd, initial_cwnd: cwnd, ..Connection::default() };
        Self { c, ..Self::new(&Options::MODERN) }
    }

    /// `C.is_cwnd_limited`: cwnd kept a segment back in this round or in the last one.
    fn is_cwnd_limited(&self) -> bool {
        self.limited_round.is_some_and(|round| round + 1 >= self.round_count)
    }

    fn load(&mut self, window: &CongestionWindow, sender: &Sender) {
        (self.c.cwnd, self.c.smss) = (window.cwnd(), sender.smss);
    }

    fn store(&self, window: &mut CongestionWindow, sender: &Sender) {
        window.grow_to(self.c.cwnd, sender.max_rwnd);
        window.set_pacing(Pacing { rate: self.c.pacing_rate, quantum: self.c.send_quantum });
    }

    /// A recovery ends with this ACK if all that was out when it began is acknowledged, or if loss detection says so.
    fn check_recovery(&mut self, sender: &Sender, phase: Phase) {
        let ends = match self.recovery {
            Some(Recovery::Fast) => matches!(phase, Phase::Open | Phase::Exit | Phase::Repaired),
            Some(Recovery::Timeout { until }) => sender.snd_una >= until,
            None => false,
        };
        if ends {
            self.recovery = None;
            self.restore_cwnd();
        }
    }

    fn take_losses(&mut self, sample: &AckSample, rs: &Rs) {
        let Some(queue) = sample.queue.filter(|queue| queue.lost > 0) else { return };
        self.lost_ranges_in_round += queue.lost_ranges.max(1);
        if sample.losses.is_empty() {
            self.handle_losses(rs);
        }
        for lost in sample.losses {
            self.handle_lost_packet(lost);
        }
    }

    /// `UpdateModelAndState`.
    fn update_model_and_state(&mut self, rs: &Rs) {
        self.update_latest_delivery_signals(rs);
        self.update_congestion_signals(rs);
        self.update_ack_aggregation(rs);
        if self.round_start && !rs.is_app_limited {
            self.full_pipe.on_round(rs.delivery_rate);
        }
        self.check_startup_done(rs);
        self.check_drain_done();
        self.update_probe_bw_cycle_phase(rs);
        self.update_min_rtt(rs);
        self.check_probe_rtt(rs);
        self.advance_latest_delivery_signals(rs);
        self.bound_bw_for_model();
    }

    /// `UpdateControlParameters`.
    fn update_control_parameters(&mut self, rs: &Rs) {
        self.set_pacing_rate_with_gain(self.state.pacing_gain());
        self.set_send_quantum();
        self.set_cwnd(rs);
    }

    /// A mark: the draft asks for an answer, and leaves open which.
    fn on_mark(&mut self) {
        self.note_loss();
        if self.state == State::Startup {
            self.leave_startup_upon_losses();
        } else if self.probe.is_bw_probe_sample {
            self.handle_inflight_too_high(self.c.inflight, false);
        }
    }
}

impl CongestionControl for Bbr3 {
    fn needs(&self) -> Needs {
        Needs { sent: true, queue_samples: true, path_samples: true, marks: false }
    }

    fn seed(&mut self, number: u64) -> bool {
        self.random = Random::seeded(number);
        true
    }

    fn on_syn(&mut self, window: &mut CongestionWindow, initial_window: u64) {
        window.set_cwnd(initial_window);
        self.c.initial_cwnd = initial_window;
    }

    /// `OnInit`.
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
        self.load(window, sender);
        self.c.now = sample.now;
        (self.c.initial_cwnd, self.min_rtt.probe_rtt_cwnd) = (self.c.cwnd, self.c.cwnd);
        self.init_min_rtt(sample.srtt.unwrap_or(Time::NEVER));
        self.aggregation.extra_acked_interval_start = sample.now;
        self.init_pacing_rate(sample.srtt);
        self.store(window, sender);
    }

    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        self.load(window, sender);
        self.check_recovery(sender, sample.phase);
        let Some(path) = sample.queue.and_then(|queue| queue.path) else {
            return self.store(window, sender);
        };
        self.c.now = sample.now;
        (self.c.inflight, self.c.delivered) = (sample.in_flight, path.delivered);
        let mut rs = Rs::of(sample, path.delivered);
        rs.is_app_limited |= self.is_limited_by_probe_rtt(rs.prior_delivered);
        if self.min_rtt.min_rtt == Time::NEVER && rs.rtt.is_some() {
            self.init_pacing_rate(rs.rtt);
        }
        self.take_losses(sample, &rs);
        self.update_model_and_state(&rs);
        self.update_control_parameters(&rs);
        self.has_sent_all = sender.snd_nxt >= sender.sendable;
        self.store(window, sender);
    }

    fn on_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        self.load(window, sender);
        match congestion.cause {
            Cause::Ecn => self.on_mark(),
            // `OnEnterFastRecovery`.
            Cause::Loss => {
                self.save_state_upon_loss();
                self.recovery = Some(Recovery::Fast);
            }
            // `OnEnterRTO`; cwnd is what is in flight then, and a segment, when that segment leaves.
            Cause::Rto | Cause::RepeatedRto => {
                self.save_state_upon_loss();
                self.recovery = Some(Recovery::Timeout { until: sender.snd_max });
                self.awaits_retransmission = true;
                self.c.cwnd = self.c.smss;
            }
        }
        self.store(window, sender);
    }

    fn on_sent(&mut self, window: &mut CongestionWindow, sender: &Sender, sent: Sent) {
        if sent.was_idle && self.has_sent_all {
            self.load(window, sender);
            (self.c.now, self.c.inflight) = (sent.now, 0);
            self.handle_restart_from_idle();
            self.store(window, sender);
        }
        let gone = |queue: &crate::transmit_queue::TransmitQueue| queue.sacked() + queue.lost_and_waiting();
        let in_flight = sender.flight_size() - sender.queue.as_deref().map_or(0, gone);
        if std::mem::take(&mut self.awaits_retransmission) {
            window.set_cwnd(in_flight.max(sender.smss));
        }
        if in_flight + sender.smss > window.cwnd() {
            self.limited_round = Some(self.round_count);
        }
    }

    fn on_spurious(&mut self, window: &mut CongestionWindow, sender: &Sender, _: &Spurious) {
        self.load(window, sender);
        self.recovery = None;
        self.handle_spurious_loss_detection();
        self.store(window, sender);
    }

    /// The rate is kept, and with it the window (section 5.4).
    fn on_idle(&mut self, _: &mut CongestionWindow, _: Idle) {}

    fn state(&self) -> String {
        match self.state.words() {
            (phase, "") => phase.to_owned(),
            (phase, part) => format!("{phase}_{part}"),
        }
    }

    /// It acts by its phase, in a recovery as well.
    fn sender_state(&self) -> Option<SenderState> {
        let (phase, part) = self.state.words();
        Some(SenderState::Own(phase, part))
    }
}
