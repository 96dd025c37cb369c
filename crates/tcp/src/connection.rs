//! The endpoint of a connection: states, acknowledging, timers. Sending is in `send.rs`.
//!
//! Source: RFC 9293 for the states, RFC 5681 for ACKs, RFC 6298 for the timer, RFC 7323 for
//! window scaling. Left out, because nothing here can cause it: resets, urgent data,
//! simultaneous open, zero windows (the application always reads at once).
//!
//! A driver calls [`Connection::on_segment`] or [`Connection::on_timer`], then
//! [`Connection::poll`] until it returns nothing, and then looks at
//! [`Connection::next_timer`].

use crate::config::Config;
use crate::congestion::{Cause, CongestionControl};
use crate::receiver::{Arrival, Receiver};
use crate::recovery::{LossRecovery, Timer};
use crate::rtt::{RttEstimator, TickClock};
use crate::segment::Segment;
use crate::window::Window;
use sim::time::Time;

/// The states of RFC 9293.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the RFC's own names")]
pub enum State {
    Closed,
    Listen,
    SynSent,
    SynReceived,
    Established,
    FinWait1,
    FinWait2,
    CloseWait,
    Closing,
    LastAck,
    TimeWait,
}

/// What a connection has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Segments with data (or a FIN) sent.
    pub segments_sent: u64,
    /// Those among them that had been sent before.
    pub segments_retransmitted: u64,
    /// Retransmission time-outs.
    pub timeouts: u64,
    /// Fast retransmits.
    pub fast_retransmits: u64,
}

/// Whether and when an ACK is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owed {
    Nothing,
    Later(Time),
    Now,
}

/// One end of a connection.
pub struct Connection {
    pub(crate) config: Config,
    pub(crate) clock: TickClock,
    pub(crate) state: State,
    pub(crate) window: Window,
    pub(crate) recovery: Box<dyn LossRecovery>,
    pub(crate) congestion: Box<dyn CongestionControl>,
    pub(crate) rtt: RttEstimator,
    /// When the retransmission timer runs out.
    pub(crate) rto_at: Option<Time>,
    /// Time-outs since something new was acknowledged.
    timeouts_in_a_row: u32,
    /// The segment being timed, and the tick of its departure.
    pub(crate) timed: Option<(u64, u64)>,
    pub(crate) last_sent: Time,
    /// One above the last byte that the application has written.
    pub(crate) written: u64,
    pub(crate) closing: bool,
    pub(crate) receiver: Receiver,
    /// Where the peer's data ends, once its FIN has come, in order or not.
    fin_at: Option<u64>,
    pub(crate) owed: Owed,
    /// Window scale and SACK, once both ends have offered them.
    pub(crate) scale: (u8, u8),
    pub(crate) sack: bool,
    pub(crate) counters: Counters,
}

impl Connection {
    /// A closed connection.
    #[must_use]
    pub fn new(config: Config, clock: TickClock) -> Self {
        let smss = u64::from(config.smss);
        let window = Window {
            smss,
            snd_una: 0,
            snd_nxt: 0,
            snd_max: 0,
            cwnd: u64::from(config.initial_window) * smss,
            ssthresh: config.initial_ssthresh,
            rwnd: smss,
            max_rwnd: smss,
        };
        Self {
            clock,
            state: State::Closed,
            window,
            recovery: (config.flavor.recovery)(&config),
            congestion: (config.flavor.congestion)(&config),
            rtt: RttEstimator::new(&config),
            rto_at: None,
            timeouts_in_a_row: 0,
            timed: None,
            last_sent: Time::ZERO,
            written: 1,
            closing: false,
            receiver: Receiver::new(0, config.receive_buffer),
            fin_at: None,
            owed: Owed::Nothing,
            scale: (0, 0),
            sack: false,
            counters: Counters::default(),
            config,
        }
    }

    /// Waits for a SYN.
    pub fn listen(&mut self) {
        self.state = State::Listen;
    }

    /// Opens the connection: the next [`Connection::poll`] sends a SYN.
    pub fn connect(&mut self) {
        self.state = State::SynSent;
    }

