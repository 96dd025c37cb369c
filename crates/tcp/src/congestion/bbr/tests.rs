//! BBR on connections over a path that the test makes, and on ACKs that it makes up.

use super::*;
use crate::config::Config;
use crate::congestion::Phase;
use crate::congestion::flow::Flow;
use crate::connection::Connection;
use crate::flavor::Flavor;
use crate::options::{Options, PacingFrom, Undo};
use crate::rtt::TickClock;
use crate::segment::Segment;
use crate::transmit_queue::{PathSample, QueueSample, RateSample};
use std::collections::VecDeque;

const MS: fn(u64) -> Time = Time::from_ms;
const SMSS: u64 = 1000;

/// A segment that has left: when, its bytes, the pacing that held then.
type Departure = (Time, u64, Option<Pacing>);

/// Sends without an end over a path of 1000 segments a second and 40 ms, for so long.
fn departures(pacing: PacingFrom, until: Time) -> Vec<Departure> {
    let preset = Config::preset(Flavor::named("bbr").expect("a flavor"));
    let options = Options { pacing, timestamps: false, ..preset.options };
    let config = Config { options, smss: SMSS as u32, window_scale: Some(10), ..preset };
    let mut sender = Connection::new(config, TickClock { tick: MS(100), phase: Time::ZERO });
    let ack = |ack| Segment { seq: 1, ack: Some(ack), window: 60_000, ..Segment::default() };
    sender.connect();
    sender.write(1 << 40);
    assert!(sender.poll(Time::ZERO).is_some_and(|segment| segment.syn));
    let answer = Segment {
        syn: true,
        seq: 0,
        mss: Some(1000),
        window_scale: Some(10),
        sack_permitted: true,
        ..ack(1)
    };
    let mut acks = VecDeque::from([(MS(40), answer)]);
    let (mut now, mut free, mut departures) = (Time::ZERO, Time::ZERO, Vec::new());
    while now < until {
        let arrives = acks.front().map_or(Time::NEVER, |first| first.0);
        now = arrives.min(sender.next_timer());
        if arrives <= now {
            let (_, segment) = acks.pop_front().expect("it arrives");
            sender.on_segment(now, &segment);
        } else {
            sender.on_timer(now);
        }
        while let Some(segment) = sender.poll(now) {
            if segment.len > 0 {
                departures.push((now, u64::from(segment.len), sender.window().pacing()));
                free = free.max(now) + MS(1);
                acks.push_back((free + MS(40), ack(segment.end())));
            }
        }
    }
    departures
}

/// Bytes of the departures from this one on that come within a time.
fn sent_within(departures: &[Departure], from: usize, time: Time) -> u64 {
    let start = departures[from].0;
    departures[from..].iter().take_while(|its| its.0 < start + time).map(|its| its.1).sum()
}

/// Nothing leaves faster than the quantum at once, and the pacing rate beyond it; the start, with its growing rates, too.
#[test]
fn no_burst_above_the_quantum_leaves() {
    let departures = departures(PacingFrom::CongestionControl, Time::from_secs(20));
    assert!(departures.len() > 18_000, "{}", departures.len());
    for (at, (_, _, pacing)) in departures.iter().enumerate() {
        let pacing = pacing.expect("it paces from the first segment on");
        assert!(sent_within(&departures, at, Time::from_ps(1)) <= pacing.quantum.max(2 * SMSS), "at {at}");
        let within: Vec<_> = departures[at..].iter().take(20).filter_map(|its| its.2).collect();
        let rate = within.iter().map(|its| its.rate).max().expect("there is one");
        let quantum = within.iter().map(|its| its.quantum).max().expect("there is one");
        let most = quantum + rate / 200;
        assert!(sent_within(&departures[..departures.len().min(at + 20)], at, MS(5)) <= most, "at {at}");
    }
}

