//! Taking segments.
//!
//! Source: RFC 9293 section 3.10.7; RFC 5961 for resets and SYNs within the window, which are
//! answered with an ACK rather than believed. What a segment acknowledges counts even if its data
//! are old, as in BSD: the number may be the youngest that has got through.

use crate::connection::{Connection, NO_FIN, State};
use crate::ecn::{AckDemand, EcnFlags};
use crate::receiver::Arrival;
use crate::segment::{AccEcn, Segment, TIMESTAMPS_BYTES};
use crate::timestamps::Passes;
use base::Time;

/// What a peer takes that does not say (RFC 9293, section 3.7.1).
const DEFAULT_MSS: u32 = 536;

impl Connection {
    /// Takes a segment.
    pub fn on_segment(&mut self, now: Time, segment: &Segment) {
        self.sender.now = now;
        match self.state {
            State::Closed => self.refuse(segment),
            State::Listen if segment.rst => {}
            State::Listen if segment.ack.is_some() => self.refuse(segment),
            State::Listen if segment.syn => {
                self.take_syn(now, segment);
                self.state = State::SynReceived;
            }
            State::Listen => {}
            State::SynSent => self.on_segment_in_syn_sent(now, segment),
            State::SynReceived if segment.syn && segment.ack.is_none() => {
                self.ecn.on_repeated_syn(segment);
                self.sender.snd_nxt = 0;
            }
            _ => self.on_synchronized(now, segment),
        }
    }

    /// Answers with a reset, which no sequence number of ours needs to make believable.
    fn refuse(&mut self, segment: &Segment) {
        if segment.rst {
            return;
        }
        let (seq, ack) = match segment.ack {
            Some(ack) => (ack, None),
            None => (0, Some(segment.end())),
        };
        self.urgent = Some(Box::new(Segment { seq, ack, rst: true, ..Segment::default() }));
    }

    fn on_segment_in_syn_sent(&mut self, now: Time, segment: &Segment) {
        match segment.ack {
            Some(ack) if ack != 1 => self.refuse(segment),
            Some(_) if segment.rst => self.end_at_once(),
            Some(_) if segment.syn => {
                self.take_syn(now, segment);
                self.acknowledge_syn_ack();
                self.state = State::Established;
                self.on_ack(now, segment);
            }
            // Both ends have opened it at the same time.
            None if segment.syn && !segment.rst => {
                self.take_syn(now, segment);
                self.state = State::SynReceived;
                self.sender.snd_nxt = 0;
            }
            _ => {}
        }
    }

    fn on_synchronized(&mut self, now: Time, segment: &Segment) {
        match self.timestamps.passes(now, segment) {
            Passes::Yes => {}
            Passes::NoOption => return,
            Passes::TooOld => return self.acks.acknowledge_now(&mut self.timers),
        }
        let is_old = segment.end() < self.receiver.rcv_nxt();
        if is_old || !self.receiver.has_room_for(segment.seq) {
            return self.on_unacceptable(now, segment, is_old);
        }
        if segment.rst && segment.seq == self.receiver.rcv_nxt() {
            return self.on_reset();
        }
        if segment.rst || (segment.syn && !(self.state == State::SynReceived && segment.ack == Some(1))) {
            return self.challenge(segment);
        }
        if !self.accepts_ack(segment) {
            return;
        }
        self.timestamps.remember(now, segment);
        if self.ecn.is_on() {
            self.take_ecn_field(segment);
        }
        self.on_ack(now, segment);
        self.on_data(now, segment);
    }

    #[inline(never)]
    fn take_ecn_field(&mut self, segment: &Segment) {
        let has_new_data = segment.len > 0 && segment.end() > self.receiver.rcv_nxt();
        match self.ecn.on_segment(segment, has_new_data, self.acks.is_owed()) {
            AckDemand::None => {}
            AckDemand::Now => self.acks.acknowledge_now(&mut self.timers),
            AckDemand::PriorFirst(flags) => {
                self.acknowledge_first(flags, None);
                self.acks.acknowledge_now(&mut self.timers);
            }
        }
    }

    /// Acknowledges a SYN-ACK. With counters of marks that is a pure ACK, which reports its own ECN field (RFC 9768, 3.2.2.1).
    fn acknowledge_syn_ack(&mut self) {
        if self.ecn.reflects_syn_ack() {
            self.acknowledge_first(self.ecn.syn_ack_flags(), self.ecn.handshake_option());
        } else {
            self.acks.acknowledge_now(&mut self.timers);
        }
    }

    /// Answers a reset or a SYN that is not believed (RFC 5961).
    fn challenge(&mut self, segment: &Segment) {
        if segment.syn && segment.ack.is_some() && self.ecn.reflects_syn_ack() && !self.passive {
            self.ecn.on_repeated_syn_ack(segment);
            self.acknowledge_syn_ack();
        } else {
            self.acks.acknowledge_now(&mut self.timers);
        }
    }

