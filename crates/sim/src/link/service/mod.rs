//! Services: how long a link takes to send a packet. One file per kind.

use base::{Rate, Time};

mod opportunities;
mod schedule;

pub use opportunities::Opportunities;
pub use schedule::RateSchedule;

/// When the transmitter of a link sends packets. Calls come in the order of their times.
pub trait Service: Send {
    /// When the next transmission may begin, `now` or later; [`Time::NEVER`] if it never may. `is_first` if the packet has
    /// come at `now` and found nothing before it: what a service had ready at that time was for those that waited.
    fn begins(&mut self, now: Time, is_first: bool) -> Time {
        let _ = is_first;
        now
    }

    /// When the last bit leaves of a packet of `bytes` bytes whose transmission begins at `start`, as
    /// [`Service::begins`] has allowed; [`Time::NEVER`] if it never does. Each call is for the next packet; `start` is no
    /// earlier than the end of the one before.
    fn finish(&mut self, start: Time, bytes: u32) -> Time;
}

/// The same rate all the time.
impl Service for Rate {
    fn finish(&mut self, start: Time, bytes: u32) -> Time {
        start + self.time_for(u64::from(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_sends_each_packet_in_its_serialization_time() {
        let mut rate = Rate::from_bps(8_000_000);
        assert_eq!(rate.finish(Time::from_ms(3), 1500), Time::from_us(4500));
        assert_eq!(rate.finish(Time::from_ms(9), 40), Time::from_us(9040));
    }
}