/// While the rate stays the same, so much leaves, to a segment.
#[test]
fn a_long_flow_sends_at_the_pacing_rate() {
    let departures = departures(PacingFrom::CongestionControl, Time::from_secs(8));
    let late = &departures[departures.len() / 2..];
    let mut looked_at = 0;
    for of_one_rate in late.chunk_by(|a, b| a.2 == b.2).filter(|its| its.len() > 30) {
        let pacing = of_one_rate[0].2.expect("it paces");
        let time = of_one_rate[of_one_rate.len() - 1].0 - of_one_rate[0].0;
        let sent: u64 = of_one_rate[1..].iter().map(|its| its.1).sum();
        let paced = (pacing.rate as f64 * time.as_secs_f64()) as u64;
        assert!(sent.abs_diff(paced) <= SMSS, "{sent} for {paced}");
        looked_at += 1;
    }
    assert!(looked_at > 20, "{looked_at}");
}

#[test]
fn pacing_can_be_off() {
    let departures = departures(PacingFrom::Off, Time::from_secs(2));
    assert_eq!(sent_within(&departures, 0, Time::from_ps(1)), 10 * SMSS, "the initial window at once");
    let most = (0..departures.len()).map(|at| sent_within(&departures, at, Time::from_ps(1))).max();
    assert!(most > Some(5 * SMSS), "{most:?}");
}

/// BBR with a path of 1000 bytes a millisecond and 100 ms, 100 segments in flight.
struct Path {
    bbr: Bbr,
    flow: Flow,
    now: Time,
    delivered: u64,
    lost: u64,
}

impl Path {
    fn new() -> Self {
        let mut flow = Flow::new(SMSS, 10 * SMSS, u64::MAX, 100 * SMSS);
        flow.sender.min_rtt = MS(100);
        let mut bbr = Bbr::new();
        bbr.on_established(
            &mut flow.window,
            &flow.sender,
            false,
            &AckSample::open(MS(100), SMSS, Some(MS(100))),
        );
        Self { bbr, flow, now: MS(100), delivered: 0, lost: 0 }
    }

    /// In PROBE_BW, in this phase since now, with the BDP as bandwidth and 200 segments as cwnd.
    fn in_phase(phase: usize) -> Self {
        let mut path = Self::new();
        (0..200).for_each(|_| path.ack(10, 100));
        assert!(path.bbr.model.is_full && path.bbr.mode.is_probe_bw());
        path.bbr.mode = Mode::ProbeBw { phase, since: path.now };
        path
    }

    fn ack(&mut self, ms: u64, in_flight: u64) {
        self.take(Phase::Open, ms, in_flight, 0, false, 1000);
    }

    /// An ACK so many milliseconds after the last one, of as many segments at `rate` bytes per millisecond, with so many in
    /// flight after it and so many found to be lost.
    fn take(&mut self, phase: Phase, ms: u64, in_flight: u64, lost: u64, is_app_limited: bool, rate: u64) {
        self.now += MS(ms);
        let acked = ms * SMSS;
        self.delivered += acked;
        self.lost += lost * SMSS;
        self.flow.sender.snd_una += acked;
        self.flow.sender.snd_max = self.flow.sender.snd_una + in_flight * SMSS;
        let rate = RateSample {
            delivered: (rate * 100).min(self.delivered),
            interval: MS(100),
            is_app_limited,
            tx_in_flight: in_flight * SMSS,
            lost: 0,
        };
        let (delivered, total_lost) = (self.delivered, self.lost);
        let path = PathSample {
            rtt: Some(MS(101)),
            rate: Some(rate),
            delivered,
            lost: total_lost,
            ..PathSample::default()
        };
        let queue = QueueSample { lost: lost * SMSS, path: Some(path), ..QueueSample::default() };
        let open = AckSample::open(self.now, acked, Some(MS(100)));
        let sample = AckSample { phase, in_flight: in_flight * SMSS, queue: Some(&queue), ..open };
        self.bbr.on_ack(&mut self.flow.window, &self.flow.sender, &sample);
    }

    fn congestion(&mut self, cause: Cause) {
        let congestion = Congestion { cause, recover_fs: 0, in_recovery: false };
        self.bbr.on_congestion(&mut self.flow.window, &self.flow.sender, &congestion);
    }

    fn cwnd(&self) -> u64 {
        self.flow.cwnd() / SMSS
    }

    /// As it was, but for what ACKs hold back, which is measured anew.
    fn assert_restored(&self, before: u64) {
        assert!(self.cwnd().abs_diff(before) <= 4, "{} for {before}", self.cwnd());
    }

    fn state(&self) -> String {
        self.bbr.state()
    }
}

