//! No recovery but the retransmission timer.
//!
//! Source: 000 section 2: slow start and congestion avoidance, losses found by time-out alone.
//! This is not Tahoe, which has fast retransmit. No parameters.

use super::{LossRecovery, Timer, Transmit, next_in_window};
use crate::congestion::{Ack, CongestionControl};
use crate::window::Window;

/// No recovery but the retransmission timer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vanilla;

impl LossRecovery for Vanilla {
    fn on_ack(&mut self, window: &mut Window, ack: &Ack, congestion: &mut dyn CongestionControl) -> Timer {
        congestion.on_ack(window, ack);
        Timer::Restart
    }

    fn on_dup_ack(&mut self, _: &mut Window, _: &mut dyn CongestionControl) -> bool {
        false
    }

    fn on_rto(&mut self, _: &mut Window) {}

    fn next(&mut self, window: &Window) -> Option<Transmit> {
        next_in_window(window, 0)
    }
}
