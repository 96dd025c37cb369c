//! CUBIC: cwnd grows with the cube of the time since the last loss, so that it stays long near the window where that was.
//!
//! Source: RFC 9438, or Linux (`net/ipv4/tcp_cubic.c`). Slow start is the connection's.
//!
//! | `cubic_arithmetic` | file |
//! |---|---|
//! | `Rfc9438` | `rfc9438.rs`: real numbers |
//! | `Linux` | `linux.rs`: Linux' integers, and what else it does otherwise |

use super::{AckSample, Cause, CongestionAvoidance, CongestionWindow, SlowStart};
use crate::options::{CubicArithmetic, Options};
use crate::sender::Sender;
use base::Time;
use linux::Linux;
use rfc9438::Rfc9438;

mod linux;
mod rfc9438;
mod roots;

/// CUBIC.
#[derive(Clone, Copy, Debug)]
pub struct Cubic(Arithmetic);

#[derive(Clone, Copy, Debug)]
enum Arithmetic {
    Rfc9438(Rfc9438),
    Linux(Linux),
}

impl Cubic {
    /// With these options.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self(match options.cubic_arithmetic {
            CubicArithmetic::Rfc9438 => Arithmetic::Rfc9438(Rfc9438::new(options)),
            CubicArithmetic::Linux => Arithmetic::Linux(Linux::new(options)),
        })
    }

    fn its(&mut self) -> &mut dyn CongestionAvoidance {
        match &mut self.0 {
            Arithmetic::Rfc9438(its) => its,
            Arithmetic::Linux(its) => its,
        }
    }
}

impl CongestionAvoidance for Cubic {
    fn needs_rtt(&self) -> bool {
        match &self.0 {
            Arithmetic::Rfc9438(its) => its.needs_rtt(),
            Arithmetic::Linux(its) => its.needs_rtt(),
        }
    }

    fn on_sample(&mut self, sample: &AckSample) {
        self.its().on_sample(sample);
    }

    fn on_ack(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    ) {
        self.its().on_ack(window, sender, slow_start, sample);
    }

    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        self.its().ssthresh(window, sender, cause)
    }

    fn save(&mut self) {
        self.its().save();
    }

    fn on_spurious(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> bool {
        self.its().on_spurious(window, sender, cause)
    }

    fn needs_transmit_start(&self) -> bool {
        true
    }

    fn on_transmit_start(&mut self, now: Time) {
        self.its().on_transmit_start(now);
    }

    fn on_sent(&mut self, now: Time) {
        self.its().on_sent(now);
    }

    fn on_unlimited(&mut self, now: Time) {
        self.its().on_unlimited(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::options::Growth;

    const SMSS: u64 = 1000;

    /// cwnd at the end of each round trip of so many milliseconds after a loss at `w_max` segments, where ACKs of one segment
    /// each come evenly.
    fn round_trips(arithmetic: CubicArithmetic, w_max: u64, rtt: u64, seconds: u64) -> Vec<f64> {
        let options = Options { cubic_arithmetic: arithmetic, ..Options::MODERN };
        let mut cubic = Cubic::new(&options);
        let slow_start = SlowStart::new(Growth::Bytes { limit: None });
        let mut flow = Flow::new(SMSS, w_max * SMSS, w_max * SMSS, w_max * SMSS);
        let rtt = Time::from_ms(rtt);
        let ack = |now, delivered| AckSample { rtt: Some(rtt), ..AckSample::open(now, delivered, Some(rtt)) };
        cubic.on_sample(&ack(Time::ZERO, 0));
        let left = cubic.ssthresh(&flow.window, &flow.sender, Cause::Loss);
        flow.window.set_ssthresh(left);
        flow.window.set_cwnd(left);
        (0..seconds * 1000 / (rtt.as_ps() / 1_000_000_000))
            .map(|n| {
                let acks = flow.cwnd() / SMSS;
                for i in 0..acks {
                    let now = Time::from_secs(1) + rtt * n + Time::from_ps(rtt.as_ps() / acks * i);
                    let sample = ack(now, SMSS);
                    cubic.on_sample(&sample);
                    cubic.on_ack(&mut flow.window, &flow.sender, &slow_start, &sample);
                }
                flow.cwnd() as f64 / SMSS as f64
            })
            .collect()
    }

    /// Equation 1 with K of equation 2.
    fn w_cubic(w_max: f64, t: f64) -> f64 {
        let k = roots::cube_root(w_max * 0.3 / 0.4);
        0.4 * (t - k) * (t - k) * (t - k) + w_max
    }

    fn largest(differences: impl Iterator<Item = f64>) -> f64 {
        differences.map(f64::abs).fold(0.0, f64::max)
    }

    /// Where the cubic is faster than Reno from the start, real numbers stay within a segment of equation 1 for 20 s, and
    /// Linux' integers within two of them: 0.84 and 1.64 at most here. Linux computes the cubic once in 31 ms, shows whole
    /// segments, and its C is 0.4004.
    #[test]
    fn both_follow_the_cubic() {
        for (rtt, w_max) in [(20, 2000), (100, 200), (100, 500), (100, 1000), (200, 200), (200, 2000)] {
            let [real, linux] = [CubicArithmetic::Rfc9438, CubicArithmetic::Linux]
                .map(|arithmetic| round_trips(arithmetic, w_max, rtt, 20));
            let end = |n: usize| (n + 1) as f64 * rtt as f64 / 1000.0;
            let from_cubic =
                largest(real.iter().enumerate().map(|(n, cwnd)| cwnd - w_cubic(w_max as f64, end(n))));
            assert!(from_cubic < 1.0, "{rtt} ms, {w_max}: {from_cubic}");
            let apart = largest(real.iter().zip(&linux).map(|(real, linux)| real - linux));
            assert!(apart < 2.0, "{rtt} ms, {w_max}: {apart}");
        }
    }

    /// 20 ms and 20 segments: Reno is faster for 10 s. Its window grows by 3 * 0.3 / 1.7 = 0.53 segments a round trip; in RFC
    /// 9438 by a whole one once it is at `W_max` again (section 4.3), in Linux by 8/15 for ever.
    #[test]
    fn alpha_is_one_beyond_the_last_loss_in_the_rfc_alone() {
        let [real, linux] = [CubicArithmetic::Rfc9438, CubicArithmetic::Linux]
            .map(|arithmetic| round_trips(arithmetic, 20, 20, 4));
        let a_round_trip = |its: &[f64], from: usize, to: usize| (its[to] - its[from]) / (to - from) as f64;
        assert!((a_round_trip(&real, 0, 10) - 0.53).abs() < 0.02);
        assert!((a_round_trip(&real, 50, 150) - 1.0).abs() < 0.02);
        assert!((a_round_trip(&linux, 50, 150) - 8.0 / 15.0).abs() < 0.03, "{linux:?}");
    }
}
