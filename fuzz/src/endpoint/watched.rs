//! An endpoint, and what must hold after each call.
//!
//! - `snd_una <= snd_nxt <= snd_max`, and cwnd is a segment at least.
//! - What came in order never falls, and is no more than the highest byte that came.
//! - The state moves forward only, but for a passive open that is reset.
//! - A driver gets done: what one instant sends covers nothing more than twice, a poll that gave
//!   nothing gives nothing again, and a timer that is due is not due after it ran out.
//! - Nobody waits for ever: while something is to be sent, or to be acknowledged, a timer is set.
//! - What it tells of itself fits: no more is SACKed and lost than is out.
//!
//! What must hold of a segment that it sends is in `sent.rs`.

use super::sent::Sender;
use base::Time;
use tcp::{Config, Connection, Segment, State, TickClock};

/// What only tells of something, and covers no sequence numbers: a reset, a probe, an ACK.
const BARE_AT_ONCE: u32 = 3;

/// A watched endpoint.
pub struct Watched {
    name: &'static str,
    explains: bool,
    pub connection: Connection,
    pub sender: Sender,
    last: State,
    delivered: u64,
}

impl Watched {
    /// A closed one.
    pub fn new(name: &'static str, config: Config, clock: TickClock, explains: bool) -> Self {
        if explains {
            println!("{name} is {} with {config:?}, {clock:?}", config.flavor.name);
        }
        let connection = Connection::new(config, clock);
        let last = connection.state();
        Self { name, explains, connection, sender: Sender::new(config), last, delivered: 0 }
    }

    /// Opens the connection, from this end or when the peer does.
    pub fn open(&mut self, actively: bool) {
        self.say(Time::ZERO, || if actively { "connect" } else { "listen" }.to_string());
        if actively {
            self.connection.connect();
        } else {
            self.connection.listen();
        }
        self.last = self.connection.state();
    }

    /// Writes, unless the application has closed.
    pub fn write(&mut self, now: Time, bytes: u64) {
        if !self.sender.closed {
            self.say(now, || format!("write {bytes}"));
            self.connection.write(bytes);
            self.sender.written += bytes;
        }
    }

    pub fn close(&mut self, now: Time) {
        self.say(now, || "close".to_string());
        self.connection.close();
        self.sender.closed = true;
    }

    pub fn abort(&mut self, now: Time) {
        self.say(now, || "abort".to_string());
        self.connection.abort();
        self.sender.closed = true;
    }

    pub fn read(&mut self, now: Time, bytes: u64) {
        self.say(now, || format!("read {bytes} of {}", self.connection.readable()));
        self.connection.read(bytes);
    }

    pub fn set_auto_read(&mut self, now: Time, on: bool) {
        self.say(now, || format!("auto_read {on}"));
        self.connection.set_auto_read(on);
    }

    pub fn set_nagle(&mut self, now: Time, on: bool) {
        self.say(now, || format!("nagle {on}"));
        self.connection.set_nagle(on);
    }

    /// Gives it a segment.
    pub fn on_segment(&mut self, now: Time, segment: &Segment) {
        self.say(now, || format!("< {segment} {segment:?}"));
        let before = self.connection.state();
        self.connection.on_segment(now, segment);
        let opened = before != self.connection.state() && matches!(before, State::Listen | State::SynSent);
        self.sender.on_segment(segment, opened, self.connection.sender().snd_una);
    }

    /// Lets its timers run out.
    pub fn on_timer(&mut self, now: Time) {
        self.say(now, || "timer".to_string());
        self.sender.on_timer();
        self.connection.on_timer(now);
    }

    /// What it sends after whatever has happened, and what is to be said about that.
    pub fn settle(&mut self, now: Time) -> Vec<Segment> {
        self.check_state();
        let mut sent = self.poll(now);
        // A timer that was set for now runs out once.
        if self.connection.next_timer() <= now {
            self.on_timer(now);
            sent.extend(self.poll(now));
            assert!(self.connection.next_timer() > now, "a timer is due after it ran out");
        }
        self.check_state();
        self.check_rest();
        sent
    }

