//! By hand, and through a path that marks.

use super::*;
use crate::congestion::bottleneck::{Arrival, Bottleneck, Shown, end};
use crate::congestion::flow::Flow;
use crate::options::EcnFeedback;

const SMSS: u64 = 1000;

/// A flow in congestion avoidance with so many segments in its window, and more to send.
fn its(segments: u64) -> (Prague, Flow) {
    let mut flow = Flow::new(SMSS, segments * SMSS, 2 * SMSS, segments * SMSS);
    (flow.sender.reports_marks, flow.sender.sendable) = (true, u64::MAX);
    let mut prague = Prague::new(&Options::MODERN);
    prague.window = (segments * SMSS) as f64;
    prague.round = Mark { at: Time::ZERO, snd_max: flow.sender.snd_max };
    (prague, flow)
}

/// An ACK of so many segments, some of them marked; the window stays in flight.
fn ack(its: &mut (Prague, Flow), us: u64, rtt_ms: u64, segments: u64, marked: u64) {
    let (prague, Flow { window, sender }) = its;
    sender.snd_una += segments * SMSS;
    sender.snd_max += segments * SMSS;
    sender.snd_nxt = sender.snd_max;
    let open = AckSample::open(Time::from_us(us), segments * SMSS, Some(Time::from_ms(rtt_ms)));
    prague.on_ack(window, sender, &AckSample { marked: marked * SMSS, ..open });
}

fn close(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 1e-9
}

#[test]
fn unmarked_bytes_alone_grow_the_window_and_less_at_a_short_rtt() {
    let mut at_25 = its(10);
    ack(&mut at_25, 10, 25, 2, 0);
    assert!(close(at_25.0.window, 10_000.0 + 2.0 * 100.0));
    // In the round of a reduction, with half of it marked: one of two segments.
    at_25.0.reduced = Some(Mark { at: Time::ZERO, snd_max: u64::MAX });
    let before = at_25.0.window;
    ack(&mut at_25, 20, 25, 2, 1);
    assert!(close(at_25.0.window, before + 1_000_000.0 / before));
    for (rounds, part) in [(0, 1.0), (TRANSITION, 0.04)] {
        let mut at_5 = its(10);
        at_5.0.rounds = rounds;
        ack(&mut at_5, 10, 5, 1, 0);
        assert!(close(at_5.0.window, 10_000.0 + 100.0 * part), "(5/25)^2 after {rounds} rounds");
    }
}

/// At 10 ms: the second mark comes after an RTT, but before 25 ms.
#[test]
fn half_of_alpha_once_in_a_virtual_rtt() {
    let mut its = its(100);
    (its.0.alpha, its.0.rounds) = (0.2, TRANSITION);
    ack(&mut its, 0, 10, 1, 1);
    assert!(close(its.0.window, 90_000.0) && its.1.ssthresh() == 90_000);
    ack(&mut its, 11_000, 10, 100, 100);
    assert!(close(its.0.window, 90_000.0), "nothing is unmarked");
    let alpha = its.0.alpha;
    ack(&mut its, 25_000, 10, 100, 100);
    assert!(close(its.0.alpha, alpha + (1.0 - alpha) / 16.0), "updated first");
    assert!(close(its.0.window, 90_000.0 * (1.0 - its.0.alpha / 2.0)));
}

#[test]
fn slow_start_ends_with_the_first_mark_which_halves() {
    let mut its = its(10);
    its.1.window.set_ssthresh(u64::MAX);
    for n in 0..5 {
        ack(&mut its, n * 25_000, 25, 10, 0);
    }
    assert!(close(its.0.window, 60_000.0) && its.0.alpha == 1.0 && its.0.rounds == 0);
    assert_eq!(its.1.window.pacing().map(|pacing| pacing.rate), Some(2 * 60_000 * 40), "twice");
    ack(&mut its, 130_000, 25, 1, 1);
    assert!(close(its.0.window, 30_000.0) && its.1.ssthresh() == 30_000);
}

/// 3 % above in the first half of a virtual RTT, and as much below in the second; a burst of 250 us.
#[test]
fn paces_around_the_window() {
    let mut its = its(100);
    its.0.rounds = TRANSITION;
    for (us, gain) in [(12_000, 1.03), (13_000, 1.0 / 1.03)] {
        ack(&mut its, us, 5, 1, 1);
        let rate = its.0.window / 0.005 * gain;
        let pacing = its.1.window.pacing().unwrap();
        assert_eq!((pacing.rate, pacing.quantum), (rate as u64, (rate * 250e-6) as u64));
    }
}

