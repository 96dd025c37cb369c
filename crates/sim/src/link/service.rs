//! Services: how long a link takes to send a packet. One type per kind.
//!
//! Other services could be a schedule of rates, or the delivery opportunities of a trace.

use base::{Rate, Time};

/// When the transmitter of a link has sent a packet.
pub trait Service: Send {
    /// When the last bit leaves of a packet of `bytes` bytes whose transmission begins at `start`. Each call is
    /// for the next packet; `start` is no earlier than the end of the one before.
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