    fn poll(&mut self, now: Time) -> Vec<Segment> {
        let (mut covered, mut bare) = (0, 0);
        let out = self.sender.end().saturating_sub(self.connection.sender().snd_una);
        let mut sent = Vec::new();
        loop {
            let snd_max = self.connection.sender().snd_max;
            let Some(segment) = self.connection.poll(now) else { break };
            self.say(now, || format!("> {segment} {:?}", self.connection.sender()));
            self.check_window();
            self.sender.check(now, &segment, snd_max, &self.connection);
            let covers = segment.end() - segment.seq;
            covered += covers;
            bare += u32::from(covers == 0);
            assert!(covered <= 2 * out + 1 && bare <= BARE_AT_ONCE, "no end of sending");
            sent.push(segment);
        }
        assert_eq!(self.connection.poll(now), None, "it had nothing to send, and then it had");
        sent
    }

    fn check_window(&self) {
        let its = self.connection.sender();
        assert!(its.snd_una <= its.snd_nxt && its.snd_nxt <= its.snd_max, "{its:?}");
        assert!(
            its.smss >= 1 && self.connection.window().cwnd() >= its.smss,
            "cwnd below a segment: {its:?}"
        );
        assert!(its.snd_max <= self.sender.end(), "more is out than was written: {its:?}");
    }

    fn check_state(&mut self) {
        self.check_window();
        let connection = &self.connection;
        let (state, delivered) = (connection.state(), connection.delivered());
        assert!(may_follow(self.last, state), "{:?} -> {state:?}", self.last);
        let again = state == State::Listen;
        assert!(delivered >= self.delivered || again, "what came in order became less");
        assert!(
            delivered <= connection.highest_received() && delivered < self.sender.came(),
            "bytes that never came"
        );
        assert!(connection.readable() <= delivered);
        if state != self.last {
            // A passive open that is reset begins anew.
            if state == State::Listen {
                self.sender.begin_anew();
            }
            self.last = state;
            self.say(Time::NEVER, || format!("is {state:?} now"));
        }
        self.delivered = delivered;
    }

    fn check_rest(&self) {
        let (info, its) = (self.connection.info(), self.connection.sender());
        assert!(info.sacked + info.lost <= info.unacked + 2, "{info:?}");
        assert!(info.retrans <= info.unacked + 1, "{info:?}");
        assert!(info.rto > Time::ZERO && info.cwnd >= 1, "{info:?}");
        let idle = matches!(self.last, State::Closed | State::Listen | State::TimeWait);
        if !idle && its.snd_una < self.sender.end() {
            assert_ne!(self.connection.next_timer(), Time::NEVER, "it waits for ever: {its:?}");
        }
    }

    fn say(&self, now: Time, what: impl FnOnce() -> String) {
        if self.explains {
            let at = if now == Time::NEVER { String::new() } else { format!("{:.6}", now.as_secs_f64()) };
            println!("{at:>12} {} {}", self.name, what());
        }
    }
}

/// Whether a connection may be in this state after that one, at whatever distance.
fn may_follow(before: State, now: State) -> bool {
    use State::{
        CloseWait, Closed, Closing, Established, FinWait1, FinWait2, LastAck, Listen, SynReceived, SynSent,
        TimeWait,
    };
    let rank = |state| match state {
        Listen | SynSent => 0,
        SynReceived => 1,
        Established => 2,
        FinWait1 | CloseWait => 3,
        FinWait2 | Closing | LastAck => 4,
        TimeWait => 5,
        Closed => 6,
    };
    let passive = |state| matches!(state, CloseWait | LastAck);
    let active = |state| matches!(state, FinWait1 | FinWait2 | Closing | TimeWait);
    before == now
        || (before, now) == (SynReceived, Listen)
        || rank(before) < rank(now) && !(passive(before) && active(now)) && !(active(before) && passive(now))
}