#[test]
fn the_first_rate_is_the_high_gain_times_the_window_in_an_rtt() {
    // 10 000 bytes in 100 ms, times 739/256 and 0.99.
    let pacing = Path::new().flow.window.pacing().expect("it paces");
    assert_eq!((pacing.rate, pacing.quantum), (285_785, 2 * SMSS));
    let mut flow = Flow::new(SMSS, 10 * SMSS, u64::MAX, 0);
    Bbr::new().on_established(&mut flow.window, &flow.sender, true, &AckSample::open(MS(1), SMSS, None));
    let pacing = flow.window.pacing().expect("it paces");
    assert_eq!(
        (flow.cwnd(), pacing.rate),
        (SMSS, 2_857_851),
        "one segment after a lost SYN, and a guess of 1 ms"
    );
}

#[test]
fn the_first_phase_is_any_but_that_which_yields() {
    let mut counts = [0; 8];
    for seed in 0..800 {
        let mut bbr = Bbr::new();
        bbr.seed(seed);
        bbr.enter_probe_bw();
        let Mode::ProbeBw { phase, .. } = bbr.mode else { panic!("it has entered it") };
        counts[phase] += 1;
    }
    assert!(counts[1] == 0 && counts.iter().filter(|&&count| count > 80).count() == 7, "{counts:?}");
}

/// The BDP is 100 segments; with three bursts of two it counts as 106, at 1.25 as 131, and then 132 and 2 more.
#[test]
fn phases_end_by_time_by_losses_and_by_what_is_in_flight() {
    let mut probe = Path::in_phase(0);
    probe.ack(100, 120);
    assert_eq!(probe.state(), "probe_bw:1.25", "not longer than the smallest RTT");
    probe.ack(2, 120);
    assert_eq!(probe.state(), "probe_bw:1.25", "122 and a burst of two before the ACK");
    let mut lossy = Path { flow: probe.flow.clone(), ..probe };
    lossy.take(Phase::Open, 1, 110, 1, false, 1000);
    assert_eq!(lossy.state(), "probe_bw:0.75");
    lossy.ack(1, 107);
    assert_eq!(lossy.state(), "probe_bw:0.75");
    lossy.ack(1, 105);
    assert_eq!(lossy.state(), "probe_bw:1", "106 before it");
    let mut filled = Path::in_phase(0);
    filled.ack(101, 132);
    assert_eq!(filled.state(), "probe_bw:0.75");
    filled.ack(101, 132);
    assert_eq!(filled.state(), "probe_bw:1", "it takes an RTT at most");
}

#[test]
fn three_rounds_without_growth_fill_the_pipe_unless_the_application_limits_it() {
    let mut limited = Path::new();
    (0..50).for_each(|_| limited.take(Phase::Open, 100, 100, 0, true, 1000));
    assert_eq!(limited.state(), "startup");
    let mut path = Path::new();
    let rounds = (1..).find(|_| {
        path.ack(100, 300);
        path.state() == "drain"
    });
    assert_eq!(rounds, Some(4), "the first one shows the bandwidth");
    assert_eq!(path.flow.ssthresh(), 106 * SMSS);
}

#[test]
fn samples_that_the_application_limits_count_only_if_they_are_higher() {
    let mut path = Path::in_phase(2);
    let bandwidth = path.bbr.model.bandwidth();
    (0..20).for_each(|_| path.take(Phase::Open, 100, 100, 0, true, 500));
    assert_eq!(path.bbr.model.bandwidth(), bandwidth);
    path.take(Phase::Open, 100, 100, 0, true, 1500);
    assert!(path.bbr.model.bandwidth() > bandwidth);
}

/// The first round trip of a recovery conserves packets; after it cwnd may double; at its end it is what it was.
#[test]
fn a_recovery_conserves_and_then_restores() {
    let mut path = Path::in_phase(2);
    let before = path.cwnd();
    path.congestion(Cause::Loss);
    path.take(Phase::Entered, 2, 90, 8, false, 1000);
    assert_eq!(path.cwnd(), 92);
    path.take(Phase::Recovery, 2, 85, 5, false, 1000);
    assert_eq!(path.cwnd(), 87, "less what was lost, and as much as in flight and delivered");
    // A segment that was sent after the beginning is delivered.
    path.take(Phase::Recovery, 100, 85, 0, false, 1000);
    assert_eq!(path.cwnd(), (87 + 100).min(before));
    path.take(Phase::Recovery, 2, 85, 100, false, 1000);
    assert!(path.cwnd() < before);
    path.take(Phase::Exit, 2, 85, 0, false, 1000);
    path.assert_restored(before);
}