#[test]
fn the_rate_has_a_floor_below_a_segment_in_an_rtt() {
    let mut its = its(2);
    its.0.rounds = TRANSITION;
    for n in 1..100 {
        ack(&mut its, n * 30_000, 20, 2, 2);
    }
    assert!(close(its.0.window, 250.0), "100 kbit/s in 20 ms");
    let pacing = its.1.window.pacing().unwrap();
    assert_eq!((pacing.rate, pacing.quantum, its.1.cwnd()), (12_875, SMSS, 2 * SMSS), "and 3 % above");
}

#[test]
fn a_loss_halves_a_time_out_leaves_a_segment_and_a_needless_one_is_undone() {
    let mut its = its(20);
    let Flow { window, sender } = &mut its.1;
    let congestion = |cause| Congestion { cause, recover_fs: 0, in_recovery: false };
    its.0.on_congestion(window, sender, &congestion(Cause::Loss));
    assert!(close(its.0.window, 10_000.0) && window.ssthresh() == 10_000);
    its.0.on_congestion(window, sender, &congestion(Cause::Rto));
    assert!(close(its.0.window, 1000.0) && window.ssthresh() == 5000);
    let spurious = Spurious { cause: Cause::Rto, acked: 1000, initial_window: 10_000, undo: Undo::Rfc4015 };
    its.0.on_spurious(window, sender, &spurious);
    assert!(close(its.0.window, 10_000.0));
}

/// What a flow shows of which a rule marks packets, without a limit of rate.
fn alone(rtt_ms: u64, marks: impl FnMut(Arrival) -> bool) -> Shown {
    let flow = (end("prague", |options| options), end("prague", |options| options));
    let mut path = Bottleneck { rate: None, rtt: Time::from_ms(rtt_ms), marks };
    path.run(vec![flow], Time::from_secs(20), Time::from_secs(60))
}

/// The comment on Prague's response in `tcp_prague.c`: (1/p - 1) Mbit/s up to 25 ms, and beyond as much less as the RTT is
/// longer. A mark in each 1/p packets.
#[test]
fn the_rate_at_a_fixed_share_of_marks() {
    for (rtt, part) in [(25, 1.0), (50, 0.5)] {
        for of in [2, 10, 100] {
            let expected = (of - 1) as f64 * part;
            let shown = alone(rtt, |arrival| arrival.count % of == 0);
            let rate = shown.rates[0] / 1e6;
            assert!((rate / expected - 1.0).abs() < 0.15, "{rtt} ms, 1/{of}: {rate} and not {expected}");
        }
    }
}

/// Marks at random: the rate is higher, since after a virtual RTT the next mark is yet to come. It does not depend on the RTT.
#[test]
fn the_rate_is_the_same_at_every_rtt_up_to_25_ms() {
    for of in [10, 100] {
        let rates = [5, 10, 25].map(|rtt| {
            let mut state = 1u64;
            let marks = |_: Arrival| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33).is_multiple_of(of)
            };
            alone(rtt, marks).rates[0]
        });
        assert!(rates.iter().all(|rate| (rate / rates[2] - 1.0).abs() < 0.05), "{rates:?}");
        let expected = (of - 1) as f64 * 1e6;
        assert!(rates[2] > expected && rates[2] < 1.5 * expected, "{rates:?}");
    }
}

/// Ten of eleven packets: less than a segment in each RTT, and nothing is sent again.
#[test]
fn a_fraction_of_a_segment_is_paced() {
    let shown = alone(25, |arrival| arrival.count % 11 != 0);
    let segments_in_an_rtt = shown.rates[0] * 0.025 / (8.0 * 1500.0);
    assert!((0.2..0.5).contains(&segments_in_an_rtt), "{segments_in_an_rtt}");
    assert_eq!(shown.burst, 1500);
}

/// A peer that knows of no counters: Reno, not paced, and ECT(0).
#[test]
fn without_counters_it_is_reno() {
    let (mut client, mut server) = (
        end("prague", |options| options),
        end("prague", |options| Options { ecn_feedback: EcnFeedback::Classic, ..options }),
    );
    client.connect();
    client.write(10_000);
    server.listen();
    let ms = Time::from_ms;
    let syn = client.poll(ms(0)).unwrap();
    server.on_segment(ms(0), &syn);
    client.on_segment(ms(10), &server.poll(ms(0)).unwrap());
    let sent: Vec<_> = std::iter::from_fn(|| client.poll(ms(10))).collect();
    assert!(sent.len() > 6 && sent.iter().all(|segment| segment.len == 0 || segment.ecn == crate::Ecn::Ect0));
    assert!(client.window().pacing().is_none());
}
