//! The pacing rate of a window: a part more than a window in each round trip.
//!
//! Source: Linux, `tcp_update_pacing_rate` (net/ipv4/tcp_input.c) for the rate, `tcp_tso_autosize` (net/ipv4/tcp_output.c) for
//! the quantum. No RFC sets these numbers for TCP; RFC 9002, section 7.7, has a ratio of 125 % for QUIC.
//!
//! Linux keeps at least twice the rate of the window while slow start doubles it, so that pacing does not slow it down. Near
//! ssthresh, and above it, a fifth more lets a sender make up for what it could not send earlier.
//!
//! Deviations: the smallest RTT is that of the whole connection, where Linux forgets it after 300 s. A quantum that was not
//! used leaves at once, and later segments one by one; Linux spaces whole quanta.
//! With the coarse clock of the 1990s SRTT is as coarse, and a path that is shorter than a tick is paced too slowly.
//!
//! | parameter | value |
//! |---|---|
//! | rate | max(cwnd, `flight_size`) / SRTT, bytes per second |
//! | its ratio | 200 % while cwnd < ssthresh / 2, else 120 % |
//! | quantum | what the rate carries in 2^-10 s, and 64 KiB halved for every 512 us of the smallest RTT; whole segments |
//! | its bounds | two segments at least; 64 KiB at most, if that is two segments |

use super::{CongestionWindow, Pacing};
use crate::sender::Sender;
use base::Time;

const SLOW_START_PERCENT: u128 = 200;
const AVOIDANCE_PERCENT: u128 = 120;
const LARGEST_BURST: u64 = 65_536;
const LEAST_BURST_SEGMENTS: u64 = 2;
/// The binary logarithm of the part of a second whose data leave at once.
const BURST_SHIFT: u32 = 10;
/// What halves the allowance of short paths.
const RTT_STEP: Time = Time::from_us(512);

const PS_PER_SECOND: u128 = 1_000_000_000_000;

/// How fast the window may be sent; none before the first RTT sample.
#[must_use]
pub(crate) fn of_window(window: &CongestionWindow, sender: &Sender) -> Option<Pacing> {
    let srtt = sender.srtt.filter(|&srtt| srtt > Time::ZERO)?;
    let is_doubling = window.cwnd() < window.ssthresh() / 2;
    let percent = if is_doubling { SLOW_START_PERCENT } else { AVOIDANCE_PERCENT };
    let bytes = u128::from(window.cwnd().max(sender.flight_size()));
    let rate = bytes * percent * PS_PER_SECOND / (100 * u128::from(srtt.as_ps()));
    let rate = u64::try_from(rate).unwrap_or(u64::MAX).max(1);
    Some(Pacing { rate, quantum: quantum(rate, sender) })
}

