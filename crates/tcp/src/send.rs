//! The sending half of [`Connection`]: which segment goes out next.

use crate::connection::{Connection, Owed, State};
use crate::recovery::Transmit;
use crate::segment::Segment;
use sim::time::Time;

impl Connection {
    /// The next segment to send, if there is one. Call until there is none.
    pub fn poll(&mut self, now: Time) -> Option<Segment> {
        match self.state {
            State::Closed | State::Listen => None,
            State::SynSent | State::SynReceived => self.poll_syn(now),
            _ => self.poll_data(now).or_else(|| self.poll_ack()),
        }
    }

    fn poll_syn(&mut self, now: Time) -> Option<Segment> {
        if self.window.snd_nxt > 0 {
            return None;
        }
        self.note_sent(now, 0, 1);
        let answers = self.state == State::SynReceived;
        Some(Segment {
            syn: true,
            ack: answers.then(|| self.receiver.rcv_nxt()),
            window: self.receiver.window(0),
            window_scale: Some(self.config.window_scale),
            mss: Some(self.config.smss.min(u32::from(u16::MAX)) as u16),
            sack_permitted: self.config.flavor.sack,
            ..Segment::default()
        })
    }

    fn poll_ack(&mut self) -> Option<Segment> {
        (self.owed == Owed::Now).then(|| self.acknowledging(self.window.snd_nxt))
    }

    /// A segment without data that acknowledges what has come.
    fn acknowledging(&mut self, seq: u64) -> Segment {
        self.owed = Owed::Nothing;
        Segment {
            seq,
            ack: Some(self.receiver.rcv_nxt()),
            window: self.receiver.window(self.scale.1),
            sack: if self.sack { self.receiver.sack() } else { Default::default() },
            ..Segment::default()
        }
    }

    fn poll_data(&mut self, now: Time) -> Option<Segment> {
        self.restart_if_idle(now);
        let (seq, end) = match self.recovery.next(&self.window)? {
            Transmit::Again { seq, end } => (seq, end.min(self.window.snd_max).min(self.written)),
            Transmit::UpTo(limit) => self.new_data(limit)?,
        };
        let fin = self.closing && end == self.written;
        let after = end + u64::from(fin);
        self.note_sent(now, seq, after);
        self.recovery.on_sent(&self.window, seq, after);
        if fin {
            self.state = match self.state {
                State::Established => State::FinWait1,
                State::CloseWait => State::LastAck,
                other => other,
            };
        }
        Some(Segment { len: (end - seq) as u32, fin, ..self.acknowledging(seq) })
    }

    /// The segment at `snd_nxt`, as far as `limit`, the receive window, the data, Nagle's
    /// algorithm and silly window avoidance let it go.
    fn new_data(&self, limit: u64) -> Option<(u64, u64)> {
        let window = &self.window;
        let seq = window.snd_nxt;
        let open = limit.min(window.snd_una + window.rwnd);
        let full = seq + window.smss;
        let end = full.min(self.written).min(open);
        let fin = self.closing && seq == self.written && open > seq;
        if end <= seq {
            return fin.then_some((seq, seq));
        }
        let in_flight = seq > window.snd_una;
        let held = if end == full {
            false
        } else if end == self.written {
            self.config.nagle && in_flight && !self.closing
        } else {
            self.config.sws_avoidance && in_flight
        };
        (!held).then_some((seq, end))
    }

    /// RFC 5681, section 4.1.
    fn restart_if_idle(&mut self, now: Time) {
        let idle = self.window.flight_size() == 0 && self.written > self.window.snd_nxt;
        if !self.config.idle_restart || !idle {
            return;
        }
        if now > self.clock.after(self.last_sent, self.rtt.rto()) {
            let restart_window = u64::from(self.config.initial_window) * self.window.smss;
            self.window.cwnd = self.window.cwnd.min(restart_window);
        }
    }

    /// Books that `[seq, after)` goes out.
    fn note_sent(&mut self, now: Time, seq: u64, after: u64) {
        let window = &mut self.window;
        let again = seq < window.snd_max;
        if seq == window.snd_nxt {
            window.snd_nxt = after;
        }
        window.snd_max = window.snd_max.max(after);
        if !again && self.timed.is_none() {
            self.timed = Some((seq, self.clock.ticks(now)));
        }
        if self.rto_at.is_none() {
            self.restart_timer(now);
        }
        self.last_sent = now;
        if seq > 0 {
            self.counters.segments_sent += 1;
            self.counters.segments_retransmitted += u64::from(again);
        }
    }
}
