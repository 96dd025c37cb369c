//! Two endpoints, and a network that drops, doubles, reorders, marks and changes segments.
//!
//! When the bytes are used up the network is quiet, and both applications read and close: unless
//! something was changed or aborted, all data have then come exactly once, and both ends know that
//! the other has closed.

use super::super::bytes::Bytes;
use super::configuration::{clock, config};
use super::segments::changed;
use super::watched::Watched;
use base::Time;
use tcp::{Ecn, Flavor, Segment, State};

const MOST_EVENTS: u32 = 3_000;
/// Events after the bytes are used up, and where a change has made the ends disagree for ever
/// (RFC 9293 lets them answer each other's ACKs).
const MOST_QUIET_EVENTS: u32 = 200_000;
const MOST_CONFUSED_EVENTS: u32 = 500;
const MOST_WRITTEN: u64 = 30_000;

struct Flight {
    at: Time,
    to: usize,
    segment: Segment,
}

struct Pair {
    now: Time,
    ends: [Watched; 2],
    flights: Vec<Flight>,
    delays: [Time; 2],
    changes: bool,
    /// Something was changed or aborted: what comes need not be what was sent.
    upset: bool,
}

pub fn run(bytes: &mut Bytes, flavors: [&'static Flavor; 2], explains: bool) {
    let mut pair = Pair::new(bytes, flavors, explains);

    let both = bytes.chance(20);
    pair.ends[0].open(true);
    pair.ends[1].open(both);
    (0..2).for_each(|end| pair.settle(bytes, end));
    for _ in 0..MOST_EVENTS {
        if bytes.is_empty() {
            break;
        }
        pair.step(bytes);
    }
    pair.finish();
}

impl Pair {
    fn new(bytes: &mut Bytes, flavors: [&'static Flavor; 2], explains: bool) -> Self {
        let mut end = |name, flavor| {
            let smss = bytes.pick(&[1000, 100, 536, 1460]);
            Watched::new(name, config(bytes, flavor, smss), clock(bytes), explains)
        };
        let ends = [end("A", flavors[0]), end("B", flavors[1])];
        let mut delay = || Time::from_us(bytes.pick(&[10_000, 1, 500, 50_000, 300_000, 1_500_000]));
        let delays = [delay(), delay()];
        let changes = bytes.flag();
        Self { now: Time::ZERO, ends, flights: Vec::new(), delays, changes, upset: false }
    }

    /// The next event, or an application does something.
    fn step(&mut self, bytes: &mut Bytes) {
        let what = bytes.byte();
        let end = usize::from(what & 1);
        let now = self.now;
        let peer = &mut self.ends[end];
        match what {
            0..=199 => {
                self.next_event(bytes);
                return;
            }
            200..=223 => {
                let room = MOST_WRITTEN.saturating_sub(peer.sender.written);
                let n = u64::from(bytes.pick(&[1000u16, 1, 100, 536, 1460, 4000, 10_000]));
                peer.write(now, n.min(room));
            }
            224..=231 => peer.close(now),
            232..=237 => peer.set_auto_read(now, bytes.flag()),
            238..=245 => peer.read(now, bytes.pick(&[u64::MAX, 1, 500, 3000])),
            246..=251 => peer.set_nagle(now, bytes.flag()),
            _ if bytes.chance(30) => {
                peer.abort(now);
                self.upset = true;
            }
            _ => {}
        }
        self.settle(bytes, end);
    }

    /// What is sent gets a fate out of the bytes.
    fn settle(&mut self, bytes: &mut Bytes, from: usize) {
        for segment in self.ends[from].settle(self.now) {
            let at = self.now + self.delays[from];
            let to = 1 - from;
            match bytes.byte() {
                0..=149 => self.flights.push(Flight { at, to, segment }),
                150..=199 => {}
                200..=219 => {
                    let later = at + Time::from_us(u64::from(bytes.u16()) * 100);
                    self.flights.push(Flight { at, to, segment: segment.clone() });
                    self.flights.push(Flight { at: later, to, segment });
                }
                220..=239 => {
                    let at = at + Time::from_us(u64::from(bytes.u16()) * 100);
                    self.flights.push(Flight { at, to, segment: segment.clone() });
                }
                240..=247 if segment.ecn != Ecn::NotEct => {
                    self.flights.push(Flight { at, to, segment: Segment { ecn: Ecn::Ce, ..segment } });
                }
                248..=255 if self.changes => {
                    self.upset = true;
                    self.flights.push(Flight { at, to, segment: changed(bytes, &segment) });
                }
                _ => self.flights.push(Flight { at, to, segment }),
            }
        }
    }

    /// The segment that arrives next, or the timer that runs out before it. False if there is nothing.
    fn next_event(&mut self, bytes: &mut Bytes) -> bool {
        let first = self.flights.iter().enumerate().min_by_key(|(n, flight)| (flight.at, *n));
        let first = first.map(|(n, flight)| (flight.at, n));
        let timers = [0, 1].map(|end: usize| (self.ends[end].connection.next_timer(), end));
        let (timer, end) = timers[0].min(timers[1]);
        if let Some((at, n)) = first.filter(|first| first.0 <= timer) {
            let Flight { to, segment, .. } = self.flights.remove(n);
            self.now = at;
            self.ends[to].on_segment(at, &segment);
            self.settle(bytes, to);
        } else if timer != Time::NEVER {
            self.now = timer;
            self.ends[end].on_timer(timer);
            self.settle(bytes, end);
        } else {
            return false;
        }
        true
    }

    fn finish(&mut self) {
        let mut quiet = Bytes::new(&[]);
        for end in 0..2 {
            let peer = &mut self.ends[end];
            peer.read(self.now, u64::MAX);
            peer.set_auto_read(self.now, true);
            if !peer.sender.closed {
                peer.close(self.now);
            }
            self.settle(&mut quiet, end);
        }
        let most = if self.upset { MOST_CONFUSED_EVENTS } else { MOST_QUIET_EVENTS };
        let ends = (0..most).any(|_| !self.next_event(&mut quiet));
        if !self.upset {
            assert!(ends, "no end after {most} events");
            (0..2).for_each(|end| self.check_done(end));
        }
    }

    fn check_done(&self, end: usize) {
        let (peer, other) = (&self.ends[end], &self.ends[1 - end]);
        let connection = &peer.connection;
        assert_eq!(connection.delivered(), other.sender.written, "not all came");
        assert!(connection.peer_closed(), "the other end's FIN did not come");
        let state = connection.state();
        assert!(matches!(state, State::Closed | State::TimeWait), "not closed but {state:?}");
    }
}
