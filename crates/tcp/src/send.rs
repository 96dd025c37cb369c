//! Sending: which segment goes out next.
//!
//! Source: RFC 9293 sections 3.7.4 (Nagle's algorithm) and 3.8.6.2.1 (silly window avoidance),
//! RFC 5681 section 4.1 (restart after idle).

use crate::congestion::{Idle, Sent, pacing_rate};
use crate::connection::{Connection, State};
use crate::ecn::{EcnFlags, EcnMarks, EcnState, Leaving, Load};
use crate::limits::Limit;
use crate::loss::{Tally, Transmit};
use crate::options::PacingFrom;
use crate::pacer::Pacer;
use crate::segment::{AccEcn, MAX_SACK_BLOCKS, MOST_OPTION_BYTES, SackBlocks, Segment, TIMESTAMPS_BYTES};
use crate::timeouts::Probe;
use crate::timers::Timer;
use base::Time;

/// What goes out next. It is decided before the segment is built, so that each segment is written once.
#[derive(Clone, Copy, Debug)]
enum Departure {
    Urgent,
    Syn,
    Data(Data),
}

/// `[seq, seq + len)`, and perhaps the FIN after it. With neither data nor FIN it is a bare ACK.
#[derive(Clone, Copy, Debug)]
struct Data {
    seq: u64,
    len: u32,
    fin: bool,
    /// For ECN.
    load: Load,
}

/// Where segments go that are sent.
pub trait Sink {
    /// Takes a segment.
    fn take(&mut self, segment: Segment);
}

impl Sink for Option<Segment> {
    fn take(&mut self, segment: Segment) {
        *self = Some(segment);
    }
}

impl Connection {
    /// The next segment to send, if there is one. Call it until there is none. A bare ACK is always the last, for an ACK
    /// goes alone only if no data could carry it.
    pub fn poll(&mut self, now: Time) -> Option<Segment> {
        let departure = self.next_departure(now)?;
        let mut next = None;
        self.build(now, departure, &mut next);
        next
    }

    /// Passes all segments that may be sent now to `sink`, as [`Connection::poll`] would return them.
    #[inline]
    pub fn send_all(&mut self, now: Time, sink: &mut impl Sink) {
        while let Some(departure) = self.next_departure(now) {
            self.build(now, departure, sink);
            if matches!(departure, Departure::Data(Data { len: 0, fin: false, .. })) {
                return;
            }
        }
    }

    /// Passes a segment to `sink`. Inlined, and built in one expression, so that the most frequent kind is written once, in
    /// its place, and not copied.
    #[inline(always)]
    fn build(&mut self, now: Time, departure: Departure, sink: &mut impl Sink) {
        let Departure::Data(Data { seq, len, fin, load }) = departure else {
            return self.other_segment(now, departure, sink);
        };
        self.acks.on_ack_sent(&mut self.timers);
        let acked = self.receiver.rcv_nxt();
        let timestamps = self.timestamps.on.then(|| self.timestamps.stamp(now, Some(acked)));
        let sack = self.sack_option(timestamps.is_some(), len > 0);
        let (EcnMarks { ecn, flags: EcnFlags { ae, cwr, ece } }, accecn) = if self.ecn.is_on() {
            (self.ecn.marks(load), self.accecn_option(&sack, timestamps.is_some(), len > 0))
        } else {
            (EcnMarks::default(), None)
        };
        sink.take(Segment {
            seq,
            len,
            ack: Some(acked),
            fin,
            psh: len > 0 && seq + u64::from(len) == self.sender.written,
            window: self.receiver.advertise(),
            sack,
            timestamps,
            accecn,
            ecn,
            ae,
            ece,
            cwr,
            ..Segment::default()
        });
    }

    #[inline(always)]
    fn sack_option(&mut self, beside_timestamps: bool, beside_data: bool) -> SackBlocks {
        if self.sack && self.receiver.has_sack() {
            self.sack_blocks(beside_timestamps, beside_data)
        } else {
            SackBlocks::default()
        }
    }