    /// Lets the ticks count from `now`.
    pub fn start_clock(&mut self, now: Time) {
        self.clock.phase = now + self.clock.tick;
    }

    /// Appends `bytes` to what is to be sent.
    pub fn write(&mut self, bytes: u64) {
        debug_assert!(!self.closing, "nothing is written after close");
        self.written += bytes;
    }

    /// Ends this end's direction after what was written.
    pub fn close(&mut self) {
        self.closing = true;
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// The sender's variables.
    #[must_use]
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// Whether a loss recovery is going on.
    #[must_use]
    pub fn in_recovery(&self) -> bool {
        self.recovery.in_recovery()
    }

    /// What it has done so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Bytes received in order.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        self.bytes_below(self.receiver.rcv_nxt())
    }

    /// Bytes up to the highest one received, in order or not.
    #[must_use]
    pub fn highest_received(&self) -> u64 {
        self.bytes_below(self.receiver.highest())
    }

    /// Bytes of the peer's data below `seq`: its SYN and its FIN are none.
    fn bytes_below(&self, seq: u64) -> u64 {
        seq.min(self.fin_at.unwrap_or(u64::MAX)).saturating_sub(1)
    }

    /// When [`Connection::on_timer`] wants to be called; [`Time::NEVER`] if not at all.
    #[must_use]
    pub fn next_timer(&self) -> Time {
        let ack_at = if let Owed::Later(at) = self.owed { at } else { Time::NEVER };
        self.rto_at.unwrap_or(Time::NEVER).min(ack_at)
    }

    /// Lets the timers run out that are due. Calling it too early does nothing.
    pub fn on_timer(&mut self, now: Time) {
        if matches!(self.owed, Owed::Later(at) if at <= now) {
            self.owed = Owed::Now;
        }
        if self.rto_at.is_some_and(|at| at <= now) {
            self.on_rto(now);
        }
    }

    /// RFC 6298, section 5, rules 5.4 to 5.6, and RFC 5681, section 3.1.
    fn on_rto(&mut self, now: Time) {
        self.counters.timeouts += 1;
        let cause = if self.timeouts_in_a_row == 0 { Cause::Rto } else { Cause::RepeatedRto };
        self.timeouts_in_a_row += 1;
        self.timed = None;
        self.rtt.back_off();
        let window = &mut self.window;
        if window.snd_una > 0 {
            // A lost SYN says nothing of a window.
            window.ssthresh = self.congestion.ssthresh(window, cause);
        }
        window.cwnd = window.smss;
        window.snd_nxt = window.snd_una;
        self.recovery.on_rto(window);
        self.restart_timer(now);
    }

    /// Takes a segment.
    pub fn on_segment(&mut self, now: Time, segment: &Segment) {
        match self.state {
            State::Closed => {}
            State::Listen if segment.syn => {
                self.take_syn(segment);
                self.state = State::SynReceived;
            }
            State::Listen => {}
            State::SynSent if segment.syn && segment.ack == Some(1) => {
                self.take_syn(segment);
                self.owed = Owed::Now;
                self.state = State::Established;
                self.on_ack(now, segment);
            }
            State::SynSent => {}
            State::SynReceived if segment.syn => self.window.snd_nxt = 0,
            _ => self.on_established_segment(now, segment),
        }
    }

    fn on_established_segment(&mut self, now: Time, segment: &Segment) {
        if segment.syn {
            // The peer has not seen our ACK of its SYN.
            self.owed = Owed::Now;
            return;
        }
        if self.state == State::SynReceived && segment.ack.is_some_and(|ack| ack >= 1) {
            self.state = State::Established;
        }
        self.on_ack(now, segment);
        self.on_data(now, segment);
    }

