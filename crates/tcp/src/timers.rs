//! The timers: retransmission, persist, delayed ACK.
//!
//! Source: RFC 6298 section 5; RFC 9293 section 3.8.6.1 for probes of a closed window, which go
//! out after a time-out, and then after twice the time again and again.

use crate::config::{LossWindow, WindowProbe};
use crate::congestion::Cause;
use crate::connection::Connection;
use crate::recovery::CaState;
use sim::time::Time;

/// Between these, a time-out long, a sender waits for more than a small part of the window
/// (RFC 9293, section 3.8.6.2.1).
const OVERRIDE: (Time, Time) = (Time::from_ms(100), Time::from_ms(1000));

/// What probes a closed window, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Persist {
    /// [`Time::NEVER`] if no probe is to come.
    at: Time,
    probes: u32,
    due: bool,
}

impl Default for Persist {
    fn default() -> Self {
        Self { at: Time::NEVER, probes: 0, due: false }
    }
}

/// A segment that probes a closed window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) seq: u64,
    pub(crate) len: u32,
    pub(crate) fin: bool,
}

impl Connection {
    /// When [`Connection::on_timer`] wants to be called; [`Time::NEVER`] if not at all.
    #[must_use]
    pub fn next_timer(&self) -> Time {
        // Of these one runs at most.
        self.rto_at.min(self.persist.at).min(self.acks.next_timer())
    }

    /// Lets the timers run out that are due. Calling it too early does nothing.
    pub fn on_timer(&mut self, now: Time) {
        self.acks.on_timer(now);
        if self.rto_at <= now {
            self.on_rto(now);
        }
        if self.persist.at <= now {
            self.persist.at = Time::NEVER;
            self.persist.probes += 1;
            self.persist.due = true;
        }
    }

    /// RFC 6298, section 5, rules 5.4 to 5.6, and RFC 5681, section 3.1.
    fn on_rto(&mut self, now: Time) {
        self.counters.timeouts += 1;
        let is_first = self.timeouts_in_a_row == 0;
        let cause = if is_first { Cause::Rto } else { Cause::RepeatedRto };
        if is_first {
            self.counters.first_timeouts += 1;
            self.counters.first_timeout_ps += self.rtt.rto().as_ps();
        }
        self.timeouts_in_a_row += 1;
        self.timed = None;
        self.rtt.back_off();
        let window = &mut self.window;
        window.snd_nxt = window.snd_una;
        self.loss_until = window.snd_max;
        // A lost SYN says nothing of a window.
        if window.snd_una > 0 {
            if self.recovery.state() == CaState::Recovery
                && self.config.options.loss_window == LossWindow::Deflated
            {
                window.cwnd = window.cwnd.min(window.ssthresh);
            }
            window.ssthresh = self.congestion.ssthresh(window, cause);
            window.cwnd = window.smss;
            self.recovery.on_rto(window);
            self.ecn.on_loss(window.snd_max);
        }
        self.restart_timer(now);
    }

    pub(crate) fn restart_timer(&mut self, now: Time) {
        self.rto_at = self.rtt.deadline(now);
        // Something is in flight whose ACK will tell of the window.
        self.persist.at = Time::NEVER;
    }

    /// Nothing is sent: if that is because the window is closed, and no answer is on its way that
    /// would tell of its opening, it is to be probed; if it is open, but not enough for a segment,
    /// what it leaves is to be sent after a while.
    pub(crate) fn watch_window(&mut self, now: Time) {
        if self.window.snd_nxt >= self.written && (!self.closing || self.fin_sent()) {
            self.persist.at = Time::NEVER;
        } else if self.rto_at == Time::NEVER && self.persist.at == Time::NEVER {
            let rto = self.rtt.rto();
            let wait = if self.window.rwnd > 0 {
                rto.clamp(OVERRIDE.0, OVERRIDE.1)
            } else {
                let wait = rto.as_ps().saturating_mul(1 << self.persist.probes.min(31));
                Time::from_ps(wait).min(self.config.options.max_rto)
            };
            self.persist.at = now + wait;
        }
    }

    /// One above the highest sequence number that may be acknowledged.
    pub(crate) fn highest_acknowledgeable(&self) -> u64 {
        self.window.snd_max.max(self.probed)
    }

    /// Whether what a small window leaves may be sent now.
    pub(crate) fn persist_is_due(&self) -> bool {
        self.persist.due
    }

    /// Probes of the closed window so far.
    pub(crate) fn probes(&self) -> u32 {
        self.persist.probes
    }

    /// The probe that is due.
    pub(crate) fn take_probe(&mut self) -> Option<Probe> {
        let due = std::mem::take(&mut self.persist.due);
        if !due || self.window.rwnd > 0 {
            return None;
        }
        let una = self.window.snd_una;
        if self.config.options.window_probe == WindowProbe::Ack {
            return Some(Probe { seq: una.saturating_sub(1), len: 0, fin: false });
        }
        let fin = self.closing && una == self.written;
        if una >= self.written && !fin {
            return None;
        }
        self.probed = una + 1;
        if fin {
            self.note_fin_sent();
        }
        Some(Probe { seq: una, len: u32::from(!fin), fin })
    }
}
