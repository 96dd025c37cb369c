//! Congestion control: how cwnd grows, and what is left of it after a loss.
//!
//! One file per algorithm; what is sent again, and when, is [`crate::recovery`]'s business.

use crate::config::{LossWindow, SsthreshRounding};
use crate::window::Window;
use base::Time;

mod cubic;
mod reno;
mod slow_start;

pub use cubic::Cubic;
pub use reno::Reno;

/// Why cwnd has to fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Duplicate ACKs told of a loss.
    FastRetransmit,
    /// The retransmission timer ran out for the first time for this data.
    Rto,
    /// It ran out again before anything new was acknowledged.
    RepeatedRto,
    /// The network told of congestion (RFC 3168).
    Ecn,
}

/// An ACK of something new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// Bytes newly acknowledged.
    pub acked: u64,
    /// When it came.
    pub now: Time,
    /// The smoothed RTT, once there is one.
    pub srtt: Option<Time>,
}

/// How cwnd moves.
pub trait CongestionControl: Send {
    /// Something was newly acknowledged outside of recovery.
    fn on_ack(&mut self, window: &mut Window, ack: &Ack);
    /// Sending begins again after everything was acknowledged.
    fn on_restart(&mut self, now: Time) {
        let _ = now;
    }
    /// The slow-start threshold after a loss or a mark.
    fn ssthresh(&mut self, window: &Window, cause: Cause) -> u64;
}

/// ssthresh where a loss leaves so many bytes: two segments at least (RFC 5681, equation 4).
fn threshold(left: u64, smss: u64, rounding: SsthreshRounding) -> u64 {
    let unit = match rounding {
        SsthreshRounding::Bytes => 1,
        SsthreshRounding::Segments => smss,
    };
    (left / unit * unit).max(2 * smss)
}

/// What ssthresh is a part of.
///
/// Flight size is what is not acknowledged, in the network or not. In a recovery each duplicate ACK lets out new data
/// while a hole waits a round trip for its turn: a time-out then finds many windows "in flight", and after it what was
/// lost still counts. Half of that as ssthresh lets slow start overrun the queue by as much, and lose hundreds of
/// segments again. RFC 5681 asks for half of the flight size *at most*: with `Bounded` a time-out takes half of cwnd where
/// that is less, as BSD, ns-2 and Linux do, and a recovery's ssthresh stays (`crate::timers`), as in Linux (`tcp_enter_loss`;
/// ns-2 keeps the inflation apart from cwnd, as `dupwnd_`).
fn loss_window(window: &Window, of: LossWindow, cause: Cause) -> u64 {
    match (of, cause) {
        (LossWindow::Cwnd | LossWindow::Deflated, _) => window.cwnd.min(window.rwnd),
        (LossWindow::Bounded, Cause::Rto | Cause::RepeatedRto) => window.flight_size().min(window.cwnd),
        (LossWindow::Bounded | LossWindow::FlightSize, _) => window.flight_size(),
    }
}