    /// What the peer's SYN settles: numbers, scaling, SACK, segment size.
    fn take_syn(&mut self, syn: &Segment) {
        self.receiver = Receiver::new(syn.end(), self.config.receive_buffer);
        if let Some(theirs) = syn.window_scale {
            self.scale = (theirs.min(14), self.config.window_scale.min(14));
        }
        self.sack = self.config.flavor.sack && syn.sack_permitted;
        if let Some(mss) = syn.mss {
            self.window.smss = self.window.smss.min(u64::from(mss));
            self.window.cwnd = u64::from(self.config.initial_window) * self.window.smss;
        }
        self.window.rwnd = u64::from(syn.window);
        self.window.max_rwnd = u64::from(u16::MAX) << self.scale.0;
    }

    fn on_ack(&mut self, now: Time, segment: &Segment) {
        let Some(ack) = segment.ack.filter(|&ack| ack <= self.window.snd_max) else {
            return;
        };
        let shift = if segment.syn { 0 } else { self.scale.0 };
        let rwnd = u64::from(segment.window) << shift;
        let same_window = std::mem::replace(&mut self.window.rwnd, rwnd) == rwnd;
        if self.sack {
            self.recovery.on_sack(&self.window, segment.sack.as_slice());
        }
        if ack > self.window.snd_una {
            self.on_new_ack(now, ack);
        } else if ack == self.window.snd_una
            && segment.len == 0
            && !segment.syn
            && !segment.fin
            && same_window
            && self.window.flight_size() > 0
            && self.recovery.on_dup_ack(&mut self.window, &mut *self.congestion)
        {
            self.counters.fast_retransmits += 1;
            self.timed = None;
            self.restart_timer(now);
        }
    }

    fn on_new_ack(&mut self, now: Time, ack: u64) {
        let of_syn = self.window.snd_una == 0;
        let acked = ack - self.window.snd_una;
        self.window.snd_una = ack;
        self.window.snd_nxt = self.window.snd_nxt.max(ack);
        self.timeouts_in_a_row = 0;
        if let Some((_, tick)) = self.timed.take_if(|timed| timed.0 < ack) {
            self.rtt.sample(self.clock.ticks(now) - tick);
        }
        // The ACK of a SYN acknowledges no data, so it moves no window.
        let timer = if of_syn {
            Timer::Restart
        } else {
            self.recovery.on_ack(&mut self.window, acked, &mut *self.congestion)
        };
        if self.window.flight_size() == 0 {
            self.rto_at = None;
            self.on_all_acked();
        } else if timer == Timer::Restart {
            self.restart_timer(now);
        }
    }

    /// Everything sent was acknowledged; if that includes a FIN, the state moves on.
    fn on_all_acked(&mut self) {
        if self.fin_sent() {
            self.state = match self.state {
                State::FinWait1 => State::FinWait2,
                State::Closing => State::TimeWait,
                State::LastAck => State::Closed,
                other => other,
            };
        }
    }

    fn on_data(&mut self, now: Time, segment: &Segment) {
        if segment.len == 0 && !segment.fin {
            return;
        }
        let was_complete = self.receiver.sack().as_slice().is_empty();
        let arrival = self.receiver.receive(segment.seq, segment.seq + u64::from(segment.len));
        let next = match (arrival, self.config.delayed_ack, self.owed) {
            (Arrival::InOrder, Some(delay), Owed::Nothing) if was_complete => Owed::Later(now + delay),
            _ => Owed::Now,
        };
        self.owed = next;
        if segment.fin {
            self.fin_at = Some(segment.seq + u64::from(segment.len));
        }
        if self.fin_at == Some(self.receiver.rcv_nxt()) {
            self.on_fin(self.receiver.rcv_nxt());
        }
    }

    /// Everything up to the peer's FIN at `fin` has come.
    fn on_fin(&mut self, fin: u64) {
        self.receiver.receive(fin, fin + 1);
        self.owed = Owed::Now;
        self.state = match self.state {
            State::Established => State::CloseWait,
            State::FinWait1 => State::Closing,
            State::FinWait2 => State::TimeWait,
            other => other,
        };
    }

    pub(crate) fn restart_timer(&mut self, now: Time) {
        self.rto_at = Some(self.clock.after(now, self.rtt.rto()));
    }

    /// Whether the FIN has been sent at least once.
    pub(crate) fn fin_sent(&self) -> bool {
        self.window.snd_max > self.written
    }
}
