//! Prague: DCTCP for the Internet, with the same rate at every RTT up to 25 ms, and paced.
//!
//! Source: draft-briscoe-iccrg-prague-congestion-control-04 (expired in January 2025); where it leaves something open,
//! `udp_prague` (L4STeam) and Linux' `tcp_prague.c` by the same authors.
//!
//! The virtual RTT is the RTT, or 25 ms if that is longer. Alpha, the part of the bytes that is marked, is updated once in a
//! virtual RTT; the first mark of a virtual RTT takes half of alpha from the window. Every byte delivered without a mark lets the
//! window grow, in the round trip of a reduction too: by a segment in each RTT if nothing is marked, times the square of RTT over
//! virtual RTT. So the rate at a fixed share of marks p is 2 (1/p - 1) segments in 25 ms, about (1/p - 1) Mbit/s.
//!
//! | parameter | value |
//! |---|---|
//! | virtual RTT | max(SRTT, 25 ms); before the fifth round after slow start, SRTT |
//! | g | 1/16: weight of the last virtual RTT in alpha |
//! | alpha at first | 1, and not updated before the first mark |
//! | loss | half of the window stays; a time-out leaves a segment |
//! | pacing | 3 % above the window in an SRTT in the first half of a virtual RTT, as much below in the second; twice the window in slow start below half of ssthresh |
//! | burst | what the rate sends in 250 us, or a segment |
//! | least rate | 100 kbit/s |
//!
//! The window is a real number of bytes, which may be less than a segment: the pacer then sends a segment in more than an RTT.
//! cwnd itself only stops a sender whose ACKs fail to come: it is 3 % and a segment above, and two segments at least.
//!
//! Deviations:
//!
//! - Packets do not become smaller below two segments in a virtual RTT (down to 150 bytes): a segment has SMSS bytes here.
//! - The window grows while there is more to send, whatever holds it back: pacing leaves no trace in what is in flight by which
//!   one could tell whether cwnd was used.
//! - No faster growth after some virtual RTTs without marks (`udp_prague`), and no search for queues that mark as RFC 3168
//!   asks (Linux), which are off by default there.
//! - An ACK of which a part is marked both reduces the window and lets it grow by the rest, as in both implementations.
//! - It is a window at every RTT. `udp_prague` keeps a rate instead where the RTT is below 2 ms, or below the time between two
//!   packets, as the RTT then says more of hosts and of waiting ACKs than of the path.
//! - If the peer does not count marks, or the path changes them, it is Reno without pacing.

use super::{
    AckSample, Cause, Congestion, CongestionControl, CongestionWindow, Idle, LossBased, Needs, Pacing, Phase,
    Reduction, Reno, Sent, Spurious,
};
use crate::options::{Options, Undo};
use crate::sender::Sender;
use base::Time;

#[cfg(test)]
mod tests;

const G: f64 = 1.0 / 16.0;
const REFERENCE_RTT: Time = Time::from_ms(25);
/// Rounds after slow start from which on the virtual RTT counts.
const TRANSITION: u32 = 4;
const LEAST_RATE: f64 = 12_500.0;
const BURST: Time = Time::from_us(250);
const DITHER: f64 = 1.03;

/// Prague.
pub struct Prague {
    /// What it is if the peer does not count marks.
    fallback: LossBased<Reno>,
    /// Bytes.
    window: f64,
    alpha: f64,
    has_seen_mark: bool,
    /// Delivered, and marked of that, since alpha was updated; when that was, and what was out then.
    delivered: u64,
    marked: u64,
    round: Mark,
    /// Rounds since slow start ended.
    rounds: u32,
    /// The last reduction.
    reduced: Option<Mark>,
    /// The window before the last loss.
    before_loss: f64,
}

/// A moment, and what was out then.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: Time,
    snd_max: u64,
}

impl Mark {
    fn of(now: Time, sender: &Sender) -> Self {
        Self { at: now, snd_max: sender.snd_max }
    }

    /// Whether so much time has passed since, and what was out then is acknowledged.
    fn is_over(self, now: Time, sender: &Sender, time: Time) -> bool {
        sender.snd_una >= self.snd_max && now >= self.at + time
    }
}

fn seconds(time: Time) -> f64 {
    time.as_ps() as f64 / 1e12
}