    /// Beside an AccECN option there are two blocks at least (RFC 9768, section 3.2.3.3).
    #[inline(never)]
    fn sack_blocks(&mut self, beside_timestamps: bool, beside_data: bool) -> SackBlocks {
        let beside_accecn = self.ecn.wants_option(beside_data);
        let room = MAX_SACK_BLOCKS - usize::from(beside_timestamps) - usize::from(beside_accecn);
        self.receiver.take_sack(room)
    }

    #[inline(never)]
    fn accecn_option(
        &mut self,
        sack: &SackBlocks,
        beside_timestamps: bool,
        has_data: bool,
    ) -> Option<Box<AccEcn>> {
        let timestamps = if beside_timestamps { TIMESTAMPS_BYTES } else { 0 };
        let room = MOST_OPTION_BYTES - timestamps - sack.packet_bytes();
        self.ecn.option(Leaving { has_data, room }).map(Box::new)
    }

    #[cold]
    fn other_segment(&mut self, now: Time, departure: Departure, sink: &mut impl Sink) {
        let segment = match departure {
            Departure::Urgent => self.urgent_segment(now),
            Departure::Syn => Some(self.syn_segment(now)),
            Departure::Data(_) => None,
        };
        if let Some(segment) = segment {
            sink.take(segment);
        }
    }

    // Inlined, so that what it decides need not go through memory.
    #[inline(always)]
    fn next_departure(&mut self, now: Time) -> Option<Departure> {
        match self.state {
            _ if self.urgent.is_some() => Some(Departure::Urgent),
            State::Closed => {
                self.limits.set(now, None);
                None
            }
            State::Listen => None,
            State::SynSent | State::SynReceived => (self.sender.snd_nxt == 0).then_some(Departure::Syn),
            _ => self.next_of_established(now).map(Departure::Data),
        }
    }

    fn next_of_established(&mut self, now: Time) -> Option<Data> {
        if self.has_data_to_send() {
            let data = self.next_data(now);
            if data.is_some() {
                return data;
            }
            self.note_limit(now);
        }
        let probe = self.take_probe();
        self.watch_window(now);
        let probe = probe.map(|Probe { seq, len, fin }| Data { seq, len, fin, load: Load::Nothing });
        // Not at snd_nxt: a time-out lowers it, and the peer ignores a segment below its window.
        let ack = Data { seq: self.sender.snd_max, len: 0, fin: false, load: Load::Nothing };
        probe.or_else(|| self.acks.is_due().then_some(ack))
    }

    /// Notes what holds the next segment back.
    #[inline(always)]
    fn note_limit(&mut self, now: Time) {
        let left = self.sender.written.saturating_sub(self.sender.snd_nxt);
        let limit = if left == 0 || (self.nagle && left < self.sender.smss) {
            Limit::App
        } else if self.sender.rwnd <= self.window.cwnd() {
            Limit::Rwnd
        } else {
            Limit::Cwnd
        };
        self.limits.set(now, Some(limit));
    }

    /// Whether data or a FIN remain that were not sent or not acknowledged.
    fn has_data_to_send(&self) -> bool {
        self.sender.snd_una < self.sender.written
            || (self.closing && self.sender.snd_una == self.sender.written)
    }

    #[cold]
    fn urgent_segment(&mut self, now: Time) -> Option<Segment> {
        let urgent = self.urgent.take()?;
        let stamped = self.timestamps.on && urgent.ack.is_some();
        let timestamps = stamped.then(|| self.timestamps.stamp(now, urgent.ack));
        Some(Segment { timestamps, ..*urgent })
    }

