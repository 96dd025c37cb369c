//! A flow over a path whose rate, delay, losses and ACKs a test may change at any time, and a look into its model.

use crate::config::Config;
use crate::congestion::bbr3::{Bbr3, State};
use crate::congestion::{
    AckSample, Congestion, CongestionControl, CongestionWindow, Idle, Needs, Sent, Spurious,
};
use crate::connection::Connection;
use crate::flavor::Flavor;
use crate::options::Options;
use crate::rtt::TickClock;
use crate::segment::Segment;
use crate::sender::Sender;
use base::{Rate, Time};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

pub(super) const MS: fn(u64) -> Time = Time::from_ms;
/// Bytes of data in a full segment beside timestamps, and of its packet.
pub(super) const SMSS: u64 = 1448;
pub(super) const PACKET: u64 = 1500;

/// A control that the test shares with the connection.
struct Shared(Arc<Mutex<Bbr3>>);

impl Shared {
    fn its(&self) -> MutexGuard<'_, Bbr3> {
        self.0.lock().expect("no test panics while it looks")
    }
}

impl CongestionControl for Shared {
    fn needs(&self) -> Needs {
        self.its().needs()
    }
    fn on_syn(&mut self, window: &mut CongestionWindow, initial_window: u64) {
        self.its().on_syn(window, initial_window);
    }
    fn on_established(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        lost: bool,
        sample: &AckSample,
    ) {
        self.its().on_established(window, sender, lost, sample);
    }
    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        self.its().on_ack(window, sender, sample);
    }
    fn on_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        self.its().on_congestion(window, sender, congestion);
    }
    fn on_sent(&mut self, window: &mut CongestionWindow, sender: &Sender, sent: Sent) {
        self.its().on_sent(window, sender, sent);
    }
    fn on_spurious(&mut self, window: &mut CongestionWindow, sender: &Sender, spurious: &Spurious) {
        self.its().on_spurious(window, sender, spurious);
    }
    fn on_idle(&mut self, window: &mut CongestionWindow, idle: Idle) {
        self.its().on_idle(window, idle);
    }
}

/// What happens to a packet with data before the bottleneck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Pass,
    Lose,
    /// It takes longer by this, and others overtake it.
    Late(Time),
}

/// A policer: what exceeds the rate and the burst is lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenBucket {
    pub(super) rate_bps: u64,
    pub(super) burst: u64,
    /// Tokens, and when they were counted.
    pub(super) tokens: (u64, Time),
}

impl TokenBucket {
    fn passes(&mut self, now: Time, bytes: u64) -> bool {
        let (tokens, at) = self.tokens;
        let new = super::super::bytes_in(self.rate_bps / 8, now - at);
        let tokens = (tokens + new).min(self.burst);
        let passes = tokens >= bytes;
        self.tokens = (if passes { tokens - bytes } else { tokens }, now);
        passes
    }
}

/// What a test may change.
pub(super) struct Path {
    pub(super) rate_bps: u64,
    /// One way.
    pub(super) delay: Time,
    /// Packets that wait at most.
    pub(super) buffer: usize,
    /// By the number of the packet, from 1 on, and by its first sequence number.
    pub(super) fate: Box<dyn FnMut(u64, u64) -> Fate + Send>,
    /// ACKs come at multiples of this.
    pub(super) acks_every: Option<Time>,
    pub(super) policer: Option<TokenBucket>,
    /// The application writes so much at such intervals.
    pub(super) writes: Option<(u64, Time)>,
}

/// What happens next.
enum Event {
    /// A packet arrives at the bottleneck.
    Enters(Segment),
    ToReceiver(Segment),
    ToSender(Segment),
}

/// A sender, a receiver, and the path between them.
pub(super) struct Lab {
    pub(super) now: Time,
    pub(super) path: Path,
    pub(super) sender: Connection,
    receiver: Connection,
    bbr: Arc<Mutex<Bbr3>>,
    events: BTreeMap<(Time, u64), Event>,
    number: u64,
    /// Packets with data that have left, and that were lost on the way.
    pub(super) packets: u64,
    pub(super) lost: u64,
    queue: VecDeque<Segment>,
    /// When the packet that is being sent has left the bottleneck.
    serving: Option<Time>,
    next_write: Time,
}

fn end(options: Options) -> Connection {
    let preset = Config::preset(Flavor::named("bbr3").expect("a flavor"));
    let config = Config { options, smss: 1460, receive_buffer: 1 << 27, window_scale: Some(12), ..preset };
    Connection::new(config, TickClock { tick: MS(1), phase: Time::ZERO })
}

impl Lab {
    /// A flow that is always backlogged, over a path of this rate and this RTT, with a large buffer.
    pub(super) fn new(rate_bps: u64, rtt: Time) -> Self {
        let mut lab = Self::idle(rate_bps, rtt);
        lab.sender.write(1 << 50);
        lab
    }

    /// A flow that has nothing to send yet.
    pub(super) fn idle(rate_bps: u64, rtt: Time) -> Self {
        Self::with(rate_bps, rtt, |presets| presets)
    }

    /// A flow that has nothing to send yet, with other options.
    pub(super) fn with(rate_bps: u64, rtt: Time, change: fn(Options) -> Options) -> Self {
        let presets = change(Flavor::named("bbr3").expect("a flavor").presets);
        let (mut sender, mut receiver) = (end(presets), end(presets));
        let bbr = Arc::new(Mutex::new(Bbr3::new(&presets)));
        bbr.lock().expect("it is new").seed(7);
        sender.congestion = Box::new(Shared(Arc::clone(&bbr)));
        sender.connect();
        receiver.listen();
        let path = Path {
            rate_bps,
            delay: Time::from_ps(rtt.as_ps() / 2),
            buffer: usize::MAX,
            fate: Box::new(|_, _| Fate::Pass),
            acks_every: None,
            policer: None,
            writes: None,
        };
        let mut lab = Self {
            now: Time::ZERO,
            path,
            sender,
            receiver,
            bbr,
            events: BTreeMap::new(),
            number: 0,
            packets: 0,
            lost: 0,
            queue: VecDeque::new(),
            serving: None,
            next_write: Time::NEVER,
        };
        lab.send();
        lab
    }