impl Prague {
    /// With these options.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            fallback: LossBased::new(options, Reno::new(options), Reduction::proportional_if(options.prr)),
            window: 0.0,
            alpha: 1.0,
            has_seen_mark: false,
            delivered: 0,
            marked: 0,
            round: Mark { at: Time::ZERO, snd_max: 0 },
            rounds: 0,
            reduced: None,
            before_loss: 0.0,
        }
    }

    fn in_slow_start(&self, window: &CongestionWindow) -> bool {
        self.window < window.ssthresh() as f64
    }

    fn virtual_rtt(&self, srtt: Time) -> Time {
        if self.rounds < TRANSITION { srtt } else { srtt.max(REFERENCE_RTT) }
    }

    fn update_alpha(&mut self, window: &CongestionWindow, sender: &Sender, sample: &AckSample, rtt: Time) {
        self.delivered += sample.delivered;
        self.marked += sample.marked;
        self.has_seen_mark |= sample.marked > 0;
        if !self.round.is_over(sample.now, sender, rtt) || self.delivered == 0 {
            return;
        }
        if self.has_seen_mark {
            let share = (self.marked as f64 / self.delivered as f64).min(1.0);
            self.alpha += G * (share - self.alpha);
        }
        if !self.in_slow_start(window) {
            self.rounds = self.rounds.saturating_add(1);
        }
        (self.delivered, self.marked) = (0, 0);
        self.round = Mark::of(sample.now, sender);
    }

    fn reduce(&mut self, window: &mut CongestionWindow, sender: &Sender, now: Time) {
        self.window *= 1.0 - self.alpha / 2.0;
        window.set_ssthresh(self.window as u64);
        self.reduced = Some(Mark::of(now, sender));
    }

    fn grow(&mut self, window: &CongestionWindow, sender: &Sender, unmarked: u64, srtt: Time) {
        let smss = sender.smss as f64;
        let mut unmarked = unmarked as f64;
        if self.in_slow_start(window) {
            let growth = unmarked.min(window.ssthresh() as f64 - self.window);
            self.window += growth;
            unmarked -= growth;
        }
        let part = seconds(srtt) / seconds(self.virtual_rtt(srtt));
        self.window += unmarked * smss / self.window * part * part;
        self.window = self.window.min(sender.max_rwnd as f64);
    }

    /// Sets cwnd and the pacing rate from the window.
    fn set(&mut self, window: &mut CongestionWindow, sender: &Sender, now: Time, srtt: Option<Time>) {
        let smss = sender.smss;
        if let Some(srtt) = srtt.filter(|srtt| *srtt > Time::ZERO) {
            self.window = self.window.max(LEAST_RATE * seconds(srtt));
            let half = Time::from_ps(self.virtual_rtt(srtt).as_ps() / 2);
            let gain = if self.window < window.ssthresh() as f64 / 2.0 {
                2.0
            } else if now < self.round.at + half {
                DITHER
            } else {
                1.0 / DITHER
            };
            let rate = (self.window / seconds(srtt) * gain).max(LEAST_RATE);
            let quantum = ((rate * seconds(BURST)) as u64).max(smss);
            window.set_pacing(Pacing { rate: rate as u64, quantum });
        }
        let cwnd = (self.window * DITHER) as u64 + smss;
        window.set_cwnd(cwnd.max(2 * smss));
        window.count_max_cwnd();
    }
}

impl CongestionControl for Prague {
    fn needs(&self) -> Needs {
        Needs { marks: true, ..self.fallback.needs() }
    }

    fn on_syn(&mut self, window: &mut CongestionWindow, initial_window: u64) {
        self.fallback.on_syn(window, initial_window);
    }

    fn on_established(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        syn_was_lost: bool,
        sample: &AckSample,
    ) {
        self.fallback.on_established(window, sender, syn_was_lost, sample);
        if sender.reports_marks {
            self.window = window.cwnd() as f64;
            self.round = Mark::of(sample.now, sender);
            self.set(window, sender, sample.now, sample.srtt);
        }
    }

    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        if !sender.reports_marks {
            return self.fallback.on_ack(window, sender, sample);
        }
        let srtt = sample.srtt.unwrap_or(REFERENCE_RTT);
        let virtual_rtt = self.virtual_rtt(srtt);
        self.update_alpha(window, sender, sample, virtual_rtt);
        if sample.phase == Phase::Open {
            let may_reduce = self.reduced.is_none_or(|last| last.is_over(sample.now, sender, virtual_rtt));
            if sample.marked > 0 && may_reduce {
                self.reduce(window, sender, sample.now);
            }
            if sender.has_new_data() {
                self.grow(window, sender, sample.delivered.saturating_sub(sample.marked), srtt);
            }
        }
        self.set(window, sender, sample.now, sample.srtt);
    }

    fn on_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        if !sender.reports_marks {
            return self.fallback.on_congestion(window, sender, congestion);
        }
        if congestion.cause != Cause::RepeatedRto {
            self.before_loss = self.window;
            window.set_ssthresh(((self.window / 2.0) as u64).max(2 * sender.smss));
        }
        self.window = match congestion.cause {
            Cause::Loss | Cause::Ecn => self.window / 2.0,
            Cause::Rto | Cause::RepeatedRto => self.window.min(sender.smss as f64),
        };
        // The pacing rate follows with the ACK that has shown the loss, or the next one after a time-out.
        self.set(window, sender, self.round.at, None);
    }

    fn on_sent(&mut self, window: &mut CongestionWindow, sender: &Sender, sent: Sent) {
        if !sender.reports_marks {
            self.fallback.on_sent(window, sender, sent);
        }
    }

    fn on_spurious(&mut self, window: &mut CongestionWindow, sender: &Sender, spurious: &Spurious) {
        if !sender.reports_marks {
            self.fallback.on_spurious(window, sender, spurious);
        } else if spurious.undo != Undo::Off {
            self.window = self.window.max(self.before_loss);
            window.set_ssthresh(self.window as u64);
        }
    }

    fn on_idle(&mut self, window: &mut CongestionWindow, idle: Idle) {
        self.fallback.on_idle(window, idle);
        self.window = self.window.min(window.cwnd() as f64);
    }

    fn state(&self) -> String {
        format!("alpha {:.4}", self.alpha)
    }
}