/// What leaves at once at this rate.
pub(super) fn quantum(rate: u64, sender: &Sender) -> u64 {
    let halvings = sender.min_rtt.div_floor(RTT_STEP);
    let of_short_path = if halvings < 32 { LARGEST_BURST >> halvings } else { 0 };
    let bytes = ((rate >> BURST_SHIFT) + of_short_path).min(LARGEST_BURST);
    (bytes / sender.smss).max(LEAST_BURST_SEGMENTS) * sender.smss
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::congestion::flow::Flow;
    use crate::connection::Connection;
    use crate::flavor::Flavor;
    use crate::options::PacingFrom;
    use crate::rtt::TickClock;
    use crate::segment::Segment;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const SMSS: u64 = 1000;

    /// A window and a threshold in segments, a full window in flight, and an RTT.
    fn flow(cwnd: u64, ssthresh: u64, rtt: Time) -> Flow {
        let mut flow = Flow::new(SMSS, cwnd * SMSS, ssthresh * SMSS, cwnd * SMSS);
        (flow.sender.srtt, flow.sender.min_rtt) = (Some(rtt), rtt);
        flow
    }

    fn pacing(flow: &Flow) -> Pacing {
        of_window(&flow.window, &flow.sender).expect("there is an RTT")
    }

    #[test]
    fn slow_start_has_twice_the_rate_of_the_window_and_avoidance_a_fifth_more() {
        let rtt = Time::from_ms(100);
        for (ssthresh, rate) in [(1000, 2_000_000), (202, 2_000_000), (200, 1_200_000), (10, 1_200_000)] {
            assert_eq!(pacing(&flow(100, ssthresh, rtt)).rate, rate, "ssthresh {ssthresh}");
        }
        let mut after_loss = flow(100, 10, rtt);
        after_loss.sender.snd_max += 50 * SMSS;
        assert_eq!(pacing(&after_loss).rate, 1_800_000, "what is in flight is more than cwnd");
        let mut unknown = flow(100, 10, rtt);
        unknown.sender.srtt = None;
        assert_eq!(of_window(&unknown.window, &unknown.sender), None);
    }

    /// 100 segments in 100 ms at 120 % are 1171 bytes in 2^-10 s: two segments. 10,000 segments in 100 ms are 117,187 bytes,
    /// more than 64 KiB. At 1.1 ms, 100 segments are 106,534 bytes; at 2.1 ms one segment is 558 bytes beside 4096.
    #[test]
    fn the_quantum_is_a_millisecond_of_the_rate_and_more_on_short_paths() {
        for (cwnd, us, segments) in
            [(100, 100_000, 2), (10_000, 100_000, 65), (1000, 100_000, 11), (100, 1100, 65), (1, 2100, 4)]
        {
            let its = pacing(&flow(cwnd, 1, Time::from_us(us)));
            assert_eq!(its.quantum, segments * SMSS, "{cwnd} segments, {us} us");
        }
    }

    /// What an observer may conclude from the window, what is out and the RTT: bytes per second, and bytes at once.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Bound {
        rate: f64,
        quantum: f64,
    }

    impl Bound {
        fn of(connection: &Connection) -> Option<Self> {
            let (window, sender) = (connection.window(), connection.sender());
            let ratio = if window.cwnd() < window.ssthresh() / 2 { 2.0 } else { 1.2 };
            let out = window.cwnd().max(sender.flight_size()) as f64;
            let rate = ratio * out / sender.srtt?.as_secs_f64();
            let halvings = (sender.min_rtt.as_secs_f64() / 512e-6).floor();
            let of_short_path = 65_536.0 / 2f64.powi(halvings as i32);
            let quantum = (rate / 1024.0 + of_short_path).min(65_536.0).max(2.0 * sender.smss as f64);
            Some(Self { rate, quantum })
        }

        fn max(self, other: Self) -> Self {
            Self { rate: self.rate.max(other.rate), quantum: self.quantum.max(other.quantum) }
        }
    }

    /// What a sender did: it sent so many bytes, or the bound changed.
    #[derive(Clone, Copy, Debug)]
    enum Event {
        Sent(u64),
        Bound(Bound),
    }

    /// Two ends with a path between them that loses the segments of data with these numbers.
    struct Path {
        ends: [Connection; 2],
        one_way: Time,
        lost: Vec<u64>,
        on_path: BTreeMap<(Time, u64), (usize, Segment)>,
        segments: u64,
        events: Vec<(Time, Event)>,
    }

    impl Path {
        fn new(flavor: &str, rtt: Time, lost: Vec<u64>, set: impl Fn(&mut Config)) -> Self {
            let mut config = Config::preset(Flavor::named(flavor).expect("a flavor"));
            (config.window_scale, config.receive_buffer) = (Some(7), 1 << 22);
            config.options.pacing = PacingFrom::Rate;
            set(&mut config);
            let clock = TickClock { tick: Time::from_ms(1), phase: Time::ZERO };
            let ends = [(); 2].map(|()| Connection::new(config, clock));
            let one_way = Time::from_ps(rtt.as_ps() / 2);
            Self { ends, one_way, lost, on_path: BTreeMap::new(), segments: 0, events: Vec::new() }
        }

        /// Sends so many bytes. Gives what the sender did, and when.
        fn transfer(mut self, bytes: u64) -> Vec<(Time, Event)> {
            let mut now = Time::ZERO;
            self.ends[0].connect();
            self.ends[0].write(bytes);
            self.ends[1].listen();
            loop {
                self.send(now);
                let arrival = self.on_path.keys().next().map_or(Time::NEVER, |&(at, _)| at);
                now = arrival.min(self.ends[0].next_timer()).min(self.ends[1].next_timer());
                if now == Time::NEVER {
                    break;
                }
                self.receive(now);
            }
            assert_eq!(self.ends[1].receiver.rcv_nxt() - 1, bytes, "all arrives");
            self.events
        }

        fn send(&mut self, now: Time) {
            for from in 0..2 {
                while let Some(segment) = self.ends[from].poll(now) {
                    self.segments += 1;
                    if segment.len > 0 {
                        self.events.push((now, Event::Sent(u64::from(segment.len))));
                    }
                    if segment.len == 0 || !self.lost.contains(&self.segments) {
                        self.on_path.insert((now + self.one_way, self.segments), (1 - from, segment));
                    }
                }
            }
        }

        fn receive(&mut self, now: Time) {
            for end in &mut self.ends {
                if end.next_timer() <= now {
                    end.on_timer(now);
                }
            }
            // A time-out changes the window, too.
            self.note_bound(now);
            while let Some(next) = self.on_path.first_entry().filter(|next| next.key().0 <= now) {
                let (to, segment) = next.remove();
                self.ends[to].on_segment(now, &segment);
                self.note_bound(now);
            }
        }

        fn note_bound(&mut self, now: Time) {
            let bound = Bound::of(&self.ends[0]);
            self.events.extend(bound.map(|bound| (now, Event::Bound(bound))));
        }
    }

    /// In no interval leaves more than the highest rate in it allows, and a quantum.
    fn check(events: &[(Time, Event)]) -> Result<(), TestCaseError> {
        let mut before = None;
        for (at, &(from, event)) in events.iter().enumerate() {
            let Event::Sent(_) = event else {
                before = Some(event);
                continue;
            };
            let Some(Event::Bound(mut bound)) = before else { continue };
            let mut total = 0;
            for &(to, event) in &events[at..] {
                match event {
                    Event::Bound(other) => bound = bound.max(other),
                    Event::Sent(bytes) => total += bytes,
                }
                let allowed = bound.rate * (to - from).as_secs_f64() + bound.quantum;
                prop_assert!(total as f64 <= allowed + 1.0, "{total} from {from} to {to}, {allowed} allowed");
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

        /// With every recovery and control, whatever is lost: an RTT sees no more than the ratio times the window, and a
        /// quantum.
        #[test]
        fn no_interval_has_more_than_the_ratio_of_the_window_and_a_quantum(
            flavor in prop::sample::select(vec!["reno", "newreno", "sack", "sack_rfc6675", "cubic", "vegas"]),
            rtt_us in 200u64..300_000,
            segments in 1u64..150,
            initial_window in 1u32..40,
            ssthresh in prop_oneof![Just(u64::MAX), 2000u64..60_000],
            lost in prop::collection::vec(1u64..200, 0..5),
        ) {
            let path = Path::new(flavor, Time::from_us(rtt_us), lost, |config| {
                (config.initial_window, config.initial_ssthresh) = (initial_window, ssthresh);
            });
            check(&path.transfer(segments * SMSS))?;
        }
    }

    /// When each of the first twenty segments left after the handshake, ms, with a window of twenty.
    fn first_window(unpaced: u32) -> Vec<u64> {
        let path = Path::new("newreno", Time::from_ms(100), vec![], |config| {
            config.options.unpaced_segments = unpaced;
            (config.initial_window, config.initial_ssthresh) = (20, 10_000);
        });
        let events = path.transfer(20 * SMSS);
        let sent = events.into_iter().filter(|(_, event)| matches!(event, Event::Sent(_)));
        sent.map(|(at, _)| (at - Time::from_ms(100)).as_ps() / 1_000_000_000).collect()
    }

    /// Twenty segments in 100 ms at 120 %: one leaves every 4.2 ms after a quantum of two. The tenth segment is the first that
    /// counts where ten are unpaced.
    #[test]
    fn the_first_segments_may_leave_at_once() {
        let paced = |free: usize, count: usize| {
            let later = (1..=count - free).map(|n| 25 * n as u64 / 6);
            std::iter::repeat_n(0, free).chain(later).collect::<Vec<_>>()
        };
        assert_eq!(first_window(0), paced(2, 20));
        assert_eq!(first_window(10), paced(11, 20));
    }

    #[test]
    fn nothing_is_paced_if_the_options_want_no_pacing() {
        let path = Path::new("cubic", Time::from_ms(100), vec![], |config| {
            config.options.pacing = PacingFrom::Off;
        });
        let sent: Vec<Time> =
            path.transfer(10 * SMSS).iter().map(|&(at, _)| at).filter(|&at| at > Time::ZERO).collect();
        assert!(sent.iter().all(|at| at.as_ps() % Time::from_ms(50).as_ps() == 0), "{sent:?}");
    }
}