#[test]
fn a_time_out_leaves_what_is_in_flight_and_a_segment_and_its_recovery_restores() {
    let mut path = Path::in_phase(2);
    let before = path.cwnd();
    path.congestion(Cause::Rto);
    assert_eq!(path.cwnd(), 1);
    path.take(Phase::Open, 1, 3, 99, false, 1000);
    assert_eq!(path.cwnd(), 4 + 1, "four were in flight, and it grows by one");
    let recover = path.flow.sender.snd_una + 98 * SMSS;
    path.take(Phase::Open, 98, 50, 0, false, 1000);
    assert!(path.flow.sender.snd_una < recover + 1 && path.cwnd() <= before);
    path.take(Phase::Open, 3, 50, 0, false, 1000);
    path.assert_restored(before);
}

#[test]
fn a_needless_recovery_is_over_with_the_ack_that_shows_it() {
    let mut path = Path::in_phase(2);
    let before = path.cwnd();
    path.congestion(Cause::Loss);
    path.take(Phase::Entered, 2, 50, 8, false, 1000);
    assert!(path.cwnd() < before);
    let spurious = Spurious { cause: Cause::Loss, acked: 0, initial_window: 0, undo: Undo::Linux };
    path.bbr.on_spurious(&mut path.flow.window, &path.flow.sender, &spurious);
    path.take(Phase::Open, 2, 58, 0, false, 1000);
    path.assert_restored(before);
}

/// Ten seconds after the smallest RTT, that of the handshake at 100 ms. Then cwnd is that of a BDP of 100 again.
#[test]
fn probe_rtt_needs_four_segments_for_200_ms_and_a_round() {
    let mut path = Path::in_phase(2);
    while path.now < MS(10_100) {
        path.ack(100, 100);
        path.bbr.mode = Mode::ProbeBw { phase: 2, since: path.now };
    }
    path.ack(100, 100);
    assert_eq!((path.state().as_str(), path.cwnd()), ("probe_rtt", 4));
    path.ack(10, 4);
    let until = path.now + MS(200);
    while path.now <= until {
        assert_eq!((path.state().as_str(), path.cwnd()), ("probe_rtt", 4), "{}", path.now);
        path.take(Phase::Open, 4, 4, 0, false, 40);
    }
    assert!(path.state().starts_with("probe_bw") && path.cwnd() >= 200, "{}", path.cwnd());
    assert_eq!(path.bbr.model.bandwidth(), Bandwidth::of(100_000, MS(100)), "its samples do not count");
}

#[test]
fn after_an_idle_time_it_paces_at_the_bandwidth() {
    let mut path = Path::in_phase(0);
    path.ack(1, 0);
    assert_eq!(path.flow.window.pacing().map(|pacing| pacing.rate), Some(1_237_500));
    let mut queue = crate::transmit_queue::TransmitQueue::new(true);
    queue.mark_app_limited(0);
    path.flow.sender.queue = Some(Box::new(queue));
    let sent = Sent { now: path.now, bytes: SMSS, was_idle: true };
    path.bbr.on_sent(&mut path.flow.window, &path.flow.sender, sent);
    assert!(path.bbr.is_restarting);
    assert_eq!(path.flow.window.pacing().map(|pacing| pacing.rate), Some(990_000));
}

/// 1.2 Mbit/s are 150 000 bytes per second.
#[test]
fn the_quantum_grows_with_the_rate() {
    let quantum = |pacing_rate| Bbr { pacing_rate, ..Bbr::new() }.quantum(SMSS) / SMSS;
    let segments = [149_999, 150_000, 3_071_999, 3_072_000, 50_000_000, 1 << 40].map(quantum);
    assert_eq!(segments, [1, 2, 2, 3, 48, 65]);
    assert_eq!(Bbr { pacing_rate: 1 << 40, ..Bbr::new() }.quantum(100), 127 * 100);
}