    pub(super) fn bbr(&self) -> MutexGuard<'_, Bbr3> {
        self.bbr.lock().expect("no test panics while it looks")
    }

    pub(super) fn state(&self) -> State {
        self.bbr().state
    }

    /// No `ProbeRTT` for the next five seconds, as if a lower RTT had just come.
    pub(super) fn put_off_probe_rtt(&mut self) {
        self.bbr().min_rtt.probe_rtt_min_stamp = self.now;
    }

    /// Data that the bottleneck passes each second, bytes.
    pub(super) fn capacity(&self) -> f64 {
        self.path.rate_bps as f64 / 8.0 * SMSS as f64 / PACKET as f64
    }

    /// What the receiver has got.
    pub(super) fn delivered(&self) -> u64 {
        self.receiver.delivered()
    }

    /// Lets the application write so much at such intervals from now on.
    pub(super) fn write_every(&mut self, bytes: u64, interval: Time) {
        self.path.writes = Some((bytes, interval));
        self.next_write = self.now;
    }

    pub(super) fn stop_writing(&mut self) {
        self.next_write = Time::NEVER;
    }

    pub(super) fn write(&mut self, bytes: u64) {
        self.sender.write(bytes);
        self.send();
    }

    /// Goes on until this holds. It looks after each event.
    pub(super) fn run_until(&mut self, within: Time, mut holds: impl FnMut(&Self) -> bool) {
        let end = self.now + within;
        while !holds(self) {
            assert!(self.now < end, "it does not hold {within} s later, in {:?}", self.state());
            self.step(end);
        }
    }

    pub(super) fn run_for(&mut self, time: Time) {
        let end = self.now + time;
        while self.now < end {
            self.step(end);
        }
    }

    /// Goes on until the flow is in this state.
    pub(super) fn run_to(&mut self, state: State, within: Time) {
        self.run_until(within, |lab| lab.state() == state);
    }

    /// Goes on while the flow is in the state in which it is. Gives the next one.
    pub(super) fn run_on(&mut self, within: Time) -> State {
        let state = self.state();
        self.run_until(within, |lab| lab.state() != state);
        self.state()
    }

    /// The next event, or `latest`.
    fn step(&mut self, latest: Time) {
        let timer = self.sender.next_timer().min(self.receiver.next_timer());
        let served = self.serving.unwrap_or(Time::NEVER);
        let event = self.events.first_key_value().map_or(Time::NEVER, |(key, _)| key.0);
        let next = timer.min(served).min(event).min(self.next_write);
        if next > latest {
            self.now = latest;
            return;
        }
        self.now = self.now.max(next);
        if next == served {
            self.serve();
        } else if next == event {
            let (_, event) = self.events.pop_first().expect("it is the first one");
            self.take(event);
        } else if next == self.next_write {
            let (bytes, interval) = self.path.writes.expect("the application writes");
            self.sender.write(bytes);
            self.next_write += interval;
        } else {
            self.sender.on_timer(self.now);
            self.receiver.on_timer(self.now);
        }
        self.send();
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Enters(segment) => self.enter(segment),
            Event::ToReceiver(segment) => self.receiver.on_segment(self.now, &segment),
            Event::ToSender(segment) => self.sender.on_segment(self.now, &segment),
        }
    }

    fn at(&mut self, time: Time, event: Event) {
        self.number += 1;
        self.events.insert((time, self.number), event);
    }

    /// A packet arrives at the bottleneck.
    fn enter(&mut self, segment: Segment) {
        let bytes = u64::from(segment.packet_bytes());
        let now = self.now;
        let passes = self.path.policer.as_mut().is_none_or(|policer| policer.passes(now, bytes));
        if !passes || self.queue.len() > self.path.buffer {
            self.lost += 1;
            return;
        }
        self.queue.push_back(segment);
        if self.serving.is_none() {
            self.serving = Some(now + Rate::from_bps(self.path.rate_bps).time_for(bytes));
        }
    }

    /// A packet has left the bottleneck.
    fn serve(&mut self) {
        let segment = self.queue.pop_front().expect("it was being sent");
        self.at(self.now + self.path.delay, Event::ToReceiver(segment));
        self.serving = self.queue.front().map(|next| {
            self.now + Rate::from_bps(self.path.rate_bps).time_for(u64::from(next.packet_bytes()))
        });
    }

    fn send(&mut self) {
        while let Some(segment) = self.sender.poll(self.now) {
            let mut fate = Fate::Pass;
            if segment.len > 0 {
                self.packets += 1;
                fate = (self.path.fate)(self.packets, segment.seq);
            }
            match fate {
                Fate::Pass => self.enter(segment),
                Fate::Lose => self.lost += 1,
                Fate::Late(time) => self.at(self.now + time, Event::Enters(segment)),
            }
        }
        while let Some(segment) = self.receiver.poll(self.now) {
            let mut arrives = self.now + self.path.delay;
            if let Some(period) = self.path.acks_every.filter(|_| !segment.syn) {
                arrives = period * (arrives.div_floor(period) + 1);
            }
            self.at(arrives, Event::ToSender(segment));
        }
    }
}