    #[cold]
    fn syn_segment(&mut self, now: Time) -> Segment {
        self.note_sent(now, 0, 1);
        self.acks.forget(&mut self.timers);
        let options = &self.config.options;
        // The answer to a SYN offers no more than the SYN did.
        let ack = (self.state == State::SynReceived).then(|| self.receiver.rcv_nxt());
        let timestamps = if ack.is_some() { self.timestamps.on } else { options.timestamps };
        let with_timestamps = timestamps.then(|| self.timestamps.stamp(now, ack));
        let EcnFlags { ae, cwr, ece } =
            if ack.is_some() { self.ecn.answering() } else { EcnState::asking(options) };
        // A SYN-ACK that may have been dropped for the option is sent again without it (RFC 9768, section 3.2.3.2.2).
        let is_first = ack.is_some() && self.timeouts_in_a_row == 0;
        Segment {
            syn: true,
            ack,
            ae,
            ece,
            cwr,
            accecn: if is_first { self.ecn.handshake_option().map(Box::new) } else { None },
            window: self.receiver.advertise_unscaled(),
            window_scale: self.config.window_scale.filter(|_| ack.is_none() || self.scale.is_some()),
            mss: Some(self.config.smss.min(u32::from(u16::MAX)) as u16),
            sack_permitted: if ack.is_some() { self.sack } else { options.sack },
            timestamps: with_timestamps,
            ..Segment::default()
        }
    }

    fn next_data(&mut self, now: Time) -> Option<Data> {
        if self.waits_for_pacer(now) {
            return None;
        }
        self.sender.sendable = self.sender.written.min(self.sender.snd_una + self.sender.rwnd);
        self.restart_if_idle(now);
        let (seq, end) = match self.loss.next(now, &mut self.sender, self.window.cwnd())? {
            Transmit::Retransmit { seq, end } => (seq, end.min(self.sender.snd_max).min(self.sender.written)),
            Transmit::Next(limit) => self.new_data(limit)?,
            Transmit::Probe(end) => (self.sender.snd_nxt, end),
        };
        let fin = self.closing && end == self.sender.written;
        let after = end + u64::from(fin);
        let is_new = seq >= self.highest_acknowledgeable();
        self.note_data_sent(now, seq, after);
        self.acks.on_data_sent(&self.config.options, now);
        if fin {
            self.note_fin_sent();
        }
        let load = match (end > seq, is_new) {
            (false, _) => Load::Nothing,
            (true, true) => Load::New,
            (true, false) => Load::Again,
        };
        Some(Data { seq, len: (end - seq) as u32, fin, load })
    }

    /// Updates all records when data or a FIN go out.
    fn note_data_sent(&mut self, now: Time, seq: u64, after: u64) {
        let was_idle = self.sender.flight_size() == 0;
        self.note_sent(now, seq, after);
        let flight_size = self.sender.flight_size();
        if let Some(queue) = &mut self.sender.queue {
            queue.on_sent(now, seq, after, flight_size);
            self.loss.on_sent(&self.sender, seq, after);
            self.set_loss_timers();
        }
        if self.needs.sent {
            let sent = Sent { now, bytes: after - seq, was_idle };
            self.congestion.on_sent(&mut self.window, &self.sender, sent);
            if was_idle {
                self.set_pacing(now);
            }
        }
        if let Some(pacer) = &mut self.pacer
            && self.counters.segments_sent >= u64::from(self.config.options.unpaced_segments)
        {
            pacer.on_sent(now, after - seq);
        }
    }

    /// Sets the pacer to the rate that the options ask for, if there is one.
    #[inline(always)]
    pub(crate) fn set_pacing(&mut self, now: Time) {
        let pacing = match self.config.options.pacing {
            PacingFrom::Off => None,
            PacingFrom::Rate => pacing_rate::of_window(&self.window, &self.sender),
            PacingFrom::CongestionControl => self.window.pacing(),
        };
        if let Some(pacing) = pacing {
            match &mut self.pacer {
                Some(pacer) => pacer.set(now, pacing),
                None => self.pacer = Some(Box::new(Pacer::new(pacing))),
            }
        }
    }

    /// Marks the flow as limited by the application (delivery rate samples then do not count as the path's), if all data
    /// is sent, no loss waits for its retransmission, and cwnd would allow more.
    #[inline(always)]
    pub(crate) fn note_app_limited(&mut self) {
        if self.sender.queue.as_ref().is_some_and(|queue| queue.samples()) {
            self.check_app_limited();
        }
    }

