//! Slow start and congestion avoidance.
//!
//! Source: RFC 5681 section 3.1. Two things follow BSD and the studies of the 1990s: growth is
//! by one segment per ACK, not per segment acknowledged, and cwnd does not grow beyond the
//! largest window that the peer can advertise.
//!
//! | parameter | what |
//! |---|---|
//! | loss window | ssthresh is half of min(cwnd, rwnd) or of `flight_size` |
//! | additive constant | an eighth of a segment more for each ACK in congestion avoidance, as 4.3BSD Reno and its descendants had it (RFC 2525, section 2.6); RFC 5681 forbids it |

use super::{Cause, CongestionControl};
use crate::config::LossWindow;
use crate::window::Window;

/// Slow start and congestion avoidance.
#[derive(Clone, Copy, Debug)]
pub struct Reno {
    loss_window: LossWindow,
    additive_constant: bool,
}

impl Reno {
    /// With these parameters.
    #[must_use]
    pub fn new(loss_window: LossWindow, additive_constant: bool) -> Self {
        Self { loss_window, additive_constant }
    }
}

impl CongestionControl for Reno {
    fn on_ack(&mut self, window: &mut Window, acked: u64) {
        let growth = if window.cwnd < window.ssthresh {
            acked.min(window.smss)
        } else {
            let constant = if self.additive_constant { window.smss / 8 } else { 0 };
            (window.smss * window.smss / window.cwnd).max(1) + constant
        };
        // A restart window above the peer's must not be cut here.
        window.cwnd = (window.cwnd + growth).min(window.max_rwnd.max(window.cwnd));
    }

    fn ssthresh(&mut self, window: &Window, cause: Cause) -> u64 {
        let lost_from = match (self.loss_window, cause) {
            (LossWindow::Cwnd, _) => window.cwnd.min(window.rwnd),
            // RFC 5681, section 3.1: a second time-out for the same data changes nothing.
            (LossWindow::FlightSize, Cause::RepeatedRto) => return window.ssthresh,
            (LossWindow::FlightSize, _) => window.flight_size(),
        };
        (lost_from / 2).max(2 * window.smss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(cwnd: u64, ssthresh: u64) -> Window {
        Window {
            smss: 1000,
            snd_una: 1,
            snd_nxt: 1,
            snd_max: 6001,
            cwnd,
            ssthresh,
            rwnd: 20_000,
            max_rwnd: 20_000,
        }
    }

    #[test]
    fn doubles_below_ssthresh_and_grows_by_a_segment_a_window_above() {
        let mut control = Reno::new(LossWindow::Cwnd, false);
        let mut w = window(1000, 4000);
        control.on_ack(&mut w, 1000);
        assert_eq!(w.cwnd, 2000);
        control.on_ack(&mut w, 128);
        assert_eq!(w.cwnd, 2128, "never by more than was acknowledged");
        let mut w = window(10_000, 4000);
        control.on_ack(&mut w, 1000);
        assert_eq!(w.cwnd, 10_100);
        Reno::new(LossWindow::Cwnd, true).on_ack(&mut w, 1000);
        assert_eq!(w.cwnd, 10_100 + 99 + 125);
    }

    #[test]
    fn stops_at_the_largest_window_of_the_peer() {
        let mut w = window(19_990, 50_000);
        Reno::new(LossWindow::Cwnd, false).on_ack(&mut w, 1000);
        assert_eq!(w.cwnd, 20_000);
    }

    #[test]
    fn halves_what_it_was_told_to_and_keeps_two_segments() {
        let mut w = window(16_000, 50_000);
        assert_eq!(Reno::new(LossWindow::Cwnd, false).ssthresh(&w, Cause::Rto), 8000);
        let mut flight = Reno::new(LossWindow::FlightSize, false);
        assert_eq!(flight.ssthresh(&w, Cause::FastRetransmit), 3000);
        assert_eq!(flight.ssthresh(&w, Cause::RepeatedRto), 50_000);
        w.cwnd = 1000;
        assert_eq!(Reno::new(LossWindow::Cwnd, false).ssthresh(&w, Cause::Rto), 2000);
    }
}
