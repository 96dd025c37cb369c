//! Two ends that exchange data, of which a path marks some: the sender counts exactly the marks that the path made.

use crate::config::Config;
use crate::congestion::{AckSample, Congestion, CongestionControl, CongestionWindow, Idle, Needs, Sent};
use crate::connection::Connection;
use crate::flavor::Flavor;
use crate::options::{EcnFeedback, Options};
use crate::rtt::TickClock;
use crate::segment::Segment;
use crate::sender::Sender;
use base::{Ecn, Time};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

/// A window of so many segments, whatever happens; sums the marks that ACKs report.
struct Constant {
    cwnd: u64,
    reported: Arc<Mutex<Reported>>,
}

/// Sums over all ACKs, bytes; and how often a reaction was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reported {
    delivered: u64,
    marked: u64,
    reactions: u32,
}

impl CongestionControl for Constant {
    fn needs(&self) -> Needs {
        Needs { sent: false, queue_samples: false, path_samples: false, marks: true }
    }

    fn on_syn(&mut self, window: &mut CongestionWindow, _: u64) {
        *window = CongestionWindow::new(self.cwnd, u64::MAX);
    }

    fn on_established(&mut self, _: &mut CongestionWindow, _: &Sender, _: bool, _: &AckSample) {}

    fn on_ack(&mut self, _: &mut CongestionWindow, _: &Sender, sample: &AckSample) {
        let mut reported = self.reported.lock().expect("one thread");
        reported.delivered += sample.delivered;
        reported.marked += sample.marked;
    }

    fn on_congestion(&mut self, _: &mut CongestionWindow, _: &Sender, _: &Congestion) {
        self.reported.lock().expect("one thread").reactions += 1;
    }

    fn on_sent(&mut self, _: &mut CongestionWindow, _: &Sender, _: Sent) {}
    fn on_idle(&mut self, _: &mut CongestionWindow, _: Idle) {}
}

const SMSS: u64 = 988;

/// Sends so many segments in windows of `window`. Of each kind of fate there is one for each packet, in turn: whether data are
/// marked, whether an ACK is lost. Returns the bytes that the sender counts as marked, and those that the path marked.
fn exchange(flavor: &str, segments: u64, window: u64, marks: &[bool], loses: &[bool]) -> (Reported, u64) {
    let config = Config::preset(Flavor::named(flavor).expect("a flavor"));
    let clock = TickClock { tick: Time::from_ms(100), phase: Time::ZERO };
    let (mut client, mut server) = (Connection::new(config, clock), Connection::new(config, clock));
    let reported = Arc::new(Mutex::new(Reported::default()));
    let control = Constant { cwnd: window * SMSS, reported: Arc::clone(&reported) };
    client.needs = control.needs();
    client.congestion = Box::new(control);
    client.connect();
    server.listen();
    client.write(segments * SMSS);
    let mut marks = marks.iter().cycle();
    let mut loses = loses.iter().cycle();
    let (mut now, mut marked) = (Time::ZERO, 0);
    let sent = |end: &mut Connection, now| -> Vec<Segment> { std::iter::from_fn(|| end.poll(now)).collect() };
    while reported.lock().expect("one thread").delivered < segments * SMSS {
        now += Time::from_ms(10);
        let mut acks = Vec::new();
        for mut segment in sent(&mut client, now) {
            if segment.ecn != Ecn::NotEct && *marks.next().expect("a cycle") {
                segment.ecn = Ecn::Ce;
                marked += u64::from(segment.len);
            }
            server.on_segment(now, &segment);
            acks.extend(sent(&mut server, now));
        }
        if acks.is_empty() {
            now = client.next_timer().min(server.next_timer());
            client.on_timer(now);
            server.on_timer(now);
            acks = sent(&mut server, now);
        }
        // The last ACK of a window comes: what is lost then is made good by it, and nothing is sent again.
        let last = acks.len().saturating_sub(1);
        for (n, ack) in acks.iter().enumerate() {
            if ack.syn || n == last || !loses.next().expect("a cycle") {
                client.on_segment(now, ack);
            }
        }
    }
    let reported = *reported.lock().expect("one thread");
    (reported, marked)
}

proptest! {
    #[test]
    fn the_state_of_dctcp_tells_every_byte_marked(
        marks in prop::collection::vec(any::<bool>(), 1..40),
        window in 1u64..40,
    ) {
        let (reported, marked) = exchange("dctcp", 200, window, &marks, &[false]);
        prop_assert_eq!(reported, Reported { delivered: 200 * SMSS, marked, reactions: 0 });
    }

    #[test]
    fn counters_tell_every_byte_marked_whatever_acks_are_lost(
        marks in prop::collection::vec(any::<bool>(), 1..40),
        loses in prop::collection::vec(any::<bool>(), 1..40),
        window in 1u64..40,
    ) {
        let (reported, marked) = exchange("prague", 200, window, &marks, &loses);
        prop_assert_eq!(reported, Reported { delivered: 200 * SMSS, marked, reactions: 0 });
    }
}

/// A control that knows nothing of marks is asked to react once in a window of data, however they are reported.
#[test]
fn who_takes_no_marks_is_asked_to_react_once_in_a_window() {
    let windows = [EcnFeedback::Classic, EcnFeedback::Dctcp, EcnFeedback::Accurate].map(|ecn_feedback| {
        let preset = Config::preset(Flavor::named("sack_rfc6675").expect("a flavor"));
        let options = Options { ecn: true, ecn_feedback, prr: true, ..preset.options };
        let config = Config { options, ..preset };
        let clock = TickClock { tick: Time::from_ms(100), phase: Time::ZERO };
        let (mut client, mut server) = (Connection::new(config, clock), Connection::new(config, clock));
        client.connect();
        server.listen();
        client.write(100 * SMSS);
        (0..8)
            .map(|round| {
                let now = Time::from_ms(10 * round);
                let sent: Vec<_> = std::iter::from_fn(|| client.poll(now)).collect();
                for mut segment in sent {
                    segment.ecn = if segment.ecn == Ecn::NotEct { Ecn::NotEct } else { Ecn::Ce };
                    server.on_segment(now, &segment);
                    while let Some(ack) = server.poll(now) {
                        client.on_segment(now, &ack);
                    }
                }
                client.window().ssthresh() / SMSS
            })
            .collect::<Vec<u64>>()
    });
    for its in &windows {
        assert_eq!(
            (its[1], its[3]),
            (5, 2),
            "ten marks halve ten segments once, and later ones that again: {windows:?}"
        );
    }
}