    fn check_app_limited(&mut self) {
        let Tally { lost, retransmitted, .. } = self.loss.tally(&self.sender);
        let has_nothing_to_send = self.sender.snd_nxt >= self.sender.written && lost <= retransmitted;
        let in_flight = self.in_flight();
        if has_nothing_to_send && in_flight < self.window.cwnd() {
            self.sender.queue().mark_app_limited(in_flight);
        }
    }

    /// Whether the pacer holds the next segment back. If so, the pacing timer is on.
    #[inline(always)]
    fn waits_for_pacer(&mut self, now: Time) -> bool {
        let Some(pacer) = &self.pacer else { return false };
        let at = pacer.release_time(self.sender.smss);
        self.timers.set(Timer::Pacing, if at > now { at } else { Time::NEVER });
        at > now
    }

    pub(crate) fn note_fin_sent(&mut self) {
        if let Some(queue) = self.sender.queue.as_deref_mut() {
            queue.note_fin(self.sender.written);
        }
        self.state = match self.state {
            State::Established => State::FinWait1,
            State::CloseWait => State::LastAck,
            other => other,
        };
    }

    /// The segment at `snd_nxt` that `limit`, the receive window, the data, Nagle's algorithm and silly window avoidance
    /// permit.
    fn new_data(&self, limit: u64) -> Option<(u64, u64)> {
        let sender = &self.sender;
        let seq = sender.snd_nxt;
        // Data that went out once may go out again even if the window has shrunk since.
        let open = limit.min(sender.snd_max.max(sender.snd_una + sender.rwnd));
        let full = seq + sender.smss;
        let end = full.min(self.sender.written).min(open);
        let fin = self.closing && seq == self.sender.written && open > seq;
        if end <= seq {
            return fin.then_some((seq, seq));
        }
        let in_flight = seq > sender.snd_una;
        let held = if end == full {
            false
        } else if end == self.sender.written {
            self.nagle && in_flight && !self.closing
        } else {
            // RFC 9293, section 3.8.6.2.1: send half of the largest window at once, and anything when the persist timer
            // runs out.
            let is_large = 2 * (end - seq) >= self.max_offered;
            self.config.options.sws_avoidance && (in_flight || !(is_large || self.persist_is_due()))
        };
        // A segment that once went out may go out again, however short it is.
        let is_retransmission = seq < sender.snd_max && sender.snd_max <= end;
        (!held || is_retransmission).then_some((seq, end))
    }

    /// RFC 5681, section 4.1.
    fn restart_if_idle(&mut self, now: Time) {
        let idle = self.sender.flight_size() == 0 && self.sender.has_new_data();
        if !self.config.idle_restart || !idle {
            return;
        }
        if now > self.rtt.deadline(self.last_sent) {
            let segments = self.config.restart_window.unwrap_or(self.config.initial_window);
            let restart_window = u64::from(segments) * self.sender.smss;
            let idle = Idle { time: now.saturating_sub(self.last_sent), rto: self.rtt.rto(), restart_window };
            self.congestion.on_idle(&mut self.window, idle);
        }
    }

    /// Updates the sequence variables, the timed segment and the counters when `[seq, after)` goes out.
    fn note_sent(&mut self, now: Time, seq: u64, after: u64) {
        let sender = &mut self.sender;
        sender.now = now;
        let is_retransmission = seq < sender.snd_max;
        if seq == sender.snd_nxt {
            sender.snd_nxt = after;
        }
        sender.snd_max = sender.snd_max.max(after);
        if !is_retransmission && self.timed.is_none() {
            self.timed = Some((seq, now));
        }
        if !self.timers.is_on(Timer::Rto) {
            self.start_rto(now);
        }
        self.last_sent = now;
        if seq > 0 {
            self.counters.segments_sent += 1;
            self.counters.segments_retransmitted += u64::from(is_retransmission);
        }
    }
}
