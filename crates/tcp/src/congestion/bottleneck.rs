//! Flows through a bottleneck, for the tests of controls that react to marks.

use crate::config::Config;
use crate::connection::Connection;
use crate::flavor::Flavor;
use crate::options::Options;
use crate::rtt::TickClock;
use crate::segment::Segment;
use base::{Ecn, Time};
use std::collections::{BTreeMap, VecDeque};

/// Data on their way to the bottleneck, as its rule for marks sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// Packets that wait or are being sent, this one included.
    pub(super) queue: usize,
    /// Packets with data so far, this one included.
    pub(super) count: u64,
}

/// What a run has shown after its warm-up.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// Bits of IP packets with data that have passed, each second, by flow.
    pub(super) rates: Vec<f64>,
    /// The queue at each arrival, packets, this one included.
    pub(super) queue: Vec<usize>,
    /// The largest number of bytes of a flow that came within 250 us.
    pub(super) burst: u64,
    /// The shares of packets marked.
    pub(super) marked: f64,
}

/// A bottleneck, and senders and receivers at its ends.
pub(super) struct Bottleneck<F> {
    /// Bits a second; none: without limit.
    pub(super) rate: Option<f64>,
    pub(super) rtt: Time,
    pub(super) marks: F,
}

const SMSS: u32 = 1460;

struct World {
    /// Senders and receivers, alternating.
    ends: Vec<Connection>,
    coming: BTreeMap<(Time, u64), (usize, Segment)>,
    number: u64,
}

impl World {
    fn send(&mut self, at: Time, to: usize, segment: Segment) {
        self.number += 1;
        self.coming.insert((at, self.number), (to, segment));
    }
}

/// An end with a large buffer.
pub(super) fn end(flavor: &str, change: fn(Options) -> Options) -> Connection {
    let preset = Config::preset(Flavor::named(flavor).expect("a flavor"));
    let options = change(preset.options);
    let config = Config { options, smss: SMSS, receive_buffer: 1 << 26, window_scale: Some(12), ..preset };
    Connection::new(config, TickClock { tick: Time::from_ms(1), phase: Time::ZERO })
}

impl<F: FnMut(Arrival) -> bool> Bottleneck<F> {
    /// Lets so many flows send without an end, until `end`; what comes before `warm_up` does not count.
    pub(super) fn run(&mut self, flows: Vec<(Connection, Connection)>, warm_up: Time, end: Time) -> Shown {
        let count = flows.len();
        let mut world = World {
            ends: flows.into_iter().flat_map(|(a, b)| [a, b]).collect(),
            coming: BTreeMap::new(),
            number: 0,
        };
        let mut shown = Shown { rates: vec![0.0; count], queue: Vec::new(), burst: 0, marked: 0.0 };
        let mut departures = VecDeque::new();
        let mut arrivals: Vec<VecDeque<(Time, u64)>> = vec![VecDeque::new(); count];
        let (mut packets, mut counted, mut marked) = (0, 0u64, 0u64);
        for (n, its) in world.ends.iter_mut().enumerate() {
            if n % 2 == 0 {
                its.connect();
                its.write(1 << 50);
            } else {
                its.listen();
            }
        }
        let mut now = Time::ZERO;
        let mut touched: Vec<usize> = (0..2 * count).collect();
        while now < end {
            for at in touched.drain(..) {
                while let Some(mut segment) = world.ends[at].poll(now) {
                    let mut arrives = now + Time::from_ps(self.rtt.as_ps() / 2);
                    if segment.len > 0 {
                        packets += 1;
                        while departures.front().is_some_and(|&at| at <= now) {
                            departures.pop_front();
                        }
                        let bits = 8.0 * f64::from(segment.packet_bytes());
                        let leaves = match self.rate {
                            Some(rate) => {
                                let free = departures.back().copied().unwrap_or(now).max(now);
                                free + Time::from_ps((bits / rate * 1e12) as u64)
                            }
                            None => now,
                        };
                        departures.push_back(leaves);
                        arrives += leaves - now;
                        let queue = departures.len();
                        let marks = (self.marks)(Arrival { queue, count: packets });
                        if marks && segment.ecn != Ecn::NotEct {
                            segment.ecn = Ecn::Ce;
                        }
                        if now >= warm_up {
                            shown.rates[at / 2] += bits;
                            shown.queue.push(queue);
                            counted += 1;
                            marked += u64::from(segment.ecn == Ecn::Ce);
                            let recent = &mut arrivals[at / 2];
                            recent.push_back((now, u64::from(segment.packet_bytes())));
                            while recent.front().is_some_and(|&(at, _)| at + Time::from_us(250) <= now) {
                                recent.pop_front();
                            }
                            shown.burst = shown.burst.max(recent.iter().map(|(_, bytes)| bytes).sum());
                        }
                    }
                    world.send(arrives, at ^ 1, segment);
                }
            }
            let next_timer = world.ends.iter().map(Connection::next_timer).min().unwrap_or(Time::NEVER);
            let next_segment = world.coming.first_key_value().map_or(Time::NEVER, |(key, _)| key.0);
            now = now.max(next_timer.min(next_segment));
            if next_segment <= next_timer {
                let (_, (to, segment)) = world.coming.pop_first().expect("it is the first one");
                world.ends[to].on_segment(now, &segment);
                touched.push(to);
            } else {
                for (at, its) in world.ends.iter_mut().enumerate() {
                    if its.next_timer() <= now {
                        its.on_timer(now);
                        touched.push(at);
                    }
                }
            }
        }
        let seconds = (end - warm_up).as_ps() as f64 / 1e12;
        shown.rates.iter_mut().for_each(|bits| *bits /= seconds);
        shown.marked = marked as f64 / counted as f64;
        shown
    }
}