    /// Sends a pure ACK of what has come so far, whatever else there is to send.
    fn acknowledge_first(&mut self, flags: EcnFlags, accecn: Option<AccEcn>) {
        let EcnFlags { ae, cwr, ece } = flags;
        let (seq, ack) = (self.sender.snd_max, Some(self.receiver.rcv_nxt()));
        let window = self.receiver.advertise();
        let accecn = accecn.map(Box::new);
        self.urgent =
            Some(Box::new(Segment { seq, ack, window, ae, cwr, ece, accecn, ..Segment::default() }));
        self.acks.on_ack_sent(&mut self.timers);
    }

    /// A passive open that is reset is as if it had not begun; what the application wants stays.
    fn on_reset(&mut self) {
        if self.state == State::SynReceived && self.passive {
            let fresh = self.anew();
            let receiver = self.receiver.anew();
            let Self { closing, counters, .. } = *self;
            let written = self.sender.written;
            *self = Self { closing, counters, receiver, ..fresh };
            self.sender.written = written;
            self.listen();
        } else {
            self.end_at_once();
        }
    }

    /// A segment below or above the window.
    fn on_unacceptable(&mut self, now: Time, segment: &Segment, is_old: bool) {
        if segment.rst {
            return;
        }
        self.receiver.note_duplicate(segment.seq, segment.seq + u64::from(segment.len));
        self.acks.acknowledge_now(&mut self.timers);
        if is_old && !segment.syn && self.accepts_ack(segment) {
            self.on_ack(now, segment);
        }
    }

    /// Whether a segment acknowledges something that was sent (RFC 9293's acceptable ACK); if it does, a handshake is over.
    fn accepts_ack(&mut self, segment: &Segment) -> bool {
        let Some(ack) = segment.ack else { return false };
        if self.state == State::SynReceived {
            if ack == 0 || ack > self.sender.snd_max {
                self.refuse(segment);
                return false;
            }
            self.state = State::Established;
            self.ecn.on_handshake_ack(segment);
        }
        if ack > self.highest_acknowledgeable() {
            self.acks.acknowledge_now(&mut self.timers);
            return false;
        }
        self.sender.snd_max = self.sender.snd_max.max(ack);
        true
    }

    /// What the peer's SYN settles: numbers, scaling, SACK, timestamps, ECN, segment size.
    fn take_syn(&mut self, now: Time, syn: &Segment) {
        let options = &self.config.options;
        self.scale = syn.window_scale.zip(self.config.window_scale).map(|(a, b)| (a.min(14), b.min(14)));
        self.receiver.start(syn.end(), self.scale.map_or(0, |scale| scale.1));
        self.sack = options.sack && syn.sack_permitted;
        self.timestamps.on_syn(now, syn, options.timestamps && syn.timestamps.is_some());
        self.ecn.on_syn(options, syn);
        let mss = syn.mss.map_or(DEFAULT_MSS, u32::from).min(self.config.smss);
        let option = if self.timestamps.on { TIMESTAMPS_BYTES } else { 0 };
        self.sender.smss = u64::from(mss.saturating_sub(option).max(1));
        let initial_window = u64::from(self.config.initial_window) * self.sender.smss;
        self.congestion.on_syn(&mut self.window, initial_window);
        self.sender.rwnd = u64::from(syn.window);
        self.sender.max_rwnd = u64::from(u16::MAX) << self.scale.map_or(0, |scale| scale.0);
        self.window_update = (syn.seq, syn.ack.unwrap_or(0));
    }

    fn on_data(&mut self, now: Time, segment: &Segment) {
        if segment.len == 0 && !segment.fin {
            return;
        }
        if self.peer_closed() {
            return self.acks.acknowledge_now(&mut self.timers);
        }
        let was_complete = self.receiver.is_complete();
        let last = segment.seq + u64::from(segment.len);
        // Nothing lies above a FIN that has come early.
        let end = last.min(self.fin_at);
        let arrival = self.receiver.receive(segment.seq, end);
        let is_next = arrival == Arrival::InOrder || (segment.len == 0 && end == self.receiver.rcv_nxt());
        let in_order = is_next && was_complete;
        if !was_complete || !self.receiver.is_complete() {
            self.acks.on_gap(&self.config.options);
        }
        self.acks.on_data(&self.config.options, &mut self.timers, now, (segment.len, in_order));
        let is_end = self.fin_at == NO_FIN && self.receiver.highest() <= last;
        if segment.fin && is_end && self.receiver.has_room_for(last) {
            self.fin_at = last;
        }
        if self.fin_at == self.receiver.rcv_nxt() {
            self.on_fin();
        }
    }

    /// Everything up to the peer's FIN has come.
    fn on_fin(&mut self) {
        self.receiver.take_fin();
        self.acks.acknowledge_now(&mut self.timers);
        self.state = match self.state {
            State::Established => State::CloseWait,
            State::FinWait1 => State::Closing,
            State::FinWait2 => State::TimeWait,
            other => other,
        };
    }
}
